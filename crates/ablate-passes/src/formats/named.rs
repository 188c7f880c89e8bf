//! What the paragraphs of a text name, in a language that nobody has told us, and which of them need
//! which: a word with which a line begins, behind words with which many begin, is taken for the name of
//! what stands there.

use alloc::collections::BTreeMap;
use alloc::rc::Rc;
use alloc::vec::Vec;

use ablate_engine::patch::Patch;
use ablate_engine::target::Target;

use crate::formats::forms::{Forms, forms};
use crate::formats::heads::{
    Head, add_inner, has_arity, heads, heads_of_lines, is_called, is_directive, keywords,
};
use crate::formats::lines::Lines;
use crate::formats::lisp::Lisp;
use crate::formats::listed::Lists;
use crate::formats::paragraphs::Paragraphs;
use crate::formats::quotes::Quotes;
use crate::formats::routines::Routines;
use crate::formats::tokens::{Kind, Token, Tokens};

/// No more pieces than this are taken for one definition.
const PIECES: usize = 64;

/// What paragraphs name, and need.
#[derive(Debug)]
pub struct Named {
    by_names: Needs,
    by_calls: Needs,
    /// For each the lines elsewhere that use its names, with the paragraphs of these.
    mentions: Vec<Vec<(u32, u32)>>,
    /// For each its names, by their numbers.
    names: Vec<Vec<u32>>,
    /// For each of these all lines that have it, with their paragraphs.
    places: Vec<Vec<(u32, u32)>>,
    /// Lists of names, by their numbers: for each member those with the name. They don't need them.
    lists: Vec<(usize, Vec<Vec<u32>>)>,
    /// Those before this one define nothing: `use a` does not, where `use` is no keyword.
    heads: usize,
    /// Whether paragraphs without a name are mostly about the one before.
    attaches: bool,
    /// Those that have others know what is defined elsewhere: they are always kept.
    imports: Vec<u32>,
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
        let lisp = Lisp::of(target);
        target.analysis(|target| {
            if lisp.is_empty() {
                Named::new(target, &paragraphs, &routines)
            } else {
                Named::of_lisp(&forms(target, &lisp, &paragraphs))
            }
        })
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
        let always = (0..self.heads as u32).chain(self.imports.iter().copied());
        let mut open: Vec<u32> = some.chain(always).collect();
        let without_name = |paragraph: &u32| !self.has_name(*paragraph as usize);
        if nameless == Nameless::Kept {
            open.extend((0..self.count() as u32).filter(without_name));
        }
        while let Some(paragraph) = open.pop() {
            if core::mem::replace(&mut is_kept[paragraph as usize], true) {
                continue;
            }
            open.extend(&needs[paragraph as usize]);
            if nameless == Nameless::Attached && self.attaches {
                let next = (paragraph + 1..self.count() as u32).next();
                open.extend(next.filter(without_name));
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

    /// What the paragraphs of a Lisp name, and need: all with a name that they use.
    fn of_lisp(forms: &[Forms<'_>]) -> Named {
        let mut numbers: BTreeMap<&[u8], u32> = BTreeMap::new();
        for name in forms.iter().flat_map(|forms| &forms.names) {
            let next = numbers.len() as u32;
            numbers.entry(name).or_insert(next);
        }
        let mut named = Named::of_none(forms.len(), numbers.len());
        let mut defined: Vec<Vec<u32>> = alloc::vec![Vec::new(); numbers.len()];
        for (paragraph, forms) in (0..).zip(forms) {
            for name in &forms.names {
                defined[numbers[name] as usize].push(paragraph);
                named.names[paragraph as usize].push(numbers[name]);
            }
        }
        for (paragraph, forms) in (0..).zip(forms) {
            let mut needs = Vec::new();
            let mut used: Vec<(u32, u32)> = Vec::new();
            for (word, line) in &forms.uses {
                used.extend(numbers.get(word).map(|&word| (word, *line)));
            }
            used.sort_unstable();
            used.dedup();
            for (word, line) in used {
                let is_own = named.names[paragraph as usize].contains(&word);
                named.places[word as usize].push((line, paragraph));
                let others = defined[word as usize].iter();
                let others = others.filter(|_| !is_own).take(PIECES);
                for &needed in others {
                    needs.push(needed);
                    named.mentions[needed as usize].push((line, paragraph));
                }
            }
            named.by_calls.add(paragraph, needs.clone());
            named.by_names.add(paragraph, needs);
        }
        named.heads = named
            .names
            .iter()
            .position(|names| !names.is_empty())
            .unwrap_or(0);
        named.find_roots();
        named
    }

    fn of_none(paragraphs: usize, words: usize) -> Named {
        Named {
            by_names: Needs::of_none(paragraphs),
            by_calls: Needs::of_none(paragraphs),
            mentions: alloc::vec![Vec::new(); paragraphs],
            names: alloc::vec![Vec::new(); paragraphs],
            places: alloc::vec![Vec::new(); words],
            lists: Vec::new(),
            heads: 0,
            attaches: false,
            imports: Vec::new(),
            roots: Vec::new(),
        }
    }

    fn new(target: &Target<u8>, paragraphs: &Paragraphs, routines: &Routines) -> Named {
        let (text, tokens) = (target.elements(), Tokens::of(target));
        let mut numbers: BTreeMap<&[u8], u32> = BTreeMap::new();
        // For each token the number of its word.
        let (lines, quotes) = (Lines::of(target), Quotes::of(target));
        let is_comment = |token: &Token| {
            let start = token.start as usize;
            quotes.is_comment(start) || paragraphs.is_comment(lines.around(start))
        };
        let number_of = |token: &Token| {
            let next = numbers.len() as u32;
            let is_word =
                token.kind == Kind::Word && !is_directive(text, token) && !is_comment(token);
            is_word.then(|| *numbers.entry(token.text(text)).or_insert(next))
        };
        let words: Vec<Option<u32>> = tokens.all().iter().map(number_of).collect();
        let mut leading: Vec<Vec<Head>> = Vec::new();
        for (paragraph, &first) in paragraphs.first_lines().iter().enumerate() {
            let (start, end) = paragraphs.range(paragraph);
            let tokens = &tokens.all()[tokens.from(start)..tokens.from(end)];
            let code: Vec<Token> = tokens.iter().filter(|t| !is_comment(t)).copied().collect();
            leading.push(heads_of_lines(target, first, &code, &mut numbers));
        }
        let inner = leading.iter_mut();
        let inner: Vec<Vec<Head>> = inner
            .map(|heads| heads.extract_if(.., |head| head.is_inner).collect())
            .collect();
        let within = within(paragraphs, routines);
        for &(paragraph, _) in &within {
            // There are statements in a routine.
            leading[paragraph as usize].clear();
        }
        let mut imports = Vec::new();
        for (paragraph, heads) in (0..).zip(&mut leading) {
            if heads.first().is_some_and(|head| head.imports) {
                imports.push(paragraph);
                heads.clear();
            }
        }
        let keywords = keywords(&leading, &numbers);
        add_inner(&mut leading, inner, &keywords);
        let mut names = Names::of(&leading, &keywords);
        for (paragraph, heads) in leading.iter().enumerate() {
            if heads.first().is_some_and(|head| head.is_marked) {
                let (start, end) = paragraphs.range(paragraph);
                let place = tokens.from(start)..tokens.from(end);
                names.declare(text, &tokens.all()[place.clone()], &words[place], paragraph);
            }
        }
        let mut named = Named::of_none(leading.len(), names.places.len());
        named.heads = heads(&leading, &keywords);
        named.imports = imports;
        named.attaches = true;
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
            let imports = named.imports.binary_search(&(paragraph as u32)).is_ok();
            if names.is_empty() && !imports {
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
        // Where blocks begin, and where they end: neither can be without the other, nor what is between
        // them without these.
        let mut blocks: Vec<(u32, u32)> = Vec::new();
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
                let before = names.said_before(word, paragraph);
                needs.extend(before);
                calls.extend(before);
                if names.ends(word, paragraph) {
                    blocks.extend(before.map(|block| (block, paragraph)));
                }
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
        blocks.sort_unstable();
        blocks.dedup();
        let mut blocks = blocks.into_iter().peekable();
        let mut open: Vec<(u32, u32)> = Vec::new();
        for paragraph in 0..self.count() as u32 {
            while open.pop_if(|block| block.1 < paragraph).is_some() {}
            let mut needed: Vec<u32> = open.last().map(|block| block.0).into_iter().collect();
            while let Some(block) = blocks.next_if(|block| block.0 == paragraph) {
                open.push(block);
                needed.push(block.1);
            }
            for needed in needed {
                for needs in [&mut self.by_names, &mut self.by_calls] {
                    needs.needs[paragraph as usize].push(needed);
                    needs.dependent[needed as usize].push(paragraph);
                }
            }
        }
        self.find_roots();
    }

    fn find_roots(&mut self) {
        let dependent = &self.by_names.dependent;
        let roots = (self.heads..self.count()).filter(|&paragraph| dependent[paragraph].is_empty());
        self.roots = roots.map(|root| root as u32).collect();
    }
}

/// What words name, by their numbers.
struct Names {
    /// The paragraphs with the name, in order.
    places: Vec<Vec<u32>>,
    /// For each the keyword before the name, if there is one, and whether that ends a block.
    keywords: Vec<Vec<Option<(u32, bool)>>>,
    /// Whether brackets stand right behind it where it is defined.
    is_called: Vec<bool>,
}

impl Names {
    fn of(leading: &[Vec<Head>], keywords: &[bool]) -> Names {
        let mut names = Names {
            places: alloc::vec![Vec::new(); keywords.len()],
            keywords: alloc::vec![Vec::new(); keywords.len()],
            is_called: alloc::vec![false; keywords.len()],
        };
        for (paragraph, heads) in (0..).zip(leading) {
            for head in heads {
                for word in head.names(keywords) {
                    let places = &mut names.places[word as usize];
                    if places.last() != Some(&paragraph) {
                        places.push(paragraph);
                        names.keywords[word as usize]
                            .push(head.keyword(keywords).map(|keyword| (keyword, head.ends)));
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
                    self.keywords[word as usize].push(None);
                }
            }
        }
    }

    /// Where `paragraph` says something of a name behind a keyword, the last one before that has it behind
    /// another: `Hint Resolve a` needs `Lemma a`.
    fn said_before(&self, word: u32, paragraph: u32) -> Option<u32> {
        let places = &self.places[word as usize];
        let at = places.binary_search(&paragraph).ok()?;
        let keywords = &self.keywords[word as usize];
        let keyword = keywords[at]?;
        let differs = |before: &usize| keywords[*before].is_some_and(|other| other != keyword);
        (0..at)
            .rev()
            .take(PIECES)
            .find(differs)
            .map(|before| places[before])
    }

    /// Whether `paragraph` ends a block of a name.
    fn ends(&self, word: u32, paragraph: u32) -> bool {
        let at = self.places[word as usize].binary_search(&paragraph);
        at.is_ok_and(|at| self.keywords[word as usize][at].is_some_and(|keyword| keyword.1))
    }

    /// Of those with a name, which one `paragraph` is about.
    fn nearest(&self, word: u32, paragraph: u32) -> &[u32] {
        nearest(&self.places[word as usize], paragraph)
    }
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
    fn what_stands_between_a_block_and_its_end_needs_both() {
        let text = "Section s.\n  Variable A : T.\n\n  Lemma a (x : A) : T.\n\n  Lemma b : T.\n\nEnd s.\nCheck s.\n\n\
                    Section t.\n\n  Variable B : T.\n\n  Lemma c : a.\n\nEnd t.\n\nSection u.\n\n\
                    Variable C : T.\n\nLemma d : T.\n\nEnd u.\n\nLemma e : T.\n\nVariable D : T.\n";
        let named = Named::of(&Target::new(text.as_bytes().to_vec()));
        assert_eq!(named.count(), 14);
        let kept = |one| numbers(&named.kept(Use::Name, [one].into_iter(), Nameless::Waiting));
        assert_eq!(kept(1), [0, 1, 3]);
        assert_eq!(kept(6), [0, 1, 3, 4, 6, 7]);
        assert_eq!(kept(12), [12]);
    }

    #[test]
    fn what_is_said_of_a_name_needs_what_it_names() {
        let text = "Lemma a : T.\n\nLemma b : T.\n\nHint Resolve a.\n\nLemma c : T.\n\nHint Resolve b.\n\n\
                    Lemma d : T.\n\nHint Resolve d.\n\nLemma e : T.\n\nLemma b : T.\n";
        let named = Named::of(&Target::new(text.as_bytes().to_vec()));
        let kept = |one| numbers(&named.kept(Use::Name, [one].into_iter(), Nameless::Waiting));
        assert_eq!(kept(2), [0, 2]);
        assert_eq!(kept(4), [1, 4]);
        assert_eq!(kept(7), [7]);
    }

    #[test]
    fn what_is_imported_stays_and_comments_need_nothing() {
        let text = "def a = 1\n\ndef b = 2\n\nImport z\n\n(* see a\n   and b *)\ndef c = b\n\n\
                    // a\ndef d = 1\n\ndef e = d\n\ndef f = 1\n\ndef g = 1\n\ndef h = 1\n";
        let named = Named::of(&Target::new(text.as_bytes().to_vec()));
        let kept = |one| numbers(&named.kept(Use::Name, [one].into_iter(), Nameless::Waiting));
        assert_eq!(kept(3), [1, 2, 3]);
        assert_eq!(kept(5), [2, 4, 5]);
    }

    #[test]
    fn forms_of_a_lisp_need_all_that_define_what_they_use() {
        let text = "(require 'z)\n(defstruct a-b c)\n(defun d (x) \"See e.\" (make-a-b x)) ; e\n\
                    (defmethod e (x) x)\n(defmethod e (y) (a-b-c y))\n(setq f 'e)\n(add-hook 'g #'d)\n\
                    (define (h i) (d i))\n(provide h)\n(print (h 1))\n";
        let named = Named::of(&Target::new(text.as_bytes().to_vec()));
        assert_eq!((named.count(), named.heads()), (10, 1));
        let kept = |one| numbers(&named.kept(Use::Name, [one].into_iter(), Nameless::Attached));
        assert_eq!(
            numbers(&named.kept(Use::Name, [7].into_iter(), Nameless::Kept)),
            [0, 1, 2, 6, 7, 8, 9]
        );
        assert_eq!(kept(2), [0, 1, 2, 6]);
        assert_eq!(kept(4), [0, 1, 4]);
        assert_eq!(kept(5), [0, 1, 3, 4, 5]);
        assert_eq!(
            numbers(&named.gone(Use::Name, [1].into_iter())),
            [1, 2, 4, 5, 6, 7, 8, 9]
        );
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
