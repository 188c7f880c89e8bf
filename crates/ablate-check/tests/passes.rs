//! What every pass on choices has to keep: it proposes only what is simpler, it ends, it proposes
//! nothing after its end, it does not depend on the order of its steps, and growing goes on from
//! what was grown; and it has something to do, and is explained.

use std::cell::RefCell;

use ablate_check::choice::{Choice, Simplicity};
use ablate_check::passes;
use ablate_check::prelude::*;
use ablate_check::reduce::{Reduce, Sequence, Test};
use ablate_check::{Settings, Storage};
use ablate_engine::chooser::{ChoiceTree, Walk};
use ablate_engine::order::compare;
use ablate_engine::pass::Pass;
use ablate_engine::patch::Patch;
use ablate_engine::target::Target;
use rand_core::SeedableRng;
use rand_xoshiro::Xoshiro256PlusPlus;

/// Keeps what it is to reduce.
struct Keep(std::sync::Mutex<Vec<Sequence>>);

impl Reduce for &'static Keep {
    fn reduce(&self, start: Sequence, _: &mut Test<'_>) -> Sequence {
        self.0.lock().unwrap().push(start.clone());
        start
    }
}

/// A tree, for what is recursive.
#[derive(Debug, Arbitrary)]
#[expect(dead_code, reason = "only drawn")]
enum Tree {
    Leaf(u8),
    Node(Box<Tree>, Box<Tree>),
    Many(Vec<Tree>),
}

/// The choice sequences of test cases with something in them for every pass.
fn sequences() -> Vec<Sequence> {
    let properties: [fn(&mut TestCase); 18] = [
        |tc| drop(tc.draw(any::<(Vec<i32>, bool, bool)>())),
        |tc| drop(tc.draw(vec(vec(any::<u16>()).len(..6)).len(2..))),
        |tc| drop(tc.draw((vec(any::<i128>()).len(2..9), vec(any::<u128>()).len(2..9)))),
        |tc| drop(tc.draw((any::<Tree>(), any::<Tree>()))),
        |tc| drop(tc.draw((string(), bytes(), string().alphabet("abc")))),
        |tc| drop(tc.draw(vec(any::<f64>()))),
        |tc| drop(tc.draw(vec(string().len(..4)).len(2..))),
        |tc| drop(tc.draw(vec(one_of![0..9u32, 0..2000u32]).len(1..5))),
        |tc| drop(tc.draw(vec(integers(0..99u8).filter(|x| x % 2 == 0)).len(1..))),
        |tc| drop(tc.draw((permutation([1, 2, 3, 4]), vec(8.0..10.0f64).len(2..)))),
        |tc| {
            let len = tc.draw(1..=9usize);
            drop(tc.draw(vec((0..9usize, any::<i64>())).exactly(len)));
        },
        |tc| drop(tc.draw(vec((vec(0..9u8).len(1..3), any::<i16>())).len(2..))),
        |tc| {
            let counted = integers(1..=9usize).flat_map(|len| vec(0..9u8).exactly(len));
            drop(tc.draw(vec(counted).len(2..5)));
        },
        |tc| {
            drop(tc.draw((any::<Vec<bool>>(), vec(0..3usize))));
            // Among so many some are near each other.
            drop(tc.draw(vec(any::<u32>()).exactly(29)));
        },
        |tc| drop(tc.draw(vec(any::<u32>()).exactly(50))),
        |tc| {
            tc.draw((any::<u16>(), 0..9u8));
            drop(tc.draw(vec(any::<u16>()).exactly(3)));
        },
        |tc| {
            drop(tc.draw(vec(any::<u8>().filter(|x| *x >= 128)).exactly(3)));
            drop(tc.draw(string().alphabet("a").len(10..20)));
        },
        |tc| {
            let len = tc.draw(1..=4usize);
            drop(tc.draw(vec(vec(0..9u8).exactly(len)).exactly(len)));
            drop(tc.draw(vec(0..4u8)));
        },
    ];
    let kept: &'static Keep = Box::leak(Box::new(Keep(std::sync::Mutex::default())));
    for property in properties {
        for seed in 0..12 {
            let count = RefCell::new(0);
            let settings = Settings::new().storage(Storage::Off).seed(seed);
            let settings = settings.health_checks(false).all_failures(false);
            settings.explain(false).reducer(kept).run(|tc| {
                property(tc);
                *count.borrow_mut() += 1;
                // Not the first, which are the smallest; and the same again when it is replayed.
                assert!(*count.borrow() < 30);
            });
        }
    }
    let kept = kept.0.lock().unwrap();
    let short = kept.iter().filter(|s| s.choices.len() < 60);
    short.cloned().collect()
}

fn is_simpler(target: &Target<Choice>, patch: &Patch<Choice>) -> bool {
    let candidate = target.candidate(patch.clone());
    let pieces = (candidate.len(), candidate.pieces());
    compare(&Simplicity, pieces, target.elements()).is_lt()
}

fn check_patch(pass: &dyn Pass<Choice>, target: &Target<Choice>, patch: &Patch<Choice>) {
    let mut at = 0;
    for edit in patch.edits() {
        let name = pass.name();
        assert!(
            at <= edit.start && edit.start <= edit.end,
            "{name}: {patch:?}"
        );
        assert!(edit.end <= target.len(), "{name} beyond the end");
        at = edit.end;
    }
}

/// Nothing goes further than a float that is halved.
const FURTHEST: usize = 1100;

/// Grows as the engine does: as long as it goes on, it goes further.
fn check_growth(pass: &dyn Pass<Choice>, target: &Target<Choice>, patch: &Patch<Choice>) {
    for direction in 0..pass.directions() {
        let mut last = patch.clone();
        for amount in 1..FURTHEST {
            let Some(grown) = pass.grow(target, patch, direction, amount) else {
                break;
            };
            check_patch(pass, target, &grown);
            // What a sibling lacks need not be done there, so it may be the same.
            let (more, less) = (target.candidate(grown.clone()), target.candidate(last));
            let order = compare(&Simplicity, (more.len(), more.pieces()), &less.build());
            assert!(order.is_le(), "{} does less: {grown:?}", pass.name());
            last = grown;
            assert!(amount < FURTHEST - 1, "{} grows for ever", pass.name());
        }
    }
}

/// Every step, in this order: how many of them name something simpler.
fn check_pass(pass: &dyn Pass<Choice>, sequence: &Sequence, walk: &Walk) -> Vec<Vec<Choice>> {
    let target = Target::with_spans(sequence.choices.clone(), sequence.spans.clone());
    let mut random = Xoshiro256PlusPlus::seed_from_u64(7);
    let mut tree = ChoiceTree::new();
    let (mut steps, mut proposed) = (0, Vec::new());
    let mut step =
        |tree: &mut ChoiceTree| tree.step(walk, &mut random, |chooser| pass.step(&target, chooser));
    while let Some((_, result)) = step(&mut tree) {
        steps += 1;
        assert!(steps < 50_000, "{} does not end", pass.name());
        let Ok(patch) = result else { continue };
        check_patch(pass, &target, &patch);
        if pass.pumps() || is_simpler(&target, &patch) {
            check_growth(pass, &target, &patch);
            proposed.push(target.candidate(patch).build());
        }
    }
    assert!(tree.is_exhausted());
    assert!(step(&mut tree).is_none(), "{} goes on", pass.name());
    proposed
}

fn sorted(mut candidates: Vec<Vec<Choice>>) -> Vec<String> {
    let mut texts: Vec<String> = candidates.drain(..).map(|c| format!("{c:?}")).collect();
    texts.sort();
    texts
}

#[test]
fn every_pass_keeps_the_contract() {
    let sequences = sequences();
    assert!(sequences.len() > 50, "{}", sequences.len());
    let mut idle = Vec::new();
    for pass in passes::all().iter().chain(&passes::on_lists()) {
        let mut has_work = false;
        for sequence in &sequences {
            let swept = check_pass(&**pass, sequence, &Walk::Sweep { from: vec![] });
            let random = check_pass(&**pass, sequence, &Walk::Random);
            has_work |= !swept.is_empty();
            let (swept, random) = (sorted(swept), sorted(random));
            assert!(swept == random, "{} depends on the order", pass.name());
        }
        if !has_work {
            idle.push(pass.name());
        }
    }
    // The label of what was discarded is given by the seam to the engine.
    assert_eq!(idle, ["delete_discarded"]);
}

#[test]
fn every_pass_is_explained() {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("src/passes");
    let mut explained = 0;
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            continue;
        }
        let text = std::fs::read_to_string(path).unwrap();
        if !text.contains("impl Pass<Choice> for") {
            continue;
        }
        explained += 1;
        let lines = text.lines().take_while(|line| line.starts_with("//!"));
        let comment: String = lines.collect();
        for part in ["Costs", "```", "reductions("] {
            assert!(comment.contains(part), "{comment} without {part}");
        }
    }
    assert!(explained >= 28, "{explained}");
}
