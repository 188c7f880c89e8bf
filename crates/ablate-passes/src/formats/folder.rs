//! A folder as one sequence of bytes: of each file its name, then its content.
//!
//! `FS name FS LF content`, one file after another, in the order of their names, where FS (0x1c) is
//! ASCII's separator of files. In names and contents an FS is written as DLE `S`, and a DLE (0x10) as
//! two of them. So every sequence of bytes stands for a folder: what is no name and stands behind none
//! is left out.

use alloc::collections::BTreeMap;
use alloc::rc::Rc;
use alloc::vec::Vec;
use core::ops::Range;

use ablate_engine::patch::{Edit, Patch};
use ablate_engine::target::Target;

/// What stands before and behind the name of a file, and nowhere else.
pub(crate) const FS: u8 = 0x1c;

const DLE: u8 = 0x10;

/// A file of a folder, by positions in the folder's bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Entry {
    /// Where its name begins, with the separator before it.
    pub start: usize,
    /// Where its content begins.
    pub content: usize,
    /// Where the next file begins.
    pub end: usize,
}

impl Entry {
    /// The name of the file in the folder, with `/` between names of folders.
    pub fn name(&self, folder: &[u8]) -> Vec<u8> {
        unescaped(&folder[self.start + 1..self.content - 2])
    }

    /// Whether this position is in the file's content.
    pub(super) fn has(&self, at: usize) -> bool {
        (self.content..self.end).contains(&at)
    }

    /// What is in the file.
    pub fn content(&self, folder: &[u8]) -> Vec<u8> {
        unescaped(&folder[self.content..self.end])
    }
}

/// Adds a file to a folder.
pub fn add(folder: &mut Vec<u8>, name: &[u8], content: &[u8]) {
    folder.push(FS);
    escape(name, folder);
    folder.extend([FS, b'\n']);
    escape(content, folder);
}

fn escape(bytes: &[u8], out: &mut Vec<u8>) {
    for &byte in bytes {
        match byte {
            FS => out.extend([DLE, b'S']),
            DLE => out.extend([DLE, DLE]),
            _ => out.push(byte),
        }
    }
}

fn unescaped(bytes: &[u8]) -> Vec<u8> {
    let mut out = Vec::with_capacity(bytes.len());
    let mut rest = bytes;
    while let [first, behind @ ..] = rest {
        let (byte, len) = match behind.first() {
            Some(b'S') if *first == DLE => (FS, 2),
            Some(&DLE) if *first == DLE => (DLE, 2),
            _ => (*first, 1),
        };
        out.push(byte);
        rest = &rest[len..];
    }
    out
}

/// The files of a folder, in the order of its bytes.
#[derive(Debug)]
pub struct Entries(Vec<Entry>);

impl Entries {
    /// The files of the folder that `target` is; none if it is none.
    pub fn of(target: &Target<u8>) -> Rc<Entries> {
        target.analysis(|target| Entries::new(target.elements()))
    }

    /// The files of a folder.
    pub fn new(folder: &[u8]) -> Entries {
        let mut entries: Vec<Entry> = Vec::new();
        let mut separators = (0..folder.len()).filter(|&at| folder[at] == FS).peekable();
        while let Some(start) = separators.next() {
            let head_end = separators.next_if(|&end| folder.get(end + 1) == Some(&b'\n'));
            let Some(head_end) = head_end else { continue };
            if let Some(last) = entries.last_mut() {
                last.end = start;
            }
            entries.push(Entry {
                start,
                content: head_end + 2,
                end: folder.len(),
            });
        }
        Entries(entries)
    }

    /// All files.
    pub fn all(&self) -> &[Entry] {
        &self.0
    }

    /// Runs of files, first and last, that go together: all of them, those of each folder within, the
    /// halves of these, their halves, and so on; of each run `len` bytes would go, and of some none.
    /// The longest last, those of about the same length by position.
    pub(crate) fn runs(
        &self,
        folder: &[u8],
        len: impl Fn(usize, usize) -> usize,
    ) -> Vec<(u32, u32)> {
        let mut runs = Vec::new();
        if let Some(last) = self.0.len().checked_sub(1) {
            add_halves(0, last, &mut runs);
        }
        let names: Vec<Vec<u8>> = self.0.iter().map(|entry| entry.name(folder)).collect();
        for (first, name) in names.iter().enumerate() {
            let before = first
                .checked_sub(1)
                .map_or(&[][..], |before| &names[before]);
            for (at, _) in name.iter().enumerate().filter(|(_, byte)| **byte == b'/') {
                let within = &name[..=at];
                if !before.starts_with(within) {
                    let rest = names[first..].iter();
                    let count = rest.take_while(|name| name.starts_with(within)).count();
                    add_halves(first, first + count - 1, &mut runs);
                }
            }
        }
        let len = |&(first, last): &(u32, u32)| len(first as usize, last as usize);
        runs.retain(|run| len(run) > 0);
        runs.sort_by_cached_key(|run| (usize::BITS - len(run).leading_zeros(), *run));
        runs.dedup();
        runs
    }

    /// The patch without what it does to names: a file that goes as a whole goes with its name, unless
    /// it is among these `mentions` and one of them stays; of all others the names stay. `None` where
    /// something would take the place of a name.
    pub fn spare_names(&self, patch: Patch<u8>, mentions: Option<&Mentions>) -> Option<Patch<u8>> {
        if self.0.is_empty() {
            return Some(patch);
        }
        let mut edits = Vec::with_capacity(patch.edits().len());
        let mut is_changed = false;
        for edit in patch.edits() {
            if edit.insert.as_deref().is_some_and(|it| it.contains(&FS)) {
                return None;
            }
            let is_wanted = |file| mentions.is_some_and(|it| it.is_left(file, &patch));
            let spared = self.names_to_spare(edit.start, edit.end, is_wanted);
            is_changed |= !spared.is_empty();
            if spared.is_empty() {
                edits.push(edit.clone());
            } else if edit.insert.is_some() {
                return None;
            } else {
                let starts = core::iter::once(edit.start).chain(spared.iter().map(|it| it.content));
                let ends = spared.iter().map(|it| it.start).chain([edit.end]);
                let kept = starts.zip(ends).filter(|(start, end)| start < end);
                edits.extend(kept.map(|(start, end)| Edit {
                    start,
                    end,
                    insert: None,
                }));
            }
        }
        if is_changed {
            Patch::edits_of(edits).ok()
        } else {
            Some(patch)
        }
    }

    /// The files of which a change from `start` to `end` takes the name, or a part of it, and not all,
    /// or the name of which `is_wanted`.
    fn names_to_spare(
        &self,
        start: usize,
        end: usize,
        is_wanted: impl Fn(usize) -> bool,
    ) -> Vec<Entry> {
        let first = self.0.partition_point(|entry| entry.content <= start);
        let touched = (first..self.0.len()).take_while(|&file| {
            let is_at = start == end && self.0[file].start < start;
            self.0[file].start < end.max(start) || is_at
        });
        let is_whole = |entry: &Entry| start <= entry.start && entry.end <= end;
        let spared = touched.filter(|&file| !is_whole(&self.0[file]) || is_wanted(file));
        spared.map(|file| self.0[file]).collect()
    }
}

/// Names of files that say nothing: such a file is mentioned by the name of the folder that it is in.
const NAMED_BY_FOLDER: [&[u8]; 3] = [b"__init__", b"index", b"mod"];

/// Where files of a folder are mentioned in it: `a.h` in `#include "a.h"`, `b.rs` in `mod b;`.
#[derive(Debug)]
pub struct Mentions(Vec<Vec<u32>>);

impl Mentions {
    /// The mentions of the files of the folder that `target` is.
    pub fn of(target: &Target<u8>) -> Rc<Mentions> {
        let entries = Entries::of(target);
        target.analysis(|target| Mentions::new(&entries, target.elements()))
    }

    fn new(entries: &Entries, folder: &[u8]) -> Mentions {
        let mut by_word: BTreeMap<Vec<u8>, Vec<usize>> = BTreeMap::new();
        for (file, entry) in entries.all().iter().enumerate() {
            let word = word_for(&entry.name(folder));
            if !word.is_empty() {
                by_word.entry(word).or_default().push(file);
            }
        }
        let mut mentions = Mentions(alloc::vec![Vec::new(); entries.all().len()]);
        for entry in entries.all() {
            let mut at = entry.content;
            for piece in folder[entry.content..entry.end].split(|byte| !is_in_word(*byte)) {
                let word = without_underscores(piece);
                let word_at = at + piece.len() - word.len();
                for &file in by_word.get(word).into_iter().flatten() {
                    mentions.0[file].push(word_at as u32);
                }
                at += piece.len() + 1;
            }
        }
        mentions
    }

    /// Where a file is mentioned.
    pub(super) fn of_file(&self, file: usize) -> impl Iterator<Item = usize> {
        self.0[file].iter().map(|at| *at as usize)
    }

    /// Whether any file is mentioned in a part of the folder.
    pub fn are_in(&self, range: Range<usize>) -> bool {
        self.0.iter().any(|mentions| {
            let before = mentions.partition_point(|at| (*at as usize) < range.start);
            mentions
                .get(before)
                .is_some_and(|at| (*at as usize) < range.end)
        })
    }

    /// Whether a file is mentioned in what a patch leaves.
    fn is_left(&self, file: usize, patch: &Patch<u8>) -> bool {
        let edits = patch.edits();
        self.0[file].iter().any(|&at| {
            let next = edits.partition_point(|edit| edit.end <= at as usize);
            edits
                .get(next)
                .is_none_or(|edit| (at as usize) < edit.start)
        })
    }
}

pub(super) fn is_in_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'_' | 128..)
}

/// The path in the whole folder of what has this path in the folder `around`: `a/c` for `../c` in `a/b`.
pub fn joined(around: &[u8], path: &[u8]) -> Vec<u8> {
    let parts = around.split(|&byte| byte == b'/');
    let mut kept: Vec<&[u8]> = Vec::new();
    for part in parts.chain(path.split(|&byte| byte == b'/')) {
        match part {
            b"" | b"." => {}
            b".." => {
                kept.pop();
            }
            part => kept.push(part),
        }
    }
    kept.join(&b'/')
}

/// The parts of a file's path by which it is mentioned: without the end of its name, and without a name that
/// says nothing, as in `a/index.js`.
pub(super) fn path_of(name: &[u8]) -> Vec<&[u8]> {
    let mut parts: Vec<&[u8]> = name.split(|byte| *byte == b'/').collect();
    let own = parts.pop().unwrap_or_default();
    let own = own.split(|byte| *byte == b'.').next().unwrap_or_default();
    if parts.is_empty() || !NAMED_BY_FOLDER.contains(&own) {
        parts.push(without_underscores(own));
    }
    parts
}

/// The longest word in what a file is called when it is mentioned; none for `.gitignore`.
fn word_for(name: &[u8]) -> Vec<u8> {
    let called = path_of(name).pop().unwrap_or_default();
    let words = called.split(|byte| !is_in_word(*byte));
    let longest = words.max_by_key(|word| word.len()).unwrap_or_default();
    without_underscores(longest).to_vec()
}

/// A word without those at its start: `@import "a"` in Sass is for `_a.scss`.
pub(super) fn without_underscores(word: &[u8]) -> &[u8] {
    let count = word.iter().take_while(|byte| **byte == b'_').count();
    &word[count..]
}

/// Adds the run `first..=last`, its halves, their halves, and so on.
pub(super) fn add_halves(first: usize, last: usize, runs: &mut Vec<(u32, u32)>) {
    runs.push((first as u32, last as u32));
    if first < last {
        let middle = first + (last - first) / 2;
        add_halves(first, middle, runs);
        add_halves(middle + 1, last, runs);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::string::String;
    use alloc::vec;

    fn folder(files: &[(&[u8], &[u8])]) -> Vec<u8> {
        let mut folder = Vec::new();
        for (name, content) in files {
            add(&mut folder, name, content);
        }
        folder
    }

    #[test]
    fn a_folder_is_read_as_it_was_written() {
        let files: [(&[u8], &[u8]); 4] = [
            (b"a/b.c", b"int a;\n"),
            (b"a/empty", b""),
            (b"odd\x1c\x10\nname", b"\x1c\n\x10S\x10\x10\x1c"),
            (b"z", b"\x10"),
        ];
        let folder = folder(&files);
        let entries = Entries::new(&folder);
        let read = entries.all().iter();
        let read: Vec<_> = read
            .map(|entry| (entry.name(&folder), entry.content(&folder)))
            .collect();
        let expected: Vec<_> = files.iter().map(|f| (f.0.to_vec(), f.1.to_vec())).collect();
        assert_eq!(read, expected);
    }

    #[test]
    fn any_bytes_stand_for_a_folder() {
        for bytes in [
            &b""[..],
            b"text",
            b"\x1c",
            b"\x1c\x1c",
            b"a\x1cb\x1cc",
            b"\x1c\x1c\n",
        ] {
            let entries = Entries::new(bytes);
            for entry in entries.all() {
                let _ = (entry.name(bytes), entry.content(bytes));
            }
        }
        assert_eq!(Entries::new(b"x\x1ca\x1c\ny").all().len(), 1);
    }

    #[test]
    fn names_stay_unless_their_files_go_as_a_whole() {
        let folder = folder(&[(b"a", b"one"), (b"b", b"two"), (b"c", b"six")]);
        let entries = Entries::new(&folder);
        let spared = |start: usize, end: usize| {
            let patch = entries.spare_names(Patch::cut(start, end), None).unwrap();
            patch.applied(&folder)
        };
        let of = |files: &[(&[u8], &[u8])]| self::folder(files);
        assert_eq!(spared(0, folder.len()), b"");
        assert_eq!(spared(1, folder.len()), of(&[(b"a", b"")]));
        assert_eq!(spared(5, 20), of(&[(b"a", b"o"), (b"c", b"x")]));
        let partly = [(&b"a"[..], &b"o"[..]), (b"b", b"wo"), (b"c", b"six")];
        assert_eq!(spared(5, 12), of(&partly));
        assert_eq!(spared(8, 9), folder);
        let changed = vec![Edit {
            start: 4,
            end: 9,
            insert: Some(b"x"[..].into()),
        }];
        assert_eq!(
            entries.spare_names(Patch::edits_of(changed).unwrap(), None),
            None
        );
        let inside = Patch::replace(4, 5, b"xy");
        assert_eq!(entries.spare_names(inside.clone(), None), Some(inside));
    }

    #[test]
    fn the_name_of_a_file_stays_where_it_is_mentioned_in_what_stays() {
        let files: [(&[u8], &[u8]); 5] = [
            (b".ignored", b"d"),
            (b"a.h", b"one"),
            (b"b/mod.rs", b"two"),
            (b"c-long.js", b"six"),
            (b"d", b"#include \"a.h\"\nmod b; 'c-long' a"),
        ];
        let folder = folder(&files);
        let target = Target::new(folder.clone());
        let (entries, mentions) = (Entries::of(&target), Mentions::of(&target));
        let spared = |cuts: &[(usize, usize)]| {
            let patch = Patch::cuts(cuts.iter().copied());
            let patch = entries.spare_names(patch, Some(&mentions)).unwrap();
            let folder = patch.applied(&folder);
            let entries = Entries::new(&folder);
            let names = entries.all().iter().map(|entry| entry.name(&folder));
            String::from_utf8(names.collect::<Vec<_>>().join(&b' ')).unwrap()
        };
        let last = entries.all()[4];
        assert_eq!(spared(&[(0, last.start)]), "a.h b/mod.rs c-long.js d");
        assert_eq!(spared(&[(0, last.end)]), "");
        let of = |text: &str| {
            let text = text.as_bytes();
            folder
                .windows(text.len())
                .position(|it| it == text)
                .unwrap()
        };
        let mention = (of("mod b;"), of(" 'c-long"));
        assert_eq!(spared(&[(0, last.start), mention]), "a.h c-long.js d");
    }
}
