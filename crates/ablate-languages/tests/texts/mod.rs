//! Texts that passes and parsers are tried on: a sample of each language, and what means ill.

#![allow(dead_code, reason = "each test target uses its own part of it")]

macro_rules! samples {
    ($($language:literal $file:literal)*) => {
        /// The samples: languages with the names and the contents of their files.
        pub const SAMPLES: &[(&str, &str, &str)] =
            &[$(($language, $file, include_str!(concat!("../samples/", $file)))),*];
    };
}

samples! {
    "bash" "sample.sh"
    "c" "sample.c"
    "c-sharp" "sample.cs"
    "cmake" "CMakeLists.txt"
    "cpp" "sample.cpp"
    "css" "sample.css"
    "glsl" "sample.glsl"
    "go" "sample.go"
    "graphql" "sample.graphql"
    "haskell" "sample.hs"
    "html" "sample.html"
    "java" "sample.java"
    "javascript" "sample.js"
    "json" "sample.json"
    "kotlin" "sample.kt"
    "llvm" "sample.ll"
    "lua" "sample.lua"
    "markdown" "sample.md"
    "ocaml" "sample.ml"
    "ocaml-interface" "sample.mli"
    "php" "sample.php"
    "proto" "sample.proto"
    "python" "sample.py"
    "ruby" "sample.rb"
    "rust" "sample.rs"
    "scala" "sample.scala"
    "solidity" "sample.sol"
    "sql" "sample.sql"
    "swift" "sample.swift"
    "toml" "sample.toml"
    "tsx" "sample.tsx"
    "typescript" "sample.ts"
    "verilog" "sample.v"
    "wgsl" "sample.wgsl"
    "xml" "sample.xml"
    "yaml" "sample.yaml"
    "zig" "sample.zig"
}

/// The sample of a language.
pub fn sample(language: &str) -> &'static str {
    let sample = SAMPLES.iter().find(|sample| sample.0 == language);
    sample.map_or("", |sample| sample.2)
}

/// Small texts that are in no language.
pub const HOSTILE: &[&[u8]] = &[
    b"",
    b"\n",
    b" ",
    b"\xff",
    b"\xff\xfe\x00\x80\x80\xc3(\xe2\x82",
    b"((]{)}[",
    b")))](((",
    b"'\"`'\"`\\'\"\"\"",
    b"\0\0\0",
    b"((((((((()))))))))",
    b"a a a a,,,, ;;;; 0 0",
    "naïve «x» 中文 \u{feff}\u{2028}".as_bytes(),
    b"<a><b></a></b>",
    b"\t\n \t\n  \n\t x:\n y:\n  z",
];

/// What nests so deeply that nothing may go down there by recursion.
pub fn deep() -> Vec<Vec<u8>> {
    const DEPTH: usize = 50_000;
    let opened = |open: &str| open.repeat(DEPTH).into_bytes();
    let nested = |open: &str, close: &str| {
        [open.repeat(DEPTH), "a".to_owned(), close.repeat(DEPTH)]
            .concat()
            .into_bytes()
    };
    vec![
        opened("("),
        opened("{"),
        nested("[", "]"),
        nested("{", "}"),
        nested("(", ")"),
        nested("<a>", "</a>"),
        nested("f(", ")"),
    ]
}
