//! What a property does with a test case: draw, assume, note, label, target.

use std::cell::Cell;
use std::fmt;
use std::panic::{Location, resume_unwind};
use std::time::Instant;

use super::case::{Drawn, Halt, Line, TestCase};
use crate::arbitrary::{Arbitrary, any};
use crate::generator::Generator;
use crate::print::{Shown, show};

/// How deep generators may nest before a test case counts as too large.
pub(super) const DEEPEST: u32 = 200;

impl TestCase {
    /// Draws a value. When the property fails, it is shown.
    #[track_caller]
    pub fn draw<G: Generator>(&mut self, generator: G) -> G::Value
    where
        G::Value: Shown,
    {
        self.draw_as(None, generator)
    }

    /// Draws a value that is shown under this name. `#[property]` turns `let x = tc.draw(…)` into
    /// this.
    #[track_caller]
    pub fn draw_named<G: Generator>(&mut self, name: &'static str, generator: G) -> G::Value
    where
        G::Value: Shown,
    {
        self.draw_as(Some(name), generator)
    }

    /// Draws a value of a type, shown under this name; for what `#[property]` makes: a type that can't
    /// be drawn is complained of once.
    #[doc(hidden)]
    #[track_caller]
    pub fn draw_any_named<T: Arbitrary + Shown>(&mut self, name: &'static str) -> T {
        self.draw_as(Some(name), any::<T>())
    }

    /// Draws a value of a type that is not shown; for what `#[derive(Arbitrary)]` makes.
    #[doc(hidden)]
    #[track_caller]
    pub fn draw_any_silent<T: Arbitrary>(&mut self) -> T {
        self.draw_silent(any::<T>())
    }

    #[track_caller]
    fn draw_as<G: Generator>(&mut self, name: Option<&'static str>, generator: G) -> G::Value
    where
        G::Value: Shown,
    {
        if self.drawing > 0 {
            return self.draw_silent(generator);
        }
        self.drawn_at = Some(Location::caller());
        let (start, draw) = (self.choices.len(), self.draws);
        self.draws += 1;
        self.is_in_hole = self.hole.is_some_and(|(hole, _)| hole == draw);
        let started = self.drawing_time.map(|_| Instant::now());
        let value = self.draw_silent(generator);
        if let (Some(started), Some(time)) = (started, &mut self.drawing_time) {
            *time += started.elapsed();
        }
        if let (true, Some((_, resume))) = (self.is_in_hole, self.hole) {
            self.is_in_hole = false;
            self.replayed.seek(resume);
        }
        if self.last_draw == Some(draw) {
            self.halt(Halt::Overrun);
        }
        if self.is_shown {
            let text = show(&value);
            let line = Line::Value(std::any::type_name::<G::Value>().to_owned(), text);
            let end = self.choices.len();
            self.shown.push(Drawn {
                name,
                line,
                start,
                end,
            });
        }
        value
    }

    /// Draws a value that is not shown, and so need not be printable.
    #[track_caller]
    pub fn draw_silent<G: Generator>(&mut self, generator: G) -> G::Value {
        if self.drawing >= DEEPEST {
            self.halt(Halt::Overrun);
        }
        self.drawing += 1;
        let value = generator.draw(self);
        self.drawing -= 1;
        value
    }

    /// Ends this test case without a verdict unless `condition` holds.
    #[track_caller]
    pub fn assume(&mut self, condition: bool) {
        if !condition {
            self.reject();
        }
    }

    /// Ends this test case without a verdict: the property does not apply to it.
    #[track_caller]
    pub fn reject(&mut self) -> ! {
        // A generator rejects for the draw that it is asked by.
        let drawn_at = self.drawn_at.filter(|_| self.drawing > 0);
        self.rejected_at = Some(drawn_at.unwrap_or(Location::caller()));
        self.halt(Halt::Invalid)
    }

    /// Says something that is shown only when the reduced test case is.
    pub fn note(&mut self, note: impl fmt::Display) {
        if self.is_shown {
            let end = self.choices.len();
            self.shown.push(Drawn {
                name: None,
                line: Line::Note(note.to_string()),
                start: end,
                end,
            });
        }
    }

    /// A line of the report that is written while it comes about; see [`TestCase::set_line`].
    pub(crate) fn start_line(&mut self) -> usize {
        self.note("");
        self.shown.len().saturating_sub(1)
    }

    pub(crate) fn set_line(&mut self, line: usize, text: impl FnOnce() -> String) {
        if self.is_shown
            && let Some(drawn) = self.shown.get_mut(line)
        {
            drawn.line = Line::Note(text());
        }
    }

    pub(crate) fn remove_line(&mut self, line: usize) {
        if self.is_shown {
            self.shown.truncate(line);
        }
    }

    /// Whether this run is the one that is shown to people.
    pub fn is_shown(&self) -> bool {
        self.is_shown
    }

    /// Counts this test case under `label` in the statistics.
    pub fn label(&mut self, label: impl fmt::Display) {
        self.labels.push(label.to_string());
    }

    /// Counts this test case under `label` in the statistics when `holds`.
    pub fn event(&mut self, label: &str, holds: bool) {
        if holds {
            self.labels.push(label.to_owned());
        }
    }

    /// Tells how near this test case came to what is looked for; test cases with higher scores
    /// are varied further.
    pub fn target(&mut self, score: f64) {
        if !score.is_nan() {
            self.score = Some(self.score.map_or(score, |best| best.max(score)));
        }
    }
}

thread_local! {
    /// Where the test case that runs on this thread was rejected without being at hand.
    static ASSUMED_AT: Cell<Option<&'static Location<'static>>> = const { Cell::new(None) };
}

impl TestCase {
    /// Notes where a test case was rejected that was not at hand there.
    pub(crate) fn learn_rejection(&mut self) {
        let assumed_at = ASSUMED_AT.take();
        self.rejected_at = self.rejected_at.or(assumed_at);
    }
}

/// Ends the running test case without a verdict unless `condition` holds, like
/// [`TestCase::assume`], from where there is no test case at hand.
#[track_caller]
pub fn assume(condition: bool) {
    if !condition {
        ASSUMED_AT.set(Some(Location::caller()));
        resume_unwind(Box::new(Halt::Invalid));
    }
}
