//! What a pass from outside answers: a line for each candidate, as `docs/external-passes.md` says.
//! Nothing here knows who printed it.

use ablate_engine::patch::{Edit, Patch};
use serde::Deserialize;

/// The most that a command may propose for one test case.
const ANSWERS_MAX: usize = 10_000;

/// One line of what the command prints.
#[derive(Deserialize)]
#[serde(untagged)]
enum Answer {
    Edits { edits: Vec<Replacement> },
    Candidate { candidate: Content },
}

/// What stands between two positions goes, and something may come instead.
#[derive(Deserialize)]
#[serde(untagged)]
enum Replacement {
    Cut(usize, usize),
    Insert(usize, usize, Content),
}

/// Text, or the numbers of bytes where it is none.
#[derive(Deserialize)]
#[serde(untagged)]
enum Content {
    Text(String),
    Bytes(Vec<u8>),
}

impl Content {
    fn bytes(self) -> Vec<u8> {
        match self {
            Content::Text(text) => text.into_bytes(),
            Content::Bytes(bytes) => bytes,
        }
    }
}

/// The patches that the lines of `printed` name.
///
/// # Errors
/// When a line is no answer to `content`.
pub fn read_answers(printed: &[u8], content: &[u8]) -> Result<Vec<Patch<u8>>, String> {
    let mut patches = Vec::new();
    for (number, line) in (1..).zip(printed.split(|&byte| byte == b'\n')) {
        if line.trim_ascii().is_empty() {
            continue;
        }
        if patches.len() == ANSWERS_MAX {
            return Err(format!("it printed more than {ANSWERS_MAX} lines"));
        }
        let answer = serde_json::from_slice(line)
            .map_err(|_| format!("line {number} of what it printed is no answer"))?;
        let patch = match answer {
            Answer::Candidate { candidate } => difference(content, &candidate.bytes()),
            Answer::Edits { edits } => patch_of(edits, content.len())
                .ok_or_else(|| format!("line {number}: edits overlap, or lie beyond the end"))?,
        };
        if !patch.is_empty() {
            patches.push(patch);
        }
    }
    Ok(patches)
}

fn patch_of(edits: Vec<Replacement>, len: usize) -> Option<Patch<u8>> {
    let mut all = Vec::new();
    for edit in edits {
        let (start, end, insert) = match edit {
            Replacement::Cut(start, end) => (start, end, Vec::new()),
            Replacement::Insert(start, end, content) => (start, end, content.bytes()),
        };
        if start > end || end > len {
            return None;
        }
        let insert = (!insert.is_empty()).then(|| insert.into());
        all.push(Edit { start, end, insert });
    }
    Patch::edits_of(all).ok()
}

/// The patch that makes `after` of `before`: what is the same at both ends stays.
pub fn difference(before: &[u8], after: &[u8]) -> Patch<u8> {
    let pairs = before.iter().zip(after);
    let start = pairs.take_while(|(a, b)| a == b).count();
    let (rest, other) = (&before[start..], &after[start..]);
    let pairs = rest.iter().rev().zip(other.iter().rev());
    let same = pairs.take_while(|(a, b)| a == b).count();
    let insert = &other[..other.len() - same];
    Patch::replace(start, before.len() - same, insert)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check_answer(line: &str, expected: &str) {
        let patches = read_answers(line.as_bytes(), b"one two").unwrap();
        let [patch] = &patches[..] else {
            panic!("{line}: {patches:?}");
        };
        let applied = patch.applied(b"one two");
        assert_eq!(String::from_utf8_lossy(&applied), expected, "{line}");
    }

    #[test]
    fn answers_are_edits_or_whole_candidates() {
        check_answer(r#"{"edits": [[0, 4]]}"#, "two");
        check_answer(r#"{"edits": [[4, 7, "2"], [0, 3, [49]]]}"#, "1 2");
        check_answer(r#"{"candidate": "one o"}"#, "one o");
        check_answer("\n{\"candidate\": [116]}\n\n", "t");
    }

    #[test]
    fn what_is_no_answer_is_refused() {
        for line in [
            "x",
            "{}",
            r#"{"edits": [[0]]}"#,
            r#"{"edits": [[0, 8]]}"#,
            r#"{"edits": [[2, 1]]}"#,
            r#"{"edits": [[-1, 1]]}"#,
            r#"{"edits": [[0, 3, "x"], [2, 5, "y"]]}"#,
            r#"{"candidate": [256]}"#,
        ] {
            assert!(read_answers(line.as_bytes(), b"one two").is_err(), "{line}");
        }
    }

    #[test]
    fn a_candidate_becomes_the_smallest_edit() {
        let patch = difference(b"abcabc", b"abc");
        assert_eq!(patch, Patch::cut(3, 6));
        assert!(difference(b"a", b"a").is_empty());
    }
}
