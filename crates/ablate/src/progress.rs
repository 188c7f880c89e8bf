//! Messages for people, on standard error: with a terminal a live line, otherwise a line now and
//! then.

use std::io::IsTerminal;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use ablate_engine::event::{Event, Mode};
use ablate_engine::oracle::{Stop, Verdict};
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

use crate::readers::Summary;
use crate::reduce::shown;

/// How often a line is printed where there is no terminal.
const QUIET_INTERVAL: Duration = Duration::from_secs(10);

/// What is told to people.
pub struct Progress {
    verbose: u8,
    output: PathBuf,
    initial_bytes: usize,
    bytes: usize,
    tests: u64,
    timed_out: u64,
    pass: &'static str,
    is_proving: bool,
    begun: Instant,
    last_line: Instant,
    line: ProgressBar,
}

impl Progress {
    /// Says what is being done.
    pub fn new(verbose: u8, output: &Path, initial_bytes: usize) -> Progress {
        let line = if std::io::stderr().is_terminal() {
            ProgressBar::with_draw_target(None, ProgressDrawTarget::stderr_with_hz(10))
        } else {
            ProgressBar::hidden()
        };
        if let Ok(style) = ProgressStyle::with_template("{spinner} {wide_msg}") {
            line.set_style(style);
        }
        let now = Instant::now();
        let progress = Progress {
            verbose,
            output: output.to_path_buf(),
            initial_bytes,
            bytes: initial_bytes,
            tests: 0,
            timed_out: 0,
            pass: "",
            is_proving: false,
            begun: now,
            last_line: now,
            line,
        };
        progress.say(&format!(
            "reducing {} ({})",
            shown(output),
            bytes(initial_bytes)
        ));
        progress
    }

    fn say(&self, line: &str) {
        self.line.suspend(|| eprintln!("{line}"));
    }

    fn state(&self) -> String {
        let seconds = self.begun.elapsed().as_secs_f64();
        let percent = 100.0 * self.bytes as f64 / self.initial_bytes.max(1) as f64;
        let timed_out = if self.timed_out > 0 {
            format!(", {} timed out", self.timed_out)
        } else {
            String::new()
        };
        let doing = if self.is_proving { "proving" } else { "in" };
        format!(
            "{} ({percent:.1} %), {} tests ({:.1}/s{timed_out}), {seconds:.0} s, {doing} {}",
            bytes(self.bytes),
            self.tests,
            self.tests as f64 / seconds.max(0.001),
            self.pass
        )
    }

    /// Takes an event in.
    pub fn tell(&mut self, event: &Event<'_, u8>) {
        match event {
            Event::PassStarted { pass, mode } => {
                self.pass = pass;
                self.is_proving = *mode == Mode::Proof;
            }
            Event::Tested {
                pass, len, verdict, ..
            } => {
                self.tests += 1;
                self.timed_out += u64::from(*verdict == Verdict::TimedOut);
                if self.verbose > 1 {
                    self.say(&format!("{pass}: {} {verdict:?}", bytes(*len)));
                }
            }
            Event::Reduced {
                pass,
                from_len,
                target,
            } => {
                self.bytes = target.len();
                if self.verbose > 0 {
                    self.say(&format!(
                        "{pass}: {} -> {} after {} tests",
                        bytes(*from_len),
                        bytes(self.bytes),
                        self.tests
                    ));
                }
            }
            Event::PassFinished { .. } | Event::Proved { .. } => {}
        }
        if !self.line.is_hidden() {
            self.line.set_message(self.state());
            self.line.tick();
        } else if self.last_line.elapsed() >= QUIET_INTERVAL {
            self.last_line = Instant::now();
            self.say(&self.state());
        }
    }

    /// Says how it ended.
    pub fn finish(&mut self, summary: &Summary<'_>, stop: Option<Stop>) {
        self.line.finish_and_clear();
        let (from, to) = (summary.initial_bytes, summary.result.len());
        let percent = 100.0 * to as f64 / from.max(1) as f64;
        self.say(&format!(
            "{} -> {} ({percent:.2} %) in {} tests and {:.1} s",
            bytes(from),
            bytes(to),
            summary.counts.tests,
            summary.wall.as_secs_f64(),
        ));
        let end = match (stop, summary.proof) {
            (None, Some(candidates)) => {
                format!("done: none of the {candidates} candidates left to try is interesting")
            }
            (Some(Stop::Interrupted), _) => {
                "interrupted: the result is valid, but may be reduced further".to_owned()
            }
            (Some(Stop::Budget), _) => {
                "budget used up: the result is valid, but may be reduced further".to_owned()
            }
            _ => "stopped: the result is valid, but may be reduced further".to_owned(),
        };
        self.say(&format!("{end}\nthe result is in {}", shown(&self.output)));
    }
}

fn bytes(count: usize) -> String {
    if count == 1 {
        "1 byte".to_owned()
    } else {
        format!("{count} bytes")
    }
}
