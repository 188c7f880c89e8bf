//! The bodies of functions that can go while the functions stay: in the C family a function becomes a
//! declaration (in C one without `static` and `inline`, of which compilers would warn), elsewhere its
//! body becomes what returns nothing, such as `{panic!()}`, and where it is an expression, such as
//! `undefined`. In LLVM's intermediate code, too, a function becomes a declaration: of what it does then
//! nothing is known, where from a body that never ends would follow that what comes behind a call is never done.

use crate::expressions::{Expression, says_what_it_gives};
use crate::language::Language;
use crate::shapes::{Family, Shapes};
use crate::tree::SyntaxTree;

/// Languages in which hardly anything is said of a function before it is called, so that bodies matter.
const INTERPRETED: &[&str] = &["bash", "javascript", "lua", "php", "python", "ruby"];

/// What has a body that can go, by parts of the names of kinds.
const FUNCTIONS: &[&str] = &[
    "function",
    "fn_define",
    "method",
    "constructor",
    "accessor",
    "operator_",
];

/// What a body is that is more than an expression, by parts of the names of kinds.
pub(crate) const BLOCKS: &[&str] = &["block", "body_statement", "compound_statement"];

/// What a function with a body is in LLVM's intermediate code.
const DEFINITION: &str = "fn_define";
/// What only such functions have, by the words that it begins with.
const OF_DEFINITIONS: &[&[u8]] = &[
    b"comdat",
    b"personality",
    b"prefix",
    b"prologue",
    b"section",
];

/// What stands in place of a word that wants a body to be there, by its kind.
pub(crate) fn instead_of_word(kind: &str) -> Option<&'static str> {
    (kind == "define").then_some("declare")
}

/// Whether hardly anything is said of a function before it is called.
pub(crate) fn is_interpreted(language: &Language) -> bool {
    INTERPRETED.contains(&language.name)
}

/// Whether a node is a function, by its kind.
fn is_function(tree: &SyntaxTree, number: usize) -> bool {
    FUNCTIONS
        .iter()
        .any(|part| tree.kind(number).contains(part))
}

/// Whether a node is the body of a function, of more than an expression.
pub(crate) fn is_body(tree: &SyntaxTree, number: usize) -> bool {
    let node = &tree.nodes()[number];
    tree.field_name(node) == Some("body")
        && is_function(tree, node.parent as usize)
        && BLOCKS.iter().any(|part| tree.kind(number).contains(part))
}

/// The body of a function.
pub(crate) struct FunctionBody {
    pub function: usize,
    pub node: usize,
    /// The last node of it, if it is several side by side.
    pub last: usize,
    /// What stands in its place then.
    pub hollow: &'static str,
    /// The first node that goes with it.
    pub first: usize,
    /// Whether the function can't be there without it.
    pub is_whole: bool,
    /// Whether the compiler may have to know what the function gives.
    pub is_evaluated: bool,
    /// The words that go with it, or become others, since they want it to be there: in C `static` and
    /// `inline`, also where the function is only declared.
    pub wanting: Vec<usize>,
}

impl FunctionBody {
    fn plain(function: usize, node: usize, hollow: &'static str) -> FunctionBody {
        FunctionBody {
            function,
            node,
            last: node,
            hollow,
            first: node,
            is_whole: false,
            is_evaluated: false,
            wanting: Vec::new(),
        }
    }
}

impl From<Expression> for FunctionBody {
    fn from(expression: Expression) -> FunctionBody {
        FunctionBody {
            last: expression.last,
            ..FunctionBody::plain(expression.function, expression.first, expression.hollow)
        }
    }
}

impl Shapes<'_> {
    /// The bodies of functions that can go, of which some are these expressions.
    pub fn bodies(&self, expressions: Vec<Expression>) -> Vec<FunctionBody> {
        match self.family {
            Family::C => self.bodies_of_definitions(),
            _ if is_interpreted(self.language) => Vec::new(),
            _ if self.tree.is_in("llvm") => self.bodies_of_llvm(),
            _ => {
                let mut bodies = self.bodies_that_return();
                bodies.extend(expressions.into_iter().map(FunctionBody::from));
                bodies.sort_by_cached_key(|body| body.node);
                bodies
            }
        }
    }

    fn bodies_of_llvm(&self) -> Vec<FunctionBody> {
        let all = 0..self.tree.nodes().len();
        let functions = all.filter(|&node| self.kind(node) == DEFINITION);
        let bodies = functions.filter_map(|function| {
            let body = self.field(function, "body")?;
            // What declares it.
            let mut parts = self.tree.children(function);
            let header = parts.find(|&part| self.field(part, "name").is_some())?;
            let parts = function..body;
            Some(FunctionBody {
                wanting: parts.filter(|&node| self.wants_a_body(node)).collect(),
                ..FunctionBody::plain(header, body, "")
            })
        });
        bodies.collect()
    }

    /// Whether a part of the head of a function in LLVM's intermediate code can't be that of a declaration.
    fn wants_a_body(&self, node: usize) -> bool {
        let text = &self.text[self.tree.nodes()[node].range()];
        match self.kind(node) {
            "define" | "linkage_aux" | "metadata_attachment" => true,
            "attribute" => OF_DEFINITIONS.iter().any(|word| text.starts_with(word)),
            _ => false,
        }
    }

    /// The block that is the body of a function in Kotlin, whose grammar has no names for parts.
    fn block_of_kotlin(&self, function: usize) -> Option<usize> {
        let of_kind = |node: usize, kind: &'static str| {
            let mut parts = self.tree.children(node);
            parts.find(|&part| self.kind(part) == kind)
        };
        of_kind(of_kind(function, "function_body")?, "block")
    }

    /// What the language says is the simplest body, and the least demanding one, takes the place of
    /// bodies.
    fn bodies_that_return(&self) -> Vec<FunctionBody> {
        let types = &self.language.facts().types;
        let rows = self.language.minimal.iter();
        let rows = rows.flat_map(|row| row.of.iter().map(|of| (*of, row.texts)));
        let rows = rows.filter_map(|(of, texts)| {
            let kinds = types.kinds_named(of.strip_prefix("body:")?)?;
            Some((kinds, *texts.last()?))
        });
        let rows: Vec<_> = rows.collect();
        let mut bodies = Vec::new();
        let nodes = self.tree.nodes();
        let (is_kotlin, is_scala) = (self.tree.is_in("kotlin"), self.tree.is_in("scala"));
        let is_typescript = self.language.is_typescript();
        for function in (0..nodes.len()).filter(|&node| is_function(self.tree, node)) {
            let body = match () {
                () if is_kotlin => self.block_of_kotlin(function),
                () if is_scala && !says_what_it_gives(self.tree, function) => None,
                () if is_typescript && self.calls_another_constructor(function) => None,
                () => self.field(function, "body"),
            };
            let row = body.and_then(|body| {
                let row = rows.iter().find(|(kinds, _)| kinds.has(nodes[body].kind));
                row.map(|&(_, hollow)| (body, hollow))
            });
            bodies.extend(row.map(|(node, hollow)| FunctionBody {
                is_evaluated: self.is_deduced(function),
                ..FunctionBody::plain(function, node, hollow)
            }));
        }
        bodies
    }

    /// Whether a function of TypeScript is a constructor that has to call that of what its class is derived from.
    fn calls_another_constructor(&self, function: usize) -> bool {
        let name = self.field(function, "name");
        let is_constructor =
            name.is_some_and(|name| &self.text[self.tree.nodes()[name].range()] == b"constructor");
        let class = self.tree.and_around(function).nth(2);
        is_constructor
            && class.is_some_and(|class| {
                let mut parts = self.tree.children(class);
                parts.any(|part| self.kind(part) == "class_heritage")
            })
    }

    /// Whether what a function of TypeScript gives is found out from its body.
    fn is_deduced(&self, function: usize) -> bool {
        self.language.is_typescript() && self.field(function, "return_type").is_none()
    }

    fn bodies_of_definitions(&self) -> Vec<FunctionBody> {
        let mut bodies = Vec::new();
        for (number, node) in self.tree.nodes().iter().enumerate() {
            if self.tree.kind_name(node) != "function_definition" {
                continue;
            }
            let Some(body) = self.field(number, "body") else {
                continue;
            };
            let is_deduced = || {
                let has_type = |child: usize| self.kind(child) == "placeholder_type_specifier";
                self.tree.children(number).any(has_type) && !self.says_what_it_gives(number)
            };
            let head = self.before(node.start as usize, body);
            let has = |word: &[u8]| head.windows(word.len()).any(|part| part == word);
            // What only makes a friend known can't say more about it.
            let is_needed = || has(b"friend") && has(b"[[");
            if self.kind(body) != "compound_statement" || is_deduced() || is_needed() {
                continue;
            }
            let initialisers = self.tree.children(number);
            let initialisers = initialisers.filter(|&c| self.kind(c) == "field_initializer_list");
            let head = self.head(number);
            bodies.push(FunctionBody {
                function: number,
                node: body,
                last: body,
                hollow: ";",
                first: initialisers.last().unwrap_or(body),
                is_whole: head.is_member,
                is_evaluated: has(b"constexpr") || has(b"consteval"),
                wanting: self.wanting_definition(number),
            });
        }
        bodies
    }

    /// The words in C with which a function that is only declared is warned of.
    fn wanting_definition(&self, function: usize) -> Vec<usize> {
        let nodes = self.tree.nodes();
        let wants = |node: &usize| {
            self.kind(*node) == "storage_class_specifier"
                && matches!(&self.text[nodes[*node].range()], b"static" | b"inline")
        };
        let wanting = |node: usize| self.tree.children(node).filter(wants);
        if self.is_cxx || wanting(function).next().is_none() {
            return Vec::new();
        }
        let declarations = &self.names.declarations;
        let first = declarations.partition_point(|declared| (declared.0 as usize) < function);
        let names = declarations[first..].iter();
        let names = names.take_while(|declared| declared.0 as usize == function);
        let declared = names.flat_map(|&(_, name)| self.names.declared_at(name));
        let declared = declared.map(|declared| declared.1 as usize);
        let declaring =
            |node: &usize| matches!(self.kind(*node), "declaration" | "function_definition");
        declared.filter(declaring).flat_map(wanting).collect()
    }

    /// The head of a function, with what the grammar takes for a part of something else.
    fn before(&self, start: usize, body: usize) -> &[u8] {
        let is_end = |byte: &u8| matches!(byte, b';' | b'{' | b'}');
        let from = self.text[..start].iter().rposition(is_end);
        &self.text[from.map_or(0, |at| at + 1)..self.tree.nodes()[body].start as usize]
    }

    /// Whether the type stands behind the parameters, as in `auto a() -> b {}`.
    fn says_what_it_gives(&self, function: usize) -> bool {
        let declarator = self.field(function, "declarator");
        declarator.is_some_and(|declarator| {
            let mut parts = self.tree.children(declarator);
            parts.any(|part| self.kind(part) == "trailing_return_type")
        })
    }
}
