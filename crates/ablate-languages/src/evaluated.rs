//! Which functions of C++ the compiler may have to call itself: those that are named where it wants a
//! constant, and those that are named in these. Types are not looked at, so that operators and
//! constructors count with their classes.

use std::ops::Range;

use crate::shapes::Shapes;

/// Whether the compiler calls a function itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Evaluated {
    /// It may not.
    Never,
    /// It may, but nothing that has to be constant seems to name the function.
    Hardly,
    /// Something that has to be constant seems to name it.
    Likely,
}

/// What has to be constant, by its kind.
const CONSTANT: &[&str] = &[
    "array_declarator",
    "bitfield_clause",
    "concept_definition",
    "enumerator",
    "explicit_function_specifier",
    "noexcept",
    "requires_clause",
    "static_assert_declaration",
    "template_argument_list",
];

/// The word that makes a variable constant is among so many, with what is between them.
const CONSTANT_WORDS: usize = 8;

/// A class is so many levels around its members at most.
const CLASS_DEPTH: usize = 8;

/// What has names that count only where its own name does.
struct Named {
    /// The name on which they depend.
    name: u32,
    /// The places of the names in it, as indices of the occurrences.
    places: Range<usize>,
}

impl Shapes<'_> {
    /// For each name whether something that has to be constant may need what it names.
    pub fn named_in_constants(&self) -> Vec<bool> {
        let nodes = self.tree.nodes();
        let mut open: Vec<u32> = Vec::new();
        let mut named: Vec<Named> = Vec::new();
        let names = |node: usize| self.names.range_within(self.tree, node);
        // What is in something that counts as a whole is not looked at again.
        let (mut constant_until, mut function_until) = (0, 0);
        for (number, node) in nodes.iter().enumerate() {
            let (kind, next) = (self.kind(number), node.next as usize);
            if number < constant_until {
                continue;
            }
            if CONSTANT.contains(&kind) || self.is_constant_variable(number) {
                constant_until = next;
                let places = &self.names.occurrences[names(number)];
                open.extend(places.iter().map(|place| place.name));
            } else if kind == "function_definition" && number >= function_until {
                function_until = next;
                let own = self.own_name(number).or_else(|| self.class_around(number));
                named.extend(own.map(|name| Named {
                    name,
                    places: names(number),
                }));
            } else if matches!(kind, "field_declaration" | "base_class_clause") {
                let is_field = kind == "field_declaration";
                let place = if is_field {
                    self.field(number, "type")
                } else {
                    Some(number)
                };
                let class = self.class_around(number);
                named.extend(class.zip(place).map(|(name, place)| Named {
                    name,
                    places: names(place),
                }));
            }
        }
        named.sort_by_key(|named| (named.name, named.places.start));
        let mut is_named = vec![false; self.names.by_name.len()];
        while let Some(name) = open.pop() {
            if std::mem::replace(&mut is_named[name as usize], true) {
                continue;
            }
            let first = named.partition_point(|named| named.name < name);
            for of_name in named[first..].iter().take_while(|named| named.name == name) {
                let places = &self.names.occurrences[of_name.places.clone()];
                open.extend(places.iter().map(|place| place.name));
            }
        }
        is_named
    }

    /// How a function whose head has one of these words is evaluated.
    pub fn evaluated(&self, function: usize, head: &[u8], is_named: &[bool]) -> Evaluated {
        let has = |word: &[u8]| head.windows(word.len()).any(|part| part == word);
        if !has(b"constexpr") && !has(b"consteval") {
            return Evaluated::Never;
        }
        // What has no name, as operators have none, counts with its class.
        let name = self
            .own_name(function)
            .or_else(|| self.class_around(function));
        match name {
            Some(name) if !is_named[name as usize] => Evaluated::Hardly,
            _ => Evaluated::Likely,
        }
    }

    fn is_constant_variable(&self, number: usize) -> bool {
        let is_variable = matches!(self.kind(number), "declaration" | "field_declaration");
        is_variable && {
            let text = &self.text[self.tree.nodes()[number].range()];
            let mut words = text
                .split(|byte| !byte.is_ascii_lowercase())
                .take(CONSTANT_WORDS);
            words.any(|word| matches!(word, b"constexpr" | b"constinit"))
        }
    }

    /// The name of a function; operators have none.
    fn own_name(&self, function: usize) -> Option<u32> {
        let mut at = self.field(function, "declarator")?;
        loop {
            let kind = self.kind(at);
            if matches!(kind, "operator_name" | "operator_cast" | "literal_operator") {
                return None;
            }
            let inner = self
                .field(at, "declarator")
                .or_else(|| self.field(at, "name"));
            let wraps = kind.ends_with("_declarator");
            let Some(inner) = inner.or_else(|| self.last_named(at).filter(|_| wraps)) else {
                break;
            };
            at = inner;
        }
        let range = self.names.range_within(self.tree, at);
        self.names.occurrences[range].last().map(|last| last.name)
    }

    /// The name of the class around a node, if it is near.
    fn class_around(&self, mut number: usize) -> Option<u32> {
        for _ in 0..CLASS_DEPTH {
            number = self.tree.nodes()[number].parent as usize;
            if matches!(self.kind(number), "class_specifier" | "struct_specifier") {
                let name = self.field(number, "name")?;
                let range = self.names.range_within(self.tree, name);
                return self.names.occurrences[range]
                    .first()
                    .map(|first| first.name);
            }
        }
        None
    }
}
