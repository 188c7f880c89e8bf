//! Which files of a folder read which others, and by which statements.

use std::collections::{BTreeSet, VecDeque};
use std::ops::Range;

/// Which files of a folder read which others.
#[derive(Debug)]
pub(crate) struct Links {
    pub(super) files: Vec<File>,
    /// Statements, each with its file and the one that it has read.
    pub(super) loads: Vec<(u32, u32, u32)>,
}

/// A file of a folder.
#[derive(Debug)]
pub(super) struct File {
    pub range: Range<usize>,
    /// Whether it imports or exports something, and none imports it.
    pub is_first: bool,
}

impl Links {
    fn file_at(&self, at: usize) -> Option<usize> {
        let behind = self.files.partition_point(|file| file.range.end <= at);
        let file = self.files.get(behind);
        file.filter(|file| file.range.contains(&at)).map(|_| behind)
    }

    /// The file that has this position in it, if no other file has it read.
    pub fn first_at(&self, at: usize) -> Option<usize> {
        self.file_at(at).filter(|&file| self.files[file].is_first)
    }

    /// The statements by which the files with these positions in them are read, from those that none imports.
    pub fn leading_to(&self, positions: impl Iterator<Item = usize>) -> BTreeSet<u32> {
        let mut by = vec![None; self.files.len()];
        let first = (0..).zip(&self.files).filter(|(_, file)| file.is_first);
        let mut open: VecDeque<u32> = first.map(|(number, _)| number).collect();
        let mut is_read: Vec<bool> = self.files.iter().map(|file| file.is_first).collect();
        while let Some(file) = open.pop_front() {
            let start = self.loads.partition_point(|load| load.1 < file);
            let loads = self.loads[start..].iter().take_while(|load| load.1 == file);
            for &(statement, from, to) in loads {
                if !std::mem::replace(&mut is_read[to as usize], true) {
                    by[to as usize] = Some((statement, from));
                    open.push_back(to);
                }
            }
        }
        let mut statements = BTreeSet::new();
        for position in positions {
            let mut at = self.file_at(position);
            while let Some((statement, from)) = at.and_then(|at| by[at]) {
                if !statements.insert(statement) {
                    break;
                }
                at = Some(from as usize);
            }
        }
        statements
    }
}
