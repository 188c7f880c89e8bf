//! Replaces a statement by an expression in it.
//!
//! What computes a value often matters where its use does not: `let a = f(1);` becomes `f(1);`, and
//! so do `return f(1);` and `if (f(1)) { b; }`.
//!
//! Costs one test for each statement and each of the first three expressions in it that are in no
//! other one; where it takes most off first.
//!
//! ```
//! use ablate_languages::explain::reductions;
//!
//! let seen = reductions("hoist_expressions", "rust", "fn f() { let a = g(1); }");
//! assert!(seen.contains(&"fn f() { g(1); }".to_owned()));
//! ```

use std::rc::Rc;

use ablate_engine::chooser::{Chooser, DeadBranch};
use ablate_engine::pass::Pass;
use ablate_engine::patch::{Edit, Patch};
use ablate_engine::target::Target;

use crate::node_types::KindSet;
use crate::passes::sort_largest_last;
use crate::tree::{Syntax, SyntaxTree};

/// How many expressions of a statement are tried.
const EXPRESSIONS_MAX: usize = 3;
/// How many nodes of a statement are looked at to find them.
const NODES_MAX: usize = 64;
/// Languages in which an expression is a statement without a semicolon, or with one that is no part of it.
const WITHOUT_SEMICOLON: &[&str] = &[
    "go", "kotlin", "lua", "python", "ruby", "scala", "swift", "wgsl",
];

/// Replaces a statement by an expression in it; see the module.
#[derive(Clone, Debug)]
pub struct HoistExpressions(pub Rc<Syntax>);

/// Statements with expressions in them, those that take most off last.
struct Hoists(Vec<(u32, u32)>);

impl Hoists {
    fn of(tree: &SyntaxTree, syntax: &Syntax) -> Hoists {
        let nodes = tree.nodes();
        let mut hoists = statements(tree, syntax, EXPRESSIONS_MAX, false);
        sort_largest_last(&mut hoists, |&(outer, inner)| {
            let len = |number: u32| nodes[number as usize].len();
            (
                len(outer) - len(inner),
                nodes[outer as usize].start as usize,
            )
        });
        Hoists(hoists)
    }
}

/// Statements, each with some of the expressions in it that can be statements; also those in other
/// expressions, if `is_deep`.
pub(crate) fn statements(
    tree: &SyntaxTree,
    syntax: &Syntax,
    expressions_max: usize,
    is_deep: bool,
) -> Vec<(u32, u32)> {
    let mut hoists = Vec::new();
    let types = &syntax.language().facts().types;
    let nodes = tree.nodes();
    // The statements, and what can stand in them. WGSL has calls, that are assigned to nothing.
    let (statement, kinds) = if tree.is_in("wgsl") {
        let statement = types.kinds_named("assignment_statement");
        let calls = types.kinds_named("type_constructor_or_function_call_expression");
        (statement, calls)
    } else {
        let statement = types.kinds_named("expression_statement");
        (
            statement,
            statement.and_then(|statement| types.slot_of(statement)),
        )
    };
    let (Some(statement), Some(kinds)) = (statement, kinds) else {
        return hoists;
    };
    for (number, node) in nodes.iter().enumerate().skip(1) {
        let takes_statement = tree
            .slot(node)
            .is_some_and(|slot| slot.kinds.has_all(statement));
        let is_one = match tree.part(number, "left") {
            Some(left) if tree.is_in("wgsl") => nodes[left].is_empty(),
            _ => statement.has(node.kind) || kinds.has(node.kind),
        };
        if takes_statement && node.is_named && !node.is_extra && !is_one {
            let inner = expressions(tree, number, kinds, is_deep).take(expressions_max);
            hoists.extend(inner.map(|inner| (number as u32, inner as u32)));
        }
    }
    hoists
}

/// The first expressions in a statement, those that are in no other expression unless `is_deep`.
fn expressions<'a>(
    tree: &'a SyntaxTree,
    statement: usize,
    kinds: &'a KindSet,
    is_deep: bool,
) -> impl Iterator<Item = usize> + 'a {
    let nodes = tree.nodes();
    let end = nodes[statement].next as usize;
    let mut at = statement + 1;
    let found = std::iter::from_fn(move || {
        let node = nodes.get(at).filter(|_| at < end)?;
        let number = at;
        let is_expression = node.is_named && kinds.has(node.kind) && !node.is_empty();
        at = if is_expression && !is_deep {
            node.next as usize
        } else {
            at + 1
        };
        Some((number, is_expression))
    });
    let found = found.take(NODES_MAX).filter(|found| found.1);
    found.map(|found| found.0)
}

/// Makes a statement of the expression `inner` in the statement `outer`.
pub(crate) fn patch(
    text: &[u8],
    tree: &SyntaxTree,
    syntax: &Syntax,
    (outer, inner): (u32, u32),
) -> Option<Patch<u8>> {
    let [outer, inner] = [outer, inner].map(|number| tree.nodes()[number as usize].range());
    let needs_semicolon = !WITHOUT_SEMICOLON.contains(&syntax.language().name);
    let has_semicolon = text[outer.clone()].ends_with(b";");
    let edit = |start, end, insert: &[u8]| Edit {
        start,
        end,
        insert: (!insert.is_empty()).then(|| insert.into()),
    };
    let behind = if !needs_semicolon {
        edit(inner.end, outer.end, b"")
    } else if has_semicolon && inner.end < outer.end {
        edit(inner.end, outer.end - 1, b"")
    } else {
        edit(inner.end, outer.end, b";")
    };
    let before = edit(outer.start, inner.start, b"");
    Patch::edits_of([before, behind]).ok()
}

impl Pass<u8> for HoistExpressions {
    fn name(&self) -> &'static str {
        "hoist_expressions"
    }

    fn step(
        &self,
        target: &Target<u8>,
        chooser: &mut Chooser<'_>,
    ) -> Result<Patch<u8>, DeadBranch> {
        let tree = self.0.tree(target);
        let hoists = target.analysis(|_| Hoists::of(&tree, &self.0));
        let (outer, inner) = hoists.0[chooser.any(0..hoists.0.len())?];
        let patch = patch(target.elements(), &tree, &self.0, (outer, inner)).ok_or(DeadBranch)?;
        // Of as many bytes, it may not be simpler.
        if patch.growth() < 0 {
            Ok(patch)
        } else {
            Err(DeadBranch)
        }
    }

    fn is_largest_first(&self) -> bool {
        true
    }

    fn keeps_form(&self) -> bool {
        true
    }

    fn rank(&self) -> u8 {
        6
    }
}
