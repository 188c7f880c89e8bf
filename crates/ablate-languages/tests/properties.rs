//! Properties that hold for whatever bytes there are, on some thousand texts that are always the
//! same ones: samples with pieces taken out, put in, and put elsewhere.

mod edits;
mod texts;

use std::rc::Rc;

use ablate_engine::target::Target;
use ablate_languages::{LANGUAGES, Syntax, embedded, find};
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

#[test]
fn a_tree_does_not_depend_on_what_was_parsed_before() {
    let mut random = Xoshiro256PlusPlus::seed_from_u64(5);
    let kept: Vec<_> = LANGUAGES.iter().map(Syntax::new).collect();
    for round in 0..600 {
        let mut text = mangled(&mut random);
        let syntax = &kept[round % kept.len()];
        // Parsed once as it is, and then with a piece less, as a reduction does.
        syntax.tree(&Target::new(text.clone()));
        let start = random.next_u64() as usize % text.len().max(1);
        text.drain(start..text.len().min(start + 9));
        let tree = |syntax: &Syntax| syntax.tree(&Target::new(text.clone()));
        let (again, anew) = (tree(syntax), tree(&Syntax::new(syntax.language())));
        let name = syntax.language().name;
        assert_eq!(
            again.nodes(),
            anew.nodes(),
            "{name} {:?}",
            text.escape_ascii()
        );
    }
}

#[test]
fn a_tree_of_what_is_embedded_does_not_depend_on_what_was_parsed_before() {
    let mut random = Xoshiro256PlusPlus::seed_from_u64(6);
    let html = find("html").unwrap();
    let mut kept: Vec<Rc<Syntax>> = Vec::new();
    let mut nodes = 0;
    for _ in 0..300 {
        let [one, other] = [0; 2].map(|_| mangled(&mut random));
        let tags: [&[u8]; 3] = [b"<script>", b"</script><STYLE>", b"</style><script >"];
        let mut text = [tags[0], &one, tags[1], &other, tags[2], &one].concat();
        let start = random.next_u64() as usize % text.len();
        text.drain(start..text.len().min(start + 9));
        let anew = embedded(html, &text);
        let target = || Target::new(text.clone());
        for syntax in &kept {
            let same = anew
                .iter()
                .find(|it| it.language().name == syntax.language().name);
            if let Some(same) = same {
                let tree = same.tree(&target());
                assert_eq!(
                    syntax.tree(&target()).nodes(),
                    tree.nodes(),
                    "{}",
                    text.escape_ascii()
                );
                nodes += tree.nodes().len();
            }
        }
        if kept.len() < 2 {
            kept = anew;
        }
    }
    assert!(nodes > 0);
}
