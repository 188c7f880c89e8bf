//! Compound files, as older office documents and installers are: streams in storages, all of them in sectors that
//! tables chain. They are written anew, streams one after another.

use alloc::collections::BTreeMap;
use alloc::string::String;
use alloc::vec;
use alloc::vec::Vec;

use crate::formats::container::{CONTENT_MAX, Encoding};
use crate::formats::folder::{Entries, add};

/// What such a file begins with.
const MAGIC: &[u8] = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1";
/// The length of a header, and where it has what.
const HEADER: usize = 512;
const SECTOR_SHIFT: usize = 30;
const SMALL_SHIFT: usize = 32;
const DIRECTORY_SECTORS: usize = 40;
const TABLE_SECTORS: usize = 44;
const DIRECTORY: usize = 48;
const CUTOFF: usize = 56;
const SMALL_TABLE: usize = 60;
const SMALL_TABLE_SECTORS: usize = 64;
const MORE: usize = 68;
const MORE_SECTORS: usize = 72;
const TABLES: usize = 76;
/// How many sectors of the table a header can name.
const NAMED: usize = 109;
/// Small sectors have at least so many bytes.
const SMALLEST: usize = 16;
/// Numbers of sectors that are none: the end of a chain, a part of the table, more names of these, none at all.
const END: u32 = 0xffff_fffe;
const OF_TABLE: u32 = 0xffff_fffd;
const OF_MORE: u32 = 0xffff_fffc;
const FREE: u32 = 0xffff_ffff;
/// The length of an entry of the directory, and where it has what.
const ENTRY: usize = 128;
const NAME_LEN: usize = 64;
const TYPE: usize = 66;
const COLOR: usize = 67;
const LEFT: usize = 68;
const RIGHT: usize = 72;
const CHILD: usize = 76;
const LINKS: [usize; 3] = [LEFT, RIGHT, CHILD];
const START: usize = 116;
const SIZE: usize = 120;
/// Types of entries.
const STORAGE: u8 = 1;
const STREAM: u8 = 2;
const ROOT: u8 = 5;
/// Black.
const BLACK: u8 = 1;

/// What a compound file says besides the names and contents of its streams.
#[derive(Clone, Debug)]
pub struct CompoundMembers {
    header: Vec<u8>,
    sizes: Sizes,
    root: Vec<u8>,
    /// The entries of all streams and storages, by their paths.
    entries: BTreeMap<Vec<u8>, Vec<u8>>,
}

/// How large things are in a compound file.
#[derive(Clone, Copy, Debug)]
struct Sizes {
    sector: usize,
    /// The sectors of small streams, which stand in a stream of their own.
    small_sector: usize,
    /// A stream that has so many bytes is not small.
    cutoff: usize,
}

impl Sizes {
    fn read(header: &[u8]) -> Option<Sizes> {
        let size = |at: usize| {
            let shift = Encoding::Little.read(header.get(at..at + 2)?)?;
            (shift <= 16).then(|| 1 << shift)
        };
        let sizes = Sizes {
            sector: size(SECTOR_SHIFT)?,
            small_sector: size(SMALL_SHIFT)?,
            cutoff: number(header, CUTOFF)? as usize,
        };
        let is_right = sizes.sector >= HEADER && sizes.small_sector >= SMALLEST;
        (is_right && sizes.cutoff <= CONTENT_MAX).then_some(sizes)
    }
}

impl CompoundMembers {
    /// The streams of the compound file that `file` is, as the bytes of a folder.
    pub fn read(file: &[u8]) -> Option<(CompoundMembers, Vec<u8>)> {
        if !file.starts_with(MAGIC) || !(HEADER..=CONTENT_MAX).contains(&file.len()) {
            return None;
        }
        let sizes = Sizes::read(file)?;
        let sectors = Sectors::of_file(file, sizes)?;
        let directory = sectors.chain(number(file, DIRECTORY)?)?;
        let all: Vec<&[u8]> = directory.chunks_exact(ENTRY).collect();
        let root = *all.first().filter(|root| root[TYPE] == ROOT)?;
        let small = sectors.chain(number(root, START)?)?;
        let small = Sectors {
            bytes: &small,
            size: sizes.small_sector,
            table: numbers(&sectors.chain(number(file, SMALL_TABLE)?)?),
        };
        let mut found = CompoundMembers {
            header: file[..HEADER].to_vec(),
            sizes,
            root: root.to_vec(),
            entries: BTreeMap::new(),
        };
        let mut contents = BTreeMap::new();
        // What is still to be read, with the path of what it is in.
        let mut open = vec![(Vec::new(), number(root, CHILD)?)];
        while let Some((around, place)) = open.pop() {
            if place == FREE {
                continue;
            }
            let entry = *all.get(place as usize)?;
            let path: Vec<u8> = [&around[..], &name(entry)?].concat();
            for beside in [LEFT, RIGHT] {
                open.push((around.clone(), number(entry, beside)?));
            }
            match entry[TYPE] {
                STORAGE => open.push(([&path[..], b"/"].concat(), number(entry, CHILD)?)),
                STREAM => {
                    let size = number(entry, SIZE)? as usize;
                    let sectors = if size < sizes.cutoff {
                        &small
                    } else {
                        &sectors
                    };
                    let mut content = match size {
                        0 => Vec::new(),
                        _ => sectors.chain(number(entry, START)?)?,
                    };
                    (size <= content.len()).then_some(())?;
                    content.truncate(size);
                    contents.insert(path.clone(), content);
                }
                _ => return None,
            }
            // What is named twice would be read for ever.
            let is_new = found.entries.insert(path, entry.to_vec()).is_none();
            is_new.then_some(())?;
        }
        let mut folder = Vec::new();
        for (path, content) in &contents {
            add(&mut folder, path, content);
        }
        (!contents.is_empty()).then_some((found, folder))
    }

    /// The compound file with the streams that are in a folder, of those that it had.
    pub fn pack(&self, folder: &[u8]) -> Vec<u8> {
        let entries = Entries::new(folder);
        let streams = entries.all().iter().filter_map(|entry| {
            let path = entry.name(folder);
            let is_stream = self.entries.get(&path)?[TYPE] == STREAM;
            is_stream.then(|| (path, entry.content(folder)))
        });
        self.write(&streams.collect())
    }

    fn write(&self, streams: &BTreeMap<Vec<u8>, Vec<u8>>) -> Vec<u8> {
        let mut out = Writer::new(self.sizes.sector);
        let mut small = Writer::new(self.sizes.small_sector);
        // The root, the storages that have something in them, and the streams.
        let mut nodes = vec![Node::new(b"", 0, 0)];
        for (path, content) in streams {
            let slashes = path.iter().enumerate().filter(|(_, byte)| **byte == b'/');
            nodes.extend(slashes.map(|(slash, _)| Node::new(&path[..slash], 0, 0)));
            let of_it = match content.len() < self.sizes.cutoff {
                true => &mut small,
                false => &mut out,
            };
            nodes.push(Node::new(path, of_it.add(content, 0), content.len()));
        }
        nodes.sort_by_cached_key(|node| node.path.to_vec());
        nodes.dedup_by_key(|node| node.path);
        nodes[0].start = out.add(&small.sectors, 0);
        nodes[0].len = small.sectors.len();
        let small_table = bytes_of(&small.table);
        let mut header = self.header.clone();
        let sectors = small_table.len().div_ceil(out.size);
        put(&mut header, SMALL_TABLE_SECTORS, sectors as u32);
        put(&mut header, SMALL_TABLE, out.add(&small_table, 0xff));
        let directory = self.directory(nodes);
        put(&mut header, DIRECTORY, out.add(&directory, 0));
        if number(&header, DIRECTORY_SECTORS) != Some(0) {
            let sectors = directory.len() / out.size;
            put(&mut header, DIRECTORY_SECTORS, sectors as u32);
        }
        out.finish(header)
    }

    /// The entry of a path.
    fn entry(&self, path: &[u8]) -> &[u8] {
        let entry = self.entries.get(path);
        entry.map_or(&self.root, |entry| entry)
    }

    /// The entries of all nodes, which are sorted by their paths.
    fn directory(&self, mut nodes: Vec<Node<'_>>) -> Vec<u8> {
        // What is in one storage, one beside the other, in a tree.
        let mut beside: Vec<usize> = (1..nodes.len()).collect();
        beside.sort_by_cached_key(|place| {
            let node = &nodes[*place];
            (node.around().to_vec(), sorted_by(self.entry(node.path)))
        });
        while let Some(&first) = beside.first() {
            let around = nodes[first].around();
            let is_there = |place: &&usize| nodes[**place].around() == around;
            let rest = beside.split_off(beside.iter().take_while(is_there).count());
            let found = nodes.binary_search_by_key(&around, |node| node.path);
            let top = tree(&mut nodes, &beside);
            if let Ok(storage) = found {
                nodes[storage].links[2] = top;
            }
            beside = rest;
        }
        let mut directory = Vec::new();
        for node in &nodes {
            let mut entry = self.entry(node.path).to_vec();
            entry[COLOR] = BLACK;
            for (at, link) in LINKS.into_iter().zip(node.links) {
                put(&mut entry, at, link);
            }
            put(&mut entry, START, node.start);
            put(&mut entry, SIZE, node.len as u32);
            put(&mut entry, SIZE + 4, 0);
            directory.extend(entry);
        }
        while !directory.len().is_multiple_of(self.sizes.sector) {
            let mut unused = vec![0; ENTRY];
            for at in LINKS {
                put(&mut unused, at, FREE);
            }
            directory.extend(unused);
        }
        directory
    }
}

/// A stream or a storage that is to be written; its place among all is its number.
struct Node<'a> {
    path: &'a [u8],
    /// The first sector of a stream, and its length.
    start: u32,
    len: usize,
    /// What stands where [`LINKS`] are.
    links: [u32; 3],
}

impl<'a> Node<'a> {
    fn new(path: &'a [u8], start: u32, len: usize) -> Node<'a> {
        Node {
            path,
            start,
            len,
            links: [FREE; 3],
        }
    }

    /// The path of the storage that it is in.
    fn around(&self) -> &'a [u8] {
        let slash = self.path.iter().rposition(|&byte| byte == b'/');
        &self.path[..slash.unwrap_or(0)]
    }
}

/// Makes a tree of nodes that are sorted: the number of the one in the middle.
fn tree(nodes: &mut [Node<'_>], beside: &[usize]) -> u32 {
    let (before, behind) = beside.split_at(beside.len() / 2);
    let Some((&top, behind)) = behind.split_first() else {
        return FREE;
    };
    nodes[top].links[0] = tree(nodes, before);
    nodes[top].links[1] = tree(nodes, behind);
    top as u32
}

/// What entries beside each other are sorted by: the shorter name is first, then letters count as in upper case.
fn sorted_by(entry: &[u8]) -> (usize, Vec<u16>) {
    let name = units(entry).unwrap_or_default();
    let upper =
        |unit: &u16| u8::try_from(*unit).map_or(*unit, |byte| byte.to_ascii_uppercase().into());
    (name.len(), name.iter().map(upper).collect())
}

/// The name in an entry, in UTF-16.
fn units(entry: &[u8]) -> Option<Vec<u16>> {
    let len = Encoding::Little.read(&entry[NAME_LEN..NAME_LEN + 2])?;
    let len = usize::try_from(len).ok()?.checked_sub(2)?;
    let name = entry.get(..len.min(NAME_LEN))?.chunks_exact(2);
    Some(
        name.map(|pair| u16::from_le_bytes([pair[0], pair[1]]))
            .collect(),
    )
}

/// The name in an entry, as text; `None` if it has none, or one that could not be told from a path.
fn name(entry: &[u8]) -> Option<Vec<u8>> {
    let name: Result<String, _> = char::decode_utf16(units(entry)?).collect();
    let name = name.ok()?.into_bytes();
    (!name.is_empty() && !name.contains(&b'/')).then_some(name)
}

fn number(bytes: &[u8], at: usize) -> Option<u32> {
    let bytes = bytes.get(at..at + 4)?;
    Some(u32::from_le_bytes(bytes.try_into().ok()?))
}

fn put(bytes: &mut [u8], at: usize, number: u32) {
    bytes[at..at + 4].copy_from_slice(&number.to_le_bytes());
}

fn numbers(bytes: &[u8]) -> Vec<u32> {
    let words = bytes.chunks_exact(4);
    words
        .map(|word| u32::from_le_bytes([word[0], word[1], word[2], word[3]]))
        .collect()
}

fn bytes_of(numbers: &[u32]) -> Vec<u8> {
    numbers
        .iter()
        .flat_map(|number| number.to_le_bytes())
        .collect()
}

/// Sectors, and the table that says which one follows which.
struct Sectors<'a> {
    bytes: &'a [u8],
    size: usize,
    table: Vec<u32>,
}

impl<'a> Sectors<'a> {
    /// Those of a file, behind its header.
    fn of_file(file: &'a [u8], sizes: Sizes) -> Option<Sectors<'a>> {
        let mut sectors = Sectors {
            bytes: file.get(sizes.sector..)?,
            size: sizes.sector,
            table: Vec::new(),
        };
        let mut of_table = numbers(&file[TABLES..HEADER]);
        let mut more = number(file, MORE)?;
        let sectors_max = file.len() / sizes.sector;
        for _ in 0..sectors_max {
            let Some(names) = sectors.sector(more) else {
                break;
            };
            let names = numbers(names);
            let (next, names) = names.split_last()?;
            of_table.extend(names);
            more = *next;
        }
        of_table.retain(|number| *number != FREE);
        for number in of_table.into_iter().take(sectors_max) {
            let part = numbers(sectors.sector(number)?);
            sectors.table.extend(part);
        }
        Some(sectors)
    }

    fn sector(&self, number: u32) -> Option<&'a [u8]> {
        let start = (number as usize).checked_mul(self.size)?;
        self.bytes.get(start..start.checked_add(self.size)?)
    }

    /// What is in the sectors from one on.
    fn chain(&self, mut number: u32) -> Option<Vec<u8>> {
        let mut content = Vec::new();
        while number != END {
            content.extend(self.sector(number)?);
            (content.len() <= self.bytes.len()).then_some(())?;
            number = *self.table.get(number as usize)?;
        }
        Some(content)
    }
}

/// Sectors that are being written.
struct Writer {
    size: usize,
    sectors: Vec<u8>,
    table: Vec<u32>,
}

impl Writer {
    fn new(size: usize) -> Writer {
        Writer {
            size,
            sectors: Vec::new(),
            table: Vec::new(),
        }
    }

    /// Adds sectors with a content, filled up with some byte; the number of the first one.
    fn add(&mut self, content: &[u8], fill: u8) -> u32 {
        if content.is_empty() {
            return END;
        }
        let first = self.table.len() as u32;
        self.sectors.extend(content);
        let len = self.sectors.len().next_multiple_of(self.size);
        self.sectors.resize(len, fill);
        self.table.extend(first + 1..(len / self.size) as u32);
        self.table.push(END);
        first
    }

    /// The file with this header, and with the table behind all else.
    fn finish(mut self, mut header: Vec<u8>) -> Vec<u8> {
        let (first, in_sector) = (self.table.len(), self.size / 4);
        let (mut of_table, mut of_more) = (0, 0);
        loop {
            let all = first + of_table + of_more;
            let needed = all.div_ceil(in_sector);
            let more = needed.saturating_sub(NAMED).div_ceil(in_sector - 1);
            if (needed, more) == (of_table, of_more) {
                break;
            }
            (of_table, of_more) = (needed, more);
        }
        let names: Vec<u32> = (first as u32..).take(of_table).collect();
        let first_more = first + of_table;
        self.table.extend(names.iter().map(|_| OF_TABLE));
        self.table.resize(first_more + of_more, OF_MORE);
        self.table.resize(of_table * in_sector, FREE);
        self.sectors.extend(bytes_of(&self.table));
        let (in_header, rest) = names.split_at(of_table.min(NAMED));
        for (place, part) in rest.chunks(in_sector - 1).enumerate() {
            let mut part = part.to_vec();
            part.resize(in_sector - 1, FREE);
            let is_last = place + 1 == of_more;
            part.push(if is_last {
                END
            } else {
                (first_more + place + 1) as u32
            });
            self.sectors.extend(bytes_of(&part));
        }
        for place in 0..NAMED {
            let name = in_header.get(place).copied().unwrap_or(FREE);
            put(&mut header, TABLES + 4 * place, name);
        }
        put(&mut header, TABLE_SECTORS, of_table as u32);
        let more = if of_more > 0 { first_more as u32 } else { END };
        put(&mut header, MORE, more);
        put(&mut header, MORE_SECTORS, of_more as u32);
        header.resize(self.size, 0);
        header.extend(self.sectors);
        header
    }
}

#[cfg(test)]
mod tests {
    use super::super::Archive;
    use super::super::tests::check_hostile;
    use super::*;

    /// An entry of the directory.
    fn entry(kind: u8, name: &str) -> Vec<u8> {
        let mut entry = vec![0; ENTRY];
        let units: Vec<u8> = name.encode_utf16().flat_map(u16::to_le_bytes).collect();
        entry[..units.len()].copy_from_slice(&units);
        entry[NAME_LEN] = units.len() as u8 + 2;
        entry[TYPE] = kind;
        entry
    }

    fn members() -> CompoundMembers {
        let mut file = vec![0; HEADER];
        file[..MAGIC.len()].copy_from_slice(MAGIC);
        file[SECTOR_SHIFT] = 9;
        file[SMALL_SHIFT] = 6;
        put(&mut file, CUTOFF, 4096);
        let names = [
            (STREAM, "b"),
            (STREAM, "\u{5}Summary"),
            (STORAGE, "VBA"),
            (STREAM, "VBA/dir"),
            (STREAM, "VBA/a"),
            (STORAGE, "empty"),
        ];
        let entries = names.iter().map(|(kind, path)| {
            let name = path.rsplit('/').next().unwrap();
            (path.as_bytes().to_vec(), entry(*kind, name))
        });
        CompoundMembers {
            sizes: Sizes::read(&file).unwrap(),
            header: file,
            root: entry(ROOT, "Root Entry"),
            entries: entries.collect(),
        }
    }

    fn folder(streams: &[(&str, &[u8])]) -> Vec<u8> {
        let mut folder = Vec::new();
        for (name, content) in streams {
            add(&mut folder, name.as_bytes(), content);
        }
        folder
    }

    #[test]
    fn streams_are_members_and_can_go() {
        let large = vec![7; 5000];
        let all = folder(&[
            ("\u{5}Summary", b"s"),
            ("VBA/a", &large),
            ("VBA/dir", &[1; 100]),
            ("b", b""),
        ]);
        let file = members().pack(&all);
        let (archive, read) = Archive::read(&file).unwrap();
        assert_eq!(read, all);
        assert!(archive.has_files() && archive.pack(&read) == file);
        let less = folder(&[("VBA/dir", &large), ("elsewhere", b"no stream")]);
        let less = archive.pack(&less);
        let (_, read) = Archive::read(&less).unwrap();
        assert_eq!(read, folder(&[("VBA/dir", &large)]));
        assert!(less.len() < file.len());
    }

    #[test]
    fn a_table_that_the_header_can_not_name_is_named_elsewhere() {
        let all = folder(&[("b", &vec![3; 8 << 20])]);
        let file = members().pack(&all);
        assert!(number(&file, MORE_SECTORS) == Some(1) && number(&file, TABLE_SECTORS) > Some(109));
        assert_eq!(Archive::read(&file).unwrap().1, all);
    }

    #[test]
    fn lies_end_well() {
        check_hostile(&members().pack(&folder(&[("VBA/dir", b"x"), ("b", &[2; 70])])));
    }
}
