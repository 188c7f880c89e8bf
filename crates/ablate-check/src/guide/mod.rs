//! A guide, from the first property to state and threads. Every example is compiled and run as a
//! test.
//!
//! 1. [`first_property`]: a property, what a failure looks like, how to see it again
//! 2. [`values`]: which values a property gets, and how to make others
//! 3. [`own_types`]: structs, enums, trees, and types that others have made
//! 4. [`failures`]: what is stored, explained, reported; flaky properties; health
//! 5. [`looking_harder`]: statistics, targets, more cases, several cores, continuous integration
//! 6. [`state`]: programs of rules against something that changes
//! 7. [`reduction`]: what the reducer does, and how a generator can help it

#[doc = include_str!("first_property.md")]
pub mod first_property {}

#[doc = include_str!("values.md")]
pub mod values {}

#[doc = include_str!("own_types.md")]
pub mod own_types {}

#[doc = include_str!("failures.md")]
pub mod failures {}

#[doc = include_str!("looking_harder.md")]
pub mod looking_harder {}

#[doc = include_str!("state.md")]
pub mod state {}

#[doc = include_str!("reduction.md")]
pub mod reduction {}
