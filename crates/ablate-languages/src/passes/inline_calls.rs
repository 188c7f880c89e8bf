//! Puts what a function or a macro gives in place of all its calls, and deletes it.
//!
//! A function that only returns something is a detour: `int f(int a) { return a + 1; }` and `f(2)`
//! become `(2 + 1)`. So is a macro with parameters, a function that is only called for what it
//! does, and a method: what it is called of takes the place of `this` or `self`. What a function with one
//! call does before it returns something comes before the statement that has the call. A function that is
//! called where it is written, as the wrappers of modules are in JavaScript, needs no name.
//!
//! Costs one test for each function that is not longer than its calls; where something else has its name
//! too, one for each of up to four calls.
//!
//! ```
//! use ablate_languages::explain::reductions;
//!
//! let text = "int f(int a) { return a + 1; } int b = f(2);";
//! assert_eq!(reductions("inline_calls", "c", text), ["int b = (2 + 1);"]);
//! ```

use std::collections::BTreeMap;
use std::ops::Range;
use std::rc::Rc;

use ablate_engine::patch::{Edit, Patch};
use ablate_engine::target::Target;

use crate::arguments::{entries, list_of, matched, receiver};
use crate::members::Members;
use crate::names::Names;
use crate::passes::Finds;
use crate::tree::{Syntax, SyntaxTree};

/// What is called in more places is left alone.
const CALLS_MAX: usize = 50;
/// Where a name means several things, calls are inlined one by one, if there are no more.
const FEW: usize = 4;
/// Longer functions are left alone.
const LONGEST: usize = 4096;

/// Inlines calls; see the module.
#[derive(Clone, Debug)]
pub struct InlineCalls(pub Rc<Syntax>);

/// What each function that can be inlined makes of the text.
fn inlinings(target: &Target<u8>, members: &Members, names: &Names) -> Vec<Patch<u8>> {
    let tree = members.tree();
    let member_of = members.by_node();
    let mut patches = Vec::new();
    for &(definition, name) in &names.declarations {
        let definition = definition as usize;
        let Some(function) = Function::of(target.elements(), tree, names, definition, name) else {
            continue;
        };
        let places = &names.by_name[name as usize];
        if places.len() > CALLS_MAX || tree.nodes()[function.value].len() > LONGEST {
            continue;
        }
        let nodes = places
            .iter()
            .map(|&at| names.occurrences[at as usize].node as usize);
        let nodes: Vec<usize> = nodes.collect();
        let mut declared = names.declared_at(name).iter();
        let is_ambiguous = declared.any(|other| other.1 as usize != definition);
        let listed = members.around(&member_of, definition, true);
        // A method may be all that is in its class, which is still needed.
        let alone = members.around(&member_of, definition, false);
        let alone = alone.filter(|&member| members.node_number(member) == definition);
        for member in listed.into_iter().chain(alone.filter(|_| alone != listed)) {
            let (start, end) = members.cut(member, member);
            let is_outside =
                |node: &&usize| !(start..end).contains(&(tree.nodes()[**node].start as usize));
            let calls: Vec<usize> = nodes.iter().filter(is_outside).copied().collect();
            let calls = calls.iter().map(|&node| {
                let call = Call::of(target.elements(), tree, node)?;
                function.inlined(target.elements(), tree, &call, calls.len() == 1)
            });
            let calls: Vec<Option<Edit<u8>>> = calls.collect();
            let deletion = Edit {
                start,
                end,
                insert: None,
            };
            patches.extend(groups(&calls, is_ambiguous).filter_map(|edits| {
                let edits = edits.into_iter().chain([deletion.clone()]);
                Patch::edits_of(edits).ok()
            }));
        }
    }
    patches
}

/// What comes in place of functions that are called where they are written.
fn literals(text: &[u8], tree: &SyntaxTree, names: &Names) -> Vec<Patch<u8>> {
    let patches = (1..tree.nodes().len()).filter_map(|literal| {
        let body = tree.part(literal, "body")?;
        let call = Call::of_literal(text, tree, literal)?;
        let function = Function::of_literal(text, tree, names, literal, body)?;
        Patch::edits_of([function.inlined(text, tree, &call, true)?]).ok()
    });
    patches.collect()
}

/// The edits of calls that are tried together, given those of all of them, and whether something else
/// has the name too: then each call may be the one that is meant.
fn groups(
    calls: &[Option<Edit<u8>>],
    is_ambiguous: bool,
) -> impl Iterator<Item = Vec<Edit<u8>>> + '_ {
    let inlined = calls.iter().flatten();
    let is_one_of_few = is_ambiguous && inlined.clone().count() <= FEW;
    let single = inlined.filter(move |_| is_one_of_few);
    let all = calls.iter().cloned().collect::<Option<Vec<Edit<u8>>>>();
    single.map(|edit| vec![edit.clone()]).chain(all)
}

/// What is called in a method what it is called of, where no parameter says so.
const RECEIVERS: &[&[u8]] = &[b"this", b"$this", b"self"];
/// What has brackets around it that make no difference.
const IN_BRACKETS: &str = "parenthesized_expression";
/// Blocks of statements without brackets around them.
const BARE_BLOCKS: &[&str] = &["block", "body_statement", "chunk", "program"];

/// What is a function in itself, and has no brackets around it.
const FUNCTIONS: &[&str] = &["function_expression", "arrow_function", "lambda"];

/// A function or macro as it can be put in place of its calls.
struct Function {
    parameters: Vec<Range<usize>>,
    /// The parameter for what a method is called of, where it has one.
    receiver: Option<Range<usize>>,
    /// The node that stands for it.
    value: usize,
    /// Whether that is a block, which only stands for a statement.
    is_block: bool,
    /// What that block ends with, if that is an expression: the test may not care what a call gives.
    expression: Option<usize>,
    /// What stands before that.
    leading: Range<usize>,
    is_macro: bool,
}

impl Function {
    fn of(
        text: &[u8],
        tree: &SyntaxTree,
        names: &Names,
        definition: usize,
        name: u32,
    ) -> Option<Function> {
        let nodes = tree.nodes();
        let is_macro = tree.kind(definition) == "preproc_function_def";
        let values = ["value", "right"].into_iter();
        let mut values = values.filter_map(|field| tree.part(definition, field));
        let body = match values.next() {
            Some(value) if !is_macro => tree.part(value, "body")?,
            Some(value) => value,
            None => tree.part(definition, "body")?,
        };
        let range = names.range_within(tree, definition);
        let own = names.occurrences[range].iter().find(|o| o.name == name)?;
        let list = list_of(text, tree, own.node as usize, false);
        if list.is_none() && !tree.is_in("ruby") {
            return None;
        }
        let parameters = list.map(|list| matched(text, tree, list));
        let parameters = parameters.into_iter().flatten();
        let parameters = parameters.map(|entry| parameter(text, tree, names, entry));
        let parameters = parameters.collect::<Option<Vec<Range<usize>>>>()?;
        let receiver = list.and_then(|list| receiver(text, tree, list));
        let receiver = receiver.map(|entry| nodes[entry].range());
        // `self` is such a word anyway, in Rust with signs before it.
        let receiver = receiver.filter(|range| !text[range.clone()].ends_with(b"self"));
        Some(Function {
            receiver,
            is_macro,
            ..Function::with_body(tree, parameters, body)
        })
    }

    /// A function that is written where it is used.
    fn of_literal(
        text: &[u8],
        tree: &SyntaxTree,
        names: &Names,
        literal: usize,
        body: usize,
    ) -> Option<Function> {
        let list = tree.part(literal, "parameters").or_else(|| {
            let declarator = tree.part(literal, "declarator")?;
            tree.part(declarator, "parameters")
        });
        let listed = list.into_iter().flat_map(|list| entries(tree, list));
        let entries = listed.chain(tree.part(literal, "parameter"));
        let parameters = entries.map(|entry| parameter(text, tree, names, entry));
        let parameters = parameters.collect::<Option<Vec<Range<usize>>>>()?;
        Some(Function::with_body(tree, parameters, body))
    }

    fn with_body(tree: &SyntaxTree, parameters: Vec<Range<usize>>, body: usize) -> Function {
        let nodes = tree.nodes();
        let is_statements = |kind: &str| kind.contains("block") || kind.contains("body");
        let is_block = is_statements(tree.kind(body)) || tree.kind(body) == "compound_statement";
        let parts: Vec<usize> = entries(tree, body).filter(|_| is_block).collect();
        let given = parts.last().and_then(|&last| result(tree, last));
        let done = parts
            .last()
            .filter(|&&last| tree.kind(last) == "expression_statement");
        let expression = given.or_else(|| entries(tree, *done?).next());
        let result = if is_block {
            given.filter(|_| parts.len() == 1)
        } else {
            Some(body)
        };
        let start = |part: &usize| nodes[*part].start as usize;
        Function {
            parameters,
            receiver: None,
            value: result.unwrap_or(body),
            is_block: result.is_none(),
            expression,
            leading: parts.first().map_or(0, start)..parts.last().map_or(0, start),
            is_macro: false,
        }
    }

    /// Where what stands for a call goes, which may be the only call.
    fn place(&self, tree: &SyntaxTree, call: &Call, is_only: bool) -> Option<Place> {
        let nodes = tree.nodes();
        let start = |node: usize| nodes[node].start as usize;
        let of_call = Place {
            value: self.value,
            is_block: false,
            before: 0..0,
            replaced: nodes[call.node].range(),
            start: start(call.node),
        };
        if !self.is_block {
            return Some(of_call);
        }
        let mut around = tree.and_around(call.node).skip(1);
        let parent = around.find(|&node| tree.kind(node) != IN_BRACKETS)?;
        if tree.kind(parent) == "expression_statement" {
            return Some(Place {
                is_block: true,
                replaced: nodes[parent].range(),
                start: start(parent),
                ..of_call
            });
        }
        if BARE_BLOCKS.contains(&tree.kind(parent)) {
            return Some(Place {
                is_block: true,
                ..of_call
            });
        }
        let of_call = Place {
            value: self.expression?,
            before: self.leading.clone(),
            ..of_call
        };
        if self.leading.is_empty() {
            return Some(of_call);
        }
        let statement = tree.and_around(call.node).find(|&at| {
            let around = nodes[at].parent as usize;
            let holds = |part: &&str| tree.kind(around).contains(part);
            around == 0 || ["block", "body", "compound"].iter().any(holds)
        });
        Some(Place {
            start: start(statement.filter(|_| is_only)?),
            ..of_call
        })
    }

    /// What comes in place of a call, which may be the only one.
    fn inlined(
        &self,
        text: &[u8],
        tree: &SyntaxTree,
        call: &Call,
        is_only: bool,
    ) -> Option<Edit<u8>> {
        let nodes = tree.nodes();
        let place = self.place(tree, call, is_only)?;
        let mut indentation = None;
        if tree.is_in("python") && (place.is_block || !place.before.is_empty()) {
            let first = match place.is_block {
                true => nodes[place.value].start as usize,
                false => place.before.start,
            };
            indentation = Some((indented(text, first), indented(text, place.start)?));
        }
        if call.arguments.len() != self.parameters.len() {
            return None;
        }
        let part = |number: usize| &text[nodes[number].range()];
        let given = |number: usize| Given {
            text: part(number),
            is_function: FUNCTIONS.contains(&tree.kind(number)),
        };
        let names = self.parameters.iter().map(|range| &text[range.clone()]);
        let arguments = call.arguments.iter().map(|&argument| given(argument));
        let mut by_name: BTreeMap<&[u8], Given> = names.zip(arguments).collect();
        if let Some(receiver) = call.receiver {
            let own = self.receiver.clone().map(|range| &text[range]);
            let own = own.map_or(RECEIVERS.to_vec(), |own| vec![own]);
            by_name.extend(own.into_iter().map(|own| (own, given(receiver))));
        }
        let in_place = |text: &[u8]| {
            let text = substituted(text, &by_name);
            Some(match indentation {
                Some((of_body, of_call)) => moved(&text, of_body?, of_call),
                None => text,
            })
        };
        let value = in_place(part(place.value).trim_ascii())?;
        let mut inserted = in_place(&text[place.before])?;
        inserted.extend(&text[place.start..place.replaced.start]);
        let is_leaf = nodes[place.value].next as usize == place.value + 1;
        if place.is_block || self.is_macro || is_leaf {
            inserted.extend(value);
        } else {
            inserted.extend([b"(", &value[..], b")"].concat());
        }
        Some(Edit {
            start: place.start,
            end: place.replaced.end,
            insert: (!inserted.is_empty()).then(|| inserted.as_slice().into()),
        })
    }
}

/// Where what stands for a call goes.
struct Place {
    /// The node that stands for the call.
    value: usize,
    /// Whether that is a block.
    is_block: bool,
    /// What is done before, and comes at `start`.
    before: Range<usize>,
    /// What the value takes the place of.
    replaced: Range<usize>,
    /// Where the statement starts before which something is done, or what is replaced.
    start: usize,
}

/// Where the name of a parameter stands, with the sign that belongs to it.
fn parameter(text: &[u8], tree: &SyntaxTree, names: &Names, entry: usize) -> Option<Range<usize>> {
    // Where a type comes with the name, the grammar says which is which.
    let fields = ["pattern", "name", "declarator"].into_iter();
    let named = fields.filter_map(|field| tree.part(entry, field)).next();
    let range = names.range_within(tree, named.unwrap_or(entry));
    let is_type = |node: usize| {
        let around =
            std::iter::successors(Some(node), |&at| Some(tree.nodes()[at].parent as usize));
        let mut inside = around.take_while(|&at| at > entry);
        inside.any(|at| tree.field_name(&tree.nodes()[at]) == Some("type"))
    };
    let mut all = names.occurrences[range].iter().rev();
    let name = all.find(|name| !is_type(name.node as usize))?;
    let mut name = tree.nodes()[name.node as usize].range();
    name.start -= usize::from(text[..name.start].ends_with(b"$"));
    Some(name)
}

/// What a function gives whose only statement this is.
fn result(tree: &SyntaxTree, only: usize) -> Option<usize> {
    let kind = tree.kind(only);
    if kind.starts_with("return") {
        let value = entries(tree, only).next()?;
        // Lua gives a list of values.
        let mut values = entries(tree, value);
        let is_list = tree.kind(value) == "expression_list";
        return match (is_list, values.next(), values.next()) {
            (true, Some(first), None) => Some(first),
            (true, ..) => None,
            _ => Some(value),
        };
    }
    // In Rust and in Ruby the last expression is what a function gives; a call is a statement in Lua.
    let is_statement = [
        "statement",
        "declaration",
        "definition",
        "assignment",
        "item",
        "method",
    ];
    let is_expression = !is_statement.iter().any(|part| kind.contains(part));
    let gives = ["rust", "ruby", "lua"].iter().any(|it| tree.is_in(it));
    (gives && is_expression).then_some(only)
}

/// A call.
struct Call {
    node: usize,
    /// What a method is called of.
    receiver: Option<usize>,
    arguments: Vec<usize>,
}

impl Call {
    /// The call of a function where it is written, maybe by `call` as JavaScript has it.
    fn of_literal(text: &[u8], tree: &SyntaxTree, literal: usize) -> Option<Call> {
        let outer = |node: usize| tree.nodes()[node].parent as usize;
        let bracketed = |&node: &usize| tree.kind(outer(node)) != IN_BRACKETS;
        let mut function = tree.and_around(literal).find(bracketed)?;
        let property = tree.part(outer(function), "property");
        let is_by_call = property.is_some_and(|at| &text[tree.nodes()[at].range()] == b"call");
        if is_by_call {
            function = outer(function);
        }
        let node = outer(function);
        let arguments = tree.part(node, "arguments")?;
        let is_called = tree.children(node).next() == Some(function);
        is_called.then(|| Call {
            node,
            receiver: None,
            arguments: entries(tree, arguments)
                .skip(usize::from(is_by_call))
                .collect(),
        })
    }

    /// The call of what is named in a node.
    fn of(text: &[u8], tree: &SyntaxTree, name: usize) -> Option<Call> {
        let nodes = tree.nodes();
        let around = nodes[name].parent as usize;
        let (node, arguments) = match list_of(text, tree, name, false) {
            Some(list) if tree.kind(list).contains("param") => return None,
            Some(list) => (nodes[list].parent as usize, entries(tree, list).collect()),
            // Ruby needs no brackets.
            None if !tree.is_in("ruby") => return None,
            None if tree.part(around, "method") == Some(name) => (around, Vec::new()),
            None if tree.field_name(&nodes[name]) == Some("name") => return None,
            None => (name, Vec::new()),
        };
        let call = |receiver| Call {
            node,
            receiver,
            arguments,
        };
        if nodes[node].start == nodes[name].start {
            return Some(call(None));
        }
        let receiver = tree.children(around).next()?;
        let is_called = around == node || nodes[around].parent as usize == node;
        let is_first = nodes[receiver].start == nodes[node].start;
        let is_value = nodes[receiver].is_named && tree.kind(receiver) != "super";
        (is_called && is_first && is_value && receiver != name).then(|| call(Some(receiver)))
    }
}

/// How far the line of a place is indented; `None` if something stands before it.
fn indented(text: &[u8], at: usize) -> Option<&[u8]> {
    let line = text[..at].rsplit(|&byte| byte == b'\n').next()?;
    line.iter()
        .all(|byte| matches!(byte, b' ' | b'\t'))
        .then_some(line)
}

/// Lines that were indented like `from`, indented like `to`.
fn moved(text: &[u8], from: &[u8], to: &[u8]) -> Vec<u8> {
    let lines = text.split_inclusive(|&byte| byte == b'\n');
    let moved = lines.enumerate().flat_map(|(number, line)| {
        match line.strip_prefix(from).filter(|_| number > 0) {
            Some(rest) => [to, rest],
            None => [&[], line],
        }
    });
    moved.collect::<Vec<&[u8]>>().concat()
}

/// What takes the place of a parameter.
struct Given<'a> {
    text: &'a [u8],
    /// Whether it can only be called, or asked for something, with brackets around it.
    is_function: bool,
}

/// A text with other texts in place of some of its words.
fn substituted(text: &[u8], by_name: &BTreeMap<&[u8], Given>) -> Vec<u8> {
    let is_word = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'$' | 128..);
    let same_kind = |a: &u8, b: &u8| is_word(*a) && is_word(*b);
    let mut words = text.chunk_by(same_kind).peekable();
    let mut replaced = Vec::new();
    while let Some(word) = words.next() {
        let next = words.peek().and_then(|next| next.first());
        match by_name.get(word) {
            Some(given) if given.is_function && matches!(next, Some(b'(' | b'.')) => {
                replaced.extend([b"(", given.text, b")"].concat());
            }
            Some(given) => replaced.extend(given.text),
            None => replaced.extend(word),
        }
    }
    replaced
}

impl Finds for InlineCalls {
    const NAME: &'static str = "inline_calls";
    const RANK: u8 = 4;

    fn find(&self, target: &Target<u8>) -> Vec<Patch<u8>> {
        let members = Members::of(target, &self.0);
        let names = Names::of(target, &self.0);
        let mut patches = inlinings(target, &members, &names);
        patches.extend(literals(target.elements(), members.tree(), &names));
        patches
    }
}

#[cfg(test)]
mod tests {
    use crate::explain::reductions;

    fn check(language: &str, text: &str, expected: &str) {
        let seen = reductions("inline_calls", language, text);
        assert!(seen.iter().any(|seen| seen == expected), "{seen:?}");
    }

    #[test]
    fn macros_are_inlined_with_their_arguments() {
        let text = "#define A(b, c) ((b) * c)\nint d = A(1, 2);\n";
        check("c", text, "int d = ((1) * 2);\n");
    }

    #[test]
    fn what_is_called_for_what_it_does_is_inlined_as_a_block() {
        let text = "void f(int a) { g(a); } int h() { f(1); }";
        check("c", text, "int h() { { g(1); } }");
    }

    #[test]
    fn a_value_may_be_what_is_only_done() {
        let text = "class A { f(a) { this.b + a } g() { c(this.f(1)) } }";
        let expected = "class A { g() { c((this.b + 1)) } }";
        check("javascript", text, expected);
        check("python", "def f(a):\n    g(a)\nb(f(1))\n", "b((g(1)))\n");
    }

    #[test]
    fn what_is_done_before_comes_before_the_statement_of_the_only_call() {
        let text = "int f(int a) { int b = a; return b * 2; } int h() { g(); return f(1); }";
        check("c", text, "int h() { g(); int b = 1; return (b * 2); }");
        check(
            "python",
            "def f(a):\n    b = a\n    return b\nif c:\n  d(f(1))\n",
            "if c:\n  b = 1\n  d(b)\n",
        );
    }

    #[test]
    fn functions_that_are_called_where_they_are_written_are_inlined_too() {
        check("javascript", "(function (a) { b(a); })(1);", "{ b(1); }");
        check(
            "javascript",
            "let c = (function () { function a() {} return a }());",
            "function a() {} let c = (a);",
        );
        check(
            "javascript",
            ";(function (a) { b(a); }).call(this, 1);",
            ";{ b(1); }",
        );
        check("javascript", "c((a => a + 1)(2));", "c((2 + 1));");
        check("cpp", "int c = [](int a) { return a; }(1);", "int c = 1;");
    }

    #[test]
    fn a_function_that_takes_the_place_of_a_parameter_can_be_called() {
        check(
            "javascript",
            "(function (a, b) { b(); c(b) })(this, function () { d });",
            "{ (function () { d })(); c(function () { d }) }",
        );
        check(
            "python",
            "def f(a):\n    return a(1)\nb(f(lambda c: c))\n",
            "b(((lambda c: c)(1)))\n",
        );
    }

    #[test]
    fn what_a_method_is_called_of_takes_the_place_of_this() {
        check(
            "javascript",
            "class A { f(a) { return this.b + a } g() { c(this.f(1)) } }",
            "class A { g() { c((this.b + 1)) } }",
        );
        check(
            "python",
            "class A:\n    def f(self, a):\n        return self.b + a\n    c = 1\nd.f(2)\n",
            "class A:\n    c = 1\n(d.b + 2)\n",
        );
        check(
            "php",
            "<?php class A { function f($a) { return $this->b + $a; } } $c->f(1);",
            "<?php class A { } ($c->b + 1);",
        );
        check(
            "rust",
            "impl A { fn f(&self, a: u8) -> u8 { self.b + a } } fn g() { c.f(1); }",
            "impl A { } fn g() { (c.b + 1); }",
        );
    }

    #[test]
    fn what_has_the_name_of_something_else_is_inlined_call_by_call() {
        check(
            "php",
            "<?php class a { function a() { return 1; } function b() { $a = $this->a(); } }",
            "<?php class a { function b() { $a = 1; } }",
        );
    }

    #[test]
    fn the_type_of_a_parameter_is_not_its_name() {
        check(
            "typescript",
            "function f(a: B) { return a } c(f(1))",
            "c(1)",
        );
        check("python", "def f(a: b):\n    return a\nc(f(1))\n", "c(1)\n");
    }

    #[test]
    fn statements_are_indented_like_the_call() {
        check(
            "python",
            "def f(a):\n    if a:\n        b(a)\nif c:\n  if d:\n    f(1)\n",
            "if c:\n  if d:\n    if 1:\n        b(1)\n",
        );
    }

    #[test]
    fn a_call_needs_no_brackets_in_ruby() {
        check("ruby", "def f\n  A.new\nend\nf.g\n", "(A.new).g\n");
        check("ruby", "def f(a)\n  a\nend\ng f(1)\n", "g 1\n");
    }

    #[test]
    fn functions_that_are_values_are_inlined_too() {
        check(
            "javascript",
            "let f = (a) => a + 1; b(f(1));",
            "b((1 + 1));",
        );
        check("python", "f = lambda a: a\nb(f(1))\n", "b(1)\n");
    }

    #[test]
    fn functions_of_other_languages_are_inlined_too() {
        let text = "function f(a) { return a; } b(f(1));";
        check("javascript", text, "b(1);");
    }
}
