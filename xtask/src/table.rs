//! Tables for a terminal and as tab-separated values.

use std::fmt::Write as _;

/// Rows of cells under a heading.
pub struct Table {
    rows: Vec<Vec<String>>,
}

impl Table {
    /// A table without rows.
    pub fn new<const N: usize>(heading: [&str; N]) -> Table {
        Table {
            rows: vec![heading.map(str::to_owned).to_vec()],
        }
    }

    /// Adds a row.
    pub fn push(&mut self, row: Vec<String>) {
        self.rows.push(row);
    }

    /// In columns: the first one to the left, numbers to the right.
    pub fn text(&self) -> String {
        let columns = self.rows.iter().map(Vec::len).max().unwrap_or(0);
        let width = |column: usize| {
            let cells = self.rows.iter().filter_map(|row| row.get(column));
            cells.map(|cell| cell.chars().count()).max().unwrap_or(0)
        };
        let widths: Vec<usize> = (0..columns).map(width).collect();
        let mut text = String::new();
        for row in &self.rows {
            let mut line = String::new();
            for (cell, &width) in row.iter().zip(&widths) {
                let is_number = cell.starts_with(|first: char| first.is_ascii_digit());
                if is_number {
                    _ = write!(line, "{cell:>width$}  ");
                } else {
                    _ = write!(line, "{cell:<width$}  ");
                }
            }
            text.push_str(line.trim_end());
            text.push('\n');
        }
        text
    }

    /// One line a row, cells parted by tabs.
    pub fn tsv(&self) -> String {
        let lines = self.rows.iter().map(|row| row.join("\t") + "\n");
        lines.collect()
    }
}

/// The geometric mean; `None` of nothing or where a value is not positive.
pub fn geometric_mean(values: &[f64]) -> Option<f64> {
    if values.is_empty() || values.iter().any(|&value| value <= 0.0) {
        return None;
    }
    let sum: f64 = values.iter().map(|value| value.ln()).sum();
    Some((sum / values.len() as f64).exp())
}

/// A number with `decimals` places, or a dash.
pub fn number(value: Option<f64>, decimals: usize) -> String {
    value.map_or_else(|| "-".to_owned(), |value| format!("{value:.decimals$}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_line_up() {
        let mut table = Table::new(["name", "n"]);
        table.push(vec!["a".into(), "10".into()]);
        table.push(vec!["long name".into(), "2".into()]);
        assert_eq!(table.text(), "name       n\na          10\nlong name   2\n");
        assert_eq!(table.tsv(), "name\tn\na\t10\nlong name\t2\n");
    }

    #[test]
    fn the_mean_of_a_half_and_a_double_is_one() {
        assert_eq!(number(geometric_mean(&[0.5, 2.0]), 3), "1.000");
        assert_eq!(geometric_mean(&[]), None);
        assert_eq!(geometric_mean(&[0.0, 1.0]), None);
    }
}
