//! The sorts of terms in SMT-LIB, found from the declarations and from what the functions of the
//! standard theories give. What is not known is [`UNKNOWN`], and no mistake.

use alloc::collections::BTreeMap;
use alloc::format;
use alloc::vec::Vec;

use crate::formats::sexpr::{Node, Sexprs};
use crate::formats::smt::Declaration;
use crate::formats::smt_bits::index;

/// The number of a sort.
pub type Sort = u16;

/// A sort of which nothing is known.
pub const UNKNOWN: Sort = 0;
/// `Bool`.
pub const BOOL: Sort = 1;
/// `Int`.
pub const INT: Sort = 2;
/// `Real`.
pub const REAL: Sort = 3;
/// `String`.
pub const STRING: Sort = 4;
/// `RegLan`.
pub const REGEX: Sort = 5;
/// The names of the sorts above.
pub(super) const SORTS: [&[u8]; 6] = [b"", b"Bool", b"Int", b"Real", b"String", b"RegLan"];

/// Short names of the formats of floating-point numbers, with what they stand for.
pub const FLOATS: [(&[u8], &[u8]); 4] = [
    (b"Float16", b"(_ FloatingPoint 5 11)"),
    (b"Float32", b"(_ FloatingPoint 8 24)"),
    (b"Float64", b"(_ FloatingPoint 11 53)"),
    (b"Float128", b"(_ FloatingPoint 15 113)"),
];

/// Finds terms and sorts.
pub(super) struct Reader<'a> {
    pub text: &'a [u8],
    pub sexprs: &'a Sexprs,
    pub is_term: Vec<bool>,
    pub sorts: Vec<Option<Sort>>,
    pub names: Vec<Vec<u8>>,
    /// The sorts of names. What is bound later hides what was bound before, for good: a name with
    /// two sorts is rare, and a wrong sort costs a test at most.
    pub scope: BTreeMap<&'a [u8], Sort>,
    pub declarations: Vec<Declaration>,
    /// The shortest constructor without arguments of each sort that has one.
    pub plain_values: BTreeMap<Sort, Vec<u8>>,
}

impl<'a> Reader<'a> {
    /// Fills in `sorts`, `names`, `scope` and `declarations`.
    pub fn read(&mut self) {
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
            b"declare-datatypes" | b"declare-datatype" => {
                for (name, constructors) in datatypes(self.sexprs, self.text, command) {
                    self.bind_datatype(name, constructors);
                }
                None
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

    /// Binds the constructors of a datatype, and their selectors.
    fn bind_datatype(&mut self, name: u32, constructors: Vec<u32>) {
        let own = self.sort_of(name);
        for constructor in constructors {
            let is_list = self.sexprs.node(constructor).is_list;
            let mut parts = self.sexprs.children(constructor);
            let name = if is_list {
                parts.next()
            } else {
                Some(constructor)
            };
            let Some(name) = name else { continue };
            let name = self.sexprs.text(self.text, name);
            self.scope.insert(name, own);
            let mut is_plain = true;
            for selector in parts {
                is_plain = false;
                let pair: Vec<u32> = self.sexprs.children(selector).take(2).collect();
                if let [selector, sort] = pair[..] {
                    let sort = self.sort_of(sort);
                    self.scope
                        .insert(self.sexprs.text(self.text, selector), sort);
                }
            }
            if is_plain {
                let shortest = self
                    .plain_values
                    .entry(own)
                    .or_insert_with(|| name.to_vec());
                if name.len() < shortest.len() {
                    *shortest = name.to_vec();
                }
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
        let float = FLOATS.iter().find(|(short, _)| *short == name);
        let name = float.map_or(name, |(_, long)| long.to_vec());
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

    fn float(&mut self, exponent: u32, significand: u32) -> Sort {
        self.sort_named(format!("(_ FloatingPoint {exponent} {significand})").into_bytes())
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
            b"RNE" | b"RNA" | b"RTP" | b"RTN" | b"RTZ" => self.sort_named(b"RoundingMode".to_vec()),
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
            | b"str.is_digit" | b"seq.contains" | b"seq.prefixof" | b"seq.suffixof" | b"bvult"
            | b"bvule" | b"bvugt" | b"bvuge" | b"bvslt" | b"bvsle" | b"bvsgt" | b"bvsge"
            | b"fp.eq" | b"fp.lt" | b"fp.leq" | b"fp.gt" | b"fp.geq" | b"fp.isNormal"
            | b"fp.isSubnormal" | b"fp.isZero" | b"fp.isInfinite" | b"fp.isNaN"
            | b"fp.isNegative" | b"fp.isPositive" => BOOL,
            b"str.len" | b"str.indexof" | b"str.to.int" | b"str.to_int" | b"str.to_code"
            | b"to_int" | b"div" | b"mod" | b"bv2nat" | b"seq.len" => INT,
            b"/" | b"to_real" | b"fp.to_real" => REAL,
            b"fp.abs" | b"fp.neg" | b"fp.rem" | b"fp.min" | b"fp.max" => sort(1),
            b"fp.add"
            | b"fp.sub"
            | b"fp.mul"
            | b"fp.div"
            | b"fp.fma"
            | b"fp.sqrt"
            | b"fp.roundToIntegral" => sort(2),
            b"fp" => {
                let bits = |number: usize| {
                    let sort = sort(number);
                    bit_width(&self.names[usize::from(sort)])
                };
                match (bits(2), bits(3)) {
                    (Some(exponent), Some(rest)) => self.float(exponent, rest + 1),
                    _ => UNKNOWN,
                }
            }
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
                if let Some(b"+oo" | b"-oo" | b"+zero" | b"-zero" | b"NaN") = value {
                    let format = (index(self.sexprs, self.text, term, 2)).zip(index(
                        self.sexprs,
                        self.text,
                        term,
                        3,
                    ));
                    return format.map_or(UNKNOWN, |(exponent, rest)| self.float(exponent, rest));
                }
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
            b"is" => return BOOL,
            b"to_fp" | b"to_fp_unsigned" => {
                let format = number(2).zip(number(3));
                return format.map_or(UNKNOWN, |(exponent, rest)| self.float(exponent, rest));
            }
            b"fp.to_ubv" | b"fp.to_sbv" => number(2).map(i64::from),
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

/// The name of each datatype that a command declares, with its constructors.
pub fn datatypes(sexprs: &Sexprs, text: &[u8], command: u32) -> Vec<(u32, Vec<u32>)> {
    let parts: Vec<u32> = sexprs.children(command).take(3).collect();
    let [head, names, bodies] = parts[..] else {
        return Vec::new();
    };
    let constructors = |body: u32| {
        // `(par (T) (…))` has them one level further in.
        let body = match sexprs.head(text, body) {
            Some(b"par") => sexprs.children(body).nth(2).unwrap_or(body),
            _ => body,
        };
        sexprs.children(body).collect::<Vec<u32>>()
    };
    if sexprs.text(text, head) == b"declare-datatype" {
        return alloc::vec![(names, constructors(bodies))];
    }
    let named = sexprs.children(names).zip(sexprs.children(bodies));
    let named = named.map(|(name, body)| (sexprs.children(name).next().unwrap_or(name), body));
    named
        .map(|(name, body)| (name, constructors(body)))
        .collect()
}

/// The number of bits of a bit-vector sort.
pub fn bit_width(sort: &[u8]) -> Option<u32> {
    let width = sort.strip_prefix(b"(_ BitVec ")?.strip_suffix(b")")?;
    core::str::from_utf8(width).ok()?.parse().ok()
}
