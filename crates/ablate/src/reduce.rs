//! A reduction from the arguments to the exit status.

use std::borrow::Cow;
use std::io;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Instant;

use ablate_engine::drive::Drive;
use ablate_engine::event::Event;
use ablate_engine::oracle::{Stop, Verdict};
use ablate_engine::pass::Pass;
use ablate_engine::reducer::{Counts, Memory, Outcome, Settings, reduce};
use ablate_engine::target::Target;
use ablate_exec::{Interrupt, LocalProcesses, Statistics, is_ignored};
use ablate_passes::formats::archive::Archive;
use ablate_passes::formats::folder::Entries;
use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};

use crate::args::{Arguments, Options, Tool};
use crate::clang_delta::ClangDelta;
use crate::exit::Exit;
use crate::external::{Complaints, ExternalPass};
use crate::failure::Failure;
use crate::folder::Folder;
use crate::found::Found;
use crate::guarded::{self, guarded};
use crate::image;
use crate::kind::{Kind, kind};
use crate::passes::{self, Selection};
use crate::program::Program;
use crate::readers::{Readers, Summary, Task, Turn};
use crate::recheck::{Allowance, Recheck};
use crate::save::Saver;
use crate::start::{self, Input};

/// What asks for an end: Ctrl-C, `kill`, and a terminal that is closed, unless `nohup` has been told to
/// outlive that.
fn signals() -> io::Result<Vec<i32>> {
    let mut signals = vec![SIGINT, SIGTERM];
    if !is_ignored(SIGHUP)? {
        signals.push(SIGHUP);
    }
    Ok(signals)
}

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
    image::load_constants();
    let mut input = Input::read(file)?;
    let initial_bytes = input.content.len();
    if input.folder.is_some() {
        refuse_what_is_for_files(options)?;
    }
    let kind = kind(options, file, &input)?;
    let taken = kind.taken(&input);
    let selection = Selection::of(&options.passes, &kind)?;
    let output = arguments.output.as_deref().unwrap_or(file);
    let saver = Saver::new(output, file, &input)?;
    let mut processes = start::processes(test, file, &input, options)?;
    catch_signals(&processes.interrupt()).map_err(Failure::Signals)?;
    let deadline = options.max_time.map(|time| began + time);
    processes.set_deadline(deadline);
    let complaints = Complaints::default();
    let mut added: Vec<Box<dyn Pass<u8>>> = Vec::new();
    for command in &options.with {
        let (len, timeout) = (input.content.len(), options.timeout);
        let mut pass = ExternalPass::new(command, file, len, timeout, &complaints)?;
        pass.program().set_deadline(deadline);
        let ended = signals().and_then(|signals| pass.program().end_on(&signals));
        ended.map_err(Failure::Signals)?;
        added.push(Box::new(pass));
    }
    for tool in &options.tools {
        let (len, timeout) = (input.content.len(), options.timeout);
        added.extend(match tool {
            Tool::ClangDelta => ClangDelta::new(file, len, timeout, deadline)?.passes(),
        });
    }
    let formatter = options.format.as_deref();
    let formatter = formatter.map(|command| {
        let (len, timeout) = (input.content.len(), options.timeout);
        Program::new("--format", command, file, len, timeout)
    });
    let formatter = formatter.transpose()?;
    let mut readers = Readers::new(options);
    if let Some(folder) = &input.folder {
        warn_of_what_is_left_out(folder, &readers);
    }
    let unread = start::validate(&mut processes, &input, test, file)?;
    guarded::keep_quiet();
    let mut passes = guarded(selection.passes(&kind, &unread), &complaints);
    passes.extend(added);
    let found = Found::by(&saver, file, &input, &kind, &mut processes)?;
    if let Some(reached) = found.reached() {
        input.content = reached.to_vec();
    }
    let unpacked = match input.unpacked() {
        Some(inside) => stage_inside(&inside, test, file, options, &complaints, &mut readers)?,
        None => None,
    };
    let is_idle_inside = |inside: &Stage| inside.passes.is_empty();
    if passes.is_empty() && unpacked.as_ref().is_none_or(is_idle_inside) {
        return Err(Failure::NoPass);
    }
    let kept = found.settle(&saver, file, &input)?;
    readers.begin(&Task {
        file,
        output,
        kept,
        initial_bytes,
        reached_bytes: found.reached().map(<[u8]>::len),
        is_folder: input.folder.is_some(),
        taken,
    });
    let run = Run {
        formatter,
        options,
        output,
        saver,
        readers,
        complaints,
        began,
        initial_bytes,
        counts: Counts::default(),
        statistics: Statistics::default(),
        cancelled: 0,
    };
    let whole = Stage {
        passes,
        kind,
        content: input.content,
        archive: None,
        processes,
    };
    match unpacked {
        Some(mut inside) => {
            inside.processes.set_deadline(deadline);
            run.reduce_inside_first(inside, whole)
        }
        None => run.reduce_at_last(whole),
    }
}

fn warn_of_what_is_left_out(folder: &Folder, readers: &Readers) {
    for name in folder.left_out() {
        let name = shown(name);
        readers.warn(&format!(
            "{name} is left out: it is neither a file, a folder nor a symbolic link"
        ));
    }
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

/// What is reduced, and with what.
struct Stage {
    passes: Vec<Box<dyn Pass<u8>>>,
    kind: Kind,
    content: Vec<u8>,
    /// The archive that the content is in.
    archive: Option<Arc<Archive>>,
    processes: LocalProcesses,
}

/// How a stage ended.
struct Ended {
    outcome: Outcome<u8>,
    processes: LocalProcesses,
}

/// What is in an archive, as something to be reduced first, unless the test does not want the archive as it is
/// written anew.
///
/// # Errors
/// When the test can't be run.
fn stage_inside(
    inside: &Input,
    test: &Path,
    file: &Path,
    options: &Options,
    complaints: &Complaints,
    readers: &mut Readers,
) -> Result<Option<Stage>, Failure> {
    let kind = kind(options, file, inside)?;
    let selection = Selection::of(&options.passes, &kind)?;
    let mut processes = start::processes(test, file, inside, options)?;
    catch_signals(&processes.interrupt()).map_err(Failure::Signals)?;
    let (report, unread) = start::run_first(&mut processes, inside)?;
    if report.verdict() != Verdict::Interesting {
        readers.warn("written anew with the same content, the archive is not interesting; what is in it is left packed");
        return Ok(None);
    }
    Ok(Some(Stage {
        passes: guarded(selection.passes(&kind, &unread), complaints),
        kind,
        content: inside.content.clone(),
        archive: inside.archive.clone(),
        processes,
    }))
}

/// The content of the file: what is reduced, or the archive with it.
fn packed<'a>(archive: Option<&Archive>, content: &'a [u8]) -> Cow<'a, [u8]> {
    match archive {
        Some(archive) => archive.pack(content),
        None => Cow::Borrowed(content),
    }
}

/// Everything around the reductions of a run.
struct Run<'a> {
    formatter: Option<Program>,
    options: &'a Options,
    output: &'a Path,
    saver: Saver,
    readers: Readers,
    /// What is wrong with external passes, and not yet told.
    complaints: Complaints,
    began: Instant,
    initial_bytes: usize,
    /// What was counted in the stages so far.
    counts: Counts,
    statistics: Statistics,
    cancelled: u64,
}

impl Run<'_> {
    /// Reduces what is in the archive that `whole` is, then that.
    ///
    /// # Errors
    /// When a result can't be saved, or it can't be told how it ended.
    fn reduce_inside_first(mut self, inside: Stage, mut whole: Stage) -> Result<Exit, Failure> {
        let has_files = inside.kind.files.is_some();
        self.readers.turn(&Turn::Inside {
            bytes: inside.content.len(),
            files: has_files.then(|| Entries::new(&inside.content).all().len()),
            language: inside.kind.language.map(|language| language.name),
        });
        let archive = inside.archive.clone();
        let ended = self.reduce(inside)?;
        if ended.outcome.counts.accepted > 0 {
            whole.content =
                packed(archive.as_deref(), ended.outcome.target.elements()).into_owned();
        }
        if ended.outcome.stop.is_some() {
            return self.finish(ended, whole.content);
        }
        self.statistics.add(ended.processes.statistics());
        drop(ended);
        if self.options.passes.is_empty() {
            whole
                .passes
                .retain(|pass| passes::is_for_archives(pass.name()));
        }
        self.readers.turn(&Turn::Packed {
            bytes: whole.content.len(),
        });
        self.reduce_at_last(whole)
    }

    /// Reduces, as the last stage.
    ///
    /// # Errors
    /// When a result can't be saved, or it can't be told how it ended.
    fn reduce_at_last(mut self, stage: Stage) -> Result<Exit, Failure> {
        let ended = self.reduce(stage)?;
        let result = ended.outcome.target.elements().to_vec();
        self.finish(ended, result)
    }

    /// Reduces, and saves each result.
    ///
    /// # Errors
    /// When the last result can't be saved.
    fn reduce(&mut self, stage: Stage) -> Result<Ended, Failure> {
        let order = stage.kind.order();
        let mut memory = Memory::default();
        if stage.kind.is_text {
            memory.context = TEXT_CONTEXT;
        }
        let tests_before = self.counts.tests;
        let settings = Settings {
            memory: Some(memory),
            seed: self.options.seed,
            tests_max: self
                .options
                .max_tests
                .map(|max| max.saturating_sub(tests_before)),
            outdone: passes::outdone(&stage.kind, &stage.content),
            ..Settings::default()
        };
        let interrupt = stage.processes.interrupt();
        let archive = stage.archive.as_deref();
        let mut drive = Drive::new(stage.processes);
        let mut is_unsaved = false;
        let outcome = reduce(
            Target::new(stage.content),
            &stage.passes,
            order,
            &mut drive,
            &settings,
            &mut |event| {
                if let Event::Reduced { target, .. } = event
                    && self.save(&packed(archive, target.elements())).is_err()
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
        self.cancelled += drive.counts().cancelled;
        let processes = drive.into_executor();
        if is_unsaved {
            // Perhaps there is room again. If not, the last test case that was saved remains.
            self.save(&packed(archive, outcome.target.elements()))?;
        }
        self.counts.add(outcome.counts);
        Ok(Ended { outcome, processes })
    }

    /// Saves a result, and says so if somebody else has changed the file meanwhile.
    ///
    /// # Errors
    /// When it can't be saved.
    fn save(&self, content: &[u8]) -> Result<(), Failure> {
        if let Some(kept) = self.saver.save(content)? {
            let (output, kept) = (shown(self.output), shown(&kept));
            self.readers.warn(&format!(
                "{output} was changed meanwhile; what was in it is kept as {kept}"
            ));
        }
        Ok(())
    }

    /// Tells how it ended, with what is in the file.
    ///
    /// # Errors
    /// When it can't be told, or ended with an error.
    fn finish(mut self, ended: Ended, content: Vec<u8>) -> Result<Exit, Failure> {
        let Ended {
            outcome,
            mut processes,
        } = ended;
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
            self.formatted(&mut processes, &content)?
        } else {
            None
        };
        let result = formatted.as_deref().unwrap_or(outcome.target.elements());
        let recheck = if is_at_end {
            let is_out_of_budget = outcome.stop.is_some();
            let allowance =
                Allowance::after(self.counts.tests, self.began.elapsed(), is_out_of_budget);
            Recheck::of(&mut processes, result, allowance)
        } else {
            Recheck::default()
        };
        self.statistics.add(processes.statistics());
        let summary = Summary {
            initial_bytes: self.initial_bytes,
            reduced_bytes: content.len(),
            result: formatted.as_deref().unwrap_or(&content),
            stop: outcome.stop,
            counts: self.counts,
            proof: outcome.stop.is_none().then_some(outcome.proof),
            recheck,
            statistics: self.statistics,
            cancelled: self.cancelled,
            wall: self.began.elapsed(),
        };
        if let Some(warning) = recheck.warning() {
            self.readers.warn(&warning);
        }
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
                    self.save(&printed)?;
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

/// Ctrl-C once ends the reduction before the next step or verdict, twice at once: the file is whole
/// anyway, and the supervisors clear up.
fn catch_signals(interrupt: &Interrupt) -> io::Result<()> {
    let signals = signals()?;
    for &signal in &signals {
        let is_second = Arc::new(AtomicBool::new(false));
        let status = Exit::Interrupted as i32;
        signal_hook::flag::register_conditional_shutdown(signal, status, Arc::clone(&is_second))?;
        signal_hook::flag::register(signal, is_second)?;
    }
    interrupt.raise_on(&signals)
}

/// A path for people.
pub fn shown(path: &Path) -> String {
    path.display().to_string()
}
