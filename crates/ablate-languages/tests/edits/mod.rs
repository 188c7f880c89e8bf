//! Parse, edit, render, and again: what has to hold for whatever bytes there are. The fuzz target
//! `syntax` does the same on bytes that the fuzzer finds.

use ablate_engine::chooser::{ChoiceTree, Walk};
use ablate_engine::target::Target;
use ablate_languages::registry::PASSES;
use ablate_languages::{LANGUAGES, Syntax, SyntaxTree, sound, without_unused};
use rand_core::SeedableRng;
use rand_xoshiro::Xoshiro256PlusPlus;

/// Edits that are made one after another.
const EDITS: usize = 16;

/// Reads `text` in a language, has a pass edit it, reads what that makes, and so on. What language
/// and which passes, `choices` say.
pub fn check_edits(choices: u64, text: &[u8]) {
    let language = &LANGUAGES[(choices % LANGUAGES.len() as u64) as usize];
    let syntax = Syntax::new(language);
    let mut random = Xoshiro256PlusPlus::seed_from_u64(choices);
    let mut text = text.to_vec();
    for round in 0..EDITS as u64 {
        let target = Target::new(text);
        check_tree(&syntax.tree(&target), target.elements());
        let entry = &PASSES[((choices / 64 + round * 7) % PASSES.len() as u64) as usize];
        let pass = without_unused(&syntax, sound(&syntax, (entry.make)(&syntax)));
        let step = ChoiceTree::new().step(&Walk::Random, &mut random, |chooser| {
            pass.edit(&target, chooser)
        });
        text = match step {
            Some((_, Ok(patch))) => {
                let candidate = target.candidate(patch);
                let made = candidate.build();
                assert_eq!(made.len(), candidate.len());
                assert!(made.len() <= target.len() && made != target.elements());
                made
            }
            _ => target.elements().to_vec(),
        };
    }
}

/// Whether nodes lie in the text, parts in wholes, and numbers go up.
fn check_tree(tree: &SyntaxTree, text: &[u8]) {
    let nodes = tree.nodes();
    for (number, node) in nodes.iter().enumerate() {
        assert!(node.start <= node.end && node.end as usize <= text.len());
        assert!(number < node.next as usize && node.next as usize <= nodes.len());
        let parent = &nodes[node.parent as usize];
        assert!(node.parent as usize <= number && node.next <= parent.next);
        assert!(parent.start <= node.start && node.end <= parent.end);
    }
}
