//! The laws of folders as sequences of bytes.

use ablate_check::prelude::*;
use ablate_engine::patch::{Edit, Patch};
use ablate_passes::formats::folder::{Entries, add};

/// Bytes of which many mean something in a folder.
fn bytes(tc: &mut TestCase, most: usize) -> Vec<u8> {
    let byte = sample([b'a', b'/', b'\n', 0x1c, 0x10, b'S', 0xff]);
    tc.draw(vec(byte).len(..=most))
}

/// Names and contents.
type Files = Vec<(Vec<u8>, Vec<u8>)>;

fn folder(tc: &mut TestCase) -> (Files, Vec<u8>) {
    let count = tc.draw(0..4usize);
    let files: Vec<_> = (0..count).map(|_| (bytes(tc, 4), bytes(tc, 6))).collect();
    let mut folder = Vec::new();
    for (name, content) in &files {
        add(&mut folder, name, content);
    }
    (files, folder)
}

fn files_of(folder: &[u8]) -> Files {
    let entries = Entries::new(folder);
    let files = entries.all().iter();
    files
        .map(|entry| (entry.name(folder), entry.content(folder)))
        .collect()
}

#[property]
fn what_is_added_is_read(tc: &mut TestCase) {
    let (files, folder) = folder(tc);
    assert_eq!(files_of(&folder), files);
}

#[property]
fn any_bytes_are_read_as_a_folder_that_is_read_the_same_again(tc: &mut TestCase) {
    let files = files_of(&bytes(tc, 20));
    let mut folder = Vec::new();
    for (name, content) in &files {
        add(&mut folder, name, content);
    }
    assert_eq!(files_of(&folder), files);
}

#[property]
fn a_spared_patch_leaves_each_name_or_takes_its_file(tc: &mut TestCase) {
    let (files, folder) = folder(tc);
    let (a, b) = (tc.draw(0..=folder.len()), tc.draw(0..=folder.len()));
    let insert = tc.draw(option(vec(0..3u8).len(1..3)));
    let edit = Edit {
        start: a.min(b),
        end: a.max(b),
        insert: insert.map(Into::into),
    };
    let Ok(patch) = Patch::edits_of([edit]) else {
        return;
    };
    let entries = Entries::new(&folder);
    let Some(spared) = entries.spare_names(patch, None) else {
        return;
    };
    assert_eq!(
        entries.spare_names(spared.clone(), None),
        Some(spared.clone())
    );
    // The names that are left are some of those before, in their order.
    let after = files_of(&spared.applied(&folder));
    let mut before = files.iter();
    for (name, _) in &after {
        assert!(before.any(|(known, _)| known == name), "{after:?}");
    }
    let gone = files.len() - after.len();
    let taken: usize = spared
        .edits()
        .iter()
        .map(|edit| edit.end - edit.start)
        .sum();
    assert!(gone == 0 || taken >= 3 * gone);
}
