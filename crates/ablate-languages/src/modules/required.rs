//! What `require` and `exports` mean, in files that do not `import`.

use super::paths::Paths;
use super::{DEFAULT, Modules};
use crate::tree::SyntaxTree;

/// What is between the quotes of a string.
pub(super) const PATH: &str = "string_fragment";

impl Modules<'_> {
    /// Takes down which files require others, and are modules by that; the strings that name these with the files
    /// that they name.
    pub(super) fn read_required(&mut self, tree: &SyntaxTree, paths: &Paths) -> Vec<(usize, u32)> {
        let mut strings = Vec::new();
        for (number, node) in tree.nodes().iter().enumerate() {
            if let Some(named) = self.required(tree, number, paths)
                && let Some(file) = self.file_at(node.start as usize)
            {
                for file in [file, named as usize] {
                    self.modules[file].is_module = true;
                }
                let outermost = tree.and_around(number).take_while(|&around| around != 0);
                let statement = outermost.last().unwrap_or(number) as u32;
                self.loads.push((statement, file as u32, named));
                strings.push((number, named));
            }
        }
        strings
    }

    /// The file that a `require` names whose string this is.
    fn required(&self, tree: &SyntaxTree, string: usize, paths: &Paths) -> Option<u32> {
        if tree.kind(string) != "string" {
            return None;
        }
        let call = tree.and_around(string).nth(2)?;
        let function = tree.part(call, "function")?;
        let path = self.spelled(tree, string);
        if self.spelled(tree, function) != b"require" || path.get(1) != Some(&b'.') {
            return None;
        }
        let file = self.file_at(tree.nodes()[string].start as usize)?;
        paths.find(file, path)
    }

    /// Takes down what these strings in a `require` mean, and what is taken of what it gives.
    pub(super) fn say_required(&mut self, tree: &SyntaxTree, strings: &[(usize, u32)]) {
        for &(string, named) in strings {
            let mut parts = tree.children(string);
            if let Some(path) = parts.find(|&part| tree.kind(part) == PATH) {
                self.said.insert(path as u32, (named + 1, DEFAULT));
            }
            let around = tree.and_around(string).nth(3);
            let pattern = around.and_then(|around| tree.part(around, "name"));
            let taken = pattern.into_iter().flat_map(|it| tree.children(it));
            for part in taken {
                if tree.kind(part) == "shorthand_property_identifier_pattern" {
                    let name = self.spelled(tree, part);
                    self.using.push((part as u32, (0, name)));
                }
            }
        }
    }

    /// Takes down what an outermost statement such as `module.exports = { a }` or `exports.a = b` exports.
    pub(super) fn say_exported(&mut self, tree: &SyntaxTree, statement: usize) {
        if tree.kind(statement) != "expression_statement" {
            return;
        }
        let file = self.file_at(tree.nodes()[statement].start as usize);
        let Some(file) = file.filter(|&file| self.modules[file].is_imported) else {
            return;
        };
        let mut parts = tree.children(statement);
        let Some(assignment) = parts.find(|&part| tree.kind(part) == "assignment_expression")
        else {
            return;
        };
        let sides = tree
            .part(assignment, "left")
            .zip(tree.part(assignment, "right"));
        let Some((left, right)) = sides else { return };
        match self.spelled(tree, left) {
            b"module.exports" => {
                let key = (file as u32 + 1, DEFAULT);
                self.declaring.push((statement as u32, key));
                let is_object = tree.kind(right) == "object";
                for part in tree.children(right).filter(|_| is_object) {
                    let name = match tree.kind(part) {
                        "shorthand_property_identifier" => Some(part),
                        "pair" => tree.part(part, "key"),
                        _ => None,
                    };
                    if let Some(name) = name {
                        self.naming.insert(part as u32);
                        let name = self.spelled(tree, name);
                        self.declaring.push((part as u32, (0, name)));
                    }
                }
            }
            path if path.starts_with(b"exports.") || path.starts_with(b"module.exports.") => {
                if let Some(name) = tree.part(left, "property") {
                    let name = self.spelled(tree, name);
                    self.naming.insert(statement as u32);
                    self.declaring.push((statement as u32, (0, name)));
                }
            }
            _ => {}
        }
    }
}
