//! Properties that hold for whatever bytes there are, on some thousand texts that are always the
//! same ones: samples with pieces taken out, put in, and put elsewhere.

mod edits;
mod texts;

use rand_core::{Rng, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

/// A text that was a sample once.
fn mangled(random: &mut Xoshiro256PlusPlus) -> Vec<u8> {
    let mut below = |most: usize| (random.next_u64() % most.max(1) as u64) as usize;
    let sample = texts::SAMPLES[below(texts::SAMPLES.len())].2.as_bytes();
    let mut text = sample.to_vec();
    for _ in 0..below(6) {
        let start = below(text.len());
        let end = (start + below(40)).min(text.len());
        let other = below(sample.len());
        let piece = &sample[other..(other + below(40)).min(sample.len())];
        let byte = [below(256) as u8];
        let insert: &[u8] = [piece, &byte, b""][below(3)];
        text.splice(start..end, insert.iter().copied());
    }
    text
}

#[test]
fn what_is_read_edited_and_written_can_be_read_again() {
    let mut random = Xoshiro256PlusPlus::seed_from_u64(4);
    for _ in 0..1500 {
        let choices = random.next_u64();
        edits::check_edits(choices, &mangled(&mut random));
    }
}
