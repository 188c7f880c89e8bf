//! What lines begin with, in a language that nobody has told us: words with which many begin are keywords,
//! and what is behind them is named there.

use alloc::collections::BTreeMap;
use alloc::vec::Vec;

use ablate_engine::target::Target;

use crate::formats::lines::{Indents, Lines};
use crate::formats::tokens::{Kind, Token};

/// So many marks may stand before the first word of a line, and so many words count.
const LEADING: [usize; 2] = [3, 4];
/// What a paragraph begins with that has others know what is defined elsewhere, in whatever case.
const IMPORTS: [&[u8]; 8] = [
    b"import", b"include", b"open", b"require", b"from", b"use", b"uses", b"using",
];
/// What begins a line that is about something else than a name.
const SIGNS: [&[u8]; 4] = [b"#", b"-", b"@", b":-"];
/// A word with which so many paragraphs begin is a keyword, if words follow it or others stand between
/// them: what is defined in pieces has its name at the beginning of each.
const KEYWORD: u32 = 3;
/// What has brackets right behind it can be defined for some numbers and kinds of arguments.
const OVERLOADS: u32 = 16;

/// What a line begins with, by the numbers of words.
pub(crate) struct Head {
    /// Each with that of the same word behind the marks before it: `-import` is a keyword where
    /// `import` is a name.
    words: Vec<(u32, u32)>,
    /// The first word in brackets behind them.
    inner: Option<u32>,
    /// The last of the words, if there are brackets right behind it.
    pub called: Option<u32>,
    /// Whether it begins with one of [`SIGNS`].
    pub is_marked: bool,
    /// Whether it begins with one of [`IMPORTS`].
    pub imports: bool,
    /// Whether it begins with `end`.
    pub ends: bool,
    /// Whether it is indented deeper than the first line of the paragraph.
    pub is_inner: bool,
}

impl Head {
    /// What is no keyword; where all is, what is in brackets behind it.
    pub fn names(&self, keywords: &[bool]) -> impl Iterator<Item = u32> {
        let words = self.words.iter().skip(usize::from(self.is_marked));
        let names = words.filter(|word| !keywords[word.1 as usize]);
        let names: Vec<u32> = names.map(|word| word.0).collect();
        let inner = self
            .inner
            .filter(|_| names.is_empty() && !self.words.is_empty());
        names.into_iter().chain(inner)
    }

    /// The first word, if that is a keyword.
    pub fn keyword(&self, keywords: &[bool]) -> Option<u32> {
        let first = self.words.first().map(|word| word.1);
        first.filter(|&word| keywords[word as usize])
    }

    /// Whether it defines something: by a name alone, or by words behind a keyword.
    fn defines(&self, keywords: &[bool]) -> bool {
        let is_keyword = |word: &(u32, u32)| keywords[word.1 as usize];
        match &self.words[..] {
            [] => false,
            [only] => !is_keyword(only) && !self.is_marked,
            [first, others @ ..] => is_keyword(first) && !others.iter().all(is_keyword),
        }
    }
}

/// Whether a word is what a line is about that begins with a sign: `#include`, `-export`, `@inline`.
pub(crate) fn is_directive(text: &[u8], word: &Token) -> bool {
    let before = &text[..word.start as usize];
    let begins_line = |line: &[u8]| line.last().is_none_or(|&byte| byte == b'\n');
    let mut lines = SIGNS.iter().filter_map(|sign| before.strip_suffix(*sign));
    lines.any(begins_line)
}

/// Whether brackets stand right behind a word, or the number of arguments.
pub(crate) fn is_called(text: &[u8], word: &Token) -> bool {
    let behind = &text[word.end as usize..];
    word.kind == Kind::Word && behind.starts_with(b"(") || has_arity(text, word)
}

/// Whether the number of arguments stands right behind a word.
pub(crate) fn has_arity(text: &[u8], word: &Token) -> bool {
    let behind = &text[word.end as usize..];
    word.kind == Kind::Word && matches!(behind, [b'/', b'0'..=b'9', ..])
}

/// Before which paragraph no line defines anything.
pub(crate) fn heads(leading: &[Vec<Head>], keywords: &[bool]) -> usize {
    let defines = |heads: &Vec<Head>| heads.iter().any(|head| head.defines(keywords));
    leading.iter().position(defines).unwrap_or(0)
}

/// What the lines of a paragraph begin with.
pub(crate) fn heads_of_lines<'a>(
    target: &'a Target<u8>,
    first: usize,
    tokens: &[Token],
    numbers: &mut BTreeMap<&'a [u8], u32>,
) -> Vec<Head> {
    let text = target.elements();
    let (lines, indents) = (Lines::of(target), Indents::of(target));
    let mut found = Vec::new();
    let mut rest = tokens;
    while let Some(token) = rest.first() {
        let line = lines.around(token.start as usize);
        let end = lines.range(line).1;
        let (here, behind) = rest.split_at(rest.partition_point(|t| (t.start as usize) < end));
        rest = behind;
        let is_word = |token: &&Token| token.kind == Kind::Word;
        let marks = here.iter().take_while(|token| !is_word(token)).count();
        if marks > LEADING[0] {
            continue;
        }
        let words = here[marks..].iter().take_while(is_word).take(LEADING[1]);
        let mut words: Vec<&Token> = words.collect();
        let mut count = words.len();
        // Of `A.b` the name is `b`.
        while let [.., last] = &mut words[..]
            && let [mark, member, ..] = &here[marks + count..]
            && matches!(mark.text(text), b"." | b"::")
            && mark.start == last.end
            && (member.start, member.kind) == (mark.end, Kind::Word)
        {
            *last = member;
            count += 2;
        }
        let behind = &here[marks + count..];
        let inner = behind.first().filter(|token| token.text(text) == b"(");
        let inner = inner.and_then(|_| behind.get(1)).filter(is_word);
        let marked = |word: &Token| {
            let start = here[0].start as usize;
            let is_adjacent = marks > 0 && word.start == here[marks].start;
            if is_adjacent {
                &text[start..word.end as usize]
            } else {
                word.text(text)
            }
        };
        let mut number = |word: &'a [u8]| {
            let next = numbers.len() as u32;
            *numbers.entry(word).or_insert(next)
        };
        let called = here[..marks + count]
            .last()
            .filter(|word| is_called(text, word));
        let imports = words.first().is_some_and(|word| {
            let text = word.text(text);
            marks == 0
                && IMPORTS
                    .iter()
                    .any(|import| text.eq_ignore_ascii_case(import))
        });
        found.push(Head {
            is_inner: indents.depth(line) > indents.depth(first),
            imports,
            ends: words
                .first()
                .is_some_and(|word| word.text(text).eq_ignore_ascii_case(b"end")),
            words: words
                .into_iter()
                .map(|word| (number(word.text(text)), number(marked(word))))
                .collect(),
            inner: inner.map(|word| number(word.text(text))),
            called: called.map(|word| number(word.text(text))),
            is_marked: SIGNS.contains(&here[0].text(text)),
        });
    }
    found
}

/// What is declared where a block begins that a paragraph further on ends, by its name, belongs to what the
/// paragraph names: these are the lines of `inner` that begin with keywords.
pub(crate) fn add_inner(leading: &mut [Vec<Head>], inner: Vec<Vec<Head>>, keywords: &[bool]) {
    let mut is_ended = alloc::vec![false; keywords.len()];
    for head in leading.iter().flatten().filter(|head| head.ends) {
        for name in head.names(keywords) {
            is_ended[name as usize] = true;
        }
    }
    for (heads, inner) in leading.iter_mut().zip(inner) {
        let begins = heads.first().is_some_and(|head| {
            let mut names = head.names(keywords);
            !head.ends && names.any(|name| is_ended[name as usize])
        });
        if begins {
            heads.extend(
                inner
                    .into_iter()
                    .filter(|head| head.keyword(keywords).is_some()),
            );
        }
    }
}

/// Which words are keywords: many paragraphs begin with them, and they are no single letters.
pub(crate) fn keywords(leading: &[Vec<Head>], numbers: &BTreeMap<&[u8], u32>) -> Vec<bool> {
    #[derive(Clone, Copy, Default)]
    struct Count {
        /// Lines that begin with it, where the paragraph before does not.
        apart: u32,
        /// Those of them where brackets stand right behind it.
        called: u32,
        /// Lines that begin with it and another word behind it.
        before_others: u32,
        last: usize,
    }
    let mut counts = alloc::vec![Count::default(); numbers.len()];
    for (paragraph, heads) in (2..).zip(leading) {
        for head in heads {
            for (at, &(_, word)) in head.words.iter().enumerate() {
                let count = &mut counts[word as usize];
                let is_apart = at == 0 && count.last + 1 < paragraph;
                let is_called = head.words.len() == 1 && head.called.is_some();
                count.apart += u32::from(is_apart && !is_called);
                count.called += u32::from(is_apart && is_called);
                count.before_others += u32::from(at + 1 < head.words.len());
                count.last = paragraph;
            }
        }
    }
    let is_keyword = |count: &Count| {
        count.apart.max(count.before_others) >= KEYWORD || count.apart + count.called >= OVERLOADS
    };
    let mut is_keyword: Vec<bool> = counts.iter().map(is_keyword).collect();
    for (_, &letter) in numbers.iter().filter(|(word, _)| word.len() == 1) {
        is_keyword[letter as usize] = false;
    }
    is_keyword
}
