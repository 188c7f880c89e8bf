//! The constants of this program, as they are in memory.

use std::fs;
use std::hint::black_box;
use std::ops::Range;
use std::ptr;

/// Of the constants so many of the last bytes are asked for.
const LAST: usize = 1 << 20;
/// No page is smaller.
const PAGE: usize = 1 << 12;

/// Has the kernel map the last of this program's constants, among which are those of libraries in C.
///
/// A page of a program is mapped when something of it is read. Where a processor has masked vectors, the
/// C library compares memory with these, also when there is nothing to compare: such a comparison reads
/// nothing, so its page stays unmapped, but because it might have faulted it takes some hundred times as
/// long as others. Parsers of grammars compare an empty constant for each token.
pub fn load_constants() {
    for at in last_constants().into_iter().flatten().step_by(PAGE) {
        // SAFETY: what is mapped of this program's file stays so, and nobody writes to it.
        black_box(unsafe { ptr::read_volatile(ptr::with_exposed_provenance::<u8>(at)) });
    }
}

/// Where they are.
fn last_constants() -> Option<Range<usize>> {
    static CONSTANT: [u8; 8] = *b"constant";
    let known = black_box(&CONSTANT).as_ptr().expose_provenance();
    let maps = fs::read("/proc/self/maps").ok()?;
    let mut ranges = maps.split(|byte| *byte == b'\n').filter_map(range);
    let Range { start, end } = ranges.find(|range| range.contains(&known))?;
    Some(start.max(end.saturating_sub(LAST))..end)
}

/// The addresses that a line of `/proc/self/maps` begins with.
fn range(line: &[u8]) -> Option<Range<usize>> {
    let line = str::from_utf8(line.split(|byte| *byte == b' ').next()?).ok()?;
    let (start, end) = line.split_once('-')?;
    let number = |digits| usize::from_str_radix(digits, 16).ok();
    Some(number(start)?..number(end)?)
}

#[cfg(test)]
mod tests {
    use std::fs::File;
    use std::os::unix::fs::FileExt;

    use super::*;

    #[cfg(target_arch = "x86_64")]
    #[test]
    fn all_of_the_last_constants_are_mapped() {
        load_constants();
        let constants = last_constants().unwrap();
        let pages = File::open("/proc/self/pagemap").unwrap();
        for at in constants.step_by(PAGE) {
            let mut page = [0; 8];
            let place = at / PAGE * page.len();
            pages.read_exact_at(&mut page, place as u64).unwrap();
            assert!(u64::from_ne_bytes(page) >> 63 == 1, "{at:x}");
        }
    }
}
