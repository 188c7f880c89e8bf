//! Binary files of 100 KB and more, made by real tools, reduced against real parsers: what is left
//! is valid for them, and as small as it gets.
//!
//! The parsers come from PyPI, in the versions that `requirements.txt` names; without them the tests
//! fail.

use std::fs;
use std::io::{Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::OnceLock;

use ablate_engine::order::Natural;
use ablate_engine::reducer::{Settings, reduce};
use ablate_engine::target::Target;
use ablate_passes::registry::PASSES;

const REQUIREMENTS: &str = include_str!("requirements.txt");

/// What is left of a format's file at most, and after how many tests at most.
struct AtMost {
    bytes: usize,
    tests: u64,
}

/// A Python interpreter that has the parsers.
fn python() -> &'static Path {
    static PYTHON: OnceLock<PathBuf> = OnceLock::new();
    PYTHON.get_or_init(|| {
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("formats");
        let (python, installed) = (folder.join("bin/python"), folder.join("installed.txt"));
        if fs::read_to_string(&installed).is_ok_and(|names| names == REQUIREMENTS) {
            return python;
        }
        run(Command::new("python3")
            .args(["-m", "venv", "--clear"])
            .arg(&folder));
        let pip = [
            "-m",
            "pip",
            "install",
            "--quiet",
            "--disable-pip-version-check",
        ];
        let requirements = source("requirements.txt");
        run(Command::new(&python).args(pip).arg("-r").arg(requirements));
        fs::write(installed, REQUIREMENTS).expect("a file that says what is installed");
        python
    })
}

fn source(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("tests/formats")
        .join(name)
}

fn run(command: &mut Command) {
    let status = command.status().expect("python3 can be started");
    assert!(status.success(), "{command:?} failed: {status}");
}

/// A parser that judges one candidate after another.
struct Judge {
    format: &'static str,
    process: Child,
}

impl Judge {
    fn start(format: &'static str) -> Judge {
        let process = Command::new(python())
            .arg(source("parsers.py"))
            .args(["judge", format])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .expect("the parser can be started");
        Judge { format, process }
    }

    /// Whether a candidate is interesting; one that ends the parser is not.
    fn is_interesting(&mut self, candidate: &[u8]) -> bool {
        let answer = self.ask(candidate);
        if answer.is_none() {
            let _ = self.process.wait();
            *self = Judge::start(self.format);
        }
        answer.unwrap_or(false)
    }

    fn ask(&mut self, candidate: &[u8]) -> Option<bool> {
        let input = self.process.stdin.as_mut()?;
        input
            .write_all(&(candidate.len() as u32).to_le_bytes())
            .ok()?;
        input.write_all(candidate).ok()?;
        input.flush().ok()?;
        let mut answer = [0];
        self.process.stdout.as_mut()?.read_exact(&mut answer).ok()?;
        Some(answer == [1])
    }
}

impl Drop for Judge {
    fn drop(&mut self) {
        drop(self.process.stdin.take());
        let _ = self.process.wait();
    }
}

fn made(format: &str) -> Vec<u8> {
    let output = Command::new(python())
        .arg(source("parsers.py"))
        .args(["make", format])
        .stderr(Stdio::inherit())
        .output()
        .expect("the file can be made");
    assert!(output.status.success());
    output.stdout
}

fn check_format(format: &'static str, at_most: AtMost) {
    let file = made(format);
    let len = file.len();
    assert!(len >= 100_000, "{format}: {len} bytes");
    let mut judge = Judge::start(format);
    assert!(
        judge.is_interesting(&file),
        "{format}: the file as it is made"
    );
    let passes: Vec<_> = PASSES
        .iter()
        .map(|entry| (entry.make_for_binary)())
        .collect();
    let settings = Settings {
        tests_max: Some(at_most.tests),
        ..Settings::default()
    };
    let target = Target::new(file);
    let mut oracle = |candidate: &[u8]| judge.is_interesting(candidate);
    let outcome = reduce(
        target,
        &passes,
        &Natural,
        &mut oracle,
        &settings,
        &mut |_| {},
    );
    let (left, tests) = (outcome.target.elements(), outcome.counts.tests);
    assert!(judge.is_interesting(left));
    println!("{format}: {len} -> {} bytes, {tests} tests", left.len());
    assert_eq!(outcome.stop, None, "{format} ends by itself");
    assert!(
        left.len() <= at_most.bytes && tests <= at_most.tests,
        "{format}: {} bytes after {tests} tests: {}",
        left.len(),
        left.escape_ascii()
    );
}

macro_rules! formats {
    ($($format:ident: $bytes:literal bytes, $tests:literal tests;)*) => {
        $(#[test]
        fn $format() {
            check_format(stringify!($format), AtMost { bytes: $bytes, tests: $tests });
        })*
    };
}

formats! {
    avro: 200 bytes, 2500 tests;
    der: 93 bytes, 2000 tests;
    elf: 353 bytes, 4500 tests;
    gif: 36 bytes, 500 tests;
    gzip: 26 bytes, 450 tests;
    jpeg: 270 bytes, 3500 tests;
    onnx: 120 bytes, 6000 tests;
    parquet: 280 bytes, 9000 tests;
    pcapng: 118 bytes, 1200 tests;
    pdf: 240 bytes, 10_000 tests;
    pickle: 30 bytes, 500 tests;
    png: 73 bytes, 1500 tests;
    protobuf: 14 bytes, 250 tests;
    riff: 46 bytes, 900 tests;
    safetensors: 150 bytes, 2300 tests;
    tar: 518 bytes, 700 tests;
    wasm: 48 bytes, 500 tests;
    zip: 110 bytes, 1500 tests;
}
