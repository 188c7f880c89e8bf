//! What the forms at the top of a text in a Lisp define, and what they use.

use alloc::collections::BTreeSet;
use alloc::vec::Vec;

use ablate_engine::target::Target;

use crate::formats::lines::Lines;
use crate::formats::lisp::Lisp;
use crate::formats::paragraphs::Paragraphs;
use crate::formats::sexpr::Node;

/// What stands behind these is no name.
const OTHERS: [&[u8]; 8] = [
    b"provide", b"export", b"require", b"when", b"unless", b"if", b"begin", b"progn",
];
/// What a record's members are called begins with one of these, if not with the record's name.
const BEFORE_RECORDS: [&[u8]; 3] = [b"make-", b"copy-", b"set-"];

/// The forms that one paragraph has.
#[derive(Debug, Default)]
pub(crate) struct Forms<'a> {
    /// What they define.
    pub names: Vec<&'a [u8]>,
    /// What they use, with the line.
    pub uses: Vec<(&'a [u8], u32)>,
}

/// The forms of each paragraph.
pub(crate) fn forms<'a>(
    target: &'a Target<u8>,
    lisp: &'a Lisp,
    paragraphs: &Paragraphs,
) -> Vec<Forms<'a>> {
    let (text, lines) = (target.elements(), Lines::of(target));
    let mut forms: Vec<Forms<'a>> = (0..paragraphs.len()).map(|_| Forms::default()).collect();
    let mut records: BTreeSet<&[u8]> = BTreeSet::new();
    for form in lisp.sexprs().top() {
        let node = lisp.sexprs().node(form);
        if let Some(paragraph) = paragraphs.around(node.start as usize)
            && let Some(name) = name_of(text, lisp, form)
        {
            forms[paragraph].names.push(name);
            let head = lisp.sexprs().head(text, form).unwrap_or_default();
            if is_record(head) {
                records.insert(name);
            }
        }
    }
    for (start, end) in lisp.symbols(text) {
        let word = &text[start as usize..end as usize];
        let Some(paragraph) = paragraphs.around(start as usize) else {
            continue;
        };
        let line = lines.around(start as usize) as u32;
        forms[paragraph].uses.push((word, line));
        let parts = parts(word).filter(|part| records.contains(part));
        forms[paragraph].uses.extend(parts.map(|part| (part, line)));
    }
    forms
}

/// Whether what a form defines has members that are named like it.
fn is_record(head: &[u8]) -> bool {
    let contains = |part: &[u8]| head.windows(part.len()).any(|window| window == part);
    contains(b"struct") || contains(b"record")
}

/// What a record may be called of which `word` is made: of `make-a-b?` this is `a-b` or `a`.
fn parts(word: &[u8]) -> impl Iterator<Item = &[u8]> {
    let mut signs = BEFORE_RECORDS.iter();
    let made = signs.find_map(|sign| word.strip_prefix(*sign));
    let of = made.unwrap_or(word);
    let whole = made.or(word.strip_suffix(b"?"));
    let ends = (1..of.len()).filter(|&at| of[at] == b'-');
    whole.into_iter().chain(ends.map(|at| &of[..at]))
}

/// What a form defines: the symbol behind its first one or, behind one that says so, the first of a list
/// there.
fn name_of<'a>(text: &'a [u8], lisp: &Lisp, form: u32) -> Option<&'a [u8]> {
    let sexprs = lisp.sexprs();
    let head = sexprs.head(text, form)?;
    let is_definition = head.starts_with(b"def") || head.starts_with(b"declare");
    let second = sexprs.children(form).nth(1)?;
    let node = sexprs.node(second);
    let name = if !node.is_list {
        let is_quoted = lisp.start(text, node) < node.start as usize;
        let is_name = is_definition || !is_quoted && !OTHERS.contains(&head);
        is_name.then_some(node)?
    } else if is_definition {
        let first = sexprs.node(sexprs.children(second).next()?);
        (!first.is_list).then_some(first)?
    } else {
        return None;
    };
    is_symbol(text, name).then(|| &text[name.start as usize..name.end as usize])
}

/// Whether an atom is a symbol, and no string, number or keyword.
fn is_symbol(text: &[u8], atom: &Node) -> bool {
    let first = text[atom.start as usize];
    !first.is_ascii_digit() && !b"\"#:\\?".contains(&first)
}
