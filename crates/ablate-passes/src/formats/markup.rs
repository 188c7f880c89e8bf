//! Markup: the elements of XML and HTML, with their tags and attributes. What has no end of its own
//! (`<br>`) is an element without content; what does not match is passed over.

use alloc::rc::Rc;
use alloc::vec::Vec;

use ablate_engine::target::Target;

/// An element.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Element {
    /// Where its first tag starts.
    pub start: u32,
    /// The position after its first tag.
    pub interior: u32,
    /// Where its last tag starts; `end` if it has only one.
    pub close: u32,
    /// The position after its last tag.
    pub end: u32,
    /// The number of the element around it; [`Element::NONE`] at the top.
    pub parent: u32,
}

impl Element {
    /// No element.
    pub const NONE: u32 = u32::MAX;

    /// The element with its tags.
    pub fn range(&self) -> (usize, usize) {
        (self.start as usize, self.end as usize)
    }

    /// What is between its tags.
    pub fn content(&self) -> (usize, usize) {
        (
            self.interior as usize,
            (self.close.max(self.interior)) as usize,
        )
    }

    /// Whether it has a tag at its end.
    pub fn is_closed(&self) -> bool {
        self.close < self.end
    }
}

/// An attribute.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Attribute {
    /// Where the white space before it starts.
    pub start: u32,
    /// The position after its value.
    pub end: u32,
    /// Where its name is.
    pub name: (u32, u32),
}

/// The elements and attributes of a text, by position.
#[derive(Debug, Default)]
pub struct Markup {
    elements: Vec<Element>,
    attributes: Vec<Attribute>,
}

/// The longest text that is read.
const LONGEST_TEXT: usize = 16 << 20;

impl Markup {
    /// The markup of `target`; none if it does not start with a tag, or is longer than 16 MiB.
    pub fn of(target: &Target<u8>) -> Rc<Markup> {
        target.analysis(|target| {
            let text = target.elements();
            let start = text.trim_ascii_start();
            let start = start.strip_prefix(b"\xef\xbb\xbf").unwrap_or(start);
            let is_markup =
                matches!(start, [b'<', next, ..] if is_name(*next) || matches!(next, b'!' | b'?'));
            if is_markup && text.len() <= LONGEST_TEXT {
                Markup::read(text)
            } else {
                Markup::default()
            }
        })
    }

    fn read(text: &[u8]) -> Markup {
        let mut markup = Markup::default();
        // The elements that are open, with how their names are spelt.
        let mut open: Vec<u32> = Vec::new();
        let mut at = 0;
        while let Some(next) = text[at..].iter().position(|&byte| byte == b'<') {
            let start = at + next;
            let rest = &text[start..];
            at = match rest.get(1) {
                Some(b'!' | b'?') => {
                    let end: &[u8] = match rest {
                        [b'<', b'!', b'-', b'-', ..] => b"-->",
                        [b'<', b'!', b'[', ..] => b"]]>",
                        _ => b">",
                    };
                    let found = rest.windows(end.len()).position(|window| window == end);
                    found.map_or(text.len(), |found| start + found + end.len())
                }
                Some(b'/') => {
                    let length = rest.iter().position(|&byte| byte == b'>');
                    let end = length.map_or(text.len(), |length| start + length + 1);
                    markup.close(text, &mut open, start, end);
                    end
                }
                Some(&byte) if is_name(byte) => markup.open(text, &mut open, start),
                _ => start + 1,
            };
        }
        markup
    }

    /// Reads a first tag; gives the position after it.
    fn open(&mut self, text: &[u8], open: &mut Vec<u32>, start: usize) -> usize {
        let mut at = start + 1 + name_length(&text[start + 1..]);
        loop {
            let blank = at;
            at += blanks(&text[at..]);
            match text.get(at) {
                None | Some(b'>' | b'<') => break,
                Some(b'/') => {
                    at += 1;
                    continue;
                }
                Some(_) => (),
            }
            let length = braces(&text[at..]).max(name_length(&text[at..])).max(1);
            let name = (at as u32, (at + length) as u32);
            at = name.1 as usize;
            let equals = at + blanks(&text[at..]);
            if text.get(equals) == Some(&b'=') {
                at = equals + 1 + blanks(&text[equals + 1..]);
                at += value_length(&text[at..]);
            }
            self.attributes.push(Attribute {
                start: blank as u32,
                end: at as u32,
                name,
            });
        }
        let end = if text.get(at) == Some(&b'>') {
            at + 1
        } else {
            at
        };
        let is_empty = text[..at].last() == Some(&b'/') && end > at;
        self.elements.push(Element {
            start: start as u32,
            interior: end as u32,
            close: end as u32,
            end: end as u32,
            parent: open.last().copied().unwrap_or(Element::NONE),
        });
        if !is_empty && open.len() < MOST_LEVELS {
            open.push(self.elements.len() as u32 - 1);
        }
        end
    }

    /// Ends the innermost element with this name; those within it have no last tag.
    fn close(&mut self, text: &[u8], open: &mut Vec<u32>, start: usize, end: usize) {
        let name_of = |at: usize| &text[at..at + name_length(&text[at..])];
        let name = name_of(start + 2);
        let is_it = |&&element: &&u32| {
            let start = self.elements[element as usize].start as usize;
            name_of(start + 1).eq_ignore_ascii_case(name)
        };
        let Some(&element) = open.iter().rev().take(MOST_UNCLOSED).find(is_it) else {
            return;
        };
        while open.pop().is_some_and(|inner| inner != element) {}
        let closed = &mut self.elements[element as usize];
        (closed.close, closed.end) = (start as u32, end as u32);
    }

    /// All elements, each before what is in it.
    pub fn elements(&self) -> &[Element] {
        &self.elements
    }

    /// All attributes.
    pub fn attributes(&self) -> &[Attribute] {
        &self.attributes
    }

    /// The number of the element that starts at `start`.
    pub fn starting_at(&self, start: usize) -> Option<usize> {
        let found = self
            .elements
            .binary_search_by_key(&start, |element| element.start as usize);
        found.ok()
    }

    /// The elements around an element, the nearest first.
    pub fn around(&self, element: usize) -> impl Iterator<Item = usize> + '_ {
        let range = self.elements[element].range();
        let parent = |&number: &usize| {
            let parent = self.elements[number].parent;
            (parent != Element::NONE).then_some(parent as usize)
        };
        // An element without a last tag is around nothing.
        core::iter::successors(Some(element), parent)
            .skip(1)
            .take(MOST_UNCLOSED)
            .filter(move |&number| self.elements[number].end as usize >= range.1)
    }
}

/// The elements of a text, the longest first.
#[derive(Debug)]
pub struct ElementsBySize(
    /// Their numbers.
    pub Vec<u32>,
);

impl ElementsBySize {
    /// Those of `target`.
    pub fn of(target: &Target<u8>) -> Rc<ElementsBySize> {
        let markup = Markup::of(target);
        target.analysis(|_| {
            let mut numbers: Vec<u32> = (0..markup.elements.len() as u32).collect();
            // From the end to the start among elements of about the same length.
            numbers.sort_by_cached_key(|&number| {
                let element = &markup.elements[number as usize];
                let length = element.end - element.start;
                (length.leading_zeros(), core::cmp::Reverse(number))
            });
            ElementsBySize(numbers)
        })
    }
}

/// Elements that are nested deeper are not paired.
const MOST_LEVELS: usize = 4096;
/// How far from an open brace the one that closes it may be.
const LONGEST_BRACES: usize = 4096;
/// A last tag is not for an element with more open ones within it.
const MOST_UNCLOSED: usize = 64;

/// Whether a name can start with this byte, or go on with it.
fn is_name(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-' | b':' | b'.') || byte >= 0x80
}

fn name_length(text: &[u8]) -> usize {
    let end = text.iter().position(|&byte| !is_name(byte));
    end.unwrap_or(text.len())
}

fn blanks(text: &[u8]) -> usize {
    let end = text.iter().position(|byte| !byte.is_ascii_whitespace());
    end.unwrap_or(text.len())
}

/// The length of an attribute's value, with its quotes or braces.
fn value_length(text: &[u8]) -> usize {
    let braces = braces(text);
    if braces > 0 {
        return braces;
    }
    let is_end = |&byte: &u8| byte.is_ascii_whitespace() || byte == b'>';
    let unquoted = text.iter().position(is_end).unwrap_or(text.len());
    let is_slash = text[unquoted..].starts_with(b">") && text[..unquoted].ends_with(b"/");
    let unquoted = unquoted - usize::from(is_slash);
    match text.first() {
        Some(&quote @ (b'"' | b'\'')) => {
            let close = text[1..].iter().position(|&byte| byte == quote);
            close.map_or(unquoted, |close| close + 2)
        }
        _ => unquoted,
    }
}

/// The length of the braces that a text starts with, and of what is in them; 0 if there are none. In
/// templates and components they hold code, in which `>` ends no tag: `a={() => b}`, `{% if a > b %}`.
fn braces(text: &[u8]) -> usize {
    let mut depth = 0_usize;
    for (at, byte) in text.iter().enumerate().take(LONGEST_BRACES) {
        match byte {
            b'{' => depth += 1,
            b'}' => depth = depth.saturating_sub(1),
            _ => (),
        }
        if depth == 0 {
            return if *byte == b'}' { at + 1 } else { 0 };
        }
    }
    0
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::vec::Vec;

    fn check(text: &str, elements: &[&str], attributes: &[&str]) {
        let markup = Markup::of(&Target::new(text.as_bytes().to_vec()));
        let part = |start: u32, end: u32| &text[start as usize..end as usize];
        let seen = markup.elements().iter().map(|e| part(e.start, e.end));
        assert_eq!(seen.collect::<Vec<_>>(), elements);
        let seen = markup.attributes().iter().map(|a| part(a.start, a.end));
        assert_eq!(seen.collect::<Vec<_>>(), attributes);
    }

    #[test]
    fn tags_come_in_pairs() {
        check(
            "<a><b>x</b><c/></a>",
            &["<a><b>x</b><c/></a>", "<b>x</b>", "<c/>"],
            &[],
        );
        check("<p>one<br>two</P>", &["<p>one<br>two</P>", "<br>"], &[]);
        check("<!-- <a> --><b></b></c>", &["<b></b>"], &[]);
        check("<a", &["<a"], &[]);
    }

    #[test]
    fn attributes_may_have_values() {
        check(
            "<a b c = 'd>' e=f/>",
            &["<a b c = 'd>' e=f/>"],
            &[" b", " c = 'd>'", " e=f"],
        );
    }

    #[test]
    fn what_is_in_braces_ends_no_tag() {
        check(
            "<a b={() => c} {d} {...e}><f {% if g > h %}i{% endif %}/></a>",
            &[
                "<a b={() => c} {d} {...e}><f {% if g > h %}i{% endif %}/></a>",
                "<f {% if g > h %}i{% endif %}/>",
            ],
            &[
                " b={() => c}",
                " {d}",
                " {...e}",
                " {% if g > h %}",
                "i",
                "{% endif %}",
            ],
        );
        check("<a b={>c</a>", &["<a b={>c</a>"], &[" b={"]);
    }

    #[test]
    fn other_text_has_no_elements() {
        check("a <b> c </b>", &[], &[]);
        check("< a", &[], &[]);
    }

    #[test]
    fn deep_markup_is_read() {
        let text = [b"<a>".repeat(50_000), b"</a>".repeat(50_000)].concat();
        let markup = Markup::of(&Target::new(text));
        assert_eq!(markup.elements().len(), 50_000);
    }
}
