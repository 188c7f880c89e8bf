//! The passes that a run uses, and what the command tells of them.

use std::io::Write;

use ablate_engine::chooser::{Chooser, DeadBranch};
use ablate_engine::pass::Pass;
use ablate_engine::patch::{Conflict, Patch};
use ablate_engine::target::Target;
use ablate_languages::{Language, Syntax};
use ablate_passes::registry::Description;

use crate::exit::Exit;
use crate::failure::Failure;

/// Makes the passes for what a file is.
#[derive(Clone, Copy, Debug)]
pub struct Kind {
    /// Whether it is text.
    pub is_text: bool,
    /// The language that it is in, if its grammar is known.
    pub language: Option<&'static Language>,
}

/// Every pass there is: those on syntax trees, then those on text.
fn descriptions() -> impl Iterator<Item = Description> {
    let on_trees = ablate_languages::registry::PASSES.iter();
    let on_text = ablate_passes::registry::PASSES.iter();
    let on_trees = on_trees.map(|entry| entry.description);
    on_trees.chain(on_text.map(|entry| entry.description))
}

/// The passes that `--passes` asks for: all, without those named `-NAME`; or, if there are names
/// without a sign, these only; and always those named `+NAME`. Made for this kind of file.
///
/// # Errors
/// When there is no such pass.
pub fn selected(asked: &[String], kind: Kind) -> Result<Vec<Box<dyn Pass<u8>>>, Failure> {
    let has_only = asked.iter().any(|name| !name.starts_with(['+', '-']));
    let names: Vec<&str> = descriptions().map(|pass| pass.name).collect();
    let mut chosen = vec![!has_only; names.len()];
    for name in asked {
        let (is_in, bare) = match name.strip_prefix('-') {
            Some(bare) => (false, bare),
            None => (true, name.strip_prefix('+').unwrap_or(name)),
        };
        let index = names.iter().position(|&name| name == bare);
        let index = index.ok_or_else(|| Failure::UnknownPass {
            name: bare.to_owned(),
        })?;
        chosen[index] = is_in;
    }
    let (on_trees, on_text) = chosen.split_at(ablate_languages::registry::PASSES.len());
    let mut passes = Vec::new();
    if let Some(language) = kind.language {
        let syntax = Syntax::new(language);
        let entries = ablate_languages::registry::PASSES.iter().zip(on_trees);
        let entries = entries.filter(|(_, is_in)| **is_in);
        passes.extend(entries.map(|(entry, _)| (entry.make)(&syntax)));
    }
    let entries = ablate_passes::registry::PASSES.iter().zip(on_text);
    let entries = entries.filter(|(_, is_in)| **is_in);
    passes.extend(entries.map(|(entry, _)| {
        let pass = if kind.is_text {
            (entry.make)()
        } else {
            (entry.make_for_binary)()
        };
        let has_better = kind.language.is_some() && OUTDONE.contains(&pass.name());
        if has_better {
            Box::new(Behind(pass)) as Box<dyn Pass<u8>>
        } else {
            pass
        }
    }));
    Ok(passes)
}

/// Passes on text of which those on syntax trees do nearly all that succeeds.
const OUTDONE: &[&str] = &[
    "delete_prefix",
    "delete_suffix",
    "delete_comments",
    "delete_lines",
    "delete_indented_blocks",
    "hollow_brackets",
    "delete_brackets",
    "delete_duplicate_lines",
    "delete_between_ngrams",
];

/// How far such a pass stands behind its rank.
const STEPS_BEHIND: u8 = 3;

/// A pass that waits for others.
struct Behind(Box<dyn Pass<u8>>);

impl Pass<u8> for Behind {
    fn name(&self) -> &'static str {
        self.0.name()
    }

    fn step(
        &self,
        target: &Target<u8>,
        chooser: &mut Chooser<'_>,
    ) -> Result<Patch<u8>, DeadBranch> {
        self.0.step(target, chooser)
    }

    fn directions(&self) -> usize {
        self.0.directions()
    }

    fn grow(
        &self,
        target: &Target<u8>,
        patch: &Patch<u8>,
        direction: usize,
        amount: usize,
    ) -> Option<Patch<u8>> {
        self.0.grow(target, patch, direction, amount)
    }

    fn combined(
        &self,
        target: &Target<u8>,
        one: &Patch<u8>,
        other: &Patch<u8>,
    ) -> Result<Patch<u8>, Conflict> {
        self.0.combined(target, one, other)
    }

    fn is_for_chaos(&self) -> bool {
        self.0.is_for_chaos()
    }

    fn is_for_chains(&self) -> bool {
        self.0.is_for_chains()
    }

    fn pumps(&self) -> bool {
        self.0.pumps()
    }

    fn rank(&self) -> u8 {
        self.0.rank().saturating_sub(STEPS_BEHIND)
    }
}

/// Lists the passes, or explains one.
///
/// # Errors
/// When there is no such pass, or standard output can't be written.
pub fn show(name: Option<&str>) -> Result<Exit, Failure> {
    let mut out = std::io::stdout().lock();
    match name {
        Some(name) => {
            let pass = descriptions().find(|pass| pass.name == name);
            let pass = pass.ok_or_else(|| Failure::UnknownPass {
                name: name.to_owned(),
            })?;
            write!(out, "{}\n\n{}", pass.name, pass.explanation())?;
        }
        None => {
            let width = descriptions().map(|pass| pass.name.len()).max();
            let width = width.unwrap_or(0);
            for pass in descriptions() {
                writeln!(out, "{:width$}  {}", pass.name, pass.summary())?;
            }
        }
    }
    Ok(Exit::Reduced)
}

/// Lists the languages, with the ends of file names that tell them.
///
/// # Errors
/// When standard output can't be written.
pub fn show_languages() -> Result<Exit, Failure> {
    let mut out = std::io::stdout().lock();
    let languages = ablate_languages::LANGUAGES;
    let width = languages.iter().map(|language| language.name.len()).max();
    let width = width.unwrap_or(0);
    for language in languages {
        let ends = language.extensions.join(" ");
        writeln!(out, "{:width$}  {ends}", language.name)?;
    }
    Ok(Exit::Reduced)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(asked: &[&str]) -> Vec<&'static str> {
        let asked: Vec<String> = asked.iter().map(|&name| name.to_owned()).collect();
        let kind = Kind {
            is_text: true,
            language: ablate_languages::find("json"),
        };
        selected(&asked, kind)
            .unwrap()
            .iter()
            .map(|pass| pass.name())
            .collect()
    }

    #[test]
    fn passes_that_trees_outdo_come_later_where_there_are_trees() {
        let with = |language| Kind {
            is_text: true,
            language,
        };
        let ranks = |kind| -> Vec<(&'static str, u8)> {
            let names: Vec<String> = OUTDONE.iter().map(|&name| name.to_owned()).collect();
            let passes = selected(&names, kind).unwrap();
            passes
                .iter()
                .map(|pass| (pass.name(), pass.rank()))
                .collect()
        };
        let (text, json) = (
            ranks(with(None)),
            ranks(with(ablate_languages::find("json"))),
        );
        assert_eq!(text.len(), OUTDONE.len());
        assert!(text.iter().zip(&json).all(|(a, b)| a.0 == b.0 && a.1 > b.1));
    }

    #[test]
    fn passes_are_added_left_out_or_named_alone() {
        assert_eq!(names(&[]).len(), descriptions().count());
        assert_eq!(names(&["-delete_lines"]).len(), descriptions().count() - 1);
        assert_eq!(names(&["delete_lines"]), ["delete_lines"]);
        assert_eq!(
            names(&["delete_lines", "+delete_suffix"]),
            ["delete_suffix", "delete_lines"]
        );
        let kind = Kind {
            is_text: true,
            language: None,
        };
        assert!(selected(&["-nothing".to_owned()], kind).is_err());
        let on_text = selected(&[], kind).unwrap().len();
        assert_eq!(on_text, ablate_passes::registry::PASSES.len());
    }
}
