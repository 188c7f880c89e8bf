//! Deletes the white space between tokens, but for what keeps words apart and lines where they count,
//! and the comments with it.
//!
//! Neither matters but rarely, and together they often make up half of a text: `int f( ) {\n  return 1
//! ; } // one` becomes `int f(){return 1;}` in one test. What documents a definition counts as a
//! comment: Python's strings at the beginning of a body do, and so do Haskell's pragmas that only hint at how to
//! make something faster. What tools read in comments (`// @ts-ignore`)
//! is left to other passes.
//!
//! Costs one test where all of it can go; where not, one for all comments, one for all white space, and
//! one for each half, quarter and so on of either, down to a 32nd. Of a text of more than 16 MB others
//! take a large part first; what is less than one byte in eight thousand waits until the text is shorter.
//!
//! ```
//! use ablate_languages::explain::reductions;
//!
//! let seen = reductions("delete_layout", "c", "int f( ) {\n  return 1 ; } // one\n");
//! assert_eq!(seen[0], "int f(){return 1;}");
//! assert_eq!(seen[1], "int f( ) {\n  return 1 ; }\n");
//! ```

use std::cmp::Reverse;
use std::ops::Range;
use std::rc::Rc;

use ablate_engine::chooser::{Chooser, DeadBranch};
use ablate_engine::pass::Pass;
use ablate_engine::patch::Patch;
use ablate_engine::target::Target;

use crate::conditionals::{directives, line_markers};
use crate::passes::add_runs;
use crate::tree::{Syntax, SyntaxTree};

/// Runs of fewer gaps than this share of all are left to other passes.
const SMALLEST_SHARE: usize = 32;
/// Of longer texts others take a large part first: here, millions of gaps would have to be looked at, for a
/// tenth of the text or a half.
const LONGEST_TEXT: usize = 16 << 20;
/// What is a smaller share of the text is not worth a test: how a text is read may depend on its layout,
/// so that a little is left, in several steps, of one from which all was taken.
const LEAST_SHARE: usize = 1 << 13;
/// Languages in which the ends and beginnings of lines count.
const LINEWISE: &[&str] = &[
    "bash", "cmake", "go", "haskell", "kotlin", "llvm", "lua", "ocaml", "python", "ruby", "scala",
    "sql", "swift", "toml", "verilog", "yaml", "html", "xml",
];

/// Those of them in which what a line is indented by stays: it counts, or may do so.
const INDENTATION_STAYS: &[&str] = &["haskell", "html", "ocaml", "python", "scala", "xml", "yaml"];

/// Languages in which blanks make a difference also where no words would merge, with the signs next to
/// which they make none.
const SPACED: &[(&str, &[u8])] = &[
    ("bash", b";"),
    ("cmake", b"()"),
    ("css", b"{};,"),
    ("haskell", b",;"),
    ("ruby", b",;)]}|"),
    ("swift", b"{};,"),
    ("yaml", b""),
];
/// Languages in which the end of a line ends a statement that could go on, and none that can't; and what of
/// theirs has no other end, unless it has a semicolon.
const WITHOUT_SEMICOLONS: [&str; 3] = ["javascript", "tsx", "typescript"];
const ENDED_BY_LINE: &[&str] = &[
    "abstract_method_signature",
    "break_statement",
    "call_signature",
    "construct_signature",
    "continue_statement",
    "debugger_statement",
    "export_statement",
    "expression_statement",
    "field_definition",
    "function_signature",
    "import_statement",
    "index_signature",
    "lexical_declaration",
    "method_signature",
    "property_signature",
    "public_field_definition",
    "return_statement",
    "throw_statement",
    "type_alias_declaration",
    "variable_declaration",
];
/// A language in which white space is all the structure that there is.
const ALL_LAYOUT: &str = "markdown";
/// Languages in which a line can be a directive, by the sign before it.
const DIRECTIVES: &[&str] = &["c", "cpp", "c-sharp", "glsl"];

/// Deletes white space between tokens; see the module.
#[derive(Clone, Debug)]
pub struct DeleteLayout(pub Rc<Syntax>);

/// What goes of one gap, in two pieces where one blank is kept between them; a piece may be empty.
type Cut = [(u32, u32); 2];

/// What can go between two tokens, by what it is: all comments with all white space, comments, white
/// space; and runs of the places of one kind, what is tried first last.
struct Gaps {
    cuts: [Vec<Cut>; 3],
    runs: Vec<(usize, u32, u32)>,
}

impl Gaps {
    fn of(target: &Target<u8>, syntax: &Syntax, tree: &SyntaxTree) -> Gaps {
        let name = syntax.language().name;
        let layout = Layout {
            text: target.elements(),
            is_linewise: LINEWISE.contains(&name),
            is_indented: INDENTATION_STAYS.contains(&name),
            directives: if DIRECTIVES.contains(&name) {
                directives(target.elements())
            } else {
                Vec::new()
            },
            ended_by_line: if WITHOUT_SEMICOLONS.contains(&name) {
                ended_by_line(target.elements(), tree)
            } else {
                Vec::new()
            },
            hidden: syntax.hidden(target.elements()),
            alone: SPACED.iter().find(|it| it.0 == name).map(|it| it.1),
        };
        let [mut all, mut comments, mut blanks] = [const { Vec::new() }; 3];
        // Where the latest token ends, and the latest token or comment; the comments since.
        let (mut token, mut at) = (0, 0);
        let mut since: Vec<(usize, usize)> = Vec::new();
        let mut is_open = false;
        let mut is_behind_comment = false;
        for (range, is_comment) in parts(layout.text, tree, layout.in_no_node(name)) {
            let is_of_use = is_comment && speaks_to_tools(&layout.text[range.clone()]);
            // A comment such as `// a` goes on without the end of its line.
            let blank = layout.behind_line(at, range.start).filter(|_| is_open);
            blanks.extend(layout.cut(blank.unwrap_or(at), &[], range.start));
            at = range.end;
            is_open = is_comment && !layout.is_linewise && !layout.text[..at].ends_with(b"*/");
            if is_comment && !is_of_use {
                comments.extend(layout.comment(token, range.start, range.end));
                // Its line may end in it or behind it.
                let is_line = layout.text[range.end - 1] == b'\n';
                since.push((range.start, range.end - usize::from(is_line)));
            } else {
                let behind = layout.behind_line(token, range.start);
                let behind = behind.filter(|_| is_behind_comment);
                all.extend(layout.cut(behind.unwrap_or(token), &since, range.start));
                token = at;
                since.clear();
                is_behind_comment = is_open;
            }
        }
        blanks.extend(layout.cut(at, &[], layout.text.len()));
        all.extend(layout.cut(token, &since, layout.text.len()));
        let mut runs = Vec::new();
        for (kind, cuts) in [&all, &comments, &blanks].into_iter().enumerate() {
            if is_too_little(cuts, layout.text) {
                continue;
            }
            // Without comments, all is white space.
            let Some(last) = cuts
                .len()
                .checked_sub(1)
                .filter(|_| kind == 2 || !comments.is_empty())
            else {
                continue;
            };
            let smallest = match kind {
                0 => cuts.len(),
                _ => cuts.len() / SMALLEST_SHARE,
            };
            add_runs(0, last, &mut |first, last| {
                runs.push((kind, first as u32, last as u32));
                last + 1 - first > smallest
            });
        }
        let counts = [all.len(), comments.len(), blanks.len()];
        runs.sort_by_cached_key(|&(kind, first, last)| {
            let parts = counts[kind].div_ceil((last + 1 - first) as usize);
            (Reverse(parts.ilog2()), Reverse(kind), first)
        });
        Gaps {
            cuts: [all, comments, blanks],
            runs,
        }
    }
}

/// Whether not even all of what can go is worth a test.
fn is_too_little(cuts: &[Cut], text: &[u8]) -> bool {
    let lengths = cuts.iter().flatten().map(|(start, end)| end - start);
    (lengths.sum::<u32>() as usize) < text.len() / LEAST_SHARE
}

/// The tokens and the comments of a text in this language, and what is in no node of it, in the order of
/// the text; each with whether it is a comment.
fn parts(
    text: &[u8],
    tree: &SyntaxTree,
    in_no_node: Vec<(Range<usize>, bool)>,
) -> impl Iterator<Item = (Range<usize>, bool)> {
    let nodes = tree.nodes();
    let mut in_no_node = in_no_node.into_iter().peekable();
    let mut number = if tree.is_in(ALL_LAYOUT) {
        nodes.len()
    } else {
        0
    };
    let mut at = 0;
    std::iter::from_fn(move || {
        let next = loop {
            let Some(node) = nodes.get(number) else {
                break None;
            };
            let is_comment = is_comment(tree, number)
                || tree.kind(number) == "pragma" && is_hint(&text[node.range()]);
            if !is_comment && node.next as usize != number + 1 || node.is_empty() {
                number += 1;
            } else if (node.start as usize) < at {
                number = node.next as usize;
            } else {
                break Some((node, is_comment));
            }
        };
        // What looks like a line marker may be in a token.
        while in_no_node.next_if(|part| part.0.start < at).is_some() {}
        let is_before = |part: &(Range<usize>, bool)| {
            next.is_none_or(|(node, _)| part.0.start <= node.start as usize)
        };
        let part = match (in_no_node.next_if(is_before), next) {
            (Some(part), _) => part,
            (None, Some((node, is_comment))) => {
                number = node.next as usize;
                (node.range(), is_comment)
            }
            (None, None) => return None,
        };
        at = part.0.end;
        Some(part)
    })
}

/// Whether a node is a comment, or documents the definition that it stands in.
fn is_comment(tree: &SyntaxTree, number: usize) -> bool {
    let nodes = tree.nodes();
    let kind = tree.kind(number);
    if kind == "expression_statement" {
        // Python's: a string that is all of the first statement, before others.
        let mut parts = tree.children(number);
        let is_string = parts.next().is_some_and(|part| tree.kind(part) == "string");
        let around = nodes[number].parent as usize;
        // A comment behind it is no statement.
        let mut others = tree.children(around);
        return is_string
            && parts.next().is_none()
            && tree.kind(around) != "program"
            && others.next() == Some(number)
            && others.any(|other| !is_named_comment(tree, other));
    }
    is_named_comment(tree, number)
}

fn is_named_comment(tree: &SyntaxTree, number: usize) -> bool {
    let kind = tree.kind(number);
    let is_named = tree.nodes()[number].is_named;
    let is_comment = kind.ends_with("comment") || kind.ends_with("Comment") || kind == "haddock";
    is_named && is_comment
}

/// Whether a pragma in Haskell only says how something that it names, or stands beside, may be made faster; it can't
/// stay without that.
fn is_hint(pragma: &[u8]) -> bool {
    const HINTS: &[&[u8]] = &[
        b"INLINABLE",
        b"INLINE",
        b"INLINEABLE",
        b"NOINLINE",
        b"NOTINLINE",
        b"NOUNPACK",
        b"OPAQUE",
        b"SCC",
        b"SPECIALISE",
        b"SPECIALIZE",
        b"UNPACK",
    ];
    let said = pragma.strip_prefix(b"{-#").unwrap_or(pragma);
    let mut words = said.split(|byte| !byte.is_ascii_alphabetic());
    let word = words.find(|word| !word.is_empty()).unwrap_or_default();
    HINTS.iter().any(|hint| word.eq_ignore_ascii_case(hint))
}

/// Whether a comment tells a compiler, a checker or another tool something.
fn speaks_to_tools(comment: &[u8]) -> bool {
    const BEGINNINGS: &[&[u8]] = &[
        b"#__PURE__",
        b"+build",
        b"@__PURE__",
        b"@flow",
        b"@jsx",
        b"@license",
        b"@preserve",
        b"@ts-",
        b"eslint",
        b"frozen_string_literal:",
        b"go:",
        b"mypy:",
        b"pyright:",
        b"sourceMappingURL=",
        b"swift-tools-version",
        b"synopsys ",
        b"synthesis ",
        b"verilator ",
        b"webpack",
    ];
    /// Only where `#` begins a comment: elsewhere it may be a field of what was commented out.
    const TYPE: &[u8] = b"type:";
    let is_mark = |byte: &u8| matches!(byte, b'/' | b'*' | b'#' | b' ');
    let marks = comment.iter().take_while(|byte| is_mark(byte)).count();
    // One of the marks may be a part of it.
    let rest = [&comment[marks..], &comment[marks.saturating_sub(1)..]];
    let begins = |beginning: &&[u8]| rest.iter().any(|rest| rest.starts_with(beginning));
    BEGINNINGS.iter().any(begins) || comment.starts_with(b"#") && begins(&TYPE)
}

/// A text, and whether the ends and beginnings of its lines count.
struct Layout<'a> {
    text: &'a [u8],
    is_linewise: bool,
    /// Whether it counts how far they are indented.
    is_indented: bool,
    /// The lines that are directives, without what they are indented by.
    directives: Vec<Range<usize>>,
    /// Where something ends that only the end of its line keeps from going on, in order.
    ended_by_line: Vec<usize>,
    /// What of it is in no text, such as the names of a folder's files.
    hidden: Vec<Range<usize>>,
    /// The signs next to which blanks make no difference, where they make one elsewhere.
    alone: Option<&'static [u8]>,
}

impl Layout<'_> {
    /// What is hidden of a text in this language, and the line markers in it, which count as comments.
    fn in_no_node(&self, language: &str) -> Vec<(Range<usize>, bool)> {
        let mut parts: Vec<_> = self.hidden.iter().map(|it| (it.clone(), false)).collect();
        if matches!(language, "c" | "cpp" | "glsl") {
            parts.extend(line_markers(self.text).into_iter().map(|it| (it, true)));
            parts.sort_by_cached_key(|part| part.0.start);
        }
        parts
    }

    /// Where the directive begins that `at` is in, or ends with.
    fn directive_at(&self, at: usize) -> Option<usize> {
        let before = self.directives.partition_point(|it| it.start <= at);
        let last = &self.directives[before.checked_sub(1)?];
        (at < last.end || at == self.text.len()).then_some(last.start)
    }

    /// Where the first line in `start..end` begins.
    fn behind_line(&self, start: usize, end: usize) -> Option<usize> {
        let mut gap = self.text.get(start..end)?.iter();
        let line_end = gap.position(|&byte| byte == b'\n')?;
        Some(start + line_end + 1)
    }

    /// What can go between two tokens: the white space in `start..end` and these comments in it.
    fn cut(&self, start: usize, comments: &[(usize, usize)], end: usize) -> Option<Cut> {
        let text = self.text;
        let gap = text.get(start..end).filter(|gap| !gap.is_empty())?;
        let in_comment = |at: usize| {
            let next = comments.partition_point(|comment| comment.1 <= at);
            comments.get(next).is_some_and(|comment| comment.0 <= at)
        };
        let is_blank = |at: usize| text[at].is_ascii_whitespace() && !in_comment(at);
        if !(start..end).all(|at| is_blank(at) || in_comment(at)) {
            return None;
        }
        let last_line = (start..end)
            .rev()
            .find(|&at| text[at] == b'\n' && !in_comment(at));
        let all = [(start as u32, end as u32), (end as u32, end as u32)];
        let keeping = |at: usize| [(start as u32, at as u32), (at as u32 + 1, end as u32)];
        let is_first = self
            .hidden
            .binary_search_by_key(&start, |it| it.end)
            .is_ok();
        let is_last = self
            .hidden
            .binary_search_by_key(&end, |it| it.start)
            .is_ok();
        let before = start.checked_sub(1).filter(|_| !is_first);
        let before = before.map(|at| text[at]);
        let after = text.get(end).filter(|_| !is_last);
        let (Some(before), Some(&after)) = (before, after) else {
            // Nothing stands before, or nothing behind.
            let kept = last_line.filter(|_| self.is_linewise && before.is_some());
            return Some(kept.map_or(all, keeping));
        };
        // A directive has its line for itself.
        let own_line = self.directive_at(start);
        let directive = own_line.is_some() || after == b'#' && self.directive_at(end).is_some();
        if let Some(last) = last_line.filter(|_| self.is_linewise || directive) {
            if before == b'\n' && directive {
                return Some(all);
            }
            // Blank lines and blanks at the end of a line; and what the next one is indented by.
            let (from, last) = (start as u32, last as u32);
            return match self.is_indented {
                true => (last > from).then_some([(from, last), (last, last)]),
                false => (gap.len() > 1).then(|| keeping(last as usize)),
            };
        }
        let is_ended =
            !matches!(after, b'}' | b'\n') && self.ended_by_line.binary_search(&start).is_ok();
        if let Some(last) = last_line.filter(|_| is_ended) {
            return (gap.len() > 1).then(|| keeping(last));
        }
        let is_value = own_line.is_some_and(|it| names_macro(&text[it..start]));
        if !is_value && !self.keeps_apart(before, after) {
            return Some(all);
        }
        let kept = (start..end).find(|&at| is_blank(at))?;
        (gap.len() > 1).then(|| keeping(kept))
    }

    /// Whether a blank between two characters makes a difference.
    fn keeps_apart(&self, before: u8, after: u8) -> bool {
        match self.alone {
            Some(alone) => !alone.contains(&before) && !alone.contains(&after),
            None => may_merge(before, after),
        }
    }

    /// What goes with a comment: the blanks before it, and its line if nothing else is there.
    fn comment(&self, token: usize, start: usize, end: usize) -> Option<Cut> {
        let text = self.text;
        let blanks = text[token..start].iter().rev();
        let blanks = blanks
            .take_while(|&&byte| matches!(byte, b' ' | b'\t'))
            .count();
        let from = start - blanks;
        let is_line = from == 0 || text[from - 1] == b'\n';
        let ends_line = matches!(text.get(end), None | Some(b'\n'));
        let after = end + usize::from(is_line && text.get(end) == Some(&b'\n'));
        let cut = |start: usize, end: usize| [(start as u32, end as u32), (end as u32, end as u32)];
        if is_line || ends_line {
            let from = if is_line && !ends_line && text[end - 1] != b'\n' {
                start
            } else {
                from
            };
            return Some(cut(from, after));
        }
        let before = from.checked_sub(1).map_or(b' ', |at| text[at]);
        let merges = text
            .get(after)
            .is_some_and(|&after| self.keeps_apart(before, after));
        match blanks {
            0 if merges => None,
            _ if merges => Some(cut(start, after)),
            _ => Some(cut(from, after)),
        }
    }
}

/// Where what has no semicolon ends, but would go on without the end of its line.
fn ended_by_line(text: &[u8], tree: &SyntaxTree) -> Vec<usize> {
    let numbers = 0..tree.nodes().len();
    let kinds = numbers.filter(|&number| ENDED_BY_LINE.contains(&tree.kind(number)));
    let ends = kinds.map(|number| (tree.nodes()[number].start as usize, code_end(tree, number)));
    let ended = ends.filter(|&(start, end)| !text[start..end].ends_with(b";"));
    let mut ends: Vec<usize> = ended.map(|(_, end)| end).collect();
    ends.sort_unstable();
    ends
}

/// Where a node ends without the comments behind it, which may be a part of it.
fn code_end(tree: &SyntaxTree, number: usize) -> usize {
    let last_part = |&of: &usize| {
        let parts = tree.children(of);
        parts.filter(|&part| !is_named_comment(tree, part)).last()
    };
    let last = std::iter::successors(Some(number), last_part).last();
    tree.nodes()[last.unwrap_or(number)].end as usize
}

/// Whether a directive ends in the name of a macro: with a bracket right behind it, it would have
/// parameters, and C (since C99) and GLSL want white space before any other value too.
fn names_macro(directive: &[u8]) -> bool {
    let word = directive[1..].trim_ascii_start();
    let name = word.strip_prefix(b"define").unwrap_or_default();
    let is_word = |byte: &u8| byte.is_ascii_alphanumeric() || *byte == b'_';
    name.first().is_some_and(u8::is_ascii_whitespace) && name.trim_ascii_start().iter().all(is_word)
}

/// Whether two characters could be read as one token.
fn may_merge(before: u8, after: u8) -> bool {
    // PHP's names have `\` in them.
    let is_word =
        |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'$' | b'\\' | 128..);
    // The end of a line may be a token.
    let is_alone = |byte: u8| b"()[]{},;\n".contains(&byte);
    let is_quote = |byte: u8| matches!(byte, b'"' | b'\'' | b'`');
    if is_word(before) {
        return is_word(after) || is_quote(after);
    }
    if is_quote(before) {
        return is_word(after) || is_quote(after);
    }
    !is_alone(before) && !is_alone(after) && !is_word(after) && !is_quote(after)
        || matches!((before, after), (b'.', b'0'..=b'9'))
}

impl Pass<u8> for DeleteLayout {
    fn name(&self) -> &'static str {
        "delete_layout"
    }

    fn step(
        &self,
        target: &Target<u8>,
        chooser: &mut Chooser<'_>,
    ) -> Result<Patch<u8>, DeadBranch> {
        if target.len() > LONGEST_TEXT {
            return Err(DeadBranch);
        }
        let tree = self.0.tree(target);
        let gaps = target.analysis(|target| Gaps::of(target, &self.0, &tree));
        let (kind, first, last) = gaps.runs[chooser.any(0..gaps.runs.len())?];
        let cuts = &gaps.cuts[kind][first as usize..=last as usize];
        let cuts = cuts.iter().flatten().filter(|(start, end)| start < end);
        let patch = Patch::cuts(cuts.map(|&(start, end)| (start as usize, end as usize)));
        if patch.is_empty() {
            Err(DeadBranch)
        } else {
            Ok(patch)
        }
    }

    fn is_for_chaos(&self) -> bool {
        false
    }

    fn is_taken_at_once(&self) -> bool {
        true
    }

    fn rank(&self) -> u8 {
        9
    }
}

#[cfg(test)]
mod tests {
    use crate::explain::reductions;
    use crate::languages::find;

    #[test]
    fn a_name_that_begins_with_a_backslash_stays_apart() {
        if find("php").is_some() {
            let seen = reductions("delete_layout", "php", "<?php class A extends \\B { }\n");
            assert_eq!(seen[0], "<?php class A extends \\B{}");
        }
    }

    #[test]
    fn line_markers_are_layout() {
        let text = "# 1 \"a\"\nusing b =\n# 2 \"a\" 3\n int ;\n# 4 \"a\"\nint c ;\n";
        let seen = reductions("delete_layout", "cpp", text);
        assert_eq!(seen[0], "using b=int;int c;");
        let with_markers = "# 1 \"a\"\nusing b=\n# 2 \"a\" 3\nint;\n# 4 \"a\"\nint c;";
        assert!(seen.contains(&with_markers.to_owned()), "{seen:#?}");
        let text = "auto a = R\"(\n# 1 \"b\"\n)\" ;\n";
        let seen = reductions("delete_layout", "cpp", text);
        assert_eq!(seen[0], "auto a=R\"(\n# 1 \"b\"\n)\";");
    }

    #[test]
    fn statements_without_semicolons_keep_the_ends_of_their_lines() {
        let text = "a ( )\n\n  b = {\n c : 1 }\nfunction d ( ) {\n  return 1\n}\n e ( ) ;\nf ( )\n";
        let expected = "a()\nb={c:1}\nfunction d(){return 1}e();f()";
        let seen = reductions("delete_layout", "javascript", text);
        assert!(seen.contains(&expected.to_owned()), "{seen:?}");
    }

    #[test]
    fn statements_before_comments_keep_the_ends_of_their_lines_too() {
        if find("typescript").is_some() {
            let text = "a ( ) // one\nb ( ) /* two */\n/* three */ c ( )\n";
            let seen = reductions("delete_layout", "typescript", text);
            assert_eq!(seen[0], "a()\nb()\nc()");
            let text = "interface A {\n  ( ) : B // one\n\n  <C> ( ) : D\n}\n";
            let seen = reductions("delete_layout", "typescript", text);
            assert_eq!(seen[0], "interface A{():B\n<C>():D}");
        }
    }

    #[test]
    fn a_very_long_text_is_left_to_others() {
        let text = "int a ;\n".repeat(super::LONGEST_TEXT / 8 + 1);
        assert!(reductions("delete_layout", "c", &text).is_empty());
    }

    #[test]
    fn a_little_layout_in_a_long_text_waits() {
        let text = "int a;".repeat(super::LEAST_SHARE);
        let little = format!("{text} int b; ");
        assert!(reductions("delete_layout", "c", &little).is_empty());
        let enough = format!("{text}     int  b ; ");
        assert!(!reductions("delete_layout", "c", &enough).is_empty());
    }

    #[test]
    fn a_comment_that_says_a_type_stays_where_it_may_be_one_for_a_checker() {
        let seen = reductions("delete_layout", "python", "a = b  # type: c\n");
        assert_eq!(seen[0], "a=b# type: c\n");
        let seen = reductions(
            "delete_layout",
            "javascript",
            "a ( {\n// type: 'b',\nc } ) ;\n",
        );
        assert_eq!(seen[0], "a({c});");
    }

    #[test]
    fn a_comment_that_stays_keeps_its_line_before_one_that_goes() {
        let text = "a ( ) ;\n// @ts-ignore\n// one\nb ( ) ;\n";
        let seen = reductions("delete_layout", "javascript", text);
        assert_eq!(seen[0], "a();// @ts-ignore\nb();");
    }

    #[test]
    fn macros_keep_their_form() {
        let text = "#define A  (1)\n#define B(a)  (a)\n#define C a; \\\n  b;\n\nint c ;\n";
        let seen = reductions("delete_layout", "c", text);
        let expected = "#define A (1)\n#define B(a)(a)\n#define C a; \\\n  b;\nint c;";
        assert!(seen.contains(&expected.to_owned()), "{seen:?}");
    }

    #[test]
    fn a_blank_stays_between_a_macro_and_a_value_that_begins_with_a_sign() {
        for language in ["c", "glsl"] {
            if find(language).is_some() {
                let seen = reductions("delete_layout", language, "#define A  -  2\nint b = A ;\n");
                assert!(seen[0].starts_with("#define A -"), "{language}: {seen:?}");
                assert!(seen[0].ends_with("\nint b=A;"), "{language}: {seen:?}");
            }
        }
    }

    #[test]
    fn comments_that_tools_read_stay() {
        let text = "a ( ) ; // one\n // @ts-ignore\n b ( ) ; /* @__PURE__ */ c ( ) ;\n";
        let seen = reductions("delete_layout", "typescript", text);
        let expected = "a();// @ts-ignore\nb();/* @__PURE__ */c();";
        assert!(seen.contains(&expected.to_owned()), "{seen:?}");
        let text = "package a\n\n//go:noinline\nfunc  f() {} // one\n";
        let seen = reductions("delete_layout", "go", text);
        assert_eq!(seen[0], "package a\n//go:noinline\nfunc f(){}\n");
    }

    #[test]
    fn lines_that_count_are_not_indented_where_that_does_not() {
        for (language, text, expected) in [
            (
                "lua",
                "if a then\n\n    b ( 1 )\nend",
                "if a then\nb(1)\nend",
            ),
            ("python", "if a :\n\n    b ( 1 )\n", "if a:\n    b(1)\n"),
        ] {
            assert_eq!(reductions("delete_layout", language, text)[0], expected);
        }
    }

    #[test]
    fn what_documents_a_body_stays_where_nothing_else_is_in_it() {
        let text =
            "def a():\n    \"\"\"b\"\"\"  # c\ndef d():\n    \"\"\"e\"\"\"\n    # f\n    g()\n";
        let expected = "def a():\n    \"\"\"b\"\"\"\ndef d():\n    g()\n";
        assert_eq!(reductions("delete_layout", "python", text)[0], expected);
    }

    #[test]
    fn ruby_keeps_blanks_that_tell_operators_from_names() {
        if find("ruby").is_some() {
            let text = "a = b ? c : 1 ; d << e\n\n  f(-1 , [ 2 ])\n";
            let expected = "a = b ? c : 1;d << e\nf(-1,[ 2])\n";
            assert_eq!(reductions("delete_layout", "ruby", text)[0], expected);
        }
    }

    #[test]
    fn a_line_comment_that_stays_keeps_its_line() {
        let seen = reductions("delete_layout", "c", "int a; // (b)\n  int c;\n");
        assert!(
            seen.contains(&"int a;// (b)\nint c;".to_owned()),
            "{seen:?}"
        );
    }
}
