//! What has to be true before a reduction begins, and what to say when it is not.

use std::collections::BTreeSet;
use std::ffi::OsStr;
use std::fs;
use std::io::Write;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

use ablate_engine::oracle::Verdict;
use ablate_exec::{
    Captured, Ending, ExecError, InputModes, LocalProcesses, RunReport, TimeLimit, Unpacker,
};
use ablate_passes::formats::archive::Archive;
use ablate_passes::formats::folder::Entries;

use crate::args::Options;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::folder::Folder;
use crate::readers::verdict_name;
use crate::recheck::RUNS_MAX;

/// How much room a file takes up at least.
const BLOCK: u64 = 4096;

/// How many times a test is called again that should have found something interesting.
const AGAIN: u64 = 3;
/// No test is called again after so much time: somebody waits for the message.
const PATIENCE: Duration = Duration::from_secs(30);

const NOT_RELIABLE: &str = "the test is not reliable: called again on the original, it takes another \
     verdict. Make it deterministic, or let it try several times";

/// What is to be reduced.
#[derive(Debug)]
pub struct Input {
    /// The content of a file, or the bytes of a folder; or what is in an archive, as either.
    pub content: Vec<u8>,
    /// What there is to a folder besides.
    pub folder: Option<Arc<Folder>>,
    /// What there is to an archive besides.
    pub archive: Option<Arc<Archive>>,
}

impl Input {
    /// Reads the file or the folder to be reduced.
    ///
    /// # Errors
    /// When it is neither, or can't be read.
    pub fn read(path: &Path) -> Result<Input, Failure> {
        let unreadable = |source| Failure::Unreadable {
            path: path.to_path_buf(),
            source,
        };
        let metadata = fs::metadata(path).map_err(unreadable)?;
        if metadata.is_dir() {
            let path = fs::canonicalize(path).map_err(unreadable)?;
            let (folder, content) = Folder::read(&path).map_err(unreadable)?;
            return Ok(Input {
                content,
                folder: Some(Arc::new(folder)),
                archive: None,
            });
        }
        if !metadata.is_file() {
            return Err(Failure::NotAFile {
                path: path.to_path_buf(),
            });
        }
        Ok(Input {
            content: fs::read(path).map_err(unreadable)?,
            folder: None,
            archive: None,
        })
    }

    /// What is in the archive that this is, if it is one.
    pub fn unpacked(&self) -> Option<Input> {
        let (archive, content) = match self.folder {
            None => Archive::read(&self.content)?,
            Some(_) => return None,
        };
        Some(Input {
            content,
            folder: None,
            archive: Some(Arc::new(archive)),
        })
    }

    /// Whether its bytes are those of a folder.
    pub fn has_files(&self) -> bool {
        let is_in_archive = self
            .archive
            .as_ref()
            .is_some_and(|archive| archive.has_files());
        self.folder.is_some() || is_in_archive
    }
}

/// Prepares to run the test on candidates of `input`, which is at `file`.
///
/// # Errors
/// When the test can't be run.
pub fn processes(
    test: &Path,
    file: &Path,
    input: &Input,
    options: &Options,
) -> Result<LocalProcesses, Failure> {
    // `.` and `a/..` are folders with names, too.
    let name = fs::canonicalize(file).unwrap_or_else(|_| file.to_path_buf());
    let name = if input.folder.is_some() { &name } else { file };
    let mut settings = ablate_exec::Options::new(test, name);
    settings.input = options.input;
    settings.input_bytes = input.content.len() as u64;
    if let Some(folder) = &input.folder {
        settings.input.stdin = false;
        if settings.input == InputModes::NONE {
            return Err(Failure::ForFilesOnly {
                option: "--input stdin",
            });
        }
        settings.input_bytes += folder.len() as u64 * BLOCK;
        let folder = Arc::clone(folder);
        let unpack = move |path: &Path, bytes: &[u8]| folder.write(path, bytes);
        settings.unpacker = Some(Unpacker(Arc::new(unpack)));
    }
    if let Some(archive) = &input.archive {
        let archive = Arc::clone(archive);
        let pack = move |path: &Path, bytes: &[u8]| fs::write(path, archive.pack(bytes));
        settings.unpacker = Some(Unpacker(Arc::new(pack)));
    }
    settings.memory_limit = options.memory;
    if let Some(jobs) = options.jobs {
        settings.slots = usize::from(jobs);
    }
    if let Some(limit) = options.timeout {
        settings.time_limit = TimeLimit::fixed(limit);
    }
    LocalProcesses::start(settings).map_err(|error| match error {
        ExecError::NoRunBit { .. } if has_run_bit(file) => Failure::Swapped {
            test: test.to_owned(),
            file: file.to_owned(),
        },
        error => error.into(),
    })
}

fn has_run_bit(file: &Path) -> bool {
    fs::metadata(file).is_ok_and(|metadata| metadata.permissions().mode() & 0o111 != 0)
}

/// Makes sure that the test can be relied on: it finds the original interesting, every time, in
/// any directory, in parallel; and not an empty file. Of several files, gives the names of those that it
/// does not read.
///
/// # Errors
/// When it does not.
pub fn validate(
    processes: &mut LocalProcesses,
    input: &Input,
    test: &Path,
    file: &Path,
) -> Result<BTreeSet<Vec<u8>>, Failure> {
    let content = &input.content;
    let (first, unread) = run_first(processes, input)?;
    let (test, file) = (test.display(), file.display());
    if first.verdict() != Verdict::Interesting {
        let has_hung = first.ending == Ending::TimedOut;
        if !has_hung && comes_up(|| processes.run_once(content), AGAIN, is_interesting)? {
            return Err(Failure::Start(told(NOT_RELIABLE, &first)));
        }
        let cure = match first.ending {
            Ending::TimedOut => given(&first),
            _ => {
                let in_folder = if input.folder.is_some() {
                    " and enter the folder first if it is meant to run there (`cd \"$1\"`)"
                } else {
                    ""
                };
                format!(
                    "exit status 0 would mean: interesting. The test is called in a directory \
                     with nothing in it but the test case, so name all other files by absolute \
                     paths{in_folder}. `ablate check {test} {file}` shows all that it prints"
                )
            }
        };
        return Err(Failure::Start(format!(
            "the test does not find the original interesting ({}); it was called so:\n  {}\n{}{cure}",
            first.ending,
            first.call,
            printed(&first)
        )));
    }
    // Two at a time are in two directories; a single worker has to move.
    let mut again = processes.run_together(content, 2)?;
    if again.len() == 1 {
        again.push(processes.run_elsewhere(content)?);
    }
    if let Some(different) = again
        .iter()
        .find(|report| report.verdict() != Verdict::Interesting)
    {
        return Err(Failure::Start(unreliable(processes, content, different)?));
    }
    if !content.is_empty() && processes.run_once(b"")?.verdict() == Verdict::Interesting {
        let what = if input.folder.is_some() {
            "folder"
        } else {
            "file"
        };
        let message = format!(
            "the test finds even an empty {what} interesting, so there is nothing to keep; let it \
             check that the bug itself is there, as by `grep -q` for its message"
        );
        return Err(Failure::Start(message));
    }
    Ok(unread)
}

/// Runs the test for the first time; of several files, the names of those that are not read.
///
/// # Errors
/// When the test can't be run.
pub fn run_first(
    processes: &mut LocalProcesses,
    input: &Input,
) -> Result<(RunReport, BTreeSet<Vec<u8>>), Failure> {
    let content = &input.content;
    if !input.has_files() {
        return Ok((processes.run_once(content)?, BTreeSet::new()));
    }
    let (report, reads) = processes.run_watched(content)?;
    let files = Entries::new(content);
    // There is no telling who follows a link, or looks into a folder; both seem to be empty files.
    let files = files.all().iter().filter(|file| file.content < file.end);
    let names: Vec<Vec<u8>> = files.map(|file| file.name(content)).collect();
    let paths = names.iter().map(|name| Path::new(OsStr::from_bytes(name)));
    let unread = reads.map_or_else(BTreeSet::new, |reads| reads.unread(&paths.collect()));
    let unread = unread
        .into_iter()
        .map(|path| path.as_os_str().as_bytes().to_vec());
    Ok((report, unread.collect()))
}

/// Finds out what makes a test take another verdict.
fn unreliable(
    processes: &mut LocalProcesses,
    content: &[u8],
    different: &RunReport,
) -> Result<String, Failure> {
    let is_other = |report: &RunReport| !is_interesting(report);
    let cause = if comes_up(|| processes.run_once(content), RUNS_MAX, is_other)? {
        NOT_RELIABLE
    } else if is_other(&processes.run_elsewhere(content)?) {
        if comes_up(|| processes.run_elsewhere(content), AGAIN, is_interesting)? {
            return Ok(told(NOT_RELIABLE, different));
        }
        "the test takes another verdict when it is called in another directory. \
         Let it use no relative paths but the test case's"
    } else {
        "the test takes another verdict when it runs twice at the same time. \
         Let it use files of its own only (its current directory is private), or use -j 1"
    };
    Ok(told(cause, different))
}

fn is_interesting(report: &RunReport) -> bool {
    report.verdict() == Verdict::Interesting
}

/// Whether one of up to `runs` more runs ends as is `wanted`.
fn comes_up(
    mut run: impl FnMut() -> Result<RunReport, ExecError>,
    runs: u64,
    wanted: impl Fn(&RunReport) -> bool,
) -> Result<bool, Failure> {
    let began = Instant::now();
    for _ in 0..runs {
        if wanted(&run()?) {
            return Ok(true);
        }
        if began.elapsed() > PATIENCE {
            break;
        }
    }
    Ok(false)
}

/// A cause, with what the call said that showed it.
fn told(cause: &str, different: &RunReport) -> String {
    let given = match different.ending {
        Ending::TimedOut => given(different),
        _ => String::new(),
    };
    format!(
        "{cause}\nThe call with the other verdict ({}):\n  {}\n{}{given}",
        different.ending,
        different.call,
        printed(different)
    )
}

/// How long a test had that took too long.
fn given(report: &RunReport) -> String {
    let seconds = report.limit.as_secs_f64();
    format!("it was given {seconds:.1} s; --timeout sets another limit")
}

/// The last lines that a test printed, for a message.
fn printed(report: &RunReport) -> String {
    let mut text = String::new();
    for (name, captured) in [
        ("standard output", &report.stdout),
        ("standard error", &report.stderr),
    ] {
        if captured.total_bytes == 0 {
            continue;
        }
        text.push_str(&format!("its {name} ended so:\n"));
        let tail = String::from_utf8_lossy(&captured.tail).into_owned();
        let lines: Vec<&str> = tail.lines().collect();
        for line in &lines[lines.len().saturating_sub(8)..] {
            let line: String = line.chars().take(400).collect();
            text.push_str(&format!("  | {line}\n"));
        }
    }
    if text.is_empty() {
        text.push_str("it printed nothing\n");
    }
    text
}

/// Runs the test once, as a reduction would, and shows everything about it.
///
/// # Errors
/// When the test can't be run, or the output can't be printed.
pub fn show(test: &Path, file: &Path, options: &Options) -> Result<Exit, Failure> {
    let input = Input::read(file)?;
    let mut processes = processes(test, file, &input, options)?;
    let report = processes.run_once(&input.content)?;
    let mut out = std::io::stdout().lock();
    writeln!(out, "called:   {}", report.call)?;
    writeln!(
        out,
        "ended:    {} after {:.3} s",
        report.ending,
        report.duration.as_secs_f64()
    )?;
    let is_interesting = report.verdict() == Verdict::Interesting;
    writeln!(out, "verdict:  {}", verdict_name(report.verdict()))?;
    for (name, captured) in [
        ("standard output", &report.stdout),
        ("standard error", &report.stderr),
    ] {
        show_captured(&mut out, name, captured)?;
    }
    Ok(if is_interesting {
        Exit::Reduced
    } else {
        Exit::NotInteresting
    })
}

fn show_captured(out: &mut impl Write, name: &str, captured: &Captured) -> Result<(), Failure> {
    if captured.total_bytes == 0 {
        writeln!(out, "{name}: nothing")?;
        return Ok(());
    }
    let cut = captured.total_bytes - captured.tail.len() as u64;
    let note = if cut > 0 {
        format!(" (the first {cut} bytes are left out)")
    } else {
        String::new()
    };
    writeln!(out, "{name}, {} bytes{note}:", captured.total_bytes)?;
    out.write_all(&captured.tail)?;
    if !captured.tail.ends_with(b"\n") {
        writeln!(out)?;
    }
    Ok(())
}
