//! Failing test cases on disk: one file each, readable, found again by the property's name.
//!
//! `.ablate/<property>/<digest>.choices` holds
//!
//! ```text
//! ablate-check 1
//! # property: my_crate::tests::sort_keeps_length
//! # checked at: src/lib.rs:7:5
//! # src/lib.rs:10:5: assertion failed: …
//! # let xs: Vec<i32> = vec![0, 1];
//! 1.t.0.t.1.f
//! ```
//!
//! The first line is the version of the file format, `#` starts a comment, the one other line is
//! the choice sequence as [`crate::choice::encode`] writes it. Properties without a name of their own
//! share the folder of their test: each says where it is checked, tries the test cases of all, and
//! removes only its own. A file is written under another
//! name and renamed, so readers never see half of one; two processes that store the same test case
//! write the same file. A file that can't be read or decoded is skipped.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};

use crate::choice::{Value, decode, encode, mix};
use crate::generator::label;
use crate::report::cut;
use crate::settings::Storage;

const HEADER: &str = "ablate-check 1";
const EXTENSION: &str = "choices";

/// The stored test cases of one property.
#[derive(Clone, Debug)]
pub(crate) struct Store {
    folder: PathBuf,
    property: String,
    /// Where the property is checked, if it has no name of its own.
    place: Option<String>,
}

/// A test case that was stored.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Stored {
    /// Its file, which people may have named.
    pub path: PathBuf,
    pub values: Vec<Value>,
    /// Whether the property that loads it has stored it, or nobody else can have.
    pub is_own: bool,
}

/// Stands before the place in a comment.
const PLACE: &str = "# checked at: ";

impl Store {
    pub(crate) fn open(storage: &Storage, property: &str, place: Option<&str>) -> Option<Store> {
        let root = match storage {
            Storage::Off => return None,
            Storage::Folder(folder) => folder.clone(),
            Storage::Package => {
                let package = std::env::var_os("CARGO_MANIFEST_DIR");
                package
                    .map_or_else(PathBuf::new, PathBuf::from)
                    .join(".ablate")
            }
        };
        // A readable name, and enough of a digest that two properties never share a folder.
        let readable: String = property
            .chars()
            .map(|c| if c.is_ascii_alphanumeric() { c } else { '_' })
            .take(100)
            .collect();
        let digest = label(property) >> 32;
        Some(Store {
            folder: root.join(format!("{readable}-{digest:08x}")),
            property: property.to_owned(),
            place: place.map(str::to_owned),
        })
    }

    /// Where the test cases are.
    pub(crate) fn folder(&self) -> &Path {
        &self.folder
    }

    /// All stored test cases, in the order of their names.
    pub(crate) fn load(&self) -> Vec<Stored> {
        let Ok(entries) = fs::read_dir(&self.folder) else {
            return Vec::new();
        };
        let mut files: Vec<PathBuf> = entries
            .filter_map(|entry| Some(entry.ok()?.path()))
            .filter(|path| path.extension().is_some_and(|e| e == EXTENSION))
            .collect();
        files.sort();
        files.iter().filter_map(|path| self.read(path)).collect()
    }

    /// Stores a test case with comments for people. Does what can be done: a folder that can't be
    /// written is no reason for a property to fail.
    pub(crate) fn save(&self, values: &[Value], comments: &[String]) {
        let _ = self.write(values, comments);
    }

    fn write(&self, values: &[Value], comments: &[String]) -> std::io::Result<()> {
        static COUNT: AtomicU64 = AtomicU64::new(0);
        let mut text = format!("{HEADER}\n# property: {}\n", self.property);
        if let Some(place) = &self.place {
            text.push_str(&format!("{PLACE}{place}\n"));
        }
        for comment in comments {
            for line in cut(comment).lines() {
                text.push_str(&format!("# {line}\n"));
            }
        }
        text.push_str(&encode(values));
        text.push('\n');
        fs::create_dir_all(&self.folder)?;
        let unique = COUNT.fetch_add(1, Ordering::Relaxed);
        let process = std::process::id();
        let draft = self.folder.join(format!("{process}-{unique}.draft"));
        fs::write(&draft, text)?;
        let renamed = fs::rename(&draft, self.path(values));
        if renamed.is_err() {
            let _ = fs::remove_file(&draft);
        }
        renamed
    }

    /// Forgets a test case that no longer fails, whatever its file is called.
    pub(crate) fn remove_stored(&self, path: &Path) {
        let _ = fs::remove_file(path);
    }

    /// Forgets a test case that was stored by its values.
    pub(crate) fn remove(&self, values: &[Value]) {
        let _ = fs::remove_file(self.path(values));
    }

    fn path(&self, values: &[Value]) -> PathBuf {
        let text = encode(values);
        let digest = (label(&text), mix(label(&text), text.len() as u64));
        let name = format!("{:016x}{:016x}.{EXTENSION}", digest.0, digest.1);
        self.folder.join(name)
    }

    fn read(&self, path: &Path) -> Option<Stored> {
        let text = fs::read_to_string(path).ok()?;
        let mut lines = text.lines().map(str::trim);
        (lines.next()? == HEADER).then_some(())?;
        let place = lines.clone().find_map(|line| line.strip_prefix(PLACE));
        let mut content = lines.filter(|line| !line.is_empty() && !line.starts_with('#'));
        Some(Stored {
            path: path.to_owned(),
            values: decode(content.next()?)?,
            is_own: place.is_none() || place == self.place.as_deref(),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn scratch(name: &str) -> Storage {
        let folder =
            std::env::temp_dir().join(format!("ablate-store-{}-{name}", std::process::id()));
        let _ = fs::remove_dir_all(&folder);
        Storage::Folder(folder)
    }

    fn loaded(store: &Store) -> Vec<Vec<Value>> {
        let stored = store.load();
        stored.into_iter().map(|stored| stored.values).collect()
    }

    fn clean(storage: &Storage) {
        if let Storage::Folder(folder) = storage {
            let _ = fs::remove_dir_all(folder);
        }
    }

    #[test]
    fn what_is_stored_is_loaded_until_it_is_removed() {
        let storage = scratch("round");
        let store = Store::open(&storage, "a::b", None).unwrap();
        let values = vec![Value::Boolean(true), Value::Integer(5)];
        assert_eq!(loaded(&store), Vec::<Vec<Value>>::new());
        store.save(&values, &["two\nlines".to_owned()]);
        store.save(&values, &[]);
        store.save(&values[..1], &[]);
        assert_eq!(loaded(&store).len(), 2);
        assert!(loaded(&store).contains(&values));
        let other = Store::open(&storage, "a__b", None).unwrap();
        assert!(other.load().is_empty());
        store.remove(&values);
        assert_eq!(loaded(&store), vec![values[..1].to_vec()]);
        clean(&storage);
    }

    #[test]
    fn what_another_property_of_the_test_has_stored_is_not_ones_own() {
        let storage = scratch("places");
        let open = |place| Store::open(&storage, "p", place).unwrap();
        open(Some("a.rs:1:5")).save(&[Value::Integer(1)], &[]);
        let is_own = |place| open(place).load()[0].is_own;
        assert!(is_own(Some("a.rs:1:5")));
        assert!(!is_own(Some("a.rs:2:5")));
        open(None).save(&[Value::Integer(1)], &[]);
        assert!(is_own(Some("a.rs:2:5")));
        clean(&storage);
    }

    #[test]
    fn what_has_another_name_is_removed_too() {
        let storage = scratch("renamed");
        let store = Store::open(&storage, "p", None).unwrap();
        store.save(&[Value::Integer(1)], &[]);
        let named = store.folder.join("by_hand.choices");
        fs::rename(store.path(&[Value::Integer(1)]), &named).unwrap();
        let stored = store.load();
        assert_eq!(stored[0].path, named);
        store.remove_stored(&stored[0].path);
        assert!(store.load().is_empty());
        clean(&storage);
    }

    #[test]
    fn what_is_damaged_is_skipped() {
        let storage = scratch("damaged");
        let store = Store::open(&storage, "p", None).unwrap();
        store.save(&[Value::Integer(1)], &[]);
        fs::write(store.folder.join("bad.choices"), "ablate-check 1\n1.zz\n").unwrap();
        fs::write(store.folder.join("new.choices"), "ablate-check 9\n1.t\n").unwrap();
        fs::write(store.folder.join("7-0.draft"), "ablate-check 1\n1.t\n").unwrap();
        assert_eq!(loaded(&store), vec![vec![Value::Integer(1)]]);
        clean(&storage);
    }

    #[test]
    fn concurrent_writers_leave_whole_files() {
        let storage = scratch("threads");
        let store = Store::open(&storage, "p", None).unwrap();
        std::thread::scope(|scope| {
            for _ in 0..4 {
                scope.spawn(|| (0..25).for_each(|n| store.save(&[Value::Integer(n % 5)], &[])));
            }
        });
        assert_eq!(loaded(&store).len(), 5);
        assert_eq!(fs::read_dir(&store.folder).unwrap().count(), 5);
        clean(&storage);
    }
}
