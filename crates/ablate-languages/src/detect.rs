//! What language a file is in: by its name, then by its content.

use std::cmp::Reverse;
use std::rc::Rc;

use ablate_engine::target::Target;
use ablate_passes::formats::is_module;
use regex::bytes::{RegexSet, RegexSetBuilder};

use crate::language::Language;
use crate::languages::{LANGUAGES, find};
use crate::tree::{Syntax, SyntaxTree};

/// How much of a content is looked at for hints and read, and how much is read where that ends amid what
/// nests: such a part can't be read.
const LOOKED_AT: [usize; 2] = [1 << 17, 1 << 20];
/// What has to speak for a language: one hint, and nearly all of what is looked at that is read.
const SCORE_MIN: f64 = 0.9;
/// A grammar that can't read so much of a text is for another language: where the name tells nothing, and
/// where it ends like that of a file in a language that there is no grammar for.
const READS_MIN: [ReadsMin; 2] = [
    ReadsMin {
        whole: 0.9,
        beginnings: [0.5, 0.7],
    },
    ReadsMin {
        whole: 0.97,
        beginnings: [0.5, 0.92],
    },
];
/// What reducers and people put behind a name: `a.c.orig`, `b.rs.min`.
const PUT_BEHIND: [&str; 4] = ["bak", "min", "orig", "reduced"];
/// Other ends of names that tell nothing.
const TELLS_NOTHING: [&str; 10] = [
    "crash", "dat", "in", "inp", "input", "out", "repro", "test", "tmp", "txt",
];
/// Lengths of beginnings of a long text: most grammars take long over what is foreign to them.
const BEGINNINGS: [usize; 2] = [1 << 11, BEGINNING];
/// How much less a grammar is believed the more it can't read: other languages often look alike for
/// the first half.
const STRICTNESS: i32 = 4;
/// The same, where what it reads of any text is left out of the account.
const STRICTNESS_OF_OWN: i32 = 3;
/// What no language has for a text, save those in which any text is one.
const PROSE: &str = "Dear all,\nthis is (no} program;\n";
/// What is in no language that there is a grammar for, and yet looks like some. A grammar that reads
/// these reads much that is not its own.
const FOREIGN: [&str; 4] = [
    "Dear all\nthis is; no program\n",
    "Dear all:\nthis is no program.\n",
    "graph x {\n a -> b [c=d];\n}\n",
    "BEGIN:ANYTHING\nNAME;LANGUAGE=en:Dear all\n",
];
/// The share of these that is as good as all.
const READS_ANYTHING: f64 = 0.95;

/// A name is believed whatever a text is that is shorter than this.
const SHORT: usize = 256;
/// So much of the beginning of a text shows whether its name is to be believed.
const BEGINNING: usize = 1 << 14;
/// A name is not believed where the grammar reads less than this of a text without any hint at the
/// language, or with one: `.v` may be Verilog or Coq.
const SHARES_OF_DOUBT: [f64; 2] = [0.7, 0.4];
/// A longer text is not read where its beginning has as many errors as noise has: that would take minutes.
const LONG: usize = 1 << 18;
/// Noise has errors in each of so many parts of the beginning. Sound texts have none in the first, even if they
/// can't be read from there on as the beginning ends amid a comment.
const PARTS_OF_NOISE: usize = 8;
/// Noise has an error in so many bytes, and less than this share of it is read. Sound texts may have as many
/// errors, where macros stand for attributes, but nearly all of them is read all the same.
const BYTES_PER_ERROR: usize = 160;
const READ_OF_NOISE: f64 = 0.9;
/// Neither names nor beginnings tell these from a language that contains them: the end of a C++ header's name may
/// be that of C, and types are written in what is called JavaScript. Each with the number of kinds of hints that are
/// proof, so that nothing has to be read.
const CONTAINED: [(&str, &str, usize); 2] =
    [("c", "cpp", 3), ("javascript", "typescript", usize::MAX)];
/// So many times as many errors has a text where it is read as in a language that its own contains.
const TIMES_ERRORS: usize = 2;
/// The share of lines with a hint in a text of a language whose grammar reads anything: where there are
/// fewer lines nothing speaks for it, where there are more, two kinds of hints are enough.
const HINTED_LINES: [f64; 2] = [1.0 / 16.0, 1.0 / 4.0];

/// What share of a text a grammar has to read.
struct ReadsMin {
    whole: f64,
    /// Of its beginnings, which end anywhere.
    beginnings: [f64; 2],
}

/// The language of a file with this base name and this content; `None` for what no grammar of this
/// build is for.
pub fn detect(name: &str, content: &[u8]) -> Option<&'static Language> {
    let named = by_name(name).map(|language| containing(language, content));
    match named {
        Some(language) if !is_doubtful(language, content) => Some(language),
        None if is_module(&Target::new(content.to_vec())) => None,
        _ => {
            let (len, reads_min) = match named {
                Some(_) => (content.len().min(BEGINNING), &READS_MIN[1]),
                None => (content.len(), &READS_MIN[usize::from(has_own_end(name))]),
            };
            let language = by_content(&content[..len], reads_min);
            language.map(|language| containing(language, content))
        }
    }
}

/// Whether a text seems to be in another language than its name says.
fn is_doubtful(language: &'static Language, content: &[u8]) -> bool {
    let is_foreign = |len: usize| {
        let text = String::from_utf8_lossy(&content[..content.len().min(len)]);
        let doubt = SHARES_OF_DOUBT.get(hints(language, &text));
        doubt.is_some_and(|doubt| read_share(language, text.as_bytes()) < *doubt)
    };
    if content.len() >= LONG && is_noise(language, content) {
        return true;
    }
    // A part that ends amid what nests can't be read.
    let is_part = content.len() > BEGINNING;
    content.len() >= SHORT && is_foreign(BEGINNING) && (!is_part || is_foreign(LOOKED_AT[1]))
}

/// Whether the beginning of a text has errors throughout.
fn is_noise(language: &'static Language, content: &[u8]) -> bool {
    let beginning = &content[..content.len().min(BEGINNING)];
    let tree = read(language, beginning);
    let len_of_part = beginning.len().div_ceil(PARTS_OF_NOISE).max(1);
    let mut errors_in = [0; PARTS_OF_NOISE];
    for at in errors(&tree) {
        errors_in[(at / len_of_part).min(PARTS_OF_NOISE - 1)] += 1;
    }
    let most = len_of_part / BYTES_PER_ERROR;
    let is_dense = errors_in.iter().all(|&errors| errors > most);
    is_dense && share(&tree, beginning) < READ_OF_NOISE
}

/// The language that contains this one, if a text is rather in that; otherwise this one.
fn containing(language: &'static Language, content: &[u8]) -> &'static Language {
    let contained = CONTAINED.iter().find(|(name, ..)| *name == language.name);
    let found = contained.and_then(|(_, name, proof)| Some((find(name)?, *proof)));
    let Some((containing, proof)) = found else {
        return language;
    };
    let text = String::from_utf8_lossy(&content[..content.len().min(LOOKED_AT[0])]);
    match hints(containing, &text) {
        0 => return language,
        hints if hints >= proof => return containing,
        _ => {}
    }
    let errors_in = |language| errors(&read(language, text.as_bytes())).count();
    match errors_in(language) {
        0 => language,
        errors if errors_in(containing) * TIMES_ERRORS <= errors => containing,
        _ => language,
    }
}

fn by_name(name: &str) -> Option<&'static Language> {
    let mut ends = name.rsplit('.');
    let last = ends.next()?;
    let before = ends.next().filter(|_| PUT_BEHIND.contains(&last));
    let has = |language: &Language, end: &str| {
        let mut extensions = language.extensions.iter();
        extensions.any(|known| known.eq_ignore_ascii_case(end) || *known == name)
    };
    let by_end = |end: &str| LANGUAGES.iter().find(|language| has(language, end));
    by_end(last).or_else(|| by_end(before?))
}

/// Whether a name ends like that of a file in some language.
fn has_own_end(name: &str) -> bool {
    let (_, end) = name.rsplit_once('.').unwrap_or_default();
    let is_word = !end.is_empty() && end.bytes().all(|byte| byte.is_ascii_alphabetic());
    let mut telling_nothing = PUT_BEHIND.iter().chain(&TELLS_NOTHING);
    is_word && !telling_nothing.any(|known| known.eq_ignore_ascii_case(end))
}

/// The language that most speaks for, if that is enough, and if its grammar reads this share.
fn by_content(content: &[u8], reads_min: &ReadsMin) -> Option<&'static Language> {
    let head = |len: usize| String::from_utf8_lossy(&content[..content.len().min(len)]);
    let hinted = hinted(head(LOOKED_AT[0]).trim_start());
    let is_part = content.get(..LOOKED_AT[0]);
    let len = LOOKED_AT[usize::from(is_part.is_some_and(ends_deep))];
    by_head(&hinted, head(len).trim_start(), reads_min)
}

/// Whether the second half of a text is within brackets as a whole, or it is one of tags.
fn ends_deep(text: &[u8]) -> bool {
    let mut depth = 0_usize;
    let mut last_outside = 0;
    for (at, byte) in text.iter().enumerate() {
        match byte {
            b'(' | b'[' | b'{' => depth += 1,
            b')' | b']' | b'}' => depth = depth.saturating_sub(1),
            _ => (),
        }
        if depth == 0 {
            last_outside = at;
        }
    }
    last_outside < text.len() / 2 || text.trim_ascii_start().starts_with(b"<")
}

/// Of a text that is much longer the beginning of this length, up to the end of a line, with what closes the
/// brackets that are open there. Of tags only the whole can be read.
fn beginning(text: &str, len: usize) -> Option<Vec<u8>> {
    if text.len() < 2 * len || text.starts_with('<') {
        return None;
    }
    let mut beginning = text.as_bytes()[..len].to_vec();
    beginning.truncate(beginning.iter().rposition(|&byte| byte == b'\n')?);
    let mut closing = Vec::new();
    for byte in &beginning {
        match byte {
            b'(' => closing.push(b')'),
            b'[' => closing.push(b']'),
            b'{' => closing.push(b'}'),
            b')' | b']' | b'}' => drop(closing.pop()),
            _ => (),
        }
    }
    beginning.extend(closing.iter().rev());
    Some(beginning)
}

/// How many hints at each language are in a text; those with most first.
fn hinted(head: &str) -> Vec<(usize, &'static Language)> {
    let all = LANGUAGES.iter();
    let mut hinted: Vec<_> = all
        .map(|language| (hints(language, head), language))
        .collect();
    hinted.sort_by_cached_key(|(hints, _)| Reverse(*hints));
    hinted
}

fn by_head(
    hinted: &[(usize, &'static Language)],
    head: &str,
    reads_min: &ReadsMin,
) -> Option<&'static Language> {
    let beginnings = BEGINNINGS.map(|len| beginning(head, len));
    let mut best = (SCORE_MIN, None);
    for &(hints, language) in hinted {
        // A score is never above the hints: the others need not be read.
        if hints as f64 <= best.0 {
            break;
        }
        let is_foreign = |(beginning, least): (&Option<Vec<u8>>, f64)| {
            let beginning = beginning.as_deref();
            beginning.is_some_and(|it| read_share(language, it) < least)
        };
        if (beginnings.iter().zip(reads_min.beginnings)).any(is_foreign) {
            continue;
        }
        let score = score(language, hints, head, reads_min.whole);
        if score > best.0 {
            best = (score, Some(language));
        }
    }
    best.1
}

/// What speaks for a language: of how many kinds its hints are in a text, and how much more of it its
/// grammar reads than of what is foreign to it; nothing if it reads less than `reads_min`. That it reads a
/// text tells nothing where it reads anything.
fn score(language: &'static Language, hints: usize, text: &str, reads_min: f64) -> f64 {
    let share = read_share(language, text.as_bytes());
    let score = hints as f64 * share.powi(STRICTNESS);
    if share < reads_min || score < SCORE_MIN {
        return 0.0;
    }
    let foreign = FOREIGN.map(|text| read_share(language, text.as_bytes()));
    let foreign = foreign.iter().sum::<f64>() / foreign.len() as f64;
    if foreign >= READS_ANYTHING || read_share(language, PROSE.as_bytes()) == 1.0 {
        let [few, many] = HINTED_LINES;
        return match hinted_lines(language, text) {
            hinted if hinted < few => 0.0,
            hinted if hinted < many => (score - 1.0) / 2.0,
            _ => score - 1.0,
        };
    }
    let own = (share - foreign).max(0.0) / (1.0 - foreign);
    score.min(hints as f64 * own.powi(STRICTNESS_OF_OWN))
}

/// How many of the language's hints are in a text.
fn hints(language: &Language, text: &str) -> usize {
    let patterns = patterns(language);
    patterns.map_or(0, |patterns| {
        patterns.matches(text.as_bytes()).iter().count()
    })
}

/// The share of lines with a hint at the language, among those that are not empty.
fn hinted_lines(language: &Language, text: &str) -> f64 {
    let Some(patterns) = patterns(language) else {
        return 0.0;
    };
    let lines = || text.lines().filter(|line| !line.trim().is_empty());
    let hinted = lines().filter(|line| patterns.is_match(line.as_bytes()));
    hinted.count() as f64 / lines().count().max(1) as f64
}

/// All hints at a language. They are compiled once, as a folder has files by the thousand.
fn patterns(language: &Language) -> Option<&RegexSet> {
    let compile = || {
        // All hints are ASCII, and classes of all Unicode would take long to compile.
        let patterns = RegexSetBuilder::new(language.hints)
            .unicode(false)
            .multi_line(true)
            .build();
        patterns.ok()
    };
    language.patterns.get_or_init(compile).as_ref()
}

/// Where the grammar could not go on in a text.
fn errors(tree: &SyntaxTree) -> impl Iterator<Item = usize> {
    let errors = tree.nodes().iter().filter(|node| node.is_error);
    errors.map(|node| node.start as usize)
}

/// How much of a text the grammar reads without an error, from 0 to 1.
fn read_share(language: &'static Language, text: &[u8]) -> f64 {
    share(&read(language, text), text)
}

fn read(language: &'static Language, text: &[u8]) -> Rc<SyntaxTree> {
    Syntax::new(language).tree(&Target::new(text.to_vec()))
}

fn share(tree: &SyntaxTree, text: &[u8]) -> f64 {
    let unread = match tree.nodes() {
        [] => text.len(),
        _ => tree.unread(),
    };
    1.0 - unread as f64 / text.len().max(1) as f64
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(name: &str, content: &str, expected: Option<&str>) {
        let found = detect(name, content.as_bytes()).map(|language| language.name);
        assert_eq!(found, expected, "{name} {content}");
    }

    #[test]
    fn a_module_is_in_no_language_whatever_source_it_holds() {
        let source = "int main(void)\n{\n  for (int i = 0; i < 9; i++) { f(i); }\n  return 0;\n}\n"
            .repeat(20);
        check("a.s0", &source, Some("c"));
        let spirv = format!("OpCapability Shader\n%1 = OpString \"{source}\"\nOpLabel\n");
        check("a.spvasm", &spirv, None);
        let mir =
            format!("--- |\n...\n---\nname: f\nbody: |\n  bb.0:\n    RET 0\n...\n---\n{source}");
        check("a.mir", &mir, None);
        check(
            "a.wat",
            &format!("(module (func nop))\n(; {source} ;)"),
            None,
        );
    }

    #[test]
    fn a_name_tells_the_language() {
        check("a.c", "", Some("c"));
        check("a.CPP", "", Some("cpp"));
        check("a.rs.orig", "", Some("rust"));
        check("input.tsx", "", Some("tsx"));
        check("notes.txt", "", None);
        check("", "", None);
    }

    #[test]
    fn hints_are_compiled_once() {
        let rust = find("rust").unwrap();
        let (first, second) = (patterns(rust).unwrap(), patterns(rust).unwrap());
        assert!(std::ptr::eq(first, second));
    }

    #[test]
    fn a_name_is_not_believed_against_the_content() {
        let coq = "Lemma a : forall n, n + 0 = n.\nProof.\n  intros n. induction n as [|m].\n\
                   - reflexivity.\n  - simpl; rewrite IHm; auto.\nQed.\n\n";
        check("a.v", &coq.repeat(4), None);
        check(
            "a.v",
            &"module a(input b);\n assign c = b;\nendmodule\n".repeat(9),
            Some("verilog"),
        );
        check("a.v", coq, Some("verilog"));
    }

    #[test]
    fn what_contains_another_language_is_told_from_it() {
        let cpp = "#pragma once\nnamespace a {\nclass B : C {\npublic:\n  int d() const;\n};\n}\n";
        check("a.h", cpp, Some("cpp"));
        let c = "#include <stdio.h>\ntypedef struct { int class; } A;\nA *b(int new);\n";
        check("a.h", c, Some("c"));
        check("a.h", &format!("/* std::a */\n{c}"), Some("c"));
        let flow = "// @flow\ntype A = { b: string };\nexport const c = (d: A): string => d.b;\n";
        check("a.js", flow, Some("typescript"));
        check(
            "a.js",
            "type: string\nconst c = (d) => d.b;\n",
            Some("javascript"),
        );
    }

    #[test]
    fn a_long_text_that_is_noise_is_in_no_language() {
        // Linear congruential, so that it is the same for all.
        let printable: Vec<u8> = (b' '..=b'~').chain(*b"\t\n").collect();
        let mut state = 1_u32;
        let noise: Vec<u8> = (0..LONG)
            .map(|_| {
                state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
                printable[(state >> 16) as usize % printable.len()]
            })
            .collect();
        for name in ["a.c", "a.js", "a.v", "a.xml"] {
            assert_eq!(detect(name, &noise).map(|it| it.name), None, "{name}");
        }
        // The beginning of this can't be read from the second part on.
        let comment = String::from_utf8_lossy(&noise[..BEGINNING]).replace("*/", "");
        let text = "int a(int b);\n".repeat(BEGINNING / PARTS_OF_NOISE / 14 + 1);
        let text = format!("{text}/*{comment}*/\n{}", text.repeat(LONG / text.len()));
        check("a.c", &text, Some("c"));
    }

    #[test]
    fn content_tells_it_where_the_name_does_not() {
        check(
            "input",
            "#!/usr/bin/env python3\nprint(1)\n",
            Some("python"),
        );
        check("input", "<?xml version='1.0'?><a/>", Some("xml"));
        check("input", "template<class T> struct A;\n", Some("cpp"));
        check("input", "\u{fffd}\u{1}\u{2}", None);
        check("input", "Dear all,\n", None);
        check("input", "# notes\n\nDear all:\n", None);
        check("input", "main:\n\tmov eax, 1\n\tret\n", None);
        check("input", "on:\n  push: 1\n", Some("yaml"));
    }

    #[test]
    fn what_hints_at_a_language_has_to_be_read_by_it() {
        let less = "// none\n.a (@b) when (@b > 1%) { .c(); }\n.d { @e: f; .g(@e, 2); }\n";
        check("input", less, None);
        let java = "@B public class A {\n  void f() { int i = 0; for (;;) { i++; } }\n}\n";
        check("input", java, Some("java"));
    }

    #[test]
    fn a_grammar_that_reads_much_has_to_read_nearly_all() {
        check("input", "digraph g {\n  a -> b;\n  set -> echo;\n}\n", None);
        check("input", "BEGIN:VEVENT\nexport X=1\nEND:VEVENT\n", None);
        let changed = "--- a/a.h\n+++ b/a.h\n@@ -1,3 +1,3 @@\n class A {\n-  int a;\n+  int b;\n public:\n };\n";
        check("input", changed, None);
        let jsonnet = "{\n  local x = 1,\n  f(a):: if a then x else {\n    b: 1;\n  },\n}\n";
        check("input", jsonnet, None);
    }

    #[test]
    fn what_reads_anything_is_believed_where_many_lines_hint_at_it() {
        let prose = "Dear all,\nthe next release is near, and there is much to do.\n".repeat(12);
        check(
            "input",
            &format!("Note: this is a draft\n- first\n{prose}"),
            None,
        );
        check(
            "input",
            "name: a\nversion: b\nsteps:\n  - run: c\n",
            Some("yaml"),
        );
    }

    #[test]
    fn a_language_that_is_not_known_is_none_that_looks_alike() {
        let nim = "import std/os\n\nproc add*(a, b: int): int =\n  ## Adds.\n  let c = a + b\n  if c > 3:\n    \
                   return c\n  result = c\n";
        check("input.nim", &nim.repeat(9), None);
        let assembly = "\t.file\t\"t.c\"\n\t.section\t.rodata.str1.1,\"aMS\",@progbits,1\n\
                        \t.type\tg, @function\n\tmovq\t%r10, %rdi\n\tmovq\t%r10, %r8\n\
                        \tmovq\t%r10, %rsi\n\trep stosq\n\t.p2align 4,\n\t.p2align 3\n.L2:\n\
                        \tmovl\t%ecx, %eax\n\tmovl\t%ecx\n\taddl\t$1, %ecx\n\taddq\t$16, %rsi\n\tcltd\n\
                        \tmovl\t%r9d, -12(%rsi)\n\tidivl\t%r9d\n";
        check("a.s", assembly, None);
    }

    #[test]
    fn a_text_whose_beginning_ends_amid_something_is_looked_at_as_a_whole() {
        let long = format!(
            "'use strict'\nf({{\n{}}})\n",
            "a: b => { b() },\n".repeat(4000)
        );
        check("input", &long, Some("javascript"));
    }
}
