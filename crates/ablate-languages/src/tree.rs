//! Syntax trees: the nodes of a text in the order of the text, with what the grammar says of each.

use std::borrow::Cow;
use std::cell::{Cell, RefCell};
use std::collections::BTreeSet;
use std::ops::Range;
use std::rc::Rc;

use ablate_engine::patch::{Edit, Patch};
use ablate_engine::target::Target;
use ablate_passes::formats::folder::Entries;
use tree_sitter::{InputEdit, Point, Tree, TreeCursor};

use crate::language::Language;
use crate::node_types::Slot;
use crate::parsing::{Bounds, checks, parse, parse_all};
use crate::readable::{Readable, readable};

/// Longer texts have no tree.
const LONGEST_TEXT: usize = 64 << 20;
/// How often progress may be reported while it is asked what the grammar makes of parts of a text:
/// so often, and once more for so many nodes. Parsing as a whole takes a check for some 40 nodes.
const REREAD_CHECKS: usize = 500;
const NODES_PER_CHECK: usize = 64;
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
    slot: u16,
    /// Whether it is a thing and no punctuation or keyword.
    pub is_named: bool,
    /// Whether it can stand anywhere, as a comment can.
    pub is_extra: bool,
    /// Whether the parser could not make sense of it.
    pub is_error: bool,
}

const NO_SLOT: u16 = u16::MAX;

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
    language: Option<&'static Language>,
}

impl SyntaxTree {
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
        let own = errors.map(|number| {
            let has_parts = |&child: &usize| self.nodes[child].next as usize > child + 1;
            let read = self.children(number).filter(has_parts);
            let read: usize = read.map(|child| self.nodes[child].len()).sum();
            self.nodes[number].len().saturating_sub(read)
        });
        own.sum()
    }
}

/// A language with what was parsed last, so that the next text is parsed in the time that the
/// change takes.
pub struct Syntax {
    language: &'static Language,
    /// The names of a folder's files that are in this language; `None` for a single file.
    files: Option<BTreeSet<Vec<u8>>>,
    last: RefCell<Option<(Vec<u8>, Tree)>>,
}

impl Syntax {
    /// Trees of this language.
    pub fn new(language: &'static Language) -> Rc<Syntax> {
        Rc::new(Syntax {
            language,
            files: None,
            last: RefCell::new(None),
        })
    }

    /// Trees of the files of a folder that have these names, as if they were one text: what one
    /// declares the others can use.
    pub fn in_folder(language: &'static Language, files: BTreeSet<Vec<u8>>) -> Rc<Syntax> {
        Rc::new(Syntax {
            language,
            files: Some(files),
            last: RefCell::new(None),
        })
    }

    /// The text as the grammar can read it; `None` if there is nothing to change.
    fn readable(&self, text: &[u8]) -> Option<Readable> {
        let shown = self.shown(text);
        let readable = readable(self.language, &shown);
        match shown {
            Cow::Borrowed(_) => readable,
            Cow::Owned(shown) => readable.or(Some(Readable::plain(shown))),
        }
    }

    /// The text, with blanks where a folder has names, and files in other languages.
    fn shown<'a>(&self, text: &'a [u8]) -> Cow<'a, [u8]> {
        if self.files.is_none() {
            return Cow::Borrowed(text);
        }
        let mut shown = text.to_vec();
        for hidden in self.hidden(text) {
            let hidden = shown[hidden].iter_mut().filter(|byte| **byte != b'\n');
            hidden.for_each(|byte| *byte = b' ');
        }
        Cow::Owned(shown)
    }

    /// Where a folder has names, and files in other languages; nowhere in a single file.
    pub(crate) fn hidden(&self, text: &[u8]) -> Vec<Range<usize>> {
        let Some(files) = &self.files else {
            return Vec::new();
        };
        let entries = Entries::new(text);
        let hidden = entries.all().iter().map(|entry| {
            let is_in = files.contains(&entry.name(text));
            entry.start..if is_in { entry.content } else { entry.end }
        });
        hidden.collect()
    }

    /// The language.
    pub fn language(&self) -> &'static Language {
        self.language
    }

    /// The tree of `target`; an empty one if there is none.
    pub fn tree(&self, target: &Target<u8>) -> Rc<SyntaxTree> {
        target.analysis(|target| self.parse(target.elements()).unwrap_or_default())
    }

    fn parse(&self, text: &[u8]) -> Option<SyntaxTree> {
        if text.len() > LONGEST_TEXT {
            return None;
        }
        let readable = self.readable(text);
        let text = readable.as_ref().map_or(text, |readable| &readable.text);
        let tree = self.parsed(text)?;
        let mut nodes = Flattening::of(self.language, &tree);
        if let Some(readable) = &readable {
            add_prefixes(text, &readable.prefixes, &mut nodes);
            if !readable.insertions.is_empty() || !readable.words.is_empty() {
                for node in &mut nodes {
                    node.start = readable.position(node.start);
                    node.end = readable.position(readable.end_of_word(node.end));
                }
            }
        }
        self.last.replace(Some((text.to_vec(), tree)));
        let in_formats = names_in_formats(self.language, text, &nodes);
        let (left_out, mut hidden_names) =
            readable.map_or_else(Default::default, |it| (it.left_out, it.names));
        hidden_names.extend(in_formats);
        Some(SyntaxTree {
            nodes,
            hidden_names,
            left_out,
            language: Some(self.language),
        })
    }

    /// What the grammar makes of what it is shown, parsed on from what that was before.
    fn parsed(&self, text: &[u8]) -> Option<Tree> {
        let last = self.last.take();
        if let Some((before, tree)) = &last
            && before == text
        {
            return Some(tree.clone());
        }
        // How an error is recovered from depends on what the parser takes over from before: then
        // the text is parsed anew.
        let last = last.filter(|(before, tree)| {
            !tree.root_node().has_error() && is_worth_going_on(before.len(), text.len())
        });
        let before = last.map(|(before, mut tree)| {
            tree.edit(&edit(&before, text));
            tree
        });
        let tree = parse_all(self.language, text, before.as_ref())?;
        if before.is_some() && tree.root_node().has_error() {
            return parse_all(self.language, text, None);
        }
        Some(tree)
    }

    /// Whether the grammar reads a text as a whole: of one that it does not, there are trees of pieces
    /// only, which may be far too small.
    pub fn reads_whole(&self, text: &[u8]) -> bool {
        if text.len() > LONGEST_TEXT {
            return false;
        }
        let readable = self.readable(text);
        let text = readable.as_ref().map_or(text, |readable| &readable.text);
        self.parsed(text).is_some_and(|tree| {
            let is_whole = !tree.root_node().is_error();
            self.last.replace(Some((text.to_vec(), tree)));
            is_whole
        })
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
        let (text, tree) = self.latest(target).0.clone()?;
        Some(Reread {
            language: self.language,
            checks: Cell::new(REREAD_CHECKS + nodes / NODES_PER_CHECK),
            text,
            tree,
        })
    }

    /// What the grammar was shown of `target`, with what it made of it; `None` if there is no tree, or
    /// positions are not those of the text.
    fn latest(&self, target: &Target<u8>) -> Rc<Latest> {
        target.analysis(|target| {
            let readable = self.readable(target.elements());
            if has_insertions(readable.as_ref()) {
                return Latest(None);
            }
            let text = readable.as_ref().map_or(target.elements(), |it| &it.text);
            // Only the latest tree is kept, and it may be that of another text.
            if self.last.borrow().as_ref().is_none_or(|(of, _)| of != text) {
                self.parse(target.elements());
            }
            Latest(self.last.borrow().clone().filter(|(of, _)| of == text))
        })
    }

    /// Where the grammar could not read `target`: a range for each error, in the order of the text.
    pub(crate) fn errors(&self, target: &Target<u8>) -> Rc<Errors> {
        let latest = self.latest(target);
        target.analysis(|_| {
            let tree = latest.0.as_ref().map(|(_, tree)| errors(tree));
            Errors(tree.unwrap_or_default())
        })
    }

    /// Whether the grammar can read what `patch` makes of `target`, which it can read; `None` if that can't
    /// be said, or would take too long.
    pub(crate) fn reads_after(&self, target: &Target<u8>, patch: &Patch<u8>) -> Option<bool> {
        // Going on behind an error takes far longer than finding it, as hardly anything is taken over then.
        let has_error = Cell::new(false);
        let tree = self.reparsed(target, patch, Some(&has_error));
        if has_error.get() {
            return Some(false);
        }
        Some(!tree?.root_node().has_error())
    }

    /// What `patch` makes of `target`, parsed on from that; see [`Bounds::has_error`].
    pub(crate) fn reparsed(
        &self,
        target: &Target<u8>,
        patch: &Patch<u8>,
        has_error: Option<&Cell<bool>>,
    ) -> Option<Tree> {
        let latest = self.latest(target);
        let (text, tree) = latest.0.as_ref()?;
        let after = self.shown_after(target, patch)?;
        let before = is_worth_going_on(text.len(), after.len())
            .then(|| edited(tree.clone(), text, patch, &after));
        let rest = |at: usize| &after[at.min(after.len())..];
        let bounds = Bounds {
            checks: &mut checks(after.len()),
            has_error,
        };
        parse(self.language, after.len(), rest, before.as_ref(), bounds)
    }

    /// Where the grammar could not read what `patch` makes of `target`; `None` as above. How an error is
    /// recovered from must depend on the text alone, so all of it is read.
    pub(crate) fn errors_after(
        &self,
        target: &Target<u8>,
        patch: &Patch<u8>,
    ) -> Option<Vec<(usize, usize)>> {
        let after = self.shown_after(target, patch)?;
        Some(errors(&parse_all(self.language, &after, None)?))
    }

    /// What the grammar would be shown of what `patch` makes of `target`; `None` if positions would not be
    /// those of the text.
    fn shown_after(&self, target: &Target<u8>, patch: &Patch<u8>) -> Option<Vec<u8>> {
        let after = patch.applied(target.elements());
        let readable = self.readable(&after);
        if has_insertions(readable.as_ref()) {
            return None;
        }
        Some(readable.map_or(after, |it| it.text))
    }
}

/// Whether parsing a text of `after` bytes is quicker with the tree of one of `before` bytes than without:
/// to take out of a tree most of what is in it takes longer than to read the rest.
fn is_worth_going_on(before: usize, after: usize) -> bool {
    after > before / 2
}

/// The tree of `text`, edited as `patch` says, and to what the grammar is shown of the result, `after`.
fn edited(mut tree: Tree, text: &[u8], patch: &Patch<u8>, after: &[u8]) -> Tree {
    let lines = Lines::of(text);
    let edits = patch.edits().iter().rev();
    edits.for_each(|it| tree.edit(&lines.edit(it)));
    // What the grammar is shown may be different elsewhere, too.
    let shown = patch.applied(text);
    if shown != after {
        let lines = Lines::of(after);
        for part in differences(&shown, after) {
            tree.edit(&lines.edit(&Edit {
                start: part.start,
                end: part.end,
                insert: Some(after[part].into()),
            }));
        }
    }
    tree
}

/// Whether the tree of a text is a deep one.
struct IsDeep(bool);

/// A text as the grammar was shown it, with its tree.
struct Latest(Option<(Vec<u8>, Tree)>);

fn has_insertions(readable: Option<&Readable>) -> bool {
    readable.is_some_and(|it| !it.insertions.is_empty())
}

/// Where two texts of the same length differ, in blocks.
fn differences<'a>(a: &'a [u8], b: &'a [u8]) -> impl Iterator<Item = Range<usize>> + 'a {
    const BLOCK: usize = 64;
    let blocks = a.chunks(BLOCK).zip(b.chunks(BLOCK)).enumerate();
    let different = blocks.filter(|(_, (a, b))| a != b);
    different.map(|(at, (a, _))| at * BLOCK..at * BLOCK + a.len())
}

/// Where the lines of a text begin.
struct Lines(Vec<usize>);

impl Lines {
    fn of(text: &[u8]) -> Lines {
        let ends = (1..).zip(text).filter(|(_, byte)| **byte == b'\n');
        Lines([0].into_iter().chain(ends.map(|(end, _)| end)).collect())
    }

    fn point(&self, at: usize) -> Point {
        let row = self.0.partition_point(|&start| start <= at) - 1;
        Point::new(row, at - self.0[row])
    }

    /// A part of a patch, of a text that has no other change before it.
    fn edit(&self, part: &Edit<u8>) -> InputEdit {
        let insert = part.insert.as_deref().unwrap_or_default();
        let start = self.point(part.start);
        let inserted = point(insert, insert.len());
        let column = if inserted.row == 0 { start.column } else { 0 };
        InputEdit {
            start_byte: part.start,
            old_end_byte: part.end,
            new_end_byte: part.start + insert.len(),
            start_position: start,
            old_end_position: self.point(part.end),
            new_end_position: Point::new(start.row + inserted.row, column + inserted.column),
        }
    }
}

/// Where a text could not be read.
#[derive(Debug, Default)]
pub(crate) struct Errors(Vec<(usize, usize)>);

impl std::ops::Deref for Errors {
    type Target = [(usize, usize)];

    fn deref(&self) -> &Self::Target {
        &self.0
    }
}

/// The errors in a tree, and what was found missing: the range of each, without those in others.
fn errors(tree: &Tree) -> Vec<(usize, usize)> {
    let mut errors = Vec::new();
    let mut cursor = tree.walk();
    loop {
        let node = cursor.node();
        let is_error = node.is_error() || node.is_missing();
        if is_error {
            errors.push((node.start_byte(), node.end_byte()));
        }
        if !is_error && node.has_error() && cursor.goto_first_child() {
            continue;
        }
        while !cursor.goto_next_sibling() {
            if !cursor.goto_parent() {
                return errors;
            }
        }
    }
}

/// A text with its tree, for questions of what the grammar would make of less of it.
pub(crate) struct Reread {
    language: &'static Language,
    text: Vec<u8>,
    tree: Tree,
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
        if !is_read(&self.tree, around.clone()) {
            return None;
        }
        let mut before = self.tree.clone();
        before.edit(&InputEdit {
            start_byte: cut.start,
            old_end_byte: cut.end,
            new_end_byte: cut.start,
            start_position: point(&self.text, cut.start),
            old_end_position: point(&self.text, cut.end),
            new_end_position: point(&self.text, cut.start),
        });
        let rest = |at: usize| {
            if at < cut.start {
                &self.text[at..cut.start]
            } else {
                let at = (at + cut.len()).min(self.text.len());
                &self.text[at..]
            }
        };
        let len = self.text.len() - cut.len();
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

/// Lets the nodes that stand right behind a prefix begin with it.
fn add_prefixes(text: &[u8], prefixes: &[(u32, u32)], nodes: &mut [Node]) {
    let mut from = 0;
    for &(start, end) in prefixes {
        let blanks = text[end as usize..].iter();
        let blanks = blanks.take_while(|byte| byte.is_ascii_whitespace()).count();
        let next = end + blanks as u32;
        while nodes.get(from).is_some_and(|node| node.start < next) {
            from += 1;
        }
        let same = nodes[from..].iter_mut();
        for node in same.take_while(|node| node.start == next && node.end > next) {
            node.start = start;
        }
    }
}

/// The one edit that makes `after` of `before`.
fn edit(before: &[u8], after: &[u8]) -> InputEdit {
    let same = before.iter().zip(after).take_while(|(a, b)| a == b);
    let start = same.count();
    let (rest_before, rest_after) = (&before[start..], &after[start..]);
    let same = rest_before.iter().rev().zip(rest_after.iter().rev());
    let tail = same.take_while(|(a, b)| a == b).count();
    let (old_end, new_end) = (before.len() - tail, after.len() - tail);
    InputEdit {
        start_byte: start,
        old_end_byte: old_end,
        new_end_byte: new_end,
        start_position: point(before, start),
        old_end_position: point(before, old_end),
        new_end_position: point(after, new_end),
    }
}

fn point(text: &[u8], at: usize) -> Point {
    let head = &text[..at];
    let row = head.iter().filter(|&&byte| byte == b'\n').count();
    let line = head.iter().rposition(|&byte| byte == b'\n');
    Point::new(row, line.map_or(at, |line| at - line - 1))
}

/// A tree on its way into a flat list.
struct Flattening<'a> {
    language: &'static Language,
    cursor: TreeCursor<'a>,
    nodes: Vec<Node>,
    /// The nodes that are not yet closed, the root first.
    open: Vec<u32>,
}

impl Flattening<'_> {
    fn of(language: &'static Language, tree: &Tree) -> Vec<Node> {
        let mut flattening = Flattening {
            language,
            cursor: tree.walk(),
            nodes: Vec::new(),
            open: Vec::new(),
        };
        flattening.walk();
        flattening.nodes
    }

    fn walk(&mut self) {
        loop {
            self.add();
            if self.cursor.goto_first_child() {
                continue;
            }
            loop {
                self.close();
                if self.cursor.goto_next_sibling() {
                    break;
                }
                if !self.cursor.goto_parent() {
                    return;
                }
            }
        }
    }

    fn add(&mut self) {
        let node = self.cursor.node();
        let number = self.nodes.len() as u32;
        let parent = self.open.last().copied();
        let types = &self.language.facts().types;
        // To find a field takes time in proportion to how deep the node stands in hidden ones.
        let has_fields = |&parent: &u32| types.has_fields(self.nodes[parent as usize].kind);
        let field = parent.filter(has_fields);
        let field = field.and_then(|_| self.cursor.field_id());
        let field = field.map_or(0, |field| field.get());
        let slot = parent.and_then(|parent| {
            let kind = self.nodes[parent as usize].kind;
            let has_slot = (node.is_named() || field != 0) && !node.is_extra();
            types.slot_number(kind, field).filter(|_| has_slot)
        });
        self.nodes.push(Node {
            start: node.start_byte() as u32,
            end: node.end_byte() as u32,
            parent: parent.unwrap_or(number),
            next: number + 1,
            kind: node.kind_id(),
            field,
            slot: slot.unwrap_or(NO_SLOT),
            is_named: node.is_named(),
            is_extra: node.is_extra(),
            is_error: node.is_error(),
        });
        self.open.push(number);
    }

    fn close(&mut self) {
        if let Some(number) = self.open.pop() {
            self.nodes[number as usize].next = self.nodes.len() as u32;
        }
    }
}
