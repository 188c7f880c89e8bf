//! Blocks that words end, as in Fortran, Ada, VHDL or Pascal: from `subroutine f` to `end subroutine f`;
//! or from `BEGIN:VEVENT` to `END:VEVENT`, as in calendars and address books.
//! Which words these are is read off the lines that end with them; it is guessed, and never for sure.

use alloc::collections::BTreeMap;
use alloc::rc::Rc;
use alloc::vec::Vec;

use ablate_engine::target::Target;

use crate::formats::lines::{Indents, Lines};
use crate::formats::tokens::{Kind, LONGEST_TEXT, Token, Tokens};

/// Fewer blocks are hardly meant.
const FEWEST: usize = 4;
/// More are not looked for: it takes time to find what belongs together.
const MOST: usize = 1 << 13;
/// So many lines above its end a block is looked for, without those that are in other blocks.
const FURTHEST: usize = 1 << 12;
/// Among so many words of a line is the one that its block ends with.
const LEADING: usize = 8;
/// What such lines begin with is within a block: it goes on.
const MIDDLE: [&[u8]; 11] = [
    b"else",
    b"elseif",
    b"elsif",
    b"elif",
    b"when",
    b"case",
    b"then",
    b"begin",
    b"exception",
    b"rescue",
    b"is",
];

/// A block that a word ends.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Worded {
    /// The line with which it starts.
    pub first: usize,
    /// The line behind the statement with which it starts.
    pub body: usize,
    /// The line with which it ends.
    pub last: usize,
    /// The number of the nearest block around it; [`Worded::NONE`] at the top.
    pub parent: u32,
    /// What it is called, as a number; [`Worded::NONE`] if nothing is known.
    pub name: u32,
}

impl Worded {
    /// No block, or no name.
    pub const NONE: u32 = u32::MAX;
}

/// The blocks of a text that words end, by their first lines.
#[derive(Debug, Default)]
pub struct WordedBlocks {
    blocks: Vec<Worded>,
    /// The blocks that stand side by side, by the number of the block around them, the outermost last.
    groups: Vec<Vec<u32>>,
    /// For each name the lines that use it.
    uses: Vec<Vec<u32>>,
    /// The lines with which blocks end.
    ends: Vec<u32>,
    /// For each line the names in it.
    names: Vec<Vec<u32>>,
    /// For each line the first one of its statement, and the one behind it.
    statements: Vec<(u32, u32)>,
}

/// What a line says that ends a block: `end if`, `endif`, `end f`, `end subroutine f`, `end`.
struct Ending {
    line: usize,
    /// What it ends, in small letters: a word or a name.
    what: Vec<u8>,
    name: Option<Vec<u8>>,
    /// Whether a colon stands between the two: the block starts with `begin:` and the same word.
    has_colon: bool,
}

/// The lines of a text with their tokens.
struct Text<'a> {
    text: &'a [u8],
    tokens: &'a [Token],
    /// Where the tokens of each line start, and where those of the last one end.
    bounds: Vec<usize>,
}

impl Text<'_> {
    fn line(&self, line: usize) -> &[Token] {
        &self.tokens[self.bounds[line]..self.bounds[line + 1]]
    }

    fn word(&self, token: &Token) -> Vec<u8> {
        token.text(self.text).to_ascii_lowercase()
    }

    /// The words with which a line begins.
    fn words(&self, line: usize) -> impl Iterator<Item = (usize, Vec<u8>)> {
        let tokens = self.line(line).iter().take(2 * LEADING).enumerate();
        let words = tokens.filter(|(_, token)| token.kind == Kind::Word);
        words
            .map(|(at, token)| (at, self.word(token)))
            .take(LEADING)
    }

    /// The word that a line has behind `marker` and a colon, if it has nothing else.
    fn marked(&self, line: usize, marker: &[u8]) -> Option<Vec<u8>> {
        let [first, colon, what] = self.line(line) else {
            return None;
        };
        let is_marked = colon.text(self.text) == b":" && what.kind == Kind::Word;
        (is_marked && self.word(first) == marker).then(|| self.word(what))
    }

    fn ending(&self, line: usize) -> Option<Ending> {
        let tokens = self.line(line);
        if let Some(what) = self.marked(line, b"end") {
            return Some(Ending {
                line,
                what,
                name: None,
                has_colon: true,
            });
        }
        let words = tokens
            .iter()
            .take_while(|token| token.kind == Kind::Word)
            .count();
        let behind = tokens.get(words).map_or(b';', |t| t.text(self.text)[0]);
        if !(1..=3).contains(&words) || !b";.!-/#".contains(&behind) {
            return None;
        }
        let mut words = tokens[..words].iter().map(|token| self.word(token));
        let first = words.next()?;
        let rest = first.strip_prefix(b"end")?;
        let rest = rest.strip_prefix(b"_").unwrap_or(rest);
        let what = match rest {
            [] => words.next().unwrap_or_default(),
            _ => rest.to_vec(),
        };
        let name = words.next();
        Some(Ending {
            line,
            what,
            name,
            has_colon: false,
        })
    }

    /// The last byte of a line that is neither blank nor a comment.
    fn last_token(&self, line: usize) -> Option<&[u8]> {
        self.line(line).last().map(|token| token.text(self.text))
    }

    /// Whether the line after `line` goes on with its statement.
    fn goes_on(&self, line: usize, ends_with_semicolons: bool) -> bool {
        let (Some(last), Some(next)) = (self.last_token(line), self.line(line + 1).first()) else {
            return false;
        };
        let next = next.text(self.text);
        let is_open = matches!(
            last,
            b"," | b"(" | b"&" | b":=" | b"=" | b"+" | b"*" | b"\\"
        );
        let goes_on = matches!(next, b"(" | b")" | b"&" | b":=" | b",");
        is_open || (goes_on && ends_with_semicolons && last != b";")
    }
}

impl WordedBlocks {
    /// Those of `target`; none if there are hardly any.
    pub fn of(target: &Target<u8>) -> Rc<WordedBlocks> {
        let (lines, indents) = (Lines::of(target), Indents::of(target));
        let tokens = Tokens::of(target);
        target.analysis(|target| {
            if target.len() > LONGEST_TEXT || tokens.all().is_empty() {
                return WordedBlocks::default();
            }
            let starts = (0..lines.len()).map(|line| tokens.from(lines.start(line)));
            let text = Text {
                text: target.elements(),
                tokens: tokens.all(),
                bounds: starts.chain([tokens.all().len()]).collect(),
            };
            WordedBlocks::new(&text, &indents)
        })
    }

    fn new(text: &Text<'_>, indents: &Indents) -> WordedBlocks {
        let endings = (0..indents.len()).filter_map(|line| text.ending(line));
        let endings: Vec<Ending> = endings.collect();
        if !(FEWEST..=MOST).contains(&endings.len()) {
            return WordedBlocks::default();
        }
        let mut found = WordedBlocks {
            statements: statements(text, indents.len()),
            ..WordedBlocks::default()
        };
        let mut starts: Vec<Option<(usize, usize)>> = alloc::vec![None; endings.len()];
        let mut by_last: BTreeMap<usize, usize> = BTreeMap::new();
        for (ending, start) in endings.iter().zip(&mut starts) {
            *start = opening(text, indents, &by_last, ending);
            if let Some((first, _)) = *start {
                by_last.insert(ending.line, first);
            }
        }
        let naming = Naming::of(text, &endings, &starts);
        let mut numbers: BTreeMap<Vec<u8>, u32> = BTreeMap::new();
        for (ending, start) in endings.iter().zip(&starts) {
            let Some((first, at)) = *start else {
                continue;
            };
            let name = naming.name(text, ending, first, at).map(|name| {
                let next = numbers.len() as u32;
                *numbers.entry(name).or_insert(next)
            });
            let body = found.statements[first].1 as usize;
            found.blocks.push(Worded {
                first,
                body: body.min(ending.line),
                last: ending.line,
                parent: Worded::NONE,
                name: name.unwrap_or(Worded::NONE),
            });
        }
        if found.blocks.len() < FEWEST {
            return WordedBlocks::default();
        }
        found.ends = found.blocks.iter().map(|block| block.last as u32).collect();
        found.nest();
        found.find_uses(text, &numbers);
        found
    }

    fn nest(&mut self) {
        self.blocks
            .sort_by_cached_key(|block| (block.first, usize::MAX - block.last));
        self.groups = alloc::vec![Vec::new(); self.blocks.len() + 1];
        let mut around: Vec<usize> = Vec::new();
        for number in 0..self.blocks.len() {
            let first = self.blocks[number].first;
            while around
                .pop_if(|outer| self.blocks[*outer].last < first)
                .is_some()
            {}
            let outer = around.last().copied();
            self.blocks[number].parent = outer.map_or(Worded::NONE, |outer| outer as u32);
            self.groups[outer.unwrap_or(self.blocks.len())].push(number as u32);
            around.push(number);
        }
    }

    fn find_uses(&mut self, text: &Text<'_>, numbers: &BTreeMap<Vec<u8>, u32>) {
        self.uses = alloc::vec![Vec::new(); numbers.len()];
        for line in 0..self.statements.len() {
            let words = text.line(line).iter().filter(|t| t.kind == Kind::Word);
            let mut names: Vec<u32> = words
                .filter_map(|token| numbers.get(&text.word(token)).copied())
                .collect();
            names.sort_unstable();
            names.dedup();
            for &name in &names {
                self.uses[name as usize].push(line as u32);
            }
            self.names.push(names);
        }
    }

    /// All blocks, by their first lines.
    pub fn all(&self) -> &[Worded] {
        &self.blocks
    }

    /// The numbers of the blocks that stand side by side, by the block around them; the outermost last.
    pub fn groups(&self) -> &[Vec<u32>] {
        &self.groups
    }

    /// The lines of some blocks and of all statements that name these or what is in them, and of the blocks
    /// that start with such a statement and what names these, and so on: the first of each run and the one
    /// behind it.
    pub fn with_uses(&self, some: impl Iterator<Item = u32>) -> Vec<(usize, usize)> {
        let mut is_gone = alloc::vec![false; self.blocks.len()];
        let mut is_named = alloc::vec![false; self.uses.len()];
        let mut cuts = Vec::new();
        let mut open: Vec<u32> = some.collect();
        while let Some(number) = open.pop() {
            if core::mem::replace(&mut is_gone[number as usize], true) {
                continue;
            }
            let block = &self.blocks[number as usize];
            cuts.push((block.first, block.last + 1));
            let after = self.blocks.partition_point(|b| b.first <= block.last);
            for within in &self.blocks[number as usize..after] {
                let name = within.name;
                if name == Worded::NONE || core::mem::replace(&mut is_named[name as usize], true) {
                    continue;
                }
                for &line in &self.uses[name as usize] {
                    let (first, after) = self.statements[line as usize];
                    match self.starting_at(first as usize) {
                        Some(user) => open.push(user),
                        None if self.ends.binary_search(&line).is_ok() => (),
                        None => cuts.push((first as usize, after as usize)),
                    }
                }
            }
        }
        cuts
    }

    /// Which blocks are kept with some of them: those that they name, those that these name, and so on,
    /// and those around these, which need nothing for that.
    pub fn needed(&self, some: impl Iterator<Item = u32>) -> Vec<bool> {
        let mut is_kept = alloc::vec![false; self.blocks.len()];
        let mut named: Vec<Vec<u32>> = alloc::vec![Vec::new(); self.uses.len()];
        for (number, block) in (0..).zip(&self.blocks) {
            if block.name != Worded::NONE {
                named[block.name as usize].push(number);
            }
        }
        let mut open: Vec<u32> = some.collect();
        while let Some(number) = open.pop() {
            if core::mem::replace(&mut is_kept[number as usize], true) {
                continue;
            }
            let block = &self.blocks[number as usize];
            for &name in self.names[block.first..=block.last].iter().flatten() {
                open.extend(core::mem::take(&mut named[name as usize]));
            }
        }
        for number in (0..self.blocks.len()).rev() {
            let parent = self.blocks[number].parent;
            if is_kept[number] && parent != Worded::NONE {
                is_kept[parent as usize] = true;
            }
        }
        is_kept
    }

    /// The outermost block that starts at a line.
    fn starting_at(&self, line: usize) -> Option<u32> {
        let number = self.blocks.partition_point(|block| block.first < line);
        let block = self.blocks.get(number)?;
        (block.first == line).then_some(number as u32)
    }
}

/// For each line the first one of its statement, and the one behind it.
fn statements(text: &Text<'_>, lines: usize) -> Vec<(u32, u32)> {
    let ends = (0..lines).filter(|&line| text.last_token(line) == Some(b";"));
    let ends_with_semicolons = ends.count() * 4 > lines;
    let mut statements = Vec::with_capacity(lines);
    let mut first = 0;
    for line in 0..lines {
        if line + 1 == lines || !text.goes_on(line, ends_with_semicolons) {
            let statement = (first as u32, line as u32 + 1);
            statements.resize(line + 1, statement);
            first = line + 1;
        }
    }
    statements
}

/// The line with which a block starts that ends at a line, and the token there that says so.
fn opening(
    text: &Text<'_>,
    indents: &Indents,
    by_last: &BTreeMap<usize, usize>,
    ending: &Ending,
) -> Option<(usize, usize)> {
    let depth = indents.depth(ending.line);
    let mut line = ending.line;
    for _ in 0..FURTHEST {
        line = line.checked_sub(1)?;
        if let Some(&first) = by_last.get(&line) {
            line = first;
            continue;
        }
        let here = indents.depth(line);
        if here == Indents::EMPTY || here > depth {
            continue;
        }
        if here < depth {
            return None;
        }
        let mut words = text.words(line);
        if ending.has_colon {
            if text.marked(line, b"begin").as_ref() == Some(&ending.what) {
                return Some((line, 2));
            }
        } else if !ending.what.is_empty() {
            if let Some((at, _)) = words.find(|(_, word)| *word == ending.what) {
                return Some((line, at));
            }
        } else if let Some((0, word)) = words.next() {
            let has_body = indents.body(line) > 0 || word == b"begin";
            if has_body && !MIDDLE[..].contains(&&word[..]) {
                return Some((line, 0));
            }
        }
    }
    None
}

/// Which of the words that end blocks are names.
struct Naming {
    /// What stands before each word that ends a block, where the block starts; nothing where that starts
    /// with it.
    before: BTreeMap<Vec<u8>, Vec<Vec<u8>>>,
    /// Words behind which names stand: those that ended a block together with one.
    declaring: Vec<Vec<u8>>,
}

impl Naming {
    fn of(text: &Text<'_>, endings: &[Ending], starts: &[Option<(usize, usize)>]) -> Naming {
        let mut naming = Naming {
            before: BTreeMap::new(),
            declaring: Vec::new(),
        };
        for (ending, start) in endings.iter().zip(starts) {
            if ending.name.is_some() {
                naming.declaring.push(ending.what.clone());
            } else if let Some((first, at)) = *start {
                let before = at.checked_sub(1).map(|at| &text.line(first)[at]);
                let before = before.filter(|token| token.kind == Kind::Word);
                let before = before.map_or_else(Vec::new, |token| text.word(token));
                let known = naming.before.entry(ending.what.clone()).or_default();
                if !known.contains(&before) {
                    known.push(before);
                }
            }
        }
        naming.declaring.sort_unstable();
        naming.declaring.dedup();
        naming
    }

    fn name(&self, text: &Text<'_>, ending: &Ending, first: usize, at: usize) -> Option<Vec<u8>> {
        if ending.name.is_some() {
            return ending.name.clone();
        }
        if self.declaring.contains(&ending.what) {
            // `type, extends(a) :: b` is about `b`.
            let line = text.line(first);
            let colons = line.iter().position(|t| t.text(text.text) == b"::");
            let next = line.get(colons.map_or(at, |colons| colons.max(at)) + 1)?;
            return (next.kind == Kind::Word).then(|| text.word(next));
        }
        let before = self.before.get(&ending.what)?;
        let is_name = before.len() < 3 && before.iter().all(|before| !before.is_empty());
        is_name.then(|| ending.what.clone())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, expected: &[(usize, usize, bool)]) {
        let blocks = WordedBlocks::of(&Target::new(text.as_bytes().to_vec()));
        let seen: Vec<(usize, usize, bool)> = blocks
            .all()
            .iter()
            .map(|block| (block.first, block.last, block.name != Worded::NONE))
            .collect();
        assert_eq!(seen, expected, "{text}");
    }

    #[test]
    fn what_a_block_ends_with_says_where_it_starts() {
        let text = "module m\ncontains\n subroutine a(x,&\n  y)\n if (x) then\n  if (y) stop\n endif\n end subroutine a\n function b()\n end function\nend module\n";
        check(
            text,
            &[(0, 10, false), (2, 7, true), (4, 6, false), (8, 9, false)],
        );
    }

    #[test]
    fn names_may_end_blocks() {
        let text = "package P is\n procedure A;\n procedure A is\n begin\n  loop\n   while X loop\n    A;\n   end loop;\n  end loop;\n end A;\n procedure B is\n begin\n  A;\n end B;\nend P;\n";
        check(
            text,
            &[
                (0, 14, true),
                (2, 9, true),
                (4, 8, false),
                (5, 7, false),
                (10, 13, true),
            ],
        );
    }

    #[test]
    fn a_colon_may_stand_before_what_begins_and_ends() {
        let event = "BEGIN:VEVENT\nDTSTART:1\nBEGIN:VALARM\nX:END\nEND:VALARM\nEND:VEVENT\n";
        let text = ["BEGIN:VCALENDAR\n", event, event, "END:VCALENDAR\n"].concat();
        let expected = [(0, 13), (1, 6), (3, 5), (7, 12), (9, 11)];
        let unnamed = expected.map(|(first, last)| (first, last, false));
        check(&text, &unnamed);
        check(&"start: friday\nend: friday\n".repeat(4), &[]);
    }

    #[test]
    fn what_looks_like_an_end_may_be_none() {
        let blocks = "if a\n x\nend if\n".repeat(4);
        let others =
            "a = 1\n x\nend = 1\na(2)\n x\nend(2)\npoint a\n x\nendpoint: 3\ns\n x\nends a b c\n";
        let expected = [(0, 2), (3, 5), (6, 8), (9, 11)].map(|(first, last)| (first, last, false));
        check(&[&blocks[..], others].concat(), &expected);
    }
}
