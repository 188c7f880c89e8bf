//! The bench that the tests work at: a directory with a script, a test case, and `ablate`.

use std::ffi::OsStr;
use std::fs;
use std::io::Read;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use serde_json::Value;

/// What keeps the word `needle`.
pub const NEEDLE: &str = "grep -q needle \"$1\"";
/// A test case with that word.
pub const HAY: &str = "hay\n{ hay (needle) }\nhay\n";

/// Nothing here takes longer, unless it hangs.
const BOUND: Duration = Duration::from_secs(120);

/// Waits for something that comes soon; lets the test fail if it does not.
#[track_caller]
pub fn wait_until(what: &str, mut is_so: impl FnMut() -> bool) {
    let give_up = Instant::now() + BOUND;
    while !is_so() {
        assert!(Instant::now() < give_up, "waited too long until {what}");
        std::thread::sleep(Duration::from_millis(2));
    }
}

/// A directory for a script, a test case, and what the script tells.
pub struct Bench {
    directory: tempfile::TempDir,
}

impl Bench {
    /// A bench with an interestingness test, `test.sh`, and a test case, `a.txt`. `$evidence` is a
    /// directory that the script may write to.
    pub fn new(script: &str, content: &str) -> Bench {
        let directory = tempfile::tempdir().unwrap();
        let bench = Bench { directory };
        fs::create_dir(bench.path("evidence")).unwrap();
        let evidence = bench.path("evidence");
        bench.write(
            "test.sh",
            format!("#!/bin/sh\nevidence={}\n{script}\n", evidence.display()),
        );
        bench.set_mode("test.sh", 0o755);
        bench.write("a.txt", content);
        bench
    }

    /// The bench with the needle in the hay.
    pub fn needle() -> Bench {
        Bench::new(NEEDLE, HAY)
    }

    pub fn path(&self, name: impl AsRef<Path>) -> PathBuf {
        self.directory.path().join(name)
    }

    pub fn write(&self, name: impl AsRef<Path>, content: impl AsRef<[u8]>) {
        fs::write(self.path(name), content).unwrap();
    }

    pub fn read(&self, name: impl AsRef<Path>) -> String {
        String::from_utf8_lossy(&fs::read(self.path(name)).unwrap()).into_owned()
    }

    /// Has a program in Python make files.
    pub fn make(&self, program: &str) {
        let mut command = Command::new("python3");
        command.args(["-c", program]).current_dir(self.path(""));
        let made = command.status().expect("python3 can be started");
        assert!(made.success());
    }

    pub fn set_mode(&self, name: &str, mode: u32) {
        fs::set_permissions(self.path(name), PermissionsExt::from_mode(mode)).unwrap();
    }

    pub fn mode(&self, name: &str) -> u32 {
        fs::metadata(self.path(name)).unwrap().permissions().mode() & 0o777
    }

    /// `ablate` in the directory of the bench, with nothing on its standard input.
    pub fn command<S: AsRef<OsStr>>(&self, arguments: &[S]) -> Command {
        let mut command = self.command_of(env!("CARGO_BIN_EXE_ablate"));
        command.args(arguments);
        command
    }

    /// A program in the directory of the bench, with nothing on its standard input.
    pub fn command_of(&self, program: &str) -> Command {
        let mut command = Command::new(program);
        command
            .current_dir(self.directory.path())
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        command
    }

    /// Starts `ablate`, with two workers where nothing else is asked for.
    pub fn start(&self, arguments: &[&str]) -> Running {
        let has_jobs = arguments.iter().any(|argument| argument.starts_with("-j"));
        let jobs: &[&str] = if has_jobs { &[] } else { &["-j2"] };
        // The tests themselves may run where a closed terminal is ignored, and would hand that on.
        let mut command = self.command_of("env");
        command.arg("--default-signal=HUP");
        command.arg(env!("CARGO_BIN_EXE_ablate"));
        command.args([arguments, jobs].concat());
        Running::new(command)
    }

    /// Runs `ablate` with these words between the spaces of `line`.
    pub fn run(&self, line: &str) -> Finished {
        self.start(&line.split_whitespace().collect::<Vec<_>>())
            .finish()
    }

    /// Runs `ablate` with JSON messages, and makes sure of its exit status; gives the last message.
    #[track_caller]
    pub fn check_json(&self, line: &str, status: i32) -> Value {
        let finished = self.run(&format!("--message-format json {line}"));
        assert_eq!(finished.status, Some(status), "{}", finished.stderr);
        let last = finished.messages().pop().expect("a last message");
        assert_eq!(last["event"], "finished");
        last
    }
}

/// A started `ablate` whose output is being read.
pub struct Running {
    child: Child,
    output: [JoinHandle<String>; 2],
}

impl Running {
    pub fn new(mut command: Command) -> Running {
        let mut child = command.spawn().unwrap();
        let output = [
            gather(child.stdout.take().unwrap()),
            gather(child.stderr.take().unwrap()),
        ];
        Running { child, output }
    }

    pub fn kill(&self, signal: nix::sys::signal::Signal) {
        let pid = nix::unistd::Pid::from_raw(self.child.id() as i32);
        nix::sys::signal::kill(pid, signal).unwrap();
    }

    /// Waits for its end. Whatever the end was, nothing may be left behind.
    #[track_caller]
    pub fn finish(mut self) -> Finished {
        let status = wait(&mut self.child);
        let pid = self.child.id();
        wait_until("all processes are gone", || descendants(pid) == 0);
        wait_until("all directories are gone", || work_directories(pid) == 0);
        let [stdout, stderr] = self.output.map(|output| output.join().unwrap());
        Finished {
            status: status.code(),
            stdout,
            stderr,
        }
    }
}

/// What came of an `ablate`.
#[derive(Debug)]
pub struct Finished {
    /// Its exit status, unless a signal has ended it.
    pub status: Option<i32>,
    pub stdout: String,
    pub stderr: String,
}

impl Finished {
    /// The messages on standard output; every line has to be one.
    #[track_caller]
    pub fn messages(&self) -> Vec<Value> {
        let lines = self.stdout.lines();
        lines
            .map(|line| serde_json::from_str(line).unwrap())
            .collect()
    }

    /// Makes sure of the exit status, and that standard error says all of this.
    #[track_caller]
    pub fn check(&self, status: i32, said: &[&str]) {
        assert_eq!(self.status, Some(status), "{}", self.stderr);
        for words in said {
            assert!(self.stderr.contains(words), "no {words:?}: {}", self.stderr);
        }
    }
}

#[track_caller]
fn wait(child: &mut Child) -> ExitStatus {
    let mut status = None;
    wait_until("ablate has ended", || {
        status = child.try_wait().unwrap();
        status.is_some()
    });
    status.unwrap()
}

fn gather(mut pipe: impl Read + Send + 'static) -> JoinHandle<String> {
    std::thread::spawn(move || {
        let mut bytes = Vec::new();
        pipe.read_to_end(&mut bytes).unwrap();
        String::from_utf8_lossy(&bytes).into_owned()
    })
}

/// How many processes live that are tests of the `ablate` with this number, or came from them:
/// their environment names its work directory.
fn descendants(pid: u32) -> usize {
    let mark = format!("/ablate-{pid}-");
    let processes = fs::read_dir("/proc").unwrap().flatten();
    let environments =
        processes.filter_map(|process| fs::read(process.path().join("environ")).ok());
    environments
        .filter(|environment| {
            environment
                .split(|&byte| byte == 0)
                .filter(|variable| variable.starts_with(b"ABLATE_SLOT="))
                .any(|variable| String::from_utf8_lossy(variable).contains(&mark))
        })
        .count()
}

fn work_directories(pid: u32) -> usize {
    let start = format!("ablate-{pid}-");
    let bases = [PathBuf::from("/dev/shm"), std::env::temp_dir()];
    let entries = bases.iter().filter_map(|base| fs::read_dir(base).ok());
    let names = entries.flatten().flatten().map(|entry| entry.file_name());
    names
        .filter(|name| name.to_string_lossy().starts_with(&start))
        .count()
}
