//! Passes whose mistakes end nothing: a step in which a pass panics names no edit.

use std::cell::{Cell, RefCell};
use std::panic::{self, AssertUnwindSafe};
use std::rc::Rc;

use ablate_engine::as_inner_pass;
use ablate_engine::chooser::{Chooser, DeadBranch};
use ablate_engine::pass::Pass;
use ablate_engine::patch::{Conflict, Patch};
use ablate_engine::target::Target;

use crate::external::Complaints;

thread_local! {
    static IS_GUARDED: Cell<bool> = const { Cell::new(false) };
    /// What was said of the latest mistake of a guarded pass.
    static MISTAKE: RefCell<String> = const { RefCell::new(String::new()) };
}

/// Has panics of guarded passes say nothing: that comes with the complaints.
pub fn keep_quiet() {
    let usual = panic::take_hook();
    panic::set_hook(Box::new(move |info| {
        if IS_GUARDED.get() {
            MISTAKE.set(info.to_string());
        } else {
            usual(info);
        }
    }));
}

/// A pass whose panics become complaints.
///
/// A step is a function of the test case and its choices, so it panics each time and with any number of
/// workers: that leaves the reduction a function of its input.
struct Guarded {
    pass: Box<dyn Pass<u8>>,
    has_complained: Cell<bool>,
    complaints: Complaints,
}

/// These passes, with their mistakes among the complaints.
pub fn guarded(passes: Vec<Box<dyn Pass<u8>>>, complaints: &Complaints) -> Vec<Box<dyn Pass<u8>>> {
    let guarded = |pass| {
        Box::new(Guarded {
            pass,
            has_complained: Cell::new(false),
            complaints: Rc::clone(complaints),
        }) as Box<dyn Pass<u8>>
    };
    passes.into_iter().map(guarded).collect()
}

impl Guarded {
    /// What `run` gives; `None` if it panics.
    fn run<T>(&self, run: impl FnOnce() -> T) -> Option<T> {
        IS_GUARDED.set(true);
        let result = panic::catch_unwind(AssertUnwindSafe(run));
        IS_GUARDED.set(false);
        if result.is_err() && !self.has_complained.replace(true) {
            let (name, mistake) = (self.pass.name(), MISTAKE.take().replace('\n', " "));
            self.complaints.borrow_mut().push(format!(
                "{name} {mistake}; this is a mistake in ablate itself, please report it; the reduction goes on without this step"
            ));
        }
        result.ok()
    }
}

impl Pass<u8> for Guarded {
    as_inner_pass!();

    fn step(
        &self,
        target: &Target<u8>,
        chooser: &mut Chooser<'_>,
    ) -> Result<Patch<u8>, DeadBranch> {
        let step = self.run(|| self.pass.step(target, chooser));
        step.unwrap_or(Err(DeadBranch))
    }

    fn amended(&self, target: &Target<u8>, patch: Patch<u8>) -> Option<Patch<u8>> {
        self.run(|| self.pass.amended(target, patch))?
    }

    fn grow(
        &self,
        target: &Target<u8>,
        patch: &Patch<u8>,
        direction: usize,
        amount: usize,
    ) -> Option<Patch<u8>> {
        self.run(|| self.pass.grow(target, patch, direction, amount))?
    }

    fn combined(
        &self,
        target: &Target<u8>,
        one: &Patch<u8>,
        other: &Patch<u8>,
    ) -> Result<Patch<u8>, Conflict> {
        let combined = self.run(|| self.pass.combined(target, one, other));
        combined.unwrap_or(Err(Conflict))
    }
}

#[cfg(test)]
mod tests {
    use ablate_engine::explain::reductions;

    use super::*;

    /// Deletes one byte, but for the first.
    struct Wrong;

    impl Pass<u8> for Wrong {
        fn name(&self) -> &'static str {
            "wrong"
        }

        fn step(
            &self,
            target: &Target<u8>,
            chooser: &mut Chooser<'_>,
        ) -> Result<Patch<u8>, DeadBranch> {
            let at = chooser.prefer(target.len())?;
            assert!(at > 0, "the first");
            Ok(Patch::cut(at, at + 1))
        }
    }

    #[test]
    fn a_mistake_in_a_pass_costs_the_step_and_one_complaint() {
        keep_quiet();
        let complaints = Complaints::default();
        let passes = guarded(vec![Box::new(Wrong)], &complaints);
        for _ in 0..2 {
            assert_eq!(reductions(&*passes[0], b"abc"), [b"ac", b"ab"]);
        }
        let complaints = complaints.borrow();
        assert_eq!(complaints.len(), 1);
        let said = &complaints[0];
        assert!(said.starts_with("wrong panicked at "), "{said}");
        assert!(
            said.contains(file!()) && said.contains(" the first; "),
            "{said}"
        );
    }
}
