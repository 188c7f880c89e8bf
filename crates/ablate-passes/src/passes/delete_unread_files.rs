//! Deletes the files of a folder that the test does not read, all at once; or empties them.
//!
//! A test that runs a program on a project reads the files that the program asks for, and most of the
//! others have nothing to do with what is wrong. Which files were read is seen in the first run of the
//! test, on the original.
//!
//! Costs one test; where some of these files have to be there all the same, one to empty them, and two for
//! the halves of them, the halves of these, and so on down to an eighth. Where no folder is reduced, there
//! is nothing to do.
//!
//! ```
//! use ablate_engine::explain::reductions;
//! use ablate_passes::passes::DeleteUnreadFiles;
//!
//! let pass = DeleteUnreadFiles::new([b"a".to_vec()].into());
//! let seen = reductions(&pass, b"\x1ca\x1c\none\x1cb\x1c\ntwo");
//! assert!(seen.contains(&b"\x1cb\x1c\ntwo".to_vec()));
//! ```

use alloc::collections::BTreeSet;
use alloc::vec::Vec;

use ablate_engine::chooser::{Chooser, DeadBranch};
use ablate_engine::pass::Pass;
use ablate_engine::patch::Patch;
use ablate_engine::target::Target;

use crate::formats::folder::{Entries, Entry};

/// Runs of files below this share are not looked at.
const SMALLEST_SHARE: usize = 8;

/// Deletes files that nobody reads; see the module.
#[derive(Clone, Debug, Default)]
pub struct DeleteUnreadFiles {
    unread: BTreeSet<Vec<u8>>,
}

/// What may go at once, that with which most goes last.
struct Cuts(Vec<Vec<(usize, usize)>>);

impl Cuts {
    fn of(unread: &[Entry]) -> Cuts {
        let whole = |run: &[Entry]| run.iter().map(|file| (file.start, file.end)).collect();
        let contents = unread.iter().map(|file| (file.content, file.end));
        let contents = contents.filter(|(start, end)| start < end);
        let mut cuts: Vec<Vec<_>> = alloc::vec![whole(unread), contents.collect()];
        cuts.retain(|cuts| !cuts.is_empty());
        let smallest = unread.len().div_ceil(SMALLEST_SHARE);
        let mut len = unread.len().div_ceil(2);
        while len < unread.len() && len >= smallest {
            cuts.extend(unread.chunks(len).map(whole));
            if len == 1 {
                break;
            }
            len = len.div_ceil(2);
        }
        cuts.reverse();
        Cuts(cuts)
    }
}

impl DeleteUnreadFiles {
    /// For the files of these names.
    pub fn new(unread: BTreeSet<Vec<u8>>) -> DeleteUnreadFiles {
        DeleteUnreadFiles { unread }
    }
}

impl Pass<u8> for DeleteUnreadFiles {
    fn name(&self) -> &'static str {
        "delete_unread_files"
    }

    fn step(
        &self,
        target: &Target<u8>,
        chooser: &mut Chooser<'_>,
    ) -> Result<Patch<u8>, DeadBranch> {
        let cuts = target.analysis(|target| {
            let (entries, folder) = (Entries::of(target), target.elements());
            let files = entries.all().iter().copied();
            let unread = files.filter(|file| self.unread.contains(&file.name(folder)));
            Cuts::of(&unread.collect::<Vec<_>>())
        });
        let cuts = &cuts.0[chooser.any(0..cuts.0.len())?];
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
    use crate::formats::folder::add;
    use ablate_engine::explain::reductions;
    use alloc::string::String;

    #[test]
    fn all_go_then_their_contents_then_parts_of_them() {
        let mut folder = Vec::new();
        for name in [b"a", b"b", b"c", b"d"] {
            add(&mut folder, name, b"1");
        }
        let pass = DeleteUnreadFiles::new(["a", "b", "c", "z"].map(|it| it.into()).into());
        let seen = reductions(&pass, &folder);
        let seen = seen.iter().map(|folder| {
            let files = Entries::new(folder);
            let files = files
                .all()
                .iter()
                .flat_map(|file| [file.name(folder), file.content(folder)].concat());
            String::from_utf8(files.collect()).unwrap()
        });
        let seen: Vec<String> = seen.collect();
        assert_eq!(seen, ["d1", "abcd1", "c1d1", "a1b1d1", "b1c1d1", "a1c1d1"]);
    }
}
