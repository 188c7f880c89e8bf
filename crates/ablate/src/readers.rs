//! The readers of the engine's events: what is printed, and how.

use std::path::Path;
use std::time::Duration;

use ablate_engine::event::Event;
use ablate_engine::oracle::Stop;
use ablate_engine::reducer::Counts;
use ablate_exec::Statistics;
use sha2::{Digest, Sha256};

use crate::args::{MessageFormat, Options};
use crate::failure::Failure;
use crate::json;
use crate::progress::Progress;

/// How a reduction ended, in numbers.
pub struct Summary<'a> {
    /// The size at the start.
    pub initial_bytes: usize,
    /// The reduced test case.
    pub result: &'a [u8],
    /// What the engine counted.
    pub counts: Counts,
    /// How many candidates the proof covers; `None` when the end is no proved fixed point.
    pub proof: Option<u64>,
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
    pub fn new(options: &Options, file: &Path, output: &Path, initial_bytes: usize) -> Readers {
        match options.message_format {
            MessageFormat::Json => Readers::Programs(json::Writer::new(
                options.verbose,
                file,
                output,
                initial_bytes,
            )),
            MessageFormat::Human if options.quiet => Readers::Nobody,
            MessageFormat::Human => Readers::People(Box::new(Progress::new(
                options.verbose,
                output,
                initial_bytes,
            ))),
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

    /// Tells them of the end.
    ///
    /// # Errors
    /// When it can't be printed.
    pub fn finish(&mut self, summary: &Summary<'_>, stop: Option<Stop>) -> Result<(), Failure> {
        match self {
            Readers::Nobody => Ok(()),
            Readers::People(progress) => {
                progress.finish(summary, stop);
                Ok(())
            }
            Readers::Programs(writer) => writer.finish(summary, stop),
        }
    }
}
