//! What the passes know of a target's shape: spans, families of sibling spans, and numbers; each
//! is found when it is first asked for.

use std::cmp::Ordering;
use std::collections::BTreeMap;
use std::ops::{Deref, Range};
use std::rc::Rc;
use std::sync::Arc;

use ablate_engine::order::ElementOrder;
use ablate_engine::patch::{Edit, Patch};
use ablate_engine::target::{Span, Target};

use crate::choice::{Choice, Constraint, IntegerRange, Simplicity, Toss, Value};

/// The label of spans whose values were not used; it stands for that which they had.
pub(crate) const DISCARDED: u64 = crate::generator::label("discarded");

/// Spans of the same label in the same span, in order: the elements of a list, the parts of a
/// tuple that are made alike.
#[derive(Debug)]
pub(crate) struct Family {
    pub label: u64,
    pub members: Vec<(usize, usize)>,
    /// Whether each begins where the one before it ends.
    pub is_dense: bool,
}

/// All families, the ones that reach least far first.
#[derive(Debug)]
pub(crate) struct Families {
    families: Vec<Family>,
    /// For each span of the target the place of its family among them, and its own in the family.
    places: Vec<(u32, u32)>,
}

/// The start, the end and the label of a span.
pub(crate) type Place = (usize, usize, u64);

/// The spans that hold something, the shortest first.
#[derive(Debug)]
pub(crate) struct Spans {
    spans: Arc<Vec<Span>>,
    /// Their places among all spans.
    order: Vec<u32>,
    families: Rc<Families>,
}

/// The same spans, the shortest first; of equally long ones the last one first.
#[derive(Debug)]
pub(crate) struct SpansBackwards(Spans);

/// Which choices there are at all: passes that want others need not look for them.
#[derive(Debug, Default)]
pub(crate) struct Kinds {
    pub has_floats: bool,
    /// Bytes or texts.
    pub has_letters: bool,
    /// Booleans that could be either, and say nothing of a collection.
    pub has_tosses: bool,
}

impl Kinds {
    fn add(&mut self, choice: &Choice) {
        match &choice.value {
            Value::Float(_) => self.has_floats = true,
            Value::Bytes(_) | Value::Text(_) => self.has_letters = true,
            Value::Boolean(_) => {
                self.has_tosses |= matches!(choice.constraint, Constraint::Boolean(Toss::Free));
            }
            _ => {}
        }
    }
}

/// Where numbers stand, in order.
#[derive(Debug)]
pub(crate) struct Numbers {
    /// Those that are not the simplest.
    pub lowerable: Vec<usize>,
    pub all: Vec<usize>,
    /// What else there is, and floats.
    pub kinds: Kinds,
}

impl Numbers {
    /// The numbers of a target; found once for each.
    pub fn of(target: &Target<Choice>) -> Rc<Numbers> {
        target.analysis(Numbers::found)
    }

    fn found(target: &Target<Choice>) -> Numbers {
        let elements = target.elements();
        let mut numbers = Numbers {
            lowerable: Vec::with_capacity(elements.len()),
            all: Vec::with_capacity(elements.len()),
            kinds: Kinds::default(),
        };
        for (at, choice) in elements.iter().enumerate() {
            let is_lowerable = match (&choice.value, &choice.constraint) {
                // By far the most.
                (Value::Integer(value), Constraint::Integer(interval)) => {
                    *value != interval.origin()
                }
                _ => {
                    numbers.kinds.add(choice);
                    match distance(choice) {
                        Some(distance) => distance > 0,
                        None => continue,
                    }
                }
            };
            numbers.all.push(at);
            if is_lowerable {
                numbers.lowerable.push(at);
            }
        }
        numbers
    }

    /// Which of all numbers is the only one in an interval.
    pub fn only_in(&self, interval: (usize, usize)) -> Option<usize> {
        only_in(&self.all, interval)
    }
}

/// Numbers that stand for an amount, in order: all but those that say which alternative was chosen.
#[derive(Debug)]
pub(crate) struct Amounts(Vec<usize>);

impl Amounts {
    /// The amounts of a target; found once for each.
    pub fn of(target: &Target<Choice>) -> Rc<Amounts> {
        target.analysis(|target| {
            let is_amount = |at: &usize| {
                let constraint = &target.elements()[*at].constraint;
                !matches!(constraint, Constraint::Index(_) | Constraint::Branch(_))
            };
            let numbers = Numbers::of(target);
            Amounts(numbers.all.iter().copied().filter(is_amount).collect())
        })
    }

    /// Which of them is the only one in an interval.
    pub fn only_in(&self, interval: (usize, usize)) -> Option<usize> {
        only_in(&self.0, interval)
    }
}

impl Deref for Amounts {
    type Target = [usize];

    fn deref(&self) -> &[usize] {
        &self.0
    }
}

/// Which of these places is the only one in an interval.
fn only_in(places: &[usize], (start, end): (usize, usize)) -> Option<usize> {
    let first = places.partition_point(|&at| at < start);
    let is_only = places.get(first + 1).is_none_or(|&at| at >= end);
    (*places.get(first)? < end && is_only).then_some(first)
}

/// Numbers with their places, the least first; of equal ones the first.
#[derive(Debug)]
pub(crate) struct ByValue(Vec<(i128, usize)>);

impl ByValue {
    /// All numbers of a target; found once for each.
    pub fn of(target: &Target<Choice>) -> Rc<ByValue> {
        target.analysis(|target| {
            let elements = target.elements();
            let places = &Numbers::of(target).all;
            let mut numbers = Vec::with_capacity(places.len());
            for &at in places {
                if let Some(value) = number(&elements[at]) {
                    numbers.push((value, at));
                }
            }
            ByValue(sorted(numbers))
        })
    }
}

impl Deref for ByValue {
    type Target = [(i128, usize)];

    fn deref(&self) -> &[(i128, usize)] {
        &self.0
    }
}

/// The same by value; their places come in order. Mostly a number and its place fit into one word,
/// and words are soon sorted.
fn sorted(mut numbers: Vec<(i128, usize)>) -> Vec<(i128, usize)> {
    let Some(&(first, last)) = numbers.last() else {
        return numbers;
    };
    let bounds = (first, first);
    let (least, greatest) = numbers
        .iter()
        .fold(bounds, |(least, greatest), (value, _)| {
            (least.min(*value), greatest.max(*value))
        });
    let bits = u64::BITS - (last as u64).leading_zeros();
    if 1u128
        .checked_shl(u64::BITS - bits)
        .is_none_or(|above| least.abs_diff(greatest) >= above)
    {
        numbers.sort_unstable();
        return numbers;
    }
    let packed = |&(value, at): &(i128, usize)| (value.abs_diff(least) as u64) << bits | at as u64;
    let mut words: Vec<u64> = numbers.iter().map(packed).collect();
    let range = least.abs_diff(greatest) as u64;
    sort_words(&mut words, bits..u64::BITS - range.leading_zeros() + bits);
    for (number, word) in numbers.iter_mut().zip(words) {
        let at = word & ((1 << bits) - 1);
        *number = (least + i128::from(word >> bits), at as usize);
    }
    numbers
}

/// So many bits are sorted by at a time.
const DIGIT: u32 = 8;

/// Sorts numbers that are in order but for these bits: where there are few for how many numbers there
/// are, from the lowest on, which takes less than to compare them.
fn sort_words(words: &mut Vec<u64>, bits: Range<u32>) {
    if words.len() >> (DIGIT - 2) < bits.len().div_ceil(DIGIT as usize) {
        words.sort_unstable();
        return;
    }
    let mut sorted = vec![0; words.len()];
    for shift in bits.step_by(DIGIT as usize) {
        let digit = |word: u64| (word >> shift) as usize % (1 << DIGIT);
        let mut places = [0; 1 << DIGIT];
        words.iter().for_each(|&word| places[digit(word)] += 1);
        let mut sum = 0;
        for place in &mut places {
            sum += std::mem::replace(place, sum);
        }
        for &word in words.iter() {
            let place = &mut places[digit(word)];
            sorted[*place] = word;
            *place += 1;
        }
        std::mem::swap(words, &mut sorted);
    }
}

impl Spans {
    /// The spans of a target; found once for each.
    pub fn of(target: &Target<Choice>) -> Rc<Spans> {
        target.analysis_of_spans(Spans::found)
    }

    fn found(target: &Target<Choice>) -> Spans {
        let families = Families::of(target);
        let spans = target.spans();
        Spans {
            spans: Arc::clone(spans),
            order: by_len(spans),
            families,
        }
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.order.len()
    }

    /// One of them.
    #[inline]
    pub fn at(&self, at: usize) -> Place {
        let span = &self.spans[self.order[at] as usize];
        (span.start, span.end, span.label)
    }

    /// How many are shorter than this.
    pub fn shorter_than(&self, len: usize) -> usize {
        (self.order).partition_point(|&at| self.spans[at as usize].len() < len)
    }

    /// All of them.
    pub fn iter(&self) -> impl Iterator<Item = Place> {
        (0..self.len()).map(|at| self.at(at))
    }

    /// How many members the family of a span has, which is given by its place among them.
    #[inline]
    pub fn siblings(&self, at: usize) -> usize {
        let (family, _) = self.families.places[self.order[at] as usize];
        self.families[family as usize].members.len()
    }

    /// Whether the next span of the family holds the same, and nothing stands between them: without
    /// either of them the target is the same.
    #[inline]
    pub fn is_repeated(&self, target: &Target<Choice>, at: usize) -> bool {
        let (family, place) = self.families.places[self.order[at] as usize];
        let members = &self.families[family as usize].members[place as usize..];
        let [(start, end), (next, next_end), ..] = members[..] else {
            return false;
        };
        let elements = target.elements();
        // Mostly they are short: a call for each would take longer.
        let is_same = |(one, other): (&Choice, &Choice)| one.equals(other);
        end == next
            && end - start == next_end - next
            && (elements[start..end].iter().zip(&elements[next..next_end])).all(is_same)
    }
}

impl SpansBackwards {
    /// The spans of a target; found once for each.
    pub fn of(target: &Target<Choice>) -> Rc<SpansBackwards> {
        target.analysis_of_spans(|target| {
            let spans = Spans::of(target);
            let len = |at: &u32| spans.spans[*at as usize].len();
            let mut order = spans.order.clone();
            let equal = order.chunk_by_mut(|one, next| len(one) == len(next));
            equal.for_each(<[u32]>::reverse);
            SpansBackwards(Spans {
                spans: Arc::clone(&spans.spans),
                order,
                families: Rc::clone(&spans.families),
            })
        })
    }
}

impl Deref for SpansBackwards {
    type Target = Spans;

    fn deref(&self) -> &Spans {
        &self.0
    }
}

impl Families {
    /// The families of a target; found once for each.
    pub fn of(target: &Target<Choice>) -> Rc<Families> {
        target.analysis_of_spans(Families::found)
    }

    fn found(target: &Target<Choice>) -> Families {
        let (mut families, mut places) = families(target.spans());
        if families.is_sorted_by_key(Family::extent) {
            return Families { families, places };
        }
        let mut order: Vec<usize> = (0..families.len()).collect();
        order.sort_by_key(|&family| families[family].extent());
        let mut ranks = vec![0; order.len()];
        for (rank, &family) in order.iter().enumerate() {
            ranks[family] = rank as u32;
        }
        for place in &mut places {
            place.0 = ranks[place.0 as usize];
        }
        families.sort_by_key(Family::extent);
        Families { families, places }
    }

    /// The family whose members from one place to another are exactly this interval.
    pub fn run_of(&self, start: usize, end: usize) -> Option<(&Family, usize, usize)> {
        self.iter().find_map(|family| {
            let members = &family.members;
            let first = members.partition_point(|member| member.0 < start);
            let last = members.partition_point(|member| member.1 < end);
            let fits = first <= last
                && members.get(first).is_some_and(|member| member.0 == start)
                && members.get(last).is_some_and(|member| member.1 == end);
            fits.then_some((family, first, last))
        })
    }
}

impl Deref for Families {
    type Target = [Family];

    fn deref(&self) -> &[Family] {
        &self.families
    }
}

/// The places of the spans that hold something, the shortest first, of equally long ones the first. Of
/// those that hold the same one is enough.
fn by_len(spans: &[Span]) -> Vec<u32> {
    // Those that follow each other are mostly as long as each other.
    let mut runs: Vec<(usize, u32)> = Vec::new();
    // How many there are of each length, and where the next of them begins at the earliest if they are
    // in order, and each holds something else.
    let mut of_len: Vec<(u32, u32)> = Vec::new();
    let mut is_sorted = true;
    for run in spans.chunk_by(|one, next| one.len() == next.len()) {
        let (len, added) = (run[0].len(), run.len() as u32);
        if len >= of_len.len() {
            of_len.resize(len + 1, (0, 0));
        }
        let (count, next) = &mut of_len[len];
        *count += added;
        is_sorted &=
            *next as usize <= run[0].start && run.is_sorted_by(|one, next| one.start < next.start);
        *next = run[run.len() - 1].start as u32 + 1;
        runs.push((len, added));
    }
    // Those that hold nothing are left out.
    if let Some(empty) = of_len.first_mut() {
        empty.0 = 0;
    }
    // The place of the first of each length.
    let mut sum = 0;
    for (place, _) in &mut of_len {
        sum += std::mem::replace(place, sum);
    }
    let mut order = vec![0; sum as usize];
    let mut at = 0;
    for (len, count) in runs {
        let next = at + count;
        if len > 0 {
            let (place, _) = &mut of_len[len];
            let slots = order[*place as usize..].iter_mut().zip(at..next);
            slots.for_each(|(slot, at)| *slot = at);
            *place += count;
        }
        at = next;
    }
    if !is_sorted {
        let interval = |at: &u32| (spans[*at as usize].len(), spans[*at as usize].start);
        order.sort_by_key(interval);
        order.dedup_by(|next, kept| interval(next) == interval(kept));
    }
    order
}

/// The families of spans, by where the first member of each stands; and for each span the place of
/// its family among them, and its own in the family.
fn families(spans: &[Span]) -> (Vec<Family>, Vec<(u32, u32)>) {
    // The spans around the one at hand, and by parent and label the family of its members.
    let mut around: Vec<usize> = Vec::new();
    let mut places: BTreeMap<(usize, u64), usize> = BTreeMap::new();
    let mut families: Vec<Family> = Vec::new();
    let mut places_of = Vec::with_capacity(spans.len());
    // Those that follow each other as deep as each other are in the same span.
    let mut at = 0;
    for run in spans.chunk_by(|one, next| (one.depth, one.label) == (next.depth, next.label)) {
        let Span { depth, label, .. } = run[0];
        around.truncate(depth as usize);
        // The target itself is the parent of those that nothing encloses.
        let parent = around.last().map_or(0, |parent| parent + 1);
        let place = *places.entry((parent, label)).or_insert_with(|| {
            families.push(Family {
                label,
                members: Vec::new(),
                is_dense: true,
            });
            families.len() - 1
        });
        let family = &mut families[place];
        let first = family.members.len();
        let members = first as u32..(first + run.len()) as u32;
        places_of.extend(members.map(|member| (place as u32, member)));
        let added = run.iter().map(|span| (span.start, span.end));
        family.members.extend(added);
        let mut pairs = family.members[first.saturating_sub(1)..].windows(2);
        family.is_dense &= pairs.all(|pair| pair[0].1 == pair[1].0);
        at += run.len();
        around.push(at - 1);
    }
    (families, places_of)
}

impl Family {
    /// How far it reaches.
    pub fn extent(&self) -> usize {
        let first = self.members.first().map_or(0, |member| member.0);
        self.members.last().map_or(0, |member| member.1) - first
    }

    /// Without the members from one to another, which may be none, and with other numbers in some
    /// places.
    pub fn without(
        &self,
        target: &Target<Choice>,
        members: Range<usize>,
        numbers: impl IntoIterator<Item = (usize, i128)>,
    ) -> Option<Patch<Choice>> {
        match &self.members[members] {
            [first, .., last] if self.is_dense => {
                delete_and_put(target, &[(first.0, last.1)], numbers)
            }
            members => delete_and_put(target, members, numbers),
        }
    }

    /// The number before the family that says how many members it has. There is none where nothing
    /// stands before it, or a boolean before each member says that there is one more.
    pub fn count_in(&self, target: &Target<Choice>) -> Option<usize> {
        let first = self.members.first()?.0;
        if first == 0 || is_more(target.elements().get(first)?) {
            return None;
        }
        let numbers = Numbers::of(target);
        let before = numbers.lowerable.partition_point(|&at| at < first);
        let count = self.members.len() as i128;
        let mut numbers = numbers.lowerable[..before].iter().rev().copied();
        numbers.find(|&at| number(&target.elements()[at]) == Some(count))
    }
}

/// Deletes intervals, and puts other numbers in the places of some.
pub(crate) fn delete_and_put(
    target: &Target<Choice>,
    deleted: &[(usize, usize)],
    numbers: impl IntoIterator<Item = (usize, i128)>,
) -> Option<Patch<Choice>> {
    let cut = |(start, end)| Edit {
        start,
        end,
        insert: None,
    };
    let put = |(at, value)| Edit {
        start: at,
        end: at + 1,
        insert: Some([with_number(&target.elements()[at], value)].into()),
    };
    // Mostly one begins where another ends.
    let runs = deleted.chunk_by(|one, next| one.1 == next.0);
    let cuts = runs.map(|run| cut((run[0].0, run[run.len() - 1].1)));
    Patch::edits_of(cuts.chain(numbers.into_iter().map(put))).ok()
}

/// A span's content, with marks around each span in it and around the whole: a replay takes it
/// apart by spans, wherever it stands.
pub(crate) fn marked(target: &Target<Choice>, start: usize, end: usize, label: u64) -> Vec<Choice> {
    let mut content = vec![Choice::mark(Value::Open(label))];
    let within = target
        .spans()
        .iter()
        .filter(|span| start <= span.start && span.end <= end && !span.is_empty());
    // The whole has its mark already.
    let mut inner = within
        .skip_while(|span| span.label != label)
        .skip(1)
        .peekable();
    let mut ends: Vec<usize> = Vec::new();
    for at in start..end {
        while let Some(span) = inner.next_if(|span| span.start <= at) {
            if span.start == at {
                content.push(Choice::mark(Value::Open(span.label)));
                ends.push(span.end);
            }
        }
        content.push(target.elements()[at].clone());
        while ends.pop_if(|end| *end == at + 1).is_some() {
            content.push(Choice::mark(Value::Close));
        }
    }
    content.push(Choice::mark(Value::Close));
    content
}

/// A tuple, a struct or a date of so many numbers at most is a record.
const RECORD: usize = 8;

/// Whether one of the target's spans, by its place, holds several integers and nothing else, not even spans.
pub(crate) fn is_record(target: &Target<Choice>, place: usize) -> bool {
    let (spans, elements) = (target.spans(), target.elements());
    let Span { start, end, .. } = spans[place];
    let is_integer = |choice: &Choice| matches!(choice.constraint, Constraint::Integer(_));
    (2..=RECORD).contains(&(end - start))
        && spans.get(place + 1).is_none_or(|next| next.start >= end)
        && elements[start..end].iter().all(is_integer)
}

/// The kinds of choices, as far as they are wanted, with the places of each; by their constraints.
pub(crate) fn kinds(
    elements: &[Choice],
    is_wanted: impl Fn(&Choice) -> bool,
) -> Vec<(&Constraint, Vec<usize>)> {
    let mut known: BTreeMap<&Constraint, usize> = BTreeMap::new();
    let mut places: Vec<Vec<usize>> = Vec::new();
    let mut last: Option<(&Constraint, usize)> = None;
    for (at, choice) in elements.iter().enumerate() {
        if !is_wanted(choice) {
            continue;
        }
        let constraint = &choice.constraint;
        // Mostly it is of the kind of the one before it.
        let same = last.filter(|(last, _)| last.equals(constraint));
        let kind = same.map_or_else(
            || *known.entry(constraint).or_insert(places.len()),
            |(_, kind)| kind,
        );
        if kind == places.len() {
            places.push(Vec::new());
        }
        places[kind].push(at);
        last = Some((constraint, kind));
    }
    let kinds = known.into_iter();
    kinds
        .map(|(constraint, kind)| (constraint, std::mem::take(&mut places[kind])))
        .collect()
}

/// Which of two runs of choices is the simpler one.
pub(crate) fn compare(a: &[Choice], b: &[Choice]) -> Ordering {
    a.len().cmp(&b.len()).then_with(|| {
        let pairs = a.iter().zip(b).filter(|(a, b)| a != b);
        let mut ordered = pairs.map(|(a, b)| Simplicity.compare(a, b));
        ordered
            .find(|order| order.is_ne())
            .unwrap_or(Ordering::Equal)
    })
}

/// How far a number is from the simplest; `None` for what is no number.
pub(crate) fn distance(choice: &Choice) -> Option<u128> {
    match (&choice.value, &choice.constraint) {
        (Value::Integer(value), Constraint::Integer(interval)) => {
            Some(value.abs_diff(interval.range().origin))
        }
        _ => Some(number(choice)?.abs_diff(bounds(choice)?.origin)),
    }
}

/// The numbers that a choice of a number can be.
pub(crate) fn bounds(choice: &Choice) -> Option<IntegerRange> {
    match &choice.constraint {
        Constraint::Integer(interval) => Some(interval.range()),
        Constraint::Index(count) | Constraint::Branch(count) => {
            Some(IntegerRange::new(0, i128::from(*count).max(1) - 1, 0))
        }
        Constraint::Float(range) => {
            let origin = whole(range.simplest())?;
            let (least, greatest) = (range.least().ceil(), range.greatest().floor());
            let clamped = |bound: f64| bound.clamp(-WHOLE, WHOLE) as i128;
            Some(IntegerRange::new(
                clamped(least).min(origin),
                clamped(greatest).max(origin),
                origin,
            ))
        }
        _ => None,
    }
}

/// The number that was chosen, if it was a whole one.
pub(crate) fn number(choice: &Choice) -> Option<i128> {
    match &choice.value {
        Value::Integer(value) => Some(*value),
        Value::Float(bits) => whole(f64::from_bits(*bits)),
        _ => None,
    }
}

/// The floating-point number that was chosen.
pub(crate) fn float(choice: &Choice) -> Option<f64> {
    match choice.value {
        Value::Float(bits) => Some(f64::from_bits(bits)),
        _ => None,
    }
}

/// Up to here every whole number is a float.
pub(crate) const WHOLE: f64 = (1u64 << 53) as f64;

fn whole(float: f64) -> Option<i128> {
    (float.fract() == 0.0 && float.abs() <= WHOLE).then_some(float as i128)
}

/// The same place with another number, whether or not that is permitted: a replay repairs it.
pub(crate) fn with_number(choice: &Choice, value: i128) -> Choice {
    let mut with = choice.clone();
    set_number(&mut with, value);
    with
}

/// Makes of a choice one of another number, as [`with_number`] does.
#[inline]
pub(crate) fn set_number(choice: &mut Choice, value: i128) {
    match (&mut choice.value, &choice.constraint) {
        // By far the most.
        (Value::Integer(number), Constraint::Integer(_)) => *number = value,
        _ => set_other_number(choice, value),
    }
}

#[inline(never)]
fn set_other_number(choice: &mut Choice, value: i128) {
    choice.value = match &choice.constraint {
        Constraint::Float(_) => Value::Float((value as f64).to_bits()),
        _ => Value::Integer(value),
    };
}

/// Whether a choice says that a collection has one more element, or that it has no more.
pub(crate) fn is_more(choice: &Choice) -> bool {
    matches!(choice.constraint, Constraint::Boolean(Toss::More))
}

/// The same place with its simplest value.
pub(crate) fn simplest(choice: &Choice) -> Choice {
    Choice::new(choice.constraint.simplest(), choice.constraint.clone())
}

/// An edit that gives single choices their simplest values, and so many more: the next of these places
/// before the first of them.
pub(crate) fn with_more_before(
    target: &Target<Choice>,
    patch: &Patch<Choice>,
    places: &[usize],
    amount: usize,
) -> Option<Patch<Choice>> {
    let is_simplified = |edit: &Edit<Choice>| {
        let insert = edit.insert.as_deref();
        edit.end == edit.start + 1 && matches!(insert, Some([choice]) if choice.is_simplest())
    };
    if !patch.edits().iter().all(is_simplified) {
        return None;
    }
    let first = places.binary_search(&patch.extent()?.0).ok()?;
    let more = &places[first.checked_sub(amount)?..first];
    let more = Patch::change_each(target.elements(), more, Choice::simplify);
    more.combined(patch).ok()
}

/// Puts the numbers in order, the simplest first, each where another was.
pub(crate) fn order_numbers(content: &mut [Choice]) {
    let places: Vec<usize> = (0..content.len())
        .filter(|&at| distance(&content[at]).is_some())
        .collect();
    let mut numbers: Vec<Choice> = places.iter().map(|&at| content[at].clone()).collect();
    numbers.sort_by_key(distance);
    for (at, number) in places.into_iter().zip(numbers) {
        content[at].value = number.value;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::prelude::*;

    #[test]
    fn numbers_of_any_range_are_sorted() {
        crate::check(|tc| {
            let bound = tc.draw(sample([3i128, 1 << 40, i128::MAX]));
            let values = tc.draw(vec(-bound..=bound));
            let numbers: Vec<(i128, usize)> = values.into_iter().zip(0..).collect();
            let mut expected = numbers.clone();
            expected.sort_unstable();
            assert_eq!(sorted(numbers), expected);
        });
    }

    #[test]
    fn spans_that_hold_different_things_are_put_in_order_of_their_lengths() {
        crate::check(|tc| {
            let mut places = tc.draw(vec((0usize..20, 0usize..4)));
            // Spans come in order of their starts, but for those that a caller has made.
            if tc.draw(any::<bool>()) {
                places.sort_unstable();
            }
            let spans: Vec<Span> = places
                .into_iter()
                .map(|(start, len)| Span {
                    start,
                    end: start + len,
                    label: 0,
                    depth: 0,
                })
                .collect();
            let filled = (0..spans.len() as u32).filter(|&at| !spans[at as usize].is_empty());
            let mut expected: Vec<u32> = filled.collect();
            let interval = |at: &mut u32| (spans[*at as usize].len(), spans[*at as usize].start);
            expected.sort_by_key(|at| interval(&mut at.clone()));
            expected.dedup_by_key(interval);
            assert_eq!(by_len(&spans), expected);
        });
    }
}
