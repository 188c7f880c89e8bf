//! Deletes the other name that SQL gives a table, together with what stands before the dots in its
//! columns.
//!
//! Neither can go alone: `SELECT u.a FROM t AS u` becomes `SELECT a FROM t`.
//!
//! Costs one test for each such name.
//!
//! ```
//! use ablate_languages::explain::reductions;
//!
//! let seen = reductions("delete_aliases", "sql", "SELECT u.a FROM t AS u WHERE u.b > 1;");
//! assert_eq!(seen, ["SELECT a FROM t WHERE b > 1;"]);
//! ```

use std::rc::Rc;

use ablate_engine::patch::Patch;
use ablate_engine::target::Target;

use crate::passes::Finds;
use crate::queries::Queries;
use crate::tree::Syntax;

/// Deletes other names of tables; see the module.
#[derive(Clone, Debug)]
pub struct DeleteAliases(pub Rc<Syntax>);

/// What goes with each name.
fn deletions(text: &[u8], queries: &Queries) -> Vec<Patch<u8>> {
    let nodes = 0..queries.tree().nodes().len();
    let relations = nodes.filter(|&node| queries.kind(node) == "relation");
    let deletion = |relation: usize| {
        let alias = queries.node(queries.alias(relation)?).range();
        let named = queries.tree().children(relation).next()?;
        let name = String::from_utf8_lossy(&text[alias.clone()]).to_lowercase();
        let scope = queries.node(queries.scope_of(relation)).range();
        let fields = queries.fields.iter();
        let fields = fields.filter(|field| field.qualifier.as_ref() == Some(&name));
        let prefixes = fields.filter_map(|field| {
            let node = queries.node(field.node);
            let column = queries.children(field.node, "identifier").last()?;
            let (start, end) = (node.start as usize, queries.node(column).start as usize);
            scope.contains(&start).then_some((start, end))
        });
        let own = (queries.node(named).end as usize, alias.end);
        Some(Patch::cuts(prefixes.chain([own])))
    };
    relations.filter_map(deletion).collect()
}

impl Finds for DeleteAliases {
    const NAME: &'static str = "delete_aliases";
    const RANK: u8 = 5;

    fn find(&self, target: &Target<u8>) -> Vec<Patch<u8>> {
        let queries = Queries::of(target, &self.0);
        deletions(target.elements(), &queries)
    }
}
