//! Messages for programs: one JSON object a line on standard output, described in
//! `docs/messages.md`.

use std::io::Write;
use std::path::Path;
use std::time::Instant;

use ablate_engine::event::{Event, Mode};
use ablate_engine::oracle::{Stop, Verdict};
use serde_json::{Value, json};

use crate::failure::Failure;
use crate::readers::Summary;

/// Writes messages.
pub struct Writer {
    has_tests: bool,
    begun: Instant,
    tests: u64,
    /// The first problem with writing, told at the end.
    problem: Option<Failure>,
}

impl Writer {
    /// Writes the first message.
    pub fn new(verbose: u8, file: &Path, output: &Path, initial_bytes: usize) -> Writer {
        let mut writer = Writer {
            has_tests: verbose > 0,
            begun: Instant::now(),
            tests: 0,
            problem: None,
        };
        writer.write(&json!({
            "event": "started",
            "file": file.to_string_lossy(),
            "output": output.to_string_lossy(),
            "initial_bytes": initial_bytes,
        }));
        writer
    }

    fn write(&mut self, message: &Value) {
        let mut out = std::io::stdout().lock();
        if let Err(error) = writeln!(out, "{message}").and_then(|()| out.flush()) {
            self.problem.get_or_insert(error.into());
        }
    }

    /// Writes the message for an event.
    pub fn tell(&mut self, event: &Event<'_, u8>) {
        let seconds = self.begun.elapsed().as_secs_f64();
        let message = match event {
            Event::PassStarted { pass, mode } => json!({
                "event": "pass_started", "pass": pass, "mode": mode_name(*mode),
            }),
            Event::Tested {
                pass,
                identity,
                len,
                verdict,
            } => {
                self.tests += 1;
                if !self.has_tests {
                    return;
                }
                json!({
                    "event": "tested", "pass": pass, "candidate": format!("{:032x}", identity.0), "bytes": len,
                    "verdict": verdict_name(*verdict), "seconds": seconds,
                })
            }
            Event::Reduced {
                pass,
                from_len,
                target,
            } => json!({
                "event": "reduced", "pass": pass, "from_bytes": from_len, "bytes": target.len(),
                "tests": self.tests, "seconds": seconds,
            }),
            Event::PassFinished {
                pass,
                tests,
                removed,
                is_exhausted,
            } => json!({
                "event": "pass_finished", "pass": pass, "tests": tests, "removed_bytes": removed,
                "exhausted": is_exhausted,
            }),
            Event::Proved { candidates } => json!({ "event": "proved", "candidates": candidates }),
        };
        self.write(&message);
    }

    /// Writes the last message.
    ///
    /// # Errors
    /// When this or an earlier message could not be written.
    pub fn finish(&mut self, summary: &Summary<'_>, stop: Option<Stop>) -> Result<(), Failure> {
        let reason = match stop {
            None => "fixed point",
            Some(Stop::Budget) => "budget",
            Some(Stop::Interrupted) => "interrupted",
            Some(Stop::Failed) => "failed",
        };
        self.write(&json!({
            "event": "finished",
            "reason": reason,
            "initial_bytes": summary.initial_bytes,
            "final_bytes": summary.result.len(),
            "tests_logical": summary.counts.tests,
            "tests_run": summary.statistics.started,
            "tests_cancelled": summary.cancelled,
            "tests_cached": summary.counts.cached,
            "tests_timed_out": summary.statistics.timed_out,
            "tests_after_last_success": summary.counts.tests - summary.counts.last_success,
            "accepted": summary.counts.accepted,
            "wall_s": summary.wall.as_secs_f64(),
            "test_time_s": summary.statistics.test_time.as_secs_f64(),
            "complete": summary.proof.is_some(),
            "proof_candidates": summary.proof,
            "result_hash": summary.result_hash(),
            "trace_hash": format!("{:016x}", summary.counts.trace),
        }));
        self.problem.take().map_or(Ok(()), Err)
    }
}

fn mode_name(mode: Mode) -> &'static str {
    match mode {
        Mode::Chaos => "chaos",
        Mode::Sweep => "sweep",
        Mode::Proof => "proof",
    }
}

fn verdict_name(verdict: Verdict) -> &'static str {
    match verdict {
        Verdict::Interesting => "interesting",
        Verdict::NotInteresting => "not interesting",
        Verdict::TimedOut => "timed out",
    }
}
