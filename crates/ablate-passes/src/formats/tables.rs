//! Tables in a text: lines whose fields stand between signs of one kind, as in CSV. Does not look at
//! what is in the fields.

use alloc::rc::Rc;
use alloc::vec::Vec;

use ablate_engine::target::Target;

/// The signs between fields.
const SIGNS: &[u8] = b",;\t|";
/// A text is a table if so many of four of its lines have the same number of fields.
const OF_FOUR: usize = 3;
/// Longer texts are left alone.
const LONGEST_TEXT: usize = 64 << 20;

/// The rows of a text that is a table, those that have as many fields as most.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Table {
    /// How many fields each row has, 0 if the text is no table.
    pub columns: usize,
    /// Where each row starts, and where each of its fields ends, row by row.
    bounds: Vec<u32>,
}

impl Table {
    /// The table that `target` is; none if it is no table.
    pub fn of(target: &Target<u8>) -> Rc<Table> {
        target.analysis(|target| {
            if target.len() > LONGEST_TEXT {
                return Table::default();
            }
            let tables = SIGNS
                .iter()
                .map(|&sign| Table::new(target.elements(), sign));
            let tables = tables.filter(|table| table.columns > 1);
            tables.max_by_key(|table| table.columns).unwrap_or_default()
        })
    }

    fn new(text: &[u8], sign: u8) -> Table {
        let rows = rows(text, sign, true).or_else(|| rows(text, sign, false));
        let rows = rows.unwrap_or_default();
        let mut lengths: Vec<usize> = rows.iter().map(Vec::len).collect();
        lengths.sort_unstable();
        let most = lengths
            .chunk_by(|a, b| a == b)
            .max_by_key(|same| same.len());
        let Some(most) =
            most.filter(|same| same.len() > 1 && same.len() * 4 >= rows.len() * OF_FOUR)
        else {
            return Table::default();
        };
        let bounds = rows.iter().filter(|row| row.len() == most[0]).flatten();
        Table {
            columns: most[0] - 1,
            bounds: bounds.copied().collect(),
        }
    }

    /// Where these columns are, with the signs that go with them.
    pub fn cuts(&self, first: usize, last: usize) -> impl Iterator<Item = (usize, usize)> + '_ {
        let rows = self.bounds.chunks_exact(self.columns + 1);
        // The sign before a field goes with it, or the one behind where there is none.
        let is_behind = first == 0 && last + 1 < self.columns;
        rows.map(move |row| {
            let end = row[last + 1] as usize + usize::from(is_behind);
            (row[first] as usize, end)
        })
    }
}

/// For each row that is not empty where it starts and where its fields end; `None` if a quote does not
/// end.
fn rows(text: &[u8], sign: u8, has_quotes: bool) -> Option<Vec<Vec<u32>>> {
    let mut rows = Vec::new();
    let mut row = alloc::vec![0_u32];
    let mut is_quoted = false;
    for (at, &byte) in (0_u32..).zip(text) {
        if has_quotes && byte == b'"' {
            is_quoted = !is_quoted;
        } else if is_quoted {
            continue;
        } else if byte == sign {
            row.push(at);
        } else if byte == b'\n' {
            let is_carried = text[..at as usize].ends_with(b"\r") && row[row.len() - 1] < at;
            let end = at - u32::from(is_carried);
            if row.len() > 1 || row[0] < end {
                row.push(end);
                rows.push(row);
            }
            row = alloc::vec![at + 1];
        }
    }
    let end = text.len() as u32;
    if row.len() > 1 || row[0] < end {
        row.push(end);
        rows.push(row);
    }
    (!is_quoted).then_some(rows)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &[u8], columns: usize, last: &[&[u8]]) {
        let table = Table::of(&Target::new(text.to_vec()));
        assert_eq!(table.columns, columns);
        if columns > 0 {
            let cuts = table.cuts(columns - 1, columns - 1);
            let cut: Vec<&[u8]> = cuts.map(|(start, end)| &text[start..end]).collect();
            assert_eq!(cut, last);
        }
    }

    #[test]
    fn signs_in_quotes_are_none() {
        check(b"a,\"b,\n\"\nc,d\n", 2, &[b",\"b,\n\"", b",d"]);
        check(b"a,b\"\nc,d", 2, &[b",b\"", b",d"]);
    }

    #[test]
    fn lines_may_end_as_on_windows() {
        check(b"a;b\r\n;\r\n", 2, &[b";b", b";"]);
    }

    #[test]
    fn a_text_with_few_equal_lines_is_no_table() {
        check(b"a,b\nc,d\ne\nf\n", 0, &[]);
        check(b"a\nb\nc\n", 0, &[]);
        check(b"", 0, &[]);
    }
}
