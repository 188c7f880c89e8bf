//! The forms of a text in a Lisp: Common Lisp, Scheme, Racket, Clojure, Emacs Lisp, and others that are
//! written in lists.
//!
//! What these have in common is read: brackets of all kinds, `"strings"` over many lines, characters such as
//! `#\(`, `?\"` and `\[`, comments behind `;` and in `#| |#`, and marks before what is quoted.

use alloc::rc::Rc;
use alloc::vec::Vec;

use ablate_engine::target::Target;

use crate::formats::characters::is_blank;
use crate::formats::quotes::comment_length;
use crate::formats::sexpr::{Node, Piece, Sexprs, line_end};
use crate::formats::smt::is_command;
use crate::formats::tokens::LONGEST_TEXT;

/// At the top stand lists, and one other thing for so many of them at most.
const LISTS: usize = 4;

/// A text in a Lisp; of other texts nothing.
#[derive(Debug, Default)]
pub struct Lisp {
    sexprs: Sexprs,
    /// Where comments start and end, without the end of the line.
    comments: Vec<(u32, u32)>,
}

impl Lisp {
    /// The text that `target` is; nothing if that is none of a Lisp, or longer than 4 MiB.
    pub fn of(target: &Target<u8>) -> Rc<Lisp> {
        target.analysis(|target| Lisp::read(target.elements()).unwrap_or_default())
    }

    fn read(text: &[u8]) -> Option<Lisp> {
        if text.len() > LONGEST_TEXT {
            return None;
        }
        let mut comments = Vec::new();
        let (mut lists, mut atoms) = (0, 0);
        let mut depth = 0_usize;
        let sexprs = Sexprs::read_with(text, |at| {
            let piece = piece_at(text, at)?;
            match piece {
                Piece::Open => {
                    let is_list = text[at] == b'(';
                    lists += usize::from(depth == 0 && is_list);
                    atoms += usize::from(depth == 0 && !is_list);
                    depth += 1;
                }
                Piece::Close => depth = depth.checked_sub(1)?,
                Piece::Atom(_) if depth == 0 => atoms += 1,
                // A statement of another language ends so.
                Piece::Between(_) if text[at] == b';' && ends_statement(text, at) => return None,
                Piece::Between(end) if is_comment(text, at) => {
                    let end = end - usize::from(text[end - 1] == b'\n');
                    comments.push((at as u32, end as u32));
                }
                Piece::Atom(_) | Piece::Between(_) => (),
            }
            let is_lisp = atoms <= lists / LISTS;
            is_lisp.then_some(piece)
        })?;
        let is_form = |&form: &u32| {
            let node = sexprs.node(form);
            text[node.start as usize] == b'(' && has_name(&sexprs, text, form)
        };
        let forms = sexprs.top().filter(is_form).count();
        let is_of_solver = sexprs
            .top()
            .all(|form| sexprs.head(text, form).is_none_or(is_command));
        let is_lisp = forms > 0 && atoms + lists <= forms + forms / LISTS;
        (is_lisp && !is_of_solver).then_some(Lisp { sexprs, comments })
    }

    /// Whether the text is none of a Lisp.
    pub fn is_empty(&self) -> bool {
        self.sexprs.all().is_empty()
    }

    /// Its S-expressions.
    pub fn sexprs(&self) -> &Sexprs {
        &self.sexprs
    }

    /// Where its comments start and end, without the end of the line.
    pub fn comments(&self) -> &[(u32, u32)] {
        &self.comments
    }

    /// Where its strings start, without a mark before them, and end.
    pub fn strings(&self, text: &[u8]) -> impl Iterator<Item = (u32, u32)> {
        let strings = self.sexprs.all().iter();
        let strings = strings.filter(|node| text[node.start as usize] == b'"');
        strings.map(|node| (node.start, node.end))
    }

    /// Where its other atoms start, without a mark before them, and end.
    pub fn symbols(&self, text: &[u8]) -> impl Iterator<Item = (u32, u32)> {
        let atoms = self.sexprs.all().iter();
        let atoms = atoms.filter(|node| !node.is_list && text[node.start as usize] != b'"');
        atoms.map(|node| (node.start, node.end))
    }

    /// Where a node starts, with the marks before it: `'`, `,@`, `#'` and the like.
    pub fn start(&self, text: &[u8], node: &Node) -> usize {
        let first = match node.parent {
            Node::NONE => 0,
            parent => self.sexprs.node(parent).start as usize + 1,
        };
        let before = text[first..node.start as usize].iter().rev();
        node.start as usize - before.take_while(|&&byte| is_mark(byte)).count()
    }
}

/// Whether a list begins with a name, and without a comma behind it.
fn has_name(sexprs: &Sexprs, text: &[u8], list: u32) -> bool {
    let head = sexprs.children(list).next().map(|head| *sexprs.node(head));
    head.is_some_and(|head| {
        let first = text[head.start as usize];
        let is_name = !head.is_list && !first.is_ascii_digit() && first != b'"';
        is_name && text[head.end as usize] != b','
    })
}

/// What stands before something that is quoted.
fn is_mark(byte: u8) -> bool {
    matches!(byte, b'\'' | b'`' | b',' | b'@' | b'#' | b'^' | b'~')
}

/// Whether the mark at `at` has something else before it on its line, and nothing behind it.
fn ends_statement(text: &[u8], at: usize) -> bool {
    let before = text[..at].iter().rev().find(|&&byte| !is_blank(byte));
    let behind = text[at + 1..]
        .iter()
        .find(|&&byte| !is_blank(byte) && byte != b'\r');
    before.is_some_and(|&byte| byte != b'\n' && byte != b';')
        && behind.is_none_or(|&byte| byte == b'\n')
}

/// Whether a comment starts at `at`.
fn is_comment(text: &[u8], at: usize) -> bool {
    text[at] == b';' || text[at..].starts_with(b"#|")
}

/// What stands at `at`; `None` if it does not end.
fn piece_at(text: &[u8], at: usize) -> Option<Piece> {
    let next = text.get(at + 1).copied().unwrap_or(b'\n');
    Some(match text[at] {
        byte if byte.is_ascii_whitespace() => Piece::Between(at + 1),
        b'(' | b'[' | b'{' => Piece::Open,
        b')' | b']' | b'}' => Piece::Close,
        b';' => Piece::Between(line_end(text, at)),
        b'#' if next == b'|' => {
            Piece::Between(at + comment_length(&text[at..], (b"#|", b"|#"), true)?)
        }
        // What a script begins with, and the language of a file.
        b'#' if at == 0 && next == b'!' || text[at..].starts_with(b"#lang ") => {
            Piece::Between(line_end(text, at))
        }
        b'#' if is_mark(next) || b"([{\";_?".contains(&next) => {
            Piece::Between(at + 1 + usize::from(b";_?".contains(&next)))
        }
        b'\'' | b'`' | b',' | b'^' | b'~' => Piece::Between(at + 1),
        b'@' if at > 0 && text[at - 1] == b',' => Piece::Between(at + 1),
        b'"' => Piece::Atom(string_end(text, at)?),
        // A character of Emacs Lisp may be any.
        b'?' if !next.is_ascii_whitespace() && next != b'\\' && !next.is_ascii_alphanumeric() => {
            Piece::Atom(atom_end(text, at + 2))
        }
        b'\\' => Piece::Atom(atom_end(text, at + 2)),
        _ => Piece::Atom(atom_end(text, at + 1)),
    })
}

/// The position after the closing quote of a string.
pub(crate) fn string_end(text: &[u8], start: usize) -> Option<usize> {
    let mut at = start + 1;
    loop {
        match text.get(at)? {
            b'"' => return Some(at + 1),
            b'\\' => at += 2,
            _ => at += 1,
        }
    }
}

/// The position after a symbol, a number or a character that starts before `at`; what a backslash stands
/// before belongs to it.
fn atom_end(text: &[u8], at: usize) -> usize {
    let mut at = at;
    while let Some(&byte) = text.get(at) {
        if byte.is_ascii_whitespace() || b"()[]{}\";,`".contains(&byte) {
            break;
        }
        at += 1 + usize::from(byte == b'\\');
    }
    at.min(text.len())
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::vec::Vec;

    fn lisp(text: &str) -> Rc<Lisp> {
        Lisp::of(&Target::new(text.as_bytes().to_vec()))
    }

    fn check_symbols(text: &str, expected: &[&str]) {
        let lisp = lisp(text);
        let symbols = lisp.symbols(text.as_bytes());
        let seen: Vec<&str> = symbols
            .map(|(start, end)| &text[start as usize..end as usize])
            .collect();
        assert_eq!(seen, expected, "{text}");
    }

    #[test]
    fn characters_may_be_brackets_and_quotes() {
        check_symbols("(a ?( ?\\\" ?|)", &["a", "?(", "?\\\"", "?|"]);
        check_symbols("(a #\\( #\\space)", &["a", "#\\(", "#\\space"]);
        check_symbols("(a [\\[ {:b \\\"}])", &["a", "\\[", ":b", "\\\""]);
        check_symbols("(a? '(b) #'c `(d ,@e))", &["a?", "b", "c", "d", "e"]);
    }

    #[test]
    fn strings_and_comments_go_over_many_lines() {
        let text = "#lang racket\n; (a\n(b \"c\n\\\" (\" d) ; e\n#| ( #| \" |# |#\n(f)\n";
        check_symbols(text, &["b", "d", "f"]);
        let lisp = lisp(text);
        let comments = lisp.comments().iter();
        let comments: Vec<&str> = comments
            .map(|&(start, end)| &text[start as usize..end as usize])
            .collect();
        assert_eq!(comments, ["; (a", "; e", "#| ( #| \" |# |#"]);
        let strings: Vec<(u32, u32)> = lisp.strings(text.as_bytes()).collect();
        assert_eq!(strings, [(21, 29)]);
    }

    #[test]
    fn many_blanks_are_looked_at_once() {
        let blanks = " ".repeat(1 << 20);
        check_symbols(&std::format!("(a{blanks}b)"), &["a", "b"]);
    }

    #[test]
    fn other_texts_are_none_of_a_lisp() {
        for text in [
            "",
            "a",
            "f(a, b)",
            "(a, b)",
            "(1 2)(3 4)",
            "[(a)]",
            "(function (a) {\n  b();\n})();\n",
            "(declare-const a Int)\n(assert (= a 1))\n(check-sat)\n",
            "(a",
            "(a))",
            "(a \"b)",
        ] {
            assert!(lisp(text).is_empty(), "{text}");
        }
        assert!(!lisp("(define-module (a))\n(define (b) 1)\n").is_empty());
    }
}
