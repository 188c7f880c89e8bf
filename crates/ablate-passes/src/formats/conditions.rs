//! What a directive such as `#if defined(A) && !B` makes its lines depend on.

use alloc::boxed::Box;
use alloc::collections::BTreeMap;
use alloc::vec::Vec;

use crate::formats::characters::is_word;

/// More brackets and `!` around something than any condition has.
const DEEPEST: usize = 50;

/// A condition.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Condition {
    /// One that is always the same.
    Constant(bool),
    /// Whether something is so.
    Is(Fact),
    /// The opposite.
    Not(Box<Condition>),
    /// All of them.
    All(Vec<Condition>),
    /// One of them.
    Any(Vec<Condition>),
}

/// What a condition can be about; names, and what can't be taken apart, are numbers of a list of texts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fact {
    /// That a name is defined.
    Defined(usize),
    /// That what a text stands for is not 0.
    True(usize),
}

impl Fact {
    /// The number of its text.
    pub fn key(self) -> usize {
        match self {
            Fact::Defined(key) | Fact::True(key) => key,
        }
    }
}

impl Condition {
    /// Whether it is true, if `holds` knows enough of what it is about.
    pub fn value(&self, holds: &impl Fn(Fact) -> Option<bool>) -> Option<bool> {
        match self {
            Condition::Constant(value) => Some(*value),
            Condition::Is(fact) => holds(*fact),
            Condition::Not(inner) => inner.value(holds).map(|value| !value),
            Condition::All(inner) => decided(inner, holds, false),
            Condition::Any(inner) => decided(inner, holds, true),
        }
    }

    /// Calls `see` with everything that it is about.
    pub fn each_fact(&self, see: &mut impl FnMut(Fact)) {
        match self {
            Condition::Constant(_) => {}
            Condition::Is(fact) => see(*fact),
            Condition::Not(inner) => inner.each_fact(see),
            Condition::All(inner) | Condition::Any(inner) => {
                inner.iter().for_each(|inner| inner.each_fact(see));
            }
        }
    }
}

/// What several conditions come to of which one that is `deciding` is enough.
fn decided(
    conditions: &[Condition],
    holds: &impl Fn(Fact) -> Option<bool>,
    deciding: bool,
) -> Option<bool> {
    let mut all = Some(!deciding);
    for condition in conditions {
        match condition.value(holds) {
            Some(value) if value == deciding => return Some(deciding),
            Some(_) => {}
            None => all = None,
        }
    }
    all
}

/// The texts of what conditions are about, each with a number of its own.
#[derive(Debug, Default)]
pub struct Keys<'a> {
    numbers: BTreeMap<&'a [u8], usize>,
}

impl<'a> Keys<'a> {
    /// The texts, in the order of their numbers, and their places in the alphabet.
    pub fn texts(&self) -> Vec<(Box<[u8]>, usize)> {
        let mut texts = Vec::new();
        texts.resize_with(self.numbers.len(), Default::default);
        for (place, (text, &number)) in self.numbers.iter().enumerate() {
            texts[number] = ((*text).into(), place);
        }
        texts
    }

    /// That this name is defined.
    pub fn defined(&mut self, name: &'a [u8]) -> Condition {
        Condition::Is(Fact::Defined(self.number(name)))
    }

    /// Reads a condition: what is in it of `&&`, `||`, `!`, brackets, `defined` and names is taken apart,
    /// the rest is not.
    pub fn read(&mut self, text: &'a [u8]) -> Condition {
        let text = text.trim_ascii();
        let mut reader = Reader {
            keys: self,
            text,
            at: 0,
        };
        match reader.any(0) {
            Some(condition) if reader.at == text.len() => condition,
            _ => self.true_text(text),
        }
    }

    fn true_text(&mut self, text: &'a [u8]) -> Condition {
        match text {
            b"true" => Condition::Constant(true),
            b"false" => Condition::Constant(false),
            [b'0'..=b'9', ..] if text.iter().all(u8::is_ascii_digit) => {
                Condition::Constant(text.iter().any(|&digit| digit != b'0'))
            }
            text => Condition::Is(Fact::True(self.number(text))),
        }
    }

    fn number(&mut self, text: &'a [u8]) -> usize {
        let next = self.numbers.len();
        *self.numbers.entry(text).or_insert(next)
    }
}

struct Reader<'k, 'a> {
    keys: &'k mut Keys<'a>,
    text: &'a [u8],
    at: usize,
}

/// How long an operator is that begins here, behind `before`, and joins conditions.
fn operator_len(rest: &[u8], before: Option<&u8>, sign: &[u8], word: &[u8]) -> Option<usize> {
    if rest.starts_with(sign) {
        return Some(sign.len());
    }
    let begins = rest.len() > word.len() && rest[..word.len()].eq_ignore_ascii_case(word);
    let is_whole = || !is_word(rest[word.len()]) && !before.is_some_and(|&byte| is_word(byte));
    (begins && is_whole()).then_some(word.len())
}

impl<'a> Reader<'_, 'a> {
    fn skip(&mut self, expected: &[u8]) -> bool {
        let is_next = self.text[self.at..].starts_with(expected);
        if is_next {
            self.at += expected.len();
            self.skip_blanks();
        }
        is_next
    }

    fn skip_blanks(&mut self) {
        // A line may go on with the next.
        let is_blank = |byte: &u8| byte.is_ascii_whitespace() || *byte == b'\\';
        let rest = self.text[self.at..].iter();
        self.at += rest.take_while(|byte| is_blank(byte)).count();
    }

    fn operator(&self, sign: &[u8], word: &[u8]) -> Option<usize> {
        let (before, rest) = self.text.split_at(self.at);
        operator_len(rest, before.last(), sign, word)
    }

    fn skip_operator(&mut self, sign: &[u8], word: &[u8]) -> bool {
        let len = self.operator(sign, word);
        self.at += len.unwrap_or(0);
        self.skip_blanks();
        len.is_some()
    }

    fn any(&mut self, depth: usize) -> Option<Condition> {
        let mut parts = Vec::from([self.all(depth)?]);
        while self.skip_operator(b"||", b"or") {
            parts.push(self.all(depth)?);
        }
        Some(alone_or(parts, Condition::Any))
    }

    fn all(&mut self, depth: usize) -> Option<Condition> {
        let mut parts = Vec::from([self.one(depth)?]);
        while self.skip_operator(b"&&", b"and") {
            parts.push(self.one(depth)?);
        }
        Some(alone_or(parts, Condition::All))
    }

    /// Whether what one condition is ends here.
    fn is_behind_one(&self) -> bool {
        let next = self.text.get(self.at);
        next.is_none_or(|&byte| byte == b')')
            || self.operator(b"&&", b"and").is_some()
            || self.operator(b"||", b"or").is_some()
    }

    /// A condition up to the next `&&`, `||` or bracket that closes.
    fn one(&mut self, depth: usize) -> Option<Condition> {
        if depth == DEEPEST {
            return None;
        }
        let start = self.at;
        let simple = self.simple(depth);
        if simple.is_some() && self.is_behind_one() {
            return simple;
        }
        // A comparison, a call, or something like it.
        self.at = start;
        let mut open = 0;
        while self.at < self.text.len() {
            match self.text[self.at] {
                b'(' => open += 1,
                b')' if open > 0 => open -= 1,
                _ if open == 0 && self.is_behind_one() => break,
                _ => {}
            }
            self.at += 1;
        }
        let text = self.text[start..self.at].trim_ascii();
        (!text.is_empty()).then(|| self.keys.true_text(text))
    }

    fn simple(&mut self, depth: usize) -> Option<Condition> {
        if depth == DEEPEST {
            return None;
        }
        if !self.text[self.at..].starts_with(b"!=") && self.skip(b"!") {
            return Some(Condition::Not(Box::new(self.simple(depth + 1)?)));
        }
        if self.skip(b"(") {
            let inner = self.any(depth + 1)?;
            return self.skip(b")").then_some(inner);
        }
        let word = self.word()?;
        if word.eq_ignore_ascii_case(b"not") {
            return Some(Condition::Not(Box::new(self.simple(depth + 1)?)));
        }
        if word.eq_ignore_ascii_case(b"defined") {
            let is_in_brackets = self.skip(b"(");
            let name = self.word()?;
            return (!is_in_brackets || self.skip(b")")).then(|| self.keys.defined(name));
        }
        self.is_behind_one().then(|| self.keys.true_text(word))
    }

    fn word(&mut self) -> Option<&'a [u8]> {
        let rest = &self.text[self.at..];
        let len = rest.iter().take_while(|&&byte| is_word(byte)).count();
        self.at += len;
        self.skip_blanks();
        (len > 0).then(|| &rest[..len])
    }
}

fn alone_or(mut parts: Vec<Condition>, many: impl Fn(Vec<Condition>) -> Condition) -> Condition {
    match parts.len() {
        1 => parts.remove(0),
        _ => many(parts),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The value of a condition where `A` is defined, `B` is not, and nothing is known of the rest.
    fn value(text: &str) -> Option<bool> {
        let mut keys = Keys::default();
        let condition = keys.read(text.as_bytes());
        let texts = keys.texts();
        condition.value(&|fact| match &texts[fact.key()].0[..] {
            b"A" => Some(true),
            b"B" => Some(false),
            _ => None,
        })
    }

    #[test]
    fn what_is_known_decides() {
        for text in [
            "A",
            "defined(A)",
            "defined A",
            "!B",
            "! defined ( B )",
            "not B",
            "A || C > 1",
            "DEFINED(B) OR NOT B",
            "12",
        ] {
            assert_eq!(value(text), Some(true), "{text}");
        }
        for text in [
            "B",
            "!A",
            "A && B",
            "C && (D(1, 2) || A) && B",
            "C > 1 and B",
            "!(A || C)",
            "0",
            "00",
            "!true",
        ] {
            assert_eq!(value(text), Some(false), "{text}");
        }
        for text in [
            "C",
            "A && C",
            "B || C == 2",
            "A > 1",
            "Band > B",
            "",
            "!",
            "(A",
            "A)",
            "defined(",
            "&& A",
        ] {
            assert_eq!(value(text), None, "{text}");
        }
    }

    #[test]
    fn being_defined_and_being_true_are_two_things() {
        let mut keys = Keys::default();
        let condition = keys.read(b"defined(A) && !A");
        let is_defined = |fact| Some(matches!(fact, Fact::Defined(_)));
        assert_eq!(condition.value(&is_defined), Some(true));
    }

    #[test]
    fn deep_conditions_are_one_thing() {
        assert_eq!(value(&("(".repeat(100_000) + "A")), None);
        assert_eq!(value(&("!".repeat(100_000) + "A")), None);
    }
}
