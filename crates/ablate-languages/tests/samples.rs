//! Each language of the build is found by the name and by the content of a sample, and its grammar
//! reads the sample without an error.

mod texts;

use ablate_engine::target::Target;
use ablate_languages::{LANGUAGES, Language, Syntax, detect, find};

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

#[test]
fn what_a_grammar_reads_in_pieces_is_not_read_as_a_whole() {
    let Some(json) = find("json") else { return };
    let is_read = |text: &str| Syntax::new(json).reads_whole(text.as_bytes());
    assert!(is_read("[1, 2]") && is_read("[1, 2"));
    assert!(!is_read("[1, {\"a\": ["));
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

/// The texts of all tokens but white space, comments, and strings that document a body.
fn tokens(language: &'static Language, text: &str) -> Vec<String> {
    let tree = Syntax::new(language).tree(&Target::new(text.as_bytes().to_vec()));
    let nodes = tree.nodes();
    let mut tokens = Vec::new();
    let mut number = 0;
    while number < nodes.len() {
        let node = &nodes[number];
        let kind = tree.kind_name(node);
        let is_comment = kind.ends_with("omment") || kind == "haddock";
        let is_whole = is_comment || node.next as usize == number + 1;
        if !is_whole {
            number += 1;
            continue;
        }
        number = node.next as usize;
        let token = text[node.range()].trim();
        if !is_comment && !token.is_empty() {
            tokens.push(token.to_owned());
        }
    }
    tokens
}

#[test]
fn tokens_stay_the_same_without_layout_and_comments() {
    let mut wrong = Vec::new();
    for &(name, file, text) in texts::SAMPLES {
        let Some(language) = find(name) else { continue };
        let seen = ablate_languages::explain::reductions("delete_layout", name, text);
        let Some(least) = seen.first() else { continue };
        let (before, after) = (tokens(language, text), tokens(language, least));
        let differs = (0..before.len()).find(|&at| before.get(at) != after.get(at));
        if let Some(at) = differs {
            let around = |of: &[String]| {
                of.iter()
                    .skip(at.saturating_sub(1))
                    .take(4)
                    .cloned()
                    .collect::<Vec<_>>()
            };
            wrong.push((file, around(&before), around(&after)));
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}
