//! Syntax trees: the nodes of a text in the order of the text, with what the grammar says of each.

use std::cell::{Cell, RefCell};
use std::collections::BTreeSet;
use std::ops::Range;
use std::rc::Rc;

use ablate_engine::patch::Patch;
use ablate_engine::target::Target;
use ablate_passes::formats::folder::Entries;
use tree_sitter::{InputEdit, Tree};

use crate::embedded;
use crate::language::Language;
use crate::node_types::Slot;
use crate::parsing::{Bounds, parse};
use crate::pieces::{Errors, Piece, Pieces, Place, point};

/// Longer texts have no tree.
const LONGEST_TEXT: usize = 64 << 20;
/// How often progress may be reported while it is asked what the grammar makes of parts of a text:
/// so often, and once more for so many nodes. Parsing as a whole takes a check for some 40 nodes.
const REREAD_CHECKS: usize = 500;
const NODES_PER_CHECK: usize = 64;
/// So small a share of a folder's text may be of files that the grammar doesn't read as a whole.
const TORN_SHARE: usize = 16;
/// Where nodes nest deeper, the grammar is not asked what it makes of parts of a text, nor of what is made
/// of it: it goes through all levels each time, and there are as many places to ask of as levels.
const DEEPEST: u32 = 1 << 9;

/// A node of a syntax tree.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Node {
    /// Its first byte.
    pub start: u32,
    /// The byte after its last.
    pub end: u32,
    /// The number of the node that it is a part of; its own number for the root.
    pub parent: u32,
    /// The number of the next node that is not a part of it.
    pub next: u32,
    /// What it is, as the grammar numbers it.
    pub kind: u16,
    /// The field of its parent that it stands in; 0 for none.
    pub field: u16,
    /// The number of its slot, or `NO_SLOT`.
    pub(crate) slot: u16,
    /// Whether it is a thing and no punctuation or keyword.
    pub is_named: bool,
    /// Whether it can stand anywhere, as a comment can.
    pub is_extra: bool,
    /// Whether the parser could not make sense of it.
    pub is_error: bool,
}

pub(crate) const NO_SLOT: u16 = u16::MAX;

impl Node {
    /// The number of bytes.
    pub fn len(&self) -> usize {
        (self.end - self.start) as usize
    }

    /// Whether there is nothing in it.
    pub fn is_empty(&self) -> bool {
        self.start == self.end
    }

    /// Where it is.
    pub fn range(&self) -> std::ops::Range<usize> {
        self.start as usize..self.end as usize
    }
}

/// The syntax tree of a text. The numbers of nodes go up along the text, a node before its parts.
#[derive(Debug, Default)]
pub struct SyntaxTree {
    nodes: Vec<Node>,
    /// Names that no node holds, since the grammar can't read what they stand in.
    hidden_names: Vec<(u32, u32)>,
    /// What the grammar was not shown, and what stands for itself.
    left_out: Vec<(u32, u32)>,
    /// How many bytes could not be parsed of files that could not be read as a whole.
    unread: usize,
    language: Option<&'static Language>,
}

impl SyntaxTree {
    /// The tree of a text of `len` bytes: that of its only piece, or what the roots of its pieces have for parts,
    /// side by side; an empty one if there is none.
    fn of(language: &'static Language, pieces: &Pieces, len: usize, is_single: bool) -> SyntaxTree {
        let mut tree = SyntaxTree::default();
        for (start, piece) in &pieces.all {
            let start = *start as u32;
            let nodes = piece.nodes(language);
            let Some(&root) = nodes.first() else {
                continue;
            };
            let moved = |(from, to): (u32, u32)| (start + from, start + to);
            let readable = piece.readable().into_iter();
            tree.left_out.extend(
                readable
                    .clone()
                    .flat_map(|it| it.left_out.iter().copied().map(moved)),
            );
            let names = readable.flat_map(|it| it.names.iter().copied());
            let in_formats = names_in_formats(language, piece.shown(), &nodes);
            tree.hidden_names.extend(names.chain(in_formats).map(moved));
            tree.language = Some(language);
            if is_single {
                tree.nodes = nodes.into_owned();
                continue;
            }
            let of_all = Node {
                start: 0,
                end: len as u32,
                is_error: false,
                ..root
            };
            if tree.nodes.is_empty() {
                tree.nodes.push(of_all);
            }
            if root.is_error {
                let read = SyntaxTree {
                    nodes: nodes.to_vec(),
                    ..SyntaxTree::default()
                };
                tree.unread += read.unread_in(0);
            } else {
                // What could be read says what the root of all is.
                tree.nodes[0] = of_all;
            }
            let before = tree.nodes.len() as u32 - 1;
            tree.nodes.extend(nodes[1..].iter().map(|node| Node {
                start: node.start + start,
                end: node.end + start,
                parent: match node.parent {
                    0 => 0,
                    parent => parent + before,
                },
                next: node.next + before,
                ..*node
            }));
        }
        if let Some(next) = tree.nodes.len().checked_sub(1).filter(|_| !is_single) {
            tree.nodes[0].next = next as u32 + 1;
        }
        tree
    }

    /// All nodes.
    pub fn nodes(&self) -> &[Node] {
        &self.nodes
    }

    /// The numbers of the parts of a node, from left to right.
    pub fn children(&self, number: usize) -> impl Iterator<Item = usize> + '_ {
        let end = self.nodes[number].next as usize;
        let first = (number + 1 < end).then_some(number + 1);
        std::iter::successors(first, move |&child| {
            let next = self.nodes[child].next as usize;
            (next < end).then_some(next)
        })
    }

    /// The part of a node that stands in this field.
    pub fn part(&self, number: usize, field: &str) -> Option<usize> {
        let is_it = |&child: &usize| self.field_name(&self.nodes[child]) == Some(field);
        self.children(number).find(is_it)
    }

    /// A node and those around it, the innermost first.
    pub fn and_around(&self, number: usize) -> impl Iterator<Item = usize> + '_ {
        std::iter::successors(Some(number), |&node| {
            (node > 0).then(|| self.nodes[node].parent as usize)
        })
    }

    /// Where names stand that are in no node of their own, since the grammar can't read what they
    /// stand in; each with the innermost node that it is a part of.
    pub fn hidden_names(&self) -> impl Iterator<Item = (usize, std::ops::Range<usize>)> + '_ {
        self.hidden_names.iter().map(|&(start, end)| {
            let behind = self.nodes.partition_point(|node| node.start <= start);
            let mut around = behind.saturating_sub(1);
            while around > 0 && self.nodes[around].end < end {
                around = self.nodes[around].parent as usize;
            }
            (around, start as usize..end as usize)
        })
    }

    /// The beginning of what is in no node and stands before `end`, but not before `start`, without
    /// what the grammar was not shown.
    pub(crate) fn gap_before(&self, start: usize, end: usize) -> usize {
        let before = self.left_out.partition_point(|it| (it.1 as usize) <= end);
        let last = before.checked_sub(1).map(|last| self.left_out[last].1);
        last.map_or(start, |last| start.max(last as usize))
    }

    /// The end of what is in no node and stands behind `start`, in the same way.
    pub(crate) fn gap_behind(&self, start: usize, end: usize) -> usize {
        let behind = self.left_out.partition_point(|it| (it.0 as usize) < start);
        let next = self.left_out.get(behind);
        next.map_or(end, |next| end.min(next.0 as usize))
    }

    /// Whether this is the tree of a text in the language of this name.
    pub fn is_in(&self, language: &str) -> bool {
        self.language.is_some_and(|own| own.name == language)
    }

    /// Where a node stands in its parent, as the grammar describes it.
    pub fn slot(&self, node: &Node) -> Option<&'static Slot> {
        let types = &self.language?.facts().types;
        (node.slot != NO_SLOT).then(|| types.slot(node.slot))
    }

    /// The name of a node's kind.
    pub fn kind_name(&self, node: &Node) -> &'static str {
        let kinds = self.language.map(|language| &language.facts().kinds);
        let name = kinds.and_then(|kinds| kinds.get(usize::from(node.kind)));
        name.map_or("ERROR", |name| name)
    }

    /// Whether the name of a node's kind says that it declares something.
    pub(crate) fn is_declaring(&self, node: &Node) -> bool {
        let declaring = self.language.map(|language| &language.facts().declaring);
        declaring.is_some_and(|kinds| kinds.has(node.kind))
    }

    /// What nodes of the kind of this name have for a kind, if the grammar knows any.
    pub(crate) fn kind_number(&self, name: &str) -> Option<u16> {
        let grammar = &self.language?.facts().grammar;
        let number = grammar.id_for_node_kind(name, true);
        (number > 0).then_some(number)
    }

    /// The name of the kind of the node with this number.
    pub fn kind(&self, number: usize) -> &'static str {
        self.kind_name(&self.nodes[number])
    }

    /// The name of the field that a node stands in.
    pub fn field_name(&self, node: &Node) -> Option<&'static str> {
        let fields = &self.language?.facts().fields;
        fields.get(usize::from(node.field))?.as_deref()
    }

    /// Whether the text could be parsed, in large part at least.
    pub fn is_sound(&self) -> bool {
        self.nodes
            .first()
            .is_some_and(|root| self.unread() <= root.len() / 2)
    }

    /// Whether nodes nest so deep that asking the grammar again takes longer than the test that it may save.
    pub(crate) fn is_deep(&self) -> bool {
        let mut depths = vec![0_u32; self.nodes.len()];
        (1..self.nodes.len()).any(|number| {
            depths[number] = depths[self.nodes[number].parent as usize] + 1;
            depths[number] > DEEPEST
        })
    }

    /// How many bytes could not be parsed: those of errors, without what was made sense of in them.
    pub(crate) fn unread(&self) -> usize {
        let errors = (0..self.nodes.len()).filter(|&number| self.nodes[number].is_error);
        self.unread + errors.map(|number| self.unread_in(number)).sum::<usize>()
    }

    /// How many bytes of an error could not be parsed.
    fn unread_in(&self, error: usize) -> usize {
        let has_parts = |&child: &usize| self.nodes[child].next as usize > child + 1;
        let read = self.children(error).filter(has_parts);
        let read: usize = read.map(|child| self.nodes[child].len()).sum();
        self.nodes[error].len().saturating_sub(read)
    }
}

/// A language with what was parsed last, so that the next text is parsed in the time that the
/// change takes.
pub struct Syntax {
    language: &'static Language,
    within: Within,
    last: RefCell<Option<Rc<Pieces>>>,
}

/// Where in a text the language is.
enum Within {
    /// All of it.
    Whole,
    /// The files of a folder that have these names.
    Files(BTreeSet<Vec<u8>>),
    /// What is embedded in HTML.
    Html,
}

impl Syntax {
    /// Trees of this language.
    pub fn new(language: &'static Language) -> Rc<Syntax> {
        Syntax::within(language, Within::Whole)
    }

    /// Trees of the files of a folder that have these names, as if they were one text: what one
    /// declares the others can use.
    pub fn in_folder(language: &'static Language, files: BTreeSet<Vec<u8>>) -> Rc<Syntax> {
        Syntax::within(language, Within::Files(files))
    }

    /// Trees of what is embedded in HTML in this language, as if it were one text.
    pub(crate) fn in_html(language: &'static Language) -> Rc<Syntax> {
        Syntax::within(language, Within::Html)
    }

    fn within(language: &'static Language, within: Within) -> Rc<Syntax> {
        let last = RefCell::new(None);
        Rc::new(Syntax {
            language,
            within,
            last,
        })
    }

    /// Where a text is in other languages, and where a folder has names.
    pub(crate) fn hidden(&self, text: &[u8]) -> Vec<Range<usize>> {
        let mut hidden = Vec::new();
        let mut end = 0;
        for (_, place) in self.places(text) {
            hidden.push(end..place.start);
            end = place.end;
        }
        hidden.push(end..text.len());
        hidden.retain(|range| !range.is_empty());
        hidden
    }

    /// The language.
    pub fn language(&self) -> &'static Language {
        self.language
    }

    /// The tree of `target`; an empty one if there is none.
    pub fn tree(&self, target: &Target<u8>) -> Rc<SyntaxTree> {
        target.analysis(|target| {
            let pieces = self.pieces(target);
            let is_single = matches!(self.within, Within::Whole);
            SyntaxTree::of(self.language, &pieces, target.len(), is_single)
        })
    }

    /// What the grammar was shown of `target`, with what it made of it.
    fn pieces(&self, target: &Target<u8>) -> Rc<Pieces> {
        let latest = target.analysis(|target| Latest(self.read(target.elements())));
        Rc::clone(&latest.0)
    }

    /// Where this language is in a text, with names: those of files, or numbers.
    pub(crate) fn places(&self, text: &[u8]) -> Vec<Place> {
        match &self.within {
            Within::Whole => vec![(Vec::new(), 0..text.len())],
            Within::Files(files) => {
                let entries = Entries::new(text);
                let places = entries.all().iter();
                let places = places.map(|entry| (entry.name(text), entry.content..entry.end));
                places.filter(|(name, _)| files.contains(name)).collect()
            }
            Within::Html => {
                let places = embedded::places(self.language, text).into_iter();
                let numbered = places.enumerate();
                let named = numbered.map(|(number, place)| (number.to_string().into(), place));
                named.collect()
            }
        }
    }

    /// The pieces of a text.
    fn read(&self, text: &[u8]) -> Rc<Pieces> {
        if text.len() > LONGEST_TEXT {
            return Rc::default();
        }
        let last = self.last.take();
        let pieces = Pieces::of(self.language, text, self.places(text), last.as_deref());
        let pieces = Rc::new(pieces);
        self.last.replace(Some(Rc::clone(&pieces)));
        pieces
    }

    /// Whether the grammar reads nearly all files of a folder, each as a whole, or a single text.
    pub fn reads_whole(&self, text: &[u8]) -> bool {
        let pieces = self.read(text);
        let len = |(_, piece): &(usize, Rc<Piece>)| piece.shown().len();
        let torn = pieces.all.iter().filter(|(_, piece)| !piece.is_whole());
        let torn: usize = torn.map(len).sum();
        torn <= pieces.all.iter().map(len).sum::<usize>() / TORN_SHARE && !pieces.all.is_empty()
    }

    /// Whether the nodes of `target` nest too deep for more questions to the grammar.
    pub(crate) fn is_deep(&self, target: &Target<u8>) -> bool {
        target
            .analysis(|target| IsDeep(self.tree(target).is_deep()))
            .0
    }

    /// What the grammar would make of `target` without some of it; `None` if there is no tree, or it is
    /// too deep.
    pub(crate) fn reread(&self, target: &Target<u8>) -> Option<Reread> {
        if self.is_deep(target) {
            return None;
        }
        let nodes = self.tree(target).nodes().len();
        Some(Reread {
            language: self.language,
            checks: Cell::new(REREAD_CHECKS + nodes / NODES_PER_CHECK),
            pieces: self.pieces(target),
        })
    }

    /// Where the grammar could not read `target`: a range for each error, in the order of the text.
    pub(crate) fn errors(&self, target: &Target<u8>) -> Rc<Unreadable> {
        target.analysis(|target| Unreadable(self.pieces(target).errors()))
    }

    /// Whether the grammar can read what `patch` makes of `target`, which it can read; `None` if that can't
    /// be said, or would take too long.
    pub(crate) fn reads_after(&self, target: &Target<u8>, patch: &Patch<u8>) -> Option<bool> {
        self.reads_after_in(target, patch, true)
    }

    /// The same, by the first error, if `is_brief`, or by all of the text.
    pub(crate) fn reads_after_in(
        &self,
        target: &Target<u8>,
        patch: &Patch<u8>,
        is_brief: bool,
    ) -> Option<bool> {
        let after = patch.applied(target.elements());
        let places = self.places(&after);
        let pieces = self.pieces(target);
        pieces.reads_after(self.language, patch, &after, places, is_brief)
    }

    /// Where the grammar could not read what `patch` makes of `target`; `None` as above.
    pub(crate) fn errors_after(&self, target: &Target<u8>, patch: &Patch<u8>) -> Option<Errors> {
        let after = patch.applied(target.elements());
        let places = self.places(&after);
        self.pieces(target)
            .errors_after(self.language, &after, places)
    }
}

/// The pieces of a text.
struct Latest(Rc<Pieces>);

/// Where a text could not be read.
#[derive(Debug)]
pub(crate) struct Unreadable(Errors);

impl std::ops::Deref for Unreadable {
    type Target = [(usize, usize)];

    fn deref(&self) -> &Self::Target {
        &self.0
    }
}

/// Whether the tree of a text is a deep one.
struct IsDeep(bool);

/// A text with its tree, for questions of what the grammar would make of less of it.
pub(crate) struct Reread {
    language: &'static Language,
    pieces: Rc<Pieces>,
    /// What is left for all that is asked.
    checks: Cell<usize>,
}

impl Reread {
    /// Whether what stands at `around`, where it is free of errors, stays so without the bytes of `cut`
    /// within it. `None` where it is not, and where that takes too long to say, together with what was
    /// asked before.
    pub fn reads_without(&self, around: Range<usize>, cut: Range<usize>) -> Option<bool> {
        let is_read = |tree: &Tree, around: Range<usize>| {
            let root = tree.root_node();
            let found = root.descendant_for_byte_range(around.start, around.end);
            found.is_some_and(|found| {
                let parent = found.parent();
                !found.has_error() && parent.is_none_or(|parent| !parent.is_error())
            })
        };
        let (start, piece) = self.pieces.around(&around)?;
        let (around, cut) = [around, cut]
            .map(|range| range.start - start..range.end - start)
            .into();
        let (text, tree) = (piece.shown(), piece.tree()?);
        if !is_read(tree, around.clone()) {
            return None;
        }
        let mut before = tree.clone();
        before.edit(&InputEdit {
            start_byte: cut.start,
            old_end_byte: cut.end,
            new_end_byte: cut.start,
            start_position: point(text, cut.start),
            old_end_position: point(text, cut.end),
            new_end_position: point(text, cut.start),
        });
        let rest = |at: usize| {
            if at < cut.start {
                &text[at..cut.start]
            } else {
                let at = (at + cut.len()).min(text.len());
                &text[at..]
            }
        };
        let len = text.len() - cut.len();
        let mut checks = self.checks.get();
        let bounds = Bounds {
            checks: &mut checks,
            has_error: None,
        };
        let after = parse(self.language, len, rest, Some(&before), bounds);
        self.checks.set(checks);
        after.map(|after| is_read(&after, around.start..around.end - cut.len()))
    }
}

impl std::fmt::Debug for Syntax {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_tuple("Syntax").field(&self.language).finish()
    }
}

/// Where names stand in the strings of a text in Rust, as in `println!("{a}")`; none in other languages.
fn names_in_formats(language: &Language, text: &[u8], nodes: &[Node]) -> Vec<(u32, u32)> {
    let mut names = Vec::new();
    if language.name != "rust" {
        return names;
    }
    let kind = language
        .facts()
        .grammar
        .id_for_node_kind("string_content", true);
    for node in nodes.iter().filter(|node| node.kind == kind) {
        let content = &text[node.range()];
        let mut at = 0;
        while let Some(open) = content[at..].iter().position(|&byte| byte == b'{') {
            let open = at + open;
            let behind = &content[open + 1..];
            // Two stand for the sign itself.
            at = open + 1 + usize::from(behind.starts_with(b"{"));
            let is_word = |byte: &&u8| byte.is_ascii_alphanumeric() || **byte == b'_';
            let len = behind.iter().take_while(is_word).count();
            let is_name = matches!(behind.get(len), Some(b'}' | b':'))
                && behind.first().is_some_and(|first| !first.is_ascii_digit());
            if is_name && len > 0 {
                let start = node.start + open as u32 + 1;
                names.push((start, start + len as u32));
            }
        }
    }
    names
}
