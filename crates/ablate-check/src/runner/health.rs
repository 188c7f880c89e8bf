//! Whether the cases of a property are drawn in a sound way.

use std::collections::BTreeMap;
use std::panic::Location;
use std::time::Duration;

use crate::report::Report;

/// Looks at how the first cases are drawn.
#[derive(Default)]
pub(super) struct Health {
    /// How long the draws of the first cases took.
    pub(super) drawing: Duration,
    /// The steps of machines that were done, and those for which no rule applied.
    pub(super) steps: (u64, u64),
    /// How many cases were rejected at each place.
    rejections: BTreeMap<&'static Location<'static>, u64>,
}

impl Health {
    /// So many cases are timed.
    pub(super) const TIMED: u64 = 10;

    /// Counts a case that was rejected.
    pub(super) fn count_rejection(&mut self, place: Option<&'static Location<'static>>) {
        if let Some(place) = place {
            *self.rejections.entry(place).or_default() += 1;
        }
    }

    /// Where most cases were rejected.
    fn rejected_at(&self) -> String {
        let most = self.rejections.iter().max_by_key(|(_, count)| **count);
        most.map_or_else(String::new, |(place, count)| {
            format!(", {count} were rejected at {place}")
        })
    }

    /// What is wrong with all the cases together, if anything.
    pub(super) fn checked_at_the_end(&self) -> Option<String> {
        let (done, stuck) = self.steps;
        (done == 0 && stuck > 0).then(|| {
            "no rule of the machine ever applied, so that nothing was tested; let the state start so \
             that the condition of some rule holds, or turn health checks off"
                .to_owned()
        })
    }

    /// What is wrong, if anything.
    pub(super) fn checked(&self, report: &Report, attempts: u64) -> Option<String> {
        let valid = report.valid;
        if attempts >= 50 && report.invalid > 20 * valid.max(10) {
            return Some(format!(
                "only {valid} of {attempts} cases applied{}; draw fitting values instead of \
                 rejecting others, or turn health checks off",
                self.rejected_at()
            ));
        }
        if report.too_large > 20 && report.too_large > 4 * valid {
            return Some(format!(
                "{} of {attempts} cases were too large; bound the length of collections or the \
                 depth of recursion, or raise max_choices",
                report.too_large
            ));
        }
        (self.drawing > Duration::from_secs(5)).then(|| {
            let drawing = self.drawing;
            format!("drawing the first cases took {drawing:?}; make fewer or smaller values")
        })
    }
}
