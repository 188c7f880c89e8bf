//! What a grammar says of its nodes: which kinds fit where, what may be left out, what is a list.

use std::collections::BTreeMap;

use serde::Deserialize;
use tree_sitter::Language as Grammar;

/// A set of kinds of nodes.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct KindSet(Vec<u64>);

impl KindSet {
    pub(crate) fn insert(&mut self, kind: u16) {
        let word = usize::from(kind) / 64;
        if self.0.len() <= word {
            self.0.resize(word + 1, 0);
        }
        self.0[word] |= 1 << (kind % 64);
    }

    /// Whether the set has this kind.
    pub fn has(&self, kind: u16) -> bool {
        let word = self.0.get(usize::from(kind) / 64);
        word.is_some_and(|word| word >> (kind % 64) & 1 == 1)
    }

    /// Whether the set has all kinds of another one, which are some.
    pub fn has_all(&self, others: &KindSet) -> bool {
        let words = others.0.iter().enumerate();
        let is_missing = |(at, word): (usize, &u64)| word & !self.0.get(at).unwrap_or(&0) != 0;
        others.kinds().next().is_some() && !words.clone().any(is_missing)
    }

    /// How many kinds are in it.
    pub fn len(&self) -> usize {
        self.shared(self)
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// How many kinds are in both.
    pub fn shared(&self, other: &KindSet) -> usize {
        let words = self.0.iter().zip(&other.0);
        words.map(|(a, b)| (a & b).count_ones() as usize).sum()
    }

    fn kinds(&self) -> impl Iterator<Item = u16> + '_ {
        let count = self.0.len() as u16 * 64;
        (0..count).filter(|&kind| self.has(kind))
    }
}

/// The kinds whose names, which are given by number, say that their nodes declare something.
pub fn declaring(names: &[Box<str>]) -> KindSet {
    let mut kinds = KindSet::default();
    let all = (0..).zip(names);
    all.filter(|(_, name)| is_declaring(name))
        .for_each(|(kind, _)| kinds.insert(kind));
    kinds
}

/// Whether the name of a kind says that its nodes declare something.
fn is_declaring(kind: &str) -> bool {
    const DECLARING: &[&str] = &[
        "definition",
        "declaration",
        "declarator",
        "_item",
        "alias",
        "parameter",
        "import",
        "enumerator",
        "variant",
        "assignment",
        "macro",
        "preproc_def",
        "preproc_function_def",
        "let_",
        "function",
        "class",
        "method",
        "struct",
        "enum",
        "union",
        "interface",
        "trait",
        "module",
        "namespace",
        "type_spec",
        "const_spec",
        "var_spec",
        "named_expression",
        "global_",
        "instruction",
    ];
    const EXACTLY: &[&str] = &[
        "GEDecl",
        "annotation_type_declaration",
        "annotation_type_element_declaration",
        "bind",
        "comdat",
        "const_element",
        "container_field",
        "create_function",
        "create_index",
        "create_materialized_view",
        "create_sequence",
        "create_table",
        "create_type",
        "create_view",
        "cte",
        "data_constructor",
        "data_type",
        "elementdecl",
        "message",
        "newtype",
        "optional_type_parameter_declaration",
        "property_element",
        "property_signature",
        "rpc",
        "service",
        "signature",
        "type_binding",
        "type_family",
        "type_synonym",
        "unnamed_attr_grp",
        "variable_statement",
        "variadic_type_parameter_declaration",
    ];
    const USING: &[&str] = &[
        "application",
        "invocation",
        "call",
        "expression",
        "_type",
        "identifier",
        "expansion",
        "template_function",
        "template_method",
        "generic",
        "argument",
        "access",
    ];
    // A list of constructors is no struct.
    let is_use = kind.ends_with("constructors")
        || USING.iter().any(|part| kind.contains(part)) && !kind.ends_with("_definition");
    EXACTLY.contains(&kind) || DECLARING.iter().any(|part| kind.contains(part)) && !is_use
}

/// A place in a node where other nodes can stand.
#[derive(Clone, Debug, Default)]
pub struct Slot {
    /// What can stand there.
    pub kinds: KindSet,
    /// Whether there can be several of it.
    pub is_list: bool,
    /// Whether there has to be at least one.
    pub is_required: bool,
}

/// The description of all nodes of a grammar.
#[derive(Debug, Default)]
pub struct NodeTypes {
    slots: Vec<Slot>,
    /// The slot of a kind of node and a field in it; field 0 stands for none.
    by_place: BTreeMap<(u16, u16), u16>,
    /// The slot of a kind of node and a kind of part that stands in no field and has to be there.
    by_part: BTreeMap<(u16, u16), u16>,
    /// The kinds that each supertype stands for, and each kind for itself, by name.
    by_name: BTreeMap<String, KindSet>,
    /// The kinds that have fields.
    with_fields: KindSet,
}

#[derive(Deserialize)]
struct Entry {
    #[serde(rename = "type")]
    kind: String,
    named: bool,
    #[serde(default)]
    fields: BTreeMap<String, Children>,
    children: Option<Children>,
    #[serde(default)]
    subtypes: Vec<Reference>,
}

#[derive(Deserialize)]
struct Children {
    multiple: bool,
    required: bool,
    types: Vec<Reference>,
}

#[derive(Deserialize)]
struct Reference {
    #[serde(rename = "type")]
    kind: String,
    named: bool,
}

impl NodeTypes {
    /// Reads a grammar's `node-types.json`. A description that can't be read describes nothing.
    pub fn new(grammar: &Grammar, json: &str) -> NodeTypes {
        let entries: Vec<Entry> = serde_json::from_str(json).unwrap_or_default();
        let mut reader = Reader {
            grammar,
            supertypes: BTreeMap::new(),
        };
        for entry in entries.iter().filter(|entry| !entry.subtypes.is_empty()) {
            reader.supertypes.insert(&entry.kind, &entry.subtypes);
        }
        let mut types = NodeTypes::default();
        for entry in &entries {
            types.add(&reader, entry);
        }
        types
    }

    fn add(&mut self, reader: &Reader<'_>, entry: &Entry) {
        if entry.named {
            let mut kinds = KindSet::default();
            reader.expand(&entry.kind, true, 0, &mut kinds);
            self.by_name.insert(entry.kind.clone(), kinds);
        }
        let parent = reader.grammar.id_for_node_kind(&entry.kind, entry.named);
        if parent == 0 {
            return;
        }
        let unnamed = entry.children.iter().map(|children| (0, children));
        let fields = entry.fields.iter().filter_map(|(name, children)| {
            let field = reader.grammar.field_id_for_name(name)?;
            Some((field.get(), children))
        });
        for (field, children) in unnamed.chain(fields) {
            let mut kinds = KindSet::default();
            for kind in &children.types {
                reader.expand(&kind.kind, kind.named, 0, &mut kinds);
            }
            if field != 0 {
                self.with_fields.insert(parent);
            }
            self.by_place
                .insert((parent, field), self.slots.len() as u16);
            self.slots.push(Slot {
                kinds,
                is_list: children.multiple,
                is_required: children.required,
            });
        }
    }

    /// Takes note that a field of a kind of node can't be left out.
    pub fn require(&mut self, grammar: &Grammar, kind: &str, field: &str) {
        let parent = grammar.id_for_node_kind(kind, true);
        let field = grammar.field_id_for_name(field);
        let number = field.and_then(|field| self.slot_number(parent, field.get()));
        if let Some(slot) = number.and_then(|number| self.slots.get_mut(usize::from(number))) {
            slot.is_required = true;
        }
    }

    /// Takes note that parts of this kind, which stand in no field, can't be left out of a kind of node.
    pub fn require_part(&mut self, grammar: &Grammar, kind: &str, part: &str) {
        let parent = grammar.id_for_node_kind(kind, true);
        let part = grammar.id_for_node_kind(part, true);
        let mut kinds = KindSet::default();
        kinds.insert(part);
        self.by_part.insert((parent, part), self.slots.len() as u16);
        self.slots.push(Slot {
            kinds,
            is_list: false,
            is_required: true,
        });
    }

    /// The number of the slot in a node of kind `parent`; field 0 stands for none.
    fn slot_number(&self, parent: u16, field: u16) -> Option<u16> {
        self.by_place.get(&(parent, field)).copied()
    }

    /// The number of the slot in a node of kind `parent` that a node of kind `part` stands in.
    pub fn slot_of_part(&self, parent: u16, field: u16, part: u16) -> Option<u16> {
        let own = (field == 0).then(|| self.by_part.get(&(parent, part)));
        own.flatten()
            .copied()
            .or_else(|| self.slot_number(parent, field))
    }

    /// Whether nodes of a kind have fields.
    pub fn has_fields(&self, kind: u16) -> bool {
        self.with_fields.has(kind)
    }

    /// The slot with this number.
    pub fn slot(&self, number: u16) -> &Slot {
        &self.slots[usize::from(number)]
    }

    /// What can stand in the first of these kinds of nodes, outside of fields.
    pub fn slot_of(&self, kinds: &KindSet) -> Option<&KindSet> {
        let number = self.slot_number(kinds.kinds().next()?, 0)?;
        Some(&self.slot(number).kinds)
    }

    /// The kinds that a name stands for: one, or all of a supertype. None for an unknown name.
    pub fn kinds_named(&self, name: &str) -> Option<&KindSet> {
        self.by_name.get(name)
    }
}

struct Reader<'a> {
    grammar: &'a Grammar,
    supertypes: BTreeMap<&'a str, &'a [Reference]>,
}

impl Reader<'_> {
    fn expand(&self, kind: &str, is_named: bool, depth: u8, kinds: &mut KindSet) {
        if let Some(subtypes) = self.supertypes.get(kind).filter(|_| is_named && depth < 16) {
            for subtype in *subtypes {
                self.expand(&subtype.kind, subtype.named, depth + 1, kinds);
            }
            return;
        }
        let id = self.grammar.id_for_node_kind(kind, is_named);
        if id != 0 {
            kinds.insert(id);
        }
    }
}
