//! The two processes that parse, and the installation of what they need.

use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

/// Parsers that are written in JavaScript.
const FROM_NPM: &[&str] = &[
    "@ruby/prism@1.9.0",
    "@solidity-parser/parser@0.20.2",
    "@webgpu/glslang@0.0.15",
    "acorn@8.19.0",
    "commonmark@0.31.2",
    "css-tree@3.2.1",
    "graphql@17.1.0",
    "java-parser@3.0.1",
    "luaparse@0.3.1",
    "parse5@8.1.1",
    "php-parser@3.7.0",
    "protobufjs@8.8.1",
    "refmt@1.13.7-1",
    "scalameta-parsers@4.14.2",
    "typescript@5.9.3",
    "wgsl_reflect@1.6.0",
    "yaml@2.9.1",
];
/// Parsers for Python.
const FROM_PYPI: &[&str] = &[
    "cmakelang==0.6.13",
    "kopyt==0.0.2",
    "llvmlite==0.50.0",
    "tree-sitter==0.26.1",
    "tree-sitter-go==0.25.0",
    "tree-sitter-swift==0.7.4",
    "ziglang==0.17.1",
];

/// Who says whether a text is in a language.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Oracle {
    /// `oracle.cjs`, in Node.
    Node,
    /// `oracle.py`, in Python, with the compilers of the machine.
    Python,
}

/// Both processes, as long as this stands.
pub struct Oracles {
    node: Running,
    python: Running,
}

/// A process, as long as this stands, and the port where it listens.
struct Running(Child, u16);

impl Oracles {
    /// Starts both; installs what they need, if it is not there yet.
    ///
    /// # Panics
    /// When something can't be had, with the command that failed.
    pub fn start<'a>(kept: impl Iterator<Item = (&'a str, &'a [&'a str])>) -> Oracles {
        let kept: serde_json::Map<_, _> = kept
            .map(|(language, kept)| (language.to_owned(), kept.into()))
            .collect();
        let kept = serde_json::Value::from(kept).to_string();
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("languages");
        let here = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/languages");
        let python = installed_python(&folder);
        installed_node(&folder);
        let mut on_python = Command::new(python);
        on_python.arg(format!("{here}/oracle.py")).arg(&kept);
        let mut on_node = Command::new("node");
        on_node.arg(format!("{here}/oracle.cjs")).arg(&kept);
        on_node.arg(&folder);
        Oracles {
            node: started(on_node),
            python: started(on_python),
        }
    }

    /// The port where an oracle listens.
    pub fn port(&self, oracle: Oracle) -> u16 {
        match oracle {
            Oracle::Node => self.node.1,
            Oracle::Python => self.python.1,
        }
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// Starts an oracle, which prints its port.
fn started(mut command: Command) -> Running {
    command.stdin(Stdio::null()).stdout(Stdio::piped());
    let child = command
        .spawn()
        .unwrap_or_else(|error| panic!("{command:?} can't be started: {error}"));
    let mut running = Running(child, 0);
    let mut line = String::new();
    let out = running.0.stdout.take().expect("a pipe");
    let read = BufReader::new(out).read_line(&mut line);
    let port = read.ok().and_then(|_| line.trim().parse().ok());
    running.1 = port.unwrap_or_else(|| panic!("{command:?} prints no port, but {line:?}"));
    running
}

/// A Python with the parsers.
fn installed_python(folder: &Path) -> PathBuf {
    let python = folder.join("bin/python");
    let stamp = folder.join("pypi");
    if !is_stamped(&stamp, FROM_PYPI) {
        run(Command::new("python3").args(["-m", "venv"]).arg(folder));
        let mut pip = Command::new(&python);
        run(pip.args(["-m", "pip", "install", "-q"]).args(FROM_PYPI));
        write_stamp(&stamp, FROM_PYPI);
    }
    python
}

/// Puts the parsers for Node into the folder.
fn installed_node(folder: &Path) {
    let stamp = folder.join("npm");
    if !is_stamped(&stamp, FROM_NPM) {
        let mut npm = Command::new("npm");
        npm.args(["install", "--no-audit", "--no-fund", "--prefix"]);
        run(npm.arg(folder).args(FROM_NPM));
        write_stamp(&stamp, FROM_NPM);
    }
}

fn is_stamped(stamp: &Path, packages: &[&str]) -> bool {
    std::fs::read_to_string(stamp).is_ok_and(|content| content == packages.join("\n"))
}

/// Notes that all packages are there.
fn write_stamp(stamp: &Path, packages: &[&str]) {
    std::fs::write(stamp, packages.join("\n")).expect("a folder that can be written to");
}

/// Runs a command that has to work.
fn run(command: &mut Command) {
    let output = command.output();
    let output = output.unwrap_or_else(|error| panic!("{command:?} can't be started: {error}"));
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(
        output.status.success(),
        "{command:?} failed; the tests of languages need it, and the network the first time: {said}"
    );
}
