//! JSON within binary files, as their headers and schemas are written: where each value stands.

use alloc::vec::Vec;

use crate::formats::container::Builder;

/// Values that are nested deeper are not looked into.
const DEPTH_MAX: u32 = 128;

/// A value, with where it starts and ends.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Json {
    /// Its first byte.
    pub start: usize,
    /// The position after its last byte.
    pub end: usize,
    /// What it is.
    pub kind: Kind,
}

/// What a value is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A number, `true`, `false` or `null`.
    Plain,
    /// A string.
    Text,
    /// A list.
    List(Vec<Json>),
    /// Names, strings all of them, with what they name.
    Object(Vec<(Json, Json)>),
}

impl Json {
    /// The value that stands at `start`, blanks before it skipped, and ends at `end` at the latest.
    pub fn read(text: &[u8], start: usize, end: usize) -> Option<Json> {
        let mut reader = Reader {
            text: text.get(..end)?,
            at: start,
        };
        reader.value(0)
    }

    /// Its bytes; of a string those between the quotes.
    pub fn bytes<'a>(&self, text: &'a [u8]) -> &'a [u8] {
        let quote = usize::from(self.kind == Kind::Text);
        &text[self.start + quote..self.end - quote]
    }

    /// The items of a list; none of what is none.
    pub fn items(&self) -> &[Json] {
        match &self.kind {
            Kind::List(items) => items,
            _ => &[],
        }
    }

    /// The members of an object; none of what is none.
    pub fn members(&self) -> &[(Json, Json)] {
        match &self.kind {
            Kind::Object(members) => members,
            _ => &[],
        }
    }

    /// What a name stands for in an object.
    pub fn get(&self, text: &[u8], name: &str) -> Option<&Json> {
        let mut members = self.members().iter();
        let found = members.find(|(key, _)| key.bytes(text) == name.as_bytes());
        found.map(|(_, value)| value)
    }
}

/// Says that what stands between commas can go, each of `ranges` with one comma.
pub fn comma_parts(builder: &mut Builder<'_>, level: u32, ranges: &[(usize, usize)]) {
    let (first, rest) = (builder.group(level), builder.group(level));
    for place in 0..ranges.len() {
        let (start, end) = with_comma(ranges, place);
        builder.part(if place == 0 { first } else { rest }, start, end);
    }
}

/// One of the ranges that stand between commas, with the comma before it, or, of the first one, behind it.
pub fn with_comma(ranges: &[(usize, usize)], place: usize) -> (usize, usize) {
    let (start, end) = ranges[place];
    match (place.checked_sub(1), ranges.get(1)) {
        (Some(before), _) => (ranges[before].1, end),
        (None, Some(next)) => (start, next.0),
        (None, None) => (start, end),
    }
}

struct Reader<'a> {
    text: &'a [u8],
    at: usize,
}

impl Reader<'_> {
    /// The next byte that is no blank.
    fn peek(&mut self) -> Option<u8> {
        let rest = self.text.get(self.at..)?;
        self.at += rest.iter().position(|byte| !b" \t\r\n".contains(byte))?;
        self.text.get(self.at).copied()
    }

    fn expect(&mut self, byte: u8) -> Option<()> {
        let is_there = self.peek()? == byte;
        self.at += usize::from(is_there);
        is_there.then_some(())
    }

    fn value(&mut self, depth: u32) -> Option<Json> {
        let first = self.peek()?;
        let start = self.at;
        let kind = match first {
            b'"' => {
                self.string()?;
                Kind::Text
            }
            b'[' if depth < DEPTH_MAX => {
                let mut items = Vec::new();
                self.listed(b']', |reader| {
                    items.push(reader.value(depth + 1)?);
                    Some(())
                })?;
                Kind::List(items)
            }
            b'{' if depth < DEPTH_MAX => {
                let mut members = Vec::new();
                self.listed(b'}', |reader| {
                    let key = reader
                        .value(depth + 1)
                        .filter(|key| key.kind == Kind::Text)?;
                    reader.expect(b':')?;
                    members.push((key, reader.value(depth + 1)?));
                    Some(())
                })?;
                Kind::Object(members)
            }
            _ => {
                let rest = &self.text[start..];
                let is_of_it = |byte: &u8| byte.is_ascii_alphanumeric() || b"+-.".contains(byte);
                let len = rest.iter().take_while(|byte| is_of_it(byte)).count();
                self.at += len;
                (len > 0).then_some(Kind::Plain)?
            }
        };
        Some(Json {
            start,
            end: self.at,
            kind,
        })
    }

    fn string(&mut self) -> Option<()> {
        self.at += 1;
        loop {
            match self.text.get(self.at)? {
                b'"' => break,
                b'\\' => self.at += 2,
                _ => self.at += 1,
            }
        }
        self.at += 1;
        Some(())
    }

    /// What stands between commas, behind a bracket and before another.
    fn listed(&mut self, close: u8, mut item: impl FnMut(&mut Self) -> Option<()>) -> Option<()> {
        self.at += 1;
        if self.expect(close).is_some() {
            return Some(());
        }
        loop {
            item(self)?;
            if self.expect(close).is_some() {
                return Some(());
            }
            self.expect(b',')?;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_where_they_stand() {
        let text = br#"x {"a": [1, -2.5e3, "\"]"], "b" : {} , "c":null}"#;
        let json = Json::read(text, 1, text.len()).unwrap();
        assert_eq!((json.start, json.end), (2, text.len()));
        let list = json.get(text, "a").unwrap();
        let items: Vec<&[u8]> = list.items().iter().map(|it| it.bytes(text)).collect();
        assert_eq!(items, [&b"1"[..], b"-2.5e3", b"\\\"]"]);
        assert_eq!(json.get(text, "b").unwrap().members(), []);
        assert_eq!(json.get(text, "c").unwrap().bytes(text), b"null");
        assert_eq!(json.get(text, "d"), None);
    }

    #[test]
    fn a_text_may_end_anywhere() {
        let text = br#"{"a": [1, "\"", {"b": {}}]}"#;
        for end in 0..text.len() {
            assert_eq!(Json::read(text, 0, end), None);
        }
        assert!(Json::read(text, 0, text.len() + 1).is_none());
        assert!(Json::read(&[b'['; 1 << 20], 0, 1 << 20).is_none());
    }
}
