//! What a run finds where its result goes, if that is not what it reduces: what an earlier run has
//! reached, or something else. It only looks; `save` writes.

use ablate_engine::oracle::Verdict;
use ablate_engine::order::compare_whole;
use ablate_exec::LocalProcesses;

use crate::failure::Failure;
use crate::kind::Kind;
use crate::save::Saver;

/// What is where the result goes.
pub enum Found {
    /// Nothing that could be missed.
    Nothing,
    /// What an earlier run has reached: it is simpler than the original, and interesting.
    Reached(Vec<u8>),
    /// Something else.
    Other(Vec<u8>),
}

impl Found {
    /// What is where `saver` saves; takes a test if it is simpler than the original.
    ///
    /// # Errors
    /// When it can't be read, or the test can't be run.
    pub fn by(
        saver: &Saver,
        original: &[u8],
        kind: &Kind,
        processes: &mut LocalProcesses,
    ) -> Result<Found, Failure> {
        let there = saver.there()?.unwrap_or_default();
        if there.is_empty() || there == original {
            return Ok(Found::Nothing);
        }
        let is_simpler = compare_whole(kind.order(), &there, original).is_lt();
        let is_reached =
            is_simpler && processes.run_once(&there)?.verdict() == Verdict::Interesting;
        Ok(if is_reached {
            Found::Reached(there)
        } else {
            Found::Other(there)
        })
    }
}
