//! What a failure shows can be pasted: each text here is what the same Rust in a macro shows.

use std::collections::{BTreeMap, HashMap};
use std::net::IpAddr;
use std::time::{Duration, SystemTime};

use ablate_check::Storage;
use ablate_check::prelude::*;

#[derive(Clone, Debug, PartialEq, Arbitrary)]
enum Shape {
    Point,
    Circle { radius: f64, r#type: String },
    Group(Vec<Shape>, Option<Box<Shape>>),
}

#[derive(Clone, Debug, PartialEq, Arbitrary)]
struct Named<T, const N: usize> {
    name: String,
    of: [T; N],
    by: BTreeMap<u8, Shape>,
}

#[derive(Clone, Debug, PartialEq, Arbitrary)]
struct Wrapper(Duration, Unit);

#[derive(Clone, Debug, PartialEq, Arbitrary)]
struct Unit;

/// What is shown of a value when the property fails that drew it.
fn shown<T: Arbitrary + std::fmt::Debug>(holds: impl Fn(&T) -> bool) -> String {
    let settings = Settings::new().storage(Storage::Off).seed(1).cases(10_000);
    let report = settings.run(|tc| {
        let value = tc.draw_named("value", any::<T>());
        assert!(holds(&value));
    });
    let line = report.failures[0].lines[0].clone();
    let line = line.strip_suffix(" // or any other").unwrap_or(&line);
    line.replace(" /* or any other */", "")
}

/// The expression compiles, fails the property, and is what is shown.
macro_rules! check_shown {
    ($type:ty, $value:expr, $holds:expr) => {{
        let value: $type = $value;
        let holds: fn(&$type) -> bool = $holds;
        assert!(!holds(&value));
        let shown = shown::<$type>(holds);
        let (_, expression) = shown.split_once(" = ").expect("it is a let");
        let without_spaces = |text: &str| text.split_whitespace().collect::<String>();
        let expected = without_spaces(stringify!($value)) + ";";
        assert_eq!(without_spaces(expression), expected);
    }};
}

#[test]
fn the_readme_shows_the_smallest_values_of_its_property() {
    let readme = include_str!("../../../README.md");
    let report = Settings::new().storage(Storage::Off).run(|tc| {
        let a = tc.draw_named("a", any::<i32>());
        let b = tc.draw_named("b", any::<i32>());
        let sum = a.checked_add(b).expect("attempt to add with overflow");
        assert!((a.min(b)..=a.max(b)).contains(&(sum / 2)));
    });
    let lines = &report.failures[0].lines;
    assert_eq!(lines.len(), 2);
    for line in lines {
        assert!(readme.contains(&format!("    {line}\n")), "{line}");
    }
}

#[test]
fn enums_and_structs_are_shown_as_rust() {
    check_shown!(
        Shape,
        Shape::Circle {
            radius: 1.0,
            r#type: "00".to_string()
        },
        |shape| !matches!(shape, Shape::Circle { radius, r#type } if *radius > 0.5 && r#type.chars().count() > 1)
    );
    check_shown!(
        Shape,
        Shape::Group(vec![Shape::Point], Some(Box::new(Shape::Point))),
        |shape| !matches!(shape, Shape::Group(parts, Some(_)) if !parts.is_empty())
    );
    check_shown!(
        Named<f32, 2>,
        Named { name: "".to_string(), of: [0.0, f32::NAN], by: BTreeMap::from([(0, Shape::Point)]) },
        |named| !named.of[1].is_nan() || named.by.is_empty()
    );
    check_shown!(
        (Wrapper, Unit),
        (Wrapper(Duration::new(1, 0), Unit), Unit),
        |pair| pair.0.0.as_secs() < 1
    );
}

#[test]
fn values_of_the_standard_library_are_shown_as_rust() {
    check_shown!(
        HashMap<String, Vec<(u8, char)>>,
        HashMap::from([("".to_string(), vec![(0, '0')])]),
        |map| map.values().all(Vec::is_empty)
    );
    check_shown!(
        Result<Option<i128>, IpAddr>,
        Err("0.0.0.0".parse().unwrap()),
        |result| result.is_ok()
    );
    check_shown!(
        SystemTime,
        SystemTime::UNIX_EPOCH + Duration::new(60, 0),
        |time| *time < SystemTime::UNIX_EPOCH + Duration::from_secs(60)
    );
    check_shown!(i64, -9223372036854775808, |x| *x > i64::MIN);
}
