//! What SQL says of tables: which relations a script defines, which columns they have and where each
//! of these is written, and where relations and columns are used. Other languages have none.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;
use std::rc::Rc;

use ablate_engine::target::Target;

use crate::tree::{Node, Syntax, SyntaxTree};

/// A table, a view, or a query that has a name.
#[derive(Debug)]
pub(crate) struct Relation {
    /// Its name, in lower case; empty if it has none.
    pub name: String,
    /// The node that defines it: a statement, a `cte`, or a `relation`.
    pub definition: usize,
    /// The query that it is, if it is one.
    pub query: Option<usize>,
    /// Its columns, from left to right.
    pub columns: Vec<Column>,
}

/// A column of a relation.
#[derive(Debug)]
pub(crate) struct Column {
    /// Its name, in lower case; empty if it has none.
    pub name: String,
    /// What it is in the first `SELECT` of a query, without its name.
    pub value: Option<Range<usize>>,
    /// What goes with it: its definition, its value in each row, its place in each list of names;
    /// each with a comma.
    pub cuts: Vec<Range<usize>>,
}

/// What stands between the commas of a list. The grammar knows less of lists than there is to know:
/// columns without a type, for instance, are errors to it.
#[derive(Debug, Default)]
struct Items(Vec<Range<usize>>);

impl Items {
    /// The items of `text[within]`.
    fn of(text: &[u8], within: Range<usize>) -> Items {
        let mut items = Vec::new();
        let (mut depth, mut quote, mut start) = (0_usize, None, within.start);
        for at in within.clone() {
            match (quote, text[at]) {
                (Some(open), byte) if open == byte => quote = None,
                (Some(_), _) => (),
                (None, b'\'' | b'"' | b'`') => quote = Some(text[at]),
                (None, b'(' | b'[') => depth += 1,
                (None, b')' | b']') => depth = depth.saturating_sub(1),
                (None, b',') if depth == 0 => {
                    items.push(trimmed(text, start..at));
                    start = at + 1;
                }
                _ => (),
            }
        }
        items.push(trimmed(text, start..within.end));
        Items(items)
    }

    /// What to cut for an item to go, with a comma.
    fn cut(&self, number: usize) -> Option<Range<usize>> {
        let item = self.0.get(number)?;
        match number.checked_sub(1) {
            Some(before) => Some(self.0[before].end..item.end),
            None => Some(item.start..self.0.get(1).map_or(item.end, |next| next.start)),
        }
    }
}

/// A range without the blanks at its ends.
fn trimmed(text: &[u8], range: Range<usize>) -> Range<usize> {
    let inside = &text[range.clone()];
    let start = range.end - inside.trim_ascii_start().len();
    start..(range.start + inside.trim_ascii_end().len()).max(start)
}

/// The name in an item: its first word, or its last.
fn name_of(text: &[u8], item: Range<usize>, is_first: bool) -> String {
    let item = String::from_utf8_lossy(&text[item]).to_lowercase();
    let is_name = |c: char| c.is_alphanumeric() || c == '_';
    let mut words = item.trim().split(|c| !is_name(c));
    let word = if is_first {
        words.next()
    } else {
        words.next_back()
    };
    word.unwrap_or_default().to_owned()
}

/// A relation where it is used, or the name of a column.
#[derive(Debug)]
pub(crate) struct Use {
    /// The node.
    pub node: usize,
    /// What is used, in lower case.
    pub name: String,
    /// What stands before the dot, in lower case.
    pub qualifier: Option<String>,
}

/// What a script says of tables.
#[derive(Debug, Default)]
pub(crate) struct Queries {
    tree: Rc<SyntaxTree>,
    pub relations: Vec<Relation>,
    /// Where relations are read from.
    pub sources: Vec<Use>,
    /// Where columns are used.
    pub fields: Vec<Use>,
    /// What the names before dots may stand for.
    bases: BTreeMap<String, BTreeSet<String>>,
}

impl Queries {
    /// What `target` says of tables; nothing unless it is in SQL.
    pub fn of(target: &Target<u8>, syntax: &Syntax) -> Rc<Queries> {
        let tree = syntax.tree(target);
        let is_sql = syntax.language().name == "sql";
        target.analysis(|target| {
            let mut queries = Queries {
                tree,
                ..Queries::default()
            };
            if is_sql {
                queries.read(target.elements());
            }
            queries
        })
    }

    /// The tree.
    pub fn tree(&self) -> &SyntaxTree {
        &self.tree
    }

    fn read(&mut self, text: &[u8]) {
        for number in 0..self.tree.nodes().len() {
            match self.kind(number) {
                "create_table" => self.add_table(text, number),
                "create_view" | "create_materialized_view" => self.add_view(text, number),
                "cte" => self.add_cte(text, number),
                "relation" => self.add_source(text, number),
                "field" => self.add_field(text, number),
                _ => (),
            }
        }
        for number in 0..self.tree.nodes().len() {
            if self.kind(number) == "insert" {
                self.add_rows(text, number);
            }
        }
    }

    /// The name of a node's kind.
    pub fn kind(&self, number: usize) -> &'static str {
        self.tree.kind(number)
    }

    /// The node with a number.
    pub fn node(&self, number: usize) -> &Node {
        &self.tree.nodes()[number]
    }

    /// The parts of a node that are of some kind.
    pub fn children<'a>(
        &'a self,
        number: usize,
        kind: &'a str,
    ) -> impl Iterator<Item = usize> + 'a {
        let is_kind = move |&child: &usize| self.kind(child) == kind;
        self.tree.children(number).filter(is_kind)
    }

    fn text(&self, text: &[u8], number: usize) -> String {
        String::from_utf8_lossy(&text[self.node(number).range()]).to_lowercase()
    }

    /// The name of the relation that a node names in its `object_reference`, without a schema.
    fn referred(&self, text: &[u8], number: usize) -> Option<String> {
        let reference = self.children(number, "object_reference").next()?;
        let name = self.children(reference, "identifier").last()?;
        Some(self.text(text, name))
    }

    fn statement_of(&self, number: usize) -> usize {
        let parent = self.node(number).parent as usize;
        if self.kind(parent) == "statement" {
            parent
        } else {
            number
        }
    }

    fn add_table(&mut self, text: &[u8], number: usize) {
        let Some(name) = self.referred(text, number) else {
            return;
        };
        let query = self.children(number, "create_query").next();
        let columns = match self.children(number, "column_definitions").next() {
            Some(list) => {
                let items = Items::of(text, self.inside(list));
                let column = |(number, item): (usize, &Range<usize>)| Column {
                    name: name_of(text, item.clone(), true),
                    value: None,
                    cuts: items.cut(number).into_iter().collect(),
                };
                items.0.iter().enumerate().map(column).collect()
            }
            None => self.selected_columns(text, query, None),
        };
        self.relations.push(Relation {
            name,
            definition: self.statement_of(number),
            query,
            columns,
        });
    }

    /// Where the inside of a list in parentheses is.
    fn inside(&self, list: usize) -> Range<usize> {
        let range = self.node(list).range();
        range.start + 1..range.end.max(range.start + 2) - 1
    }

    fn add_view(&mut self, text: &[u8], number: usize) {
        if let Some(name) = self.referred(text, number) {
            let query = self.children(number, "create_query").next();
            self.relations.push(Relation {
                name,
                definition: self.statement_of(number),
                query,
                columns: self.selected_columns(text, query, None),
            });
        }
    }

    fn add_cte(&mut self, text: &[u8], number: usize) {
        let names: Vec<usize> = self.children(number, "identifier").collect();
        let Some(&name) = names.first() else {
            return;
        };
        let open = self.children(number, "(").next();
        let close = self.children(number, ")").next();
        let list = open.zip(close).filter(|_| names.len() > 1);
        let list =
            list.map(|(open, close)| self.node(open).range().end..self.node(close).range().start);
        let query = self.children(number, "statement").next();
        self.relations.push(Relation {
            name: self.text(text, name),
            definition: number,
            query,
            columns: self.selected_columns(text, query, list.map(|list| Items::of(text, list))),
        });
    }

    fn add_source(&mut self, text: &[u8], number: usize) {
        let alias = self.alias(number).map(|alias| self.text(text, alias));
        let name = self.referred(text, number);
        let subquery = self.children(number, "subquery").next();
        if let Some(base) = name.clone().or_else(|| alias.clone()) {
            let shown = alias.clone().unwrap_or_else(|| base.clone());
            self.bases.entry(shown).or_default().insert(base);
        }
        if let Some(query) = subquery {
            self.relations.push(Relation {
                name: alias.unwrap_or_default(),
                definition: number,
                query: Some(query),
                columns: self.selected_columns(text, Some(query), None),
            });
        }
        if let Some(name) = name {
            self.sources.push(Use {
                node: number,
                name,
                qualifier: None,
            });
        }
    }

    /// The other name that a `relation` gets.
    pub fn alias(&self, relation: usize) -> Option<usize> {
        self.children(relation, "identifier").last()
    }

    fn add_field(&mut self, text: &[u8], number: usize) {
        if let Some(name) = self.children(number, "identifier").last() {
            self.fields.push(Use {
                node: number,
                name: self.text(text, name),
                qualifier: self.referred(text, number),
            });
        }
    }

    /// The columns of a query, with the names that are given to them elsewhere.
    fn selected_columns(
        &self,
        text: &[u8],
        query: Option<usize>,
        names: Option<Items>,
    ) -> Vec<Column> {
        let mut lists = Vec::new();
        if let Some(query) = query {
            self.add_select_lists(text, query, &mut lists);
        }
        let Some(first) = lists.first() else {
            return Vec::new();
        };
        let column = |number: usize| {
            let named = names.as_ref().and_then(|names| names.0.get(number));
            let item = named.unwrap_or(&first.0[number]);
            let all = lists.iter().chain(&names);
            let name = name_of(text, item.clone(), false);
            let value = &first.0[number];
            Column {
                value: Some(value.start..value.start + without_name(&text[value.clone()], &name)),
                name,
                cuts: all.filter_map(|items| items.cut(number)).collect(),
            }
        };
        let is_even = lists.iter().all(|list| list.0.len() == first.0.len());
        let count = if is_even { first.0.len() } else { 0 };
        (0..count).map(column).collect()
    }

    /// The terms of each `SELECT` whose rows a query has; those with a `*` are left out.
    fn add_select_lists(&self, text: &[u8], query: usize, lists: &mut Vec<Items>) {
        for child in self.tree.children(query) {
            match self.kind(child) {
                "select" => {
                    let list = self.children(child, "select_expression").next();
                    // A query that begins with what it reads from says nothing of its terms.
                    let is_empty = list.is_some_and(|list| self.node(list).is_empty());
                    let items = list.map(|list| Items::of(text, self.node(list).range()));
                    let items = items.unwrap_or_default();
                    let is_all = |item: &Range<usize>| text[item.clone()].ends_with(b"*");
                    if !is_empty && !items.0.iter().any(is_all) {
                        lists.push(items);
                    }
                }
                "set_operation" | "subquery" | "create_query" => {
                    self.add_select_lists(text, child, lists);
                }
                _ => (),
            }
        }
    }

    /// The rows that an `INSERT` puts into a table.
    fn add_rows(&mut self, text: &[u8], insert: usize) {
        let name = self.referred(text, insert);
        let Some(table) = (self.relations.iter()).position(|r| Some(&r.name) == name.as_ref())
        else {
            return;
        };
        let values = self.children(insert, "keyword_values").next();
        let values = values.map_or(0, |values| self.node(values).start);
        let (mut rows, mut names): (Vec<Items>, Option<Items>) = (Vec::new(), None);
        for list in self.children(insert, "list") {
            let items = Items::of(text, self.inside(list));
            if self.node(list).start < values {
                names = Some(items);
            } else {
                rows.push(items);
            }
        }
        self.add_select_lists(text, insert, &mut rows);
        let shown = names.as_ref().map(|names| {
            let names = names.0.iter().map(|item| name_of(text, item.clone(), true));
            names.collect::<Vec<String>>()
        });
        for (number, column) in self.relations[table].columns.iter_mut().enumerate() {
            let place = match &shown {
                Some(shown) => shown.iter().position(|name| *name == column.name),
                None => Some(number),
            };
            if let Some(place) = place {
                let rows = names.iter().chain(&rows);
                column.cuts.extend(rows.filter_map(|row| row.cut(place)));
            }
        }
    }

    /// Whether a field may be a column of the relation of this name.
    pub fn may_be_of(&self, field: &Use, relation: &str) -> bool {
        field.qualifier.as_ref().is_none_or(|qualifier| {
            qualifier == relation
                || (self.bases.get(qualifier)).is_some_and(|bases| bases.contains(relation))
        })
    }

    /// The node of the query around a node in which names of relations are known.
    pub fn scope_of(&self, number: usize) -> usize {
        let mut at = number;
        loop {
            let parent = self.node(at).parent as usize;
            let is_scope = matches!(
                self.kind(parent),
                "subquery" | "statement" | "create_query" | "cte"
            );
            if is_scope || parent == at {
                return parent;
            }
            at = parent;
        }
    }
}

/// How many bytes a term has without the name that it is given, where that is not what it is.
fn without_name(term: &[u8], name: &str) -> usize {
    let is_named = |term: &[u8]| term.to_ascii_lowercase().ends_with(name.as_bytes());
    let before = term.len().saturating_sub(name.len());
    let value = term[..before].trim_ascii_end();
    if !is_named(term) || value.is_empty() || value.ends_with(b".") {
        return term.len();
    }
    let is_as = |word: &[u8]| word.eq_ignore_ascii_case(b"as");
    match value.len().checked_sub(2) {
        Some(at) if is_as(&value[at..]) => value[..at].trim_ascii_end().len(),
        _ => value.len(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn items_are_what_is_between_commas_outside_of_parentheses_and_quotes() {
        let text = b"a, f(b, c), 'd,', e";
        let items = Items::of(text, 0..text.len());
        let found: Vec<&[u8]> = items.0.iter().map(|item| &text[item.clone()]).collect();
        assert_eq!(found, [&b"a"[..], b"f(b, c)", b"'d,'", b"e"]);
        assert_eq!((items.cut(0), items.cut(3)), (Some(0..3), Some(16..19)));
    }
}
