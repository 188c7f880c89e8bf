//! Deletes a parameter of a function or of a constructor of an SMT-LIB script, together with its
//! argument wherever that is called.
//!
//! Neither can go alone: `(declare-fun f (Int Bool) Int)` and `(f 1 p)` become
//! `(declare-fun f (Bool) Int)` and `(f p)`; without its last one `(f p)` becomes `f`.
//!
//! Costs one test for each parameter.
//!
//! ```
//! use ablate_passes::explain::reductions;
//! use ablate_passes::passes::DeleteSymbolParameters;
//!
//! let text = "(declare-fun f (Int Bool) Int)(assert (= (f 1 p) (f 2 q)))";
//! assert_eq!(reductions(&DeleteSymbolParameters, text), [
//!     "(declare-fun f (Int) Int)(assert (= (f 1) (f 2)))",
//!     "(declare-fun f (Bool) Int)(assert (= (f p) (f q)))",
//! ]);
//! ```

use alloc::vec::Vec;

use ablate_engine::chooser::{Chooser, DeadBranch};
use ablate_engine::pass::Pass;
use ablate_engine::patch::{Edit, Patch};
use ablate_engine::target::Target;

use crate::formats::characters::simpler;
use crate::formats::smt::Smt;
use crate::formats::smt_sorts::datatypes;
use crate::passes::one_of;

/// Deletes parameters with their arguments; see the module.
#[derive(Clone, Copy, Debug, Default)]
pub struct DeleteSymbolParameters;

/// A parameter.
#[derive(Clone, Copy)]
struct Parameter {
    /// The name of what has it.
    name: u32,
    /// Its own node.
    node: u32,
    /// Its place among the parameters.
    place: usize,
}

/// All parameters, in the order of the text.
struct Parameters(Vec<Parameter>);

impl Parameters {
    fn of(smt: &Smt, text: &[u8]) -> Parameters {
        let sexprs = smt.sexprs();
        let mut found = Vec::new();
        let mut add = |name: u32, nodes: &mut dyn Iterator<Item = u32>| {
            let nodes = nodes.enumerate();
            found.extend(nodes.map(|(place, node)| Parameter { name, node, place }));
        };
        for command in sexprs.top() {
            let parts: Vec<u32> = sexprs.children(command).take(3).collect();
            match (sexprs.head(text, command), &parts[..]) {
                (Some(b"declare-fun" | b"define-fun" | b"define-fun-rec"), &[_, name, list]) => {
                    add(name, &mut sexprs.children(list));
                }
                (Some(b"declare-datatypes" | b"declare-datatype"), _) => {
                    let all = datatypes(sexprs, text, command).into_iter();
                    for constructor in all.flat_map(|(_, constructors)| constructors) {
                        if let Some(name) = sexprs.children(constructor).next() {
                            add(name, &mut sexprs.children(constructor).skip(1));
                        }
                    }
                }
                _ => (),
            }
        }
        Parameters(found)
    }
}

/// The edits that delete a parameter with its arguments; `None` where the calls have too few.
fn deleted(smt: &Smt, text: &[u8], parameter: Parameter) -> Option<Vec<Edit<u8>>> {
    let sexprs = smt.sexprs();
    let cut = |node: u32| {
        let (start, end) = smt.cut(text, sexprs.node(node).range());
        Edit {
            start,
            end,
            insert: None,
        }
    };
    let mut edits = alloc::vec![cut(parameter.node)];
    let name = sexprs.text(text, parameter.name);
    for &atom in smt.atoms(name).iter().filter(|&&a| a != parameter.name) {
        let call = sexprs.node(atom).parent;
        if smt.sort(call).is_none() || call + 1 != atom {
            continue;
        }
        let mut arguments = sexprs.children(call).skip(1);
        let argument = arguments.nth(parameter.place)?;
        if parameter.place == 0 && arguments.next().is_none() {
            edits.push(smt.replaced(text, sexprs.node(call).range(), name));
        } else {
            edits.push(cut(argument));
        }
    }
    Some(edits)
}

impl Pass<u8> for DeleteSymbolParameters {
    fn name(&self) -> &'static str {
        "delete_symbol_parameters"
    }

    fn step(
        &self,
        target: &Target<u8>,
        chooser: &mut Chooser<'_>,
    ) -> Result<Patch<u8>, DeadBranch> {
        let (smt, text) = (Smt::of(target), target.elements());
        let parameters = target.analysis(|target| Parameters::of(&smt, target.elements()));
        let parameter = *one_of(chooser, &parameters.0)?;
        let edits = deleted(&smt, text, parameter).ok_or(DeadBranch)?;
        simpler(target, Patch::edits_of(edits).map_err(|_| DeadBranch)?)
    }

    fn is_for_chaos(&self) -> bool {
        false
    }

    fn rank(&self) -> u8 {
        6
    }
}
