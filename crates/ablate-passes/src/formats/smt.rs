//! SMT-LIB: which S-expressions are terms, and of which sort, as far as it can be said without
//! knowing every theory. An unknown sort may be any.

use alloc::collections::BTreeMap;
use alloc::format;
use alloc::rc::Rc;
use alloc::vec::Vec;

use ablate_engine::patch::Edit;
use ablate_engine::target::Target;

use crate::formats::sexpr::{Node, Sexprs, is_symbol};

/// The longest text that is read.
const LONGEST_TEXT: usize = 4 << 20;

/// The number of a sort.
pub type Sort = u16;

/// A sort of which nothing is known.
pub const UNKNOWN: Sort = 0;
/// `Bool`.
pub const BOOL: Sort = 1;
/// `Int`.
pub const INT: Sort = 2;
const REAL: Sort = 3;
const STRING: Sort = 4;
const REGEX: Sort = 5;
/// The names of the sorts above.
const SORTS: [&[u8]; 6] = [b"", b"Bool", b"Int", b"Real", b"String", b"RegLan"];

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
        };
        reader.read();
        let bound = reader.scope.keys().map(|name| name.to_vec()).collect();
        let (sorts, names, declarations) = (reader.sorts, reader.names, reader.declarations);
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
            REGEX => &[b"re.none", b"re.all"],
            _ => &[],
        };
        let mut values: Vec<Vec<u8>> = values.iter().map(|value| value.to_vec()).collect();
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
            terms.sort_by_key(|&term| {
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
    let mut lines = text.split(|&byte| byte == b'\n').map(<[u8]>::trim_ascii);
    let first = lines.find(|line| !line.is_empty() && line[0] != b';');
    let command = first.and_then(|line| line.strip_prefix(b"("));
    command.is_some_and(|line| {
        let line = line.trim_ascii_start();
        COMMANDS.iter().any(|command| line.starts_with(command))
    })
}

/// The number of bits of a bit-vector sort.
pub fn bit_width(sort: &[u8]) -> Option<u32> {
    let width = sort.strip_prefix(b"(_ BitVec ")?.strip_suffix(b")")?;
    core::str::from_utf8(width).ok()?.parse().ok()
}

/// Finds terms and sorts.
struct Reader<'a> {
    text: &'a [u8],
    sexprs: &'a Sexprs,
    is_term: Vec<bool>,
    sorts: Vec<Option<Sort>>,
    names: Vec<Vec<u8>>,
    /// The sorts of names. What is bound later hides what was bound before, for good: a name with
    /// two sorts is rare, and a wrong sort costs a test at most.
    scope: BTreeMap<&'a [u8], Sort>,
    declarations: Vec<Declaration>,
}

impl<'a> Reader<'a> {
    fn read(&mut self) {
        let sexprs = self.sexprs;
        let mut open: Vec<u32> = Vec::new();
        for (number, node) in (0..).zip(sexprs.all()) {
            while let Some(list) = open.pop_if(|list| sexprs.node(*list).next <= number) {
                self.leave(list);
            }
            if node.parent == Node::NONE {
                self.command(number);
            }
            if self.is_term[number as usize] {
                if node.is_list {
                    self.mark_children(number);
                } else {
                    self.sorts[number as usize] = Some(self.atom_sort(number));
                }
            }
            if node.is_list {
                open.push(number);
            }
        }
        while let Some(list) = open.pop() {
            self.leave(list);
        }
    }

    fn mark(&mut self, node: Option<&u32>) {
        if let Some(&node) = node {
            self.is_term[node as usize] = true;
        }
    }

    fn command(&mut self, command: u32) {
        let parts: Vec<u32> = self.sexprs.children(command).take(6).collect();
        let Some(head) = self.sexprs.head(self.text, command) else {
            return;
        };
        let part = |number: usize| parts.get(number).copied();
        let declared = match head {
            b"assert" | b"simplify" | b"minimize" | b"maximize" => {
                self.mark(parts.get(1));
                None
            }
            b"check-sat-assuming" | b"get-value" => {
                let terms: Vec<u32> = part(1)
                    .map(|list| self.sexprs.children(list).collect())
                    .unwrap_or_default();
                terms.iter().for_each(|term| self.mark(Some(term)));
                None
            }
            b"declare-fun" => Some((part(2), part(3), None)),
            b"declare-const" => Some((None, part(2), None)),
            b"define-fun" | b"define-fun-rec" => {
                self.mark(parts.get(4));
                self.bind_variables(part(2));
                Some((part(2), part(3), part(4)))
            }
            b"define-const" => {
                self.mark(parts.get(3));
                Some((None, part(2), part(3)))
            }
            _ => None,
        };
        if let (Some(name), Some((arguments, sort, body))) = (part(1), declared) {
            let sort = sort.map_or(UNKNOWN, |sort| self.sort_of(sort));
            self.scope.insert(self.sexprs.text(self.text, name), sort);
            let is_constant =
                arguments.is_none_or(|list| self.sexprs.children(list).next().is_none());
            self.declarations.push(Declaration {
                command,
                name,
                sort,
                is_constant,
                body: body.filter(|_| is_constant),
            });
        }
    }

    /// Binds the names of `((x Int) (y Bool))`.
    fn bind_variables(&mut self, list: Option<u32>) {
        let pairs: Vec<u32> = list
            .map(|list| self.sexprs.children(list).collect())
            .unwrap_or_default();
        for pair in pairs {
            let parts: Vec<u32> = self.sexprs.children(pair).take(2).collect();
            if let [name, sort] = parts[..] {
                let sort = self.sort_of(sort);
                self.scope.insert(self.sexprs.text(self.text, name), sort);
            }
        }
    }

    /// Marks which parts of a term are terms.
    fn mark_children(&mut self, term: u32) {
        let mut parts = self.sexprs.children(term);
        match self.sexprs.head(self.text, term) {
            Some(b"_" | b"as") => (),
            Some(b"!") => self.mark(parts.nth(1).as_ref()),
            Some(b"forall" | b"exists" | b"lambda") => {
                self.bind_variables(parts.nth(1));
                self.mark(parts.next().as_ref());
            }
            Some(b"let") => {
                if let Some(bindings) = parts.nth(1) {
                    for pair in self.sexprs.children(bindings) {
                        self.mark(self.sexprs.children(pair).nth(1).as_ref());
                    }
                }
                self.mark(parts.next().as_ref());
            }
            _ => {
                for part in parts.skip(1) {
                    self.is_term[part as usize] = true;
                }
            }
        }
    }

    /// Finds the sort of a term when all its parts have theirs.
    fn leave(&mut self, list: u32) {
        if self.is_term[list as usize] {
            self.sorts[list as usize] = Some(self.term_sort(list));
            return;
        }
        // The pair of a `let` binds its name as soon as its term has a sort.
        let parts: Vec<u32> = self.sexprs.children(list).take(3).collect();
        if let [name, term] = parts[..]
            && let Some(sort) = self.sorts[term as usize]
            && !self.sexprs.node(name).is_list
            && self.sexprs.node(list).parent != Node::NONE
        {
            self.scope.insert(self.sexprs.text(self.text, name), sort);
        }
    }

    /// The number of the sort that a node names.
    fn sort_of(&mut self, node: u32) -> Sort {
        let words = self.sexprs.text(self.text, node);
        let words = words
            .split(u8::is_ascii_whitespace)
            .filter(|w| !w.is_empty());
        let name = words.collect::<Vec<_>>().join(&b' ');
        self.sort_named(name)
    }

    fn sort_named(&mut self, name: Vec<u8>) -> Sort {
        if name.starts_with(b"(RegEx") {
            return REGEX;
        }
        if let Some(known) = self.names.iter().position(|other| *other == name) {
            return known as Sort;
        }
        if self.names.len() >= 4096 {
            return UNKNOWN;
        }
        self.names.push(name);
        (self.names.len() - 1) as Sort
    }

    fn bit_vector(&mut self, width: usize) -> Sort {
        self.sort_named(format!("(_ BitVec {width})").into_bytes())
    }

    fn atom_sort(&mut self, atom: u32) -> Sort {
        let name = self.sexprs.text(self.text, atom);
        match name {
            b"true" | b"false" => BOOL,
            [b'"', ..] => STRING,
            [b'#', b'b', bits @ ..] => self.bit_vector(bits.len()),
            [b'#', b'x', digits @ ..] => self.bit_vector(4 * digits.len()),
            [b'0'..=b'9', ..] if name.contains(&b'.') => REAL,
            [b'0'..=b'9', ..] => INT,
            b"re.none" | b"re.all" | b"re.allchar" | b"re.nostr" => REGEX,
            _ => self.scope.get(name).copied().unwrap_or(UNKNOWN),
        }
    }

    fn term_sort(&mut self, term: u32) -> Sort {
        let parts: Vec<u32> = self.sexprs.children(term).take(4).collect();
        let sort = |number: usize| {
            let part = parts.get(number);
            part.and_then(|&part| self.sorts[part as usize])
                .unwrap_or(UNKNOWN)
        };
        let Some(&first) = parts.first() else {
            return UNKNOWN;
        };
        let Some(head) = self.sexprs.head(self.text, term) else {
            return self.indexed_sort(first, sort(1));
        };
        match head {
            b"not" | b"and" | b"or" | b"xor" | b"=>" | b"=" | b"distinct" | b"<" | b"<=" | b">"
            | b">=" | b"forall" | b"exists" | b"is_int" | b"str.<" | b"str.<="
            | b"str.prefixof" | b"str.suffixof" | b"str.contains" | b"str.in.re" | b"str.in_re"
            | b"str.is_digit" | b"bvult" | b"bvule" | b"bvugt" | b"bvuge" | b"bvslt" | b"bvsle"
            | b"bvsgt" | b"bvsge" | b"fp.eq" | b"fp.lt" | b"fp.leq" | b"fp.gt" | b"fp.geq" => BOOL,
            b"str.len" | b"str.indexof" | b"str.to.int" | b"str.to_int" | b"str.to_code"
            | b"to_int" | b"div" | b"mod" | b"bv2nat" => INT,
            b"/" | b"to_real" => REAL,
            b"str.++"
            | b"str.at"
            | b"str.substr"
            | b"str.replace"
            | b"str.replace_all"
            | b"str.replaceall"
            | b"int.to.str"
            | b"str.from_int"
            | b"str.from_code"
            | b"str.replace_re"
            | b"str.replace_re_all" => STRING,
            b"str.to.re" | b"str.to_re" => REGEX,
            b"+" | b"-" | b"*" | b"abs" | b"!" | b"store" => sort(1),
            b"ite" | b"let" => sort(2),
            b"_" => {
                let digits = parts
                    .get(2)
                    .map(|&width| self.sexprs.text(self.text, width));
                let width = digits.and_then(|d| core::str::from_utf8(d).ok()?.parse().ok());
                let value = parts
                    .get(1)
                    .map(|&value| self.sexprs.text(self.text, value));
                let is_bits = value.is_some_and(|value| value.starts_with(b"bv"));
                width
                    .filter(|_| is_bits)
                    .map_or(UNKNOWN, |width| self.bit_vector(width))
            }
            b"bvcomp" => self.bit_vector(1),
            b"concat" => {
                let parts = self.sexprs.children(term).skip(1);
                let widths: Option<Vec<u32>> = parts
                    .map(|part| bit_width(&self.names[usize::from(self.sorts[part as usize]?)]))
                    .collect();
                widths.map_or(UNKNOWN, |widths| {
                    self.bit_vector(widths.iter().sum::<u32>() as usize)
                })
            }
            name if name.starts_with(b"re.") => REGEX,
            name if name.starts_with(b"bv") => sort(1),
            name => self.scope.get(name).copied().unwrap_or(UNKNOWN),
        }
    }

    /// The sort of a term whose head is a list: `((_ extract 3 0) x)`.
    fn indexed_sort(&mut self, head: u32, argument: Sort) -> Sort {
        let parts: Vec<&[u8]> = self
            .sexprs
            .children(head)
            .take(4)
            .map(|part| self.sexprs.text(self.text, part))
            .collect();
        let number = |index: usize| -> Option<u32> {
            core::str::from_utf8(parts.get(index)?).ok()?.parse().ok()
        };
        let width = bit_width(&self.names[usize::from(argument)]);
        let bits = match parts.get(1).copied().unwrap_or_default() {
            b"extract" => number(2)
                .zip(number(3))
                .map(|(high, low)| i64::from(high) - i64::from(low) + 1),
            b"zero_extend" | b"sign_extend" => width
                .zip(number(2))
                .map(|(width, by)| i64::from(width) + i64::from(by)),
            b"rotate_left" | b"rotate_right" => return argument,
            b"int2bv" | b"nat2bv" => number(2).map(i64::from),
            b"re.loop" | b"re.^" => return REGEX,
            b"const" => match self.sexprs.children(head).nth(2) {
                Some(sort) => return self.sort_of(sort),
                None => None,
            },
            _ => None,
        };
        let bits = bits.and_then(|bits| usize::try_from(bits).ok());
        bits.map_or(UNKNOWN, |bits| self.bit_vector(bits))
    }
}

/// The number of arguments without which a term has no meaning, for functions that take any number.
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
