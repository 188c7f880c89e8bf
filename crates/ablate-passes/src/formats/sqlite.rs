//! SQLite databases: pages of one size, trees of pages, and cells in these, from the header of the file on.
//!
//! What is no page of a tree, or none that can be read, is a part as a whole.

use alloc::vec;
use alloc::vec::Vec;

use ablate_engine::patch::Patch;

use crate::formats::container::{
    Branch, Builder, Container, Encoding, Entry, Number, Orphan, PageSize, Range, Reader,
};
use crate::formats::runs::add_runs;

/// What a database begins with.
const MAGIC: &[u8] = b"SQLite format 3\0";
/// How long the header of the file is.
const HEADER: usize = 100;
/// Where the header says how large pages are, how many bytes of each are reserved, how many pages there are,
/// which one is the first that is free, how many are free, and whether others say where each belongs.
const PAGE_SIZE: usize = 16;
const RESERVED: usize = 20;
const PAGES: usize = 28;
const FREE: usize = 32;
const HAS_MAP: usize = 52;
/// Pages have at least so many bytes.
const PAGE_MIN: usize = 512;
/// More pages are not looked at.
const PAGES_MAX: usize = 1 << 16;
/// Runs of leaves below this share of a tree are left to those who cut pages.
const LEAVES_SHARE: usize = 64;
/// The kinds of pages.
const INNER_INDEX: u8 = 2;
const INNER_TABLE: u8 = 5;
const LEAF_INDEX: u8 = 10;
const LEAF_TABLE: u8 = 13;
/// So many columns stand before the one of the schema that names a page.
const COLUMNS_BEFORE_ROOT: usize = 3;

struct Database<'a, 'b> {
    to: &'b mut Builder<'a>,
    page_size: usize,
    /// How many bytes of a page are in use.
    usable: usize,
    pages: usize,
    space: u32,
    /// Which pages have been read.
    is_read: Vec<bool>,
    /// How small pages may be if what is unused in them is, and if all of them but the cells go.
    size_min: usize,
    least: usize,
}

/// A cell: where it is, where its content is, how long the content is, how much of it is in the page, and
/// the first page of the rest.
struct Cell {
    start: usize,
    end: usize,
    content: usize,
    len: usize,
    rest: Option<Number>,
}

/// A tree: its pages, and those of them that have no others below them.
#[derive(Default)]
struct Tree {
    pages: Vec<usize>,
    leaves: Vec<usize>,
}

/// The parts of a database; `None` for what is none, or has pages that say where others belong.
pub fn container(text: &[u8]) -> Option<Container> {
    if !text.starts_with(MAGIC) || text.get(HAS_MAP..HAS_MAP + 4)? != [0; 4] {
        return None;
    }
    let mut builder = Builder::new(text)?;
    let page_size = Encoding::Big.read(text.get(PAGE_SIZE..PAGE_SIZE + 2)?)? as usize;
    let page_size = if page_size == 1 { 1 << 16 } else { page_size };
    let pages = text.len().div_ceil(page_size.max(1)).min(PAGES_MAX);
    let usable = page_size.checked_sub(usize::from(*text.get(RESERVED)?))?;
    if !page_size.is_power_of_two() || page_size < PAGE_MIN || pages == 0 || usable < PAGE_MIN / 2 {
        return None;
    }
    let (all, space) = (builder.group(0), builder.space());
    // Pages are numbered from one.
    builder.member(space, (0, MAGIC.len() as u32));
    for page in 0..pages {
        let (start, end) = (page * page_size, text.len().min((page + 1) * page_size));
        builder.part(all, start, end);
        builder.member(space, (start as u32, end as u32));
    }
    builder.count(big(text, PAGES, 4)?, all);
    let mut database = Database {
        to: &mut builder,
        page_size,
        usable,
        pages,
        space,
        is_read: vec![false; pages + 1],
        size_min: PAGE_MIN,
        least: PAGE_MIN,
    };
    let mut roots = Vec::new();
    database.tree(1, Some(&mut roots));
    let trees: Vec<Tree> = roots
        .iter()
        .map(|&root| database.tree(root, None))
        .collect();
    database.free_pages();
    database.smaller_pages();
    for tree in trees {
        database.without(&tree);
    }
    Some(builder.finish())
}

/// The number of `width` bytes at `at`.
#[inline(never)]
fn big(text: &[u8], at: usize, width: usize) -> Option<Number> {
    Reader::new(text, at, text.len()).number(width, Encoding::Big)
}

/// Seven bits in each byte, the highest first, and eight in the ninth: what it says, and where it ends.
fn varint(text: &[u8], at: usize) -> Option<(u64, usize)> {
    let mut value = 0;
    for (place, &byte) in text.get(at..)?.iter().take(9).enumerate() {
        if place == 8 {
            return Some((value << 8 | u64::from(byte), at + 9));
        }
        value = value << 7 | u64::from(byte & 0x7f);
        if byte < 0x80 {
            return Some((value, at + place + 1));
        }
    }
    None
}

/// How many bytes a column of this type takes.
fn width(kind: u64) -> usize {
    match kind {
        0..=4 => kind as usize,
        5 => 6,
        6 | 7 => 8,
        12.. => usize::try_from((kind - 12) / 2).unwrap_or(usize::MAX),
        _ => 0,
    }
}

impl Database<'_, '_> {
    /// Where a page is, if there is one of this number.
    fn range(&self, page: usize) -> Option<Range> {
        let is_there = (1..=self.pages).contains(&page);
        let start = is_there.then(|| (page - 1) * self.page_size)?;
        let end = self.to.text().len().min(start + self.page_size);
        Some((start as u32, end as u32))
    }

    /// Reads the pages of a tree that have not been read, and tells `roots` of what the rows name.
    fn tree(&mut self, root: usize, mut roots: Option<&mut Vec<usize>>) -> Tree {
        let mut tree = Tree::default();
        let mut open = vec![root];
        while let Some(page) = open.pop() {
            if self.range(page).is_none() || core::mem::replace(&mut self.is_read[page], true) {
                continue;
            }
            let before = open.len();
            tree.pages.push(page);
            let seen = self.page(page, &mut open, &mut tree.pages, roots.as_deref_mut());
            if seen.is_none() {
                self.least = self.page_size;
            }
            if open.len() == before {
                tree.leaves.push(page);
            }
            // The first one is read first.
            open[before..].reverse();
        }
        tree
    }

    /// What is in a page; the pages that it names go to `open`, others that hold what is in its cells
    /// to `rest`. `None` if it can't be read.
    fn page(
        &mut self,
        page: usize,
        open: &mut Vec<usize>,
        rest: &mut Vec<usize>,
        mut roots: Option<&mut Vec<usize>>,
    ) -> Option<()> {
        let (text, range) = (self.to.text(), self.range(page)?);
        let start = range.0 as usize;
        let end = (start + self.usable).min(range.1 as usize);
        let header = start + if page == 1 { HEADER } else { 0 };
        let kind = *text.get(header)?;
        let is_inner = matches!(kind, INNER_INDEX | INNER_TABLE);
        if !is_inner && !matches!(kind, LEAF_INDEX | LEAF_TABLE) {
            return None;
        }
        let (count, first) = (big(text, header + 3, 2)?, big(text, header + 5, 2)?);
        let pointers = header + if is_inner { 12 } else { 8 };
        let unused = pointers + 2 * count.value as usize;
        let first_at = start
            + if first.value == 0 {
                1 << 16
            } else {
                first.value as usize
            };
        if unused >= first_at || first_at > end {
            return None;
        }
        self.to.unused(unused, first_at, range);
        self.to.offset(first, start, first_at);
        self.fragments(header, start, end);
        let names = self.to.group(3);
        let mut cells: Vec<(Range, Option<Cell>)> = Vec::new();
        for at in (pointers..unused).step_by(2) {
            let name = big(text, at, 2)?;
            let cell_at = start + name.value as usize;
            self.to.part(names, at, at + 2);
            self.to.offset(name, start, cell_at);
            let cell = self
                .cell(kind, cell_at, end)
                .filter(|_| cell_at >= first_at);
            cells.push(((at as u32, at as u32 + 2), cell));
        }
        self.to.count(count, names);
        self.cells(&cells, rest);
        let used = self.page_size - (first_at - unused);
        self.size_min = self.size_min.max(used.next_power_of_two());
        let reserved = self.page_size - self.usable;
        let lens = cells.iter().flat_map(|(_, cell)| cell).map(|cell| cell.len);
        let longest = lens.max().unwrap_or(0);
        while self.least < self.page_size
            && self.len_in_page(kind, longest, self.least - reserved.min(self.least / 2)) < longest
        {
            self.least *= 2;
        }
        for (name, cell) in &cells {
            if let (Some(cell), Some(roots)) = (cell, roots.as_deref_mut()) {
                self.schema_row(cell, *name, roots);
            }
        }
        if is_inner {
            let last = big(text, header + 8, 4)?;
            self.children(page, range, &cells, last, open);
        }
        Some(())
    }

    /// Free bytes between cells: each run of them says where the next one is.
    fn fragments(&mut self, header: usize, start: usize, end: usize) -> Option<()> {
        let text = self.to.text();
        let mut at = header + 1;
        for _ in 0..self.page_size / 4 {
            let next = big(text, at, 2).filter(|next| next.value != 0)?;
            let free = start + next.value as usize;
            let len = big(text, free + 2, 2)?.value as usize;
            if free <= at || free + len.max(4) > end {
                return None;
            }
            let named = (
                (free as u32, (free + len) as u32),
                Orphan::Stub((at as u32, at as u32 + 2), &[0; 2]),
            );
            self.to.pointer(next, start, free, Some(named));
            at = free;
        }
        None
    }

    /// The cell at a place of a page that ends at `end`.
    fn cell(&self, kind: u8, start: usize, end: usize) -> Option<Cell> {
        let text = self.to.text().get(..end)?;
        let at = start
            + if matches!(kind, INNER_INDEX | INNER_TABLE) {
                4
            } else {
                0
            };
        let (len, mut content) = varint(text, at)?;
        if kind == INNER_TABLE {
            return Some(Cell {
                start,
                end: content,
                content,
                len: 0,
                rest: None,
            });
        }
        if kind == LEAF_TABLE {
            content = varint(text, content)?.1;
        }
        let len = usize::try_from(len).ok()?;
        let here = self.len_in_page(kind, len, self.usable);
        let mut cell_end = content.checked_add(here)?;
        let rest = if here < len {
            big(text, cell_end, 4)
        } else {
            None
        };
        cell_end += if here < len { 4 } else { 0 };
        let cell_end = cell_end.max(start + 4);
        (cell_end <= end).then_some(Cell {
            start,
            end: cell_end,
            content,
            len: here,
            rest,
        })
    }

    /// How much of a content of `len` bytes is in a page of which so many bytes are in use.
    fn len_in_page(&self, kind: u8, len: usize, usable: usize) -> usize {
        let most = if kind == LEAF_TABLE {
            usable - 35
        } else {
            (usable - 12) * 64 / 255 - 23
        };
        if len <= most {
            return len;
        }
        let least = (usable - 12) * 32 / 255 - 23;
        let here = least + (len - least) % (usable - 4);
        if here <= most { here } else { least }
    }

    /// A cell goes with what names it, and with the pages that hold the rest of it.
    fn cells(&mut self, cells: &[(Range, Option<Cell>)], rest: &mut Vec<usize>) {
        let mut sorted: Vec<(Range, &Cell)> = Vec::new();
        sorted.extend(
            cells
                .iter()
                .filter_map(|(name, cell)| Some((*name, cell.as_ref()?))),
        );
        sorted.sort_by_cached_key(|(_, cell)| cell.start);
        let group = self.to.group(2);
        let mut behind = 0;
        for (place, (name, cell)) in sorted.iter().enumerate() {
            let next = sorted
                .get(place + 1)
                .map_or(usize::MAX, |(_, next)| next.start);
            let is_apart = behind <= cell.start && cell.end <= next;
            behind = behind.max(cell.end);
            let mut tied = vec![*name];
            if is_apart {
                self.to.part(group, cell.start, cell.end);
                tied.push((cell.start as u32, cell.end as u32));
            }
            let mut next = cell.rest;
            while let Some(number) = next {
                self.least = self.page_size;
                let page = number.value as usize;
                let Some(range) = self.range(page) else { break };
                if core::mem::replace(&mut self.is_read[page], true) {
                    break;
                }
                self.to.index(number, self.space, Orphan::Cut(*name));
                rest.push(page);
                tied.push(range);
                next = big(self.to.text(), range.0 as usize, 4);
            }
            self.to.tie(tied);
        }
    }

    /// The page that a row of the schema names.
    fn schema_row(&mut self, cell: &Cell, name: Range, roots: &mut Vec<usize>) -> Option<()> {
        let text = self.to.text().get(..cell.content + cell.len)?;
        let (header, mut at) = varint(text, cell.content)?;
        let mut column = cell.content.checked_add(usize::try_from(header).ok()?)?;
        for _ in 0..COLUMNS_BEFORE_ROOT {
            let (kind, next) = varint(text, at)?;
            (column, at) = (column.checked_add(width(kind))?, next);
        }
        let (kind, _) = varint(text, at)?;
        let root = big(text, column, Some(width(kind)).filter(|_| kind <= 6)?)?;
        self.range(usize::try_from(root.value).ok()?)?;
        self.to.index(root, self.space, Orphan::Cut(name));
        roots.push(root.value as usize);
        Some(())
    }

    /// The pages below a page: one in each cell, and the last one.
    fn children(
        &mut self,
        page: usize,
        range: Range,
        cells: &[(Range, Option<Cell>)],
        last: Number,
        open: &mut Vec<usize>,
    ) -> Option<()> {
        let text = self.to.text();
        let mut entries = Vec::new();
        for (name, cell) in cells {
            let number = big(text, cell.as_ref()?.start, 4)?;
            entries.push((number, *name));
        }
        entries.push((last, range));
        entries.retain(|(number, _)| self.range(number.value as usize).is_some());
        for &(number, range) in &entries {
            self.to.index(number, self.space, Orphan::Cut(range));
            open.push(number.value as usize);
        }
        let entry = |&(number, range): &(Number, Range)| Entry {
            member: number.value as u32,
            range,
        };
        self.to.branch(Branch {
            space: self.space,
            member: page as u32,
            is_needed: page == 1,
            entries: entries.iter().map(entry).collect(),
        });
        Some(())
    }

    /// Pages that are free: some name others. They all go together.
    fn free_pages(&mut self) -> Option<()> {
        let text = self.to.text();
        let all = Orphan::Stub((FREE as u32, FREE as u32 + 8), &[0; 8]);
        let (mut next, mut orphan, mut tied) = (big(text, FREE, 4)?, all, Vec::new());
        while let Some(range) = self.range(next.value as usize) {
            if core::mem::replace(&mut self.is_read[next.value as usize], true) {
                break;
            }
            self.least = self.page_size;
            self.to.index(next, self.space, orphan);
            tied.push(range);
            let start = range.0 as usize;
            orphan = Orphan::Cut(range);
            let others = big(text, start + 4, 4)?
                .value
                .min(self.page_size as u64 / 4);
            for at in (start + 8..range.1 as usize)
                .step_by(4)
                .take(others as usize)
            {
                let number = big(text, at, 4)?;
                let Some(other) = self.range(number.value as usize) else {
                    continue;
                };
                if !core::mem::replace(&mut self.is_read[number.value as usize], true) {
                    self.to.index(number, self.space, orphan);
                    tied.push(other);
                }
            }
            next = big(text, start, 4)?;
        }
        if !tied.is_empty() {
            self.to.tie(tied);
        }
        Some(())
    }

    /// The database with smaller pages, the smallest first.
    fn smaller_pages(&mut self) {
        if self.is_read.iter().skip(1).any(|&is_read| !is_read) {
            return;
        }
        let size = PageSize {
            range: (PAGE_SIZE as u32, PAGE_SIZE as u32 + 2),
            now: self.page_size as u32,
            least: self.least as u32,
        };
        self.to.page_size(size);
        let mut smaller = self.size_min.max(self.least);
        while let Some(edit) = size.edit(smaller as u32) {
            self.to.alternative(edit);
            smaller *= 2;
        }
    }

    /// The database without a tree, and without some of its leaves.
    fn without(&mut self, tree: &Tree) {
        let cuts = |pages: &[usize]| {
            let ranges = pages.iter().filter_map(|&page| self.range(page));
            Patch::cuts(ranges.map(|(start, end)| (start as usize, end as usize)))
        };
        let mut alternatives = vec![cuts(&tree.pages)];
        if let Some(last) = tree.leaves.len().checked_sub(1) {
            add_runs(0, last, &mut |first, last| {
                let pages = &tree.leaves[first..=last];
                alternatives.push(cuts(pages));
                pages.len() > 2 + tree.leaves.len() / LEAVES_SHARE
            });
        }
        for alternative in alternatives {
            self.to.alternative(alternative);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Pages of 512 bytes: 2, 8 and 9 are a table, 3, 6 and 7 its index, 4 is another table, 5 one without
    /// numbers for its rows, and 10 to 12 are free.
    const FILE: &[u8] = include_bytes!("../../tests/samples/small.sqlite");

    fn check_true(file: &[u8]) -> Container {
        let known = container(file).unwrap();
        assert_eq!(known.lies(), 0);
        assert_eq!(
            big(file, PAGES, 4).unwrap().value as usize * 512,
            file.len()
        );
        known
    }

    fn without(file: &[u8], cut: Range) -> Vec<u8> {
        let known = check_true(file);
        let cut = Patch::cut(cut.0 as usize, cut.1 as usize);
        let left = known.patch(file, &cut).unwrap().applied(file);
        check_true(&left);
        left
    }

    #[test]
    fn free_pages_go_together() {
        let left = without(FILE, (10 * 512, 11 * 512));
        assert_eq!(left.len(), 9 * 512);
        assert_eq!(left[FREE..FREE + 8], [0; 8]);
    }

    #[test]
    fn what_named_a_root_names_the_leaf_that_is_left() {
        let left = without(FILE, (7 * 512, 8 * 512));
        // The root goes as well, and the other leaf, which was the ninth page, is the seventh now.
        assert_eq!(left.len(), 10 * 512);
        let rows: &[u8] = b"tableaa\x07CREATE TABLE a(";
        assert!(left.windows(rows.len()).any(|bytes| bytes == rows));
    }

    #[test]
    fn a_tree_goes_with_its_row_of_the_schema() {
        let left = without(FILE, (3 * 512, 4 * 512));
        assert_eq!(left[HEADER + 3..HEADER + 5], [0, 3]);
        assert!(!left.windows(14).any(|bytes| bytes == b"CREATE TABLE e"));
    }

    #[test]
    fn pages_keep_their_size_without_a_cell() {
        // The first cell of the fifth page, which is its last one.
        let left = without(FILE, (4 * 512 + 507, 5 * 512));
        assert_eq!(left.len(), FILE.len());
        let page = &left[4 * 512..5 * 512];
        assert_eq!(page[..12], [10, 0, 0, 0, 2, 1, 246, 0, 1, 251, 1, 246]);
    }

    #[test]
    fn pages_get_smaller_where_there_is_room() {
        // The schema and a table, in pages of twice the size: these bytes are unused.
        let mut file = Vec::new();
        for (at, page) in FILE.chunks(512).enumerate() {
            let header = if at == 0 { HEADER } else { 0 };
            let first = big(page, header + 5, 2).unwrap().value as usize;
            let count = big(page, header + 3, 2).unwrap().value as usize;
            let is_inner = matches!(page[header], INNER_INDEX | INNER_TABLE);
            let pointers = header + if is_inner { 12 } else { 8 };
            let mut page = page.to_vec();
            // Nothing is free between the cells.
            page[header + 1..header + 3].fill(0);
            if at < 9 {
                for at in (pointers..pointers + 2 * count)
                    .step_by(2)
                    .chain([header + 5])
                {
                    page[at] += 2;
                }
            }
            page.splice(first..first, [0; 512]);
            file.extend(page);
        }
        file[PAGE_SIZE] = 4;
        file.truncate(9 * 1024);
        file[PAGES + 3] = 9;
        file[FREE..FREE + 8].fill(0);
        let known = container(&file).unwrap();
        let smaller = known.patch(&file, &known.alternatives()[0]).unwrap();
        let smaller = smaller.applied(&file);
        check_true(&smaller);
        assert_eq!(smaller.len(), 9 * 512);
        assert_eq!(smaller[4 * 512..5 * 512], FILE[4 * 512..5 * 512]);
    }
}
