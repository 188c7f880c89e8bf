//! What has to change together, or is not held by a bound: how often the smallest test case is
//! reached, and the executions after the first failure, as Markdown.
//! `cargo run --release --example together`; so many seeds.

use ablate_check::choice::{Value, encode};
use ablate_check::prelude::*;
use ablate_check::{Report, Storage};

/// How many seeds unless told otherwise.
const SEEDS: u64 = 20;

fn settings(seed: u64) -> Settings {
    Settings::new()
        .seed(seed)
        .cases(50_000)
        .storage(Storage::Off)
        .explain(false)
        .health_checks(false)
}

/// Runs a property with each of the seeds, from what is found or from planted starts, and prints how
/// often one of `smallest` is what is left.
struct Measure {
    seeds: u64,
}

impl Measure {
    fn found(&self, name: &str, smallest: &[&str], property: impl Fn(&mut TestCase)) {
        self.each(name, smallest, |seed| settings(seed).run(&property));
    }

    fn planted(
        &self,
        name: &str,
        smallest: &str,
        start: impl Fn(&mut Random) -> Vec<Value>,
        property: impl Fn(&mut TestCase),
    ) {
        self.each(name, &[smallest], |seed| {
            let start = encode(start(&mut Random(seed)));
            settings(seed).name("planted").replay(start).run(&property)
        });
    }

    fn each(&self, name: &str, smallest: &[&str], run: impl Fn(u64) -> Report) {
        let mut executions = Vec::new();
        let mut minimal = 0;
        for seed in 0..self.seeds {
            let report = run(seed);
            let Some(failure) = report.failures.first() else {
                continue;
            };
            let end = &failure.encoded()[1..];
            minimal += u64::from(smallest.contains(&end));
            executions.push(failure.tests);
        }
        executions.sort_unstable();
        let Some(median) = executions.get(executions.len() / 2) else {
            println!("| {name} | not found | |");
            return;
        };
        let mean = executions.iter().sum::<u64>() as f64 / executions.len() as f64;
        println!(
            "| {name} | {minimal}/{} | {median} | {mean:.0} |",
            self.seeds
        );
    }
}

/// Numbers for planted starts (SplitMix64).
struct Random(u64);

impl Random {
    fn below(&mut self, bound: u64) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut word = self.0;
        word = (word ^ (word >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        word = (word ^ (word >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        (word ^ (word >> 31)) % bound
    }
}

fn main() {
    let seeds = std::env::args().nth(1).and_then(|text| text.parse().ok());
    let measure = Measure {
        seeds: seeds.unwrap_or(SEEDS),
    };
    println!("| property fails when | minimal | executions (median) | (mean) |");
    println!("| --- | ---: | ---: | ---: |");
    held_by_one_bound(&measure);
    coupled(&measure);
    each_so_often(&measure);
    as_users_write_them(&measure);
}

fn list(element: &str, count: usize) -> String {
    format!(".t{element}").repeat(count) + ".f"
}

fn float(value: f64) -> String {
    format!(".r{:016x}", value.to_bits())
}

fn held_by_one_bound(measure: &Measure) {
    measure.planted(
        "40 numbers are all below -3 (planted)",
        &".-4".repeat(40),
        |random| {
            let number = |_| Value::Integer(-4 - i128::from(random.below(1 << 31)));
            (0..40).map(number).collect()
        },
        |tc| {
            let numbers = tc.draw(vec(any::<i32>()).exactly(40));
            assert!(numbers.iter().any(|x| *x >= -3));
        },
    );
    measure.planted(
        "20 floating-point numbers are all above 1000 (planted)",
        &float(1001.0).repeat(20),
        |random| {
            let number = |_| 1001.0 + random.below(1 << 29) as f64 / 7.0;
            let numbers = (0..20).map(number);
            numbers.map(|x: f64| Value::Float(x.to_bits())).collect()
        },
        |tc| {
            let numbers = tc.draw(vec(f64s().between(500.0, 1e9)).exactly(20));
            assert!(numbers.iter().any(|x| *x <= 1000.0));
        },
    );
    // 0 is the choice for the number in the middle, as there is none so large.
    let least = (1i128 << 100) + 1 + i128::MIN;
    let large = list(&format!(".{least}"), 10);
    measure.found("ten numbers are above 2¹⁰⁰ (`u128`)", &[&large], |tc| {
        let numbers = tc.draw(vec(any::<u128>()));
        assert!(numbers.iter().filter(|x| **x > 1 << 100).count() < 10);
    });
    measure.found(
        "30 odd numbers are drawn by a filter",
        &[&list(".1", 30)],
        |tc| {
            let odd = integers(0..1000u32).filter(|x| x % 2 == 1);
            assert!(tc.draw(vec(odd).len(0..50)).len() < 30);
        },
    );
    measure.found(
        "12 pairs are (50, 70) or more",
        &[&list(".50.70", 12)],
        |tc| {
            let pairs = tc.draw(vec((0..1000u16, 0..1000u16)));
            let held = pairs.iter().filter(|(a, b)| *a >= 50 && *b >= 70);
            assert!(held.count() < 12);
        },
    );
    measure.found(
        "ten floating-point numbers are below -1 (`f32`)",
        &[&list(&float(-2.0), 10)],
        |tc| {
            let numbers = tc.draw(vec(any::<f32>()));
            assert!(numbers.iter().filter(|x| **x < -1.0).count() < 10);
        },
    );
    let letters = ".s".to_owned() + &"41".repeat(15);
    measure.found("15 letters are capital", &[&letters], |tc| {
        let text = tc.draw(string().ascii());
        assert!(text.chars().filter(char::is_ascii_uppercase).count() < 15);
    });
}

fn coupled(measure: &Measure) {
    measure.found(
        "four of a list are above 500 and within a hundred",
        &[&list(".501", 4)],
        |tc| {
            let mut times = tc.draw(vec(0..10_000u32));
            times.sort_unstable();
            let mut windows = times.windows(4);
            assert!(!windows.any(|four| four[0] > 500 && four[3] - four[0] < 100));
        },
    );
    measure.found(
        "the exclusive or of a list of two or more is 85",
        &[".t.0.t.85.f"],
        |tc| {
            let bytes = tc.draw(vec(any::<u8>()));
            assert!(bytes.len() < 2 || bytes.iter().fold(0, |a, b| a ^ b) != 85);
        },
    );
    measure.found(
        "a term has two equal branches that are no leaves",
        &[".4.0.2.0.2.0"],
        |tc| assert!(!tc.draw(any::<Term>()).has_equal_branches()),
    );
    let zeros = list(".0", 6);
    measure.found(
        "two lists have the same length, six or more",
        &[&(zeros.clone() + &zeros)],
        |tc| {
            let (a, b) = tc.draw((vec(any::<u8>()), vec(any::<i64>())));
            assert!(a.len() != b.len() || a.len() < 6);
        },
    );
    measure.found(
        "of a permutation of ten the last comes fourth or earlier",
        &[".0.0.0.6.0.0.0.0.0"],
        |tc| {
            let values = tc.draw(permutation([0, 1, 2, 3, 4, 5, 6, 7, 8, 9]));
            assert!(values.iter().position(|x| *x == 9).unwrap() > 3);
        },
    );
    measure.planted(
        "the digits of a text are 12345 or more (planted)",
        ".s3132333435",
        |random| {
            let digits = 12_345 + random.below(900_000);
            vec![Value::Text(digits.to_string().into())]
        },
        |tc| {
            let digits = tc.draw(string().alphabet("0123456789").len(1..));
            assert!(digits.parse::<u64>().is_ok_and(|number| number < 12_345));
        },
    );
    measure.found(
        "a < b < a + 1 and a > 3 (`f64`)",
        &[&(float(4.0) + &float(4.5))],
        |tc| {
            let (a, b) = tc.draw((0.0..100.0f64, 0.0..100.0f64));
            assert!(!(a < b && b < a + 1.0 && a > 3.0));
        },
    );
    measure.found(
        "a · b is a million or more, each below 10,000",
        &[".101.9901"],
        |tc| {
            let (a, b) = tc.draw((1..10_000u64, 1..10_000u64));
            assert!(a * b < 1_000_000);
        },
    );
}

/// A term of which two parts may have to be equal.
#[derive(Debug, PartialEq, Arbitrary)]
enum Term {
    Zero,
    Name(#[arbitrary(from = 0..3u8)] u8),
    Minus(Box<Term>),
    Plus(Box<Term>, Box<Term>),
    If(Box<Term>, Box<Term>, Box<Term>),
}

impl Term {
    fn has_equal_branches(&self) -> bool {
        match self {
            Term::Zero | Term::Name(_) => false,
            Term::Minus(part) => part.has_equal_branches(),
            Term::Plus(one, other) => one.has_equal_branches() || other.has_equal_branches(),
            Term::If(condition, one, other) => {
                let is_leaf = matches!(**one, Term::Zero | Term::Name(_));
                let mut parts = [condition, one, other].into_iter();
                one == other && !is_leaf || parts.any(|part| part.has_equal_branches())
            }
        }
    }
}

fn each_so_often(measure: &Measure) {
    let ten = list(".0", 10);
    measure.found(
        "a list is ten long, or each seventh length above",
        &[&ten],
        |tc| {
            let len = tc.draw(vec(any::<u8>())).len();
            assert!(len < 5 || len % 7 != 3);
        },
    );
    measure.found(
        "a date is a Friday the thirteenth",
        &[".2000.10.13"],
        |tc| {
            let date = tc.draw(dates());
            assert!(date.day != 13 || date.to_days().rem_euclid(7) != 6);
        },
    );
    // To either of the two there is no step from the other one.
    measure.found("a mod 16 is 5 (`i64`; 5, or −11)", &[".5", ".-11"], |tc| {
        assert!(tc.draw(any::<i64>()).rem_euclid(16) != 5);
    });
    measure.found("a mod 64 is 17 (`u64`)", &[".17"], |tc| {
        assert!(tc.draw(any::<u64>()) % 64 != 17);
    });
    measure.found("a mod 100 is 37 (`u32`)", &[".37"], |tc| {
        assert!(tc.draw(any::<u32>()) % 100 != 37);
    });
    measure.found(
        "two of a list mod 10 are 7 (`u32`)",
        &[&list(".7", 2)],
        |tc| {
            let numbers = tc.draw(vec(any::<u32>()));
            assert!(numbers.iter().filter(|x| **x % 10 == 7).count() < 2);
        },
    );
    measure.found("four bits of a are 0101 (`u64`)", &[".20480"], |tc| {
        assert!(tc.draw(any::<u64>()) & 0xf000 != 0x5000);
    });
    measure.found(
        "a is five thousand million or more (`u64`)",
        &[".5000000000"],
        |tc| assert!(tc.draw(any::<u64>()) < 5_000_000_000),
    );
}

/// Names, tables and numbers of which none can change alone.
fn as_users_write_them(measure: &Measure) {
    measure.found(
        "a graph has a cycle of three nodes",
        &[".3.t.0.1.t.1.2.t.2.0.f"],
        |tc| {
            let nodes = tc.draw(1..12usize);
            let edges = tc.draw(vec((0..nodes, 0..nodes)));
            let leads = |a: usize, b: usize| a != b && edges.contains(&(a, b));
            let cycle = |&(a, b): &(usize, usize)| {
                (0..nodes).any(|c| leads(a, b) && leads(b, c) && leads(c, a))
            };
            assert!(!edges.iter().any(cycle));
        },
    );
    measure.found(
        "a node of a graph is three edges away",
        &[".4.t.0.1.t.1.2.t.2.3.f"],
        |tc| {
            let nodes = tc.draw(2..10usize);
            let edges = tc.draw(vec((0..nodes, 0..nodes)));
            let mut distances = vec![usize::MAX; nodes];
            distances[0] = 0;
            for _ in 0..nodes {
                for &(from, to) in &edges {
                    distances[to] = distances[to].min(distances[from].saturating_add(1));
                }
            }
            let mut far = distances.iter().filter(|far| **far != usize::MAX);
            assert!(far.all(|far| *far < 3));
        },
    );
    measure.found(
        "a square table is not its own mirror image",
        &[".2.2.0.0.1.0"],
        |tc| {
            let (rows, columns) = tc.draw((1..6usize, 1..6usize));
            let table = tc.draw(vec(vec(any::<i32>()).exactly(columns)).exactly(rows));
            let is_mirrored = |row: usize| (0..columns).all(|at| table[row][at] == table[at][row]);
            assert!(rows != columns || (0..rows).all(is_mirrored));
        },
    );
    measure.found(
        "the diagonal of a square table adds up to twelve",
        &[".2.3.0.0.9"],
        |tc| {
            let size = tc.draw(1..6usize);
            let table = tc.draw(vec(vec(0..10u32).exactly(size)).exactly(size));
            let sum: u32 = (0..size).map(|at| table[at][at]).sum();
            assert!(sum < 12);
        },
    );
    measure.found(
        "a table of three or more has a five in its third row",
        &[".3.0.0.0.0.0.0.5.0.0"],
        |tc| {
            let size = tc.draw(0..8usize);
            let table = tc.draw(vec(vec(0..10u32).exactly(size)).exactly(size));
            assert!(size < 3 || table[2][0] < 5);
        },
    );
    measure.found("the sum of two `i32` overflows", &[".1.2147483647"], |tc| {
        let (a, b) = tc.draw((any::<i32>(), any::<i32>()));
        assert!(a.checked_add(b).is_some());
    });
    // 2²⁴ + 1.
    measure.found(
        "a floating-point number is no `f32`",
        &[".r4170000010000000"],
        |tc| {
            let x = tc.draw(f64s().finite());
            let is_medium = (1e-30..1e30).contains(&x.abs());
            assert!(!is_medium || f64::from(x as f32) == x);
        },
    );
    measure.found(
        "a place is amid a character of a text",
        &[".sc2a0.1"],
        |tc| {
            let (text, at) = tc.draw((string(), 0..20usize));
            assert!(at >= text.len() || text.is_char_boundary(at));
        },
    );
}
