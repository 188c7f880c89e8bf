//! The command on a sample of each language, with a real parser or compiler of that language to
//! say whether what is left can still be read.
//!
//! The parsers come from npm and PyPI in pinned versions, into a folder in `target/`, or are on a
//! machine that builds Rust and C anyway; `iverilog`, `mcs` and `hlint` are expected on `PATH`. All but
//! compilers run in two processes that answer through sockets, so that a test costs milliseconds.
//! Go's and Swift's are the grammars that Ablate has as well, in another program.

mod oracles;

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::process::Command;

use oracles::{Oracle, Oracles};

/// What is known of a language here.
struct Row {
    /// Its name, as `--language` takes it.
    language: &'static str,
    /// The file of its sample in `crates/ablate-languages/tests/samples/`.
    sample: &'static str,
    /// Who says whether a text is in the language.
    oracle: Oracle,
    /// What has to be left, as regular expressions.
    kept: &'static [&'static str],
    /// The most bytes that may be left.
    bytes: usize,
}

macro_rules! rows {
    ($($language:literal $sample:literal $oracle:ident [$($kept:literal),+] $bytes:literal;)*) => {
        &[$(Row {
            language: $language,
            sample: $sample,
            oracle: Oracle::$oracle,
            kept: &[$($kept),+],
            bytes: $bytes,
        }),*]
    };
}

const ROWS: &[Row] = rows![
    "bash" "sample.sh" Python ["greet"] 20;
    "c" "sample.c" Python ["list->next"] 80;
    "c-sharp" "sample.cs" Python ["=>"] 30;
    "cmake" "CMakeLists.txt" Python ["PROJECT_NAME"] 25;
    "cpp" "sample.cpp" Python ["value_ \\* ?N"] 80;
    "css" "sample.css" Node ["url\\("] 40;
    "glsl" "sample.glsl" Node ["discard"] 45;
    "go" "sample.go" Python ["chan"] 60;
    "graphql" "sample.graphql" Node ["@limit"] 25;
    "haskell" "sample.hs" Python ["\\\\n"] 15;
    "html" "sample.html" Node ["<b>"] 80;
    "java" "sample.java" Node ["hashCode"] 60;
    "javascript" "sample.js" Node ["await", "typeof"] 60;
    "json" "sample.json" Python ["\\[\\]"] 4;
    "kotlin" "sample.kt" Python ["const val"] 25;
    "llvm" "sample.ll" Python ["icmp"] 60;
    "lua" "sample.lua" Node ["goto"] 40;
    "markdown" "sample.md" Node ["nested"] 20;
    "ocaml" "sample.ml" Node ["fold_left"] 20;
    "ocaml-interface" "sample.mli" Node ["\\?by"] 25;
    "php" "sample.php" Node ["self::LIMIT"] 60;
    "proto" "sample.proto" Node ["stream"] 50;
    "python" "sample.py" Python ["await", "lambda"] 60;
    "ruby" "sample.rb" Node ["even"] 30;
    "rust" "sample.rs" Python ["self.at.1"] 120;
    "scala" "sample.scala" Node ["\\byield\\b"] 30;
    "solidity" "sample.sol" Node ["msg.sender"] 80;
    "sql" "sample.sql" Python ["COUNT"] 30;
    "swift" "sample.swift" Python ["guard"] 15;
    "toml" "sample.toml" Python ["kind.name"] 20;
    "tsx" "sample.tsx" Node ["<b>"] 30;
    "typescript" "sample.ts" Node ["satisfies"] 30;
    "verilog" "sample.v" Python ["posedge reset"] 80;
    "wgsl" "sample.wgsl" Node ["break"] 15;
    "xml" "sample.xml" Python ["CDATA"] 30;
    "yaml" "sample.yaml" Node ["folded"] 10;
    "zig" "sample.zig" Python ["try"] 30;
];

/// Reduces the sample of a language; gives what is left.
fn reduce(row: &Row, oracles: &Oracles, folder: &std::path::Path) -> String {
    let samples = concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/../ablate-languages/tests/samples"
    );
    let out = folder.join(row.sample);
    let test = folder.join(format!("{}.test", row.language));
    // `read` of bash is all that it takes to ask.
    let script = format!(
        "#!/bin/bash\nexec 3<>/dev/tcp/127.0.0.1/{}\necho \"{} $1\" >&3\nread -r answer <&3\nexit \"$answer\"\n",
        oracles.port(row.oracle),
        row.language
    );
    fs::write(&test, script).unwrap();
    fs::set_permissions(&test, fs::Permissions::from_mode(0o755)).unwrap();
    let finished = Command::new(env!("CARGO_BIN_EXE_ablate"))
        .args([
            "-j2",
            "--max-tests",
            "600",
            "--language",
            row.language,
            "-o",
        ])
        .arg(&out)
        .arg(&test)
        .arg(format!("{samples}/{}", row.sample))
        .output()
        .unwrap();
    let said = String::from_utf8_lossy(&finished.stderr);
    let is_done = matches!(finished.status.code(), Some(0 | 4));
    assert!(is_done, "{}: {said}", row.language);
    fs::read_to_string(&out).unwrap()
}

#[test]
fn every_language_is_reduced_to_what_its_parser_still_reads() {
    let kept = ROWS.iter().map(|row| (row.language, row.kept));
    let oracles = Oracles::start(kept);
    let folder = tempfile::tempdir().unwrap();
    let mut wrong = Vec::new();
    for language in ablate_languages::LANGUAGES {
        let row = ROWS.iter().find(|row| row.language == language.name);
        let row = row.unwrap_or_else(|| panic!("nobody judges {}", language.name));
        let left = reduce(row, &oracles, folder.path());
        eprintln!("{} {} {left:?}", row.language, left.len());
        if left.len() > row.bytes {
            wrong.push((row.language, left.len(), left));
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}
