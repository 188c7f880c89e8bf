//! Conditional parts of a text: what stands between `#ifdef A`, `#else` and `#endif`, and between the
//! directives of other preprocessors that are named like these.

use alloc::boxed::Box;
use alloc::rc::Rc;
use alloc::vec::Vec;
use core::ops::Range;

use ablate_engine::target::Target;

use crate::formats::characters::{is_blank, is_word};
use crate::formats::conditions::{Condition, Fact, Keys};
use crate::formats::folder::FS;
use crate::formats::lines::with_line;

/// The conditional parts of a text, in the order in which they begin, and what it defines.
#[derive(Debug)]
pub struct Conditionals {
    all: Vec<Conditional>,
    definitions: Vec<Definition>,
    /// What conditions are about, with its place in the alphabet.
    texts: Vec<(Box<[u8]>, usize)>,
    files: usize,
}

/// What stands between an `#if` and its `#endif`, and in which lines.
#[derive(Debug)]
pub struct Conditional {
    /// In which file of a folder it is.
    pub file: usize,
    /// The alternatives.
    pub branches: Vec<Branch>,
    /// The last directive.
    pub end: Range<usize>,
}

/// One of its alternatives.
#[derive(Debug)]
pub struct Branch {
    /// What it begins with.
    pub directive: Range<usize>,
    /// What makes it an alternative to those before: of `#elif`, the `el`.
    alternative: Range<usize>,
    /// `None` for one that begins with `#else`.
    pub condition: Option<Condition>,
}

/// A `#define` or `#undef`.
#[derive(Debug)]
pub struct Definition {
    /// Where it stands.
    pub directive: Range<usize>,
    /// In which file of a folder it is.
    pub file: usize,
    /// The name.
    pub name: Box<[u8]>,
    /// What the name stands for from there on.
    pub meaning: Defined,
}

/// What a name stands for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Defined {
    /// It is not defined.
    Not,
    /// A text.
    As(Box<[u8]>),
    /// This, with parameters.
    With(Box<[u8]>),
}

/// As long as what stands in a directive in braces can be.
const LONGEST: usize = 300;

/// How directives look.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Form {
    /// A line that begins with this and the word: `#if A`, `%if A`, `:- if(A).`, `ifdef A`.
    Line(&'static [u8]),
    /// A word behind a `` ` `` anywhere, with a name.
    Quoted,
    /// `{$IFDEF A}` or `{% if a %}`.
    Braces(u8),
}

/// What lines of directives begin with.
const LINES: [&[u8]; 6] = [b"#", b"%", b":-", b"-", b".", b""];
/// What lines begin with that have no sign: nothing that any other language begins lines with.
const WITHOUT_SIGN: [&[u8]; 6] = [b"ifdef", b"ifndef", b"ifeq", b"ifneq", b"else", b"endif"];

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Role {
    Open,
    Else,
    End,
    Define,
    Undefine,
}

/// The words that begin directives: what they are for, whether a name follows instead of a condition, whether
/// the opposite is meant, and how long what makes them an alternative is.
const WORDS: [(&[u8], Role, bool, bool, usize); 16] = [
    (b"if", Role::Open, false, false, 0),
    (b"ifdef", Role::Open, true, false, 0),
    (b"ifndef", Role::Open, true, true, 0),
    (b"ifeq", Role::Open, false, false, 0),
    (b"ifneq", Role::Open, false, true, 0),
    (b"ifopt", Role::Open, false, false, 0),
    (b"else", Role::Else, false, false, 0),
    (b"elif", Role::Else, false, false, 2),
    (b"elsif", Role::Else, false, false, 3),
    (b"elseif", Role::Else, false, false, 4),
    (b"elifdef", Role::Else, true, false, 2),
    (b"elifndef", Role::Else, true, true, 2),
    (b"endif", Role::End, false, false, 0),
    (b"ifend", Role::End, false, false, 0),
    (b"define", Role::Define, true, false, 0),
    (b"undef", Role::Undefine, true, false, 0),
];

struct Directive<'a> {
    form: Form,
    role: Role,
    range: Range<usize>,
    alternative: Range<usize>,
    has_name: bool,
    is_opposite: bool,
    text: &'a [u8],
}

impl Conditionals {
    /// The conditional parts of `target`.
    pub fn of(target: &Target<u8>) -> Rc<Conditionals> {
        target.analysis(|target| Conditionals::new(target.elements()))
    }

    fn new(text: &[u8]) -> Conditionals {
        let mut keys = Keys::default();
        let mut open: Vec<(Form, Conditional)> = Vec::new();
        let mut all: Vec<Conditional> = Vec::new();
        let (mut definitions, mut file) = (Vec::new(), 0);
        let mut at = 0;
        while at < text.len() {
            if text[at] == FS {
                // What one file of a folder opens no other closes.
                open.clear();
                file += 1;
            }
            let Some(directive) = directive_at(text, at) else {
                at += 1;
                continue;
            };
            at = directive.range.end.max(at + 1);
            let goes_on = open.last().is_some_and(|(form, _)| *form == directive.form);
            match directive.role {
                Role::Open => {
                    let branches = Vec::from([branch(&directive, &mut keys)]);
                    let conditional = Conditional {
                        file,
                        branches,
                        end: 0..0,
                    };
                    open.push((directive.form, conditional));
                }
                Role::Else if goes_on => {
                    let (_, conditional) = open.last_mut().expect("one goes on");
                    conditional.branches.push(branch(&directive, &mut keys));
                }
                Role::End if goes_on => {
                    let (_, mut conditional) = open.pop().expect("one goes on");
                    conditional.end = directive.range;
                    all.push(conditional);
                }
                Role::Else | Role::End => {}
                Role::Define | Role::Undefine => definitions.push(definition(&directive, file)),
            }
        }
        all.sort_by_cached_key(|conditional| conditional.branches[0].directive.start);
        Conditionals {
            all,
            definitions,
            texts: keys.texts(),
            files: file / 2,
        }
    }

    /// All of them.
    pub fn all(&self) -> &[Conditional] {
        &self.all
    }

    /// What is defined, and no longer defined, in the order in which that stands there.
    pub fn definitions(&self) -> &[Definition] {
        &self.definitions
    }

    /// The text that a condition is about.
    pub fn text(&self, fact: Fact) -> &[u8] {
        &self.texts[fact.key()].0
    }

    /// The texts that conditions are about.
    pub fn texts(&self) -> impl Iterator<Item = &[u8]> {
        self.texts.iter().map(|(text, _)| &text[..])
    }

    /// The place in the alphabet of what a condition is about, among all that conditions are about.
    pub fn place(&self, fact: Fact) -> usize {
        self.texts[fact.key()].1
    }

    /// Whether there are several files.
    pub fn are_of_folder(&self) -> bool {
        self.files > 1
    }

    /// For each thing that conditions are about, in the order of the alphabet, in which parts they are.
    pub fn by_place(&self) -> Vec<Vec<usize>> {
        let mut parts: Vec<Vec<usize>> = Vec::new();
        parts.resize_with(self.texts.len(), Vec::new);
        for (number, conditional) in self.all.iter().enumerate() {
            let conditions = conditional.branches.iter();
            for condition in conditions.filter_map(|branch| branch.condition.as_ref()) {
                condition.each_fact(&mut |fact| {
                    let parts = &mut parts[self.place(fact)];
                    if parts.last() != Some(&number) {
                        parts.push(number);
                    }
                });
            }
        }
        parts
    }
}

impl Conditional {
    /// What to delete so that only one of the alternatives is left, or none.
    pub fn keep(&self, which: Option<usize>) -> Vec<(usize, usize)> {
        let (start, end) = (self.branches[0].directive.start, self.end.end);
        let Some(which) = which else {
            return Vec::from([(start, end)]);
        };
        let behind = self.behind(which);
        Vec::from([(start, self.branches[which].directive.end), (behind, end)])
    }

    /// What to delete so that only the last alternative is left; nothing of one that has no `else`.
    pub fn keep_last(&self) -> Vec<(usize, usize)> {
        let last = self.branches.len() - 1;
        self.keep((last > 0).then_some(last))
    }

    /// What to delete where this much is known of the conditions of the alternatives: those that are not taken
    /// then, and the directives that are then without use.
    pub fn resolved(
        &self,
        mut value: impl FnMut(usize, &Branch) -> Option<bool>,
    ) -> Vec<(usize, usize)> {
        let mut cuts = Vec::new();
        let mut has_first = false;
        for (number, branch) in self.branches.iter().enumerate() {
            let directive = &branch.directive;
            match value(number, branch) {
                Some(false) => cuts.push((directive.start, self.behind(number))),
                Some(true) => {
                    if !has_first {
                        cuts.push((directive.start, directive.end));
                    }
                    let end = if has_first {
                        self.end.start
                    } else {
                        self.end.end
                    };
                    cuts.push((self.behind(number), end));
                    return cuts;
                }
                None => {
                    if !has_first {
                        cuts.push((branch.alternative.start, branch.alternative.end));
                    }
                    has_first = true;
                }
            }
        }
        if !has_first {
            cuts.push((self.end.start, self.end.end));
        }
        cuts
    }

    /// Where the next alternative begins, or the end.
    fn behind(&self, branch: usize) -> usize {
        let next = self.branches.get(branch + 1);
        next.map_or(self.end.start, |next| next.directive.start)
    }
}

impl Branch {
    /// Whether its condition is true, if `holds` knows enough; an `#else` has one that always is.
    pub fn value(&self, holds: &impl Fn(Fact) -> Option<bool>) -> Option<bool> {
        let condition = self.condition.as_ref();
        condition.map_or(Some(true), |condition| condition.value(holds))
    }
}

fn definition(directive: &Directive<'_>, file: usize) -> Definition {
    let (name, behind) = word_of(directive.text, 0);
    let rest = &directive.text[behind..];
    let parameters = rest.strip_prefix(b"(").map(|rest| {
        let len = rest.iter().take_while(|&&byte| byte != b')').count();
        rest.get(len + 1..).unwrap_or_default()
    });
    Definition {
        directive: directive.range.clone(),
        file,
        name: name.into(),
        meaning: match (directive.role, parameters) {
            (Role::Undefine, _) => Defined::Not,
            (_, Some(text)) => Defined::With(trimmed(text).into()),
            _ => Defined::As(trimmed(rest).into()),
        },
    }
}

/// Without blanks and ends of lines around it.
fn trimmed(text: &[u8]) -> &[u8] {
    let is_inner = |byte: &u8| !byte.is_ascii_whitespace() && *byte != b'\\';
    let start = text.iter().position(is_inner).unwrap_or(text.len());
    let end = text
        .iter()
        .rposition(is_inner)
        .map_or(start, |last| last + 1);
    &text[start..end]
}

fn branch<'a>(directive: &Directive<'a>, keys: &mut Keys<'a>) -> Branch {
    let is_else = directive.role == Role::Else && directive.alternative.is_empty();
    let condition = || {
        let condition = if directive.has_name {
            keys.defined(word_of(directive.text, 0).0)
        } else {
            keys.read(directive.text)
        };
        if directive.is_opposite {
            Condition::Not(condition.into())
        } else {
            condition
        }
    };
    Branch {
        directive: directive.range.clone(),
        alternative: directive.alternative.clone(),
        condition: (!is_else).then(condition),
    }
}

/// The directive that begins at `at`, or whose line does.
fn directive_at(text: &[u8], at: usize) -> Option<Directive<'_>> {
    let is_first = at == 0 || text[at - 1] == b'\n';
    if is_first {
        let blanks = text[at..].iter().take_while(|&&byte| is_blank(byte));
        let sign = at + blanks.count();
        let mut signs = LINES.iter();
        if let Some(directive) = signs.find_map(|begin| line_directive(text, at, sign, begin)) {
            return Some(directive);
        }
    }
    match text[at] {
        b'`' => quoted_directive(text, at),
        b'{' => braces_directive(text, at),
        _ => None,
    }
}

/// The word that stands there, and where it ends.
fn word_of(text: &[u8], at: usize) -> (&[u8], usize) {
    let len = text[at..].iter().take_while(|&&byte| is_word(byte)).count();
    (&text[at..at + len], at + len)
}

fn known(word: &[u8]) -> Option<(Role, bool, bool, usize)> {
    let known = WORDS
        .iter()
        .find(|known| known.0.eq_ignore_ascii_case(word));
    known.map(|&(_, role, has_name, is_opposite, len)| (role, has_name, is_opposite, len))
}

fn line_directive<'a>(
    text: &'a [u8],
    start: usize,
    sign: usize,
    begin: &'static [u8],
) -> Option<Directive<'a>> {
    let rest = text[sign..].strip_prefix(begin)?;
    let blanks = match begin {
        b"#" | b":-" | b"%" => rest.iter().take_while(|&&byte| is_blank(byte)).count(),
        _ => 0,
    };
    let at = sign + begin.len() + blanks;
    let (word, behind) = word_of(text, at);
    let (role, has_name, is_opposite, alternative) = known(word)?;
    if begin.is_empty() && !WITHOUT_SIGN.contains(&word) {
        return None;
    }
    let is_clause = matches!(begin, b"-" | b":-");
    let (inner, end) = line_from(text, behind, begin == b"#", !is_clause);
    let inner = if is_clause {
        let inner = inner.trim_ascii().strip_suffix(b".")?;
        let inner = inner.strip_prefix(b"(").unwrap_or(inner);
        inner.strip_suffix(b")").unwrap_or(inner)
    } else {
        inner
    };
    Some(Directive {
        form: Form::Line(begin),
        role,
        range: start..end,
        alternative: at..at + alternative,
        has_name,
        is_opposite,
        text: inner.trim_ascii(),
    })
}

/// What a line says from `at` on, without a comment, and where it ends: behind the lines that go on with it.
fn line_from(text: &[u8], at: usize, has_comments: bool, can_go_on: bool) -> (&[u8], usize) {
    #[derive(PartialEq)]
    enum In {
        Code,
        Quotes(u8),
        Comment,
        LineComment,
    }
    let (mut end, mut inner, mut within) = (at, None, In::Code);
    while end < text.len() {
        let rest = &text[end..];
        match rest[0] {
            b'\n' if within != In::Comment => {
                let line = text[at..end].iter();
                let last = line.rev().find(|&&byte| !is_blank(byte) && byte != b'\r');
                end += 1;
                if !can_go_on || last != Some(&b'\\') {
                    break;
                }
                continue;
            }
            FS => break,
            b'*' if within == In::Comment && rest.starts_with(b"*/") => within = In::Code,
            quote if within == In::Quotes(quote) => within = In::Code,
            b'\\' if matches!(within, In::Quotes(_)) && rest.get(1) != Some(&b'\n') => end += 1,
            quote @ (b'"' | b'\'') if has_comments && within == In::Code => {
                within = In::Quotes(quote);
            }
            b'/' if has_comments && within == In::Code => {
                within = match rest.get(1) {
                    Some(b'*') => In::Comment,
                    Some(b'/') => In::LineComment,
                    _ => In::Code,
                };
                if within != In::Code {
                    inner = inner.or(Some(end));
                }
            }
            _ => {}
        }
        end += 1;
    }
    let end = end.min(text.len());
    (&text[at..inner.unwrap_or(end)], end)
}

fn quoted_directive(text: &[u8], start: usize) -> Option<Directive<'_>> {
    let at = start + 1;
    let (word, mut end) = word_of(text, at);
    let (role, _, is_opposite, alternative) = known(word)?;
    let has_name = !matches!(role, Role::Else | Role::End) || alternative > 0;
    let mut inner: &[u8] = b"";
    if has_name {
        let blanks = text[end..].iter().take_while(|&&byte| is_blank(byte));
        (inner, end) = word_of(text, end + blanks.count());
    }
    Some(Directive {
        form: Form::Quoted,
        role,
        range: with_line(text, start..end),
        alternative: at..at + alternative,
        has_name,
        is_opposite,
        text: inner,
    })
}

fn braces_directive(text: &[u8], start: usize) -> Option<Directive<'_>> {
    let sign = *text.get(start + 1)?;
    let mut at = start + 2;
    let close: &[u8] = match sign {
        b'$' => b"}",
        b'%' => {
            at += usize::from(text.get(at) == Some(&b'-'));
            at += text[at..]
                .iter()
                .take_while(|&&byte| is_blank(byte))
                .count();
            b"%}"
        }
        _ => return None,
    };
    let (word, behind) = word_of(text, at);
    let (role, has_name, is_opposite, alternative) = known(word)?;
    let line = text[behind..].iter().take(LONGEST);
    let len = line.take_while(|&&byte| byte != b'\n').count();
    let line = &text[behind..behind + len];
    let len = line.windows(close.len()).position(|it| it == close)?;
    Some(Directive {
        form: Form::Braces(sign),
        role,
        range: with_line(text, start..behind + len + close.len()),
        alternative: at..at + alternative,
        has_name,
        is_opposite,
        text: line[..len].trim_ascii(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::string::String;

    /// What is left where the things whose numbers are in `known` hold or don't.
    fn resolved(text: &str, known: &[(usize, bool)]) -> String {
        let conditionals = Conditionals::new(text.as_bytes());
        let find = |fact: Fact| known.iter().find(|it| it.0 == fact.key());
        let value = |_: usize, branch: &Branch| branch.value(&|fact| find(fact).map(|it| it.1));
        let all = conditionals.all().iter();
        let cuts = all.flat_map(|conditional| conditional.resolved(value));
        let left = ablate_engine::patch::Patch::cuts(cuts).applied(text.as_bytes());
        String::from_utf8(left).expect("only whole lines and words go")
    }

    #[test]
    fn what_is_known_goes_with_its_directives() {
        let text = "#ifdef A\na\n#else\nb\n#endif\nc\n";
        assert_eq!(resolved(text, &[(0, true)]), "a\nc\n");
        assert_eq!(resolved(text, &[(0, false)]), "b\nc\n");
        assert_eq!(resolved(text, &[]), text);
    }

    #[test]
    fn alternatives_become_first_or_last_ones() {
        let text = "#if A\na\n#elif B\nb\n#else\nc\n#endif\n";
        assert_eq!(
            resolved(text, &[(0, false)]),
            "#if B\nb\n#else\nc\n#endif\n"
        );
        assert_eq!(
            resolved(text, &[(1, false)]),
            "#if A\na\n#else\nc\n#endif\n"
        );
        assert_eq!(
            resolved(text, &[(1, true)]),
            "#if A\na\n#elif B\nb\n#endif\n"
        );
        let text = "{$IFDEF A}a{$ELSEIF B}b{$ENDIF}";
        assert_eq!(resolved(text, &[(0, false)]), "{$IF B}b{$ENDIF}");
    }

    #[test]
    fn directives_of_many_preprocessors_are_known() {
        for text in [
            "x\n # ifdef A /* b\n c */\na\n# else // d\nb\n#endif\n",
            "x\n#if \\\n A\na\n#else\nb\n#endif\n",
            "x\n{$IFDEF A}\na\n  {$else}\nb\n{$EndIf A}\n",
            "x\n`ifdef A a\n`else\nb\n`endif\n",
            "x\n-ifdef(A).\na\n-else.\nb\n-endif.\n",
            "x\n:- if(A).\na\n:- else.\nb\n:- endif.\n",
            "x\n%ifdef A\na\n%else\nb\n%endif\n",
            "x\nifdef A\na\nelse\nb\nendif\n",
            "x\n{% if A %}\na\n{%- else -%}\nb\n{% endif %}\n",
        ] {
            assert_eq!(resolved(text, &[(0, false)]), "x\nb\n", "{text}");
        }
    }

    #[test]
    fn what_does_not_end_is_none() {
        for text in [
            "# if you like\n#else\n",
            "#endif\n#else\n#if A\n",
            "#if A\n%endif\n",
            "if A\na\nendif\n",
            "IF A\na\nELSE\nENDIF\n",
            "#if A\n\u{1c}b\u{1c}\n#endif\n",
        ] {
            assert_eq!(resolved(text, &[(0, false)]), text);
        }
        let nested = "# if you like\n#if A\na\n#endif\n";
        assert_eq!(resolved(nested, &[(1, false)]), "# if you like\n");
    }

    #[test]
    fn signs_of_comments_are_none_in_quotes_and_in_comments() {
        let part = "#if A\na\n#endif\n";
        for before in [
            "#define B \"src/*.c\"\n",
            "#define B \"\\\"/*\" '\\'' // b's\n",
            "#define B '\"' /* ' */\n",
            "#endif // see c/*.h\n",
            "#error don't /\n",
        ] {
            let text = format!("{before}{part}");
            assert_eq!(resolved(&text, &[(0, false)]), before);
        }
    }

    #[test]
    fn what_never_ends_is_no_trouble() {
        let text = "#if A\n".repeat(20_000) + &"#endif\n".repeat(20_000);
        assert_eq!(resolved(&text, &[(0, true)]), "");
        let text = "{$if ".repeat(20_000) + &"#if /*".repeat(20_000);
        assert_eq!(resolved(&text, &[]), text);
    }
}
