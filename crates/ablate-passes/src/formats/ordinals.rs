//! References by number: integers that say which of the items of a list is meant, the vertices of a face, say,
//! the ends of an edge, the children of a node. Nothing is known about formats here: integers that stand in
//! places of the same kind belong together, and they may refer to a list if all of them fit and the largest is
//! at least half its length; were it smaller, the end of the list could go without any of this.

use alloc::collections::BTreeMap;
use alloc::rc::Rc;
use alloc::string::ToString;
use alloc::vec::Vec;

use ablate_engine::patch::{Edit, Patch};
use ablate_engine::target::Target;

use crate::formats::couplings::{Couplings, Range, Sections, cut_of};
use crate::formats::lines::Lines;
use crate::formats::members::{Member, Members};
use crate::formats::runs::add_runs;
use crate::formats::tokens::{Kind, Tokens};

/// Longer texts are not looked at: by then other passes have their turn.
const LONGEST_TEXT: usize = 1 << 20;
/// In shorter lists chance has it that numbers fit.
const SHORTEST_LIST: usize = 3;
/// So many lists are looked at, the longest ones.
const LISTS: usize = 12;
/// For each list, counted from zero or from one, so many guesses are made which numbers refer to it.
const GUESSES: usize = 8;
/// And so many for all lists.
const ALL_GUESSES: usize = 32;
/// Of so few kinds of numbers that go up to the end of a list, each one is taken for something else in turn.
const FEW: usize = 5;
/// Names of lists and of what refers to them agree in so many letters at least.
const SHORTEST_NAME: usize = 3;
/// Runs of less than this share of the items that nothing refers to are not tried.
const SMALLEST_SHARE: usize = 8;

/// What stands side by side and may be referred to.
struct List {
    items: Vec<Range>,
    /// Whether there is something between the items, of which one goes with each.
    is_separated: bool,
    /// The name that the list has, empty for none.
    name: Vec<u8>,
}

/// A place of some kind: what a number is called, or where in which lines it stands.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Place {
    /// Has this name, or is in what has it.
    Named(Vec<u8>),
    /// Has no name, but a place in brackets that have none either: how deep, and the how-manieth there.
    Nested(usize, usize),
    /// Is in a line that begins with this word: in this field, behind so many marks in it.
    Worded(Vec<u8>, usize, usize),
    /// Is in a line without such a word, in this section, with so many fields; where in it, as above.
    Column(usize, usize, usize, usize),
}

/// The integers in places of one kind.
struct Group {
    place: Place,
    numbers: Vec<(Range, usize)>,
    /// Whether something else is in such places too, negative or with a fraction.
    is_mixed: bool,
    smallest: usize,
    largest: usize,
}

impl Group {
    fn fits(&self, base: usize, len: usize) -> bool {
        base <= self.smallest && self.largest < base + len
    }
}

/// A guess which numbers refer to the items of a list.
struct Guess {
    list: usize,
    base: usize,
    /// Where the numbers are, and the items that they refer to.
    references: Vec<(Range, usize)>,
    /// The items that nothing refers to.
    unused: Vec<usize>,
    /// Where the number of all items stands, if it does.
    count: Option<Range>,
}

/// What may go: a run of the items that nothing refers to, by a guess.
struct Run {
    guess: usize,
    first: usize,
    last: usize,
}

/// The lists of a text with items that nothing refers to.
#[derive(Default)]
pub struct Ordinals {
    lists: Vec<List>,
    guesses: Vec<Guess>,
    runs: Vec<Run>,
}

impl Ordinals {
    /// Those of `target`; none if it is longer than 1 MiB.
    pub fn of(target: &Target<u8>) -> Rc<Ordinals> {
        target.analysis(|target| {
            if target.len() > LONGEST_TEXT {
                return Ordinals::default();
            }
            Ordinals::new(target)
        })
    }

    fn new(target: &Target<u8>) -> Ordinals {
        let names = Names::new(target);
        let mut lists = lists(target, &names);
        lists.sort_by_cached_key(|list| core::cmp::Reverse(list.items.len()));
        lists.truncate(LISTS);
        let groups = groups(target, &names);
        let couplings = Couplings::of(target);
        let mut guesses = Vec::new();
        for (at, list) in lists.iter().enumerate() {
            let count = couplings.counting(&list.items);
            let is_count =
                |group: &Group| matches!(&group.numbers[..], [(range, _)] if Some(*range) == count);
            let refers = groups
                .iter()
                .filter(|group| !group.is_mixed && !is_count(group));
            for (base, chosen) in guessed(list, &refers.collect::<Vec<_>>()) {
                let references = chosen.iter().flat_map(|group| &group.numbers);
                let mut references: Vec<(Range, usize)> = references
                    .map(|&(range, value)| (range, value - base))
                    .collect();
                references.sort_unstable();
                let unused = unused(list, &references);
                let is_reference = |count: &Range| references.iter().any(|one| one.0 == *count);
                let last = references.iter().map(|(_, item)| *item).max();
                // Otherwise no number changes.
                if unused.first().is_some_and(|first| Some(*first) < last) {
                    guesses.push(Guess {
                        list: at,
                        base,
                        count: count.filter(|count| !is_reference(count)),
                        references,
                        unused,
                    });
                }
            }
        }
        guesses.truncate(ALL_GUESSES);
        let mut runs = Vec::new();
        for (at, guess) in guesses.iter().enumerate() {
            let count = guess.unused.len();
            add_runs(0, count - 1, &mut |first, last| {
                let guess = at;
                runs.push(Run { guess, first, last });
                (last - first) * SMALLEST_SHARE > count
            });
        }
        Ordinals {
            lists,
            guesses,
            runs,
        }
    }

    /// How many runs may go.
    pub fn runs(&self) -> usize {
        self.runs.len()
    }

    /// The edit without the items of a run, and with the numbers of all behind them set right.
    pub fn without(&self, run: usize) -> Option<Patch<u8>> {
        let Run { guess, first, last } = self.runs[run];
        let guess = &self.guesses[guess];
        let list = &self.lists[guess.list];
        let gone = &guess.unused[first..=last];
        let cuts = gone.chunk_by(|a, b| a + 1 == *b).filter_map(|run| {
            let range = |item: usize| list.items.get(item).copied();
            cut_of(range, list.is_separated, run[0], run[run.len() - 1])
        });
        let cuts: Vec<(usize, usize)> = cuts.collect();
        let is_cut = |range: Range| {
            let after = cuts.partition_point(|cut| cut.0 <= range.0 as usize);
            after
                .checked_sub(1)
                .is_some_and(|at| cuts[at].1 > range.0 as usize)
        };
        let number = |range: Range, value: usize| Edit {
            start: range.0 as usize,
            end: range.1 as usize,
            insert: Some(value.to_string().into_bytes().into()),
        };
        let references = guess.references.iter().filter_map(|&(range, item)| {
            let before = gone.partition_point(|gone| *gone < item);
            let is_changed = before > 0 && !is_cut(range);
            is_changed.then(|| number(range, item - before + guess.base))
        });
        let mut edits: Vec<Edit<u8>> = references.collect();
        if edits.is_empty() {
            return None;
        }
        let left = list.items.len() - gone.len();
        edits.extend(guess.count.map(|range| number(range, left)));
        let cuts = Patch::cuts(cuts.iter().copied());
        Patch::edits_of(edits).ok()?.combined(&cuts).ok()
    }
}

/// The names of what is in brackets.
struct Names<'a> {
    text: &'a [u8],
    /// By where they start, the outer ones first, each with its place among those of its brackets.
    members: Vec<(Member, usize)>,
}

impl<'a> Names<'a> {
    fn new(target: &'a Target<u8>) -> Names<'a> {
        let members = Members::of(target);
        let siblings = members.all().chunk_by(|one, other| one.pair == other.pair);
        let numbered = siblings.flat_map(|siblings| siblings.iter().copied().zip(0..));
        let mut members: Vec<(Member, usize)> = numbered.collect();
        members.sort_by_cached_key(|(member, _)| (member.start, u32::MAX - member.end));
        Names {
            text: target.elements(),
            members,
        }
    }

    /// What each of these positions, in order, is called: the name of the innermost member that has one and
    /// is around it. Without such a name: how deep it is and where in its brackets, or `None` for what is in
    /// none.
    fn of(&self, positions: impl Iterator<Item = u32>) -> Vec<Option<Place>> {
        let mut around: Vec<Around> = Vec::new();
        let mut next = 0;
        let called = positions.map(|at| {
            while let Some((member, place)) = self.members.get(next).filter(|m| m.0.start <= at) {
                leave(&mut around, member.start);
                let name = self.name(member);
                let outer = around.last().and_then(|outer| outer.within);
                around.push(Around {
                    member: *member,
                    place: *place,
                    before: outer,
                    within: name.or(outer),
                });
                next += 1;
            }
            leave(&mut around, at);
            let inner = around.last()?;
            let is_value = inner.member.value <= at;
            let name = if is_value { inner.within } else { inner.before };
            Some(match name {
                Some((start, end)) => {
                    Place::Named(self.text[start as usize..end as usize].to_vec())
                }
                None => Place::Nested(around.len(), inner.place),
            })
        });
        called.collect()
    }

    /// Where the name of a member stands, if it has one.
    fn name(&self, member: &Member) -> Option<Range> {
        (member.key.0 < member.key.1).then_some(member.key)
    }
}

/// A member that is around a position.
struct Around {
    member: Member,
    /// Its place among those of its brackets.
    place: usize,
    /// The names of the innermost member that has one: for what stands before its value, and for that.
    before: Option<Range>,
    within: Option<Range>,
}

/// Leaves the members that end up to `at`.
fn leave(around: &mut Vec<Around>, at: u32) {
    while around.last().is_some_and(|inner| inner.member.end <= at) {
        around.pop();
    }
}

/// The first word of a line.
fn word_of(line: &[u8]) -> &[u8] {
    let from = line.iter().position(u8::is_ascii_alphanumeric);
    let word = &line[from.unwrap_or(line.len())..];
    let end = word.iter().position(|byte| !byte.is_ascii_alphabetic());
    &word[..end.unwrap_or(word.len())]
}

/// What may be referred to: what stands between commas in brackets, lines that begin with one word, and
/// sections of lines.
fn lists(target: &Target<u8>, names: &Names<'_>) -> Vec<List> {
    let (text, members, lines) = (target.elements(), Members::of(target), Lines::of(target));
    let mut lists = Vec::new();
    let mut in_brackets: Vec<&[Member]> = members
        .all()
        .chunk_by(|one, other| one.pair == other.pair)
        .filter(|list| list.len() >= SHORTEST_LIST && list[0].key == (0, 0))
        .collect();
    in_brackets.sort_by_cached_key(|list| list[0].start);
    let places = names.of(in_brackets.iter().map(|list| list[0].start));
    for (list, place) in in_brackets.into_iter().zip(places) {
        let name = match place {
            Some(Place::Named(name)) => name,
            _ => Vec::new(),
        };
        lists.push(List {
            items: list.iter().map(|item| (item.start, item.end)).collect(),
            is_separated: true,
            name,
        });
    }
    let mut by_word: BTreeMap<&[u8], Vec<Range>> = BTreeMap::new();
    for line in 0..lines.len() {
        let (start, end) = lines.range(line);
        let word = word_of(&text[start..end]);
        if !word.is_empty() {
            let range = (start as u32, end as u32);
            by_word.entry(word).or_default().push(range);
        }
    }
    let rows = by_word
        .into_iter()
        .map(|(word, items)| (word.to_vec(), items));
    let sections = Sections::of(target);
    let sections = sections.ways().iter().flatten().map(|section| {
        let members = section.members.iter().map(|member| member.range);
        (Vec::new(), members.collect())
    });
    for (name, items) in rows.chain(sections) {
        if items.len() >= SHORTEST_LIST {
            let is_separated = false;
            lists.push(List {
                items,
                is_separated,
                name,
            });
        }
    }
    lists
}

/// Goes from line to line, and through each of them once.
struct Cursor<'a> {
    text: &'a [u8],
    /// Where each section begins.
    sections: Vec<u32>,
    /// The line: its first word, and its fields.
    word: &'a [u8],
    fields: usize,
    end: usize,
    /// Up to where it was gone through, how many fields began before, and how many marks are in the last one.
    at: usize,
    column: usize,
    marks: usize,
    is_in_field: bool,
}

impl<'a> Cursor<'a> {
    fn new(target: &'a Target<u8>) -> Cursor<'a> {
        let sections = Sections::of(target);
        let first = sections.ways().first().into_iter().flatten();
        let starts = first.filter_map(|section| Some(section.members.first()?.range.0));
        Cursor {
            text: target.elements(),
            sections: starts.collect(),
            word: &[],
            fields: 0,
            end: 0,
            at: 0,
            column: 0,
            marks: 0,
            is_in_field: false,
        }
    }

    /// The kind of place that what starts at `start` has in its line; it stands behind what was asked for last.
    fn place(&mut self, start: usize, lines: &Lines) -> Place {
        if start >= self.end {
            let (from, end) = lines.range(lines.around(start));
            let line = &self.text[from..end];
            let fields = line.split(u8::is_ascii_whitespace);
            self.word = word_of(line);
            self.fields = fields.filter(|field| !field.is_empty()).count();
            (self.at, self.end) = (from, end);
            (self.column, self.marks, self.is_in_field) = (0, 0, false);
        }
        for &byte in &self.text[self.at..start] {
            let was_in_field =
                core::mem::replace(&mut self.is_in_field, !byte.is_ascii_whitespace());
            if self.is_in_field && !was_in_field {
                (self.column, self.marks) = (self.column + 1, 0);
            }
            self.marks += usize::from(byte.is_ascii_punctuation());
        }
        self.at = start;
        let marks = if self.is_in_field { self.marks } else { 0 };
        match self.word {
            [] => {
                let section = self.sections.partition_point(|at| *at as usize <= start);
                Place::Column(section, self.fields, self.column, marks)
            }
            word => Place::Worded(word.to_vec(), self.column, marks),
        }
    }
}

/// All integers, by the kind of place that they are in.
fn groups(target: &Target<u8>, names: &Names<'_>) -> Vec<Group> {
    let (text, tokens, lines) = (target.elements(), Tokens::of(target), Lines::of(target));
    let mut cursor = Cursor::new(target);
    let numbers = tokens
        .all()
        .iter()
        .filter(|token| token.kind == Kind::Number);
    let places = names.of(numbers.clone().map(|token| token.start));
    let mut groups: Vec<Group> = Vec::new();
    let mut by_place: BTreeMap<Place, usize> = BTreeMap::new();
    for (token, place) in numbers.zip(places) {
        let (start, end) = token.range();
        let place = place.unwrap_or_else(|| cursor.place(start, &lines));
        let number = *by_place.entry(place.clone()).or_insert(groups.len());
        if number == groups.len() {
            groups.push(Group {
                place,
                numbers: Vec::new(),
                is_mixed: false,
                smallest: usize::MAX,
                largest: 0,
            });
        }
        let group = &mut groups[number];
        let is_negative = start > 0 && text[start - 1] == b'-';
        let digits = &text[start..end];
        let value = core::str::from_utf8(digits).ok();
        let value = value.filter(|_| digits.iter().all(u8::is_ascii_digit));
        match value.and_then(|value| value.parse::<usize>().ok()) {
            Some(value) if !is_negative => {
                group.smallest = value.min(group.smallest);
                group.largest = value.max(group.largest);
                group.numbers.push(((token.start, token.end), value));
            }
            _ => group.is_mixed = true,
        }
    }
    groups
}

/// Whether two names are one, but for an ending.
fn agree(one: &[u8], other: &[u8]) -> bool {
    let len = one.len().min(other.len());
    len >= SHORTEST_NAME && one[..len].eq_ignore_ascii_case(&other[..len])
}

/// The guesses what refers to a list, with the number that its first item has; the likeliest ones first.
fn guessed<'a>(list: &List, groups: &[&'a Group]) -> Vec<(usize, Vec<&'a Group>)> {
    let len = list.items.len();
    let is_named =
        |group: &&Group| matches!(&group.place, Place::Named(name) if agree(name, &list.name));
    let reaches = |group: &&Group| group.largest * 2 >= len;
    let counts_from_one = |group: &&Group| group.fits(1, len) && group.largest == len;
    let bases = if groups.iter().any(counts_from_one) {
        [1, 0]
    } else {
        [0, 1]
    };
    let mut guesses: Vec<(usize, Vec<&Group>)> = Vec::new();
    for base in bases {
        let fitting = groups.iter().copied().filter(|group| group.fits(base, len));
        let those =
            |is_one: &dyn Fn(&&Group) -> bool| fitting.clone().filter(is_one).collect::<Vec<_>>();
        let (all, reaching) = (those(&|_| true), those(&reaches));
        if reaching.is_empty() {
            continue;
        }
        let sets = [
            those(&|group| is_named(group) || reaches(group)),
            reaching.clone(),
            all.clone(),
            those(&is_named),
        ];
        let few = if reaching.len() <= FEW {
            &reaching[..]
        } else {
            &[]
        };
        let but_one = few
            .iter()
            .map(|one| those(&|group| group.place != one.place));
        let alone = reaching.iter().map(|one| alloc::vec![*one]);
        let sets = sets.into_iter().chain(but_one).chain(alone);
        guesses.extend(sets.take(GUESSES).map(|set| (base, set)));
    }
    guesses
}

/// The items that nothing refers to, or only such items themselves; where all that refers to items is in
/// items, nothing but this counts.
fn unused(list: &List, references: &[(Range, usize)]) -> Vec<usize> {
    let holder = |range: Range| {
        let after = list.items.partition_point(|item| item.0 <= range.0);
        let item = after.checked_sub(1)?;
        (range.1 <= list.items[item].1).then_some(item)
    };
    let mut is_used = alloc::vec![false; list.items.len()];
    let mut from = alloc::vec![Vec::new(); list.items.len()];
    let mut open = Vec::new();
    for &(range, item) in references {
        match holder(range) {
            Some(holder) => from[holder].push(item),
            None => open.push(item),
        }
    }
    if open.is_empty() {
        open.extend(from.iter().flatten());
    }
    while let Some(item) = open.pop() {
        if !core::mem::replace(&mut is_used[item], true) {
            open.append(&mut from[item]);
        }
    }
    (0..is_used.len()).filter(|item| !is_used[*item]).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What is left when all goes that a guess says, that of the likeliest one first.
    fn left(text: &str) -> Vec<alloc::string::String> {
        let target = Target::new(text.as_bytes().to_vec());
        let ordinals = Ordinals::of(&target);
        let whole = (0..ordinals.runs()).filter(|run| ordinals.runs[*run].first == 0);
        let patches = whole.filter_map(|run| ordinals.without(run));
        let texts = patches.map(|patch| patch.applied(target.elements()));
        let texts = texts.map(|text| alloc::string::String::from_utf8(text).unwrap());
        texts.collect()
    }

    #[test]
    fn what_refers_to_nothing_that_is_used_does_not_count() {
        let text = "{root: 2, nodes: [{next: [1]}, {next: [0]}, {next: [3]}, {next: []}]}";
        assert_eq!(left(text)[0], "{root: 0, nodes: [{next: [1]}, {next: []}]}");
    }

    #[test]
    fn the_number_of_all_is_set_right() {
        let vertex = |number: usize| alloc::format!("{number}.5 0.5 0.5\n");
        let vertices: Vec<_> = (0..8).map(vertex).collect();
        let text = alloc::format!("OFF\n8 1\n{}3 5 7 5\n", vertices.concat());
        let expected = "OFF\n2 1\n5.5 0.5 0.5\n7.5 0.5 0.5\n3 0 1 0\n";
        assert_eq!(left(&text)[0], expected);
    }

    #[test]
    fn what_is_negative_or_has_a_fraction_refers_to_nothing() {
        assert!(left("v 1\nv 2\nv 3\nv 4\nf 4\nf -1\n").is_empty());
        assert!(left("v a\nv b\nv c\nv d\nf 4\nf 1.5\n").is_empty());
        assert!(left("v a\nv b\nv c\nv d\nf 5\nf 1\n").is_empty());
    }
}
