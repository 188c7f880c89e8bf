//! What templates of C++ take, and what stands for it where arguments are given.

use std::ops::Range;

use ablate_engine::patch::Edit;
use ablate_passes::formats::characters::is_word;

use crate::arguments::entries;
use crate::generics::{edit, instantiated};
use crate::tree::SyntaxTree;

/// How far around what is declared its `template` is looked for.
const AROUND_MAX: usize = 2;

/// A parameter of a template.
#[derive(Clone, Debug)]
pub(crate) struct Parameter<'a> {
    /// Its name, or nothing.
    name: &'a [u8],
    /// Where it says what it is where nothing is given.
    default: Option<Range<usize>>,
    /// Whether it takes all that is left.
    is_pack: bool,
}

/// What takes the place of each parameter of a template.
#[derive(Clone, Debug, Default)]
pub(crate) struct Given<'a>(Vec<(&'a [u8], Vec<u8>)>);

impl<'a> Given<'a> {
    /// What arguments give, which are a list or none; nothing if they don't fit, or if a name would stand
    /// for several.
    pub fn of(
        text: &'a [u8],
        tree: &SyntaxTree,
        parameters: &[Parameter<'a>],
        list: Option<usize>,
    ) -> Option<Given<'a>> {
        let mut arguments = list.into_iter().flat_map(|list| entries(tree, list));
        let mut given = Given::default();
        for parameter in parameters {
            if parameter.is_pack {
                return parameter.name.is_empty().then_some(given);
            }
            let value = match arguments.next() {
                Some(argument) => text[tree.nodes()[argument].range()].to_vec(),
                None => given.within(text, tree, parameter.default.clone()?),
            };
            given.0.push((parameter.name, value));
        }
        arguments.next().is_none().then_some(given)
    }

    /// What arguments give to a specialization, which is for those in `list`: each of them is a name that may
    /// be anything, a name with signs behind it as `T *`, or the same.
    pub fn matched(
        text: &'a [u8],
        tree: &SyntaxTree,
        parameters: &[Parameter<'a>],
        list: usize,
        arguments: usize,
    ) -> Option<Given<'a>> {
        let part = |node: usize| &text[tree.nodes()[node].range()];
        let mut given = Given::default();
        let mut arguments = entries(tree, arguments);
        for pattern in entries(tree, list).map(part) {
            let argument = part(arguments.next()?);
            let mut names = parameters.iter().map(|it| it.name);
            let name = names.find(|&it| !it.is_empty() && pattern.starts_with(it));
            let signs = name.map(|name| (name, &pattern[name.len()..]));
            let is_sign = |byte: &u8| b"*& ".contains(byte);
            match signs.filter(|(_, signs)| signs.iter().all(is_sign)) {
                Some((name, signs)) => {
                    let value = argument.strip_suffix(signs.trim_ascii())?;
                    given.0.push((name, value.trim_ascii_end().to_vec()));
                }
                None if pattern == argument => {}
                None => return None,
            }
        }
        arguments.next().is_none().then_some(given)
    }

    /// The text in a range with what is given.
    pub fn within(&self, text: &[u8], tree: &SyntaxTree, range: Range<usize>) -> Vec<u8> {
        let given = self.0.iter().map(|(name, value)| (*name, &value[..]));
        instantiated(text, tree, range, &Vec::from_iter(given))
    }

    /// Both.
    pub fn and(mut self, other: Given<'a>) -> Given<'a> {
        self.0.extend(other.0);
        self
    }
}

/// What the `template` takes that something is declared in; nothing if it is in none.
pub(crate) fn parameters<'a>(
    text: &'a [u8],
    tree: &SyntaxTree,
    declared: usize,
) -> Option<Vec<Parameter<'a>>> {
    let mut around = tree.and_around(declared).skip(1).take(AROUND_MAX);
    let declaration = around.find(|&it| tree.kind(it) == "template_declaration")?;
    let list = tree.part(declaration, "parameters")?;
    let parameter = |entry: usize| {
        let kind = tree.kind(entry);
        let is_name = |it: &usize| matches!(tree.kind(*it), "type_identifier" | "identifier");
        let named = ["name", "declarator"]
            .iter()
            .find_map(|it| tree.part(entry, it));
        let named = named.filter(is_name);
        let inner = || {
            tree.children(entry)
                .filter(|_| kind.contains("type_param"))
                .find(is_name)
        };
        let name = named.or_else(inner);
        let defaults = ["default_type", "default_value"];
        let default = defaults.iter().find_map(|it| tree.part(entry, it));
        Parameter {
            name: name.map_or(b"", |it| &text[tree.nodes()[it].range()]),
            default: default
                .map(|it| tree.nodes()[it].start as usize..tree.nodes()[entry].end as usize),
            is_pack: kind.starts_with("variadic"),
        }
    };
    Some(entries(tree, list).map(parameter).collect())
}

/// The node that a name is with the arguments that are given to it, and their list.
pub(crate) fn applied(tree: &SyntaxTree, name: usize) -> (usize, Option<usize>) {
    let around = tree.nodes()[name].parent as usize;
    let is_named = tree.part(around, "name") == Some(name);
    match tree.part(around, "arguments") {
        Some(list) if is_named && tree.kind(around).starts_with("template_") => {
            (around, Some(list))
        }
        _ => (name, None),
    }
}

/// A value of a kind as it can stand in an expression.
pub(crate) fn bracketed(kind: &str, part: &[u8]) -> Vec<u8> {
    let is_open = [
        "binary",
        "conditional",
        "assignment",
        "lambda",
        "unary",
        "cast",
    ];
    if is_open.iter().any(|open| kind.contains(open)) {
        [b"(", part, b")"].concat()
    } else {
        part.to_vec()
    }
}

/// An edit that puts a text in the place of a node, apart from a word before and behind it.
pub(crate) fn put(text: &[u8], tree: &SyntaxTree, node: usize, insert: &[u8]) -> Edit<u8> {
    let range = tree.nodes()[node].range();
    let meet = |one: Option<&u8>, other: Option<&u8>| {
        let [one, other] = [one, other].map(|it| it.is_some_and(|&byte| is_word(byte)));
        if one && other { &b" "[..] } else { b"" }
    };
    let before = meet(text[..range.start].last(), insert.first());
    let behind = meet(insert.last(), text.get(range.end));
    edit(range, &[before, insert, behind].concat())
}

/// The node that something is with the names before it, and with the words that say what it is.
pub(crate) fn qualified(tree: &SyntaxTree, node: usize) -> usize {
    let mut whole = node;
    loop {
        let around = tree.nodes()[whole].parent as usize;
        let is_last = match tree.kind(around) {
            "qualified_identifier" => tree.part(around, "name") == Some(whole),
            "dependent_name" | "dependent_type" => true,
            _ => false,
        };
        if !is_last {
            return whole;
        }
        whole = around;
    }
}
