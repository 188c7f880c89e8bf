//! Units: the declarations of a text on the outermost levels, and which of them need which others,
//! by the names in them.

use std::rc::Rc;

use ablate_engine::target::Target;

use crate::members::Members;
use crate::names::Names;
use crate::tree::{Syntax, SyntaxTree};

/// What only holds other things together, by parts of the names of kinds.
const CONTAINERS: &[&str] = &[
    "namespace",
    "mod_item",
    "linkage",
    "module",
    "preproc_if",
    "declaration_list",
    "export_statement",
];

/// The declarations on the outermost levels.
#[derive(Debug, Default)]
pub(crate) struct Units {
    /// The member that each unit is, in the order of the text.
    members: Vec<u32>,
    /// The units that each unit needs.
    needs: Vec<Vec<u32>>,
    /// The units that no other needs.
    roots: Vec<u32>,
    /// For each unit the list it is in.
    lists: Vec<u32>,
}

impl Units {
    /// The units in the syntax tree of `target`.
    pub fn of(target: &Target<u8>, syntax: &Syntax) -> Rc<Units> {
        let members = Members::of(target, syntax);
        let names = Names::of(target, syntax);
        target.analysis(|_| Units::new(&members, &names))
    }

    fn new(members: &Members, names: &Names) -> Units {
        let mut units = Units::default();
        let tree = members.tree();
        let mut is_container = vec![false; tree.nodes().len()];
        for (number, node) in tree.nodes().iter().enumerate() {
            let is_inside = number == 0 || is_container[node.parent as usize];
            is_container[number] = is_inside && (number == 0 || holds_others(tree, number));
        }
        for member in 0..members.len() {
            let node = members.node(member);
            let number = members.node_number(member);
            let is_unit = is_container[node.parent as usize] && !is_container[number];
            if is_unit && !node.is_extra {
                units.members.push(member as u32);
                units.lists.push(members.list_of(member).first);
            }
        }
        units
            .members
            .sort_by_key(|&member| members.node_number(member as usize));
        let lists = units
            .members
            .iter()
            .map(|&member| members.list_of(member as usize).first);
        units.lists = lists.collect();
        units.connect(members, names);
        units
    }

    fn connect(&mut self, members: &Members, names: &Names) {
        let tree = members.tree();
        let mut declaring: Vec<Vec<u32>> = vec![Vec::new(); names.by_name.len()];
        for (unit, &member) in (0..).zip(&self.members) {
            let node = members.node_number(member as usize);
            for name in names.declared_by(tree, node) {
                declaring[name as usize].push(unit);
            }
        }
        let mut is_needed = vec![false; self.members.len()];
        for (unit, &member) in (0..).zip(&self.members) {
            let node = members.node_number(member as usize);
            let own = names.local_to(tree, node);
            let used = names.within(tree, node).iter();
            let used = used
                .filter(|occurrence| !occurrence.is_member)
                .map(|o| o.name);
            let mut used: Vec<u32> = used
                .filter(|name| own.binary_search(name).is_err())
                .collect();
            used.sort_unstable();
            used.dedup();
            let needs = used
                .iter()
                .flat_map(|&name| declaring[name as usize].iter().copied());
            let mut needs: Vec<u32> = needs.filter(|&other| other != unit).collect();
            needs.sort_unstable();
            needs.dedup();
            for &other in &needs {
                is_needed[other as usize] = true;
            }
            self.needs.push(needs);
        }
        let units = 0..self.members.len() as u32;
        self.roots = units.filter(|&unit| !is_needed[unit as usize]).collect();
    }

    /// The units that no other needs.
    pub fn roots(&self) -> &[u32] {
        &self.roots
    }

    /// For each unit whether one of these roots needs it, directly or not, or is it.
    pub fn needed_by(&self, roots: impl Iterator<Item = usize>) -> Vec<bool> {
        let mut is_needed = vec![false; self.members.len()];
        let mut open: Vec<u32> = roots.map(|root| self.roots[root]).collect();
        while let Some(unit) = open.pop() {
            if !std::mem::replace(&mut is_needed[unit as usize], true) {
                open.extend(&self.needs[unit as usize]);
            }
        }
        is_needed
    }

    /// The members, in runs of one list, of the units that are not kept.
    pub fn runs_without<'a>(
        &'a self,
        kept: &'a [bool],
    ) -> impl Iterator<Item = (usize, usize)> + 'a {
        let mut unit = 0;
        std::iter::from_fn(move || {
            while *kept.get(unit)? {
                unit += 1;
            }
            let first = unit;
            unit += 1;
            while unit < self.members.len()
                && !kept[unit]
                && self.lists[unit] == self.lists[first]
                && self.members[unit] == self.members[unit - 1] + 1
            {
                unit += 1;
            }
            Some((
                self.members[first] as usize,
                self.members[unit - 1] as usize,
            ))
        })
    }
}

/// Whether a node holds others together, or is a part of one that does.
fn holds_others(tree: &SyntaxTree, number: usize) -> bool {
    let kind = tree.kind_name(&tree.nodes()[number]);
    // A block on the outermost level is one whose head could not be parsed.
    kind == "compound_statement" || CONTAINERS.iter().any(|part| kind.contains(part))
}
