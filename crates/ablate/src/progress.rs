//! Messages for people, on standard error: with a terminal a live line, otherwise a line now and
//! then.

use std::collections::BTreeMap;
use std::fmt;
use std::io::{IsTerminal, Write};
use std::path::PathBuf;
use std::time::{Duration, Instant};

use ablate_engine::event::{Event, Mode};
use ablate_engine::oracle::{Stop, Verdict};
use ablate_passes::formats::folder::Entries;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressState, ProgressStyle};

use crate::kind::Taken;
use crate::readers::{Summary, Task, Turn, verdict_name};
use crate::reduce::shown;

/// How often the live line is drawn, for each second.
const FRAMES: u8 = 10;
/// How often a line is printed where there is no terminal, at first; in long runs it is a tenth of
/// the time since the start.
const QUIET_INTERVAL: Duration = Duration::from_secs(10);
/// How many passes the last message names.
const BEST: usize = 2;

/// What is told to people.
pub struct Progress {
    verbose: u8,
    output: PathBuf,
    initial_bytes: usize,
    /// The size at the start of what is being reduced: the file, or what is in it.
    all_bytes: usize,
    is_folder: bool,
    bytes: usize,
    tests: u64,
    timed_out: u64,
    pass: &'static str,
    mode: Mode,
    /// What each pass has removed.
    removed: BTreeMap<&'static str, usize>,
    began: Instant,
    last_line: Instant,
    line: ProgressBar,
}

impl Progress {
    /// Nothing is told yet but, on a terminal, that the test is being checked.
    pub fn new(verbose: u8) -> Progress {
        let is_plain = std::env::var_os("TERM").is_some_and(|term| term == "dumb");
        let line = if std::io::stderr().is_terminal() && !is_plain {
            ProgressBar::with_draw_target(None, ProgressDrawTarget::stderr_with_hz(FRAMES))
        } else {
            ProgressBar::hidden()
        };
        if let Ok(style) = ProgressStyle::with_template("{spinner} {time} {wide_msg}") {
            let style = style.tick_chars("|/-\\ ");
            line.set_style(style.with_key(
                "time",
                |state: &ProgressState, out: &mut dyn fmt::Write| {
                    // The next frame mends what could not be written to this one.
                    let _ = out.write_str(&clock(state.elapsed()));
                },
            ));
        }
        line.set_message("checking the test");
        if !line.is_hidden() {
            // Also while a test runs for long, people see that something goes on.
            line.enable_steady_tick(Duration::from_secs(1) / u32::from(FRAMES));
        }
        let now = Instant::now();
        Progress {
            verbose,
            output: PathBuf::new(),
            initial_bytes: 0,
            all_bytes: 0,
            is_folder: false,
            bytes: 0,
            tests: 0,
            timed_out: 0,
            pass: "",
            mode: Mode::Sweep,
            removed: BTreeMap::new(),
            began: now,
            last_line: now,
            line,
        }
    }

    /// Says what is being done.
    pub fn begin(&mut self, task: &Task<'_>) {
        task.output.clone_into(&mut self.output);
        self.initial_bytes = task.initial_bytes;
        self.all_bytes = task.initial_bytes;
        self.is_folder = task.is_folder;
        self.bytes = task.reached_bytes.unwrap_or(task.initial_bytes);
        self.began = Instant::now();
        self.last_line = self.began;
        self.line.reset_elapsed();
        let place = match &task.kept.original {
            Some(original) => format!("the original is kept as {}", shown(original)),
            None => format!("the result goes to {}", shown(task.output)),
        };
        self.say(&format!(
            "reducing {} ({}{}); {place}",
            shown(task.file),
            exact(task.initial_bytes),
            taken_for(task.taken)
        ));
        if task.taken == Taken::Bytes {
            self.say(
                "it is in no binary format that is known: runs of bytes are cut, and no lengths or \
                 checksums are set right",
            );
        }
        let output = shown(task.output);
        if let Some(kept) = &task.kept.other {
            let kept = shown(kept);
            self.say(&format!("what was in {output} is kept as {kept}"));
        }
        if let Some(bytes) = task.reached_bytes {
            self.say(&format!("going on from {output}, {}", exact(bytes)));
        }
        self.line.set_message(self.state());
    }

    /// Says what the sizes are of from now on.
    pub fn turn(&mut self, turn: &Turn) {
        let line = match *turn {
            Turn::Inside {
                bytes,
                files,
                language,
            } => {
                (self.bytes, self.all_bytes) = (bytes, bytes);
                let files = files.map_or(String::new(), |files| {
                    format!(", {}", counted(files as u64, "file"))
                });
                let language = language.map_or(String::new(), |name| format!(", as {name}"));
                format!("first what is in it ({}{files}{language})", exact(bytes))
            }
            Turn::Packed { bytes } => {
                (self.bytes, self.all_bytes) = (bytes, self.initial_bytes);
                format!("now the file itself ({})", exact(bytes))
            }
        };
        self.say(&line);
    }

    pub fn say(&self, line: &str) {
        // Nobody is told when nobody listens.
        self.line
            .suspend(|| drop(writeln!(std::io::stderr(), "{line}")));
    }

    fn state(&self) -> String {
        let seconds = self.began.elapsed().as_secs_f64();
        let rate = match self.tests as f64 / seconds.max(0.001) {
            rate if rate < 10.0 => format!("{rate:.1}"),
            rate => format!("{rate:.0}"),
        };
        let timed_out = match self.timed_out {
            0 => String::new(),
            count => format!(", {count} timed out"),
        };
        let doing = match self.mode {
            Mode::Proof => "proof: ",
            Mode::Chaos | Mode::Sweep => "",
        };
        format!(
            "{} ({:.1} %), {} ({rate}/s{timed_out}), {doing}{}",
            rounded(self.bytes),
            percent(self.bytes, self.all_bytes),
            counted(self.tests, "test"),
            self.pass
        )
    }

    /// Takes an event in.
    pub fn tell(&mut self, event: &Event<'_, u8>) {
        match event {
            Event::PassStarted { pass, mode } => {
                self.pass = pass;
                self.mode = *mode;
            }
            Event::Tested {
                pass, len, verdict, ..
            } => {
                self.tests += 1;
                self.timed_out += u64::from(*verdict == Verdict::TimedOut);
                if self.verbose > 1 {
                    self.say(&format!(
                        "{pass}: {}, {}",
                        exact(*len),
                        verdict_name(*verdict)
                    ));
                }
            }
            Event::Reduced {
                pass,
                from_len,
                target,
            } => {
                self.bytes = target.len();
                *self.removed.entry(pass).or_default() += from_len.saturating_sub(self.bytes);
                if self.verbose > 0 {
                    self.say(&format!(
                        "{pass}: {} -> {} after {}",
                        exact(*from_len),
                        exact(self.bytes),
                        counted(self.tests, "test")
                    ));
                }
            }
            Event::PassFinished { .. } | Event::Proved { .. } => {}
        }
        if !self.line.is_hidden() {
            self.line.set_message(self.state());
        } else if self.last_line.elapsed() >= QUIET_INTERVAL.max(self.began.elapsed() / 10) {
            self.last_line = Instant::now();
            let time = clock(self.began.elapsed());
            self.say(&format!("{time} {}", self.state()));
        }
    }

    /// Says how it ended.
    pub fn finish(&mut self, summary: &Summary<'_>) {
        self.line.finish_and_clear();
        let (from, to) = (summary.initial_bytes, summary.result.len());
        self.say(&format!(
            "{} -> {} ({:.1} %) in {} and {:.1} s",
            exact(from),
            exact(to),
            percent(to, from),
            counted(summary.counts.tests, "test"),
            summary.wall.as_secs_f64(),
        ));
        if let Some(best) = self.best() {
            self.say(&best);
        }
        let more = "the result is valid, but may be reduced further";
        self.say(&match (summary.stop, summary.proof) {
            (None, candidates) => format!(
                "done: none of the {} candidates left to try is interesting",
                candidates.unwrap_or_default()
            ),
            (Some(Stop::Interrupted), _) => format!("interrupted: {more}"),
            (Some(Stop::Budget), _) => format!("budget used up: {more}"),
            (Some(Stop::Failed), _) => format!("stopped: {more}"),
        });
        let files = if self.is_folder {
            let files = Entries::new(summary.result).all().len();
            format!(", {}", counted(files as u64, "file"))
        } else {
            String::new()
        };
        self.say(&format!("the result is in {}{files}", shown(&self.output)));
    }

    /// Which passes did most of it.
    fn best(&self) -> Option<String> {
        let mut removed: Vec<_> = self
            .removed
            .iter()
            .filter(|(_, bytes)| **bytes > 0)
            .collect();
        removed.sort_by_cached_key(|(name, bytes)| (std::cmp::Reverse(**bytes), **name));
        if removed.is_empty() {
            return None;
        }
        let all: usize = removed.iter().map(|(_, bytes)| **bytes).sum();
        let others = removed.split_off(removed.len().min(BEST)).len();
        let mut parts: Vec<String> = removed
            .iter()
            .map(|(name, bytes)| format!("{name} ({:.0} %)", 100.0 * **bytes as f64 / all as f64))
            .collect();
        match others {
            0 => {}
            1 => parts.push("1 other".to_owned()),
            _ => parts.push(format!("{others} others")),
        }
        Some(format!("removed by {}", parts.join(", ")))
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        // Also where it ends with an error, no half line stays behind.
        self.line.finish_and_clear();
    }
}

fn percent(bytes: usize, of: usize) -> f64 {
    100.0 * bytes as f64 / of.max(1) as f64
}

fn counted(count: u64, what: &str) -> String {
    match count {
        1 => format!("1 {what}"),
        _ => format!("{count} {what}s"),
    }
}

fn exact(bytes: usize) -> String {
    counted(bytes as u64, "byte")
}

/// For a line that changes all the time: what is seen of a large size.
fn rounded(bytes: usize) -> String {
    match bytes {
        0..1_000_000 => exact(bytes),
        1_000_000..1_000_000_000 => format!("{:.2} MB", bytes as f64 / 1e6),
        _ => format!("{:.2} GB", bytes as f64 / 1e9),
    }
}

/// Minutes and seconds, or hours too.
fn clock(time: Duration) -> String {
    let seconds = time.as_secs();
    let (hours, minutes) = (seconds / 3600, seconds / 60 % 60);
    match hours {
        0 => format!("{minutes}:{:02}", seconds % 60),
        _ => format!("{hours}:{minutes:02}:{:02}", seconds % 60),
    }
}

/// What is said of a file besides its size.
fn taken_for(taken: Taken) -> String {
    match taken {
        Taken::Language(name) => format!(", as {name}"),
        Taken::Plain => String::new(),
        // These are no formats, but what many have.
        Taken::Format(parts @ ("directories" | "chains" | "lengths")) => {
            format!(", as binary data with {parts}")
        }
        Taken::Format(name) => format!(", as {name}"),
        Taken::Bytes => ", as bytes".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_file_is_taken_for_is_said() {
        assert_eq!(taken_for(Taken::Plain), "");
        assert_eq!(taken_for(Taken::Bytes), ", as bytes");
        assert_eq!(taken_for(Taken::Format("png")), ", as png");
        let guessed = taken_for(Taken::Format("lengths"));
        assert_eq!(guessed, ", as binary data with lengths");
    }

    #[test]
    fn times_and_sizes_are_short() {
        assert_eq!(clock(Duration::from_secs(59)), "0:59");
        assert_eq!(clock(Duration::from_secs(3_725)), "1:02:05");
        assert_eq!(rounded(1), "1 byte");
        assert_eq!(rounded(999_999), "999999 bytes");
        assert_eq!(rounded(104_857_600), "104.86 MB");
    }
}
