//! The files of a folder by the paths that others name them by, in JavaScript and TypeScript.

use std::collections::BTreeMap;

use ablate_passes::formats::folder::{Entry, joined};

/// What the names of files end with that others name without it.
const ENDINGS: &[&[u8]] = &[
    b".d.ts", b".js", b".jsx", b".mjs", b".cjs", b".ts", b".tsx", b".mts", b".cts", b".vue",
    b".json",
];

/// The files of a folder by their paths.
pub(super) struct Paths {
    folders: Vec<Vec<u8>>,
    by_path: BTreeMap<Vec<u8>, u32>,
    /// The same by their paths from right to left, without endings.
    reversed: BTreeMap<Vec<u8>, u32>,
}

impl Paths {
    pub fn of(text: &[u8], entries: &[Entry]) -> Paths {
        let mut paths = Paths {
            folders: Vec::new(),
            by_path: BTreeMap::new(),
            reversed: BTreeMap::new(),
        };
        let names: Vec<Vec<u8>> = entries.iter().map(|entry| entry.name(text)).collect();
        for (file, name) in (0..).zip(&names) {
            let slash = name.iter().rposition(|&byte| byte == b'/');
            paths
                .folders
                .push(name[..slash.map_or(0, |at| at + 1)].to_vec());
            paths.by_path.insert(name.clone(), file);
        }
        for (file, name) in (0..).zip(&names) {
            let stem = without_ending(name);
            let is_code = !name.ends_with(b".json");
            let mut add = |path: &[u8]| {
                if stem.len() < name.len() && is_code {
                    paths.by_path.entry(path.to_vec()).or_insert(file);
                    paths.reversed.entry(reversed(path)).or_insert(file);
                }
            };
            add(stem);
            if let Some(folder) = stem.strip_suffix(b"index")
                && (folder.is_empty() || folder.ends_with(b"/"))
            {
                add(folder.strip_suffix(b"/").unwrap_or(folder));
            }
        }
        paths
    }

    /// The file that a string in the file `by` names.
    pub fn find(&self, by: usize, string: &[u8]) -> Option<u32> {
        let [_, path @ .., _] = string else {
            return None;
        };
        if path.starts_with(b".") {
            let whole = joined(&self.folders[by], path);
            let found = self.by_path.get(&whole);
            return found
                .or_else(|| self.by_path.get(without_ending(&whole)))
                .copied();
        }
        // What stands for a folder is said elsewhere, as in `@/a/b`.
        let path = without_ending(path);
        let slash = path.iter().position(|&byte| byte == b'/')?;
        let path = match path[0] {
            b'@' | b'~' | b'#' => &path[slash + 1..],
            _ => path,
        };
        let mut key = reversed(path);
        if let Some(&file) = self.by_path.get(path) {
            return Some(file);
        }
        key.push(b'/');
        let mut behind = self.reversed.range(key.clone()..);
        let found = behind.next().filter(|(path, _)| path.starts_with(&key));
        let others = behind.next().filter(|(path, _)| path.starts_with(&key));
        found.filter(|_| others.is_none()).map(|(_, &file)| file)
    }
}

fn reversed(path: &[u8]) -> Vec<u8> {
    path.iter().rev().copied().collect()
}

fn without_ending(path: &[u8]) -> &[u8] {
    let mut endings = ENDINGS.iter();
    let short = endings.find_map(|ending| path.strip_suffix(*ending));
    short.unwrap_or(path)
}
