//! The file of a stored failure, whatever is in it: a property that draws values of every kind is
//! run on it.

#![no_main]

use std::path::PathBuf;
use std::sync::OnceLock;

use ablate_check::prelude::*;
use ablate_check::{Settings, Storage, Verbosity};

fn settings() -> Settings {
    let storage = Storage::Folder(scratch());
    Settings::new()
        .name("failures")
        .cases(1)
        .seed(7)
        .storage(storage)
        .verbosity(Verbosity::Quiet)
}

fn scratch() -> PathBuf {
    std::env::temp_dir().join(format!("ablate-failures-{}", std::process::id()))
}

/// Where the failures of the property are stored.
fn folder() -> &'static PathBuf {
    static FOLDER: OnceLock<PathBuf> = OnceLock::new();
    FOLDER.get_or_init(|| {
        settings().run(|_case: &mut TestCase| Err::<(), _>("stored"));
        let mut folders = std::fs::read_dir(scratch()).expect("a failure was stored");
        folders.next().expect("a folder").expect("readable").path()
    })
}

libfuzzer_sys::fuzz_target!(|data: &[u8]| {
    let file = folder().join("any.choices");
    let content = [b"ablate-check 1\n", data].concat();
    std::fs::write(file, content).expect("the file can be written");
    settings().run(|case: &mut TestCase| {
        let numbers = case.draw(vec(integers::<i64>(..)));
        let text = case.draw(string());
        let _ = (numbers, text, case.draw(f64s()), case.draw(bools()));
    });
});
