//! PEM: a certificate, a key or a message in base64 between two lines that say which it is, with whatever stands
//! around these.

use alloc::vec::Vec;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;

use crate::formats::container::CONTENT_MAX;

const BEGIN: &[u8] = b"-----BEGIN ";
const END: &[u8] = b"-----END ";

/// A text in PEM without what is in base64.
#[derive(Clone, Debug)]
pub struct Pem {
    before: Vec<u8>,
    behind: Vec<u8>,
    /// How many letters there are in a line, and what ends it.
    width: usize,
    newline: &'static [u8],
}

impl Pem {
    /// What `file` says, and its content. `None` for what is none, has several of them, or more in it than
    /// lines of one width.
    pub fn read(file: &[u8]) -> Option<(Pem, Vec<u8>)> {
        if file.len() > CONTENT_MAX {
            return None;
        }
        let begin = find(file, BEGIN)?;
        let line = file[begin..].iter().position(|&byte| byte == b'\n')?;
        let start = begin + line + 1;
        let end = start + find(&file[start..], END)?;
        if find(&file[start..], BEGIN).is_some() {
            return None;
        }
        let body = &file[start..end];
        let first = body.split_inclusive(|&byte| byte == b'\n').next()?;
        let newline: &[u8] = if first.ends_with(b"\r\n") {
            b"\r\n"
        } else {
            b"\n"
        };
        let pem = Pem {
            before: file[..start].to_vec(),
            behind: file[end..].to_vec(),
            width: first.strip_suffix(newline)?.len(),
            newline,
        };
        let mut letters = body.to_vec();
        letters.retain(|byte| !b"\r\n".contains(byte));
        let content = STANDARD.decode(&letters).ok()?;
        (pem.pack(&content) == file).then_some((pem, content))
    }

    /// The text with a content.
    pub fn pack(&self, content: &[u8]) -> Vec<u8> {
        let letters = STANDARD.encode(content).into_bytes();
        let mut file = self.before.clone();
        for line in letters.chunks(self.width.max(1)) {
            file.extend([line, self.newline].concat());
        }
        file.extend(&self.behind);
        file
    }
}

fn find(text: &[u8], wanted: &[u8]) -> Option<usize> {
    text.windows(wanted.len())
        .position(|window| window == wanted)
}

#[cfg(test)]
mod tests {
    use super::super::Archive;
    use super::super::tests::check_hostile;

    const KEY: &[u8] =
        b"A key:\r\n-----BEGIN KEY-----\r\nMAYCAQEC\r\nAQI=\r\n-----END KEY-----\r\n";

    #[test]
    fn what_is_between_the_lines_is_decoded() {
        let (archive, content) = Archive::read(KEY).unwrap();
        assert_eq!(content, b"\x30\x06\x02\x01\x01\x02\x01\x02");
        assert!(!archive.has_files() && *archive.pack(&content) == *KEY);
        let less = archive.pack(b"\x30\0");
        assert_eq!(
            &*less,
            b"A key:\r\n-----BEGIN KEY-----\r\nMAA=\r\n-----END KEY-----\r\n"
        );
    }

    #[test]
    fn what_is_written_in_another_way_is_left_alone() {
        for text in [
            &b"-----BEGIN A-----\nMAA=\n-----END A-----\n-----BEGIN A-----\nMAA=\n-----END A-----\n"[..],
            b"-----BEGIN A-----\nVersion: 1\n\nMAA=\n-----END A-----\n",
            b"-----BEGIN A-----\nMAY\nCAQEC\n-----END A-----\n",
            b"-----BEGIN A-----\nMAA=\n",
        ] {
            assert!(Archive::read(text).is_none(), "{}", text.escape_ascii());
        }
    }

    #[test]
    fn lies_end_well() {
        check_hostile(KEY);
    }
}
