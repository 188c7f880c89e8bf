//! What has to hold for every pass on text, whatever the text is.

use ablate_engine::chooser::{ChoiceTree, Walk};
use ablate_engine::order::{Text, compare_whole};
use ablate_engine::pass::Pass;
use ablate_engine::patch::Patch;
use ablate_engine::target::Target;
use ablate_passes::registry::PASSES;
use rand_core::SeedableRng;
use rand_xoshiro::Xoshiro256PlusPlus;

/// Edits that are made one after another.
const EDITS: u64 = 24;

/// Has one pass after another edit what comes after the first eight bytes of `data`, with `start`
/// before it. Which passes, and which of their edits, the eight bytes say.
pub fn check_passes(start: &[u8], data: &[u8]) {
    let Some((choices, text)) = data.split_first_chunk() else {
        return;
    };
    let choices = u64::from_le_bytes(*choices);
    let mut random = Xoshiro256PlusPlus::seed_from_u64(choices);
    let mut text = [start, text].concat();
    for round in 0..EDITS {
        let target = Target::new(text);
        let number = choices.wrapping_add(round * 31) % PASSES.len() as u64;
        let pass = (PASSES[number as usize].make)();
        let step = ChoiceTree::new().step(&Walk::Random, &mut random, |chooser| {
            pass.edit(&target, chooser)
        });
        text = match step {
            Some((_, Ok(patch))) => {
                check_growth(&*pass, &target, &patch);
                edited(&*pass, &target, &patch)
            }
            _ => target.elements().to_vec(),
        };
    }
}

fn check_growth(pass: &dyn Pass<u8>, target: &Target<u8>, patch: &Patch<u8>) {
    // What is compressed may get longer by getting less.
    let is_packed = pass.name() == "delete_packed_bytes";
    for direction in 0..pass.directions() {
        for amount in [1, 2, 7, 1000, usize::MAX] {
            match pass.grow(target, patch, direction, amount) {
                Some(larger) if !is_packed => drop(edited(pass, target, &larger)),
                _ => (),
            }
        }
    }
}

/// The target with the edit, which has to be simpler than it.
fn edited(pass: &dyn Pass<u8>, target: &Target<u8>, patch: &Patch<u8>) -> Vec<u8> {
    let text = target.elements();
    let candidate = target.candidate(patch.clone());
    let made = candidate.build();
    let ordering = compare_whole(&Text, &made, text);
    assert!(ordering.is_lt(), "{} does not simplify", pass.name());
    made
}
