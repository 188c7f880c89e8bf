//! How the records of a chain are laid out, and reading them.

use core::ops::Range;

use crate::formats::container::{Encoding, Number, Reader};

/// How many bytes a tag may have, and one in front of a length of eight bytes, as in ASF.
pub const TAG_MAX: usize = 8;
const LONG_TAG_MAX: usize = 16;
/// Where values in DER don't fill what they are in, there are so many others.
const VALUES_PER_DAMAGE: usize = 16;

/// Where the length of a record is, and how it is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Layout {
    /// How many bytes stand before the length; those of DER and EBML say it themselves.
    pub tag: usize,
    /// How many bytes the length has; none if it says so itself.
    pub width: usize,
    pub encoding: Encoding,
    /// How many bytes of a record its length leaves out; none if it counts all of them.
    pub fixed: usize,
    /// The content is filled up with zeros to a multiple of this.
    pub multiple: usize,
}

impl Layout {
    /// Lengths that say themselves how many bytes they have, behind a tag.
    pub const fn sized(encoding: Encoding, tag: usize) -> Layout {
        Layout {
            tag,
            width: 0,
            encoding,
            fixed: tag,
            multiple: 1,
        }
    }

    /// How many bytes may stand before the length.
    pub fn tag_max(self) -> usize {
        if self.width == 8 {
            LONG_TAG_MAX
        } else {
            TAG_MAX
        }
    }

    /// How many bytes of a record are certainly not content.
    pub fn head(self) -> usize {
        self.fixed.max(self.tag + self.width)
    }
}

/// DER, and whatever else is written by the rules of ASN.1.
pub const DER: Layout = Layout::sized(Encoding::Der, 1);
/// EBML, as in Matroska.
pub const EBML: Layout = Layout::sized(Encoding::Vint, 1);

/// A record: all of it, what its length counts, what is in it, and the length, if that is known.
#[derive(Clone, Debug)]
pub struct Record {
    pub start: usize,
    pub counted: Range<usize>,
    pub content: Range<usize>,
    pub end: usize,
    pub len: Option<Number>,
}

/// The record that a range begins with.
pub fn record(text: &[u8], range: Range<usize>, layout: Layout) -> Option<Record> {
    let mut reader = Reader::new(text, range.start, range.end);
    let tag = match layout.encoding {
        Encoding::Der => der_tag(reader.rest())?,
        Encoding::Vint => ebml_tag(reader.rest())?,
        _ => layout.tag,
    };
    reader.take(tag as u64)?;
    let (len, fixed) = if layout.width > 0 {
        let len = reader.number(layout.width, layout.encoding)?;
        (Some(len), layout.fixed)
    } else if layout.encoding == Encoding::Vint && is_open(reader.rest()) {
        // Such an element goes on as long as there are others.
        reader.take(Encoding::Vint.len_of(reader.rest())? as u64)?;
        (None, reader.at - range.start)
    } else {
        let len = reader.sized_number(layout.encoding)?;
        (Some(len), reader.at - range.start)
    };
    let from = range.start.checked_add(fixed)?;
    let to = |len: Number| from.checked_add(usize::try_from(len.value).ok()?);
    // A large element may have been cut off.
    let is_cut_off = |len: &Number| tag == 4 && to(*len).is_none_or(|to| to > range.end);
    let is_ebml = layout.encoding == Encoding::Vint;
    let len = len.filter(|len| !is_ebml || !is_cut_off(len));
    let to = match len {
        Some(len) => to(len)?,
        None => range.end,
    };
    let end =
        from.checked_add((to.checked_sub(from)?).checked_next_multiple_of(layout.multiple)?)?;
    // The last record of a careless writer lacks its padding.
    let end = if to == range.end { to } else { end };
    let is_right = reader.at <= to && text.get(to..end)?.iter().all(|&byte| byte == 0);
    (is_right && end <= range.end).then(|| Record {
        start: range.start,
        counted: from..to,
        content: from.max(reader.at)..to,
        end,
        len,
    })
}

fn der_tag(bytes: &[u8]) -> Option<usize> {
    match bytes.first()? {
        0 => None,
        first if first & 0x1f < 0x1f => Some(1),
        _ => {
            let more = bytes.iter().skip(1).take(4);
            Some(2 + more.clone().position(|byte| byte & 0x80 == 0)?)
        }
    }
}

fn ebml_tag(bytes: &[u8]) -> Option<usize> {
    Some(bytes.first()?.leading_zeros() as usize + 1).filter(|&len| len <= 4)
}

/// Whether an element of EBML has no known size.
fn is_open(bytes: &[u8]) -> bool {
    matches!(
        bytes,
        [0xff, ..] | [1, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, ..]
    )
}

/// How many records fill a range, and how many bytes are in them; `None` if they don't.
pub fn filled(
    text: &[u8],
    range: Range<usize>,
    layout: Layout,
    looks: &mut usize,
) -> Option<(usize, usize)> {
    let (mut records, mut content, mut at) = (0, 0, range.start);
    while at < range.end {
        *looks = looks.checked_sub(1)?;
        let record = record(text, at..range.end, layout)?;
        records += 1;
        content += record.content.len();
        at = record.end;
    }
    Some((records, content))
}

/// How many values in DER fill a range, with all that are in others, as far as these can be read;
/// `None` if they don't. A file that is damaged in one place has values around that place, and far
/// more of them than there are places; otherwise they are chance.
pub fn der_values(text: &[u8], range: Range<usize>, looks: &mut usize) -> Option<usize> {
    let (mut values, mut damaged) = (0, 0);
    let mut open = alloc::vec![range.clone()];
    while let Some(within) = open.pop() {
        let mut at = within.start;
        while at < within.end {
            *looks = looks.checked_sub(1)?;
            let Some(value) = record(text, at..within.end, DER) else {
                damaged += 1;
                if within == range {
                    return None;
                }
                break;
            };
            values += 1;
            if is_constructed(text, &value) {
                open.push(value.content);
            }
            at = value.end;
        }
    }
    (values >= damaged * VALUES_PER_DAMAGE).then_some(values)
}

/// Whether a value in DER has values in it.
pub fn is_constructed(text: &[u8], value: &Record) -> bool {
    text.get(value.start).is_some_and(|tag| tag & 0x20 != 0)
}
