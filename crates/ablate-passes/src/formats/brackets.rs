//! Brackets `()`, `[]`, `{}` that match, and how they nest. Brackets within quoted strings and
//! comments do not count; what does not match is passed over.

use alloc::rc::Rc;
use alloc::vec::Vec;

use ablate_engine::target::Target;

use crate::formats::characters::{is_blank, is_word};
use crate::formats::quotes::{LONGEST_TEXT, Quotes};

/// A pair of brackets.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Pair {
    /// Where the opening bracket is.
    pub open: u32,
    /// Where the closing bracket is.
    pub close: u32,
    /// The number of the nearest pair around this one; [`Pair::NONE`] at the top.
    pub parent: u32,
    /// The number of the first pair that opens after this one has closed.
    pub next: u32,
    /// How many pairs are around this one.
    pub depth: u32,
}

impl Pair {
    /// No pair.
    pub const NONE: u32 = u32::MAX;

    /// The first position of the pair, and the one after its last.
    pub fn range(&self) -> (usize, usize) {
        (self.open as usize, self.close as usize + 1)
    }

    /// What is between the brackets.
    pub fn interior(&self) -> (usize, usize) {
        (self.open as usize + 1, self.close as usize)
    }
}

/// The pairs of brackets of a text, by the position of the opening one.
#[derive(Debug)]
pub struct Brackets {
    pairs: Vec<Pair>,
    /// Closing positions with the numbers of their pairs.
    by_close: Vec<(u32, u32)>,
}

/// Chains whose links are longer than this are not looked for.
const LONGEST_LINK: usize = 256;

impl Brackets {
    /// The brackets of `target`; none if it is longer than 64 MiB.
    pub fn of(target: &Target<u8>) -> Rc<Brackets> {
        let quotes = Quotes::of(target);
        target.analysis(|target| Brackets::new(target.elements(), &quotes))
    }

    pub(crate) fn new(text: &[u8], quotes: &Quotes) -> Brackets {
        let mut pairs = matched(text, quotes);
        pairs.sort_unstable_by_key(|pair| pair.open);
        let mut around: Vec<u32> = Vec::new();
        for number in 0..pairs.len() {
            let open = pairs[number].open;
            while let Some(ended) = around.pop_if(|p| pairs[*p as usize].close < open) {
                pairs[ended as usize].next = number as u32;
            }
            pairs[number].parent = around.last().copied().unwrap_or(Pair::NONE);
            pairs[number].depth = around.len() as u32;
            around.push(number as u32);
        }
        for ended in around {
            pairs[ended as usize].next = pairs.len() as u32;
        }
        let closes = pairs.iter().map(|pair| pair.close);
        let mut by_close: Vec<(u32, u32)> = closes.zip(0..).collect();
        by_close.sort_unstable();
        Brackets { pairs, by_close }
    }

    /// All pairs.
    pub fn all(&self) -> &[Pair] {
        &self.pairs
    }

    /// The pair around `pair`.
    pub fn parent(&self, pair: &Pair) -> Option<&Pair> {
        self.pairs.get(pair.parent as usize)
    }

    /// The pair whose opening bracket is at `open`.
    pub fn opening_at(&self, open: usize) -> Option<&Pair> {
        let number = self.pairs.binary_search_by_key(&open, |p| p.open as usize);
        number.ok().map(|number| &self.pairs[number])
    }

    /// The pair whose closing bracket is at `close`.
    pub fn closing_at(&self, close: usize) -> Option<&Pair> {
        let index = self.by_close.binary_search_by_key(&close, |c| c.0 as usize);
        index
            .ok()
            .map(|index| &self.pairs[self.by_close[index].1 as usize])
    }

    /// The pair within `pair`, if there is exactly one directly in it.
    pub fn only_child(&self, pair: &Pair) -> Option<&Pair> {
        let number = self.pairs.partition_point(|p| p.open <= pair.open);
        let child = self.pairs.get(number).filter(|p| p.close < pair.close)?;
        (child.next == pair.next).then_some(child)
    }

    /// The pair that is `levels` around `pair`.
    pub fn enclosing<'a>(&'a self, pair: &'a Pair, levels: usize) -> Option<&'a Pair> {
        core::iter::successors(Some(pair), |pair| self.parent(pair)).nth(levels)
    }

    /// Whether the same stands between this pair and the only one in it as between this pair and
    /// the one around it: `((()))`, `f(f(f(x)))`. To treat every pair of such a chain would be to
    /// try the same thing at many places; growing gets there from its ends.
    pub fn is_within_chain(&self, text: &[u8], pair: &Pair) -> bool {
        let (Some(outer), Some(inner)) = (self.parent(pair), self.only_child(pair)) else {
            return false;
        };
        let between = |outer: &Pair, inner: &Pair| {
            let before = &text[outer.open as usize..inner.open as usize];
            let after = &text[inner.close as usize..outer.close as usize];
            (before.len() + after.len() < LONGEST_LINK).then_some((before, after))
        };
        let link = between(outer, pair);
        link.is_some() && link == between(pair, inner) && self.only_child(outer) == Some(pair)
    }

    /// Where what a pair belongs to starts: the name that is called or indexed, or the head of a
    /// block (`if (x) {`); the opening bracket itself where there is none.
    pub fn head(&self, text: &[u8], pair: &Pair) -> usize {
        let open = pair.open as usize;
        if text[open] != b'{' {
            let blanks = text[..open]
                .iter()
                .rev()
                .take_while(|&&b| is_blank(b))
                .count();
            let name = text[..open - blanks].iter().rev();
            let length = name
                .take_while(|&&b| is_word(b) || b == b'.' || b == b':')
                .count();
            return if length == 0 {
                open
            } else {
                open - blanks - length
            };
        }
        let mut at = open;
        let mut head = open;
        while at > 0 && open - at < 400 {
            match text[at - 1] {
                b';' | b'{' | b'}' | b',' | b'(' | b'[' => break,
                b')' | b']' => match self.closing_at(at - 1) {
                    Some(inner) => {
                        at = inner.open as usize;
                        head = at;
                        continue;
                    }
                    None => break,
                },
                // The head may stand on the line before, but not two lines before.
                b'\n' if head < open => break,
                byte if !byte.is_ascii_whitespace() => head = at - 1,
                _ => (),
            }
            at -= 1;
        }
        head
    }
}

/// The pairs in the order of their closing brackets, with nothing known of how they nest.
fn matched(text: &[u8], quotes: &Quotes) -> Vec<Pair> {
    let mut pairs = Vec::new();
    let mut open: Vec<u32> = Vec::new();
    // How many brackets of each kind are open.
    let mut waiting = [0_u32; 3];
    let mut at = if text.len() > LONGEST_TEXT {
        text.len()
    } else {
        0
    };
    while at < text.len() {
        let byte = text[at];
        if let Some(end) = quotes.end_from(at, byte) {
            at = end;
            continue;
        }
        if let Some(kind) = b"([{".iter().position(|&b| b == byte) {
            open.push(at as u32);
            waiting[kind] += 1;
        } else if let Some(kind) = b")]}".iter().position(|&b| b == byte)
            && waiting[kind] > 0
        {
            // What was opened since and is not closed matches nothing.
            while let Some(opened) = open.pop() {
                let opened_byte = text[opened as usize];
                let opened_kind = b"([{".iter().position(|&b| b == opened_byte);
                waiting[opened_kind.unwrap_or(0)] -= 1;
                if opened_kind == Some(kind) {
                    pairs.push(Pair {
                        open: opened,
                        close: at as u32,
                        parent: Pair::NONE,
                        next: Pair::NONE,
                        depth: 0,
                    });
                    break;
                }
            }
        }
        at += 1;
    }
    pairs
}

#[cfg(test)]
mod tests {
    use super::*;

    fn brackets(text: &str) -> Brackets {
        Brackets::new(text.as_bytes(), &Quotes::new(text.as_bytes()))
    }

    fn check_pairs(text: &str, expected: &[(u32, u32, u32)]) {
        let seen: Vec<(u32, u32, u32)> = brackets(text)
            .all()
            .iter()
            .map(|p| (p.open, p.close, p.depth))
            .collect();
        assert_eq!(seen, expected, "{text}");
    }

    #[test]
    fn brackets_match_and_nest() {
        check_pairs("(a[b]{})", &[(0, 7, 0), (2, 4, 1), (5, 6, 1)]);
        check_pairs("('(')", &[(0, 4, 0)]);
    }

    #[test]
    fn what_does_not_match_is_passed_over() {
        check_pairs("([)", &[(0, 2, 0)]);
        check_pairs(")(])", &[(1, 3, 0)]);
        check_pairs("(((", &[]);
    }

    #[test]
    fn those_of_a_large_text_are_known() {
        let text = "[1,2],".repeat(1 << 20);
        assert_eq!(brackets(&text).all().len(), 1 << 20);
    }

    #[test]
    fn families_are_known() {
        let brackets = brackets("(([]))()");
        let pairs = brackets.all();
        assert_eq!(brackets.only_child(&pairs[0]), Some(&pairs[1]));
        assert_eq!(brackets.enclosing(&pairs[2], 2), Some(&pairs[0]));
        assert_eq!(brackets.enclosing(&pairs[2], 3), None);
        let text = b"(([]))()";
        assert!(!brackets.is_within_chain(text, &pairs[1]));
        assert!(!brackets.is_within_chain(text, &pairs[0]));
        assert_eq!(pairs[0].next, 3);
        assert_eq!(brackets.closing_at(7), Some(&pairs[3]));
    }

    #[test]
    fn a_chain_repeats_what_is_between_its_pairs() {
        let text = "f(f(f(f(x))), 1)";
        let brackets = brackets(text);
        let pairs = brackets.all().iter();
        let are: Vec<bool> = pairs
            .map(|pair| brackets.is_within_chain(text.as_bytes(), pair))
            .collect();
        assert_eq!(are, [false, false, true, false]);
    }

    #[test]
    fn heads_are_what_a_pair_belongs_to() {
        for (text, open, head) in [
            ("x = a.b (c)", 8, 4),
            ("; if (x) {}", 9, 2),
            ("(a)", 0, 0),
            ("int main()\n{}", 11, 0),
            ("a;\nint main() {}", 14, 3),
        ] {
            let brackets = brackets(text);
            let pair = brackets.opening_at(open).unwrap();
            assert_eq!(brackets.head(text.as_bytes(), pair), head, "{text}");
        }
    }
}
