//! Deletes a comment, all that start alike, or all of them.
//!
//! Comments are long and seldom matter: `f(); // call f` becomes `f();`.
//!
//! Knows `//`, `#`, `--`, `;;` and `%%` up to the end of a line, `/* */`, `<!-- -->`, `(* *)`,
//! `""" """`, and `#[[ ]]` and `--[[ ]]` with any number of `=` between the brackets, without knowing
//! the language; and lines that start with `%`, `;` or `!`, or with `*` where many do. Costs one test for
//! each, one for all of them, and one for all with the same first sign where these differ: what is a
//! comment in one language means something in another. A success is grown over the comments before and
//! after. Texts above 4 MiB are left to other passes.
//!
//! ```
//! use ablate_passes::explain::reductions;
//! use ablate_passes::passes::DeleteComments;
//!
//! let seen = reductions(&DeleteComments, "f(); // call f\n# done\n/* ! */\n");
//! assert_eq!(seen[0], "f();\n");
//! assert_eq!(seen[1], "f();\n# done\n");
//! assert_eq!(seen.len(), 5);
//! ```

use alloc::collections::BTreeMap;
use alloc::rc::Rc;
use alloc::vec::Vec;

use ablate_engine::chooser::{Chooser, DeadBranch};
use ablate_engine::pass::Pass;
use ablate_engine::patch::Patch;
use ablate_engine::target::Target;

use crate::formats::characters::is_blank;
use crate::formats::lisp::Lisp;
use crate::formats::quotes::{Quotes, is_quote};

/// How comments start, and how they end; those that end with the line have a line feed there.
const COMMENTS: [(&[u8], &[u8]); 9] = [
    (b"//", b"\n"),
    (b"#", b"\n"),
    (b"--", b"\n"),
    (b";;", b"\n"),
    (b"%%", b"\n"),
    (b"/*", b"*/"),
    (b"<!--", b"-->"),
    (b"(*", b"*)"),
    (b"\"\"\"", b"\"\"\""),
];
/// What makes a comment of a line that starts with it; elsewhere it mostly means something else.
const LINE_STARTS: [u8; 3] = [b'%', b';', b'!'];
/// The same in the first column, where one line in so many starts with it: comments in Fortran.
const COLUMN_START: (u8, usize) = (b'*', 8);
/// Longer texts are left alone.
const LONGEST_TEXT: usize = 4 << 20;

/// Deletes comments; see the module.
#[derive(Clone, Copy, Debug, Default)]
pub struct DeleteComments;

/// The comments of a text.
struct Comments {
    /// What to cut so that a comment is gone, by position.
    all: Vec<(u32, u32)>,
    /// The numbers of those that start alike, if there are others; those of which there are most last.
    alike: Vec<Vec<u32>>,
}

impl Comments {
    fn of(target: &Target<u8>) -> Rc<Comments> {
        let (quotes, lisp) = (Quotes::of(target), Lisp::of(target));
        target.analysis(|target| {
            let text = target.elements();
            let mut comments: Vec<(u32, u32)> = Vec::new();
            let mut by_sign: BTreeMap<u8, Vec<u32>> = BTreeMap::new();
            let mut add = |start: usize, end: usize| {
                let alike = by_sign.entry(text[start]).or_default();
                alike.push(comments.len() as u32);
                comments.push(whole(text, start, end));
            };
            // Kinds of comments that are opened somewhere and never closed again.
            let mut is_unclosed = [false; COMMENTS.len()];
            let mut is_long_unclosed = false;
            let mut at = if text.len() > LONGEST_TEXT {
                text.len()
            } else {
                0
            };
            if !lisp.is_empty() {
                for &(start, end) in lisp.comments() {
                    add(start as usize, end as usize);
                }
                at = text.len();
            }
            let mut is_start = starts();
            is_start[COLUMN_START.0 as usize] |= has_starred_lines(text);
            while at < text.len() {
                if !is_start[text[at] as usize] {
                    at += 1;
                    continue;
                }
                let end = match starts_long(text, at).filter(|_| !is_long_unclosed) {
                    Some(level) => {
                        let end = end_of_long(text, at, level);
                        is_long_unclosed = end.is_none();
                        end
                    }
                    None => end_of_line(text, at),
                };
                if let Some(end) = end {
                    add(at, end);
                    at = end;
                    continue;
                }
                let kind = COMMENTS
                    .iter()
                    .position(|(start, _)| text[at..].starts_with(start));
                if let Some(kind) = kind.filter(|&kind| !is_unclosed[kind]) {
                    let (start, end) = COMMENTS[kind];
                    let inside = at + start.len();
                    if let Some(after) = end_of(&text[inside..], end) {
                        add(at, inside + after);
                        at = inside + after;
                        continue;
                    }
                    is_unclosed[kind] = true;
                }
                let quoted = quotes.starting_at(at).filter(|_| is_quote(text[at]));
                at = quoted.map_or(at + 1, |quoted| quoted.range().1);
            }
            let mut alike: Vec<Vec<u32>> = by_sign.into_values().collect();
            alike.retain(|alike| (2..comments.len()).contains(&alike.len()));
            alike.sort_by_cached_key(Vec::len);
            Comments {
                all: comments,
                alike,
            }
        })
    }
}

/// The bytes with which comments and what is quoted start.
fn starts() -> [bool; 256] {
    let opening = COMMENTS.iter().map(|(start, _)| start[0]);
    let mut is_start = [false; 256];
    for byte in opening.chain(LINE_STARTS) {
        is_start[byte as usize] = true;
    }
    for byte in 0..=u8::MAX {
        is_start[byte as usize] |= is_quote(byte);
    }
    is_start
}

/// How many `=` there are in `#[==[` or `--[==[`, if one of these starts at `at`.
fn starts_long(text: &[u8], at: usize) -> Option<usize> {
    let rest = text.get(at..)?;
    let inside = rest
        .strip_prefix(b"#[")
        .or_else(|| rest.strip_prefix(b"--["))?;
    let level = inside.iter().take_while(|&&b| b == b'=').count();
    (inside.get(level) == Some(&b'[')).then_some(level)
}

/// The position after the first `]==]` with so many `=` behind `at`.
fn end_of_long(text: &[u8], at: usize, level: usize) -> Option<usize> {
    let closes = |&end: &usize| {
        let after = text[end..].strip_prefix(b"]").unwrap_or_default();
        let is_level = after.len() > level && after[..level].iter().all(|&b| b == b'=');
        is_level && after[level] == b']'
    };
    let end = (at..text.len()).find(closes)?;
    Some(end + level + 2)
}

/// Whether one line in a few starts with a star, as comments do in Fortran.
fn has_starred_lines(text: &[u8]) -> bool {
    let (star, few) = COLUMN_START;
    let lines = || text.split(|&b| b == b'\n');
    let starred = lines().filter(|line| line.first() == Some(&star));
    starred.count() * few >= lines().count()
}

/// The end of a line that is a comment as a whole, if `at` is where it starts.
fn end_of_line(text: &[u8], at: usize) -> Option<usize> {
    let is_in_first_column = at == 0 || text[at - 1] == b'\n';
    let is_starred = text[at] == COLUMN_START.0 && is_in_first_column;
    if !LINE_STARTS.contains(&text[at]) && !is_starred {
        return None;
    }
    let before = text[..at].iter().rev().find(|&&b| !is_blank(b));
    let is_first = before.is_none_or(|&b| b == b'\n');
    let line = text[at..].iter().take_while(|&&b| b != b'\n');
    is_first.then(|| at + line.count())
}

fn end_of(rest: &[u8], end: &[u8]) -> Option<usize> {
    if end == b"\n" {
        return Some(rest.iter().position(|&b| b == b'\n').unwrap_or(rest.len()));
    }
    let found = rest.windows(end.len()).position(|window| window == end)?;
    Some(found + end.len())
}

/// The comment `start..end` with the blanks before it, and with its line if nothing else is there.
fn whole(text: &[u8], start: usize, end: usize) -> (u32, u32) {
    let blanks = text[..start]
        .iter()
        .rev()
        .take_while(|&&b| is_blank(b))
        .count();
    let start = start - blanks;
    let is_line = start == 0 || text[start - 1] == b'\n';
    let end = if is_line && text.get(end) == Some(&b'\n') {
        end + 1
    } else {
        end
    };
    (start as u32, end as u32)
}

impl Pass<u8> for DeleteComments {
    fn name(&self) -> &'static str {
        "delete_comments"
    }

    fn step(
        &self,
        target: &Target<u8>,
        chooser: &mut Chooser<'_>,
    ) -> Result<Patch<u8>, DeadBranch> {
        let comments = Comments::of(target);
        let cut = |comment: usize| {
            let (start, end) = comments.all[comment];
            (start as usize, end as usize)
        };
        // The numbers after the last comment, which sweeps try first, stand for all of them, and before
        // that for those that start alike.
        let (count, kinds) = (comments.all.len(), comments.alike.len());
        let more = if count > 1 { kinds + 1 } else { 0 };
        let chosen = chooser.any(0..count + more)?;
        Ok(match chosen.checked_sub(count) {
            None => Patch::cuts([cut(chosen)]),
            Some(kind) if kind == kinds => Patch::cuts((0..count).map(cut)),
            Some(kind) => {
                let alike = comments.alike[kind].iter();
                Patch::cuts(alike.map(|&comment| cut(comment as usize)))
            }
        })
    }

    fn directions(&self) -> usize {
        2
    }

    fn grow(
        &self,
        target: &Target<u8>,
        patch: &Patch<u8>,
        direction: usize,
        amount: usize,
    ) -> Option<Patch<u8>> {
        let comments = Comments::of(target);
        let (start, end) = patch.extent()?;
        let first = comments
            .all
            .partition_point(|comment| (comment.0 as usize) < start);
        let after = comments
            .all
            .partition_point(|comment| (comment.1 as usize) <= end);
        let further = if direction == 0 {
            first.checked_sub(amount)?..first
        } else {
            after..after.checked_add(amount)?
        };
        let further = comments.all.get(further)?.iter();
        let further = further.map(|&(start, end)| (start as usize, end as usize));
        let cuts = patch.edits().iter().map(|edit| (edit.start, edit.end));
        Some(Patch::cuts(cuts.chain(further)))
    }

    // The first step of a sweep is all of them.
    fn is_for_chaos(&self) -> bool {
        false
    }

    fn rank(&self) -> u8 {
        9
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::explain::reductions;

    #[test]
    fn long_brackets_are_one_comment() {
        let text = "a\n#[=[ b\n]] c\n]=]\nd --[[e\n]] f #[g] h\n";
        let seen = reductions(&DeleteComments, text);
        assert_eq!(seen[0], "a\nd f\n");
    }

    #[test]
    fn signs_that_start_a_line_make_it_a_comment_and_others_do_not() {
        let seen = reductions(&DeleteComments, "% a\nb % c;\n  ; d\ne\n");
        assert_eq!(seen[0], "b % c;\ne\n");
        let seen = reductions(&DeleteComments, "*a\n      B = C*D\n * E\n! f\n");
        assert_eq!(seen[0], "      B = C*D\n * E\n");
    }
}
