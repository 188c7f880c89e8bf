//! SMT-LIB: which S-expressions are terms, and of which sort, as far as it can be said without
//! knowing every theory. An unknown sort may be any.

use alloc::collections::BTreeMap;
use alloc::format;
use alloc::rc::Rc;
use alloc::vec::Vec;

use ablate_engine::patch::Edit;
use ablate_engine::target::Target;

use crate::formats::sexpr::{Sexprs, is_symbol};
use crate::formats::smt_sorts::{
    BOOL, INT, REAL, REGEX, Reader, SORTS, STRING, Sort, UNKNOWN, bit_width,
};

/// The longest text that is read.
const LONGEST_TEXT: usize = 4 << 20;

/// A name that is declared or defined at the top.
#[derive(Clone, Copy, Debug)]
pub struct Declaration {
    /// The number of the command.
    pub command: u32,
    /// The number of the name's node.
    pub name: u32,
    /// The sort of its values.
    pub sort: Sort,
    /// Whether it takes no arguments.
    pub is_constant: bool,
    /// The number of the term that it stands for, if it is a constant that is defined.
    pub body: Option<u32>,
}

/// A script.
#[derive(Debug, Default)]
pub struct Smt {
    sexprs: Sexprs,
    /// The sort of each node, if it is a term.
    sorts: Vec<Option<Sort>>,
    names: Vec<Vec<u8>>,
    declarations: Vec<Declaration>,
    /// The shortest constructor without arguments of each sort that has one.
    plain_values: BTreeMap<Sort, Vec<u8>>,
    bound: Vec<Vec<u8>>,
    commands: Vec<u32>,
    /// The names of atoms with their nodes, sorted.
    symbols: BTreeMap<Vec<u8>, Vec<u32>>,
}

impl Smt {
    /// The script that `target` is; one without commands if it is none, or longer than 4 MiB.
    pub fn of(target: &Target<u8>) -> Rc<Smt> {
        target.analysis(|target| Smt::read(target.elements()).unwrap_or_default())
    }

    pub(crate) fn read(text: &[u8]) -> Option<Smt> {
        if text.len() > LONGEST_TEXT || !is_script(text) {
            return None;
        }
        let sexprs = Sexprs::read(text)?;
        if !sexprs.top().all(|command| sexprs.node(command).is_list) {
            return None;
        }
        let mut reader = Reader {
            text,
            sexprs: &sexprs,
            is_term: alloc::vec![false; sexprs.all().len()],
            sorts: alloc::vec![None; sexprs.all().len()],
            names: SORTS.iter().map(|name| name.to_vec()).collect(),
            scope: BTreeMap::new(),
            declarations: Vec::new(),
            plain_values: BTreeMap::new(),
        };
        reader.read();
        let bound = reader.scope.keys().map(|name| name.to_vec()).collect();
        let (sorts, names, declarations) = (reader.sorts, reader.names, reader.declarations);
        let plain_values = reader.plain_values;
        let mut symbols: BTreeMap<Vec<u8>, Vec<u32>> = BTreeMap::new();
        for (number, node) in sexprs.all().iter().enumerate() {
            if !node.is_list {
                let name = sexprs.text(text, number as u32);
                let nodes = symbols.entry(name.to_vec()).or_default();
                nodes.push(number as u32);
            }
        }
        Some(Smt {
            commands: sexprs.top().collect(),
            sexprs,
            sorts,
            names,
            declarations,
            plain_values,
            bound,
            symbols,
        })
    }

    /// The script's S-expressions.
    pub fn sexprs(&self) -> &Sexprs {
        &self.sexprs
    }

    /// The sort of a node that is a term; `None` for what is none.
    pub fn sort(&self, node: u32) -> Option<Sort> {
        self.sorts[node as usize]
    }

    /// How many bits a term has, if it is a bit-vector.
    pub fn width(&self, node: u32) -> Option<u32> {
        bit_width(&self.names[usize::from(self.sort(node)?)])
    }

    /// The name of a sort; empty if it is not known.
    pub fn sort_name(&self, sort: Sort) -> &[u8] {
        &self.names[usize::from(sort)]
    }

    /// Whether one term can stand for another, as far as their sorts are known.
    pub fn is_plausible(&self, instead_of: u32, term: u32) -> bool {
        match (self.sort(instead_of), self.sort(term)) {
            (Some(one), Some(other)) => one == other || one == UNKNOWN || other == UNKNOWN,
            _ => false,
        }
    }

    /// The simplest values of a sort.
    pub fn constants(&self, sort: Sort) -> Vec<Vec<u8>> {
        let values: &[&[u8]] = match sort {
            BOOL => &[b"true", b"false"],
            INT => &[b"0", b"1"],
            REAL => &[b"0.0"],
            STRING => &[b"\"\""],
            REGEX => &[b"re.none", b"re.all", b"re.allchar"],
            _ => &[],
        };
        let mut values: Vec<Vec<u8>> = values.iter().map(|value| value.to_vec()).collect();
        values.extend(self.plain_values.get(&sort).cloned());
        let name = self.sort_name(sort);
        if name == b"RoundingMode" {
            values.push(b"RNE".to_vec());
        }
        if let Some(format) = name.strip_prefix(b"(_ FloatingPoint") {
            values.push([b"(_ +zero", format].concat());
        }
        if let Some(width) = bit_width(&self.names[usize::from(sort)]) {
            values.push([b"#b".as_slice(), &b"0".repeat(width.min(64) as usize)].concat());
            if width > 64 {
                values[0] = format!("(_ bv0 {width})").into_bytes();
            }
        }
        values
    }

    /// What is declared and defined.
    pub fn declarations(&self) -> &[Declaration] {
        &self.declarations
    }

    /// The nodes of the atoms with this text, by position.
    pub fn atoms(&self, name: &[u8]) -> &[u32] {
        self.symbols.get(name).map_or(&[], Vec::as_slice)
    }

    /// The command in which a node is.
    pub fn command_of(&self, node: u32) -> u32 {
        let after = self.commands.partition_point(|&command| command <= node);
        after.checked_sub(1).map_or(node, |at| self.commands[at])
    }

    /// The names that are declared, defined or bound, in order.
    pub fn bound_names(&self) -> &[Vec<u8>] {
        &self.bound
    }

    /// The edit that puts `insert` in place of a node, with spaces where atoms would become one.
    pub fn replaced(&self, text: &[u8], (start, end): (usize, usize), insert: &[u8]) -> Edit<u8> {
        let joins = |outside: Option<&u8>, inside: Option<&u8>| {
            outside
                .zip(inside)
                .is_some_and(|(a, b)| is_symbol(*a) && is_symbol(*b))
        };
        let mut padded = Vec::with_capacity(insert.len() + 2);
        let before = start.checked_sub(1).and_then(|before| text.get(before));
        if joins(before, insert.first()) {
            padded.push(b' ');
        }
        padded.extend_from_slice(insert);
        if joins(text.get(end), insert.last()) {
            padded.push(b' ');
        }
        Edit {
            start,
            end,
            insert: Some(padded.into()),
        }
    }

    /// The edits that leave of `outer` what is between two positions within it, with spaces where
    /// atoms would become one.
    pub fn unwrapped(&self, text: &[u8], outer: u32, (from, to): (usize, usize)) -> [Edit<u8>; 2] {
        let (start, end) = self.sexprs.node(outer).range();
        let space = |joins: bool| joins.then(|| b" ".as_slice().into());
        let joins = |left: usize, right: usize| is_symbol(text[left]) && is_symbol(text[right]);
        let before = Edit {
            start,
            end: from,
            insert: space(start > 0 && joins(start - 1, from)),
        };
        let after = Edit {
            start: to,
            end,
            insert: space(end < text.len() && joins(to - 1, end)),
        };
        [before, after]
    }

    /// A node with the white space before it, or behind it at the start of a line: what is cut with
    /// it. The atoms around it stay apart.
    pub fn cut(&self, text: &[u8], (start, end): (usize, usize)) -> (usize, usize) {
        let is_blank = |byte: &u8| byte.is_ascii_whitespace();
        let before = text[..start]
            .iter()
            .rev()
            .take_while(|b| is_blank(b))
            .count();
        let after = text[end..].iter().take_while(|b| is_blank(b)).count();
        let left = (start - before).checked_sub(1).map(|left| text[left]);
        let is_apart = matches!(left, None | Some(b'(' | b')' | b'"' | b'|'))
            || matches!(
                text.get(end + after),
                None | Some(b'(' | b')' | b'"' | b'|')
            );
        if left == Some(b'\n') || start == before {
            return (start, end + after);
        }
        match (before, after) {
            (0, _) if left == Some(b'(') => (start, end + after),
            _ if is_apart => (start - before, end),
            (0, _) => (start, end + after.saturating_sub(1)),
            _ => (start - before, if after > 0 { end } else { start }),
        }
    }
}

/// The terms of a script, the longest first.
#[derive(Debug)]
pub struct TermsBySize(
    /// The numbers of their nodes.
    pub Vec<u32>,
);

impl TermsBySize {
    /// Those of `target`.
    pub fn of(target: &Target<u8>) -> Rc<TermsBySize> {
        let smt = Smt::of(target);
        target.analysis(|_| {
            let numbers = 0..smt.sexprs.all().len() as u32;
            let mut terms: Vec<u32> = numbers.filter(|&n| smt.sort(n).is_some()).collect();
            // From the end to the start among terms of about the same length.
            terms.sort_by_cached_key(|&term| {
                let length = smt.sexprs.node(term).len();
                (length.leading_zeros(), core::cmp::Reverse(term))
            });
            TermsBySize(terms)
        })
    }
}

/// Whether the text starts with a command of a script, and not in another language that uses
/// parentheses.
fn is_script(text: &[u8]) -> bool {
    let mut lines = text.split(|&byte| byte == b'\n').map(<[u8]>::trim_ascii);
    let first = lines.find(|line| !line.is_empty() && line[0] != b';');
    let command = first.and_then(|line| line.strip_prefix(b"("));
    command.is_some_and(|line| is_command(line.trim_ascii_start()))
}

/// Whether `head` starts as a command does.
pub(crate) fn is_command(head: &[u8]) -> bool {
    const COMMANDS: [&[u8]; 22] = [
        b"assert",
        b"check-sat",
        b"declare-",
        b"define-",
        b"set-",
        b"get-",
        b"push",
        b"pop",
        b"exit",
        b"echo",
        b"reset",
        b"simplify",
        b"minimize",
        b"maximize",
        b"apply",
        b"synth-",
        b"constraint",
        b"check-",
        b"assert-",
        b"eval",
        b"rule",
        b"query",
    ];
    COMMANDS.iter().any(|command| head.starts_with(command))
}

/// Whether a function takes any number of arguments, from two on.
pub fn is_variadic(head: &[u8]) -> bool {
    matches!(
        head,
        b"and"
            | b"or"
            | b"xor"
            | b"=>"
            | b"="
            | b"distinct"
            | b"+"
            | b"*"
            | b"-"
            | b"str.++"
            | b"re.++"
            | b"re.union"
            | b"re.inter"
            | b"bvadd"
            | b"bvmul"
            | b"bvand"
            | b"bvor"
            | b"bvxor"
            | b"concat"
            | b"<"
            | b"<="
            | b">"
            | b">="
    )
}

/// The name of sort number `sort`, for tests.
#[cfg(test)]
fn name(smt: &Smt, sort: Sort) -> alloc::string::String {
    alloc::string::String::from_utf8_lossy(&smt.names[usize::from(sort)]).into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check_sort(declarations: &str, term: &str, expected: &str) {
        let text = format!("{declarations}(assert {term})");
        let smt = Smt::read(text.as_bytes()).unwrap();
        let node = smt.sexprs.starting_at(text.rfind(term).unwrap()).unwrap();
        let sort = smt.sort(node).expect("a term");
        assert_eq!(name(&smt, sort), expected, "{term}");
    }

    #[test]
    fn terms_have_sorts() {
        let declared = "(declare-fun x () Int)(declare-const b (_ BitVec  8))\
            (define-fun f ((y Bool)) String \"\")";
        check_sort(declared, "x", "Int");
        check_sort(declared, "(= x 1)", "Bool");
        check_sort(declared, "(+ x 1)", "Int");
        check_sort(declared, "(bvadd b #x00)", "(_ BitVec 8)");
        check_sort(declared, "(concat b #b1)", "(_ BitVec 9)");
        check_sort(declared, "((_ extract 3 0) b)", "(_ BitVec 4)");
        check_sort(declared, "(f true)", "String");
        check_sort(declared, "(let ((z (+ x 1))) z)", "Int");
        check_sort(
            declared,
            "(ite true (re.+ (str.to.re \"\")) re.all)",
            "RegLan",
        );
        check_sort(declared, "(mystery x)", "");
    }

    #[test]
    fn declarations_are_found() {
        let text = b"(declare-fun x () Int)(declare-fun f (Int) Bool)(define-fun y () Int 3)";
        let smt = Smt::read(text).unwrap();
        let constants: Vec<bool> = smt.declarations.iter().map(|d| d.is_constant).collect();
        assert_eq!(constants, [true, false, true]);
        assert!(smt.declarations[2].body.is_some());
    }

    #[test]
    fn other_languages_with_parentheses_are_none() {
        for text in ["(define (f x) x)", "(a)", "", "(assert", "(defun f ())"] {
            let is_script = Smt::read(text.as_bytes()).is_some();
            assert!(!is_script, "{text}");
        }
    }
}
