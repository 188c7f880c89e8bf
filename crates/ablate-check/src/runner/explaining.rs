//! Finds out which of the shown values, and which parts of them, do not matter: with whatever else
//! is tried in their place, the property fails all the same.
//!
//! A part is a span within a draw, or a single choice. Where it stands in the text is seen from what
//! changes there when the part is drawn anew. It is marked only if nothing else in the draw changes
//! the same place: then what the place shows is the part, and nothing but the part.

use std::collections::BTreeMap;
use std::ops::Range;

use ablate_engine::target::Span;
use rand_core::{Rng, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

use super::reduction::values_of;
use super::run::{Ran, Runner};
use crate::choice::{Choice, Constraint, Toss, Value, mix};
use crate::failure::{Ending, FailureKind};
use crate::parts::{part_that_differs, parts};
use crate::report::Explained;
use crate::sample::{self, Plan};
use crate::test_case::{Beyond, Drawn, Line, TestCase};

/// How often a drawn value, or a part of one, is varied to find out whether it matters.
const VARIATIONS: u64 = 24;
/// How often it is tried before it is given up because hardly any variation says something.
const PATIENCE: u64 = 8;
/// How often a property is run to explain parts of values, in all its failures together.
pub(super) const RUNS_FOR_PARTS: u64 = 500;
/// So often, besides as often as it was run to reduce a failure, for the parts of that one: explaining
/// what is soon reduced should not take many times as long.
const RUNS_AT_LEAST: u64 = 100;

/// The reduced test case, as it was shown.
pub(super) struct Shown<'a> {
    pub kind: &'a FailureKind,
    pub choices: &'a [Choice],
    pub spans: &'a [Span],
    pub lines: &'a [Drawn],
    /// How often the property was run to reduce it.
    pub tests: u64,
}

/// What is varied at once.
struct Part {
    choices: Range<usize>,
    /// The place of its span; `None` for a single choice.
    span: Option<usize>,
    is_free: bool,
    place: Place,
}

/// Where in the text a part of the value is seen.
enum Place {
    Unknown,
    Nowhere,
    At(Range<usize>),
}

/// What came of one variation.
struct Varied {
    ran: Ran,
    /// The text of the value, if all of it but the part is made of the same choices as before.
    text: Option<String>,
    /// Whether everything else that was drawn is as before.
    is_only_change: bool,
}

impl<R: Ending, F: Fn(&mut TestCase) -> R> Runner<'_, F> {
    /// What is known of each draw of the reduced test case.
    pub(super) fn explain(&mut self, shown: &Shown<'_>) -> Vec<Explained> {
        let runs = self.runs_for_parts.min(RUNS_AT_LEAST + shown.tests);
        let rest = self.runs_for_parts - runs;
        self.runs_for_parts = runs;
        let values = values_of(shown.choices);
        let draws: Vec<(usize, usize)> = shown.lines.iter().filter_map(Drawn::interval).collect();
        let explain = |(draw, interval): (usize, (usize, usize))| {
            if self.is_free(shown.kind, &values, draw, interval) {
                return Explained::Free;
            }
            Explained::Parts(self.free_parts(shown, &values, draw, interval))
        };
        let explained = draws.into_iter().enumerate().map(explain).collect();
        self.runs_for_parts += rest;
        explained
    }

    /// Whether the property fails with any other value in the place of one draw.
    fn is_free(
        &mut self,
        kind: &FailureKind,
        values: &[Value],
        draw: usize,
        (start, end): (usize, usize),
    ) -> bool {
        let (mut fails, mut tries) = (0, 0);
        while start < end && fails < VARIATIONS && tries < 4 * VARIATIONS {
            let seed = mix(mix(draw as u64, tries), self.report.seed);
            self.tc.start_replay(values.to_vec(), Beyond::Random);
            self.tc.reseed(seed, Plan::for_case(100, seed));
            self.tc.set_hole(draw, end);
            match self.execute() {
                Ran::Failed(failure) if failure.kind == *kind => fails += 1,
                Ran::Valid | Ran::Failed(_) => return false,
                Ran::Invalid | Ran::Overran => {}
            }
            tries += 1;
        }
        fails == VARIATIONS
    }

    /// Where in the text of one draw parts stand that do not matter.
    fn free_parts(
        &mut self,
        shown: &Shown<'_>,
        values: &[Value],
        draw: usize,
        (start, end): (usize, usize),
    ) -> Vec<Range<usize>> {
        let Some(text) = text_of(shown.lines, draw) else {
            return Vec::new();
        };
        let leaves = (start..end).filter(|at| !is_structural(&shown.choices[*at]));
        // What else is in the draw has to be known, too.
        if end - start < 2 || leaves.count() as u64 > self.runs_for_parts {
            return Vec::new();
        }
        let places = parts(&text);
        let mut known: Vec<Part> = Vec::new();
        for mut part in varied_parts(shown, start..end) {
            let is_within = |other: &Part| other.is_free && covers(&other.choices, &part.choices);
            if !known.iter().any(is_within) {
                self.try_part(shown, values, draw, (&text, &places), &mut part);
                known.push(part);
            }
        }
        let mut free: Vec<Range<usize>> = Vec::new();
        for part in known.iter().filter(|part| part.is_free) {
            if let Place::At(place) = &part.place
                && place.len() < text.len()
                && is_alone(&known, part, place, shown, start..end)
            {
                free.push(place.clone());
            }
        }
        free.sort_by_key(|place| (place.start, place.end));
        free
    }

    /// Varies one part of a draw.
    fn try_part(
        &mut self,
        shown: &Shown<'_>,
        values: &[Value],
        draw: usize,
        (text, places): (&str, &[Range<usize>]),
        part: &mut Part,
    ) {
        let mut failing: Vec<Vec<Value>> = vec![values[part.choices.clone()].to_vec()];
        let (mut fails, mut tries, mut texts) = (0, 0, Vec::new());
        while fails < VARIATIONS && tries < 4 * VARIATIONS {
            if self.runs_for_parts < 2 || tries >= PATIENCE && 4 * fails < tries {
                break;
            }
            let place = mix(part.choices.start as u64, part.choices.end as u64);
            let seed = mix(mix(place, tries), self.report.seed);
            tries += 1;
            let made = match part.span {
                Some(span) => self.redrawn(shown, values, draw, span, seed),
                None => sampled(shown.choices, part.choices.start, seed),
            };
            let Some(made) = made else { continue };
            if failing.contains(&made) {
                fails += 1;
                continue;
            }
            let varied = self.vary(shown, values, draw, &part.choices, &made);
            texts.extend(varied.text.clone());
            match varied.ran {
                Ran::Failed(failure) if failure.kind == *shown.kind => {
                    if varied.is_only_change {
                        fails += 1;
                        failing.push(made);
                    }
                }
                Ran::Valid | Ran::Failed(_) => break,
                Ran::Invalid | Ran::Overran => {}
            }
        }
        part.is_free = fails == VARIATIONS && failing.len() > 1;
        part.place = match texts.iter().all(|other| other == text) {
            _ if texts.is_empty() => Place::Unknown,
            true => Place::Nowhere,
            false => Place::At(part_that_differs(text, places, &texts).unwrap_or(0..text.len())),
        };
    }

    /// Other choices for a span. The property is run up to the end of the draw.
    fn redrawn(
        &mut self,
        shown: &Shown<'_>,
        values: &[Value],
        draw: usize,
        span: usize,
        seed: u64,
    ) -> Option<Vec<Value>> {
        let wanted = shown.spans[span];
        self.runs_for_parts -= 1;
        self.tc
            .start_replay(values[..wanted.start].to_vec(), Beyond::Random);
        self.tc.reseed(seed, Plan::for_case(100, seed));
        self.tc.set_last_draw(draw);
        self.execute();
        let made = self.tc.spans().get(span)?;
        let is_kept = !self.tc.discarded().contains(&(span as u32));
        (is_kept && (made.start, made.label) == (wanted.start, wanted.label))
            .then(|| values_of(&self.tc.choices()[made.start..made.end]))
    }

    /// Runs the property with other values in the place of some.
    fn vary(
        &mut self,
        shown: &Shown<'_>,
        values: &[Value],
        draw: usize,
        replaced: &Range<usize>,
        made: &[Value],
    ) -> Varied {
        self.runs_for_parts -= 1;
        let parts = [&values[..replaced.start], made, &values[replaced.end..]];
        self.tc.start_replay(parts.concat(), Beyond::Random);
        self.tc.set_shown(true);
        let ran = self.execute();
        let read = values_of(self.tc.choices());
        let made_end = replaced.start + made.len();
        let lines = self.tc.shown();
        let mut draws = shown.lines.iter().filter_map(Drawn::interval);
        let rest = match draws.nth(draw) {
            Some((_, end)) => &values[replaced.end..end],
            None => &[],
        };
        let is_same = read.get(..made_end) == Some(&[parts[0], made].concat()[..])
            && read[made_end..].starts_with(rest);
        let text = text_of(lines, draw).filter(|_| is_same);
        let others = |lines: &[Drawn]| {
            let texts = (0..).map_while(|other| text_of(lines, other));
            let others = texts.enumerate().filter(|(other, _)| *other != draw);
            others.map(|(_, text)| text).collect::<Vec<_>>()
        };
        let is_only_change = text.is_some()
            && values[replaced.end..].starts_with(&read[made_end..])
            && others(shown.lines).starts_with(&others(lines));
        Varied {
            ran,
            text,
            is_only_change,
        }
    }
}

/// How the value of a draw looks.
fn text_of(lines: &[Drawn], draw: usize) -> Option<String> {
    let texts = lines.iter().filter_map(|drawn| match &drawn.line {
        Line::Value(_, text) => Some(text),
        Line::Note(_) => None,
    });
    texts.clone().nth(draw).cloned()
}

/// The spans and choices within a draw that can be varied, those around others first.
fn varied_parts(shown: &Shown<'_>, draw: Range<usize>) -> Vec<Part> {
    let mut found = BTreeMap::new();
    for (place, span) in shown.spans.iter().enumerate() {
        let is_inside = span.start < span.end && covers(&draw, &(span.start..span.end));
        let is_whole = span.start == draw.start && span.end == draw.end;
        if is_inside && !is_whole && !is_element(shown, place) {
            let key = (span.start, usize::MAX - span.end);
            found.entry(key).or_insert(Some(place));
        }
    }
    for at in draw {
        if can_vary(&shown.choices[at]) {
            found.insert((at, usize::MAX - (at + 1)), None);
        }
    }
    let part = |((start, end), span)| Part {
        choices: start..usize::MAX - end,
        span,
        is_free: false,
        place: Place::Unknown,
    };
    found.into_iter().map(part).collect()
}

/// Whether a span is an element of a collection, with the choice that there is one.
fn is_element(shown: &Shown<'_>, place: usize) -> bool {
    let start = shown.spans[place].start;
    let has_more = matches!(
        shown.choices[start].constraint(),
        Constraint::Boolean(Toss::More | Toss::Forced(_))
    );
    let mut inner = shown.spans[place + 1..].iter();
    has_more
        && shown.choices[start].value() == Value::Boolean(true)
        && !inner.any(|span| span.start == start)
}

/// Whether a choice decides what else there is, rather than what is seen of it; or nothing at all.
fn is_structural(choice: &Choice) -> bool {
    match choice.constraint() {
        Constraint::Boolean(_) | Constraint::Index(_) | Constraint::Branch(_) => true,
        Constraint::Integer(range) => range.width() == 0,
        Constraint::Float(_) | Constraint::Bytes(_) | Constraint::Text(..) => false,
    }
}

fn can_vary(choice: &Choice) -> bool {
    match choice.constraint() {
        Constraint::Boolean(toss) => toss == Toss::Free,
        Constraint::Index(count) | Constraint::Branch(count) => count > 1,
        _ => !is_structural(choice),
    }
}

fn covers(outer: &Range<usize>, inner: &Range<usize>) -> bool {
    outer.start <= inner.start && inner.end <= outer.end
}

fn overlap(a: &Range<usize>, b: &Range<usize>) -> bool {
    a.start < b.end && b.start < a.end
}

/// Whether nothing else in the draw is seen where this part is.
fn is_alone(
    known: &[Part],
    part: &Part,
    place: &Range<usize>,
    shown: &Shown<'_>,
    draw: Range<usize>,
) -> bool {
    let apart = |other: &&Part| !overlap(&other.choices, &part.choices);
    let is_elsewhere = |other: &Part| match &other.place {
        Place::At(other) => !overlap(other, place),
        Place::Unknown | Place::Nowhere => true,
    };
    let is_known = |other: &Part| !matches!(other.place, Place::Unknown);
    let mut unknown = draw.filter(|at| {
        let is_covered = |other: &Part| other.choices.contains(at) && is_known(other);
        !part.choices.contains(at)
            && !is_structural(&shown.choices[*at])
            && !known.iter().filter(apart).any(is_covered)
    });
    known.iter().filter(apart).all(is_elsewhere) && unknown.next().is_none()
}

/// Another value for a single choice.
fn sampled(choices: &[Choice], at: usize, seed: u64) -> Option<Vec<Value>> {
    let mut random = Xoshiro256PlusPlus::seed_from_u64(seed);
    let (random, plan) = (&mut random, Plan::for_case(100, seed));
    let value = match choices[at].constraint() {
        Constraint::Boolean(_) => Value::Boolean(random.next_u64() & 1 == 1),
        Constraint::Integer(range) => {
            Value::Integer(sample::integer(random, &plan, range, choices))
        }
        Constraint::Index(count) | Constraint::Branch(count) => {
            Value::Integer(i128::from(random.next_u64()) % i128::from(count.max(1)))
        }
        Constraint::Float(range) => Value::Float(sample::float(random, range, choices).to_bits()),
        Constraint::Bytes(sizes) => Value::Bytes(sample::bytes(random, &plan, sizes, 1)),
        Constraint::Text(alphabet, sizes) => {
            Value::Text(sample::text(random, &plan, &alphabet, sizes, 1, choices))
        }
    };
    choices[at]
        .constraint()
        .permits(&value)
        .then(|| vec![value])
}
