//! Finding chains of records: following lengths, and telling what is there from what is chance.

use alloc::vec::Vec;
use core::ops::Range;

use super::layout::{DER, EBML, Layout, TAG_MAX, der_values, filled, record};
use crate::formats::container::Encoding;

/// How many bytes may stand before the first record.
const HEADER_MAX: usize = 128;
/// How many bytes of a record its length may leave out.
pub const FIXED_MAX: usize = 32;
/// How many bytes stand before a length that says itself how long it is, at most.
const SIZED_TAG_MAX: usize = 2;
/// There are at least so many records; fewer are chance.
const RECORDS_MIN: usize = 3;
/// So many records that have names are none by chance.
const NAMED_MIN: usize = 2;
/// There are at least so many where nothing shows that the chain ends.
const OPEN_RECORDS_MIN: usize = 4;
/// How unlikely a chain has to be by chance, as a power of two; and one that does not end with what it
/// is in.
const BITS_MIN: u32 = 26;
const OPEN_BITS_MIN: u32 = 44;
/// A chain that is so unlikely, and ends with what it is in, is none by chance.
const SURE_BITS: u32 = 60;
/// Fewer records than others fill all of what they are in, are laid out plainly, and have a chain in
/// one of them, or lengths of so many bytes.
const FEW_WIDTH_MIN: usize = 3;
/// What it is worth at most that a chain ends with what it is in.
const END_BITS: u32 = 40;
/// What it is worth that all tags are letters.
const LETTERS_BITS: u32 = 12;
/// How many places are looked at to see how often such lengths are there by chance.
const SAMPLES: usize = 256;
/// So many records in a row that are nothing but zeros are none.
const ZEROS_MAX: usize = 4;

/// Lengths of fixed width.
const NUMBERS: [(usize, Encoding); 10] = [
    (8, Encoding::Little),
    (8, Encoding::Big),
    (4, Encoding::Little),
    (4, Encoding::Big),
    (4, Encoding::SevenBits),
    (3, Encoding::Little),
    (3, Encoding::Big),
    (2, Encoding::Little),
    (2, Encoding::Big),
    (1, Encoding::Little),
];

/// Lengths of fixed width that count words of two or four bytes.
const IN_WORDS: [(usize, Encoding); 6] = [
    (4, Encoding::LittleIn(2)),
    (4, Encoding::BigIn(2)),
    (4, Encoding::LittleIn(4)),
    (4, Encoding::BigIn(4)),
    (2, Encoding::LittleIn(4)),
    (2, Encoding::BigIn(4)),
];

/// A chain of records: where it starts and ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Chain {
    pub layout: Layout,
    pub start: usize,
    pub end: usize,
}

/// The chain that a range most likely has in it, if there seems to be one. Lengths in words are looked for
/// in a whole file only.
pub fn find(text: &[u8], range: &Range<usize>, looks: &mut usize) -> Option<Chain> {
    sized(text, range, looks)
        .or_else(|| named(text, range, looks))
        .or_else(|| fixed(text, range, looks))
}

/// The chain of lengths that say themselves how long they are.
fn sized(text: &[u8], range: &Range<usize>, looks: &mut usize) -> Option<Chain> {
    let whole = |layout| Chain {
        layout,
        start: range.start,
        end: range.end,
    };
    let mut some = *looks / 4;
    if der_values(text, range.clone(), &mut some).is_some_and(|values| values >= 5)
        && text[range.start] & 0x20 != 0
    {
        return Some(whole(DER));
    }
    let mut some = *looks / 4;
    let is_ebml = text[range.start] >> 4 == 1
        && filled(text, range.clone(), EBML, &mut some).is_some_and(|(records, _)| records >= 2);
    is_ebml.then(|| whole(EBML))
}

/// The chain of records that fill all of the range, each with a name of four letters beside a length of
/// four bytes, as in IFF and MP4. Inside one there are often records that make a longer chain.
fn named(text: &[u8], range: &Range<usize>, looks: &mut usize) -> Option<Chain> {
    let mut is_named = |layout: Layout| {
        let (mut at, mut records) = (range.start, 0);
        while at < range.end {
            *looks = looks.checked_sub(1)?;
            let record = record(text, at..range.end, layout)?;
            let name = text.get(at + 4 - layout.tag..at + 8 - layout.tag)?;
            let is_letter = |byte: &u8| byte.is_ascii_alphanumeric() || *byte == b' ';
            (name.iter().all(is_letter) && record.end >= at + 8).then_some(())?;
            at = record.end;
            records += 1;
        }
        (records >= NAMED_MIN).then_some(Chain {
            layout,
            start: range.start,
            end: range.end,
        })
    };
    let encodings = [Encoding::Big, Encoding::Little].into_iter();
    let places = [(0, 0), (0, 8), (4, 0), (4, 8)];
    let mut layouts = encodings.flat_map(|encoding| {
        places.into_iter().flat_map(move |(tag, fixed)| {
            [1, 2].map(|multiple| Layout {
                tag,
                width: 4,
                encoding,
                fixed,
                multiple,
            })
        })
    });
    layouts.find_map(&mut is_named)
}

/// The chain of lengths of a fixed width that is least likely to be chance, or the one that has it in
/// one of its records.
fn fixed(text: &[u8], range: &Range<usize>, looks: &mut usize) -> Option<Chain> {
    let mut found: Vec<(u32, Chain)> = Vec::new();
    let share = *looks / (NUMBERS.len() + 1);
    let leb128 = [(0, Encoding::Leb128)];
    let in_words = IN_WORDS.iter().filter(|_| range.len() == text.len());
    for (width, encoding) in NUMBERS.into_iter().chain(leb128).chain(in_words.copied()) {
        let mut some = share;
        // A long number hardly leads from record to record by chance, a short one does; and what is
        // counted in words is never filled up.
        let is_filled = width >= 4 && encoding == encoding.plain();
        let multiples = if is_filled { &[1, 2, 4][..] } else { &[1] };
        let fixed_max = match width {
            0 => SIZED_TAG_MAX,
            1 | 2 => TAG_MAX + width,
            _ => FIXED_MAX,
        };
        for &multiple in multiples {
            for fixed in 0..=fixed_max {
                let layout = Layout {
                    tag: 0,
                    width,
                    encoding,
                    fixed,
                    multiple,
                };
                found.extend(first(text, range, layout, &mut some));
            }
        }
        *looks = looks.saturating_sub(share - some);
    }
    // What ends with the range tells more than what goes on for a while.
    let is_sure = |(bits, chain): &(u32, Chain)| *bits >= SURE_BITS && chain.end == range.end;
    if found.iter().any(is_sure) {
        found.retain(|(_, chain)| chain.end == range.end);
    }
    // The first of those that are equally unlikely.
    let mut best = found.iter().rev().max_by_key(|(bits, _)| bits)?.1;
    let is_few = found.iter().all(|(bits, _)| *bits == 0);
    if is_few && best.layout.width < FEW_WIDTH_MIN {
        return None;
    }
    for _ in 0..found.len() {
        let around = found
            .iter()
            .filter(|(_, chain)| has_in_record(text, *chain, best))
            .min_by_key(|(_, chain)| (chain.start, chain.layout.head()));
        match around {
            Some((_, chain)) => best = *chain,
            None => break,
        }
    }
    Some(best)
}

/// Whether a record of a chain has another chain in what is in it.
fn has_in_record(text: &[u8], chain: Chain, inner: Chain) -> bool {
    let mut at = chain.start;
    while at < chain.end && at < inner.start {
        let Some(record) = record(text, at..chain.end, chain.layout) else {
            return false;
        };
        if record.content.start <= inner.start && inner.end <= record.content.end {
            return true;
        }
        at = record.end;
    }
    false
}

/// A chain, and how unlikely it is by chance, as a power of two: zero where few records fill all.
type Likely = (u32, Chain);

/// The first chain of a layout that is hardly chance. What ends with the range is better than what
/// only goes on for a while.
fn first(text: &[u8], range: &Range<usize>, layout: Layout, looks: &mut usize) -> Option<Likely> {
    let mut last = range.end.min(range.start + HEADER_MAX + layout.tag_max());
    let mut ends: Option<Likely> = None;
    let mut open: Option<Likely> = None;
    // In little there is little by chance.
    let bits_min = BITS_MIN - 10 + range.len().max(1).ilog2().min(10);
    let mut next = range.start;
    while next < last {
        let at = next;
        next += 1;
        // Most of what is zero is no length.
        if step(text, range, at, layout).is_none_or(|step| step <= layout.fixed) {
            continue;
        }
        let Some((records, end)) = walk(text, range, at, layout, looks) else {
            continue;
        };
        let exact = end.checked_sub(range.end);
        if exact.is_none() && (records < OPEN_RECORDS_MIN || layout.width < 2) {
            continue;
        }
        let tags = exact.map_or(0..=layout.tag_max().min(at - range.start), |tag| tag..=tag);
        let chains = tags.filter_map(|tag| tagged(range, at, end, Layout { tag, ..layout }));
        // Another length in the records of a chain that was found is no other chain.
        let is_new = |chain: &Chain| ends.is_none_or(|(_, found)| found.start == chain.start);
        let mut best: Option<Likely> = None;
        for chain in chains.filter(is_new) {
            if records < RECORDS_MIN {
                let is_plain = chain.layout.width >= 2 && strangeness(chain.layout) == 0;
                if is_plain && chain.start == range.start {
                    return Some((0, chain));
                }
                continue;
            }
            best = better(
                best,
                bits(text, range, chain, looks).map(|bits| (bits, chain)),
            );
        }
        let Some((bits, chain)) = best else {
            continue;
        };
        if exact.is_none() && bits >= OPEN_BITS_MIN {
            open = better(open, best);
        } else if exact.is_some() && bits >= bits_min {
            ends = better(ends, best);
            last = last.min(chain.start + layout.fixed + 1);
        }
    }
    ends.or(open)
}

/// The first of two, unless the other one is less likely by chance.
fn better(first: Option<Likely>, other: Option<Likely>) -> Option<Likely> {
    match (first, other) {
        (Some(first), Some(other)) if other.0 > first.0 => Some(other),
        (first, other) => first.or(other),
    }
}

/// The chain of a layout whose first length is at `at`, and whose next one would be at `end`.
fn tagged(range: &Range<usize>, at: usize, end: usize, layout: Layout) -> Option<Chain> {
    let fits = match layout.width {
        0 => layout.tag == layout.fixed,
        _ => layout.fixed == 0 || layout.tag <= layout.fixed,
    };
    let start = at.checked_sub(layout.tag)?;
    (fits && start >= range.start).then_some(Chain {
        layout,
        start,
        end: end - layout.tag,
    })
}

/// Follows lengths from the one at `at`: how many records there are, and where the length behind the
/// last of them would be. That is behind the end by as much as the length of a record is behind its
/// start, or before it, if what comes last is no record.
fn walk(
    text: &[u8],
    range: &Range<usize>,
    mut at: usize,
    layout: Layout,
    looks: &mut usize,
) -> Option<(usize, usize)> {
    let (mut records, mut zeros) = (0, 0);
    loop {
        if at >= range.end {
            break;
        }
        *looks = looks.checked_sub(1)?;
        let step = step(text, range, at, layout);
        let Some(step) = step.filter(|&step| step <= range.end + layout.tag_max() - at) else {
            break;
        };
        let is_zero = text[at..range.end.min(at + step)]
            .iter()
            .all(|&byte| byte == 0);
        zeros = if is_zero { zeros + 1 } else { 0 };
        records += 1;
        at += step;
        if zeros == ZEROS_MAX {
            records -= zeros;
            at -= zeros * step;
            break;
        }
    }
    let is_right = records >= RECORDS_MIN || at >= range.end && records > 0;
    is_right.then_some((records, at))
}

/// How far it is from a length to the next one.
fn step(text: &[u8], range: &Range<usize>, at: usize, layout: Layout) -> Option<usize> {
    let bytes = text.get(at..range.end)?;
    let own = if layout.width > 0 {
        0
    } else {
        layout.encoding.len_of(bytes)?
    };
    let bytes = bytes.get(..layout.width + own)?;
    let value = usize::try_from(layout.encoding.read(bytes)?).ok()?;
    let padded = value.checked_next_multiple_of(layout.multiple)?;
    padded
        .checked_add(layout.fixed + own)
        .filter(|&step| step > 0)
}

/// How unlikely it is that a chain is chance, as a power of two: its lengths are small where others in
/// the same bytes are not, and its tags are the same where other bytes are not.
fn bits(text: &[u8], range: &Range<usize>, chain: Chain, looks: &mut usize) -> Option<u32> {
    let layout = chain.layout;
    let (mut at, mut largest, mut lengths, mut content) = (chain.start, 0, 0, 0);
    let mut heads: Vec<Range<usize>> = Vec::new();
    let mut same = 0;
    let stride = (range.len() / SAMPLES).max(1);
    let samples = || (range.start..range.end).step_by(stride);
    let mut often = [0_u32; 256];
    samples().for_each(|at| often[usize::from(text[at])] += 1);
    let rarity = |byte: u8| {
        (samples().count() as u32 / often[usize::from(byte)].max(1))
            .max(1)
            .ilog2()
    };
    let mut before: Option<usize> = None;
    let mut has_letters = layout.tag >= 3;
    while at < chain.end {
        *looks = looks.checked_sub(1)?;
        let record = record(text, at..range.end, layout)?;
        let value = record.len?.value;
        largest = largest.max(value);
        lengths += u32::from(value > 0);
        content += record.content.len();
        let len = record.len?;
        heads.push(record.start..(record.start + layout.fixed).max(len.end));
        let name = text.get(record.start..record.start + 3);
        has_letters &= name.is_some_and(|name| name.iter().all(u8::is_ascii_alphanumeric));
        if let Some(before) = before {
            let head = (0..layout.fixed.min(TAG_MAX + 4)).filter(|&at| {
                let (this, that) = (record.start + at, before + at);
                let is_length = (len.start..len.end).contains(&this);
                !is_length && text.get(this) == text.get(that)
            });
            let bytes = head.map(|at| text[record.start + at]);
            let equal: u32 = bytes
                .filter(|&byte| byte != 0)
                .map(|byte| rarity(byte).min(4))
                .sum();
            same += equal.min(8);
        }
        before = Some(at);
        at = record.end;
    }
    let is_right = at == chain.end && content >= (chain.end - chain.start) / 4;
    if !is_right || lengths == 0 {
        return None;
    }
    let (mut seen, mut small) = (0_u32, 0_u32);
    for at in samples() {
        // A length may stand in its record twice.
        let before = heads.partition_point(|head| head.start <= at);
        let head = before.checked_sub(1).map(|before| &heads[before]);
        if head.is_some_and(|head| head.contains(&at)) {
            continue;
        }
        *looks = looks.checked_sub(1)?;
        let Some(value) = number(text, at..range.end, layout) else {
            continue;
        };
        seen += 1;
        small += u32::from((1..=largest).contains(&value));
    }
    let each = ((seen + 1) * 16 / (small * 16 + 1)).max(1).ilog2();
    // What is hardly anything but heads tells nothing.
    let each = each.min(2 * (seen + 1).ilog2());
    let average = (chain.end - chain.start) / heads.len().max(1);
    let ends = if chain.end == range.end {
        let few = heads.len().min(3) as u32;
        END_BITS.min(few * average.max(1).ilog2())
    } else {
        0
    };
    let same = same + if has_letters { LETTERS_BITS } else { 0 };
    // That tags are the same says little where lengths say nothing.
    let usual = lengths.saturating_mul(each);
    (usual + usual.min(same) + ends).checked_sub(strangeness(layout))
}

/// How much less is to be expected of a layout than of one whose length stands right before what it
/// counts, or counts itself as well, as a power of two.
fn strangeness(layout: Layout) -> u32 {
    let behind = layout.fixed.saturating_sub(layout.tag + layout.width) as u32;
    let is_plain = behind == 0 || [0, layout.tag].contains(&layout.fixed);
    let is_in_words = layout.encoding != layout.encoding.plain();
    let padded = if layout.multiple > 1 || is_in_words {
        4
    } else {
        0
    };
    padded + if is_plain { 0 } else { 6 + behind / 2 }
}

fn number(text: &[u8], range: Range<usize>, layout: Layout) -> Option<u64> {
    let bytes = text.get(range)?;
    let width = match layout.width {
        0 => layout.encoding.len_of(bytes)?,
        width => width,
    };
    layout.encoding.read(bytes.get(..width)?)
}
