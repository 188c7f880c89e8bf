//! Passes on syntax trees: one file, one pass, one idea. [`crate::registry`] lists them for people.

use std::marker::PhantomData;

use ablate_engine::chooser::{Chooser, DeadBranch};
use ablate_engine::pass::Pass;
use ablate_engine::patch::Patch;
use ablate_engine::target::Target;
pub(crate) use ablate_passes::formats::runs::add_runs;

mod bypass_members;
mod delete_aliases;
mod delete_blocks;
mod delete_bodies;
mod delete_columns;
mod delete_declarations;
mod delete_instructions;
mod delete_large_nodes;
mod delete_layout;
mod delete_metadata;
mod delete_nodes;
mod delete_nodes_everywhere;
mod delete_optional_tokens;
mod delete_overloads;
mod delete_parameters;
mod delete_results;
mod delete_with_needs;
mod free_functions;
mod hoist_expressions;
mod hoist_nodes;
mod hollow_definitions;
mod hollow_functions;
mod inline_calls;
mod inline_definitions;
mod inline_members;
mod inline_queries;
mod introduce_parameters;
mod keep_reachable;
mod keep_reachable_of_large;
mod lower_declarators;
mod merge_bases;
mod merge_bounds;
mod merge_declarations;
mod rename_declared;
mod rename_locals;
mod replace_with_needs;
mod simplify_nodes;
mod simplify_nodes_everywhere;
mod substitute_members;
mod substitute_nodes;
mod substitute_parameters;
mod unwrap_joins;
mod unwrap_namespaces;
mod unwrap_structs;

pub use bypass_members::BypassMembers;
pub use delete_aliases::DeleteAliases;
pub use delete_blocks::DeleteBlocks;
pub use delete_bodies::DeleteBodies;
pub use delete_columns::DeleteColumns;
pub use delete_declarations::DeleteDeclarations;
pub use delete_instructions::DeleteInstructions;
pub use delete_large_nodes::DeleteLargeNodes;
pub use delete_layout::DeleteLayout;
pub use delete_metadata::DeleteMetadata;
pub use delete_nodes::DeleteNodes;
pub use delete_nodes_everywhere::DeleteNodesEverywhere;
pub use delete_optional_tokens::DeleteOptionalTokens;
pub use delete_overloads::DeleteOverloads;
pub use delete_parameters::DeleteParameters;
pub use delete_results::DeleteResults;
pub use delete_with_needs::DeleteWithNeeds;
pub use free_functions::FreeFunctions;
pub use hoist_expressions::HoistExpressions;
pub use hoist_nodes::HoistNodes;
pub use hollow_definitions::HollowDefinitions;
pub use hollow_functions::HollowFunctions;
pub use inline_calls::InlineCalls;
pub use inline_definitions::InlineDefinitions;
pub use inline_members::InlineMembers;
pub use inline_queries::InlineQueries;
pub use introduce_parameters::IntroduceParameters;
pub use keep_reachable::KeepReachable;
pub use keep_reachable_of_large::KeepReachableOfLarge;
pub use lower_declarators::LowerDeclarators;
pub use merge_bases::MergeBases;
pub use merge_bounds::MergeBounds;
pub use merge_declarations::MergeDeclarations;
pub use rename_declared::RenameDeclared;
pub use rename_locals::RenameLocals;
pub use replace_with_needs::ReplaceWithNeeds;
pub use simplify_nodes::SimplifyNodes;
pub use simplify_nodes_everywhere::SimplifyNodesEverywhere;
pub use substitute_members::SubstituteMembers;
pub use substitute_nodes::SubstituteNodes;
pub use substitute_parameters::SubstituteParameters;
pub use unwrap_joins::UnwrapJoins;
pub use unwrap_namespaces::UnwrapNamespaces;
pub use unwrap_structs::UnwrapStructs;

/// A pass that finds all its edits at once, and lets the chooser pick one of them.
pub trait Finds: 'static {
    /// The name that people see.
    const NAME: &'static str;
    /// Where the pass stands before anything is known of its yield, from 0 (last) to 9 (first).
    const RANK: u8;

    /// The edits, in any order; those that make the text no shorter are left out.
    fn find(&self, target: &Target<u8>) -> Vec<Patch<u8>>;
}

/// A pass of its edits, in a sweep what takes most off first.
#[derive(Clone, Debug)]
pub struct OneOf<T>(pub T);

/// The edits that `T` has found in a target, what takes most off last.
struct Found<T> {
    patches: Vec<Patch<u8>>,
    by: PhantomData<fn() -> T>,
}

impl<T: Finds> Found<T> {
    fn new(mut patches: Vec<Patch<u8>>) -> Found<T> {
        patches.retain(|patch| patch.growth() < 0);
        sort_largest_last(&mut patches, |patch| {
            let start = patch.extent().map_or(0, |extent| extent.0);
            (patch.growth().unsigned_abs(), start)
        });
        patches.dedup();
        Found {
            patches,
            by: PhantomData,
        }
    }
}

impl<T: Finds> Pass<u8> for OneOf<T> {
    fn name(&self) -> &'static str {
        T::NAME
    }

    fn step(
        &self,
        target: &Target<u8>,
        chooser: &mut Chooser<'_>,
    ) -> Result<Patch<u8>, DeadBranch> {
        let found = target.analysis(|target| Found::<T>::new(self.0.find(target)));
        let patches = &found.patches;
        Ok(patches[chooser.any(0..patches.len())?].clone())
    }

    fn is_for_chaos(&self) -> bool {
        false
    }

    fn is_largest_first(&self) -> bool {
        true
    }

    fn keeps_form(&self) -> bool {
        true
    }

    fn rank(&self) -> u8 {
        T::RANK
    }
}

/// Sorts so that the sweep, which begins at the end, takes the largest first; from the end of the
/// text to its start among those of about the same size.
pub(crate) fn sort_largest_last<T>(parts: &mut [T], size_and_start: impl Fn(&T) -> (usize, usize)) {
    parts.sort_by_cached_key(|part| {
        let (size, start) = size_and_start(part);
        (usize::BITS - size.leading_zeros(), start)
    });
}
