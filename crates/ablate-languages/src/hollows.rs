//! The parts of definitions in C++ that can be simple where it doesn't matter what is defined, by how far away the
//! definitions are from what nothing needs.

use crate::gone::without;
use crate::items::{Items, Lists, NONE};
use crate::members::with_blanks;
use crate::names::Names;
use crate::needs::{Kept, Needs, Without};
use crate::tree::SyntaxTree;
use crate::weights::Weights;

/// What other names stand for then. Those of functions that are told apart by them stay apart.
const TYPES: [&str; 4] = [TYPE, "long", "char", "short"];
const TYPE: &str = "int";
/// Chains of definitions in which each names the next one as a class are followed so far.
const ROUNDS_MAX: u32 = 16;

/// A part of a definition that can be simple.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Hollow {
    pub start: u32,
    pub end: u32,
    /// What stands in its place then.
    pub text: &'static str,
    /// The item that it defines something of, or `NONE`.
    item: u32,
    /// How far away that is.
    distance: u32,
    /// Whether it is what a concept is.
    is_concept: bool,
}

/// A place where a name stands for a class.
#[derive(Clone, Copy, Debug)]
struct Place {
    start: u32,
    name: u32,
    /// The item that it is in, or `NONE`.
    item: u32,
}

/// The parts of definitions that can be simple, none of which is in another.
#[derive(Debug)]
pub(crate) struct Hollows {
    /// In the order of the text.
    all: Vec<Hollow>,
    /// The same by their numbers, the nearest first.
    pub nearest: Vec<u32>,
    /// Where names stand for classes, in the order of the text.
    classes: Vec<Place>,
    /// For each name the parts of its definitions.
    by_name: Lists,
}

impl Hollows {
    /// The parts of definitions in a text.
    pub fn of(
        text: &[u8],
        tree: &SyntaxTree,
        names: &Names,
        items: &Items,
        weights: &Weights,
    ) -> Hollows {
        let mut distances = vec![NONE; items.items.len()];
        for (at, &number) in (0..).zip(&weights.kept.order) {
            if let Some(distance) = distances.get_mut(number as usize) {
                *distance = at;
            }
        }
        let mut all: Vec<Hollow> = Vec::new();
        let mut types = TYPES.into_iter().cycle();
        let mut behind = 0;
        for (number, node) in tree.nodes().iter().enumerate().skip(1) {
            if number < behind || all.last().is_some_and(|last| node.start < last.end) {
                continue;
            }
            if tree.kind_name(node) == "compound_statement" {
                behind = node.next as usize;
                continue;
            }
            let parent = |node: usize| tree.nodes()[node].parent as usize;
            // A parameter belongs to what has it.
            let defined = match tree.kind(parent(number)) {
                "optional_parameter_declaration" | "optional_type_parameter_declaration" => {
                    parent(parent(parent(number)))
                }
                _ => number,
            };
            let found = simple(text, tree, number);
            let Some((simple, item)) = found.zip(items.innermost(tree, defined as u32)) else {
                continue;
            };
            let distance = distances[item as usize];
            if distance == NONE {
                continue;
            }
            let is_template = tree.kind(parent(parent(number))) == "template_declaration";
            let (start, end) = match simple {
                "" => with_blanks(text, node.start as usize, node.end as usize),
                _ => (node.start as usize, node.end as usize),
            };
            all.push(Hollow {
                start: start as u32,
                end: end as u32,
                text: match simple {
                    TYPE if !is_template => types.next().unwrap_or(TYPE),
                    simple => simple,
                },
                item: items.declaring(item),
                distance,
                is_concept: tree.kind(parent(number)) == "concept_definition",
            });
        }
        let mut nearest: Vec<u32> = (0..all.len() as u32).collect();
        nearest.sort_by_cached_key(|&number| (all[number as usize].distance, number));
        // A concept is no class, though it may stand where one can.
        let of_classes = (0..).zip(&all).filter(|(_, hollow)| !hollow.is_concept);
        let declared = of_classes.flat_map(|(number, hollow)| {
            let names = items.declares.at(hollow.item).iter();
            names.map(move |&name| (name, number))
        });
        let by_name = Lists::of(items.names, declared.collect());
        let places = names.occurrences.iter().zip(&items.around);
        let places = places.filter(|(occurrence, _)| {
            !by_name.at(occurrence.name).is_empty() && is_class(tree, occurrence.node as usize)
        });
        let classes = places.map(|(occurrence, &item)| Place {
            start: tree.nodes()[occurrence.node as usize].start,
            name: occurrence.name,
            item,
        });
        Hollows {
            classes: classes.collect(),
            all,
            nearest,
            by_name,
        }
    }

    /// These parts but for those of what is named as a class in what stays, in the order of the text, with what is
    /// kept then.
    pub fn chosen(
        &self,
        numbers: &[u32],
        needs: &Needs,
        names: &Names,
        tree: &SyntaxTree,
    ) -> (Vec<&Hollow>, Without, Kept) {
        let mut is_chosen = vec![false; self.all.len()];
        for &number in numbers {
            is_chosen[number as usize] = true;
        }
        let mut rounds = ROUNDS_MAX;
        loop {
            let chosen = self.all.iter().zip(&is_chosen);
            let chosen = chosen.filter_map(|(hollow, is_chosen)| is_chosen.then_some(hollow));
            let chosen: Vec<&Hollow> = chosen.collect();
            let gone = chosen.iter().map(|it| it.start as usize..it.end as usize);
            let without = without(&needs.items, names, tree, &gone.collect::<Vec<_>>());
            let kept = needs.left(&without);
            let stays = |place: &&Place| {
                let before = chosen.partition_point(|it| it.start <= place.start);
                let part = before.checked_sub(1).map(|before| chosen[before]);
                let is_kept = kept.is_kept.get(place.item as usize);
                part.is_none_or(|part| part.end <= place.start) && is_kept.is_none_or(|&it| it)
            };
            let mut has_changed = false;
            for place in self.classes.iter().filter(stays) {
                for &number in self.by_name.at(place.name) {
                    has_changed |= std::mem::take(&mut is_chosen[number as usize]);
                }
            }
            rounds -= 1;
            if !has_changed || rounds == 0 {
                return (chosen, without, kept);
            }
        }
    }
}

/// Whether a name stands where only that of a class can, or where another name is given to what may be one.
fn is_class(tree: &SyntaxTree, name: usize) -> bool {
    let parent = |node: usize| tree.nodes()[node].parent as usize;
    let field = |node: usize| tree.field_name(&tree.nodes()[node]);
    let mut whole = name;
    loop {
        let is_last = match tree.kind(parent(whole)) {
            "template_type" | "template_method" | "qualified_identifier" => {
                field(whole) == Some("name")
            }
            kind => kind.starts_with("dependent_"),
        };
        if !is_last {
            break;
        }
        whole = parent(whole);
    }
    let is_argument = |node: usize| tree.kind(parent(node)) == "template_argument_list";
    let is_named = |node: usize| tree.kind(parent(node)) == "alias_declaration";
    field(whole) == Some("scope")
        || match tree.kind(parent(whole)) {
            "base_class_clause" => true,
            "type_definition" => field(whole) == Some("type"),
            "parameter_declaration" | "optional_parameter_declaration" => {
                tree.kind(parent(parent(whole))) == "template_parameter_list"
            }
            "type_descriptor" => is_argument(parent(whole)) || is_named(parent(whole)),
            _ => false,
        }
}

/// What can stand in place of a node.
fn simple(text: &[u8], tree: &SyntaxTree, number: usize) -> Option<&'static str> {
    let nodes = tree.nodes();
    let node = &nodes[number];
    let parent = node.parent as usize;
    let kind = tree.kind(number);
    let simple = match (tree.kind(parent), tree.field_name(node)) {
        ("alias_declaration" | "type_definition", Some("type"))
        | ("optional_type_parameter_declaration", Some("default_type")) => {
            (!is_plain_type(text, tree, number)).then_some(TYPE)?
        }
        ("concept_definition", None) if node.is_named && kind != "identifier" => "true",
        ("optional_parameter_declaration", Some("default_value")) => {
            let list = nodes[parent].parent as usize;
            match tree.kind(list) {
                "template_parameter_list" => "true",
                _ => "{}",
            }
        }
        _ if matches!(kind, "base_class_clause" | "static_assert_declaration") => "",
        _ if kind == "noexcept" && tree.children(number).count() > 1 => "",
        _ => return None,
    };
    let names_nothing = matches!(kind, "number_literal" | "true" | "false" | "nullptr")
        || &text[node.range()] == b"{}";
    (!names_nothing).then_some(simple)
}

/// Whether a type is nothing but a name, or the class that it stands in.
fn is_plain_type(text: &[u8], tree: &SyntaxTree, number: usize) -> bool {
    let text_of = |node: usize| &text[tree.nodes()[node].range()];
    let mut parts = tree.children(number);
    let only = parts.next().filter(|_| parts.next().is_none());
    let is_described = tree.kind(number) == "type_descriptor";
    let of_type = only.filter(|_| is_described).unwrap_or(number);
    let is_class = |node: &usize| tree.kind(*node).contains("_specifier");
    let class = tree.and_around(number).skip(1).find(is_class);
    let class = class.and_then(|class| tree.part(class, "name"));
    let name = tree.part(of_type, "name");
    let is_name = matches!(
        tree.kind(of_type),
        "type_identifier" | "primitive_type" | "sized_type_specifier"
    );
    is_name || (class.zip(name)).is_some_and(|(class, name)| text_of(class) == text_of(name))
}
