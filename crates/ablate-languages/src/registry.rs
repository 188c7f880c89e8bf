//! The passes on syntax trees that there are. A new one is a file in `passes/` and a line here.

use std::rc::Rc;

use ablate_engine::pass::Pass;
use ablate_passes::registry::Description;

use crate::passes::*;
use crate::tree::Syntax;

/// A pass on syntax trees, as people see it.
#[derive(Clone, Copy, Debug)]
pub struct Entry {
    /// Its name, and what it does.
    pub description: Description,
    /// Makes the pass.
    pub make: fn(&Rc<Syntax>) -> Box<dyn Pass<u8>>,
}

macro_rules! entries {
    (@make one of $pass:ident) => { |syntax| Box::new(OneOf($pass(Rc::clone(syntax)))) };
    (@make $pass:ident) => { |syntax| Box::new($pass(Rc::clone(syntax))) };
    ($($name:ident: $($pass:ident)+;)*) => {
        &[$(Entry {
            description: ablate_passes::description!(
                stringify!($name),
                include_str!(concat!("passes/", stringify!($name), ".rs"))
            ),
            make: entries!(@make $($pass)+),
        },)*]
    };
}

/// Every pass on syntax trees, those that stand first in a reduction first.
pub const PASSES: &[Entry] = entries![
    delete_layout: DeleteLayout;
    keep_reachable_of_large: KeepReachableOfLarge;
    delete_metadata: DeleteMetadata;
    delete_large_nodes: DeleteLargeNodes;
    keep_reachable: KeepReachable;
    delete_bodies: DeleteBodies;
    delete_with_needs: DeleteWithNeeds;
    hollow_functions: HollowFunctions;
    hollow_definitions: HollowDefinitions;
    delete_blocks: DeleteBlocks;
    delete_instructions: DeleteInstructions;
    replace_with_needs: ReplaceWithNeeds;
    simplify_nodes_everywhere: SimplifyNodesEverywhere;
    delete_nodes_everywhere: DeleteNodesEverywhere;
    delete_columns: one of DeleteColumns;
    inline_queries: one of InlineQueries;
    unwrap_joins: one of UnwrapJoins;
    delete_aliases: one of DeleteAliases;
    bypass_members: one of BypassMembers;
    delete_declarations: one of DeleteDeclarations;
    delete_nodes: DeleteNodes;
    hoist_nodes: HoistNodes;
    hoist_expressions: HoistExpressions;
    simplify_nodes: SimplifyNodes;
    delete_optional_tokens: DeleteOptionalTokens;
    delete_parameters: one of DeleteParameters;
    delete_overloads: one of DeleteOverloads;
    delete_results: one of DeleteResults;
    unwrap_namespaces: one of UnwrapNamespaces;
    inline_definitions: one of InlineDefinitions;
    inline_members: one of InlineMembers;
    inline_calls: one of InlineCalls;
    substitute_parameters: one of SubstituteParameters;
    lower_declarators: one of LowerDeclarators;
    unwrap_structs: one of UnwrapStructs;
    free_functions: one of FreeFunctions;
    introduce_parameters: one of IntroduceParameters;
    merge_bounds: one of MergeBounds;
    merge_bases: one of MergeBases;
    substitute_members: one of SubstituteMembers;
    substitute_nodes: SubstituteNodes;
    merge_declarations: one of MergeDeclarations;
    rename_declared: one of RenameDeclared;
    rename_locals: one of RenameLocals;
];
