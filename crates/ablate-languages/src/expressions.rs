//! The bodies of functions that are expressions and can become one that is of any type, such as `undefined`:
//! those of which it is said elsewhere what they give, or doesn't have to be.

use std::collections::BTreeSet;

use crate::bodies::BLOCKS;
use crate::tree::SyntaxTree;

type Finder = fn(&[u8], &SyntaxTree) -> Vec<Expression>;

/// The languages in which such bodies are found, with what finds them in the order of the text.
const FINDERS: &[(&str, Finder)] = &[
    ("haskell", of_haskell),
    ("kotlin", |_, tree| each(tree, of_kotlin)),
    ("ocaml", |_, tree| each(tree, of_ocaml)),
    ("scala", |_, tree| each(tree, of_scala)),
];

fn each(
    tree: &SyntaxTree,
    of: impl Fn(&SyntaxTree, usize) -> Option<Expression>,
) -> Vec<Expression> {
    let nodes = 1..tree.nodes().len();
    nodes.filter_map(|number| of(tree, number)).collect()
}

/// Whether such bodies are found in the language of this name.
pub(crate) fn has_expressions(language: &str) -> bool {
    FINDERS.iter().any(|finder| finder.0 == language)
}

/// The body of a function, an expression.
pub(crate) struct Expression {
    pub function: usize,
    /// Its first node, and the last one beside it: in Haskell a function may have one for each of its guards,
    /// and what they name behind them.
    pub first: usize,
    pub last: usize,
    /// What stands in its place then.
    pub hollow: &'static str,
}

impl Expression {
    /// All there are, in the order of the text.
    pub fn all(text: &[u8], tree: &SyntaxTree) -> Vec<Expression> {
        let finder = FINDERS.iter().find(|finder| tree.is_in(finder.0));
        finder.map_or_else(Vec::new, |(_, find)| find(text, tree))
    }

    /// The nodes that it has, of those that have names.
    pub fn parts(&self, tree: &SyntaxTree) -> impl Iterator<Item = usize> {
        let around = tree.nodes()[self.first].parent as usize;
        let parts = tree.children(around);
        parts.filter(|part| (self.first..=self.last).contains(part) && tree.nodes()[*part].is_named)
    }

    fn single(function: usize, node: usize, hollow: &'static str) -> Expression {
        Expression {
            function,
            first: node,
            last: node,
            hollow,
        }
    }
}

/// Whether a node has a part of this kind.
fn has(tree: &SyntaxTree, node: usize, kind: &str) -> bool {
    tree.children(node).any(|part| tree.kind(part) == kind)
}

/// What stands behind `=` in Kotlin, whose grammar has no names for parts.
fn of_kotlin(tree: &SyntaxTree, number: usize) -> Option<Expression> {
    let nodes = tree.nodes();
    let body = nodes[number].parent as usize;
    let is_body = tree.kind(body) == "function_body" && nodes[number].is_named;
    if !is_body || tree.kind(number) == "block" {
        return None;
    }
    let function = nodes[body].parent as usize;
    let mut beside = tree.children(nodes[function].parent as usize);
    let mut is_of_typed =
        || beside.any(|part| tree.kind(part) == "variable_declaration" && has(tree, part, ":"));
    let is_said = has(tree, function, ":") || tree.kind(function) == "getter" && is_of_typed();
    is_said.then(|| Expression::single(function, number, "throw Error()"))
}

fn of_scala(tree: &SyntaxTree, number: usize) -> Option<Expression> {
    let function = body_of(tree, number, &["function_definition"])?;
    let is_block = BLOCKS.iter().any(|part| tree.kind(number).contains(part));
    let can_go = !is_block && says_what_it_gives(tree, function);
    can_go.then(|| Expression::single(function, number, "???"))
}

fn of_ocaml(tree: &SyntaxTree, number: usize) -> Option<Expression> {
    let function = body_of(tree, number, &["let_binding", "method_definition"])?;
    let is_value = tree.kind(function) == "let_binding" && !has(tree, function, "parameter");
    (!is_value).then(|| Expression::single(function, number, "assert false"))
}

/// The function of one of these kinds that a node is the body of.
fn body_of(tree: &SyntaxTree, number: usize, kinds: &[&str]) -> Option<usize> {
    let node = &tree.nodes()[number];
    let function = node.parent as usize;
    let is_body = kinds.contains(&tree.kind(function)) && tree.field_name(node) == Some("body");
    is_body.then_some(function)
}

/// Whether it stands behind the head of a function in Scala what it gives.
pub(crate) fn says_what_it_gives(tree: &SyntaxTree, function: usize) -> bool {
    tree.part(function, "return_type").is_some()
}

/// Those in Haskell.
fn of_haskell(text: &[u8], tree: &SyntaxTree) -> Vec<Expression> {
    let expression = |function: usize| {
        let mut parts = tree.children(function);
        let first = parts.find(|&part| tree.kind(part) == "match")?;
        Some(Expression {
            last: parts.last().unwrap_or(first),
            ..Expression::single(function, first, "= undefined")
        })
    };
    signed(text, tree)
        .into_iter()
        .filter_map(expression)
        .collect()
}

/// The functions and values in Haskell whose types are said, before them or in a class: elsewhere what they are is
/// found from their bodies, and which instance of a class is meant may depend on it.
fn signed(text: &[u8], tree: &SyntaxTree) -> BTreeSet<usize> {
    const LISTS: &[&str] = &[
        "class_declarations",
        "declarations",
        "instance_declarations",
        "local_binds",
    ];
    let mut signed = BTreeSet::new();
    let is_name = |&part: &usize| tree.kind(part) == "variable";
    let name = |part: usize| &text[tree.nodes()[part].range()];
    for list in (0..tree.nodes().len()).filter(|&node| LISTS.contains(&tree.kind(node))) {
        let is_instance = tree.kind(list) == "instance_declarations";
        let mut said: Vec<&[u8]> = Vec::new();
        for part in tree.children(list) {
            let mut names = tree.children(part).filter(is_name).map(name);
            let mut is_said = || is_instance || names.next().is_some_and(|it| said.contains(&it));
            match tree.kind(part) {
                "bind" | "function" if is_said() => {
                    signed.insert(part);
                }
                "signature" => said = names.collect(),
                _ => {}
            }
        }
    }
    signed
}
