//! Each language of the build is found by the name and by the content of a sample, and its grammar
//! reads the sample without an error.

mod texts;

use ablate_engine::target::Target;
use ablate_languages::{LANGUAGES, Syntax, detect, find};

/// Languages that nothing but the name tells: what starts such a file starts others as well.
const TOLD_BY_NAME: &[&str] = &["ocaml-interface", "tsx"];

#[test]
fn every_language_has_a_sample() {
    for language in LANGUAGES {
        let has_sample = texts::SAMPLES
            .iter()
            .any(|sample| sample.0 == language.name);
        assert!(has_sample, "{language:?}");
    }
}

#[test]
fn every_sample_is_read_without_an_error() {
    for &(name, file, text) in texts::SAMPLES {
        let Some(language) = find(name) else { continue };
        let tree = Syntax::new(language).tree(&Target::new(text.as_bytes().to_vec()));
        let wrong = tree.nodes().iter().find(|node| node.is_error);
        let wrong = wrong.map(|node| &text[node.range()]);
        assert_eq!(wrong, None, "{file}");
        assert!(tree.is_sound() && tree.nodes().len() > 20, "{file}");
    }
}

/// Checks what is found for every sample that is in a language of this build.
fn check_found(found: impl Fn(&str, &str) -> Option<&'static str>, unknown: &[&str]) {
    let samples = texts::SAMPLES.iter();
    let known = samples.filter(|sample| find(sample.0).is_some() && !unknown.contains(&sample.0));
    let found = known.map(|&(name, file, text)| (file, found(file, text), Some(name)));
    let wrong: Vec<_> = found.filter(|(_, found, name)| found != name).collect();
    assert!(wrong.is_empty(), "{wrong:?}");
}

#[test]
fn every_language_is_found_by_the_name_of_its_sample() {
    check_found(|file, _| Some(detect(file, b"")?.name), &[]);
}

#[test]
fn every_language_is_found_by_the_content_of_its_sample() {
    let by_content = |_: &str, text: &str| Some(detect("input", text.as_bytes())?.name);
    check_found(by_content, TOLD_BY_NAME);
}
