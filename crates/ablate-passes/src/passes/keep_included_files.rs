//! Deletes all files of a folder but some of them and what these include.
//!
//! A file that another one includes can't go alone, and half of a project's files hardly ever can. But
//! half of them with all that they include are as whole as they were: of two hundred modules remain,
//! after a few tests, the one with the bug and those that it imports. What names a file is found as for
//! `delete_included_files`; files that neither name others nor are named stay.
//!
//! Costs two tests for the halves of the files; and two for the halves of each run of files that includes
//! all others, down to a thirty-second of them. Where no folder is reduced, there is nothing to do.
//!
//! ```
//! use ablate_engine::explain::reductions;
//! use ablate_passes::passes::KeepIncludedFiles;
//!
//! let folder = b"\x1ca.py\x1c\nimport d\n\x1cc.py\x1c\nimport a\n\x1cd.py\x1c\n";
//! let seen = reductions(&KeepIncludedFiles, folder);
//! assert!(seen.contains(&b"\x1ca.py\x1c\nimport d\n\x1cd.py\x1c\n".to_vec()));
//! ```

use alloc::vec::Vec;

use ablate_engine::chooser::{Chooser, DeadBranch};
use ablate_engine::pass::Pass;
use ablate_engine::patch::Patch;
use ablate_engine::target::Target;

use crate::formats::includes::Includes;

/// Runs of files below this share are not looked at.
const SMALLEST_SHARE: usize = 32;

/// Keeps files of a folder with what they include; see the module.
#[derive(Clone, Copy, Debug, Default)]
pub struct KeepIncludedFiles;

/// The files that go when a run of them stays, for the largest runs with which any go, the largest last.
struct Choices(Vec<Vec<(usize, usize)>>);

impl Choices {
    fn of(includes: &Includes) -> Choices {
        let files = includes.linked();
        let smallest = (files.len() / SMALLEST_SHARE).max(1);
        let mut choices = Vec::new();
        let mut level = alloc::vec![&files[..]];
        while !level.is_empty() {
            let halves = level.iter().filter(|run| run.len() >= 2 * smallest);
            let halves = halves.flat_map(|run| {
                let (first, last) = run.split_at(run.len().div_ceil(2));
                [first, last]
            });
            let halves: Vec<&[u32]> = halves.collect();
            level.clear();
            for run in halves {
                let cuts = includes.all_but(run);
                if cuts.is_empty() {
                    level.push(run);
                } else {
                    choices.push(cuts);
                }
            }
        }
        choices.reverse();
        Choices(choices)
    }
}

impl Pass<u8> for KeepIncludedFiles {
    fn name(&self) -> &'static str {
        "keep_included_files"
    }

    fn step(
        &self,
        target: &Target<u8>,
        chooser: &mut Chooser<'_>,
    ) -> Result<Patch<u8>, DeadBranch> {
        let includes = Includes::of(target);
        let choices = target.analysis(|_| Choices::of(&includes));
        let cuts = &choices.0[chooser.any(0..choices.0.len())?];
        Ok(Patch::cuts(cuts.iter().copied()))
    }

    fn is_for_chaos(&self) -> bool {
        false
    }

    fn rank(&self) -> u8 {
        9
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::formats::folder::{Entries, add};
    use ablate_engine::explain::reductions;
    use alloc::string::String;

    #[test]
    fn of_a_run_that_includes_all_others_its_halves_are_tried() {
        let mut folder = Vec::new();
        for (name, content) in [
            ("README", "nothing"),
            ("a.js", ""),
            ("b.js", "import './a';\n"),
            ("index.js", "import './a';\nimport './b';\nimport './z';\n"),
            ("z.js", ""),
        ] {
            add(&mut folder, name.as_bytes(), content.as_bytes());
        }
        let seen = reductions(&KeepIncludedFiles, &folder);
        let names = seen.iter().map(|folder| {
            let entries = Entries::new(folder);
            let names = entries.all().iter().map(|entry| entry.name(folder));
            String::from_utf8(names.collect::<Vec<_>>().join(&b' ')).unwrap()
        });
        let names: Vec<String> = names.collect();
        assert_eq!(names, ["README a.js b.js", "README z.js"]);
    }
}
