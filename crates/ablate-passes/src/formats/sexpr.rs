//! S-expressions: lists in brackets, and atoms, as SMT-LIB writes them, with `"strings"`, `|quoted symbols|`
//! and comments behind `;`; and as Lisps do.

use alloc::vec::Vec;

/// An atom or a list.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Node {
    /// The first position.
    pub start: u32,
    /// The position after the last.
    pub end: u32,
    /// The number of the list around it; [`Node::NONE`] at the top.
    pub parent: u32,
    /// The number of the first node behind it that is not in it.
    pub next: u32,
    /// Whether it is a list.
    pub is_list: bool,
}

impl Node {
    /// No node.
    pub const NONE: u32 = u32::MAX;

    /// Where the node stands.
    pub fn range(&self) -> (usize, usize) {
        (self.start as usize, self.end as usize)
    }

    /// The number of its bytes.
    pub fn len(&self) -> usize {
        (self.end - self.start) as usize
    }

    /// Whether there is nothing in it; there always is.
    pub fn is_empty(&self) -> bool {
        self.start == self.end
    }
}

/// What stands at a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Piece {
    /// The bracket that opens a list.
    Open,
    /// The bracket that closes one.
    Close,
    /// An atom that ends before this position.
    Atom(usize),
    /// White space, a comment or another mark, up to this position.
    Between(usize),
}

/// The S-expressions of a text, each list before what is in it.
#[derive(Debug, Default)]
pub struct Sexprs {
    nodes: Vec<Node>,
}

impl Sexprs {
    /// Reads a script of SMT-LIB; `None` if its parentheses do not match, or something does not end.
    pub fn read(text: &[u8]) -> Option<Sexprs> {
        Sexprs::read_with(text, |at| {
            Some(match text[at] {
                byte if byte.is_ascii_whitespace() => Piece::Between(at + 1),
                b';' => Piece::Between(line_end(text, at)),
                b')' => Piece::Close,
                b'(' => Piece::Open,
                b'"' => Piece::Atom(string_end(text, at)?),
                b'|' => Piece::Atom(at + 2 + text[at + 1..].iter().position(|&b| b == b'|')?),
                _ => Piece::Atom(atom_end(text, at)),
            })
        })
    }

    /// Reads a text of which `piece` says what stands at a position; `None` where it says so, or if brackets
    /// do not match.
    pub(crate) fn read_with(
        text: &[u8],
        mut piece: impl FnMut(usize) -> Option<Piece>,
    ) -> Option<Sexprs> {
        let mut nodes: Vec<Node> = Vec::new();
        let mut open: Vec<u32> = Vec::new();
        let mut at = 0;
        while at < text.len() {
            let (end, is_list) = match piece(at)? {
                Piece::Between(end) => {
                    at = end;
                    continue;
                }
                Piece::Close => {
                    let list = open.pop()? as usize;
                    at += 1;
                    nodes[list].end = at as u32;
                    nodes[list].next = nodes.len() as u32;
                    continue;
                }
                Piece::Open => (at + 1, true),
                Piece::Atom(end) => (end, false),
            };
            let number = nodes.len() as u32;
            nodes.push(Node {
                start: at as u32,
                end: end as u32,
                parent: open.last().copied().unwrap_or(Node::NONE),
                next: number + 1,
                is_list,
            });
            if is_list {
                open.push(number);
            }
            at = end;
        }
        open.is_empty().then_some(Sexprs { nodes })
    }

    /// All nodes, each list before what is in it.
    pub fn all(&self) -> &[Node] {
        &self.nodes
    }

    /// The node with this number.
    pub fn node(&self, number: u32) -> &Node {
        &self.nodes[number as usize]
    }

    /// The numbers of the nodes that stand directly in a list.
    pub fn children(&self, list: u32) -> impl Iterator<Item = u32> + '_ {
        let node = self.node(list);
        let end = if node.is_list { node.next } else { 0 };
        self.from(list + 1, end)
    }

    /// The numbers of the nodes at the top.
    pub fn top(&self) -> impl Iterator<Item = u32> + '_ {
        self.from(0, self.nodes.len() as u32)
    }

    fn from(&self, first: u32, end: u32) -> impl Iterator<Item = u32> + '_ {
        let mut at = first;
        core::iter::from_fn(move || {
            let number = (at < end).then_some(at)?;
            at = self.node(number).next;
            Some(number)
        })
    }

    /// The text of a node.
    pub fn text<'a>(&self, text: &'a [u8], number: u32) -> &'a [u8] {
        let (start, end) = self.node(number).range();
        &text[start..end]
    }

    /// The text of the first node in a list, if that is an atom.
    pub fn head<'a>(&self, text: &'a [u8], list: u32) -> Option<&'a [u8]> {
        let first = self.children(list).next()?;
        (!self.node(first).is_list).then(|| self.text(text, first))
    }

    /// The number of the node that starts at `start`.
    pub fn starting_at(&self, start: usize) -> Option<u32> {
        let found = self
            .nodes
            .binary_search_by_key(&start, |n| n.start as usize);
        found.ok().map(|number| number as u32)
    }
}

/// Whether `byte` belongs to an atom that is neither a string nor a quoted symbol.
pub fn is_symbol(byte: u8) -> bool {
    !byte.is_ascii_whitespace() && !matches!(byte, b'(' | b')' | b';' | b'"' | b'|')
}

/// The position after the line that `at` is in.
pub(crate) fn line_end(text: &[u8], at: usize) -> usize {
    let line = text[at..].iter().position(|&byte| byte == b'\n');
    line.map_or(text.len(), |line| at + line + 1)
}

fn atom_end(text: &[u8], start: usize) -> usize {
    let length = text[start..].iter().position(|&byte| !is_symbol(byte));
    length.map_or(text.len(), |length| start + length)
}

/// The position after a string's closing quote; a doubled quote stands for itself.
fn string_end(text: &[u8], start: usize) -> Option<usize> {
    let mut at = start + 1;
    loop {
        at += text.get(at..)?.iter().position(|&byte| byte == b'"')? + 1;
        if text.get(at) != Some(&b'"') {
            return Some(at);
        }
        at += 1;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::vec::Vec;

    fn check_nodes(text: &str, expected: &[&str]) {
        let sexprs = Sexprs::read(text.as_bytes()).unwrap();
        let texts: Vec<&str> = sexprs
            .all()
            .iter()
            .map(|node| &text[node.start as usize..node.end as usize])
            .collect();
        assert_eq!(texts, expected);
    }

    #[test]
    fn lists_stand_before_what_is_in_them() {
        check_nodes("(a (b) c) d", &["(a (b) c)", "a", "(b)", "b", "c", "d"]);
        check_nodes(
            "(a\"x\"\"(\"|(|; )\n)",
            &["(a\"x\"\"(\"|(|; )\n)", "a", "\"x\"\"(\"", "|(|"],
        );
    }

    #[test]
    fn children_are_those_of_one_list() {
        let text = b"(a (b) c) d";
        let sexprs = Sexprs::read(text).unwrap();
        let texts = |numbers: Vec<u32>| -> Vec<&[u8]> {
            numbers.iter().map(|&n| sexprs.text(text, n)).collect()
        };
        assert_eq!(
            texts(sexprs.children(0).collect()),
            [b"a".as_slice(), b"(b)", b"c"]
        );
        assert_eq!(
            texts(sexprs.top().collect()),
            [b"(a (b) c)".as_slice(), b"d"]
        );
        assert_eq!(sexprs.head(text, 2), Some(b"b".as_slice()));
    }

    #[test]
    fn what_does_not_end_is_not_read() {
        for text in ["(", ")", "(\"", "(|", "(a))"] {
            assert!(Sexprs::read(text.as_bytes()).is_none(), "{text}");
        }
        let deep = [b"(".repeat(100_000), b")".repeat(100_000)].concat();
        assert_eq!(Sexprs::read(&deep).unwrap().all().len(), 100_000);
    }
}
