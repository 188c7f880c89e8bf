//! How many cases a second a property with one `u64` runs, on one core; and with a few other
//! values. `cargo run --release --example speed`.

use std::hint::black_box;
use std::time::Instant;

use ablate_check::Storage;
use ablate_check::prelude::*;

fn measure<T>(name: &str, cases: u64, property: impl Fn(&mut TestCase) -> T) {
    let settings = Settings::new().cases(cases).seed(1).storage(Storage::Off);
    let started = Instant::now();
    let report = settings.run(|tc| {
        black_box(property(tc));
    });
    let seconds = started.elapsed().as_secs_f64();
    println!(
        "{name:<24} {:>12.0} cases/s {:>8.0} ns/case",
        report.valid as f64 / seconds,
        seconds * 1e9 / report.valid as f64
    );
}

fn main() {
    measure("one u64", 3_000_000, |tc| tc.draw(any::<u64>()));
    measure("one u8", 3_000_000, |tc| tc.draw(any::<u8>()));
    measure("a pair of i32", 2_000_000, |tc| {
        tc.draw(any::<(i32, i32)>())
    });
    measure("one f64", 2_000_000, |tc| tc.draw(any::<f64>()));
    measure("a vector of i32", 300_000, |tc| tc.draw(any::<Vec<i32>>()));
    measure("a string", 300_000, |tc| tc.draw(any::<String>()));
    measure("an assumption", 200_000, |tc| {
        let x = tc.draw(any::<u64>());
        tc.assume(x % 2 == 0);
    });
}
