//! What every pass on trees has to keep, in every language of the build and on whatever is not in
//! that language: it proposes only what is simpler, it ends, it proposes nothing after its end, its
//! edits lie within the text, and growing never does less.

mod texts;

use ablate_engine::chooser::{ChoiceTree, Walk};
use ablate_engine::order::{Text, compare};
use ablate_engine::pass::Pass;
use ablate_engine::patch::Patch;
use ablate_engine::target::Target;
use ablate_languages::registry::PASSES;
use ablate_languages::{LANGUAGES, Language, Syntax, embedded, on_twin, sound, without_unused};
use rand_core::SeedableRng;
use rand_xoshiro::Xoshiro256PlusPlus;

/// The steps of one pass that are looked at: far more than there are in a sample.
const STEPS_MAX: usize = 20_000;

/// What is looked at: a pass, in a language, on a text.
struct Case<'a> {
    pass: &'a dyn Pass<u8>,
    language: &'static Language,
    target: &'a Target<u8>,
    /// Whether its edits are put right.
    is_amended: bool,
}

impl std::fmt::Debug for Case<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let text = String::from_utf8_lossy(self.target.elements());
        let text: String = text.chars().take(400).collect();
        let (pass, language) = (self.pass.name(), self.language.name);
        write!(f, "{pass} in {language} on {text:?}")
    }
}

impl Case<'_> {
    fn check_patch(&self, patch: &Patch<u8>) {
        let text = self.target.elements();
        let mut at = 0;
        for edit in patch.edits() {
            assert!(at <= edit.start && edit.start <= edit.end, "{self:?}");
            assert!(edit.end <= text.len(), "{self:?}: beyond the end");
            at = edit.end;
        }
        let candidate = self.target.candidate(patch.clone());
        let ordering = compare(&Text, (candidate.len(), candidate.pieces()), text);
        let made = || String::from_utf8_lossy(&candidate.build()).into_owned();
        assert!(ordering.is_lt(), "{self:?}: {patch:?} makes {:?}", made());
    }

    /// Grows `patch` in every direction; each amount has to do what the one before it does.
    fn check_growth(&self, patch: &Patch<u8>) {
        for direction in 0..self.pass.directions() {
            let grow = |amount| self.pass.grow(self.target, patch, direction, amount);
            let mut smaller = patch.clone();
            for amount in 1..8 {
                let Some(larger) = grow(amount) else {
                    for further in [amount + 1, 2 * amount, usize::MAX] {
                        assert_eq!(grow(further), None, "{self:?} goes on beyond its largest");
                    }
                    break;
                };
                self.check_patch(&larger);
                let does_more = larger.covers(&smaller) || larger.growth() < smaller.growth();
                assert!(does_more, "{self:?}: {larger:?} does less than {smaller:?}");
                let is_same = larger == smaller;
                // What goes with the smaller one may be all that there is in the larger one.
                assert!(!is_same || self.is_amended, "{self:?} does not grow");
                smaller = larger;
            }
        }
    }

    /// Takes up to `most` steps; gives the number of those that proposed something, if that were
    /// all.
    fn walk(&self, walk: &Walk, most: usize) -> Option<usize> {
        let mut random = Xoshiro256PlusPlus::seed_from_u64(7);
        let mut tree = ChoiceTree::new();
        let mut proposed = 0;
        for _ in 0..most {
            let step = tree.step(walk, &mut random, |chooser| {
                self.pass.edit(self.target, chooser)
            });
            let Some((_, step)) = step else {
                assert!(tree.is_exhausted());
                return Some(proposed);
            };
            if let Ok(patch) = step {
                proposed += 1;
                self.check_patch(&patch);
                self.check_growth(&patch);
            }
        }
        None
    }
}

fn sweep() -> Walk {
    Walk::Sweep { from: Vec::new() }
}

/// Calls `check` for every pass on `text` in `language`.
fn each_pass(language: &'static Language, text: &[u8], check: impl Fn(&Case<'_>)) {
    let syntax = Syntax::new(language);
    let target = &Target::new(text.to_vec());
    for entry in PASSES {
        let pass = (entry.make)(&syntax);
        check(&Case {
            pass: &*without_unused(&syntax, sound(&syntax, pass)),
            language,
            target,
            is_amended: language.name == "go",
        });
    }
}

fn check_all_steps(language: &'static Language, text: &[u8]) {
    each_pass(language, text, |case| {
        let swept = case.walk(&sweep(), STEPS_MAX);
        assert!(swept.is_some(), "{case:?} does not end");
        let random = case.walk(&Walk::Random, STEPS_MAX);
        assert_eq!(swept, random, "{case:?} depends on the order of its steps");
    });
}

#[test]
fn every_pass_keeps_the_contract_on_every_sample() {
    for language in LANGUAGES {
        check_all_steps(language, texts::sample(language.name).as_bytes());
    }
}

#[test]
fn every_pass_keeps_the_contract_on_what_is_embedded() {
    let [script, style] = ["javascript", "css"].map(texts::sample);
    let text =
        format!("<style>{style}</style><b>b</b><script>{script}</script><p><script>a(1)</script>");
    let target = &Target::new(text.into_bytes());
    let html = ablate_languages::find("html").unwrap();
    let syntaxes = embedded(html, target.elements());
    assert_eq!(syntaxes.len(), 2);
    for syntax in syntaxes {
        for entry in PASSES {
            let pass = sound(&syntax, (entry.make)(&syntax));
            let case = Case {
                pass: &*on_twin(&syntax, pass),
                language: syntax.language(),
                target,
                is_amended: true,
            };
            let swept = case.walk(&sweep(), STEPS_MAX);
            assert!(swept.is_some(), "{case:?} does not end");
        }
    }
}

#[test]
fn every_pass_keeps_the_contract_on_what_is_broken_or_means_ill() {
    for language in LANGUAGES {
        let sample = texts::sample(language.name).as_bytes();
        let middle = sample.len() / 2;
        let broken = [&sample[..middle], b"\xff)}\0('", &sample[middle..]].concat();
        check_all_steps(language, &broken);
        for text in texts::HOSTILE {
            check_all_steps(language, text);
        }
    }
}

#[test]
fn every_pass_keeps_the_contract_on_what_is_in_another_language() {
    for language in LANGUAGES {
        for other in ["c", "python", "html"] {
            each_pass(language, texts::sample(other).as_bytes(), |case| {
                case.walk(&sweep(), 200);
            });
        }
    }
}

#[test]
fn no_depth_is_too_deep() {
    // One text for each language: what could go wrong does not depend on both.
    let deep = texts::deep();
    for (language, text) in LANGUAGES.iter().zip(deep.iter().cycle()) {
        each_pass(language, text, |case| {
            case.walk(&sweep(), 2);
            case.walk(&Walk::Random, 2);
        });
    }
}

#[test]
fn no_text_is_too_long() {
    // Longer than what is parsed at all.
    let text = texts::sample("json").repeat((65 << 20) / texts::sample("json").len());
    for language in LANGUAGES {
        each_pass(language, text.as_bytes(), |case| {
            let tree = Syntax::new(language).tree(case.target);
            assert!(tree.nodes().is_empty());
            case.walk(&sweep(), 2);
        });
    }
}

#[test]
fn every_pass_has_something_to_do() {
    for entry in PASSES {
        let is_for_large = entry.description.name.ends_with("_of_large");
        let times = if is_for_large { 2000 } else { 1 };
        let does = |language: &'static Language| {
            let pass = (entry.make)(&Syntax::new(language));
            let text = texts::sample(language.name).repeat(times);
            !ablate_engine::explain::reductions(&*pass, text.as_bytes()).is_empty()
        };
        assert!(LANGUAGES.iter().any(does), "{entry:?}");
    }
}

#[test]
fn every_pass_is_explained() {
    for entry in PASSES {
        let pass = (entry.make)(&Syntax::new(&LANGUAGES[0]));
        assert_eq!(pass.name(), entry.description.name);
        assert!(pass.rank() <= 9);
        assert!(entry.description.summary().ends_with('.'), "{entry:?}");
        let explanation = entry.description.explanation();
        for part in ["Costs", "```", "reductions("] {
            assert!(explanation.contains(part), "{entry:?} without {part}");
        }
    }
}
