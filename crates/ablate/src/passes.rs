//! The passes that a run uses, and what the command tells of them.

use std::collections::BTreeSet;
use std::io::Write;

use ablate_engine::pass::{Amended, Pass};
use ablate_languages::Language;
use ablate_passes::formats::containers;
use ablate_passes::formats::rtlil::begins_with_module;
use ablate_passes::passes::DeleteUnreadFiles;
use ablate_passes::registry::Description;

use crate::exit::Exit;
use crate::failure::Failure;
use crate::folder::InFolder;
use crate::kind::Kind;

/// Every pass there is: those on syntax trees, then those on text.
fn descriptions() -> impl Iterator<Item = Description> {
    let on_trees = ablate_languages::registry::PASSES.iter();
    let on_text = ablate_passes::registry::PASSES.iter();
    let on_trees = on_trees.map(|entry| entry.description);
    on_trees.chain(on_text.map(|entry| entry.description))
}

/// Which passes a run uses.
pub struct Selection {
    /// For each pass, in the order of the registries, whether it is used.
    chosen: Vec<bool>,
}

impl Selection {
    /// The passes that `--passes` asks for: all that are of use, without those named `-NAME`; or, if there
    /// are names without a sign, these only; and always those named `+NAME`.
    ///
    /// # Errors
    /// When there is no such pass.
    pub fn of(asked: &[String], kind: &Kind) -> Result<Selection, Failure> {
        let has_only = asked.iter().any(|name| !name.starts_with(['+', '-']));
        let names: Vec<&str> = descriptions().map(|pass| pass.name).collect();
        let needless = |name: &&str| {
            kind.is_read && NEEDLESS.contains(name)
                || kind.files.is_none() && (OF_FOLDERS.contains(name) || IN_FOLDERS.contains(name))
        };
        let is_usual = |name| !has_only && !needless(name);
        let mut chosen: Vec<bool> = names.iter().map(is_usual).collect();
        for name in asked {
            let (is_in, bare) = match name.strip_prefix('-') {
                Some(bare) => (false, bare),
                None => (true, name.strip_prefix('+').unwrap_or(name)),
            };
            let index = names.iter().position(|&name| name == bare);
            let index = index.ok_or_else(|| Failure::UnknownPass {
                name: bare.to_owned(),
            })?;
            chosen[index] = is_in;
        }
        Ok(Selection { chosen })
    }

    /// Makes them for this kind of file; of a folder, the files that are `unread` may all go at once.
    pub fn passes(&self, kind: &Kind, unread: &BTreeSet<Vec<u8>>) -> Vec<Box<dyn Pass<u8>>> {
        let (on_trees, on_text) = self
            .chosen
            .split_at(ablate_languages::registry::PASSES.len());
        let mut passes: Vec<Box<dyn Pass<u8>>> = Vec::new();
        let on_trees_of = |syntax| {
            let entries = ablate_languages::registry::PASSES.iter().zip(on_trees);
            let entries = entries.filter(|(_, is_in)| **is_in);
            let sound = move |pass| ablate_languages::sound(syntax, pass);
            entries.map(move |(entry, _)| sound((entry.make)(syntax)))
        };
        passes.extend(kind.syntax.iter().flat_map(on_trees_of));
        for syntax in &kind.others {
            let strict = |pass| ablate_languages::without_unused(syntax, pass);
            let on_trees = on_trees_of(syntax).map(strict);
            passes.extend(on_trees.map(|pass| ablate_languages::on_twin(syntax, pass)));
        }
        let entries = ablate_passes::registry::PASSES.iter().zip(on_text);
        let entries = entries.filter(|(_, is_in)| **is_in);
        passes.extend(entries.map(|(entry, _)| match entry.description.name {
            "delete_unread_files" => Box::new(DeleteUnreadFiles::new(unread.clone())),
            _ if kind.is_text => (entry.make)(),
            _ => (entry.make_for_binary)(),
        }));
        if let Some(syntax) = &kind.syntax {
            let strict = |pass| ablate_languages::without_unused(syntax, pass);
            passes = passes.into_iter().map(strict).collect();
        }
        let mut first = FIRST.to_vec();
        if kind.files.is_some() {
            let in_folder = |pass: Box<dyn Pass<u8>>| {
                let is_for_names = FOR_NAMES.contains(&pass.name());
                let by = InFolder { is_for_names };
                Box::new(Amended { pass, by }) as Box<dyn Pass<u8>>
            };
            passes = passes.into_iter().map(in_folder).collect();
            let language = kind.syntax.as_ref().map(|syntax| syntax.language());
            let in_folders = FIRST_IN_FOLDERS.iter();
            let in_folders = in_folders.filter(|(_, is_in)| is_in(language));
            first = in_folders.map(|(name, _)| *name).collect();
        }
        let place = |name| first.iter().position(|&first| first == name);
        passes.sort_by_cached_key(|pass| place(pass.name()).unwrap_or(first.len()));
        passes
    }
}

/// The passes that all begins with: lines end alike then, and a grammar sees what belongs together only where
/// conditionals don't part it, macros that stand for nothing, and the tags of templates.
const FIRST: &[&str] = &[
    "delete_carriage_returns",
    "delete_layout",
    "resolve_conditionals",
    "delete_empty_macros",
    "delete_tagged_blocks",
];

/// Whether something is done first where all files are in a language, or in none that is known.
type IsIn = fn(Option<&Language>) -> bool;

/// The passes that a folder begins with, in this order, and in which languages: what is in a file is of interest
/// when it has to be there, but that nobody reads its comments is known with one test. Where files may all need each
/// other, or say what they need of others, what needs what is told from names before any of them goes, where
/// conditionals and macros don't hide it.
const FIRST_IN_FOLDERS: &[(&str, IsIn)] = &[
    ("delete_unread_files", |_| true),
    ("delete_carriage_returns", |_| true),
    ("keep_included_files", |language| !imports_by_name(language)),
    ("delete_layout", |_| true),
    ("resolve_conditionals", |_| true),
    ("delete_empty_macros", |_| true),
    ("delete_bodies", ends_at_errors),
    ("keep_reachable", |language| {
        ends_at_errors(language) || imports_by_name(language)
    }),
    ("delete_files", |_| true),
    ("delete_included_files", |_| true),
    ("empty_files", |_| true),
    ("delete_tagged_blocks", |_| true),
];

fn ends_at_errors(language: Option<&Language>) -> bool {
    language.is_some_and(Language::ends_at_errors)
}

fn imports_by_name(language: Option<&Language>) -> bool {
    language.is_some_and(Language::imports_by_name)
}

/// The passes that may let a file go while others mention it.
const FOR_NAMES: &[&str] = &[
    "delete_unread_files",
    "delete_files",
    "keep_included_files",
    "delete_included_files",
    "inline_files",
];

/// The passes on text that there is no use for where a syntax tree is of the whole text, unless one asks for
/// them.
const NEEDLESS: &[&str] = &[
    "keep_named_items",
    "keep_named_paragraphs",
    "delete_named_paragraphs",
    "delete_mentions",
    "delete_named_blocks",
    "delete_worded_blocks",
    "hollow_bodies",
    "bypass_definitions",
];

/// The passes on what is said of parts of a binary file.
const ON_PARTS: &[&str] = &[
    "delete_large_parts",
    "stub_parts",
    "delete_parts",
    "delete_part_bytes",
    "delete_packed_bytes",
    "lift_parts",
];

/// Whether a pass is of use on an archive when all has been tried on what is in it: a pass of the user's, or
/// one that knows what an archive says of its parts.
pub fn is_for_archives(name: &str) -> bool {
    ON_PARTS.contains(&name) || descriptions().all(|known| known.name != name)
}

/// The passes on the files of a folder. A binary file may look like one by chance.
const OF_FOLDERS: &[&str] = &[
    "delete_unread_files",
    "delete_files",
    "keep_included_files",
    "delete_included_files",
    "empty_files",
    "inline_files",
];

/// The passes on syntax trees that folders need, where hardly anything can be deleted: from a single file
/// the others delete what these would only make simple.
const IN_FOLDERS: &[&str] = &["hollow_functions"];

/// The passes on text of which those on syntax trees, where there are any, do nearly all that succeeds, or
/// those on the parts of a binary file or the cells of a circuit.
pub fn outdone(kind: &Kind, content: &[u8]) -> &'static [&'static str] {
    let has_parts = || !kind.is_text && kind.files.is_none() && containers::name(content).is_some();
    let has_cells = || kind.is_text && begins_with_module(content);
    match kind.language {
        Some(_) => OUTDONE,
        None if has_parts() => OUTDONE_BY_PARTS,
        None if has_cells() => OUTDONE_BY_CELLS,
        None => &[],
    }
}

/// What takes a cell from a circuit and leaves its wires as they are makes much of the rest useless.
const OUTDONE_BY_CELLS: &[&str] = &[
    "delete_large_items",
    "delete_worded_blocks",
    "keep_named_items",
    "delete_named_blocks",
    "delete_indented_blocks",
    "delete_items",
];

/// What cuts a binary file anywhere may succeed at its end or where nobody looks; then what the file says of
/// its parts is no longer true, and these can't go any more.
const OUTDONE_BY_PARTS: &[&str] = &[
    "delete_carriage_returns",
    "delete_prefix",
    "delete_suffix",
    "delete_large_items",
    "delete_large_words",
    "hollow_bodies",
    "delete_tagged_blocks",
    "delete_worded_blocks",
    "keep_named_items",
    "keep_named_paragraphs",
    "delete_named_paragraphs",
    "delete_mentions",
    "delete_named_blocks",
    "delete_comments",
    "delete_lines",
    "delete_indented_blocks",
    "lift_indented_blocks",
    "delete_items",
    "delete_two_items",
    "delete_counted_items",
    "delete_unreferenced_items",
    "hollow_brackets",
    "delete_brackets",
    "unwrap_brackets",
    "lift_brackets",
    "hoist_members",
    "delete_keys_everywhere",
    "delete_fields",
    "delete_duplicate_lines",
    "hollow_quoted",
    "delete_quoted",
    "delete_between_ngrams",
    "delete_repeats",
    "delete_tokens_everywhere",
    "delete_tokens",
    "delete_between_tokens",
    "delete_blanks_everywhere",
    "delete_whitespace",
    "delete_short_runs",
    "rename_identifiers",
    "replace_identifiers",
];

const OUTDONE: &[&str] = &[
    "delete_prefix",
    "delete_suffix",
    "delete_comments",
    "delete_lines",
    "delete_indented_blocks",
    "hollow_brackets",
    "delete_brackets",
    "delete_duplicate_lines",
    "delete_between_ngrams",
];

/// Lists the passes, or explains one.
///
/// # Errors
/// When there is no such pass, or standard output can't be written.
pub fn show(name: Option<&str>) -> Result<Exit, Failure> {
    let mut out = std::io::stdout().lock();
    match name {
        Some(name) => {
            let pass = descriptions().find(|pass| pass.name == name);
            let pass = pass.ok_or_else(|| Failure::UnknownPass {
                name: name.to_owned(),
            })?;
            write!(out, "{}\n\n{}", pass.name, pass.explanation())?;
        }
        None => {
            let width = descriptions().map(|pass| pass.name.len()).max();
            let width = width.unwrap_or(0);
            for pass in descriptions() {
                writeln!(out, "{:width$}  {}", pass.name, pass.summary())?;
            }
        }
    }
    Ok(Exit::Reduced)
}

/// Lists the languages, with the ends of file names that tell them.
///
/// # Errors
/// When standard output can't be written.
pub fn show_languages() -> Result<Exit, Failure> {
    let mut out = std::io::stdout().lock();
    let languages = ablate_languages::LANGUAGES;
    let width = languages.iter().map(|language| language.name.len()).max();
    let width = width.unwrap_or(0);
    for language in languages {
        let ends = language.extensions.join(" ");
        writeln!(out, "{:width$}  {ends}", language.name)?;
    }
    Ok(Exit::Reduced)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kind(is_read: bool) -> Kind {
        let language = ablate_languages::find("json");
        Kind {
            is_text: true,
            language,
            files: None,
            syntax: language.map(ablate_languages::Syntax::new),
            others: Vec::new(),
            is_read,
        }
    }

    fn names(asked: &[&str]) -> Vec<&'static str> {
        let asked: Vec<String> = asked.iter().map(|&name| name.to_owned()).collect();
        let kind = kind(true);
        let selection = Selection::of(&asked, &kind).unwrap();
        let passes = selection.passes(&kind, &BTreeSet::new());
        passes.iter().map(|pass| pass.name()).collect()
    }

    #[test]
    fn passes_that_are_outdone_are_passes_on_text() {
        let is_known = |name: &&&str| {
            let mut entries = ablate_passes::registry::PASSES.iter();
            entries.any(|entry| entry.description.name == **name)
        };
        assert_eq!(OUTDONE.iter().find(|name| !is_known(name)), None);
        assert_eq!(OUTDONE_BY_PARTS.iter().find(|name| !is_known(name)), None);
        assert_eq!(NEEDLESS.iter().find(|name| !is_known(name)), None);
        assert_eq!(OF_FOLDERS.iter().find(|name| !is_known(name)), None);
        let mut on_trees = ablate_languages::registry::PASSES.iter();
        assert!(on_trees.any(|entry| IN_FOLDERS == [entry.description.name]));
    }

    #[test]
    fn passes_on_text_count_where_a_grammar_reads_pieces_only() {
        let usual = |kind: &Kind| {
            let selection = Selection::of(&[], kind).unwrap();
            selection.passes(kind, &BTreeSet::new()).len()
        };
        assert_eq!(usual(&kind(false)), usual(&kind(true)) + NEEDLESS.len());
    }

    #[test]
    fn what_is_embedded_has_passes_of_its_own_on_trees() {
        let html = ablate_languages::find("html").unwrap();
        let text = b"<style>a{}</style><script>b</script><script>c</script>";
        let kind = Kind {
            others: ablate_languages::embedded(html, text),
            ..kind(true)
        };
        let selection = Selection::of(&[], &kind).unwrap();
        let passes = selection.passes(&kind, &BTreeSet::new());
        let count = |name| passes.iter().filter(|pass| pass.name() == name).count();
        assert_eq!(["keep_reachable", "delete_lines"].map(count), [3, 1]);
        assert!(
            passes[1..4]
                .iter()
                .all(|pass| pass.name() == "delete_layout")
        );
    }

    #[test]
    fn a_folder_begins_with_what_is_known_of_its_language() {
        let first = |language: &str| {
            let language = ablate_languages::find(language);
            let kind = Kind {
                files: Some(BTreeSet::new()),
                language,
                syntax: language.map(ablate_languages::Syntax::new),
                ..kind(true)
            };
            let selection = Selection::of(&[], &kind).unwrap();
            let passes = selection.passes(&kind, &BTreeSet::new());
            let at = |name| passes.iter().position(|pass| pass.name() == name).unwrap();
            ["keep_included_files", "keep_reachable", "delete_files"].map(at)
        };
        let [included, reachable, files] = first("typescript");
        assert!(reachable < files && files < included);
        let [included, reachable, files] = first("rust");
        assert!(included < reachable && reachable < files);
        let [included, reachable, files] = first("python");
        assert!(included < files && files < reachable);
    }

    #[test]
    fn passes_are_added_left_out_or_named_alone() {
        let for_folders = OF_FOLDERS.len() + IN_FOLDERS.len();
        let usual = descriptions().count() - NEEDLESS.len() - for_folders;
        assert_eq!(names(&[]).len(), usual);
        assert_eq!(names(&["-delete_lines"]).len(), usual - 1);
        assert!(NEEDLESS.iter().all(|name| names(&[name]) == [*name]));
        assert_eq!(names(&["delete_lines"]), ["delete_lines"]);
        assert_eq!(
            names(&["delete_lines", "+delete_suffix"]),
            ["delete_suffix", "delete_lines"]
        );
        let kind = Kind {
            is_text: true,
            language: None,
            files: None,
            syntax: None,
            others: Vec::new(),
            is_read: false,
        };
        assert!(Selection::of(&["-nothing".to_owned()], &kind).is_err());
        let on_text = Selection::of(&[], &kind).unwrap();
        let on_text = on_text.passes(&kind, &BTreeSet::new()).len();
        let all = ablate_passes::registry::PASSES.len();
        assert_eq!(on_text, all - OF_FOLDERS.len());
    }
}
