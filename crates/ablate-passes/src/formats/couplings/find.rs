//! Looking for integers that say how many of something there are near them, or what they add up to.

use alloc::collections::BTreeMap;
use alloc::vec::Vec;

use ablate_engine::target::Target;

use super::{Coupling, Member, Range, Sections, value_of};
use crate::formats::items::Items;
use crate::formats::lines::Lines;
use crate::formats::tokens::{Kind, Tokens};

/// Longer texts are not looked at: by then other passes have their turn.
pub(super) const LONGEST_TEXT: usize = 1 << 20;
/// All couplings together have at most so many members.
const MEMBERS_MAX: usize = 1 << 16;
/// Columns are looked at up to this one, from the left and from the right.
const COLUMNS: usize = 4;

/// Parts that stand side by side.
struct Row {
    members: Vec<Range>,
    is_separated: bool,
}

struct Finder<'a> {
    text: &'a [u8],
    /// All integers in plain digits, with what they are worth.
    numbers: &'a [(Range, u128)],
    /// Where the integers are that are worth so much.
    by_value: BTreeMap<u128, Vec<Range>>,
    found: Vec<Coupling>,
    members: usize,
}

/// All integers in plain digits that stand before `end`, with what they are worth.
pub(super) fn numbers(target: &Target<u8>, end: usize) -> Vec<(Range, u128)> {
    let (text, tokens) = (target.elements(), Tokens::of(target));
    let tokens = tokens.all().iter();
    tokens
        .take_while(|token| (token.end as usize) <= end)
        .filter(|token| token.kind == Kind::Number)
        .filter_map(|token| Some(((token.start, token.end), value_of(token.text(text))?)))
        .collect()
}

/// All couplings of a text.
pub(super) fn all(target: &Target<u8>) -> Vec<Coupling> {
    if target.len() > LONGEST_TEXT {
        return Vec::new();
    }
    let text = target.elements();
    let numbers = numbers(target, text.len());
    let mut by_value: BTreeMap<u128, Vec<Range>> = BTreeMap::new();
    for &(range, value) in &numbers {
        by_value.entry(value).or_default().push(range);
    }
    let mut finder = Finder {
        text,
        numbers: &numbers,
        by_value,
        found: Vec::new(),
        members: 0,
    };
    if finder.numbers.is_empty() {
        return Vec::new();
    }
    for row in rows_of_items(target).chain(rows_of_lines(target)) {
        finder.count(&row);
        finder.totals(&row);
    }
    let sections = Sections::of(target);
    finder
        .found
        .extend(sections.ways().iter().flatten().cloned());
    finder.found
}

/// Members of lists, and statements.
fn rows_of_items(target: &Target<u8>) -> impl Iterator<Item = Row> {
    let items = Items::of(target);
    let groups: Vec<(usize, usize)> = items.groups().collect();
    groups.into_iter().map(move |(first, last)| Row {
        members: (first..=last).map(|item| items.range(item)).collect(),
        is_separated: items.is_separated(first),
    })
}

/// Lines that begin with the same word, and paragraphs without a first or a last line.
fn rows_of_lines(target: &Target<u8>) -> impl Iterator<Item = Row> {
    let lines = Lines::of(target);
    let text = target.elements();
    let range = |line: usize| {
        let (start, end) = lines.range(line);
        (start as u32, end as u32)
    };
    let word = |line: usize| {
        let (start, end) = lines.range(line);
        let line = text[start..end].trim_ascii_start();
        let is_end = |byte: &u8| !byte.is_ascii_alphanumeric();
        &line[..line.iter().position(is_end).unwrap_or(line.len())]
    };
    let is_blank = |line: usize| {
        let (start, end) = lines.range(line);
        text[start..end].trim_ascii().is_empty()
    };
    let mut rows = Vec::new();
    let mut add = |first: usize, last: usize| {
        if first < last {
            rows.push(Row {
                members: (first..=last).map(range).collect(),
                is_separated: false,
            });
        }
    };
    let (mut run, mut paragraph) = (0, 0);
    for line in 0..lines.len() {
        let ends = line + 1 == lines.len();
        if ends || word(line) != word(line + 1) {
            add(run, line);
            run = line + 1;
        }
        if is_blank(line) {
            paragraph = line + 1;
        } else if ends || is_blank(line + 1) {
            add(paragraph + 1, line);
            if line > paragraph {
                add(paragraph, line - 1);
            }
        }
    }
    rows.into_iter()
}

impl<'a> Finder<'a> {
    /// The integers nearest to a row that say how many members it has.
    fn count(&mut self, row: &Row) {
        let count = row.members.len() as u128;
        for number in self.nearest(count, row) {
            let members = row.members.iter().map(|&range| Member {
                range,
                addend: None,
            });
            self.add(number, row, members.collect());
        }
    }

    /// The integers nearest to a row that are the sum of one of its columns.
    fn totals(&mut self, row: &Row) {
        let columns = row.members.iter().map(|&range| self.numbers_in(range));
        let columns: Vec<&[(Range, u128)]> = columns.collect();
        let lengths = || columns.iter().map(|cells| cells.len());
        let shortest = lengths().min().unwrap_or(0);
        let longest = lengths().max().unwrap_or(0);
        let from_left = (0..shortest.min(COLUMNS)).map(|column| (column, false));
        let from_right = (0..shortest.min(COLUMNS)).map(|column| (column, true));
        // Where all members have the same number of columns, these are the same columns again.
        let is_ragged = shortest < longest || shortest > COLUMNS;
        for (column, is_from_right) in from_left.chain(from_right.filter(|_| is_ragged)) {
            let cell = |cells: &[(Range, u128)]| {
                let index = if is_from_right {
                    cells.len() - 1 - column
                } else {
                    column
                };
                cells[index]
            };
            let sum = columns
                .iter()
                .try_fold(0_u128, |sum, cells| sum.checked_add(cell(cells).1));
            // A column of ones is a count.
            let is_count = columns.iter().all(|cells| cell(cells).1 == 1);
            let Some(sum) = sum.filter(|&sum| sum > 0 && !is_count) else {
                continue;
            };
            for number in self.nearest(sum, row) {
                let members = row.members.iter().zip(&columns);
                let members = members.map(|(&range, cells)| Member {
                    range,
                    addend: Some(cell(cells).0),
                });
                self.add(number, row, members.collect());
            }
        }
    }

    fn numbers_in(&self, (start, end): Range) -> &'a [(Range, u128)] {
        let from = self.numbers.partition_point(|number| number.0.0 < start);
        let to = self.numbers.partition_point(|number| number.0.1 <= end);
        self.numbers.get(from..to).unwrap_or(&[])
    }

    /// The last integer before a row, and the first behind it, that is worth `value`.
    fn nearest(&self, value: u128, row: &Row) -> Vec<Range> {
        let (Some(first), Some(last)) = (row.members.first(), row.members.last()) else {
            return Vec::new();
        };
        let same = self.by_value.get(&value).map_or(&[][..], Vec::as_slice);
        let before = same.partition_point(|number| number.1 <= first.0);
        let behind = same.partition_point(|number| number.0 < last.1);
        let before = before.checked_sub(1).map(|at| same[at]);
        before
            .into_iter()
            .chain(same.get(behind).copied())
            .collect()
    }

    fn add(&mut self, number: Range, row: &Row, members: Vec<Member>) {
        self.members += members.len();
        if self.members <= MEMBERS_MAX && (number.1 as usize) <= self.text.len() {
            self.found.push(Coupling {
                number,
                members,
                is_separated: row.is_separated,
            });
        }
    }
}
