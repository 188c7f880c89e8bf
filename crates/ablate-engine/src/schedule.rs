//! Which pass is next, and how many of its steps are tested against one base: decided from what
//! each pass has removed per test so far. Counts only, so the same in every run.

/// What a pass has yielded lately.
#[derive(Clone, Debug)]
pub(crate) struct Yield {
    /// The share of the target that was removed, summed over successes, and the tests it took;
    /// both fade.
    removed: f64,
    tests: f64,
    prior: f64,
    /// Successes and tests of single steps, fading faster.
    hits: f64,
    tries: f64,
    /// Failures of single steps since the last success.
    failures: f64,
    /// The share of the target that the latest single steps would have removed; `None` before the
    /// first. Where steps are ordered by size, that is also what the next ones will.
    step: Option<f64>,
    /// How many times more than its own step a success removed, once it was grown: the sum over some
    /// successes, and their number.
    gains: f64,
    gained: f64,
    /// How much of the target has changed since the pass last found nothing any more, from 0 to 1.
    freshness: f64,
    /// Turns in a row that removed nothing.
    pub fruitless_turns: u32,
}

/// What a success is taken to remove when it has been grown, in steps, before anything is known.
const GAIN: f64 = 8.0;
/// How much the latest step counts among those before it.
const STEP_FADE: f64 = 0.7;
/// How many tests the prior counts for.
const PRIOR_TESTS: f64 = 8.0;
/// What is left of a yield after another test.
const YIELD_FADE: f64 = 0.97;
/// The largest share that a success counts for.
const SUCCESS_MAX: f64 = 0.2;
/// Single steps that the estimate of the success density looks back on, about.
const DENSITY_MEMORY: f64 = 48.0;
/// A drought of so many tests doubles what is expected of a pass that was not tried in it.
const DROUGHT_MIN: f64 = 48.0;
/// The most steps that are tested against one base (the document's number for chaos mode).
const WINDOW_MAX: usize = 1000;
/// Failures in a row that end a pass's first fruitless turn.
const PATIENCE: u32 = 24;

impl Yield {
    /// A pass of which nothing is known but its rank, 0 to 9.
    pub fn new(rank: u8) -> Yield {
        // From one part in fifty thousand per test up to one in a hundred.
        let prior = 0.01 / f64::from(1u32 << (9 - u32::from(rank.min(9))));
        Yield {
            removed: 0.0,
            tests: 0.0,
            prior,
            hits: 0.0,
            tries: 0.0,
            failures: 0.0,
            step: None,
            gains: GAIN,
            gained: 1.0,
            freshness: 1.0,
            fruitless_turns: 0,
        }
    }

    /// The share of the target that a test of this pass is expected to remove: what it has removed
    /// so far, but no more than the size of its steps and their successes lately make likely.
    ///
    /// The longer the drought, the tests of all passes without a success, the less is known from
    /// sizes and ranks, and the more counts how little a pass was tried in it.
    pub fn expected(&self, drought: f64) -> f64 {
        let so_far = (self.removed + self.prior * PRIOR_TESTS) / (self.tests + PRIOR_TESTS);
        let density = (self.hits + 0.5) / (self.tries + 1.0);
        let rate = density.min(1.0 / (self.failures + 2.0));
        let likely = self
            .step
            .map_or(f64::INFINITY, |step| step * self.gains / self.gained * rate);
        let neglect = (drought + DROUGHT_MIN) / (self.failures + DROUGHT_MIN);
        self.freshness * so_far.min(likely) * neglect.max(1.0)
    }

    /// Notes that the pass finds nothing any more: it waits for the target to change.
    pub fn rest(&mut self) {
        self.freshness = 0.0;
    }

    /// Notes that the pass begins anew, with steps of other sizes than its latest ones.
    pub fn begin_anew(&mut self) {
        self.step = None;
    }

    /// Counts one step that was judged, and the share of the target that it would have removed.
    pub fn record_step(&mut self, is_success: bool, share: f64) {
        let fade = 1.0 - 1.0 / DENSITY_MEMORY;
        self.hits = self.hits * fade + f64::from(u8::from(is_success));
        self.tries = self.tries * fade + 1.0;
        self.failures = if is_success { 0.0 } else { self.failures + 1.0 };
        let before = self.step.unwrap_or(share);
        self.step = Some(before * STEP_FADE + share * (1.0 - STEP_FADE));
    }

    /// Counts a success that removed so many times more than its own step.
    pub fn record_gain(&mut self, times: f64) {
        let fade = 1.0 - 1.0 / DENSITY_MEMORY;
        self.gains = self.gains * fade + times.clamp(1.0, 1000.0);
        self.gained = self.gained * fade + 1.0;
    }

    /// Counts tests and the share of the target that they removed. What lies back further counts
    /// for less, and no single success for very much: neither says what the next tests will bring.
    pub fn record(&mut self, tests: u64, removed: f64) {
        for _ in 0..tests.min(1000) {
            // Nothing is known of a pass that has removed nothing yet but how often it failed.
            if self.removed > 0.0 {
                self.removed *= YIELD_FADE;
                self.tests *= YIELD_FADE;
            }
            self.tests += 1.0;
        }
        self.removed += removed.min(SUCCESS_MAX);
    }

    /// Lets the past fade by this share, because the target is not any more what it was.
    pub fn fade(&mut self, share: f64) {
        self.freshness = (self.freshness + 0.01 + 4.0 * share).min(1.0);
        let keep = 1.0 - share.clamp(0.0, 0.9);
        self.removed *= keep;
        self.tests *= keep;
        self.failures *= keep;
        if share > 0.01 {
            self.fruitless_turns = 0;
        }
    }

    /// How many steps to test against the same base. Where most steps fail, many: their tests are
    /// independent of each other, and the few successes are merged at the price of one more test.
    /// Where many succeed, few: growing the first success makes most of the others needless.
    pub fn window(&self) -> usize {
        let density = (self.hits + 0.5) / (self.tries + 1.0);
        ((1.0 / (density * density)) as usize).clamp(1, WINDOW_MAX)
    }

    /// How many failures in a row end this pass's turn.
    pub fn patience(&self) -> u64 {
        u64::from(PATIENCE) << self.fruitless_turns.min(20)
    }
}

/// The share that a success counts for at least: to make a target of this length simpler without
/// making it shorter is worth something too.
pub(crate) fn least_worth(len: usize) -> f64 {
    0.1 / (len + 1) as f64
}

/// Whether the last steps of a window were successes so often that it should end: merging and going
/// on from there is then worth more than the independence of its tests.
pub(crate) fn is_dense(success_steps: &[u64], steps: u64) -> bool {
    let third_last = success_steps
        .len()
        .checked_sub(3)
        .map(|at| success_steps[at]);
    third_last.is_some_and(|step| steps - step < 8)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn windows_are_small_where_steps_succeed_and_large_where_they_fail() {
        let mut failing = Yield::new(5);
        let mut succeeding = Yield::new(5);
        for _ in 0..100 {
            failing.record_step(false, 0.01);
            succeeding.record_step(true, 0.01);
        }
        assert_eq!(Yield::new(5).window(), 4);
        assert_eq!(succeeding.window(), 1);
        assert_eq!(failing.window(), WINDOW_MAX);
    }

    #[test]
    fn a_pass_whose_steps_get_small_falls_behind() {
        let mut sized = Yield::new(9);
        let untried = Yield::new(5);
        sized.record_step(false, 0.5);
        assert!(sized.expected(0.0) > untried.expected(0.0));
        (0..20).for_each(|_| sized.record_step(false, 0.001));
        assert!(sized.expected(0.0) < untried.expected(0.0));
    }

    #[test]
    fn failures_of_a_pass_that_has_removed_nothing_are_not_forgotten() {
        let expected = |tests| {
            let mut failing = Yield::new(9);
            failing.record(tests, 0.0);
            failing.expected(0.0)
        };
        assert!(expected(500) * 5.0 < expected(50));
    }

    #[test]
    fn a_pass_without_yield_falls_behind_one_of_lower_rank() {
        let mut high = Yield::new(9);
        let low = Yield::new(7);
        assert!(high.expected(0.0) > low.expected(0.0));
        high.record(50, 0.0);
        assert!(high.expected(0.0) < low.expected(0.0));
        high.fade(0.9);
        assert!(high.expected(0.0) > low.expected(0.0));
    }
}
