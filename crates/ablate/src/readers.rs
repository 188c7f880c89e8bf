//! The readers of the engine's events: what is printed, and how.

use std::io::Write;
use std::path::Path;
use std::time::Duration;

use ablate_engine::event::Event;
use ablate_engine::oracle::{Stop, Verdict};
use ablate_engine::reducer::Counts;
use ablate_exec::Statistics;
use sha2::{Digest, Sha256};

use crate::args::{MessageFormat, Options};
use crate::failure::Failure;
use crate::found::Kept;
use crate::json;
use crate::kind::Taken;
use crate::progress::Progress;
use crate::recheck::Recheck;

/// What is about to be reduced.
pub struct Task<'a> {
    /// The file that holds the test case.
    pub file: &'a Path,
    /// The file that gets the result; often the same.
    pub output: &'a Path,
    /// Where that is kept which was where the result goes.
    pub kept: Kept,
    /// The size at the start.
    pub initial_bytes: usize,
    /// The size that an earlier run has reached, if this one goes on from there.
    pub reached_bytes: Option<usize>,
    /// Whether it is a folder.
    pub is_folder: bool,
    /// What it is taken for.
    pub taken: Taken,
}

/// What a run turns to: what is in the archive, then the archive as bytes.
pub enum Turn {
    /// To what is in it.
    Inside {
        /// The size of it.
        bytes: usize,
        /// How many files there are, unless it is a single one that has no name in it.
        files: Option<usize>,
        /// The language that it is taken for, or most of its files, if any.
        language: Option<&'static str>,
    },
    /// To the bytes of the archive.
    Packed {
        /// How many they are.
        bytes: usize,
    },
}

/// How a reduction ended, in numbers.
pub struct Summary<'a> {
    /// The size at the start.
    pub initial_bytes: usize,
    /// The size of the reduced test case, before it was formatted.
    pub reduced_bytes: usize,
    /// What is in the file at the end.
    pub result: &'a [u8],
    /// Why it ended early.
    pub stop: Option<Stop>,
    /// What the engine counted.
    pub counts: Counts,
    /// How many candidates the proof covers; `None` when the end is no proved fixed point.
    pub proof: Option<u64>,
    /// What came of running the test again on the result.
    pub recheck: Recheck,
    /// What the executor counted.
    pub statistics: Statistics,
    /// Tests that were ended because nobody wanted to know any more.
    pub cancelled: u64,
    /// How long everything took.
    pub wall: Duration,
}

impl Summary<'_> {
    /// The SHA-256 of the result.
    pub fn result_hash(&self) -> String {
        Sha256::digest(self.result)
            .iter()
            .map(|byte| format!("{byte:02x}"))
            .collect()
    }
}

/// Whoever reads the events of this run.
pub enum Readers {
    /// Nobody.
    Nobody,
    /// People.
    People(Box<Progress>),
    /// Programs.
    Programs(json::Writer),
}

impl Readers {
    /// The readers that the options ask for.
    pub fn new(options: &Options) -> Readers {
        match options.message_format {
            MessageFormat::Json => Readers::Programs(json::Writer::new(options)),
            MessageFormat::Human if options.quiet => Readers::Nobody,
            MessageFormat::Human => Readers::People(Box::new(Progress::new(options.verbose))),
        }
    }

    /// Tells them that the reduction begins.
    pub fn begin(&mut self, task: &Task<'_>) {
        match self {
            Readers::Nobody => {}
            Readers::People(progress) => progress.begin(task),
            Readers::Programs(writer) => writer.begin(task),
        }
    }

    /// Tells them what the sizes are of from now on.
    pub fn turn(&mut self, turn: &Turn) {
        match self {
            Readers::Nobody => {}
            Readers::People(progress) => progress.turn(turn),
            Readers::Programs(writer) => writer.turn(turn),
        }
    }

    /// Tells them of an event.
    pub fn tell(&mut self, event: &Event<'_, u8>) {
        match self {
            Readers::Nobody => {}
            Readers::People(progress) => progress.tell(event),
            Readers::Programs(writer) => writer.tell(event),
        }
    }

    /// Tells people of something that they should look at; programs see it on standard error.
    pub fn warn(&self, warning: &str) {
        let warning = format!("ablate: warning: {warning}");
        match self {
            Readers::People(progress) => progress.say(&warning),
            // Nothing can be done if nobody listens.
            _ => drop(writeln!(std::io::stderr(), "{warning}")),
        }
    }

    /// Tells them of the end.
    ///
    /// # Errors
    /// When it can't be printed.
    pub fn finish(&mut self, summary: &Summary<'_>) -> Result<(), Failure> {
        match self {
            Readers::Nobody => Ok(()),
            Readers::People(progress) => {
                progress.finish(summary);
                Ok(())
            }
            Readers::Programs(writer) => writer.finish(summary),
        }
    }
}

/// A verdict in words.
pub fn verdict_name(verdict: Verdict) -> &'static str {
    match verdict {
        Verdict::Interesting => "interesting",
        Verdict::NotInteresting => "not interesting",
        Verdict::TimedOut => "timed out",
    }
}
