//! What is embedded in a text in another language: the scripts and styles of HTML and SVG. They are read where they
//! stand, as if they were one text.

use std::ops::Range;
use std::rc::Rc;

use crate::language::Language;
use crate::languages::LANGUAGES;
use crate::tree::Syntax;

/// The languages that texts in others are embedded in.
const HOSTS: [&str; 2] = ["html", "xml"];
/// What may stand around the content of an element in XML.
const CDATA: [&[u8]; 2] = [b"<![CDATA[", b"]]>"];
/// Elements whose content is no HTML up to the tag that ends it, with the language of the content.
const RAW: [(&str, &str); 2] = [("script", "javascript"), ("style", "css")];
/// What a script says that its type is, if it is JavaScript, besides nothing.
const TYPES_OF_JAVASCRIPT: [&str; 4] = ["javascript", "ecmascript", "module", "babel"];
const TYPES_OF_TYPESCRIPT: [&str; 2] = ["ts", "typescript"];

/// What has the trees of what is embedded in a text in `host`, one for each language.
pub fn embedded(host: &Language, text: &[u8]) -> Vec<Rc<Syntax>> {
    if !HOSTS.contains(&host.name) {
        return Vec::new();
    }
    let all = parts(text);
    let is_in = |language: &&Language| all.iter().any(|(name, _)| *name == language.name);
    let languages = LANGUAGES.iter().filter(is_in);
    languages.map(Syntax::in_html).collect()
}

/// Where texts in this language are embedded in HTML.
pub(crate) fn places(language: &Language, text: &[u8]) -> Vec<Range<usize>> {
    let all = parts(text).into_iter();
    let own = all.filter(|(name, _)| *name == language.name);
    own.map(|(_, range)| range).collect()
}

/// The contents of scripts and styles that are not blank, each with its language.
fn parts(text: &[u8]) -> Vec<(&'static str, Range<usize>)> {
    let mut parts = Vec::new();
    let mut at = 0;
    let next_tag = |at: usize| text[at..].iter().position(|&byte| byte == b'<');
    while let Some(tag) = next_tag(at).map(|found| at + found) {
        let rest = &text[tag + 1..];
        if rest.starts_with(b"!--") {
            let Some(end) = found(rest, b"-->") else {
                break;
            };
            at = tag + 1 + end;
            continue;
        }
        at = tag + 1;
        let mut raw = RAW.iter();
        let Some((name, language)) = raw.find(|(name, _)| is_tag(rest, name)) else {
            continue;
        };
        let start = at + end_of_tag(rest);
        let end_tag = [b"</", name.as_bytes()].concat();
        let end = found(&text[start..], &end_tag).map_or(text.len(), |found| start + found);
        let language = spoken(language, &text[at + name.len()..start]);
        if let Some(content) = content(text, start..end) {
            parts.extend(language.map(|language| (language, content)));
        }
        at = end;
    }
    parts
}

/// What stands in an element, if it is not blank.
fn content(text: &[u8], Range { mut start, mut end }: Range<usize>) -> Option<Range<usize>> {
    let [open, close] = CDATA;
    let is_blank = |byte: &u8| byte.is_ascii_whitespace();
    let first = start + text[start..end].iter().position(|byte| !is_blank(byte))?;
    if text[first..end].starts_with(open) {
        start = first + open.len();
        end = start + found(&text[start..end], close).unwrap_or(end - start);
    }
    (!text[start..end].trim_ascii().is_empty()).then_some(start..end)
}

/// Whether a tag of this name begins here, behind its bracket.
fn is_tag(text: &[u8], name: &str) -> bool {
    let begins = text.get(..name.len());
    let ends = text.get(name.len()).copied().unwrap_or(b'>');
    begins.is_some_and(|begins| begins.eq_ignore_ascii_case(name.as_bytes()))
        && (ends.is_ascii_whitespace() || matches!(ends, b'>' | b'/'))
}

/// The position behind the bracket that ends a tag: not one within quotes.
fn end_of_tag(text: &[u8]) -> usize {
    let mut quote = None;
    let is_end = |&byte: &u8| match (quote, byte) {
        (Some(open), _) => {
            quote = quote.filter(|_| open != byte);
            false
        }
        (None, b'"' | b'\'') => {
            quote = Some(byte);
            false
        }
        (None, _) => byte == b'>',
    };
    text.iter().position(is_end).map_or(text.len(), |at| at + 1)
}

/// The language that the content of an element with these attributes is in.
fn spoken(language: &'static str, attributes: &[u8]) -> Option<&'static str> {
    let attributes = String::from_utf8_lossy(attributes).to_ascii_lowercase();
    let attributes = attributes.replace(|c: char| c.is_ascii_whitespace(), " ");
    let value = |name: &str| {
        let (_, behind) = attributes.split_once(name)?;
        let value = behind.trim_start().strip_prefix('=')?.trim_start();
        let mut words = value.split(['"', '\'', '>', ' ']);
        words.find(|word| !word.is_empty())
    };
    let is_any = |value: &str, known: &[&str]| known.iter().any(|known| value.contains(known));
    match (language, value(" type"), value(" lang")) {
        ("javascript", None, Some(lang)) if TYPES_OF_TYPESCRIPT.contains(&lang) => {
            Some("typescript")
        }
        ("javascript", Some(of), _) => is_any(of, &TYPES_OF_JAVASCRIPT).then_some(language),
        ("css", _, Some(lang)) => (lang == language).then_some(language),
        _ => Some(language),
    }
}

/// Where `word` stands first, in capitals or not.
fn found(text: &[u8], word: &[u8]) -> Option<usize> {
    text.windows(word.len())
        .position(|window| window.eq_ignore_ascii_case(word))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, expected: &[(&str, &str)]) {
        let found = parts(text.as_bytes()).into_iter();
        let found: Vec<(&str, &str)> = found.map(|(name, at)| (name, &text[at])).collect();
        assert_eq!(found, expected, "{text}");
    }

    #[test]
    fn scripts_and_styles_are_found_where_html_has_them() {
        check("", &[]);
        check("<script>a</script>", &[("javascript", "a")]);
        check("<p><SCRIPT>a<b</Script><p>", &[("javascript", "a<b")]);
        check(
            "<style>b{}</style><script\nsrc='>'>a",
            &[("css", "b{}"), ("javascript", "a")],
        );
        check("<script> \n</script><scripts>a</scripts><", &[]);
        check(
            "<!-- <script>a</script> --><style>b</style>",
            &[("css", "b")],
        );
        check("<!-- <script>a</script>", &[]);
        check("<script", &[]);
    }

    #[test]
    fn elements_say_what_their_content_is() {
        check(
            "<script type=\"text/javascript\">a</script>",
            &[("javascript", "a")],
        );
        check("<script type=module>a</script>", &[("javascript", "a")]);
        check("<script type='application/json'>{}</script>", &[]);
        check(
            "<script setup lang=\"ts\">a</script>",
            &[("typescript", "a")],
        );
        check("<style lang=\"scss\">a</style>", &[]);
        check(
            "<script data-type=\"json\">a</script>",
            &[("javascript", "a")],
        );
    }

    #[test]
    fn what_is_no_markup_in_xml_stands_between_marks() {
        check(
            "<svg><script>\n<![CDATA[a<b]]>\n</script></svg>",
            &[("javascript", "a<b")],
        );
        check("<script><![CDATA[ ]]></script>", &[]);
        check("<script><![CDATA[a</script>", &[("javascript", "a")]);
    }
}
