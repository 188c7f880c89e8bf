//! Structs of Rust that have one field or none, which may take their place.

use std::ops::Range;

use ablate_engine::patch::{Edit, Patch};

use crate::arguments::entries;
use crate::generics::{applied, edit, instantiated, parameters};
use crate::members::Members;
use crate::names::Names;
use crate::tree::SyntaxTree;

/// What is named in more places is left alone.
const PLACES_MAX: usize = 500;

/// A text with what is known of it.
pub(crate) struct Newtypes<'a> {
    pub text: &'a [u8],
    pub members: &'a Members,
    pub member_of: &'a [u32],
    pub names: &'a Names,
    /// What may name the first field of a struct whose fields have no names.
    pub firsts: Vec<usize>,
}

/// The nodes that are the number 0.
pub(crate) fn firsts(text: &[u8], tree: &SyntaxTree) -> Vec<usize> {
    let is_first = |&it: &usize| text[tree.nodes()[it].range()] == *b"0";
    (0..tree.nodes().len()).filter(is_first).collect()
}

impl Newtypes<'_> {
    fn tree(&self) -> &SyntaxTree {
        self.members.tree()
    }

    fn range(&self, node: usize) -> Range<usize> {
        self.tree().nodes()[node].range()
    }

    fn parent(&self, node: usize) -> usize {
        self.tree().nodes()[node].parent as usize
    }

    /// What becomes of the text when the only field of a struct takes its place, or nothing where it has
    /// none.
    pub fn unwrapped(&self, node: usize) -> Option<Patch<u8>> {
        let tree = self.tree();
        if tree.kind(node) != "struct_item" {
            return None;
        }
        let name = tree.part(node, "name")?;
        let body = tree.part(node, "body");
        let is_field =
            |&it: &usize| !matches!(tree.kind(it), "visibility_modifier" | "attribute_item");
        let mut fields = body
            .into_iter()
            .flat_map(|body| entries(tree, body))
            .filter(is_field);
        let Some(field) = fields.next() else {
            return self.as_unit(node, name, body);
        };
        if fields.next().is_some() {
            return None;
        }
        let field_name = tree.part(field, "name");
        let of_type = self.range(tree.part(field, "type").unwrap_or(field));
        let parameters = parameters(self.text, tree, node);
        let (start, end) = self.members.cut_node(self.member_of, node)?;
        let mut edits = vec![edit(start..end, b"")];
        let is_outside = |it: &usize| !(start..end).contains(&self.range(*it).start);
        for place in self.places(name)?.into_iter().filter(is_outside) {
            if !self.unwrap_value(place, &mut edits) {
                let (whole, given) = applied(self.text, tree, place, &parameters);
                let text = instantiated(self.text, tree, of_type.clone(), &given);
                edits.push(edit(self.range(whole), &text));
            }
        }
        let accesses = match field_name {
            Some(name) => self.places(name)?,
            None => self.firsts.clone(),
        };
        for place in accesses.into_iter().filter(is_outside) {
            let access = self.parent(place);
            let is_called = tree.part(self.parent(access), "function") == Some(access);
            let is_field = tree.part(access, "field") == Some(place) && !is_called;
            if let Some(value) = tree.part(access, "value").filter(|_| is_field) {
                edits.push(edit(self.range(value).end..self.range(access).end, b""));
            }
        }
        Patch::edits_of(edits).ok()
    }

    /// What becomes of the text when `()` takes the place of a struct without fields.
    fn as_unit(&self, node: usize, name: usize, body: Option<usize>) -> Option<Patch<u8>> {
        let tree = self.tree();
        let (start, end) = self.members.cut_node(self.member_of, node)?;
        let word = &self.text[self.range(name)];
        let own = parameters(self.text, tree, node);
        let is_tuple = body.is_some_and(|it| tree.kind(it).starts_with("ordered"));
        let mut edits = vec![edit(start..end, b"")];
        for place in self.places(name)? {
            let is_parameter = |&item: &usize| parameters(self.text, tree, item).contains(&word);
            let is_in = (start..end).contains(&self.range(place).start);
            if is_in || tree.and_around(place).any(|item| is_parameter(&item)) {
                continue;
            }
            let (whole, _) = applied(self.text, tree, place, &own);
            let around = self.parent(whole);
            let field = tree.field_name(&tree.nodes()[whole]);
            let is_type = tree.kind(place) == "type_identifier";
            let (range, insert): (_, &[u8]) = match tree.kind(around) {
                "struct_expression" | "struct_pattern" => (self.range(around), b"()"),
                "call_expression" | "tuple_struct_pattern" if is_tuple => (self.range(whole), b""),
                "scoped_identifier" | "scoped_type_identifier" if field == Some("path") => {
                    (self.range(whole), b"<()>")
                }
                "scoped_identifier" | "lifetime" | "label" | "function_item"
                | "use_declaration" => {
                    continue;
                }
                _ if is_type || body.is_none() && tree.kind(place) == "identifier" => {
                    (self.range(whole), b"()")
                }
                _ => continue,
            };
            edits.push(edit(range, insert));
        }
        Patch::edits_of(edits).ok()
    }

    /// The nodes where a name stands that stands here too.
    fn places(&self, name: usize) -> Option<Vec<usize>> {
        self.names.places(self.names.name_at(name)?, PLACES_MAX)
    }

    /// Takes the struct off a value or a pattern, if its name stands in one or is no name of a type.
    fn unwrap_value(&self, name: usize, edits: &mut Vec<Edit<u8>>) -> bool {
        let tree = self.tree();
        let mut place = name;
        while matches!(
            tree.kind(self.parent(place)),
            "generic_function" | "generic_type_with_turbofish"
        ) {
            place = self.parent(place);
        }
        let around = self.parent(place);
        let of_place = tree.field_name(&tree.nodes()[place]);
        match tree.kind(around) {
            "call_expression" if of_place == Some("function") => {
                edits.push(edit(self.range(place), b""));
                true
            }
            "tuple_struct_pattern" if of_place == Some("type") => {
                edits.push(edit(self.range(place), b""));
                true
            }
            "struct_expression" | "struct_pattern" => {
                let list = tree.part(around, "body").unwrap_or(around);
                let is_part = |&it: &usize| tree.kind(it).contains("field_");
                let mut parts = entries(tree, list).filter(|it| *it > place).filter(is_part);
                let Some(part) = parts.next() else {
                    return true;
                };
                let value = ["value", "pattern"].into_iter();
                let value = value.filter_map(|field| tree.part(part, field)).next();
                let value = self.range(value.unwrap_or(part));
                let all = self.range(around);
                edits.push(edit(all.start..value.start, b""));
                edits.push(edit(value.end..all.end, b""));
                true
            }
            _ => tree.kind(name) != "type_identifier" || tree.kind(around) == "use_declaration",
        }
    }
}
