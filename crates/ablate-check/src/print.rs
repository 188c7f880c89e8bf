//! Values as Rust that one can paste.
//!
//! `Debug` says what a value looks like, its type's name says what has to stand around it: a
//! vector becomes `vec![…]`, a string gets its `.to_string()`. What a type's own `Debug` shows is
//! left as it is; where the two don't fit together, nothing is changed.

use std::any::type_name;
use std::fmt::Debug;

/// A value as an expression.
pub(crate) fn show<T: Debug>(value: &T) -> String {
    let raw = format!("{value:?}");
    expression(type_name::<T>(), &raw).unwrap_or(raw)
}

/// A type's name without the paths.
pub(crate) fn short_type(name: &str) -> String {
    let (mut short, mut word) = (String::new(), String::new());
    for character in name.chars() {
        match character {
            c if c.is_alphanumeric() || c == '_' => word.push(c),
            ':' => word.clear(),
            other => {
                short.push_str(&word);
                word.clear();
                short.push(other);
            }
        }
    }
    short + &word
}

/// What a type's name says of its shape.
struct Shape<'a> {
    name: &'a str,
    of: Vec<Shape<'a>>,
}

fn expression(type_name: &str, raw: &str) -> Option<String> {
    let mut names = Cursor(type_name);
    let shape = names.shape()?;
    let mut raw = Cursor(raw);
    let text = raw.convert(&shape)?;
    (names.0.is_empty() && raw.0.is_empty()).then_some(text)
}

struct Cursor<'a>(&'a str);

impl<'a> Cursor<'a> {
    fn eat(&mut self, token: &str) -> Option<()> {
        self.0 = self.0.strip_prefix(token)?;
        Some(())
    }

    fn shape(&mut self) -> Option<Shape<'a>> {
        if self.eat("(").is_some() {
            let of = self.shapes(")")?;
            return Some(Shape { name: "(", of });
        }
        if self.eat("[").is_some() {
            let of = vec![self.shape()?];
            let end = self.0.find(']')?;
            self.0 = &self.0[end + 1..];
            return Some(Shape { name: "[", of });
        }
        if self.eat("&").is_some() {
            let _ = self.eat("mut ");
            return self.shape();
        }
        let end = self.0.find(['<', '>', ',', ')', ';', ']']);
        let (path, rest) = self.0.split_at(end.unwrap_or(self.0.len()));
        self.0 = rest;
        let name = path.rsplit("::").next()?;
        let of = if self.eat("<").is_some() {
            self.shapes(">")?
        } else {
            Vec::new()
        };
        Some(Shape { name, of })
    }

    fn shapes(&mut self, end: &str) -> Option<Vec<Shape<'a>>> {
        let mut shapes = Vec::new();
        while self.eat(end).is_none() {
            shapes.push(self.shape()?);
            let _ = self.eat(",");
            let _ = self.eat(" ");
        }
        Some(shapes)
    }

    /// Takes one value off the front.
    fn convert(&mut self, shape: &Shape<'_>) -> Option<String> {
        let inner = shape.of.first();
        match (shape.name, inner) {
            ("Vec", Some(inner)) => Some(format!("vec![{}]", self.list("[", "]", inner)?)),
            ("VecDeque" | "LinkedList" | "BinaryHeap", Some(inner)) => {
                let list = self.list("[", "]", inner)?;
                Some(format!("{}::from([{list}])", shape.name))
            }
            ("HashSet" | "BTreeSet", Some(inner)) => {
                let list = self.list("{", "}", inner)?;
                Some(format!("{}::from([{list}])", shape.name))
            }
            ("HashMap" | "BTreeMap", Some(key)) => {
                let list = self.map(key, shape.of.get(1)?)?;
                Some(format!("{}::from([{list}])", shape.name))
            }
            ("[", Some(inner)) => Some(format!("[{}]", self.list("[", "]", inner)?)),
            ("(", _) => self.tuple(&shape.of),
            ("Option", Some(inner)) => self.wrapped("Some", inner).or_else(|| {
                self.eat("None")?;
                Some("None".to_owned())
            }),
            ("Result", Some(ok)) => {
                let err = shape.of.get(1)?;
                self.wrapped("Ok", ok).or_else(|| self.wrapped("Err", err))
            }
            ("Box" | "Rc" | "Arc", Some(inner)) => {
                Some(format!("{}::new({})", shape.name, self.convert(inner)?))
            }
            ("String", None) => Some(format!("{}.to_string()", self.raw()?)),
            ("PathBuf", None) => Some(format!("PathBuf::from({})", self.raw()?)),
            ("f32" | "f64", None) => Some(float(shape.name, self.raw()?)),
            ("Duration", None) => duration(self.raw()?),
            ("Ipv4Addr" | "Ipv6Addr" | "IpAddr" | "SocketAddr", None) => {
                Some(format!("{:?}.parse().unwrap()", self.raw()?))
            }
            _ => self.raw().map(str::to_owned),
        }
    }

    fn wrapped(&mut self, name: &str, inner: &Shape<'_>) -> Option<String> {
        let rest = self.0.strip_prefix(name)?.strip_prefix('(')?;
        self.0 = rest;
        let inner = self.convert(inner)?;
        self.eat(")")?;
        Some(format!("{name}({inner})"))
    }

    fn list(&mut self, start: &str, end: &str, inner: &Shape<'_>) -> Option<String> {
        self.eat(start)?;
        let mut parts = Vec::new();
        while self.eat(end).is_none() {
            parts.push(self.convert(inner)?);
            let _ = self.eat(", ");
        }
        Some(parts.join(", "))
    }

    fn map(&mut self, key: &Shape<'_>, value: &Shape<'_>) -> Option<String> {
        self.eat("{")?;
        let mut parts = Vec::new();
        while self.eat("}").is_none() {
            let key = self.convert(key)?;
            self.eat(": ")?;
            parts.push(format!("({key}, {})", self.convert(value)?));
            let _ = self.eat(", ");
        }
        Some(parts.join(", "))
    }

    fn tuple(&mut self, shapes: &[Shape<'_>]) -> Option<String> {
        self.eat("(")?;
        let mut parts = Vec::new();
        for shape in shapes {
            parts.push(self.convert(shape)?);
            let _ = self.eat(",");
            let _ = self.eat(" ");
        }
        self.eat(")")?;
        let last = if parts.len() == 1 { "," } else { "" };
        Some(format!("({}{last})", parts.join(", ")))
    }

    /// One value as it is: up to the comma or bracket that belongs to what is around it.
    fn raw(&mut self) -> Option<&'a str> {
        let (mut depth, mut quote, mut is_escaped) = (0usize, None, false);
        let mut end = self.0.len();
        let bytes = self.0.as_bytes();
        for (at, character) in self.0.char_indices() {
            match (quote, character) {
                _ if is_escaped => is_escaped = false,
                (Some(_), '\\') => is_escaped = true,
                (Some(open), c) if c == open => quote = None,
                (Some(_), _) => {}
                (None, '"') => quote = Some('"'),
                (None, '\'') if is_char_literal(&bytes[at..]) => quote = Some('\''),
                (None, '(' | '[' | '{') => depth += 1,
                (None, ')' | ']' | '}' | ',') if depth == 0 => {
                    end = at;
                    break;
                }
                (None, ':') if depth == 0 && bytes.get(at + 1) == Some(&b' ') => {
                    end = at;
                    break;
                }
                (None, ')' | ']' | '}') => depth -= 1,
                (None, _) => {}
            }
        }
        let (value, rest) = self.0.split_at(end);
        self.0 = rest;
        (!value.is_empty()).then_some(value)
    }
}

/// Whether a quote starts a character, and not the name of a lifetime.
fn is_char_literal(bytes: &[u8]) -> bool {
    bytes.get(1) == Some(&b'\\') || bytes.iter().skip(2).take(4).any(|b| *b == b'\'')
}

fn float(name: &str, raw: &str) -> String {
    match raw {
        "NaN" => format!("{name}::NAN"),
        "inf" => format!("{name}::INFINITY"),
        "-inf" => format!("{name}::NEG_INFINITY"),
        other => other.to_owned(),
    }
}

fn duration(raw: &str) -> Option<String> {
    let unit = raw.find(|c: char| c.is_ascii_alphabetic() || c == 'µ')?;
    let (number, unit) = raw.split_at(unit);
    let digits = match unit {
        "s" => 9,
        "ms" => 6,
        "µs" => 3,
        "ns" => 0,
        _ => return None,
    };
    let (whole, fraction) = number.split_once('.').unwrap_or((number, ""));
    let nanos: u128 = format!("{whole}{fraction:0<digits$}").parse().ok()?;
    let (seconds, nanos) = (nanos / 1_000_000_000, nanos % 1_000_000_000);
    Some(format!("Duration::new({seconds}, {nanos})"))
}

#[cfg(test)]
mod tests {
    use std::collections::{BTreeMap, BTreeSet};
    use std::time::Duration;

    use super::*;

    #[test]
    fn values_are_shown_as_rust() {
        assert_eq!(show(&vec![0, 1]), "vec![0, 1]");
        assert_eq!(show(&vec![vec![0u8], vec![]]), "vec![vec![0], vec![]]");
        assert_eq!(show(&"a, \"b]".to_string()), r#""a, \"b]".to_string()"#);
        assert_eq!(show(&("x".to_string(), ',')), r#"("x".to_string(), ',')"#);
        assert_eq!(show(&(1,)), "(1,)");
        assert_eq!(show(&()), "()");
        assert_eq!(show(&Some(f64::NAN)), "Some(f64::NAN)");
        assert_eq!(show(&[Some(1), None]), "[Some(1), None]");
        let map = BTreeMap::from([(1, "a".to_string())]);
        assert_eq!(show(&map), r#"BTreeMap::from([(1, "a".to_string())])"#);
        assert_eq!(show(&BTreeSet::from(['\''])), r"BTreeSet::from(['\''])");
        let result: Result<Box<u8>, ()> = Ok(Box::new(3));
        assert_eq!(show(&result), "Ok(Box::new(3))");
        assert_eq!(
            show(&Duration::from_micros(1_500_001)),
            "Duration::new(1, 500001000)"
        );
        assert_eq!(show(&Duration::from_nanos(7)), "Duration::new(0, 7)");
    }

    #[test]
    fn what_a_type_shows_itself_stays_as_it_is() {
        #[derive(Debug)]
        #[expect(dead_code, reason = "only shown")]
        struct Point {
            x: i32,
            tags: Vec<&'static str>,
        }
        let point = Point {
            x: 1,
            tags: vec!["a,b", "c"],
        };
        assert_eq!(
            show(&vec![point]),
            r#"vec![Point { x: 1, tags: ["a,b", "c"] }]"#
        );
        #[derive(Debug)]
        #[expect(dead_code, reason = "only shown")]
        struct Wrapper(Vec<u8>);
        assert_eq!(show(&Wrapper(vec![1])), "Wrapper([1])");
    }

    #[test]
    fn types_lose_their_paths() {
        assert_eq!(
            short_type(type_name::<Vec<Option<String>>>()),
            "Vec<Option<String>>"
        );
        assert_eq!(short_type("(i32, &str)"), "(i32, &str)");
    }
}
