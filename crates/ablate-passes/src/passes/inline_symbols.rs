//! Puts what a name stands for in its place, in an SMT-LIB script.
//!
//! A definition with one use says the same without a name: `(let ((y (f x))) (= y 0))` becomes
//! `(= (f x) 0)`; so do `define-fun` and `define-sort`, and `(assert (= y (f x)))` says what `y` is
//! elsewhere.
//!
//! Costs one test for each definition, each `let` and each such equation, where that makes the text
//! shorter.
//!
//! ```
//! use ablate_passes::explain::reductions;
//! use ablate_passes::passes::InlineSymbols;
//!
//! let text = "(define-fun f ((a Int)) Int (+ a 1))(assert (= 2 (f 3)))";
//! assert_eq!(reductions(&InlineSymbols, text), ["(assert (= 2 (+ 3 1)))"]);
//! let text = "(assert (let ((y 1)) (= y 2)))";
//! assert_eq!(reductions(&InlineSymbols, text), ["(assert (= 1 2))"]);
//! ```

use alloc::collections::BTreeSet;
use alloc::vec::Vec;

use ablate_engine::chooser::{Chooser, DeadBranch};
use ablate_engine::pass::Pass;
use ablate_engine::patch::{Edit, Patch};
use ablate_engine::target::Target;

use crate::formats::characters::simpler;
use crate::formats::smt::Smt;
use crate::passes::choose_place;

/// Inlines definitions; see the module.
#[derive(Clone, Copy, Debug, Default)]
pub struct InlineSymbols;

/// The text of `node` with names replaced by what they stand for.
fn substituted(smt: &Smt, text: &[u8], node: u32, names: &[(&[u8], &[u8])]) -> Vec<u8> {
    let (start, end) = smt.sexprs().node(node).range();
    let numbers = node..smt.sexprs().node(node).next;
    let mut edits = Vec::new();
    for number in numbers.filter(|&number| !smt.sexprs().node(number).is_list) {
        let atom = smt.sexprs().text(text, number);
        let found = names.iter().find(|(name, _)| *name == atom);
        let range = smt.sexprs().node(number).range();
        edits.extend(found.map(|(_, value)| smt.replaced(text, range, value)));
    }
    let (mut result, mut at) = (Vec::new(), start);
    for edit in &edits {
        result.extend_from_slice(&text[at..edit.start]);
        result.extend_from_slice(edit.insert.as_deref().unwrap_or_default());
        at = edit.end;
    }
    result.extend_from_slice(&text[at..end]);
    result
}

/// The names and the terms of `((x 1) (y 2))`, or whatever stands for `1` and `2`.
fn pairs<'a>(smt: &Smt, text: &'a [u8], list: u32) -> Vec<(&'a [u8], &'a [u8])> {
    let parts = |pair: u32| {
        let mut parts = smt
            .sexprs()
            .children(pair)
            .map(|part| smt.sexprs().text(text, part));
        parts.next().zip(parts.next())
    };
    smt.sexprs().children(list).filter_map(parts).collect()
}

fn without_let(smt: &Smt, text: &[u8], term: u32) -> Option<Vec<Edit<u8>>> {
    let mut parts = smt.sexprs().children(term).skip(1);
    let (bindings, body) = (parts.next()?, parts.next()?);
    let body = substituted(smt, text, body, &pairs(smt, text, bindings));
    Some(alloc::vec![smt.replaced(
        text,
        smt.sexprs().node(term).range(),
        &body
    )])
}

/// Puts one side of an equation that is asserted for the name on the other, everywhere.
fn without_equation(smt: &Smt, text: &[u8], term: u32, side: usize) -> Option<Vec<Edit<u8>>> {
    let parts: Vec<u32> = smt.sexprs().children(term).skip(1).collect();
    let [one, other] = parts[..] else { return None };
    let (name, value) = if side == 0 {
        (one, other)
    } else {
        (other, one)
    };
    let command = smt.sexprs().node(term).parent;
    if smt.sexprs().node(name).is_list || smt.sexprs().head(text, command)? != b"assert" {
        return None;
    }
    let declarations = smt.declarations().iter();
    let name = smt.sexprs().text(text, name);
    let is_name = |&node: &u32| smt.sexprs().text(text, node) == name;
    let declared = declarations
        .map(|declaration| declaration.name)
        .find(is_name)?;
    let numbers = value..smt.sexprs().node(value).next;
    if numbers.clone().any(|number| is_name(&number)) {
        return None;
    }
    let value = smt.sexprs().text(text, value);
    let cut = |node: u32| {
        let (start, end) = smt.cut(text, smt.sexprs().node(node).range());
        Edit {
            start,
            end,
            insert: None,
        }
    };
    let uses = smt.atoms(name).iter().filter(|&&atom| atom != declared);
    let elsewhere = uses.filter(|&&atom| smt.command_of(atom) != command);
    let replaced =
        elsewhere.map(|&atom| smt.replaced(text, smt.sexprs().node(atom).range(), value));
    Some(
        replaced
            .chain([cut(command), cut(smt.command_of(declared))])
            .collect(),
    )
}

fn without_function(smt: &Smt, text: &[u8], command: u32) -> Option<Vec<Edit<u8>>> {
    let parts: Vec<u32> = smt.sexprs().children(command).collect();
    let (&name, &body) = (parts.get(1)?, parts.last()?);
    let parameters: Vec<(&[u8], &[u8])> = match parts.len() {
        5 => pairs(smt, text, parts[2]),
        4 => Vec::new(),
        _ => return None,
    };
    let (start, end) = smt.cut(text, smt.sexprs().node(command).range());
    let mut edits = alloc::vec![Edit {
        start,
        end,
        insert: None
    }];
    for &atom in smt.atoms(smt.sexprs().text(text, name)) {
        let node = smt.sexprs().node(atom);
        if atom == name
            || edits
                .last()
                .is_some_and(|last| atom > 0 && node.range().0 < last.end)
        {
            continue;
        }
        let (whole, arguments) = if parameters.is_empty() {
            (atom, Vec::new())
        } else {
            let arguments = smt.sexprs().children(node.parent).skip(1);
            (
                node.parent,
                arguments.map(|a| smt.sexprs().text(text, a)).collect(),
            )
        };
        if arguments.len() != parameters.len() || smt.sort(whole).is_none() {
            return None;
        }
        let names = parameters.iter().map(|(name, _)| *name);
        let names: Vec<(&[u8], &[u8])> = names.zip(arguments).collect();
        let value = substituted(smt, text, body, &names);
        edits.push(smt.replaced(text, smt.sexprs().node(whole).range(), &value));
    }
    Some(edits)
}

/// The same for the name of a sort, which stands where no term is.
fn without_sort(smt: &Smt, text: &[u8], command: u32) -> Option<Vec<Edit<u8>>> {
    let sexprs = smt.sexprs();
    let parts: Vec<u32> = sexprs.children(command).collect();
    let [_, name, parameters, body] = parts[..] else {
        return None;
    };
    let parameters: Vec<&[u8]> = sexprs
        .children(parameters)
        .map(|parameter| sexprs.text(text, parameter))
        .collect();
    let (start, end) = smt.cut(text, sexprs.node(command).range());
    let mut edits = alloc::vec![Edit {
        start,
        end,
        insert: None
    }];
    let declared: BTreeSet<u32> = smt.declarations().iter().map(|d| d.name).collect();
    let mut last_end = 0;
    for &atom in smt.atoms(sexprs.text(text, name)) {
        let is_other = smt.sort(atom).is_some() || declared.contains(&atom);
        if is_other || smt.command_of(atom) == command {
            continue;
        }
        let whole = match parameters.len() {
            0 => atom,
            _ => sexprs.node(atom).parent,
        };
        let arguments = sexprs.children(whole).skip(1);
        let arguments: Vec<&[u8]> = arguments.map(|node| sexprs.text(text, node)).collect();
        let range = sexprs.node(whole).range();
        let is_applied = parameters.is_empty() || sexprs.children(whole).next() == Some(atom);
        if !is_applied || arguments.len() != parameters.len() || range.0 < last_end {
            return None;
        }
        last_end = range.1;
        let names = parameters.iter().copied().zip(arguments);
        let names: Vec<(&[u8], &[u8])> = names.collect();
        let value = substituted(smt, text, body, &names);
        edits.push(smt.replaced(text, range, &value));
    }
    Some(edits)
}

impl Pass<u8> for InlineSymbols {
    fn name(&self) -> &'static str {
        "inline_symbols"
    }

    fn step(
        &self,
        target: &Target<u8>,
        chooser: &mut Chooser<'_>,
    ) -> Result<Patch<u8>, DeadBranch> {
        let (smt, text) = (Smt::of(target), target.elements());
        let nodes = smt.sexprs().all();
        let definition = choose_place::<Self>(target, chooser, nodes.len(), |&node| {
            let head = smt.sexprs().head(text, node as u32);
            match head {
                Some(b"let" | b"=") => smt.sort(node as u32).is_some(),
                Some(b"define-fun" | b"define-const" | b"define-sort") => true,
                _ => false,
            }
        })? as u32;
        let edits = match smt.sexprs().head(text, definition) {
            Some(b"let") => without_let(&smt, text, definition),
            Some(b"=") => {
                let side = chooser.prefer(2)?;
                without_equation(&smt, text, definition, side)
            }
            Some(b"define-sort") => without_sort(&smt, text, definition),
            _ => without_function(&smt, text, definition),
        };
        let edits = edits.ok_or(DeadBranch)?;
        simpler(target, Patch::edits_of(edits).map_err(|_| DeadBranch)?)
    }

    fn is_for_chaos(&self) -> bool {
        false
    }

    fn rank(&self) -> u8 {
        6
    }
}

#[cfg(test)]
mod tests {
    use super::InlineSymbols;
    use crate::explain::reductions;

    fn check(text: &str, expected: &str) {
        let seen = reductions(&InlineSymbols, text);
        assert!(seen.iter().any(|seen| seen == expected), "{seen:?}");
    }

    #[test]
    fn sorts_are_inlined_where_no_term_is() {
        check(
            "(define-sort c()Float16)(declare-datatypes((b 0))(((a(b c)))))(declare-const c b)(assert(= c c))",
            "(declare-datatypes((b 0))(((a(b Float16)))))(declare-const c b)(assert(= c c))",
        );
        check(
            "(define-sort Pairs(A B)(Array A B))(declare-const p(Pairs Int Bool))",
            "(declare-const p(Array Int Bool))",
        );
    }
}
