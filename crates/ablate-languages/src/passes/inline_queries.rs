//! Puts a query in SQL in the place of the view, or of the name in a `WITH` clause, that it is, or of
//! the statement that reads it.
//!
//! What a query is called is seldom what matters: `CREATE VIEW v AS SELECT 1; SELECT * FROM v;`
//! becomes `SELECT * FROM (SELECT 1) v;`, or all of it `SELECT 1;`. A subquery goes where the query
//! around it can do its work: `SELECT sum(a) FROM (SELECT b AS a FROM t)` becomes
//! `SELECT sum(b) FROM t`.
//!
//! Costs up to three tests for each such query, where that makes the text shorter.
//!
//! ```
//! use ablate_languages::explain::reductions;
//!
//! let text = "CREATE VIEW v AS SELECT 1; SELECT * FROM v;";
//! let seen = reductions("inline_queries", "sql", text);
//! assert!(seen.contains(&"SELECT 1; ;".to_owned()));
//! assert!(seen.contains(&" SELECT * FROM (SELECT 1) v;".to_owned()));
//! ```

use std::ops::Range;
use std::rc::Rc;

use ablate_engine::patch::{Edit, Patch};
use ablate_engine::target::Target;

use crate::members::{Members, with_blanks};
use crate::passes::Finds;
use crate::queries::{Queries, Relation};
use crate::tree::Syntax;

/// Queries that are longer are left alone.
const LONGEST: usize = 64 << 10;
/// So are those that are read in more places.
const USES_MAX: usize = 16;

/// Inlines queries; see the module.
#[derive(Clone, Debug)]
pub struct InlineQueries(pub Rc<Syntax>);

/// What can be inlined.
fn inlinings(text: &[u8], members: &Members, queries: &Queries) -> Vec<Patch<u8>> {
    let member_of = members.by_node();
    let mut patches = Vec::new();
    for relation in &queries.relations {
        let Some(query) = relation.query else {
            continue;
        };
        let range = range_of(queries, relation, query);
        let uses = uses(queries, relation);
        if range.len() > LONGEST || uses.len() > USES_MAX {
            continue;
        }
        if queries.kind(query) == "subquery" {
            patches.extend(merged(text, queries, relation, query));
            continue;
        }
        let body = text[range.clone()].trim_ascii();
        let definition = definition(text, members, &member_of, queries, relation);
        for has_name in [false, true] {
            let edits = uses.iter().flat_map(|&node| {
                inlined(queries, relation, node, body, has_name && !uses.is_empty())
            });
            patches.extend(Patch::edits_of(edits.chain([cut(definition)])).ok());
        }
        patches.extend(instead(queries, relation, range, &uses));
    }
    patches
}

fn cut((start, end): (usize, usize)) -> Edit<u8> {
    Edit {
        start,
        end,
        insert: None,
    }
}

/// The nodes in which a relation is read from, but not by itself, nor where the name is that of
/// another relation, from a `WITH` clause.
fn uses(queries: &Queries, relation: &Relation) -> Vec<usize> {
    let sources = queries.sources.iter();
    let named = sources.filter(|source| source.name == relation.name);
    let named: Vec<usize> = named.map(|source| source.node).collect();
    if named.is_empty() {
        return named;
    }
    let own = queries.node(relation.definition).range();
    let known = scope(queries, relation);
    let same =
        |other: &&Relation| other.name == relation.name && other.definition != relation.definition;
    let others = queries.relations.iter().filter(same);
    let narrower = others.filter_map(|other| scope(queries, other));
    let narrower: Vec<Range<usize>> = narrower
        .filter(|scope| {
            let is_wider = |known: &Range<usize>| known.len() < scope.len();
            !known.as_ref().is_some_and(is_wider)
        })
        .collect();
    named
        .into_iter()
        .filter(|&node| {
            let start = queries.node(node).start as usize;
            let is_inside = |scope: &Range<usize>| scope.contains(&start);
            known.as_ref().is_none_or(is_inside)
                && !own.contains(&start)
                && !narrower.iter().any(is_inside)
        })
        .collect()
}

/// Where the name that a `WITH` clause gives is known, behind it; other names are known everywhere.
fn scope(queries: &Queries, relation: &Relation) -> Option<Range<usize>> {
    let is_cte = queries.kind(relation.definition) == "cte";
    is_cte.then(|| {
        let node = queries.node(relation.definition);
        node.end as usize..queries.node(node.parent as usize).end as usize
    })
}

/// Where a relation is defined, with what is there only for it.
fn definition(
    text: &[u8],
    members: &Members,
    member_of: &[u32],
    queries: &Queries,
    relation: &Relation,
) -> (usize, usize) {
    let node = queries.node(relation.definition);
    let parent = node.parent as usize;
    if queries.kind(relation.definition) != "cte" {
        let end = statement_end(queries, relation.definition);
        let has_semicolon = text.get(end) == Some(&b';');
        return (node.start as usize, end + usize::from(has_semicolon));
    }
    if queries.children(parent, "cte").count() == 1 {
        let start = queries.children(parent, "keyword_with").next();
        let start = start.map_or(node, |with| queries.node(with)).start;
        return with_blanks(text, start as usize, node.end as usize);
    }
    match member_of[relation.definition] {
        u32::MAX => (node.start as usize, node.end as usize),
        member => members.cut(member as usize, member as usize),
    }
}

/// Where a statement ends, with what the grammar could not read of it.
fn statement_end(queries: &Queries, statement: usize) -> usize {
    let nodes = queries.tree().nodes();
    let own = |at: &usize| *at < nodes.len() && nodes[*at].parent == nodes[statement].parent;
    let next = |&at: &usize| Some(nodes[at].next as usize).filter(own);
    let rest = std::iter::successors(Some(statement), next).skip(1);
    let rest = rest.take_while(|&at| !matches!(queries.kind(at), ";" | "statement"));
    let last = rest.last().unwrap_or(statement);
    nodes[last].end as usize
}

/// Where the text of a query is: that of a view goes on to the end of its statement.
fn range_of(queries: &Queries, relation: &Relation, query: usize) -> Range<usize> {
    let range = queries.node(query).range();
    match queries.kind(relation.definition) {
        "statement" => range.start..statement_end(queries, relation.definition),
        _ => range,
    }
}

/// The edits that make a relation that is read from the query, with its name or without.
fn inlined(
    queries: &Queries,
    relation: &Relation,
    node: usize,
    body: &[u8],
    has_name: bool,
) -> Vec<Edit<u8>> {
    let Some(reference) = queries.children(node, "object_reference").next() else {
        return Vec::new();
    };
    let range = queries.node(reference).range();
    let name = match queries.alias(node) {
        None if has_name => format!(" {}", relation.name),
        _ => String::new(),
    };
    vec![Edit {
        start: range.start,
        end: range.end,
        insert: Some([b"(", body, b")", name.as_bytes()].concat().into()),
    }]
}

/// The edit that leaves of a statement that defines a view, or that reads what its `WITH` clause
/// defines, only the query; other statements that read the view go.
fn instead(
    queries: &Queries,
    relation: &Relation,
    query: Range<usize>,
    uses: &[usize],
) -> Option<Patch<u8>> {
    let outer = match queries.kind(relation.definition) {
        "cte" => queries.node(relation.definition).parent as usize,
        _ => relation.definition,
    };
    let outer = queries.node(outer).start as usize..statement_end(queries, outer);
    let elsewhere = uses.iter().map(|&node| {
        let mut at = node;
        while queries.node(at).parent != 0 {
            at = queries.node(at).parent as usize;
        }
        queries.node(at).range()
    });
    let elsewhere = elsewhere.filter(|range| range.end <= outer.start || outer.end <= range.start);
    let cuts = elsewhere.map(|range| (range.start, range.end));
    let mut cuts: Vec<(usize, usize)> = cuts.collect();
    cuts.push((outer.start, query.start));
    cuts.push((query.end, outer.end));
    Some(Patch::cuts(cuts)).filter(|patch| !patch.is_empty())
}

/// The edits that read from what a subquery reads from, and put what its columns are in the place
/// of their names.
fn merged(text: &[u8], queries: &Queries, relation: &Relation, query: usize) -> Option<Patch<u8>> {
    let from = queries.children(query, "from").next()?;
    let is_source =
        |&child: &usize| queries.kind(child) == "relation" || queries.kind(child).ends_with("join");
    let sources: Vec<usize> = queries.tree().children(from).filter(is_source).collect();
    let start = queries.node(*sources.first()?).start as usize;
    let end = queries.node(*sources.last()?).end as usize;
    let whole = queries.node(relation.definition).range();
    let is_word = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_';
    let joins = whole.start > 0 && is_word(text[whole.start - 1]) && is_word(text[start]);
    let before = Edit {
        start: whole.start,
        end: start,
        insert: joins.then(|| b" ".as_slice().into()),
    };
    let mut edits = vec![before, cut((end, whole.end))];
    for column in &relation.columns {
        let value = text.get(column.value.clone()?)?.trim_ascii();
        let uses = queries.fields.iter().filter(|field| {
            let is_inside = whole.contains(&(queries.node(field.node).start as usize));
            field.name == column.name && !is_inside && queries.may_be_of(field, &relation.name)
        });
        edits.extend(uses.map(|field| {
            let range = queries.node(field.node).range();
            Edit {
                start: range.start,
                end: range.end,
                insert: Some(value.into()),
            }
        }));
    }
    Patch::edits_of(edits).ok()
}

impl Finds for InlineQueries {
    const NAME: &'static str = "inline_queries";
    const RANK: u8 = 7;

    fn find(&self, target: &Target<u8>) -> Vec<Patch<u8>> {
        let members = Members::of(target, &self.0);
        let queries = Queries::of(target, &self.0);
        inlinings(target.elements(), &members, &queries)
    }
}

#[cfg(test)]
mod tests {
    use crate::explain::reductions;

    fn candidates(text: &str) -> Vec<String> {
        reductions("inline_queries", "sql", text)
    }

    #[test]
    fn a_statement_may_end_the_text() {
        let seen = candidates("WITH a AS (SELECT 1) SELECT * FROM a");
        assert!(seen.contains(&"SELECT 1".to_owned()), "{seen:?}");
        let seen = candidates("SELECT * FROM a; CREATE VIEW a AS SELECT 1");
        assert!(
            seen.contains(&"SELECT * FROM (SELECT 1); ".to_owned()),
            "{seen:?}"
        );
    }

    #[test]
    fn a_name_from_a_with_clause_hides_that_of_a_view() {
        let seen = candidates("CREATE VIEW a AS SELECT 0;WITH a AS(SELECT*FROM a)SELECT*FROM a");
        let expected = "WITH a AS(SELECT*FROM (SELECT 0))SELECT*FROM a";
        assert!(seen.contains(&expected.to_owned()), "{seen:?}");
    }

    #[test]
    fn queries_may_begin_with_what_they_read_from() {
        let seen = candidates("CREATE VIEW a AS FROM b;SELECT 0 IN(FROM a)");
        assert!(
            seen.contains(&"SELECT 0 IN(FROM (FROM b))".to_owned()),
            "{seen:?}"
        );
    }
}
