//! Property-based testing whose failures reduce themselves.
//!
//! A property is a test that draws its values from a [`TestCase`]. It is run for many random test
//! cases. When one makes it fail, Ablate's engine reduces the *choices* that the test case is made
//! of, and what is shown is the simplest test case that still fails.
//!
//! ```
//! use ablate_check::prelude::*;
//!
//! check(|tc| {
//!     let xs = tc.draw(vec(0..100u8));
//!     let mut sorted = xs.clone();
//!     sorted.sort();
//!     assert_eq!(sorted.len(), xs.len());
//! });
//! ```
//!
//! # Properties
//!
//! `#[property]` makes a function a `#[test]`. Its arguments are drawn from their types, which
//! implement [`Arbitrary`], or by a generator; or it takes a `&mut TestCase` and draws for itself.
//!
//! ```
//! use ablate_check::prelude::*;
//!
//! #[property(cases = 500, example = (vec![3, 1], 0))]
//! fn what_is_removed_was_there(xs: Vec<i32>, #[from(0..10usize)] at: usize) {
//!     assume(at < xs.len());
//!     assert!(xs.contains(&xs[at]));
//! }
//!
//! #[property]
//! fn lists_have_the_length_asked_for(tc: &mut TestCase) -> Result<(), std::num::TryFromIntError> {
//!     let len = tc.draw(1..=20u8);
//!     let xs = tc.draw(vec(any::<String>()).exactly(len.into()));
//!     assert_eq!(u8::try_from(xs.len())?, len);
//!     Ok(())
//! }
//! ```
//!
//! # Generators
//!
//! Ranges are generators, [`any`] makes any value of a type, [`generators`] has the rest; what can
//! be made of them is in [`Combinators`]. A closure that draws is one too, by [`from_fn`], and
//! `#[derive(Arbitrary)]` makes one for a struct or an enum.
//!
//! ```
//! use ablate_check::prelude::*;
//!
//! #[derive(Debug, Arbitrary)]
//! enum Shape {
//!     Point,
//!     Circle { #[arbitrary(from = 0.0..=1.0f64)] radius: f64 },
//!     Group(Vec<Shape>),
//! }
//!
//! check(|tc| {
//!     let shape = tc.draw(any::<Shape>());
//!     if let Shape::Circle { radius } = shape {
//!         assert!(radius <= 1.0);
//!     }
//! });
//! ```
//!
//! # Failures
//!
//! A failure is told apart by where it panics and by its message, values in it aside; each one is
//! reduced and reported by itself. What fails is kept in `.ablate` of the package, one readable
//! file for each test case, and tried first the next time, until it holds. A report ends with a
//! line that shows the failure again anywhere: `ABLATE_REPLAY='name=1.t.5.f'`, or as an attribute,
//! `#[property(regression = "1.t.5.f")]`.
//!
//! Properties have to unwind: with `panic = "abort"` a failure ends the process.
//!
//! # Settings
//!
//! By builder, by attribute (`#[property(cases = 500)]`), by environment: see [`Settings`].
//!
//! # State
//!
//! A [`Machine`] runs programs of rules against a state, and shows the shortest that fails.
//! `#[machine]` makes one of the methods of a type.
//!
//! # Guide
//!
//! [`guide`] goes through all that step by step.

pub mod choice;
pub mod data_tree;
pub mod generators;
pub mod guide;
pub mod list;
pub mod reduce;

mod arbitrary;
mod block_on;
mod combinators;
mod failure;
mod generator;
mod machine;
mod mutation;
mod parts;
pub mod passes;
mod print;
mod report;
mod runner;
mod sample;
mod search;
mod settings;
mod store;
mod test_case;

pub use arbitrary::{Any, Arbitrary, any};
pub use block_on::block_on;
pub use combinators::{Combinators, Filter, FilterMap, FlatMap, Map, MapWithInverse};
pub use failure::{Ending, Failure, FailureKind};
pub use generator::{Boxed, FromFn, Generator, Just, from_fn, just, label};
pub use generators::OneOf;
pub use machine::{Machine, Pool, Step};
pub use print::Shown;
pub use report::{Found, Report};
pub use settings::{Settings, Storage, Verbosity};
pub use test_case::{TestCase, assume};

#[cfg(feature = "macros")]
pub use ablate_check_macros::{Arbitrary, machine, property};

/// Runs a property with the usual settings; fails, by panic, when it does not hold.
///
/// # Panics
/// When the property does not hold; the message is the report.
#[track_caller]
pub fn check<R: Ending>(property: impl Fn(&mut TestCase) -> R) {
    Settings::new().check(property);
}

/// Runs a property's own code; for what `#[property]` makes.
#[doc(hidden)]
pub fn call_body<T>(body: impl FnOnce() -> T) -> T {
    body()
}

/// Tells what a type is made of, for its values to be shown; for what `#[derive(Arbitrary)]` makes.
#[doc(hidden)]
pub fn learn_type<T>(tc: &TestCase, made: print::Made) {
    if tc.is_shown() {
        print::learn::<T>(made);
    }
}

/// Judges an explicit example, unless the property does not apply to it; for what `#[property]`
/// makes. `number` is the example's, and how many there are.
#[doc(hidden)]
#[track_caller]
pub fn check_example<T: std::fmt::Debug, R: Ending>(
    name: &str,
    number: (usize, usize),
    example: T,
    body: impl FnOnce(T) -> R,
) {
    let shown = print::show(&example);
    failure::install_hook();
    if let failure::Ended::Failed(failure) = failure::watch(name, || body(example)) {
        let (number, count) = number;
        panic!(
            "property `{name}` fails for example {number} of {count}, {}:\n{failure}",
            report::cut(&shown)
        );
    }
}

/// The example in the README compiles.
#[cfg(doctest)]
#[doc = include_str!("../../../README.md")]
struct Readme;

/// What most tests need.
pub mod prelude {
    pub use crate::generators::*;
    pub use crate::{
        Arbitrary, Boxed, Combinators, Generator, Machine, Pool, Settings, Step, TestCase, any,
        assume, check, from_fn, just, one_of,
    };

    #[cfg(feature = "macros")]
    pub use crate::{machine, property};
}
