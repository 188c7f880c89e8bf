//! What can be left out: nodes that the grammar calls optional or members of lists, with the
//! separators between them.

use std::ops::Range;
use std::rc::Rc;

use ablate_engine::target::Target;

use crate::conditionals::directives;
use crate::tree::{Node, Syntax, SyntaxTree};

/// Nodes that stand side by side in one list, or one optional node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct List {
    /// The first member, as `Members` numbers them.
    pub first: u32,
    /// The last member.
    pub last: u32,
}

/// What stands before an optional node for it alone, and what stands behind one.
const SIGNS_BEFORE: &[&str] = &["=", ":=", ":", "->", "=>", "else", "as"];
const SIGNS_BEHIND: &[&str] = &[".", "::", "?."];

/// Languages in which brackets around types have to have something in them, and what such brackets are.
const NEEDS_TYPES: &[&str] = &[
    "c-sharp",
    "java",
    "kotlin",
    "scala",
    "swift",
    "tsx",
    "typescript",
];
const NEVER_EMPTY: &[&str] = &[
    "type_argument_list",
    "type_arguments",
    "type_parameter_list",
    "type_parameters",
];
/// What gives a type another name.
const TYPE_DEFINITION: &str = "type_definition";

/// Languages with directives, of some of which a grammar knows no ends of lines.
const WITH_DIRECTIVES: &[&str] = &["c", "c-sharp", "cpp", "glsl"];

/// A directive, without the end of its line.
#[derive(Clone, Copy, Debug)]
struct Directive {
    /// Where its line begins.
    line: usize,
    start: usize,
    /// Where what can be seen of it ends.
    last: usize,
    end: usize,
}

impl Directive {
    fn new(text: &[u8], range: Range<usize>) -> Directive {
        let before = text[..range.start].iter().rev();
        let indent = before
            .take_while(|byte| matches!(byte, b' ' | b'\t'))
            .count();
        let has_end = text[..range.end].ends_with(b"\n");
        Directive {
            line: range.start - indent,
            start: range.start,
            last: range.start + text[range.clone()].trim_ascii_end().len(),
            end: range.end - usize::from(has_end),
        }
    }
}

/// The nodes of a tree that can be left out.
#[derive(Debug, Default)]
pub(crate) struct Members {
    /// The numbers of the nodes, list by list.
    nodes: Vec<u32>,
    /// Where each of them starts, with the comments right before it.
    starts: Vec<u32>,
    /// The list of each of them.
    list_of: Vec<u32>,
    lists: Vec<List>,
    /// What to cut for each of them when it is alone in its list.
    alone: Vec<(u32, u32)>,
    /// For each of them whether the end of its line is a part of it, and whether a directive stands on the
    /// next line then.
    ends_line: Vec<(bool, bool)>,
    tree: Rc<SyntaxTree>,
    /// Whether brackets around types have to have something in them.
    needs_types: bool,
    /// The kind of what stands before a member and is about it.
    attribute: Option<u16>,
    /// The directives that need a line each.
    directives: Vec<Directive>,
    /// Where lines end, if there can be directives.
    line_ends: Vec<u32>,
    /// Where the cuts of runs that start with a member start, with the member's number.
    by_cut: Vec<(u32, u32)>,
}

impl Members {
    /// The members in the syntax tree of `target`.
    pub fn of(target: &Target<u8>, syntax: &Syntax) -> Rc<Members> {
        let tree = syntax.tree(target);
        target.analysis(|target| Members::new(target.elements(), tree))
    }

    fn new(text: &[u8], tree: Rc<SyntaxTree>) -> Members {
        let mut members = Members::default();
        for parent in 0..tree.nodes().len() {
            members.add_lists_in(&tree, parent);
        }
        members.attribute = tree.kind_number("attribute_item");
        members.needs_types = NEEDS_TYPES.iter().any(|language| tree.is_in(language));
        if WITH_DIRECTIVES.iter().any(|language| tree.is_in(language)) {
            let directives = directives(text).into_iter();
            members.directives = directives.map(|it| Directive::new(text, it)).collect();
            let lines = (0..).zip(text).filter(|(_, byte)| **byte == b'\n');
            members.line_ends = lines.map(|(at, _)| at).collect();
        }
        members.tree = tree;
        let ends_line = (0..members.nodes.len()).map(|member| {
            let end = members.node(member).end as usize;
            let ends_line = text[..end].ends_with(b"\n");
            let mut behind = text[end..].iter();
            let mut starts_with_sign = || {
                let first = behind.find(|byte| !matches!(byte, b' ' | b'\t'));
                first == Some(&b'#')
            };
            (ends_line, ends_line && starts_with_sign())
        });
        members.ends_line = ends_line.collect();
        let alone = (0..members.nodes.len()).map(|member| {
            let start = members.start_with_sign(member);
            let end = members.end_with_sign(member);
            let (start, end) = with_blanks(text, start, end);
            (start as u32, end as u32)
        });
        members.alone = alone.collect();
        let starts = (0..members.nodes.len()).map(|member| members.cut(member, member).0);
        members.by_cut = starts
            .zip(0..)
            .map(|(start, member)| (start as u32, member))
            .collect();
        members.by_cut.sort_unstable();
        members
    }

    /// Finds the lists among the parts of a node.
    fn add_lists_in(&mut self, tree: &SyntaxTree, parent: usize) {
        let mut open: Option<Open> = None;
        let mut extras = Vec::new();
        let mut comments = None;
        for child in tree.children(parent) {
            let node = &tree.nodes()[child];
            if node.is_empty() {
                continue;
            }
            // A list goes on behind a comment.
            if node.is_extra {
                extras.push(child);
                comments.get_or_insert(node.start);
                continue;
            }
            let start = comments.take().unwrap_or(node.start);
            if let Some(slot) = place(tree, node) {
                match &mut open {
                    Some(list) if list.slot == slot && list.slot.is_some_and(|s| s.1) => {
                        self.push(child, start);
                        list.between.clear();
                    }
                    _ => {
                        self.begin(child, start);
                        open = Some(Open {
                            slot,
                            between: Vec::new(),
                            separator: None,
                        });
                    }
                }
                continue;
            }
            // What a bracket opens is a list of its own.
            let is_bracket = matches!(tree.kind_name(node), "(" | "[" | "{");
            let list = open.as_mut().filter(|_| !is_bracket);
            let goes_on = list.is_some_and(|list| list.goes_on_over(node));
            if !goes_on {
                open = None;
            }
        }
        for extra in extras {
            self.begin(extra, tree.nodes()[extra].start);
        }
    }

    fn begin(&mut self, node: usize, start: u32) {
        let first = self.nodes.len() as u32;
        self.lists.push(List { first, last: first });
        self.add(node, start);
    }

    fn push(&mut self, node: usize, start: u32) {
        if let Some(list) = self.lists.last_mut() {
            list.last += 1;
        }
        self.add(node, start);
    }

    fn add(&mut self, node: usize, start: u32) {
        self.nodes.push(node as u32);
        self.starts.push(start);
        self.list_of.push(self.lists.len() as u32 - 1);
    }

    /// How many members there are.
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// The innermost member around a node that can go; one that stands with others in a list, if
    /// `is_listed`.
    pub fn around(&self, member_of: &[u32], mut node: usize, is_listed: bool) -> Option<usize> {
        loop {
            if let Some(member) = member_of.get(node).filter(|member| **member != u32::MAX) {
                let member = *member as usize;
                let list = self.list_of(member);
                let can_go = !is_listed && !self.is_indispensable(member);
                if can_go || list.first < list.last {
                    return Some(member);
                }
            }
            let parent = self.tree.nodes()[node].parent as usize;
            if parent == node {
                return None;
            }
            node = parent;
        }
    }

    /// Whether a member is all that there is of what there must be: `a` in `int a;`, but not in
    /// `struct b {} a;`, `b` in `struct b c;`, and in `a::b`.
    pub fn is_indispensable(&self, member: usize) -> bool {
        let list = self.list_of(member);
        let node = self.node(member);
        let around = node.parent as usize;
        let kind = self.tree.kind(around);
        let has_body = |part: usize| self.tree.part(part, "body").is_some();
        let is_type = |part: usize| self.tree.kind(part).ends_with("_specifier");
        if list.first < list.last {
            return false;
        }
        if is_type(around) {
            return self.tree.field_name(node) == Some("name") && !has_body(around);
        }
        let is_name = self.tree.field_name(node) == Some("name");
        if is_name && self.tree.slot(node).is_some_and(|slot| slot.is_required) {
            return true;
        }
        let declares = kind.ends_with("declaration") || kind == TYPE_DEFINITION;
        let slot = self.tree.slot(node).filter(|_| declares);
        let mut parts = self.tree.children(around);
        slot.is_some_and(|slot| slot.is_list && slot.is_required)
            && (kind == TYPE_DEFINITION || !parts.any(|part| is_type(part) && has_body(part)))
    }

    /// All lists.
    pub fn lists(&self) -> &[List] {
        &self.lists
    }

    /// The node of a member.
    pub fn node(&self, member: usize) -> &Node {
        &self.tree.nodes()[self.nodes[member] as usize]
    }

    /// The number of a member's node in the tree.
    pub fn node_number(&self, member: usize) -> usize {
        self.nodes[member] as usize
    }

    /// The tree.
    pub fn tree(&self) -> &SyntaxTree {
        &self.tree
    }

    /// The list that a member is in.
    pub fn list_of(&self, member: usize) -> List {
        self.lists[self.list_of[member] as usize]
    }

    /// The member that each node of the tree is; `u32::MAX` for those that are none.
    pub fn by_node(&self) -> Vec<u32> {
        let mut members = vec![u32::MAX; self.tree.nodes().len()];
        for (member, &node) in (0..).zip(&self.nodes) {
            members[node as usize] = member;
        }
        members
    }

    /// What to cut so that a node goes, if it is a member.
    pub fn cut_node(&self, member_of: &[u32], node: usize) -> Option<(usize, usize)> {
        let member = *member_of.get(node)?;
        (member != u32::MAX).then(|| self.cut(member as usize, member as usize))
    }

    /// What to cut so that the members `first..=last` of one list go, with as many separators.
    pub fn cut(&self, first: usize, last: usize) -> (usize, usize) {
        let (mut start, mut end) = self.cut_of(first, last);
        let is_line_end = |at: usize| self.line_ends.binary_search(&(at as u32)).is_ok();
        let before = self.directives.partition_point(|it| it.start < start);
        let before = before.checked_sub(1).map(|before| &self.directives[before]);
        let is_cut = |it: &&Directive| {
            it.last <= start && start <= it.end && it.end < end && !is_line_end(end)
        };
        if let Some(before) = before.filter(is_cut) {
            start = before.end + 1;
        }
        let next = self.directives.partition_point(|it| it.start < end);
        let next = self.directives.get(next);
        let starts_line = start.checked_sub(1).is_none_or(is_line_end);
        let is_cut = |it: &&Directive| it.line <= end && start < end && !starts_line;
        if let Some(next) = next.filter(is_cut) {
            end = start.max(next.line.saturating_sub(1));
        }
        (start, end)
    }

    fn cut_of(&self, first: usize, last: usize) -> (usize, usize) {
        let list = self.list_of(first);
        let is_all = (first as u32, last as u32) == (list.first, list.last);
        if let Some(types) = self.types_around(list).filter(|_| is_all) {
            return (types.start as usize, types.end as usize);
        }
        if list.first == list.last {
            let (start, end) = self.alone[first];
            return (start as usize, end as usize);
        }
        let first = self.with_attributes(list, first);
        let start = self.starts[first] as usize;
        if first as u32 > list.first {
            let before = self.tree.gap_before(self.end(first - 1), start);
            // A directive has its line for itself.
            let is_before_directive = self.ends_line[last].1 && !self.ends_line[first - 1].0;
            return (before, self.end(last) - usize::from(is_before_directive));
        }
        if (last as u32) < list.last {
            let next = self.starts[last + 1] as usize;
            let behind = self.tree.gap_behind(self.node(last).end as usize, next);
            return (start, behind);
        }
        (start, self.end_with_separator(last))
    }

    /// The brackets around types that have to have something in them, if all that is in them is this list.
    fn types_around(&self, list: List) -> Option<&Node> {
        let nodes = self.tree.nodes();
        let around = self.node(list.first as usize).parent as usize;
        let has_types = self.needs_types && NEVER_EMPTY.contains(&self.tree.kind(around));
        let parts = || self.tree.children(around);
        let members = (list.last - list.first + 1) as usize;
        let is_all = has_types && parts().filter(|&part| nodes[part].is_named).count() == members;
        (is_all && parts().count() == 2 * members + 1).then(|| &nodes[around])
    }

    /// The first of the attributes that stand before a member of a list, and are about it.
    fn with_attributes(&self, list: List, member: usize) -> usize {
        let is_attribute = |&at: &usize| Some(self.node(at).kind) == self.attribute;
        if is_attribute(&member) {
            return member;
        }
        let before = (list.first as usize..member).rev().take_while(is_attribute);
        before.last().unwrap_or(member)
    }

    /// The member of the same list that stands so many before this one, not counting attributes of those
    /// between.
    pub fn before(&self, member: usize, amount: usize) -> Option<usize> {
        let list = self.list_of(member);
        let mut first = member;
        for _ in 0..amount {
            let before = first.checked_sub(1)?;
            if before < list.first as usize {
                return None;
            }
            first = self.with_attributes(list, before);
        }
        Some(first)
    }

    /// What to cut for a member that is a definition, also where the semicolon behind the definition
    /// is no part of the member.
    pub fn cut_definition(&self, member: usize, definition: &Node) -> (usize, usize) {
        let (start, end) = self.cut(member, member);
        let behind = self.tree.nodes().get(definition.next as usize);
        let semicolon = behind.filter(|behind| {
            self.tree.kind_name(behind) == ";" && behind.parent == definition.parent
        });
        (start, semicolon.map_or(end, |it| end.max(it.end as usize)))
    }

    /// The end of a member with its semicolon.
    fn end(&self, member: usize) -> usize {
        let is_label = self.tree.kind_name(self.node(member)) == "access_specifier";
        self.end_with(member, if is_label { &[":"] } else { &[";"] })
    }

    /// The end of the last member, or of the separator that stands behind it for no other.
    fn end_with_separator(&self, last: usize) -> usize {
        self.end_with(last, &[",", ";", "|"])
    }

    /// The start of a member, or of the sign before it that says what it is for: of `= a` in `int b = a;`.
    fn start_with_sign(&self, member: usize) -> usize {
        let start = self.starts[member];
        let node = self.node(member);
        let nodes = self.tree.nodes();
        let before = (self.nodes[member] as usize).checked_sub(1);
        // What stands right before it ends with the node before.
        let is_last = node.end == nodes[node.parent as usize].end;
        let before = before.map(|before| &nodes[before]);
        let before = before.filter(|before| before.parent == node.parent && !before.is_named);
        let before = before.filter(|before| {
            let sign = self.tree.kind_name(before);
            // A value is a list in some grammars, but of one.
            let is_alone = !self.is_in_list(node) || sign == "=" && is_last;
            is_alone && SIGNS_BEFORE.contains(&sign)
        });
        before.map_or(start, |before| before.start) as usize
    }

    /// The end of a member, with a separator that stands behind it for no other, or the sign that joins it to
    /// what follows: of `a.` in `a.b()`.
    fn end_with_sign(&self, member: usize) -> usize {
        let node = self.node(member);
        let after = self.tree.nodes().get(node.next as usize);
        let after = after.filter(|after| {
            after.parent == node.parent && !after.is_named && !self.is_in_list(node)
        });
        let after = after.filter(|after| SIGNS_BEHIND.contains(&self.tree.kind_name(after)));
        after.map_or_else(
            || self.end_with_separator(member),
            |after| after.end as usize,
        )
    }

    fn is_in_list(&self, node: &Node) -> bool {
        self.tree.slot(node).is_none_or(|slot| slot.is_list)
    }

    fn end_with(&self, member: usize, tokens: &[&str]) -> usize {
        let node = self.node(member);
        let after = self.tree.nodes().get(node.next as usize);
        let after = after.filter(|after| after.parent == node.parent && !after.is_named);
        // What ends the parent is not the member's.
        let parent = &self.tree.nodes()[node.parent as usize];
        let ends_parent = |after: &Node| node.parent != 0 && after.end == parent.end;
        let is_member = |after: &Node| self.tree.slot(after).is_some();
        let belongs = |after: &&Node| {
            tokens.contains(&self.tree.kind_name(after)) && !ends_parent(after) && !is_member(after)
        };
        after.filter(belongs).map_or(node.end, |after| after.end) as usize
    }

    /// The first and the last member that the cut `start..end` removes.
    pub fn removed_by(&self, start: usize, end: usize) -> Option<(usize, usize)> {
        let from = self.by_cut.partition_point(|cut| (cut.0 as usize) < start);
        let same = self.by_cut[from..].iter();
        for &(_, first) in same.take_while(|cut| cut.0 as usize == start) {
            let first = first as usize;
            let list = self.list_of(first);
            let run = &self.nodes[first..=list.last as usize];
            let nodes = self.tree.nodes();
            let inside = run.partition_point(|&node| (nodes[node as usize].start as usize) < end);
            let last = first + inside.max(1) - 1;
            if self.cut(first, last) == (start, end) {
                return Some((first, last));
            }
        }
        None
    }
}

/// The cut with the blanks on one of its sides, if there are some on both, or nothing on one.
pub(crate) fn with_blanks(text: &[u8], start: usize, end: usize) -> (usize, usize) {
    let is_blank = |byte: &u8| matches!(byte, b' ' | b'\t' | b'\n');
    let is_end = |byte: &u8| is_blank(byte) || byte.is_ascii_punctuation();
    let before = text[..start].iter().rev().take_while(|byte| is_blank(byte));
    // What ends its line has a line of its own.
    let is_line = start < end && text[end - 1] == b'\n';
    let before = if is_line { 0 } else { before.count() };
    if before > 0 && text.get(end).is_none_or(is_end) {
        return (start - before, end);
    }
    if start.checked_sub(1).is_none_or(|at| is_end(&text[at])) {
        let after = text[end..].iter().take_while(|byte| is_blank(byte));
        return (start, end + after.count());
    }
    (start, end)
}

/// The slot that a node stands in, and whether it is a list, if the node can be left out there.
#[expect(
    clippy::option_option,
    reason = "no slot is a place too: that of what could not be read"
)]
fn place(tree: &SyntaxTree, node: &Node) -> Option<Option<(u16, bool)>> {
    if node.is_error {
        return Some(None);
    }
    let slot = tree.slot(node)?;
    (slot.is_list || !slot.is_required).then_some(Some((node.field, slot.is_list)))
}

/// A list that may go on.
struct Open {
    slot: Option<(u16, bool)>,
    /// What stands behind its last member.
    between: Vec<u16>,
    separator: Option<u16>,
}

impl Open {
    /// Whether a node that is no member may stand between two members.
    fn goes_on_over(&mut self, node: &Node) -> bool {
        if node.is_named || !self.between.is_empty() {
            return false;
        }
        self.between.push(node.kind);
        *self.separator.get_or_insert(node.kind) == node.kind
    }
}
