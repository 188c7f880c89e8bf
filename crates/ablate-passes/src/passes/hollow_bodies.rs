//! Leaves nothing, or one line, of the bodies of all routines, or of a run of them.
//!
//! Where a routine has to stay because others are about it, what it does mostly doesn't matter, and what
//! its body needs can go then. What can stand for a body is a line of the text itself: the shortest that does
//! nothing (`null;`), that returns or that throws. What is a body is guessed: what is in braces behind a head
//! with brackets, between `begin` and `end`, between `subroutine f` and what ends it, or indented below
//! `proc f() =`.
//!
//! Costs up to four tests for all bodies, for those of which their heads say that they give nothing, and for
//! the others, and as many for halves, quarters and so on of these; what takes most off comes first. Languages
//! with a grammar have `delete_bodies` instead.
//!
//! ```
//! use ablate_passes::explain::reductions;
//! use ablate_passes::passes::HollowBodies;
//!
//! let text = "int f(int a)\n{\n  x = a;\n  return x;\n}\nvoid g()\n{\n  throw 1;\n}\n";
//! let seen = reductions(&HollowBodies, text);
//! assert_eq!(seen[0], "int f(int a)\n{}\nvoid g()\n{}\n");
//! assert!(seen.contains(&text.replace("x = a;\n  return x;", "throw 1;")));
//! ```

use alloc::vec::Vec;

use ablate_engine::chooser::{Chooser, DeadBranch};
use ablate_engine::pass::Pass;
use ablate_engine::patch::{Edit, Patch};
use ablate_engine::target::Target;

use crate::formats::characters::is_blank;
use crate::formats::lines::Lines;
use crate::formats::routines::{Body, Routines};
use crate::formats::runs::add_runs;
use crate::formats::stubs::stubs;

/// Leaves hardly anything of bodies; see the module.
#[derive(Clone, Copy, Debug, Default)]
pub struct HollowBodies;

/// Which bodies of a group, from one to another, become what.
#[derive(Clone, Copy, Debug)]
struct Choice {
    group: usize,
    first: usize,
    last: usize,
    stub: usize,
}

/// What can be done, and what can stand for bodies.
struct Choices {
    stubs: Vec<Vec<u8>>,
    /// All bodies, those that give nothing, and those that do.
    groups: Vec<Vec<Body>>,
    all: Vec<Choice>,
}

impl Choices {
    fn of(target: &Target<u8>) -> Choices {
        let (routines, lines) = (Routines::of(target), Lines::of(target));
        let stubs = stubs(target.elements(), &lines);
        let bodies = routines.all();
        let (void, others): (Vec<Body>, Vec<Body>) = bodies.iter().partition(|body| body.is_void);
        let mut groups = Vec::from([bodies.to_vec(), void, others]);
        groups.retain(|group| !group.is_empty());
        if groups.len() < 3 {
            groups.truncate(1);
        }
        let mut sized: Vec<(usize, Choice)> = Vec::new();
        for (group, bodies) in groups.iter().enumerate() {
            // For each stub how much goes with the bodies before each.
            let sums = |stub: &&[u8]| {
                let mut sum = 0;
                let gained = bodies.iter().map(|body| {
                    let edit = edit(target.elements(), body, stub);
                    sum += edit.map_or(0, |edit| edit.end - edit.start - edit.inserted());
                    sum
                });
                [0].into_iter().chain(gained).collect()
            };
            let sums: Vec<Vec<usize>> = stubs.iter().map(sums).collect();
            add_runs(0, bodies.len() - 1, &mut |first, last| {
                for (stub, sums) in sums.iter().enumerate() {
                    let gain = sums[last + 1] - sums[first];
                    let choice = Choice {
                        group,
                        first,
                        last,
                        stub,
                    };
                    if gain > 0 {
                        sized.push((gain, choice));
                    }
                }
                true
            });
        }
        sized.sort_by_key(|(gain, choice)| (core::cmp::Reverse(*gain), choice.group, choice.first));
        Choices {
            stubs: stubs.into_iter().map(<[u8]>::to_vec).collect(),
            groups,
            all: sized.into_iter().map(|(_, choice)| choice).collect(),
        }
    }
}

/// The edit after which a body is a line, as far indented as its first, or nothing; none where it is
/// that already or hardly more.
fn edit(text: &[u8], body: &Body, stub: &[u8]) -> Option<Edit<u8>> {
    let (start, end) = (body.start, body.end);
    let mut insert = Vec::new();
    if !stub.is_empty() {
        let blanks = text[body.line..].iter().take_while(|&&byte| is_blank(byte));
        if start != body.line && text[start] == b'\n' {
            insert.push(b'\n');
        }
        insert.extend(blanks);
        insert.extend(stub);
        insert.push(b'\n');
        // What stands before the bracket that ends it.
        insert.extend(
            text[start..end]
                .rsplit(|&byte| byte == b'\n')
                .next()
                .unwrap_or_default(),
        );
    }
    (insert.len() < end - start && text[start..end].trim_ascii() != stub).then(|| Edit {
        start,
        end,
        insert: (!insert.is_empty()).then(|| insert[..].into()),
    })
}

impl Pass<u8> for HollowBodies {
    fn name(&self) -> &'static str {
        "hollow_bodies"
    }

    fn step(
        &self,
        target: &Target<u8>,
        chooser: &mut Chooser<'_>,
    ) -> Result<Patch<u8>, DeadBranch> {
        let choices = target.analysis(Choices::of);
        let choice = choices.all[chooser.prefer(choices.all.len())?];
        let bodies = choices.groups[choice.group][choice.first..=choice.last].iter();
        let stub = &choices.stubs[choice.stub];
        let edits = bodies.filter_map(|body| edit(target.elements(), body, stub));
        Patch::edits_of(edits).map_err(|_| DeadBranch)
    }

    fn is_for_chaos(&self) -> bool {
        false
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
