//! In JavaScript and TypeScript, which declaration a name means: that of the innermost scope around it which
//! declares it (ECMA-262, 8.2 "Scope Analysis" and 14). Minified code depends on that most, where every function
//! calls its variables `e`, `t` and `n`: without it everything there would be needed by everything else.

use std::collections::BTreeMap;

use crate::modules::LANGUAGES;
use crate::tree::SyntaxTree;

/// Nodes in which their parameters and all `var` mean something, by the ends of their kinds.
const FUNCTIONS: &[&str] = &[
    "arrow_function",
    "call_signature",
    "class_static_block",
    "construct_signature",
    "constructor_type",
    "function_declaration",
    "function_expression",
    "function_signature",
    "function_type",
    "generator_function",
    "method_definition",
    "method_signature",
];
/// Other nodes in which what they declare means something, by the ends of their kinds.
const BLOCKS: &[&str] = &[
    "catch_clause",
    "class",
    "class_declaration",
    "for_in_statement",
    "for_statement",
    "interface_declaration",
    "statement_block",
    "switch_body",
    "type_alias_declaration",
];
/// What a block is the body of whose declarations others can name.
const SPACES: [&str; 3] = ["ambient_declaration", "internal_module", "module"];
/// How deep a name may stand in a pattern that declares it.
const PATTERN_DEPTH: usize = 16;

/// Which names of a text are declared within something, and in what.
#[derive(Debug, Default)]
pub(crate) struct Scopes {
    /// The nodes that are such names, each with the node of its scope, in the order of the text.
    of: Vec<(u32, u32)>,
}

impl Scopes {
    /// The scopes of a text; none in a language of which they are not known.
    pub fn of(text: &[u8], tree: &SyntaxTree) -> Scopes {
        if !LANGUAGES.iter().any(|language| tree.is_in(language)) {
            return Scopes::default();
        }
        let around = Around::of(tree);
        let mut places: BTreeMap<&[u8], Vec<usize>> = BTreeMap::new();
        for number in (0..tree.nodes().len()).filter(|&number| is_variable(tree, number)) {
            let name = &text[tree.nodes()[number].range()];
            places.entry(name).or_default().push(number);
        }
        let mut of = Vec::new();
        for places in places.values() {
            around.resolve(places, &mut of);
        }
        of.sort_unstable();
        Scopes { of }
    }

    /// Whether no name is declared within something.
    pub fn is_empty(&self) -> bool {
        self.of.is_empty()
    }

    /// The node of the scope that declares the name at a node; `None` where that is outside of all.
    pub fn at(&self, node: usize) -> Option<u32> {
        let found = self.of.binary_search_by_key(&(node as u32), |it| it.0);
        found.ok().map(|found| self.of[found].1)
    }
}

/// What is around each node.
struct Around<'a> {
    tree: &'a SyntaxTree,
    /// The innermost scope; the root where there is none, or what that declares can be named from outside.
    scopes: Vec<u32>,
    /// The innermost function, or the root.
    functions: Vec<u32>,
}

impl<'a> Around<'a> {
    fn of(tree: &'a SyntaxTree) -> Around<'a> {
        let mut scopes = vec![0; tree.nodes().len()];
        let mut functions = scopes.clone();
        for (number, node) in tree.nodes().iter().enumerate().skip(1) {
            let parent = node.parent as usize;
            let (kind, outer) = (tree.kind_name(node), tree.kind(parent));
            let is = |kinds: &[&str]| node.is_named && kinds.iter().any(|end| kind.ends_with(end));
            let is_block = kind == "statement_block";
            let is_body = is_block && parent > 0 && functions[parent] as usize == parent;
            (scopes[number], functions[number]) = if is(FUNCTIONS) {
                (number as u32, number as u32)
            } else if is_block && SPACES.contains(&outer) {
                (0, 0)
            } else if is(BLOCKS) && !is_body {
                (number as u32, functions[parent])
            } else {
                (scopes[parent], functions[parent])
            };
        }
        Around {
            tree,
            scopes,
            functions,
        }
    }

    /// Finds the scopes of the places of one name.
    fn resolve(&self, places: &[usize], of: &mut Vec<(u32, u32)>) {
        let declared: Vec<Option<u32>> = places.iter().map(|&it| self.declared_in(it)).collect();
        let mut scopes: Vec<u32> = declared.iter().flatten().copied().collect();
        scopes.sort_unstable();
        scopes.dedup();
        let mut scopes = scopes.into_iter().peekable();
        let mut open: Vec<u32> = Vec::new();
        for (&place, declared) in places.iter().zip(declared) {
            while let Some(scope) = scopes.next_if(|&scope| scope as usize <= place) {
                open.push(scope);
            }
            let is_over =
                |scope: &mut u32| self.tree.nodes()[*scope as usize].next as usize <= place;
            while open.pop_if(is_over).is_some() {}
            let scope = declared.or(open.last().copied());
            of.extend(
                scope
                    .filter(|&scope| scope != 0)
                    .map(|scope| (place as u32, scope)),
            );
        }
    }

    /// The scope in which a name is declared where it stands, if it is.
    fn declared_in(&self, name: usize) -> Option<u32> {
        let tree = self.tree;
        let pattern = tree.and_around(name).take(PATTERN_DEPTH);
        for at in pattern {
            let parent = tree.nodes()[at].parent as usize;
            let around = tree.nodes()[parent].parent as usize;
            match (tree.kind(parent), tree.field_name(&tree.nodes()[at])) {
                ("object_pattern" | "array_pattern" | "rest_pattern", _)
                | ("pair_pattern", Some("value"))
                | ("assignment_pattern" | "object_assignment_pattern", Some("left"))
                | ("required_parameter" | "optional_parameter", Some("pattern")) => {}
                ("arrow_function" | "catch_clause", Some("parameter"))
                | ("class" | "function_expression" | "generator_function", Some("name")) => {
                    return Some(parent as u32);
                }
                ("formal_parameters", _) | ("type_parameter", Some("name")) => {
                    return Some(self.scopes[parent]);
                }
                ("for_in_statement", Some("left")) => {
                    let kind = tree.part(parent, "kind")?;
                    return Some(match tree.kind(kind) {
                        "var" => self.functions[parent],
                        _ => parent as u32,
                    });
                }
                ("variable_declarator", Some("name")) => {
                    return Some(match tree.kind(around) {
                        "variable_declaration" => self.functions[around],
                        _ => self.scopes[around],
                    });
                }
                (kind, Some("name")) if kind.ends_with("_declaration") => {
                    let is_function = kind.ends_with("function_declaration");
                    let outer = if is_function {
                        &self.functions
                    } else {
                        &self.scopes
                    };
                    return Some(outer[around]);
                }
                ("function_signature", Some("name")) => return Some(self.functions[around]),
                _ => return None,
            }
        }
        None
    }
}

/// Whether a node is a name of something that is no part of something else.
fn is_variable(tree: &SyntaxTree, number: usize) -> bool {
    matches!(
        tree.kind(number),
        "identifier"
            | "shorthand_property_identifier"
            | "shorthand_property_identifier_pattern"
            | "type_identifier"
    )
}

#[cfg(test)]
mod tests {
    use ablate_engine::target::Target;

    use super::*;
    use crate::find;
    use crate::tree::Syntax;

    /// The text with the names that mean the same counted: each with a number of its own behind it.
    fn counted(language: &str, text: &str) -> String {
        let syntax = Syntax::new(find(language).unwrap());
        let tree = syntax.tree(&Target::new(text.as_bytes().to_vec()));
        let scopes = Scopes::of(text.as_bytes(), &tree);
        let mut seen = BTreeMap::new();
        let mut out = String::new();
        let mut at = 0;
        for number in (0..tree.nodes().len()).filter(|&number| is_variable(&tree, number)) {
            let range = tree.nodes()[number].range();
            let key = (text[range.clone()].to_owned(), scopes.at(number));
            let of_name = seen
                .keys()
                .filter(|it: &&(String, _)| it.0 == key.0)
                .count();
            let count = *seen.entry(key).or_insert(of_name);
            out += &text[at..range.end];
            out += &count.to_string();
            at = range.end;
        }
        out + &text[at..]
    }

    #[test]
    fn a_name_means_what_the_innermost_scope_declares() {
        for (text, expected) in [
            (
                "var a; function b(a) { return a } a",
                "var a0; function b0(a1) { return a1 } a0",
            ),
            ("a => a; b => a", "a0 => a0; b0 => a1"),
            (
                "a; { let a; { a } var b } b",
                "a0; { let a1; { a1 } var b0 } b0",
            ),
            (
                "function f() { { var a } a } a; f",
                "function f0() { { var a0 } a0 } a1; f0",
            ),
            (
                "for (let a of a) a; for (a of b) a; for (var b in a);",
                "for (let a0 of a0) a0; for (a1 of b0) a1; for (var b0 in a1);",
            ),
            ("try { a } catch (a) { a }", "try { a0 } catch (a1) { a1 }"),
            (
                "function f({ a, b: c, ...d }, [e = a]) { a; b; c; d; e } a; c; d; e",
                "function f0({ a0, b: c0, ...d0 }, [e0 = a0]) { a0; b0; c0; d0; e0 } a1; c1; d1; e1",
            ),
            (
                "(class a { f() { a } }); a",
                "(class a0 { f() { a0 } }); a1",
            ),
            (
                "x = function a() { function a() {} a }; a",
                "x0 = function a0() { function a0() {} a0 }; a1",
            ),
            (
                "{ let a; [a] = [1]; x({ a, a: a }) }",
                "{ let a0; [a0] = [1]; x0({ a0, a: a0 }) }",
            ),
        ] {
            assert_eq!(counted("javascript", text), expected);
        }
    }

    #[test]
    fn types_have_parameters_and_what_a_namespace_declares_can_be_named() {
        for (text, expected) in [
            ("type A<T> = T; let x: T", "type A0<T0> = T0; let x0: T1"),
            (
                "interface I<T> { f<U>(a: T, b: U): U } let x: T, y: U",
                "interface I0<T0> { f<U0>(a0: T0, b0: U0): U0 } let x0: T1, y0: U1",
            ),
            (
                "namespace N { const a = 1; function f(a) { a } } N.a; a",
                "namespace N0 { const a0 = 1; function f0(a1) { a1 } } N0.a; a0",
            ),
        ] {
            assert_eq!(counted("typescript", text), expected);
        }
    }
}
