//! What the paragraphs of a text name, in a language that nobody has told us, and which of them need
//! which: a word with which a line begins, behind words with which many begin, is taken for the name of
//! what stands there.

use alloc::collections::BTreeMap;
use alloc::rc::Rc;
use alloc::vec::Vec;

use ablate_engine::patch::Patch;
use ablate_engine::target::Target;

use crate::formats::lines::{Indents, Lines};
use crate::formats::listed::Lists;
use crate::formats::paragraphs::Paragraphs;
use crate::formats::routines::Routines;
use crate::formats::tokens::{Kind, Token, Tokens};

/// So many marks may stand before the first word of a line, and so many words count.
const LEADING: [usize; 2] = [3, 4];
/// What begins a line that is about something else than a name.
const SIGNS: [&[u8]; 4] = [b"#", b"-", b"@", b":-"];
/// A word with which so many paragraphs begin is a keyword, if words follow it or others stand between
/// them: what is defined in pieces has its name at the beginning of each.
const KEYWORD: u32 = 3;
/// What has brackets right behind it can be defined for some numbers and kinds of arguments.
const OVERLOADS: u32 = 16;
/// No more pieces than this are taken for one definition.
const PIECES: usize = 64;

/// What paragraphs name, and need.
#[derive(Debug)]
pub struct Named {
    by_names: Needs,
    by_calls: Needs,
    /// For each the lines elsewhere that use its names, with the paragraphs of these.
    mentions: Vec<Vec<(u32, u32)>>,
    /// For each its names, by their numbers; those without are mostly about the one before.
    names: Vec<Vec<u32>>,
    /// For each of these all lines that have it, with their paragraphs.
    places: Vec<Vec<(u32, u32)>>,
    /// Lists of names, by their numbers: for each member those with the name. They don't need them.
    lists: Vec<(usize, Vec<Vec<u32>>)>,
    /// Those before this one define nothing: `use a` does not, where `use` is no keyword.
    heads: usize,
    /// Those that no other needs.
    roots: Vec<u32>,
}

/// Which paragraphs need which.
#[derive(Debug, PartialEq, Eq)]
struct Needs {
    /// For each those with names that it uses.
    needs: Vec<Vec<u32>>,
    /// For each those that can't do without it: they use its names, or have none and stand behind it.
    dependent: Vec<Vec<u32>>,
}

/// What it takes to need a paragraph.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Use {
    /// To have its name, which is that of the nearest with it.
    Name,
    /// To call it, if brackets stand behind its name where it is defined, whichever with the name it is.
    Call,
}

/// What becomes of paragraphs without names.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Nameless {
    /// They are kept, with what they need.
    Kept,
    /// They go with the paragraph with a name before them, or are kept where all that they need is.
    Attached,
    /// They are only kept where all that they need is.
    Waiting,
}

impl Needs {
    fn of_none(paragraphs: usize) -> Needs {
        Needs {
            needs: alloc::vec![Vec::new(); paragraphs],
            dependent: alloc::vec![Vec::new(); paragraphs],
        }
    }

    fn add(&mut self, paragraph: u32, mut needs: Vec<u32>) {
        needs.sort_unstable();
        needs.dedup();
        for &needed in &needs {
            self.dependent[needed as usize].push(paragraph);
        }
        self.needs[paragraph as usize] = needs;
    }
}

impl Named {
    /// What the paragraphs of `target` name, and need.
    pub fn of(target: &Target<u8>) -> Rc<Named> {
        let (paragraphs, routines) = (Paragraphs::of(target), Routines::of(target));
        target.analysis(|target| Named::new(target, &paragraphs, &routines))
    }

    /// How many paragraphs there are.
    pub fn count(&self) -> usize {
        self.names.len()
    }

    /// Those that no other needs, in order.
    pub fn roots(&self) -> &[u32] {
        &self.roots
    }

    /// How many there are at the beginning that define nothing.
    pub fn heads(&self) -> usize {
        self.heads
    }

    /// In which ways paragraphs need each other: one where both come to the same.
    pub fn uses(&self) -> &'static [Use] {
        const BOTH: [Use; 2] = [Use::Name, Use::Call];
        &BOTH[..1 + usize::from(self.by_names != self.by_calls)]
    }

    fn by(&self, by: Use) -> &Needs {
        match by {
            Use::Name => &self.by_names,
            Use::Call => &self.by_calls,
        }
    }

    /// What goes with some of them: what needs one of these, what needs that, and so on, and what
    /// without a name stands behind one that goes.
    pub fn gone(&self, by: Use, some: impl Iterator<Item = usize>) -> Vec<bool> {
        let mut is_gone = alloc::vec![false; self.count()];
        let mut open: Vec<u32> = some.map(|paragraph| paragraph as u32).collect();
        while let Some(paragraph) = open.pop() {
            if !core::mem::replace(&mut is_gone[paragraph as usize], true) {
                open.extend(&self.by(by).dependent[paragraph as usize]);
            }
        }
        is_gone
    }

    /// The lines elsewhere that use the names of a paragraph, with the paragraphs of these.
    pub fn mentions(&self, paragraph: usize) -> &[(u32, u32)] {
        &self.mentions[paragraph]
    }

    /// All lines that have a name of a paragraph, whichever is meant, with the paragraphs of these.
    pub fn namesakes(&self, paragraph: usize) -> impl Iterator<Item = (u32, u32)> {
        let names = self.names[paragraph].iter();
        names.flat_map(|&name| self.places[name as usize].iter().copied())
    }

    /// Whether a paragraph has a name.
    pub fn has_name(&self, paragraph: usize) -> bool {
        !self.names[paragraph].is_empty()
    }

    /// What is kept with some of them: what they need, what that needs, and so on.
    pub fn kept(&self, by: Use, some: impl Iterator<Item = u32>, nameless: Nameless) -> Vec<bool> {
        let needs = &self.by(by).needs;
        let mut is_kept = alloc::vec![false; self.count()];
        let mut open: Vec<u32> = some.chain(0..self.heads as u32).collect();
        let without_name = |paragraph: &u32| !self.has_name(*paragraph as usize);
        if nameless == Nameless::Kept {
            open.extend((0..self.count() as u32).filter(without_name));
        }
        while let Some(paragraph) = open.pop() {
            if core::mem::replace(&mut is_kept[paragraph as usize], true) {
                continue;
            }
            open.extend(&needs[paragraph as usize]);
            if nameless == Nameless::Attached {
                let behind = paragraph + 1..self.count() as u32;
                open.extend(behind.take_while(without_name));
                if without_name(&paragraph) {
                    open.extend(paragraph.checked_sub(1));
                }
            }
        }
        if nameless != Nameless::Kept {
            for paragraph in (0..self.count() as u32).filter(without_name) {
                let needs = &needs[paragraph as usize];
                let mut there = needs.iter().map(|&needed| is_kept[needed as usize]);
                is_kept[paragraph as usize] |= !needs.is_empty() && there.all(|is_there| is_there);
            }
        }
        is_kept
    }

    /// What to delete for lists of names to be without those of some paragraphs.
    pub fn unlisted(
        &self,
        target: &Target<u8>,
        is_gone: impl Fn(usize) -> bool,
    ) -> Vec<(usize, usize)> {
        let lists = Lists::of(target);
        let cuts = self.lists.iter().flat_map(|(number, members)| {
            lists.all()[*number].without(|member| {
                let named = &members[member];
                !named.is_empty() && named.iter().all(|&one| is_gone(one as usize))
            })
        });
        cuts.collect()
    }

    /// The patch that deletes some paragraphs, and their names from lists.
    pub fn without(&self, target: &Target<u8>, is_gone: impl Fn(usize) -> bool) -> Patch<u8> {
        let paragraphs = Paragraphs::of(target);
        let gone = (0..self.count()).filter(|&paragraph| is_gone(paragraph));
        let gone = gone.map(|paragraph| paragraphs.range(paragraph));
        Patch::cuts(gone.chain(self.unlisted(target, &is_gone)))
    }

    fn new(target: &Target<u8>, paragraphs: &Paragraphs, routines: &Routines) -> Named {
        let (text, tokens) = (target.elements(), Tokens::of(target));
        let mut numbers: BTreeMap<&[u8], u32> = BTreeMap::new();
        // For each token the number of its word.
        let number_of = |token: &Token| {
            let next = numbers.len() as u32;
            let is_word = token.kind == Kind::Word && !is_directive(text, token);
            is_word.then(|| *numbers.entry(token.text(text)).or_insert(next))
        };
        let words: Vec<Option<u32>> = tokens.all().iter().map(number_of).collect();
        let mut leading: Vec<Vec<Head>> = Vec::new();
        for (paragraph, &first) in paragraphs.first_lines().iter().enumerate() {
            let (start, end) = paragraphs.range(paragraph);
            let tokens = &tokens.all()[tokens.from(start)..tokens.from(end)];
            leading.push(heads_of_lines(target, first, tokens, &mut numbers));
        }
        let within = within(paragraphs, routines);
        for &(paragraph, _) in &within {
            // There are statements in a routine.
            leading[paragraph as usize].clear();
        }
        let keywords = keywords(&leading, numbers.len());
        let mut names = Names::of(&leading, &keywords);
        for (paragraph, heads) in leading.iter().enumerate() {
            if heads.first().is_some_and(|head| head.is_marked) {
                let (start, end) = paragraphs.range(paragraph);
                let place = tokens.from(start)..tokens.from(end);
                names.declare(text, &tokens.all()[place.clone()], &words[place], paragraph);
            }
        }
        let mut named = Named {
            by_names: Needs::of_none(leading.len()),
            by_calls: Needs::of_none(leading.len()),
            mentions: alloc::vec![Vec::new(); leading.len()],
            names: alloc::vec![Vec::new(); leading.len()],
            places: alloc::vec![Vec::new(); names.places.len()],
            lists: Vec::new(),
            heads: heads(&leading, &keywords),
            roots: Vec::new(),
        };
        for (name, places) in (0..).zip(&names.places) {
            for &paragraph in places {
                named.names[paragraph as usize].push(name);
            }
        }
        named.find_needs(target, paragraphs, &names, words);
        for (paragraph, routine) in within {
            for needs in [&mut named.by_names, &mut named.by_calls] {
                needs.needs[paragraph as usize].push(routine);
                needs.needs[routine as usize].push(paragraph);
                needs.dependent[routine as usize].push(paragraph);
            }
        }
        for (paragraph, names) in named.names.iter().enumerate().skip(1) {
            if names.is_empty() {
                for needs in [&mut named.by_names, &mut named.by_calls] {
                    needs.dependent[paragraph - 1].push(paragraph as u32);
                }
            }
        }
        named
    }

    fn find_needs(
        &mut self,
        target: &Target<u8>,
        paragraphs: &Paragraphs,
        names: &Names,
        mut words: Vec<Option<u32>>,
    ) {
        let (text, tokens, lines) = (target.elements(), Tokens::of(target), Lines::of(target));
        for (number, list) in Lists::of(target).all().iter().enumerate() {
            let Some(paragraph) = paragraphs.around(list.start()) else {
                continue;
            };
            let named = |&word: &usize| {
                let named = words[word].map(|word| names.nearest(word, paragraph as u32));
                named.unwrap_or_default().to_vec()
            };
            let members: Vec<Vec<u32>> = list.words().iter().map(named).collect();
            let named = members.iter().filter(|named| !named.is_empty()).count();
            // In the others are hardly ever names.
            if 2 * named >= members.len() {
                list.words().iter().for_each(|&word| words[word] = None);
                self.lists.push((number, members));
            }
        }
        for paragraph in 0..self.count() {
            let (start, end) = paragraphs.range(paragraph);
            let place = tokens.from(start)..tokens.from(end);
            let used = place.filter_map(|at| {
                let token = &tokens.all()[at];
                let line = lines.around(token.start as usize) as u32;
                Some((words[at]?, line, is_called(text, token)))
            });
            let mut used: Vec<(u32, u32, bool)> = used.collect();
            used.sort_unstable();
            used.dedup();
            let paragraph = paragraph as u32;
            let (mut needs, mut calls) = (Vec::new(), Vec::new());
            for (word, line, is_called) in used {
                if !names.places[word as usize].is_empty() {
                    self.places[word as usize].push((line, paragraph));
                }
                let nearest = names.nearest(word, paragraph);
                needs.extend(nearest);
                for &needed in nearest {
                    self.mentions[needed as usize].push((line, paragraph));
                }
                if !names.is_called[word as usize] {
                    calls.extend(nearest);
                } else if is_called {
                    calls.extend(names.places[word as usize].iter().take(PIECES));
                }
            }
            self.by_names.add(paragraph, needs);
            self.by_calls.add(paragraph, calls);
        }
        let dependent = &self.by_names.dependent;
        let roots = (self.heads..self.count()).filter(|&paragraph| dependent[paragraph].is_empty());
        self.roots = roots.map(|root| root as u32).collect();
    }
}

/// What words name, by their numbers.
struct Names {
    /// The paragraphs with the name, in order.
    places: Vec<Vec<u32>>,
    /// Whether brackets stand right behind it where it is defined.
    is_called: Vec<bool>,
}

impl Names {
    fn of(leading: &[Vec<Head>], keywords: &[bool]) -> Names {
        let mut names = Names {
            places: alloc::vec![Vec::new(); keywords.len()],
            is_called: alloc::vec![false; keywords.len()],
        };
        for (paragraph, heads) in (0..).zip(leading) {
            for head in heads {
                for word in head.names(keywords) {
                    let places = &mut names.places[word as usize];
                    if places.last() != Some(&paragraph) {
                        places.push(paragraph);
                    }
                }
                if let Some(word) = head.called {
                    names.is_called[word as usize] = true;
                }
            }
        }
        names
    }

    /// What stands in a directive with its number of arguments, and is defined nowhere, is named there.
    fn declare(&mut self, text: &[u8], tokens: &[Token], words: &[Option<u32>], paragraph: usize) {
        for (token, word) in tokens.iter().zip(words) {
            if let Some(word) = word.filter(|_| has_arity(text, token)) {
                let places = &mut self.places[word as usize];
                if places.is_empty() {
                    places.push(paragraph as u32);
                }
            }
        }
    }

    /// Of those with a name, which one `paragraph` is about.
    fn nearest(&self, word: u32, paragraph: u32) -> &[u32] {
        nearest(&self.places[word as usize], paragraph)
    }
}

/// What a line begins with, by the numbers of words.
struct Head {
    /// Each with that of the same word behind the marks before it: `-import` is a keyword where
    /// `import` is a name.
    words: Vec<(u32, u32)>,
    /// The first word in brackets behind them.
    inner: Option<u32>,
    /// The last of the words, if there are brackets right behind it.
    called: Option<u32>,
    /// Whether it begins with one of [`SIGNS`].
    is_marked: bool,
}

impl Head {
    /// What is no keyword; where all is, what is in brackets behind it.
    fn names(&self, keywords: &[bool]) -> impl Iterator<Item = u32> {
        let words = self.words.iter().skip(usize::from(self.is_marked));
        let names = words.filter(|word| !keywords[word.1 as usize]);
        let names: Vec<u32> = names.map(|word| word.0).collect();
        let inner = self
            .inner
            .filter(|_| names.is_empty() && !self.words.is_empty());
        names.into_iter().chain(inner)
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
fn is_directive(text: &[u8], word: &Token) -> bool {
    let before = &text[..word.start as usize];
    let begins_line = |line: &[u8]| line.last().is_none_or(|&byte| byte == b'\n');
    let mut lines = SIGNS.iter().filter_map(|sign| before.strip_suffix(*sign));
    lines.any(begins_line)
}

/// Whether brackets stand right behind a word, or the number of arguments.
fn is_called(text: &[u8], word: &Token) -> bool {
    let behind = &text[word.end as usize..];
    word.kind == Kind::Word && behind.starts_with(b"(") || has_arity(text, word)
}

/// Whether the number of arguments stands right behind a word.
fn has_arity(text: &[u8], word: &Token) -> bool {
    let behind = &text[word.end as usize..];
    word.kind == Kind::Word && matches!(behind, [b'/', b'0'..=b'9', ..])
}

/// The paragraphs that are within a routine, with the one in which that begins.
fn within(paragraphs: &Paragraphs, routines: &Routines) -> Vec<(u32, u32)> {
    let mut within = Vec::new();
    for body in routines.all() {
        let Some(routine) = paragraphs.around(body.start.saturating_sub(1)) else {
            continue;
        };
        let behind = (routine + 1..paragraphs.len()).map_while(|paragraph| {
            (paragraphs.range(paragraph).0 < body.end).then_some(paragraph as u32)
        });
        within.extend(behind.map(|paragraph| (paragraph, routine as u32)));
    }
    within
}

/// Before which paragraph no line defines anything.
fn heads(leading: &[Vec<Head>], keywords: &[bool]) -> usize {
    let defines = |heads: &Vec<Head>| heads.iter().any(|head| head.defines(keywords));
    leading.iter().position(defines).unwrap_or(0)
}

/// What the lines of a paragraph begin with that are not indented deeper than its first one.
fn heads_of_lines<'a>(
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
        if indents.depth(line) > indents.depth(first) {
            continue;
        }
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
        found.push(Head {
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

/// Of the paragraphs with one name, the one that `paragraph` is about, with those of this name next to
/// it: the last one before it, or else the first one behind it; none if it has that name itself.
fn nearest(named: &[u32], paragraph: u32) -> &[u32] {
    let before = named.partition_point(|&other| other < paragraph);
    if named.get(before) == Some(&paragraph) {
        return &[];
    }
    let is_next = |at: &usize| named[*at] + 1 == named[at + 1];
    if let Some(last) = before.checked_sub(1) {
        let pieces = (0..last).rev().take_while(is_next).take(PIECES - 1);
        return &named[last - pieces.count()..=last];
    }
    let pieces = (0..named.len().saturating_sub(1)).take_while(is_next);
    &named[..named.len().min(pieces.take(PIECES - 1).count() + 1)]
}

/// Which words are keywords: many paragraphs begin with them.
fn keywords(leading: &[Vec<Head>], words: usize) -> Vec<bool> {
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
    let mut counts = alloc::vec![Count::default(); words];
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
    counts.iter().map(is_keyword).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_definition_before_is_meant_with_all_its_pieces() {
        assert_eq!(nearest(&[1, 4, 5, 9], 7), [4, 5]);
        assert_eq!(nearest(&[4, 5, 9], 2), [4, 5]);
        assert_eq!(nearest(&[4, 5, 9], 5), []);
        assert_eq!(nearest(&[], 5), []);
        let many: Vec<u32> = (1..100).collect();
        assert_eq!(nearest(&many, 100), &many[99 - PIECES..]);
        assert_eq!(nearest(&many, 0), &many[..PIECES]);
    }

    #[test]
    fn a_paragraph_is_needed_where_its_name_is() {
        let text = "use z\n\ndef a\n\ndef b\n\ndef c = a\n\ndef d\n b\n\ndef e\n";
        let named = Named::of(&Target::new(text.as_bytes().to_vec()));
        assert_eq!(named.count(), 6);
        assert_eq!(named.roots(), [3, 4, 5]);
        assert_eq!(numbers(&named.gone(Use::Name, [1].into_iter())), [1, 3]);
        assert_eq!(named.uses(), [Use::Name]);
        assert_eq!(numbers(&named.gone(Use::Name, [2].into_iter())), [2, 4]);
        for nameless in [Nameless::Kept, Nameless::Attached, Nameless::Waiting] {
            let kept = named.kept(Use::Name, [4].into_iter(), nameless);
            assert_eq!(numbers(&kept), [0, 2, 4]);
        }
    }
    #[test]
    fn a_mention_is_a_line_of_another_paragraph() {
        let text = "a:\n.x:\n 1\nb:\n.y:\n a\nc:\n 2\nd:\n 3\ne:\n b, a\nf:\n 4\n";
        let named = Named::of(&Target::new(text.as_bytes().to_vec()));
        assert_eq!(named.count(), 6);
        assert_eq!(named.mentions(0), [(5, 1), (11, 4)]);
        assert_eq!(named.mentions(1), [(11, 4)]);
    }

    #[test]
    fn what_stands_in_a_routine_is_part_of_it() {
        let text = "proc a(x: T) =\n  b(x)\n\n  c = x\n\nproc b(x: T) =\n  x\n\n  x\n\nproc c(x: T) =\n  x\n\nproc d() =\n  x\n\n\
                    proc e() =\n  x\n";
        let named = Named::of(&Target::new(text.as_bytes().to_vec()));
        assert_eq!(named.count(), 7);
        for nameless in [Nameless::Waiting, Nameless::Attached] {
            let kept = |one| numbers(&named.kept(Use::Name, [one].into_iter(), nameless));
            assert_eq!(kept(2), [2, 3]);
            assert_eq!(kept(0), [0, 1, 2, 3, 4]);
        }
        assert_eq!(numbers(&named.gone(Use::Name, [0].into_iter())), [0, 1]);
        assert_eq!(numbers(&named.gone(Use::Name, [1].into_iter())), [1]);
    }

    #[test]
    fn what_a_directive_declares_is_named_there() {
        let text = ":- module(m, [a/1]).\n\nd(X) :-\n  X.\n\n:- dynamic\n  b/1,\n  c/2.\n\na(X) :-\n  b(X).\n\n\
                    c(1, 2).\n\ne(X) :-\n  c(X, X).\n";
        let named = Named::of(&Target::new(text.as_bytes().to_vec()));
        let kept = |one| numbers(&named.kept(Use::Name, [one].into_iter(), Nameless::Waiting));
        assert_eq!(kept(3), [0, 2, 3, 4]);
        assert_eq!(kept(5), [0, 4, 5]);
    }

    #[test]
    fn the_name_of_a_member_stands_behind_a_mark() {
        let text = "T = class\n  proc a;\n  proc b;\nU = class\n  proc a;\n\nproc T.a;\n\nproc T::b(x);\n\n\
                    proc U.a;\n\nproc c;\n\nproc d;\n";
        let named = Named::of(&Target::new(text.as_bytes().to_vec()));
        assert_eq!(named.count(), 7);
        let lines = |paragraph| named.namesakes(paragraph).collect::<Vec<_>>();
        assert_eq!(lines(2), [(1, 0), (4, 1), (6, 2), (10, 4)]);
        assert_eq!(lines(3), [(2, 0), (8, 3)]);
    }

    const MODULE: &str = "-module(m).\n-export([a/0, b/1]).\n\na() ->\n  c(1),\n\n  d().\n\n\
        b(X) ->\n  {d, X}.\n\nc(0) -> 0;\nc(X) -> X.\n\nd() -> a.\n\ne() -> a(), m.\n\n\
        d(X) -> b(X).\n\nd(X, Y) -> X.\n";

    fn numbers(chosen: &[bool]) -> Vec<usize> {
        (0..chosen.len()).filter(|&at| chosen[at]).collect()
    }

    #[test]
    fn what_is_defined_with_brackets_behind_is_needed_where_it_is_called() {
        let named = Named::of(&Target::new(MODULE.as_bytes().to_vec()));
        // The module, a, b, c, d, e, d and d: neither a comma nor a sign begins one.
        assert_eq!((named.count(), named.heads()), (8, 1));
        assert_eq!(named.uses(), [Use::Name, Use::Call]);
        let kept = |by, one| numbers(&named.kept(by, [one].into_iter(), Nameless::Kept));
        assert_eq!(kept(Use::Call, 2), [0, 2]);
        assert_eq!(kept(Use::Name, 2), [0, 1, 2, 3, 4]);
        assert_eq!(kept(Use::Call, 1), [0, 1, 2, 3, 4, 6, 7]);
        assert_eq!(numbers(&named.gone(Use::Call, [1].into_iter())), [1, 5]);
    }

    #[test]
    fn names_go_from_lists_with_what_they_name() {
        let target = Target::new(MODULE.as_bytes().to_vec());
        let named = Named::of(&target);
        let without = |gone: &[usize]| {
            let patch = named.without(&target, |paragraph| gone.contains(&paragraph));
            let candidate = target.candidate(patch);
            let text: Vec<u8> = candidate.pieces().flatten().copied().collect();
            alloc::string::String::from_utf8(text).unwrap_or_default()
        };
        let left = without(&[1, 3, 4, 5, 6, 7]);
        let expected = "-module(m).\n-export([b/1]).\n\nb(X) ->\n  {d, X}.\n\n";
        assert_eq!(left, expected);
        assert!(without(&[3]).starts_with("-module(m).\n-export([a/0, b/1]).\n"));
    }
}
