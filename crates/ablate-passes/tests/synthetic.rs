//! How far the passes get on small synthetic problems with the plainest of drivers, and how many
//! candidates they have for what is left. The scheduler does better; this only shows that the
//! passes themselves get there.

use std::collections::BTreeSet;

use ablate_engine::chooser::{ChoiceTree, Walk};
use ablate_engine::explain::reductions;
use ablate_engine::identity::Identity;
use ablate_engine::order::{Text, compare};
use ablate_engine::pass::Pass;
use ablate_engine::patch::Patch;
use ablate_engine::search::find_change_point;
use ablate_engine::target::Target;
use ablate_passes::registry::PASSES;
use rand_core::SeedableRng;
use rand_xoshiro::Xoshiro256PlusPlus;

type Test = dyn Fn(&[u8]) -> bool;

struct Driver<'a> {
    test: &'a Test,
    target: Target<u8>,
    seen: BTreeSet<Identity>,
    calls: usize,
    calls_at_last_success: usize,
}

impl Driver<'_> {
    fn works(&mut self, patch: &Patch<u8>) -> bool {
        let candidate = self.target.candidate(patch.clone());
        let pieces = (candidate.len(), candidate.pieces());
        let ordering = compare(&Text, pieces, self.target.elements());
        if ordering.is_ge() || !self.seen.insert(candidate.identity()) {
            return false;
        }
        self.calls += 1;
        (self.test)(&candidate.build())
    }

    fn grown(&mut self, pass: &dyn Pass<u8>, mut patch: Patch<u8>) -> Patch<u8> {
        for direction in 0..pass.directions() {
            let base = patch.clone();
            let amount = find_change_point(0, usize::MAX, |amount| {
                let larger = pass.grow(&self.target, &base, direction, amount);
                Ok::<_, ()>(larger.is_some_and(|larger| self.works(&larger)))
            });
            if let Ok(1..) = amount {
                let larger = pass.grow(&self.target, &base, direction, amount.unwrap_or(0));
                patch = larger.unwrap_or(base);
            }
        }
        patch
    }

    /// Sweeps `pass` until none of its steps works.
    fn exhaust(&mut self, pass: &dyn Pass<u8>) {
        let mut random = Xoshiro256PlusPlus::seed_from_u64(0);
        let mut walk = Walk::Sweep { from: vec![] };
        let mut len_at_start = self.target.len();
        'target: loop {
            let mut tree = ChoiceTree::new();
            while let Some((path, step)) = tree.step(&walk, &mut random, |chooser| {
                pass.step(&self.target, chooser)
            }) {
                let Ok(patch) = step else { continue };
                if self.works(&patch) {
                    let patch = self.grown(pass, patch);
                    self.target = Target::new(patch.applied(self.target.elements()));
                    self.calls_at_last_success = self.calls;
                    // As the reducer does: large steps that stand first may succeed now.
                    let has_shrunk = self.target.len() <= len_at_start / 8 * 7;
                    let begins_anew = pass.is_largest_first() && has_shrunk;
                    if begins_anew {
                        len_at_start = self.target.len();
                    }
                    let from = if begins_anew { vec![] } else { path };
                    walk = Walk::Sweep { from };
                    continue 'target;
                }
            }
            return;
        }
    }
}

/// Reduces `text` to a fixed point of all passes: the result, the calls, and how many of them came
/// after the last success.
fn reduced(text: &[u8], test: &Test) -> (Vec<u8>, usize, usize) {
    assert!(test(text));
    let mut passes: Vec<_> = PASSES.iter().map(|entry| (entry.make)()).collect();
    passes.sort_by_key(|pass| 9 - pass.rank());
    let mut driver = Driver {
        test,
        target: Target::new(text.to_vec()),
        seen: BTreeSet::new(),
        calls: 0,
        calls_at_last_success: 0,
    };
    loop {
        let before = driver.target.identity();
        for pass in &passes {
            driver.exhaust(&**pass);
        }
        if driver.target.identity() == before {
            let tail = driver.calls - driver.calls_at_last_success;
            return (driver.target.elements().to_vec(), driver.calls, tail);
        }
    }
}

fn check_reduced(name: &str, text: &[u8], test: &Test, size: usize, calls: usize) {
    let (result, used, tail) = reduced(text, test);
    let shown = String::from_utf8_lossy(&result[..result.len().min(120)]).into_owned();
    println!(
        "{name}: {} bytes after {used} calls, {tail} of them at the end: {shown}",
        result.len()
    );
    assert!(
        result.len() <= size,
        "{name}: {} bytes: {shown}",
        result.len()
    );
    assert!(used <= calls, "{name}: {used} calls");
}

fn contains(text: &[u8], part: &[u8]) -> bool {
    text.windows(part.len()).any(|window| window == part)
}

#[test]
fn nested_parentheses_go_many_at_a_time() {
    let text = format!(
        "import sys\n\n\ndef wrap(x):\n    return x\n\n\nVALUES = [1, 2, 3]\n\n\ndef build():\n    \
         result = {}0{}\n    return result\n\n\nif __name__ == \"__main__\":\n    build()\n",
        "wrap(".repeat(600),
        ")".repeat(600)
    );
    let test = |text: &[u8]| {
        let (mut depth, mut greatest) = (0_i32, 0);
        for byte in text {
            depth += i32::from(b"([{".contains(byte)) - i32::from(b")]}".contains(byte));
            greatest = greatest.max(depth);
            if depth < 0 {
                return false;
            }
        }
        depth == 0 && greatest >= 400
    };
    check_reduced("deep_parens", text.as_bytes(), &test, 800, 200);
}

#[test]
fn markers_are_all_that_is_kept() {
    let mut text = String::new();
    for number in 0..2_000 {
        text +=
            &format!("def function_{number}(a, b, c):\n    result = a + b * c  # step {number}\n");
        match number {
            400 => text += "    RARE_MARKER_ALPHA = 1\n",
            1200 => text += "    RARE_MARKER_BETA = 2\n",
            1800 => text += "    RARE_MARKER_GAMMA = 3\n",
            _ => (),
        }
        text += "    return result\n";
    }
    let test = |text: &[u8]| {
        ["ALPHA", "BETA", "GAMMA"]
            .iter()
            .all(|name| contains(text, format!("RARE_MARKER_{name}").as_bytes()))
    };
    check_reduced("keep_markers", text.as_bytes(), &test, 50, 400);
}

#[test]
fn what_is_almost_minimal_costs_little() {
    let test =
        |text: &[u8]| contains(text, b"RARE_MARKER_ALPHA") && contains(text, b"RARE_MARKER_BETA");
    let text = b"x=RARE_MARKER_ALPHA+RARE_MARKER_BETA\n";
    check_reduced("already_minimal", text, &test, 33, 150);
}

/// Prints how many different candidates each pass has for two small texts, and keeps their sum
/// from growing.
#[test]
fn few_candidates_are_left_for_the_proof() {
    let markers = b"RARE_MARKER_ALPHARARE_MARKER_BETARARE_MARKER_GAMMA";
    let program = b"int a[3];\nint main(void) {\n  for (int i = 0; i < 3; i++)\n    a[i] += i * 7;\n  return a[2];\n}\n";
    for (text, most) in [(&markers[..], 125), (&program[..], 480)] {
        let mut all = BTreeSet::new();
        for entry in PASSES {
            let candidates = reductions(&*(entry.make)(), text);
            let before = all.len();
            let count = candidates.len();
            all.extend(candidates);
            println!(
                "{:26} {:4} candidates, {:4} of them new",
                entry.description.name,
                count,
                all.len() - before
            );
        }
        println!("{} bytes: {} different candidates\n", text.len(), all.len());
        assert!(all.len() <= most);
    }
}
