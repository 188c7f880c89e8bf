//! Values as Rust that one can paste.
//!
//! `Debug` says what a value looks like, its type's name says what has to stand around it: a
//! vector becomes `vec![…]`, a string gets its `.to_string()`. Types that derive `Arbitrary` tell
//! what they are made of as they are drawn, so that a variant gets the name of its enum, and fields
//! are shown like any value. What another type's own `Debug` shows is left as it is; where the two
//! don't fit together, nothing is changed.

use std::any::type_name;
use std::borrow::Cow;
use std::cell::RefCell;
use std::collections::BTreeMap;
use std::fmt::Debug;

use crate::parts::is_char_literal;

/// The name of a field, which is empty in a tuple, and of its type.
pub type Field = (&'static str, fn() -> &'static str);

/// What a derived type is made of: variants with their fields, or a single one of an empty name.
pub type Made = &'static [(&'static str, &'static [Field])];

/// What is known of types, by their full names.
type Known = BTreeMap<&'static str, Made>;

thread_local! {
    /// What the property that runs on this thread has told.
    static KNOWN: RefCell<Known> = const { RefCell::new(BTreeMap::new()) };
}

/// Runs a property from its beginning to its end: it knows nothing of what others have told.
pub(crate) fn knowing_nothing<T>(run: impl FnOnce() -> T) -> T {
    let around = KNOWN.take();
    let value = run();
    KNOWN.set(around);
    value
}

/// Tells what a type is made of.
pub(crate) fn learn<T>(made: Made) {
    KNOWN.with_borrow_mut(|known| known.insert(type_name::<T>(), made));
}

/// What can be shown when a property fails: whatever implements [`Debug`].
#[diagnostic::on_unimplemented(
    message = "`{Self}` can't be shown when the property fails",
    label = "does not implement `Debug`",
    note = "derive `Debug` for it and for what it holds; or draw it by `tc.draw_silent(…)`, which shows nothing, and say with `tc.note(…)` what is worth knowing of it",
    note = "a function that gives an `impl Generator` has to say of what: `impl Generator<Value = u8>`"
)]
pub trait Shown: Debug {}

#[diagnostic::do_not_recommend]
impl<T: Debug + ?Sized> Shown for T {}

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
    /// With all paths and parameters.
    full: &'a str,
    of: Vec<Shape<'a>>,
}

fn expression(type_name: &str, raw: &str) -> Option<String> {
    let mut names = Cursor(type_name);
    let shape = names.shape()?;
    let mut raw = Cursor(raw);
    let text = raw.convert(&shape)?;
    (names.0.is_empty() && raw.0.is_empty()).then(|| text.into_owned())
}

struct Cursor<'a>(&'a str);

impl<'a> Cursor<'a> {
    fn eat(&mut self, token: &str) -> Option<()> {
        self.0 = self.0.strip_prefix(token)?;
        Some(())
    }

    fn shape(&mut self) -> Option<Shape<'a>> {
        let whole = self.0;
        let mut shape = self.bare_shape()?;
        if shape.full.is_empty() {
            shape.full = &whole[..whole.len() - self.0.len()];
        }
        Some(shape)
    }

    fn bare_shape(&mut self) -> Option<Shape<'a>> {
        let full = "";
        if self.eat("(").is_some() {
            let of = self.shapes(")")?;
            return Some(Shape {
                name: "(",
                full,
                of,
            });
        }
        if self.eat("[").is_some() {
            let of = vec![self.shape()?];
            let end = self.0.find(']')?;
            self.0 = &self.0[end + 1..];
            return Some(Shape {
                name: "[",
                full,
                of,
            });
        }
        if self.eat("&").is_some() {
            let _ = self.eat("mut ");
            let inner = self.shape()?;
            // A text in quotes is a reference already.
            return Some(match inner.name {
                "str" => inner,
                _ => Shape {
                    name: "&",
                    full,
                    of: vec![inner],
                },
            });
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
        Some(Shape { name, full, of })
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
    fn convert(&mut self, shape: &Shape<'_>) -> Option<Cow<'a, str>> {
        let start = self.0;
        if let Some(made) = KNOWN.with_borrow(|known| known.get(shape.full).copied()) {
            if let Some(text) = self.made(shape.name, made) {
                return Some(text.into());
            }
            // It has a `Debug` of its own.
            self.0 = start;
            return self.raw().map(Cow::Borrowed);
        }
        let inner = shape.of.first();
        let text = match (shape.name, inner) {
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
            ("&", Some(inner)) => Some(format!("&{}", self.convert(inner)?)),
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
            ("Box" | "Rc" | "Arc" | "Cow", Some(Shape { name: "str", .. })) => {
                Some(format!("{}.into()", self.raw()?))
            }
            ("Box" | "Rc" | "Arc", Some(inner)) => {
                Some(format!("{}::new({})", shape.name, self.convert(inner)?))
            }
            ("String", None) => Some(format!("{}.to_string()", self.raw()?)),
            ("PathBuf" | "OsString", None) => {
                Some(format!("{}::from({})", shape.name, self.raw()?))
            }
            ("f32" | "f64", None) => Some(float(shape.name, self.raw()?)),
            ("Duration", None) => duration(self.raw()?),
            ("SystemTime", None) => system_time(self.raw()?),
            ("NonZero", Some(_)) => Some(format!("NonZero::new({}).unwrap()", self.raw()?)),
            ("Ordering", None) => Some(format!("Ordering::{}", self.raw()?)),
            ("Ipv4Addr" | "Ipv6Addr" | "IpAddr" | "SocketAddr", None) => {
                Some(format!("{:?}.parse().unwrap()", self.raw()?))
            }
            _ => return self.raw().map(Cow::Borrowed),
        };
        text.map(Cow::Owned)
    }

    /// A value of a type that has told what it is made of.
    fn made(&mut self, name: &str, made: Made) -> Option<String> {
        let end = self.0.find(|c: char| !c.is_alphanumeric() && c != '_');
        let (shown, rest) = self.0.split_at(end.unwrap_or(self.0.len()));
        let is_shown = |variant: &str| shown == if variant.is_empty() { name } else { variant };
        let (variant, fields) = made.iter().find(|(variant, _)| is_shown(variant))?;
        self.0 = rest;
        let mut text = match variant.is_empty() {
            true => name.to_owned(),
            false => format!("{name}::{variant}"),
        };
        let Some((first, _)) = fields.first() else {
            return Some(text);
        };
        let (start, end) = if first.is_empty() {
            ("(", ")")
        } else {
            (" { ", " }")
        };
        self.eat(start)?;
        text.push_str(start);
        for (place, (field, type_name)) in fields.iter().enumerate() {
            if place > 0 {
                self.eat(", ")?;
                text.push_str(", ");
            }
            if !field.is_empty() {
                self.eat(field.trim_start_matches("r#"))?;
                self.eat(": ")?;
                text.push_str(&format!("{field}: "));
            }
            let shape = Cursor(type_name()).shape()?;
            text.push_str(&self.convert(&shape)?);
        }
        self.eat(end)?;
        Some(text + end)
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
                // Before the end of a struct stands a space.
                (None, '}') if depth == 0 && self.0[..at].ends_with(' ') => {
                    end = at - 1;
                    break;
                }
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

/// As the systems show it that count seconds from 1970.
fn system_time(raw: &str) -> Option<String> {
    let numbers = raw
        .strip_prefix("SystemTime { tv_sec: ")?
        .strip_suffix(" }")?;
    let (seconds, nanos) = numbers.split_once(", tv_nsec: ")?;
    let (seconds, nanos): (i64, u32) = (seconds.parse().ok()?, nanos.parse().ok()?);
    // Before 1970 the nanoseconds count forwards all the same.
    let (sign, rest) = match (seconds < 0, nanos) {
        (true, 1..) => ('-', (seconds + 1, 1_000_000_000 - nanos)),
        (true, 0) => ('-', (seconds, 0)),
        (false, _) => ('+', (seconds, nanos)),
    };
    let seconds = rest.0.unsigned_abs();
    let distance = format!("Duration::new({seconds}, {})", rest.1);
    Some(format!("SystemTime::UNIX_EPOCH {sign} {distance}"))
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
        assert_eq!(show(&&vec![1]), "&vec![1]");
        assert_eq!(show(&["a", "b"]), r#"["a", "b"]"#);
        assert_eq!(show(&Some(&"x".to_string())), r#"Some(&"x".to_string())"#);
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
        let text: Box<str> = "x".into();
        assert_eq!(show(&vec![text]), r#"vec!["x".into()]"#);
        let number = std::num::NonZeroU8::new(3);
        assert_eq!(show(&number), "Some(NonZero::new(3).unwrap())");
    }

    #[cfg(unix)]
    #[test]
    fn points_in_time_are_shown_from_1970() {
        use std::time::SystemTime;
        let check = |time: SystemTime, shown: &str| {
            assert_eq!(show(&time), format!("SystemTime::UNIX_EPOCH {shown}"));
        };
        let distance = Duration::new(77, 5);
        check(SystemTime::UNIX_EPOCH + distance, "+ Duration::new(77, 5)");
        check(SystemTime::UNIX_EPOCH - distance, "- Duration::new(77, 5)");
        check(SystemTime::UNIX_EPOCH, "+ Duration::new(0, 0)");
    }

    #[test]
    fn what_a_type_has_told_is_shown_as_rust() {
        #[derive(Debug)]
        #[expect(dead_code, reason = "only shown")]
        enum Tree {
            Leaf,
            Text { text: String, other: Option<f64> },
            Node(Box<Tree>, Vec<Tree>),
        }
        learn::<Tree>(&[
            ("Leaf", &[]),
            (
                "Text",
                &[
                    ("text", type_name::<String>),
                    ("other", type_name::<Option<f64>>),
                ],
            ),
            (
                "Node",
                &[("", type_name::<Box<Tree>>), ("", type_name::<Vec<Tree>>)],
            ),
        ]);
        let text = Tree::Text {
            text: "a, b".to_owned(),
            other: Some(f64::NAN),
        };
        assert_eq!(
            show(&Some(Tree::Node(Box::new(Tree::Leaf), vec![text]))),
            "Some(Tree::Node(Box::new(Tree::Leaf), vec![Tree::Text { \
             text: \"a, b\".to_string(), other: Some(f64::NAN) }]))"
        );
    }

    #[test]
    fn what_shows_otherwise_than_it_is_made_stays_as_it_is() {
        struct Celsius(f64);
        impl Debug for Celsius {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                write!(f, "Celsius(about {})", self.0)
            }
        }
        learn::<Celsius>(&[("", &[("", type_name::<f64>)])]);
        let shown = show(&vec![(Celsius(1.5), "x".to_owned())]);
        assert_eq!(shown, r#"vec![(Celsius(about 1.5), "x".to_string())]"#);
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
