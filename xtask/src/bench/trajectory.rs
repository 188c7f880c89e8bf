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

/// From when on there were at most `bytes` bytes. A folder that is being written in place looks smaller
/// than it is, for a moment.
pub fn first_at_most(points: &[Point], bytes: u64) -> Option<Point> {
    let behind = points.iter().rposition(|point| point.bytes > bytes);
    points.get(behind.map_or(0, |last| last + 1)).copied()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_size_is_reached_when_it_stays() {
        let point = |bytes| Point {
            seconds: bytes as f64,
            bytes,
            tests: 0,
        };
        let points = [90, 20, 60, 40, 30].map(point);
        let reached = |bytes| first_at_most(&points, bytes).map(|point| point.bytes);
        assert_eq!(reached(50), Some(40));
        assert_eq!(reached(95), Some(90));
        assert_eq!(reached(10), None);
    }
}
