//! Passes on text: one file, one pass, one idea. [`crate::registry`] lists them for people.

/// What a pass says of itself that sweeps from the largest runs of parts to the smallest: what it takes off first is most
/// of a target.
macro_rules! takes_largest_at_once {
    () => {
        fn is_for_chaos(&self) -> bool {
            false
        }

        fn is_taken_at_once(&self) -> bool {
            true
        }

        fn is_largest_first(&self) -> bool {
            true
        }
    };
}

mod bypass_definitions;
mod delete_arguments_everywhere;
mod delete_attributes;
mod delete_between_ngrams;
mod delete_between_tokens;
mod delete_blanks_everywhere;
mod delete_brackets;
mod delete_carriage_returns;
mod delete_clauses;
mod delete_comments;
mod delete_counted_items;
mod delete_datatypes;
mod delete_duplicate_lines;
mod delete_elements;
mod delete_empty_macros;
mod delete_fields;
mod delete_files;
mod delete_hunk_lines;
mod delete_included_files;
mod delete_indented_blocks;
mod delete_items;
mod delete_keys_everywhere;
mod delete_large_clause_runs;
mod delete_large_items;
mod delete_large_parts;
mod delete_large_words;
mod delete_levels;
mod delete_lines;
mod delete_literals;
mod delete_machine_functions;
mod delete_machine_instructions;
mod delete_mentions;
mod delete_named_blocks;
mod delete_named_paragraphs;
mod delete_onnx_nodes;
mod delete_packed_bytes;
mod delete_part_bytes;
mod delete_parts;
mod delete_pure_clauses;
mod delete_quoted;
mod delete_rtlil_cells;
mod delete_short_runs;
mod delete_spirv_branches;
mod delete_spirv_instructions;
mod delete_spirv_parameters;
mod delete_symbol_parameters;
mod delete_symbols;
mod delete_tagged_blocks;
mod delete_terms;
mod delete_tokens;
mod delete_tokens_everywhere;
mod delete_two_items;
mod delete_unread_files;
mod delete_unreferenced_items;
mod delete_variables;
mod delete_wat_functions;
mod delete_whitespace;
mod delete_worded_blocks;
mod empty_files;
mod flip_signs;
mod fold_bit_vectors;
mod fold_constants;
mod force_literals;
mod hoist_members;
mod hollow_bodies;
mod hollow_brackets;
mod hollow_quoted;
mod inline_files;
mod inline_spirv_calls;
mod inline_symbols;
mod introduce_symbols;
mod keep_included_files;
mod keep_named_items;
mod keep_named_paragraphs;
mod lift_brackets;
mod lift_elements;
mod lift_indented_blocks;
mod lift_parts;
mod lower_addends;
mod lower_bytes;
mod lower_bytes_everywhere;
mod lower_integers;
mod lower_integers_everywhere;
mod merge_brackets;
mod merge_spirv_blocks;
mod merge_strings;
mod merge_variables;
mod narrow_bit_vectors;
mod narrow_floats;
mod propagate_units;
mod reduce_indentation;
mod rename_identifiers;
mod rename_symbols;
mod renumber_variables;
mod replace_identifiers;
mod replace_runs_with_zeros;
mod replace_spirv_values;
mod replace_terms_by_constants;
mod replace_terms_by_parts;
mod replace_with_zero;
mod resolve_clauses;
mod resolve_conditionals;
mod simplify_brackets;
mod simplify_commands;
mod simplify_literals;
mod simplify_queries;
mod simplify_terms;
mod sort_clauses;
mod sort_lines;
mod stub_parts;
mod stub_wat_code;
mod substitute_parts;
mod unwrap_brackets;
mod unwrap_elements;

pub use bypass_definitions::BypassDefinitions;
pub use delete_arguments_everywhere::DeleteArgumentsEverywhere;
pub use delete_attributes::DeleteAttributes;
pub use delete_between_ngrams::delete_between_ngrams;
pub use delete_between_tokens::DeleteBetweenTokens;
pub use delete_blanks_everywhere::DeleteBlanksEverywhere;
pub use delete_brackets::DeleteBrackets;
pub use delete_carriage_returns::DeleteCarriageReturns;
pub use delete_clauses::DeleteClauses;
pub use delete_comments::DeleteComments;
pub use delete_counted_items::DeleteCountedItems;
pub use delete_datatypes::DeleteDatatypes;
pub use delete_duplicate_lines::DeleteDuplicateLines;
pub use delete_elements::DeleteElements;
pub use delete_empty_macros::DeleteEmptyMacros;
pub use delete_fields::DeleteFields;
pub use delete_files::DeleteFiles;
pub use delete_hunk_lines::DeleteHunkLines;
pub use delete_included_files::DeleteIncludedFiles;
pub use delete_indented_blocks::DeleteIndentedBlocks;
pub use delete_items::DeleteItems;
pub use delete_keys_everywhere::DeleteKeysEverywhere;
pub use delete_large_clause_runs::DeleteLargeClauseRuns;
pub use delete_large_items::DeleteLargeItems;
pub use delete_large_parts::DeleteLargeParts;
pub use delete_large_words::DeleteLargeWords;
pub use delete_levels::DeleteLevels;
pub use delete_lines::DeleteLines;
pub use delete_literals::DeleteLiterals;
pub use delete_machine_functions::DeleteMachineFunctions;
pub use delete_machine_instructions::DeleteMachineInstructions;
pub use delete_mentions::DeleteMentions;
pub use delete_named_blocks::DeleteNamedBlocks;
pub use delete_named_paragraphs::DeleteNamedParagraphs;
pub use delete_onnx_nodes::DeleteOnnxNodes;
pub use delete_packed_bytes::DeletePackedBytes;
pub use delete_part_bytes::DeletePartBytes;
pub use delete_parts::DeleteParts;
pub use delete_pure_clauses::DeletePureClauses;
pub use delete_quoted::DeleteQuoted;
pub use delete_rtlil_cells::DeleteRtlilCells;
pub use delete_short_runs::delete_short_runs;
pub use delete_spirv_branches::DeleteSpirvBranches;
pub use delete_spirv_instructions::DeleteSpirvInstructions;
pub use delete_spirv_parameters::DeleteSpirvParameters;
pub use delete_symbol_parameters::DeleteSymbolParameters;
pub use delete_symbols::DeleteSymbols;
pub use delete_tagged_blocks::DeleteTaggedBlocks;
pub use delete_terms::DeleteTerms;
pub use delete_tokens::DeleteTokens;
pub use delete_tokens_everywhere::DeleteTokensEverywhere;
pub use delete_two_items::DeleteTwoItems;
pub use delete_unread_files::DeleteUnreadFiles;
pub use delete_unreferenced_items::DeleteUnreferencedItems;
pub use delete_variables::DeleteVariables;
pub use delete_wat_functions::DeleteWatFunctions;
pub use delete_whitespace::DeleteWhitespace;
pub use delete_worded_blocks::DeleteWordedBlocks;
pub use empty_files::EmptyFiles;
pub use flip_signs::FlipSigns;
pub use fold_bit_vectors::FoldBitVectors;
pub use fold_constants::FoldConstants;
pub use force_literals::ForceLiterals;
pub use hoist_members::HoistMembers;
pub use hollow_bodies::HollowBodies;
pub use hollow_brackets::HollowBrackets;
pub use hollow_quoted::HollowQuoted;
pub use inline_files::InlineFiles;
pub use inline_spirv_calls::InlineSpirvCalls;
pub use inline_symbols::InlineSymbols;
pub use introduce_symbols::IntroduceSymbols;
pub use keep_included_files::KeepIncludedFiles;
pub use keep_named_items::KeepNamedItems;
pub use keep_named_paragraphs::KeepNamedParagraphs;
pub use lift_brackets::LiftBrackets;
pub use lift_elements::LiftElements;
pub use lift_indented_blocks::LiftIndentedBlocks;
pub use lift_parts::LiftParts;
pub use lower_addends::LowerAddends;
pub use lower_bytes::{lower_bytes, lower_bytes_in_binary};
pub use lower_bytes_everywhere::{lower_bytes_everywhere, lower_bytes_everywhere_in_binary};
pub use lower_integers::LowerIntegers;
pub use lower_integers_everywhere::LowerIntegersEverywhere;
pub use merge_brackets::MergeBrackets;
pub use merge_spirv_blocks::MergeSpirvBlocks;
pub use merge_strings::MergeStrings;
pub use merge_variables::MergeVariables;
pub use narrow_bit_vectors::NarrowBitVectors;
pub use narrow_floats::NarrowFloats;
pub use propagate_units::PropagateUnits;
pub use reduce_indentation::ReduceIndentation;
pub use rename_identifiers::RenameIdentifiers;
pub use rename_symbols::RenameSymbols;
pub use renumber_variables::RenumberVariables;
pub use replace_identifiers::ReplaceIdentifiers;
pub use replace_runs_with_zeros::{replace_runs_with_zeros, replace_runs_with_zeros_in_binary};
pub use replace_spirv_values::ReplaceSpirvValues;
pub use replace_terms_by_constants::ReplaceTermsByConstants;
pub use replace_terms_by_parts::ReplaceTermsByParts;
pub use replace_with_zero::ReplaceWithZero;
pub use resolve_clauses::ResolveClauses;
pub use resolve_conditionals::ResolveConditionals;
pub use simplify_brackets::SimplifyBrackets;
pub use simplify_commands::SimplifyCommands;
pub use simplify_literals::SimplifyLiterals;
pub use simplify_queries::SimplifyQueries;
pub use simplify_terms::SimplifyTerms;
pub use sort_clauses::SortClauses;
pub use sort_lines::SortLines;
pub use stub_parts::StubParts;
pub use stub_wat_code::StubWatCode;
pub use substitute_parts::SubstituteParts;
pub use unwrap_brackets::UnwrapBrackets;
pub use unwrap_elements::UnwrapElements;

use alloc::vec::Vec;
use core::marker::PhantomData;

use ablate_engine::chooser::{Chooser, DeadBranch};
use ablate_engine::pass::Pass;
use ablate_engine::patch::{Conflict, Patch};
use ablate_engine::target::Target;

use crate::formats::characters::simpler;
use crate::formats::container::Container;
use crate::formats::containers::container;
use crate::formats::sexpr::Node;
use crate::formats::smt::Smt;
use crate::formats::spirv::{Module, Parts, Plan};

/// One of `values`; sweeps try the last one first.
fn one_of<'a, T>(chooser: &mut Chooser<'_>, values: &'a [T]) -> Result<&'a T, DeadBranch> {
    Ok(&values[chooser.any(0..values.len())?])
}

/// A pass on the parts of a binary file: what depends on them is set right in the same edit.
pub trait EditsContainer {
    /// The name that people see.
    const NAME: &'static str;
    /// Where the pass stands before anything is known of its yield, from 0 (last) to 9 (first).
    const RANK: u8;
    /// In how many directions a successful edit can be made larger.
    const DIRECTIONS: usize = 0;
    /// Whether steps taken at random tell much.
    const IS_FOR_CHAOS: bool = false;
    /// Whether the next steps of a sweep are tried together with one that succeeded.
    const IS_FOR_CHAINS: bool = true;

    /// One step.
    ///
    /// # Errors
    /// [`DeadBranch`] when the choices name no edit.
    fn step(
        &self,
        target: &Target<u8>,
        container: &Container,
        chooser: &mut Chooser<'_>,
    ) -> Result<Patch<u8>, DeadBranch>;

    /// An edit that does what `patch` does and `amount` units more in `direction`.
    fn grow(
        &self,
        target: &Target<u8>,
        container: &Container,
        patch: &Patch<u8>,
        direction: usize,
        amount: usize,
    ) -> Option<Patch<u8>> {
        let _ = (target, container, patch, direction, amount);
        None
    }
}

/// The pass of these edits.
#[derive(Clone, Copy, Debug, Default)]
pub struct InContainer<T>(pub T);

impl<T: EditsContainer> Pass<u8> for InContainer<T> {
    fn name(&self) -> &'static str {
        T::NAME
    }

    fn step(
        &self,
        target: &Target<u8>,
        chooser: &mut Chooser<'_>,
    ) -> Result<Patch<u8>, DeadBranch> {
        self.0.step(target, &container(target), chooser)
    }

    fn directions(&self) -> usize {
        T::DIRECTIONS
    }

    fn grow(
        &self,
        target: &Target<u8>,
        patch: &Patch<u8>,
        direction: usize,
        amount: usize,
    ) -> Option<Patch<u8>> {
        let container = container(target);
        self.0.grow(target, &container, patch, direction, amount)
    }

    fn combined(
        &self,
        target: &Target<u8>,
        one: &Patch<u8>,
        other: &Patch<u8>,
    ) -> Result<Patch<u8>, Conflict> {
        let combined = container(target).combined(target.elements(), one, other);
        combined.ok_or(Conflict)
    }

    fn is_for_chaos(&self) -> bool {
        T::IS_FOR_CHAOS
    }

    fn is_for_chains(&self) -> bool {
        T::IS_FOR_CHAINS
    }

    fn rank(&self) -> u8 {
        T::RANK
    }
}

/// The places where the pass `P` has something to do.
struct Places<P> {
    places: Vec<u32>,
    pass: PhantomData<P>,
}

/// One of the numbers below `count` for which `is_place` holds; sweeps try the last one first.
///
/// The numbers are listed once for each target. To have the chooser reject the others instead would
/// take long where there are few: it meets each of them once for each target, and at random.
fn choose_place<P: 'static>(
    target: &Target<u8>,
    chooser: &mut Chooser<'_>,
    count: usize,
    is_place: impl FnMut(&usize) -> bool,
) -> Result<usize, DeadBranch> {
    let places = target.analysis(|_| Places::<P> {
        places: (0..count)
            .filter(is_place)
            .map(|place| place as u32)
            .collect(),
        pass: PhantomData,
    });
    Ok(*one_of(chooser, &places.places)? as usize)
}

/// What the pass `P` does to one of the commands of an SMT-LIB script: those for which `edited` gives
/// something.
fn edit_command<P: 'static>(
    target: &Target<u8>,
    chooser: &mut Chooser<'_>,
    edited: impl Fn(&Smt, &[u8], u32) -> Option<Patch<u8>>,
) -> Result<Patch<u8>, DeadBranch> {
    let (smt, text) = (Smt::of(target), target.elements());
    let count = smt.sexprs().all().len();
    let command = choose_place::<P>(target, chooser, count, |&command| {
        smt.sexprs().all()[command].parent == Node::NONE
            && edited(&smt, text, command as u32).is_some()
    })?;
    simpler(
        target,
        edited(&smt, text, command as u32).ok_or(DeadBranch)?,
    )
}

/// The run of all numbers below `count`, its halves, their halves, and so on down to a `share`-th of
/// all and to two: each by its first and its last number, the longest first.
fn runs_by_halves(count: usize, share: usize) -> Vec<(usize, usize)> {
    let shortest = (count / share).max(2);
    let mut runs = Vec::new();
    if count >= shortest {
        runs.push((0, count - 1));
    }
    let mut at = 0;
    while let Some(&(first, last)) = runs.get(at) {
        let middle = first + (last - first) / 2;
        for (first, last) in [(first, middle), (middle + 1, last)] {
            if last >= first && last - first + 1 >= shortest {
                runs.push((first, last));
            }
        }
        at += 1;
    }
    runs
}

/// A pass on SPIR-V modules, as text or as binary.
pub trait ChangesModule {
    /// The name that people see.
    const NAME: &'static str;
    /// Where the pass stands before anything is known of its yield, from 0 (last) to 9 (first).
    const RANK: u8;
    /// What can go or change.
    type Part: 'static;

    /// All that can, in groups, each with its size.
    fn parts(module: &Module) -> Vec<Vec<(Self::Part, u32)>>;

    /// Plans what becomes of some of it.
    fn change(module: &Module, plan: &mut Plan<'_>, parts: &[Self::Part]);
}

/// The pass of these changes.
#[derive(Clone, Copy, Debug, Default)]
pub struct InModule<T>(pub T);

impl<T: ChangesModule> Pass<u8> for InModule<T> {
    fn name(&self) -> &'static str {
        T::NAME
    }

    fn step(
        &self,
        target: &Target<u8>,
        chooser: &mut Chooser<'_>,
    ) -> Result<Patch<u8>, DeadBranch> {
        Parts::of(target, T::parts).step(target, chooser, T::change)
    }

    takes_largest_at_once!();

    fn keeps_form(&self) -> bool {
        true
    }

    fn rank(&self) -> u8 {
        T::RANK
    }
}
