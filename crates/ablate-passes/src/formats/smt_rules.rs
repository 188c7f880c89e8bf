//! Rules by which a term of an SMT-LIB script becomes a shorter one, as data.
//!
//! A rule is two terms. `?a` in the first stands for any term or head, the same one wherever it
//! stands, and becomes the same in the second. Whether the second means what the first does is for
//! the test to say: most do, some say more (`<` for `<=`), as what is stronger is often enough.

use alloc::vec::Vec;

use ablate_engine::patch::Edit;

use crate::formats::sexpr::Sexprs;
use crate::formats::smt::Smt;

/// What a term may look like, and what it becomes.
pub type Rule = (&'static str, &'static str);

/// Every rule.
pub const RULES: &[Rule] = &[
    // Boolean.
    ("(not (= (not ?a) ?b))", "(= ?a ?b)"),
    ("(not (distinct ?a ?b))", "(= ?a ?b)"),
    ("(distinct ?a ?b)", "(not(= ?a ?b))"),
    ("(distinct ?a ?b)", "(xor ?a ?b)"),
    ("(not (xor ?a ?b))", "(= ?a ?b)"),
    ("(xor (not ?a) ?b)", "(= ?a ?b)"),
    ("(xor ?a (not ?b))", "(= ?a ?b)"),
    ("(xor true ?a)", "(not ?a)"),
    ("(xor ?a true)", "(not ?a)"),
    ("(= ?a false)", "(not ?a)"),
    ("(= false ?a)", "(not ?a)"),
    ("(=> ?a false)", "(not ?a)"),
    ("(=> (not ?a) ?b)", "(or ?a ?b)"),
    ("(=> ?a (=> ?b ?c))", "(=> ?a ?b ?c)"),
    ("(or (not ?a) ?b)", "(=> ?a ?b)"),
    ("(not (=> ?a (not ?b)))", "(and ?a ?b)"),
    ("(not (=> ?a ?b))", "(and ?a(not ?b))"),
    ("(not (exists ?v (not ?a)))", "(forall ?v ?a)"),
    ("(not (forall ?v (not ?a)))", "(exists ?v ?a)"),
    ("(not (exists ?v ?a))", "(forall ?v(not ?a))"),
    ("(not (forall ?v ?a))", "(exists ?v(not ?a))"),
    ("(ite ?a false true)", "(not ?a)"),
    ("(ite ?a ?b false)", "(and ?a ?b)"),
    ("(ite ?a false ?b)", "(and(not ?a)?b)"),
    ("(ite ?a true ?b)", "(or ?a ?b)"),
    ("(ite ?a ?b true)", "(=> ?a ?b)"),
    ("(ite (not ?a) ?b ?c)", "(ite ?a ?c ?b)"),
    ("(= (ite ?a ?b ?c) ?b)", "?a"),
    ("(= ?b (ite ?a ?b ?c))", "?a"),
    ("(= (ite ?a ?b ?c) ?c)", "(not ?a)"),
    ("(= ?c (ite ?a ?b ?c))", "(not ?a)"),
    // Relations: their negations, and what is stronger.
    ("(not (< ?a ?b))", "(>= ?a ?b)"),
    ("(not (<= ?a ?b))", "(> ?a ?b)"),
    ("(not (> ?a ?b))", "(<= ?a ?b)"),
    ("(not (>= ?a ?b))", "(< ?a ?b)"),
    ("(not (bvult ?a ?b))", "(bvuge ?a ?b)"),
    ("(not (bvule ?a ?b))", "(bvugt ?a ?b)"),
    ("(not (bvugt ?a ?b))", "(bvule ?a ?b)"),
    ("(not (bvuge ?a ?b))", "(bvult ?a ?b)"),
    ("(not (bvslt ?a ?b))", "(bvsge ?a ?b)"),
    ("(not (bvsle ?a ?b))", "(bvsgt ?a ?b)"),
    ("(not (bvsgt ?a ?b))", "(bvsle ?a ?b)"),
    ("(not (bvsge ?a ?b))", "(bvslt ?a ?b)"),
    ("(<= ?a ?b)", "(< ?a ?b)"),
    ("(<= ?a ?b)", "(= ?a ?b)"),
    ("(>= ?a ?b)", "(> ?a ?b)"),
    ("(>= ?a ?b)", "(= ?a ?b)"),
    ("(bvule ?a ?b)", "(= ?a ?b)"),
    ("(bvuge ?a ?b)", "(= ?a ?b)"),
    ("(bvsle ?a ?b)", "(= ?a ?b)"),
    ("(bvsge ?a ?b)", "(= ?a ?b)"),
    ("(fp.leq ?a ?b)", "(fp.lt ?a ?b)"),
    ("(fp.geq ?a ?b)", "(fp.gt ?a ?b)"),
    ("(fp.eq ?a ?b)", "(= ?a ?b)"),
    ("(str.<= ?a ?b)", "(= ?a ?b)"),
    // The same function on both sides.
    ("(?r (?f ?a) (?f ?b))", "(?r ?a ?b)"),
    ("(?r (?f ?a ?b) (?f ?a ?c))", "(?r ?b ?c)"),
    ("(?r (?f ?a ?b) (?f ?c ?b))", "(?r ?a ?c)"),
    // Bit-vectors.
    ("(= (bvcomp ?a ?b) #b1)", "(= ?a ?b)"),
    ("(= #b1 (bvcomp ?a ?b))", "(= ?a ?b)"),
    ("(= (bvcomp ?a ?b) #b0)", "(not(= ?a ?b))"),
    ("(= #b0 (bvcomp ?a ?b))", "(not(= ?a ?b))"),
    ("(bvnand ?a ?a)", "(bvnot ?a)"),
    ("(bvnor ?a ?a)", "(bvnot ?a)"),
    ("(bvnot (bvand ?a ?b))", "(bvnand ?a ?b)"),
    ("(bvnot (bvor ?a ?b))", "(bvnor ?a ?b)"),
    ("(bvnot (bvxor ?a ?b))", "(bvxnor ?a ?b)"),
    ("(bvadd ?a (bvneg ?b))", "(bvsub ?a ?b)"),
    ("(bvneg (bvsub ?a ?b))", "(bvsub ?b ?a)"),
    ("(ite (= ?a ?b) #b1 #b0)", "(bvcomp ?a ?b)"),
    // Strings, sequences and regular expressions.
    ("(str.prefixof ?a ?b)", "(= ?a ?b)"),
    ("(str.suffixof ?a ?b)", "(= ?a ?b)"),
    ("(str.contains ?a ?b)", "(= ?a ?b)"),
    ("(str.in_re ?a (str.to_re ?b))", "(= ?a ?b)"),
    ("(str.in.re ?a (str.to.re ?b))", "(= ?a ?b)"),
    ("(str.substr ?a ?b 1)", "(str.at ?a ?b)"),
    ("(str.indexof ?a ?b ?c)", "(- 1)"),
    ("(str.replace_all ?a ?b ?c)", "(str.replace ?a ?b ?c)"),
    ("(str.replaceall ?a ?b ?c)", "(str.replace ?a ?b ?c)"),
    ("(str.replace_re_all ?a ?b ?c)", "(str.replace_re ?a ?b ?c)"),
    (
        "(str.replace_re ?a (str.to_re ?b) ?c)",
        "(str.replace ?a ?b ?c)",
    ),
    ("(seq.nth (seq.unit ?a) 0)", "?a"),
    ("(seq.prefixof ?a ?b)", "(= ?a ?b)"),
    ("(seq.suffixof ?a ?b)", "(= ?a ?b)"),
    ("(seq.contains ?a ?b)", "(= ?a ?b)"),
    ("(re.+ ?a)", "(re.* ?a)"),
    ("((_ re.loop ?a ?b) ?c)", "(re.* ?c)"),
    ("((_ re.^ ?a) ?b)", "(re.* ?b)"),
    ("(re.loop ?a ?b ?c)", "(re.* ?a)"),
    // Arrays.
    ("(select (store ?a ?b ?c) ?b)", "?c"),
];

/// What the letters of a rule stand for.
type Bindings = Vec<(u8, u32)>;

/// What the letters of `rule` stand for in a term, if the rule applies to it.
fn bindings(rule: Rule, sexprs: &Sexprs, text: &[u8], term: u32) -> Option<Bindings> {
    let mut found = Bindings::new();
    let mut pattern = rule.0.as_bytes();
    matches(&mut pattern, sexprs, text, term, &mut found).then_some(found)
}

/// Whether `pattern` starts with what `node` looks like; what it starts with is taken off.
fn matches(
    pattern: &mut &[u8],
    sexprs: &Sexprs,
    text: &[u8],
    node: u32,
    found: &mut Bindings,
) -> bool {
    match pattern {
        [b'?', letter, rest @ ..] => {
            let letter = *letter;
            *pattern = rest;
            let bound = found.iter().find(|(bound, _)| *bound == letter);
            let is_same =
                bound.is_none_or(|(_, same)| sexprs.text(text, *same) == sexprs.text(text, node));
            found.push((letter, node));
            is_same
        }
        [b'(', rest @ ..] => {
            *pattern = rest;
            let mut parts = sexprs.children(node);
            loop {
                match pattern {
                    [b' ', rest @ ..] => *pattern = rest,
                    [b')', rest @ ..] => {
                        *pattern = rest;
                        return sexprs.node(node).is_list && parts.next().is_none();
                    }
                    _ => {
                        let Some(part) = parts.next() else {
                            return false;
                        };
                        if !matches(pattern, sexprs, text, part, found) {
                            return false;
                        }
                    }
                }
            }
        }
        _ => {
            let ends = |byte: &u8| matches!(byte, b' ' | b'(' | b')');
            let end = pattern.iter().position(ends).unwrap_or(pattern.len());
            let (atom, rest) = pattern.split_at(end);
            *pattern = rest;
            sexprs.text(text, node) == atom
        }
    }
}

/// Whether a term can be what the rule starts with: cheap, and right if it says no.
fn is_likely(rule: Rule, head: Option<&[u8]>) -> bool {
    let start = rule.0.as_bytes();
    match start.get(1) {
        Some(b'?') => head.is_some_and(|head| head != b"let" && head != b"_"),
        Some(b'(') => head.is_none(),
        _ => head.is_some_and(|head| {
            start[1..].starts_with(head) && start.get(1 + head.len()) == Some(&b' ')
        }),
    }
}

/// The numbers of the rules that apply to a term.
pub fn applying(smt: &Smt, text: &[u8], term: u32) -> impl Iterator<Item = usize> {
    let sexprs = smt.sexprs();
    let head = sexprs.head(text, term);
    let is_list = sexprs.node(term).is_list;
    let rules = (0..RULES.len()).filter(move |&rule| is_list && is_likely(RULES[rule], head));
    rules.filter(move |&rule| bindings(RULES[rule], sexprs, text, term).is_some())
}

/// The edits that make of a term what a rule says; what the letters stand for stays where it is if
/// it can.
pub fn applied(smt: &Smt, text: &[u8], term: u32, rule: usize) -> Option<Vec<Edit<u8>>> {
    let sexprs = smt.sexprs();
    let found = bindings(RULES[rule], sexprs, text, term)?;
    let range = |letter: u8| {
        let (_, node) = found.iter().find(|(bound, _)| *bound == letter)?;
        Some(sexprs.node(*node).range())
    };
    // What stands before each letter and behind the last, and where the letters stand.
    let mut literals: Vec<Vec<u8>> = alloc::vec![Vec::new()];
    let mut places = Vec::new();
    let mut template = RULES[rule].1.bytes();
    while let Some(byte) = template.next() {
        if byte == b'?' {
            places.push(range(template.next()?)?);
            literals.push(Vec::new());
        } else {
            literals.last_mut()?.push(byte);
        }
    }
    let (start, end) = sexprs.node(term).range();
    let is_in_order = places.windows(2).all(|pair| pair[0].1 <= pair[1].0);
    if !is_in_order || literals[0].is_empty() {
        let mut whole = literals[0].clone();
        for (&(from, to), literal) in places.iter().zip(&literals[1..]) {
            whole.extend_from_slice(&text[from..to]);
            whole.extend_from_slice(literal);
        }
        return Some(alloc::vec![smt.replaced(text, (start, end), &whole)]);
    }
    let mut at = start;
    let mut edits = Vec::new();
    let ends = places.iter().copied().chain([(end, end)]);
    for ((from, to), literal) in ends.zip(&literals) {
        if text[at..from] != literal[..] {
            edits.push(Edit {
                start: at,
                end: from,
                insert: (!literal.is_empty()).then(|| literal.as_slice().into()),
            });
        }
        at = to;
    }
    Some(edits)
}

#[cfg(test)]
mod tests {
    use super::*;
    use ablate_engine::patch::Patch;
    use alloc::format;
    use alloc::string::String;

    fn check_rule(term: &str, expected: &[&str]) {
        let text = format!("(assert {term})");
        let text = text.as_bytes();
        let smt = Smt::read(text).unwrap();
        let made = applying(&smt, text, 2).map(|rule| {
            let edits = applied(&smt, text, 2, rule).unwrap();
            let made = Patch::edits_of(edits).unwrap().applied(text);
            String::from_utf8_lossy(&made[8..made.len() - 1]).into_owned()
        });
        assert_eq!(made.collect::<Vec<String>>(), expected, "{term}");
    }

    #[test]
    fn letters_stand_for_terms_and_heads() {
        check_rule("(not  (bvult x (f y)))", &["(bvuge x (f y))"]);
        check_rule("(= (ite c #b1 #b0) #b1)", &["c"]);
        check_rule("(xor (not a) b)", &["(= a b)"]);
        check_rule("(bvneg (bvsub a b))", &["(bvsub b a)"]);
        check_rule(
            "(= ((_ zero_extend 8) a) ((_ zero_extend 8) b))",
            &["(= a b)"],
        );
    }

    #[test]
    fn the_same_letter_stands_for_the_same() {
        check_rule("(bvnand (f a) (f a))", &["(bvnand a a)", "(bvnot (f a))"]);
        check_rule("(bvnand a b)", &[]);
        check_rule("(select (store m i x) j)", &[]);
    }

    #[test]
    fn every_rule_makes_a_shorter_term_or_a_simpler_one_of_the_same_length() {
        for (pattern, template) in RULES {
            let is_shorter = template.len() <= pattern.len();
            assert!(is_shorter, "{pattern} becomes {template}");
        }
    }
}
