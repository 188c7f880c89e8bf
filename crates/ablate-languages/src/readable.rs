//! Texts as their grammars can read them: what a grammar does not know, such as GNU's extensions of
//! C++, makes way for blanks or for other words of the same length, so that all positions stay; or
//! what it misses is put in, and known to have been.

use std::ops::Range;

use crate::conditionals::{conditionals, line_markers};
use crate::kotlin;
use crate::language::Language;
use crate::llvm::readable_llvm;
use crate::sql::readable_sql;
use crate::typescript::{Unread, unread};
use crate::verilog::readable_verilog;
use crate::wgsl::readable_wgsl;

/// A text that is easier to parse than the one that it stands for.
#[derive(Debug)]
pub(crate) struct Readable {
    pub text: Vec<u8>,
    /// What was left out, in the order of the text, that belongs to what stands behind it.
    pub prefixes: Vec<(u32, u32)>,
    /// What else was left out that stands for itself, in the order of the text.
    pub left_out: Vec<(u32, u32)>,
    /// Names that were left out, in the order of the text.
    pub names: Vec<(u32, u32)>,
    /// Where something was put in that the original has not, in the order of the text, and how much
    /// before.
    pub insertions: Vec<(Range<u32>, u32)>,
    /// Where in this text a shorter word ends that stands for another one, and where that one does, in the
    /// order of the text.
    pub words: Vec<(u32, u32)>,
}

impl Readable {
    /// A text that is read as it is.
    pub fn plain(text: Vec<u8>) -> Readable {
        Readable {
            text,
            prefixes: Vec::new(),
            left_out: Vec::new(),
            names: Vec::new(),
            insertions: Vec::new(),
            words: Vec::new(),
        }
    }

    /// Where what ends at `end` ends with all of the last word that it stands for.
    pub fn end_of_word(&self, end: u32) -> u32 {
        let word = self.words.binary_search_by_key(&end, |word| word.0);
        word.map_or(end, |word| self.words[word].1)
    }

    /// Where in the original is what stands at `at`.
    pub fn position(&self, at: u32) -> u32 {
        let before = self
            .insertions
            .partition_point(|(range, _)| range.start < at);
        let last = before.checked_sub(1).map(|last| &self.insertions[last]);
        last.map_or(at, |(range, before)| {
            at - before - (range.end.min(at) - range.start)
        })
    }
}

/// The text as the grammar of `language` can read it; `None` if there is nothing to change.
pub(crate) fn readable(language: &Language, text: &[u8]) -> Option<Readable> {
    match language.name {
        "c" | "cpp" | "glsl" => readable_c(language, text),
        "c-sharp" => readable_c_sharp(language, text),
        "kotlin" => readable_kotlin(language, text),
        "llvm" => readable_llvm(language, text),
        "sql" => readable_sql(text),
        "typescript" | "tsx" => readable_typescript(language, text),
        "verilog" => readable_verilog(language, text),
        "wgsl" => readable_wgsl(text),
        _ => None,
    }
}

/// Conditional parts may be anything, in an array as well as among the statements. What a pointer that is cast
/// points to is as good as another value with a sign, cast to no pointer.
fn readable_c_sharp(language: &Language, text: &[u8]) -> Option<Readable> {
    let mut reader = Reader::new(language, text);
    for part in conditionals(text, true) {
        reader.leave_out_part(part.start, part.end);
    }
    let stars = text.iter().enumerate().filter(|(_, byte)| **byte == b'*');
    for (at, _) in stars {
        let behind = &text[at + 1..];
        if behind.starts_with(b"(") && is_prefix(&text[..at]) {
            reader.replace(at, b'-');
        } else if matches!(behind, [b')', ..] | [b'*', b')', ..]) {
            let before = text[..at].trim_ascii_end();
            let is_type = |byte: &u8| word(&[*byte]) > 0 || matches!(byte, b'*' | b'.' | b'>');
            if before.last().is_some_and(is_type) {
                reader.leave_out(at, at + 1);
            }
        }
    }
    let readable = reader.readable;
    (!readable.text.is_empty()).then_some(readable)
}

/// Whether a sign behind this text stands before a value, and not between two.
fn is_prefix(before: &[u8]) -> bool {
    let before = before.trim_ascii_end();
    let is_open = |byte: &u8| b"(,;={}?:&|<>+-!".contains(byte);
    before.last().is_some_and(is_open) || before.ends_with(b"return")
}

fn readable_kotlin(language: &Language, text: &[u8]) -> Option<Readable> {
    let mut reader = Reader::new(language, text);
    let unread = kotlin::unread(text);
    for (at, byte) in unread.bytes {
        reader.replace(at, byte);
    }
    for (name, Range { start, end }) in unread.arguments {
        // With its arguments the name is none.
        reader.add_names(name, start);
        reader.add_names(start, end);
        reader.leave_out(start, end);
        let word = (start as u32, end as u32);
        reader.readable.words.push(word);
    }
    for Range { start, end } in unread.prefixes {
        reader.add_names(start, end);
        reader.leave_out_prefix(start, end);
    }
    for Range { start, end } in unread.conditions {
        reader.add_names(start, end);
        reader.leave_out(start, end);
    }
    reader.readable.names.sort_unstable();
    let readable = reader.readable;
    (!readable.text.is_empty()).then_some(readable)
}

/// The end of a line that ends a signature is as good as a semicolon.
fn readable_typescript(language: &Language, text: &[u8]) -> Option<Readable> {
    let mut reader = Reader::new(language, text);
    let Unread { variances, ends } = unread(text);
    for variance in variances {
        reader.leave_out_prefix(variance.start, variance.end);
    }
    for end in ends {
        reader.replace(end, b';');
    }
    let readable = reader.readable;
    (!readable.text.is_empty()).then_some(readable)
}

fn readable_c(language: &Language, text: &[u8]) -> Option<Readable> {
    let mut reader = Reader::new(language, text);
    let mut left_out = conditionals(text, false).into_iter().peekable();
    // In the middle of a declaration the grammar knows none.
    let mut markers = line_markers(text).into_iter().peekable();
    let mut at = 0;
    while at < text.len() {
        if let Some(marker) = markers.next_if(|marker| marker.start <= at) {
            if marker.start == at {
                at = marker.end;
                reader.leave_out_line(marker);
            }
            continue;
        }
        if let Some(range) = left_out.next_if(|range| range.start <= at) {
            reader.leave_out_part(range.start, range.end);
            at = at.max(range.end);
            continue;
        }
        let len = word(&text[at..]);
        if len > 0 {
            at = reader.read(at, at + len);
        } else {
            if !text[at].is_ascii_whitespace() {
                reader.last = text[at];
                reader.before = (b"", b"");
            }
            at += 1;
        }
    }
    let readable = reader.readable;
    (!readable.text.is_empty()).then_some(readable)
}

/// A text that is taken over from its beginning to its end, but for what is changed.
pub(crate) struct Rewriter<'a> {
    text: &'a [u8],
    /// How much of the text has been taken over.
    copied: usize,
    readable: Readable,
}

impl<'a> Rewriter<'a> {
    pub fn of(text: &'a [u8]) -> Rewriter<'a> {
        Rewriter {
            text,
            copied: 0,
            readable: Readable::plain(Vec::new()),
        }
    }

    fn copy_to(&mut self, at: usize) {
        let part = &self.text[self.copied..at];
        self.readable.text.extend_from_slice(part);
        self.copied = at;
    }

    /// Puts something in that the text has not.
    pub fn put_in(&mut self, at: usize, missing: &[u8]) {
        self.copy_to(at);
        let start = self.readable.text.len() as u32;
        self.readable.text.extend_from_slice(missing);
        let range = start..self.readable.text.len() as u32;
        self.readable.insertions.push((range, start - at as u32));
    }

    /// Puts a shorter word in the place of the one of `len` bytes at `at`, or lets one that was put in stand
    /// for it.
    pub fn replace(&mut self, at: usize, len: usize, other: &[u8]) {
        self.copy_to(at);
        self.readable.text.extend_from_slice(other);
        let end = self.readable.text.len() as u32;
        let blanks = std::iter::repeat_n(b' ', len - other.len());
        self.readable.text.extend(blanks);
        self.copied = at + len;
        let word = (end, self.readable.text.len() as u32);
        self.readable.words.push(word);
    }

    /// Leaves blanks in its place.
    pub fn leave_out(&mut self, range: Range<usize>) {
        self.copy_to(range.start);
        let blank = |byte: &u8| if *byte == b'\n' { b'\n' } else { b' ' };
        let blanks = self.text[range.clone()].iter().map(blank);
        self.readable.text.extend(blanks);
        self.copied = range.end;
    }

    /// Leaves out what belongs to what stands behind it.
    pub fn leave_out_prefix(&mut self, range: Range<usize>) {
        let prefix = (range.start as u32, range.end as u32);
        self.readable.prefixes.push(prefix);
        self.leave_out(range);
    }

    /// Leaves out what stands for itself.
    pub fn leave_out_part(&mut self, range: Range<usize>) {
        let part = (range.start as u32, range.end as u32);
        self.readable.left_out.push(part);
        self.add_names(range.clone());
        self.leave_out(range);
    }

    /// Says that there are names which the tree has not.
    pub fn add_names(&mut self, range: Range<usize>) {
        let text = self.text;
        self.readable.names.extend(names_in(text, range));
    }

    /// Says that there is a name in what is left out.
    pub fn add_name(&mut self, name: Range<usize>) {
        let range = (name.start as u32, name.end as u32);
        self.readable.names.push(range);
    }

    /// The text as it can be read; `None` if nothing was changed.
    pub fn finished(mut self) -> Option<Readable> {
        let is_changed = self.copied > 0 || !self.readable.insertions.is_empty();
        self.copy_to(self.text.len());
        is_changed.then_some(self.readable)
    }
}

struct Reader<'a> {
    is_cxx: bool,
    is_glsl: bool,
    text: &'a [u8],
    readable: Readable,
    /// The two words before, if nothing else stands between.
    before: (&'a [u8], &'a [u8]),
    /// The last byte that is not blank.
    last: u8,
}

impl<'a> Reader<'a> {
    fn new(language: &Language, text: &'a [u8]) -> Reader<'a> {
        Reader {
            is_cxx: language.name == "cpp",
            is_glsl: language.name == "glsl",
            readable: Readable::plain(Vec::new()),
            text,
            before: (b"", b""),
            last: 0,
        }
    }

    /// Reads the word `start..end` and says where to go on.
    fn read(&mut self, start: usize, end: usize) -> usize {
        let text = self.text;
        let after = end + blanks(&text[end..]);
        let next = &text[after..after + word(&text[after..])];
        let of_this = &text[start..end];
        match of_this {
            b"highp" | b"mediump" | b"lowp" if self.is_glsl && self.before.1 != b"precision" => {
                self.leave_out_prefix(start, end);
                return end;
            }
            b"const" if self.is_glsl && matches!(next, b"in" | b"highp" | b"mediump" | b"lowp") => {
                self.leave_out_prefix(start, end);
                return end;
            }
            b"__extension__" => {
                self.leave_out_prefix(start, end);
                return end;
            }
            // A default is a type of its own for the grammar, without what qualifies it.
            b"const" if self.is_cxx && self.last == b'=' => {
                self.leave_out_prefix(start, end);
                return end;
            }
            b"consteval" if self.is_cxx => {
                let head = text[..start].trim_ascii_end();
                let bare = head.strip_suffix(b"!").unwrap_or(head).trim_ascii_end();
                if bare.ends_with(b"if") {
                    // What it asks is no expression.
                    self.leave_out(bare.len(), end);
                    self.readable.text[start..start + 6].copy_from_slice(b"(true)");
                }
            }
            b"typename" if self.is_cxx && self.before.1 == b"return" => {
                self.leave_out_prefix(start, end);
                return end;
            }
            b"extern" if self.is_cxx && next == b"template" => {
                self.leave_out_prefix(start, end);
                return end;
            }
            b"friend" if self.is_cxx => {
                if next == b"constexpr" {
                    self.leave_out(after, after + next.len());
                }
                if let Some(attribute) = attribute_before(&text[..start]) {
                    self.leave_out(attribute.start, attribute.end);
                    let attribute = (attribute.start as u32, attribute.end as u32);
                    self.readable.prefixes.push(attribute);
                }
            }
            b"void" if self.is_cxx && self.last == b',' => {
                // An expression that is no value, among others.
                let call = text[after..].starts_with(b"()");
                let behind = after + 2 + blanks(text.get(after + 2..).unwrap_or_default());
                if call && text.get(behind) == Some(&b',') {
                    self.leave_out(start, after + 2);
                    self.readable.text[start] = b'0';
                    return after + 2;
                }
            }
            b"__attribute__" | b"__attribute" => {
                let close = after + brackets(&text[after..]);
                let rest = &text[close..];
                let is_misplaced = match self.is_cxx {
                    true => self.is_out_of_place() || is_at_end(rest),
                    false => rest.trim_ascii_start().starts_with(b"="),
                };
                if close > after && is_misplaced {
                    self.leave_out(start, close);
                    return close;
                }
            }
            b"operator" if self.is_cxx && self.is_in_object(start) => {
                // In an object the grammar knows names only.
                let sign = sign(&text[after..]);
                if sign > 0 && after == end {
                    self.leave_out(after, after);
                    self.readable.text[after..after + sign].fill(b'_');
                    self.last = b'_';
                    return after + sign;
                }
            }
            b"__typeof__" | b"__typeof" | b"__decltype" if self.is_cxx => {
                self.leave_out(start, end);
                self.readable.text[start..start + 8].copy_from_slice(b"decltype");
            }
            _ if self.is_cxx && text[after..].starts_with(b"::") => {
                let behind = after + 2 + blanks(&text[after + 2..]);
                if text.get(behind) == Some(&b'*') && self.last != b':' {
                    self.readable.names.push((start as u32, end as u32));
                    self.leave_out(start, after + 2);
                }
            }
            _ => {}
        }
        self.before = (self.before.1, of_this);
        self.last = text[end - 1];
        end
    }

    /// Whether the word at `start` is a name in an object: of `a.b` or `a->b`.
    fn is_in_object(&self, start: usize) -> bool {
        let before = self.text[..start].trim_ascii_end();
        before.ends_with(b"->") || before.ends_with(b".") && !before.ends_with(b"..")
    }

    /// Whether the grammar expects no attribute here.
    fn is_out_of_place(&self) -> bool {
        matches!(self.last, b'}' | b'*' | b'&')
            || matches!(self.before.0, b"namespace" | b"using")
            || self.before.1 == b"namespace"
    }

    /// Leaves out what belongs to what stands behind it.
    fn leave_out_prefix(&mut self, start: usize, end: usize) {
        self.leave_out(start, end);
        self.readable.prefixes.push((start as u32, end as u32));
    }

    /// Leaves out what stands for itself.
    fn leave_out_part(&mut self, start: usize, end: usize) {
        self.readable.left_out.push((start as u32, end as u32));
        self.add_names(start, end);
        self.leave_out(start, end);
    }

    /// Says that there are names which the tree has not.
    fn add_names(&mut self, start: usize, end: usize) {
        let text = self.text;
        self.readable.names.extend(names_in(text, start..end));
    }

    /// Leaves out a line that stands for itself, and names nothing. Its ends stay with it.
    fn leave_out_line(&mut self, line: Range<usize>) {
        let before = self.text[..line.start].ends_with(b"\n");
        let behind = self.text[line.end..].starts_with(b"\n");
        let with_ends = line.start - usize::from(before)..line.end + usize::from(behind);
        let with_ends = (with_ends.start as u32, with_ends.end as u32);
        self.readable.left_out.push(with_ends);
        self.leave_out(line.start, line.end);
    }

    /// Puts another byte in the place of the one at `at`.
    fn replace(&mut self, at: usize, byte: u8) {
        self.leave_out(at, at);
        self.readable.text[at] = byte;
    }

    fn leave_out(&mut self, start: usize, end: usize) {
        if self.readable.text.is_empty() {
            self.readable.text = self.text.to_vec();
        }
        for byte in &mut self.readable.text[start..end] {
            if *byte != b'\n' {
                *byte = b' ';
            }
        }
    }
}

/// The words in a part of a text that are no numbers.
fn names_in(text: &[u8], range: Range<usize>) -> impl Iterator<Item = (u32, u32)> {
    let mut at = range.start;
    std::iter::from_fn(move || {
        while at < range.end {
            let start = at;
            let len = word(&text[at..range.end]);
            at += len.max(1);
            if len > 0 && !text[start].is_ascii_digit() {
                return Some((start as u32, at as u32));
            }
        }
        None
    })
}

/// Whether a text begins with what ends a declarator, but not its declaration.
fn is_at_end(text: &[u8]) -> bool {
    matches!(text[blanks(text)..], [b'=' | b',' | b')', ..])
}

/// The length of the name of an operator, without its word, that a call of it begins with.
fn sign(text: &[u8]) -> usize {
    if text.starts_with(b"()") || text.starts_with(b"[]") {
        return 2;
    }
    let is_sign = |byte: &&u8| b"+-*/%^&|~!=<>".contains(byte);
    let len = text.iter().take_while(is_sign).count();
    let is_call = text[len..].first() == Some(&b'(');
    if is_call && len <= 3 { len } else { 0 }
}

/// Where the attribute is that a text ends with.
fn attribute_before(text: &[u8]) -> Option<std::ops::Range<usize>> {
    let end = text.trim_ascii_end().len();
    let inner = text[..end].strip_suffix(b"]]")?;
    let start = inner.iter().rposition(|byte| matches!(byte, b'[' | b';'))?;
    inner[..=start].ends_with(b"[[").then(|| start - 1..end)
}

/// The length of the word that a text starts with.
pub(crate) fn word(text: &[u8]) -> usize {
    let is_word = |byte: &&u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'$' | 128..);
    text.iter().take_while(is_word).count()
}

/// The length of the blanks that a text starts with.
pub(crate) fn blanks(text: &[u8]) -> usize {
    text.iter()
        .take_while(|byte| byte.is_ascii_whitespace())
        .count()
}

/// The length of the brackets that a text starts with, and of what is in them; 0 if there are none.
fn brackets(text: &[u8]) -> usize {
    let mut depth = 0_usize;
    for (at, byte) in text.iter().enumerate().take(4096) {
        match byte {
            b'(' => depth += 1,
            b')' => depth = depth.saturating_sub(1),
            _ => {}
        }
        if depth == 0 {
            return if *byte == b')' { at + 1 } else { 0 };
        }
    }
    0
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;
    use crate::languages::find;

    fn check(text: &str, expected: &str) {
        check_in("cpp", text, expected);
    }

    /// Checks what the grammar of a language is shown of a text.
    pub(crate) fn check_in(language: &str, text: &str, expected: &str) {
        let Some(language) = find(language) else {
            return;
        };
        let readable = readable(language, text.as_bytes());
        let readable = readable.map_or(text.into(), |readable| readable.text);
        assert_eq!(String::from_utf8(readable).unwrap(), expected);
    }

    #[test]
    fn what_a_grammar_does_not_know_is_left_out() {
        check(
            "namespace a __attribute__((b(1))) {}",
            "namespace a                       {}",
        );
        check("extern template class A<b>;", "       template class A<b>;");
        check("int a __attribute__((b));", "int a __attribute__((b));");
        check("int a __attribute__((b))=1;", "int a                   =1;");
        check(
            "typedef int *__attribute__((b)) a;",
            "typedef int *                   a;",
        );
        check("template<class A = const B>", "template<class A =       B>");
        check("return typename A::b();", "return          A::b();");
        check(
            "if consteval { a } if ! consteval { consteval b }",
            "if (true)    { a } if   (true)    { consteval b }",
        );
        check("a.operator<=(b)", "a.operator__(b)");
        check("a->operator()(b)", "a->operator__(b)");
        check("f<A>operator()(b)", "f<A>operator()(b)");
        check("__typeof(a) b;", "decltype(a) b;");
        check("__typeof__(a) b;", "decltype  (a) b;");
        check("a A::* b;", "a    * b;");
        check("[[a]] friend b c();", "      friend b c();");
        check("d(a(), void(), b)", "d(a(), 0     , b)");
        check("d<void()>", "d<void()>");
        check("__attribute__((", "__attribute__((");
        check(
            "int a __attribute__((b)) = 1, c __attribute__((b)), d;",
            "int a                    = 1, c                   , d;",
        );
        check("f(int a __attribute__((b)))", "f(int a                   )");
        check(
            "a.operator->()->operator()(b)",
            "a.operator__()->operator__(b)",
        );
        check("a.operator b()", "a.operator b()");
        check("__extension__", "             ");
    }

    #[test]
    fn line_markers_are_left_out() {
        check(
            "# 1 \"a\"\nusing b = c<d\n# 12 \"a\" 3\n>;\n#define e 1\n",
            "       \nusing b = c<d\n          \n>;\n#define e 1\n",
        );
    }

    #[test]
    fn parts_for_another_language_are_left_out() {
        let text = "#ifdef A\nextern \"C\" {\n#endif\nint a;\n#ifdef A\n}\n#endif\n";
        let expected = "        \n            \n      \nint a;\n        \n \n      \n";
        check_in("c", text, expected);
        let readable = readable(find("c").unwrap(), text.as_bytes()).unwrap();
        let names = readable.names.iter();
        let names: Vec<&str> = names
            .map(|it| &text[it.0 as usize..it.1 as usize])
            .collect();
        assert_eq!(
            names,
            ["ifdef", "A", "extern", "C", "endif", "ifdef", "A", "endif"]
        );
    }

    #[test]
    fn what_a_cast_pointer_points_to_is_a_value_with_a_sign() {
        let check = |text, expected| check_in("c-sharp", text, expected);
        check("a = *(int*)p;", "a = -(int )p;");
        check(
            "(*(long *)p)++; --*(b.c**)q; return *(d);",
            "(-(long  )p)++; ---(b.c  )q; return -(d);",
        );
        for text in ["a = b * (c);", "a *(b)", "void f(int* a) {}"] {
            check(text, text);
        }
    }

    #[test]
    fn what_says_how_precise_something_is_is_left_out_but_where_it_is_set() {
        let check = |text, expected| check_in("glsl", text, expected);
        check(
            "highp vec2 f(const in vec2 b);",
            "      vec2 f(      in vec2 b);",
        );
        check("precision highp float;", "precision highp float;");
    }

    #[test]
    fn positions_are_those_of_the_original() {
        let original = "(FROM a);FROM b";
        let readable = readable(find("sql").unwrap(), original.as_bytes()).unwrap();
        let at = |text: &str| {
            let all = String::from_utf8(readable.text.clone()).unwrap();
            readable.position(all.rfind(text).unwrap() as u32) as usize
        };
        assert_eq!(at("(SELECT"), 0);
        assert_eq!(at("a)"), original.find("a)").unwrap());
        assert_eq!(at("ELECT * FROM b"), original.find("FROM b").unwrap());
        assert_eq!(at("FROM b"), original.find("FROM b").unwrap());
        assert_eq!(
            readable.position(readable.text.len() as u32) as usize,
            original.len()
        );
    }
}
