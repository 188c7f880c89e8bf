//! Deletes macros that stand for nothing, with their uses and what is in the brackets behind these.
//!
//! Such a macro, as of `#define API` in `class API a {};` or of `#define ONLY(x)` in `ONLY(a;) b();`, is no part of
//! the language, and a grammar takes it for something else. What a condition such as `#ifdef API` asks for stays.
//!
//! Costs one test for all of them, halves, quarters and so on, those first whose uses take most room.
//!
//! ```
//! use ablate_passes::explain::reductions;
//! use ablate_passes::passes::DeleteEmptyMacros;
//!
//! let text = "#define API\n#define ONLY(x) /* nothing */\nAPI int a() { ONLY(b(\")\");) return ONLY; }\n";
//! let seen = reductions(&DeleteEmptyMacros, text);
//! assert_eq!(seen[0], "int a() {  return ONLY; }\n");
//! assert_eq!(seen[1], "#define API\nAPI int a() {  return ONLY; }\n");
//! assert_eq!(seen.len(), 3);
//! let text = "#define A\nint a;\n#undef A\n";
//! assert_eq!(reductions(&DeleteEmptyMacros, text), ["int a;\n"]);
//! let text = "#define A\n#ifdef A\n#endif\n";
//! assert!(reductions(&DeleteEmptyMacros, text).is_empty());
//! ```

use alloc::collections::{BTreeMap, BTreeSet};
use alloc::vec::Vec;
use core::cmp::Reverse;
use core::ops::Range;

use ablate_engine::chooser::{Chooser, DeadBranch};
use ablate_engine::pass::Pass;
use ablate_engine::patch::Patch;
use ablate_engine::target::Target;

use crate::formats::brackets::Brackets;
use crate::formats::characters::{is_blank, is_word};
use crate::formats::conditionals::{Conditionals, Defined};
use crate::formats::quotes::Quotes;
use crate::formats::runs::add_runs;

/// Deletes macros that stand for nothing; see the module.
#[derive(Clone, Copy, Debug, Default)]
pub struct DeleteEmptyMacros;

/// Macros that stand for nothing, each with where its definitions and uses are, and the runs of them to delete.
#[derive(Default)]
struct Macros {
    places: Vec<Vec<(usize, usize)>>,
    runs: Vec<(usize, usize)>,
}

impl Macros {
    fn of(target: &Target<u8>) -> Macros {
        let text = target.elements();
        let conditionals = Conditionals::of(target);
        // Whether a macro has parameters, by its name, and its number.
        let mut empty: BTreeMap<&[u8], (bool, usize)> = BTreeMap::new();
        let mut others: BTreeSet<&[u8]> = BTreeSet::new();
        for definition in conditionals.definitions() {
            let (has_parameters, meaning) = match &definition.meaning {
                Defined::As(text) => (false, text),
                Defined::With(text) => (true, text),
                Defined::Not => continue,
            };
            let name = &definition.name[..];
            let number = empty.len();
            let known = empty.entry(name).or_insert((has_parameters, number));
            let is_of_c = text[definition.directive.clone()].trim_ascii_start()[..1] == *b"#";
            if !meaning.is_empty() || !is_of_c || known.0 != has_parameters {
                others.insert(name);
            }
        }
        for condition in conditionals.texts() {
            others.extend(condition.split(|&byte| !is_word(byte)));
        }
        let mut places: Vec<Vec<(usize, usize)>> = Vec::new();
        places.resize_with(empty.len(), Vec::new);
        empty.retain(|name, _| !others.contains(name));
        if empty.is_empty() {
            return Macros::default();
        }
        let mut directives = Vec::new();
        for definition in conditionals.definitions() {
            if let Some(&(_, number)) = empty.get(&definition.name[..]) {
                let Range { start, end } = definition.directive;
                places[number].push((start, end));
                directives.push((start, end));
            }
        }
        let mut directives = directives.into_iter().peekable();
        let (mut behind, quotes, brackets) = (0, Quotes::of(target), Brackets::of(target));
        each_word(text, &quotes, &mut |start, end| {
            while let Some(passed) = directives.next_if(|next| next.0 < end) {
                behind = passed.1;
            }
            match empty.get(&text[start..end]) {
                Some(&(has_parameters, number)) if start >= behind => {
                    let end = use_end(text, &brackets, end, has_parameters);
                    places[number].extend(end.map(|end| (start, end)));
                    end.unwrap_or(start)
                }
                _ => start,
            }
        });
        places.retain(|places| !places.is_empty());
        places.sort_by_cached_key(|places| {
            let sizes = places.iter().map(|place| place.1 - place.0);
            Reverse(sizes.sum::<usize>())
        });
        let mut macros = Macros {
            places,
            runs: Vec::new(),
        };
        add_runs(0, macros.places.len() - 1, &mut |first, last| {
            macros.runs.push((first, last));
            true
        });
        macros
            .runs
            .sort_by_cached_key(|&(first, last)| (usize::MAX - (last - first), first));
        macros
    }
}

/// Calls `see` with each word that is not in quotes or comments; it says where to go on. What begins with `#` is a
/// directive here, also where a blank is behind it.
fn each_word(text: &[u8], quotes: &Quotes, see: &mut impl FnMut(usize, usize) -> usize) {
    let mut at = 0;
    while at < text.len() {
        let len = text[at..].iter().take_while(|&&byte| is_word(byte)).count();
        at = if len > 0 {
            see(at, at + len).max(at + len)
        } else {
            let skipped = quotes.end_from(at, text[at]);
            skipped.filter(|_| text[at] != b'#').unwrap_or(at + 1)
        };
    }
}

/// Where the use of a macro ends whose name ends at `name_end`: with blanks behind it, or the bracket that closes.
fn use_end(
    text: &[u8],
    brackets: &Brackets,
    name_end: usize,
    has_parameters: bool,
) -> Option<usize> {
    let rest = text[name_end..].iter();
    if !has_parameters {
        return Some(name_end + rest.take_while(|&&byte| is_blank(byte)).count());
    }
    let open = name_end + rest.take_while(|byte| byte.is_ascii_whitespace()).count();
    let pair = brackets.opening_at(open).filter(|_| text[open] == b'(')?;
    Some(pair.range().1)
}

impl Pass<u8> for DeleteEmptyMacros {
    fn name(&self) -> &'static str {
        "delete_empty_macros"
    }

    fn step(
        &self,
        target: &Target<u8>,
        chooser: &mut Chooser<'_>,
    ) -> Result<Patch<u8>, DeadBranch> {
        let macros = target.analysis(Macros::of);
        let (first, last) = macros.runs[chooser.prefer(macros.runs.len())?];
        let places = macros.places[first..=last].iter().flatten();
        Ok(Patch::cuts(places.copied()))
    }

    fn is_for_chaos(&self) -> bool {
        false
    }

    fn is_largest_first(&self) -> bool {
        true
    }

    fn keeps_form(&self) -> bool {
        true
    }

    fn rank(&self) -> u8 {
        9
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use ablate_engine::explain::reductions;

    #[test]
    fn what_stands_for_something_stays() {
        let texts = [
            "#define A 1\nA a;\n",
            "#define A\n#define A 1\nA a;\n",
            "#define A\n#define A(x)\nA a;\n",
            "#if B > A(1)\n#endif\n#define A(x)\nA(1) a;\n",
            "%define A\nA a;\n",
        ];
        for text in texts {
            let seen = reductions(&DeleteEmptyMacros, text.as_bytes());
            assert!(seen.is_empty(), "{text} {seen:?}");
        }
    }

    #[test]
    fn definitions_that_look_like_comments_go_too() {
        for (text, expected) in [
            ("# define A\n", ""),
            ("A int a;\n# define A\n# define B(x)\n", "int a;\n"),
            ("#define A\n# define B A 1\n", "# define B 1\n"),
        ] {
            let seen = reductions(&DeleteEmptyMacros, text.as_bytes());
            assert_eq!(seen[0], expected.as_bytes(), "{text}");
        }
    }

    #[test]
    fn uses_are_not_in_quotes_or_comments_and_end_with_their_bracket() {
        let text = "#define A(x, y) \\\n\nchar *a = \"A(1)\" /* A(2) */ A (3, (4), \")\") ; // A(5)\nA(6;\n";
        let expected = "char *a = \"A(1)\" /* A(2) */  ; // A(5)\nA(6;\n";
        let seen = reductions(&DeleteEmptyMacros, text.as_bytes());
        assert_eq!(seen, [expected.as_bytes().to_vec()]);
    }
}
