//! The languages that this build knows.

mod minimal;

use std::sync::OnceLock;

use crate::language::Language;

macro_rules! languages {
    ($($feature:literal $name:literal [$($extension:literal)*] [$($hint:literal)*]
        $grammar:expr, $node_types:expr, $minimal:expr;)*) => {
        const NAMES: &[&str] = &[$(#[cfg(feature = $feature)] $name),*];

        static OF_THIS_BUILD: [Language; NAMES.len()] = [$(
            #[cfg(feature = $feature)]
            Language {
                name: $name,
                extensions: &[$($extension),*],
                hints: &[$($hint),*],
                grammar: || $grammar.into(),
                node_types: $node_types,
                minimal: $minimal,
                facts: OnceLock::new(),
            },
        )*];

        /// Every language of this build.
        pub static LANGUAGES: &[Language] = &OF_THIS_BUILD;


    };
}

languages! {
    "c" "c" ["c" "h" "i"] ["#include" "int main("]
        tree_sitter_c::LANGUAGE, tree_sitter_c::NODE_TYPES, minimal::C;
    "cpp" "cpp" ["cpp" "cc" "cxx" "c++" "hpp" "hh" "hxx" "ii" "cppm" "ixx" "cu" "inl" "ipp" "tcc"]
        ["template<" "template <" "namespace " "using " "std::" "class " "#include <vector>" "#include <iostream>"]
        tree_sitter_cpp::LANGUAGE, tree_sitter_cpp::NODE_TYPES, minimal::CPP;
    "rust" "rust" ["rs"] ["fn main()" "impl " "pub fn " "#![feature" "use std::"]
        tree_sitter_rust::LANGUAGE, tree_sitter_rust::NODE_TYPES, minimal::RUST;
    "python" "python" ["py" "pyi" "pyw"] ["#!/usr/bin/env python" "import " "def " "from __future__"]
        tree_sitter_python::LANGUAGE, tree_sitter_python::NODE_TYPES, minimal::PYTHON;
    "javascript" "javascript" ["js" "mjs" "cjs" "jsx"] ["#!/usr/bin/env node" "function " "const " "'use strict'"]
        tree_sitter_javascript::LANGUAGE, tree_sitter_javascript::NODE_TYPES, minimal::JAVASCRIPT;
    "typescript" "typescript" ["ts" "mts" "cts"] ["interface "]
        tree_sitter_typescript::LANGUAGE_TYPESCRIPT, tree_sitter_typescript::TYPESCRIPT_NODE_TYPES, minimal::TYPESCRIPT;
    "typescript" "tsx" ["tsx"] []
        tree_sitter_typescript::LANGUAGE_TSX, tree_sitter_typescript::TSX_NODE_TYPES, minimal::TYPESCRIPT;
    "json" "json" ["json" "jsonl" "ndjson" "geojson" "ipynb"] ["{\"" "[{" "{\n  \""]
        tree_sitter_json::LANGUAGE, tree_sitter_json::NODE_TYPES, minimal::JSON;
    "java" "java" ["java"] ["public class " "import java."]
        tree_sitter_java::LANGUAGE, tree_sitter_java::NODE_TYPES, minimal::JAVA;
    "go" "go" ["go"] ["package main"]
        tree_sitter_go::LANGUAGE, tree_sitter_go::NODE_TYPES, minimal::GO;
    "c-sharp" "c-sharp" ["cs"] ["using System" "namespace " "    [" "  public class "]
        tree_sitter_c_sharp::LANGUAGE, tree_sitter_c_sharp::NODE_TYPES, minimal::C_SHARP;
    "ruby" "ruby" ["rb" "rake" "gemspec" "Rakefile" "Gemfile"] ["#!/usr/bin/env ruby" "require '"]
        tree_sitter_ruby::LANGUAGE, tree_sitter_ruby::NODE_TYPES, minimal::RUBY;
    "php" "php" ["php" "phtml"] ["<?php"]
        tree_sitter_php::LANGUAGE_PHP, tree_sitter_php::PHP_NODE_TYPES, minimal::PHP;
    "ocaml" "ocaml" ["ml"] ["let rec "]
        tree_sitter_ocaml::LANGUAGE_OCAML, tree_sitter_ocaml::OCAML_NODE_TYPES, minimal::OCAML;
    "ocaml" "ocaml-interface" ["mli"] []
        tree_sitter_ocaml::LANGUAGE_OCAML_INTERFACE, tree_sitter_ocaml::INTERFACE_NODE_TYPES, minimal::OCAML;
    "haskell" "haskell" ["hs"] ["{-# LANGUAGE" "module Main"]
        tree_sitter_haskell::LANGUAGE, tree_sitter_haskell::NODE_TYPES, minimal::HASKELL;
    "scala" "scala" ["scala" "sc" "sbt"] []
        tree_sitter_scala::LANGUAGE, tree_sitter_scala::NODE_TYPES, minimal::SCALA;
    "kotlin" "kotlin" ["kt" "kts"] ["fun main("]
        tree_sitter_kotlin_ng::LANGUAGE, tree_sitter_kotlin_ng::NODE_TYPES, minimal::KOTLIN;
    "swift" "swift" ["swift"] ["import Foundation"]
        tree_sitter_swift::LANGUAGE, tree_sitter_swift::NODE_TYPES, minimal::SWIFT;
    "bash" "bash" ["sh" "bash" "zsh" "ksh"] ["#!/bin/sh" "#!/bin/bash" "#!/usr/bin/env bash"]
        tree_sitter_bash::LANGUAGE, tree_sitter_bash::NODE_TYPES, minimal::BASH;
    "sql" "sql" ["sql"] ["CREATE TABLE" "SELECT " "INSERT INTO"]
        tree_sitter_sequel::LANGUAGE, tree_sitter_sequel::NODE_TYPES, minimal::SQL;
    "html" "html" ["html" "htm" "xhtml"] ["<!DOCTYPE html" "<html"]
        tree_sitter_html::LANGUAGE, tree_sitter_html::NODE_TYPES, minimal::NONE;
    "css" "css" ["css"] []
        tree_sitter_css::LANGUAGE, tree_sitter_css::NODE_TYPES, minimal::NONE;
    "xml" "xml" ["xml" "svg" "xsd" "xsl" "rss" "plist"] ["<?xml"]
        tree_sitter_xml::LANGUAGE_XML, tree_sitter_xml::XML_NODE_TYPES, minimal::NONE;
    "yaml" "yaml" ["yaml" "yml"] ["---\n"]
        tree_sitter_yaml::LANGUAGE, tree_sitter_yaml::NODE_TYPES, minimal::NONE;
    "toml" "toml" ["toml"] []
        tree_sitter_toml_ng::LANGUAGE, tree_sitter_toml_ng::NODE_TYPES, minimal::TOML;
    "markdown" "markdown" ["md" "markdown"] []
        tree_sitter_md::LANGUAGE, tree_sitter_md::NODE_TYPES_BLOCK, minimal::NONE;
    "lua" "lua" ["lua"] ["local "]
        tree_sitter_lua::LANGUAGE, tree_sitter_lua::NODE_TYPES, minimal::LUA;
    "zig" "zig" ["zig" "zon"] ["@import(\"std\")"]
        tree_sitter_zig::LANGUAGE, tree_sitter_zig::NODE_TYPES, minimal::ZIG;
    "solidity" "solidity" ["sol"] ["pragma solidity"]
        tree_sitter_solidity::LANGUAGE, tree_sitter_solidity::NODE_TYPES, minimal::SOLIDITY;
    "verilog" "verilog" ["v" "sv" "vh" "svh"] ["endmodule"]
        tree_sitter_verilog::LANGUAGE, tree_sitter_verilog::NODE_TYPES, minimal::VERILOG;
    "llvm" "llvm" ["ll"] ["; ModuleID" "target datalayout"]
        tree_sitter_llvm::LANGUAGE, tree_sitter_llvm::NODE_TYPES, minimal::LLVM;
    "wgsl" "wgsl" ["wgsl"] ["@compute" "@fragment" "@vertex"]
        tree_sitter_wgsl_bevy::LANGUAGE, tree_sitter_wgsl_bevy::NODE_TYPES, minimal::WGSL;
    "glsl" "glsl" ["glsl" "vert" "frag" "comp" "geom" "tesc" "tese"] ["#version "]
        tree_sitter_glsl::LANGUAGE_GLSL, tree_sitter_glsl::NODE_TYPES, minimal::C;
    "cmake" "cmake" ["cmake" "CMakeLists.txt"] ["cmake_minimum_required"]
        tree_sitter_cmake::LANGUAGE, tree_sitter_cmake::NODE_TYPES, minimal::NONE;
}

/// The language of this name, if this build has it.
pub fn find(name: &str) -> Option<&'static Language> {
    LANGUAGES.iter().find(|language| language.name == name)
}
