//! What a pass is: a pure function from a target and a chooser to one edit.

use alloc::boxed::Box;

use crate::chooser::{Chooser, DeadBranch};
use crate::identity::Element;
use crate::patch::{Conflict, Patch};
use crate::target::Target;

/// One idea of how a target can be made simpler.
///
/// A pass does not loop, does not test and has no state: it asks the chooser a few times and
/// returns the edit that those choices name. The engine owns the order, the merging of what
/// succeeds, and the growing of what succeeded.
pub trait Pass<E: Element> {
    /// The name that people see: verb and object, in snake case.
    fn name(&self) -> &'static str;

    /// One step.
    ///
    /// # Errors
    /// [`DeadBranch`] when the choices name no edit.
    fn step(&self, target: &Target<E>, chooser: &mut Chooser<'_>) -> Result<Patch<E>, DeadBranch>;

    /// An edit that a step gave, put right; `None` if it can't be. That may take long, and is asked only
    /// of edits that are wanted.
    fn amended(&self, target: &Target<E>, patch: Patch<E>) -> Option<Patch<E>> {
        let _ = target;
        Some(patch)
    }

    /// One step, put right.
    ///
    /// # Errors
    /// [`DeadBranch`] when the choices name no edit, or one that can't be put right.
    fn edit(&self, target: &Target<E>, chooser: &mut Chooser<'_>) -> Result<Patch<E>, DeadBranch> {
        let patch = self.step(target, chooser)?;
        self.amended(target, patch).ok_or(DeadBranch)
    }

    /// In how many directions a successful edit of this pass can be made larger.
    fn directions(&self) -> usize {
        0
    }

    /// An edit that does what `patch` does and more: `amount` (1, 2, 3, …) units more in
    /// `direction`. `None` beyond the largest. A pure function of its arguments; `patch` is one
    /// that this pass made for this target, grown in other directions perhaps.
    fn grow(
        &self,
        target: &Target<E>,
        patch: &Patch<E>,
        direction: usize,
        amount: usize,
    ) -> Option<Patch<E>> {
        let _ = (target, patch, direction, amount);
        None
    }

    /// An edit that does what both edits do. A pass whose edits also restate a field that depends
    /// on the rest (a count, a length, a checksum) states it here for both together: the fields of
    /// two edits contradict each other where the edits themselves do not.
    ///
    /// # Errors
    /// When the edits want different things of the same place.
    fn combined(
        &self,
        target: &Target<E>,
        one: &Patch<E>,
        other: &Patch<E>,
    ) -> Result<Patch<E>, Conflict> {
        let _ = target;
        one.combined(other)
    }

    /// Whether steps taken at random tell much: so they do where there are many of a kind, at
    /// different places, and each success can be grown.
    fn is_for_chaos(&self) -> bool {
        self.directions() > 0
    }

    /// Whether it is worth while to try the next steps of a sweep together with one that succeeded.
    /// Not where two steps mostly can't be combined, and each takes long to compute.
    fn is_for_chains(&self) -> bool {
        true
    }

    /// Whether a step that succeeds is taken before others are tried, and without them: where most steps
    /// are about the same places.
    fn is_taken_at_once(&self) -> bool {
        false
    }

    /// Whether its steps stand in the order of what they remove, the most first. When much has gone
    /// a sweep then begins anew: the largest steps are others now.
    fn is_largest_first(&self) -> bool {
        false
    }

    /// Whether its steps leave what is well-formed well-formed: then those that hardly differ in what
    /// they remove mostly fail together. Elsewhere one bracket or blank makes the difference.
    fn keeps_form(&self) -> bool {
        false
    }

    /// Whether steps may make the target larger first: what counts then is what the test really
    /// saw, and an oracle that does not say that must not be used.
    fn pumps(&self) -> bool {
        false
    }

    /// Whether it is left until no other pass finds anything, where passes go in order: it costs much
    /// and is mostly in vain, so that what a cheaper pass does first is saved.
    fn is_last_resort(&self) -> bool {
        false
    }

    /// Where this pass stands before anything is known of its yield, from 0 (last) to 9 (first).
    fn rank(&self) -> u8 {
        5
    }
}

/// What a pass says of itself that has another one in its field `pass`: what that one says. Only its steps
/// are its own.
#[macro_export]
macro_rules! as_inner_pass {
    () => {
        fn name(&self) -> &'static str {
            self.pass.name()
        }

        fn directions(&self) -> usize {
            self.pass.directions()
        }

        fn is_for_chaos(&self) -> bool {
            self.pass.is_for_chaos()
        }

        fn is_for_chains(&self) -> bool {
            self.pass.is_for_chains()
        }

        fn is_taken_at_once(&self) -> bool {
            self.pass.is_taken_at_once()
        }

        fn is_largest_first(&self) -> bool {
            self.pass.is_largest_first()
        }

        fn keeps_form(&self) -> bool {
            self.pass.keeps_form()
        }

        fn pumps(&self) -> bool {
            self.pass.pumps()
        }

        fn is_last_resort(&self) -> bool {
            self.pass.is_last_resort()
        }

        fn rank(&self) -> u8 {
            self.pass.rank()
        }
    };
}

/// What puts the edits of passes right, whatever they are.
pub trait Amend<E: Element> {
    /// `patch`, put right; `None` if it can't be.
    fn amended(&self, target: &Target<E>, patch: Patch<E>) -> Option<Patch<E>>;

    /// What was put right to give `patch`, as far as that is known.
    fn bare(&self, target: &Target<E>, patch: &Patch<E>) -> Patch<E> {
        let _ = target;
        patch.clone()
    }

    /// Whether edits that make more of others are put right as well, or taken as they are.
    fn is_for_growth(&self) -> bool {
        true
    }
}

/// A pass whose edits are put right.
pub struct Amended<E, A> {
    /// The pass.
    pub pass: Box<dyn Pass<E>>,
    /// What puts them right.
    pub by: A,
}

impl<E: Element, A: Amend<E>> Pass<E> for Amended<E, A> {
    as_inner_pass!();

    fn step(&self, target: &Target<E>, chooser: &mut Chooser<'_>) -> Result<Patch<E>, DeadBranch> {
        self.pass.step(target, chooser)
    }

    fn amended(&self, target: &Target<E>, patch: Patch<E>) -> Option<Patch<E>> {
        let patch = self.pass.amended(target, patch)?;
        self.by.amended(target, patch)
    }

    fn grow(
        &self,
        target: &Target<E>,
        patch: &Patch<E>,
        direction: usize,
        amount: usize,
    ) -> Option<Patch<E>> {
        if !self.by.is_for_growth() {
            return self.pass.grow(target, patch, direction, amount);
        }
        let bare = self.by.bare(target, patch);
        let grown = self.pass.grow(target, &bare, direction, amount)?;
        self.by.amended(target, grown)
    }

    fn combined(
        &self,
        target: &Target<E>,
        one: &Patch<E>,
        other: &Patch<E>,
    ) -> Result<Patch<E>, Conflict> {
        let combined = self.pass.combined(target, one, other)?;
        if !self.by.is_for_growth() {
            return Ok(combined);
        }
        self.by.amended(target, combined).ok_or(Conflict)
    }
}
