//! Adaptive searches: how far something that works can be taken, with few probes.
//!
//! After "Adaptive delta debugging" (D. R. MacIver, 2017): a linear probe for the first few
//! values, then an exponential one, then binary search. Each search is a value that is asked for
//! its next probe and told the answer, so that a caller can also run ahead on all answers.

use alloc::vec::Vec;

/// The document's `linear_cap`: the values up to this one above the start are tried one by one.
const LINEAR_STEPS: usize = 5;

/// What a search wants next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Next {
    /// Whether this value still works.
    Probe(usize),
    /// The search is over: this is the last value that works.
    Done(usize),
}

/// Searches the last value that works, between a value that is known to work and an upper bound,
/// supposing that all values up to some point work and none after it does. If they don't, the
/// result works all the same, and the value after it does not.
///
/// To be used as a loop over [`FindChangePoint::next`] and [`FindChangePoint::record`]:
///
/// ```
/// use ablate_engine::search::{FindChangePoint, Next};
///
/// let mut search = FindChangePoint::new(0, 100);
/// let last = loop {
///     match search.next() {
///         Next::Probe(value) => search.record(value <= 42),
///         Next::Done(value) => break value,
///     }
/// };
/// assert_eq!(last, 42);
/// ```
#[derive(Clone, Copy, Debug)]
pub struct FindChangePoint {
    state: State,
    high: usize,
    is_rough: bool,
}

#[derive(Clone, Copy, Debug)]
enum State {
    /// `works` is the last value known to work, `left` the probes that are left.
    Linear { works: usize, left: usize },
    /// `works` works; the next probe is `gap` above it.
    Exponential { works: usize, gap: usize },
    /// `works` works, `fails` does not.
    Binary { works: usize, fails: usize },
}

impl FindChangePoint {
    /// Searches in `low..=high`, where `low` is known to work.
    pub fn new(low: usize, high: usize) -> FindChangePoint {
        let high = high.max(low);
        FindChangePoint {
            state: State::Linear {
                works: low,
                left: LINEAR_STEPS,
            },
            high,
            is_rough: false,
        }
    }

    /// Is satisfied with a value that is short of the last one that works by less than an eighth:
    /// for large cuts, the rest of which is cheaper to find when the target is smaller.
    pub fn roughly(self) -> FindChangePoint {
        FindChangePoint {
            is_rough: true,
            ..self
        }
    }

    /// What the search wants next; the same until [`FindChangePoint::record`] is called.
    pub fn next(&self) -> Next {
        match self.state {
            State::Linear { works, .. } | State::Exponential { works, .. }
                if works == self.high =>
            {
                Next::Done(works)
            }
            State::Linear { works, .. } => Next::Probe(works + 1),
            State::Exponential { works, gap } => {
                Next::Probe(works.saturating_add(gap).min(self.high))
            }
            State::Binary { works, fails } if fails - works <= self.tolerance(works) => {
                Next::Done(works)
            }
            State::Binary { works, fails } => Next::Probe(works + (fails - works) / 2),
        }
    }

    fn tolerance(&self, works: usize) -> usize {
        if self.is_rough { (works / 8).max(1) } else { 1 }
    }

    /// Tells whether the value that [`FindChangePoint::next`] asks about works.
    pub fn record(&mut self, works: bool) {
        let Next::Probe(probed) = self.next() else {
            return;
        };
        self.state = match (self.state, works) {
            (State::Linear { left, .. }, true) if left > 1 => State::Linear {
                works: probed,
                left: left - 1,
            },
            (State::Linear { .. }, true) => State::Exponential {
                works: probed,
                gap: 1,
            },
            (State::Linear { works: last, .. }, false) => State::Binary {
                works: last,
                fails: probed,
            },
            (State::Exponential { gap, .. }, true) => State::Exponential {
                works: probed,
                gap: gap.saturating_mul(2),
            },
            (State::Exponential { works: last, .. }, false) => State::Binary {
                works: last,
                fails: probed,
            },
            (State::Binary { fails, .. }, true) => State::Binary {
                works: probed,
                fails,
            },
            (State::Binary { works: last, .. }, false) => State::Binary {
                works: last,
                fails: probed,
            },
        };
    }
}

impl FindChangePoint {
    /// What the search may want once it has the answer to its present probe, the likeliest first.
    pub fn futures(&self) -> Futures {
        Futures {
            present: Some(*self),
            open: Vec::new(),
        }
    }

    /// How likely it is that what is probed works: most searches end before they begin, and what has begun
    /// mostly goes on. So it was in 270 probes of chains on ten files; only time depends on it.
    fn chance(&self) -> f64 {
        match self.state {
            State::Linear { left, .. } if left == LINEAR_STEPS => 0.3,
            State::Linear { .. } | State::Exponential { .. } => 0.7,
            State::Binary { .. } => 0.5,
        }
    }
}

/// What a search may want later, the likeliest first: see [`FindChangePoint::futures`]. A search that
/// is over comes again and again, ever less likely, as what follows it may be many things.
#[derive(Clone, Debug)]
pub struct Futures {
    /// What they are futures of, until anybody asks for them.
    present: Option<FindChangePoint>,
    /// What comes next of all, each with how likely it is.
    open: Vec<(f64, FindChangePoint)>,
}

/// How much less likely each further thing is that follows a search.
const FOLLOWING: f64 = 0.8;
/// What is less likely is not worth a test.
const LEAST_LIKELY: f64 = 0.001;

impl Futures {
    fn branch(&mut self, likelihood: f64, search: FindChangePoint) {
        for works in [false, true] {
            let chance = if works {
                search.chance()
            } else {
                1.0 - search.chance()
            };
            let mut after = search;
            after.record(works);
            self.open.push((likelihood * chance, after));
        }
    }
}

impl Iterator for Futures {
    type Item = Next;

    fn next(&mut self) -> Option<Next> {
        if let Some(present) = self.present.take() {
            self.branch(1.0, present);
        }
        let mut likeliest = 0;
        for (at, (likelihood, _)) in self.open.iter().enumerate() {
            if *likelihood > self.open[likeliest].0 {
                likeliest = at;
            }
        }
        if self.open.get(likeliest)?.0 < LEAST_LIKELY {
            return None;
        }
        let (likelihood, search) = self.open.swap_remove(likeliest);
        let next = search.next();
        match next {
            Next::Probe(_) => self.branch(likelihood, search),
            Next::Done(_) => self.open.push((likelihood * FOLLOWING, search)),
        }
        Some(next)
    }
}

/// Finds the last value in `low..=high` that works, given that `low` does.
///
/// # Errors
/// The first error of `works`.
pub fn find_change_point<X>(
    low: usize,
    high: usize,
    mut works: impl FnMut(usize) -> Result<bool, X>,
) -> Result<usize, X> {
    let mut search = FindChangePoint::new(low, high);
    loop {
        match search.next() {
            Next::Probe(value) => {
                let answer = works(value)?;
                search.record(answer);
            }
            Next::Done(value) => return Ok(value),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::vec::Vec;

    fn probes(point: usize, low: usize, high: usize) -> (Vec<usize>, usize) {
        let mut seen = Vec::new();
        let found = find_change_point(low, high, |value| {
            seen.push(value);
            Ok::<_, ()>(value <= point)
        });
        (seen, found.unwrap())
    }

    #[test]
    fn probes_are_linear_then_exponential_then_binary() {
        assert_eq!(probes(0, 0, 100), (vec![1], 0));
        assert_eq!(probes(3, 0, 100), (vec![1, 2, 3, 4], 3));
        assert_eq!(probes(5, 0, 100), (vec![1, 2, 3, 4, 5, 6], 5));
        assert_eq!(probes(6, 0, 100), (vec![1, 2, 3, 4, 5, 6, 8, 7], 6));
        assert_eq!(
            probes(10, 0, 100),
            (vec![1, 2, 3, 4, 5, 6, 8, 12, 10, 11], 10)
        );
        assert_eq!(
            probes(42, 0, 100),
            (
                vec![1, 2, 3, 4, 5, 6, 8, 12, 20, 36, 68, 52, 44, 40, 42, 43],
                42
            )
        );
    }

    #[test]
    fn the_upper_bound_is_probed_but_never_passed() {
        assert_eq!(probes(100, 0, 9), (vec![1, 2, 3, 4, 5, 6, 8, 9], 9));
        assert_eq!(probes(100, 7, 7), (vec![], 7));
        assert_eq!(probes(100, 0, 3), (vec![1, 2, 3], 3));
        assert_eq!(probes(usize::MAX, usize::MAX - 2, usize::MAX).1, usize::MAX);
    }

    #[test]
    fn a_rough_search_stops_short_by_less_than_an_eighth() {
        for point in 0..2000 {
            let mut search = FindChangePoint::new(0, 5000).roughly();
            let found = loop {
                match search.next() {
                    Next::Probe(value) => search.record(value <= point),
                    Next::Done(value) => break value,
                }
            };
            assert!(
                found <= point && point - found <= found / 8,
                "{found} for {point}"
            );
        }
    }

    #[test]
    fn the_likeliest_futures_come_first() {
        let search = FindChangePoint::new(0, 100);
        let seen: Vec<Next> = search.futures().take(7).collect();
        // One does not work; it works, and so does two.
        let expected = [
            Next::Done(0),
            Next::Done(0),
            Next::Done(0),
            Next::Done(0),
            Next::Probe(2),
            Next::Done(0),
            Next::Done(0),
        ];
        assert_eq!(seen, expected);
    }

    #[test]
    fn what_a_search_asks_soon_is_among_its_futures() {
        for point in 0..40 {
            let mut search = FindChangePoint::new(0, 40);
            let futures: Vec<Next> = search.futures().collect();
            for _ in 0..6 {
                if let Next::Probe(value) = search.next() {
                    search.record(value <= point);
                    assert!(futures.contains(&search.next()), "{point}");
                }
            }
        }
    }

    #[test]
    fn the_table_of_the_document_is_reproduced() {
        // "Adaptive delta debugging": calls over those of the greedy search, for block sizes 1…11.
        let table = [
            1.0, 1.0, 1.0, 1.0, 1.0, 1.142857, 1.0, 1.111111, 1.0, 0.909091, 0.833333,
        ];
        for (index, ratio) in table.into_iter().enumerate() {
            let size = index + 1;
            let calls = probes(size, 0, 1 << 20).0.len();
            assert!(
                (calls as f64 / (size + 1) as f64 - ratio).abs() < 1e-6,
                "block size {size}"
            );
        }
        assert!((12..500).all(|size| probes(size, 0, 1 << 20).0.len() < size + 1));
    }
}
