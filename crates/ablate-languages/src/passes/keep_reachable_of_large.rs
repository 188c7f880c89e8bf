//! Keeps a few declarations and what they need, as keep_reachable does, while the text is so large that
//! most of it must be of libraries.
//!
//! It stands before delete_large_nodes, which keep_reachable does not: of a large text its candidates
//! are short, and they compile, where pieces of half the size leave a compiler busy with errors for
//! long. Where the text is not that large any more, neither is the difference, and pieces that may leave
//! errors behind are tried first: tests that let these through have the sooner end.
//!
//! Costs some dozen tests, and none below half a megabyte. That bound was measured with C++ (nine files of
//! 0.6 to 2.4 MB, libraries around a bug): with half of it, one of them
//! is at a tenth of its size after 56 tests instead of 15.
//!
//! ```
//! use ablate_languages::explain::reductions;
//!
//! let library = "int a() { return 1; }\n".repeat(24_000);
//! let seen = reductions("keep_reachable_of_large", "c", &(library + "int b; int c() { return b; }"));
//! assert!(seen[0].ends_with("int b; int c() { return b; }"));
//! assert!(seen[0].len() < 100);
//! ```

use std::rc::Rc;

use ablate_engine::chooser::{Chooser, DeadBranch};
use ablate_engine::pass::Pass;
use ablate_engine::patch::Patch;
use ablate_engine::target::Target;

use crate::passes::KeepReachable;
use crate::tree::Syntax;

/// From so many bytes on a text is large.
const LARGE: usize = 1 << 19;

/// Keeps a few declarations of a large text and what they need; see the module.
#[derive(Clone, Debug)]
pub struct KeepReachableOfLarge(pub Rc<Syntax>);

impl Pass<u8> for KeepReachableOfLarge {
    fn name(&self) -> &'static str {
        "keep_reachable_of_large"
    }

    fn step(
        &self,
        target: &Target<u8>,
        chooser: &mut Chooser<'_>,
    ) -> Result<Patch<u8>, DeadBranch> {
        if target.len() < LARGE {
            return Err(DeadBranch);
        }
        KeepReachable(Rc::clone(&self.0)).step(target, chooser)
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
    use crate::explain::reductions;

    #[test]
    fn what_is_not_large_is_left_to_others() {
        let text = "int a; int b; int f() { a; } int g() { b; }";
        assert!(reductions("keep_reachable_of_large", "c", text).is_empty());
        assert!(!reductions("keep_reachable", "c", text).is_empty());
    }
}
