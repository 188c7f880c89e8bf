//! PEM: certificates, keys and messages in base64, each between two lines that say which it is, with whatever stands
//! around these.

use alloc::format;
use alloc::vec::Vec;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;

use crate::formats::container::{Builder, CONTENT_MAX, Container};
use crate::formats::folder::{Entries, add};

const BEGIN: &[u8] = b"-----BEGIN ";
const END: &[u8] = b"-----END ";

/// The lines around blocks in PEM; `None` where there is no such block.
pub fn container(text: &[u8]) -> Option<Container> {
    let (pem, _) = Pem::blocks(text)?;
    if pem.around() > AROUND_MAX {
        return None;
    }
    let mut builder = Builder::new(text)?;
    let mut group = builder.group(0);
    let (mut at, mut is_in_block) = (0, false);
    for line in text.split_inclusive(|&byte| byte == b'\n') {
        if line.starts_with(BEGIN) {
            is_in_block = true;
        }
        if !is_in_block {
            builder.part(group, at, at + line.len());
        }
        at += line.len();
        if line.starts_with(END) {
            is_in_block = false;
            group = builder.group(0);
        }
    }
    Some(builder.finish())
}

/// Where more than so many bytes stand around blocks, their lines are like those of any text.
const AROUND_MAX: usize = 1 << 10;
/// There are so many letters of base64 for each byte around the blocks.
const OF_LETTERS: usize = 2;

/// A text in PEM without what is in base64.
#[derive(Clone, Debug)]
pub struct Pem {
    blocks: Vec<Block>,
    /// What stands behind the last block.
    behind: Vec<u8>,
}

/// One certificate, key or message.
#[derive(Clone, Debug)]
struct Block {
    /// What stands before what is in base64, from the last block on, and the line behind it.
    before: Vec<u8>,
    end: Vec<u8>,
    /// Where the line before it begins.
    first: usize,
    /// How many letters there are in a line, and what ends it.
    width: usize,
    newline: &'static [u8],
}

impl Pem {
    /// The blocks of a text, and what is in each of them.
    fn blocks(text: &[u8]) -> Option<(Pem, Vec<Vec<u8>>)> {
        if text.len() > CONTENT_MAX {
            return None;
        }
        let (mut blocks, mut contents) = (Vec::new(), Vec::new());
        let mut rest = text;
        while let Some(begin) = find(rest, BEGIN) {
            let (block, content, len) = Block::read(rest, begin)?;
            blocks.push(block);
            contents.push(content);
            rest = &rest[len..];
        }
        let behind = rest.to_vec();
        (!blocks.is_empty()).then_some((Pem { blocks, behind }, contents))
    }

    /// What `file` says, and its content: that of its block, or the bytes of a folder with those of all blocks.
    /// `None` for what is none, or has more in a block than lines of one width.
    pub fn read(file: &[u8]) -> Option<(Pem, Vec<u8>)> {
        let (pem, mut contents) = Pem::blocks(file)?;
        let letters: usize = contents
            .iter()
            .map(|content| content.len().div_ceil(3) * 4)
            .sum();
        // A program with a key in it is a program.
        if pem.around() * OF_LETTERS > letters {
            return None;
        }
        let content = match contents.len() {
            1 => contents.pop()?,
            _ => {
                let mut folder = Vec::new();
                for (place, content) in contents.iter().enumerate() {
                    add(&mut folder, &name(place), content);
                }
                folder
            }
        };
        Some((pem, content))
    }

    /// How many bytes stand around the blocks.
    fn around(&self) -> usize {
        let before = self.blocks.iter().map(|block| block.first);
        before.sum::<usize>() + self.behind.len()
    }

    /// Whether there are several blocks.
    pub fn has_files(&self) -> bool {
        self.blocks.len() > 1
    }

    /// The text with a content.
    pub fn pack(&self, content: &[u8]) -> Vec<u8> {
        let mut file = Vec::new();
        if let [block] = &self.blocks[..] {
            block.pack(content, &mut file);
        } else {
            let entries = Entries::new(content);
            for (place, block) in self.blocks.iter().enumerate() {
                let name = name(place);
                let mut all = entries.all().iter();
                if let Some(entry) = all.find(|entry| entry.name(content) == name) {
                    block.pack(&entry.content(content), &mut file);
                }
            }
        }
        file.extend(&self.behind);
        file
    }
}

impl Block {
    /// Reads the block of which the first line begins at `begin`: what is in it, and how long it is with all
    /// before it.
    fn read(text: &[u8], begin: usize) -> Option<(Block, Vec<u8>, usize)> {
        if begin > 0 && text[begin - 1] != b'\n' {
            return None;
        }
        let start = begin + line(&text[begin..])?.len();
        let end = start + find(&text[start..], END)?;
        let len = end + line(&text[end..]).unwrap_or(&text[end..]).len();
        let first = line(&text[start..end])?;
        let newline: &[u8] = if first.ends_with(b"\r\n") {
            b"\r\n"
        } else {
            b"\n"
        };
        let block = Block {
            before: text[..start].to_vec(),
            end: text[end..len].to_vec(),
            first: begin,
            width: first.strip_suffix(newline)?.len(),
            newline,
        };
        let mut letters = text[start..end].to_vec();
        letters.retain(|byte| !b"\r\n".contains(byte));
        let content = STANDARD.decode(&letters).ok()?;
        let mut again = Vec::new();
        block.pack(&content, &mut again);
        (again == text[..len]).then_some((block, content, len))
    }

    fn pack(&self, content: &[u8], to: &mut Vec<u8>) {
        to.extend(&self.before);
        let letters = STANDARD.encode(content).into_bytes();
        for line in letters.chunks(self.width.max(1)) {
            to.extend([line, self.newline].concat());
        }
        to.extend(&self.end);
    }
}

/// The name of a block in a folder: as they are sorted, so they stand.
fn name(place: usize) -> Vec<u8> {
    format!("{place:08}").into_bytes()
}

/// The line that a text begins with, if it ends.
fn line(text: &[u8]) -> Option<&[u8]> {
    let end = text.iter().position(|&byte| byte == b'\n')?;
    Some(&text[..=end])
}

fn find(text: &[u8], wanted: &[u8]) -> Option<usize> {
    text.windows(wanted.len())
        .position(|window| window == wanted)
}

#[cfg(test)]
mod tests {
    use super::super::Archive;
    use super::super::tests::check_hostile;
    use super::*;

    const KEY: &[u8] = b"A:\r\n-----BEGIN KEY-----\r\nMAYCAQEC\r\nAQI=\r\n-----END KEY-----\r\n";

    #[test]
    fn what_is_between_the_lines_is_decoded() {
        let (archive, content) = Archive::read(KEY).unwrap();
        assert_eq!(content, b"\x30\x06\x02\x01\x01\x02\x01\x02");
        assert!(!archive.has_files() && *archive.pack(&content) == *KEY);
        let less = archive.pack(b"\x30\0");
        assert_eq!(
            &*less,
            b"A:\r\n-----BEGIN KEY-----\r\nMAA=\r\n-----END KEY-----\r\n"
        );
    }

    #[test]
    fn lines_around_a_block_can_go() {
        let container = container(KEY).unwrap();
        let parts: Vec<_> = container
            .parts()
            .iter()
            .map(|it| (it.start, it.end))
            .collect();
        assert_eq!(parts, [(0, 4)]);
        assert!(super::container(b"A key:\r\n").is_none());
        let program = [KEY, &b"a line\n".repeat(200)].concat();
        assert!(super::container(&program).is_none());
    }

    #[test]
    fn several_blocks_are_a_folder() {
        let chain = [KEY, b"-----BEGIN A-----\nMAA=\n-----END A-----\nend\n"].concat();
        let (archive, folder) = Archive::read(&chain).unwrap();
        assert!(archive.has_files() && *archive.pack(&folder) == *chain);
        let mut less = Vec::new();
        add(&mut less, b"00000001", b"\x30\0");
        let left = b"-----BEGIN A-----\nMAA=\n-----END A-----\nend\n";
        assert_eq!(*archive.pack(&less), *left);
    }

    #[test]
    fn what_is_written_in_another_way_is_left_alone() {
        for text in [
            &b"-----BEGIN A-----\nVersion: 1\n\nMAA=\n-----END A-----\n"[..],
            b"-----BEGIN A-----\nMAY\nCAQEC\n-----END A-----\n",
            b"-----BEGIN A-----\nMAA=\n",
            b"key = \"\"\"-----BEGIN A-----\nMAYCAQEC\nAQI=\n-----END A-----\n",
            b"key = \"\"\"\n-----BEGIN A-----\nMAYCAQEC\nAQI=\n-----END A-----\n\"\"\"",
        ] {
            assert!(Archive::read(text).is_none(), "{}", text.escape_ascii());
        }
    }

    #[test]
    fn lies_end_well() {
        check_hostile(KEY);
        check_hostile(&[KEY, KEY].concat());
    }
}
