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
use ablate_engine::reducer::{Memory, Settings, reduce};
use ablate_engine::target::Target;
use ablate_exec::{Interrupt, LocalProcesses};
use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};

use crate::args::{Arguments, Options, Tool};
use crate::clang_delta::ClangDelta;
use crate::exit::Exit;
use crate::external::{Complaints, ExternalPass};
use crate::failure::Failure;
use crate::kind::kind;
use crate::passes;
use crate::program::Program;
use crate::readers::{Readers, Summary, Task};
use crate::save::{Saver, keep_original};
use crate::start::{self, Input};

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
    let input = Input::read(file)?;
    if input.folder.is_some() {
        refuse_what_is_for_files(options)?;
    }
    let kind = kind(options, file, &input)?;
    let mut passes = passes::selected(&options.passes, &kind)?;
    let output = arguments.output.as_deref().unwrap_or(file);
    let saver = Saver::new(output, file, &input)?;
    let is_in_place = saver.is_for(file);
    let mut processes = start::processes(test, file, &input, options)?;
    catch_signals(&processes.interrupt()).map_err(Failure::Signals)?;
    let deadline = options.max_time.map(|time| began + time);
    processes.set_deadline(deadline);
    let complaints = Complaints::default();
    for command in &options.with {
        let (len, timeout) = (input.content.len(), options.timeout);
        let mut pass = ExternalPass::new(command, file, len, timeout, &complaints)?;
        pass.program().set_deadline(deadline);
        pass.program().end_on(&SIGNALS).map_err(Failure::Signals)?;
        passes.push(Box::new(pass));
    }
    for tool in &options.tools {
        let (len, timeout) = (input.content.len(), options.timeout);
        passes.extend(match tool {
            Tool::ClangDelta => ClangDelta::new(file, len, timeout, deadline)?.passes(),
        });
    }
    let formatter = options.format.as_deref();
    let formatter =
        formatter.map(|command| Program::new(command, file, input.content.len(), options.timeout));
    let formatter = formatter.transpose()?;
    let mut readers = Readers::new(options);
    start::validate(&mut processes, &input, test, file)?;
    let original = if is_in_place {
        Some(keep_original(file, &input)?)
    } else {
        saver.save(&input.content)?;
        None
    };
    readers.begin(&Task {
        file,
        output,
        original,
        initial_bytes: input.content.len(),
        is_folder: input.folder.is_some(),
        language: kind.language.map(|language| language.name),
    });
    Run {
        passes,
        outdone: passes::outdone(&kind),
        formatter,
        options,
        saver,
        readers,
        complaints,
        began,
    }
    .reduce(processes, kind.is_text, input.content)
}

/// What works on a single file does not on a folder.
fn refuse_what_is_for_files(options: &Options) -> Result<(), Failure> {
    let option = match options {
        Options { with, .. } if !with.is_empty() => "--with",
        Options { tools, .. } if !tools.is_empty() => "--use",
        Options { format, .. } if format.is_some() => "--format",
        _ => return Ok(()),
    };
    Err(Failure::ForFilesOnly { option })
}

/// How many bytes on each side of text tell an edit from others. Elsewhere, where the same bytes often
/// stand in a row, it takes more.
const TEXT_CONTEXT: usize = 1;

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
    fn reduce(
        mut self,
        processes: LocalProcesses,
        is_text: bool,
        content: Vec<u8>,
    ) -> Result<Exit, Failure> {
        let initial_bytes = content.len();
        let order: &dyn ElementOrder<u8> = if is_text { &Text } else { &Natural };
        let mut memory = Memory::default();
        if is_text {
            memory.context = TEXT_CONTEXT;
        }
        let settings = Settings {
            memory,
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

/// A path for people.
pub fn shown(path: &Path) -> String {
    path.display().to_string()
}
