//! Passes on choice sequences, each in a file of its own, in the order in which they take turns.

use ablate_engine::pass::Pass;

use crate::choice::Choice;

mod add_siblings;
mod amid;
mod borrow_from_numbers;
mod cap_numbers;
mod copy_spans;
mod defer_picks;
mod delete_and_absorb;
mod delete_and_renumber;
mod delete_discarded;
mod delete_in_step;
mod delete_runs;
mod delete_several;
mod delete_spans;
mod exchange_bits;
mod exchange_spans;
mod exchange_values;
mod explain;
mod keep_first_siblings;
mod keep_named_siblings;
mod letters;
mod level_letters;
mod level_values;
mod lower_alternatives;
mod lower_and_delete;
mod lower_and_try_next;
mod lower_around_children;
mod lower_at_random;
mod lower_booleans;
mod lower_equal_spans;
mod lower_equal_values;
mod lower_filtered;
mod lower_floats;
mod lower_lengths;
mod lower_lengths_in_step;
mod lower_letters;
mod lower_near_numbers;
mod lower_to_unused;
mod lower_values;
mod merge_counted;
mod merge_siblings;
mod merge_texts;
mod move_amounts;
mod move_ends;
mod move_floats;
mod negate_numbers;
mod probe_numbers;
mod rank_numbers;
mod rank_values;
mod recode_alternatives;
mod reflect_numbers;
mod replace_by_descendant;
mod scale_floats;
mod scale_numbers;
mod shape;
mod shorten_texts;
mod siblings;
mod sift_numbers;
mod simplify_spans;
mod slide;
mod sort_siblings;
mod swap_spans;

pub use explain::reductions;
pub(crate) use shape::DISCARDED;

/// All passes on choice sequences, in their order.
pub fn all() -> Vec<Box<dyn Pass<Choice>>> {
    vec![
        Box::new(delete_discarded::DeleteDiscarded),
        Box::new(keep_first_siblings::KeepFirstSiblings::OfMany),
        Box::new(lower_lengths::LowerLengths),
        Box::new(keep_named_siblings::KeepNamedSiblings),
        Box::new(delete_and_renumber::DeleteAndRenumber),
        Box::new(rank_numbers::RankNumbers::OfMany),
        Box::new(cap_numbers::CapNumbers::OfMany),
        Box::new(delete_spans::DeleteSpans::Large),
        Box::new(replace_by_descendant::ReplaceByDescendant::AsItIs),
        Box::new(add_siblings::AddSiblings),
        Box::new(merge_siblings::MergeSiblings),
        Box::new(merge_counted::MergeCounted),
        Box::new(merge_texts::MergeTexts),
        Box::new(rank_numbers::RankNumbers::OfFew),
        Box::new(sort_siblings::SortSiblings::ByLength),
        Box::new(simplify_spans::SimplifySpans::Each),
        Box::new(rank_values::RankValues),
        Box::new(level_values::LevelValues::Spans),
        Box::new(level_values::LevelValues::Choices),
        Box::new(lower_near_numbers::LowerNearNumbers),
        Box::new(scale_floats::ScaleFloats),
        Box::new(lower_floats::LowerFloats),
        Box::new(lower_equal_values::LowerEqualValues::All),
        Box::new(reflect_numbers::ReflectNumbers::Near),
        Box::new(move_amounts::MoveAmounts::Near),
        Box::new(move_amounts::MoveAmounts::Two),
        Box::new(sort_siblings::SortSiblings::Unnamed),
        Box::new(lower_values::LowerValues),
        Box::new(lower_filtered::LowerFiltered),
        Box::new(shorten_texts::ShortenTexts),
        Box::new(level_letters::LevelLetters),
        Box::new(lower_letters::LowerLetters::Everywhere),
        Box::new(lower_letters::LowerLetters::Here),
        Box::new(lower_to_unused::LowerToUnused),
        Box::new(lower_alternatives::LowerAlternatives),
        Box::new(recode_alternatives::RecodeAlternatives),
        Box::new(copy_spans::CopySpans),
        Box::new(keep_first_siblings::KeepFirstSiblings::OfAny),
        Box::new(delete_spans::DeleteSpans::All),
        Box::new(delete_in_step::DeleteInStep),
        Box::new(delete_runs::DeleteRuns),
        Box::new(lower_booleans::LowerBooleans),
        Box::new(move_amounts::MoveAmounts::Any),
        Box::new(move_floats::MoveFloats),
        Box::new(defer_picks::DeferPicks),
        Box::new(reflect_numbers::ReflectNumbers::Any),
        Box::new(sort_siblings::SortSiblings::Any),
        Box::new(replace_by_descendant::ReplaceByDescendant::BySpans),
        Box::new(swap_spans::SwapSpans),
        Box::new(move_ends::MoveEnds),
        Box::new(exchange_spans::ExchangeSpans),
        Box::new(delete_and_absorb::DeleteAndAbsorb),
        Box::new(borrow_from_numbers::BorrowFromNumbers),
        Box::new(scale_numbers::ScaleNumbers),
        Box::new(lower_at_random::LowerAtRandom),
        Box::new(lower_equal_values::LowerEqualValues::Pairs),
        Box::new(sift_numbers::SiftNumbers),
        Box::new(negate_numbers::NegateNumbers),
        Box::new(lower_lengths_in_step::LowerLengthsInStep),
        Box::new(lower_around_children::LowerAroundChildren),
        Box::new(lower_and_delete::LowerAndDelete),
        Box::new(exchange_values::ExchangeValues),
        Box::new(exchange_bits::ExchangeBits),
        Box::new(lower_and_try_next::LowerAndTryNext),
        Box::new(lower_equal_spans::LowerEqualSpans),
        Box::new(delete_several::DeleteSeveral),
    ]
}

/// The passes on lists of values, in their order.
pub fn on_lists() -> Vec<Box<dyn Pass<Choice>>> {
    vec![
        Box::new(keep_first_siblings::KeepFirstSiblings::OfAny),
        Box::new(simplify_spans::SimplifySpans::Whole),
        Box::new(cap_numbers::CapNumbers::ByLeast),
        Box::new(rank_numbers::RankNumbers::Any),
        Box::new(delete_spans::DeleteSpans::All),
        Box::new(cap_numbers::CapNumbers::ByAny),
        Box::new(merge_texts::MergeTexts),
        Box::new(lower_booleans::LowerBooleans),
        Box::new(probe_numbers::ProbeNumbers),
        Box::new(lower_floats::LowerFloats),
        Box::new(shorten_texts::ShortenTexts),
        Box::new(lower_letters::LowerLetters::Everywhere),
        Box::new(lower_letters::LowerLetters::Here),
    ]
}
