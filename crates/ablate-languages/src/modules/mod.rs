//! What the files of a folder import from each other by name, in JavaScript and TypeScript: a name means what
//! is declared in its own file, or what another file exports, and not what has the same name elsewhere.
//!
//! In files that `require` others, what is exported is named by its spelling, since any object may have it, and
//! a whole file by the path in a `require`.
//!
//! Imports are followed through files that pass on what they import, by name or by `export *`. What is
//! exported by a file that something imports as a whole (`import * as a`, `require`) is named by its
//! spelling alone, as members of objects are; so is what a file does not declare.

mod links;
mod paths;
mod required;

use std::collections::{BTreeMap, BTreeSet};

use ablate_passes::formats::folder::Entry;

use crate::tree::SyntaxTree;
use links::File;
pub(crate) use links::Links;
use paths::Paths;
use required::PATH;

/// Languages in which files import what they use of others by its name.
pub(crate) const LANGUAGES: &[&str] = &["javascript", "tsx", "typescript"];
/// Over so many files it is followed where something comes from.
const FILES_MAX: u32 = 16;
/// How far the parts of a declaration are looked into that are declared, too.
const DECLARED_DEPTH: u32 = 4;
/// What everything that a file exports without a name is called.
const DEFAULT: &[u8] = b"default";

/// A name as it is spelled, and the number of the only file in which it means this, counted from 1; or 0.
pub(crate) type Key<'a> = (u32, &'a [u8]);

/// What a file exports under a name.
#[derive(Clone, Copy, Debug)]
enum Export<'a> {
    /// What has this name in the file.
    Own(&'a [u8]),
    /// What another file exports under this name.
    Of(u32, &'a [u8]),
}

/// A file that imports or exports something, or another one.
#[derive(Debug, Default)]
struct Module<'a> {
    is_module: bool,
    is_imported: bool,
    /// Whether all that it exports is named by its spelling alone.
    is_open: bool,
    /// What is declared anywhere in it.
    declared: BTreeSet<&'a [u8]>,
    /// For names in it, from which file they are, and what they are called there.
    imports: BTreeMap<&'a [u8], (u32, &'a [u8])>,
    exports: BTreeMap<&'a [u8], Export<'a>>,
    /// What of its own it exports.
    exported: BTreeSet<&'a [u8]>,
    /// The files that it exports all of.
    passed_on: Vec<u32>,
}

/// The files of a folder with what they import and export.
#[derive(Debug)]
pub(crate) struct Modules<'a> {
    text: &'a [u8],
    entries: &'a [Entry],
    modules: Vec<Module<'a>>,
    /// What names mean that stand for something else than a name of their file.
    said: BTreeMap<u32, Key<'a>>,
    /// Nodes that declare something besides those that do so by their kind.
    declaring: Vec<(u32, Key<'a>)>,
    /// Statements, each with its file and the one that it has read, in the order of the text.
    loads: Vec<(u32, u32, u32)>,
    /// Nodes that only let others be named.
    pub showing: BTreeSet<u32>,
    /// Nodes by which what a file exports gets a name that any object may have.
    pub naming: BTreeSet<u32>,
    /// Nodes that use what others declare besides those that name it.
    pub using: Vec<(u32, Key<'a>)>,
}

impl<'a> Modules<'a> {
    /// Those of a folder, in which these nodes declare these leaves; `None` if no file of it imports another.
    pub fn of(
        text: &'a [u8],
        tree: &SyntaxTree,
        entries: &'a [Entry],
        declared: &BTreeMap<usize, Vec<usize>>,
    ) -> Option<Modules<'a>> {
        if entries.is_empty() || !LANGUAGES.iter().any(|language| tree.is_in(language)) {
            return None;
        }
        let mut modules = Modules {
            text,
            entries,
            modules: entries.iter().map(|_| Module::default()).collect(),
            said: BTreeMap::new(),
            declaring: Vec::new(),
            loads: Vec::new(),
            showing: BTreeSet::new(),
            naming: BTreeSet::new(),
            using: Vec::new(),
        };
        let paths = Paths::of(text, entries);
        for &leaf in declared.values().flatten() {
            let range = tree.nodes()[leaf].range();
            if let Some(file) = modules.file_at(range.start) {
                modules.modules[file].declared.insert(&text[range]);
            }
        }
        let statements: Vec<usize> = tree.children(0).collect();
        for &statement in &statements {
            modules.read(tree, statement, &paths, declared);
        }
        let required = modules.read_required(tree, &paths);
        for module in &mut modules.modules {
            let own = module.exports.values().filter_map(|export| match export {
                Export::Own(own) => Some(*own),
                Export::Of(..) => None,
            });
            module.exported = own.collect();
        }
        modules.find_open(tree, &paths);
        if !modules.modules.iter().any(|module| module.is_imported) {
            return None;
        }
        for &statement in &statements {
            modules.say(tree, statement, &paths);
            modules.say_exported(tree, statement);
        }
        modules.say_required(tree, &required);
        modules
            .loads
            .sort_by_cached_key(|&(statement, file, _)| (file, statement));
        Some(modules)
    }

    /// The number of the file that has this position in it.
    fn file_at(&self, at: usize) -> Option<usize> {
        let behind = self.entries.partition_point(|entry| entry.content <= at);
        behind.checked_sub(1)
    }

    fn spelled(&self, tree: &SyntaxTree, node: usize) -> &'a [u8] {
        &self.text[tree.nodes()[node].range()]
    }

    /// The file that a statement imports from, if it is one of the folder.
    fn source(&self, tree: &SyntaxTree, statement: usize, paths: &Paths) -> Option<u32> {
        let source = tree.part(statement, "source")?;
        let file = self.file_at(tree.nodes()[statement].start as usize)?;
        paths.find(file, self.spelled(tree, source))
    }

    /// Takes down what a statement imports or exports.
    fn read(
        &mut self,
        tree: &SyntaxTree,
        statement: usize,
        paths: &Paths,
        declared: &BTreeMap<usize, Vec<usize>>,
    ) {
        let kind = tree.kind(statement);
        if !matches!(kind, "import_statement" | "export_statement") {
            return;
        }
        let Some(file) = self.file_at(tree.nodes()[statement].start as usize) else {
            return;
        };
        self.modules[file].is_module = true;
        let source = self.source(tree, statement, paths);
        if let Some(source) = source {
            self.modules[source as usize].is_imported = true;
            self.loads.push((statement as u32, file as u32, source));
        }
        for part in parts(tree, statement) {
            let name = self.spelled(tree, part.name);
            let called = part.alias.map_or(name, |alias| self.spelled(tree, alias));
            let module = &mut self.modules[file];
            match (part.what, source) {
                (What::Import, Some(source)) => {
                    module.imports.insert(called, (source, name));
                }
                (What::Default, Some(source)) => {
                    module.imports.insert(name, (source, DEFAULT));
                }
                (What::All, Some(source)) => self.modules[source as usize].is_open = true,
                (What::Export, Some(source)) => {
                    module.exports.insert(called, Export::Of(source, name));
                }
                (What::Export, None) => {
                    module.exports.insert(called, Export::Own(name));
                }
                (What::Import | What::Default | What::All, None) => {}
            }
        }
        if kind == "import_statement" {
            return;
        }
        let mut children = tree.children(statement);
        if let Some(source) = source
            && children.any(|child| tree.kind(child) == "*")
        {
            self.modules[file].passed_on.push(source);
        }
        let own = self.declared_by(tree, statement, declared);
        let module = &mut self.modules[file];
        if !is_default(tree, statement) {
            let own = own.into_iter().map(|name| (name, Export::Own(name)));
            module.exports.extend(own);
        } else if let Some(name) = own.first() {
            module.exports.insert(DEFAULT, Export::Own(name));
        } else {
            module.declared.insert(DEFAULT);
            module.exports.insert(DEFAULT, Export::Own(DEFAULT));
        }
    }

    /// The names that an export declares, or the one that is its value.
    fn declared_by(
        &self,
        tree: &SyntaxTree,
        export: usize,
        declared: &BTreeMap<usize, Vec<usize>>,
    ) -> Vec<&'a [u8]> {
        let mut leaves = Vec::new();
        if let Some(declaration) = tree.part(export, "declaration") {
            add_declared(tree, declaration, declared, DECLARED_DEPTH, &mut leaves);
        } else {
            let value = tree.part(export, "value");
            leaves.extend(value.filter(|&value| tree.kind(value) == "identifier"));
        }
        let names = leaves.into_iter().map(|leaf| self.spelled(tree, leaf));
        names.collect()
    }

    /// What a path in a string stands for, where it does for what a file exports as a whole.
    pub fn required_at(&self, tree: &SyntaxTree, node: usize) -> Option<Key<'a>> {
        let said = (tree.kind(node) == PATH).then(|| self.said.get(&(node as u32)));
        said.flatten().copied()
    }

    /// Finds the files that are also imported otherwise than by a statement, or as a whole.
    fn find_open(&mut self, tree: &SyntaxTree, paths: &Paths) {
        for (number, node) in tree.nodes().iter().enumerate() {
            let around = tree.kind(node.parent as usize);
            let is_said = matches!(around, "import_statement" | "export_statement");
            if tree.kind_name(node) != "string" || is_said {
                continue;
            }
            let path = self.spelled(tree, number);
            let file = self.file_at(node.start as usize);
            if let Some(file) = file.filter(|_| path.get(1) == Some(&b'.'))
                && let Some(named) = paths.find(file, path)
            {
                self.modules[named as usize].is_open = true;
                self.modules[named as usize].is_imported = true;
            }
        }
        let mut open: Vec<usize> = (0..self.modules.len())
            .filter(|&file| self.modules[file].is_open)
            .collect();
        while let Some(file) = open.pop() {
            for passed_on in self.modules[file].passed_on.clone() {
                let other = &mut self.modules[passed_on as usize];
                if !std::mem::replace(&mut other.is_open, true) {
                    open.push(passed_on as usize);
                }
            }
        }
    }

    /// Takes down what the names in a statement that imports or exports mean.
    fn say(&mut self, tree: &SyntaxTree, statement: usize, paths: &Paths) {
        let kind = tree.kind(statement);
        let file = self.file_at(tree.nodes()[statement].start as usize);
        let Some(file) = file.filter(|_| matches!(kind, "import_statement" | "export_statement"))
        else {
            return;
        };
        let source = self.source(tree, statement, paths);
        let is_import = kind == "import_statement";
        let is_seen = self.modules[file].is_imported;
        let is_open = self.modules[file].is_open;
        let mut has_part = false;
        for part in parts(tree, statement) {
            let name = self.spelled(tree, part.name);
            let called = part.alias.map_or(name, |alias| self.spelled(tree, alias));
            let meant = match (part.what, source) {
                (What::Import | What::Default | What::All, _) => self.meaning(file, called),
                (What::Export, Some(source)) => {
                    let exported = self.exported(source, name, FILES_MAX);
                    exported.unwrap_or((source + 1, name))
                }
                (What::Export, None) => self.meaning(file, name),
            };
            self.said.insert(part.name as u32, meant);
            if let Some(alias) = part.alias {
                self.said.insert(alias as u32, meant);
            }
            let shows = if is_import {
                source.is_some() && part.what != What::All
            } else {
                is_seen
            };
            if shows {
                has_part = true;
                self.showing.insert(part.node as u32);
                if !is_import {
                    self.declaring.push((part.node as u32, meant));
                    if is_open {
                        self.declaring.push((part.node as u32, (0, called)));
                    }
                }
            }
        }
        let is_all = parts(tree, statement).all(|part| self.showing.contains(&(part.node as u32)));
        if has_part && is_all {
            self.showing.insert(statement as u32);
        }
        if is_import || !is_seen {
            return;
        }
        let value = tree.part(statement, "value");
        if let Some(value) = value {
            let name = self.spelled(tree, value);
            let is_name = tree.kind(value) == "identifier";
            let meant = self.meaning(file, if is_name { name } else { DEFAULT });
            self.declaring.push((statement as u32, meant));
            if is_name {
                self.showing.insert(statement as u32);
            }
        } else if is_default(tree, statement) && self.modules[file].declared.contains(DEFAULT) {
            let meant = self.meaning(file, DEFAULT);
            self.declaring.push((statement as u32, meant));
        }
    }

    /// What a name means in a file.
    fn meaning(&self, file: usize, name: &'a [u8]) -> Key<'a> {
        self.followed(file, name, FILES_MAX)
    }

    fn followed(&self, file: usize, name: &'a [u8], most: u32) -> Key<'a> {
        let module = &self.modules[file];
        if !module.is_module || !module.declared.contains(name) {
            return (0, name);
        }
        if let Some(&(source, called)) = module.imports.get(name)
            && let Some(meant) = self.exported(source, called, most)
        {
            return meant;
        }
        if module.is_open && module.exported.contains(name) {
            return (0, name);
        }
        (file as u32 + 1, name)
    }

    /// What a file exports under a name.
    fn exported(&self, file: u32, name: &'a [u8], most: u32) -> Option<Key<'a>> {
        let most = most.checked_sub(1)?;
        let module = &self.modules[file as usize];
        match module.exports.get(name) {
            Some(Export::Own(own)) => Some(self.followed(file as usize, own, most)),
            Some(&Export::Of(source, called)) => self.exported(source, called, most),
            None if name == DEFAULT => None,
            None => {
                let mut others = module.passed_on.iter();
                others.find_map(|&other| self.exported(other, name, most))
            }
        }
    }

    /// What a name at a node means that is no name in something else.
    pub fn key(&self, tree: &SyntaxTree, node: usize, name: &'a [u8]) -> Key<'a> {
        if let Some(&key) = self.said.get(&(node as u32)) {
            return key;
        }
        let file = self.file_at(tree.nodes()[node].start as usize);
        file.map_or((0, name), |file| self.meaning(file, name))
    }

    /// The names of what files export of which others name all.
    pub fn opened(&self) -> BTreeSet<&'a [u8]> {
        let open = self.modules.iter().filter(|module| module.is_open);
        let exported = open.flat_map(|module| module.exports.keys().copied());
        let naming = self.declaring.iter();
        let naming = naming.filter(|(node, _)| self.naming.contains(node));
        exported.chain(naming.map(|(_, key)| key.1)).collect()
    }

    /// Nodes that declare something besides those that do so by their kind.
    pub fn declaring(&self) -> &[(u32, Key<'a>)] {
        &self.declaring
    }

    /// Which files read which others.
    pub fn links(&self) -> Links {
        let files = self.entries.iter().zip(&self.modules);
        let files = files.map(|(entry, module)| File {
            range: entry.content..entry.end,
            is_first: module.is_module && !module.is_imported,
        });
        Links {
            files: files.collect(),
            loads: self.loads.clone(),
        }
    }
}

/// Whether an export is of what has no name.
fn is_default(tree: &SyntaxTree, export: usize) -> bool {
    let mut parts = tree.children(export);
    parts.any(|part| tree.kind(part) == "default")
}

/// What a part of a statement does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum What {
    /// It imports something by its name.
    Import,
    /// It imports what has no name.
    Default,
    /// It names a whole file.
    All,
    /// It exports something by its name.
    Export,
}

/// A part of a statement that imports or exports something.
struct Part {
    what: What,
    node: usize,
    name: usize,
    alias: Option<usize>,
}

/// The parts of a statement.
fn parts(tree: &SyntaxTree, statement: usize) -> impl Iterator<Item = Part> + '_ {
    let end = tree.nodes()[statement].next as usize;
    let is_import = tree.kind(statement) == "import_statement";
    let inside = (statement + 1..end)
        .filter(move |_| is_import || tree.part(statement, "declaration").is_none());
    inside.filter_map(move |node| {
        let around = tree.kind(tree.nodes()[node].parent as usize);
        let kind = tree.kind(node);
        let (what, name) = match kind {
            "import_specifier" => (What::Import, tree.part(node, "name")?),
            "export_specifier" => (What::Export, tree.part(node, "name")?),
            "identifier" if around == "import_clause" => (What::Default, node),
            "identifier"
                if matches!(
                    around,
                    "namespace_import" | "namespace_export" | "import_require_clause"
                ) =>
            {
                (What::All, node)
            }
            _ => return None,
        };
        Some(Part {
            what,
            node,
            name,
            alias: tree.part(node, "alias"),
        })
    })
}

/// Adds the leaves that a declaration declares.
fn add_declared(
    tree: &SyntaxTree,
    node: usize,
    declared: &BTreeMap<usize, Vec<usize>>,
    depth: u32,
    leaves: &mut Vec<usize>,
) {
    leaves.extend(declared.get(&node).into_iter().flatten());
    let is_around = [
        "lexical_declaration",
        "variable_declaration",
        "ambient_declaration",
    ];
    if depth > 0 && is_around.contains(&tree.kind(node)) {
        for part in tree.children(node) {
            add_declared(tree, part, declared, depth - 1, leaves);
        }
    }
}
