//! What a language does not let stand when nothing uses it: in Go imports, variables of functions, and
//! labels. An edit that takes the last use of one takes it as well, and what only that has used.

use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use ablate_engine::pass::{Amend, Amended, Pass};
use ablate_engine::patch::{Edit, Patch};
use ablate_engine::target::Target;

use crate::tree::{Syntax, SyntaxTree};

/// Languages in which it is an error that something is not used.
const STRICT: &[&str] = &["go"];

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

/// `pass`, with edits that leave nothing unused in a language that is strict about it.
pub fn without_unused(syntax: &Rc<Syntax>, pass: Box<dyn Pass<u8>>) -> Box<dyn Pass<u8>> {
    if !STRICT.contains(&syntax.language().name) {
        return pass;
    }
    let by = WithoutUnused(Rc::clone(syntax));
    Box::new(Amended { pass, by })
}

struct WithoutUnused(Rc<Syntax>);

impl Amend<u8> for WithoutUnused {
    fn amended(&self, target: &Target<u8>, patch: Patch<u8>) -> Option<Patch<u8>> {
        let unused = Unused::of(target, &self.0);
        Some(unused.without(target.elements(), &patch).unwrap_or(patch))
    }

    fn bare(&self, target: &Target<u8>, patch: &Patch<u8>) -> Patch<u8> {
        let unused = Unused::of(target, &self.0);
        let own = patch.edits().iter().filter(|edit| !unused.may_add(edit));
        let bare = Patch::edits_of(own.cloned()).unwrap_or_default();
        let again = unused.without(target.elements(), &bare);
        if again.is_some_and(|again| again == *patch) {
            bare
        } else {
            patch.clone()
        }
    }
}

/// What is declared in a text and must be used.
#[derive(Debug, Default)]
struct Unused {
    declared: Vec<Declared>,
    /// Where each use is, with the number of what is declared, in the order of the text.
    uses: Vec<(u32, u32, u32)>,
    /// What declares or sets names.
    holders: Vec<Holder>,
    /// Where they can go.
    cuts: BTreeSet<(u32, u32)>,
}

#[derive(Debug, Default)]
struct Declared {
    /// Where it is used.
    uses: Vec<(u32, u32)>,
    /// What declares or sets it.
    holders: Vec<u32>,
}

/// What declares or sets names.
#[derive(Debug)]
struct Holder {
    /// What goes where none of its names is needed, unless it can't.
    cut: Option<Cut>,
    /// The names.
    names: Vec<Name>,
    /// The sign that says that some of them are new.
    sign: Option<(u32, u32)>,
    /// What goes when all those in it go.
    list: Option<Rc<List>>,
}

/// A name where it is declared or set.
#[derive(Clone, Copy, Debug)]
struct Name {
    range: (u32, u32),
    /// What it names; `None` for what need not be used.
    declared: Option<u32>,
    /// Whether it is declared here.
    is_new: bool,
    /// Whether it stands for nothing.
    is_blank: bool,
}

/// What goes as a whole.
#[derive(Clone, Copy, Debug)]
struct Cut {
    start: u32,
    end: u32,
    /// The end with what ends its line or the statement.
    behind: u32,
}

/// Several holders that are one declaration.
#[derive(Debug)]
struct List {
    cut: Cut,
    holders: std::ops::Range<u32>,
}

impl Cut {
    fn between(start: u32, end: u32) -> Cut {
        let behind = end;
        Cut { start, end, behind }
    }
}

impl Unused {
    fn of(target: &Target<u8>, syntax: &Syntax) -> Rc<Unused> {
        let tree = syntax.tree(target);
        target.analysis(|target| {
            let mut walk = Walk::new(target.elements(), &tree);
            walk.run();
            walk.finish()
        })
    }

    /// Whether an edit is one that is made here.
    fn may_add(&self, edit: &Edit<u8>) -> bool {
        match edit.insert.as_deref() {
            None => self.cuts.contains(&(edit.start as u32, edit.end as u32)),
            Some(insert) => matches!(insert, b"_" | b"="),
        }
    }

    /// An edit that does what `patch` does and takes what is not used then; `None` if that is nothing, or
    /// can't go.
    fn without(&self, text: &[u8], patch: &Patch<u8>) -> Option<Patch<u8>> {
        let mut going = Going::new(self, text, patch);
        going.run();
        going.patch(patch)
    }
}

/// What goes with an edit, as far as it is known.
struct Going<'a> {
    unused: &'a Unused,
    text: &'a [u8],
    /// What goes: ranges, with what takes their place.
    gone: BTreeMap<u32, (u32, &'a [u8])>,
    /// Ranges of which it is not yet known what goes with them.
    open: Vec<(u32, u32)>,
    /// Which declared names are no longer used.
    dead: BTreeSet<u32>,
    /// Which holders go as a whole.
    cut: BTreeSet<u32>,
}

impl<'a> Going<'a> {
    fn new(unused: &'a Unused, text: &'a [u8], patch: &'a Patch<u8>) -> Going<'a> {
        let edits = patch.edits().iter();
        let edits = edits.map(|edit| (edit.start as u32, edit.end as u32, edit.insert.as_deref()));
        let ranges = edits.clone().map(|(start, end, _)| (start, end));
        Going {
            unused,
            text,
            open: ranges.collect(),
            gone: edits
                .filter(|(start, end, _)| start < end)
                .map(|(start, end, insert)| (start, (end, insert.unwrap_or_default())))
                .collect(),
            dead: BTreeSet::new(),
            cut: BTreeSet::new(),
        }
    }

    /// Whether nothing is left of a range, nor of the name that stands there.
    fn is_gone(&self, (start, end): (u32, u32)) -> bool {
        let around = self.gone.range(..=start).next_back();
        around.is_some_and(|(_, (to, insert))| {
            let name = &self.text[start as usize..end as usize];
            end <= *to && (insert.is_empty() || !insert.windows(name.len()).any(|it| it == name))
        })
    }

    /// Whether an edit reaches into a range, but not over all of it, or has something in it take its place.
    fn is_torn(&self, (start, end): (u32, u32)) -> bool {
        let before = self.gone.range(..start).next_back();
        let inside = self.gone.range(start..end);
        before.is_some_and(|(_, (to, _))| *to > start) || { inside }
            .any(|(_, (to, insert))| *to > end || !insert.is_empty())
    }

    fn run(&mut self) {
        while let Some((start, end)) = self.open.pop() {
            let uses = &self.unused.uses;
            let from = uses.partition_point(|of| of.0 < start);
            let inside = uses[from..].iter().take_while(|of| of.1 <= end);
            let mut touched: Vec<u32> = inside.map(|of| of.2).collect();
            touched.sort_unstable();
            touched.dedup();
            for declared in touched {
                let uses = &self.unused.declared[declared as usize].uses;
                if !self.dead.contains(&declared) && uses.iter().all(|&of| self.is_gone(of)) {
                    self.dead.insert(declared);
                    for &holder in &self.unused.declared[declared as usize].holders {
                        self.look_at(holder);
                    }
                }
            }
        }
    }

    /// Lets a holder go if none of its names is needed.
    fn look_at(&mut self, number: u32) {
        let holder = &self.unused.holders[number as usize];
        let is_needless = holder.names.iter().all(|name| self.is_needless(name));
        let Some(cut) = holder.cut.filter(|_| is_needless) else {
            return;
        };
        if !self.can_take(cut) || !self.cut.insert(number) {
            return;
        }
        self.take(cut);
        if let Some(list) = &holder.list {
            let is_cut = |holder: u32| {
                let cut = self.unused.holders[holder as usize].cut;
                self.cut.contains(&holder)
                    || cut.is_some_and(|cut| self.is_gone((cut.start, cut.end)))
            };
            if { list.holders.clone() }.all(is_cut) && self.can_take(list.cut) {
                self.take(list.cut);
            }
        }
    }

    fn is_needless(&self, name: &Name) -> bool {
        let is_dead = |declared: u32| self.dead.contains(&declared);
        name.is_blank || name.declared.is_some_and(is_dead)
    }

    fn can_take(&self, cut: Cut) -> bool {
        !self.is_torn((cut.start, cut.end))
    }

    fn take(&mut self, cut: Cut) {
        let start = cut.start;
        let end = if self.is_torn((cut.end, cut.behind)) {
            cut.end
        } else {
            cut.behind
        };
        // What is in it goes with it.
        let inside: Vec<u32> = { self.gone.range(start..end) }.map(|(at, _)| *at).collect();
        for at in inside {
            self.gone.remove(&at);
        }
        if !self.is_gone((start, end)) {
            self.gone.insert(start, (end, b""));
            self.open.push((start, end));
        }
    }

    /// The edit, if it is another one than `patch`.
    fn patch(mut self, patch: &Patch<u8>) -> Option<Patch<u8>> {
        if self.dead.is_empty() {
            return None;
        }
        let holders = self.dead.iter();
        let holders = holders.flat_map(|&it| &self.unused.declared[it as usize].holders);
        let holders: BTreeSet<u32> = holders.copied().collect();
        for &number in holders.difference(&self.cut) {
            let holder = &self.unused.holders[number as usize];
            let (dead, rest): (Vec<&Name>, Vec<&Name>) =
                holder.names.iter().partition(|name| self.is_needless(name));
            for name in dead {
                if !name.is_blank && !self.is_gone(name.range) && !self.is_torn(name.range) {
                    self.gone.insert(name.range.0, (name.range.1, b"_"));
                }
            }
            let sign = holder.sign.filter(|_| !rest.iter().any(|name| name.is_new));
            if let Some(sign) = sign.filter(|&sign| !self.is_gone(sign) && !self.is_torn(sign)) {
                self.gone.insert(sign.0, (sign.1, b"="));
            }
        }
        let of_patch = patch.edits().iter();
        let insertions = of_patch.filter(|edit| {
            edit.start == edit.end && !self.is_torn((edit.start as u32, edit.end as u32))
        });
        let edits = self.gone.iter().map(|(&start, &(end, insert))| {
            let (start, end) = (start as usize, end as usize);
            Patch::replace(start, end, insert)
        });
        let edits: Vec<Edit<u8>> = edits.flat_map(|edit| edit.edits().to_vec()).collect();
        Patch::edits_of(insertions.cloned().chain(edits)).ok()
    }
}

/// A walk over a tree that finds out what each name means.
struct Walk<'a> {
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
    fn new(text: &'a [u8], tree: &'a SyntaxTree) -> Walk<'a> {
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

    fn run(&mut self) {
        for number in 0..self.tree.nodes().len() {
            self.go_to(number);
            self.visit(number);
        }
        self.go_to(self.tree.nodes().len());
    }

    fn finish(self) -> Unused {
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
            "short_var_declaration" => self.set(number, next),
            "assignment_statement" if self.child(number, "=").is_some() => self.set(number, next),
            "range_clause" | "receive_statement" => {
                let at = self.tree.nodes()[number].parent as usize;
                let behind = if kind == "range_clause" { next } else { at + 1 };
                self.set(number, behind.max(next));
            }
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::find;

    /// What is left of a Go function with this body, after an import, without `part`.
    fn left(text: &str, part: &str) -> String {
        let target = Target::new(text.as_bytes().to_vec());
        let syntax = Syntax::new(find("go").unwrap());
        let by = WithoutUnused(syntax);
        let start = text.find(part).unwrap();
        let cut = Patch::cut(start, start + part.len());
        let amended = by.amended(&target, cut).unwrap();
        String::from_utf8(amended.applied(target.elements())).unwrap()
    }

    fn check(body: &str, part: &str, expected: &str) {
        let within = |body: &str| format!("package a\nfunc f() {{\n{body}\n}}\n");
        assert_eq!(
            left(&within(body), part),
            within(expected),
            "{body} without {part}"
        );
    }

    #[test]
    fn imports_go_with_their_last_use_in_the_file() {
        let text = "package a\nimport (\n\"fmt\"\nb \"x/y\"\n\"m/c/v2\"\n)\nvar d = b.E\nfunc f() { fmt.Print(); c.C() }\n";
        let expected = text.replace("\"fmt\"\n", "").replace("fmt.Print();", "");
        assert_eq!(left(text, "fmt.Print();"), expected);
        let expected = "package a\nfunc f() {}\n";
        let text = "package a\nimport \"fmt\"\nfunc f() {fmt.Print()}\n";
        assert_eq!(left(text, "fmt.Print()"), expected);
        let text = text.to_owned() + "package b\nimport \"fmt\"\nfunc g() {fmt.Print()}\n";
        let expected = expected.to_owned() + "package b\nimport \"fmt\"\nfunc g() {fmt.Print()}\n";
        assert_eq!(left(&text, "fmt.Print()"), expected);
    }

    #[test]
    fn variables_go_with_their_last_use_and_take_others_with_them() {
        check("a := 1\nb := a\nb = 2\ng(b)", "g(b)", "");
        check("a, b := g()\nh(a)\nh(b)\n", "h(a)\n", "_, b := g()\nh(b)\n");
        check("a, b := g(); a = 1; h(b)", "h(b)", "a, _ := g(); a = 1; ");
        check(
            "a, err := g()\nb, err := h(a)\ng(err, b)\nh(a)",
            ", b",
            "a, err := g()\n_, err = h(a)\ng(err)\nh(a)",
        );
        check(
            "var a int\nif a := 1; a > 0 {}\ng(a)",
            "g(a)",
            "if a := 1; a > 0 {}\n",
        );
        check("if a := 1; a > 0 {}", "a > 0", "if   {}");
    }

    #[test]
    fn what_was_added_is_known() {
        let text = b"package a\nfunc f() { a, b := g(); c := b; h(); j(a, c) }";
        let target = Target::new(text.to_vec());
        let by = WithoutUnused(Syntax::new(find("go").unwrap()));
        let start = text.len() - 6;
        let cut = Patch::cut(start, start + 3);
        let amended = by.amended(&target, cut.clone()).unwrap();
        let expected = "package a\nfunc f() { a, _ := g();  h(); j(a) }";
        assert_eq!(amended.applied(text), expected.as_bytes());
        assert_eq!(by.bare(&target, &amended), cut);
    }

    #[test]
    fn what_need_not_be_used_stays() {
        check("func(a int) { g(a) }", "g(a)", "func(a int) {  }");
        check("const a = 1\ng(a)", "g(a)", "const a = 1\n");
        check("a := 1\ng(a)\ng(a)", "g(a)\n", "a := 1\ng(a)");
    }

    #[test]
    fn loops_switches_and_labels_lose_their_names() {
        check(
            "for i, x := range b { g(i, x) }",
            "g(i, x)",
            "for range b {  }",
        );
        check(
            "for i, x := range b { g(i); h(x) }",
            "g(i);",
            "for _, x := range b {  h(x) }",
        );
        check(
            "switch a := b.(type) { case int: g(a) }",
            "g(a)",
            "switch b.(type) { case int:  }",
        );
        check(
            "select { case a := <-b: g(a) }",
            "g(a)",
            "select { case <-b:  }",
        );
        check("a: for { g(); break a }", "break a", "for { g();  }");
    }
}
