//! What happens in a reduction, as a stream of typed events. Screens, logs, files and reports are
//! readers of it; the engine depends on none of them.

use crate::identity::Identity;
use crate::oracle::Verdict;
use crate::target::Target;

/// How the steps of a pass are being taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mode {
    /// At random, many against one base.
    Chaos,
    /// From the end to the start, leaving out what was refuted lately in the same surroundings.
    Sweep,
    /// From the end to the start, leaving out nothing.
    Proof,
}

/// One thing that happened.
#[derive(Debug)]
pub enum Event<'a, E> {
    /// A pass has its turn.
    PassStarted {
        /// The pass's name.
        pass: &'static str,
        /// How its steps will be taken.
        mode: Mode,
    },
    /// A candidate was judged.
    Tested {
        /// The pass that proposed it.
        pass: &'static str,
        /// Its content's identity.
        identity: Identity,
        /// Its number of elements.
        len: usize,
        /// What the test said.
        verdict: Verdict,
    },
    /// The target was replaced by a simpler one.
    Reduced {
        /// The pass that did it.
        pass: &'static str,
        /// The number of elements before.
        from_len: usize,
        /// The new target.
        target: &'a Target<E>,
    },
    /// A pass's turn is over.
    PassFinished {
        /// The pass's name.
        pass: &'static str,
        /// How many tests it took.
        tests: u64,
        /// By how many elements the target is shorter.
        removed: usize,
        /// Whether the pass has nothing more to try on this target.
        is_exhausted: bool,
    },
    /// Every pass is exhausted, nothing left out: the target is a fixed point.
    Proved {
        /// How many different candidates were judged against this target.
        candidates: u64,
    },
}
