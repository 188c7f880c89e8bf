//! The bench that the tests work at: scripts, places for evidence, and what is left of processes.

use std::cell::RefCell;
use std::ffi::OsString;
use std::fs;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use ablate_engine::patch::Patch;
use ablate_engine::target::{Candidate, Target};
use ablate_exec::{LocalProcesses, Options, RunReport, TimeLimit};
use signal_hook::consts::SIGINT;
use signal_hook::flag;

/// A fact, and the check for it.
pub type Fact = (&'static str, fn());

/// The list of facts in a module, each under the name of its function.
#[macro_export]
macro_rules! facts {
    ($($name:ident),* $(,)?) => {
        pub const TESTS: &[$crate::bench::Fact] = &[$((stringify!($name), $name)),*];
    };
}

/// Lets the test fail that is under way.
#[track_caller]
pub fn wait_until(what: &str, mut is_so: impl FnMut() -> bool) {
    let give_up = Instant::now() + Duration::from_secs(20);
    while !is_so() {
        assert!(Instant::now() < give_up, "waited too long until {what}");
        std::thread::sleep(Duration::from_millis(1));
    }
}

/// A directory for a script and what it tells, and one for work directories.
pub struct Bench {
    directory: tempfile::TempDir,
    /// How the next executor calls the script.
    pub options: RefCell<Options>,
}

impl Bench {
    /// A bench with a test that is a script. `$evidence` is a directory to write to.
    pub fn new(script: &str) -> Bench {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("test.sh");
        let evidence = directory.path().join("evidence");
        let base = directory.path().join("base");
        fs::create_dir(&evidence).unwrap();
        fs::create_dir(&base).unwrap();
        fs::write(
            &path,
            format!("#!/bin/sh\nevidence={}\n{script}\n", evidence.display()),
        )
        .unwrap();
        fs::set_permissions(&path, PermissionsExt::from_mode(0o755)).unwrap();
        let options = RefCell::new(Options {
            slots: 1,
            work_base: Some(base),
            time_limit: TimeLimit::fixed(Duration::from_secs(60)),
            ..Options::new(path, "input.txt")
        });
        Bench { directory, options }
    }

    /// The same with other options.
    pub fn with(self, change: impl FnOnce(&mut Options)) -> Bench {
        change(&mut self.options.borrow_mut());
        self
    }

    pub fn start(&self) -> LocalProcesses {
        LocalProcesses::start(self.options.borrow().clone()).unwrap()
    }

    /// Runs the script once on `content`.
    #[track_caller]
    pub fn run(&self, content: &str) -> RunReport {
        self.start().run_once(content.as_bytes()).unwrap()
    }

    pub fn script(&self) -> PathBuf {
        self.options.borrow().program.clone()
    }

    /// Where work directories are made.
    pub fn base(&self) -> PathBuf {
        self.directory.path().join("base")
    }

    pub fn evidence(&self, name: &str) -> PathBuf {
        self.directory.path().join("evidence").join(name)
    }

    /// What the script wrote to `$evidence/name`; empty before that.
    pub fn told(&self, name: &str) -> String {
        fs::read_to_string(self.evidence(name)).unwrap_or_default()
    }

    /// The processes whose numbers are the lines of `$evidence/name`, as far as they live.
    pub fn living(&self, name: &str) -> Vec<i32> {
        let told = self.told(name);
        let pids = told.lines().map(|line| line.parse().unwrap());
        pids.filter(|&pid| is_alive(pid)).collect()
    }

    /// The processes that the environment shows to be tests of this bench.
    pub fn marked(&self) -> usize {
        let base = [b"ABLATE_SLOT=", self.base().as_os_str().as_bytes()].concat();
        let processes = fs::read_dir("/proc").unwrap().flatten();
        let environments = processes.filter_map(|p| fs::read(p.path().join("environ")).ok());
        environments
            .filter(|environment| {
                let mut variables = environment.split(|&b| b == 0);
                variables.any(|variable| variable.starts_with(&base))
            })
            .count()
    }

    /// How many things there are where work directories are made.
    pub fn directories(&self) -> usize {
        fs::read_dir(self.base()).unwrap().count()
    }
}

/// Whether a process runs; one that is dead but not waited for does not.
pub fn is_alive(pid: i32) -> bool {
    let stat = fs::read_to_string(format!("/proc/{pid}/stat")).unwrap_or_default();
    stat.rsplit_once(") ")
        .is_some_and(|(_, rest)| !rest.starts_with(['Z', 'X']))
}

/// A candidate with this content.
pub fn candidate(content: &str) -> Candidate<u8> {
    Target::new(content.as_bytes().to_vec()).candidate(Patch::default())
}

/// The argument that makes this binary play a role.
const ROLE: &str = "--role";

/// How this binary is called to play `role`.
pub fn role(role: &str, arguments: &[&Path]) -> (PathBuf, Vec<OsString>) {
    let words = [ROLE, role].map(OsString::from).into_iter();
    let arguments = arguments.iter().map(|path| path.as_os_str().to_owned());
    (
        std::env::current_exe().unwrap(),
        words.chain(arguments).collect(),
    )
}

/// Plays the role that this process was started for.
pub fn play_role() -> Option<ExitCode> {
    let mut arguments = std::env::args_os().skip(1);
    if arguments.next()? != ROLE {
        return None;
    }
    let role = arguments.next()?;
    match role.to_str()? {
        // Takes a gibibyte, if it gets it.
        "allocate" => {
            let got = Vec::<u8>::new().try_reserve_exact(1 << 30);
            Some(ExitCode::from(if got.is_ok() { 0 } else { 3 }))
        }
        // Runs a script, with work directories in a place, and waits for its verdict.
        "drive" => {
            // What is started in the background of a script ignores interrupts, and so do its children.
            let is_wanted = Arc::new(AtomicBool::new(true));
            flag::register_conditional_default(SIGINT, is_wanted).ok()?;
            let script = PathBuf::from(arguments.next()?);
            let base = PathBuf::from(arguments.next()?);
            let options = Options {
                work_base: Some(base),
                slots: 2,
                ..Options::new(script, "input.txt")
            };
            let reports = LocalProcesses::start(options)
                .and_then(|mut processes| processes.run_together(b"content", 2));
            Some(ExitCode::from(u8::from(reports.is_err())))
        }
        _ => None,
    }
}
