//! Names in a syntax tree: what declares them, and where they are used. By their spelling only: two
//! things of the same name count as one, but for what scopes keep apart (`scopes.rs`), and for files that
//! import by name what they use of others (`modules/`).

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use ablate_engine::target::Target;
use ablate_passes::formats::folder::{Entries, Entry};

use crate::declares::{declares, names_declared};
use crate::keyed::Keyed;
use crate::modules::{Links, Modules};
use crate::paths;
use crate::scopes::Scopes;
use crate::tree::{Syntax, SyntaxTree};
use crate::verilog_names;

/// Names that mean something in a scope only have its number, and this, where others have that of their file.
const SCOPES: u32 = 1 << 31;

/// A place where a name stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Occurrence {
    /// The number of the node, which has no parts.
    pub node: u32,
    /// The number of the name.
    pub name: u32,
    /// Whether it is a name in something else, as `b` is in `a.b`, and in Rust in `T::b`.
    pub is_member: bool,
}

/// The names of a text.
#[derive(Debug, Default)]
pub(crate) struct Names {
    /// Every place where a name stands, in the order of the text.
    pub occurrences: Vec<Occurrence>,
    /// For each name the places where it stands, as indices of `occurrences`.
    pub by_name: Vec<Vec<u32>>,
    /// For each name the node that it means nothing outside of, if that is known; see `scopes.rs`.
    pub scopes: Vec<Option<u32>>,
    /// Nodes that declare a name, with the name, in the order of the text.
    pub declarations: Vec<(u32, u32)>,
    /// In data the collections of what is named elsewhere by its key, if it has such; see `keyed.rs`.
    pub collections: Vec<u32>,
    /// The members of these that can stand for themselves.
    pub units: Vec<u32>,
    /// Nodes that only let others be named that are in other files, or only let other files name them.
    pub showing: BTreeSet<u32>,
    /// Nodes by which what a file exports gets a name that any object may have.
    pub naming: BTreeSet<u32>,
    /// Nodes that use a name that they do not say.
    pub using: Vec<(u32, u32)>,
    /// Which files read which others, if they import by name what they use of these.
    pub links: Option<Links>,
    /// Names of what files export of which others name all, sorted.
    pub opened: Vec<u32>,
    /// The names that are the same in all files and scopes, where there are others, by their spelling.
    shared: Option<BTreeMap<Vec<u8>, u32>>,
    /// The names with the nodes that declare them, in the order of the names.
    by_declared: Vec<(u32, u32)>,
}

impl Names {
    /// The names in the syntax tree of `target`.
    pub fn of(target: &Target<u8>, syntax: &Syntax) -> Rc<Names> {
        let tree = syntax.tree(target);
        let entries = Entries::of(target);
        target.analysis(|target| Names::new(target.elements(), &tree, entries.all()))
    }

    fn new(text: &[u8], tree: &SyntaxTree, entries: &[Entry]) -> Names {
        let keyed = Keyed::of(text, tree);
        let mut names = if keyed.declarations.is_empty() {
            Names::spelled(text, tree, entries)
        } else {
            Names::keyed(keyed)
        };
        let declared = names.declarations.iter().map(|&(node, name)| (name, node));
        names.by_declared = declared.collect();
        names.by_declared.sort_unstable();
        if tree.is_in("rust") {
            let is_part =
                |place: &Occurrence| paths::is_part(tree, &names, text, place.node as usize);
            let is_part: Vec<bool> = names.occurrences.iter().map(is_part).collect();
            for (place, is_part) in names.occurrences.iter_mut().zip(is_part) {
                place.is_member |= is_part;
            }
        }
        names
    }

    /// The names by which members of data are named elsewhere.
    fn keyed(keyed: Keyed) -> Names {
        let mut places: Vec<(u32, u32)> = (0..)
            .zip(&keyed.places)
            .flat_map(|(name, places)| places.iter().map(move |&place| (place, name)))
            .collect();
        places.sort_unstable();
        let mut names = Names {
            by_name: vec![Vec::new(); keyed.places.len()],
            scopes: vec![None; keyed.places.len()],
            collections: keyed.collections,
            units: keyed.units,
            ..Names::default()
        };
        for (node, name) in &places {
            names.by_name[*name as usize].push(names.occurrences.len() as u32);
            names.occurrences.push(Occurrence {
                node: *node,
                name: *name,
                is_member: false,
            });
        }
        let name_at = |leaf: u32| {
            let place = places.binary_search_by_key(&leaf, |place| place.0);
            place.ok().map(|place| places[place].1)
        };
        let declared = keyed.declarations.into_iter();
        let declared = declared.filter_map(|(node, leaf)| Some((node, name_at(leaf)?)));
        names.declarations = declared.collect();
        names.declarations.sort_unstable();
        names
    }

    fn spelled(text: &[u8], tree: &SyntaxTree, entries: &[Entry]) -> Names {
        let declaring = tree.nodes().iter().enumerate();
        let declaring = declaring.filter(|(number, node)| node.is_named && declares(tree, *number));
        let declaring: BTreeMap<usize, Vec<usize>> = declaring
            .map(|(number, _)| (number, names_declared(text, tree, number)))
            .collect();
        let modules = Modules::of(text, tree, entries, &declaring);
        let scopes = Scopes::of(text, tree);
        let mut numbers: BTreeMap<(u32, Cow<'_, [u8]>), u32> = BTreeMap::new();
        let mut names = Names::default();
        let mut name_of_node = BTreeMap::new();
        for number in 0..tree.nodes().len() {
            let required = || {
                modules
                    .as_ref()?
                    .required_at(tree, number)
                    .map(|key| Cow::Borrowed(key.1))
            };
            let Some(spelling) = name_in(text, tree, number).or_else(required) else {
                continue;
            };
            let is_member = is_member(tree, number);
            let scope = scopes.at(number);
            let key = match (&modules, spelling) {
                (_, spelling) if let Some(scope) = scope => (SCOPES + scope, spelling),
                (Some(modules), Cow::Borrowed(spelling)) if !is_member => {
                    let (file, spelling) = modules.key(tree, number, spelling);
                    (file, Cow::Borrowed(spelling))
                }
                (_, spelling) => (0, spelling),
            };
            let count = names.by_name.len() as u32;
            let name = *numbers.entry(key).or_insert(count);
            if name == count {
                names.by_name.push(Vec::new());
                names.scopes.push(scope);
            }
            names.by_name[name as usize].push(names.occurrences.len() as u32);
            names.occurrences.push(Occurrence {
                node: number as u32,
                name,
                is_member,
            });
            name_of_node.insert(number, name);
        }
        for (number, leaves) in declaring {
            let found = leaves.iter().filter_map(|leaf| name_of_node.get(leaf));
            let declarations = found.map(|&name| (number as u32, name));
            names.declarations.extend(declarations);
        }
        if let Some(modules) = modules {
            names.add_modules(modules, numbers);
        } else if !scopes.is_empty() {
            names.shared = Some(shared(numbers));
        }
        names
    }

    /// Adds what files import and export.
    fn add_modules<'a>(
        &mut self,
        modules: Modules<'a>,
        mut numbers: BTreeMap<(u32, Cow<'a, [u8]>), u32>,
    ) {
        let mut found = |nodes: &[(u32, (u32, &'a [u8]))]| {
            let mut all = Vec::new();
            for &(node, (file, spelling)) in nodes {
                let at = (self.occurrences).binary_search_by_key(&node, |it| it.node);
                let key = (file, Cow::Borrowed(spelling));
                let Ok(at) = at else {
                    all.extend(numbers.get(&key).map(|&name| (node, name)));
                    continue;
                };
                // In `{ a }` the name of a part is also what it is, and stands there for both.
                let count = self.by_name.len() as u32;
                let name = *numbers.entry(key).or_insert(count);
                if name == count {
                    self.by_name.push(Vec::new());
                    self.scopes.push(None);
                }
                let places = &mut self.by_name[name as usize];
                let behind = places.partition_point(|&place| place < at as u32);
                if places.get(behind) != Some(&(at as u32)) {
                    places.insert(behind, at as u32);
                }
                all.push((node, name));
            }
            all
        };
        let declaring = found(modules.declaring());
        self.using = found(&modules.using);
        self.declarations.extend(declaring);
        self.declarations.sort_by_key(|&(node, _)| node);
        self.declarations.dedup();
        self.links = Some(modules.links());
        let shared = shared(numbers);
        let opened = modules.opened().into_iter();
        self.opened = opened.filter_map(|it| shared.get(it).copied()).collect();
        self.opened.sort_unstable();
        self.shared = Some(shared);
        self.showing = modules.showing;
        self.naming = modules.naming;
    }

    /// The name that what is called so is, where it is a part of something else.
    pub fn as_member(&self, text: &[u8], tree: &SyntaxTree, node: usize) -> Option<u32> {
        match &self.shared {
            Some(shared) => shared.get(&text[tree.nodes()[node].range()]).copied(),
            None => self.name_at(node),
        }
    }

    /// The name that a node without parts is.
    pub fn name_at(&self, node: usize) -> Option<u32> {
        let at = (self.occurrences).binary_search_by_key(&(node as u32), |it| it.node);
        at.ok().map(|at| self.occurrences[at].name)
    }

    /// The nodes where a name stands, unless they are more than `most`.
    pub fn places(&self, name: u32, most: usize) -> Option<Vec<usize>> {
        let places = &self.by_name[name as usize];
        let node = |&at: &u32| self.occurrences[at as usize].node as usize;
        (places.len() <= most).then(|| places.iter().map(node).collect())
    }

    /// A name with each of the nodes that declare it.
    pub fn declared_at(&self, name: u32) -> &[(u32, u32)] {
        let place = |name: u32| {
            self.by_declared
                .partition_point(|declared| declared.0 < name)
        };
        &self.by_declared[place(name)..place(name + 1)]
    }

    /// The nodes in another one that declare a name.
    pub fn declared_within(
        &self,
        tree: &SyntaxTree,
        name: u32,
        node: usize,
    ) -> impl Iterator<Item = usize> + '_ {
        let all = self.declared_at(name);
        let end = tree.nodes()[node].next;
        let from = all.partition_point(|declared| (declared.1 as usize) < node);
        let inside = all[from..]
            .iter()
            .take_while(move |declared| declared.1 < end);
        inside.map(|declared| declared.1 as usize)
    }

    /// The indices of the occurrences within a node.
    pub fn range_within(&self, tree: &SyntaxTree, node: usize) -> std::ops::Range<usize> {
        let end = tree.nodes()[node].next;
        let before = |o: &Occurrence| (o.node as usize) < node;
        let from = self.occurrences.partition_point(before);
        from..self.occurrences.partition_point(|o| o.node < end)
    }

    /// The number of a name.
    pub fn find(&self, text: &[u8], tree: &SyntaxTree, name: &str) -> Option<u32> {
        let is_it = |places: &Vec<u32>| {
            let node = self.occurrences[places[0] as usize].node;
            &text[tree.nodes()[node as usize].range()] == name.as_bytes()
        };
        let found = self.by_name.iter().position(is_it);
        found.map(|name| name as u32)
    }

    /// The names that a node or something in it declares for its surroundings: what is declared
    /// within bodies and among parameters does not count.
    pub fn declared_by(&self, tree: &SyntaxTree, node: usize) -> Vec<u32> {
        let end = tree.nodes()[node].next;
        let from = self.declarations.partition_point(|d| (d.0 as usize) < node);
        let inside = self.declarations[from..].iter().take_while(|d| d.0 < end);
        let counts = |declaration: &&(u32, u32)| {
            let mut at = declaration.0 as usize;
            let is_enumerator = tree.kind_name(&tree.nodes()[at]).contains("enumerator");
            while at > node {
                let kind = tree.kind_name(&tree.nodes()[at]);
                let is_inside = [
                    "compound_statement",
                    "_list",
                    "block",
                    "body",
                    "local_binds",
                    "arguments_definition",
                    "fields_definition",
                    "struct_member",
                ];
                let is_around =
                    is_inside.iter().any(|part| kind.contains(part)) || is_parameter(tree, kind);
                if !is_enumerator && is_around {
                    return false;
                }
                at = tree.nodes()[at].parent as usize;
            }
            true
        };
        let mut names: Vec<u32> = inside.filter(counts).map(|d| d.1).collect();
        names.sort_unstable();
        names.dedup();
        names
    }
}

/// Those of these names that are the same in all files and scopes, by their spelling.
fn shared(numbers: BTreeMap<(u32, Cow<'_, [u8]>), u32>) -> BTreeMap<Vec<u8>, u32> {
    let shared = numbers.into_iter().filter(|((file, _), _)| *file == 0);
    shared
        .map(|((_, spelling), name)| (spelling.into_owned(), name))
        .collect()
}

/// Which names mean something else than what is declared outside, since they are parameters or
/// declared in bodies.
#[derive(Debug)]
pub(crate) struct Locals(Vec<bool>);

impl Locals {
    /// The local names, but for those that `is_inner` says something declares for its surroundings,
    /// given the node that declares it and the name.
    pub fn of(
        tree: &SyntaxTree,
        names: &Names,
        is_container: &[bool],
        is_inner: impl Fn(u32, u32) -> bool,
    ) -> Locals {
        let mut scopes: Vec<Vec<(u32, u32)>> = vec![Vec::new(); names.by_name.len()];
        for &(node, name) in &names.declarations {
            // What is only made visible is declared outside.
            let kind = tree.kind_name(&tree.nodes()[node as usize]);
            if kind.contains("using") || kind.contains("import") || is_inner(node, name) {
                continue;
            }
            if let Some(scope) = scope(tree, node as usize, is_container) {
                let end = tree.nodes()[scope].next;
                let scopes = &mut scopes[name as usize];
                scopes.push((scope as u32, end));
            }
        }
        let mut is_local = vec![false; names.occurrences.len()];
        for (places, mut scopes) in names.by_name.iter().zip(scopes) {
            scopes.sort_unstable();
            let (mut next, mut end) = (0, 0);
            for &place in places {
                let node = names.occurrences[place as usize].node;
                while let Some(scope) = scopes.get(next).filter(|scope| scope.0 <= node) {
                    end = end.max(scope.1);
                    next += 1;
                }
                is_local[place as usize] = node < end;
            }
        }
        Locals(is_local)
    }

    /// Whether an occurrence, given by its index, is that of a local name.
    pub fn is_local(&self, occurrence: usize) -> bool {
        self.0[occurrence]
    }
}

/// Whether a kind is one of parameters, which mean something in what they are parameters of. In Verilog they are
/// constants of a module.
fn is_parameter(tree: &SyntaxTree, kind: &str) -> bool {
    kind.contains("parameter") && !tree.is_in("verilog")
}

/// The node outside of which a declaration means nothing, if it is local.
fn scope(tree: &SyntaxTree, declaration: usize, is_container: &[bool]) -> Option<usize> {
    let mut is_parameter = false;
    let mut at = declaration;
    while at != 0 && !is_container[at] {
        let kind = tree.kind_name(&tree.nodes()[at]);
        let is_block = matches!(
            kind,
            "compound_statement" | "block" | "statement_block" | "function_body"
        );
        if at != declaration && (is_block || kind.starts_with("for_")) {
            return Some(at);
        }
        is_parameter |= self::is_parameter(tree, kind);
        let declares = [
            "_definition",
            "declaration",
            "_item",
            "lambda",
            "closure",
            "function",
            "requires",
        ];
        let is_around = !kind.contains("parameter") && !kind.ends_with("_declarator");
        if is_parameter && is_around && declares.iter().any(|part| kind.contains(part)) {
            return Some(at);
        }
        if !is_parameter && at != declaration && kind.ends_with("_list") {
            return None;
        }
        at = tree.nodes()[at].parent as usize;
    }
    None
}

/// The name in a node that has no parts, or only quotes: where case does not count, in lower case.
pub(crate) fn name_in<'a>(
    text: &'a [u8],
    tree: &SyntaxTree,
    number: usize,
) -> Option<Cow<'a, [u8]>> {
    let spelling = &text[tree.nodes()[number].range()];
    if let Some(name) = imported(text, tree, number) {
        Some(Cow::Borrowed(name))
    } else if !tree.is_in("sql") {
        is_name(text, tree, number).then_some(Cow::Borrowed(spelling))
    } else if let Some(name) = quoted(text, tree, number) {
        Some(Cow::Owned(name.to_ascii_lowercase()))
    } else {
        is_name(text, tree, number).then(|| Cow::Owned(spelling.to_ascii_lowercase()))
    }
}

/// A name in quotes, as SQL has them.
fn quoted<'a>(text: &'a [u8], tree: &SyntaxTree, number: usize) -> Option<&'a [u8]> {
    let nodes = tree.nodes();
    let node = &nodes[number];
    let name = match &text[node.range()] {
        [b'"', name @ .., b'"'] | [b'`', name @ .., b'`'] => name,
        _ => return None,
    };
    let quotes = number + 1..node.next as usize;
    let has_quotes = quotes.len() <= 2 && nodes[quotes].iter().all(|quote| !quote.is_named);
    let is_identifier = tree.kind_name(node) == "identifier";
    (is_identifier && has_quotes && is_word(name)).then_some(name)
}

/// The last part of a path in a string, by which what is imported from there is called, as `b` is
/// after `import "a/b"` in Go.
fn imported<'a>(text: &'a [u8], tree: &SyntaxTree, number: usize) -> Option<&'a [u8]> {
    let nodes = tree.nodes();
    let node = &nodes[number];
    let string = &nodes[node.parent as usize];
    let around = string.parent as usize;
    let is_path = tree.field_name(string) == Some("path")
        && tree.kind(around) == "import_spec"
        && node.is_named
        && tree.children(around).count() == 1;
    let last = text[node.range()].rsplit(|&byte| byte == b'/').next();
    last.filter(|last| is_path && is_word(last))
}

/// Whether a text is a word.
fn is_word(text: &[u8]) -> bool {
    let is_in_word =
        |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'$' | 128..);
    text.first().is_some_and(|first| !first.is_ascii_digit()) && text.iter().all(is_in_word)
}

/// Languages in which names can end in `'`, and those of what is not boxed in `#`.
const PRIMED: [&str; 2] = ["haskell", "ocaml"];

/// Whether a text is a word of such a language.
fn is_primed_word(text: &[u8]) -> bool {
    let mut parts = text.split(|byte| matches!(byte, b'\'' | b'#'));
    parts.next().is_some_and(is_word)
        && parts.all(|part| part.is_empty() || is_word(part) || part[0].is_ascii_digit())
}

/// Whether a node is a name: a word that is neither a keyword nor a literal.
pub(crate) fn is_name(text: &[u8], tree: &SyntaxTree, number: usize) -> bool {
    let node = &tree.nodes()[number];
    if !node.is_named || node.is_empty() || node.next as usize != number + 1 {
        return false;
    }
    let kind = tree.kind_name(node);
    let spelling = &text[node.range()];
    // Names in XML have dots, colons and dashes in them.
    let is_in_xml = kind == "Name" && tree.is_in("xml");
    let is_primed =
        || PRIMED.iter().any(|language| tree.is_in(language)) && is_primed_word(spelling);
    if !has_sigil(kind, spelling) && !is_word(spelling) && !is_in_xml && !is_primed() {
        return false;
    }
    const OTHERS: &[&str] = &[
        "literal",
        "string",
        "comment",
        "number",
        "escape",
        "content",
        "char",
        "self",
        "super",
        "true",
        "false",
        "null",
        "none",
        "this",
        "integer",
        "float",
        "bool",
        "text",
        "void",
        "predefined",
        "specialized_md_value",
    ];
    !OTHERS.iter().any(|other| kind.contains(other))
}

/// Whether this is a name with a mark in front of it, as `@a.b`, `%1`, `#0` and `!2` are.
fn has_sigil(kind: &str, spelling: &[u8]) -> bool {
    match spelling {
        [b'@' | b'%', ..] => kind.ends_with("_var"),
        [b'#' | b'$', ..] => matches!(kind, "attr_ref" | "comdat_ref"),
        [b'!', rest @ ..] => kind == "metadata_ref" && rest.iter().all(u8::is_ascii_digit),
        _ => false,
    }
}

/// Whether a name only means something in something else.
fn is_member(tree: &SyntaxTree, number: usize) -> bool {
    let node = &tree.nodes()[number];
    let kind = tree.kind_name(node);
    if tree.is_in("verilog") {
        return verilog_names::is_of_port(tree, number);
    }
    if tree.is_in("wgsl") {
        let around = node.parent as usize;
        return tree.field_name(node) == Some("accessor")
            || tree.kind(around) == "postfix_expression" && !has_bracket(tree, around);
    }
    let is_shorthand = kind.contains("shorthand_property");
    !is_shorthand && (kind.contains("field_identifier") || kind.contains("property_identifier"))
}

/// Whether a node begins with a bracket.
fn has_bracket(tree: &SyntaxTree, number: usize) -> bool {
    let first = tree.children(number).next();
    first.is_some_and(|first| tree.kind(first) == "[")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::find;

    #[test]
    fn modules_of_ocaml_and_their_parameters_are_declared() {
        let text = "module A (B : sig end) = B module C = A (D)";
        let syntax = Syntax::new(find("ocaml").unwrap());
        let target = Target::new(text.as_bytes().to_vec());
        let (names, tree) = (Names::of(&target, &syntax), syntax.tree(&target));
        let spelled = |name: usize| {
            let place = names.occurrences[names.by_name[name][0] as usize];
            &text[tree.nodes()[place.node as usize].range()]
        };
        let all = 0..names.by_name.len();
        let declared = all.filter(|&name| !names.declared_at(name as u32).is_empty());
        let mut declared: Vec<&str> = declared.map(spelled).collect();
        declared.sort_unstable();
        assert_eq!(declared, ["A", "B", "C"]);
    }

    #[test]
    fn names_in_sql_may_be_quoted_and_have_any_case() {
        let text = "CREATE TABLE a(b int); INSERT INTO \"A\" VALUES(1); SELECT B FROM `a`;";
        let syntax = Syntax::new(find("sql").unwrap());
        let names = Names::of(&Target::new(text.as_bytes().to_vec()), &syntax);
        let mut counts: Vec<usize> = names.by_name.iter().map(Vec::len).collect();
        counts.sort_unstable();
        assert_eq!(counts[counts.len() - 2..], [2, 3]);
    }
}
