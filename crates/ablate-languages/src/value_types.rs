//! What type a value of Rust may have, by what a text says: guesses, for who tests them.

use std::collections::{BTreeMap, BTreeSet};

use crate::arguments::entries;
use crate::generics::{instantiated, parameters};
use crate::tree::SyntaxTree;

/// How many types are guessed for a value.
const GUESSES_MAX: usize = 6;
/// How deep in a value the types of its parts are guessed.
const DEPTH_MAX: usize = 4;
/// Longer types are not guessed.
const LONGEST: usize = 256;

/// What a type can't name: the parameters of what it is taken out of.
const NOTHING: &[u8] = b"()";

type Type = Vec<u8>;

/// What a text says of types.
pub(crate) struct ValueTypes<'a> {
    pub text: &'a [u8],
    pub tree: &'a SyntaxTree,
    /// The functions of each name.
    functions: BTreeMap<&'a [u8], Vec<usize>>,
    /// The names of types that are declared, with the nodes that do.
    declared: BTreeMap<&'a [u8], usize>,
    /// What stands for associated types, and for other names of types.
    aliases: BTreeMap<&'a [u8], Vec<usize>>,
    /// Where types with arguments are named.
    applied: BTreeMap<&'a [u8], Vec<usize>>,
    /// The types that parameters and variables of each name are declared with.
    variables: BTreeMap<&'a [u8], Vec<usize>>,
}

impl<'a> ValueTypes<'a> {
    pub fn of(text: &'a [u8], tree: &'a SyntaxTree) -> ValueTypes<'a> {
        let mut types = ValueTypes {
            text,
            tree,
            functions: BTreeMap::new(),
            declared: BTreeMap::new(),
            aliases: BTreeMap::new(),
            applied: BTreeMap::new(),
            variables: BTreeMap::new(),
        };
        let named =
            |node: usize, field: &str| Some(&text[tree.nodes()[tree.part(node, field)?].range()]);
        for node in 0..tree.nodes().len() {
            let (map, key, node) = match tree.kind(node) {
                "function_item" | "function_signature_item" => {
                    (&mut types.functions, named(node, "name"), Some(node))
                }
                "type_item" => {
                    let of_type = tree.part(node, "type");
                    (&mut types.aliases, named(node, "name"), of_type)
                }
                "parameter" | "let_declaration" => {
                    let of_type = tree.part(node, "type");
                    (&mut types.variables, named(node, "pattern"), of_type)
                }
                "generic_type" => (&mut types.applied, named(node, "type"), Some(node)),
                "struct_item" | "enum_item" | "union_item" => {
                    types
                        .declared
                        .extend(named(node, "name").map(|name| (name, node)));
                    continue;
                }
                _ => continue,
            };
            if let (Some(key), Some(node)) = (key, node) {
                map.entry(key).or_default().push(node);
            }
        }
        types
    }

    pub fn part(&self, node: usize) -> &'a [u8] {
        &self.text[self.tree.nodes()[node].range()]
    }

    fn parent(&self, node: usize) -> usize {
        self.tree.nodes()[node].parent as usize
    }

    /// The functions of a name.
    fn functions(&self, name: usize) -> &[usize] {
        let functions = self.functions.get(self.part(name));
        functions.map_or(&[], |functions| &functions[..])
    }

    /// What the value at a node may be, in a function: the likeliest first.
    pub fn guesses(&self, value: usize, function: usize) -> Vec<Type> {
        let mut all = self.of_value(value, function, DEPTH_MAX);
        all.extend(self.by_use(value, function));
        let mut seen = BTreeSet::new();
        all.retain(|it| it.len() <= LONGEST && seen.insert(it.clone()));
        all.truncate(GUESSES_MAX);
        all
    }

    /// What it is by what stands there.
    fn of_value(&self, value: usize, function: usize, depth: usize) -> Vec<Type> {
        let tree = self.tree;
        let Some(depth) = depth.checked_sub(1) else {
            return Vec::new();
        };
        let known = |name: &[u8]| vec![name.to_vec()];
        match tree.kind(value) {
            "parenthesized_expression" => {
                let inner = tree.children(value).nth(1);
                inner.map_or(Vec::new(), |it| self.of_value(it, function, depth))
            }
            "reference_expression" => {
                let Some(of) = tree.part(value, "value") else {
                    return Vec::new();
                };
                let is_mutable = tree
                    .children(value)
                    .any(|it| tree.kind(it) == "mutable_specifier");
                let sign: &[u8] = if is_mutable { b"&mut " } else { b"&" };
                let all = self.of_value(of, function, depth).into_iter();
                all.map(|it| [sign, &it].concat()).collect()
            }
            "call_expression" => self.of_call(value, function),
            "struct_expression" => {
                let name = tree.part(value, "name");
                name.map_or(Vec::new(), |name| self.of_constructor(name, function))
            }
            "type_cast_expression" => {
                let of_type = tree.part(value, "type");
                of_type.map_or(Vec::new(), |it| known(self.part(it)))
            }
            "identifier" => self.of_name(value, function),
            "tuple_expression" => {
                let parts = entries(tree, value).map(|it| {
                    let mut all = self.of_value(it, function, depth).into_iter();
                    all.next().map(|of_type| [&of_type, &b","[..]].concat())
                });
                let parts: Option<Vec<Type>> = parts.collect();
                let tuple = |parts: Vec<Type>| [&b"("[..], &parts.concat(), b")"].concat();
                parts.map(tuple).into_iter().collect()
            }
            "integer_literal" => known(b"i32"),
            "float_literal" => known(b"f64"),
            "boolean_literal" => known(b"bool"),
            "char_literal" => known(b"char"),
            "string_literal" => known(b"&str"),
            "unit_expression" => known(NOTHING),
            _ => Vec::new(),
        }
    }

    /// What a name is where it is declared in the function, or as a type without parts.
    fn of_name(&self, name: usize, function: usize) -> Vec<Type> {
        let tree = self.tree;
        let word = self.part(name);
        if self.declared.contains_key(word) {
            return self.of_constructor(name, function);
        }
        let types = self.variables.get(word).map_or(&[][..], |types| types);
        let first = types.partition_point(|it| *it < function);
        let of_type = types
            .get(first)
            .filter(|it| **it < tree.nodes()[function].next as usize);
        of_type
            .map(|it| self.part(*it).to_vec())
            .into_iter()
            .collect()
    }

    /// The type that a name of a type stands for where a value is made of it.
    fn of_constructor(&self, name: usize, function: usize) -> Vec<Type> {
        let tree = self.tree;
        let word = match tree.kind(name) {
            "generic_type" | "generic_type_with_turbofish" | "generic_function" => {
                let of = tree.part(name, "type").or(tree.part(name, "function"));
                let given = tree.part(name, "type_arguments");
                let parts = of.zip(given);
                let whole = |(of, given)| [self.part(of), self.part(given)].concat();
                return parts.map(whole).into_iter().collect();
            }
            "identifier" | "type_identifier" => self.part(name),
            _ => return vec![self.part(name).to_vec()],
        };
        if word == b"Self" {
            return self.of_self(name, function).into_iter().collect();
        }
        let count = self.declared.get(word).map_or(0, |&node| {
            let all = parameters(self.text, tree, node).into_iter();
            all.filter(|it| !it.starts_with(b"'")).count()
        });
        if count == 0 {
            return vec![word.to_vec()];
        }
        let given = vec![NOTHING; count].join(&b',');
        vec![[word, b"<", &given, b">"].concat()]
    }

    /// What a call returns.
    fn of_call(&self, call: usize, function: usize) -> Vec<Type> {
        let tree = self.tree;
        let Some(mut called) = tree.part(call, "function") else {
            return Vec::new();
        };
        let with_types = called;
        if tree.kind(called) == "generic_function" {
            called = tree.part(called, "function").unwrap_or(called);
        }
        let mut all = Vec::new();
        let name = match tree.kind(called) {
            "scoped_identifier" => {
                let path = tree.part(called, "path");
                let is_type = |&path: &usize| {
                    let word = self.part(path);
                    let is_named = word.first().is_some_and(u8::is_ascii_uppercase);
                    let kind = tree.kind(path);
                    kind == "generic_type" || is_named || self.declared.contains_key(word)
                };
                let of_type = path.filter(is_type);
                all.extend(
                    of_type
                        .into_iter()
                        .flat_map(|it| self.of_constructor(it, function)),
                );
                tree.part(called, "name")
            }
            "field_expression" => tree.part(called, "field"),
            _ => {
                if self.declared.contains_key(self.part(called)) {
                    all.extend(self.of_constructor(with_types, function));
                }
                Some(called)
            }
        };
        let functions = name.map_or(&[][..], |name| self.functions(name));
        for &it in functions.iter().take(GUESSES_MAX) {
            let returned = tree.part(it, "return_type");
            all.extend(
                returned
                    .into_iter()
                    .flat_map(|it| self.resolved(it, function)),
            );
        }
        all
    }

    /// What a value is by what is done with it: what has the method that is called, and what the parameter
    /// is that it is given for.
    fn by_use(&self, value: usize, function: usize) -> Vec<Type> {
        let tree = self.tree;
        let around = self.parent(value);
        let mut all = Vec::new();
        if tree.kind(around) == "field_expression" && tree.part(around, "value") == Some(value) {
            let name = tree.part(around, "field");
            let functions = name.map_or(&[][..], |name| self.functions(name));
            for &it in functions.iter().take(GUESSES_MAX) {
                let owner = self.parent(self.parent(it));
                let Some(of_self) = tree.part(owner, "type") else {
                    continue;
                };
                let base = tree.part(of_self, "type").unwrap_or(of_self);
                let applied = self.applied.get(self.part(base)).into_iter().flatten();
                all.extend(self.at(of_self, function));
                all.extend(
                    applied
                        .take(GUESSES_MAX)
                        .filter_map(|&it| self.at(it, function)),
                );
            }
        }
        let call = self.parent(around);
        let called = tree.part(call, "function");
        if let Some(called) = called.filter(|_| tree.kind(around) == "arguments") {
            let name = ["name", "field"]
                .iter()
                .find_map(|it| tree.part(called, it));
            let index = entries(tree, around).position(|it| it == value);
            for &it in self
                .functions(name.unwrap_or(called))
                .iter()
                .take(GUESSES_MAX)
            {
                let list = tree.part(it, "parameters");
                let mut parameters = list
                    .into_iter()
                    .flat_map(|list| entries(tree, list))
                    .filter(|&it| tree.kind(it) != "self_parameter");
                let parameter = index.and_then(|index| parameters.nth(index));
                let of_type = parameter.and_then(|it| tree.part(it, "type"));
                all.extend(
                    of_type
                        .into_iter()
                        .flat_map(|it| self.resolved(it, function)),
                );
            }
        }
        all
    }

    /// What the type at a node may be in a function: the type, or what may stand for it where it is that of
    /// a parameter.
    fn resolved(&self, node: usize, function: usize) -> Vec<Type> {
        let tree = self.tree;
        let scoped = match tree.kind(node) {
            "generic_type" => tree.part(node, "type").unwrap_or(node),
            _ => node,
        };
        let name = tree.part(scoped, "name");
        let aliases = name.and_then(|name| self.aliases.get(self.part(name)));
        if tree.kind(scoped) == "scoped_type_identifier"
            && let Some(aliases) = aliases
        {
            let aliases = aliases.iter().take(GUESSES_MAX);
            return aliases.filter_map(|&it| self.at(it, function)).collect();
        }
        self.at(node, function).into_iter().collect()
    }

    /// The text of a type as it can stand in another function: without the parameters of what it is in.
    fn at(&self, node: usize, function: usize) -> Option<Type> {
        let tree = self.tree;
        let mut given: Vec<(&[u8], &[u8])> = Vec::new();
        let of_self = self.of_self(node, function);
        given.extend(of_self.as_ref().map(|it| (&b"Self"[..], &it[..])));
        for item in tree.and_around(node) {
            let encloses = item <= function && function < tree.nodes()[item].next as usize;
            if encloses {
                continue;
            }
            for parameter in parameters(self.text, tree, item) {
                let is_lifetime = parameter.starts_with(b"'");
                given.push((parameter, if is_lifetime { b"'_" } else { NOTHING }));
            }
        }
        let text = instantiated(self.text, tree, tree.nodes()[node].range(), &given);
        let is_whole = !contains(&text, b"()::") && !contains(&text, b"Self");
        is_whole.then(|| without_lifetimes(&text))
    }

    /// What `Self` is at a node, unless that is inside of what the function is in.
    fn of_self(&self, node: usize, function: usize) -> Option<Type> {
        let tree = self.tree;
        let owner = tree
            .and_around(node)
            .find(|&it| tree.kind(it) == "impl_item")?;
        let of_self = tree.part(owner, "type").filter(|&it| it != node)?;
        let is_inside = of_self <= node && node < tree.nodes()[of_self].next as usize;
        (!is_inside).then(|| self.at(of_self, function))?
    }
}

fn contains(text: &[u8], part: &[u8]) -> bool {
    text.windows(part.len()).any(|it| it == part)
}

/// A type without the lifetimes that may be any.
fn without_lifetimes(text: &[u8]) -> Type {
    let mut result = Vec::with_capacity(text.len());
    let mut rest = text;
    while let Some(&byte) = rest.first() {
        let is_whole = |after: &[u8]| {
            !after
                .first()
                .is_some_and(|it| it.is_ascii_alphanumeric() || *it == b'_')
        };
        match rest.strip_prefix(b"'_").filter(|after| is_whole(after)) {
            Some(after) if after.starts_with(b">") && result.last() == Some(&b'<') => {
                result.pop();
                rest = &after[1..];
            }
            Some(after) => {
                let after = after.strip_prefix(b",").unwrap_or(after);
                rest = after.trim_ascii_start();
            }
            None => {
                result.push(byte);
                rest = &rest[1..];
            }
        }
    }
    result
}
