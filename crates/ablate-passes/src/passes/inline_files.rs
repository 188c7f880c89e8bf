//! Puts what is in a file of a folder in the place where another file includes it, and deletes the
//! file.
//!
//! A test case of one file is easier to look at, to send and to reduce further: what `#include "a.h"`
//! names takes the place of the line, and what `mod a;` names in Rust stands in `mod a{}`. Where a file
//! is included several times, only the first place gets it.
//!
//! Costs one test for each file that another one includes. Where no folder is reduced, there is nothing
//! to do.
//!
//! ```
//! use ablate_engine::explain::reductions;
//! use ablate_passes::passes::InlineFiles;
//!
//! let folder = b"\x1ca.c\x1c\n#include \"b.h\"\nint c;\n\x1cb.h\x1c\nint b;\n";
//! assert_eq!(reductions(&InlineFiles, folder), [b"\x1ca.c\x1c\nint b;\nint c;\n".to_vec()]);
//!
//! let folder = b"\x1clib/b.rs\x1c\nfn b() {}\n\x1clib/mod.rs\x1c\npub mod b;\n";
//! let left = b"\x1clib/mod.rs\x1c\npub mod b{fn b() {}\n}\n".to_vec();
//! assert_eq!(reductions(&InlineFiles, folder), [left]);
//! ```

use alloc::collections::BTreeMap;
use alloc::vec::Vec;

use ablate_engine::chooser::{Chooser, DeadBranch};
use ablate_engine::pass::Pass;
use ablate_engine::patch::{Edit, Patch};
use ablate_engine::target::Target;

use crate::formats::folder::{Entries, Entry, joined};

/// Puts files in the place of what includes them; see the module.
#[derive(Clone, Copy, Debug, Default)]
pub struct InlineFiles;

/// Where a file is included.
#[derive(Clone, Copy, Debug)]
struct Place {
    /// What the file's content takes the place of.
    start: usize,
    end: usize,
    is_module: bool,
}

/// The files that others include, with all places where they do.
struct Included(Vec<(usize, Vec<Place>)>);

impl Included {
    fn of(folder: &[u8], files: &[Entry]) -> Included {
        let names: Vec<Vec<u8>> = files.iter().map(|file| file.name(folder)).collect();
        let numbers: BTreeMap<&[u8], usize> = (names.iter().enumerate())
            .map(|(number, name)| (name.as_slice(), number))
            .collect();
        let mut places: BTreeMap<usize, Vec<Place>> = BTreeMap::new();
        for (by, file) in files.iter().enumerate() {
            let content = &folder[file.content..file.end];
            let mut add = |at: usize, len: usize, is_module: bool, found: Option<&usize>| {
                if let Some(&number) = found.filter(|&&number| number != by) {
                    let start = file.content + at;
                    places.entry(number).or_default().push(Place {
                        start,
                        end: start + len,
                        is_module,
                    });
                }
            };
            let (around, own) = split(&names[by]);
            let mut at = 0;
            for line in content.split_inclusive(|&byte| byte == b'\n') {
                if let Some(path) = included(line) {
                    let beside = numbers.get(joined(around, &path).as_slice());
                    let found = beside.or_else(|| numbers.get(joined(b"", &path).as_slice()));
                    add(at, line.len(), false, found);
                }
                at += line.len();
            }
            let Some(stem) = own.strip_suffix(b".rs") else {
                continue;
            };
            for (name, semicolon) in modules(content) {
                let file = [name, b".rs"].concat();
                let paths: [&[&[u8]]; 4] = [
                    &[&file],
                    &[name, b"mod.rs"],
                    &[stem, &file],
                    &[stem, name, b"mod.rs"],
                ];
                let mut found = paths.iter().map(|path| joined(around, &path.join(&b'/')));
                let found = found.find_map(|path| numbers.get(path.as_slice()));
                add(semicolon, 1, true, found);
            }
        }
        Included(places.into_iter().collect())
    }
}

/// The folder that a file is in, and its own name.
fn split(name: &[u8]) -> (&[u8], &[u8]) {
    match name.iter().rposition(|&byte| byte == b'/') {
        Some(at) => (&name[..at], &name[at + 1..]),
        None => (b"", name),
    }
}

/// What a line includes.
fn included(line: &[u8]) -> Option<Vec<u8>> {
    let line = line.trim_ascii();
    let rest = match line {
        [b'#', rest @ ..] => rest.trim_ascii_start().strip_prefix(b"include")?,
        [b'`', rest @ ..] => rest.strip_prefix(b"include")?,
        _ => return None,
    };
    let path = rest.trim_ascii_start().strip_prefix(b"\"")?;
    let end = path.iter().position(|&byte| byte == b'"')?;
    Some(path[..end].to_vec())
}

/// The modules of Rust that are in other files: their names, and where the semicolons behind them are.
fn modules(content: &[u8]) -> Vec<(&[u8], usize)> {
    let is_word = |byte: &u8| byte.is_ascii_alphanumeric() || *byte == b'_';
    let mut found = Vec::new();
    let words = content.windows(4).enumerate();
    for (at, _) in words.filter(|(_, word)| *word == b"mod ") {
        if content[..at].last().is_some_and(is_word) {
            continue;
        }
        let rest = &content[at + 4..];
        let blanks = rest.len() - rest.trim_ascii_start().len();
        let name = &rest[blanks..];
        let name = &name[..name.iter().take_while(|byte| is_word(byte)).count()];
        let behind = &rest[blanks + name.len()..];
        let more = behind.len() - behind.trim_ascii_start().len();
        if !name.is_empty() && behind.get(more) == Some(&b';') {
            found.push((name, at + 4 + blanks + name.len() + more));
        }
    }
    found
}

/// The folder with the file in the first of these places.
fn inlined(folder: &[u8], file: Entry, places: &[Place]) -> Option<Patch<u8>> {
    let content = &folder[file.content..file.end];
    let (first, others) = places.split_first()?;
    let mut text = Vec::with_capacity(content.len() + 2);
    if first.is_module {
        text.push(b'{');
    }
    text.extend_from_slice(content);
    if first.is_module {
        text.push(b'}');
    } else if !content.is_empty() && !content.ends_with(b"\n") {
        text.push(b'\n');
    }
    let edit = |place: &Place, insert: Option<Vec<u8>>| Edit {
        start: place.start,
        end: place.end,
        insert: insert.map(Into::into),
    };
    let whole = Edit {
        start: file.start,
        end: file.end,
        insert: None,
    };
    let others = others.iter().filter(|place| !place.is_module);
    let edits = others.map(|place| edit(place, None));
    Patch::edits_of(edits.chain([edit(first, Some(text)), whole])).ok()
}

impl Pass<u8> for InlineFiles {
    fn name(&self) -> &'static str {
        "inline_files"
    }

    fn step(
        &self,
        target: &Target<u8>,
        chooser: &mut Chooser<'_>,
    ) -> Result<Patch<u8>, DeadBranch> {
        let entries = Entries::of(target);
        let files = entries.all();
        let all = target.analysis(|target| Included::of(target.elements(), files));
        let (file, places) = &all.0[chooser.any(0..all.0.len())?];
        inlined(target.elements(), files[*file], places).ok_or(DeadBranch)
    }

    fn is_for_chaos(&self) -> bool {
        false
    }

    fn rank(&self) -> u8 {
        5
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use ablate_engine::explain::reductions;

    #[test]
    fn a_file_that_is_included_twice_stays_in_the_first_place() {
        let folder = b"\x1ca/b.h\x1c\nint b;\x1ca/c.c\x1c\n# include \"../d.h\"\n\x1cd.h\x1c\n\
            #include \"a/b.h\"\n#include <a/b.h>\n  #include \"./a/b.h\" // again\nint d;\n";
        let without_b = b"\x1ca/c.c\x1c\n# include \"../d.h\"\n\x1cd.h\x1c\n\
            int b;\n#include <a/b.h>\nint d;\n";
        let without_d = b"\x1ca/b.h\x1c\nint b;\x1ca/c.c\x1c\n\
            #include \"a/b.h\"\n#include <a/b.h>\n  #include \"./a/b.h\" // again\nint d;\n";
        let seen = reductions(&InlineFiles, folder);
        assert_eq!(seen.len(), 2);
        assert!(seen.contains(&without_b.to_vec()) && seen.contains(&without_d.to_vec()));
    }

    #[test]
    fn modules_of_rust_are_found_where_rust_looks_for_them() {
        let name = |name: &[u8], content: &[u8]| [b"\x1c", name, b"\x1c\n", content].concat();
        let main = name(b"main.rs", b"mod a; mod b {} mod c\n;");
        for (file, inner) in [("a.rs", "mod x;"), ("a/mod.rs", "//"), ("main/c.rs", "")] {
            let folder = [name(file.as_bytes(), inner.as_bytes()), main.clone()].concat();
            assert_eq!(reductions(&InlineFiles, &folder).len(), 1, "{file}");
        }
        let itself = name(b"a.rs", b"mod a;");
        assert!(reductions(&InlineFiles, &itself).is_empty());
    }
}
