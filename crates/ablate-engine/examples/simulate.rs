//! What running ahead saves: prints, for several models of a test, how many tests are asked for
//! and started, and how long that takes with 1 to 10,000 workers in simulated time.
//!
//! `cargo run --release --package ablate-engine --example simulate`

use ablate_engine::chooser::{Chooser, DeadBranch};
use ablate_engine::drive::Drive;
use ablate_engine::order::Natural;
use ablate_engine::pass::Pass;
use ablate_engine::patch::Patch;
use ablate_engine::reducer::{Settings, reduce};
use ablate_engine::simulate::{Latency, SimulatedWorkers};
use ablate_engine::target::Target;

/// Deletes one element; grows to its neighbours.
struct DeleteElement;

impl Pass<u64> for DeleteElement {
    fn name(&self) -> &'static str {
        "delete_element"
    }

    fn step(
        &self,
        target: &Target<u64>,
        chooser: &mut Chooser<'_>,
    ) -> Result<Patch<u64>, DeadBranch> {
        let index = chooser.any(0..target.len())?;
        Ok(Patch::cut(index, index + 1))
    }

    fn directions(&self) -> usize {
        2
    }

    fn grow(
        &self,
        target: &Target<u64>,
        patch: &Patch<u64>,
        direction: usize,
        amount: usize,
    ) -> Option<Patch<u64>> {
        let (start, end) = patch.extent()?;
        if direction == 0 {
            Some(Patch::cut(start.checked_sub(amount)?, end))
        } else {
            (end + amount <= target.len()).then(|| Patch::cut(start, end + amount))
        }
    }
}

/// One model: of `elements`, this share can go; with dependencies, an element that can go does so
/// only when none is left that names it.
struct Model {
    elements: u64,
    removable_percent: u64,
    has_dependencies: bool,
}

/// A fixed pseudo-random number for each element.
fn scattered(n: u64) -> u64 {
    let x = (n + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    (x ^ (x >> 29)).wrapping_mul(0xbf58_476d_1ce4_e5b9) >> 16
}

impl Model {
    fn is_interesting(&self, list: &[u64]) -> bool {
        let mut present = vec![false; self.elements as usize];
        for &n in list {
            present[n as usize] = true;
        }
        (0..self.elements).all(|n| {
            let is_needed = scattered(n) % 100 >= self.removable_percent;
            let has_what_it_needs =
                n == 0 || !self.has_dependencies || present[(scattered(n) / 128 % n) as usize];
            if present[n as usize] {
                has_what_it_needs
            } else {
                !is_needed
            }
        })
    }
}

fn main() {
    println!(
        "elements  removable  dependencies  latency  workers   tests  started  makespan  speed-up"
    );
    for elements in [600, 2000] {
        for has_dependencies in [false, true] {
            for removable_percent in [0, 1, 5, 20, 50, 90] {
                for (name, latency) in [
                    ("constant", Latency::Constant(100)),
                    (
                        "heavy",
                        Latency::HeavyTailed {
                            median: 100,
                            seed: 7,
                        },
                    ),
                ] {
                    let model = Model {
                        elements,
                        removable_percent,
                        has_dependencies,
                    };
                    let mut alone = None;
                    for slots in [1, 2, 8, 64, 1024, 10_000] {
                        let workers = SimulatedWorkers::new(slots, latency, |list: &[u64]| {
                            model.is_interesting(list)
                        });
                        let mut drive = Drive::new(workers);
                        let start = Target::new((0..elements).collect());
                        let outcome = reduce(
                            start,
                            &[Box::new(DeleteElement)],
                            &Natural,
                            &mut drive,
                            &Settings::default(),
                            &mut |_| (),
                        );
                        let makespan = drive.executor().now();
                        let (trace, first) = *alone.get_or_insert((outcome.counts.trace, makespan));
                        assert_eq!(
                            outcome.counts.trace, trace,
                            "the workers changed what was tested"
                        );
                        println!(
                            "{elements:8}  {removable_percent:8}%  {has_dependencies:12}  {name:8} {slots:7} {:7}  {:7}  {makespan:8}  {:8.2}",
                            outcome.counts.tests,
                            drive.counts().started,
                            first as f64 / makespan as f64,
                        );
                    }
                }
            }
        }
    }
}
