//! Members: what stands between commas in a pair of brackets, with the key that it has in
//! `"key": value` or `key=value`. Brackets with a semicolon in them have none.

use alloc::rc::Rc;
use alloc::vec::Vec;

use ablate_engine::target::Target;

use crate::formats::brackets::{Brackets, Pair};
use crate::formats::characters::is_word;
use crate::formats::quotes::{Quotes, is_quote};

/// One member, without the white space around it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Member {
    /// The first position.
    pub start: u32,
    /// The position after the last.
    pub end: u32,
    /// Where its value starts; `start` if it has no key.
    pub value: u32,
    /// Where its key is, without quotes; empty if it has none.
    pub key: (u32, u32),
    /// The number of the pair of brackets that it is in.
    pub pair: u32,
}

/// The members of a text, pair by pair.
#[derive(Debug, Default)]
pub struct Members {
    members: Vec<Member>,
}

impl Members {
    /// The members of `target`; none if it is longer than 64 MiB.
    pub fn of(target: &Target<u8>) -> Rc<Members> {
        let (brackets, quotes) = (Brackets::of(target), Quotes::of(target));
        target.analysis(|target| Members::new(target.elements(), &brackets, &quotes))
    }

    fn new(text: &[u8], brackets: &Brackets, quotes: &Quotes) -> Members {
        let mut members = Vec::new();
        for (number, pair) in (0..).zip(brackets.all()) {
            let from = members.len();
            if !divide(text, brackets, quotes, (number, pair), &mut members) {
                members.truncate(from);
            }
        }
        Members { members }
    }

    /// All members.
    pub fn all(&self) -> &[Member] {
        &self.members
    }

    /// The cuts that remove these members, by number and in order, with as many of the commas.
    pub fn cuts(&self, removed: &[usize]) -> Vec<(usize, usize)> {
        let all = &self.members;
        let mut cuts = Vec::with_capacity(removed.len());
        // Whether something before stays in the same brackets.
        let mut stays = false;
        let mut last = None;
        for &number in removed {
            let member = &all[number];
            let is_in_pair = |other: usize| all.get(other).is_some_and(|m| m.pair == member.pair);
            let before = number.checked_sub(1).filter(|&before| is_in_pair(before));
            stays = before.is_some_and(|before| last != Some(before) || stays);
            let (mut start, mut end) = (member.start, member.end);
            if let Some(before) = before.filter(|_| stays) {
                start = all[before].end;
            } else if is_in_pair(number + 1) {
                end = all[number + 1].start;
            }
            cuts.push((start as usize, end as usize));
            last = Some(number);
        }
        cuts
    }
}

/// Finds the members of one pair; `false` if it has none.
fn divide(
    text: &[u8],
    brackets: &Brackets,
    quotes: &Quotes,
    (number, pair): (u32, &Pair),
    members: &mut Vec<Member>,
) -> bool {
    let (start, end) = pair.interior();
    let (mut from, mut at) = (start, start);
    // Where the first `:` or `=` of the member is.
    let mut colon = None;
    while at <= end {
        match text.get(at).copied().filter(|_| at < end) {
            None | Some(b',') => {
                members.extend(member(text, number, (from, at), colon));
                (from, colon) = (at + 1, None);
                at += 1;
            }
            Some(b';') => return false,
            Some(b'(' | b'[' | b'{') => {
                at = brackets
                    .opening_at(at)
                    .map_or(at + 1, |inner| inner.range().1);
            }
            Some(byte) if is_quote(byte) => {
                at = quotes.starting_at(at).map_or(at + 1, |q| q.range().1);
            }
            Some(byte) => {
                if matches!(byte, b':' | b'=') {
                    colon = colon.or(Some(at));
                }
                at += 1;
            }
        }
    }
    true
}

fn member(
    text: &[u8],
    pair: u32,
    (start, end): (usize, usize),
    colon: Option<usize>,
) -> Option<Member> {
    let (start, end) = trimmed(text, start, end)?;
    let key = colon.and_then(|colon| trimmed(text, start, colon));
    let key = key.and_then(|(start, end)| key_within(text, start, end));
    let value = colon.and_then(|colon| trimmed(text, colon + 1, end));
    let (key, value) = key.zip(value).map_or(((0, 0), start), |(k, v)| (k, v.0));
    Some(Member {
        start: start as u32,
        end: end as u32,
        value: value as u32,
        key: (key.0 as u32, key.1 as u32),
        pair,
    })
}

/// The name in `start..end`, if there is nothing else: a word, or a string without its quotes.
pub fn key_within(text: &[u8], start: usize, end: usize) -> Option<(usize, usize)> {
    let key = &text[start..end];
    if key.len() > 2 && is_quote(key[0]) && key[key.len() - 1] == key[0] {
        return Some((start + 1, end - 1));
    }
    let is_plain = |&byte: &u8| is_word(byte) || matches!(byte, b'-' | b'.' | b'$' | b'@');
    (!key.is_empty() && key.iter().all(is_plain)).then_some((start, end))
}

/// The interval without the white space at its ends, if anything else is in it.
fn trimmed(text: &[u8], start: usize, end: usize) -> Option<(usize, usize)> {
    let part = text.get(start..end)?;
    let first = part.iter().position(|byte| !byte.is_ascii_whitespace())?;
    let last = part.iter().rposition(|byte| !byte.is_ascii_whitespace())?;
    Some((start + first, start + last + 1))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::vec::Vec;

    fn members(text: &str) -> Members {
        let text = text.as_bytes();
        let quotes = Quotes::new(text);
        Members::new(text, &Brackets::new(text, &quotes), &quotes)
    }

    #[test]
    fn members_have_keys_and_values() {
        let text = "{ \"a\" : [1, 2], b = {\"c:d\": \"e,f\"} }";
        let part = |(start, end): (u32, u32)| &text[start as usize..end as usize];
        let seen: Vec<(&str, &str)> = members(text)
            .all()
            .iter()
            .map(|member| (part(member.key), part((member.value, member.end))))
            .collect();
        let expected = [
            ("a", "[1, 2]"),
            ("b", "{\"c:d\": \"e,f\"}"),
            ("", "1"),
            ("", "2"),
            ("c:d", "\"e,f\""),
        ];
        assert_eq!(seen, expected);
    }

    #[test]
    fn commas_go_with_members() {
        let text = "[a, b, c]";
        let members = members(text);
        let left = |removed: &[usize]| {
            let patch = ablate_engine::patch::Patch::cuts(members.cuts(removed));
            std::string::String::from_utf8(patch.applied(text.as_bytes())).unwrap()
        };
        assert_eq!(left(&[0]), "[b, c]");
        assert_eq!(left(&[2]), "[a, b]");
        assert_eq!(left(&[0, 2]), "[b]");
        assert_eq!(left(&[1, 2]), "[a]");
        assert_eq!(left(&[0, 1, 2]), "[]");
    }

    #[test]
    fn blocks_have_no_members() {
        assert!(members("{a = 1; b, c}").all().is_empty());
    }
}
