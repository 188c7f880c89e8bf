//! Replaces a node by the simplest thing of its kind in its language: a body by `{}`, an expression
//! by `0`, a type by `int`.
//!
//! What a function does often does not matter when that there is one does: `int f() { g(); }`
//! becomes `int f() {}`.
//!
//! Costs one to four tests for each statement, expression, type and body that is not that simple: the
//! simplest text for all of them, where it takes most off first, then the next one.
//!
//! ```
//! use ablate_languages::explain::reductions;
//!
//! let seen = reductions("simplify_nodes", "c", "int f() { g(); }");
//! assert!(seen.contains(&"int f() {}".to_owned()));
//! ```

use std::rc::Rc;

use ablate_engine::chooser::{Chooser, DeadBranch};
use ablate_engine::order::{Text, compare_whole};
use ablate_engine::pass::Pass;
use ablate_engine::patch::Patch;
use ablate_engine::target::Target;

use crate::language::Minimal;
use crate::node_types::KindSet;
use crate::passes::sort_largest_last;
use crate::tree::{Node, Syntax, SyntaxTree};

/// Replaces a node by the simplest of its kind; see the module.
#[derive(Clone, Debug)]
pub struct SimplifyNodes(pub Rc<Syntax>);

/// The nodes that can be simplified.
#[derive(Debug, Default)]
pub(crate) struct Simplifiable {
    /// Nodes, with what they can become; what takes most off last.
    pub nodes: Vec<(u32, &'static [&'static str])>,
}

impl Simplifiable {
    /// The nodes of `target` that can be simplified.
    pub fn of(target: &Target<u8>, syntax: &Syntax) -> Rc<Simplifiable> {
        let tree = syntax.tree(target);
        target.analysis(|target| {
            let simplest = Simplest::of(syntax);
            let text = target.elements();
            let mut nodes = Vec::new();
            for (number, node) in tree.nodes().iter().enumerate().skip(1) {
                let texts = simplest.texts(&tree, node);
                let first = texts.first();
                if first.is_some_and(|first| is_simpler(first, &text[node.range()])) {
                    nodes.push((number as u32, texts));
                }
            }
            sort_largest_last(&mut nodes, |&(number, _)| {
                let node = &tree.nodes()[number as usize];
                (node.len(), node.start as usize)
            });
            Simplifiable { nodes }
        })
    }
}

/// Nodes with what they become: all of them with the simplest text of their kind last, those with the
/// next one before them, and so on. Where one text fails, the next one for the same node mostly does.
struct Steps(Vec<(u32, &'static str)>);

impl Steps {
    fn of(target: &Target<u8>, tree: &SyntaxTree, all: &Simplifiable) -> Steps {
        let texts = all.nodes.iter().map(|(_, texts)| texts.len());
        let rounds = (0..texts.max().unwrap_or(0)).rev();
        let steps = rounds.flat_map(|round| {
            let steps = all.nodes.iter();
            let steps =
                steps.filter_map(move |&(number, texts)| Some((number, *texts.get(round)?)));
            steps.filter(|&(number, simplest)| {
                let node = &tree.nodes()[number as usize];
                is_simpler(simplest, &target.elements()[node.range()])
            })
        });
        Steps(steps.collect())
    }
}

/// The simplest things of each kind in a language.
pub(crate) struct Simplest {
    /// What can stand in place of which kinds, in which field.
    rows: Vec<(
        Option<&'static str>,
        &'static KindSet,
        &'static [&'static str],
    )>,
}

impl Simplest {
    pub fn of(syntax: &Syntax) -> Simplest {
        let language = syntax.language();
        let types = &language.facts().types;
        let rows = language.minimal.iter();
        let rows = rows.flat_map(|Minimal { of, texts }| of.iter().map(move |of| (*of, *texts)));
        let rows = rows.filter_map(|(of, texts)| {
            let (field, kind) = match of.split_once(':') {
                Some((field, kind)) => (Some(field), kind),
                None => (None, of),
            };
            Some((field, types.kinds_named(kind)?, texts))
        });
        Simplest {
            rows: rows.collect(),
        }
    }

    /// What may stand in place of a node, the simplest first.
    pub fn texts(&self, tree: &SyntaxTree, node: &Node) -> &'static [&'static str] {
        if !node.is_named || node.is_empty() {
            return &[];
        }
        let row = self.rows.iter().find(|(field, kinds, _)| {
            kinds.has(node.kind) && field.is_none_or(|field| tree.field_name(node) == Some(field))
        });
        // What a template makes has a name, and so has its simplest body.
        let row = row.filter(|(field, ..)| {
            field.is_some() || tree.kind(node.parent as usize) != "template_declaration"
        });
        // A name is an expression too, but nothing else may stand where a function is named.
        let fits = |kinds: &KindSet| {
            let slot = tree.slot(node);
            slot.is_none_or(|slot| 2 * slot.kinds.shared(kinds) >= kinds.len())
        };
        let row = row.filter(|(_, kinds, _)| fits(kinds));
        row.map_or(&[], |row| row.2)
    }
}

/// Whether one text is simpler than another.
pub(crate) fn is_simpler(a: &str, b: &[u8]) -> bool {
    compare_whole(&Text, a.as_bytes(), b).is_lt()
}

impl Pass<u8> for SimplifyNodes {
    fn name(&self) -> &'static str {
        "simplify_nodes"
    }

    fn step(
        &self,
        target: &Target<u8>,
        chooser: &mut Chooser<'_>,
    ) -> Result<Patch<u8>, DeadBranch> {
        let tree = self.0.tree(target);
        let all = Simplifiable::of(target, &self.0);
        let steps = target.analysis(|target| Steps::of(target, &tree, &all));
        let (number, simplest) = steps.0[chooser.any(0..steps.0.len())?];
        let node = &tree.nodes()[number as usize];
        Ok(Patch::replace(
            node.start as usize,
            node.end as usize,
            simplest.as_bytes(),
        ))
    }

    fn is_largest_first(&self) -> bool {
        true
    }

    fn keeps_form(&self) -> bool {
        true
    }

    fn rank(&self) -> u8 {
        8
    }
}

#[cfg(test)]
mod tests {
    use crate::explain::reductions;

    #[test]
    fn what_a_template_makes_keeps_its_name() {
        let text = "template<class A> struct B { A a; }; struct C { int b; };";
        let seen = reductions("simplify_nodes", "cpp", text);
        let has = |part: &str| seen.iter().any(|seen| seen.contains(part));
        assert!(!has("> int;"), "{seen:?}");
        assert!(has("struct B {}") && has("; int;"), "{seen:?}");
    }
}
