//! Puts what has to hold of a type parameter where the parameter is declared.
//!
//! Bounds that stand apart need a word before them, and the name once more: `fn f<T>() where T: A {}`
//! becomes `fn f<T: A>() {}`, also where the parameter is one of what is around. Two bounds of one type
//! become one: `where &T: A, &T: B` becomes `where &T: A+B`.
//!
//! Costs one test for each bound that stands apart and has such a place.
//!
//! ```
//! use ablate_languages::explain::reductions;
//!
//! let seen = reductions("merge_bounds", "rust", "fn f<T>() where T: A {}");
//! assert_eq!(seen, ["fn f<T: A>() {}"]);
//! ```

use std::ops::Range;
use std::rc::Rc;

use ablate_engine::patch::Patch;
use ablate_engine::target::Target;

use crate::arguments::entries;
use crate::generics::edit;
use crate::passes::Finds;
use crate::tree::{Syntax, SyntaxTree};

/// Languages with bounds that stand apart, and what stands between two bounds of one type, if there can be.
const JOINTS: &[(&str, Option<&str>)] =
    &[("kotlin", None), ("rust", Some("+")), ("swift", Some("&"))];
/// What such bounds stand in, and what parameters are declared in.
const CLAUSES: &[&str] = &["type_constraints", "where_clause"];
const LISTS: &[&str] = &["type_parameters"];

/// How far out of a clause what declares a parameter is looked for.
const HEIGHT_MAX: usize = 16;

/// Merges bounds with parameters; see the module.
#[derive(Clone, Debug)]
pub struct MergeBounds(pub Rc<Syntax>);

/// A text with its tree.
struct Source<'a> {
    text: &'a [u8],
    tree: &'a SyntaxTree,
}

impl Source<'_> {
    fn range(&self, node: usize) -> Range<usize> {
        self.tree.nodes()[node].range()
    }

    /// What has to be something, and where that stands: from the colon on.
    fn bound(&self, node: usize) -> Option<(&[u8], Range<usize>)> {
        let range = self.range(node);
        let is_open = |it: &usize| {
            let before = self.text[..*it].last();
            self.text[*it] == b':' && before != Some(&b':') && self.text.get(it + 1) != Some(&b':')
        };
        let colon = range.clone().find(is_open)?;
        let of = self.text[range.start..colon].trim_ascii();
        Some((of, colon..range.end))
    }

    /// Where what has to hold of a parameter ends, or could stand: before what it is unless one says so.
    fn end_of_bound(&self, parameter: usize) -> usize {
        match self.tree.part(parameter, "default_type") {
            Some(default) => {
                let before = self.text[..self.range(default).start].trim_ascii_end();
                let before = before.strip_suffix(b"=").unwrap_or(before);
                before.trim_ascii_end().len()
            }
            None => self.range(parameter).end,
        }
    }

    /// Where the parameter of this name is declared that is nearest to a clause.
    fn parameter(&self, clause: usize, name: &[u8]) -> Option<usize> {
        let mut around = self.tree.and_around(clause).take(HEIGHT_MAX);
        around.find_map(|node| {
            let mut lists = self.tree.children(node);
            let list = lists.find(|&it| LISTS.contains(&self.tree.kind(it)))?;
            let mut parameters = entries(self.tree, list);
            parameters.find(|&it| {
                let head = self.bound(it).map(|bound| bound.0);
                head.unwrap_or(&self.text[self.range(it).start..self.end_of_bound(it)]) == name
            })
        })
    }

    /// What goes with a bound, which is one of these in a clause.
    fn cut(&self, clause: usize, bounds: &[usize], index: usize) -> Range<usize> {
        let range = self.range(bounds[index]);
        match (bounds.get(index + 1), index.checked_sub(1)) {
            (Some(&next), _) => range.start..self.range(next).start,
            (None, Some(before)) => self.range(bounds[before]).end..range.end,
            (None, None) => {
                let range = self.range(clause);
                let before = self.text[..range.start].trim_ascii_end();
                before.len()..range.end
            }
        }
    }

    fn merged(
        &self,
        clause: usize,
        bounds: &[usize],
        index: usize,
        joint: Option<&str>,
    ) -> Option<Patch<u8>> {
        let (of, bound) = self.bound(bounds[index])?;
        let mut before = bounds[..index].iter();
        let same = before.find(|&&it| self.bound(it).is_some_and(|it| it.0 == of));
        let place = same.copied().or_else(|| self.parameter(clause, of))?;
        let end = self.end_of_bound(place);
        let text = &self.text[bound.clone()];
        let insert = match self.bound(place) {
            Some((_, has)) => {
                let is_empty = self.text[has.start + 1..end].trim_ascii().is_empty();
                let joint = if is_empty { "" } else { joint? };
                [joint.as_bytes(), text[1..].trim_ascii()].concat()
            }
            None => text.to_vec(),
        };
        let cut = self.cut(clause, bounds, index);
        Patch::edits_of([edit(end..end, &insert), edit(cut, b"")]).ok()
    }
}

impl Finds for MergeBounds {
    const NAME: &'static str = "merge_bounds";
    const RANK: u8 = 4;

    fn find(&self, target: &Target<u8>) -> Vec<Patch<u8>> {
        let tree = self.0.tree(target);
        let Some(&(_, joint)) = JOINTS.iter().find(|it| tree.is_in(it.0)) else {
            return Vec::new();
        };
        let source = Source {
            text: target.elements(),
            tree: &tree,
        };
        let clauses = (1..tree.nodes().len()).filter(|&it| CLAUSES.contains(&tree.kind(it)));
        let mut patches = Vec::new();
        for clause in clauses {
            let bounds: Vec<usize> = entries(&tree, clause)
                .filter(|&it| tree.kind(it) != "where_keyword")
                .collect();
            let merged =
                (0..bounds.len()).filter_map(|it| source.merged(clause, &bounds, it, joint));
            patches.extend(merged);
        }
        patches
    }
}

#[cfg(test)]
mod tests {
    use crate::explain::reductions;

    fn check(language: &str, before: &str, after: &str) {
        let seen = reductions("merge_bounds", language, before);
        assert!(seen.iter().any(|seen| seen == after), "{seen:?}");
    }

    #[test]
    fn bounds_join_those_that_are_there() {
        check(
            "rust",
            "impl<'a, T: A> c<T> { fn f() where T: B + 'a, u8: C {} }",
            "impl<'a, T: A+B + 'a> c<T> { fn f() where u8: C {} }",
        );
        check(
            "rust",
            "struct c<T = u8> where T: B<D = E>;",
            "struct c<T: B<D = E> = u8>;",
        );
        check(
            "rust",
            "struct c<T: A<D = E> = u8> where T: B;",
            "struct c<T: A<D = E>+B = u8>;",
        );
        check(
            "rust",
            "fn f<T>() where for<'a> &'a T: A, T: C, for<'a> &'a T: a::B {}",
            "fn f<T>() where for<'a> &'a T: A+a::B, T: C {}",
        );
    }

    #[test]
    fn other_languages_have_bounds_apart_too() {
        check(
            "swift",
            "func f<T: A>(a: T) where T: B {}",
            "func f<T: A&B>(a: T) {}",
        );
        check(
            "kotlin",
            "fun <T> f(a: T) where T : A {}",
            "fun <T: A> f(a: T) {}",
        );
        let text = "fun <T : B> f(a: T) where T : A {}";
        assert!(reductions("merge_bounds", "kotlin", text).is_empty());
    }
}
