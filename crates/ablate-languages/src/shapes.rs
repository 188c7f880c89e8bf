//! The shapes of declarations: what a node declares, by which uses of its names it is wanted, and
//! which types it is about. Knows the languages of the C family best; of others, that a declaration
//! on the outermost levels is wanted where its name is used. What is declared further inside is told
//! by `inner.rs`.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use crate::items::Trigger;
use crate::language::Language;
use crate::names::{Locals, Names, Occurrence};
use crate::tree::{Node, SyntaxTree};
use crate::verilog_names;

/// How deep the head of a declaration is looked into.
const HEAD_DEPTH: usize = 16;

/// What rules of visibility a language has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Family {
    C,
    Rust,
    Other,
}

impl Family {
    /// The family of a language.
    pub fn of(language: &Language) -> Family {
        match language.name {
            "c" | "cpp" | "glsl" => Family::C,
            "rust" => Family::Rust,
            _ => Family::Other,
        }
    }
}

/// What a node has to do with names.
#[derive(Debug)]
pub(crate) struct Shape {
    pub trigger: Trigger,
    pub declares: Vec<u32>,
    /// The types that it is about.
    pub types: Vec<u32>,
    /// The types that a specialisation is for; other names for types do not count.
    pub plain_types: Vec<u32>,
    /// What must be declared elsewhere.
    pub needs: Vec<u32>,
    /// The class that it defines a member of.
    pub class: Option<u32>,
    /// Whether the types only count if there are others of the same name.
    pub is_overloadable: bool,
    /// Whether it only gives something another name.
    pub is_alias: bool,
    /// Whether it is never there for its own sake.
    pub is_attached: bool,
    /// Whether it only lets others be named, and is of no use to anybody by itself.
    pub is_import: bool,
}

/// A text with all that is known of the names in it.
pub(crate) struct Shapes<'a> {
    pub text: &'a [u8],
    pub tree: &'a SyntaxTree,
    pub names: &'a Names,
    pub locals: &'a Locals,
    pub language: &'static Language,
    pub family: Family,
    pub is_cxx: bool,
}

/// What only holds other things together, by parts of the names of kinds.
const CONTAINERS: &[&str] = &[
    "namespace_definition",
    "namespace_declaration",
    "package_clause",
    "mod_item",
    "linkage_specification",
    "module",
    "internal_module",
    "preproc_if",
    "declaration_list",
    "export_statement",
];

/// For each node whether it only holds declarations together.
pub(crate) fn containers(tree: &SyntaxTree) -> Vec<bool> {
    let nodes = tree.nodes();
    let mut is_container = vec![false; nodes.len()];
    for (number, node) in nodes.iter().enumerate() {
        let around = node.parent as usize;
        let is_inside = number == 0 || is_container[around];
        let is_body = || around != 0 && tree.field_name(node) == Some("body");
        is_container[number] =
            is_inside && (number == 0 || is_body() || holds_others(tree, number));
    }
    is_container
}

fn holds_others(tree: &SyntaxTree, number: usize) -> bool {
    let kind = |number: usize| tree.kind_name(&tree.nodes()[number]);
    // A block on the outermost level is one whose head could not be parsed.
    if matches!(
        kind(number),
        "compound_statement"
            | "declaration_list"
            | "declarations"
            | "document"
            | "exports"
            | "header"
            | "imports"
    ) {
        return true;
    }
    let has_list = || {
        let mut children = tree.children(number);
        children.any(|child| kind(child).ends_with("_list"))
    };
    // `var (…)` and `import (…)` hold what stands in the brackets; constants there may be counted.
    let has = |part: &str| {
        let mut children = tree.children(number);
        children.any(|child| kind(child).ends_with(part))
    };
    if kind(number).ends_with("_spec_list") || has("_spec_list") || has("type_spec") && has("(") {
        return true;
    }
    // An export is a declaration, unless all that it has is a container.
    let has_container = || {
        let mut children = tree.children(number);
        children.any(|child| holds_others(tree, child))
    };
    CONTAINERS.iter().any(|part| kind(number).contains(part))
        && !kind(number).ends_with("_header")
        && (kind(number) != "linkage_specification" || has_list())
        && (kind(number) != "export_statement" || has_container())
}

impl Shapes<'_> {
    pub fn kind(&self, number: usize) -> &'static str {
        self.tree.kind(number)
    }

    pub fn field(&self, number: usize, name: &str) -> Option<usize> {
        self.tree.part(number, name)
    }

    fn has(&self, number: usize, kind: &str) -> bool {
        self.tree
            .children(number)
            .any(|child| self.kind(child) == kind)
    }

    /// The shape of a member.
    pub fn shape(&self, number: usize, is_unit: bool) -> Shape {
        let mut shape = Shape {
            trigger: Trigger::Always,
            declares: Vec::new(),
            types: Vec::new(),
            plain_types: Vec::new(),
            is_alias: false,
            needs: Vec::new(),
            class: None,
            is_overloadable: false,
            is_attached: false,
            is_import: false,
        };
        let around = self.kind(self.tree.nodes()[number].parent as usize);
        let is_in_class = match self.family {
            Family::C => around == "field_declaration_list",
            Family::Rust => around == "declaration_list",
            Family::Other => false,
        };
        if matches!(around, "exports" | "children") && self.tree.is_in("haskell") {
            // It only shows what is declared elsewhere. Parts of it wait for themselves.
            self.add_names_but(number, "children", &mut shape.needs);
            shape.is_attached = true;
            return shape;
        }
        if !is_unit && !is_in_class {
            return shape;
        }
        shape.declares = self.names.declared_by(self.tree, number);
        match self.family {
            Family::C => self.shape_c(number, is_unit, &mut shape),
            Family::Rust => self.shape_rust(number, is_unit, &mut shape),
            Family::Other if matches!(self.kind(number), "instance" | "deriving_instance") => {
                shape.declares.clear();
                self.add_names_but(number, "instance_declarations", &mut shape.types);
                shape.is_attached = !shape.types.is_empty();
            }
            // Java's says what a file is a part of.
            Family::Other
                if self.kind(number) == "package_declaration" && !self.tree.is_in("verilog") =>
            {
                shape.is_attached = shape.declares.is_empty();
            }
            Family::Other if self.opens_all(number) => {
                shape.declares.clear();
                shape.is_attached = true;
            }
            Family::Other if !shape.declares.is_empty() => {
                shape.trigger = match verilog_names::is_port(self.tree, number) {
                    true => Trigger::AnyName,
                    false => Trigger::Name,
                };
                shape.is_import = self.is_import(number);
                let extensions = self.extensions(number);
                if !extensions.is_empty() {
                    shape.trigger = Trigger::AnyName;
                    shape.declares.extend(extensions);
                    shape.declares.sort_unstable();
                    shape.declares.dedup();
                }
                if let Some(receiver) = self.field(number, "receiver") {
                    self.shape_method(receiver, &mut shape);
                }
            }
            Family::Other => {}
        }
        shape
    }

    /// The methods of a class in C# that are called as if what their first parameter is had them: nobody names
    /// the class then.
    fn extensions(&self, class: usize) -> Vec<u32> {
        if !self.tree.is_in("c-sharp") || self.kind(class) != "class_declaration" {
            return Vec::new();
        }
        let is_extension = |&method: &usize| {
            let parameters = self.field(method, "parameters");
            let first = parameters.and_then(|it| self.tree.children(it).nth(1));
            let modifier = first.and_then(|first| self.tree.children(first).next());
            let said = modifier.map(|it| &self.text[self.tree.nodes()[it].range()]);
            said == Some(b"this")
        };
        let members = self.field(class, "body").into_iter();
        let methods = members.flat_map(|body| self.tree.children(body));
        let methods = methods.filter(is_extension);
        methods
            .flat_map(|method| self.names.declared_by(self.tree, method))
            .collect()
    }

    /// Whether a member makes names visible that it says, and nothing else: what is imported may be called without
    /// being named in other languages, or does something by itself.
    fn is_import(&self, number: usize) -> bool {
        self.tree.is_in("java") && self.kind(number) == "import_declaration"
    }

    /// Whether names in something of Haskell are no uses of what they name, as in an import: it stays while they are
    /// used elsewhere.
    pub fn only_shows(&self, number: usize) -> bool {
        let around = self.tree.nodes()[number].parent as usize;
        self.kind(number) == "import" || self.kind(around) == "exports"
    }

    /// Whether a member makes names visible that it does not say, as `using System;` does in C#.
    fn opens_all(&self, number: usize) -> bool {
        match self.kind(number) {
            "using_directive" => self.field(number, "name").is_none(),
            "open_module" => true,
            // What it names are parts of it.
            "import" if self.tree.is_in("haskell") => true,
            "import_declaration" if self.tree.is_in("swift") => true,
            "import_declaration" | "import" => {
                let text = &self.text[self.tree.nodes()[number].range()];
                let text = text.trim_ascii_end();
                let text = text.strip_suffix(b";").unwrap_or(text);
                text.ends_with(b".*") || text.ends_with(b"._")
            }
            _ => false,
        }
    }

    /// The shape of a method that stands outside of its type: it is used as a name in something
    /// else, or, where nobody names it, by what the type is used for.
    fn shape_method(&self, receiver: usize, shape: &mut Shape) {
        let is_used = |&at: &u32| {
            let node = self.names.occurrences[at as usize].node as usize;
            let around = self.tree.nodes()[node].parent as usize;
            self.field(around, "receiver").is_none()
        };
        let mut names = shape.declares.iter();
        let is_called = names.any(|&name| self.names.by_name[name as usize].iter().any(is_used));
        shape.trigger = if is_called {
            Trigger::AnyName
        } else {
            Trigger::Always
        };
        shape.is_attached = !is_called;
        self.add_types(receiver, &mut shape.types);
    }

    fn shape_rust(&self, number: usize, is_unit: bool, shape: &mut Shape) {
        let kind = self.kind(number);
        if kind.ends_with("attribute_item") {
            // It goes with what stands behind it.
            shape.is_attached = is_unit;
        } else if kind == "impl_item" {
            shape.declares.clear();
            for field in ["trait", "type"] {
                if let Some(part) = self.field(number, field) {
                    self.add_types(part, &mut shape.types);
                }
            }
            shape.is_attached = !shape.types.is_empty();
        } else if is_unit && !shape.declares.is_empty() {
            shape.trigger = Trigger::Name;
        } else if kind == "function_item" {
            let list = self.tree.nodes()[number].parent as usize;
            let item = self.tree.nodes()[list].parent as usize;
            if self.kind(item) == "impl_item" && self.field(item, "trait").is_none() {
                shape.trigger = Trigger::AnyName;
            }
        }
    }

    fn shape_c(&self, number: usize, is_unit: bool, shape: &mut Shape) {
        let core = self.core(number);
        let kind = self.kind(core);
        if kind.starts_with("preproc") && shape.declares.is_empty() {
            // A pragma may open or close something. In C++ most of them stand in the library's headers,
            // and nobody misses them. What is included may declare what is used.
            let is_paired = kind == "preproc_call" && !self.is_cxx;
            shape.is_attached = is_paired || kind == "preproc_include";
            return;
        }
        shape.is_alias = matches!(kind, "alias_declaration" | "type_definition");
        let head = self.head(core);
        let is_friend = self.is_friend(number);
        shape.types.extend(&head.types);
        shape.plain_types.extend(&head.plain_types);
        if is_friend {
            self.add_types(number, &mut shape.types);
            shape.is_attached = true;
        } else if is_unit {
            shape.class = head.class;
            let is_named = !shape.declares.is_empty() && !head.is_operator;
            shape.is_attached = true;
            if !is_named {
                shape.declares.clear();
                if head.is_function && head.class.is_none() {
                    // An operator is there for what it gives, too.
                    if let Some(given) = self.field(core, "type") {
                        self.add_types(given, &mut shape.types);
                    }
                } else if !head.is_function && head.types.is_empty() && head.plain_types.is_empty()
                {
                    self.add_names(number, &mut shape.needs);
                }
                return;
            }
            shape.trigger = Trigger::Name;
            shape.is_overloadable = head.is_function && !head.is_specialised && self.is_cxx;
            if !self.is_cxx {
                // What is declared once is meant by its name, whatever its types are.
                shape.types.clear();
                shape.plain_types.clear();
            }
            if head.is_member {
                shape.trigger = Trigger::AnyName;
                shape.is_overloadable = false;
                shape.needs.clone_from(&shape.declares);
            }
        } else if !shape.declares.is_empty() && !head.is_operator && !self.is_data(core, &head) {
            shape.types.clear();
            shape.plain_types.clear();
            shape.trigger = Trigger::AnyName;
        } else {
            shape.types.clear();
            shape.plain_types.clear();
        }
    }

    /// For `using a::b` the text of the last name before `b`, and the number of `b`.
    pub fn scope_of_using(&self, node: usize) -> Option<(&[u8], u32)> {
        if self.kind(node) != "using_declaration" {
            return None;
        }
        let range = self.names.range_within(self.tree, node);
        let [.., scope, name] = &self.names.occurrences[range] else {
            return None;
        };
        let scope = &self.tree.nodes()[scope.node as usize];
        Some((&self.text[scope.range()], name.name))
    }

    /// Whether a node is somewhere in a container of this name.
    pub fn is_in_container(&self, node: usize, name: &[u8]) -> bool {
        let mut at = node;
        while at != 0 {
            at = self.tree.nodes()[at].parent as usize;
            let of_container = self
                .field(at, "name")
                .filter(|_| self.kind(at) == "namespace_definition");
            let is_it = |of_container: usize| {
                let text = &self.text[self.tree.nodes()[of_container].range()];
                text == name
                    || text.ends_with(name) && text[..text.len() - name.len()].ends_with(b"::")
            };
            if of_container.is_some_and(is_it) {
                return true;
            }
        }
        false
    }

    /// Whether a node is the name of what only holds declarations together, where that is defined.
    pub fn is_name_of_container(&self, node: usize) -> bool {
        let around = |number: usize| self.tree.nodes()[number].parent as usize;
        let mut at = node;
        while self.kind(around(at)) == "nested_namespace_specifier" {
            at = around(at);
        }
        self.kind(around(at)) == "namespace_definition"
    }

    /// Whether what stands before a declaration, with this gap between them, is a part of it that
    /// the parser has torn off.
    pub fn is_torn(&self, node: &Node, gap: Range<u32>) -> bool {
        let text = &self.text[..gap.start as usize];
        let is_open = !matches!(text.last(), Some(b';' | b'}' | b'\n') | None)
            && self.text[gap.start as usize..gap.end as usize]
                .trim_ascii()
                .is_empty();
        is_open || self.tree.kind_name(node) == "expression_statement"
    }

    fn is_friend(&self, mut number: usize) -> bool {
        for _ in 0..HEAD_DEPTH {
            match self.kind(number) {
                "friend_declaration" => return true,
                "template_declaration" => {}
                _ => return false,
            }
            let Some(last) = self.last_named(number) else {
                return false;
            };
            number = last;
        }
        false
    }

    /// Whether something in a class is a part of its objects, or has to be there for another reason.
    fn is_data(&self, core: usize, head: &Head) -> bool {
        match self.kind(core) {
            "field_declaration" => {
                let is_static = self.has(core, "storage_class_specifier");
                let is_virtual = self.has(core, "virtual");
                let has_declarator = self.field(core, "declarator").is_some();
                is_virtual || !head.is_function && !is_static && has_declarator
            }
            "function_definition" | "declaration" => self.has(core, "virtual"),
            "access_specifier" | "static_assert_declaration" => true,
            _ => false,
        }
    }

    fn last_named(&self, number: usize) -> Option<usize> {
        let named = |child: &usize| {
            let node = &self.tree.nodes()[*child];
            node.is_named && !node.is_extra
        };
        self.tree.children(number).filter(named).last()
    }

    /// The declaration in templates, linkage specifications and friend declarations.
    fn core(&self, mut number: usize) -> usize {
        for _ in 0..HEAD_DEPTH {
            let is_wrapper = matches!(
                self.kind(number),
                "template_declaration" | "friend_declaration" | "linkage_specification"
            );
            match self.last_named(number) {
                Some(inner) if is_wrapper => number = inner,
                _ => break,
            }
        }
        number
    }

    /// Follows the declarators of a declaration to its name.
    pub fn head(&self, core: usize) -> Head {
        let mut head = Head::default();
        let kind = self.kind(core);
        let start = match kind {
            "class_specifier" | "struct_specifier" | "union_specifier" | "enum_specifier" => {
                self.field(core, "name")
            }
            "static_assert_declaration" | "template_instantiation" => {
                head.is_operator = true;
                None
            }
            _ => self.field(core, "declarator"),
        };
        let Some(mut at) = start else {
            return head;
        };
        for _ in 0..HEAD_DEPTH {
            let part = match self.kind(at) {
                "function_declarator" => {
                    head.is_function = true;
                    "parameters"
                }
                "template_function" | "template_type" | "template_method" => {
                    head.is_specialised = true;
                    "arguments"
                }
                "qualified_identifier" => {
                    head.is_member = true;
                    head.class = self
                        .field(at, "scope")
                        .and_then(|scope| self.last_name(scope));
                    "scope"
                }
                "operator_name" | "operator_cast" | "destructor_name" | "literal_operator" => {
                    head.is_operator = true;
                    "declarator"
                }
                _ => "",
            };
            if let Some(part) = self.field(at, part) {
                if head.is_specialised {
                    self.add_plain_types(part, &mut head.plain_types);
                } else {
                    self.add_types(part, &mut head.types);
                }
            }
            let inner = self
                .field(at, "declarator")
                .or_else(|| self.field(at, "name"));
            let wraps = || self.kind(at).ends_with("_declarator");
            let Some(inner) = inner.or_else(|| self.last_named(at).filter(|_| wraps())) else {
                break;
            };
            at = inner;
        }
        head
    }

    /// The name of a class, without its arguments.
    fn last_name(&self, number: usize) -> Option<u32> {
        let node = match self.kind(number) {
            "template_type" => self.field(number, "name")?,
            _ => number,
        };
        let range = self.names.range_within(self.tree, node);
        self.names.occurrences[range].last().map(|last| last.name)
    }

    /// Adds the types that are named in a node, but in what is computed.
    fn add_types(&self, number: usize, types: &mut Vec<u32>) {
        self.add(number, types, |kind| kind == "type_identifier");
    }

    /// Adds the types that are named as such in the arguments of a specialisation.
    fn add_plain_types(&self, number: usize, types: &mut Vec<u32>) {
        let nodes = self.tree.nodes();
        let mut found = Vec::new();
        self.add(number, &mut found, |kind| kind == "type_identifier");
        let range = self.names.range_within(self.tree, number);
        for occurrence in &self.names.occurrences[range] {
            let mut at = occurrence.node as usize;
            let is_computed = loop {
                let kind = self.kind(at);
                if matches!(kind, "decltype" | "dependent_type") {
                    break true;
                }
                if at == number {
                    break false;
                }
                at = nodes[at].parent as usize;
            };
            if !is_computed && found.contains(&occurrence.name) {
                types.push(occurrence.name);
            }
        }
    }

    /// Adds all names in a node.
    fn add_names(&self, number: usize, types: &mut Vec<u32>) {
        self.add(number, types, |kind| kind != "namespace_identifier");
    }

    /// The same without those in parts of this kind.
    fn add_names_but(&self, number: usize, kind: &str, names: &mut Vec<u32>) {
        let parts = self.tree.children(number);
        let parts = parts.filter(|&part| self.kind(part) != kind);
        parts.for_each(|part| self.add_names(part, names));
    }

    fn add(&self, number: usize, found: &mut Vec<u32>, is_right: impl Fn(&str) -> bool) {
        let range = self.names.range_within(self.tree, number);
        for index in range {
            let occurrence = &self.names.occurrences[index];
            let is_free = !occurrence.is_member && !self.locals.is_local(index);
            if is_free && is_right(self.kind(occurrence.node as usize)) {
                found.push(occurrence.name);
            }
        }
    }

    /// The words with a meaning of their own that macros give another one, with their names.
    fn keywords_defined(&self) -> BTreeMap<&[u8], u32> {
        let nodes = self.tree.nodes();
        let is_macro = |node: u32| self.kind(node as usize).starts_with("preproc_");
        let defined = self.names.declarations.iter().filter(|d| is_macro(d.0));
        let defined = defined.map(|&(_, name)| {
            let place = self.names.by_name[name as usize][0];
            let node = self.names.occurrences[place as usize].node as usize;
            (&self.text[nodes[node].range()], name)
        });
        let mut defined: BTreeMap<&[u8], u32> = defined.collect();
        let mut is_keyword = BTreeSet::new();
        for (number, node) in nodes.iter().enumerate().filter(|(_, node)| !node.is_named) {
            let text = &self.text[node.range()];
            if node.next as usize == number + 1 && defined.contains_key(text) {
                is_keyword.insert(text);
            }
        }
        defined.retain(|text, _| is_keyword.contains(text));
        defined
    }

    /// The names in the texts of macros, with the nodes that are these texts: to a grammar they are no
    /// code.
    fn used_by_macros(&self) -> Vec<(usize, u32)> {
        let nodes = self.tree.nodes();
        let is_text = |number: &usize| self.kind(*number) == "preproc_arg";
        let texts: Vec<usize> = (0..nodes.len()).filter(is_text).collect();
        let mut by_spelling = BTreeMap::new();
        if !texts.is_empty() {
            for (name, places) in (0..).zip(&self.names.by_name) {
                let node = self.names.occurrences[places[0] as usize].node as usize;
                by_spelling.insert(&self.text[nodes[node].range()], name);
            }
        }
        let mut used = Vec::new();
        for number in texts {
            let is_in_word = |byte: &u8| byte.is_ascii_alphanumeric() || *byte == b'_';
            let words = self.text[nodes[number].range()].split(|byte| !is_in_word(byte));
            let names = words.filter_map(|word| by_spelling.get(word));
            used.extend(names.map(|&name| (number, name)));
        }
        used
    }

    /// Names that are used without being written, with the nodes that use them.
    pub fn implied(&self) -> Vec<(usize, u32)> {
        let find = |&name: &&str| self.names.find(self.text, self.tree, name);
        let is_c = self.family == Family::C;
        let of_family = IMPLIED.iter().copied().filter(|_| is_c);
        let elsewhere = IMPLIED_ELSEWHERE.iter();
        let elsewhere = elsewhere.filter(|row| row.0 == self.language.name);
        let known = of_family.chain(elsewhere.map(|&(_, kind, names)| (kind, names)));
        let known = known.map(|(kind, names)| {
            let names = names.iter().filter_map(find);
            (kind, names.collect::<Vec<u32>>())
        });
        let known: Vec<(&str, Vec<u32>)> = known.filter(|(_, names)| !names.is_empty()).collect();
        let hidden = self.tree.hidden_names();
        let hidden = hidden.filter_map(|(node, range)| {
            let name = std::str::from_utf8(&self.text[range]).ok()?;
            Some((node, find(&name)?))
        });
        let mut implied: Vec<(usize, u32)> = hidden.collect();
        implied.extend(self.used_by_macros());
        implied.extend(self.attributes());
        let macros = self.keywords_defined();
        for (number, node) in self.tree.nodes().iter().enumerate() {
            if !macros.is_empty() && node.next as usize == number + 1 {
                let name = macros.get(&self.text[node.range()]);
                implied.extend(name.map(|&name| (number, name)));
            }
            let kind = self.tree.kind_name(node);
            for (_, names) in known.iter().filter(|(implying, _)| *implying == kind) {
                implied.extend(names.iter().map(|&name| (number, name)));
            }
        }
        implied
    }

    /// The classes of attributes in C#, whose names may leave out that they are such.
    fn attributes(&self) -> Vec<(usize, u32)> {
        if self.language.name != "c-sharp" {
            return Vec::new();
        }
        let text_of =
            |place: &Occurrence| &self.text[self.tree.nodes()[place.node as usize].range()];
        let occurrences = &self.names.occurrences;
        let short = occurrences.iter().filter_map(|place| {
            let name = text_of(place).strip_suffix(b"Attribute")?;
            Some((name, place.name))
        });
        let short: BTreeMap<&[u8], u32> = short.collect();
        let of_attribute = |place: &Occurrence| {
            let node = place.node as usize;
            let around = self.tree.nodes()[node].parent as usize;
            let is_name = self.field(around, "name") == Some(node);
            let class = short.get(text_of(place));
            class
                .filter(|_| is_name && self.kind(around) == "attribute")
                .map(|&class| (node, class))
        };
        occurrences.iter().filter_map(of_attribute).collect()
    }
}

/// What the way to the name of a declaration tells.
#[derive(Debug, Default)]
pub(crate) struct Head {
    types: Vec<u32>,
    /// Those in the arguments of a specialisation.
    plain_types: Vec<u32>,
    is_function: bool,
    pub is_member: bool,
    /// The class that it is a member of, or what else stands right before its name.
    class: Option<u32>,
    is_operator: bool,
    is_specialised: bool,
}

/// Names of the library that something of a kind needs, in C and its family.
const IMPLIED: &[(&str, &[&str])] = &[
    (
        "<=>",
        &[
            "strong_ordering",
            "weak_ordering",
            "partial_ordering",
            "less",
            "equal",
            "equivalent",
            "greater",
            "unordered",
        ],
    ),
    ("typeid", &["type_info"]),
    ("for_range_loop", &["begin", "end"]),
    (
        "structured_binding_declarator",
        &["tuple_size", "tuple_element", "get"],
    ),
    ("co_await", COROUTINE),
    ("co_return", COROUTINE),
    ("co_yield", COROUTINE),
    ("initializer_list", &["initializer_list"]),
];

/// What a coroutine needs, of the library, of what it gives, and of what it waits for.
const COROUTINE: &[&str] = &[
    "coroutine_traits",
    "coroutine_handle",
    "promise_type",
    "get_return_object",
    "initial_suspend",
    "final_suspend",
    "unhandled_exception",
    "return_value",
    "return_void",
    "yield_value",
    "await_transform",
    "await_ready",
    "await_suspend",
    "await_resume",
];

/// The same for other languages, each with its name.
const IMPLIED_ELSEWHERE: &[(&str, &str, &[&str])] = &[
    (
        "c-sharp",
        "query_expression",
        &[
            "Select",
            "SelectMany",
            "Where",
            "OrderBy",
            "ThenBy",
            "GroupBy",
            "Join",
        ],
    ),
    ("c-sharp", "await_expression", &["GetAwaiter"]),
    (
        "scala",
        "for_expression",
        &["map", "flatMap", "foreach", "withFilter"],
    ),
];
