//! Edits that leave a text that the grammar can read. What a pass knows of a grammar is not all of it:
//! that a list may be empty, say, but not that it can't be in this place.

use std::collections::BTreeSet;
use std::rc::Rc;

use ablate_engine::pass::{Amend, Amended, Pass};
use ablate_engine::patch::Patch;
use ablate_engine::target::Target;

use crate::tree::Syntax;

/// Edits with more parts take longer to read than the test takes that may be saved.
const MOST_PARTS: usize = 1 << 12;
/// Longer texts with errors in them do, too: they are read anew as a whole.
const LONGEST_WITH_ERRORS: usize = 1 << 17;
/// Edits with fewer parts are taken as they are, or not at all: their parts need each other.
const FEWEST_PARTS: usize = 8;
/// At most one of so many parts may be left out of an edit.
const SHARE_LEFT_OUT: usize = 4;
/// The pass that takes white space: what a grammar makes of tokens that stand close together is no proof.
const FOR_LAYOUT: &str = "delete_layout";
/// How often parts are left out.
const ROUNDS: usize = 6;

/// `pass`, without the edits that leave something that the grammar can't read. An edit of many parts goes
/// without those that are to blame. A text that could not be read before is no reason to leave an edit
/// out.
pub fn sound(syntax: &Rc<Syntax>, pass: Box<dyn Pass<u8>>) -> Box<dyn Pass<u8>> {
    if pass.name() == FOR_LAYOUT {
        return pass;
    }
    let by = Sound(Rc::clone(syntax));
    Box::new(Amended { pass, by })
}

struct Sound(Rc<Syntax>);

impl Amend<u8> for Sound {
    fn amended(&self, target: &Target<u8>, patch: Patch<u8>) -> Option<Patch<u8>> {
        if self.0.is_deep(target) {
            return Some(patch);
        }
        let of_base = self.0.errors(target);
        let has_parts = patch.places() >= FEWEST_PARTS;
        let is_readable = of_base.is_empty();
        let can_be_repaired = has_parts && target.elements().len() <= LONGEST_WITH_ERRORS;
        if patch.places() > MOST_PARTS || !is_readable && !can_be_repaired {
            return Some(patch);
        }
        if is_readable {
            match self.0.reads_after(target, &patch) {
                Some(false) if has_parts => {}
                Some(false) => return None,
                _ => return Some(patch),
            }
        }
        let mut rest = patch.clone();
        for _ in 0..ROUNDS {
            let Some(errors) = self.0.errors_after(target, &rest) else {
                return Some(patch);
            };
            if errors.len() <= of_base.len() {
                return Some(rest);
            }
            if errors.len() > of_base.len() + rest.places() {
                break;
            }
            let known = of_base.iter().map(|it| it.0).map(rest.moves());
            let known: BTreeSet<usize> = known.collect();
            let new = errors.iter().filter(|it| !known.contains(&it.0));
            let to_blame: BTreeSet<usize> = new.flat_map(|&it| to_blame(&rest, it)).collect();
            let left = rest.places() - to_blame.len();
            let most = patch.places() / SHARE_LEFT_OUT;
            if to_blame.is_empty() || left < patch.places() - most {
                break;
            }
            let parts = rest.edits().iter().enumerate();
            let parts = parts.filter(|(number, _)| !to_blame.contains(number));
            rest = Patch::edits_of(parts.map(|(_, part)| part.clone())).ok()?;
        }
        (!is_readable).then_some(patch)
    }

    fn is_for_growth(&self) -> bool {
        false
    }
}

/// The parts of an edit within an error, or else the one next to it.
fn to_blame(patch: &Patch<u8>, (start, end): (usize, usize)) -> Vec<usize> {
    let mut offset = 0;
    let mut inside = Vec::new();
    let mut nearest = None;
    for (number, part) in patch.edits().iter().enumerate() {
        let at = (part.start as isize + offset) as usize;
        let behind = at + part.inserted();
        offset += part.inserted() as isize - (part.end - part.start) as isize;
        if at <= end && behind >= start {
            inside.push(number);
            continue;
        }
        let distance = start.saturating_sub(behind).max(at.saturating_sub(end));
        if nearest.is_none_or(|(least, _)| distance < least) {
            nearest = Some((distance, number));
        } else if at > end {
            break;
        }
    }
    if inside.is_empty() {
        inside.extend(nearest.map(|(_, number)| number));
    }
    inside
}

#[cfg(test)]
mod tests {
    use ablate_engine::patch::Edit;

    use super::*;
    use crate::languages::find;

    fn made(language: &str, text: &str, cuts: &[&str]) -> Option<String> {
        let syntax = Syntax::new(find(language).unwrap());
        let target = Target::new(text.as_bytes().to_vec());
        let mut from = 0;
        let edits = cuts.iter().map(|cut| {
            let start = from + text[from..].find(cut).unwrap();
            from = start + cut.len();
            Edit {
                start,
                end: from,
                insert: None,
            }
        });
        let patch = Patch::edits_of(edits).unwrap();
        let patch = Sound(syntax).amended(&target, patch)?;
        let made = patch.applied(target.elements());
        Some(String::from_utf8(made).unwrap())
    }

    #[test]
    fn what_the_grammar_could_not_read_is_not_proposed() {
        let text = "class A { int b() { return 1; } }";
        assert_eq!(made("java", text, &["{ return 1; }"]), None);
        assert_eq!(made("java", text, &["return", "}"]), None);
        let shorter = "class A { int b() { } }";
        assert_eq!(
            made("java", text, &["return 1; "]).as_deref(),
            Some(shorter)
        );
    }

    #[test]
    fn of_many_parts_those_to_blame_stay() {
        let text = "f(a); g(b); h(c); i(d); j(e); k(f); l(g); m(h); n(1) + p;";
        let cuts = ["a", "b", "c", "d", "e", "f", "g", "h", "p"];
        let shorter = "f(); g(); h(); i(); j(); k(); l(); m(); n(1) + p;";
        let cut = made("javascript", text, &cuts);
        assert_eq!(cut.as_deref(), Some(shorter));
    }

    #[test]
    fn what_could_not_be_read_before_is_cut_as_before() {
        let text = "class A { int b( { return 1; } }";
        let shorter = "class A { int b(  }";
        let cut = made("java", text, &["{ return 1; }"]);
        assert_eq!(cut.as_deref(), Some(shorter));
    }

    #[test]
    fn where_it_nests_deep_the_grammar_is_not_asked() {
        let nested = |depth| "[".repeat(depth) + "1" + &"]".repeat(depth);
        assert_eq!(made("json", &nested(9), &["1]"]), None);
        assert!(made("json", &nested(9999), &["1]"]).is_some());
    }

    /// The grammar is no longer asked behind the first error; what it says up to there has to be what it
    /// says in the end.
    #[test]
    fn an_error_that_is_found_early_is_there_in_the_end() {
        const LENGTH: usize = 1 << 15;
        const CUTS: usize = 40;
        let samples = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/samples/sample.");
        let (mut read, mut unread) = (0, 0);
        for language in crate::LANGUAGES {
            let sample = std::fs::read(samples.to_owned() + language.extensions[0]);
            let Ok(sample) = sample else { continue };
            let syntax = Syntax::new(language);
            let text = sample.repeat(LENGTH.div_ceil(sample.len()));
            let target = Target::new(text);
            if !syntax.errors(&target).is_empty() {
                continue;
            }
            for cut in 0..CUTS {
                let start = cut * target.len() / CUTS;
                // Where most is gone, the rest is read by itself.
                for len in [1 + 7 * cut % 30, target.len() * 3 / 5] {
                    let end = (start + len).min(target.len());
                    let patch = Patch::cut(start, end);
                    let is_read = syntax.reads_after(&target, &patch);
                    let expected = syntax.reads_after_in(&target, &patch, false);
                    assert_eq!(is_read, expected, "{}: {start}..{end}", language.name);
                    *(if is_read == Some(true) {
                        &mut read
                    } else {
                        &mut unread
                    }) += 1;
                }
            }
        }
        assert!(read > 5 * CUTS && unread > 5 * CUTS, "{read} {unread}");
    }

    #[test]
    fn what_is_read_differently_elsewhere_counts_too() {
        let text = "class A{int[] a={\n#if B\n1,\n#endif\n2};int b;}";
        assert!(made("c-sharp", text, &["int b;"]).is_some());
        // Then the first directive is no longer one that is left out.
        assert_eq!(made("c-sharp", text, &["#endif\n"]), None);
    }
}
