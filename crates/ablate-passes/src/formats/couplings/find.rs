//! Looking for integers that say how many of something there are near them, or what they add up to.

use alloc::collections::BTreeMap;
use alloc::vec::Vec;

use ablate_engine::target::Target;

use super::{Coupling, Member, Range, value_of};
use crate::formats::items::Items;
use crate::formats::lines::Lines;
use crate::formats::tokens::{Kind, Tokens};

/// Longer texts are not looked at: by then other passes have their turn.
const LONGEST_TEXT: usize = 1 << 20;
/// All couplings together have at most so many members.
const MEMBERS_MAX: usize = 1 << 16;
/// Columns are looked at up to this one, from the left and from the right.
const COLUMNS: usize = 4;

/// The numbers of sections' lines stand in the first lines of a text, so many at most.
const HEAD_LINES: usize = 16;
/// So many of the last integers before the sections may be such numbers.
const HEAD_NUMBERS: usize = 8;
/// So many ways to tell sections are looked at, those behind the fewest lines first: in a short text many
/// small integers add up to the lines that are left.
const HEAD_WAYS: usize = 4;

/// Parts that stand side by side.
struct Row {
    members: Vec<Range>,
    is_separated: bool,
}

struct Finder<'a> {
    text: &'a [u8],
    /// All integers in plain digits, with what they are worth.
    numbers: Vec<(Range, u128)>,
    /// Where the integers are that are worth so much.
    by_value: BTreeMap<u128, Vec<Range>>,
    found: Vec<Coupling>,
    members: usize,
}

/// All couplings of a text, and again those of sections of lines, by ways to tell these.
pub(super) fn all(target: &Target<u8>) -> (Vec<Coupling>, Vec<Vec<Coupling>>) {
    if target.len() > LONGEST_TEXT {
        return Default::default();
    }
    let text = target.elements();
    let tokens = Tokens::of(target);
    let numbers: Vec<(Range, u128)> = tokens
        .all()
        .iter()
        .filter(|token| token.kind == Kind::Number)
        .filter_map(|token| Some(((token.start, token.end), value_of(token.text(text))?)))
        .collect();
    let mut by_value: BTreeMap<u128, Vec<Range>> = BTreeMap::new();
    for &(range, value) in &numbers {
        by_value.entry(value).or_default().push(range);
    }
    let mut finder = Finder {
        text,
        numbers,
        by_value,
        found: Vec::new(),
        members: 0,
    };
    if finder.numbers.is_empty() {
        return Default::default();
    }
    for row in rows_of_items(target).chain(rows_of_lines(target)) {
        finder.count(&row);
        finder.totals(&row);
    }
    let sections = finder.sections(target);
    (finder.found, sections)
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

impl Finder<'_> {
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
        let columns: Vec<Vec<(Range, u128)>> = row
            .members
            .iter()
            .map(|&range| self.numbers_in(range).to_vec())
            .collect();
        let shortest = columns.iter().map(Vec::len).min().unwrap_or(0);
        let longest = columns.iter().map(Vec::len).max().unwrap_or(0);
        let from_left = (0..shortest.min(COLUMNS)).map(|column| (column, false));
        let from_right = (0..shortest.min(COLUMNS)).map(|column| (column, true));
        // Where all members have the same number of columns, these are the same columns again.
        let is_ragged = shortest < longest || shortest > COLUMNS;
        for (column, is_from_right) in from_left.chain(from_right.filter(|_| is_ragged)) {
            let cell = |cells: &Vec<(Range, u128)>| {
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

    /// Sections of lines up to the end of the text, whose numbers of lines stand before all of them in
    /// the same order, perhaps with other integers between them.
    fn sections(&mut self, target: &Target<u8>) -> Vec<Vec<Coupling>> {
        let mut all = Vec::new();
        let lines = Lines::of(target);
        let is_blank = |line: usize| {
            let (start, end) = lines.range(line);
            self.text[start..end].trim_ascii().is_empty()
        };
        let end = (0..lines.len()).rev().find(|&line| !is_blank(line));
        let end = end.map_or(0, |last| last + 1);
        for first in 1..end.min(HEAD_LINES + 1) {
            let numbers = self.numbers_in((0, lines.start(first) as u32));
            let numbers = &numbers[numbers.len().saturating_sub(HEAD_NUMBERS)..];
            let numbers: Vec<(Range, u128)> = numbers
                .iter()
                .filter(|number| number.1 > 0)
                .copied()
                .collect();
            let counts = |way: u32| {
                let numbers = numbers.iter().enumerate();
                numbers.filter(move |(at, _)| way & (1 << at) != 0)
            };
            let sum = |way: u32| {
                let mut counts = counts(way);
                counts.try_fold(0_u128, |sum, (_, number)| sum.checked_add(number.1))
            };
            let ways = 1..1_u32 << numbers.len();
            let ways = ways.filter(|&way| sum(way) == Some((end - first) as u128));
            for way in ways.take(HEAD_WAYS - all.len()) {
                let mut line = first;
                let from = self.found.len();
                for (_, &(number, count)) in counts(way) {
                    let section = line..line + count as usize;
                    line = section.end;
                    let members = section.map(|line| {
                        let (start, end) = lines.range(line);
                        (start as u32, end as u32)
                    });
                    let row = Row {
                        members: members.collect(),
                        is_separated: false,
                    };
                    let members = row.members.iter().map(|&range| Member {
                        range,
                        addend: None,
                    });
                    self.add(number, &row, members.collect());
                }
                all.push(self.found[from..].to_vec());
            }
        }
        all
    }

    fn numbers_in(&self, (start, end): Range) -> &[(Range, u128)] {
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
