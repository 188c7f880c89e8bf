//! What functions are a part of in Rust, an `impl` or a trait, and how they are taken out of it.

use std::collections::BTreeSet;
use std::ops::Range;

use ablate_engine::patch::{Edit, Patch};

use crate::arguments::entries;
use crate::generics::{applied, edit, instantiated, parameters};
use crate::names::Names;
use crate::paths;
use crate::tree::SyntaxTree;

/// Functions that are named in more places are left alone.
const PLACES_MAX: usize = 100;

/// What is longer is left alone: functions may stand in functions.
const LONGEST: usize = 1 << 16;
/// What functions are taken out of.
const OWNERS: &[&str] = &["impl_item", "trait_item"];
/// Short words that are no names.
const WORDS: &[&[u8]] = &[b"as", b"do", b"fn", b"if", b"in"];

/// How functions are taken out.
#[derive(Clone, Copy, Debug)]
pub(crate) struct How {
    /// Whether calls stay what they are.
    pub keeps_calls: bool,
    /// Whether functions still get what they are called of where they do nothing with it.
    pub keeps_receivers: bool,
}

/// A text with its tree and names.
pub(crate) struct Source<'a> {
    pub text: &'a [u8],
    pub tree: &'a SyntaxTree,
    pub names: &'a Names,
}

/// What functions are taken out of.
pub(crate) struct Owner<'a> {
    source: &'a Source<'a>,
    node: usize,
    /// What stands in it.
    body: usize,
    /// What `Self` is: a type, or a parameter where it may be any.
    of_self: Vec<u8>,
    /// How that begins a path, and how it makes a value.
    as_path: Vec<u8>,
    as_value: Vec<u8>,
    /// What the functions get as parameters: lifetimes, then types.
    lifetimes: Vec<Vec<u8>>,
    parameters: Vec<Vec<u8>>,
    /// What has to hold of them.
    bounds: Vec<u8>,
    /// What stands for `self`.
    receiver: Vec<u8>,
}

impl Source<'_> {
    fn part(&self, node: usize) -> &[u8] {
        &self.text[self.tree.nodes()[node].range()]
    }

    fn start(&self, node: usize) -> usize {
        self.tree.nodes()[node].start as usize
    }

    fn end(&self, node: usize) -> usize {
        self.tree.nodes()[node].end as usize
    }

    fn parent(&self, node: usize) -> usize {
        self.tree.nodes()[node].parent as usize
    }

    /// The first part of a kind.
    fn child(&self, node: usize, kind: &str) -> Option<usize> {
        let mut parts = self.tree.children(node);
        parts.find(|&part| self.tree.kind(part) == kind)
    }

    /// The nodes where the name stands that stands in this one.
    fn places(&self, node: usize) -> Option<Vec<usize>> {
        self.names.places(self.names.name_at(node)?, PLACES_MAX + 1)
    }

    /// What is inside of a node that is one word, as `self`.
    fn words<'b>(&'b self, node: usize, word: &'b [u8]) -> impl Iterator<Item = usize> + 'b {
        let inside = node..self.tree.nodes()[node].next as usize;
        inside.filter(move |&leaf| {
            self.tree.nodes()[leaf].next as usize == leaf + 1 && self.part(leaf) == word
        })
    }

    /// What has to hold of the parameters of something, without the word that says so.
    fn bounds(&self, node: usize) -> &[u8] {
        let Some(clause) = self.child(node, "where_clause") else {
            return b"";
        };
        let bounds = self.part(clause);
        let bounds = bounds.strip_prefix(b"where").unwrap_or(b"").trim_ascii();
        bounds.strip_suffix(b",").unwrap_or(bounds).trim_ascii_end()
    }

    /// The parameters of something: lifetimes, then types.
    fn parameters(&self, node: usize) -> [Vec<Vec<u8>>; 2] {
        let list = self.tree.part(node, "type_parameters");
        let all = list
            .into_iter()
            .flat_map(|list| entries(self.tree, list))
            .map(|entry| (self.tree.kind(entry), self.part(entry).to_vec()));
        let (lifetimes, types) = all.partition::<Vec<_>, _>(|it| it.0.starts_with("lifetime"));
        [lifetimes, types].map(|list| list.into_iter().map(|it| it.1).collect())
    }
}

/// A name that stands nowhere in a node.
pub(crate) fn unused_name(text: &[u8], tree: &SyntaxTree, node: usize, first: u8) -> Vec<u8> {
    let leaves = node..tree.nodes()[node].next as usize;
    let leaves = leaves.filter(|&leaf| tree.nodes()[leaf].next as usize == leaf + 1);
    let used: BTreeSet<&[u8]> = leaves
        .map(|leaf| &text[tree.nodes()[leaf].range()])
        .collect();
    let letters = (first..=b'z').chain(b'a'..first);
    let longer = (b'a'..=b'z').flat_map(|one| (b'a'..=b'z').map(move |other| vec![one, other]));
    let mut all = letters.map(|letter| vec![letter]).chain(longer);
    let free = all.find(|name| !used.contains(&name[..]) && !WORDS.contains(&&name[..]));
    free.unwrap_or_else(|| b"this".to_vec())
}

impl<'a> Owner<'a> {
    /// The `impl` or trait that a node is, unless something else names the trait.
    pub fn of(source: &'a Source<'a>, node: usize) -> Option<Owner<'a>> {
        let tree = source.tree;
        if !OWNERS.contains(&tree.kind(node)) || tree.nodes()[node].len() > LONGEST {
            return None;
        }
        let body = tree.part(node, "body")?;
        let [lifetimes, mut parameters] = source.parameters(node);
        let of_self = match tree.kind(node) {
            "impl_item" => {
                let of_self = tree.part(node, "type")?;
                let base = tree.part(of_self, "type");
                let is_named = base.is_some() || tree.kind(of_self) == "type_identifier";
                let base = source.part(base.unwrap_or(of_self)).to_vec();
                let of_self = source.part(of_self).to_vec();
                let bracketed = [b"<", &of_self[..], b">"].concat();
                let as_path = if base == of_self {
                    of_self.clone()
                } else {
                    bracketed.clone()
                };
                [of_self, as_path, if is_named { base } else { bracketed }]
            }
            "trait_item" => {
                let name = tree.part(node, "name")?;
                let is_used = source.places(name)?.len() > 1;
                if is_used {
                    return None;
                }
                let own = unused_name(source.text, source.tree, node, b's');
                let bounds = source.child(node, "trait_bounds");
                let bounds = bounds.map_or(&b""[..], |bounds| source.part(bounds));
                parameters.insert(0, [&own, bounds].concat());
                [own.clone(), own.clone(), own]
            }
            _ => return None,
        };
        let [of_self, as_path, as_value] = of_self;
        Some(Owner {
            source,
            node,
            body,
            of_self,
            as_path,
            as_value,
            lifetimes,
            parameters,
            bounds: source.bounds(node).to_vec(),
            receiver: unused_name(source.text, source.tree, node, b'a'),
        })
    }

    /// The functions that can be taken out.
    pub fn functions(&self) -> Vec<usize> {
        let tree = self.source.tree;
        let is_function = |&it: &usize| tree.kind(it) == "function_item";
        entries(tree, self.body).filter(is_function).collect()
    }

    /// The text with these functions taken out, and what else is in the owner gone.
    pub fn freed(&self, functions: &[usize], how: How) -> Option<Patch<u8>> {
        let source = self.source;
        let mut edits = Vec::new();
        let mut from = source.start(self.node);
        for &function in functions {
            edits.push(edit(from..source.start(function), b""));
            self.free(function, how, &mut edits)?;
            from = source.end(function);
        }
        edits.push(edit(from..source.end(self.node), b""));
        let others = functions.iter().map(|&function| self.other_name(function));
        let others: Vec<Option<Vec<u8>>> = others.collect();
        if !how.keeps_calls {
            let whole = source.start(self.node)..source.end(self.node);
            let stays = |node: &usize| {
                let start = source.start(*node);
                let mut freed = functions.iter();
                !whole.contains(&start)
                    || freed.any(|&it| (source.start(it)..source.end(it)).contains(&start))
            };
            let mut calls = Vec::new();
            for (at, &function) in functions.iter().enumerate() {
                let places = self.places(function)?.into_iter().filter(stays);
                calls.extend(places.map(|place| (place, at)));
            }
            // From the end to the start: of two calls that begin in one place the outer one comes first.
            calls.sort_unstable();
            for &(place, at) in calls.iter().rev() {
                self.call(functions[at], place, others[at].as_deref(), how, &mut edits);
            }
        }
        for (&function, name) in functions.iter().zip(&others) {
            let own = source.tree.part(function, "name")?;
            if let Some(name) = name {
                edits.push(edit(source.tree.nodes()[own].range(), name));
            }
        }
        Patch::edits_of(joined(edits)).ok()
    }

    /// What becomes of the function itself.
    fn free(&self, function: usize, how: How, edits: &mut Vec<Edit<u8>>) -> Option<()> {
        let (source, tree) = (self.source, self.source.tree);
        let list = tree.part(function, "parameters")?;
        let body = tree.part(function, "body")?;
        let [mut lifetimes, own] = source.parameters(function);
        let has_own = !self.lifetimes.is_empty() || !self.parameters.is_empty();
        if has_own {
            lifetimes.splice(0..0, self.lifetimes.iter().cloned());
            let types = self.parameters.iter().cloned().chain(own);
            let all: Vec<Vec<u8>> = lifetimes.into_iter().chain(types).collect();
            let place = match tree.part(function, "type_parameters") {
                Some(list) => tree.nodes()[list].range(),
                None => source.start(list)..source.start(list),
            };
            // In parameters and bounds `Self` is hardly ever named.
            edits.push(edit(place, &[b"<", &all.join(&b',')[..], b">"].concat()));
        }
        if !self.bounds.is_empty() {
            let clause = source.child(function, "where_clause");
            let (at, text) = match clause {
                Some(clause) => {
                    let at = source.start(clause) + b"where".len();
                    (at, [b" ", &self.bounds[..], b","].concat())
                }
                None => {
                    let behind = tree.children(function).take_while(|&it| it < body);
                    let at = source.end(behind.last()?);
                    (at, [b" where ", &self.bounds[..]].concat())
                }
            };
            let blanks = source.text[at..]
                .iter()
                .take_while(|it| **it == b' ')
                .count();
            let is_before_body = clause.is_none();
            edits.push(edit(at..at + blanks * usize::from(is_before_body), &text));
        }
        self.rename(function, list, how, edits);
        Some(())
    }

    /// Where the first entry of a list is, with the comma behind it.
    fn first(&self, list: usize, entry: usize) -> Range<usize> {
        let next = entries(self.source.tree, list).nth(1);
        let end = next.map_or(self.source.end(entry), |next| self.source.start(next));
        self.source.start(entry)..end
    }

    /// The parameter for what a function is called of.
    fn receiver_of(&self, function: usize) -> Option<usize> {
        let tree = self.source.tree;
        let first = entries(tree, tree.part(function, "parameters")?).next();
        first.filter(|&it| tree.kind(it) == "self_parameter")
    }

    /// Whether a function gets what it is called of, and does nothing with it.
    pub fn has_idle_receiver(&self, function: usize) -> bool {
        let is_idle = self.source.words(function, b"self").count() == 1;
        is_idle && self.receiver_of(function).is_some()
    }

    /// Puts other words in the place of `self` and `Self`.
    fn rename(&self, function: usize, list: usize, how: How, edits: &mut Vec<Edit<u8>>) {
        let (source, tree) = (self.source, self.source.tree);
        let parameter = entries(tree, list).next();
        let parameter = parameter.filter(|&it| tree.kind(it) == "self_parameter");
        let mut selves: Vec<usize> = source.words(function, b"self").collect();
        let is_used = selves.len() > 1;
        let name: &[u8] = if is_used { &self.receiver } else { b"_" };
        selves.retain(|&word| parameter != Some(source.parent(word)));
        let words = selves.iter().map(|&word| tree.nodes()[word].range());
        edits.extend(words.map(|range| edit(range, name)));
        if let Some(parameter) = parameter.filter(|_| !how.keeps_receivers && !is_used) {
            edits.push(edit(self.first(list, parameter), b""));
        } else if let Some(parameter) = parameter {
            let all = source.part(parameter);
            let sign = all.strip_suffix(b"self").unwrap_or(b"");
            let insert = match sign.first() {
                Some(b'&') => [name, b":", sign, &self.of_self].concat(),
                _ if !is_used => [name, b":", &self.of_self].concat(),
                _ => [sign, name, b":", &self.of_self].concat(),
            };
            edits.push(edit(tree.nodes()[parameter].range(), &insert));
        }
        let generics = tree.part(function, "type_parameters");
        let generics =
            generics.filter(|_| !self.lifetimes.is_empty() || !self.parameters.is_empty());
        let is_replaced = |word: usize| {
            generics.is_some_and(|list| (list..tree.nodes()[list].next as usize).contains(&word))
        };
        for word in source.words(function, b"Self") {
            if !is_replaced(word) {
                edits.push(self.named(word));
            }
        }
    }

    /// What comes in the place of `Self`.
    fn named(&self, word: usize) -> Edit<u8> {
        let (source, tree) = (self.source, self.source.tree);
        let around = source.parent(word);
        let range = tree.nodes()[word].range();
        match tree.kind(around) {
            "scoped_type_identifier" => {
                let name = tree.part(around, "name");
                match name.and_then(|name| self.associated(source.part(name))) {
                    Some((item, value)) => {
                        let parameters = parameters(source.text, tree, item);
                        let (whole, given) = applied(source.text, tree, around, &parameters);
                        let value = tree.nodes()[value].range();
                        let text = instantiated(source.text, tree, value, &given);
                        edit(tree.nodes()[whole].range(), &text)
                    }
                    None => edit(range, &self.as_path),
                }
            }
            "scoped_identifier" | "struct_expression" | "struct_pattern" => {
                edit(range, &self.as_value)
            }
            _ if tree.kind(word) == "identifier" => edit(range, &self.as_value),
            _ => edit(range, &self.of_self),
        }
    }

    /// What defines a type of this name in the owner, and what it is.
    fn associated(&self, name: &[u8]) -> Option<(usize, usize)> {
        let (source, tree) = (self.source, self.source.tree);
        let mut types = entries(tree, self.body).filter(|&it| tree.kind(it) == "type_item");
        let is_it = |it: &usize| {
            tree.part(*it, "name")
                .is_some_and(|it| source.part(it) == name)
        };
        let item = types.find(is_it)?;
        Some((item, tree.part(item, "type")?))
    }

    /// The name that a function gets if something that stands for itself has its own.
    fn other_name(&self, function: usize) -> Option<Vec<u8>> {
        let (tree, names) = (self.source.tree, self.source.names);
        let own = names.name_at(tree.part(function, "name")?)?;
        let mut others = names.declared_at(own).iter();
        let is_taken = others.any(|&(_, other)| {
            let kinds = ["function_item", "struct_item", "const_item", "static_item"];
            let mut around = tree.and_around(other as usize).skip(1);
            let is_part = around.any(|it| matches!(tree.kind(it), "impl_item" | "trait_item"));
            kinds.contains(&tree.kind(other as usize)) && !is_part
        });
        is_taken.then(|| unused_name(self.source.text, self.source.tree, 0, b'a'))
    }

    /// The nodes where the name of a function stands, but for its own.
    fn places(&self, function: usize) -> Option<Vec<usize>> {
        let own = self.source.tree.part(function, "name")?;
        let mut places = self.source.places(own)?;
        let Source { text, tree, names } = self.source;
        places.retain(|&place| place != own && !paths::is_foreign(tree, names, text, place));
        Some(places)
    }

    /// Whether something is called by the name of one of these functions, and something else has it too.
    pub fn is_ambiguous(&self, functions: &[usize]) -> bool {
        let tree = self.source.tree;
        functions.iter().any(|&function| {
            let places = self.places(function).unwrap_or_default();
            let is_call = |&place: &usize| self.is_call(place);
            let is_named = |&place: &usize| tree.field_name(&tree.nodes()[place]) == Some("name");
            let is_other = |place: &usize| !self.is_call(*place) && is_named(place);
            places.iter().any(is_call) && places.iter().any(is_other)
        })
    }

    /// Whether a name is the last of a path.
    fn is_path(&self, place: usize) -> bool {
        let tree = self.source.tree;
        let around = self.source.parent(place);
        tree.kind(around) == "scoped_identifier" && tree.part(around, "name") == Some(place)
    }

    /// Whether a name stands behind a value or a type.
    fn is_call(&self, place: usize) -> bool {
        let around = self.source.parent(place);
        matches!(
            self.source.tree.kind(around),
            "field_expression" | "scoped_identifier"
        )
    }

    /// What becomes of a call; the function may have got another name.
    fn call(
        &self,
        function: usize,
        place: usize,
        other_name: Option<&[u8]>,
        how: How,
        edits: &mut Vec<Edit<u8>>,
    ) {
        let (source, tree) = (self.source, self.source.tree);
        let around = source.parent(place);
        let has_idle = self.has_idle_receiver(function);
        let receiver = self
            .receiver_of(function)
            .filter(|_| how.keeps_receivers || !has_idle);
        let name = other_name.unwrap_or(source.part(place)).to_vec();
        if self.is_path(place) {
            let path = tree.part(around, "path").filter(|_| receiver.is_none());
            let types = path.map(|path| self.given_types(function, path));
            let range = source.start(around)..source.end(place);
            // The path may have `Self` in it.
            edits.retain(|it| !(range.start <= it.start && it.end <= range.end));
            edits.push(edit(range, &[name, types.unwrap_or_default()].concat()));
            if has_idle && !how.keeps_receivers {
                let mut calls = tree.and_around(around).skip(1).take(2);
                let list = calls.find_map(|call| tree.part(call, "arguments"));
                let first = list.and_then(|list| Some((list, entries(tree, list).next()?)));
                edits.extend(first.map(|(list, first)| edit(self.first(list, first), b"")));
            }
            return;
        }
        let calls = tree.and_around(around).skip(1).take(2);
        let arguments = calls.filter_map(|call| tree.part(call, "arguments")).next();
        let value = tree.part(around, "value");
        let (Some(value), Some(arguments)) = (value, arguments) else {
            return;
        };
        let start = source.start(value);
        if let Some(receiver) = receiver {
            let behind = &source.text[source.end(place)..source.start(arguments)];
            let sign = self.taken(receiver, value);
            edits.push(edit(start..start, &[&name, behind, b"(", sign].concat()));
            let has_others = entries(tree, arguments).next().is_some();
            let comma: &[u8] = if has_others { b"," } else { b"" };
            edits.push(edit(source.end(value)..source.start(arguments) + 1, comma));
        } else if has_idle {
            // What is called here has gone with what it was called of.
            let is_around = |it: &Edit<u8>| it.end == start || it.start >= source.start(place);
            edits.retain(|it| is_around(it) || it.end < start);
            let types = self.given_types(function, value);
            let range = start..source.end(place);
            edits.push(edit(range, &[name, types].concat()));
        }
    }

    /// The sign that stands before a value that is given to a function as what it is called of.
    fn taken(&self, receiver: usize, value: usize) -> &'static [u8] {
        let sign = self.source.part(receiver);
        if self.source.part(value) == b"self" || !sign.starts_with(b"&") {
            b""
        } else if sign.ends_with(b"mut self") {
            b"&mut "
        } else {
            b"&"
        }
    }

    /// What a function needs behind its name that the path or the value before it has said.
    fn given_types(&self, function: usize, before: usize) -> Vec<u8> {
        let (source, tree) = (self.source, self.source.tree);
        let types = parameters(source.text, tree, self.node).into_iter();
        let types: Vec<&[u8]> = types.filter(|it| !it.starts_with(b"'")).collect();
        let given = match source.part(before) {
            b"Self" | b"self" => types.clone(),
            _ => {
                let list = tree.part(before, "type_arguments");
                let given = list.into_iter().flat_map(|list| entries(tree, list));
                let given = given.map(|it| source.part(it));
                given.filter(|it| !it.starts_with(b"'")).collect()
            }
        };
        let is_generic = tree.part(function, "type_parameters").is_some();
        if types.is_empty() || given.len() != types.len() || is_generic {
            return Vec::new();
        }
        [b"::<", &given.join(&b',')[..], b">"].concat()
    }
}

/// Edits in their order, and those in the same place as one: what was found first stands first.
fn joined(mut edits: Vec<Edit<u8>>) -> Vec<Edit<u8>> {
    edits.retain(|it| it.start < it.end || it.insert.is_some());
    edits.sort_by_cached_key(|it| (it.start, it.end));
    let mut joined: Vec<Edit<u8>> = Vec::new();
    for it in edits {
        match joined.last_mut().filter(|last| last.end == it.start) {
            Some(last) => {
                let both = [last.insert.as_deref(), it.insert.as_deref()];
                let both = both.map(|part| part.unwrap_or_default()).concat();
                *last = edit(last.start..it.end, &both);
            }
            None => joined.push(it),
        }
    }
    joined
}
