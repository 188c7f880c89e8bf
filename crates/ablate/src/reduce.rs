//! A reduction from the arguments to the exit status.

use std::io;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Instant;

use ablate_engine::drive::Drive;
use ablate_engine::event::Event;
use ablate_engine::oracle::{Stop, Verdict};
use ablate_engine::order::{ElementOrder, Natural, Text};
use ablate_engine::pass::Pass;
use ablate_engine::reducer::{Settings, reduce};
use ablate_engine::target::Target;
use ablate_exec::{Interrupt, LocalProcesses};
use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};

use crate::args::{Arguments, Options, Tool};
use crate::clang_delta::ClangDelta;
use crate::exit::Exit;
use crate::external::{Complaints, ExternalPass};
use crate::failure::Failure;
use crate::passes::{self, Kind};
use crate::program::Program;
use crate::readers::{Readers, Summary, Task};
use crate::save::{Saver, keep_original};
use crate::start;

/// What asks for an end: Ctrl-C, `kill`, a terminal that is closed.
const SIGNALS: [i32; 3] = [SIGINT, SIGTERM, SIGHUP];

/// Reduces what the arguments name.
///
/// # Errors
/// When it can't begin, or can't go on; what was reached until then is kept.
pub fn run(arguments: &Arguments) -> Result<Exit, Failure> {
    let (Some(test), Some(file)) = (&arguments.test, &arguments.file) else {
        return Ok(Exit::Usage);
    };
    let began = Instant::now();
    let options = &arguments.options;
    let content = start::read(file)?;
    let kind = kind(options, file, &content)?;
    let mut passes = passes::selected(&options.passes, kind)?;
    let saver = Saver::new(arguments.output.as_deref().unwrap_or(file))?;
    let is_in_place = saver.is_for(file);
    let mut processes = start::processes(test, file, content.len(), options)?;
    catch_signals(&processes.interrupt()).map_err(Failure::Signals)?;
    let deadline = options.max_time.map(|time| began + time);
    processes.set_deadline(deadline);
    let complaints = Complaints::default();
    for command in &options.with {
        let (len, timeout) = (content.len(), options.timeout);
        let mut pass = ExternalPass::new(command, file, len, timeout, &complaints)?;
        pass.program().set_deadline(deadline);
        pass.program().end_on(&SIGNALS).map_err(Failure::Signals)?;
        passes.push(Box::new(pass));
    }
    for tool in &options.tools {
        let (len, timeout) = (content.len(), options.timeout);
        passes.extend(match tool {
            Tool::ClangDelta => ClangDelta::new(file, len, timeout, deadline)?.passes(),
        });
    }
    let formatter = options.format.as_deref();
    let formatter =
        formatter.map(|command| Program::new(command, file, content.len(), options.timeout));
    let formatter = formatter.transpose()?;
    let mut readers = Readers::new(options);
    start::validate(&mut processes, &content, test, file)?;
    let original = if is_in_place {
        Some(keep_original(file, &content)?)
    } else {
        saver.save(&content)?;
        None
    };
    readers.begin(&Task {
        file,
        output: arguments.output.as_deref().unwrap_or(file),
        original,
        initial_bytes: content.len(),
    });
    Run {
        passes,
        outdone: passes::outdone(kind),
        formatter,
        options,
        saver,
        readers,
        complaints,
        began,
    }
    .reduce(processes, content)
}

/// Everything around a reduction.
struct Run<'a> {
    passes: Vec<Box<dyn Pass<u8>>>,
    /// Those that others outdo on this file.
    outdone: &'static [&'static str],
    formatter: Option<Program>,
    options: &'a Options,
    saver: Saver,
    readers: Readers,
    /// What is wrong with external passes, and not yet told.
    complaints: Complaints,
    began: Instant,
}

impl Run<'_> {
    fn reduce(mut self, processes: LocalProcesses, content: Vec<u8>) -> Result<Exit, Failure> {
        let initial_bytes = content.len();
        let order: &dyn ElementOrder<u8> = if is_text(&content) { &Text } else { &Natural };
        let settings = Settings {
            seed: self.options.seed,
            tests_max: self.options.max_tests,
            outdone: self.outdone,
            ..Settings::default()
        };
        let interrupt = processes.interrupt();
        let mut drive = Drive::new(processes);
        let mut is_unsaved = false;
        let outcome = reduce(
            Target::new(content),
            &self.passes,
            order,
            &mut drive,
            &settings,
            &mut |event| {
                if let Event::Reduced { target, .. } = event
                    && self.saver.save(target.elements()).is_err()
                {
                    // What is on disk stays; no use in going on.
                    is_unsaved = true;
                    interrupt.raise();
                }
                for complaint in self.complaints.borrow_mut().drain(..) {
                    self.readers.warn(&complaint);
                }
                self.readers.tell(event);
            },
        );
        for complaint in self.complaints.borrow_mut().drain(..) {
            self.readers.warn(&complaint);
        }
        let cancelled = drive.counts().cancelled;
        let mut processes = drive.into_executor();
        if is_unsaved {
            // Perhaps there is room again. If not, the last test case that was saved remains.
            self.saver.save(outcome.target.elements())?;
        }
        let exit = match outcome.stop {
            None => Ok(Exit::Reduced),
            Some(Stop::Interrupted) => Ok(Exit::Interrupted),
            Some(Stop::Budget) => Ok(Exit::Budget),
            Some(Stop::Failed) => match processes.take_error() {
                Some(error) => Err(error.into()),
                None => Ok(Exit::Internal),
            },
        };
        let is_at_end = matches!(outcome.stop, None | Some(Stop::Budget));
        let formatted = if is_at_end {
            self.formatted(&mut processes, outcome.target.elements())?
        } else {
            None
        };
        let result = formatted.as_deref().unwrap_or(outcome.target.elements());
        let summary = Summary {
            initial_bytes,
            reduced_bytes: outcome.target.len(),
            result,
            stop: outcome.stop,
            counts: outcome.counts,
            proof: outcome.stop.is_none().then_some(outcome.proof),
            statistics: processes.statistics(),
            cancelled,
            wall: self.began.elapsed(),
        };
        match self.readers.finish(&summary) {
            // Whoever does not read the messages may still want the result.
            Ok(()) | Err(Failure::BrokenPipe) => exit,
            Err(failure) => Err(failure),
        }
    }
}

impl Run<'_> {
    /// The result as the formatter prints it, saved, if it is still interesting.
    ///
    /// # Errors
    /// When it can't be saved.
    fn formatted(
        &mut self,
        processes: &mut LocalProcesses,
        result: &[u8],
    ) -> Result<Option<Vec<u8>>, Failure> {
        let Some(formatter) = &mut self.formatter else {
            return Ok(None);
        };
        let name = formatter.name().to_owned();
        // The deadline was one for the reduction.
        processes.set_deadline(None);
        let complaint = match formatter.call(result) {
            Err(complaint) => complaint,
            Ok(printed) if printed == result => return Ok(None),
            Ok(printed) => {
                let report = processes.run_once(&printed);
                if report.is_ok_and(|report| report.verdict() == Verdict::Interesting) {
                    self.saver.save(&printed)?;
                    return Ok(Some(printed));
                }
                Some("what it prints is not interesting any more".to_owned())
            }
        };
        if let Some(complaint) = complaint {
            let warning = format!("{name}: {complaint}; the result stays as it is");
            self.readers.warn(&warning);
        }
        Ok(None)
    }
}

/// Ctrl-C once ends the reduction between two tests, twice at once: the file is whole anyway, and
/// the supervisors clear up.
fn catch_signals(interrupt: &Interrupt) -> io::Result<()> {
    for signal in SIGNALS {
        let is_second = Arc::new(AtomicBool::new(false));
        let status = Exit::Interrupted as i32;
        signal_hook::flag::register_conditional_shutdown(signal, status, Arc::clone(&is_second))?;
        signal_hook::flag::register(signal, is_second)?;
    }
    interrupt.raise_on(&SIGNALS)
}

/// What a file is, as far as passes care.
///
/// # Errors
/// When `--language` names none that this build has.
fn kind(options: &Options, file: &Path, content: &[u8]) -> Result<Kind, Failure> {
    let is_text = is_text(content);
    let language = match options.language.as_deref() {
        Some("none") => None,
        Some(name) => {
            let language = ablate_languages::find(name);
            Some(language.ok_or_else(|| Failure::UnknownLanguage {
                name: name.to_owned(),
            })?)
        }
        None => {
            let name = file.file_name().unwrap_or_default().to_string_lossy();
            ablate_languages::detect(&name, content).filter(|_| is_text)
        }
    };
    Ok(Kind { is_text, language })
}

/// Whether a content is text: UTF-8 without control characters other than white space.
fn is_text(content: &[u8]) -> bool {
    let is_printed = |c: char| !c.is_control() || c.is_whitespace() || c == '\x1b';
    std::str::from_utf8(content).is_ok_and(|text| text.chars().all(is_printed))
}

/// A path for people.
pub fn shown(path: &Path) -> String {
    path.display().to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_is_what_people_can_read() {
        assert!(is_text(b"int main() {}\r\n\x0c") && is_text("größer".as_bytes()) && is_text(b""));
        assert!(!is_text(b"\x7fELF\x02") && !is_text(b"\xff") && !is_text(b"a\0b"));
    }
}
