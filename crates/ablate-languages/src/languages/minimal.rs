//! The simplest things that can stand where something else stands, by language.

use crate::language::Minimal;

macro_rules! minimal {
    ($($name:ident: $($($of:literal)+ => $($text:literal)+;)*)*) => {
        $(
            #[allow(dead_code, reason = "which ones are used depends on the languages of the build")]
            pub(super) const $name: &[Minimal] =
                &[$(Minimal { of: &[$($of),+], texts: &[$($text),+] }),*];
        )*
    };
}

pub(super) const NONE: &[Minimal] = &[];

minimal! {
C:
    "body:compound_statement" => ";" "{}";
    "compound_statement" => "{}" ";";
    "_statement" => ";";
    "_type_specifier" => "int";
    "expression" => "0";
    "initializer_list" => "{}" "0";
CPP:
    "body:compound_statement" => ";" "{}";
    "body:field_declaration_list" => "{}";
    "compound_statement" => "{}" ";";
    "statement" => ";";
    "type_specifier" "type_descriptor" => "int";
    "expression" => "0" "{}";
    "initializer_list" => "{}" "0";
RUST:
    "body:block" => "{}" "{loop{}}" "{panic!()}";
    "block" => "{}";
    "_expression" => "0" "()" "loop{}" "panic!()";
    "_type" => "()" "u8";
    "_pattern" => "_";
    "_declaration_statement" => ";";
PYTHON:
    "body:block" => "0" "..." "pass";
    "_simple_statement" => "0" "pass";
    "_compound_statement" => "0" "pass";
    "expression" "primary_expression" => "0" "..." "None";
    "type" => "a";
JAVASCRIPT:
    "statement_block" => "{}";
    "statement" => ";" "{}";
    "expression" "primary_expression" => "0" "a" "{}";
    "class_body" => "{}";
TYPESCRIPT:
    "body:statement_block" => "{}" "{throw 0}";
    "statement_block" => "{}";
    "statement" => ";" "{}";
    "expression" "primary_expression" => "0" "a" "{}";
    "class_body" "interface_body" => "{}";
    "type" "primary_type" => "a" "any" "{}";
JSON:
    "_value" => "0" "{}" "[]" "\"\"" "null";
JAVA:
    "body:block" => "{}" "{throw null;}";
    "block" "constructor_body" "class_body" => "{}";
    "statement" => ";" "{}";
    "expression" "primary_expression" => "0" "null";
    "_type" => "int" "A";
GO:
    "body:block" => "{}" "{panic(0)}";
    "block" => "{}";
    "_statement" => "";
    "_expression" => "0" "nil";
    "_type" "_simple_type" => "int";
C_SHARP:
    "body:block" => "{}" "{throw null;}";
    "block" => "{}" ";";
    "statement" => ";" "{}";
    "expression" => "0" "null";
    "type" => "int";
RUBY:
    "_statement" "_expression" "_arg" "_primary" => "0" "nil" "a";
PHP:
    "compound_statement" => "{}" ";";
    "statement" => ";";
    "expression" "primary_expression" => "0" "A";
OCAML:
    "_expression" => "0" "()";
    "_type" => "int" "'a";
    "_pattern" => "_";
HASKELL:
    "expression" => "0" "()" "a";
    "type" => "()" "a";
    "pattern" => "_";
SCALA:
    "body:block" "body:indented_block" => "()" "???";
    "block" "template_body" => "{}" "()";
    "_expression" "expression" => "0" "()" "???";
    "_type" => "Int" "A";
KOTLIN:
    "body:block" => "{}" "{throw Error()}";
    "function_body" => "{}" "=0";
    "block" "class_body" => "{}";
    "expression" "primary_expression" => "0" "null";
    "type" => "Int";
SWIFT:
    "body:function_body" => "{}" "{fatalError()}";
    "function_body" "class_body" => "{}";
    "expression" "primary_expression" => "0" "nil";
    "type" => "Int" "A";
BASH:
    "_statement" => ":";
    "_primary_expression" => "a" "0";
SQL:
    "_expression" "expression" "term" => "0" "1" "*" "NULL" "a";
    "subquery" => "a";
TOML:
    "string" "integer" "float" "boolean" "array" "inline_table" "local_date" "offset_date_time" => "0" "\"\"" "[]" "{}";
LUA:
    "statement" => ";";
    "expression" => "0" "a" "{}" "nil";
ZIG:
    "body:block" => "{}" "{unreachable;}";
    "block" => "{}";
    "expression" "primary_type_expression" => "0" "u8" "{}" "undefined";
SOLIDITY:
    "function_body" => "{}" ";";
    "contract_body" => "{}";
    "type_name" => "int";
    "statement" => ";" "{}";
    "expression" => "0" "a";
VERILOG:
    "expression" "constant_expression" => "0" "a";
    "statement" "statement_or_null" => ";";
GRAPHQL:
    "type" => "Int" "A";
    "value" => "0" "\"\"" "[]" "{}";
    "description" => "";
PROTO:
    "type" => "int32";
    "constant" => "0" "\"\"";
LLVM:
    "body:function_body" => "";
    "instruction" => "unreachable";
    "value" => "undef" "0" "null";
WGSL:
    "compound_statement" => "{}";
    "type_declaration" => "i32" "f32";
    "expression" => "0" "1.0";
XML:
    "contentspec" => "ANY" "EMPTY";
    "DefaultDecl" => "#IMPLIED";
}
