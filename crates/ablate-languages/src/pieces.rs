//! A text as its grammar is shown it and what it makes of it, piece by piece: each file of a folder is read
//! for itself, so that what can't be read in one is no matter to the others, and only those that have changed
//! are read anew. A single text is one piece.

use std::borrow::Cow;
use std::cell::{Cell, OnceCell};
use std::collections::BTreeMap;
use std::ops::Range;
use std::rc::Rc;

use ablate_engine::patch::{Edit, Patch};
use tree_sitter::{InputEdit, Point, Tree, TreeCursor};

use crate::language::Language;
use crate::parsing::{Bounds, checks, parse, parse_all};
use crate::readable::{Readable, readable};
use crate::tree::{NO_SLOT, Node};

/// The nodes of longer pieces are found anew each time, since they take several times the room of the text.
const LONGEST_KEPT: usize = 1 << 18;

/// Where a text could not be read: a range for each error.
pub(crate) type Errors = Vec<(usize, usize)>;

/// A file of a folder, or a single text.
pub(crate) struct Piece {
    content: Vec<u8>,
    /// What the grammar can read of it, where that is something else.
    readable: Option<Readable>,
    /// `None` where parsing would take too long.
    tree: Option<Tree>,
    nodes: OnceCell<Vec<Node>>,
    errors: OnceCell<Errors>,
}

impl Piece {
    /// Reads a text, going on from what stood there before.
    fn new(language: &'static Language, content: &[u8], before: Option<&Piece>) -> Piece {
        let readable = readable(language, content);
        let mut piece = Piece {
            content: content.to_vec(),
            readable,
            tree: None,
            nodes: OnceCell::new(),
            errors: OnceCell::new(),
        };
        piece.tree = parsed(language, piece.shown(), before);
        if language.is_half_known() && piece.readable.is_some() {
            piece.prefer_plain(language);
        }
        piece
    }

    /// Reads the text as it is where that gives fewer errors: what is wrong in it may mislead as to what the
    /// grammar can't read.
    fn prefer_plain(&mut self, language: &'static Language) {
        let count = |tree: Option<&Tree>| tree.map_or(usize::MAX, error_count);
        let errors = count(self.tree.as_ref());
        if errors > 0 {
            let plain = parse_all(language, &self.content, None);
            if count(plain.as_ref()) < errors {
                (self.tree, self.readable) = (plain, None);
            }
        }
    }

    /// What the grammar is shown of it.
    pub fn shown(&self) -> &[u8] {
        let readable = self.readable.as_ref();
        readable.map_or(&self.content, |readable| &readable.text)
    }

    /// What the grammar makes of that; `None` where positions are not those of the text.
    pub fn tree(&self) -> Option<&Tree> {
        let is_moved = self.readable.as_ref().is_some_and(has_insertions);
        self.tree.as_ref().filter(|_| !is_moved)
    }

    /// What the grammar made other words of, or left out.
    pub fn readable(&self) -> Option<&Readable> {
        self.readable.as_ref()
    }

    /// Whether the grammar reads all of it as one thing: of a text that it does not, there are trees of pieces
    /// only, which may be far too small.
    pub fn is_whole(&self) -> bool {
        let tree = self.tree.as_ref();
        tree.is_some_and(|tree| !tree.root_node().is_error())
    }

    /// Its nodes, the root first; none where there is no tree.
    pub fn nodes(&self, language: &'static Language) -> Cow<'_, [Node]> {
        if self.content.len() > LONGEST_KEPT {
            return Cow::Owned(self.flattened(language));
        }
        Cow::Borrowed(self.nodes.get_or_init(|| self.flattened(language)))
    }

    fn flattened(&self, language: &'static Language) -> Vec<Node> {
        let Some(tree) = &self.tree else {
            return Vec::new();
        };
        let mut nodes = Flattening::of(language, tree);
        if let Some(readable) = &self.readable {
            add_prefixes(&readable.text, &readable.prefixes, &mut nodes);
            if !readable.insertions.is_empty() || !readable.words.is_empty() {
                for node in &mut nodes {
                    node.start = readable.position(node.start);
                    node.end = readable.position(readable.end_of_word(node.end));
                }
            }
        }
        nodes
    }

    /// Where it could not be read, in the order of the text; nowhere where positions are not those of the text.
    fn errors(&self) -> &[(usize, usize)] {
        self.errors
            .get_or_init(|| self.tree().map_or_else(Vec::new, errors))
    }
}

/// A text in pieces.
#[derive(Default)]
pub(crate) struct Pieces {
    /// Each with where it begins, in the order of the text.
    pub all: Vec<(usize, Rc<Piece>)>,
    /// Their numbers by the names of their files; a single text has none.
    by_name: BTreeMap<Vec<u8>, usize>,
}

/// Where a piece of a text is, with the name of its file.
pub(crate) type Place = (Vec<u8>, Range<usize>);

impl Pieces {
    /// Reads the pieces of a text that stand at these places, but for those that stay as they were.
    pub fn of(
        language: &'static Language,
        text: &[u8],
        places: Vec<Place>,
        before: Option<&Pieces>,
    ) -> Pieces {
        let mut pieces = Pieces::default();
        for (name, range) in places {
            let content = &text[range.clone()];
            let last = before.and_then(|before| before.named(&name));
            let piece = match last {
                Some((_, piece)) if piece.content == content => Rc::clone(piece),
                last => {
                    let last = last.map(|(_, piece)| &**piece);
                    Rc::new(Piece::new(language, content, last))
                }
            };
            pieces.by_name.insert(name, pieces.all.len());
            pieces.all.push((range.start, piece));
        }
        pieces
    }

    /// The piece that is the file of this name.
    fn named(&self, name: &[u8]) -> Option<&(usize, Rc<Piece>)> {
        self.all.get(*self.by_name.get(name)?)
    }

    /// The piece that this stands in.
    pub fn around(&self, range: &Range<usize>) -> Option<(usize, &Piece)> {
        let behind = self.all.partition_point(|piece| piece.0 <= range.start);
        let (start, piece) = self.all.get(behind.checked_sub(1)?)?;
        (range.end <= start + piece.content.len()).then_some((*start, piece))
    }

    /// Where the grammar could not read it, in the order of the text.
    pub fn errors(&self) -> Errors {
        let all = self.all.iter().flat_map(|(start, piece)| {
            let errors = piece.errors().iter();
            errors.map(move |error| (start + error.0, start + error.1))
        });
        all.collect()
    }

    /// Whether the grammar can read what `patch` makes of these pieces, which it can read, a text with pieces at
    /// these places; `None` if that can't be said, or would take too long. Going on behind the first error takes
    /// far longer than finding it, as hardly anything is taken over then: `is_brief` says not to.
    pub fn reads_after(
        &self,
        language: &'static Language,
        patch: &Patch<u8>,
        after: &[u8],
        places: Vec<Place>,
        is_brief: bool,
    ) -> Option<bool> {
        for (name, range) in places {
            let content = &after[range];
            let before = self.named(&name);
            if before.is_some_and(|(_, piece)| piece.content == content) {
                continue;
            }
            let (start, piece) = before?;
            let (shown, tree) = (&*shown(language, content)?, piece.tree()?);
            let going_on = is_worth_going_on(piece.shown().len(), shown.len());
            let within = within(patch, *start, piece, content).filter(|_| going_on);
            let before = within.map(|patch| edited(tree.clone(), piece.shown(), &patch, shown));
            let has_error = Cell::new(false);
            let rest = |at: usize| &shown[at.min(shown.len())..];
            let bounds = Bounds {
                checks: &mut checks(shown.len()),
                has_error: is_brief.then_some(&has_error),
            };
            let tree = parse(language, shown.len(), rest, before.as_ref(), bounds);
            if has_error.get() || tree?.root_node().has_error() {
                return Some(false);
            }
        }
        Some(true)
    }

    /// Where the grammar could not read a text with pieces at these places; `None` as above. How an error is
    /// recovered from must depend on the text alone, so a piece that has changed is read from the beginning.
    pub fn errors_after(
        &self,
        language: &'static Language,
        after: &[u8],
        places: Vec<Place>,
    ) -> Option<Errors> {
        let mut all = Vec::new();
        for (name, range) in places {
            let content = &after[range.clone()];
            let before = self.named(&name);
            let same = before.filter(|(_, piece)| piece.content == content);
            let read;
            let errors = match same {
                Some((_, piece)) => piece.errors(),
                None => {
                    let shown = shown(language, content)?;
                    read = errors(&parse_all(language, &shown, None)?);
                    &read
                }
            };
            let moved = errors
                .iter()
                .map(|it| (range.start + it.0, range.start + it.1));
            all.extend(moved);
        }
        Some(all)
    }
}

/// The part of a patch that makes `content` of a piece, if it is one.
fn within(patch: &Patch<u8>, start: usize, piece: &Piece, content: &[u8]) -> Option<Patch<u8>> {
    let end = start + piece.content.len();
    let edits = patch.edits();
    let first = edits.partition_point(|edit| edit.start < start);
    let inside = edits[first..].iter().take_while(|edit| edit.end <= end);
    let inside = inside.map(|edit| Edit {
        start: edit.start - start,
        end: edit.end - start,
        insert: edit.insert.clone(),
    });
    let patch = Patch::edits_of(inside).ok()?;
    (patch.applied(&piece.content) == content).then_some(patch)
}

/// What the grammar makes of what it is shown, parsed on from what that was before.
fn parsed(language: &'static Language, text: &[u8], before: Option<&Piece>) -> Option<Tree> {
    let last = before.and_then(|before| Some((before.shown(), before.tree.as_ref()?)));
    if let Some((before, tree)) = last
        && before == text
    {
        return Some(tree.clone());
    }
    // How an error is recovered from depends on what the parser takes over from before: then
    // the text is parsed anew.
    let last = last.filter(|(before, tree)| {
        !tree.root_node().has_error() && is_worth_going_on(before.len(), text.len())
    });
    let before = last.map(|(before, tree)| {
        let mut tree = tree.clone();
        tree.edit(&edit(before, text));
        tree
    });
    let tree = parse_all(language, text, before.as_ref())?;
    if before.is_some() && tree.root_node().has_error() {
        return parse_all(language, text, None);
    }
    Some(tree)
}

/// What the grammar is shown of a piece; `None` where positions would not be those of the text.
fn shown<'a>(language: &Language, content: &'a [u8]) -> Option<Cow<'a, [u8]>> {
    match readable(language, content) {
        Some(readable) if has_insertions(&readable) => None,
        Some(readable) => Some(Cow::Owned(readable.text)),
        None => Some(Cow::Borrowed(content)),
    }
}

fn has_insertions(readable: &Readable) -> bool {
    !readable.insertions.is_empty()
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

/// How many nodes are errors, within others too.
fn error_count(tree: &Tree) -> usize {
    let (mut count, mut cursor) = (0, tree.walk());
    loop {
        let node = cursor.node();
        count += usize::from(node.is_error() || node.is_missing());
        if node.has_error() && cursor.goto_first_child() {
            continue;
        }
        while !cursor.goto_next_sibling() {
            if !cursor.goto_parent() {
                return count;
            }
        }
    }
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

pub(crate) fn point(text: &[u8], at: usize) -> Point {
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
    /// The nodes that are not yet closed, the root first; the number of the list around it for one that goes
    /// on in that.
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
        let around = parent.filter(|_| self.language.facts().nested_lists.has(node.kind_id()));
        let is_of_list = |around: &u32| self.nodes[*around as usize].kind == node.kind_id();
        if let Some(around) = around.filter(is_of_list) {
            self.open.push(around);
            return;
        }
        let types = &self.language.facts().types;
        // To find a field takes time in proportion to how deep the node stands in hidden ones.
        let has_fields = |&parent: &u32| types.has_fields(self.nodes[parent as usize].kind);
        let field = parent.filter(has_fields);
        let field = field.and_then(|_| self.cursor.field_id());
        let field = field.map_or(0, |field| field.get());
        let slot = parent.and_then(|parent| {
            let kind = self.nodes[parent as usize].kind;
            let has_slot = (node.is_named() || field != 0) && !node.is_extra();
            let slot = || types.slot_of_part(kind, field, node.kind_id());
            has_slot.then(slot).flatten()
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

#[cfg(all(test, feature = "verilog"))]
mod tests {
    use super::*;
    use crate::languages::find;

    #[test]
    fn what_is_wrong_is_read_as_it_is_where_that_gives_fewer_errors() {
        let check = |text: &str, is_read_as_it_is: bool| {
            let piece = Piece::new(find("verilog").unwrap(), text.as_bytes(), None);
            assert_eq!(piece.readable().is_none(), is_read_as_it_is, "{text}");
        };
        check("module a; initial b[1] = c; endmodule", false);
        check("module a; initial b[1] = c; assign ; endmodule", false);
        check("module a; foo(; endmodule", true);
    }
}
