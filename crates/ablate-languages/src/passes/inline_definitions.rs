//! Puts what a name is defined as in place of the name, everywhere, and deletes the definition.
//!
//! Names for types, constants, macros and variables that are used once are only a detour:
//! `typedef int t; t a;` becomes `int a;`, and `b = 2; f(b)` becomes `f(2)`.
//!
//! Where the same name stands for other things too, it is also put there only up to where what is around the
//! definition ends, or defines the name anew: `let b = f(b); g(b)` becomes `g(f(b))`.
//!
//! A name for a type may have parameters, which others take the place of. A statement that gives a value to a name
//! is a definition too, for where the name is no local one.
//!
//! Costs one test for each definition that is longer than what takes its place, two where its name stands
//! for other things too; the largest first.
//!
//! ```
//! use ablate_languages::explain::reductions;
//!
//! assert_eq!(reductions("inline_definitions", "c", "typedef int t; t a;"), ["int a;"]);
//! let text = "fn a(b: i32) { let b = f(b); g(b) }";
//! assert!(reductions("inline_definitions", "rust", text).contains(&"fn a(b: i32) { g(f(b)) }".to_owned()));
//! ```

use std::ops::Range;
use std::rc::Rc;

use ablate_engine::patch::{Edit, Patch};
use ablate_engine::target::Target;

use crate::generics::{applied, edit, instantiated, parameters};
use crate::members::Members;
use crate::names::{Locals, Names};
use crate::passes::Finds;
use crate::templates::{self, Given, Parameter, bracketed};
use crate::tree::{Syntax, SyntaxTree};

/// Names that stand in more places are left alone.
const PLACES_MAX: usize = 100;
/// Definitions that are longer are left alone.
const LONGEST: usize = 4096;

/// Inlines definitions; see the module.
#[derive(Clone, Debug)]
pub struct InlineDefinitions(pub Rc<Syntax>);

/// What can be inlined.
fn inlinings(target: &Target<u8>, members: &Members, names: &Names) -> Vec<Patch<u8>> {
    let tree = members.tree();
    let member_of = members.by_node();
    // Where names stand that are defined there.
    let definitions = names.declarations.iter();
    let defined = definitions.filter_map(|&(definition, _)| name_of(tree, definition as usize));
    let mut defined: Vec<usize> = defined.collect();
    defined.sort_unstable();
    let assigned = assigned(tree, names);
    let locals = (!assigned.is_empty())
        .then(|| Locals::of(tree, names, &vec![false; tree.nodes().len()], |_, _| false));
    let is_outer = |at: &u32| locals.as_ref().is_some_and(|it| !it.is_local(*at as usize));
    let declared = names.declarations.iter().map(|it| (*it, false));
    let mut patches = Vec::new();
    for ((definition, name), is_assigned) in
        declared.chain(assigned.into_iter().map(|it| (it, true)))
    {
        let definition = definition as usize;
        let Some(value) = value(tree, definition) else {
            continue;
        };
        let range = tree.nodes()[value].range();
        let places = &names.by_name[name as usize];
        if places.len() > PLACES_MAX || range.len() > LONGEST {
            continue;
        }
        let Some(member) = members.around(&member_of, definition, true) else {
            continue;
        };
        let cut = members.cut(member, member);
        let text = bracketed(
            tree.kind(value),
            target.elements()[range.clone()].trim_ascii(),
        );
        let occurrence = |at: u32| names.occurrences[at as usize];
        let taken = places.iter().filter(|_| is_assigned);
        let taken = taken.filter_map(|&at| function_that_takes(tree, occurrence(at).node as usize));
        let taken: Vec<Range<usize>> = taken.collect();
        let is_taken = |node: usize| taken.iter().any(|function| function.contains(&node));
        let nodes = places.iter().filter(|at| !is_assigned || is_outer(at));
        let nodes = nodes
            .map(|&at| occurrence(at))
            .filter(|place| !is_taken(place.node as usize));
        let nodes = nodes.filter(|place| !place.is_member);
        let nodes: Vec<usize> = nodes.map(|place| place.node as usize).collect();
        let starts = |node: usize| tree.nodes()[node].start as usize;
        let is_elsewhere = |node: &usize| !(cut.0..cut.1).contains(&starts(*node));
        let elsewhere: Vec<usize> = nodes.iter().copied().filter(is_elsewhere).collect();
        let seen = seen(tree, names, (definition, name), cut);
        let behind: Vec<usize> = elsewhere
            .iter()
            .copied()
            .filter(|node| seen.contains(&starts(*node)) && defined.binary_search(node).is_err())
            .collect();
        let has_others = !behind.is_empty() && behind.len() < elsewhere.len();
        if is_assigned && elsewhere.is_empty() {
            continue;
        }
        let behind = (has_others && !is_assigned).then_some(behind);
        let all = [Some(elsewhere), behind];
        let parameters = parameters(target.elements(), tree, definition);
        let of_template = templates::parameters(target.elements(), tree, definition);
        let of_template = of_template.or_else(|| tree.is_in("cpp").then(Vec::new));
        for nodes in all.into_iter().flatten() {
            let edits = nodes.into_iter().map(|node| {
                if let Some(parameters) = &of_template {
                    return inlined(target.elements(), tree, node, parameters, value);
                }
                if parameters.is_empty() {
                    return edit(tree.nodes()[node].range(), &text);
                }
                let (whole, given) = applied(target.elements(), tree, node, &parameters);
                let text = instantiated(target.elements(), tree, range.clone(), &given);
                edit(tree.nodes()[whole].range(), &text)
            });
            let deletion = Edit {
                start: cut.0,
                end: cut.1,
                insert: None,
            };
            let patch = Patch::edits_of(edits.chain([deletion]));
            patches.extend(patch.ok());
        }
    }
    patches
}

/// The statements that do nothing but give a value to a name, with the name.
fn assigned(tree: &SyntaxTree, names: &Names) -> Vec<(u32, u32)> {
    let statement = |node: usize| {
        let around = tree.nodes()[node].parent as usize;
        // Some grammars have `a += 1` as one too, and name its operator.
        let is_plain = |operator: usize| tree.kind(operator) == "=";
        let is_statement = tree.kind(node) == "assignment_expression"
            && tree.kind(around) == "expression_statement"
            && tree.part(node, "operator").is_none_or(is_plain);
        let left = tree.part(node, "left").filter(|_| is_statement)?;
        Some((node as u32, names.name_at(left)?))
    };
    (0..tree.nodes().len()).filter_map(statement).collect()
}

/// The nodes of the function that a name is a parameter of, where nothing but its place says so.
fn function_that_takes(tree: &SyntaxTree, name: usize) -> Option<Range<usize>> {
    let list = tree.nodes()[name].parent as usize;
    let function = tree.nodes()[list].parent as usize;
    let is_parameter = tree.kind(list).ends_with("parameters");
    is_parameter.then(|| function..tree.nodes()[function].next as usize)
}

/// What takes the place of a name of C++, with what is given to it where it is a template. The names before it are
/// kept where it stands for a name.
fn inlined(
    text: &[u8],
    tree: &SyntaxTree,
    name: usize,
    parameters: &[Parameter<'_>],
    value: usize,
) -> Edit<u8> {
    let nodes = tree.nodes();
    let (applied, list) = templates::applied(tree, name);
    let given = Given::of(text, tree, parameters, list).unwrap_or_default();
    let inserted = given.within(text, tree, nodes[value].range());
    let mut parts = tree.children(value);
    let inner = match (parts.next(), parts.next()) {
        (Some(inner), None) if tree.kind(value) == "type_descriptor" => inner,
        _ => value,
    };
    let named = tree.part(inner, "name").unwrap_or(inner);
    let is_name = matches!(tree.kind(named), "identifier" | "type_identifier")
        && inserted.starts_with(&text[nodes[named].range()]);
    let whole = if is_name {
        applied
    } else {
        templates::qualified(tree, applied)
    };
    templates::put(text, tree, whole, &bracketed(tree.kind(value), &inserted))
}

/// Where a name means what is defined in a statement, which is cut there: from behind it to the end of
/// what is around it, or of the next statement there that defines the name anew.
fn seen(
    tree: &SyntaxTree,
    names: &Names,
    (definition, name): (usize, u32),
    cut: (usize, usize),
) -> Range<usize> {
    let nodes = tree.nodes();
    let parent = |node: usize| nodes[node].parent as usize;
    let is_around = |node: usize| {
        (nodes[node].start as usize) < cut.0 && nodes[node].end as usize >= cut.1 || node == 0
    };
    let mut around = definition;
    while !is_around(around) {
        around = parent(around);
    }
    let mut end = nodes[around].end as usize;
    for &(_, other) in names.declared_at(name) {
        let mut other = other as usize;
        let is_within = around < other && other < nodes[around].next as usize;
        if !is_within || (nodes[other].start as usize) < cut.1 {
            continue;
        }
        while parent(other) != around {
            other = parent(other);
        }
        end = end.min(nodes[other].end as usize);
    }
    cut.1..end
}

/// The name that something defines, if it is as simple as that.
fn name_of(tree: &SyntaxTree, definition: usize) -> Option<usize> {
    let names = ["name", "declarator", "pattern", "left"];
    let mut fields = names
        .into_iter()
        .filter_map(|name| tree.part(definition, name));
    let is_plain = |name: &usize| tree.nodes()[*name].next as usize == name + 1;
    fields.next().filter(is_plain)
}

/// What something is defined as, if it is as simple as that.
fn value(tree: &SyntaxTree, definition: usize) -> Option<usize> {
    let kind = tree.kind(definition);
    let field = |name: &str| tree.part(definition, name);
    name_of(tree, definition)?;
    let is_type = kind.contains("alias") || matches!(kind, "type_definition" | "type_item");
    if is_type {
        return field("type").or_else(|| field("value"));
    }
    field("value").or_else(|| field("right"))
}

impl Finds for InlineDefinitions {
    const NAME: &'static str = "inline_definitions";
    const RANK: u8 = 6;

    fn find(&self, target: &Target<u8>) -> Vec<Patch<u8>> {
        let members = Members::of(target, &self.0);
        let names = Names::of(target, &self.0);
        inlinings(target, &members, &names)
    }
}

#[cfg(test)]
mod tests {
    use crate::explain::reductions;

    fn check(before: &str, after: &str) {
        let seen = reductions("inline_definitions", "cpp", before);
        assert!(seen.iter().any(|seen| seen == after), "{seen:?}");
    }

    #[test]
    fn what_a_template_is_given_takes_the_place_of_its_parameters() {
        check(
            "namespace n { template<class T, class U> using a = b<U, T>; int d; } n::a<int, char> c;",
            "namespace n { int d; } n::b<char, int> c;",
        );
        check(
            "template<class... T> using a = void; typename n::a<int>b;",
            "void b;",
        );
        check(
            "template<class T> constexpr bool a = T::b && c; int d = !a<int>;",
            "int d = !(int::b && c);",
        );
        check(
            "namespace n { typedef long a; int d; } n::a b;",
            "namespace n { int d; } long b;",
        );
    }

    #[test]
    fn what_a_statement_assigns_is_not_what_functions_declare() {
        let text = "a = 1; function f(a) { return a } function g() { var a; return a } h(a);";
        let seen = reductions("inline_definitions", "javascript", text);
        assert_eq!(seen, [text.replace("a = 1; ", "").replace("h(a)", "h(1)")]);
        let text = "int a; int f() { a += 1; return a; }";
        assert!(reductions("inline_definitions", "c", text).is_empty());
    }

    #[test]
    fn names_for_types_may_have_parameters() {
        let text = "type a<'b, T> = c<&'b T, T>; fn f(d: a<u8>) {}";
        let seen = reductions("inline_definitions", "rust", text);
        assert_eq!(seen, ["fn f(d: c<&'_ u8, u8>) {}"]);
        let text = "type A<T> = B<T, T>; let c: A<number>;";
        let seen = reductions("inline_definitions", "typescript", text);
        assert_eq!(seen, ["let c: B<number, number>;"]);
    }
}
