//! WebAssembly modules as text: their functions, what these do, and what names them. ("WebAssembly
//! Specification", chapter 6, W3C.)

use alloc::collections::BTreeMap;
use alloc::rc::Rc;
use alloc::vec::Vec;
use core::ops::Range;

use ablate_engine::target::Target;

use crate::formats::lisp::string_end;
use crate::formats::sexpr::{Piece, Sexprs, is_symbol, line_end};

/// Longer texts are not looked at.
const LONGEST: usize = 1 << 24;

/// A function of a module, which may be an import.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Function {
    /// The module, by its number.
    pub module: usize,
    /// Where it stands.
    pub range: Range<usize>,
    /// Its instructions, if it has any.
    pub code: Option<Range<usize>>,
    /// The instructions and blocks of each block, and of the function itself, in order.
    pub levels: Vec<Vec<Range<usize>>>,
}

/// What becomes of what names a function that goes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Without {
    /// Something else than this instruction can't be done.
    Stub(Range<usize>),
    /// This goes.
    Cut(Range<usize>),
}

/// What names a function.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reference {
    /// Where its number or its name stands.
    pub place: Range<usize>,
    /// The function, among all.
    pub of: usize,
    /// Whether it is a number.
    pub is_number: bool,
    /// What becomes of it without the function.
    pub without: Without,
}

/// The functions of a text, and what names them; none if it is something else.
#[derive(Debug, Default)]
pub struct Wat {
    functions: Vec<Function>,
    references: Vec<Reference>,
}

impl Wat {
    /// Those of `target`.
    pub fn of(target: &Target<u8>) -> Rc<Wat> {
        target.analysis(|target| Wat::new(target.elements()).unwrap_or_default())
    }

    fn new(text: &[u8]) -> Option<Wat> {
        if text.len() > LONGEST || !begins_with_module(text) {
            return None;
        }
        let nodes = read(text)?;
        let mut reader = Reader {
            text,
            nodes: &nodes,
            found: Wat::default(),
        };
        let modules = nodes
            .top()
            .filter(|&top| nodes.head(text, top) == Some(b"module"));
        for (number, module) in modules.enumerate() {
            reader.read_module(number, module);
        }
        Some(reader.found)
    }

    /// All functions, in order, imports among them.
    pub fn functions(&self) -> &[Function] {
        &self.functions
    }

    /// All that names a function, in order.
    pub fn references(&self) -> &[Reference] {
        &self.references
    }
}

/// Whether a module is the first thing behind blanks and comments.
fn begins_with_module(text: &[u8]) -> bool {
    let mut at = 0;
    loop {
        let rest = &text[at..];
        at = match rest {
            [byte, ..] if byte.is_ascii_whitespace() => at + 1,
            [b';', b';', ..] => line_end(text, at),
            [b'(', b';', ..] => match comment_end(text, at) {
                Some(end) => end,
                None => return false,
            },
            _ => return rest.starts_with(b"(module"),
        };
    }
}

/// Reads lists, words and strings.
fn read(text: &[u8]) -> Option<Sexprs> {
    Sexprs::read_with(text, |at| {
        let next = text.get(at + 1);
        Some(match text[at] {
            byte if byte.is_ascii_whitespace() => Piece::Between(at + 1),
            b';' if next == Some(&b';') => Piece::Between(line_end(text, at)),
            b';' => Piece::Between(at + 1),
            b'(' if next == Some(&b';') => Piece::Between(comment_end(text, at)?),
            b'(' => Piece::Open,
            b')' => Piece::Close,
            b'"' => Piece::Atom(string_end(text, at)?),
            _ => {
                let rest = text[at + 1..].iter();
                Piece::Atom(at + 1 + rest.take_while(|byte| is_symbol(**byte)).count())
            }
        })
    })
}

/// The position after a comment between `(;` and `;)`, which may hold others.
fn comment_end(text: &[u8], start: usize) -> Option<usize> {
    let (mut at, mut depth) = (start, 0);
    loop {
        match text.get(at..at + 2)? {
            b"(;" => (at, depth) = (at + 2, depth + 1),
            b";)" => (at, depth) = (at + 2, depth - 1),
            _ => at += 1,
        }
        if depth == 0 {
            return Some(at);
        }
    }
}

struct Reader<'a> {
    text: &'a [u8],
    nodes: &'a Sexprs,
    found: Wat,
}

impl<'a> Reader<'a> {
    fn word(&self, node: u32) -> &'a [u8] {
        match self.nodes.node(node).is_list {
            true => b"",
            false => self.nodes.text(self.text, node),
        }
    }

    fn head(&self, node: u32) -> &'a [u8] {
        self.nodes.head(self.text, node).unwrap_or_default()
    }

    fn range(&self, node: u32) -> Range<usize> {
        let (start, end) = self.nodes.node(node).range();
        start..end
    }

    /// Finds the functions of a module, and what names them.
    fn read_module(&mut self, number: usize, module: u32) {
        let nodes = self.nodes;
        let first = self.found.functions.len();
        let mut names: BTreeMap<&[u8], usize> = BTreeMap::new();
        // Imports stand before what is defined.
        let functions = nodes.children(module).filter_map(|field| {
            let mut inner = nodes.children(field);
            match self.head(field) {
                b"import" => inner.find(|&node| self.head(node) == b"func"),
                b"func" => Some(field),
                _ => None,
            }
            .map(|node| (field, node))
        });
        let functions: Vec<(u32, u32)> = functions.collect();
        for (field, node) in functions {
            let name = nodes.children(node).nth(1).map(|node| self.word(node));
            if let Some(name) = name.filter(|name| name.starts_with(b"$")) {
                names.insert(name, self.found.functions.len());
            }
            let function = self.read_function(number, field);
            self.found.functions.push(function);
        }
        for field in nodes.children(module) {
            self.read_references(field, first, &names);
        }
        self.found
            .references
            .sort_by_key(|reference| reference.place.start);
    }

    fn read_function(&self, module: usize, field: u32) -> Function {
        let nodes = self.nodes;
        let mut function = Function {
            module,
            range: self.range(field),
            code: None,
            levels: Vec::new(),
        };
        if self.head(field) != b"func" {
            return function;
        }
        let is_head = |node: &u32| match nodes.node(*node).is_list {
            true => matches!(
                self.head(*node),
                b"export" | b"import" | b"type" | b"param" | b"result" | b"local"
            ),
            false => !is_instruction(self.word(*node)),
        };
        let inner = nodes.children(field).skip(1);
        let code: Vec<u32> = inner.skip_while(is_head).collect();
        if let (Some(&first), Some(&last)) = (code.first(), code.last()) {
            function.code = Some(self.range(first).start..self.range(last).end);
            self.read_code(code, &mut function.levels);
        }
        function
    }

    /// Finds the instructions and blocks among some nodes, and in those.
    fn read_code(&self, code: Vec<u32>, levels: &mut Vec<Vec<Range<usize>>>) {
        let mut open = alloc::vec![code];
        while let Some(code) = open.pop() {
            self.read_level(&code, levels, &mut open);
        }
    }

    /// The same, without what is in lists: that is put off.
    fn read_level(
        &self,
        code: &[u32],
        levels: &mut Vec<Vec<Range<usize>>>,
        open: &mut Vec<Vec<u32>>,
    ) {
        // The level at hand, and those around it with where the block begins that they go on with.
        let mut level: Vec<Range<usize>> = Vec::new();
        let mut around: Vec<(Vec<Range<usize>>, usize)> = Vec::new();
        let mut is_head = false;
        for &node in code {
            let range = self.range(node);
            let word = self.word(node);
            if self.nodes.node(node).is_list {
                if matches!(self.head(node), b"type" | b"param" | b"result") {
                    if let Some(last) = level.last_mut().filter(|_| !is_head) {
                        last.end = range.end;
                    }
                    continue;
                }
                let inner = self.nodes.children(node).skip(1);
                let inner = inner.filter(|&node| self.nodes.node(node).is_list);
                let inner: Vec<u32> = inner.collect();
                open.extend((!inner.is_empty()).then_some(inner));
                level.push(range);
                is_head = false;
                continue;
            }
            match word {
                b"block" | b"loop" | b"if" | b"try" => {
                    around.push((core::mem::take(&mut level), range.start));
                    is_head = true;
                }
                b"else" | b"catch" | b"catch_all" => {
                    levels.push(core::mem::take(&mut level));
                    is_head = true;
                }
                b"end" => {
                    if let Some((outer, start)) = around.pop() {
                        levels.push(core::mem::replace(&mut level, outer));
                        level.push(start..range.end);
                    }
                    is_head = false;
                }
                _ if is_instruction(word) => {
                    level.push(range);
                    is_head = false;
                }
                _ => {
                    if let Some(last) = level.last_mut().filter(|_| !is_head) {
                        last.end = range.end;
                    }
                }
            }
        }
        levels.push(level);
    }

    /// The list in a field that a node stands in.
    fn below(&self, field: u32, mut node: u32) -> u32 {
        while self.nodes.node(node).parent != field {
            node = self.nodes.node(node).parent;
        }
        node
    }

    /// Finds what names functions in a field of a module.
    fn read_references(&mut self, field: u32, first: usize, names: &BTreeMap<&'a [u8], usize>) {
        let nodes = self.nodes;
        let end = nodes.node(field).next;
        let (head, whole) = (self.head(field), self.range(field));
        let mut is_list_of_functions = false;
        for node in field + 1..end {
            let word = self.word(node);
            let before = self.word(node - 1);
            let without = match head {
                b"func" if matches!(before, b"call" | b"return_call" | b"ref.func") => {
                    Without::Stub(self.range(node - 1).start..self.range(node).end)
                }
                b"export" if before == b"func" => Without::Cut(whole.clone()),
                b"start" if node == field + 2 => Without::Cut(whole.clone()),
                b"global" if before == b"ref.func" => Without::Cut(whole.clone()),
                b"elem" if before == b"ref.func" => {
                    Without::Cut(self.range(self.below(field, node)))
                }
                b"elem" => {
                    let is_direct = nodes.node(node).parent == field;
                    is_list_of_functions |=
                        before == b"func" || is_direct && nodes.node(node - 1).parent != field;
                    if is_direct && is_list_of_functions {
                        let range = self.range(node);
                        // The blank before it goes too.
                        Without::Cut(range.start - 1..range.end)
                    } else {
                        continue;
                    }
                }
                _ => continue,
            };
            let digits = core::str::from_utf8(word)
                .ok()
                .filter(|_| !word.starts_with(b"+"));
            let number = digits.and_then(|digits| digits.parse::<usize>().ok());
            let of = number
                .map(|number| first + number)
                .or_else(|| names.get(word).copied());
            if let Some(of) = of.filter(|&of| of < self.found.functions.len()) {
                self.found.references.push(Reference {
                    place: self.range(node),
                    of,
                    is_number: number.is_some(),
                    without,
                });
            }
        }
    }
}

/// Whether a word between the instructions of a function is one, no operand.
fn is_instruction(word: &[u8]) -> bool {
    word.first().is_some_and(u8::is_ascii_lowercase)
        && !word.contains(&b'=')
        && !word.starts_with(b"nan")
        && !matches!(
            word,
            b"inf"
                | b"func"
                | b"extern"
                | b"i32"
                | b"i64"
                | b"f32"
                | b"f64"
                | b"v128"
                | b"funcref"
                | b"externref"
                | b"i8x16"
                | b"i16x8"
                | b"i32x4"
                | b"i64x2"
                | b"f32x4"
                | b"f64x2"
        )
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "(module\n (type (func))\n (import \"a\" \"b\" (func $x (type 0)))\n (func (;1;) (param i32) \
                        (result i32)\n  local.get 0\n  if (result i32) i32.const 1 else call 2 end)\n \
                        (func (export \"e\") (i32.add (call $x) (block (drop (ref.func 1)))) f32.const inf)\n \
                        (export \"f\" (func 1)) (start $x) (elem (i32.const 0) func 1 $x 2))";

    #[test]
    fn functions_have_their_instructions_in_levels() {
        let wat = Wat::of(&Target::new(TEXT.as_bytes().to_vec()));
        let functions = wat.functions().iter();
        let levels = functions.map(|function| {
            let texts = |level: &Vec<Range<usize>>| {
                let texts = level.iter().map(|range| &TEXT[range.clone()]);
                texts.collect::<Vec<&str>>().join("|")
            };
            function.levels.iter().map(texts).collect::<Vec<_>>()
        });
        let levels: Vec<_> = levels.collect();
        assert!(levels[0].is_empty());
        assert_eq!(
            levels[1],
            [
                "i32.const 1",
                "call 2",
                "local.get 0|if (result i32) i32.const 1 else call 2 end"
            ]
        );
        assert!(
            levels[2]
                .iter()
                .any(|level| level.ends_with("|f32.const inf"))
        );
        assert!(levels[2].contains(&"(drop (ref.func 1))".into()));
    }

    #[test]
    fn tables_of_references_lose_the_whole_item() {
        let text = "(module (func) (elem funcref (ref.func 0) (item (ref.func 0))) (global funcref (ref.func 0)))";
        let wat = Wat::of(&Target::new(text.as_bytes().to_vec()));
        let cuts = wat.references().iter().map(|one| match &one.without {
            Without::Cut(range) | Without::Stub(range) => &text[range.clone()],
        });
        let expected = [
            "(ref.func 0)",
            "(item (ref.func 0))",
            "(global funcref (ref.func 0))",
        ];
        assert_eq!(cuts.collect::<Vec<&str>>(), expected);
    }

    #[test]
    fn functions_are_named_by_numbers_and_by_names() {
        let wat = Wat::of(&Target::new(TEXT.as_bytes().to_vec()));
        let named = wat
            .references()
            .iter()
            .map(|one| (&TEXT[one.place.clone()], one.of));
        let named: Vec<(&str, usize)> = named.collect();
        assert_eq!(
            named,
            [
                ("2", 2),
                ("$x", 0),
                ("1", 1),
                ("1", 1),
                ("$x", 0),
                ("1", 1),
                ("$x", 0),
                ("2", 2)
            ]
        );
    }
}
