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
    ($($name:ident: $pass:expr;)*) => {
        &[$(Entry {
            description: Description::new(
                stringify!($name),
                include_str!(concat!("passes/", stringify!($name), ".rs")),
            ),
            make: |syntax| Box::new($pass(Rc::clone(syntax))),
        },)*]
    };
}

/// Every pass on syntax trees, those that stand first in a reduction first.
pub const PASSES: &[Entry] = entries![
    keep_reachable: KeepReachable;
    delete_with_needs: DeleteWithNeeds;
    replace_with_needs: ReplaceWithNeeds;
    delete_large_nodes: DeleteLargeNodes;
    delete_layout: DeleteLayout;
    simplify_nodes_everywhere: SimplifyNodesEverywhere;
    delete_nodes_everywhere: DeleteNodesEverywhere;
    delete_columns: DeleteColumns;
    inline_queries: InlineQueries;
    unwrap_joins: UnwrapJoins;
    delete_aliases: DeleteAliases;
    delete_declarations: DeleteDeclarations;
    delete_nodes: DeleteNodes;
    hoist_nodes: HoistNodes;
    hoist_expressions: HoistExpressions;
    simplify_nodes: SimplifyNodes;
    delete_optional_tokens: DeleteOptionalTokens;
    delete_parameters: DeleteParameters;
    unwrap_namespaces: UnwrapNamespaces;
    inline_definitions: InlineDefinitions;
    inline_calls: InlineCalls;
    substitute_parameters: SubstituteParameters;
    lower_declarators: LowerDeclarators;
    substitute_nodes: SubstituteNodes;
];
