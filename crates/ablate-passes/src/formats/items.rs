//! Items: the parts that stand side by side within brackets, or in the text as a whole. Statements
//! end after `;`, after a block, or at a line end; members are separated by commas, or in a Lisp by white space.

use alloc::rc::Rc;
use alloc::vec::Vec;

use ablate_engine::target::Target;

use crate::formats::brackets::{Brackets, Pair};
use crate::formats::characters::is_blank;
use crate::formats::lisp::Lisp;
use crate::formats::quotes::{LONGEST_TEXT, Quotes};

/// One of several parts that stand side by side.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Item {
    start: u32,
    end: u32,
    group: u32,
}

#[derive(Clone, Copy, Debug)]
struct Group {
    first: u32,
    last: u32,
    level: u32,
}

/// The items of a text.
#[derive(Debug, Default)]
pub struct Items {
    /// By level, then by position. The items of a group stand together.
    items: Vec<Item>,
    groups: Vec<Group>,
    /// Where each level's items start in `items`, the outermost first; then the number of items.
    levels: Vec<u32>,
    /// Where the cuts of runs that start with an item start, with the item's number.
    by_cut: Vec<(u32, u32)>,
}

impl Items {
    /// The items of `target`; none if it is longer than 64 MiB.
    pub fn of(target: &Target<u8>) -> Rc<Items> {
        let (quotes, brackets) = (Quotes::of(target), Brackets::of(target));
        let lisp = Lisp::of(target);
        target.analysis(|target| {
            if target.len() > LONGEST_TEXT {
                return Items::default();
            }
            if !lisp.is_empty() {
                return Items::of_lisp(target.elements(), &lisp);
            }
            Items::new(target.elements(), &quotes, &brackets)
        })
    }

    /// What stands in each list.
    fn of_lisp(text: &[u8], lisp: &Lisp) -> Items {
        let sexprs = lisp.sexprs();
        let mut found = Found::default();
        let items = |nodes: &mut dyn Iterator<Item = u32>| -> Vec<(usize, usize)> {
            let items = nodes.map(|node| {
                let node = sexprs.node(node);
                (lisp.start(text, node), node.end as usize)
            });
            items.collect()
        };
        found.add(0, &items(&mut sexprs.top()));
        let mut open: Vec<u32> = Vec::new();
        for (number, node) in (0..).zip(sexprs.all()) {
            while open.pop_if(|&mut next| next <= number).is_some() {}
            if node.is_list {
                open.push(node.next);
                found.add(open.len() as u32, &items(&mut sexprs.children(number)));
            }
        }
        found.sorted()
    }

    fn new(text: &[u8], quotes: &Quotes, brackets: &Brackets) -> Items {
        let mut found = Found::default();
        let mut regions = Regions {
            text,
            quotes,
            brackets,
            marks: Vec::new(),
        };
        regions.divide(None, &mut found);
        for pair in brackets.all() {
            regions.divide(Some(pair), &mut found);
        }
        found.sorted()
    }

    /// How many levels have items.
    pub fn levels(&self) -> usize {
        self.levels.len().saturating_sub(1)
    }

    /// The numbers of the items of a level; level 0 is the outermost.
    pub fn on_level(&self, level: usize) -> core::ops::Range<usize> {
        self.levels[level] as usize..self.levels[level + 1] as usize
    }

    /// The first and the last item of each group of siblings.
    pub fn groups(&self) -> impl Iterator<Item = (usize, usize)> {
        self.groups
            .iter()
            .map(|group| (group.first as usize, group.last as usize))
    }

    /// Where an item is, without what separates it from others.
    pub fn range(&self, item: usize) -> (u32, u32) {
        (self.items[item].start, self.items[item].end)
    }

    /// The first and the last item of the group of one.
    pub fn siblings(&self, item: usize) -> (usize, usize) {
        let group = self.groups[self.items[item].group as usize];
        (group.first as usize, group.last as usize)
    }

    /// Whether there are commas between an item and its siblings.
    pub fn is_separated(&self, item: usize) -> bool {
        let group = self.groups[self.items[item].group as usize];
        let first = group.first as usize;
        first as u32 != group.last && self.items[first].end < self.items[first + 1].start
    }

    /// What to cut so that the items `first..=last`, siblings of each other, go, with as many
    /// separators.
    pub fn cut(&self, first: usize, last: usize) -> (usize, usize) {
        let group = self.groups[self.items[first].group as usize];
        let start = self.cut_start(first);
        let end = if first as u32 == group.first && (last as u32) < group.last {
            self.items[last + 1].start
        } else {
            self.items[last].end
        };
        (start as usize, end as usize)
    }

    fn cut_start(&self, first: usize) -> u32 {
        let item = self.items[first];
        if first as u32 == self.groups[item.group as usize].first {
            item.start
        } else {
            self.items[first - 1].end
        }
    }

    /// The first and the last item that the cut `start..end` removes, and those of their group.
    pub fn removed_by(&self, start: usize, end: usize) -> Option<Removed> {
        let from = self.by_cut.partition_point(|cut| (cut.0 as usize) < start);
        let same = self.by_cut[from..]
            .iter()
            .take_while(|cut| cut.0 as usize == start);
        for &(_, first) in same {
            let group = self.groups[self.items[first as usize].group as usize];
            let run = &self.items[first as usize..=group.last as usize];
            let last = if first == group.first {
                run.partition_point(|item| (item.start as usize) < end)
            } else {
                run.partition_point(|item| (item.end as usize) <= end)
            };
            let last = first as usize + last.max(1) - 1;
            if self.cut(first as usize, last) == (start, end) {
                return Some(Removed {
                    first: first as usize,
                    last,
                    group_first: group.first as usize,
                    group_last: group.last as usize,
                });
            }
        }
        None
    }
}

/// Which items a cut removes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Removed {
    /// The first item that is removed.
    pub first: usize,
    /// The last item that is removed.
    pub last: usize,
    /// The first of the siblings.
    pub group_first: usize,
    /// The last of the siblings.
    pub group_last: usize,
}

/// Items as they are found, region by region.
#[derive(Default)]
struct Found {
    items: Vec<Item>,
    groups: Vec<Group>,
}

impl Found {
    fn add(&mut self, level: u32, items: &[(usize, usize)]) {
        if items.len() < 2 {
            return;
        }
        let group = self.groups.len() as u32;
        self.groups.push(Group {
            first: u32::MAX,
            last: 0,
            level,
        });
        self.items.extend(items.iter().map(|&(start, end)| Item {
            start: start as u32,
            end: end as u32,
            group,
        }));
    }

    fn sorted(mut self) -> Items {
        let groups = &mut self.groups;
        self.items
            .sort_by_cached_key(|item| (groups[item.group as usize].level, item.start));
        let mut levels = Vec::new();
        let mut level = None;
        for (number, item) in (0..).zip(&self.items) {
            let group = &mut groups[item.group as usize];
            if level != Some(group.level) {
                level = Some(group.level);
                levels.push(number);
            }
            group.first = group.first.min(number);
            group.last = number;
        }
        levels.push(self.items.len() as u32);
        let mut items = Items {
            items: self.items,
            groups: self.groups,
            levels,
            by_cut: Vec::new(),
        };
        items.by_cut = (0..items.items.len())
            .map(|number| (items.cut_start(number), number as u32))
            .collect();
        items.by_cut.sort_unstable();
        items
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Mark {
    Statement,
    LineEnd,
    Comma,
}

struct Regions<'a> {
    text: &'a [u8],
    quotes: &'a Quotes,
    brackets: &'a Brackets,
    marks: Vec<(usize, Mark)>,
}

impl Regions<'_> {
    /// Finds the items directly within `pair`, or outside of all brackets.
    fn divide(&mut self, pair: Option<&Pair>, found: &mut Found) {
        let (start, end) = pair.map_or((0, self.text.len()), Pair::interior);
        let is_block = pair.is_none_or(|pair| self.text[pair.open as usize] == b'{');
        let level = pair.map_or(0, |pair| 2 * (pair.depth + 1));
        self.scan(pair, start, end, is_block);
        let has = |wanted: Mark| self.marks.iter().any(|mark| mark.1 == wanted);
        let is_list = pair.is_some() && has(Mark::Comma) && !has(Mark::Statement);
        if is_list {
            self.marks.retain(|mark| mark.1 == Mark::Comma);
            found.add(level, &self.members(start, end, &self.marks));
            return;
        }
        let mut statements: Vec<(usize, usize)> = Vec::new();
        let mut from = start;
        let mut marks_from = 0;
        let ends = self.marks.iter().enumerate();
        let ends = ends.filter(|(_, mark)| mark.1 != Mark::Comma);
        let ends = ends.map(|(number, mark)| (number, mark.0));
        for (number, at) in ends.chain([(self.marks.len(), end)]) {
            let members = self.members(from, at, &self.marks[marks_from..number]);
            found.add(level + 1, &members);
            marks_from = (number + 1).min(self.marks.len());
            // Blank lines belong to the statement before.
            match statements.last_mut() {
                Some(last) if self.text[from..at].trim_ascii().is_empty() => last.1 = at,
                _ if from < at => statements.push((from, at)),
                _ => (),
            }
            from = at;
        }
        found.add(level, &statements);
    }

    /// Notes where statements and lines end, and where commas are, outside of inner brackets.
    fn scan(&mut self, pair: Option<&Pair>, start: usize, end: usize, is_block: bool) {
        self.marks.clear();
        let all = self.brackets.all();
        let mut child = pair.map_or(0, |pair| all.partition_point(|p| p.open <= pair.open));
        let starts_line = start == 0 || self.line_end(start, end) > start;
        let depth = if starts_line {
            self.next_depth(start, end)
        } else {
            usize::MAX
        };
        let mut at = start;
        while at < end {
            let byte = self.text[at];
            if let Some(inner) = all.get(child).filter(|inner| inner.open as usize == at) {
                child = inner.next as usize;
                at = inner.close as usize + 1;
                let goes_on =
                    matches!(self.next_visible(at, end), b';' | b',' | b')' | b'.' | b'=');
                if byte == b'{' && is_block && !goes_on {
                    at = self.line_end(at, end);
                    self.marks.push((at, Mark::Statement));
                }
                continue;
            }
            if let Some(after) = self.quotes.end_from(at, byte) {
                at = after;
                continue;
            }
            at += 1;
            match byte {
                b';' => {
                    at = self.line_end(at, end);
                    self.marks.push((at, Mark::Statement));
                }
                b',' => self.marks.push((at - 1, Mark::Comma)),
                // A block may open on the line after its head, and what is indented deeper
                // belongs to what is above it.
                b'\n'
                    if is_block
                        && self.next_visible(at, end) != b'{'
                        && self.next_depth(at, end) <= depth =>
                {
                    self.marks.push((at, Mark::LineEnd));
                }
                _ => (),
            }
        }
    }

    /// The next byte that is not white space; 0 if there is none nearby.
    fn next_visible(&self, at: usize, end: usize) -> u8 {
        let nearby = &self.text[at..end.min(at + 256)];
        nearby.trim_ascii_start().first().copied().unwrap_or(0)
    }

    /// How far the next line that is not blank is indented, if it starts at `at` or is nearby.
    fn next_depth(&self, at: usize, end: usize) -> usize {
        let nearby = &self.text[at..end.min(at + 256)];
        let space = nearby.iter().take_while(|byte| byte.is_ascii_whitespace());
        space.fold(0, |depth, &byte| if is_blank(byte) { depth + 1 } else { 0 })
    }

    /// The position after the line feed, if there are only blanks and a comment before it; else `at`.
    fn line_end(&self, at: usize, end: usize) -> usize {
        let blanks = |at: usize| {
            let rest = self.text[at..end].iter();
            at + rest
                .take_while(|b| matches!(b, b' ' | b'\t' | b'\r'))
                .count()
        };
        let visible = blanks(at);
        let next = self.text[..end].get(visible);
        let comment = next.and_then(|&byte| self.quotes.end_from(visible, byte));
        let last = match comment.filter(|&after| after <= end && next == Some(&b'/')) {
            Some(after) if !self.text[visible..after].contains(&b'\n') => blanks(after),
            _ => visible,
        };
        if self.text[..end].get(last) == Some(&b'\n') {
            last + 1
        } else {
            at
        }
    }

    /// What is between the commas, without the white space around it.
    fn members(&self, start: usize, end: usize, marks: &[(usize, Mark)]) -> Vec<(usize, usize)> {
        if marks.is_empty() {
            return Vec::new();
        }
        let mut members = Vec::with_capacity(marks.len() + 1);
        let mut from = start;
        for at in marks.iter().map(|mark| mark.0).chain([end]) {
            let part = &self.text[from..at];
            let trimmed = part.trim_ascii_start();
            let first = from + part.len() - trimmed.len();
            let trimmed = trimmed.trim_ascii_end();
            let last = first + trimmed.strip_suffix(b";").unwrap_or(trimmed).len();
            // A comma at the end separates nothing.
            if last > first || at < end {
                members.push((first, last));
            }
            from = at + 1;
        }
        members
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn items(text: &str) -> Rc<Items> {
        Items::of(&Target::new(text.as_bytes().to_vec()))
    }

    fn check_items(text: &str, expected: &[&[&str]]) {
        let items = items(text);
        let cut = |item| {
            let (start, end) = items.cut(item, item);
            &text[start..end]
        };
        let seen: Vec<Vec<&str>> = (0..items.levels())
            .map(|level| items.on_level(level).map(cut).collect())
            .collect();
        assert_eq!(seen, expected, "{text}");
    }

    #[test]
    fn statements_end_where_they_seem_to() {
        check_items(
            "a;\nint f()\n{ b; c; }\nd\n",
            &[&["a;\n", "int f()\n{ b; c; }\n", "d\n"], &[" b;", " c; "]],
        );
        check_items("x = {1};\ny", &[&["x = {1};\n", "y"]]);
        check_items(
            "/// {String} a; b,\nc; // I'd {\n/* {\n} */\nd\n",
            &[&[
                "/// {String} a; b,\n",
                "c; // I'd {\n",
                "/* {\n} */\n",
                "d\n",
            ]],
        );
        check_items("if a:\n b\n\n c\nd\n", &[&["if a:\n b\n\n c\n", "d\n"]]);
    }

    #[test]
    fn what_is_in_a_list_of_a_lisp_goes_with_its_marks() {
        check_items(
            "(a 'b ; c\n  (d \"e f\"))\n(g)\n",
            &[
                &["(a 'b ; c\n  (d \"e f\"))\n", "\n(g)"],
                &["a ", " 'b", " ; c\n  (d \"e f\")"],
                &["d ", " \"e f\""],
            ],
        );
    }

    #[test]
    fn members_go_with_one_comma() {
        check_items("f(a, b, c)", &[&["a, ", ", b", ", c"]]);
        check_items("[\n 1,\n 2,\n]", &[&["1,\n ", ",\n 2"]]);
        check_items(
            "int a, b;\nc\n",
            &[&["int a, b;\n", "c\n"], &["int a, ", ", b"]],
        );
        check_items("for(a;b;)", &[&["a;", "b;"]]);
    }

    #[test]
    fn a_cut_knows_its_items() {
        let items = items("f(a, b, c)");
        for first in 0..3 {
            for last in first..3 {
                let (start, end) = items.cut(first, last);
                let removed = items.removed_by(start, end).unwrap();
                assert_eq!((removed.first, removed.last), (first, last));
                assert_eq!((removed.group_first, removed.group_last), (0, 2));
            }
        }
        assert_eq!(items.removed_by(0, 1), None);
    }
}
