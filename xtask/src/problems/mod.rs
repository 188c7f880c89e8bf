//! Synthetic problems: a test case and a test that is a pure function of the bytes, so that the
//! number of tests is all that counts. They are of the kinds that Shrink Ray's own evaluation uses,
//! with its published figures beside.

mod calls;
mod coupled;
pub mod judge;
mod markers;
mod python;

use anyhow::Result;

pub use calls::{Call, Calls};
pub use python::interpreter;

/// A test case, its test, and what is known about it.
pub struct Problem {
    /// Its name.
    pub name: &'static str,
    /// The base name of its file.
    pub file_name: &'static str,
    /// Makes the test case.
    pub initial: fn() -> Vec<u8>,
    /// Decides what is interesting.
    pub test: Test,
    /// What Shrink Ray's evaluation published.
    pub published: Published,
    /// The size of the smallest interesting content, as far as is known.
    pub optimum: u64,
}

/// What decides about a candidate.
#[derive(Clone, Copy)]
pub enum Test {
    /// A function.
    Pure(fn(&[u8]) -> bool),
    /// A function of this name in `oracle.py`.
    Python(&'static str),
}

/// Sizes in bytes, and calls of the test, with one worker.
#[derive(Clone, Copy)]
pub struct Published {
    /// Bytes at the start.
    pub initial_bytes: u64,
    /// Bytes at the end.
    pub final_bytes: u64,
    /// All calls.
    pub calls: u64,
    /// Calls to 90 % of what was removed.
    pub calls_to_90: u64,
    /// Calls to 99 % of what was removed.
    pub calls_to_99: u64,
    /// Calls after the last success.
    pub tail: u64,
}

/// Judges candidates in this process.
pub type Oracle = Box<dyn FnMut(&[u8]) -> bool>;

impl Test {
    /// The test as a function; a Python one gets an interpreter that stays.
    pub fn oracle(self) -> Result<Oracle> {
        Ok(match self {
            Test::Pure(test) => Box::new(test),
            Test::Python(function) => {
                let mut resident = python::Resident::start(function)?;
                Box::new(move |candidate| resident.is_interesting(candidate))
            }
        })
    }
}

/// All problems, in the order of the published table.
pub fn all() -> Vec<Problem> {
    vec![
        python::deep_parens(),
        markers::keep_markers(),
        markers::already_minimal(),
        python::python_syntax(),
        coupled::coupled_count_json(),
        coupled::coupled_total_text(),
        python::coupled_arity_python(),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_start_is_interesting_and_of_the_published_size() {
        for problem in all() {
            let mut oracle = problem.test.oracle().expect("its test can be run");
            let initial = (problem.initial)();
            assert!(oracle(&initial), "{}", problem.name);
            assert!(!oracle(b""), "{}", problem.name);
            let size = initial.len() as u64;
            assert_eq!(size, problem.published.initial_bytes, "{}", problem.name);
        }
    }

    #[test]
    fn every_optimum_is_interesting() {
        for problem in all() {
            let smallest: &[u8] = match problem.name {
                "deep_parens" => &[[b'('; 400], [b']'; 400]].concat(),
                "keep_markers" => b"RARE_MARKER_ALPHARARE_MARKER_BETARARE_MARKER_GAMMA",
                "already_minimal" => b"RARE_MARKER_ALPHARARE_MARKER_BETA",
                "python_syntax" => b"SENTINEL_KEEP",
                "coupled_count_json" => br#"{"event_count":1,"events":[{"type":"crash"}]}"#,
                "coupled_total_text" => b"ENTRY job-corrupted 0\nTOTAL 0",
                "coupled_arity_python" => b"def f():MAGIC_SENTINEL\nf()",
                other => panic!("no smallest content of {other}"),
            };
            let mut oracle = problem.test.oracle().expect("its test can be run");
            assert!(oracle(smallest), "{}", problem.name);
            assert_eq!(smallest.len() as u64, problem.optimum, "{}", problem.name);
        }
    }
}
