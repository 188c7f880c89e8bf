//! What language a file is in: by its name, then by its content.

use crate::language::Language;
use crate::languages::LANGUAGES;

/// How much of a content is looked at.
const LOOKED_AT: usize = 4096;

/// The language of a file with this base name and this content; `None` for what no grammar of this
/// build is for.
pub fn detect(name: &str, content: &[u8]) -> Option<&'static Language> {
    by_name(name).or_else(|| by_content(content))
}

fn by_name(name: &str) -> Option<&'static Language> {
    // Reducers and people put their own ends behind: `a.c.orig`, `b.rs.min`.
    let mut ends = name.rsplit('.');
    let last = ends.next()?;
    let before = ends
        .next()
        .filter(|_| matches!(last, "orig" | "bak" | "min" | "reduced"));
    let has = |language: &Language, end: &str| {
        let mut extensions = language.extensions.iter();
        extensions.any(|known| known.eq_ignore_ascii_case(end) || *known == name)
    };
    let by_end = |end: &str| LANGUAGES.iter().find(|language| has(language, end));
    by_end(last).or_else(|| by_end(before?))
}

/// The language with the most hints in the head of the content, if there is a hint at all.
fn by_content(content: &[u8]) -> Option<&'static Language> {
    let head = String::from_utf8_lossy(&content[..content.len().min(LOOKED_AT)]);
    let head = head.trim_start();
    let hits = |language: &&Language| {
        let found = language.hints.iter().filter(|hint| is_in(head, hint));
        found.count()
    };
    let most = LANGUAGES.iter().rev().max_by_key(hits)?;
    (hits(&most) > 0).then_some(most)
}

/// Whether a line of the head starts with the hint; a hint of one line only counts at the start.
fn is_in(head: &str, hint: &str) -> bool {
    head.starts_with(hint)
        || head
            .lines()
            .any(|line| line.starts_with(hint) && hint.len() > 3)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(name: &str, content: &str, expected: Option<&str>) {
        let found = detect(name, content.as_bytes()).map(|language| language.name);
        assert_eq!(found, expected, "{name} {content}");
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
    }
}
