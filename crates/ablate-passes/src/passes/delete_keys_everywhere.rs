//! Deletes all members with the same key, or all lines that give the same key a value.
//!
//! What a JSON, YAML, TOML or INI file says of each of a hundred things is mostly of no use for any of
//! them: every `"id": 17` goes in one test.
//!
//! Costs one test for each key that is there more than once. What is indented below a line goes with it.
//!
//! ```
//! use ablate_passes::explain::reductions;
//! use ablate_passes::passes::DeleteKeysEverywhere;
//!
//! let text = r#"[{"id": 1, "x": 2}, {"y": 3, "id": 4}]"#;
//! assert_eq!(reductions(&DeleteKeysEverywhere, text), [r#"[{"x": 2}, {"y": 3}]"#]);
//! let text = "- id: 1\n- x: 2\n  id:\n    - 3\n";
//! assert_eq!(reductions(&DeleteKeysEverywhere, text), ["- x: 2\n"]);
//! ```

use alloc::collections::BTreeMap;
use alloc::rc::Rc;
use alloc::vec::Vec;

use ablate_engine::chooser::{Chooser, DeadBranch};
use ablate_engine::pass::Pass;
use ablate_engine::patch::Patch;
use ablate_engine::target::Target;

use crate::formats::lines::{Indents, Lines};
use crate::formats::members::{Members, key_within};
use crate::passes::one_of;

/// Deletes what has the same key; see the module.
#[derive(Clone, Copy, Debug, Default)]
pub struct DeleteKeysEverywhere;

/// What to cut for each key that is there more than once.
struct Keys(Vec<Vec<(usize, usize)>>);

impl Keys {
    fn of(target: &Target<u8>) -> Rc<Keys> {
        let (members, lines, indents) =
            (Members::of(target), Lines::of(target), Indents::of(target));
        target.analysis(|target| {
            let text = target.elements();
            let mut by_key: BTreeMap<&[u8], Vec<usize>> = BTreeMap::new();
            for (number, member) in members.all().iter().enumerate() {
                if member.key.0 < member.key.1 {
                    let key = &text[member.key.0 as usize..member.key.1 as usize];
                    by_key.entry(key).or_default().push(number);
                }
            }
            let groups = by_key.into_values().filter(|same| same.len() > 1);
            let mut all: Vec<Vec<(usize, usize)>> =
                groups.map(|same| members.cuts(&same)).collect();
            let mut by_key: BTreeMap<&[u8], Vec<(usize, usize)>> = BTreeMap::new();
            for line in 0..indents.len() {
                let (start, end) = lines.range(line);
                if let Some((from, to)) = line_key(text, start, end) {
                    let last = lines.range(line + indents.body(line));
                    by_key
                        .entry(&text[from..to])
                        .or_default()
                        .push((start, last.1));
                }
            }
            all.extend(by_key.into_values().filter(|same| same.len() > 1));
            Keys(all)
        })
    }
}

/// Where the key of a line like `key: value`, `- key: value` or `key = value` is.
fn line_key(text: &[u8], start: usize, end: usize) -> Option<(usize, usize)> {
    let line = &text[start..end];
    let blanks = line
        .iter()
        .take_while(|&&b| matches!(b, b' ' | b'\t' | b'-'));
    let from = start + blanks.count();
    let sign = text[from..end]
        .iter()
        .position(|&b| matches!(b, b':' | b'='))?;
    let key = text[from..from + sign].trim_ascii_end();
    key_within(text, from, from + key.len())
}

impl Pass<u8> for DeleteKeysEverywhere {
    fn name(&self) -> &'static str {
        "delete_keys_everywhere"
    }

    fn step(
        &self,
        target: &Target<u8>,
        chooser: &mut Chooser<'_>,
    ) -> Result<Patch<u8>, DeadBranch> {
        let keys = Keys::of(target);
        let cuts = one_of(chooser, &keys.0)?;
        Ok(Patch::cuts(cuts.iter().copied()))
    }

    fn rank(&self) -> u8 {
        6
    }
}
