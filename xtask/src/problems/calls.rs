//! What the calls of a test say about the reduction that made them.

use std::collections::HashSet;
use std::hash::{DefaultHasher, Hash, Hasher};

/// One call of a test.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Call {
    /// Bytes in the candidate.
    pub bytes: u64,
    /// Names the candidate's content.
    pub content: u64,
    /// What the test said.
    pub is_interesting: bool,
}

impl Call {
    /// A call with `candidate` that was judged.
    pub fn new(candidate: &[u8], is_interesting: bool) -> Call {
        let mut hasher = DefaultHasher::new();
        candidate.hash(&mut hasher);
        Call {
            bytes: candidate.len() as u64,
            content: hasher.finish(),
            is_interesting,
        }
    }
}

/// The calls of one reduction, in order.
#[derive(Clone, Debug, Default)]
pub struct Calls(pub Vec<Call>);

/// What matters about the calls of one reduction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Summary {
    /// All calls.
    pub calls: u64,
    /// Calls to 90 % of what was removed.
    pub calls_to_90: u64,
    /// Calls to 99 % of what was removed.
    pub calls_to_99: u64,
    /// Calls after the last success.
    pub tail: u64,
}

impl Calls {
    /// The summary of a reduction that went from `initial` to `last` bytes.
    ///
    /// A success is a call with an interesting content that was not seen before and is no larger
    /// than the smallest so far. From outside one can't know which of those a reducer took.
    pub fn summary(&self, initial: u64, last: u64) -> Summary {
        let gain = initial.saturating_sub(last) as f64;
        let goal = |part: f64| initial as f64 - part * gain;
        let mut seen = HashSet::new();
        let mut smallest = initial;
        let (mut to_90, mut to_99, mut last_success) = (None, None, 0);
        for (index, call) in self.0.iter().enumerate() {
            let number = index as u64 + 1;
            let is_new = seen.insert(call.content);
            // The first call asks about the original.
            if !call.is_interesting || !is_new || call.bytes > smallest || index == 0 {
                continue;
            }
            smallest = call.bytes;
            last_success = number;
            if smallest as f64 <= goal(0.9) {
                to_90.get_or_insert(number);
            }
            if smallest as f64 <= goal(0.99) {
                to_99.get_or_insert(number);
            }
        }
        let calls = self.0.len() as u64;
        Summary {
            calls,
            calls_to_90: to_90.unwrap_or(calls),
            calls_to_99: to_99.unwrap_or(calls),
            tail: calls - last_success,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_tail_begins_after_the_last_new_interesting_content() {
        let content = |bytes: usize, fill: u8| vec![fill; bytes];
        let calls = Calls(vec![
            Call::new(&content(100, 0), true),
            Call::new(&content(50, 0), false),
            Call::new(&content(20, 0), true),
            Call::new(&content(10, 0), true),
            Call::new(&content(10, 1), true),
            Call::new(&content(10, 1), true),
            Call::new(&content(30, 0), true),
            Call::new(&content(5, 0), false),
        ]);
        let summary = calls.summary(100, 10);
        assert_eq!(summary.calls, 8);
        assert_eq!(summary.calls_to_90, 4);
        assert_eq!(summary.calls_to_99, 4);
        assert_eq!(summary.tail, 3);
    }
}
