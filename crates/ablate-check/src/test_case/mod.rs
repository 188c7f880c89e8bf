//! A test case being made: the choices that it reads, where each comes from, and the spans that
//! they form.

mod case;
mod choosing;
mod properties;
mod replayed;

pub use case::TestCase;
pub(crate) use case::{Beyond, Drawn, Halt, Line};
pub use properties::assume;
