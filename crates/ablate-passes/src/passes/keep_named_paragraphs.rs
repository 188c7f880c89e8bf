//! Deletes all paragraphs but a few and what they need.
//!
//! What takes the grammar of a language to do well can be done somewhat without: a paragraph names
//! something with its first words, behind those with which many begin, and needs those with the names
//! that are in it. Of a theory with hundreds of lemmas remain, after one test, the last one and those
//! that its proof mentions. What stands before the first name stays, and what is imported, but for the
//! names of what goes in lists of names, such as those of exports. In a Lisp, paragraphs are the forms.
//!
//! Costs some dozen tests: halves of all paragraphs are the ones to begin with, then quarters and so on,
//! down to a sixteenth, with what they need: what they name or, where that is not the same, what they
//! call, if it is defined with brackets behind its name. Behind these come the paragraphs that no other
//! needs, the last of them, the last four, sixteen, and so on, where paragraphs without a name go with
//! the one before them, or stay where all that they need is there, or all of them stay. Languages with a
//! grammar have `keep_reachable` instead.
//!
//! ```
//! use ablate_passes::explain::reductions;
//! use ablate_passes::passes::KeepNamedParagraphs;
//!
//! let text = "use z\n\ndef a = 1\n\ndef b = 2\n\ndef c = a\n\ndef d = b\n\ndef e = c\n";
//! let seen = reductions(&KeepNamedParagraphs, text);
//! assert_eq!(seen[0], "use z\n\ndef a = 1\n\ndef c = a\n\ndef e = c\n");
//! ```

use alloc::vec::Vec;

use ablate_engine::chooser::{Chooser, DeadBranch};
use ablate_engine::pass::Pass;
use ablate_engine::patch::Patch;
use ablate_engine::target::Target;

use crate::formats::named::{Named, Nameless, Use};
use crate::formats::runs::{add_runs, sort_largest_first};

/// Keeps a few paragraphs and what they need; see the module.
#[derive(Clone, Copy, Debug, Default)]
pub struct KeepNamedParagraphs;

/// What is kept, with what it needs.
#[derive(Clone, Copy, Debug)]
enum Kept {
    /// So many of the last roots.
    Roots(usize, Nameless),
    /// A run of paragraphs.
    Run(usize, usize, Use),
}

/// What can be kept, what is tried first last.
struct Choices(Vec<Kept>);

/// Runs of fewer paragraphs, and below this share of all of them, are left to other passes.
const SMALLEST_RUN: (usize, usize) = (6, 16);

impl Choices {
    fn of(named: &Named) -> Choices {
        let roots = named.roots().len();
        let mut choices = Vec::new();
        if roots > 0 {
            let powers = core::iter::successors(Some(1), |count| Some(4 * count));
            let mut suffixes: Vec<usize> = powers.take_while(|&count| count < roots).collect();
            suffixes.insert(0, roots);
            suffixes[1..].reverse();
            let modes = [Nameless::Kept, Nameless::Waiting, Nameless::Attached];
            for count in suffixes {
                choices.extend(modes.map(|mode| Kept::Roots(count, mode)));
            }
        }
        let smallest = named.count().div_ceil(SMALLEST_RUN.1).max(SMALLEST_RUN.0);
        let mut runs = Vec::new();
        if named.heads() < named.count() {
            add_runs(named.heads(), named.count() - 1, &mut |first, last| {
                runs.push((first as u32, last as u32 + 1));
                last - first >= smallest
            });
        }
        sort_largest_first(&mut runs);
        // The first is all of them; sweeps begin with what is last.
        let runs = runs.into_iter().skip(1).rev();
        choices.extend(runs.flat_map(|(first, end)| {
            let uses = named.uses().iter();
            uses.map(move |&by| Kept::Run(first as usize, end as usize, by))
        }));
        Choices(choices)
    }

    /// Which paragraphs are kept by a choice.
    fn kept(named: &Named, choice: Kept) -> Vec<bool> {
        match choice {
            Kept::Roots(count, nameless) => {
                let roots = named.roots().iter().rev().take(count).copied();
                named.kept(Use::Name, roots, nameless)
            }
            Kept::Run(first, end, by) => {
                named.kept(by, first as u32..end as u32, Nameless::Attached)
            }
        }
    }
}

impl Pass<u8> for KeepNamedParagraphs {
    fn name(&self) -> &'static str {
        "keep_named_paragraphs"
    }

    fn step(
        &self,
        target: &Target<u8>,
        chooser: &mut Chooser<'_>,
    ) -> Result<Patch<u8>, DeadBranch> {
        let named = Named::of(target);
        let choices = target.analysis(|_| Choices::of(&named));
        let choice = choices.0[chooser.any(0..choices.0.len())?];
        let is_kept = Choices::kept(&named, choice);
        let patch = named.without(target, |paragraph| !is_kept[paragraph]);
        if patch.is_empty() {
            Err(DeadBranch)
        } else {
            Ok(patch)
        }
    }

    fn is_for_chaos(&self) -> bool {
        false
    }

    fn keeps_form(&self) -> bool {
        true
    }

    fn rank(&self) -> u8 {
        9
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::explain::reductions;

    fn check(text: &str, expected: &str) {
        let seen = reductions(&KeepNamedParagraphs, text);
        assert!(seen.iter().any(|seen| seen == expected), "{seen:#?}");
    }

    #[test]
    fn halves_are_tried_before_smaller_parts() {
        let text: std::vec::Vec<std::string::String> = (b'a'..b'q')
            .map(|name| std::format!("def {} = 1\n\n", char::from(name)))
            .collect();
        let seen = reductions(&KeepNamedParagraphs, &text.concat());
        let lengths: std::vec::Vec<usize> = seen.iter().map(|seen| seen.len() / 11).collect();
        assert_eq!(lengths[..6], [8, 8, 4, 4, 4, 4]);
    }

    #[test]
    fn paragraphs_without_a_name_go_with_the_one_before() {
        let text = "Lemma a : T.\n\nProof.\n  x.\nQed.\n\nLemma b : T.\n\nProof.\n  y.\nQed.\n\n\
                    Lemma c : T.\n\nProof.\n  apply b.\nQed.\n\nLemma d : c.\n\nProof.\n  z.\nQed.\n";
        let expected = "Lemma b : T.\n\nProof.\n  y.\nQed.\n\nLemma c : T.\n\nProof.\n  apply b.\nQed.\n\n\
                        Lemma d : c.\n\nProof.\n  z.\nQed.\n";
        check(text, expected);
    }

    #[test]
    fn heads_of_blocks_begin_paragraphs_where_no_line_is_empty() {
        let text = "a:\n  mov\n  ret\nb:\n  mov\n  ret\nc:\n  call a\n  ret\nd:\n  call b\n  ret\n\
                    e:\n  nop\nf:\n  call d\n";
        check(
            text,
            "b:\n  mov\n  ret\nd:\n  call b\n  ret\nf:\n  call d\n",
        );
    }
}
