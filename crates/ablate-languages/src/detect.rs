//! What language a file is in: by its name, then by its content.

use ablate_engine::target::Target;
use regex::bytes::RegexSetBuilder;

use crate::language::Language;
use crate::languages::LANGUAGES;
use crate::tree::Syntax;

/// How much of a content is looked at.
const LOOKED_AT: usize = 4096;
/// What has to speak for a language: one hint, and half of the head that is read.
const SCORE_MIN: f64 = 0.25;

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

/// The language that most speaks for: of how many kinds its hints are in the head of the content, and
/// how much of the head its grammar reads.
fn by_content(content: &[u8]) -> Option<&'static Language> {
    let head = String::from_utf8_lossy(&content[..content.len().min(LOOKED_AT)]);
    let head = head.trim_start();
    let scored = LANGUAGES.iter().rev().filter_map(|language| {
        let hints = hints(language, head);
        (hints > 0).then(|| (hints as f64 * read_share(language, head).powi(2), language))
    });
    let best = scored.max_by(|a, b| a.0.total_cmp(&b.0))?;
    (best.0 > SCORE_MIN).then_some(best.1)
}

/// How many of the language's hints are in a text.
fn hints(language: &Language, text: &str) -> usize {
    // All hints are ASCII, and classes of all Unicode would take long to compile.
    let patterns = RegexSetBuilder::new(language.hints)
        .unicode(false)
        .multi_line(true)
        .build();
    patterns.map_or(0, |patterns| {
        patterns.matches(text.as_bytes()).iter().count()
    })
}

/// How much of a text the grammar reads without an error, from 0 to 1.
fn read_share(language: &'static Language, text: &str) -> f64 {
    let target = Target::new(text.as_bytes().to_vec());
    let tree = Syntax::new(language).tree(&target);
    1.0 - tree.unread() as f64 / text.len().max(1) as f64
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
