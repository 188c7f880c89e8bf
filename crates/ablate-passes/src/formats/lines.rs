//! Lines, and how far each is indented.

use alloc::rc::Rc;
use alloc::vec::Vec;
use core::ops::Range;

use ablate_engine::target::Target;

use crate::formats::characters::is_blank;

/// The lines of a text. A line ends after its line feed; the last one may have none.
#[derive(Debug)]
pub struct Lines {
    /// Where each line starts, and where the last one ends.
    bounds: Vec<u32>,
}

impl Lines {
    /// The lines of `target`; none if it is longer than 4 GiB.
    pub fn of(target: &Target<u8>) -> Rc<Lines> {
        target.analysis(|target| Lines::new(target.elements()))
    }

    fn new(text: &[u8]) -> Lines {
        let mut bounds = Vec::new();
        if u32::try_from(text.len()).is_ok() {
            let ends = text.iter().zip(1_u32..).filter(|(byte, _)| **byte == b'\n');
            bounds.push(0);
            bounds.extend(ends.map(|(_, end)| end));
            if bounds.last() != Some(&(text.len() as u32)) {
                bounds.push(text.len() as u32);
            }
        }
        Lines { bounds }
    }

    /// How many lines there are.
    pub fn len(&self) -> usize {
        self.bounds.len().saturating_sub(1)
    }

    /// Whether there is no line.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The first position of a line, and the one after its line feed.
    pub fn range(&self, line: usize) -> (usize, usize) {
        (self.start(line), self.start(line + 1))
    }

    /// The first position of a line; the end of the text for the line after the last.
    pub fn start(&self, line: usize) -> usize {
        self.bounds[line] as usize
    }

    /// The line that starts at `at`, or the number of lines when the text ends there.
    pub fn starting_at(&self, at: usize) -> Option<usize> {
        let at = u32::try_from(at).ok()?;
        self.bounds.binary_search(&at).ok()
    }

    /// The line that holds the position `at`.
    pub fn around(&self, at: usize) -> usize {
        let after = self.bounds.partition_point(|&start| start as usize <= at);
        after.saturating_sub(1)
    }
}

/// How deep each line is indented.
#[derive(Debug)]
pub struct Indents {
    /// The number of blanks at the start of each line; [`Indents::EMPTY`] for a line of blanks.
    depths: Vec<u16>,
    /// For each line, how many lines follow that are indented deeper.
    bodies: Vec<u32>,
}

impl Indents {
    /// The depth of a line that holds nothing but blanks.
    pub const EMPTY: u16 = u16::MAX;

    /// The indentation of the lines of `target`; none if it is longer than 16 MiB.
    pub fn of(target: &Target<u8>) -> Rc<Indents> {
        target.analysis(|target| {
            let lines = Lines::of(target);
            if target.len() > 16 << 20 {
                return Indents::new(&[], &Lines { bounds: Vec::new() });
            }
            Indents::new(target.elements(), &lines)
        })
    }

    fn new(text: &[u8], lines: &Lines) -> Indents {
        let depth = |line| {
            let (start, end) = lines.range(line);
            let blanks = text[start..end]
                .iter()
                .take_while(|&&b| is_blank(b))
                .count();
            match text.get(start + blanks) {
                None | Some(b'\n' | b'\r') => Indents::EMPTY,
                Some(_) => u16::try_from(blanks)
                    .unwrap_or(u16::MAX - 1)
                    .min(u16::MAX - 1),
            }
        };
        let depths: Vec<u16> = (0..lines.len()).map(depth).collect();
        let mut bodies = alloc::vec![0; depths.len()];
        // Headers whose body is not yet at its end, the outermost first.
        let mut open: Vec<usize> = Vec::new();
        let mut last_full = 0;
        for (line, &depth) in depths.iter().enumerate() {
            if depth == Indents::EMPTY {
                continue;
            }
            while let Some(header) = open.pop_if(|header| depths[*header] >= depth) {
                bodies[header] = (last_full - header) as u32;
            }
            open.push(line);
            last_full = line;
        }
        for header in open {
            bodies[header] = (last_full - header) as u32;
        }
        Indents { depths, bodies }
    }

    /// The number of lines.
    pub fn len(&self) -> usize {
        self.depths.len()
    }

    /// Whether there is no line.
    pub fn is_empty(&self) -> bool {
        self.depths.is_empty()
    }

    /// The number of blanks at the start of a line; [`Indents::EMPTY`] for a line of blanks.
    pub fn depth(&self, line: usize) -> u16 {
        self.depths[line]
    }

    /// How many lines after `line` are indented deeper, with the empty ones among them.
    pub fn body(&self, line: usize) -> usize {
        self.bodies[line] as usize
    }
}

/// The lines that have deeper indented lines below them, the least indented ones last.
#[derive(Debug)]
pub struct Heads(
    /// The numbers of the lines.
    pub Vec<u32>,
);

impl Heads {
    /// Those of `target`; none if it is longer than 16 MiB.
    pub fn of(target: &Target<u8>) -> Rc<Heads> {
        let indents = Indents::of(target);
        target.analysis(|_| {
            let mut heads: Vec<u32> = (0..indents.len())
                .filter(|&line| indents.body(line) > 0)
                .map(|line| line as u32)
                .collect();
            heads.sort_by_cached_key(|&line| core::cmp::Reverse(indents.depth(line as usize)));
            Heads(heads)
        })
    }
}

/// A range with its line, if nothing else is in that.
pub(crate) fn with_line(text: &[u8], range: Range<usize>) -> Range<usize> {
    let blanks = |byte: &&u8| is_blank(**byte);
    let start = range.start - text[..range.start].iter().rev().take_while(blanks).count();
    let end = range.end + text[range.end..].iter().take_while(blanks).count();
    let end = end + usize::from(text.get(end) == Some(&b'\r'));
    let is_line = start == 0 || text[start - 1] == b'\n';
    match text.get(end) {
        Some(b'\n') if is_line => start..end + 1,
        None if is_line => start..end,
        _ => range,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_line_may_have_no_line_feed() {
        let lines = Lines::new(b"a\nbc");
        assert_eq!(lines.len(), 2);
        assert_eq!(lines.range(1), (2, 4));
        assert_eq!(Lines::new(b"a\nbc\n").len(), 2);
        assert_eq!(Lines::new(b"").len(), 0);
        assert_eq!(lines.around(1), 0);
        assert_eq!(lines.around(2), 1);
    }

    #[test]
    fn bodies_end_at_their_last_full_line() {
        let text = b"if a:\n  b\n\n    c\n  d\n\ne\n";
        let indents = Indents::new(text, &Lines::new(text));
        let bodies: Vec<usize> = (0..indents.len()).map(|line| indents.body(line)).collect();
        assert_eq!(bodies, [4, 2, 0, 0, 0, 0, 0]);
    }
}
