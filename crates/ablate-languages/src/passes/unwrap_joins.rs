//! Leaves of a join in SQL what is joined last, or makes it one without a condition.
//!
//! That the joined table can go, the grammar says; that it can stand for what it is joined with, it
//! does not: `FROM a JOIN b ON a.x = b.x` becomes `FROM b`, or `FROM a, b`.
//!
//! Costs two tests for each join.
//!
//! ```
//! use ablate_languages::explain::reductions;
//!
//! let seen = reductions("unwrap_joins", "sql", "SELECT * FROM a LEFT JOIN b ON a.x = b.x;");
//! assert_eq!(seen, ["SELECT * FROM a,b;", "SELECT * FROM b;"]);
//! ```

use std::rc::Rc;

use ablate_engine::patch::{Edit, Patch};
use ablate_engine::target::Target;

use crate::passes::Finds;
use crate::queries::Queries;
use crate::tree::Syntax;

/// Unwraps joins; see the module.
#[derive(Clone, Debug)]
pub struct UnwrapJoins(pub Rc<Syntax>);

/// What becomes of each join.
fn unwrappings(text: &[u8], queries: &Queries) -> Vec<Patch<u8>> {
    let mut patches = Vec::new();
    for parent in 0..queries.tree().nodes().len() {
        let mut before: Option<usize> = None;
        for child in queries.tree().children(parent) {
            if queries.kind(child).ends_with("join") {
                patches.extend(unwrapped(text, queries, before, child));
            }
            before = Some(child);
        }
    }
    patches
}

/// A join behind a relation without that, and a join without its condition.
fn unwrapped(text: &[u8], queries: &Queries, before: Option<usize>, join: usize) -> Vec<Patch<u8>> {
    let Some(joined) = queries.children(join, "relation").next() else {
        return Vec::new();
    };
    let (join, joined) = (queries.node(join).range(), queries.node(joined).range());
    let mut patches = Vec::new();
    if let Some(before) = before.filter(|&before| queries.kind(before) == "relation") {
        let start = queries.node(before).start as usize;
        patches.push(Patch::cuts([(start, joined.start), (joined.end, join.end)]));
    }
    let blanks = text[..join.start].iter().rev();
    let blanks = blanks.take_while(|byte| byte.is_ascii_whitespace()).count();
    let comma = Edit {
        start: join.start - blanks,
        end: joined.start,
        insert: Some(b",".as_slice().into()),
    };
    let condition = Edit {
        start: joined.end,
        end: join.end,
        insert: None,
    };
    patches.extend(Patch::edits_of([comma, condition]).ok());
    patches
}

impl Finds for UnwrapJoins {
    const NAME: &'static str = "unwrap_joins";
    const RANK: u8 = 6;

    fn find(&self, target: &Target<u8>) -> Vec<Patch<u8>> {
        let queries = Queries::of(target, &self.0);
        unwrappings(target.elements(), &queries)
    }
}
