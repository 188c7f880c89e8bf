//! Statements that name a file of a folder to have it read: `#include "a.h"`, `@import "a";`,
//! `import { a } from './a'`, `source a.sh`, `a.c \` in a list of a makefile. Found by looking, in any
//! language: a word of the file's name, in something like a path, behind a word that many languages have
//! for it, or alone on its line.

use alloc::collections::{BTreeMap, BTreeSet};
use alloc::rc::Rc;
use alloc::vec::Vec;
use core::ops::Range;

use ablate_engine::patch::Patch;
use ablate_engine::target::Target;

use super::folder::{
    Entries, Entry, Mentions, add_halves, is_in_word, path_of, without_underscores,
};

/// What languages call it to have another file read.
const WORDS: &[&[u8]] = &[
    b"add_subdirectory",
    b"autoload",
    b"forward",
    b"from",
    b"href",
    b"import",
    b"include",
    b"include_once",
    b"input",
    b"load",
    b"mod",
    b"open",
    b"part",
    b"require",
    b"require_once",
    b"require_relative",
    b"source",
    b"src",
    b"subdir",
    b"use",
    b"uses",
    b"using",
    b"with",
];
/// What may stand between such a word and the path, and how many words before it where nothing is in quotes.
const BETWEEN: &[&[u8]] = &[
    b"only",
    b"public",
    b"qualified",
    b"safe",
    b"static",
    b"type",
];
const MOST_BEFORE: usize = 2;
const QUOTES: &[u8] = b"'\"`";
/// What a line begins with that is a comment.
const COMMENTS: &[&[u8]] = &[b"//", b"/*", b"*", b"--", b"%", b"<!--"];
/// What goes on over more lines than this is no such statement, nor is what is so long on one of them.
const MOST_LINES: usize = 40;
const FARTHEST: usize = 400;

/// A statement that names files of a folder.
#[derive(Clone, Debug)]
struct Statement {
    /// Its lines, or as much of one as it takes.
    start: usize,
    end: usize,
    /// The files that it names.
    files: Vec<u32>,
}

/// Statements, by their numbers, and files that may go together.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Group {
    /// The statements.
    pub statements: Vec<u32>,
    /// The files.
    pub files: Vec<u32>,
}

/// The statements of a folder that name files of it.
#[derive(Debug)]
pub struct Includes {
    entries: Rc<Entries>,
    /// In the order of the folder.
    statements: Vec<Statement>,
    /// For each file, the statements that name it, and those that are in it.
    naming: Vec<Vec<u32>>,
    within: Vec<Range<u32>>,
}

impl Includes {
    /// Those of the folder that `target` is.
    pub fn of(target: &Target<u8>) -> Rc<Includes> {
        let (entries, mentions) = (Entries::of(target), Mentions::of(target));
        target.analysis(|target| Includes::new(entries, &mentions, target.elements()))
    }

    fn new(entries: Rc<Entries>, mentions: &Mentions, folder: &[u8]) -> Includes {
        let files = entries.all();
        let paths = Paths::new(files, folder);
        let mut by_place: BTreeMap<(usize, usize), Vec<Naming>> = BTreeMap::new();
        for (file, entry) in files.iter().enumerate() {
            let name = entry.name(folder);
            let mut known = (0, 0);
            for at in mentions.of_file(file).filter(|at| !entry.has(*at)) {
                let by = files.partition_point(|entry| entry.end <= at);
                if at >= known.1 {
                    let found = files
                        .get(by)
                        .and_then(|by| statement(folder, by, at, &name));
                    let Some(place) = found else { continue };
                    known = place;
                }
                by_place.entry(known).or_default().push(Naming { at, file });
            }
        }
        let statements = by_place.into_iter();
        let statements: Vec<Statement> = statements
            .map(|((start, end), namings)| {
                let by = files.partition_point(|entry| entry.end <= start);
                let files = paths.named(by, namings, folder);
                Statement { start, end, files }
            })
            .filter(|statement| !statement.files.is_empty())
            .collect();
        let mut naming = alloc::vec![Vec::new(); files.len()];
        for (number, statement) in statements.iter().enumerate() {
            for &file in &statement.files {
                naming[file as usize].push(number as u32);
            }
        }
        let before = |at: usize| statements.partition_point(|it| it.start < at) as u32;
        let within = files.iter();
        let within = within.map(|it| before(it.content)..before(it.end));
        Includes {
            within: within.collect(),
            naming,
            statements,
            entries,
        }
    }

    /// What may go together: the statements of a file, half of them, and so on; all that name the same
    /// file; of the files that nothing names, half of them, and so on.
    pub fn groups(&self) -> Vec<Group> {
        let mut runs = Vec::new();
        for range in self.within.iter().filter(|range| !range.is_empty()) {
            add_halves(range.start as usize, range.end as usize - 1, &mut runs);
        }
        let runs = runs
            .into_iter()
            .map(|(first, last)| (first..=last).collect());
        let of_files = self
            .naming
            .iter()
            .filter(|naming| naming.len() > 1)
            .cloned();
        let of_statements = runs.chain(of_files).map(|statements| Group {
            statements,
            files: Vec::new(),
        });
        let files = self.naming.iter().enumerate();
        let unnamed = files.filter(|(_, naming)| naming.is_empty());
        let unnamed: Vec<u32> = unnamed.map(|(file, _)| file as u32).collect();
        let mut runs = Vec::new();
        if let Some(last) = unnamed.len().checked_sub(1) {
            add_halves(0, last, &mut runs);
        }
        let of_unnamed = runs.into_iter().map(|(first, last)| Group {
            statements: Vec::new(),
            files: unnamed[first as usize..=last as usize].to_vec(),
        });
        of_statements.chain(of_unnamed).collect()
    }

    /// What goes with these: they themselves, and every file that only they name, or others that go.
    pub fn removal(&self, group: &Group) -> Vec<(usize, usize)> {
        // Few of all that there are: a large folder has many groups.
        let mut cut = BTreeSet::new();
        let mut gone: BTreeMap<u32, usize> = BTreeMap::new();
        let mut cuts = Vec::new();
        let mut statements = group.statements.clone();
        let mut files = group.files.clone();
        loop {
            if let Some(file) = files.pop() {
                let entry = self.entries.all()[file as usize];
                cuts.push((entry.start, entry.end));
                statements.extend(self.within[file as usize].clone());
            } else if let Some(number) = statements.pop() {
                if !cut.insert(number) {
                    continue;
                }
                let statement = &self.statements[number as usize];
                cuts.push((statement.start, statement.end));
                for &file in &statement.files {
                    let gone = gone.entry(file).or_default();
                    *gone += 1;
                    if *gone == self.naming[file as usize].len() {
                        files.push(file);
                    }
                }
            } else {
                return cuts;
            }
        }
    }

    /// The files that name others, or that others name.
    pub fn linked(&self) -> Vec<u32> {
        let files = 0..self.naming.len();
        let is_linked =
            |file: &usize| !self.naming[*file].is_empty() || !self.within[*file].is_empty();
        files.filter(is_linked).map(|file| file as u32).collect()
    }

    /// The files that go when, of those that are linked, only these stay, and all that they need.
    pub fn all_but(&self, files: &[u32]) -> Vec<(usize, usize)> {
        let mut is_cut = alloc::vec![false; self.naming.len()];
        for file in self.linked() {
            is_cut[file as usize] = true;
        }
        let mut kept = files.to_vec();
        while let Some(file) = kept.pop() {
            if core::mem::take(&mut is_cut[file as usize]) {
                for number in self.within[file as usize].clone() {
                    kept.extend(&self.statements[number as usize].files);
                }
            }
        }
        let entries = self.entries.all().iter().zip(is_cut);
        let cut = entries.filter(|(_, is_cut)| *is_cut);
        cut.map(|(entry, _)| (entry.start, entry.end)).collect()
    }

    /// The run of statements that these cuts are of, where they are all those cut in one file that stays.
    pub fn run_of(&self, patch: &Patch<u8>) -> Option<Range<u32>> {
        let edits = patch.edits();
        let is_cut = |start: usize, end: usize| {
            let edit = edits.partition_point(|edit| edit.end < end);
            edits.get(edit).is_some_and(|edit| edit.start <= start)
        };
        let files = self.entries.all().iter().zip(&self.within);
        let mut runs = files.filter_map(|(file, within)| {
            let is_in = |number: &u32| {
                let statement = &self.statements[*number as usize];
                is_cut(statement.start, statement.end)
            };
            let first = within.clone().find(is_in)?;
            let last = within.clone().rfind(is_in)?;
            (!is_cut(file.start, file.end)).then_some(first..last + 1)
        });
        let run = runs.next()?;
        runs.next().is_none().then_some(run)
    }

    /// The run with so many more statements of its file before and behind it.
    pub fn widened(&self, run: Range<u32>, before: usize, behind: usize) -> Option<Range<u32>> {
        let around = self
            .within
            .iter()
            .find(|within| within.contains(&run.start))?;
        let start = (run.start as usize).checked_sub(before)?;
        let end = (run.end as usize).checked_add(behind)?;
        let is_within = around.start as usize <= start && end <= around.end as usize;
        is_within.then_some(start as u32..end as u32)
    }
}

/// Where a statement may name a file.
#[derive(Clone, Copy, Debug)]
struct Naming {
    at: usize,
    file: usize,
}

/// Where a statement may name files.
struct Place<'a> {
    is_quoted: bool,
    /// The path that leads there, in parts.
    path: Vec<Vec<u8>>,
    namings: &'a [Naming],
}

impl Place<'_> {
    /// The place at `at` in the file `own` with this content; `None` if it is a folder's that is named.
    fn of<'a>(content: &[u8], own: &[u8], at: usize, namings: &'a [Naming]) -> Option<Place<'a>> {
        let (start, end) = path_around(content, at);
        let mut behind = content[at..end].splitn(2, |byte| *byte == b'/');
        if behind.nth(1).is_some_and(|behind| !behind.is_empty()) {
            return None;
        }
        let line = begin_of_statement(content, start);
        let rest = content[at..end].iter();
        let len = rest.take_while(|byte| !b"/.\\:".contains(byte)).count();
        Some(Place {
            is_quoted: line.is_some_and(|line| is_quoted(&content[line..start])),
            path: resolved(own, &content[start..at + len]),
            namings,
        })
    }
}

/// How much of its path is like that which is named, and whether all is; the files of which so much is.
type Alike = ((usize, bool), BTreeSet<u32>);

/// The paths of files, in parts, without what their names end with.
struct Paths<'a> {
    files: &'a [Entry],
    parts: Vec<Vec<Vec<u8>>>,
}

impl Paths<'_> {
    fn new<'a>(files: &'a [Entry], folder: &[u8]) -> Paths<'a> {
        let parts = files.iter().map(|file| {
            let name = file.name(folder);
            path_of(&name).into_iter().map(<[u8]>::to_vec).collect()
        });
        Paths {
            files,
            parts: parts.collect(),
        }
    }

    /// The files that the statement in the file `by` names, of those that it may: what stands in quotes, if
    /// anything does, and of several files of one name those with most of the path.
    fn named(&self, by: usize, mut namings: Vec<Naming>, folder: &[u8]) -> Vec<u32> {
        let by = &self.files[by];
        let own = by.name(folder);
        let content = &folder[by.content..by.end];
        namings.sort_by_cached_key(|naming| naming.at);
        let mut places: Vec<Place<'_>> = namings
            .chunk_by(|a, b| a.at == b.at)
            .filter_map(|namings| Place::of(content, &own, namings[0].at - by.content, namings))
            .collect();
        if places.iter().any(|place| place.is_quoted) {
            places.retain(|place| place.is_quoted);
        }
        let mut most: BTreeMap<Option<&[u8]>, Alike> = BTreeMap::new();
        for place in &places {
            for naming in place.namings {
                let parts = &self.parts[naming.file];
                let pairs = parts.iter().rev().zip(place.path.iter().rev());
                let count = pairs.take_while(|(part, wanted)| part == wanted).count();
                let is_all = count == parts.len() && count == place.path.len();
                let alike = (count, is_all);
                let (known, files) = most.entry(parts.last().map(Vec::as_slice)).or_default();
                if alike > *known {
                    *known = alike;
                    files.clear();
                }
                if alike == *known {
                    files.insert(naming.file as u32);
                }
            }
        }
        let files: BTreeSet<u32> = most.into_values().flat_map(|(_, files)| files).collect();
        files.into_iter().collect()
    }
}

/// The parts of the path that `path` leads to from the file `by`.
fn resolved(by: &[u8], path: &[u8]) -> Vec<Vec<u8>> {
    let mut parts: Vec<Vec<u8>> = by.split(|byte| *byte == b'/').map(<[u8]>::to_vec).collect();
    parts.pop();
    for part in path.split(|byte| *byte == b'/') {
        if part == b".." {
            parts.pop();
        } else {
            let words = part.split(|byte| b".\\:".contains(byte));
            parts.extend(words.filter(|word| !word.is_empty()).map(<[u8]>::to_vec));
        }
    }
    if let Some(last) = parts.last_mut() {
        *last = without_underscores(last).to_vec();
    }
    parts
}

/// The place of the statement in the file `by` that names the file `name` at `at`, if it is one that has
/// it read.
fn statement(folder: &[u8], by: &Entry, at: usize, name: &[u8]) -> Option<(usize, usize)> {
    let content = &folder[by.content..by.end];
    let at = at - by.content;
    let path = path_around(content, at);
    let start = begin_of_statement(content, path.0)?;
    let near = &content[path.1..content.len().min(path.1 + FARTHEST)];
    let is_end = |byte: &u8| matches!(byte, b'\n' | b';');
    let end = match near.iter().position(is_end) {
        Some(len) => path.1 + len + 1,
        None if path.1 + near.len() == content.len() => content.len(),
        None => return None,
    };
    let (before, behind) = (&content[start..path.0], &content[path.1..end]);
    let own = name.rsplit(|byte| *byte == b'/').next().unwrap_or(name);
    let mut rest = before.iter().chain(behind);
    let is_alone = content[path.0..path.1].ends_with(own) && !rest.any(u8::is_ascii_alphanumeric);
    if !is_alone && (is_comment(before) || !is_read(before, behind)) {
        return None;
    }
    let first = begin_of_brackets(content, start, end)?;
    let has_lines = first == 0 || content[first - 1] == b'\n';
    let rest = &content[end..content.len().min(end + FARTHEST)];
    let blanks = rest
        .iter()
        .take_while(|byte| matches!(byte, b' ' | b'\t' | b'\r'));
    let line_end = end + blanks.count();
    // With all that its lines have go their ends.
    let is_to_end = content[end - 1] != b'\n' && content.get(line_end) == Some(&b'\n');
    let end = if has_lines && is_to_end {
        line_end + 1
    } else {
        end
    };
    Some((by.content + first, by.content + end))
}

/// Whether what begins like this is a comment in any of the languages that are known.
fn is_comment(line: &[u8]) -> bool {
    let line = line.trim_ascii_start();
    let is_text = line.starts_with(b"# ") && !line.starts_with(b"# include");
    is_text || COMMENTS.iter().any(|comment| line.starts_with(comment))
}

/// Whether a path that stands between these is one to a file to read: in quotes, with a word for it before
/// it; or right after such a word, with which the statement begins, or in a list after it.
fn is_read(before: &[u8], behind: &[u8]) -> bool {
    let is_word = |word: &&[u8]| WORDS.contains(word);
    let mut words = before.split(|byte| !is_in_word(*byte));
    if is_quoted(before) {
        return words.any(|word| is_word(&word));
    }
    if before
        .iter()
        .chain(behind)
        .any(|byte| QUOTES.contains(byte))
    {
        return false;
    }
    let mut words = words.filter(|word| !word.is_empty());
    let is_first = words
        .by_ref()
        .take(MOST_BEFORE + 1)
        .any(|word| is_word(&word));
    let mut lists = before.rsplit(|byte| b",{(".contains(byte));
    let last = lists.next().unwrap_or_default();
    let mut words = last.rsplit(|byte| !is_in_word(*byte));
    let nearest = words.find(|word| !word.is_empty() && !BETWEEN.contains(word));
    is_first && nearest.map_or(last.len() < before.len(), |word| is_word(&word))
}

/// Whether what stands behind this is in quotes, or in brackets like those of `#include <a.h>`.
fn is_quoted(before: &[u8]) -> bool {
    let is_open = |quote: &u8| before.iter().filter(|byte| *byte == quote).count() % 2 == 1;
    before.ends_with(b"<") || QUOTES.iter().any(is_open)
}

/// Where the line begins that has `at` in it, or the statement on that line.
fn begin_of_statement(content: &[u8], at: usize) -> Option<usize> {
    let from = at.saturating_sub(FARTHEST);
    let is_end = |byte: &u8| matches!(byte, b'\n' | b';');
    match content[from..at].iter().rposition(is_end) {
        Some(before) => Some(from + before + 1),
        None => (from == 0).then_some(0),
    }
}

/// Where what ends at `end` begins, if what closes in its last line was opened some lines before: that of
/// `import {`. `None` where brackets stay open.
fn begin_of_brackets(content: &[u8], mut start: usize, end: usize) -> Option<usize> {
    let mut open = depth(&content[start..end])?;
    for _ in 0..MOST_LINES {
        if open >= 0 {
            return (open == 0).then_some(start);
        }
        let before = begin_of_statement(content, start.checked_sub(1)?)?;
        open += depth(&content[before..start])?;
        start = before;
    }
    None
}

/// What can be a path around `at`.
fn path_around(text: &[u8], at: usize) -> (usize, usize) {
    let is_in_path = |byte: &u8| is_in_word(*byte) || b"./\\-~@:+".contains(byte);
    let before = text[..at].iter().rev().take(FARTHEST);
    let before = before.take_while(|byte| is_in_path(byte));
    let behind = text[at..].iter().take(FARTHEST);
    let behind = behind.take_while(|byte| is_in_path(byte));
    (at - before.count(), at + behind.count())
}

/// How many brackets are left open; below zero where some are closed that were not opened. `None` where
/// there are both.
fn depth(text: &[u8]) -> Option<isize> {
    let (mut open, mut closed) = (0, 0);
    for byte in text {
        match byte {
            b'(' | b'[' | b'{' => open += 1,
            b')' | b']' | b'}' if open > 0 => open -= 1,
            b')' | b']' | b'}' => closed += 1,
            _ => {}
        }
    }
    (open == 0 || closed == 0).then_some(open - closed)
}

#[cfg(test)]
mod tests {
    use super::super::folder::add;
    use super::*;
    use alloc::string::String;
    use alloc::vec;

    /// What goes from the file `by` with the file `name`.
    fn statements(name: &str, by: &str) -> Vec<String> {
        let mut folder = Vec::new();
        add(&mut folder, name.as_bytes(), b"nothing");
        add(&mut folder, b"zz", by.as_bytes());
        let includes = Includes::of(&Target::new(folder.clone()));
        let text = |it: &Statement| folder[it.start..it.end].to_vec();
        let found = includes.statements.iter().map(text);
        found.map(|it| String::from_utf8(it).unwrap()).collect()
    }

    #[test]
    fn statements_that_read_a_file_are_found_in_many_languages() {
        for (name, statement) in [
            ("a/name.h", "#include \"../a/name.h\"\n"),
            ("a/_name.scss", "  @import \"a/name\";\n"),
            ("name.ts", "export * from './name';\n"),
            ("name.ts", "import {\n  one,\n  two\n} from './name'\n"),
            ("name/index.js", "const { it } = require('./name')\n"),
            ("name.rs", "pub(crate) mod name;\n"),
            ("name.py", "from .name import one, two\n"),
            ("name.py", "from . import one, name\n"),
            ("Name.java", "import static one.two.Name.three;\n"),
            ("Name.hs", "import qualified Data.Name as N\n"),
            ("Name.php", "use One\\Two\\Name;\n"),
            ("name/__init__.py", "import some.name\n"),
            ("name.sh", "source \"$lib/name.sh\"\n"),
            ("name/index.js", "import './name/'\n"),
            ("name.mk", "-include name.mk\n"),
            ("name.c", "    src/name.c \\\n"),
            ("name.json", "  \"a/name.json\",\n"),
            ("name.js", "<script src=\"name.js\"></script>\n"),
        ] {
            let text = alloc::format!("one\n{statement}two\n");
            assert_eq!(statements(name, &text), [statement], "{name}");
        }
    }

    #[test]
    fn what_only_a_file_that_goes_includes_goes_too() {
        let mut folder = Vec::new();
        for (name, content) in [
            ("a.h", ""),
            ("b.h", "#include \"a.h\"\n#include \"c.h\"\n"),
            ("c.h", ""),
            (
                "main.c",
                "#include \"b.h\"\n#include \"c.h\"\n#include \"d.h\"\n",
            ),
            ("d.h", ""),
        ] {
            add(&mut folder, name.as_bytes(), content.as_bytes());
        }
        let target = Target::new(folder.clone());
        let includes = Includes::of(&target);
        let group = |statements: &[u32], files: &[u32]| Group {
            statements: statements.to_vec(),
            files: files.to_vec(),
        };
        let left = |statements: &[u32]| {
            let cuts = includes.removal(&group(statements, &[]));
            let folder = Patch::cuts(cuts).applied(&folder);
            let entries = Entries::new(&folder);
            let names = entries.all().iter().map(|entry| entry.name(&folder));
            String::from_utf8(names.collect::<Vec<_>>().join(&b' ')).unwrap()
        };
        assert_eq!(left(&[2]), "c.h main.c d.h");
        assert_eq!(left(&[3]), "a.h b.h c.h main.c d.h");
        assert_eq!(left(&[2, 3]), "main.c d.h");
        let groups = includes.groups();
        for expected in [
            group(&[2, 3, 4], &[]),
            group(&[1, 3], &[]),
            group(&[], &[3]),
        ] {
            assert!(groups.contains(&expected), "{expected:?}");
        }
        let all = includes.removal(&group(&[], &[3]));
        assert_eq!(Patch::cuts(all).applied(&folder), b"");
        let patch = Patch::cuts(includes.removal(&group(&[3], &[])));
        assert_eq!(includes.run_of(&patch), Some(3..4));
        assert_eq!(includes.widened(3..4, 1, 1), Some(2..5));
        assert_eq!(includes.widened(3..4, 2, 0), None);
    }

    #[test]
    fn of_files_of_one_name_that_with_most_of_the_path_is_named() {
        let named = |by: &str, text: &str| {
            let mut folder = Vec::new();
            for name in ["a/it.ts", "b/it.css", "b/it.ts", "from.ts", "it/index.ts"] {
                add(&mut folder, name.as_bytes(), b"nothing");
            }
            add(&mut folder, by.as_bytes(), text.as_bytes());
            let target = Target::new(folder.clone());
            let (includes, entries) = (Includes::of(&target), Entries::of(&target));
            let files = includes.statements.iter().flat_map(|it| &it.files);
            let names = files.map(|file| entries.all()[*file as usize].name(&folder));
            String::from_utf8(names.collect::<Vec<_>>().join(&b' ')).unwrap()
        };
        assert_eq!(named("a/z.ts", "import { it } from './it';\n"), "a/it.ts");
        let both = "b/it.css b/it.ts";
        assert_eq!(named("a/z.ts", "import it from '../b/it';\n"), both);
        assert_eq!(named("z.ts", "export * from './it';\n"), "it/index.ts");
        assert_eq!(named("z.ts", "from b.it import it\n"), both);
        assert_eq!(named("z.ts", "import { a } from './from';\n"), "from.ts");
        assert_eq!(named("a/b/z.h", "#include <b/it.h>\n"), both);
    }

    #[test]
    fn of_a_line_goes_as_much_as_the_statement_takes() {
        assert_eq!(
            statements("a.css", "@use 'b';@use 'a';@use 'c';\n"),
            ["@use 'a';"]
        );
        assert_eq!(statements("a.css", "@use 'a';@use 'b'\n"), ["@use 'a';"]);
        assert_eq!(statements("a.css", "@use 'b';@use 'a'\n"), ["@use 'a'\n"]);
    }

    #[test]
    fn what_is_on_a_very_long_line_is_no_statement() {
        let long = "x ".repeat(FARTHEST);
        let text = alloc::format!("{long}import name.h {long}\n");
        assert_eq!(statements("name.h", &text), vec![""; 0]);
    }

    #[test]
    fn what_only_has_the_word_is_no_statement() {
        for text in [
            "int name = 3;\n",
            "name\n",
            "name.h is a header\n",
            "f(import(name.h)\n",
            "// import name.h\n",
            "what we read from the name\n",
            "and all of that by using name\n",
            "import { name } from 'other'\n",
            "import it from './name/other'\n",
            "})\nfrom name.h )\n",
            "}) from name.h ({\n",
        ] {
            assert_eq!(statements("name.h", text), vec![""; 0], "{text}");
        }
    }
}
