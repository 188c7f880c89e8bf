//! Puts a field in place of the struct that holds it.
//!
//! A struct that is there for one field is only a detour: `struct a { int b; }; struct a c; c.b = 1;`
//! becomes `int c; c = 1;`. So does a variable of which only one field is used, whatever else there is
//! in its type. In Rust the types that a struct gets take the place of its parameters, and patterns are taken
//! off too: `struct a<T>(T); fn f(a(b): a<u8>) {}` becomes `fn f((b): u8) {}`. One without fields becomes `()`.
//!
//! Costs one test for each struct that has one field (in Rust also for those without), and one for each
//! variable that is used for one.
//!
//! ```
//! use ablate_languages::explain::reductions;
//!
//! let text = "struct a { int b; }; struct a c; int d() { c.b = 1; }";
//! let seen = reductions("unwrap_structs", "c", text);
//! assert!(seen.contains(&"int c; int d() { c = 1; }".to_owned()));
//! ```

use std::collections::BTreeMap;
use std::ops::Range;
use std::rc::Rc;

use ablate_engine::patch::{Edit, Patch};
use ablate_engine::target::Target;

use crate::generics::edit;
use crate::members::Members;
use crate::names::Names;
use crate::newtypes::{Newtypes, firsts};
use crate::passes::Finds;
use crate::tree::{Syntax, SyntaxTree};

/// What is called in more places is left alone.
const PLACES_MAX: usize = 500;
/// The kinds of what is unwrapped.
const STRUCTS: &[&str] = &["struct_specifier", "class_specifier", "union_specifier"];

/// Unwraps structs; see the module.
#[derive(Clone, Debug)]
pub struct UnwrapStructs(pub Rc<Syntax>);

/// A struct with fields that are as simple as that.
struct Struct {
    node: usize,
    name: Option<u32>,
    /// The names of the fields, with what stands before them: their types.
    fields: Vec<(u32, Range<usize>)>,
    /// Whether there is nothing else in it.
    is_plain: bool,
}

struct Source<'a> {
    text: &'a [u8],
    members: &'a Members,
    member_of: Vec<u32>,
    names: &'a Names,
}

impl Source<'_> {
    fn tree(&self) -> &SyntaxTree {
        self.members.tree()
    }

    fn part(&self, node: usize, field: &str) -> Option<usize> {
        self.tree().part(node, field)
    }

    fn parent(&self, node: usize) -> usize {
        self.tree().nodes()[node].parent as usize
    }

    fn structs(&self) -> Vec<Struct> {
        let tree = self.tree();
        let all = (0..tree.nodes().len()).filter(|&node| STRUCTS.contains(&tree.kind(node)));
        let found = all.filter_map(|node| {
            let body = self.part(node, "body")?;
            let named = tree.children(body).filter(|&it| tree.nodes()[it].is_named);
            let named: Vec<usize> = named.collect();
            let fields: Vec<_> = named.iter().filter_map(|&it| self.field(it)).collect();
            Some(Struct {
                node,
                name: self
                    .part(node, "name")
                    .and_then(|name| self.names.name_at(name)),
                is_plain: named.len() == 1 && fields.len() == 1,
                fields,
            })
        });
        found.collect()
    }

    /// The one field that is declared, with its type.
    fn field(&self, declaration: usize) -> Option<(u32, Range<usize>)> {
        let tree = self.tree();
        let nodes = tree.nodes();
        let kind = tree.kind(declaration);
        let declarator = self.part(declaration, "declarator")?;
        let of_type = self.part(declaration, "type")?;
        let has_body = self.part(of_type, "body").is_some();
        let last = tree.children(declaration).last()?;
        let is_single = nodes[declarator].next as usize == last && tree.kind(last) == ";";
        if kind != "field_declaration" || !is_single || has_body {
            return None;
        }
        let mut name = declarator;
        while tree.kind(name) == "pointer_declarator" {
            name = self.part(name, "declarator")?;
        }
        let start = nodes[declaration].start as usize;
        let before = &self.text[start..nodes[name].start as usize];
        let end = start + before.trim_ascii_end().len();
        Some((self.names.name_at(name)?, start..end))
    }

    /// What becomes of a use of a field of `argument`, which is a node in an access to it.
    fn without_field(&self, access: usize) -> Option<Vec<Edit<u8>>> {
        let tree = self.tree();
        let argument = tree.nodes()[self.part(access, "argument")?].range();
        let end = tree.nodes()[access].end as usize;
        let is_arrow = self.text[argument.end..end]
            .trim_ascii_start()
            .starts_with(b"->");
        let cut = edit(argument.end..end, b"");
        if !is_arrow {
            return Some(vec![cut]);
        }
        let around = tree.kind(self.parent(access));
        let binds = [
            "field_expression",
            "subscript_expression",
            "call_expression",
            "update_expression",
        ];
        if binds.contains(&around) {
            let (open, close) = (argument.start..argument.start, argument.end..end);
            return Some(vec![edit(open, b"(*"), edit(close, b")")]);
        }
        Some(vec![edit(argument.start..argument.start, b"*"), cut])
    }

    /// The node of the type that a name stands for: `struct a`, or `a`.
    fn named_type(&self, name: usize) -> Option<usize> {
        let around = self.parent(name);
        if STRUCTS.contains(&self.tree().kind(around)) && self.part(around, "name") == Some(name) {
            return self.part(around, "body").is_none().then_some(around);
        }
        (self.tree().kind(name) == "type_identifier").then_some(name)
    }

    /// A struct with one field replaced by that.
    fn unwrapped(&self, it: &Struct) -> Option<Patch<u8>> {
        let tree = self.tree();
        let nodes = tree.nodes();
        let (field, of_type) = it.fields.first().filter(|_| it.is_plain)?;
        let of_type = &self.text[of_type.clone()];
        let definition = nodes[it.node];
        let inside = |node: &usize| (it.node..definition.next as usize).contains(node);
        let mut edits = Vec::new();
        let named = it
            .name
            .map_or(Some(Vec::new()), |name| self.names.places(name, PLACES_MAX));
        for place in named?.into_iter().filter(|it| !inside(it)) {
            let node = self.named_type(place)?;
            edits.push(edit(nodes[node].range(), of_type));
        }
        for place in self
            .names
            .places(*field, PLACES_MAX)?
            .into_iter()
            .filter(|it| !inside(it))
        {
            let around = self.parent(place);
            match tree.kind(around) {
                "field_expression" if self.part(around, "field") == Some(place) => {
                    edits.extend(self.without_field(around)?);
                }
                "field_designator" => {
                    let pair = self.parent(around);
                    let value = self.part(pair, "value")?;
                    let range = nodes[pair].start as usize..nodes[value].start as usize;
                    edits.push(edit(range, b""));
                }
                _ => {}
            }
        }
        let member = self.member_of.get(it.node).filter(|it| **it != u32::MAX);
        let is_alone = tree.field_name(&definition) != Some("type");
        match member {
            Some(&member) if is_alone => {
                let (start, end) = self.members.cut_definition(member as usize, &definition);
                edits.push(edit(start..end, b""));
            }
            _ => edits.push(edit(definition.range(), of_type)),
        }
        Patch::edits_of(edits).ok()
    }

    /// A variable of which one field is used as what that field is.
    fn as_field(&self, declaration: usize, structs: &BTreeMap<u32, &Struct>) -> Option<Patch<u8>> {
        let tree = self.tree();
        let nodes = tree.nodes();
        let of_type = self.part(declaration, "type")?;
        let named = self.part(of_type, "name").unwrap_or(of_type);
        let it = structs.get(&self.names.name_at(named)?)?;
        let variable = self.part(declaration, "declarator")?;
        let others = tree.children(declaration).filter(|&it| it > variable);
        if others.count() > 1 || self.part(of_type, "body").is_some() {
            return None;
        }
        let mut used = None;
        let mut edits = Vec::new();
        for place in self
            .names
            .places(self.names.name_at(variable)?, PLACES_MAX)?
        {
            let around = self.parent(place);
            if place == variable {
                continue;
            }
            let is_whole = self.part(around, "argument") != Some(place);
            if is_whole || tree.kind(around) != "field_expression" {
                return None;
            }
            let field = self.names.name_at(self.part(around, "field")?)?;
            if *used.get_or_insert(field) != field {
                return None;
            }
            edits.extend(self.without_field(around)?);
        }
        let (_, field_type) = it.fields.iter().find(|field| Some(field.0) == used)?;
        edits.push(edit(nodes[of_type].range(), &self.text[field_type.clone()]));
        Patch::edits_of(edits).ok()
    }
}

impl Finds for UnwrapStructs {
    const NAME: &'static str = "unwrap_structs";
    const RANK: u8 = 4;

    fn find(&self, target: &Target<u8>) -> Vec<Patch<u8>> {
        let members = Members::of(target, &self.0);
        let names = Names::of(target, &self.0);
        if members.tree().is_in("rust") {
            let newtypes = Newtypes {
                text: target.elements(),
                members: &members,
                member_of: &members.by_node(),
                names: &names,
                firsts: firsts(target.elements(), members.tree()),
            };
            let all = 0..members.tree().nodes().len();
            return all.filter_map(|it| newtypes.unwrapped(it)).collect();
        }
        let source = Source {
            text: target.elements(),
            member_of: members.by_node(),
            members: &members,
            names: &names,
        };
        let structs = source.structs();
        let unwrapped = structs.iter().filter_map(|it| source.unwrapped(it));
        let mut patches: Vec<Patch<u8>> = unwrapped.collect();
        let by_name = structs
            .iter()
            .filter_map(|it| Some((it.name?, it)))
            .collect();
        let tree = members.tree();
        let is_declaration = |&node: &usize| tree.kind(node) == "declaration";
        let declarations = (0..tree.nodes().len()).filter(is_declaration);
        patches.extend(declarations.filter_map(|it| source.as_field(it, &by_name)));
        patches
    }
}

#[cfg(test)]
mod tests {
    use crate::explain::reductions;

    fn check(language: &str, before: &str, after: &str) {
        let seen = reductions("unwrap_structs", language, before);
        assert!(seen.iter().any(|seen| seen == after), "{seen:?}");
    }

    #[test]
    fn pointers_to_a_struct_point_to_its_field() {
        check(
            "c",
            "struct a { char b; }; int f(struct a *c) { return c->b + c->b; }",
            "int f(char *c) { return *c + *c; }",
        );
        check(
            "cpp",
            "struct a { char b; }; int f(a c, a *d) { d->b++; return c.b; }",
            "int f(char c, char *d) { (*d)++; return c; }",
        );
    }

    #[test]
    fn a_struct_without_a_name_becomes_its_field() {
        check(
            "c",
            "struct { struct { char *a; } b; int c; } d; int f() { return d.b.a; }",
            "struct { char * b; int c; } d; int f() { return d.b; }",
        );
    }

    #[test]
    fn a_name_for_a_struct_names_its_field() {
        check(
            "c",
            "typedef struct a { int b; } c; c d = { .b = 1 };",
            "typedef int c; c d = { 1 };",
        );
    }

    #[test]
    fn a_struct_of_types_becomes_its_field() {
        check(
            "rust",
            "struct c<'a, T> { a: &'a T } fn f(b: c<u8>) { let c { a: d } = c { a: b.a }; b.a() }",
            "fn f(b: &'_ u8) { let d = b; b.a() }",
        );
        check(
            "rust",
            "struct c<T>(pub T); fn f(c(a): c<u8>) -> u8 { c::<u8>(a).0 }",
            "fn f((a): u8) -> u8 { (a) }",
        );
    }

    #[test]
    fn a_struct_of_nothing_becomes_the_unit() {
        check(
            "rust",
            "struct c; impl<c: b> b for c {} impl b for c {} fn f(a: c) -> Vec<c> { c.g(); c::h::<c>(c) }",
            "impl<c: b> b for c {} impl b for () {} fn f(a: ()) -> Vec<()> { ().g(); <()>::h::<()>(()) }",
        );
        check(
            "rust",
            "struct c(); fn f(c(): c) -> u8 { g(c()).h::<c>() }",
            "fn f((): ()) -> u8 { g(()).h::<()>() }",
        );
        check(
            "rust",
            "struct c {} fn c(c: c) { c(c {}) }",
            "fn c(c: ()) { c(()) }",
        );
    }

    #[test]
    fn a_variable_becomes_the_field_it_is_used_for() {
        check(
            "c",
            "struct a { int b; char c; }; struct a d; struct a e; int f() { return d.c; }",
            "struct a { int b; char c; }; char d; struct a e; int f() { return d.c; }"
                .replace("d.c", "d")
                .as_str(),
        );
    }
}
