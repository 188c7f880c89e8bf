//! What a file or a folder is, as far as passes care.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::rc::Rc;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

use ablate_engine::order::{ElementOrder, Natural, Text};
use ablate_languages::{Language, Syntax};
use ablate_passes::formats::folder::{Entries, Entry};
use ablate_passes::formats::{characters, containers};

use crate::args::Options;
use crate::failure::Failure;
use crate::start::Input;

/// What decides which passes there are.
#[derive(Clone, Debug)]
pub struct Kind {
    /// Whether it is text, for the most part.
    pub is_text: bool,
    /// The language that it is in, or that most of a folder is in, if its grammar is known.
    pub language: Option<&'static Language>,
    /// The names of a folder's files that are in this language; `None` for a single file.
    pub files: Option<BTreeSet<Vec<u8>>>,
    /// What has the trees of that.
    pub syntax: Option<Rc<Syntax>>,
    /// What has the trees of other languages: of what is embedded in a single file, or of files of a folder.
    pub others: Vec<Rc<Syntax>>,
    /// Whether the grammar of this language reads a file as a whole.
    pub is_read: bool,
}

impl Kind {
    /// Which of two contents is the simpler one.
    pub fn order(&self) -> &'static dyn ElementOrder<u8> {
        if self.is_text { &Text } else { &Natural }
    }

    /// How a file of this kind is taken apart.
    pub fn taken(&self, input: &Input) -> Taken {
        let is_one_file = !input.has_files() && input.archive.is_none();
        match self.language {
            Some(language) => Taken::Language(language.name),
            None if self.is_text || !is_one_file => Taken::Plain,
            None => match containers::name(&input.content) {
                Some(format) => Taken::Format(format),
                None => Taken::Bytes,
            },
        }
    }
}

/// What a file or a folder is taken for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Taken {
    /// It is in this language, or most of a folder is.
    Language(&'static str),
    /// It is text in no language whose grammar is known, or holds files.
    Plain,
    /// It is in this binary format, whose parts are known.
    Format(&'static str),
    /// It is binary and has no parts that are known.
    Bytes,
}

/// What is at `file`.
///
/// # Errors
/// When `--language` names none that this build has.
pub fn kind(options: &Options, file: &Path, input: &Input) -> Result<Kind, Failure> {
    let asked = options.language.as_deref().map(str::to_ascii_lowercase);
    let asked = match asked.as_deref() {
        Some("none") => Some(None),
        Some(name) => {
            let language = ablate_languages::find(name);
            Some(Some(language.ok_or_else(|| Failure::UnknownLanguage {
                name: name.to_owned(),
            })?))
        }
        None => None,
    };
    if input.has_files() {
        return Ok(kind_of_folder(asked, &input.content));
    }
    let is_text = is_text(&input.content);
    let language = asked.unwrap_or_else(|| {
        let name = file.file_name().unwrap_or_default().to_string_lossy();
        let name = match input.archive {
            Some(_) => name.strip_suffix(".gz").unwrap_or(&name),
            None => &name,
        };
        ablate_languages::detect(name, &input.content).filter(|_| is_text)
    });
    let syntax = language.map(Syntax::new);
    let embedded = language.map(|host| ablate_languages::embedded(host, &input.content));
    Ok(Kind {
        is_text,
        language,
        files: None,
        others: embedded.unwrap_or_default(),
        is_read: (syntax.as_ref()).is_some_and(|syntax| syntax.reads_whole(&input.content)),
        syntax,
    })
}

/// What most bytes of a folder are, and what else many of them are; where a language was asked for, that.
fn kind_of_folder(asked: Option<Option<&'static Language>>, folder: &[u8]) -> Kind {
    let entries = Entries::new(folder);
    let mut bytes_of_text = 0;
    let mut by_language = ByLanguage::default();
    let known = in_threads(entries.all(), |entry| kind_of_entry(entry, folder));
    for (entry, (len, language)) in entries.all().iter().zip(known) {
        bytes_of_text += len;
        if let Some(language) = language {
            let (bytes, files) = by_language.0.entry(language.name).or_default();
            *bytes += len;
            files.insert(entry.name(folder));
        }
    }
    let language = asked.unwrap_or_else(|| by_language.most());
    let files = language.map(|language| by_language.take(language).1);
    let files = files.unwrap_or_default();
    let others = std::iter::from_fn(|| {
        let other = by_language.most()?;
        Some((other, by_language.take(other)))
    });
    let is_many = |bytes: usize| bytes >= folder.len() / SHARE_OF_OTHERS;
    let others = others.filter(|(_, (bytes, _))| asked.is_none() && is_many(*bytes));
    let others = others.take(MOST_OTHERS);
    Kind {
        is_text: bytes_of_text >= folder.len() / 2,
        language,
        syntax: language.map(|language| Syntax::in_folder(language, files.clone())),
        files: Some(files),
        others: others
            .map(|(language, (_, files))| Syntax::in_folder(language, files))
            .collect(),
        is_read: language.is_some(),
    }
}

/// How many bytes of text a file of a folder has, and in which language.
fn kind_of_entry(entry: &Entry, folder: &[u8]) -> (usize, Option<&'static Language>) {
    let content = entry.content(folder);
    if !is_text(&content) {
        return (0, None);
    }
    let name = entry.name(folder);
    let name = String::from_utf8_lossy(&name);
    let base = name.rsplit('/').next().unwrap_or_default();
    (content.len(), ablate_languages::detect(base, &content))
}

/// The stack of a thread, which is what the first one has.
const STACK: usize = 8 << 20;

/// What `of` gives for each of `all`, in their order, found by as many threads as there are cores: to read what is
/// in no language that there is a grammar for takes long.
fn in_threads<T: Sync, U: Send + Sync>(all: &[T], of: impl Fn(&T) -> U + Sync) -> Vec<U> {
    let found: Vec<OnceLock<U>> = all.iter().map(|_| OnceLock::new()).collect();
    let next = AtomicUsize::new(0);
    let work = || {
        let numbers = std::iter::repeat_with(|| next.fetch_add(1, Ordering::Relaxed));
        for at in numbers.take_while(|at| *at < all.len()) {
            found[at].get_or_init(|| of(&all[at]));
        }
    };
    let threads = thread::available_parallelism().map_or(1, usize::from);
    thread::scope(|scope| {
        for _ in 1..threads.min(all.len()) {
            // Where no more threads can be had, there are fewer.
            let thread = thread::Builder::new().stack_size(STACK);
            let _ = thread.spawn_scoped(scope, work);
        }
        work();
    });
    found.into_iter().filter_map(OnceLock::into_inner).collect()
}

/// At most so many languages besides that of most files have trees in a folder, where one byte in so many is in
/// each: every one of them has all passes on trees once more.
const MOST_OTHERS: usize = 2;
const SHARE_OF_OTHERS: usize = 16;
/// A folder is in a language that contains another if it has at most so many times as many bytes in that: what a
/// language contains is read nearly as well by its grammar, and with what it is used by.
const TIMES_WITHIN: usize = 3;

/// How many bytes of a folder are in each language, and in which files.
#[derive(Default)]
struct ByLanguage(BTreeMap<&'static str, (usize, BTreeSet<Vec<u8>>)>);

impl ByLanguage {
    /// The language whose grammar reads most.
    fn most(&self) -> Option<&'static Language> {
        let bytes = |name| self.0.get(name).map_or(0, |(bytes, _)| *bytes);
        let bytes_read = |name| {
            let within = read_as(name).skip(1).map(bytes).sum::<usize>();
            bytes(name) + within.min(bytes(name) * TIMES_WITHIN)
        };
        let most = self.0.keys().max_by_key(|name| bytes_read(name));
        most.and_then(|name| ablate_languages::find(name))
    }

    /// The files that the grammar of a language reads, with the number of their bytes. They are no longer there.
    fn take(&mut self, language: &'static Language) -> (usize, BTreeSet<Vec<u8>>) {
        let (mut bytes, mut files) = (0, BTreeSet::new());
        for name in read_as(language.name) {
            let (bytes_in, files_in) = self.0.remove(name).unwrap_or_default();
            bytes += bytes_in;
            files.extend(files_in);
        }
        (bytes, files)
    }
}

/// The languages that the grammar of one reads: itself, and what it contains.
fn read_as(language: &'static str) -> impl Iterator<Item = &'static str> {
    let within = match language {
        "cpp" => Some("c"),
        "tsx" => Some("javascript"),
        "typescript" => Some("javascript"),
        _ => None,
    };
    [Some(language), within].into_iter().flatten()
}

/// Of text, one byte in so many is of UTF-8 where the names, comments and messages are in another encoding.
const OF_UTF8: usize = 4;

/// Whether a content is text: without control characters other than white space, and, for a part, UTF-8.
fn is_text(content: &[u8]) -> bool {
    let mut rest = content.len() - content.len().div_ceil(OF_UTF8);
    content.utf8_chunks().all(|chunk| {
        let left = rest.checked_sub(chunk.invalid().len());
        rest = left.unwrap_or(0);
        left.is_some() && chunk.valid().chars().all(characters::is_text)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use ablate_passes::formats::folder::add;

    #[test]
    fn text_is_what_people_can_read() {
        assert!(is_text(b"int main() {}\r\n\x0c") && is_text("größer".as_bytes()) && is_text(b""));
        assert!(is_text(
            b"/* gr\xf6\xdfer */ int main() { return 0; /* one, two, three, four */ }"
        ));
        assert!(is_text(b"gr\xf6\xdfer") && !is_text(b"\xef\xf6\xdf\xe5r"));
        assert!(!is_text(b"one, two, three, four, five, six\xf6\0"));
        assert!(!is_text(b"\x7fELF\x02") && !is_text(b"\xff") && !is_text(b"a\0b"));
    }

    #[test]
    fn what_threads_find_stands_in_order() {
        let all: Vec<usize> = (0..999).collect();
        let found = in_threads(&all, |at| at.pow(2));
        assert_eq!(found, all.iter().map(|at| at.pow(2)).collect::<Vec<_>>());
        assert!(in_threads(&[], usize::clone).is_empty());
    }

    #[test]
    fn a_folder_is_in_the_language_of_most_of_it() {
        let mut folder = Vec::new();
        add(&mut folder, b"a.py", b"print(1)\n");
        add(&mut folder, b"b.c", b"int main() { return 0; }\n");
        add(&mut folder, b"b/c.c", b"int a;\n");
        add(&mut folder, b"d.png", b"\x89PNG\0");
        let kind = kind_of_folder(None, &folder);
        assert!(kind.is_text);
        assert_eq!(kind.language.map(|language| language.name), Some("c"));
        let files = BTreeSet::from([b"b.c".to_vec(), b"b/c.c".to_vec()]);
        assert_eq!(kind.files, Some(files));
        add(&mut folder, b"e.cpp", b"std::vector<int> a;\n");
        let kind = kind_of_folder(None, &folder);
        assert_eq!(kind.language.map(|language| language.name), Some("cpp"));
        assert_eq!(kind.files.map(|files| files.len()), Some(3));
        add(&mut folder, b"b/d.c", "int b;\n".repeat(9).as_bytes());
        let kind = kind_of_folder(None, &folder);
        assert_eq!(kind.language.map(|language| language.name), Some("c"));
        let others = |kind: &Kind| -> Vec<&'static str> {
            let others = kind.others.iter();
            others.map(|syntax| syntax.language().name).collect()
        };
        assert_eq!(others(&kind), ["cpp"]);
        let python = ablate_languages::find("python");
        let kind = kind_of_folder(Some(python), &folder);
        assert_eq!(others(&kind), [""; 0]);
        assert_eq!(kind.files, Some(BTreeSet::from([b"a.py".to_vec()])));
    }
}
