//! Passes on any sequence. Each is one file and one idea; what they share is the [`crate::pass`]
//! interface alone.

mod delete_between_ngrams;
mod delete_prefix;
mod delete_repeats;
mod delete_short_runs;
mod delete_suffix;
mod lower_elements;
mod lower_elements_everywhere;

pub use delete_between_ngrams::{DeleteBetweenNgrams, past_repetitions, repetitions};
pub use delete_prefix::DeletePrefix;
pub use delete_repeats::DeleteRepeats;
pub use delete_short_runs::DeleteShortRuns;
pub use delete_suffix::DeleteSuffix;
pub use lower_elements::LowerElements;
pub use lower_elements_everywhere::LowerElementsEverywhere;
