//! Strings that match a regular expression.

use std::sync::Arc;

use regex_syntax::hir::{Class, Hir, HirKind, Look, Repetition};

use super::collections::draw_elements;
use crate::choice::{Alphabet, Sizes};
use crate::generator::{Generator, label};
use crate::test_case::TestCase;

/// See [`regex`].
#[derive(Clone, Debug)]
pub struct Regexes {
    root: Node,
}

/// What there is to draw, with everything that can be known before.
#[derive(Clone, Debug)]
enum Node {
    Literal(String),
    /// So many characters of an alphabet.
    Characters(Arc<Alphabet>, Sizes),
    Repetition(Box<Node>, Sizes),
    Sequence(Vec<Node>),
    Alternatives(Vec<Node>),
}

/// Strings that match `pattern` as a whole, in the syntax of the `regex` crate. `^` and `$` are
/// allowed and mean nothing; word boundaries are not supported.
///
/// # Panics
/// When `pattern` is no regular expression, or uses what is not supported.
pub fn regex(pattern: &str) -> Regexes {
    let hir = match regex_syntax::parse(pattern) {
        Ok(hir) => hir,
        Err(error) => panic!("ablate-check: {pattern:?} is no regular expression: {error}"),
    };
    match node(&hir) {
        Some(root) => Regexes { root },
        None => panic!(
            "ablate-check: strings for {pattern:?} can't be made: it matches nothing, or holds a word boundary"
        ),
    }
}

fn node(hir: &Hir) -> Option<Node> {
    Some(match hir.kind() {
        HirKind::Empty => Node::Literal(String::new()),
        HirKind::Literal(literal) => Node::Literal(String::from_utf8(literal.0.to_vec()).ok()?),
        HirKind::Class(class) => Node::Characters(alphabet(class)?, Sizes { min: 1, max: 1 }),
        HirKind::Look(Look::Start | Look::End | Look::StartLF | Look::EndLF) => {
            Node::Literal(String::new())
        }
        HirKind::Look(_) => return None,
        HirKind::Repetition(Repetition { min, max, sub, .. }) => {
            let sizes = Sizes {
                min: *min,
                max: max.unwrap_or(u32::MAX),
            };
            match node(sub)? {
                Node::Characters(alphabet, Sizes { min: 1, max: 1 }) => {
                    Node::Characters(alphabet, sizes)
                }
                inner => Node::Repetition(Box::new(inner), sizes),
            }
        }
        HirKind::Capture(capture) => node(&capture.sub)?,
        HirKind::Concat(parts) => Node::Sequence(parts.iter().map(node).collect::<Option<_>>()?),
        HirKind::Alternation(parts) => {
            Node::Alternatives(parts.iter().map(node).collect::<Option<_>>()?)
        }
    })
}

fn alphabet(class: &Class) -> Option<Arc<Alphabet>> {
    let ranges: Vec<(char, char)> = match class {
        Class::Unicode(class) => class.iter().map(|r| (r.start(), r.end())).collect(),
        Class::Bytes(class) => {
            let ascii = class.iter().filter(|range| range.end() < 0x80);
            ascii
                .map(|r| (r.start() as char, r.end() as char))
                .collect()
        }
    };
    let alphabet = Alphabet::of_ranges(ranges);
    (!alphabet.is_empty()).then(|| Arc::new(alphabet))
}

impl Node {
    fn draw_into(&self, tc: &mut TestCase, text: &mut String) {
        match self {
            Node::Literal(literal) => text.push_str(literal),
            Node::Characters(alphabet, sizes) => text.push_str(&tc.text(alphabet, *sizes)),
            Node::Repetition(inner, sizes) => {
                draw_elements(tc, label("regex"), *sizes, |tc| {
                    inner.draw_into(tc, text);
                    true
                });
            }
            Node::Sequence(parts) => tc.span(label("regex_sequence"), |tc| {
                parts.iter().for_each(|part| part.draw_into(tc, text));
            }),
            Node::Alternatives(parts) => tc.span(label("regex_alternatives"), |tc| {
                let chosen = tc.index(parts.len());
                parts[chosen].draw_into(tc, text);
            }),
        }
    }
}

impl Generator for Regexes {
    type Value = String;

    fn draw(&self, tc: &mut TestCase) -> String {
        let mut text = String::new();
        tc.span(label("regex"), |tc| self.root.draw_into(tc, &mut text));
        text
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn drawn(pattern: &str) -> Vec<String> {
        let generator = regex(pattern);
        (0..300)
            .map(|seed| generator.draw(&mut TestCase::from_seed(seed)))
            .collect()
    }

    #[test]
    fn strings_match_their_pattern() {
        let dates = drawn("^[0-9]{4}-(0[1-9]|1[0-2])$");
        assert!(dates.iter().all(|date| {
            let (year, month) = date.split_once('-').unwrap();
            year.len() == 4 && (1..=12).contains(&month.parse::<u8>().unwrap())
        }));
        assert!(drawn("(ab)*c+").iter().any(|text| text.starts_with("abab")));
        assert!(drawn("x?|yy").contains(&"yy".to_owned()));
    }

    #[test]
    #[should_panic(expected = "is no regular expression")]
    fn a_broken_pattern_is_refused() {
        regex("(");
    }
}
