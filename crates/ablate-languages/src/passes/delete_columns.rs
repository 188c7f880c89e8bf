//! Deletes a column of a table in SQL: its definition, its value in each row that is inserted, and its
//! uses.
//!
//! None of these can go alone: `CREATE TABLE t (a INT, b INT); INSERT INTO t VALUES (1, 2);` becomes
//! `CREATE TABLE t (b INT); INSERT INTO t VALUES (2);`. So it is with the columns of views and of
//! queries that have a name.
//!
//! Costs up to two tests for each column: where it is still used, `NULL` stands for it in the second.
//!
//! ```
//! use ablate_languages::explain::reductions;
//!
//! let text = "CREATE TABLE t (a INT, b INT); SELECT a, b FROM t;";
//! let seen = reductions("delete_columns", "sql", text);
//! assert!(seen.contains(&"CREATE TABLE t (a INT); SELECT a, NULL FROM t;".to_owned()));
//! ```

use std::rc::Rc;

use ablate_engine::patch::{Edit, Patch};
use ablate_engine::target::Target;

use crate::passes::Finds;
use crate::queries::{Column, Queries, Relation};
use crate::tree::Syntax;

/// Deletes a column with its uses; see the module.
#[derive(Clone, Debug)]
pub struct DeleteColumns(pub Rc<Syntax>);

/// What goes with each column.
fn deletions(queries: &Queries) -> Vec<Patch<u8>> {
    let mut patches = Vec::new();
    for relation in &queries.relations {
        for column in &relation.columns {
            let cuts = column.cuts.iter().map(|cut| (cut.start, cut.end));
            let cuts = Patch::cuts(cuts);
            if cuts.is_empty() {
                continue;
            }
            if let Some(patch) = with_nulls(queries, relation, column, &cuts) {
                patches.push(patch);
            }
            patches.push(cuts);
        }
    }
    patches
}

/// The cuts, and `NULL` wherever else the column is used; `None` if it is not.
fn with_nulls(
    queries: &Queries,
    relation: &Relation,
    column: &Column,
    cuts: &Patch<u8>,
) -> Option<Patch<u8>> {
    let is_cut = |start: usize, end: usize| {
        let mut edits = cuts.edits().iter();
        edits.any(|edit| edit.start <= start && end <= edit.end)
    };
    let fields = queries.fields.iter();
    let uses = fields
        .filter(|field| field.name == column.name && queries.may_be_of(field, &relation.name));
    let nulls = uses.filter_map(|field| {
        let range = queries.node(field.node).range();
        (!is_cut(range.start, range.end)).then(|| Edit {
            start: range.start,
            end: range.end,
            insert: Some(b"NULL".as_slice().into()),
        })
    });
    let nulls: Vec<Edit<u8>> = nulls.collect();
    if nulls.is_empty() {
        return None;
    }
    Patch::edits_of(nulls.into_iter().chain(cuts.edits().iter().cloned())).ok()
}

impl Finds for DeleteColumns {
    const NAME: &'static str = "delete_columns";
    const RANK: u8 = 7;

    fn find(&self, target: &Target<u8>) -> Vec<Patch<u8>> {
        let queries = Queries::of(target, &self.0);
        deletions(&queries)
    }
}
