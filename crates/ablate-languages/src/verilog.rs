//! Verilog as its grammar can read it. That does not know what is selected from what is selected, or from a
//! member, nor that something is assigned to such a thing; selects at the beginning of a concatenation; calls in
//! constants; tasks without arguments; and what only a preprocessor puts together. What is there is one name
//! then, or blanks. Says nothing of errors.

use std::collections::HashSet;
use std::ops::Range;

use crate::language::Language;
use crate::readable::{Readable, Rewriter, blanks, word};

/// Words behind which a statement begins.
const BEFORE_STATEMENTS: &[&[u8]] = &[
    b"begin",
    b"fork",
    b"else",
    b"initial",
    b"final",
    b"always",
    b"always_comb",
    b"always_ff",
    b"always_latch",
    b"do",
    b"forever",
    b"generate",
    b"end",
    b"join",
    b"join_any",
    b"join_none",
    b"endcase",
    b"endgenerate",
    b"endtask",
    b"endfunction",
    b"endmodule",
    b"endproperty",
    b"endspecify",
    b"endclass",
    b"endpackage",
    b"endinterface",
    b"unique",
    b"unique0",
    b"priority",
    b"default",
];
/// Words with brackets behind them, behind which a statement begins.
const CONTROLS: &[&[u8]] = &[
    b"if", b"for", b"while", b"repeat", b"case", b"casex", b"casez", b"wait",
];
/// Words with which constants begin, of whose values the grammar knows fewer.
const CONSTANTS: &[&[u8]] = &[b"parameter", b"localparam"];
/// Directives that take the rest of their line.
const OF_LINES: &[&[u8]] = &[
    b"define",
    b"undef",
    b"include",
    b"timescale",
    b"default_nettype",
    b"line",
    b"pragma",
];

/// The end of longer brackets is not looked for: where there is none, each would be read to the end of the text.
const LONGEST_BRACKETS: usize = 4096;

/// The text as the grammar can read it; `None` if there is nothing to change.
pub(crate) fn readable_verilog(language: &Language, text: &[u8]) -> Option<Readable> {
    let mut reader = Reader {
        text,
        keywords: &language.facts().words,
        rewriter: Rewriter::of(text),
        left_out: branches(text),
        open: Vec::new(),
        is_start: true,
        head: b"",
        control: false,
        questions: 0,
        blocks: 0,
        is_call: false,
    };
    let mut at = 0;
    while at < text.len() {
        at = reader.read(at);
    }
    reader.rewriter.finished()
}

/// A bracket that is open.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Open {
    /// A statement begins behind it.
    Control,
    Parenthesis,
    Bracket,
    Brace,
}

struct Reader<'a> {
    text: &'a [u8],
    keywords: &'a HashSet<Box<[u8]>>,
    rewriter: Rewriter<'a>,
    /// What the preprocessor may leave out, the last first.
    left_out: Vec<Range<usize>>,
    open: Vec<Open>,
    /// Whether a statement may begin here.
    is_start: bool,
    /// The word that the statement began with.
    head: &'a [u8],
    /// Whether the next parenthesis belongs to what a statement follows.
    control: bool,
    /// How many `?` wait for their `:`.
    questions: usize,
    /// How many blocks, functions and tasks are open.
    blocks: usize,
    /// Whether the statement is a call.
    is_call: bool,
}

impl<'a> Reader<'a> {
    /// Reads what stands at `at`, and says where to go on.
    fn read(&mut self, at: usize) -> usize {
        if let Some(range) = self.left_out.pop_if(|range| range.start <= at) {
            let end = range.end.max(at);
            self.rewriter.leave_out_part(at..end);
            return end;
        }
        let text = self.text;
        let rest = &text[at..];
        let skipped = skipped(rest);
        if skipped > 0 {
            return at + skipped;
        }
        let len = name(rest);
        if len > 0 {
            return self.read_word(at, at + len);
        }
        match rest[0] {
            b'`' => return self.read_macro(at),
            b'"' => {
                self.is_start = false;
                return at + string(rest);
            }
            b'0'..=b'9' | b'\'' if number(rest) > 0 => {
                let len = number(rest);
                if rest[len..].starts_with(b"'(") {
                    self.rewriter.leave_out_prefix(at..at + len + 1);
                    return at + len + 1;
                }
                self.fill(at, len);
                return at + len;
            }
            b'#' if rest.starts_with(b"##") => {
                let count = 2 + blanks(&rest[2..]);
                let len = match rest.get(count) {
                    Some(b'[') => count + brackets(&rest[count..]),
                    _ => count + number(&rest[count..]),
                };
                self.leave_out(at..at + len);
                return at + len;
            }
            b'#' | b'@' => self.control = self.is_start || rest[0] == b'@',
            b'*' if self.control => self.control = false,
            b'(' => {
                let open = if std::mem::take(&mut self.control) {
                    Open::Control
                } else {
                    Open::Parenthesis
                };
                self.open.push(open);
                self.is_start = false;
            }
            b'[' => {
                self.open.push(Open::Bracket);
                self.is_start = false;
            }
            b'{' => {
                if CONSTANTS.contains(&self.head) && text[..at].ends_with(b"'") {
                    self.rewriter.leave_out(at - 1..at);
                }
                self.open.push(Open::Brace);
                self.is_start = false;
            }
            b')' | b']' | b'}' => self.is_start = self.open.pop() == Some(Open::Control),
            b';' => {
                self.is_start = self.open.is_empty();
                (self.head, self.questions) = (b"", 0);
                (self.control, self.is_call) = (false, false);
            }
            // The name of a parameter.
            b'.' if self.is_call
                && matches!(text[..at].trim_ascii_end().last(), Some(b'(' | b',')) =>
            {
                let end = at + 1 + name(&rest[1..]);
                self.rewriter.add_names(at..end);
                self.rewriter.leave_out_prefix(at..end);
                return end;
            }
            b'?' => self.questions += 1,
            b':' if rest.starts_with(b"::") => return at + 2,
            b':' if self.questions > 0 => self.questions -= 1,
            b':' => self.is_start |= self.open.is_empty(),
            _ => self.is_start = false,
        }
        at + 1
    }

    fn read_word(&mut self, at: usize, end: usize) -> usize {
        let text = self.text;
        let this = &text[at..end];
        let next = end + blanks(&text[end..]);
        if self.keywords.contains(this) && !this.starts_with(b"$") {
            if matches!(this, b"import" | b"export") && text[next..].starts_with(b"\"") {
                let len = text[at..].iter().position(|byte| *byte == b';');
                let end = len.map_or(text.len(), |len| at + len + 1);
                self.rewriter.leave_out_part(at..end);
                return end;
            }
            let is_in_constant = CONSTANTS.contains(&self.head);
            if is_in_constant && text[end..].starts_with(b"'(") {
                self.rewriter.leave_out_prefix(at..end + 1);
                return end + 1;
            }
            if this == b"default" && is_in_constant && text[next..].starts_with(b":") {
                self.leave_out(at..next + 1);
                return next + 1;
            }
            if this == b"with" {
                let constraint = brackets_with(&text[next..], b"");
                self.leave_out(at..next + constraint);
                return next + constraint;
            }
            let is_start = std::mem::take(&mut self.is_start);
            let is_member = text[end..].starts_with(b".") && !text[end..].starts_with(b".new");
            if is_start && is_member && matches!(this, b"super" | b"this") {
                self.rewriter.leave_out_prefix(at..end + 1);
                self.is_start = true;
                return end + 1;
            }
            if this == b"foreach" {
                self.is_start = true;
                return next + brackets(&text[next..]);
            }
            if is_start && this == b"void" && text[end..].starts_with(b"'(") {
                let len = brackets(&text[end + 1..]);
                if len > 0 {
                    self.rewriter.leave_out_prefix(at..end + 2);
                    let close = end + len;
                    self.left_out.push(close..close + 1);
                    self.is_start = true;
                    return end + 2;
                }
            }
            match this {
                b"begin" | b"fork" | b"function" | b"task" => self.blocks += 1,
                b"end" | b"join" | b"join_any" | b"join_none" | b"endfunction" | b"endtask" => {
                    self.blocks = self.blocks.saturating_sub(1);
                }
                b"endmodule" | b"endclass" | b"endpackage" => self.blocks = 0,
                _ => {}
            }
            if BEFORE_STATEMENTS.contains(&this) && this != b"default" || this == b"module" {
                // In no brackets, unless the text is wrong.
                self.open.clear();
            }
            if BEFORE_STATEMENTS.contains(&this) {
                self.is_start = self.open.is_empty();
                // A name of what begins or ends.
                if this != b"default" && text[next..].starts_with(b":") {
                    let name_at = next + 1 + blanks(&text[next + 1..]);
                    return name_at + name(&text[name_at..]);
                }
            } else if CONTROLS.contains(&this) {
                self.control = true;
            }
            if is_start || CONSTANTS.contains(&this) {
                self.head = this;
            }
            return end;
        }
        let reference = Reference::of(text, at, self.is_start);
        let behind = &text[reference.end + blanks(&text[reference.end..])..];
        let is_of_system = this.starts_with(b"$");
        if std::mem::take(&mut self.is_start) {
            self.head = this;
            if behind.starts_with(b":") {
                return reference.end;
            }
            let is_task =
                behind.starts_with(b";") && (reference.selects == 0 || reference.is_mixed);
            if (is_task || behind.starts_with(b"(")) && !is_of_system {
                self.is_call = true;
                return self.read_call(at, &reference);
            }
            let is_assigned = is_assignment(behind) && reference.has_parts()
                || behind.starts_with(b"<=") && reference.is_deep();
            if is_assigned {
                return self.read_reference(at, end, &reference);
            }
            return end;
        }
        let before = text[..at].trim_ascii_end().last();
        let is_first = before == Some(&b'{') && reference.selects > 0;
        if text[..at].ends_with(b".") {
            return end;
        }
        let is_in_constant = CONSTANTS.contains(&self.head);
        if is_in_constant && text[end..].starts_with(b"'(") {
            self.rewriter.add_names(at..end);
            self.rewriter.leave_out_prefix(at..end + 1);
            return end + 1;
        }
        if text[reference.end..].starts_with(b"(") {
            let is_constant = is_in_constant
                || self.open.contains(&Open::Bracket)
                || matches!(this, b"$clog2" | b"$bits");
            if is_constant {
                self.rewriter.add_names(at..reference.end);
                self.rewriter.leave_out_prefix(at..reference.end);
                return reference.end;
            }
            if reference.scopes > 0 {
                return self.read_call(at, &reference);
            }
        }
        if reference.is_deep() || is_first {
            return self.read_reference(at, end, &reference);
        }
        // The name of a part of a pattern.
        let is_key = CONSTANTS.contains(&self.head)
            && self.open.last() == Some(&Open::Brace)
            && matches!(before, Some(b'{' | b','))
            && text[next..].starts_with(b":");
        if is_key {
            self.leave_out(at..next + 1);
            return next + 1;
        }
        end
    }

    /// Reads something of something as the first of its names.
    fn read_reference(&mut self, at: usize, end: usize, reference: &Reference) -> usize {
        self.rewriter.add_names(at..reference.end);
        let first = &self.text[at..end];
        self.rewriter.replace(at, reference.end - at, first);
        reference.end
    }

    /// Reads what is called as something of the system, of which the grammar knows most.
    fn read_call(&mut self, at: usize, reference: &Reference) -> usize {
        let len = name(&self.text[at..]);
        if len > 1 {
            let name = [b"$", &self.text[at + 1..at + len]].concat();
            self.rewriter.add_names(at..reference.end);
            self.rewriter.replace(at, reference.end - at, &name);
        }
        reference.end
    }

    fn read_macro(&mut self, at: usize) -> usize {
        let text = self.text;
        let end = at + 1 + name(&text[at + 1..]);
        if OF_LINES.contains(&&text[at + 1..end]) {
            return at + line(&text[at..]);
        }
        let open = end + blanks(&text[end..]);
        let close = open + brackets_with(&text[open..], b"");
        if self.is_start && self.blocks > 0 {
            // Only outside of blocks it may stand for what stands for itself.
            let end = close.max(end).max(at + 1);
            self.rewriter.leave_out_part(at..end);
            return end;
        }
        let is_type = close == open && !self.is_start && open > end && name(&text[open..]) > 0;
        if is_type && text[..at].ends_with(b" ") {
            self.rewriter.leave_out_part(at..end);
            return end;
        }
        if close > open {
            let arguments = &text[open..close];
            let has = |sign: &[u8]| arguments.windows(sign.len()).any(|part| part == sign);
            let mut parts = arguments[1..].split(|byte| b" ,()".contains(byte));
            if has(b"#(")
                || has(b"|->")
                || has(b"|=>")
                || has(b"##")
                || parts.any(|part| self.keywords.contains(part) && name(part) > 0)
            {
                self.leave_out(open + 1..close - 1);
                return close;
            }
        }
        end.max(at + 1)
    }

    /// Leaves out what has no node of its own, but knows the names in it.
    fn leave_out(&mut self, range: Range<usize>) {
        self.rewriter.add_names(range.clone());
        self.rewriter.leave_out(range);
    }

    /// A number may have blanks behind its base.
    fn fill(&mut self, at: usize, len: usize) {
        for place in at..at + len {
            if self.text[place].is_ascii_whitespace() {
                self.rewriter.replace(place, 1, b"0");
            }
        }
    }
}

/// A name with what is selected from what it stands for.
struct Reference {
    end: usize,
    /// How many names stand before `::`.
    scopes: usize,
    members: usize,
    selects: usize,
    /// Whether a member is selected of what is selected.
    is_mixed: bool,
}

impl Reference {
    /// The one that begins at `at`; there may be blanks before what is selected.
    fn of(text: &[u8], at: usize, with_blanks: bool) -> Reference {
        let mut reference = Reference {
            end: at + name(&text[at..]),
            scopes: 0,
            members: 0,
            selects: 0,
            is_mixed: false,
        };
        loop {
            let blank = if with_blanks {
                blanks(&text[reference.end..])
            } else {
                0
            };
            let rest = &text[reference.end..];
            // With its parameters, if it has some.
            let parameters = match rest.strip_prefix(b"#") {
                Some(rest) => 1 + brackets(rest),
                None => 0,
            };
            let scoped = rest[parameters..].strip_prefix(b"::");
            if let Some(len) = scoped.map(name).filter(|len| *len > 0) {
                reference.scopes += 1;
                reference.end += parameters + 2 + len;
                continue;
            }
            match rest.get(blank..).and_then(<[u8]>::first) {
                Some(b'[') if brackets(&rest[blank..]) > 0 => {
                    reference.selects += 1;
                    reference.end += blank + brackets(&rest[blank..]);
                }
                Some(b'.') if blank == 0 && name(&rest[1..]) > 0 => {
                    reference.is_mixed |= reference.selects > 0;
                    reference.members += 1;
                    reference.end += 1 + name(&rest[1..]);
                }
                _ => return reference,
            }
        }
    }

    fn has_parts(&self) -> bool {
        self.members + self.selects > 0
    }

    /// Whether the grammar does not know it anywhere.
    fn is_deep(&self) -> bool {
        self.selects > 1 || self.members > 1 || self.is_mixed
    }
}

/// Whether a text begins with a sign that assigns.
fn is_assignment(text: &[u8]) -> bool {
    let signs = text.iter().take_while(|byte| b"+-*/%&|^<>".contains(byte));
    match signs.count() {
        0 => text.starts_with(b"=") && !text.starts_with(b"=="),
        1 if text.starts_with(b"<") || text.starts_with(b">") => false,
        count => {
            text[count..].starts_with(b"=") || text.starts_with(b"++") || text.starts_with(b"--")
        }
    }
}

/// The length of the word that a text begins with: a name, with its sign if it is one of the system.
fn name(text: &[u8]) -> usize {
    match text.first() {
        Some(b'0'..=b'9') => 0,
        _ => word(text),
    }
}

/// The length of the number that a text begins with, with its base.
fn number(text: &[u8]) -> usize {
    let digits = |text: &[u8]| {
        let is_digit = |byte: &&u8| byte.is_ascii_alphanumeric() || b"_?.".contains(byte);
        text.iter().take_while(is_digit).count()
    };
    let size = digits(text);
    let base = size + blanks(&text[size..]);
    let Some(based) = text[base..].strip_prefix(b"'") else {
        return size;
    };
    let signed = usize::from(matches!(based.first(), Some(b's' | b'S')));
    match based.get(signed) {
        Some(b'b' | b'o' | b'd' | b'h' | b'B' | b'O' | b'D' | b'H') => {
            let behind = &based[signed + 1..];
            let value = blanks(behind);
            base + 2 + signed + value + digits(&behind[value..])
        }
        Some(b'0' | b'1' | b'x' | b'z' | b'X' | b'Z') if signed == 0 => base + 2,
        _ => size,
    }
}

/// The length of blanks, of a comment or of an attribute that a text begins with.
fn skipped(text: &[u8]) -> usize {
    let until = |end: &[u8]| {
        let found = text[2..].windows(end.len()).position(|part| part == end);
        found.map_or(text.len(), |found| 2 + found + end.len())
    };
    match text {
        [b'/', b'/', ..] => text.iter().take_while(|byte| **byte != b'\n').count(),
        [b'/', b'*', ..] => until(b"*/"),
        [b'(', b'*', rest @ ..] if !rest.trim_ascii_start().starts_with(b")") => until(b"*)"),
        _ => blanks(text),
    }
}

fn string(text: &[u8]) -> usize {
    let mut at = 1;
    while at < text.len() && text[at] != b'"' {
        at += if text[at] == b'\\' { 2 } else { 1 };
    }
    (at + 1).min(text.len())
}

/// The length of a line, with those that it goes on in.
fn line(text: &[u8]) -> usize {
    let mut at = 0;
    while at < text.len() {
        if text[at] == b'\n' && !text[..at].ends_with(b"\\") {
            return at;
        }
        at += 1;
    }
    at
}

/// The length of the brackets that a text begins with, and of what is in them; 0 if there are none.
fn brackets(text: &[u8]) -> usize {
    brackets_with(text, b";")
}

/// The same; none of these signs is in them.
fn brackets_with(text: &[u8], without: &[u8]) -> usize {
    let text = &text[..text.len().min(LONGEST_BRACKETS)];
    if !matches!(text.first(), Some(b'(' | b'[' | b'{')) {
        return 0;
    }
    let (mut depth, mut at) = (0_usize, 0);
    while at < text.len() {
        match text[at] {
            b'"' => at += string(&text[at..]) - 1,
            b'(' | b'[' | b'{' => depth += 1,
            b')' | b']' | b'}' => depth -= 1,
            byte if without.contains(&byte) => return 0,
            _ => {}
        }
        at += 1;
        if depth == 0 {
            return at.min(text.len());
        }
    }
    0
}

/// What is left of a text when only the first branches of its conditional parts are: all else, the last first.
fn branches(text: &[u8]) -> Vec<Range<usize>> {
    let mut left_out: Vec<Range<usize>> = Vec::new();
    // For each part that is open, where what is left out began, if it is.
    let mut open: Vec<Option<usize>> = Vec::new();
    let mut at = 0;
    while at < text.len() {
        let rest = &text[at..];
        let skipped = skipped(rest);
        if skipped > 0 || rest[0] == b'"' {
            at += skipped.max(if rest[0] == b'"' { string(rest) } else { 0 });
            continue;
        }
        let len = 1 + name(&rest[1..]);
        if rest[0] != b'`' {
            at += name(rest).max(1);
            continue;
        }
        let directive = &rest[1..len];
        let end = at + len;
        let condition = || {
            let start = end + blanks(&text[end..]);
            start + name(&text[start..])
        };
        let is_within = open.iter().any(Option::is_some);
        match directive {
            b"ifdef" | b"ifndef" => {
                let end = condition();
                if !is_within {
                    left_out.push(at..end);
                }
                open.push(None);
                at = end;
                continue;
            }
            b"else" | b"elsif" => {
                let end = if directive == b"elsif" {
                    condition()
                } else {
                    end
                };
                if !is_within && let Some(last) = open.last_mut() {
                    *last = Some(at);
                }
                at = end;
                continue;
            }
            b"endif" => {
                let from = open.pop().flatten();
                if !open.iter().any(Option::is_some) {
                    left_out.push(from.unwrap_or(at)..end);
                }
            }
            _ if OF_LINES.contains(&directive) => {
                at += line(rest);
                continue;
            }
            _ => {}
        }
        at = end;
    }
    left_out.reverse();
    left_out
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::languages::find;
    use crate::readable::tests::check_in;

    fn check(text: &str, expected: &str) {
        check_in("verilog", text, expected);
    }

    #[test]
    fn what_is_assigned_to_is_one_name() {
        check(
            "initial a[i] = b; always @(posedge c) d.e [3:0] += 1;",
            "initial a    = b; always @(posedge c) d         += 1;",
        );
        check(
            "case (a) 2'b1, B: c[1] = d; default: e[1] = f; endcase",
            "case (a) 2'b1, B: c    = d; default: e    = f; endcase",
        );
        check(
            "if (a) b[1] = c; else #1 d[2] = e ? f[1] : g;",
            "if (a) b    = c; else #1 d    = e ? f[1] : g;",
        );
        let text = "a[b].c = 1;";
        let readable = readable_verilog(find("verilog").unwrap(), text.as_bytes()).unwrap();
        let name = |name: &(u32, u32)| &text[name.0 as usize..name.1 as usize];
        let names: Vec<&str> = readable.names.iter().map(name).collect();
        assert_eq!(names, ["a", "b", "c"]);
        assert_eq!(readable.end_of_word(1), 6);
    }

    #[test]
    fn what_begins_a_concatenation_or_is_selected_twice_is_one_name() {
        check(
            "assign a[1][2] = {b[3:0], c[1], d[0].e};",
            "assign a       = {b     , c[1], d     };",
        );
        check("assign a = b[1];", "assign a = b[1];");
    }

    #[test]
    fn tasks_and_what_is_in_packages_are_called_as_those_of_the_system() {
        check("initial foo;", "initial $oo;");
        check(
            "begin foo.bar(.a(b)); super.baz(); pkg::t(\"c\"); end",
            "begin $oo    (  (b));       $az(); $kg   (\"c\"); end",
        );
        check("initial a = pkg::f(b);", "initial a = $kg   (b);");
        check("void'(f(a));", "      f(a) ;");
        check(
            "x.randomize() with { a > 1; };",
            "x.randomize()                ;",
        );
        check("sub u (.a(b));", "sub u (.a(b));");
    }

    #[test]
    fn constants_are_without_calls_casts_and_names_of_parts() {
        check(
            "localparam int A = $clog2(B + 1), C = p::f(D), E = 8'(F);",
            "localparam int A =       (B + 1), C =     (D), E =   (F);",
        );
        check(
            "parameter t A = '{b: 1'b0, default: 1'b1}; t c = '{b: 0};",
            "parameter t A =  {   1'b0,          1'b1}; t c = '{b: 0};",
        );
        check("logic [$clog2(A)-1:0] b;", "logic [      (A)-1:0] b;");
        check("a = 32'h dead_beef;", "a = 32'h0dead_beef;");
    }

    #[test]
    fn first_branches_of_conditional_parts_stay() {
        check(
            "`ifdef A\nb\n`elsif C\nd\n`else\ne\n`endif\nf",
            "        \nb\n        \n \n     \n \n      \nf",
        );
        check(
            "`ifndef A `ifdef B c `else d `endif e `else f `endif",
            "                   c                e               ",
        );
        check("`define A `ifdef\nb", "`define A `ifdef\nb");
        check("`ifdef A b", "         b");
    }

    #[test]
    fn macros_stay_where_the_grammar_knows_them() {
        check("begin `A(b) c = d; end", "begin       c = d; end");
        check("`A(b |-> c) `B(d)", "`A(       ) `B(d)");
        check("wire `A b;", "wire    b;");
    }

    #[test]
    fn what_is_wrong_ends_with_its_block() {
        let text = "always a[ = ( begin b[1] = c; end";
        check(text, "always a[ = ( begin b    = c; end");
        for text in [
            "(", "a[", "\"", "/*", "`", "(*", "1'", "#", "a.", "a::", "'{",
        ] {
            check(text, text);
        }
    }
}
