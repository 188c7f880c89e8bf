//! Blocks between tags that are no markup: `{% if a %}…{% endif %}`, `{{#each a}}…{{/each}}`, `{{ if .A }}…{{ end }}`,
//! `<% if (a) { %>…<% } %>` and their like in templates, `\begin{a}…\end{a}` and `\ifx…\fi` in TeX. Which language
//! it is nobody needs to say: a tag that nothing closes is passed over.

use alloc::collections::{BTreeMap, BTreeSet};
use alloc::rc::Rc;
use alloc::vec::Vec;

use ablate_engine::target::Target;

use crate::formats::characters::{is_blank, is_word};
use crate::formats::lines::with_line;

/// The longest text that is read.
const LONGEST_TEXT: usize = 16 << 20;
/// A longer tag is none.
const LONGEST_TAG: usize = 4096;
/// What stands in brackets behind `#if` is not longer.
const LONGEST_HEAD: usize = 256;
/// A last tag is not for a block with more open ones within it.
const MOST_LEVELS: usize = 256;
/// What begins a block that ends with a tag which does not say what it ends.
const OPENING: [&[u8]; 22] = [
    b"apply",
    b"begin",
    b"block",
    b"case",
    b"cond",
    b"def",
    b"define",
    b"do",
    b"for",
    b"foreach",
    b"if",
    b"macro",
    b"module",
    b"range",
    b"receive",
    b"switch",
    b"try",
    b"unless",
    b"until",
    b"verbatim",
    b"while",
    b"with",
];
/// What stands between two parts of a block, of which one is taken.
const MIDDLE: [&[u8]; 10] = [
    b"else", b"elseif", b"elsif", b"elif", b"empty", b"when", b"rescue", b"ensure", b"except",
    b"finally",
];

/// A block between two tags.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Tagged {
    /// Where its first tag starts.
    pub start: u32,
    /// The position after its first tag.
    pub interior: u32,
    /// Where its last tag starts.
    pub close: u32,
    /// The position after its last tag.
    pub end: u32,
    /// The tags between its parts.
    pub middles: Vec<(u32, u32)>,
}

impl Tagged {
    /// What is between its tags, cut by those between its parts.
    pub fn parts(&self) -> impl Iterator<Item = (u32, u32)> + '_ {
        let starts = self.middles.iter().map(|middle| middle.1);
        let ends = self.middles.iter().map(|middle| middle.0);
        let starts = core::iter::once(self.interior).chain(starts);
        starts.zip(ends.chain([self.close]))
    }
}

/// The blocks of a text between tags.
#[derive(Debug, Default)]
pub struct TaggedBlocks {
    blocks: Vec<Tagged>,
    groups: Vec<Vec<u32>>,
}

/// How a tag is written: what belongs together is written alike.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Style {
    /// `{% a %}`.
    Percent,
    /// `{{ a }}`.
    Braces,
    /// `{a}` or `{#a}`, and `{/a}`; `[a]` and `[/a]`.
    Single(u8),
    /// `<% a %>`.
    Code,
    /// `<#a>` and `</#a>`; `<@a>`, `<%a>`.
    Signed(u8),
    /// `% a` in a line.
    Line,
    /// `#a`.
    Hash,
    /// `\begin{a}`.
    Environment,
    /// `\ifx`.
    Condition,
}

/// What a tag does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Role {
    Opens,
    Middle,
    Closes,
}

/// A tag: how it is written, what it does, and the word that says what it opens or closes, if that matters.
#[derive(Clone, Copy, Debug)]
struct Tag<'a> {
    start: usize,
    end: usize,
    style: Style,
    role: Role,
    word: &'a [u8],
}

/// A block of which the last tag has not been read yet.
struct Open<'a> {
    style: Style,
    word: &'a [u8],
    block: Tagged,
}

impl<'a> Open<'a> {
    fn new(tag: &Tag<'_>, word: &'a [u8]) -> Open<'a> {
        let (start, end) = (tag.start as u32, tag.end as u32);
        Open {
            style: tag.style,
            word,
            block: Tagged {
                start,
                interior: end,
                close: end,
                end,
                middles: Vec::new(),
            },
        }
    }

    /// The block until its last tag, with more tags between its parts.
    fn until(mut self, tag: &Tag<'_>, middles: Vec<(u32, u32)>) -> Tagged {
        self.block.middles.extend(middles);
        Tagged {
            close: tag.start as u32,
            end: tag.end as u32,
            ..self.block
        }
    }
}

impl TaggedBlocks {
    /// Those of `target`; none if it is longer than 16 MiB.
    pub fn of(target: &Target<u8>) -> Rc<TaggedBlocks> {
        target.analysis(|target| {
            let text = target.elements();
            if text.len() > LONGEST_TEXT {
                return TaggedBlocks::default();
            }
            TaggedBlocks::pair(&Reader::new(text).tags())
        })
    }

    fn pair(tags: &[Tag<'_>]) -> TaggedBlocks {
        let closing = tags.iter().filter(|tag| tag.role == Role::Closes);
        let closed: BTreeSet<(Style, &[u8])> = closing.map(|tag| (tag.style, tag.word)).collect();
        let mut found = TaggedBlocks::default();
        let mut open: Vec<Open<'_>> = Vec::new();
        for tag in tags {
            match tag.role {
                Role::Opens if tag.word.is_empty() => (),
                Role::Opens => {
                    let is_plain = || OPENING.contains(&tag.word);
                    let words = [Some(tag.word), is_plain().then_some(&[][..])];
                    let mut words = words.into_iter().flatten();
                    let word = words.find(|word| closed.contains(&(tag.style, *word)));
                    open.extend(word.map(|word| Open::new(tag, word)));
                }
                Role::Middle => {
                    if let Some(last) = open.last_mut().filter(|last| last.style == tag.style) {
                        let middles = &mut last.block.middles;
                        middles.push((tag.start as u32, tag.end as u32));
                    }
                }
                Role::Closes => {
                    let is_it = |open: &Open<'_>| open.style == tag.style && open.word == tag.word;
                    let lowest = open.len().saturating_sub(MOST_LEVELS);
                    let Some(at) = open[lowest..].iter().rposition(is_it) else {
                        continue;
                    };
                    // What nothing closes has no parts: the tags between these are for the block around it.
                    let within = open.drain(lowest + at + 1..);
                    let within = within.filter(|within| within.style == tag.style);
                    let middles: Vec<_> = within.flat_map(|within| within.block.middles).collect();
                    found
                        .blocks
                        .extend(open.pop().map(|open| open.until(tag, middles)));
                }
            }
        }
        found.nest();
        found
    }

    fn nest(&mut self) {
        self.blocks
            .sort_by_key(|block| (block.start, u32::MAX - block.end));
        self.groups = alloc::vec![Vec::new(); self.blocks.len() + 1];
        let mut around: Vec<usize> = Vec::new();
        for number in 0..self.blocks.len() {
            let start = self.blocks[number].start;
            while around
                .pop_if(|outer| self.blocks[*outer].end <= start)
                .is_some()
            {}
            let outer = around.last().copied().unwrap_or(self.blocks.len());
            self.groups[outer].push(number as u32);
            around.push(number);
        }
    }

    /// All blocks, each before what is in it.
    pub fn all(&self) -> &[Tagged] {
        &self.blocks
    }

    /// The numbers of the blocks that stand side by side, by the block around them; the outermost last.
    pub fn groups(&self) -> &[Vec<u32>] {
        &self.groups
    }
}

/// What a tag does: how it is written, its role, and its word; nothing if it neither opens nor closes.
type Meaning<'a> = Option<(Style, Role, &'a [u8])>;

/// Reads tags.
struct Reader<'a> {
    text: &'a [u8],
    /// The signs of which there is a tag that closes: `{` of `{/a}`, `#` of `</#a>`. Others may be anything.
    closing: BTreeSet<u8>,
    /// For what may end a tag, a position before which it is not, from where it was looked for last.
    absent: BTreeMap<&'static [u8], usize>,
}

impl<'a> Reader<'a> {
    fn new(text: &'a [u8]) -> Reader<'a> {
        let slashes = text.windows(3).filter(|window| window[1] == b'/');
        let closing = slashes.filter_map(|window| match window {
            [sign @ (b'{' | b'['), ..] | [b'<', _, sign @ (b'#' | b'@' | b'%')] => Some(*sign),
            _ => None,
        });
        Reader {
            text,
            closing: closing.collect(),
            absent: BTreeMap::new(),
        }
    }

    /// All tags, each with its line if nothing else is in that.
    fn tags(&mut self) -> Vec<Tag<'a>> {
        let mut tags = Vec::new();
        let mut at = 0;
        while let Some(next) = self.text[at..]
            .iter()
            .position(|byte| b"{<[\\%#".contains(byte))
        {
            let start = at + next;
            let Some((length, meaning)) = self.tag(start) else {
                at = start + 1;
                continue;
            };
            at = start + length;
            if let Some((style, role, word)) = meaning {
                let range = with_line(self.text, start..at);
                tags.push(Tag {
                    start: range.start,
                    end: range.end,
                    style,
                    role,
                    word,
                });
            }
        }
        tags
    }

    /// The tag that starts at `start`: how long it is, and what it means.
    fn tag(&mut self, start: usize) -> Option<(usize, Meaning<'a>)> {
        let rest = &self.text[start..self.text.len().min(start + LONGEST_TAG)];
        let closes = |sign: &u8| self.closing.contains(sign);
        match rest {
            [b'{', b'%', ..] => {
                let (length, inner) = self.between(start, 2, b"%}")?;
                Some((length, directive(Style::Percent, inner)))
            }
            [b'{', b'{', ..] => {
                let (length, inner) = self.between(start, 2, b"}}")?;
                Some((length, braces(inner)))
            }
            [b'<', b'/', sign @ (b'#' | b'@' | b'%'), ..] => {
                let (length, inner) = self.between(start, 3, b">")?;
                let meaning = (Style::Signed(*sign), Role::Closes, leading(inner));
                Some((length, Some(meaning)))
            }
            [b'<', sign @ (b'#' | b'@' | b'%'), next, ..]
                if next.is_ascii_alphabetic() && closes(sign) =>
            {
                let (length, inner) = self.between(start, 2, b">")?;
                let word = leading(inner);
                let meaning = (Style::Signed(*sign), opens_or_goes_on(word), word);
                Some((length, Some(meaning)))
            }
            [b'<', b'%', ..] => {
                let (length, inner) = self.between(start, 2, b"%>")?;
                Some((length, code(inner)))
            }
            [sign @ (b'{' | b'['), ..] if closes(sign) => {
                let close = if *sign == b'{' { b'}' } else { b']' };
                let is_end = |byte: &u8| [*sign, close, b'\n'].contains(byte);
                let length = rest[1..].iter().position(is_end)?;
                let is_closed = rest[1 + length] == close;
                let meaning = single(*sign, &rest[1..=length]).filter(|_| is_closed)?;
                Some((length + 2, Some(meaning)))
            }
            [b'%', ..] if self.begins_line(start) => {
                let length = rest.iter().position(|&byte| byte == b'\n');
                let length = length.unwrap_or(rest.len());
                Some((length, directive(Style::Line, &rest[1..length])))
            }
            [b'#', ..] => hash(rest),
            [b'\\', ..] => {
                let commands = [(&b"\\begin{"[..], Role::Opens), (b"\\end{", Role::Closes)];
                let mut commands = commands.into_iter();
                let environment = commands.find(|(command, _)| rest.starts_with(command));
                let Some((command, role)) = environment else {
                    return condition(rest);
                };
                let (length, name) = self.between(start, command.len(), b"}")?;
                Some((length, Some((Style::Environment, role, name))))
            }
            _ => None,
        }
    }

    /// The tag at `start` that begins with `first` bytes: how long it is until its end, and what is within.
    fn between(
        &mut self,
        start: usize,
        first: usize,
        end: &'static [u8],
    ) -> Option<(usize, &'a [u8])> {
        let limit = self.text.len().min(start + LONGEST_TAG);
        let absent = self.absent.entry(end).or_default();
        let from = (start + first).max(*absent);
        let rest = self.text.get(from..limit)?;
        let Some(at) = rest.windows(end.len()).position(|window| window == end) else {
            *absent = limit + 1 - end.len();
            return None;
        };
        let close = from + at;
        Some((close + end.len() - start, &self.text[start + first..close]))
    }

    fn begins_line(&self, at: usize) -> bool {
        let before = self.text[..at].iter().rev().find(|byte| !is_blank(**byte));
        before.is_none_or(|&byte| byte == b'\n')
    }
}

/// Without white space, and without the signs that say what becomes of it.
fn trimmed(inner: &[u8]) -> &[u8] {
    let is_sign = |byte: &u8| b"-+~".contains(byte) || byte.is_ascii_whitespace();
    let start = inner.iter().position(|byte| !is_sign(byte));
    let end = inner.iter().rposition(|byte| !is_sign(byte));
    start
        .zip(end)
        .map_or(&[], |(start, last)| &inner[start..=last])
}

/// The word with which something begins.
fn leading(inner: &[u8]) -> &[u8] {
    let is_part = |byte: &u8| is_word(*byte) || b".:*-".contains(byte);
    let length = inner.iter().position(|byte| !is_part(byte));
    let word = &inner[..length.unwrap_or(inner.len())];
    word.strip_suffix(b":").unwrap_or(word)
}

fn opens_or_goes_on(word: &[u8]) -> Role {
    if MIDDLE.contains(&word) {
        Role::Middle
    } else {
        Role::Opens
    }
}

/// `if a`, `else`, `endif`, `end`.
fn directive(style: Style, inner: &[u8]) -> Meaning<'_> {
    let word = leading(trimmed(inner));
    Some(match word.strip_prefix(b"end") {
        Some(ended) => (
            style,
            Role::Closes,
            ended.strip_prefix(b"_").unwrap_or(ended),
        ),
        None => (style, opens_or_goes_on(word), word),
    })
}

/// `#a b`, `^a`, `/a`, `if a`, `else`, `end`.
fn braces(inner: &[u8]) -> Meaning<'_> {
    let inner = trimmed(inner);
    let (role, word) = match inner {
        [b'/', name @ ..] => (Role::Closes, leading(name.trim_ascii_start())),
        [b'^'] => (Role::Middle, inner),
        [b'#' | b'^', name @ ..] => {
            let is_sign = |byte: &u8| b"*> ".contains(byte);
            let signs = name.iter().take_while(|byte| is_sign(byte)).count();
            (Role::Opens, leading(&name[signs..]))
        }
        _ => match leading(inner) {
            b"end" => (Role::Closes, &[][..]),
            word => (opens_or_goes_on(word), word),
        },
    };
    Some((Style::Braces, role, word))
}

/// `if (a) {`, `} else {`, `}`; `if a`, `= f do |a|`, `else`, `end`.
fn code(inner: &[u8]) -> Meaning<'_> {
    let inner = trimmed(inner);
    let (ends, opens) = (inner.starts_with(b"}"), inner.ends_with(b"{"));
    let (role, word): (Role, &[u8]) = match (ends, opens) {
        (true, true) => (Role::Middle, b"{"),
        (true, false) => (Role::Closes, b"{"),
        (false, true) => (Role::Opens, b"{"),
        (false, false) => {
            // What stands behind a `do` are names between bars.
            let head = inner.strip_suffix(b"|").unwrap_or(inner);
            let head = match head.iter().rposition(|&byte| byte == b'|') {
                Some(bar) if head.len() < inner.len() => head[..bar].trim_ascii_end(),
                _ => inner,
            };
            match leading(inner) {
                b"end" => (Role::Closes, b""),
                _ if head.ends_with(b" do") || head.ends_with(b"->") => (Role::Opens, b"do"),
                word => (opens_or_goes_on(word), word),
            }
        }
    };
    Some((Style::Code, role, word))
}

/// `if a`, `#if a`, `:else`, `else`, `/if`, in signs that may be around anything.
fn single(sign: u8, inner: &[u8]) -> Meaning<'_> {
    let (role, word) = match inner {
        [b'/', name @ ..] => (Role::Closes, leading(name)),
        [b'#', name @ ..] => (Role::Opens, leading(name)),
        [b':', ..] => (Role::Middle, inner),
        _ => (opens_or_goes_on(leading(inner)), leading(inner)),
    };
    (!word.is_empty()).then_some((Style::Single(sign), role, word))
}

/// `#if (a)`, `#else`, `#end`. Not of the preprocessor of C, which has an `#endif`.
fn hash(rest: &[u8]) -> Option<(usize, Meaning<'_>)> {
    let word = leading(&rest[1..]);
    let after = 1 + word.len();
    let length = match rest[after..].trim_ascii_start() {
        // With what is in brackets, if it is short.
        [b'(', ..] => {
            let mut depth = 0;
            let closes = rest[after..].iter().take(LONGEST_HEAD).position(|byte| {
                depth += i32::from(*byte == b'(') - i32::from(*byte == b')');
                depth == 0 && *byte == b')'
            });
            closes.map_or(after, |at| after + at + 1)
        }
        _ => after,
    };
    let (role, word) = match word {
        b"end" => (Role::Closes, &[][..]),
        _ if MIDDLE.contains(&word) => (Role::Middle, word),
        _ if OPENING.contains(&word) => (Role::Opens, word),
        _ => return None,
    };
    Some((length, Some((Style::Hash, role, word))))
}

/// `\ifx`, `\else`, `\fi`.
fn condition(rest: &[u8]) -> Option<(usize, Meaning<'_>)> {
    let is_of_name = |byte: &u8| byte.is_ascii_alphabetic() || *byte == b'@';
    let length = 1 + rest[1..].iter().take_while(|byte| is_of_name(byte)).count();
    let role = match &rest[1..length] {
        // What it declares is no condition.
        b"newif" => return Some((rest.len().min(length + 1), None)),
        b"fi" => Role::Closes,
        b"else" | b"or" => Role::Middle,
        word if word.starts_with(b"if") => Role::Opens,
        _ => return None,
    };
    Some((length, Some((Style::Condition, role, b"fi"))))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Of each block its first tag, its last one, and those between.
    fn blocks(text: &str) -> Vec<(&str, &str, Vec<&str>)> {
        let target = Target::new(text.as_bytes().to_vec());
        let blocks = TaggedBlocks::of(&target);
        let of = |start: u32, end: u32| text[start as usize..end as usize].trim();
        let read = |block: &Tagged| {
            let middles = block.middles.iter().map(|&(start, end)| of(start, end));
            let (first, last) = (of(block.start, block.interior), of(block.close, block.end));
            (first, last, middles.collect())
        };
        blocks.all().iter().map(read).collect()
    }

    fn assert_pairs(text: &str, expected: &[(&str, &str, &[&str])]) {
        let expected: Vec<_> = expected
            .iter()
            .map(|(a, b, c)| (*a, *b, c.to_vec()))
            .collect();
        assert_eq!(blocks(text), expected, "{text}");
    }

    #[test]
    fn tags_of_many_kinds_are_paired() {
        assert_pairs(
            "{% set x = 1 %}{%- for a in b -%}\n{% include c %}{% else %}{% endfor %}{% endif %}",
            &[("{%- for a in b -%}", "{% endfor %}", &["{% else %}"])],
        );
        assert_pairs(
            "{% if a %}{% set b = 1 %}{% else %}{% endif %}{% set c %}{% endset %}",
            &[
                ("{% if a %}", "{% endif %}", &["{% else %}"]),
                ("{% set c %}", "{% endset %}", &[]),
            ],
        );
        assert_pairs("{% if a %}b{% end %}", &[("{% if a %}", "{% end %}", &[])]);
        assert_pairs(
            "{{#each a.b}}{{#c}}{{x}}{{^}}{{/c}}{{{y}}}{{/each}}{{^d}}{{/d}}",
            &[
                ("{{#each a.b}}", "{{/each}}", &[]),
                ("{{#c}}", "{{/c}}", &["{{^}}"]),
                ("{{^d}}", "{{/d}}", &[]),
            ],
        );
        assert_pairs(
            "{{- if .a }}{{ .b }}{{ else if .c }}{{ range .d }}{{ end }}{{- end -}}",
            &[
                ("{{- if .a }}", "{{- end -}}", &["{{ else if .c }}"]),
                ("{{ range .d }}", "{{ end }}", &[]),
            ],
        );
        assert_pairs(
            "<% if (a) { %>b<% } else { %>c<% } %><%= d %>",
            &[("<% if (a) { %>", "<% } %>", &["<% } else { %>"])],
        );
        assert_pairs(
            "<%= f do |g| %><% if a %><%= b %><% else %><% end %><% end %>",
            &[
                ("<%= f do |g| %>", "<% end %>", &[]),
                ("<% if a %>", "<% end %>", &["<% else %>"]),
            ],
        );
        assert_pairs(
            "{#if a}{b}{:else}c{/if} {foreach $a[0] as $b}{$b}{/foreach}",
            &[
                ("{#if a}", "{/if}", &["{:else}"]),
                ("{foreach $a[0] as $b}", "{/foreach}", &[]),
            ],
        );
        assert_pairs("[b]a[i]c[/b]", &[("[b]", "[/b]", &[])]);
        assert_pairs(
            "<#if a>b<#else>c</#if>",
            &[("<#if a>", "</#if>", &["<#else>"])],
        );
        assert_pairs(
            "% for a in b:\nc\n% endfor\n",
            &[("% for a in b:", "% endfor", &[])],
        );
        assert_pairs(
            "#if ($a.b())x#else y#end",
            &[("#if ($a.b())", "#end", &["#else"])],
        );
        assert_pairs(
            "\\newif\\ifz \\begin{a}\\ifx b\\else c\\fi\\end{a}",
            &[
                ("\\begin{a}", "\\end{a}", &[]),
                ("\\ifx", "\\fi", &["\\else"]),
            ],
        );
    }

    #[test]
    fn a_text_may_end_anywhere() {
        let text =
            b"{% if a %}b{% endif %}{{#c}}{{/c}}<% d { %><% } %>{/e}[/f]<#g></#g>\n% h\n% endh\n\
            #if (i)#end\\begin{j}\\newif\\ifk\\fi\\end{j}";
        for end in 0..=text.len() {
            let blocks = TaggedBlocks::of(&Target::new(text[..end].to_vec()));
            for block in blocks.all() {
                assert!(block.start < block.interior && block.interior <= block.close);
                assert!(block.close < block.end && block.end as usize <= end);
            }
        }
    }

    #[test]
    fn what_nothing_closes_is_no_block() {
        assert_pairs(
            "{% if a %} {{ b }} <% c %> \\begin{d} #if 1\n#endif\n {e} [f]",
            &[],
        );
        assert_pairs(
            "{% endif %}{{/a}}{{ end }}<% } %>\\end{a}\\fi #end {% {{ <% <# </# {/ [/",
            &[],
        );
    }
}
