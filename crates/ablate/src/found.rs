//! What a run finds where its result goes, and what becomes of that: the original, which is kept; what an
//! earlier run has reached, which this one goes on from; or something else, which is kept, too.

use std::path::{Path, PathBuf};

use ablate_engine::oracle::Verdict;
use ablate_engine::order::compare_whole;
use ablate_exec::LocalProcesses;

use crate::failure::Failure;
use crate::kind::Kind;
use crate::save::{Saver, keep_original};
use crate::start::Input;

/// What is where the result goes.
pub enum Found {
    /// The original: it is reduced in place.
    Original,
    /// Nothing that could be missed.
    Nothing,
    /// What an earlier run has reached: it is simpler than the original, and interesting.
    Reached(Vec<u8>),
    /// Something else.
    Other(Vec<u8>),
}

/// Where what was found is kept.
#[derive(Default)]
pub struct Kept {
    /// The original, if it was that.
    pub original: Option<PathBuf>,
    /// Something else.
    pub other: Option<PathBuf>,
}

impl Found {
    /// What is where `saver` saves, if `input` was read from `file`; takes a test if it is simpler.
    ///
    /// # Errors
    /// When it can't be read, or the test can't be run.
    pub fn by(
        saver: &Saver,
        file: &Path,
        input: &Input,
        kind: &Kind,
        processes: &mut LocalProcesses,
    ) -> Result<Found, Failure> {
        if saver.is_for(file) {
            return Ok(Found::Original);
        }
        let there = saver.there()?.unwrap_or_default();
        if there.is_empty() || there == input.content {
            return Ok(Found::Nothing);
        }
        let is_simpler = compare_whole(kind.order(), &there, &input.content).is_lt();
        let is_reached =
            is_simpler && processes.run_once(&there)?.verdict() == Verdict::Interesting;
        Ok(if is_reached {
            Found::Reached(there)
        } else {
            Found::Other(there)
        })
    }

    /// What an earlier run has reached.
    pub fn reached(&self) -> Option<&[u8]> {
        match self {
            Found::Reached(content) => Some(content),
            Found::Original | Found::Nothing | Found::Other(_) => None,
        }
    }

    /// Keeps what could be missed. Then what the reduction begins with, the content of `input`, is where
    /// the result goes.
    ///
    /// # Errors
    /// When that can't be written, or must not.
    pub fn settle(&self, saver: &Saver, file: &Path, input: &Input) -> Result<Kept, Failure> {
        let mut kept = Kept::default();
        match self {
            Found::Original => kept.original = Some(keep_original(file, input)?),
            Found::Other(there) => kept.other = Some(saver.keep(there)?),
            Found::Nothing | Found::Reached(_) => {}
        }
        if matches!(self, Found::Nothing | Found::Other(_)) {
            saver.save(&input.content)?;
        }
        Ok(kept)
    }
}
