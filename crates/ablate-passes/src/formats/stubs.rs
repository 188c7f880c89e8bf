//! What a routine may have for a body in a language that nobody has told us: a line of the text that does
//! nothing, or one that leaves the routine.

use alloc::collections::BTreeMap;
use alloc::vec::Vec;

use crate::formats::characters::is_word;
use crate::formats::lines::Lines;
use crate::formats::tokens::{Kind, Token, token_at};

/// A line that does nothing stands at least so often.
const IDLE: u32 = 2;
/// What a line begins with that leaves a routine with an error.
const THROWING: [&[u8]; 7] = [
    b"throw",
    b"raise",
    b"panic",
    b"abort",
    b"unreachable",
    b"die",
    b"croak",
];
/// A word alone that does something: it leaves, or what stands behind it is another part.
const LEAVING: [&[u8]; 8] = [
    b"break",
    b"continue",
    b"else",
    b"exit",
    b"leave",
    b"next",
    b"private",
    b"return",
];
/// No more tokens than this are in a line that returns, and in one that throws.
const LONGEST: [usize; 2] = [4, 24];

/// What may stand for a body, the shortest first: nothing, the line that does nothing, one that returns and
/// one that throws.
pub fn stubs<'a>(text: &'a [u8], lines: &Lines) -> Vec<&'a [u8]> {
    let mut stubs: Vec<&[u8]> = Vec::from([&b""[..]]);
    stubs.extend(idle_line(text, lines));
    let line_of = |line: usize| {
        let (start, end) = lines.range(line);
        text[start..end].trim_ascii()
    };
    let ended = (0..lines.len()).filter(|&line| line_of(line).ends_with(b";"));
    let ends_with_semicolons = ended.count() * 4 > lines.len();
    let mut found: [Option<(usize, &[u8])>; 2] = [None; 2];
    for line in 0..lines.len() {
        let line = line_of(line);
        let first = line.iter().take_while(|&&byte| is_word(byte)).count();
        let word = &line[..first];
        // What throws again what was caught does so in a handler only.
        let throws = is_one_of(word, &THROWING) && line.len() > word.len() + 1;
        let leaves = throws || word.eq_ignore_ascii_case(b"return");
        if !leaves || ends_with_semicolons && !line.ends_with(b";") {
            continue;
        }
        let found = &mut found[usize::from(throws)];
        let is_better = |words: &usize| {
            found.is_none_or(|(least, best)| (*words, line.len(), line) < (least, best.len(), best))
        };
        if let Some(words) = words(line, LONGEST[usize::from(throws)]).filter(is_better) {
            *found = Some((words, line));
        }
    }
    stubs.extend(found.iter().flatten().map(|(_, line)| *line));
    stubs.sort_by_cached_key(|stub| stub.len());
    stubs
}

fn is_one_of(word: &[u8], words: &[&[u8]]) -> bool {
    words.iter().any(|known| word.eq_ignore_ascii_case(known))
}

/// How many words of a statement are in no quotes, if it has few tokens and all its brackets and quotes.
fn words(line: &[u8], most: usize) -> Option<usize> {
    let mut at = 0;
    let (mut tokens, mut words, mut open) = (0, 0, 0);
    let mut quote: Option<&[u8]> = None;
    let mut last: Option<Token> = None;
    while at < line.len() {
        let token = token_at(line, at);
        at = token.end as usize;
        let is_mark = matches!(token.text(line), b"\"" | b"'" | b"`");
        if let Some(opening) = quote {
            quote = (token.text(line) != opening).then_some(opening);
            continue;
        }
        if token.kind == Kind::Space {
            continue;
        }
        tokens += 1;
        words += usize::from(token.kind == Kind::Word);
        match token.text(line) {
            b"(" | b"[" | b"{" => open += 1,
            b")" | b"]" | b"}" => open -= 1,
            mark if is_mark => quote = Some(mark),
            _ => (),
        }
        if tokens > most || open < 0 {
            return None;
        }
        last = Some(token);
    }
    let ends = |token: Token| token.kind != Kind::Operator && token.text(line) != b",";
    let is_whole = open == 0 && quote.is_none() && last.is_some_and(ends);
    is_whole.then_some(words)
}

/// The shortest line that is often a word and a semicolon alone, and no end.
pub fn idle_line<'a>(text: &'a [u8], lines: &Lines) -> Option<&'a [u8]> {
    let mut counts: BTreeMap<&[u8], u32> = BTreeMap::new();
    for line in 0..lines.len() {
        let (start, end) = lines.range(line);
        let word = text[start..end].trim_ascii();
        if let Some((b';', name)) = word.split_last()
            && !name.is_empty()
            && name.iter().all(u8::is_ascii_alphabetic)
            && !is_one_of(name, &THROWING)
            && !is_one_of(name, &LEAVING)
            && !name.to_ascii_lowercase().starts_with(b"end")
        {
            *counts.entry(word).or_default() += 1;
        }
    }
    let often = counts.iter().filter(|(_, count)| **count >= IDLE);
    often
        .map(|(word, _)| *word)
        .min_by_key(|word| (word.len(), *word))
}

#[cfg(test)]
mod tests {
    use super::*;
    use ablate_engine::target::Target;

    fn check(text: &str, expected: &[&str]) {
        let target = Target::new(text.as_bytes().to_vec());
        let seen = stubs(text.as_bytes(), &Lines::of(&target));
        let expected: Vec<&[u8]> = expected.iter().map(|stub| stub.as_bytes()).collect();
        assert_eq!(seen, expected, "{text}");
    }

    #[test]
    fn what_names_least_and_is_whole_leaves_a_routine() {
        check(
            "raise E;\n raise E with\n \"x\";\nraise;\n throw f(a);\nthrow f(\"a b c\");\n throw a\n",
            &["", "raise E;"],
        );
        check("return x + y;\n  return 0;\nb;\n", &["", "return 0;"]);
        check(
            "throw new E(\"a, b\");\nthrow new E(a, b);\n",
            &["", "throw new E(\"a, b\");"],
        );
        check("raise(E)\nx\n", &["", "raise(E)"]);
    }

    #[test]
    fn a_word_alone_does_nothing_where_it_leaves_nothing() {
        check(
            "break;\nbreak;\nbegin\n null;\nend;\n null;\nend;\nraise;\nraise;\n",
            &["", "null;"],
        );
    }
}
