//! What a pass would do, for documents and tests.

use ablate_engine::target::Target;

use crate::languages::find;
use crate::names::Names;
use crate::registry::PASSES;
use crate::tree::Syntax;

/// What the pass called `name` makes of a text in a language, in the order of a sweep; nothing if
/// there is no such pass, or this build lacks the language.
pub fn reductions(name: &str, language: &str, text: &str) -> Vec<String> {
    let entry = PASSES.iter().find(|entry| entry.description.name == name);
    let (Some(entry), Some(language)) = (entry, find(language)) else {
        return Vec::new();
    };
    let pass = (entry.make)(&Syntax::new(language));
    let seen = ablate_engine::explain::reductions(&*pass, text.as_bytes());
    let texts = seen.into_iter();
    texts
        .map(|seen| String::from_utf8_lossy(&seen).into_owned())
        .collect()
}

/// The names of the kinds of all nodes of a text, each with how deep it stands: for debugging.
pub fn outline(language: &str, text: &str) -> Vec<(usize, &'static str)> {
    let Some(language) = find(language) else {
        return Vec::new();
    };
    let tree = Syntax::new(language).tree(&Target::new(text.as_bytes().to_vec()));
    let depth = |number: usize| {
        let parents = std::iter::successors(Some(number), |&at| {
            (at > 0).then(|| tree.nodes()[at].parent as usize)
        });
        parents.count() - 1
    };
    let nodes = tree.nodes().iter().enumerate();
    nodes
        .map(|(number, node)| (depth(number), tree.kind_name(node)))
        .collect()
}

/// What a text declares: the kind of each node that declares something, and the name, in the order of the text.
pub fn declared(language: &str, text: &str) -> Vec<(&'static str, String)> {
    let Some(language) = find(language) else {
        return Vec::new();
    };
    let target = Target::new(text.as_bytes().to_vec());
    let syntax = Syntax::new(language);
    let (names, tree) = (Names::of(&target, &syntax), syntax.tree(&target));
    let spelling = |name: u32| {
        let first = names.by_name[name as usize][0] as usize;
        let node = names.occurrences[first].node as usize;
        String::from_utf8_lossy(&target.elements()[tree.nodes()[node].range()]).into_owned()
    };
    let declared = names.declarations.iter();
    declared
        .map(|&(node, name)| (tree.kind(node as usize), spelling(name)))
        .collect()
}
