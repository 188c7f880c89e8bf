//! The languages that this build knows.

mod minimal;
pub(crate) mod required;

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
                patterns: OnceLock::new(),
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
    "c" "c" ["c" "h" "i" "cl"]
        [r#"^#include [<"]"# r"\bint main\(" "^typedef struct" "^(static|extern|struct|unsigned|int|void|char) .*[;{]$"]
        tree_sitter_c::LANGUAGE, tree_sitter_c::NODE_TYPES, minimal::C;
    "cpp" "cpp" ["cpp" "cc" "cxx" "c++" "hpp" "hh" "hxx" "ii" "cppm" "ixx" "cu" "cuh" "h++" "hip" "ino" "inl" "ipp" "metal" "tcc" "tpp" "txx"]
        ["^template ?<" r"^(inline )?namespace\b" r"^using (namespace )?[\w:]+" r"\bstd::" r"^class \w+" r"^#include <\w+>" "^ *(public|private|protected):"]
        tree_sitter_cpp::LANGUAGE, tree_sitter_cpp::NODE_TYPES, minimal::CPP;
    "rust" "rust" ["rs"]
        [r"^(pub )?fn \w+" r"^impl\b" r"^#!?\[" r"^use [\w:]+(::\{|;)" r"\blet (mut )?\w+.* = " r"^(pub )?(struct|enum|trait|mod) \w+"]
        tree_sitter_rust::LANGUAGE, tree_sitter_rust::NODE_TYPES, minimal::RUST;
    "python" "python" ["py" "pyi" "pyw" "bzl"]
        [r"\A#!.*python" r"^import [\w.]+$" r"^from [\w.]+ import " r"^ *def \w+\(.*:$" r"^ *(if|for|while|class|with|try|else)\b.*:$"]
        tree_sitter_python::LANGUAGE, tree_sitter_python::NODE_TYPES, minimal::PYTHON;
    "javascript" "javascript" ["js" "mjs" "cjs" "jsx"]
        [r"\A#!.*node" r"\bfunction\b.*\{" r"^ *(const|let|var) [\w{\[].* = " r#"^['"]use strict"# r"[\w)] ?=> ?[\w{(]" r"\brequire\("]
        tree_sitter_javascript::LANGUAGE, tree_sitter_javascript::NODE_TYPES, minimal::JAVASCRIPT;
    "typescript" "typescript" ["ts" "mts" "cts"]
        [r"^(export )?interface \w+" r"^(export )?type \w+.* = " r"\w+\??: (string|number|boolean|void|any)\b" r"^ *(const|let|var) \w+: "]
        tree_sitter_typescript::LANGUAGE_TYPESCRIPT, tree_sitter_typescript::TYPESCRIPT_NODE_TYPES, minimal::TYPESCRIPT;
    "typescript" "tsx" ["tsx"]
        []
        tree_sitter_typescript::LANGUAGE_TSX, tree_sitter_typescript::TSX_NODE_TYPES, minimal::TYPESCRIPT;
    "json" "json" ["json" "jsonl" "ndjson" "geojson" "ipynb" "jsonc" "har" "sarif"]
        [r#"\A[\[{]\s*["\[{]"# r#"^ *"[^"]*": "#]
        tree_sitter_json::LANGUAGE, tree_sitter_json::NODE_TYPES, minimal::JSON;
    "java" "java" ["java"]
        [r"\bpublic (final |abstract )?(class|interface|enum) " "^import (static )?java" "^ *public static void main" r"^package [\w.]+;"]
        tree_sitter_java::LANGUAGE, tree_sitter_java::NODE_TYPES, minimal::JAVA;
    "go" "go" ["go"]
        [r"^package \w+$" r"^func [\w(]" " := " r#"^import (\(|")"#]
        tree_sitter_go::LANGUAGE, tree_sitter_go::NODE_TYPES, minimal::GO;
    "c-sharp" "c-sharp" ["cs"]
        [r"^using [\w.]+;" r"^namespace [\w.]+" r"\b(public|internal|private) (static |sealed |partial )*(class|void|int|string)\b" r"\{ get; "]
        tree_sitter_c_sharp::LANGUAGE, tree_sitter_c_sharp::NODE_TYPES, minimal::C_SHARP;
    "ruby" "ruby" ["rb" "rake" "gemspec" "Rakefile" "Gemfile"]
        [r"\A#!.*ruby" r#"^ *require(_relative)? ['"]"# r"^ *def \w+[^:{]*$" "^ *end$" r"\bdo \|\w+" r"^ *attr_\w+ :"]
        tree_sitter_ruby::LANGUAGE, tree_sitter_ruby::NODE_TYPES, minimal::RUBY;
    "php" "php" ["php" "phtml"]
        [r"\A<\?php" r"<\?php" r"\$\w+ = " r"\$this->" r"\bfunction \w+\(.*\$"]
        tree_sitter_php::LANGUAGE_PHP, tree_sitter_php::PHP_NODE_TYPES, minimal::PHP;
    "ocaml" "ocaml" ["ml"]
        [r"^let (rec )?\w+.* =" r"\bmatch .* with$" r"^ *\| .* ->" ";;$" "^open [A-Z]"]
        tree_sitter_ocaml::LANGUAGE_OCAML, tree_sitter_ocaml::OCAML_NODE_TYPES, minimal::OCAML;
    "ocaml" "ocaml-interface" ["mli"]
        []
        tree_sitter_ocaml::LANGUAGE_OCAML_INTERFACE, tree_sitter_ocaml::INTERFACE_NODE_TYPES, minimal::OCAML;
    "graphql" "graphql" ["graphql" "gql" "graphqls"]
        [r"^(extend )?(type|input|interface|enum|union|scalar) [A-Z]\w*.*[{=]?$" r"^ +\w+(\(.*\))?: \[?[A-Z]\w*!?\]?!?" r"^(query|mutation|subscription|fragment) \w*.*\{$" r"^schema \{"]
        tree_sitter_graphql::LANGUAGE, tree_sitter_graphql::NODE_TYPES, minimal::GRAPHQL;
    "haskell" "haskell" ["hs"]
        [r"^\{-# LANGUAGE" r"^module [A-Z][\w.]*" r"^\w+ :: " "^import (qualified )?[A-Z]" "^ *where$" r"^data \w+"]
        tree_sitter_haskell::LANGUAGE, tree_sitter_haskell::NODE_TYPES, minimal::HASKELL;
    "scala" "scala" ["scala" "sc" "sbt"]
        [r"^(case )?(object|class) \w+" r"^ *def \w+.* =" r"^(sealed )?trait \w+" "^import scala"]
        tree_sitter_scala::LANGUAGE, tree_sitter_scala::NODE_TYPES, minimal::SCALA;
    "kotlin" "kotlin" ["kt" "kts"]
        [r"^ *(private |override )?fun [\w<(]" r"\bval \w+" "^data class " "^import kotlin"]
        tree_sitter_kotlin_ng::LANGUAGE, tree_sitter_kotlin_ng::NODE_TYPES, minimal::KOTLIN;
    "swift" "swift" ["swift"]
        ["^import (Foundation|SwiftUI|UIKit)" r"^ *func \w+" r"\b(let|var) \w+(: \w+)? = " "^ *(guard|if) let " r"^(struct|protocol|extension) \w+"]
        tree_sitter_swift::LANGUAGE, tree_sitter_swift::NODE_TYPES, minimal::SWIFT;
    "bash" "bash" ["sh" "bash" "zsh" "ksh"]
        [r"\A#!.*sh\b" "^ *(then|fi|done|esac)$" r"^ *if \[" r#"^\w+=\$?["(\w]"# r"^ *(echo |export \w+=|set -)"]
        tree_sitter_bash::LANGUAGE, tree_sitter_bash::NODE_TYPES, minimal::BASH;
    "sql" "sql" ["sql"]
        [r"(?i)^ *create (temp |temporary |unique )?(table|index|view)\b" r"(?i)^ *select\b" r"(?i)^ *insert into\b" r"(?i)^ *(update|delete from|drop|alter) \w+"]
        tree_sitter_sequel::LANGUAGE, tree_sitter_sequel::NODE_TYPES, minimal::SQL;
    "html" "html" ["html" "htm" "xhtml" "vue" "svelte"]
        ["(?i)<!doctype html" r"(?i)^ *<(html|head|body|div|p|script)\b" r"(?i)<(a|br|img|li|link|meta|span|td)\b" "(?i)</(a|body|div|head|html|p|span|td)>"]
        tree_sitter_html::LANGUAGE, tree_sitter_html::NODE_TYPES, minimal::NONE;
    "css" "css" ["css"]
        [r"^[.#*:]?[\w-][^;()=]*\{$" "^ *[a-z-]+: ?[^;{]+;" "^@(media|import|font-face)"]
        tree_sitter_css::LANGUAGE, tree_sitter_css::NODE_TYPES, minimal::NONE;
    "xml" "xml" ["xml" "svg" "xsd" "xsl" "xslt" "wsdl" "rss" "plist"]
        [r"\A<\?xml" r"^ *<\w+:\w+" r"\bxmlns(:\w+)?="]
        tree_sitter_xml::LANGUAGE_XML, tree_sitter_xml::XML_NODE_TYPES, minimal::XML;
    "yaml" "yaml" ["yaml" "yml"]
        [r"\A---$" r"^[\w.-]+:$" r"^[\w.-]+: [^;{]+$" r"^ +(- )?[\w.-]+: [^;{]+$" r#"^ *- [\w"]"#]
        tree_sitter_yaml::LANGUAGE, tree_sitter_yaml::NODE_TYPES, minimal::NONE;
    "toml" "toml" ["toml"]
        [r#"^\[\[?[\w."-]+\]\]?$"# r#"^[\w."-]+ = "#]
        tree_sitter_toml_ng::LANGUAGE, tree_sitter_toml_ng::NODE_TYPES, minimal::TOML;
    "markdown" "markdown" ["md" "markdown" "mdx"]
        [r"^#{1,6} \w" "^```" r"^[*-] \w" r"\]\(\S+\)" r"^\d+\. \w"]
        tree_sitter_md::LANGUAGE, tree_sitter_md::NODE_TYPES_BLOCK, minimal::NONE;
    "proto" "proto" ["proto"]
        [r#"^syntax = "proto\d""# r"^ *(message|service|enum|oneof) \w+ *\{" r"^ *(optional |repeated |required )?[\w.]+ \w+ = \d+.*;" r#"^import "[\w/.]+\.proto";"#]
        tree_sitter_proto::LANGUAGE, tree_sitter_proto::NODE_TYPES, minimal::PROTO;
    "lua" "lua" ["lua"]
        [r"\blocal \w+" r"(^|[\s=(,])function\b[^{]*$" r"\bthen$" "^ *end$"]
        tree_sitter_lua::LANGUAGE, tree_sitter_lua::NODE_TYPES, minimal::LUA;
    "zig" "zig" ["zig" "zon"]
        [r#"@import\(""# r"^ *(pub )?const \w+ = " r"^ *(pub )?fn \w+\(.*\{$"]
        tree_sitter_zig::LANGUAGE, tree_sitter_zig::NODE_TYPES, minimal::ZIG;
    "solidity" "solidity" ["sol"]
        ["^pragma solidity" r"^ *(abstract )?(contract|library|interface) \w+" r"\buint(256)?\b" r"\bmapping\("]
        tree_sitter_solidity::LANGUAGE, tree_sitter_solidity::NODE_TYPES, minimal::SOLIDITY;
    "verilog" "verilog" ["v" "sv" "vh" "svh"]
        [r"^ *module \w+" "^ *endmodule" r"\balways\b" r"^ *(wire|reg|input|output|assign)\b"]
        tree_sitter_verilog::LANGUAGE, tree_sitter_verilog::NODE_TYPES, minimal::VERILOG;
    "llvm" "llvm" ["ll"]
        ["^; ModuleID" "^target (datalayout|triple)" "^(define|declare) " r"^ *%[\w.]+ = "]
        tree_sitter_llvm::LANGUAGE, tree_sitter_llvm::NODE_TYPES, minimal::LLVM;
    "wgsl" "wgsl" ["wgsl"]
        [r"@(compute|fragment|vertex|group|binding|builtin)\b" r"\bvec[234](<f32>|f)" r"^fn \w+"]
        tree_sitter_wgsl_bevy::LANGUAGE, tree_sitter_wgsl_bevy::NODE_TYPES, minimal::WGSL;
    "glsl" "glsl" ["glsl" "vert" "frag" "comp" "geom" "tesc" "tese" "mesh" "rgen" "rchit" "rmiss"]
        ["^#version " r"^(layout|uniform|in|out|varying|attribute)\b" r"\bvec[234]\b" r"\bgl_\w+"]
        tree_sitter_glsl::LANGUAGE_GLSL, tree_sitter_glsl::NODE_TYPES, minimal::C;
    "cmake" "cmake" ["cmake" "CMakeLists.txt"]
        ["(?i)^ *cmake_minimum_required" r"(?i)^ *(project|add_executable|add_library|target_\w+|set)\("]
        tree_sitter_cmake::LANGUAGE, tree_sitter_cmake::NODE_TYPES, minimal::NONE;
}

/// The language of this name, if this build has it.
pub fn find(name: &str) -> Option<&'static Language> {
    LANGUAGES.iter().find(|language| language.name == name)
}
