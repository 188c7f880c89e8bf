//! Deletes a quoted string with its quotes.
//!
//! A message or a file name is often only there for people: `f(1, "x")` loses it, once the comma
//! can go too, and a Python docstring goes in one test.
//!
//! Costs one test for each quoted string.
//!
//! ```
//! use ablate_passes::explain::reductions;
//! use ablate_passes::passes::DeleteQuoted;
//!
//! assert_eq!(reductions(&DeleteQuoted, "print \"a\" 'b'"), ["print \"a\"", "print 'b'"]);
//! ```

use ablate_engine::chooser::{Chooser, DeadBranch};
use ablate_engine::pass::Pass;
use ablate_engine::patch::Patch;
use ablate_engine::target::Target;

use crate::formats::characters::with_blanks;
use crate::formats::quotes::Quotes;
use crate::passes::one_of;

/// Deletes a quoted string with its quotes; see the module.
#[derive(Clone, Copy, Debug, Default)]
pub struct DeleteQuoted;

impl Pass<u8> for DeleteQuoted {
    fn name(&self) -> &'static str {
        "delete_quoted"
    }

    fn step(
        &self,
        target: &Target<u8>,
        chooser: &mut Chooser<'_>,
    ) -> Result<Patch<u8>, DeadBranch> {
        let (start, end) = one_of(chooser, Quotes::of(target).all())?.range();
        let (start, end) = with_blanks(target.elements(), start, end);
        Ok(Patch::cut(start, end))
    }

    fn rank(&self) -> u8 {
        6
    }
}
