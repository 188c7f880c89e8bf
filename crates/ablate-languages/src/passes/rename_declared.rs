//! Gives many names that the text declares their shortest forms at once.
//!
//! What a text declares itself can mostly be called anything: a list of two hundred variants needs one
//! test then, and not two hundred. `fn first(second: T) { second }` becomes `fn a(b: T) { b }`. A name
//! that begins with a capital letter keeps one, as some languages want it; `main` and what else a
//! language calls by itself stays.
//!
//! Tries all such names, halves of them, and so on down to four, those that stand for parts of
//! something last. The rest is left to the passes that rename one at a time. These give small letters
//! only, so that where the grammar tells names apart by their first letter (OCaml, Haskell, Ruby) those
//! that begin with a capital one are also renamed one at a time here. So are those of Rust that a type from
//! elsewhere has as well, where `Vec::new` stays what it is.
//!
//! Costs up to one test for every two names, and one for each of these.
//!
//! ```
//! use ablate_languages::explain::reductions;
//!
//! let text = "int one(int two) { int three = two; int four = three; return four; }";
//! let seen = reductions("rename_declared", "c", text);
//! assert_eq!(seen[0], "int d(int a) { int b = a; int c = b; return c; }");
//! ```

use std::collections::BTreeSet;
use std::rc::Rc;
use std::slice;

use ablate_engine::patch::Patch;
use ablate_engine::target::Target;
use ablate_passes::formats::tokens::{Kind, Token};
use ablate_passes::formats::words::{Words, is_keyword, name, respelled};

use crate::inner::is_called_unnamed;
use crate::names::Names;
use crate::passes::{Finds, add_runs};
use crate::paths::is_foreign;
use crate::tree::Syntax;

/// Texts with more names have more to gain from other passes.
const NAMES_MAX: usize = 2000;
const PLACES_MAX: usize = 10_000;
/// Fewer names are not renamed together.
const TOGETHER_MIN: usize = 4;
/// Languages in whose grammar the case of a name's first letter counts.
const CASED: &[&str] = &["haskell", "ocaml", "ruby"];

/// Renames all that is declared; see the module.
#[derive(Clone, Debug)]
pub struct RenameDeclared(pub Rc<Syntax>);

/// A name that gets another form.
struct Renamed<'a> {
    /// Where it stands, but for what else is meant.
    places: Vec<Token>,
    /// Whether something else has the name as well, so that no other pass can rename it.
    is_shared: bool,
    name: Vec<u8>,
    spelled: &'a [u8],
}

impl RenameDeclared {
    /// How the names are spelled that the text declares, with whether each stands for a part of
    /// something.
    fn declared<'a>(&self, target: &'a Target<u8>) -> BTreeSet<(bool, &'a [u8])> {
        let (tree, names) = (self.0.tree(target), Names::of(target, &self.0));
        if names.by_name.len() > NAMES_MAX || names.occurrences.len() > PLACES_MAX {
            return BTreeSet::new();
        }
        let all = names.by_name.iter().zip(0..);
        let declared = all.filter(|(_, name)| !names.declared_at(*name).is_empty());
        let spelled = declared.map(|(places, _)| {
            let mut places = places
                .iter()
                .map(|&place| names.occurrences[place as usize]);
            let node = places.clone().next().map_or(0, |place| place.node as usize);
            let is_part = places.any(|place| place.is_member);
            (is_part, &target.elements()[tree.nodes()[node].range()])
        });
        spelled.collect()
    }
}

/// The new names, in the order in which they are given out: what stands in most places gets the
/// shortest.
fn renamed<'a>(
    text: &'a [u8],
    words: &Words,
    declared: &BTreeSet<(bool, &[u8])>,
    foreign: &BTreeSet<usize>,
) -> Vec<Renamed<'a>> {
    let is_known = |word: &&[u8]| {
        [false, true]
            .iter()
            .any(|it| declared.contains(&(*it, word)))
    };
    let mut all: Vec<&[Token]> = words.all().iter().map(Vec::as_slice).collect();
    all.retain(|places| {
        let word = places[0].text(text);
        let is_free = !is_keyword(word) && !is_called_unnamed(word);
        places[0].kind == Kind::Word && word.len() > 1 && is_free && is_known(&word)
    });
    all.sort_by_cached_key(|places| std::cmp::Reverse(places.len()));
    let is_free = |name: &Vec<u8>| !words.contains(text, name) && !is_keyword(name);
    let mut small = (0..).map(name).filter(is_free);
    let mut capital = (0..)
        .map(|number| name(number).to_ascii_uppercase())
        .filter(is_free);
    let named = all.into_iter().filter_map(|places| {
        let spelled = places[0].text(text);
        let name = if spelled[0].is_ascii_uppercase() {
            capital.next()
        } else {
            small.next()
        }?;
        let own = places.iter().copied();
        let own = own.filter(|token| !foreign.contains(&token.range().0));
        let own: Vec<Token> = own.collect();
        Some(Renamed {
            is_shared: own.len() < places.len(),
            places: own,
            name,
            spelled,
        })
    });
    named
        .filter(|renamed| renamed.name.len() < renamed.spelled.len() && !renamed.places.is_empty())
        .collect()
}

/// The edits of some names at once.
fn together(names: &[Renamed<'_>]) -> Option<Patch<u8>> {
    let edits = names.iter().flat_map(|renamed| {
        let ranges = renamed.places.iter().map(Token::range);
        respelled(ranges, &renamed.name)
    });
    Patch::edits_of(edits).ok()
}

impl Finds for RenameDeclared {
    const NAME: &'static str = "rename_declared";
    const RANK: u8 = 7;

    fn find(&self, target: &Target<u8>) -> Vec<Patch<u8>> {
        let tree = self.0.tree(target);
        let is_cased = CASED.iter().any(|language| tree.is_in(language));
        let declared = self.declared(target);
        let is_rust = tree.is_in("rust");
        if declared.is_empty() || declared.len() < TOGETHER_MIN && !is_cased && !is_rust {
            return Vec::new();
        }
        let (text, words) = (target.elements(), Words::of(target));
        let names = Names::of(target, &self.0);
        let nodes = names.occurrences.iter().map(|place| place.node as usize);
        let foreign = nodes.filter(|&node| is_foreign(&tree, &names, text, node));
        let foreign = foreign.map(|node| tree.nodes()[node].start as usize);
        let mut names = renamed(text, &words, &declared, &foreign.collect());
        names.sort_by_cached_key(|renamed| {
            let is_part = declared.contains(&(true, renamed.spelled));
            (is_part, renamed.places[0].start)
        });
        let mut patches = Vec::new();
        if !names.is_empty() {
            add_runs(0, names.len() - 1, &mut |first, last| {
                let is_enough = last - first + 1 >= TOGETHER_MIN;
                if is_enough {
                    patches.extend(together(&names[first..=last]));
                }
                is_enough
            });
        }
        let is_capital = |name: &Renamed<'_>| name.spelled[0].is_ascii_uppercase();
        let alone = names.iter();
        let alone = alone.filter(|name| name.is_shared || is_cased && is_capital(name));
        patches.extend(alone.filter_map(|name| together(slice::from_ref(name))));
        patches
    }
}

#[cfg(test)]
mod tests {
    use crate::explain::reductions;

    #[test]
    fn capital_letters_stay() {
        let seen = reductions("rename_declared", "rust", "enum Ab { Cd, Ef } fn gh() {}");
        assert_eq!(seen[0], "enum A { B, C } fn a() {}");
    }

    #[test]
    fn capital_letters_stay_in_names_one_at_a_time_where_they_count() {
        let check = |language: &str, text: &str, after: &str| {
            let seen = reductions("rename_declared", language, text);
            assert!(seen.iter().any(|seen| seen == after), "{seen:?}");
        };
        check("ocaml", "module One = F(G)\n", "module A = F(G)\n");
        check("haskell", "data One = Two Int\n", "data One = B Int\n");
        check("ruby", "class One\nend\nOne.new\n", "class A\nend\nA.new\n");
        assert!(reductions("rename_declared", "rust", "struct One;").is_empty());
    }

    #[test]
    fn what_a_type_from_elsewhere_has_as_well_is_renamed_only_here() {
        let text = "impl A { fn new() { Box::new(A::new()); A::new() } }";
        let seen = reductions("rename_declared", "rust", text);
        assert_eq!(seen, ["impl A { fn a() { Box::new(A::a()); A::a() } }"]);
    }

    #[test]
    fn what_is_declared_elsewhere_keeps_its_name() {
        let text = "fn main() { let one = Vec::new(); let two = one; let three = two; push(three); let four = 4; }";
        let seen = reductions("rename_declared", "rust", text);
        assert_eq!(
            seen[0],
            "fn main() { let a = Vec::new(); let b = a; let c = b; push(c); let d = 4; }"
        );
    }
}
