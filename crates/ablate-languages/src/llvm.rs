//! LLVM's intermediate code as its grammar can read it, which is for releases of some years ago. Words that
//! it does not know are attributes and flags, and make way for blanks; values, types and operations of
//! later releases, for others; and a record of debug information (`#dbg_value`) is read as one more
//! instruction, which computes nothing. Says nothing of errors.

use std::collections::HashSet;
use std::ops::Range;

use crate::language::Language;
use crate::readable::{Readable, Rewriter, blanks};

/// What begins the name of a calling convention, or a type, of which the grammar knows more than are listed.
const OPEN: &[&[u8]] = &[
    b"x86_",
    b"arm_",
    b"aarch64_",
    b"msp430_",
    b"avr_",
    b"ptx_",
    b"spir_",
    b"intel_",
    b"win",
    b"webkit_",
    b"swift",
    b"hhvm",
    b"cxx_",
    b"amdgpu_",
];
/// What the grammar knows in `memory(…)`.
const MEMORY: &[&[u8]] = &[
    b"none",
    b"read",
    b"write",
    b"readwrite",
    b"argmem:",
    b"inaccessiblemem:",
];
/// Flags of operations on floating-point numbers.
const FAST: &[&[u8]] = &[
    b"nnan",
    b"ninf",
    b"nsz",
    b"arcp",
    b"contract",
    b"afn",
    b"reassoc",
    b"fast",
];
/// Any value, type, cast, and operation that an atomic instruction can do.
const VALUE: &[u8] = b"undef";
const TYPE: &[u8] = b"ptr";
const CAST: &[u8] = b"ptrtoint";
const OPERATION: &[u8] = b"add";
/// Around the values of a record, for it to be read as an instruction.
const RECORD: (&[u8], &[u8]) = (b"store i1 {", b", ptr");

/// The end of longer brackets is not looked for: where there is none, each would be read to the end of the text.
const LONGEST_BRACKETS: usize = 4096;

/// The text as the grammar can read it; `None` if there is nothing to change.
pub(crate) fn readable_llvm(language: &Language, text: &[u8]) -> Option<Readable> {
    let mut reader = Reader {
        text,
        known: &language.facts().words,
        rewriter: Rewriter::of(text),
    };
    reader.read(0..text.len());
    reader.rewriter.finished()
}

struct Reader<'a> {
    text: &'a [u8],
    /// The words that the grammar knows.
    known: &'a HashSet<Box<[u8]>>,
    rewriter: Rewriter<'a>,
}

impl Reader<'_> {
    fn read(&mut self, range: Range<usize>) {
        let text = &self.text[..range.end];
        let mut at = range.start;
        // The operation that is to be done, while nothing but its flags were read.
        let mut operation: &[u8] = b"";
        while at < text.len() {
            let rest = &text[at..];
            if rest[0].is_ascii_whitespace() {
                at += 1;
                continue;
            }
            let record = rest.strip_prefix(b"#dbg_").map(|rest| 5 + name(rest));
            let record = record.map(|open| (at + open, brackets(&rest[open..])));
            if let Some((open, len)) = record.filter(|record| record.1 > 0) {
                self.read_record(at..open + len, open);
                (at, operation) = (open + len, b"");
                continue;
            }
            let len = passed(text, at);
            if len > 0 {
                (at, operation) = (at + len, b"");
                continue;
            }
            let word = &rest[..name(rest)];
            let end = at + word.len();
            // What stands in brackets right behind it, or at all.
            let arguments = end + brackets(&text[end..]);
            let group = || {
                let group = end + blanks(&text[end..]);
                group + brackets(&text[group..])
            };
            let other: Option<(usize, &[u8])> = match word {
                _ if is_flag(operation, word) => Some((end, b"")),
                b"splat" | b"ptrauth" => Some((group(), VALUE)),
                b"target" if arguments > end => Some((arguments, TYPE)),
                b"ptrtoaddr" => Some((end, CAST)),
                b"memory" if !is_known_memory(&text[end..arguments]) => Some((arguments, b"")),
                _ if self.known.contains(word) || is_open(word) => None,
                _ if operation == b"atomicrmw" && word.len() >= OPERATION.len() => {
                    Some((end, OPERATION))
                }
                _ => Some((arguments, b"")),
            };
            let Some((end, other)) = other else {
                at = end;
                if !matches!(word, b"inbounds" | b"volatile") {
                    operation = word;
                }
                continue;
            };
            match other {
                b"" => self.rewriter.leave_out(at..end),
                other => self.rewriter.replace(at, end - at, other),
            }
            at = end;
        }
    }

    /// Reads a record, of which the brackets open at `open`, as an instruction; only its values are
    /// operands.
    fn read_record(&mut self, record: Range<usize>, open: usize) {
        let text = self.text;
        self.rewriter.put_in(record.start, RECORD.0);
        let (mut at, close) = (open + 1, record.end - 1);
        // The end of the last value.
        let mut last = None;
        while at < close {
            let end = at + argument(&text[at..close]);
            let start = at + blanks(&text[at..end]);
            at = end + 1;
            let values = match text[start..end].strip_prefix(b"!DIArgList(") {
                Some(list) => end - list.len()..end - usize::from(list.ends_with(b")")),
                None => start..end,
            };
            if values.is_empty() || text[values.start] == b'!' {
                continue;
            }
            let from = last.replace(values.end).unwrap_or(record.start);
            // One comma stays between two of them.
            let between = &text[from..values.start];
            let comma = between.iter().rposition(|byte| *byte == b',');
            let comma = comma.filter(|_| from > record.start);
            let kept = comma.map_or(values.start, |comma| from + comma);
            self.leave_out(from..kept);
            self.leave_out((kept + 1).min(values.start)..values.start);
            self.read(values);
        }
        self.leave_out(last.unwrap_or(record.start)..close);
        self.rewriter.replace(close, 1, b"}");
        self.rewriter.put_in(record.end, RECORD.1);
    }

    /// Leaves out a part of a record, but knows the metadata that is named there.
    fn leave_out(&mut self, part: Range<usize>) {
        let mut at = part.start;
        while at < part.end {
            let len = name(&self.text[at + 1..part.end]);
            if self.text[at] == b'!' && len > 0 {
                self.rewriter.add_name(at..at + 1 + len);
                at += len;
            }
            at += 1;
        }
        self.rewriter.leave_out(part);
    }
}

/// Whether the grammar does not know a word behind these operations.
fn is_flag(operation: &[u8], word: &[u8]) -> bool {
    match operation {
        b"getelementptr" => matches!(word, b"nuw" | b"nusw" | b"nsw"),
        b"trunc" => matches!(word, b"nuw" | b"nsw"),
        b"fptrunc" | b"fpext" | b"uitofp" | b"sitofp" => FAST.contains(&word),
        _ => false,
    }
}

/// Whether the grammar knows all words in the brackets of `memory(…)`.
fn is_known_memory(brackets: &[u8]) -> bool {
    let mut words = brackets.split(|byte| b" ,()".contains(byte));
    words.all(|word| word.is_empty() || MEMORY.contains(&word))
}

/// Whether the grammar knows a word that it does not list.
fn is_open(word: &[u8]) -> bool {
    let number = word.strip_prefix(b"i").unwrap_or_default();
    let is_integer = !number.is_empty() && number.iter().all(u8::is_ascii_digit);
    is_integer || OPEN.iter().any(|prefix| word.starts_with(prefix))
}

/// The length of what stands at `at` and is no word: a name, a number, a string, a comment, a label, a line of
/// metadata, or a sign.
fn passed(text: &[u8], at: usize) -> usize {
    let rest = &text[at..];
    let is_line_start = at == 0 || text[at - 1] == b'\n';
    match rest[0] {
        b';' => line(rest),
        b'!' | b'^' if is_line_start => line(rest),
        b'"' => string(rest),
        b'!' if rest[1..].starts_with(b"\"") => 1 + string(&rest[1..]),
        b'!' => {
            let len = 1 + name(&rest[1..]);
            len + if len > 1 { brackets(&rest[len..]) } else { 0 }
        }
        b'%' | b'@' | b'$' | b'#' | b'^' => {
            1 + match rest.get(1) {
                Some(b'"') => string(&rest[1..]),
                _ => name(&rest[1..]),
            }
        }
        b'0'..=b'9' | b'+' | b'-' => name(&rest[1..]) + 1,
        _ => match (name(rest), rest.get(name(rest))) {
            (0, _) => 1,
            // A label, or a string with its prefix.
            (len, Some(b':')) => len + 1,
            (1, Some(b'"')) => 1 + string(&rest[1..]),
            _ => 0,
        },
    }
}

/// The length of the name that a text starts with, or of a word or a number.
fn name(text: &[u8]) -> usize {
    let is_name = |byte: &&u8| byte.is_ascii_alphanumeric() || b"-$._\\".contains(byte);
    text.iter().take_while(is_name).count()
}

fn line(text: &[u8]) -> usize {
    let end = text.iter().position(|&byte| byte == b'\n');
    end.unwrap_or(text.len())
}

/// The length of the string that a text starts with.
fn string(text: &[u8]) -> usize {
    let end = text.iter().skip(1).position(|&byte| byte == b'"');
    end.map_or(text.len(), |end| end + 2)
}

/// The length of the brackets that a text starts with, and of what is in them; 0 if there are none.
fn brackets(text: &[u8]) -> usize {
    if !text.starts_with(b"(") {
        return 0;
    }
    let text = &text[..text.len().min(LONGEST_BRACKETS)];
    let end = 1 + end_within(&text[1..], b")");
    if end < text.len() { end + 1 } else { 0 }
}

/// The length of the argument that a text starts with, up to its comma.
fn argument(text: &[u8]) -> usize {
    end_within(text, b",")
}

/// Where one of these signs comes first that is in no brackets and in no string.
fn end_within(text: &[u8], signs: &[u8]) -> usize {
    let (mut depth, mut at) = (0_usize, 0);
    while at < text.len() {
        match text[at] {
            b'"' => at += string(&text[at..]) - 1,
            byte if depth == 0 && signs.contains(&byte) => return at,
            b'(' | b'[' | b'{' => depth += 1,
            b')' | b']' | b'}' => depth = depth.saturating_sub(1),
            _ => {}
        }
        at += 1;
    }
    text.len()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::languages::find;
    use crate::readable::tests::check_in;

    fn check(text: &str, expected: &str) {
        check_in("llvm", text, expected);
    }

    #[test]
    fn attributes_that_the_grammar_does_not_know_are_left_out() {
        check(
            "define range(i32 0, 2) i32 @range(ptr captures(none) %captures, i8) nofuture(1) #0 {",
            "define                 i32 @range(ptr                %captures, i8)             #0 {",
        );
        check(
            "attributes #0 = { nounwind memory(argmem: read, errnomem: none) \"nofuture\" }",
            "attributes #0 = { nounwind                                      \"nofuture\" }",
        );
        check(
            "attributes #0 = { memory(argmem: read) uwtable(sync) alignstack(4) }",
            "attributes #0 = { memory(argmem: read) uwtable(sync) alignstack(4) }",
        );
        check("@a = global i8 0, nofuture", "@a = global i8 0,         ");
    }

    #[test]
    fn flags_of_operations_that_had_none_are_left_out() {
        check(
            "%a = getelementptr inbounds nuw i8, ptr %b, i64 1",
            "%a = getelementptr inbounds     i8, ptr %b, i64 1",
        );
        check(
            "%a = trunc nuw nsw i64 %nuw to i32",
            "%a = trunc         i64 %nuw to i32",
        );
        check(
            "%a = icmp samesign ult i64 %b, 1",
            "%a = icmp          ult i64 %b, 1",
        );
        check(
            "%a = fpext fast float %b to double",
            "%a = fpext      float %b to double",
        );
        check("%a = add nuw nsw i64 %b, 1", "%a = add nuw nsw i64 %b, 1");
    }

    #[test]
    fn later_values_types_and_operations_make_way_for_others() {
        check(
            "%a = mul <2 x i8> %b, splat (i8 3)",
            "%a = mul <2 x i8> %b, undef       ",
        );
        check(
            "%a = atomicrmw volatile uinc_wrap ptr %b, i32 1 seq_cst",
            "%a = atomicrmw volatile add       ptr %b, i32 1 seq_cst",
        );
        check(
            "call void @a(target(\"spirv.Image\", float, 0) %b)",
            "call void @a(ptr                             %b)",
        );
        check(
            "%a = ptrtoaddr ptr %b to i64",
            "%a = ptrtoint  ptr %b to i64",
        );
    }

    #[test]
    fn records_of_debug_information_are_instructions_with_their_values() {
        let check = |text: &str, expected: &str| {
            let readable = readable_llvm(find("llvm").unwrap(), text.as_bytes()).unwrap();
            let read = String::from_utf8(readable.text).unwrap();
            assert_eq!(
                read.len(),
                text.len() + RECORD.0.len() + RECORD.1.len(),
                "{read}"
            );
            let words: Vec<&str> = read.split_whitespace().collect();
            assert_eq!(words.join(" "), expected);
        };
        check(
            "#dbg_value(i32 %a, !1, !DIExpression(), !2)",
            "store i1 { i32 %a }, ptr",
        );
        check(
            "#dbg_assign(i8 1, !1, !DIExpression(a, 2), !3, ptr %b, !DIExpression(), !2)",
            "store i1 { i8 1 , ptr %b }, ptr",
        );
        check(
            "#dbg_value(!DIArgList(i8 %a, ptr getelementptr nuw (i8, ptr @b, i8 1)), !1, !4, !2)",
            "store i1 { i8 %a, ptr getelementptr (i8, ptr @b, i8 1) }, ptr",
        );
        check("#dbg_label(!1, !2)", "store i1 { }, ptr");
        let text = "  #dbg_value(i32 %a, !12, !4, !2)\n  ret void";
        let readable = readable_llvm(find("llvm").unwrap(), text.as_bytes()).unwrap();
        let name = |name: &(u32, u32)| &text[name.0 as usize..name.1 as usize];
        let names: Vec<&str> = readable.names.iter().map(name).collect();
        assert_eq!(names, ["!12", "!4", "!2"]);
        let behind = readable.text.len() - "\n  ret void".len();
        assert_eq!(readable.position(behind as u32), 33);
    }

    #[test]
    fn other_texts_stay_as_they_are() {
        for text in [
            "; nofuture\nsource_filename = \"nofuture\"\n",
            "!0 = !DIBasicType(name: \"a\", encoding: DW_ATE_signed)\n",
            "%a = call i32 @b(), !dbg !DILocation(line: 1, scope: !0)",
            "@a = constant [2 x i8] c\"a\\00\"\n@nofuture = global double 0x3FF0000000000000\n",
            "define amdgpu_kernel void @a() {\nnofuture:\n  br label %nofuture\n}",
            "%1 = fadd double %0, -1.500000e+00",
            "#dbg_value(",
            "\"",
            "!",
        ] {
            check(text, text);
        }
    }
}
