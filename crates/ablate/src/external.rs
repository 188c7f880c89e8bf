//! Passes from outside: a command that is given the test case and prints what to try. The messages
//! are described in `docs/external-passes.md`.
//!
//! Its answers are taken for a function of the test
//! case, so it is asked once for each; what it proposes is tested like any other candidate.

use std::cell::{Cell, RefCell};
use std::path::Path;
use std::rc::Rc;
use std::time::Duration;

use ablate_engine::chooser::{Chooser, DeadBranch};
use ablate_engine::identity::Identity;
use ablate_engine::pass::Pass;
use ablate_engine::patch::{Edit, Patch};
use ablate_engine::target::Target;
use serde::Deserialize;

use crate::failure::Failure;
use crate::program::Program;

/// The most that a command may propose for one test case.
const ANSWERS_MAX: usize = 10_000;

/// Complaints about external passes, for whoever prints them.
pub type Complaints = Rc<RefCell<Vec<String>>>;

/// What a command proposes instead of one test case.
type Answers = Rc<Vec<Patch<u8>>>;

/// A pass that a command of the user's is.
pub struct ExternalPass {
    name: &'static str,
    program: RefCell<Program>,
    /// What it answered last, and to what.
    answers: RefCell<Option<(Identity, Answers)>>,
    /// Whether it was given up.
    is_out: Cell<bool>,
    complaints: Complaints,
}

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

impl ExternalPass {
    /// A pass that `command` is: a program and its arguments, with blanks between them. It is not
    /// called yet.
    ///
    /// # Errors
    /// When there is no such program.
    pub fn new(
        command: &str,
        file: &Path,
        len: usize,
        timeout: Option<Duration>,
        complaints: &Complaints,
    ) -> Result<ExternalPass, Failure> {
        let program = Program::new(command, file, len, timeout)?;
        // There are as many of these names as there are flags on the command line.
        let name = Box::leak(format!("with {}", program.name()).into_boxed_str());
        Ok(ExternalPass {
            name,
            program: RefCell::new(program),
            answers: RefCell::new(None),
            is_out: Cell::new(false),
            complaints: Rc::clone(complaints),
        })
    }

    /// What is called.
    pub fn program(&mut self) -> &mut Program {
        self.program.get_mut()
    }

    /// What the command proposes instead of `target`; nothing once it has been given up.
    fn answers(&self, target: &Target<u8>) -> Answers {
        let identity = target.identity();
        if let Some((known, answers)) = &*self.answers.borrow()
            && *known == identity
        {
            return Rc::clone(answers);
        }
        let answers = if self.is_out.get() {
            Vec::new()
        } else {
            self.ask(target.elements()).unwrap_or_else(|complaint| {
                self.is_out.set(true);
                let name = self.name;
                self.complaints
                    .borrow_mut()
                    .extend(complaint.map(|complaint| {
                        format!("{name}: {complaint}; the reduction goes on without it")
                    }));
                Vec::new()
            })
        };
        let answers = Rc::new(answers);
        *self.answers.borrow_mut() = Some((identity, Rc::clone(&answers)));
        answers
    }

    /// Calls the command.
    ///
    /// # Errors
    /// When it has to be given up, and why; without a reason when everything is about to end.
    fn ask(&self, content: &[u8]) -> Result<Vec<Patch<u8>>, Option<String>> {
        let printed = self.program.borrow_mut().call(content)?;
        read_answers(&printed, content).map_err(Some)
    }
}

/// The patches that the lines of `printed` name.
///
/// # Errors
/// When a line is no answer to `content`.
fn read_answers(printed: &[u8], content: &[u8]) -> Result<Vec<Patch<u8>>, String> {
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

impl Pass<u8> for ExternalPass {
    fn name(&self) -> &'static str {
        self.name
    }

    fn step(
        &self,
        target: &Target<u8>,
        chooser: &mut Chooser<'_>,
    ) -> Result<Patch<u8>, DeadBranch> {
        let answers = self.answers(target);
        Ok(answers[chooser.prefer(answers.len())?].clone())
    }

    fn rank(&self) -> u8 {
        7
    }
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
