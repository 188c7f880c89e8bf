//! What is known of a language.

use std::collections::HashSet;
use std::fmt;
use std::sync::OnceLock;

use regex::bytes::RegexSet;
use tree_sitter::Language as Grammar;

use crate::bodies::is_interpreted;
use crate::expressions::has_expressions;
use crate::languages::required::{REQUIRED, nested_lists, required_parts};
use crate::modules;
use crate::node_types::{KindSet, NodeTypes, declaring};

/// A language that has a grammar in this build.
pub struct Language {
    /// The name, in lower case, as `--language` takes it.
    pub name: &'static str,
    /// The ends of file names, without the dot; or whole file names.
    pub extensions: &'static [&'static str],
    /// What speaks for the language in a content that has no name to tell: regular expressions in
    /// which `^` and `$` are the ends of lines.
    pub hints: &'static [&'static str],
    /// The hints, compiled when they are first looked for.
    pub(crate) patterns: OnceLock<Option<RegexSet>>,
    /// Makes the grammar.
    pub(crate) grammar: fn() -> Grammar,
    /// The grammar's own description of its nodes, in JSON.
    pub(crate) node_types: &'static str,
    /// The simplest things of their kind.
    pub(crate) minimal: &'static [Minimal],
    /// What the node types say, read when it is first asked for.
    pub(crate) facts: OnceLock<Facts>,
}

/// The simplest texts that may stand where a node of some kind stands.
#[derive(Clone, Copy, Debug)]
pub struct Minimal {
    /// The kinds, or supertypes of kinds, of the node that is replaced; the field it stands in may
    /// be given before a colon (`body:block`, `type:`).
    pub of: &'static [&'static str],
    /// What may stand there, the simplest first.
    pub texts: &'static [&'static str],
}

/// A grammar, with what its node types say.
#[derive(Debug)]
pub(crate) struct Facts {
    pub grammar: Grammar,
    pub types: NodeTypes,
    /// The names of the kinds of nodes, by number.
    pub kinds: Vec<Box<str>>,
    /// The kinds whose names say that the nodes declare something.
    pub declaring: KindSet,
    /// The kinds of lists that begin with a shorter list of the same kind.
    pub nested_lists: KindSet,
    /// The words and signs that the grammar lists.
    pub words: HashSet<Box<[u8]>>,
    /// The names of the fields, by number.
    pub fields: Vec<Option<Box<str>>>,
}

impl Language {
    /// Whether hardly anything is said of a text in it where one name is missing: a test that wants to hear of one
    /// place in it needs all others to be right. (TypeScript's compiler goes on.)
    pub fn ends_at_errors(&self) -> bool {
        let is_of_bodies = |row: &Minimal| row.of.iter().any(|of| of.starts_with("body:"));
        let has_bodies = self.minimal.iter().any(is_of_bodies) || has_expressions(self.name);
        has_bodies && !is_interpreted(self) && !self.is_typescript()
    }

    /// Whether its grammar lacks so much that a text is read by what is probably meant.
    pub(crate) fn is_half_known(&self) -> bool {
        self.name == "verilog"
    }

    /// Whether it is TypeScript, with or without elements of JSX.
    pub(crate) fn is_typescript(&self) -> bool {
        matches!(self.name, "tsx" | "typescript")
    }

    /// Whether files import what they use of others by its name, so that it is known what each of them needs.
    pub fn imports_by_name(&self) -> bool {
        modules::LANGUAGES.contains(&self.name)
    }

    /// The grammar with its node types.
    pub(crate) fn facts(&self) -> &Facts {
        self.facts.get_or_init(|| {
            let grammar = (self.grammar)();
            let mut types = NodeTypes::new(&grammar, self.node_types);
            for (_, kind, field) in REQUIRED.iter().filter(|it| it.0 == self.name) {
                types.require(&grammar, kind, field);
            }
            for (kind, part) in required_parts(self.name) {
                types.require_part(&grammar, kind, part);
            }
            // Asked for at every node: the grammar has them as C strings, whose ends it would look for.
            let kinds = 0..grammar.node_kind_count() as u16;
            let kinds = kinds.map(|kind| grammar.node_kind_for_id(kind).unwrap_or_default().into());
            let kinds: Vec<Box<str>> = kinds.collect();
            let words = kinds.iter().zip(0..);
            let words = words.filter(|(_, kind)| !grammar.node_kind_is_named(*kind));
            let words = words.map(|(word, _)| word.as_bytes().into()).collect();
            let fields = 0..=grammar.field_count() as u16;
            let fields = fields.map(|field| grammar.field_name_for_id(field).map(Box::from));
            Facts {
                declaring: declaring(&kinds),
                nested_lists: nested_lists(self.name, &kinds),
                fields: fields.collect(),
                kinds,
                grammar,
                types,
                words,
            }
        })
    }
}

impl fmt::Debug for Language {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Language").field(&self.name).finish()
    }
}
