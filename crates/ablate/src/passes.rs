//! The passes that a run uses, and what the command tells of them.

use std::io::Write;

use ablate_engine::pass::Pass;
use ablate_passes::registry::{Entry, PASSES, find};

use crate::exit::Exit;
use crate::failure::Failure;

/// The passes that `--passes` asks for: all, without those named `-NAME`; or, if there are names
/// without a sign, these only; and always those named `+NAME`. Made for text or for binary data.
///
/// # Errors
/// When there is no such pass.
pub fn selected(asked: &[String], is_text: bool) -> Result<Vec<Box<dyn Pass<u8>>>, Failure> {
    let has_only = asked.iter().any(|name| !name.starts_with(['+', '-']));
    let mut chosen = vec![!has_only; PASSES.len()];
    for name in asked {
        let (is_in, bare) = match name.strip_prefix('-') {
            Some(bare) => (false, bare),
            None => (true, name.strip_prefix('+').unwrap_or(name)),
        };
        let index = PASSES.iter().position(|entry| entry.name == bare);
        let index = index.ok_or_else(|| Failure::UnknownPass {
            name: bare.to_owned(),
        })?;
        chosen[index] = is_in;
    }
    let kept = PASSES.iter().zip(chosen).filter(|(_, is_in)| *is_in);
    let make = |entry: &Entry| {
        if is_text {
            (entry.make)()
        } else {
            (entry.make_for_binary)()
        }
    };
    Ok(kept.map(|(entry, _)| make(entry)).collect())
}

/// Lists the passes, or explains one.
///
/// # Errors
/// When there is no such pass, or standard output can't be written.
pub fn show(name: Option<&str>) -> Result<Exit, Failure> {
    let mut out = std::io::stdout().lock();
    match name {
        Some(name) => {
            let entry: &Entry = find(name).ok_or_else(|| Failure::UnknownPass {
                name: name.to_owned(),
            })?;
            write!(out, "{}\n\n{}", entry.name, entry.explanation())?;
        }
        None => {
            let width = PASSES
                .iter()
                .map(|entry| entry.name.len())
                .max()
                .unwrap_or(0);
            for entry in PASSES {
                writeln!(out, "{:width$}  {}", entry.name, entry.summary())?;
            }
        }
    }
    Ok(Exit::Reduced)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(asked: &[&str]) -> Vec<&'static str> {
        let asked: Vec<String> = asked.iter().map(|&name| name.to_owned()).collect();
        selected(&asked, true)
            .unwrap()
            .iter()
            .map(|pass| pass.name())
            .collect()
    }

    #[test]
    fn passes_are_added_left_out_or_named_alone() {
        assert_eq!(names(&[]).len(), PASSES.len());
        assert_eq!(names(&["-delete_lines"]).len(), PASSES.len() - 1);
        assert_eq!(names(&["delete_lines"]), ["delete_lines"]);
        assert_eq!(
            names(&["delete_lines", "+delete_suffix"]),
            ["delete_suffix", "delete_lines"]
        );
        assert!(selected(&["-nothing".to_owned()], true).is_err());
    }
}
