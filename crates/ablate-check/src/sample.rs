//! How choices are made at random: edge values, repeats of earlier values, small and large ones
//! mixed. Nothing here is part of a test case: a replay does not come by.

use std::sync::Arc;

use rand_core::Rng;
use rand_xoshiro::Xoshiro256PlusPlus;

use crate::choice::{Alphabet, Choice, FloatRange, IntegerRange, Sizes, Value};

/// How large a test case should become. The first ones are small, then small and large are mixed.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Plan {
    /// The usual greatest length of a collection that nothing encloses.
    len: u32,
    /// Above how many choices everything is kept small.
    budget: usize,
    /// Whether recursive values become long chains.
    has_chains: bool,
    /// How long every collection in a collection is, and every one in such a one, if all are equally long.
    even: Option<[u32; 2]>,
}

impl Default for Plan {
    fn default() -> Plan {
        Plan {
            len: 16,
            budget: 1024,
            has_chains: false,
            even: None,
        }
    }
}

/// So deep a chain hardly grows: what is deeper than generators may nest is no test case.
const DEEP: u32 = 120;

impl Plan {
    /// The plan for the case with this number and seed.
    pub(crate) fn for_case(case: u64, seed: u64) -> Plan {
        let len = match case {
            0..8 => 1 + case as u32,
            // From the 128th on: log-uniform from 2 to 63, and one in 32 larger.
            128.. if seed & 31 == 7 => 100,
            _ => {
                let most = u64::from(case.ilog2() - 2).min(5);
                let bits = 1 + (seed >> 8) % most;
                (1 << bits) + ((seed >> 16) & ((1 << bits) - 1)) as u32
            }
        };
        Plan {
            len,
            budget: 1024,
            has_chains: case >= 128 && (seed >> 40) & 15 == 5,
            even: (case >= 128 && (seed >> 44) & 31 == 9).then(|| {
                // Log-uniform up to 31, and up to 7.
                let len = |bits: u64, dice: u64| (1 << bits) + (dice & ((1 << bits) - 1)) as u32;
                [
                    len((seed >> 49) % 5, seed >> 52),
                    len((seed >> 57) % 3, seed >> 60),
                ]
            }),
        }
    }

    /// The length that every collection at this depth has.
    fn even_len(&self, depth: u32) -> Option<u32> {
        let place = usize::try_from(depth.checked_sub(2)?).ok()?;
        self.even?.get(place).copied()
    }

    /// How many choices make a test case so large that what is inside is as if it were one deeper.
    pub(crate) fn crowd(&self) -> usize {
        match self.even {
            Some(_) => self.budget,
            None => 256,
        }
    }

    /// A probability that falls with depth and size, for what makes recursive values larger.
    pub(crate) fn growth(&self, depth: u32, choices: usize) -> f64 {
        if choices > self.budget {
            return 0.05;
        }
        // While there are few choices for each level, every value has one that holds it, or few: such
        // as of a list. What branches soon has more, and goes on as usual.
        if self.has_chains && choices <= 64 + 4 * depth as usize && depth < DEEP {
            return 0.97;
        }
        let reach = 1.0 + f64::from(self.len.ilog2());
        0.7 * (reach / (reach + f64::from(depth)))
    }
}

/// A number below 1, at least 0.
pub(crate) fn unit(random: &mut Xoshiro256PlusPlus) -> f64 {
    (random.next_u64() >> 11) as f64 / (1u64 << 53) as f64
}

fn below(random: &mut Xoshiro256PlusPlus, count: u64) -> u64 {
    ((u128::from(random.next_u64()) * u128::from(count)) >> 64) as u64
}

/// The place of a weight, as likely as the weight is great.
pub(crate) fn weighted(random: &mut Xoshiro256PlusPlus, weights: &[u32]) -> usize {
    let total: u64 = weights.iter().map(|w| u64::from(*w)).sum();
    let mut at = below(random, total.max(1));
    for (index, &weight) in weights.iter().enumerate() {
        if at < u64::from(weight) {
            return index;
        }
        at -= u64::from(weight);
    }
    0
}

/// The place of a variant; those that hold their own type have together a chance of `growth`.
pub(crate) fn variant(
    random: &mut Xoshiro256PlusPlus,
    variants: &[(u32, bool)],
    growth: f64,
) -> usize {
    let has = |wanted| {
        variants
            .iter()
            .any(|(weight, is)| *weight > 0 && *is == wanted)
    };
    let is_recursive = has(true) && (!has(false) || unit(random) < growth);
    let weight = |&(weight, is): &(u32, bool)| if is == is_recursive { weight } else { 0 };
    let total: u64 = variants.iter().map(|v| u64::from(weight(v))).sum();
    let mut at = below(random, total.max(1));
    for (index, variant) in variants.iter().enumerate() {
        let weight = u64::from(weight(variant));
        if at < weight {
            return index;
        }
        at -= weight;
    }
    0
}

/// An integer of a range.
pub(crate) fn integer(
    random: &mut Xoshiro256PlusPlus,
    _plan: &Plan,
    range: IntegerRange,
    earlier: &[Choice],
) -> i128 {
    let width = range.width();
    let dice = random.next_u64();
    if width < 16 {
        return uniform(dice, range, width);
    }
    let kind = dice & 31;
    match kind {
        // What was drawn before, or near it: equal and neighbouring values matter.
        0..6 if !earlier.is_empty() => repeated(random, range, earlier, dice >> 8)
            .unwrap_or_else(|| uniform(dice, range, width)),
        6..9 => edge(range, dice >> 8),
        9..16 => uniform(random.next_u64(), range, width),
        // Near the origin on either side: first how many bits, then which.
        _ => {
            let bits = 128 - width.leading_zeros();
            let bits = ((dice >> 32) as u32 % bits.max(1)) + 1;
            let wide = u128::from(random.next_u64())
                | if bits > 64 {
                    u128::from(random.next_u64()) << 64
                } else {
                    0
                };
            let index = wide & (u128::MAX >> (128 - bits));
            let index = if index > width { index & width } else { index };
            range.at_index(index.min(width)).unwrap_or(range.origin)
        }
    }
}

/// A month: in February most goes wrong.
pub(crate) fn month(random: &mut Xoshiro256PlusPlus, months: IntegerRange) -> i128 {
    const FEBRUARY: i128 = 2;
    let dice = random.next_u64();
    if months.contains(FEBRUARY) && below(random, 8) == 0 {
        return FEBRUARY;
    }
    uniform(dice, months, months.width())
}

/// A day of a month: its last and its first come more often than the others.
pub(crate) fn day(random: &mut Xoshiro256PlusPlus, days: IntegerRange) -> i128 {
    let dice = random.next_u64();
    match below(random, 8) {
        0 | 1 => days.max,
        2 => days.min,
        _ => uniform(dice, days, days.width()),
    }
}

fn uniform(dice: u64, range: IntegerRange, width: u128) -> i128 {
    let offset = match width.checked_add(1) {
        Some(count) if width < u128::from(u64::MAX) => (u128::from(dice) * count) >> 64,
        _ if width == u128::from(u64::MAX) => u128::from(dice),
        // Twice the same dice would show; spread them over the wider number.
        _ => {
            let wide = u128::from(dice).wrapping_mul(0xda94_2042_e4dd_58b5_9e37_79b9_7f4a_7c15);
            width.checked_add(1).map_or(wide, |count| wide % count)
        }
    };
    range.min.wrapping_add_unsigned(offset)
}

fn edge(range: IntegerRange, dice: u64) -> i128 {
    let step = i128::from((dice >> 8) & 3) - 1;
    let value = match dice & 7 {
        0 => range.min,
        1 => range.max,
        2 => range.origin,
        3 => range.min.saturating_add(step),
        4 => range.max.saturating_sub(step),
        // Powers of two, the bounds of smaller types, and those of ten.
        5 => (1i128 << ((dice >> 16) % 127)).saturating_add(step),
        6 => (-1i128 << ((dice >> 16) % 127)).saturating_add(step),
        _ => 10i128.pow(((dice >> 16) % 20) as u32).saturating_add(step),
    };
    if range.contains(value) {
        value
    } else {
        range.origin
    }
}

fn repeated(
    random: &mut Xoshiro256PlusPlus,
    range: IntegerRange,
    earlier: &[Choice],
    dice: u64,
) -> Option<i128> {
    // A few of the last choices are looked at; integers are common enough.
    for _ in 0..4 {
        let at = below(random, earlier.len() as u64) as usize;
        if let Value::Integer(value) = earlier[at].value() {
            let step = match dice & 7 {
                0 => i128::from((dice >> 3) & 7) - 4,
                1 => return in_range(range, value.checked_neg()?),
                _ => 0,
            };
            return in_range(range, value.checked_add(step)?);
        }
    }
    None
}

fn in_range(range: IntegerRange, value: i128) -> Option<i128> {
    range.contains(value).then_some(value)
}

/// A floating-point number of a range.
pub(crate) fn float(random: &mut Xoshiro256PlusPlus, range: FloatRange, earlier: &[Choice]) -> f64 {
    const SPECIAL: [f64; 14] = [
        0.0,
        -0.0,
        1.0,
        -1.0,
        0.5,
        f64::INFINITY,
        f64::NEG_INFINITY,
        f64::NAN,
        f64::MIN_POSITIVE,
        f64::EPSILON,
        f64::MAX,
        f64::MIN,
        9_007_199_254_740_993.0,
        5e-324,
    ];
    let dice = random.next_u64();
    let value = match dice & 15 {
        0..3 => SPECIAL[(dice >> 8) as usize % SPECIAL.len()],
        3 => range.least(),
        4 => range.greatest(),
        5 if !earlier.is_empty() => {
            match earlier[below(random, earlier.len() as u64) as usize].value() {
                Value::Float(bits) => f64::from_bits(bits),
                _ => 1.0,
            }
        }
        6..9 => {
            // A small number with few digits.
            let whole = below(random, 1 << (1 + ((dice >> 8) % 20))) as f64;
            let value = whole / f64::from(1u32 << ((dice >> 16) % 8));
            if dice >> 32 & 1 == 0 { value } else { -value }
        }
        9..12 if range.least().is_finite() && range.greatest().is_finite() => {
            let at = unit(random);
            range.least() * (1.0 - at) + range.greatest() * at
        }
        _ => f64::from_bits(random.next_u64()),
    };
    if value.is_nan() && !range.nan {
        return range.nearest(unit(random));
    }
    let value = if value.is_nan() { f64::NAN } else { value };
    range.nearest(value)
}

/// A length for a collection inside `depth` generators.
pub(crate) fn len(random: &mut Xoshiro256PlusPlus, plan: &Plan, sizes: Sizes, depth: u32) -> u32 {
    // Drawn one by one, ten lists hardly ever have ten elements each, or all the same number.
    if let Some(len) = plan.even_len(depth) {
        return len.clamp(sizes.min, sizes.max);
    }
    let dice = random.next_u64();
    let usual = (plan.len >> (2 * depth.saturating_sub(1)).min(31)).max(3);
    let most = sizes.max.min(sizes.min.saturating_add(usual));
    let room = u64::from(most - sizes.min) + 1;
    match dice & 15 {
        0 => sizes.min,
        1 => most,
        2..6 => sizes.min + (below(random, room.min(4)) as u32),
        _ => sizes.min + below(random, room) as u32,
    }
}

/// Bytes.
pub(crate) fn bytes(
    random: &mut Xoshiro256PlusPlus,
    plan: &Plan,
    sizes: Sizes,
    depth: u32,
) -> Arc<[u8]> {
    let len = len(random, plan, sizes, depth);
    let kind = random.next_u64() & 7;
    (0..len)
        .map(|_| {
            let dice = random.next_u64();
            match kind {
                0 => (dice & 1) as u8,
                1 => (dice & 0x7f) as u8,
                _ if dice & 0xf00 == 0 => [0, 1, 0x7f, 0x80, 0xff][(dice >> 16) as usize % 5],
                _ => dice as u8,
            }
        })
        .collect()
}

/// Characters of an alphabet that is not empty.
pub(crate) fn text(
    random: &mut Xoshiro256PlusPlus,
    plan: &Plan,
    alphabet: &Alphabet,
    sizes: Sizes,
    depth: u32,
    earlier: &[Choice],
) -> Arc<str> {
    if let Some(text) = repeated_text(random, alphabet, sizes, earlier) {
        return text;
    }
    let len = len(random, plan, sizes, depth);
    let count = u64::from(alphabet.len());
    let dice = random.next_u64();
    let kind = dice & 7;
    let odd = ODD[(dice >> 8) as usize % ODD.len()];
    let character = |random: &mut Xoshiro256PlusPlus| {
        let few = match kind {
            0 => 4,
            1..4 => 62,
            _ => {
                let dice = random.next_u64();
                // Half of one of the kinds is odd characters, of the others every tenth, any of them.
                let odd = match kind {
                    4 if dice & 1 == 0 => odd,
                    4 => &[],
                    _ if dice.is_multiple_of(10) => ODD[(dice >> 8) as usize % ODD.len()],
                    _ => &[],
                };
                if !odd.is_empty() {
                    let odd = odd[(dice >> 16) as usize % odd.len()];
                    if alphabet.rank(odd).is_some() {
                        return Some(odd);
                    }
                }
                if dice % 10 == 1 { count } else { 95 }
            }
        };
        alphabet.at(below(random, few.min(count)) as u32)
    };
    let text: String = (0..len).filter_map(|_| character(random)).collect();
    text.into()
}

/// Characters that programs stumble over, and that hardly ever come when all are equally likely.
/// Those of one row come together: line ends of two characters, texts of nothing but white space.
const ODD: [&[char]; 6] = [
    // White space, as ASCII and Unicode have it.
    &[
        '\n', '\r', '\t', ' ', '\u{b}', '\u{c}', '\u{85}', '\u{a0}', '\u{2028}', '\u{3000}',
    ],
    // Control characters, and what cannot be seen.
    &[
        '\0', '\u{1}', '\u{7}', '\u{8}', '\u{1b}', '\u{1f}', '\u{7f}', '\u{80}', '\u{ad}',
        '\u{200b}', '\u{202e}', '\u{feff}',
    ],
    // What has a meaning in some language or format.
    &[
        '"', '\'', '\\', '/', '%', '&', '<', '>', '$', '{', '}', '`', ',', ';', '=', '#', '-', '.',
    ],
    // Letters that have more, fewer, longer or shorter ones as other case.
    &[
        'ß', 'ẞ', 'İ', 'ı', 'ſ', 'ŉ', 'ǅ', 'ΐ', 'Σ', 'ς', 'ﬁ', 'Ⱥ', 'K', 'Å', 'µ', 'ÿ', 'é', 'Ж',
    ],
    // What combines with its neighbours, is written from the right, or is wide; digits of others.
    &[
        'e', '\u{301}', '\u{323}', '\u{200d}', '\u{fe0f}', '👩', '🏽', '🇩', '🇪', '각', '\u{1100}',
        'א', 'ا', '٣', '²', '½', '中',
    ],
    // The first and the last of each length in UTF-8 and UTF-16, and beside the surrogates.
    &[
        '\u{7f}',
        '\u{80}',
        '\u{7ff}',
        '\u{800}',
        '\u{d7ff}',
        '\u{e000}',
        '\u{fffd}',
        '\u{ffff}',
        '\u{10000}',
        '\u{10ffff}',
    ],
];

fn repeated_text(
    random: &mut Xoshiro256PlusPlus,
    alphabet: &Alphabet,
    sizes: Sizes,
    earlier: &[Choice],
) -> Option<Arc<str>> {
    if random.next_u64() & 15 != 0 || earlier.is_empty() || sizes.max <= 1 {
        return None;
    }
    match earlier[below(random, earlier.len() as u64) as usize].value() {
        Value::Text(text)
            if sizes.contains(text.chars().count())
                && text.chars().all(|c| alphabet.rank(c).is_some()) =>
        {
            Some(text)
        }
        _ => None,
    }
}
