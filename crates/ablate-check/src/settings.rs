//! How a property is run: by builder, by attribute, by environment.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use crate::reduce::{Reduce, WithEngine};

/// How much is told.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Verbosity {
    /// Only failures.
    Quiet,
    /// Failures; this is the usual.
    Normal,
    /// What was counted as well, also when the property holds.
    Statistics,
}

/// Where failing test cases are kept.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Storage {
    /// In `.ablate` of the package (or of the current folder, outside cargo).
    Package,
    /// In this folder.
    Folder(PathBuf),
    /// Nowhere.
    Off,
}

/// How a property is run.
///
/// The environment has the last word: `ABLATE_CASES`, `ABLATE_SEED`, `ABLATE_VERBOSITY` (`quiet`,
/// `normal`, `statistics`), `ABLATE_STORAGE` (a folder, or `off`), `ABLATE_WORKERS`, `ABLATE_REPLAY`, and
/// `ABLATE_PROFILE`: `ci`, which is also chosen where `CI` is set, makes the seed a function of
/// the property's name and stores nothing, unless a folder is named for it.
#[derive(Clone)]
pub struct Settings {
    pub(crate) name: Option<String>,
    /// Where a property without a name of its own is checked: several of them may be in one test.
    pub(crate) place: Option<String>,
    pub(crate) cases: u64,
    pub(crate) seed: Option<u64>,
    pub(crate) verbosity: Verbosity,
    pub(crate) storage: Storage,
    pub(crate) regressions: Vec<String>,
    pub(crate) replay: Option<String>,
    pub(crate) max_choices: usize,
    pub(crate) reduces: bool,
    pub(crate) explains: bool,
    pub(crate) all_failures: bool,
    pub(crate) patience: u64,
    pub(crate) deadline: Option<Duration>,
    pub(crate) health_checks: bool,
    pub(crate) workers: Option<usize>,
    /// What is wrong with the environment, if anything.
    pub(crate) misread: Option<String>,
    pub(crate) reducer: Arc<dyn Reduce>,
}

impl Default for Settings {
    fn default() -> Self {
        Settings::new()
    }
}

impl Settings {
    /// The usual: 1,000 cases from a seed that differs each time.
    pub fn new() -> Settings {
        Settings {
            name: None,
            place: None,
            cases: 1000,
            seed: None,
            verbosity: Verbosity::Normal,
            storage: Storage::Package,
            regressions: Vec::new(),
            replay: None,
            max_choices: 8192,
            reduces: true,
            explains: true,
            all_failures: true,
            patience: 10_000,
            deadline: None,
            health_checks: true,
            workers: None,
            misread: None,
            reducer: Arc::new(WithEngine),
        }
    }

    /// The property's name: what its stored failures are found by. Without one, the name of the
    /// thread, which is that of the test, and where in the source the property is checked.
    pub fn name(mut self, name: impl Into<String>) -> Settings {
        self.name = Some(name.into());
        self
    }

    /// How many cases the property has to hold for.
    pub fn cases(mut self, cases: u64) -> Settings {
        self.cases = cases;
        self
    }

    /// What the random choices are made from.
    pub fn seed(mut self, seed: u64) -> Settings {
        self.seed = Some(seed);
        self
    }

    /// How much is told.
    pub fn verbosity(mut self, verbosity: Verbosity) -> Settings {
        self.verbosity = verbosity;
        self
    }

    /// Where failing test cases are kept.
    pub fn storage(mut self, storage: Storage) -> Settings {
        self.storage = storage;
        self
    }

    /// A failing test case of before, as a report names it; tried first.
    pub fn regression(mut self, choices: impl Into<String>) -> Settings {
        self.regressions.push(choices.into());
        self
    }

    /// Runs this test case, as a report names it, and no other.
    pub fn replay(mut self, choices: impl Into<String>) -> Settings {
        self.replay = Some(choices.into());
        self
    }

    /// How many choices a test case may have.
    pub fn max_choices(mut self, choices: usize) -> Settings {
        self.max_choices = choices;
        self
    }

    /// Whether failing test cases are reduced.
    pub fn reduce(mut self, reduces: bool) -> Settings {
        self.reduces = reduces;
        self
    }

    /// Whether it is found out which of the shown values do not matter.
    pub fn explain(mut self, explains: bool) -> Settings {
        self.explains = explains;
        self
    }

    /// Whether the search goes on for a while after the first failure, for others.
    pub fn all_failures(mut self, all: bool) -> Settings {
        self.all_failures = all;
        self
    }

    /// After how many tests without progress a reduction ends.
    pub fn patience(mut self, tests: u64) -> Settings {
        self.patience = tests;
        self
    }

    /// How long one case may take; longer is a failure. There is no limit otherwise.
    pub fn deadline(mut self, deadline: Duration) -> Settings {
        self.deadline = Some(deadline);
        self
    }

    /// Whether a property fails that rejects, reads or waits too much while its cases are drawn.
    pub fn health_checks(mut self, checks: bool) -> Settings {
        self.health_checks = checks;
        self
    }

    /// How many threads run the property at the same time, where it is run by
    /// [`Settings::check_parallel`]; otherwise as many as there are cores. What comes of it is the
    /// same with any number of them.
    pub fn workers(mut self, workers: usize) -> Settings {
        self.workers = Some(workers);
        self
    }

    /// Who reduces failing test cases.
    pub fn reducer(mut self, reducer: impl Reduce + 'static) -> Settings {
        self.reducer = Arc::new(reducer);
        self
    }

    /// With what the environment says.
    pub(crate) fn with_environment(self) -> Settings {
        self.with_variables(|name| std::env::var(name).ok())
    }

    fn with_variables(mut self, variable: impl Fn(&str) -> Option<String>) -> Settings {
        let profile = variable("ABLATE_PROFILE");
        let is_ci = match &profile {
            Some(profile) => profile == "ci",
            None => variable("CI").is_some_and(|ci| !ci.is_empty() && ci != "false"),
        };
        if is_ci {
            // A folder that somebody named is meant to be used.
            if matches!(self.storage, Storage::Package) {
                self.storage = Storage::Off;
            }
            self.seed = self.seed.or(Some(0));
        }
        let mut misread = None;
        let mut number = |name| {
            let text = variable(name).filter(|text| !text.trim().is_empty())?;
            let number = text.trim().replace('_', "").parse::<u64>().ok();
            if number.is_none() {
                misread = Some(format!("{name} is {text:?}: write a whole number"));
            }
            number
        };
        self.cases = number("ABLATE_CASES").unwrap_or(self.cases);
        let workers = number("ABLATE_WORKERS").and_then(|workers| usize::try_from(workers).ok());
        self.workers = workers.or(self.workers);
        self.seed = number("ABLATE_SEED").or(self.seed);
        self.verbosity = match variable("ABLATE_VERBOSITY").as_deref() {
            Some("quiet") => Verbosity::Quiet,
            Some("normal") => Verbosity::Normal,
            Some("statistics") => Verbosity::Statistics,
            None | Some("") => self.verbosity,
            Some(other) => {
                let known = "write `quiet`, `normal` or `statistics`";
                misread = Some(format!("ABLATE_VERBOSITY is {other:?}: {known}"));
                self.verbosity
            }
        };
        self.misread = misread;
        self.storage = match variable("ABLATE_STORAGE") {
            Some(off) if off == "off" => Storage::Off,
            Some(folder) if !folder.is_empty() => Storage::Folder(folder.into()),
            _ => self.storage,
        };
        // `name=choices` is for the property of that name, `choices` for all.
        if let Some(replay) = variable("ABLATE_REPLAY") {
            self.replay = match replay.rsplit_once('=') {
                Some((name, choices)) if self.name.as_deref() == Some(name) => {
                    Some(choices.to_owned())
                }
                Some(_) => self.replay,
                None => Some(replay),
            };
        }
        self
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn with(variables: &'static [(&str, &str)]) -> Settings {
        let settings = Settings::new().name("here::prop").cases(5);
        settings.with_variables(|name| {
            let found = variables.iter().find(|(known, _)| *known == name);
            found.map(|(_, value)| (*value).to_owned())
        })
    }

    #[test]
    fn the_environment_has_the_last_word() {
        assert_eq!(with(&[]).cases, 5);
        assert_eq!(with(&[("ABLATE_CASES", "7")]).cases, 7);
        assert_eq!(with(&[("ABLATE_SEED", "9")]).seed, Some(9));
        assert_eq!(with(&[("ABLATE_STORAGE", "off")]).storage, Storage::Off);
        let statistics = with(&[("ABLATE_VERBOSITY", "statistics")]);
        assert_eq!(statistics.verbosity, Verbosity::Statistics);
    }

    #[test]
    fn what_cannot_be_read_in_the_environment_is_told() {
        assert_eq!(with(&[("ABLATE_CASES", "10_000")]).cases, 10_000);
        assert_eq!(with(&[("ABLATE_CASES", "")]).misread, None);
        let misread = |variables| with(variables).misread.unwrap_or_default();
        let cases = misread(&[("ABLATE_CASES", "10k")]);
        assert_eq!(cases, "ABLATE_CASES is \"10k\": write a whole number");
        assert!(misread(&[("ABLATE_VERBOSITY", "stats")]).contains("`statistics`"));
    }

    #[test]
    fn in_ci_the_seed_is_fixed_and_nothing_is_stored() {
        let ci = with(&[("CI", "true")]);
        assert_eq!((ci.seed, ci.storage), (Some(0), Storage::Off));
        let local = with(&[("CI", "true"), ("ABLATE_PROFILE", "local")]);
        assert_eq!((local.seed, local.storage), (None, Storage::Package));
    }

    #[test]
    fn a_replay_is_for_the_property_that_it_names() {
        let replay = |variables| with(variables).replay;
        assert_eq!(
            replay(&[("ABLATE_REPLAY", "here::prop=1.t")]),
            Some("1.t".into())
        );
        assert_eq!(replay(&[("ABLATE_REPLAY", "other=1.t")]), None);
        assert_eq!(replay(&[("ABLATE_REPLAY", "1.t")]), Some("1.t".into()));
    }
}
