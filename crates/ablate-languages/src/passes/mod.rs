//! Passes on syntax trees: one file, one pass, one idea. [`crate::registry`] lists them for people.

mod delete_aliases;
mod delete_columns;
mod delete_declarations;
mod delete_large_nodes;
mod delete_layout;
mod delete_nodes;
mod delete_nodes_everywhere;
mod delete_optional_tokens;
mod delete_parameters;
mod delete_with_needs;
mod hoist_expressions;
mod hoist_nodes;
mod inline_calls;
mod inline_definitions;
mod inline_queries;
mod keep_reachable;
mod lower_declarators;
mod replace_with_needs;
mod simplify_nodes;
mod simplify_nodes_everywhere;
mod substitute_nodes;
mod substitute_parameters;
mod unwrap_joins;
mod unwrap_namespaces;

pub use delete_aliases::DeleteAliases;
pub use delete_columns::DeleteColumns;
pub use delete_declarations::DeleteDeclarations;
pub use delete_large_nodes::DeleteLargeNodes;
pub use delete_layout::DeleteLayout;
pub use delete_nodes::DeleteNodes;
pub use delete_nodes_everywhere::DeleteNodesEverywhere;
pub use delete_optional_tokens::DeleteOptionalTokens;
pub use delete_parameters::DeleteParameters;
pub use delete_with_needs::DeleteWithNeeds;
pub use hoist_expressions::HoistExpressions;
pub use hoist_nodes::HoistNodes;
pub use inline_calls::InlineCalls;
pub use inline_definitions::InlineDefinitions;
pub use inline_queries::InlineQueries;
pub use keep_reachable::KeepReachable;
pub use lower_declarators::LowerDeclarators;
pub use replace_with_needs::ReplaceWithNeeds;
pub use simplify_nodes::SimplifyNodes;
pub use simplify_nodes_everywhere::SimplifyNodesEverywhere;
pub use substitute_nodes::SubstituteNodes;
pub use substitute_parameters::SubstituteParameters;
pub use unwrap_joins::UnwrapJoins;
pub use unwrap_namespaces::UnwrapNamespaces;

/// Sorts so that the sweep, which begins at the end, takes the largest first; from the end of the
/// text to its start among those of about the same size.
pub(crate) fn sort_largest_last<T>(parts: &mut [T], size_and_start: impl Fn(&T) -> (usize, usize)) {
    parts.sort_by_key(|part| {
        let (size, start) = size_and_start(part);
        (usize::BITS - size.leading_zeros(), start)
    });
}

/// Calls `add` with the run `first..=last`, its halves, their halves, and so on, as long as `add`
/// says that they are large enough.
pub(crate) fn add_runs(first: usize, last: usize, add: &mut impl FnMut(usize, usize) -> bool) {
    if add(first, last) && first < last {
        let middle = first + (last - first) / 2;
        add_runs(first, middle, add);
        add_runs(middle + 1, last, add);
    }
}
