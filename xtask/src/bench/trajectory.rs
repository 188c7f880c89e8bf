//! How the reduced file changed while a reducer ran.

use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use crate::test_case;

/// A change of the reduced file.
#[derive(Clone, Copy, Debug)]
pub struct Point {
    /// Seconds since the start.
    pub seconds: f64,
    /// Bytes in the file.
    pub bytes: u64,
    /// Tests started by then.
    pub tests: u64,
}

/// Watches the reduced file.
pub struct Watch {
    file: PathBuf,
    stamp: (Option<SystemTime>, u64, usize),
    content: Vec<u8>,
    points: Vec<Point>,
}

impl Watch {
    /// Watches `file`, which begins as (or is not there and stands for) `initial`.
    pub fn new(file: &Path, initial: Vec<u8>) -> Watch {
        Watch {
            file: file.to_path_buf(),
            stamp: (None, 0, 0),
            content: initial,
            points: Vec::new(),
        }
    }

    /// Looks at the file once.
    pub fn look(&mut self, elapsed: Duration, tests: u64) {
        let stamp = test_case::stamp(&self.file);
        if stamp == self.stamp {
            return;
        }
        self.stamp = stamp;
        // Some reducers write in place, so a file can be seen half written: an empty one is not
        // believed, and anything else is seen whole at the next look.
        let Ok(content) = test_case::read(&self.file) else {
            return;
        };
        if content != self.content && !content.is_empty() {
            self.points.push(Point {
                seconds: elapsed.as_secs_f64(),
                bytes: content.len() as u64,
                tests,
            });
            self.content = content;
        }
    }

    /// The content when it was last looked at, and the changes.
    pub fn into_parts(self) -> (Vec<u8>, Vec<Point>) {
        (self.content, self.points)
    }
}

/// When there were first at most `bytes` bytes.
pub fn first_at_most(points: &[Point], bytes: u64) -> Option<Point> {
    points.iter().find(|point| point.bytes <= bytes).copied()
}
