//! What the names of a Go program mean, by the scopes that they are declared in.

use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use super::{Cut, Declared, Holder, List, Name, Unused};
use crate::tree::SyntaxTree;

/// What opens a scope, by the kinds of nodes.
const SCOPES: &[&str] = &[
    "block",
    "communication_case",
    "default_case",
    "expression_case",
    "expression_switch_statement",
    "for_statement",
    "func_literal",
    "function_declaration",
    "if_statement",
    "method_declaration",
    "select_statement",
    "type_case",
    "type_switch_statement",
];

/// A walk over a tree that finds out what each name means.
pub(super) struct Walk<'a> {
    text: &'a [u8],
    tree: &'a SyntaxTree,
    found: Unused,
    /// The scopes around, the innermost last: the number of the first node behind each, and what it
    /// declares.
    scopes: Vec<(usize, BTreeSet<&'a [u8]>)>,
    /// What each name means, the innermost last; `None` for what need not be used.
    meanings: BTreeMap<&'a [u8], Vec<Option<u32>>>,
    /// What is declared from a node on, in the order of the nodes and then of the text, with the number of
    /// scopes around.
    pending: BTreeMap<(usize, u32), (&'a [u8], usize)>,
    /// The imports of the current file by their names.
    imports: BTreeMap<&'a [u8], u32>,
    /// The labels of the current function by their names, and where they are used.
    labels: BTreeMap<&'a [u8], u32>,
    jumps: Vec<usize>,
    /// Names that are no uses.
    is_known: BTreeSet<usize>,
    /// The behind of the outermost function around.
    function_end: usize,
}

impl<'a> Walk<'a> {
    pub fn new(text: &'a [u8], tree: &'a SyntaxTree) -> Walk<'a> {
        Walk {
            text,
            tree,
            found: Unused::default(),
            scopes: Vec::new(),
            meanings: BTreeMap::new(),
            pending: BTreeMap::new(),
            imports: BTreeMap::new(),
            labels: BTreeMap::new(),
            jumps: Vec::new(),
            is_known: BTreeSet::new(),
            function_end: 0,
        }
    }

    /// Everything that is declared in the text.
    pub fn run(mut self) -> Unused {
        for number in 0..self.tree.nodes().len() {
            self.go_to(number);
            self.visit(number);
        }
        self.go_to(self.tree.nodes().len());
        let mut found = self.found;
        for (number, declared) in (0..).zip(&found.declared) {
            let uses = declared.uses.iter();
            found
                .uses
                .extend(uses.map(|&(start, end)| (start, end, number)));
        }
        found.uses.sort_unstable();
        let lists = found
            .holders
            .iter()
            .filter_map(|holder| holder.list.as_ref());
        let cuts = found.holders.iter().filter_map(|holder| holder.cut);
        let cuts = cuts.chain(lists.map(|list| list.cut));
        let cuts = cuts.flat_map(|cut| [(cut.start, cut.end), (cut.start, cut.behind)]);
        found.cuts = cuts.collect();
        found
    }

    /// Leaves what ends before a node.
    fn go_to(&mut self, number: usize) {
        while let Some((end, _)) = self.scopes.last()
            && *end <= number
        {
            let (_, names) = self.scopes.pop().unwrap_or_default();
            for name in names {
                self.meanings.get_mut(name).and_then(Vec::pop);
            }
        }
        while let Some(first) = self.pending.first_entry()
            && first.key().0 <= number
        {
            let ((_, declared), (name, depth)) = first.remove_entry();
            // Otherwise it is of a scope that has ended.
            if depth <= self.scopes.len() {
                self.mean(name, Some(declared));
            }
        }
        if self.function_end <= number {
            for jump in std::mem::take(&mut self.jumps) {
                if let Some(&label) = self.labels.get(self.text_of(jump)) {
                    self.add_use(jump, label);
                }
            }
            self.labels.clear();
        }
    }

    fn mean(&mut self, name: &'a [u8], meaning: Option<u32>) {
        let Some((_, names)) = self.scopes.last_mut() else {
            return;
        };
        let meanings = self.meanings.entry(name).or_default();
        if !names.insert(name) {
            meanings.pop();
        }
        meanings.push(meaning);
    }

    fn text_of(&self, number: usize) -> &'a [u8] {
        &self.text[self.tree.nodes()[number].range()]
    }

    fn range(&self, number: usize) -> (u32, u32) {
        let node = &self.tree.nodes()[number];
        (node.start, node.end)
    }

    fn child(&self, number: usize, kind: &str) -> Option<usize> {
        { self.tree.children(number) }.find(|&child| self.tree.kind(child) == kind)
    }

    fn add_use(&mut self, number: usize, declared: u32) {
        let range = self.range(number);
        self.found.declared[declared as usize].uses.push(range);
    }

    fn visit(&mut self, number: usize) {
        let kind = self.tree.kind(number);
        let next = self.tree.nodes()[number].next as usize;
        if SCOPES.contains(&kind) {
            if self.function_end <= number {
                self.function_end = next;
            }
            self.scopes.push((next, BTreeSet::new()));
        }
        let is_in_function = number < self.function_end;
        match kind {
            "package_clause" => self.imports.clear(),
            "import_declaration" => self.import(number),
            "identifier" | "package_identifier" => self.name(number),
            "parameter_declaration" | "variadic_parameter_declaration" | "const_spec"
                if is_in_function =>
            {
                self.declare_freely(number);
            }
            "var_spec" if is_in_function => self.variables(number),
            "short_var_declaration" | "range_clause" | "receive_statement" => {
                self.set(number, next);
            }
            "assignment_statement" if self.child(number, "=").is_some() => self.set(number, next),
            "type_switch_statement" => self.alias(number),
            "labeled_statement" => self.label(number),
            "label_name" if !self.is_known.contains(&number) => self.jumps.push(number),
            _ => {}
        }
    }

    /// A use, if it is one.
    fn name(&mut self, number: usize) {
        if self.is_known.contains(&number) {
            return;
        }
        let name = self.text_of(number);
        let around = self.tree.nodes()[number].parent as usize;
        match self.meanings.get(name).and_then(|all| all.last()) {
            Some(Some(declared)) => self.add_use(number, *declared),
            Some(None) => {}
            None => {
                let is_of_package = matches!(
                    self.tree.kind(around),
                    "selector_expression" | "qualified_type"
                );
                if let Some(&import) = self.imports.get(name).filter(|_| is_of_package) {
                    self.add_use(number, import);
                }
            }
        }
    }

    /// What is declared and need not be used.
    fn declare_freely(&mut self, number: usize) {
        let fields = self.tree.children(number);
        let is_name =
            |&child: &usize| self.tree.field_name(&self.tree.nodes()[child]) == Some("name");
        let names: Vec<usize> = fields.filter(is_name).collect();
        for name in names {
            self.is_known.insert(name);
            self.mean(self.text_of(name), None);
        }
    }

    fn import(&mut self, declaration: usize) {
        let list = self.child(declaration, "import_spec_list");
        let around = list.unwrap_or(declaration);
        let is_spec = |&spec: &usize| self.tree.kind(spec) == "import_spec";
        let specs: Vec<usize> = self.tree.children(around).filter(is_spec).collect();
        let first = self.found.holders.len() as u32;
        let whole = self.cut(declaration);
        let list = Rc::new(List {
            cut: whole,
            holders: first..first + specs.len() as u32,
        });
        for spec in specs {
            let named = self.tree.part(spec, "name");
            let name = match named {
                Some(name) => self.text_of(name),
                None => self
                    .tree
                    .part(spec, "path")
                    .map_or(&b""[..], |path| last_of_path(self.text_of(path))),
            };
            self.is_known.extend(named);
            let declared = self.declare();
            let name_here = Name {
                range: self.range(spec),
                declared: Some(declared),
                is_new: true,
                is_blank: false,
            };
            let cut = if list.holders.len() == 1 {
                whole
            } else {
                self.cut(spec)
            };
            self.hold(vec![name_here], Some(cut), None, Some(Rc::clone(&list)));
            self.imports.insert(name, declared);
        }
    }

    fn declare(&mut self) -> u32 {
        self.found.declared.push(Declared::default());
        self.found.declared.len() as u32 - 1
    }

    fn hold(
        &mut self,
        names: Vec<Name>,
        cut: Option<Cut>,
        sign: Option<(u32, u32)>,
        list: Option<Rc<List>>,
    ) {
        let number = self.found.holders.len() as u32;
        for declared in names.iter().filter_map(|name| name.declared) {
            let holders = &mut self.found.declared[declared as usize].holders;
            if !holders.contains(&number) {
                holders.push(number);
            }
        }
        self.found.holders.push(Holder {
            cut,
            names,
            sign,
            list,
        });
    }

    /// A node as something that goes.
    fn cut(&self, number: usize) -> Cut {
        let (start, end) = self.range(number);
        let rest = &self.text[end as usize..];
        let is_blank = |byte: &&u8| matches!(byte, b' ' | b'\t' | b'\r');
        let blanks = rest.iter().take_while(is_blank).count();
        let is_end = matches!(rest.get(blanks), Some(b';' | b'\n'));
        let behind = if is_end { end + blanks as u32 + 1 } else { end };
        Cut { start, end, behind }
    }

    /// A statement that goes as a whole, if it stands where one can.
    fn statement(&self, number: usize) -> Option<Cut> {
        let node = &self.tree.nodes()[number];
        let around = node.parent as usize;
        match self.tree.kind(around) {
            "statement_list" | "block" => Some(self.cut(number)),
            "for_clause" => {
                let (start, end) = self.range(number);
                Some(Cut::between(start, end))
            }
            "if_statement" | "expression_switch_statement" | "type_switch_statement" => {
                let behind = self.tree.nodes().get(node.next as usize)?;
                let is_end = self.tree.kind_name(behind) == ";" && behind.parent as usize == around;
                is_end.then_some(Cut::between(node.start, behind.end))
            }
            _ => None,
        }
    }

    /// `var a, b T = …`.
    fn variables(&mut self, number: usize) {
        let fields = self.tree.children(number);
        let is_name =
            |&child: &usize| self.tree.field_name(&self.tree.nodes()[child]) == Some("name");
        let is_identifier = |&child: &usize| self.tree.kind(child) == "identifier";
        let leaves: Vec<usize> = fields.filter(is_name).filter(is_identifier).collect();
        let behind = self.tree.nodes()[number].next as usize;
        let names: Vec<Name> = { leaves.into_iter() }
            .map(|leaf| self.declared_at(leaf, behind, false))
            .collect();
        let around = self.tree.nodes()[number].parent as usize;
        let cut = match self.tree.kind(around) {
            "var_declaration" => self.statement(around),
            _ => Some(self.cut(number)),
        };
        self.hold(names, cut, None, None);
    }

    /// A name that is declared here, if it has not been in the same scope: it means that behind a node.
    fn declared_at(&mut self, leaf: usize, behind: usize, may_be_old: bool) -> Name {
        self.is_known.insert(leaf);
        let name = self.text_of(leaf);
        let is_blank = name == b"_";
        let is_old = may_be_old && { self.scopes.last() }.is_some_and(|it| it.1.contains(name));
        let declared = if is_blank {
            None
        } else if is_old {
            self.meanings.get(name).and_then(|all| *all.last()?)
        } else {
            let declared = self.declare();
            let depth = self.scopes.len();
            self.pending.insert((behind, declared), (name, depth));
            Some(declared)
        };
        Name {
            range: self.range(leaf),
            declared,
            is_new: !is_old && !is_blank,
            is_blank,
        }
    }

    /// What sets the names on its left, and may declare them: they mean that from the node `behind` on.
    fn set(&mut self, number: usize, behind: usize) {
        let Some(left) = self.tree.part(number, "left") else {
            return;
        };
        let sign = self.child(number, ":=");
        if self.function_end <= number {
            return;
        }
        let leaves: Vec<usize> = { self.tree.children(left) }
            .filter(|&child| self.tree.nodes()[child].is_named)
            .collect();
        let mut names = Vec::new();
        for leaf in leaves {
            let is_name = self.tree.kind(leaf) == "identifier";
            names.push(if sign.is_some() && is_name {
                self.declared_at(leaf, behind, true)
            } else {
                self.set_at(leaf, is_name)
            });
        }
        let right = self.tree.part(number, "right");
        let kind = self.tree.kind(number);
        let cut = match right {
            Some(right) if kind == "range_clause" => {
                let range = self.child(number, "range").unwrap_or(right);
                Some(Cut::between(self.range(left).0, self.range(range).0))
            }
            Some(right) if kind == "receive_statement" => {
                Some(Cut::between(self.range(left).0, self.range(right).0))
            }
            _ => self.statement(number),
        };
        let sign = sign.map(|sign| self.range(sign));
        self.hold(names, cut, sign, None);
    }

    /// What is set here: a name, or something else.
    fn set_at(&mut self, leaf: usize, is_name: bool) -> Name {
        let name = self.text_of(leaf);
        let meaning = self.meanings.get(name).filter(|_| is_name);
        let declared = meaning.and_then(|all| *all.last()?);
        if declared.is_some() {
            self.is_known.insert(leaf);
        }
        Name {
            range: self.range(leaf),
            declared,
            is_new: false,
            is_blank: name == b"_",
        }
    }

    /// `switch a := b.(type)`.
    fn alias(&mut self, number: usize) {
        let (Some(alias), Some(sign)) = (self.tree.part(number, "alias"), self.child(number, ":="))
        else {
            return;
        };
        let Some(leaf) = self.child(alias, "identifier") else {
            return;
        };
        let name = self.declared_at(leaf, sign + 1, false);
        let behind = self.tree.nodes()[sign].next as usize;
        let value = self.tree.nodes().get(behind);
        let cut = value.map(|value| Cut::between(self.range(alias).0, value.start));
        self.hold(vec![name], cut, None, None);
    }

    fn label(&mut self, number: usize) {
        let Some(label) = self.tree.part(number, "label") else {
            return;
        };
        let statement = { self.tree.children(number) }.filter(|&it| self.tree.nodes()[it].is_named);
        let statement = statement.last().filter(|&statement| statement != label);
        self.is_known.insert(label);
        let declared = self.declare();
        self.labels.insert(self.text_of(label), declared);
        let name = Name {
            range: self.range(label),
            declared: Some(declared),
            is_new: true,
            is_blank: false,
        };
        let cut = statement.map(|it| Cut::between(self.range(label).0, self.range(it).0));
        self.hold(vec![name], cut, None, None);
    }
}

/// The name of a package by the path in this string: the last part of it that is no version.
fn last_of_path(path: &[u8]) -> &[u8] {
    let is_version = |part: &[u8]| {
        let digits = part.strip_prefix(b"v").unwrap_or_default();
        !digits.is_empty() && digits.iter().all(u8::is_ascii_digit)
    };
    let path = path
        .get(1..path.len().saturating_sub(1))
        .unwrap_or_default();
    let mut parts = path.rsplit(|&byte| byte == b'/');
    let last = parts.find(|part| !is_version(part)).unwrap_or_default();
    let end = last.iter().position(|&byte| byte == b'.');
    &last[..end.unwrap_or(last.len())]
}

impl Cut {
    fn between(start: u32, end: u32) -> Cut {
        let behind = end;
        Cut { start, end, behind }
    }
}
