//! Messages for programs: one JSON object a line on standard output, described in
//! `docs/messages.md`.

use std::io::Write;
use std::time::Instant;

use ablate_engine::event::{Event, Mode};
use ablate_engine::oracle::Stop;
use serde_json::{Value, json};

use crate::args::Options;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::kind::Taken;
use crate::readers::{Summary, Task, Turn, verdict_name};

/// Writes messages.
pub struct Writer {
    has_tests: bool,
    is_quiet: bool,
    began: Instant,
    tests: u64,
    /// The first problem with writing, told at the end.
    problem: Option<Failure>,
}

impl Writer {
    /// Writes all messages but those on single tests, which `--verbose` adds; with `--quiet`, the
    /// last one only.
    pub fn new(options: &Options) -> Writer {
        Writer {
            has_tests: options.verbose > 0,
            is_quiet: options.quiet,
            began: Instant::now(),
            tests: 0,
            problem: None,
        }
    }

    /// Writes the first message.
    pub fn begin(&mut self, task: &Task<'_>) {
        self.write(&json!({
            "event": "started",
            "file": task.file.to_string_lossy(),
            "output": task.output.to_string_lossy(),
            "original": task.kept.original.as_ref().map(|path| path.to_string_lossy()),
            "kept": task.kept.other.as_ref().map(|path| path.to_string_lossy()),
            "initial_bytes": task.initial_bytes,
            "reached_bytes": task.reached_bytes,
            "language": match task.taken {
                Taken::Language(language) => Some(language),
                _ => None,
            },
            "format": match task.taken {
                Taken::Format(format) => Some(format),
                _ => None,
            },
        }));
    }

    /// Writes the message for what the sizes are of from now on.
    pub fn turn(&mut self, turn: &Turn) {
        let wall_s = self.began.elapsed().as_secs_f64();
        self.write(&match turn {
            Turn::Inside {
                bytes,
                files,
                language,
            } => json!({
                "event": "unpacked", "bytes": bytes, "files": files, "language": language, "wall_s": wall_s,
            }),
            Turn::Packed { bytes } => json!({ "event": "packed", "bytes": bytes, "wall_s": wall_s }),
        });
    }

    fn write(&mut self, message: &Value) {
        if self.is_quiet || self.problem.is_some() {
            return;
        }
        if let Err(failure) = print(message) {
            self.problem = Some(failure);
        }
    }

    /// Writes the message for an event.
    pub fn tell(&mut self, event: &Event<'_, u8>) {
        let wall_s = self.began.elapsed().as_secs_f64();
        let message = match event {
            Event::PassStarted { pass, mode } => json!({
                "event": "pass_started", "pass": pass, "mode": mode_name(*mode), "wall_s": wall_s,
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
                    "event": "tested", "pass": pass, "candidate": format!("{:032x}", identity.0),
                    "bytes": len, "verdict": verdict_name(*verdict), "wall_s": wall_s,
                })
            }
            Event::Reduced {
                pass,
                from_len,
                target,
            } => json!({
                "event": "reduced", "pass": pass, "from_bytes": from_len, "bytes": target.len(),
                "tests": self.tests, "wall_s": wall_s,
            }),
            Event::PassFinished {
                pass,
                tests,
                removed,
                is_exhausted,
            } => json!({
                "event": "pass_finished", "pass": pass, "tests": tests, "removed_bytes": removed,
                "exhausted": is_exhausted, "wall_s": wall_s,
            }),
            Event::Proved { candidates } => json!({
                "event": "proved", "candidates": candidates, "wall_s": wall_s,
            }),
        };
        self.write(&message);
    }

    /// Writes the last message.
    ///
    /// # Errors
    /// When this or an earlier message could not be written.
    pub fn finish(&mut self, summary: &Summary<'_>) -> Result<(), Failure> {
        let reason = match summary.stop {
            None => "fixed point",
            Some(Stop::Budget) => "budget",
            Some(Stop::Interrupted) => "interrupted",
            Some(Stop::Failed) => "failed",
        };
        self.is_quiet = false;
        self.write(&json!({
            "event": "finished",
            "reason": reason,
            "initial_bytes": summary.initial_bytes,
            "reduced_bytes": summary.reduced_bytes,
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
            "rechecks": summary.recheck.runs,
            "rechecks_failed": summary.recheck.failed,
            "result_hash": summary.result_hash(),
            "trace_hash": format!("{:016x}", summary.counts.trace),
        }));
        self.problem.take().map_or(Ok(()), Err)
    }
}

/// Writes the message for a run that could not begin, or could not go on.
pub fn tell_failure(exit: Exit, message: &str) {
    // It is told on standard error, too.
    let _ = print(&json!({
        "event": "failed",
        "exit_status": exit as u8,
        "message": message,
    }));
}

fn print(message: &Value) -> Result<(), Failure> {
    let mut out = std::io::stdout().lock();
    writeln!(out, "{message}")?;
    out.flush()?;
    Ok(())
}

fn mode_name(mode: Mode) -> &'static str {
    match mode {
        Mode::Chaos => "chaos",
        Mode::Sweep => "sweep",
        Mode::Proof => "proof",
    }
}
