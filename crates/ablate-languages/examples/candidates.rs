//! Writes what a pass proposes for a file: `candidates PASS FILE FOLDER [COUNT]`, one file for each
//! candidate, in the order of a sweep.

use std::path::PathBuf;

use ablate_engine::chooser::{ChoiceTree, Walk};
use ablate_engine::target::Target;
use ablate_languages::registry::PASSES;
use ablate_languages::{Syntax, detect};
use rand_core::SeedableRng;
use rand_xoshiro::Xoshiro256PlusPlus;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [name, file, folder, rest @ ..] = arguments.as_slice() else {
        return Err("usage: candidates PASS FILE FOLDER [COUNT]".into());
    };
    let count = rest.first().map_or(Ok(10), |count| count.parse())?;
    let content = std::fs::read(file)?;
    let mut of_text = ablate_passes::registry::PASSES.iter();
    let pass = match of_text.find(|entry| entry.description.name == name) {
        Some(entry) => (entry.make)(),
        None => {
            let entry = PASSES.iter().find(|entry| entry.description.name == name);
            let entry = entry.ok_or("there is no such pass")?;
            let language = detect(file, &content).ok_or("no language is known for this file")?;
            (entry.make)(&Syntax::new(language))
        }
    };
    let target = Target::new(content);
    let mut tree = ChoiceTree::new();
    let mut random = Xoshiro256PlusPlus::seed_from_u64(0);
    let walk = Walk::Sweep { from: Vec::new() };
    let mut written = 0;
    while written < count {
        let step = tree.step(&walk, &mut random, |chooser| pass.step(&target, chooser));
        let Some((_, step)) = step else { break };
        let Ok(patch) = step else { continue };
        let candidate = target.candidate(patch).build();
        let extension = file.rsplit('.').next().unwrap_or("txt");
        let path = PathBuf::from(folder).join(format!("{written}.{extension}"));
        std::fs::write(&path, &candidate)?;
        println!("{}: {} bytes", path.display(), candidate.len());
        written += 1;
    }
    Ok(())
}
