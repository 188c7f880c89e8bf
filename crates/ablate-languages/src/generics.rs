//! Parameters that are types or lifetimes, and what takes their place.

use std::ops::Range;

use ablate_engine::patch::Edit;

use crate::arguments::entries;
use crate::tree::SyntaxTree;

/// A parameter with what takes its place.
pub(crate) type Given<'a> = (&'a [u8], &'a [u8]);

/// The parameters of something, without their bounds.
pub(crate) fn parameters<'a>(text: &'a [u8], tree: &SyntaxTree, node: usize) -> Vec<&'a [u8]> {
    let list = tree.part(node, "type_parameters");
    let all = list.into_iter().flat_map(|list| entries(tree, list));
    let name = |entry: usize| tree.part(entry, "name").unwrap_or(entry);
    all.map(|entry| &text[tree.nodes()[name(entry)].range()])
        .collect()
}

/// The node of a type whose name is `name`, with its arguments; these apart, as `parameters` has them. A
/// lifetime that is not given may be any.
pub(crate) fn applied<'a>(
    text: &'a [u8],
    tree: &SyntaxTree,
    name: usize,
    parameters: &[&'a [u8]],
) -> (usize, Vec<Given<'a>>) {
    let around = tree.nodes()[name].parent as usize;
    let list = tree.part(around, "type_arguments");
    let whole = if list.is_some() { around } else { name };
    let arguments = list.into_iter().flat_map(|list| entries(tree, list));
    let arguments = arguments.map(|entry| &text[tree.nodes()[entry].range()]);
    let (lifetimes, types) = arguments.partition::<Vec<&[u8]>, _>(|it| it.starts_with(b"'"));
    let (mut lifetimes, mut types) = (lifetimes.into_iter(), types.into_iter());
    let given = parameters.iter().filter_map(|&parameter| {
        if parameter.starts_with(b"'") {
            return Some((parameter, lifetimes.next().unwrap_or(b"'_")));
        }
        types.next().map(|argument| (parameter, argument))
    });
    (whole, given.collect())
}

/// The text of a node with what is given in the place of parameters.
pub(crate) fn instantiated(
    text: &[u8],
    tree: &SyntaxTree,
    range: Range<usize>,
    given: &[Given<'_>],
) -> Vec<u8> {
    let nodes = tree.nodes();
    let mut result = Vec::new();
    let mut done = range.start;
    let first = nodes.partition_point(|node| (node.start as usize) < range.start);
    for (number, node) in nodes.iter().enumerate().skip(first) {
        if node.start as usize >= range.end {
            break;
        }
        let is_whole = node.next as usize == number + 1 || tree.kind(number) == "lifetime";
        let is_inside = is_whole && node.start as usize >= done && node.end as usize <= range.end;
        let mut all = given.iter().filter(|_| is_inside);
        if let Some((_, argument)) = all.find(|it| *it.0 == text[node.range()]) {
            result.extend(&text[done..node.start as usize]);
            result.extend(*argument);
            done = node.end as usize;
        }
    }
    result.extend(&text[done..range.end]);
    result
}

/// An edit that puts a text in a place.
pub(crate) fn edit(range: Range<usize>, insert: &[u8]) -> Edit<u8> {
    Edit {
        start: range.start,
        end: range.end,
        insert: (!insert.is_empty()).then(|| insert.into()),
    }
}
