//! Data in which members are named and strings elsewhere name them: the definitions of a schema, the
//! shapes of an interface, the jobs of a workflow. A member is named by its key, or in a list by what it
//! says of itself (`"id": "a"`); it is named elsewhere by a string that is its name, or the end of a
//! path to it (`#/definitions/a`). Does not look at what such strings mean, only at their spelling.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use crate::tree::{Node, SyntaxTree};

/// How deep collections are looked into.
const LEVELS_MAX: usize = 5;
/// Fewer members that are named elsewhere are not what the data is about.
const NAMED_MIN: usize = 2;
/// What a member of a list may call its own name.
const OWN_NAMES: &[&[u8]] = &[b"id", b"name", b"key"];

/// The members that are named elsewhere.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Keyed {
    /// The collections of the units, sorted.
    pub collections: Vec<u32>,
    /// The members that can stand for themselves, sorted: those of collections in which some are named
    /// elsewhere, and in what stands beside these the outermost of which there are several.
    pub units: Vec<u32>,
    /// Members that are named elsewhere, each with the leaf that holds its name.
    pub declarations: Vec<(u32, u32)>,
    /// For each name the leaves in which it stands.
    pub places: Vec<Vec<u32>>,
}

/// A member of a collection.
struct Entry {
    node: usize,
    /// The leaf that holds its name.
    name: Option<usize>,
    value: usize,
}

struct Source<'a> {
    text: &'a [u8],
    tree: &'a SyntaxTree,
    /// The strings that are no keys, by the name that each may be.
    uses: BTreeMap<&'a [u8], Vec<u32>>,
}

impl Keyed {
    /// What a text has of it; nothing if it is no data.
    pub fn of(text: &[u8], tree: &SyntaxTree) -> Keyed {
        let mut keyed = Keyed::default();
        if !["json", "yaml"].iter().any(|data| tree.is_in(data)) {
            return keyed;
        }
        let mut source = Source {
            text,
            tree,
            uses: BTreeMap::new(),
        };
        source.find_uses();
        let outermost = source.outermost();
        let mut level = outermost.clone();
        for _ in 0..LEVELS_MAX {
            let entries: Vec<Vec<Entry>> = level.iter().map(|&it| source.entries(it)).collect();
            let all = || entries.iter().flatten();
            let own: BTreeSet<usize> = all().filter_map(|entry| entry.name).collect();
            let named = |entry: &Entry| source.named_elsewhere(entry, &own);
            keyed.declarations = all().filter_map(named).collect();
            if keyed.declarations.len() >= NAMED_MIN {
                let has_named = |entries: &[Entry]| entries.iter().any(|it| named(it).is_some());
                let collections = level.iter().zip(&entries);
                let with_named: BTreeSet<usize> = collections
                    .filter(|(_, entries)| has_named(entries))
                    .map(|(&collection, _)| collection)
                    .collect();
                keyed.add_units(&source, &outermost, &with_named);
                keyed.add_places(&source);
                return keyed;
            }
            level = all().map(|entry| entry.value).collect();
        }
        keyed.declarations.clear();
        keyed
    }

    /// Adds the units in these collections, of which those in `with_named` have members that are named.
    fn add_units(
        &mut self,
        source: &Source<'_>,
        outermost: &[usize],
        with_named: &BTreeSet<usize>,
    ) {
        let mut open = outermost.to_vec();
        while let Some(collection) = open.pop() {
            let node = &source.tree.nodes()[collection];
            let is_on_the_way = with_named.range(collection..node.next as usize).next();
            if with_named.contains(&collection) {
                self.add_members(source, &[collection]);
            } else if is_on_the_way.is_some() {
                let entries = source.entries(collection).into_iter();
                open.extend(entries.map(|entry| entry.value));
            } else {
                self.add_members(source, &source.outermost_several(collection));
            }
        }
        self.units.sort_unstable();
        self.collections.sort_unstable();
    }

    fn add_members(&mut self, source: &Source<'_>, collections: &[usize]) {
        for &collection in collections {
            self.collections.push(collection as u32);
            let entries = source.entries(collection).into_iter();
            let entries = entries.filter(|entry| source.is_collection(entry.value));
            self.units.extend(entries.map(|entry| entry.node as u32));
        }
    }

    fn add_places(&mut self, source: &Source<'_>) {
        let mut by_name: BTreeMap<&[u8], Vec<u32>> = BTreeMap::new();
        for &(_, leaf) in &self.declarations {
            let name = source.spelling(leaf as usize);
            by_name.entry(name).or_default().push(leaf);
        }
        for (name, mut places) in by_name {
            places.extend(source.uses.get(name).into_iter().flatten());
            places.sort_unstable();
            places.dedup();
            self.places.push(places);
        }
    }
}

impl<'a> Source<'a> {
    fn find_uses(&mut self) {
        for number in 0..self.tree.nodes().len() {
            if is_string(self.tree, number) && !self.is_key(number) {
                let name = named(self.spelling(number));
                self.uses.entry(name).or_default().push(number as u32);
            }
        }
    }

    /// What a string says, without quotes.
    fn spelling(&self, leaf: usize) -> &'a [u8] {
        unquoted(&self.text[self.tree.nodes()[leaf].range()])
    }

    /// Whether a leaf is a key, or a part of one.
    fn is_key(&self, leaf: usize) -> bool {
        let nodes = self.tree.nodes();
        let around = std::iter::successors(Some(leaf), |&at| Some(nodes[at].parent as usize));
        let mut around = around.take_while(|&at| at != 0 && !self.is_collection(at));
        around.any(|at| self.tree.field_name(&nodes[at]) == Some("key"))
    }

    fn is_collection(&self, value: usize) -> bool {
        const COLLECTIONS: &[&str] = &[
            "array",
            "block_mapping",
            "block_sequence",
            "flow_mapping",
            "flow_sequence",
            "object",
        ];
        COLLECTIONS.contains(&self.tree.kind(value))
    }

    /// The collections that are in no other.
    fn outermost(&self) -> Vec<usize> {
        let mut found = Vec::new();
        let nodes = self.tree.nodes();
        let mut at = 0;
        while at < nodes.len() {
            if self.is_collection(at) {
                found.push(at);
                at = nodes[at].next as usize;
            } else {
                at += 1;
            }
        }
        found
    }

    /// The collections of one depth in this one, or itself, that have several members which are
    /// collections.
    fn outermost_several(&self, collection: usize) -> Vec<usize> {
        let mut level = vec![collection];
        for _ in 0..LEVELS_MAX {
            let entries = level.iter().flat_map(|&it| self.entries(it));
            let values = entries.map(|entry| entry.value);
            let inner: Vec<usize> = values.filter(|&value| self.is_collection(value)).collect();
            if inner.len() > 1 {
                return level;
            }
            level = inner;
        }
        Vec::new()
    }

    fn entries(&self, collection: usize) -> Vec<Entry> {
        if !self.is_collection(collection) {
            return Vec::new();
        }
        let is_member = |node: &Node| node.is_named && !node.is_extra;
        let members = self.tree.children(collection);
        let members = members.filter(|&member| is_member(&self.tree.nodes()[member]));
        let entries = members.map(|node| {
            let field = |name| self.tree.part(node, name);
            let value = self.core(field("value").unwrap_or(node));
            let name = match field("key") {
                Some(key) => self.string_in(key),
                None => self.own_name(value),
            };
            Entry { node, name, value }
        });
        entries.collect()
    }

    /// What a member of a list calls its name.
    fn own_name(&self, value: usize) -> Option<usize> {
        let is_name = |pair: &usize| {
            let key = self
                .tree
                .part(*pair, "key")
                .and_then(|key| self.string_in(key));
            key.is_some_and(|key| OWN_NAMES.contains(&self.spelling(key)))
        };
        let pair = self.tree.children(value).find(is_name)?;
        self.string_in(self.tree.part(pair, "value")?)
    }

    /// What a node holds that holds nothing else.
    fn core(&self, mut node: usize) -> usize {
        let nodes = self.tree.nodes();
        while !self.is_collection(node) {
            let mut children = self.tree.children(node).filter(|&it| nodes[it].is_named);
            match (children.next(), children.next()) {
                (Some(only), None) => node = only,
                _ => break,
            }
        }
        node
    }

    fn string_in(&self, node: usize) -> Option<usize> {
        let leaf = self.core(node);
        is_string(self.tree, leaf).then_some(leaf)
    }

    /// A member with the leaf that holds its name, if a string outside of it is this name.
    /// (`own` are the leaves in which members say their names.)
    fn named_elsewhere(&self, entry: &Entry, own: &BTreeSet<usize>) -> Option<(u32, u32)> {
        let name = entry.name.filter(|_| self.is_collection(entry.value))?;
        let inside = entry.node as u32..self.tree.nodes()[entry.node].next;
        let uses = self.uses.get(self.spelling(name))?;
        let is_use = |place: &u32| !inside.contains(place) && !own.contains(&(*place as usize));
        let is_named = uses.iter().any(is_use);
        is_named.then_some((entry.node as u32, name as u32))
    }
}

/// Whether a node is a string without escapes, or what is in its quotes.
fn is_string(tree: &SyntaxTree, number: usize) -> bool {
    const STRINGS: &[&str] = &[
        "double_quote_scalar",
        "single_quote_scalar",
        "string_content",
        "string_scalar",
    ];
    let node = &tree.nodes()[number];
    let is_whole = || {
        tree.kind(number) != "string_content" || tree.children(node.parent as usize).count() == 3
    };
    let has_escapes = || {
        tree.children(number)
            .any(|child| tree.nodes()[child].is_named)
    };
    node.is_named && STRINGS.contains(&tree.kind(number)) && !has_escapes() && is_whole()
}

/// The name that a string is: what it ends with, if it is a path.
fn named(string: &[u8]) -> &[u8] {
    let is_path = string.windows(2).any(|two| two == b"#/");
    let last = string.rsplit(|&byte| byte == b'/').next();
    last.filter(|_| is_path).unwrap_or(string)
}

fn unquoted(string: &[u8]) -> &[u8] {
    match string {
        [b'"', inner @ .., b'"'] | [b'\'', inner @ .., b'\''] => inner,
        _ => string,
    }
}

/// Where the name stands in a leaf that holds one.
pub(crate) fn name_range(text: &[u8], leaf: Range<usize>) -> Range<usize> {
    let string = unquoted(&text[leaf.clone()]);
    let end = leaf.end - (leaf.len() - string.len()) / 2;
    end - named(string).len()..end
}

#[cfg(test)]
mod tests {
    use ablate_engine::target::Target;

    use super::*;
    use crate::find;
    use crate::tree::Syntax;

    fn check(language: &str, text: &str, names: &[&str]) {
        let target = Target::new(text.as_bytes().to_vec());
        let tree = Syntax::new(find(language).unwrap()).tree(&target);
        let keyed = Keyed::of(text.as_bytes(), &tree);
        let named = keyed.declarations.iter().map(|&(node, leaf)| {
            assert!(node < leaf);
            &text[tree.nodes()[leaf as usize].range()]
        });
        assert_eq!(named.collect::<Vec<_>>(), names);
    }

    #[test]
    fn members_are_named_by_their_keys() {
        check(
            "json",
            r#"{"x":{"c":{"in":"A"},"d":{"in":"B"}},"y":{"A":{},"B":{"k":["B"]},"C":{"e":"C"}}}"#,
            &["A", "B"],
        );
        check(
            "yaml",
            "a:\n  x: 1\nb:\n  needs: [a, 'c']\nc: {}\n",
            &["a", "c"],
        );
        check("json", r#"{"a":{"b":"c","c":"d"}}"#, &[]);
    }

    #[test]
    fn units_are_the_outermost_of_which_there_are_several() {
        let text = r#"{"i":{"l":{}},"p":{"/a":{"g":{"r":"A"}},"/b":{"g":{"r":"B"}}},"c":{"s":{"A":{},"B":{},"v":1}}}"#;
        let target = Target::new(text.as_bytes().to_vec());
        let tree = Syntax::new(find("json").unwrap()).tree(&target);
        let keyed = Keyed::of(text.as_bytes(), &tree);
        let units = keyed.units.iter();
        let units: Vec<&str> = units
            .map(|&unit| &text[tree.nodes()[unit as usize].range()])
            .collect();
        let expected = [
            r#""/a":{"g":{"r":"A"}}"#,
            r#""/b":{"g":{"r":"B"}}"#,
            r#""A":{}"#,
            r#""B":{}"#,
        ];
        assert_eq!(units, expected);
    }

    #[test]
    fn a_path_names_what_it_leads_to() {
        check(
            "json",
            r##"{"$defs":{"a":{"$ref":"#/$defs/b"},"b":{}},"items":{"$ref":"#/$defs/a"}}"##,
            &["a", "b"],
        );
    }

    #[test]
    fn members_of_lists_say_their_names() {
        check(
            "json",
            r#"{"n":[{"id":"u"},{"id":"v"},{"id":"w"}],"e":[{"from":"u","to":"v"}]}"#,
            &["u", "v"],
        );
    }
}
