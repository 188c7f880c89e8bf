//! The table and the simulation of "Adaptive delta debugging" (D. R. MacIver, 2017), with the
//! engine's own search: how many calls it takes to confirm a block of some size, and to reduce a
//! sequence to a unique subset, adaptively, by ddmin, and greedily.
//!
//! `cargo run --release --package ablate-engine --example adaptive`
//!
//! All three run to their fixed point. ddmin is the document's own, which runs again with the same
//! block size until nothing changes.

use std::convert::Infallible;

use ablate_engine::search::find_change_point;
use rand_core::{Rng, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

/// Counts calls of the test: interesting is what contains the wanted elements.
struct Counted<'a> {
    is_wanted: &'a [bool],
    calls: usize,
}

impl Counted<'_> {
    fn test(&mut self, list: &[usize]) -> bool {
        self.calls += 1;
        let mut next = list.iter().peekable();
        self.is_wanted
            .iter()
            .enumerate()
            .filter(|(_, wanted)| **wanted)
            .all(|(n, _)| {
                while next.peek().is_some_and(|&&m| m < n) {
                    next.next();
                }
                next.peek() == Some(&&n)
            })
    }

    fn without(&mut self, list: &[usize], start: usize, end: usize) -> Option<Vec<usize>> {
        let shorter = [&list[..start], &list[end..]].concat();
        self.test(&shorter).then_some(shorter)
    }
}

fn greedy(mut list: Vec<usize>, test: &mut Counted<'_>) -> Vec<usize> {
    loop {
        let (before, mut i) = (list.len(), 0);
        while i < list.len() {
            match test.without(&list, i, i + 1) {
                Some(shorter) => list = shorter,
                None => i += 1,
            }
        }
        if list.len() == before {
            return list;
        }
    }
}

fn ddmin(mut list: Vec<usize>, test: &mut Counted<'_>) -> Vec<usize> {
    let mut block = list.len() / 2;
    while block > 0 {
        let (before, mut i) = (list.len(), 0);
        while i < list.len() {
            match test.without(&list, i, (i + block).min(list.len())) {
                Some(shorter) => list = shorter,
                None => i += block,
            }
        }
        if list.len() == before {
            block /= 2;
        }
    }
    list
}

fn adaptive(mut list: Vec<usize>, test: &mut Counted<'_>) -> Vec<usize> {
    loop {
        let (before, mut i) = (list.len(), 0);
        while i < list.len() {
            let Ok(block) = find_change_point(0, list.len() - i, |block| {
                Ok::<_, Infallible>(test.without(&list, i, i + block).is_some())
            });
            list.drain(i..i + block);
            i += 1;
        }
        if list.len() == before {
            return list;
        }
    }
}

fn main() {
    println!("Calls to confirm that a block of this size can go, over those of the greedy search:");
    println!("block size  calls     ratio");
    for size in 1..=11usize {
        let mut calls = 0;
        let Ok(_) = find_change_point(0, 1 << 20, |k| {
            calls += 1;
            Ok::<_, Infallible>(k <= size)
        });
        println!(
            "{size:10}  {calls:5}  {:8.6}",
            calls as f64 / (size + 1) as f64
        );
    }
    println!();
    println!(
        "Reducing 1,000 elements to a unique subset, mean calls of 5 subsets for each fraction:"
    );
    println!("kept  adaptive     ddmin    greedy  adaptive/ddmin  adaptive/greedy  ddmin/greedy");
    let (mut sum, mut worst, mut count) = (0.0, 0.0f64, 0);
    for percent in 1..=99u64 {
        let mut means = [0.0; 3];
        for seed in 0..5 {
            let mut random = Xoshiro256PlusPlus::seed_from_u64(percent * 1000 + seed);
            let is_wanted: Vec<bool> = (0..1000)
                .map(|_| random.next_u64() % 100 < percent)
                .collect();
            let expected: Vec<usize> = (0..1000).filter(|&n| is_wanted[n]).collect();
            for (mean, reduce) in means.iter_mut().zip([adaptive, ddmin, greedy]) {
                let mut test = Counted {
                    is_wanted: &is_wanted,
                    calls: 0,
                };
                assert_eq!(reduce((0..1000).collect(), &mut test), expected);
                *mean += test.calls as f64 / 5.0;
            }
        }
        let [adaptive, ddmin, greedy] = means;
        let ratio = adaptive / ddmin;
        (sum, worst, count) = (sum + ratio, worst.max(ratio), count + 1);
        println!(
            "{percent:3}%  {adaptive:8.1}  {ddmin:8.1}  {greedy:8.1}  {ratio:14.3}  {:15.3}  {:12.3}",
            adaptive / greedy,
            ddmin / greedy
        );
    }
    println!(
        "mean of adaptive/ddmin: {:.3}, worst: {worst:.3}",
        sum / f64::from(count)
    );
}
