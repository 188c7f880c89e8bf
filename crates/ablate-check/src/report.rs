//! What a run of a property came to, for programs and for people.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::fmt::{self, Write};
use std::ops::Range;
use std::path::PathBuf;
use std::sync::Arc;

use crate::choice::{Choice, Value, encode};
use crate::failure::Failure;
use crate::print::short_type;
use crate::test_case::{Drawn, Line};

/// What a run of a property came to.
#[derive(Clone, Debug, Default)]
pub struct Report {
    /// The property's name.
    pub name: String,
    /// The seed that the random cases were made from.
    pub seed: u64,
    /// How many cases the property was held against and applied to.
    pub valid: u64,
    /// How many cases it did not apply to.
    pub invalid: u64,
    /// How many cases grew too large.
    pub too_large: u64,
    /// The failures found, in the order in which they were found.
    pub failures: Vec<Found>,
    /// How many valid cases each label was given to.
    pub labels: BTreeMap<String, u64>,
    /// The highest score told by [`crate::TestCase::target`].
    pub best_score: Option<f64>,
    /// What is wrong with how the cases are drawn.
    pub ill_health: Option<String>,
    /// The folder that failures are stored in, if they are.
    pub stored_in: Option<PathBuf>,
}

/// A failure with its reduced test case.
#[derive(Clone, Debug)]
pub struct Found {
    /// The failure, as the reduced test case shows it.
    pub failure: Failure,
    /// The reduced test case.
    pub choices: Arc<Vec<Choice>>,
    /// What it drew and noted, line by line.
    pub lines: Vec<String>,
    /// How often the property was run to reduce it.
    pub tests: u64,
    /// How many candidates needed no run.
    pub known: u64,
    /// How many steps the reduction took.
    pub steps: u64,
    /// The reduction ended before there was nothing left to try.
    pub ended_early: bool,
    /// The same choices did not always come to the same result.
    pub is_flaky: bool,
}

impl Found {
    /// The reduced test case as text, for a regression or a replay.
    pub fn encoded(&self) -> String {
        encode(self.choices.iter().map(Choice::value))
    }

    pub(crate) fn values(&self) -> Vec<Value> {
        self.choices.iter().map(|choice| choice.value()).collect()
    }
}

impl Report {
    /// Whether the property held for all cases, and the cases were sound.
    pub fn is_success(&self) -> bool {
        self.failures.is_empty() && self.ill_health.is_none()
    }

    /// What was counted, for people.
    pub fn statistics(&self) -> String {
        let mut text = format!(
            "property `{}`: {} cases held, {} did not apply, {} were too large (seed {})",
            self.name, self.valid, self.invalid, self.too_large, self.seed
        );
        for (label, count) in &self.labels {
            let percent = *count as f64 * 100.0 / (self.valid.max(1) as f64);
            // Writing to a string can't fail.
            let _ = write!(text, "\n  {percent:5.1} % {label}");
        }
        if let Some(score) = self.best_score {
            let _ = write!(text, "\n  highest score {score}");
        }
        text
    }
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(ill_health) = &self.ill_health {
            write!(f, "property `{}`: {ill_health}", self.name)?;
        } else if self.failures.is_empty() {
            write!(f, "{}", self.statistics())?;
        }
        for (number, found) in self.failures.iter().enumerate() {
            if number > 0 {
                writeln!(f, "\n")?;
            }
            write!(f, "property `{}` fails", self.name)?;
            if self.failures.len() > 1 {
                write!(f, " ({} of {})", number + 1, self.failures.len())?;
            }
            writeln!(f, ":")?;
            for line in &found.lines {
                writeln!(f, "    {}", cut(line).replace('\n', "\n    "))?;
            }
            writeln!(f, "{}", cut(&found.failure.to_string()))?;
            if found.is_flaky {
                writeln!(
                    f,
                    "flaky: the same test case did not always come to the same result; \
                     look for time, randomness, threads or state kept between cases"
                )?;
            }
            let ended = if found.ended_early {
                ", ended early"
            } else {
                ""
            };
            writeln!(
                f,
                "seed {}; reduced in {} tests, {} steps{ended}",
                self.seed, found.tests, found.steps
            )?;
            self.show_again(f, &found.encoded())?;
        }
        Ok(())
    }
}

impl Report {
    /// How a failure is seen again. Nobody copies what is longer than a screen.
    fn show_again(&self, f: &mut fmt::Formatter<'_>, choices: &str) -> fmt::Result {
        if choices.len() <= LONGEST {
            write!(f, "again: ABLATE_REPLAY='{}={choices}'", self.name)?;
            return write!(f, "  or  #[property(regression = {choices:?})]");
        }
        let bytes = choices.len();
        match &self.stored_in {
            Some(folder) => write!(
                f,
                "again: by itself, from {}; the choices, of {bytes} bytes, are too long to be shown",
                folder.display()
            ),
            None => write!(
                f,
                "again: the choices, of {bytes} bytes, are too long to be shown; with storage they \
                 are kept and tried first"
            ),
        }
    }
}

/// So many bytes of a line, a message or choices are shown, and no more.
const LONGEST: usize = 4096;

/// What is shown of a text.
pub(crate) fn cut(text: &str) -> Cow<'_, str> {
    if text.len() <= LONGEST {
        return Cow::Borrowed(text);
    }
    let end = (0..=LONGEST).rev().find(|end| text.is_char_boundary(*end));
    let shown = &text[..end.unwrap_or(0)];
    let left = text.len() - shown.len();
    Cow::Owned(format!("{shown}… (and {left} more bytes)"))
}

/// What is known of a drawn value that is shown.
pub(crate) enum Explained {
    /// Any value would fail there.
    Free,
    /// Where in the text parts stand in whose place any other would fail, in order and none within
    /// another.
    Parts(Vec<Range<usize>>),
}

/// The lines that show a test case, with what is known of its draws.
pub(crate) fn lines(shown: &[Drawn], explained: &[Explained]) -> Vec<String> {
    let (mut unnamed, mut explained) = (0, explained.iter());
    let line = |drawn: &Drawn| match &drawn.line {
        Line::Note(note) => note.clone(),
        Line::Value(type_name, value) => {
            let name = drawn.name.map_or_else(
                || {
                    unnamed += 1;
                    format!("draw_{unnamed}")
                },
                str::to_owned,
            );
            let (value, remark) = match explained.next() {
                Some(Explained::Free) => (value.clone(), " // or any other"),
                Some(Explained::Parts(parts)) => (marked(value, parts), ""),
                None => (value.clone(), ""),
            };
            format!("let {name}: {} = {value};{remark}", short_type(type_name))
        }
    };
    shown.iter().map(line).collect()
}

/// A value with its parts that do not matter marked.
fn marked(value: &str, parts: &[Range<usize>]) -> String {
    let (mut text, mut from) = (String::new(), 0);
    for part in parts {
        text.push_str(&value[from..part.end]);
        text.push_str(" /* or any other */");
        from = part.end;
    }
    text + &value[from..]
}
