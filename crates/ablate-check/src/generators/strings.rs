//! Characters, strings and bytes.

use std::ops::{Range, RangeInclusive};
use std::sync::{Arc, LazyLock};

use super::lengths::Lengths;
use super::numbers::empty;
use crate::choice::{Alphabet, Constraint, Sizes, Value, permitted};
use crate::generator::Generator;
use crate::test_case::TestCase;

/// Every character there is.
static ALL: LazyLock<Arc<Alphabet>> = LazyLock::new(|| Arc::new(Alphabet::all()));

/// See [`string`].
#[derive(Clone, Debug)]
pub struct Strings {
    alphabet: Arc<Alphabet>,
    sizes: Sizes,
}

/// Strings of any characters; shorter is simpler, then more readable characters.
pub fn string() -> Strings {
    Strings {
        alphabet: Arc::clone(&ALL),
        sizes: Sizes::new(0, usize::MAX),
    }
}

impl Strings {
    /// Only these characters.
    pub fn alphabet(mut self, characters: &str) -> Strings {
        self.alphabet = Arc::new(Alphabet::of(characters));
        self
    }

    /// Only characters of this range.
    pub fn range(mut self, range: RangeInclusive<char>) -> Strings {
        self.alphabet = Arc::new(Alphabet::of_ranges([(*range.start(), *range.end())]));
        self
    }

    /// Only ASCII characters.
    pub fn ascii(self) -> Strings {
        self.range('\0'..='\x7f')
    }

    /// Only so many characters.
    pub fn len(mut self, lengths: impl Lengths) -> Strings {
        self.sizes = lengths.sizes();
        self
    }
}

impl Generator for Strings {
    type Value = String;

    #[track_caller]
    fn draw(&self, tc: &mut TestCase) -> String {
        check_characters(&self.alphabet, self.sizes);
        String::from(&*tc.text(&self.alphabet, self.sizes))
    }

    fn invert(&self, value: &String) -> Option<Vec<Value>> {
        permitted(
            &Constraint::Text(Arc::clone(&self.alphabet), self.sizes),
            Value::Text(value.as_str().into()),
        )
    }
}

/// See [`chars`].
#[derive(Clone, Debug)]
pub struct Chars {
    alphabet: Arc<Alphabet>,
}

/// Characters; readable ones are simpler.
pub fn chars() -> Chars {
    Chars {
        alphabet: Arc::clone(&ALL),
    }
}

impl Chars {
    /// Only these characters.
    pub fn alphabet(self, characters: &str) -> Chars {
        Chars {
            alphabet: Arc::new(Alphabet::of(characters)),
        }
    }
}

impl Generator for Chars {
    type Value = char;

    #[track_caller]
    fn draw(&self, tc: &mut TestCase) -> char {
        check_characters(&self.alphabet, Sizes { min: 1, max: 1 });
        draw_char(tc, &self.alphabet)
    }

    fn invert(&self, value: &char) -> Option<Vec<Value>> {
        permitted(
            &Constraint::Text(Arc::clone(&self.alphabet), Sizes { min: 1, max: 1 }),
            Value::Text(value.to_string().into()),
        )
    }
}

/// Complains of an alphabet that has nothing where there has to be something.
#[track_caller]
fn check_characters(alphabet: &Alphabet, sizes: Sizes) {
    let has_enough = !alphabet.is_empty() || sizes.min == 0;
    assert!(has_enough, "ablate-check: the alphabet has no characters");
}

fn draw_char(tc: &mut TestCase, alphabet: &Arc<Alphabet>) -> char {
    let text = tc.text(alphabet, Sizes { min: 1, max: 1 });
    text.chars().next().unwrap_or('0')
}

impl Generator for RangeInclusive<char> {
    type Value = char;

    #[track_caller]
    fn draw(&self, tc: &mut TestCase) -> char {
        if self.is_empty() {
            empty(self, |c| format!("{c:?}"));
        }
        let alphabet = Alphabet::of_ranges([(*self.start(), *self.end())]);
        draw_char(tc, &Arc::new(alphabet))
    }

    fn invert(&self, value: &char) -> Option<Vec<Value>> {
        let text = || Value::Text(value.to_string().into());
        self.contains(value).then(|| vec![text()])
    }
}

impl Generator for Range<char> {
    type Value = char;

    #[track_caller]
    fn draw(&self, tc: &mut TestCase) -> char {
        // The range of characters that ends before `end`; there is none at the surrogates.
        let last = (0..self.end as u32).rev().find_map(char::from_u32);
        match last.filter(|_| !self.is_empty()) {
            Some(last) => (self.start..=last).draw(tc),
            None => empty(self, |c| format!("{c:?}")),
        }
    }
}

/// See [`bytes`].
#[derive(Clone, Copy, Debug)]
pub struct Bytes {
    sizes: Sizes,
}

/// Runs of bytes; shorter is simpler, then smaller bytes.
pub fn bytes() -> Bytes {
    Bytes {
        sizes: Sizes::new(0, usize::MAX),
    }
}

impl Bytes {
    /// Only so many bytes.
    pub fn len(self, lengths: impl Lengths) -> Bytes {
        Bytes {
            sizes: lengths.sizes(),
        }
    }
}

impl Generator for Bytes {
    type Value = Vec<u8>;

    fn draw(&self, tc: &mut TestCase) -> Vec<u8> {
        tc.bytes(self.sizes).to_vec()
    }

    fn invert(&self, value: &Vec<u8>) -> Option<Vec<Value>> {
        permitted(
            &Constraint::Bytes(self.sizes),
            Value::Bytes(value.as_slice().into()),
        )
    }
}
