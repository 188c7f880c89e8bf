//! The bodies of routines in a language that nobody has told us: what is in braces behind a head with
//! brackets, between `begin` and the `end` below it, between `subroutine f` and what ends it, or what is
//! indented below `proc f(x: int) =`. It is guessed, and never for sure.

use alloc::rc::Rc;
use alloc::vec::Vec;

use ablate_engine::target::Target;

use crate::formats::brackets::Brackets;
use crate::formats::lines::{Indents, Lines};
use crate::formats::tokens::{Kind, LONGEST_TEXT, Token, Tokens};
use crate::formats::worded::{Worded, WordedBlocks};

/// What is in the head of something that holds other things than statements, or is a statement itself.
const NO_ROUTINES: [&[u8]; 33] = [
    b"case",
    b"catch",
    b"class",
    b"do",
    b"else",
    b"elsif",
    b"enum",
    b"extension",
    b"for",
    b"foreach",
    b"if",
    b"impl",
    b"instance",
    b"interface",
    b"library",
    b"loop",
    b"match",
    b"module",
    b"namespace",
    b"object",
    b"package",
    b"record",
    b"select",
    b"struct",
    b"switch",
    b"synchronized",
    b"trait",
    b"type",
    b"union",
    b"unless",
    b"until",
    b"version",
    b"while",
];
/// With which word the head of a routine begins that no brackets enclose, or which is in it.
const ROUTINES: [&[u8]; 17] = [
    b"constructor",
    b"def",
    b"define",
    b"defmacro",
    b"defp",
    b"destructor",
    b"fn",
    b"fun",
    b"func",
    b"function",
    b"iterator",
    b"macro",
    b"method",
    b"proc",
    b"procedure",
    b"sub",
    b"subroutine",
];
/// What is in the head of a routine that gives nothing.
const VOID: [&[u8]; 6] = [
    b"constructor",
    b"destructor",
    b"proc",
    b"procedure",
    b"subroutine",
    b"void",
];
/// No more tokens than this are looked at before a bracket, and in a line.
const LONGEST_HEAD: usize = 96;
/// No more than so many lines are looked at for the end of a body, and for those of all.
const FURTHEST: usize = 1 << 13;
const LOOKS_MAX: usize = 1 << 22;
/// No more bodies than this are told of.
const MOST: usize = 1 << 13;

/// What stands in a routine: positions of the text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Body {
    /// Where it starts.
    pub start: usize,
    /// Where it ends.
    pub end: usize,
    /// Where the first line of it starts that is not empty: its blanks are those of a line in it.
    pub line: usize,
    /// Whether its head says that it gives nothing: `void f()`, `procedure f`.
    pub is_void: bool,
}

/// The bodies of the outermost routines of a text, in order.
#[derive(Debug)]
pub struct Routines(Vec<Body>);

struct Text<'a> {
    text: &'a [u8],
    tokens: &'a [Token],
    lines: &'a Lines,
    indents: &'a Indents,
    /// For each line its first token.
    firsts: Vec<usize>,
}

impl Routines {
    /// Those of `target`; none if it is longer than 4 MiB.
    pub fn of(target: &Target<u8>) -> Rc<Routines> {
        let (lines, indents) = (Lines::of(target), Indents::of(target));
        let (tokens, brackets) = (Tokens::of(target), Brackets::of(target));
        let worded = WordedBlocks::of(target);
        target.analysis(|target| {
            if target.len() > LONGEST_TEXT || tokens.all().is_empty() {
                return Routines(Vec::new());
            }
            let starts = (0..lines.len()).map(|line| tokens.from(lines.start(line)));
            let text = Text {
                text: target.elements(),
                tokens: tokens.all(),
                lines: &lines,
                indents: &indents,
                firsts: starts.chain([tokens.all().len()]).collect(),
            };
            let mut found = text.in_braces(&brackets);
            found.extend(text.below_heads());
            let blocks = worded
                .all()
                .iter()
                .filter(|block| text.is_routine(block.first));
            let begins = |block: &&Worded| text.begins_within(block.first, block.last);
            let blocks = blocks.filter(|block| !begins(block));
            found.extend(blocks.filter_map(|block| text.body(block.first, block.body, block.last)));
            Routines::outermost(found)
        })
    }

    fn outermost(mut found: Vec<Body>) -> Routines {
        found.sort_by_cached_key(|body| (body.start, usize::MAX - body.end));
        let mut bodies: Vec<Body> = Vec::new();
        for body in found {
            if bodies.last().is_none_or(|last| last.end <= body.start) {
                bodies.push(body);
            }
        }
        bodies.truncate(MOST);
        Routines(bodies)
    }

    /// All of them.
    pub fn all(&self) -> &[Body] {
        &self.0
    }
}

impl Text<'_> {
    fn is(&self, token: &Token, words: &[&[u8]]) -> bool {
        let text = token.text(self.text);
        token.kind == Kind::Word && words.iter().any(|word| text.eq_ignore_ascii_case(word))
    }

    fn line(&self, line: usize) -> &[Token] {
        let tokens = &self.tokens[self.firsts[line]..self.firsts[line + 1]];
        &tokens[..tokens.len().min(LONGEST_HEAD)]
    }

    /// The body below a head that begins with one line and ends before another.
    fn body(&self, head: usize, first: usize, after: usize) -> Option<Body> {
        let is_full = |line: &usize| !self.line(*line).is_empty();
        let line = (first..after).find(is_full)?;
        Some(Body {
            start: self.lines.start(first),
            end: self.lines.start(after),
            line: self.lines.start(line),
            is_void: self.line(head).iter().any(|token| self.is(token, &VOID)),
        })
    }

    /// What is in braces of more than a line behind brackets.
    fn in_braces(&self, brackets: &Brackets) -> Vec<Body> {
        let mut found: Vec<Body> = Vec::new();
        for pair in brackets.all() {
            let (start, end) = pair.interior();
            let is_within = found.last().is_some_and(|body| start < body.end);
            let is_long = self.lines.around(start) < self.lines.around(end);
            if is_within || self.text[start - 1] != b'{' || !is_long {
                continue;
            }
            let at = self
                .tokens
                .partition_point(|token| (token.start as usize) < start - 1);
            let before = self.tokens[at.saturating_sub(LONGEST_HEAD)..at]
                .iter()
                .rev();
            let is_end = |token: &&Token| matches!(token.text(self.text), b";" | b"{" | b"}");
            let (mut depth, mut has_brackets) = (0, false);
            let mut head: Vec<&Token> = Vec::new();
            for token in before.take_while(|token| !is_end(token)) {
                match token.text(self.text) {
                    b")" => (depth, has_brackets) = (depth + 1, true),
                    b"(" => depth -= 1,
                    // What is in the brackets may be called anything.
                    _ if depth == 0 => head.push(token),
                    _ => (),
                }
            }
            if has_brackets && !head.iter().any(|token| self.is(token, &NO_ROUTINES)) {
                let first = self.lines.around(start);
                let is_full = |line: &usize| !self.line(*line).is_empty();
                if let Some(line) = (first + 1..self.lines.around(end)).find(is_full) {
                    let line = self.lines.start(line);
                    let is_void = head.iter().any(|token| self.is(token, &VOID));
                    found.push(Body {
                        start,
                        end,
                        line,
                        is_void,
                    });
                }
            }
        }
        found
    }

    /// What is below lines, in no other such.
    fn below_heads(&self) -> Vec<Body> {
        let mut found = Vec::new();
        let (mut line, mut looks) = (0, LOOKS_MAX);
        while line < self.lines.len() && looks > 0 {
            let body = self.below(line, &mut looks);
            line = body.map_or(line + 1, |body| self.lines.around(body.end).max(line + 1));
            found.extend(body);
        }
        found
    }

    /// What is between a line that is `begin` and the end of it, or below the head of a routine that ends
    /// with a mark.
    fn below(&self, line: usize, looks: &mut usize) -> Option<Body> {
        let tokens = self.line(line);
        if self.begins(line) {
            let depth = self.indents.depth(line);
            let mut behind = (line + 1..self.lines.len()).take(FURTHEST);
            let last = behind.find(|&other| {
                *looks = looks.saturating_sub(1);
                let first = self.line(other).first();
                let ends = first.is_some_and(|first| {
                    first.kind == Kind::Word
                        && first
                            .text(self.text)
                            .get(..3)
                            .is_some_and(|word| word.eq_ignore_ascii_case(b"end"))
                });
                let other = self.indents.depth(other);
                other < depth || other == depth && ends
            })?;
            return self.body(self.head(line, looks), line + 1, last);
        }
        let last = tokens.last()?.text(self.text);
        let count = |mark: &[u8]| {
            tokens
                .iter()
                .filter(|token| token.text(self.text) == mark)
                .count()
        };
        let ends = matches!(last, b"=" | b":" | b"->" | b"=>") && count(b"(") == count(b")");
        let has_body = self.indents.body(line) > 0;
        if !(ends && has_body && self.is_routine(line)) {
            return None;
        }
        self.body(line, line + 1, line + 1 + self.indents.body(line))
    }

    /// The head of what a line of `begin` begins: the nearest line above, as far indented, that is one.
    fn head(&self, begin: usize, looks: &mut usize) -> usize {
        let depth = self.indents.depth(begin);
        let above = (0..begin).rev().take(FURTHEST.min(*looks));
        let mut above = above.take_while(|&line| self.indents.depth(line) >= depth);
        let head = above.find(|&line| {
            *looks -= 1;
            self.indents.depth(line) == depth && self.is_routine(line)
        });
        head.unwrap_or(begin)
    }

    /// Whether a body that `begin` begins is between two lines.
    fn begins_within(&self, first: usize, last: usize) -> bool {
        let depth = self.indents.depth(first);
        let mut within = (first + 1..last).filter(|&line| self.indents.depth(line) == depth);
        within.any(|line| self.begins(line))
    }

    /// Whether a line is nothing but `begin`.
    fn begins(&self, line: usize) -> bool {
        matches!(self.line(line), [only] if self.is(only, &[b"begin"]))
    }

    /// Whether a line is the head of a routine.
    fn is_routine(&self, line: usize) -> bool {
        let words = self.line(line).iter();
        let mut words = words.take_while(|token| token.kind == Kind::Word);
        let is_routine = words.clone().any(|token| self.is(token, &ROUTINES));
        is_routine && !words.any(|token| self.is(token, &NO_ROUTINES))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, expected: &[&str]) {
        let target = Target::new(text.as_bytes().to_vec());
        let routines = Routines::of(&target);
        let bodies = routines.all().iter();
        let seen: Vec<&str> = bodies.map(|body| &text[body.start..body.end]).collect();
        assert_eq!(seen, expected, "{text}");
    }

    #[test]
    fn braces_behind_brackets_hold_a_body() {
        let text = "struct A(T)\n{\n  int f(int type) pure\n  {\n    if (a) {\n      b;\n    }\n  }\n\
                    int g() { return 1; }\n static if (x) {\n void h()\n {\n  1;\n }\n }\n}\n";
        check(text, &["\n    if (a) {\n      b;\n    }\n  ", "\n  1;\n "]);
    }

    #[test]
    fn begin_begins_a_body_that_ends_where_it_is_as_far_indented() {
        let body = " begin\n  1;\n end;\nexception\n 2;\n";
        let routine = ["procedure a is\n x: T;\nbegin\n", body, "end a;\n"].concat();
        let text = routine.repeat(4) + "procedure b(x:\n  T);\nBegin\n 3\nEnd.\n";
        check(&text, &[body, body, body, body, " 3\n"]);
    }

    #[test]
    fn words_begin_and_end_a_body() {
        let body = " integer :: x\n if (x) then\n  y\n end if\n";
        let routine = ["subroutine f(x)\n", body, "end subroutine f\n"].concat();
        let text = ["module m\ncontains\n", &routine, &routine, "end module m\n"].concat();
        check(&text, &[body, body]);
    }

    #[test]
    fn what_is_indented_below_a_head_is_a_body() {
        check(
            "proc f(x: int): int =\n  x\n\ntype A =\n  B\n\ndef g:\n  1\n  2\n",
            &["  x\n", "  1\n  2\n"],
        );
    }

    #[test]
    fn brackets_and_words_without_end_are_soon_read() {
        let braces = "{".repeat(1_000_000) + &"}".repeat(1_000_000);
        check(&braces, &[]);
        check(&"begin\n".repeat(500_000), &[]);
        check(&"begin\nend\n".repeat(300_000), &[]);
    }
}
