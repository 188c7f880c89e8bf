//! What a preprocessor would leave of conditional parts: walks through a text as it does, with what the text
//! itself defines. Of a folder each file begins anew, and what one other file defines is as that file leaves it.

use alloc::collections::BTreeMap;
use alloc::vec::Vec;

use ablate_engine::patch::Patch;

use crate::formats::arithmetic::{self, Meaning};
use crate::formats::conditionals::{Conditional, Conditionals, Defined, Definition};
use crate::formats::conditions::{Condition, Fact};

/// What is taken for defined of the names that a text says nothing of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unmentioned {
    /// None.
    Undefined,
    /// None; but nobody knows about those that begin with `_`, which are the compiler's.
    UndefinedButReserved,
    /// Nobody knows.
    Unknown,
}

/// What goes with what a preprocessor would not leave.
pub fn resolved(conditionals: &Conditionals, unmentioned: Unmentioned) -> Patch<u8> {
    let mut walk = Walk::new(conditionals, unmentioned);
    let events = events(conditionals);
    let mut values = walk.values(&events);
    if conditionals.are_of_folder() {
        // Once more, with what the other files define.
        values = walk.values(&events);
    }
    let parts = conditionals.all().iter().zip(values);
    Patch::cuts(parts.flat_map(|(part, values)| part.resolved(|number, _| values[number])))
}

/// Whether what stands somewhere is compiled.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Compiled {
    Yes,
    No,
    Maybe,
}

/// A conditional part that is not over yet.
struct Open {
    outside: Compiled,
    /// Whether one of the next alternatives can be the one that is taken.
    is_left: Option<bool>,
}

enum Event<'a> {
    Branch(usize, usize),
    End,
    Definition(&'a Definition),
}

struct Walk<'a> {
    conditionals: &'a Conditionals,
    unmentioned: Unmentioned,
    /// What names are at the end of the file that was left last of those that define them.
    ends: BTreeMap<&'a [u8], Meaning<'a>>,
    /// In which file each name is defined; `None` if in several.
    homes: BTreeMap<&'a [u8], Option<usize>>,
    file: usize,
    /// What is known of names by now.
    names: BTreeMap<&'a [u8], Meaning<'a>>,
}

impl<'a> Walk<'a> {
    fn new(conditionals: &'a Conditionals, unmentioned: Unmentioned) -> Walk<'a> {
        let mut homes = BTreeMap::new();
        for definition in conditionals.definitions() {
            let home = Some(definition.file);
            let known = homes.entry(&definition.name[..]).or_insert(home);
            *known = known.filter(|_| *known == home);
        }
        Walk {
            conditionals,
            unmentioned,
            ends: BTreeMap::new(),
            homes,
            file: 0,
            names: BTreeMap::new(),
        }
    }

    /// What is known of the condition of each alternative of each part.
    fn values(&mut self, events: &[Event<'a>]) -> Vec<Vec<Option<bool>>> {
        let conditionals = self.conditionals;
        let parts = conditionals.all();
        let count = |part: &Conditional| part.branches.len();
        let mut values: Vec<_> = parts
            .iter()
            .map(|part| alloc::vec![None; count(part)])
            .collect();
        let (mut open, mut compiled): (Vec<Open>, Compiled) = (Vec::new(), Compiled::Yes);
        for (number, event) in events.iter().enumerate() {
            match *event {
                Event::Definition(definition) => {
                    self.enter(definition.file);
                    self.define(definition, compiled);
                }
                Event::Branch(part, branch) => {
                    self.enter(parts[part].file);
                    if branch == 0 {
                        let (outside, is_left) = (compiled, Some(true));
                        open.push(Open { outside, is_left });
                    }
                    let Some(open) = open.last_mut() else {
                        continue;
                    };
                    let next = events.get(number + 1);
                    if self.is_guard(&parts[part], next) {
                        continue;
                    }
                    let value = parts[part].branches[branch].value(&|fact| self.holds(fact));
                    values[part][branch] = value;
                    let is_taken = both(open.is_left, value);
                    open.is_left = both(open.is_left, value.map(|value| !value));
                    compiled = match (open.outside, is_taken) {
                        (Compiled::No, _) | (_, Some(false)) => Compiled::No,
                        (Compiled::Yes, Some(true)) => Compiled::Yes,
                        _ => Compiled::Maybe,
                    };
                }
                Event::End => compiled = open.pop().map_or(Compiled::Yes, |open| open.outside),
            }
        }
        self.enter(usize::MAX);
        values
    }

    /// Each file of a folder begins anew.
    fn enter(&mut self, file: usize) {
        if self.file != file {
            self.file = file;
            self.ends.append(&mut self.names);
        }
    }

    fn define(&mut self, definition: &'a Definition, compiled: Compiled) {
        let meaning = match (&definition.meaning, compiled) {
            (_, Compiled::No) => return,
            (_, Compiled::Maybe) => Meaning::Unknown,
            (Defined::Not, Compiled::Yes) => Meaning::Undefined,
            (Defined::As(text), Compiled::Yes) => Meaning::Text(text),
            (Defined::With(_), Compiled::Yes) => Meaning::Text(b""),
        };
        self.names.insert(&definition.name, meaning);
    }

    /// Whether a part keeps a file of a folder from being read twice.
    fn is_guard(&self, part: &Conditional, next: Option<&Event<'_>>) -> bool {
        let [branch] = &part.branches[..] else {
            return false;
        };
        let Some(Condition::Not(inner)) = &branch.condition else {
            return false;
        };
        let Condition::Is(fact @ Fact::Defined(_)) = **inner else {
            return false;
        };
        let name = self.conditionals.text(fact);
        let is_defined_next =
            matches!(next, Some(Event::Definition(definition)) if *definition.name == *name);
        self.conditionals.are_of_folder() && is_defined_next
    }

    fn holds(&self, fact: Fact) -> Option<bool> {
        let text = self.conditionals.text(fact);
        match fact {
            Fact::Defined(_) => match self.meaning(text) {
                Meaning::Undefined => Some(false),
                Meaning::Text(_) => Some(true),
                Meaning::Unknown => None,
            },
            Fact::True(_) => {
                arithmetic::value(text, &|name| self.meaning(name)).map(|value| value != 0)
            }
        }
    }

    fn meaning(&self, name: &[u8]) -> Meaning<'a> {
        if let Some(&known) = self.names.get(name) {
            return known;
        }
        let is_unknown = match self.homes.get(name) {
            Some(Some(home)) if *home != self.file => {
                return self.ends.get(name).copied().unwrap_or(Meaning::Unknown);
            }
            Some(home) => home.is_none(),
            None => match self.unmentioned {
                Unmentioned::Undefined => false,
                Unmentioned::UndefinedButReserved => name.first() == Some(&b'_'),
                Unmentioned::Unknown => true,
            },
        };
        if is_unknown {
            Meaning::Unknown
        } else {
            Meaning::Undefined
        }
    }
}

/// What a preprocessor meets, in its order.
fn events(conditionals: &Conditionals) -> Vec<Event<'_>> {
    let mut events = Vec::new();
    for (number, part) in conditionals.all().iter().enumerate() {
        let branches = part.branches.iter().enumerate();
        events.extend(
            branches.map(|(which, branch)| (branch.directive.start, Event::Branch(number, which))),
        );
        events.push((part.end.start, Event::End));
    }
    let definitions = conditionals.definitions().iter();
    events.extend(
        definitions.map(|definition| (definition.directive.start, Event::Definition(definition))),
    );
    events.sort_by_cached_key(|event| event.0);
    events.into_iter().map(|event| event.1).collect()
}

fn both(one: Option<bool>, other: Option<bool>) -> Option<bool> {
    match (one, other) {
        (Some(false), _) | (_, Some(false)) => Some(false),
        (Some(true), Some(true)) => Some(true),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use ablate_engine::target::Target;
    use std::string::String;

    fn left(text: &str, unmentioned: Unmentioned) -> String {
        let target = Target::new(text.as_bytes().to_vec());
        let patch = resolved(&Conditionals::of(&target), unmentioned);
        String::from_utf8(patch.applied(text.as_bytes())).expect("only whole lines and words go")
    }

    fn all_undefined(text: &str) -> String {
        left(text, Unmentioned::Undefined)
    }

    #[test]
    fn what_is_defined_before_decides() {
        let part = "#ifdef A\na\n#else\nb\n#endif\n";
        assert_eq!(all_undefined(part), "b\n");
        let before = "#define A\n";
        assert_eq!(all_undefined(&format!("{before}{part}")), "#define A\na\n");
        let before = "#define A\n#undef A\n";
        assert_eq!(
            all_undefined(&format!("{before}{part}")),
            format!("{before}b\n")
        );
        assert_eq!(
            all_undefined(&format!("{part}#define A\n")),
            "b\n#define A\n"
        );
    }

    #[test]
    fn values_are_computed() {
        let text =
            "#define A 0x10 // a\n#if A > 12 && !B\na\n#elif A\nb\n#endif\n#if A(1)\nc\n#endif\n";
        let expected = "#define A 0x10 // a\na\n#if A(1)\nc\n#endif\n";
        assert_eq!(all_undefined(text), expected);
        let text = "#define A(b) b\n#ifdef A\na\n#endif\n#if A\nb\n#endif\n";
        let expected = "#define A(b) b\na\n#if A\nb\n#endif\n";
        assert_eq!(all_undefined(text), expected);
    }

    #[test]
    fn what_is_not_compiled_defines_nothing() {
        let text = "#if 0\n#define A\n#endif\n#ifdef A\na\n#else\nb\n#endif\n";
        assert_eq!(all_undefined(text), "b\n");
        let text = "#if F(1)\n#define A\n#endif\n#ifdef A\na\n#else\nb\n#endif\n";
        assert_eq!(all_undefined(text), text);
    }

    #[test]
    fn one_default_is_taken_of_several() {
        let text =
            "#ifndef A\n#define A 2\n#endif\n#ifndef A\n#define A 3\n#endif\n#if A==2\na\n#endif\n";
        for unmentioned in [Unmentioned::Undefined, Unmentioned::Unknown] {
            assert_eq!(left(text, unmentioned), "#define A 2\na\n");
        }
    }

    #[test]
    fn names_of_the_compiler_may_not_be_known() {
        let text = "#ifdef A\na\n#endif\n#ifdef _A\nb\n#endif\n";
        assert_eq!(left(text, Unmentioned::Undefined), "");
        let expected = "#ifdef _A\nb\n#endif\n";
        assert_eq!(left(text, Unmentioned::UndefinedButReserved), expected);
        assert_eq!(left(text, Unmentioned::Unknown), text);
        let guarded = "#ifndef _A\n#define _A\na\n#endif\n";
        let expected = "#define _A\na\n";
        assert_eq!(left(guarded, Unmentioned::UndefinedButReserved), expected);
    }

    #[test]
    fn files_stay_guarded_and_know_what_others_define() {
        let header =
            "\u{1c}a.h\u{1c}\n#ifndef A\n#define A\n#if 0\na\n#else\n#define B 2\n#endif\n#endif\n";
        let source = "\u{1c}b.c\u{1c}\n#if B > 1 && defined(A)\nb\n#endif\n#ifdef C\nc\n#endif\n";
        let expected =
            "\u{1c}a.h\u{1c}\n#ifndef A\n#define A\n#define B 2\n#endif\n\u{1c}b.c\u{1c}\nb\n";
        for text in [[header, source], [source, header]] {
            let left = all_undefined(&text.concat());
            assert_eq!(left.len(), expected.len(), "{left}");
            assert!(
                left.contains("\n#ifndef A\n#define A\n#define B 2\n#endif\n"),
                "{left}"
            );
        }
    }

    #[test]
    fn what_several_files_define_is_not_known_and_what_may_be_a_guard_stays() {
        let text = "\u{1c}a.h\u{1c}\n#define A\n\u{1c}b.h\u{1c}\n#define A\n\
                    \u{1c}c.c\u{1c}\n#ifdef A\n#endif\n#ifndef B\n#define B\n#endif\n";
        assert_eq!(all_undefined(text), text);
    }
}
