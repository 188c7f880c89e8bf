//! What the paragraphs of a text name, in a language that nobody has told us, and which of them need
//! which: a word with which a line begins, behind words with which many begin, is taken for the name of
//! what stands there.

use alloc::collections::BTreeMap;
use alloc::rc::Rc;
use alloc::vec::Vec;

use ablate_engine::target::Target;

use crate::formats::lines::{Indents, Lines};
use crate::formats::paragraphs::Paragraphs;
use crate::formats::tokens::{Kind, Token, Tokens};

/// So many marks may stand before the first word of a line, and so many words count.
const LEADING: [usize; 2] = [3, 4];
/// A word with which so many paragraphs begin is a keyword, if words follow it or others stand between
/// them: what is defined in pieces has its name at the beginning of each.
const KEYWORD: u32 = 3;
/// No more pieces than this are taken for one definition.
const PIECES: usize = 64;

/// What paragraphs name, and need.
#[derive(Debug)]
pub struct Named {
    /// For each those with names that it uses.
    needs: Vec<Vec<u32>>,
    /// For each those that can't do without it: they use its names, or have none and stand behind it.
    dependent: Vec<Vec<u32>>,
    /// For each the lines elsewhere that use its names, with the paragraphs of these.
    mentions: Vec<Vec<(u32, u32)>>,
    /// Whether each has a name; those without are mostly about the one before.
    has_name: Vec<bool>,
    /// Those before this one define nothing: `use a` does not, where `use` is no keyword.
    heads: usize,
    /// Those that no other needs.
    roots: Vec<u32>,
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

impl Named {
    /// What the paragraphs of `target` name, and need.
    pub fn of(target: &Target<u8>) -> Rc<Named> {
        let paragraphs = Paragraphs::of(target);
        target.analysis(|target| {
            let mut named = Named {
                needs: alloc::vec![Vec::new(); paragraphs.len()],
                dependent: alloc::vec![Vec::new(); paragraphs.len()],
                mentions: alloc::vec![Vec::new(); paragraphs.len()],
                has_name: alloc::vec![false; paragraphs.len()],
                heads: paragraphs.len(),
                roots: Vec::new(),
            };
            named.find_needs(target, &paragraphs);
            named
        })
    }

    /// How many paragraphs there are.
    fn len(&self) -> usize {
        self.needs.len()
    }

    /// Those that no other needs, in order.
    pub fn roots(&self) -> &[u32] {
        &self.roots
    }

    /// What goes with some of them: what needs one of these, what needs that, and so on, and what
    /// without a name stands behind one that goes.
    pub fn gone(&self, some: impl Iterator<Item = usize>) -> Vec<bool> {
        let mut is_gone = alloc::vec![false; self.len()];
        let mut open: Vec<u32> = some.map(|paragraph| paragraph as u32).collect();
        while let Some(paragraph) = open.pop() {
            if !core::mem::replace(&mut is_gone[paragraph as usize], true) {
                open.extend(&self.dependent[paragraph as usize]);
            }
        }
        is_gone
    }

    /// The lines elsewhere that use the names of a paragraph, with the paragraphs of these.
    pub fn mentions(&self, paragraph: usize) -> &[(u32, u32)] {
        &self.mentions[paragraph]
    }

    /// What is kept with some of them: what they need, what that needs, and so on.
    pub fn kept(&self, some: impl Iterator<Item = u32>, nameless: Nameless) -> Vec<bool> {
        let mut is_kept = alloc::vec![false; self.len()];
        let mut open: Vec<u32> = some.chain(0..self.heads as u32).collect();
        let without_name = |paragraph: &u32| !self.has_name[*paragraph as usize];
        if nameless == Nameless::Kept {
            open.extend((0..self.len() as u32).filter(without_name));
        }
        while let Some(paragraph) = open.pop() {
            if core::mem::replace(&mut is_kept[paragraph as usize], true) {
                continue;
            }
            open.extend(&self.needs[paragraph as usize]);
            if nameless == Nameless::Attached {
                let behind = paragraph + 1..self.len() as u32;
                open.extend(behind.take_while(without_name));
                if without_name(&paragraph) {
                    open.extend(paragraph.checked_sub(1));
                }
            }
        }
        if nameless != Nameless::Kept {
            for paragraph in (0..self.len() as u32).filter(without_name) {
                let needs = &self.needs[paragraph as usize];
                let mut there = needs.iter().map(|&needed| is_kept[needed as usize]);
                is_kept[paragraph as usize] |= !needs.is_empty() && there.all(|is_there| is_there);
            }
        }
        is_kept
    }

    fn find_needs(&mut self, target: &Target<u8>, paragraphs: &Paragraphs) {
        let text = target.elements();
        let (tokens, lines) = (Tokens::of(target), Lines::of(target));
        let mut numbers: BTreeMap<&[u8], u32> = BTreeMap::new();
        // For each paragraph the words in it, with the lines in which they stand.
        let mut words: Vec<Vec<(u32, u32)>> = Vec::new();
        let mut leading: Vec<Vec<Vec<u32>>> = Vec::new();
        for (paragraph, &first) in paragraphs.first_lines().iter().enumerate() {
            let (start, end) = paragraphs.range(paragraph);
            let tokens = &tokens.all()[tokens.from(start)..tokens.from(end)];
            let used = tokens.iter().filter(|token| token.kind == Kind::Word);
            let used = used.map(|word| {
                let next = numbers.len() as u32;
                let number = *numbers.entry(word.text(text)).or_insert(next);
                (number, lines.around(word.start as usize) as u32)
            });
            let mut used: Vec<(u32, u32)> = used.collect();
            used.sort_unstable();
            used.dedup();
            words.push(used);
            let runs = leading_words(target, first, tokens);
            let number = |word: &Token| numbers[word.text(text)];
            let runs = runs.iter().map(|run| run.iter().map(number).collect());
            leading.push(runs.collect());
        }
        let keywords = keywords(&leading, numbers.len());
        // For each word the paragraphs that it is a name of, in order.
        let mut named: Vec<Vec<u32>> = alloc::vec![Vec::new(); numbers.len()];
        for (paragraph, leading) in (0..).zip(&leading) {
            for &word in leading.iter().flatten() {
                let named = &mut named[word as usize];
                if !keywords[word as usize] && named.last() != Some(&paragraph) {
                    named.push(paragraph);
                    self.has_name[paragraph as usize] = true;
                }
            }
        }
        for (paragraph, words) in (0..).zip(&words) {
            let mut needs: Vec<u32> = Vec::new();
            for &(word, line) in words {
                for &needed in nearest(&named[word as usize], paragraph) {
                    needs.push(needed);
                    self.mentions[needed as usize].push((line, paragraph));
                }
            }
            needs.sort_unstable();
            needs.dedup();
            for &needed in &needs {
                self.dependent[needed as usize].push(paragraph);
            }
            self.needs[paragraph as usize] = needs;
        }
        let is_needed: Vec<bool> = self.dependent.iter().map(|some| !some.is_empty()).collect();
        for paragraph in 1..self.len() {
            if !self.has_name[paragraph] {
                self.dependent[paragraph - 1].push(paragraph as u32);
            }
        }
        self.heads = heads(&leading, &keywords);
        let roots = (self.heads..self.len()).filter(|&paragraph| !is_needed[paragraph]);
        self.roots = roots.map(|root| root as u32).collect();
    }
}

/// Before which paragraph no line defines anything: by a name alone, or by words behind a keyword.
fn heads(leading: &[Vec<Vec<u32>>], keywords: &[bool]) -> usize {
    let is_keyword = |word: &u32| keywords[*word as usize];
    let defines = |run: &Vec<u32>| match &run[..] {
        [] => false,
        [only] => !is_keyword(only),
        [first, others @ ..] => is_keyword(first) && !others.iter().all(is_keyword),
    };
    let first = leading.iter().position(|runs| runs.iter().any(defines));
    first.unwrap_or(0)
}

/// The words with which the lines of a paragraph begin that are not indented deeper than its first one.
fn leading_words<'a>(target: &Target<u8>, first: usize, tokens: &'a [Token]) -> Vec<&'a [Token]> {
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
        let is_word = |token: &Token| token.kind == Kind::Word;
        let marks = here.iter().take_while(|token| !is_word(token)).count();
        if marks <= LEADING[0] {
            let words = here[marks..].iter().take_while(|token| is_word(token));
            found.push(&here[marks..][..words.count().min(LEADING[1])]);
        }
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
fn keywords(leading: &[Vec<Vec<u32>>], words: usize) -> Vec<bool> {
    #[derive(Clone, Copy, Default)]
    struct Count {
        /// Lines that begin with it, where the paragraph before does not.
        apart: u32,
        /// Lines that begin with it and another word behind it.
        before_others: u32,
        last: usize,
    }
    let mut counts = alloc::vec![Count::default(); words];
    for (paragraph, runs) in (2..).zip(leading) {
        for run in runs {
            for (at, &word) in run.iter().enumerate() {
                let count = &mut counts[word as usize];
                count.apart += u32::from(at == 0 && count.last + 1 < paragraph);
                count.before_others += u32::from(at + 1 < run.len());
                count.last = paragraph;
            }
        }
    }
    let is_keyword = |count: &Count| count.apart >= KEYWORD || count.before_others >= KEYWORD;
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
        assert_eq!(named.len(), 6);
        assert_eq!(named.roots(), [3, 4, 5]);
        let numbers = |chosen: Vec<bool>| -> Vec<usize> {
            let numbered = chosen.into_iter().enumerate();
            numbered.filter(|one| one.1).map(|one| one.0).collect()
        };
        assert_eq!(numbers(named.gone([1].into_iter())), [1, 3]);
        assert_eq!(numbers(named.gone([2].into_iter())), [2, 4]);
        for nameless in [Nameless::Kept, Nameless::Attached, Nameless::Waiting] {
            let kept = named.kept([4].into_iter(), nameless);
            assert_eq!(numbers(kept), [0, 2, 4]);
        }
    }
    #[test]
    fn a_mention_is_a_line_of_another_paragraph() {
        let text = "a:\n.x:\n 1\nb:\n.y:\n a\nc:\n 2\nd:\n 3\ne:\n b, a\nf:\n 4\n";
        let named = Named::of(&Target::new(text.as_bytes().to_vec()));
        assert_eq!(named.len(), 6);
        assert_eq!(named.mentions(0), [(5, 1), (11, 4)]);
        assert_eq!(named.mentions(1), [(11, 4)]);
    }
}
