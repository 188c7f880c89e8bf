//! The last line that `ablate --message-format json` prints.

use std::fs;
use std::path::Path;

use serde::Deserialize;

/// What Ablate says of a whole reduction.
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
#[serde(default)]
pub struct Finished {
    /// Tests that the engine asked for, in its order.
    pub tests_logical: u64,
    /// Tests that were started.
    pub tests_run: u64,
    /// Answers that came from a cache.
    pub tests_cached: u64,
    /// Candidates that became the target.
    pub accepted: u64,
    /// Bytes at the end.
    pub final_bytes: u64,
    /// Seconds spent in tests.
    pub test_time_s: f64,
    /// Whether it is proved that nothing more can be done.
    pub complete: bool,
    /// Names the content at the end.
    pub result_hash: Hash,
    /// Names the sequence of logical tests and their verdicts.
    pub trace_hash: Hash,
}

/// A hash in whatever form it was printed.
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
#[serde(transparent)]
pub struct Hash(serde_json::Value);

impl std::fmt::Display for Hash {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match &self.0 {
            serde_json::Value::String(text) => f.write_str(text),
            serde_json::Value::Null => f.write_str("-"),
            other => other.fmt(f),
        }
    }
}

impl Finished {
    /// Whether both hashes were told.
    pub fn has_hashes(&self) -> bool {
        !self.result_hash.0.is_null() && !self.trace_hash.0.is_null()
    }
}

/// The last `finished` event in a file of events; `None` when there is none.
pub fn read(events: &Path) -> Option<Finished> {
    from_text(&String::from_utf8_lossy(&fs::read(events).ok()?))
}

fn from_text(text: &str) -> Option<Finished> {
    let value = text.lines().rev().find_map(|line| {
        let value: serde_json::Value = serde_json::from_str(line).ok()?;
        (value.get("event")? == "finished").then_some(value)
    })?;
    serde_json::from_value(value).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_finished_event_is_read() {
        let text = "{\"event\":\"started\"}\n\
                    {\"event\":\"finished\",\"tests_run\":7,\"complete\":true,\"result_hash\":\"ab\",\
                    \"later\":1}\nnot JSON\n";
        let finished = from_text(text).expect("there is one");
        assert_eq!(finished.tests_run, 7);
        assert!(finished.complete);
        assert_eq!(finished.result_hash.to_string(), "ab");
        assert_eq!(finished.trace_hash.to_string(), "-");
        assert_eq!(from_text("{\"event\":\"started\"}"), None);
    }
}
