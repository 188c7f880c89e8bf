//! Expressions of integers, as C's preprocessor computes them behind an `#if`.

use crate::formats::characters::is_word;

/// More names, numbers, brackets and signs than any condition has, with what names stand for.
const LONGEST: usize = 1_000;
/// More of them within each other.
const DEEPEST: usize = 50;

/// What a name stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Meaning<'a> {
    /// It is not defined.
    Undefined,
    /// A text.
    Text(&'a [u8]),
    /// Something else, or nobody knows.
    Unknown,
}

/// The value of an expression, if it is one of integers only; `meaning` says what names stand for, and one that
/// isn't defined is 0.
pub fn value<'a>(text: &[u8], meaning: &impl Fn(&[u8]) -> Meaning<'a>) -> Option<i64> {
    let mut left = LONGEST;
    whole(text, meaning, 0, &mut left)
}

fn whole<'a, M: Fn(&[u8]) -> Meaning<'a>>(
    text: &[u8],
    meaning: &M,
    depth: usize,
    left: &mut usize,
) -> Option<i64> {
    let mut reader = Reader {
        text: text.trim_ascii(),
        meaning,
        depth,
        left,
    };
    let value = reader.binary(0)?;
    reader.text.is_empty().then_some(value)
}

/// How tightly an operator binds, and what it does.
type Operator = (&'static [u8], u8, fn(i64, i64) -> Option<i64>);

/// Operators; one that another begins with comes behind it.
const OPERATORS: [Operator; 18] = [
    (b"||", 0, |a, b| Some(i64::from(a != 0 || b != 0))),
    (b"&&", 1, |a, b| Some(i64::from(a != 0 && b != 0))),
    (b"==", 5, |a, b| Some(i64::from(a == b))),
    (b"!=", 5, |a, b| Some(i64::from(a != b))),
    (b"<<", 7, |a, b| a.checked_shl(b.try_into().ok()?)),
    (b">>", 7, |a, b| a.checked_shr(b.try_into().ok()?)),
    (b"<=", 6, |a, b| Some(i64::from(a <= b))),
    (b">=", 6, |a, b| Some(i64::from(a >= b))),
    (b"<", 6, |a, b| Some(i64::from(a < b))),
    (b">", 6, |a, b| Some(i64::from(a > b))),
    (b"|", 2, |a, b| Some(a | b)),
    (b"^", 3, |a, b| Some(a ^ b)),
    (b"&", 4, |a, b| Some(a & b)),
    (b"+", 8, i64::checked_add),
    (b"-", 8, i64::checked_sub),
    (b"*", 9, i64::checked_mul),
    (b"/", 9, i64::checked_div),
    (b"%", 9, i64::checked_rem),
];

struct Reader<'t, 'm, M> {
    /// What is still to be read.
    text: &'t [u8],
    meaning: &'m M,
    depth: usize,
    left: &'m mut usize,
}

impl<'a, M: Fn(&[u8]) -> Meaning<'a>> Reader<'_, '_, M> {
    fn skip(&mut self, len: usize) {
        let rest = &self.text[len..];
        // A line may go on with the next.
        let is_blank = |byte: &u8| byte.is_ascii_whitespace() || *byte == b'\\';
        let blanks = rest.iter().take_while(|byte| is_blank(byte)).count();
        self.text = &rest[blanks..];
    }

    fn binary(&mut self, weakest: u8) -> Option<i64> {
        let mut value = self.unary()?;
        loop {
            let next = OPERATORS
                .iter()
                .find(|operator| self.text.starts_with(operator.0));
            let Some(&(sign, strength, apply)) = next.filter(|next| next.1 >= weakest) else {
                return Some(value);
            };
            self.skip(sign.len());
            value = apply(value, self.binary(strength + 1)?)?;
        }
    }

    fn unary(&mut self) -> Option<i64> {
        *self.left = self.left.checked_sub(1)?;
        self.depth += 1;
        let value = (self.depth < DEEPEST).then(|| self.operand())?;
        self.depth -= 1;
        value
    }

    fn operand(&mut self) -> Option<i64> {
        let first = *self.text.first()?;
        if matches!(first, b'!' | b'-' | b'+' | b'~' | b'(') {
            self.skip(1);
        }
        match first {
            b'!' => Some(i64::from(self.unary()? == 0)),
            b'-' => self.unary()?.checked_neg(),
            b'+' => self.unary(),
            b'~' => Some(!self.unary()?),
            b'(' => {
                let value = self.binary(0)?;
                let closes = self.text.starts_with(b")");
                closes.then(|| self.skip(1))?;
                Some(value)
            }
            first if is_word(first) => self.word(),
            _ => None,
        }
    }

    fn word(&mut self) -> Option<i64> {
        let len = self.text.iter().take_while(|&&byte| is_word(byte)).count();
        let word = &self.text[..len];
        self.skip(len);
        if word[0].is_ascii_digit() {
            return integer(word);
        }
        if self.text.starts_with(b"(") {
            return None;
        }
        match (self.meaning)(word) {
            Meaning::Undefined => Some(0),
            Meaning::Text(text) => whole(text, self.meaning, self.depth, self.left),
            Meaning::Unknown => None,
        }
    }
}

fn integer(word: &[u8]) -> Option<i64> {
    let is_suffix = |byte: &u8| matches!(byte, b'u' | b'U' | b'l' | b'L');
    let suffix = word.iter().rev().take_while(|byte| is_suffix(byte)).count();
    let digits = core::str::from_utf8(&word[..word.len() - suffix]).ok()?;
    let (digits, radix) = match digits.as_bytes() {
        [b'0', b'x' | b'X', ..] => (&digits[2..], 16),
        [b'0', b'b' | b'B', ..] => (&digits[2..], 2),
        [b'0', _, ..] => (&digits[1..], 8),
        _ => (digits, 10),
    };
    i64::from_str_radix(digits, radix).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn value_of(text: &str) -> Option<i64> {
        value(text.as_bytes(), &|name| match name {
            b"A" => Meaning::Text(b"(B + 1)"),
            b"B" => Meaning::Text(b"2"),
            b"EMPTY" => Meaning::Text(b""),
            b"ITSELF" => Meaning::Text(b"ITSELF + ITSELF"),
            b"HIDDEN" => Meaning::Unknown,
            _ => Meaning::Undefined,
        })
    }

    #[test]
    fn integers_are_computed_as_c_does() {
        for (text, expected) in [
            ("1 + 2 * 3 == 7", 1),
            ("2 - 1 - 1", 0),
            ("-3 + +4", 1),
            ("!0 && ~0", 1),
            ("1 << 4 | 1", 17),
            ("(1 || 0) & 6 / 2 % 2", 1),
            ("0x1fUL >= 037", 1),
            ("A * B", 6),
            ("C > \\\n 5", 0),
            ("3 ^ 1 < 2", 2),
        ] {
            assert_eq!(value_of(text), Some(expected), "{text}");
        }
    }

    #[test]
    fn the_rest_is_not_known() {
        for text in [
            "",
            "HIDDEN",
            "F(1)",
            "EMPTY",
            "ITSELF",
            "1 +",
            "(1",
            "1)",
            "1 / 0",
            "1 << 64",
            "0x",
            "12three",
            "9223372036854775808",
            "'a'",
            "1.5",
        ] {
            assert_eq!(value_of(text), None, "{text}");
        }
        assert_eq!(value_of(&"(".repeat(100_000)), None);
        assert_eq!(value_of(&"!".repeat(100_000)), None);
    }
}
