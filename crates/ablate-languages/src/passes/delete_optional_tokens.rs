//! Deletes keywords and punctuation that the grammar can do without, with what belongs to them.
//!
//! Node types don't say that `async` may be missing from a function, `= 1` from a parameter, `(e)`
//! from a handler or `else` from a branch. So the text without them is parsed: what then has no
//! error is a candidate. One place speaks for all where the same stands between the same.
//!
//! Costs one test for each such run of up to three tokens and nodes, with the same runs in all other
//! places, and some more where only a part of them can go; what makes up most of the text first.
//!
//! ```
//! use ablate_languages::explain::reductions;
//!
//! let seen = reductions("delete_optional_tokens", "python", "async def f(a: int = 1): pass");
//! assert!(seen.contains(&"def f(a: int = 1): pass".to_owned()));
//! assert!(seen.contains(&"async def f(a: int): pass".to_owned()));
//! ```

use std::collections::BTreeMap;
use std::rc::Rc;

use ablate_engine::chooser::{Chooser, DeadBranch};
use ablate_engine::pass::Pass;
use ablate_engine::patch::Patch;
use ablate_engine::target::Target;

use crate::members::with_blanks;
use crate::runs::CutRuns;
use crate::tree::{Syntax, SyntaxTree};

/// The most tokens and nodes side by side that go together.
const LONGEST: usize = 3;
/// Longer runs are left to passes for what is large.
const LONGEST_BYTES: usize = 256;
/// At most so many different runs are looked at.
const KINDS_MAX: usize = 2000;

/// Deletes what the grammar turns out to do without; see the module.
#[derive(Clone, Debug)]
pub struct DeleteOptionalTokens(pub Rc<Syntax>);

/// What makes runs the same: the kind of the node around, of what stands before the run and behind
/// it, and of what is in it.
type Signature = (u16, Option<u16>, Option<u16>, [Option<u16>; LONGEST]);

/// Where runs of each kind stand: the number of the node around, and what to cut.
type Places = BTreeMap<Signature, Vec<(usize, (usize, usize))>>;

/// Runs that can go, by what they are.
struct Tokens(CutRuns);

impl Tokens {
    fn of(target: &Target<u8>, syntax: &Syntax) -> Tokens {
        let tree = syntax.tree(target);
        let places = places(target.elements(), &tree);
        let reread = syntax.reread(target);
        let can_go = |places: &Vec<(usize, (usize, usize))>| {
            let (around, (start, end)) = places[0];
            let around = tree.nodes()[around].range();
            let around = around.start.min(start)..around.end.max(end);
            reread
                .as_ref()
                .is_some_and(|it| it.reads_without(around, start..end) == Some(true))
        };
        let kinds = places.into_values().filter(can_go);
        let cuts = kinds.map(|places| places.into_iter().map(|place| place.1).collect());
        Tokens(CutRuns::of(target.len(), 1, cuts.collect()))
    }
}

/// All runs of children with a token among them that is neither a separator nor half of a pair of
/// brackets.
fn places(text: &[u8], tree: &SyntaxTree) -> Places {
    let nodes = tree.nodes();
    let mut places = Places::new();
    for parent in 0..nodes.len() {
        let children: Vec<usize> = tree.children(parent).collect();
        for first in 0..children.len() {
            for last in first..children.len().min(first + LONGEST) {
                let run = &children[first..=last];
                let (start, end) = (nodes[run[0]].start, nodes[children[last]].end);
                if end - start > LONGEST_BYTES as u32 || run.len() == children.len() {
                    break;
                }
                if !can_be_optional(tree, run) {
                    continue;
                }
                let kind = |at: Option<&usize>| at.map(|&at| nodes[at].kind);
                let before = first.checked_sub(1).and_then(|at| children.get(at));
                let signature = (
                    nodes[parent].kind,
                    kind(before),
                    kind(children.get(last + 1)),
                    std::array::from_fn(|place| kind(run.get(place))),
                );
                let cut = with_blanks(text, start as usize, end as usize);
                if places.len() < KINDS_MAX || places.contains_key(&signature) {
                    places.entry(signature).or_default().push((parent, cut));
                }
            }
        }
    }
    places
}

fn can_be_optional(tree: &SyntaxTree, run: &[usize]) -> bool {
    let (mut open, mut tokens) = (0_i32, 0);
    for &child in run {
        let node = &tree.nodes()[child];
        if node.is_error || node.is_empty() {
            return false;
        }
        if node.is_named {
            continue;
        }
        match tree.kind(child) {
            "," | ";" | "\"" | "'" | "`" => return false,
            "(" | "[" | "{" => open += 1,
            ")" | "]" | "}" => open -= 1,
            _ => {}
        }
        if open < 0 {
            return false;
        }
        tokens += 1;
    }
    open == 0 && tokens > 0
}

impl Pass<u8> for DeleteOptionalTokens {
    fn name(&self) -> &'static str {
        "delete_optional_tokens"
    }

    fn step(
        &self,
        target: &Target<u8>,
        chooser: &mut Chooser<'_>,
    ) -> Result<Patch<u8>, DeadBranch> {
        let tokens = target.analysis(|target| Tokens::of(target, &self.0));
        Ok(tokens.0.cut(chooser.any(0..tokens.0.len())?))
    }

    fn rank(&self) -> u8 {
        7
    }
}
