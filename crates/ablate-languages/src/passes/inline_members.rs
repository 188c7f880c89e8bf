//! Puts what a member of a class stands for in place of the member.
//!
//! In C++ a class is often there for a name or a number in it: with
//! `template<class T> struct A { typedef T *type; };` the type `typename A<int>::type` becomes `int *`, and
//! what is in the class is put together anew with what is given for its parameters. Specializations are
//! told apart by the arguments that they are for, as far as those are names or all the same.
//!
//! Costs one test for each such member of each class.
//!
//! ```
//! use ablate_languages::explain::reductions;
//!
//! let text = "template<class T> struct A { typedef B<T> type; }; typename A<int>::type b;";
//! let seen = reductions("inline_members", "cpp", text);
//! assert_eq!(seen, ["template<class T> struct A { typedef B<T> type; }; B<int> b;"]);
//! ```

use std::collections::BTreeMap;
use std::ops::Range;
use std::rc::Rc;

use ablate_engine::patch::{Edit, Patch};
use ablate_engine::target::Target;

use crate::passes::Finds;
use crate::templates::{Given, Parameter, applied, bracketed, parameters, put, qualified};
use crate::tree::{Syntax, SyntaxTree};

/// Members that are named in more places are left alone, or that stand for more.
const PLACES_MAX: usize = 500;
const LONGEST: usize = 256;
/// How far around a member its class is looked for.
const HEIGHT_MAX: usize = 5;
const CLASSES: &[&str] = &["struct_specifier", "class_specifier", "enum_specifier"];

/// Inlines members; see the module.
#[derive(Clone, Debug)]
pub struct InlineMembers(pub Rc<Syntax>);

/// A member of a class that stands for something.
struct Member<'a> {
    class: usize,
    /// What the class takes, and of a specialization what it is for.
    of_class: Option<Vec<Parameter<'a>>>,
    specialized: Option<usize>,
    of_member: Option<Vec<Parameter<'a>>>,
    /// What it stands for.
    kind: &'static str,
    value: Range<usize>,
}

/// A text with where a qualified name of each class and member stands.
struct Source<'a> {
    text: &'a [u8],
    tree: &'a SyntaxTree,
    places: BTreeMap<(&'a [u8], &'a [u8]), Vec<Place>>,
}

/// A qualified name.
struct Place {
    whole: usize,
    of_class: Option<usize>,
    of_member: Option<usize>,
}

impl<'a> Source<'a> {
    fn of(text: &'a [u8], tree: &'a SyntaxTree) -> Source<'a> {
        let mut source = Source {
            text,
            tree,
            places: BTreeMap::new(),
        };
        let all = (0..tree.nodes().len()).filter(|&it| tree.kind(it) == "qualified_identifier");
        for node in all {
            let (Some(scope), Some(mut member)) =
                (tree.part(node, "scope"), tree.part(node, "name"))
            else {
                continue;
            };
            if tree.kind(member) == "dependent_name" {
                member = tree.children(member).last().unwrap_or(member);
            }
            let (class, of_class) = source.named(scope);
            let (member, of_member) = source.named(member);
            if tree.kind(member).ends_with("identifier")
                && tree.kind(member) != "qualified_identifier"
            {
                let place = Place {
                    whole: qualified(tree, node),
                    of_class,
                    of_member,
                };
                let key = (source.part(class), source.part(member));
                source.places.entry(key).or_default().push(place);
            }
        }
        source
    }

    fn part(&self, node: usize) -> &'a [u8] {
        &self.text[self.tree.nodes()[node].range()]
    }

    /// The name in something, and the arguments that are given to it.
    fn named(&self, node: usize) -> (usize, Option<usize>) {
        let is_applied = self.tree.kind(node).starts_with("template_");
        let name = self.tree.part(node, "name").filter(|_| is_applied);
        name.map_or((node, None), |name| (name, applied(self.tree, name).1))
    }

    /// The patch for a member of a class that a node declares.
    fn inlined(&self, class: usize, node: usize) -> Option<Patch<u8>> {
        let tree = self.tree;
        let range = |node: usize| tree.nodes()[node].range();
        let known = |name: &str, value: &str| {
            let value = tree.part(node, value)?;
            Some((tree.kind(value), range(value), tree.part(node, name)?))
        };
        let (kind, value, name) = match tree.kind(node) {
            "alias_declaration" => known("name", "type")?,
            "type_definition" => {
                let mut name = tree.part(node, "declarator")?;
                while tree.kind(name) == "pointer_declarator" {
                    name = tree.part(name, "declarator")?;
                }
                let start = range(tree.children(node).nth(1)?).start;
                let before = &self.text[start..range(name).start];
                ("", start..start + before.trim_ascii_end().len(), name)
            }
            "field_declaration" => {
                let value = known("declarator", "default_value");
                value.filter(|it| it.0 != "initializer_list")?
            }
            "enumerator" => known("name", "value")?,
            _ => return None,
        };
        let is_name = tree.nodes()[name].next as usize == name + 1;
        let (of_class, specialized) = self.named(tree.part(class, "name").filter(|_| is_name)?);
        if value.len() > LONGEST {
            return None;
        }
        let member = Member {
            class,
            of_class: parameters(self.text, tree, class),
            specialized,
            of_member: parameters(self.text, tree, node),
            kind,
            value,
        };
        let places = self.places.get(&(self.part(of_class), self.part(name)))?;
        let edits = places.iter().filter_map(|place| member.at(self, place));
        let edits: Vec<Edit<u8>> = edits.take(PLACES_MAX + 1).collect();
        let is_used = !edits.is_empty() && edits.len() <= PLACES_MAX;
        is_used.then(|| Patch::edits_of(edits).ok())?
    }
}

impl<'a> Member<'a> {
    /// What stands for the member in a place.
    fn at(&self, source: &Source<'a>, place: &Place) -> Option<Edit<u8>> {
        let (text, tree) = (source.text, source.tree);
        let inside = self.class..tree.nodes()[self.class].next as usize;
        if inside.contains(&place.whole) {
            return None;
        }
        let of_class = match (&self.of_class, self.specialized) {
            (parameters, Some(list)) => {
                let parameters = parameters.as_deref().unwrap_or_default();
                Given::matched(text, tree, parameters, list, place.of_class?)?
            }
            (Some(parameters), None) => Given::of(text, tree, parameters, Some(place.of_class?))?,
            (None, None) => Given::default(),
        };
        let parameters = self.of_member.as_deref().unwrap_or_default();
        let given = of_class.and(Given::of(text, tree, parameters, place.of_member)?);
        let value = given.within(text, tree, self.value.clone());
        Some(put(text, tree, place.whole, &bracketed(self.kind, &value)))
    }
}

impl Finds for InlineMembers {
    const NAME: &'static str = "inline_members";
    const RANK: u8 = 6;

    fn find(&self, target: &Target<u8>) -> Vec<Patch<u8>> {
        let tree = self.0.tree(target);
        if !tree.is_in("cpp") {
            return Vec::new();
        }
        let source = Source::of(target.elements(), &tree);
        let all = 0..tree.nodes().len();
        let patches = all.flat_map(|node| {
            let around = tree.and_around(node).skip(1).take(HEIGHT_MAX);
            let classes = around.filter(|&it| CLASSES.contains(&tree.kind(it)));
            classes
                .filter_map(|class| source.inlined(class, node))
                .take(1)
                .collect::<Vec<_>>()
        });
        patches.collect()
    }
}

#[cfg(test)]
mod tests {
    use crate::explain::reductions;

    fn check(before: &str, after: &str) {
        let seen = reductions("inline_members", "cpp", before);
        assert!(seen.iter().any(|seen| seen == after), "{seen:?}");
    }

    #[test]
    fn parameters_become_what_is_given() {
        check(
            "template<class T, T v> struct A { static constexpr T value = v; }; int b = x::A<bool, true>::value;",
            "template<class T, T v> struct A { static constexpr T value = v; }; int b = true;",
        );
        check(
            "template<class T, class U = C<T>> struct A { typedef const U *type; }; typename A<char>::type b;",
            "template<class T, class U = C<T>> struct A { typedef const U *type; }; const C<char> * b;",
        );
        check(
            "struct A { enum { b = 7 }; }; int c[A::b];",
            "struct A { enum { b = 7 }; }; int c[7];",
        );
        check(
            "enum class A { b = 7 }; auto c = n::A::b;",
            "enum class A { b = 7 }; auto c = 7;",
        );
        check(
            "template<class T> struct Abc { static const bool def = T::c && d; }; int e = !n::Abc<int>::def;",
            "template<class T> struct Abc { static const bool def = T::c && d; }; int e = !(int::c && d);",
        );
    }

    #[test]
    fn members_may_be_templates() {
        check(
            "template<bool> struct A { template<class T, class> using type = T; }; typename A<b>::template type<c, d>e;",
            "template<bool> struct A { template<class T, class> using type = T; }; c e;",
        );
    }

    #[test]
    fn specializations_are_told_apart() {
        let text = "template<class T> struct A { using type = T; }; template<> struct A<int> { using type = char; }; A<long>::type b; A<int>::type c;";
        check(text, &text.replace("A<int>::type c", "char c"));
        check(
            "template<class T, class U> struct A<T, U *> { using type = U; }; A<int, char *>::type b;",
            "template<class T, class U> struct A<T, U *> { using type = U; }; char b;",
        );
    }

    #[test]
    fn what_is_not_given_stays() {
        let text = "template<class T, class U> struct A { using type = T; }; A<int>::type b;";
        assert!(reductions("inline_members", "cpp", text).is_empty());
        let text = "template<class... T> struct A { using type = B<T...>; }; A<int>::type b;";
        assert!(reductions("inline_members", "cpp", text).is_empty());
    }
}
