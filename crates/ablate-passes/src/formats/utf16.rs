//! Text in UTF-16: scripts, resources and exports of Windows. It is reduced as the same text in UTF-8; the
//! parts of the file are its lines, and the mark that says its encoding.

use alloc::string::String;
use alloc::vec::Vec;

use crate::formats::characters::is_text;
use crate::formats::container::{Builder, Container};

/// One in so many characters is of ASCII at least: blanks, ends of lines, brackets. Bytes may look like a mark
/// by chance.
const OF_ASCII: usize = 64;
/// The same where there is no mark.
const OF_ASCII_UNMARKED: usize = 8;
/// A shorter text that doesn't say its encoding could be anything.
const SHORTEST: usize = 16;
/// The bytes of a unit.
const UNIT: usize = 2;

/// The mark and the lines of a text in UTF-16; `None` for what is none.
pub fn container(file: &[u8]) -> Option<Container> {
    let (utf16, text) = Utf16::read(file)?;
    let text = String::from_utf8_lossy(&text);
    let mut builder = Builder::new(file)?;
    let mut at = usize::from(utf16.has_mark) * UNIT;
    let group = builder.group(0);
    builder.part(group, 0, at);
    let group = builder.group(0);
    for line in text.split_inclusive('\n') {
        let end = at + line.encode_utf16().count() * UNIT;
        builder.part(group, at, end);
        at = end;
    }
    Some(builder.finish())
}

/// How a text is written in UTF-16.
#[derive(Clone, Copy, Debug)]
pub struct Utf16 {
    is_little: bool,
    has_mark: bool,
}

impl Utf16 {
    /// How `file` is written, and its text in UTF-8. `None` for what is no text in UTF-16: where a surrogate
    /// stands alone, or a control character other than white space.
    pub fn read(file: &[u8]) -> Option<(Utf16, Vec<u8>)> {
        let marked = match file {
            [0xff, 0xfe, ..] => Some(true),
            [0xfe, 0xff, ..] => Some(false),
            _ => None,
        };
        let read = |is_little, start: usize, of_ascii: usize| {
            let has_mark = start > 0;
            let utf16 = Utf16 {
                is_little,
                has_mark,
            };
            let units = utf16.units(&file[start..])?;
            // Most files are none, and need not be decoded for that.
            let ascii = units.clone().filter(|unit| *unit < 0x80).count();
            if ascii * of_ascii < units.len() {
                return None;
            }
            Some((utf16, decoded(units)?.into_bytes()))
        };
        match marked {
            Some(is_little) => read(is_little, UNIT, OF_ASCII),
            None if file.len() < SHORTEST => None,
            None => [true, false]
                .into_iter()
                .find_map(|is_little| read(is_little, 0, OF_ASCII_UNMARKED)),
        }
    }

    /// The units of what is no half one.
    fn units(self, bytes: &[u8]) -> Option<impl ExactSizeIterator<Item = u16> + Clone + '_> {
        let (units, []) = bytes.as_chunks::<UNIT>() else {
            return None;
        };
        Some(units.iter().map(move |&unit| match self.is_little {
            true => u16::from_le_bytes(unit),
            false => u16::from_be_bytes(unit),
        }))
    }

    /// The file with a text, in which what is not UTF-8 is written as U+FFFD.
    pub fn write(self, text: &[u8]) -> Vec<u8> {
        let text = String::from_utf8_lossy(text);
        let mark = self.has_mark.then_some(0xfeff);
        let units = mark.into_iter().chain(text.encode_utf16());
        let bytes = units.flat_map(|unit| match self.is_little {
            true => unit.to_le_bytes(),
            false => unit.to_be_bytes(),
        });
        bytes.collect()
    }
}

/// The text that these say; `None` if they are no text.
fn decoded(units: impl Iterator<Item = u16>) -> Option<String> {
    char::decode_utf16(units)
        .map(|c| c.ok().filter(|&c| is_text(c)))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::formats::archive::Archive;
    use alloc::string::ToString;

    const TEXT: &str = "-- größer als\r\nSELECT N'übung 𝄞'\r\n";

    fn written(is_little: bool, has_mark: bool) -> Vec<u8> {
        let utf16 = Utf16 {
            is_little,
            has_mark,
        };
        utf16.write(TEXT.as_bytes())
    }

    #[test]
    fn is_the_same_file_again_in_each_way_to_write_it() {
        for (is_little, has_mark) in [(true, true), (true, false), (false, true), (false, false)] {
            let file = written(is_little, has_mark);
            let (archive, text) = Archive::read(&file).unwrap();
            assert_eq!(text, TEXT.as_bytes());
            assert!(!archive.has_files() && archive.pack(&text) == file);
            assert_eq!(file.starts_with(b"\xff\xfe"), is_little && has_mark);
        }
    }

    #[test]
    fn what_is_cut_within_a_letter_is_written() {
        let (archive, text) = Archive::read(&written(true, true)).unwrap();
        let cut = archive.pack(&text[..6]);
        let (_, again) = Archive::read(&cut).unwrap();
        assert_eq!(again, "-- gr\u{fffd}".as_bytes());
    }

    #[test]
    fn other_files_are_not_text_in_utf_16() {
        let alone = [&b"\xff\xfe"[..], &[0x00, 0xd8, b'a', 0]].concat();
        let control = [&b"\xff\xfe"[..], &[1, 0, b'a', 0]].concat();
        let odd = [&written(true, true)[..], b"\0"].concat();
        let ascii = TEXT.replace('\r', "").to_string().into_bytes();
        let numbers: Vec<u8> = (1000..1400u16).flat_map(u16::to_le_bytes).collect();
        let chance = b"\xff\xfe\x93\x80\x13\xc3";
        for file in [
            &alone[..],
            chance,
            &control,
            &odd,
            &ascii,
            &numbers,
            b"a\0b\0",
            b"",
        ] {
            assert!(Utf16::read(file).is_none(), "{file:?}");
        }
    }
}
