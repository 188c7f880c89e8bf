//! Reductions of formats with structure, by the engine and with tests that cost nothing: what they
//! end with, and after how many tests the last success came.

use std::collections::BTreeSet;

use ablate_engine::event::Event;
use ablate_engine::order::Text;
use ablate_engine::reducer::{Settings, reduce};
use ablate_engine::target::Target;
use ablate_passes::registry::PASSES;
use rand_core::{Rng, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

/// Reduces `text`, and makes sure of the result and of the number of tests after which it was as
/// short as that.
#[track_caller]
fn check_reduced(text: &str, test: &dyn Fn(&str) -> bool, expected: &str, tests_max: u64) {
    assert!(test(text));
    let passes: Vec<_> = PASSES.iter().map(|entry| (entry.make)()).collect();
    let target = Target::new(text.as_bytes().to_vec());
    let mut oracle = |content: &[u8]| std::str::from_utf8(content).is_ok_and(test);
    let (mut tests, mut short_after) = (0, u64::MAX);
    let mut count = |event: &Event<'_, u8>| match event {
        Event::Tested { .. } => tests += 1,
        Event::Reduced { target, .. } if target.len() == expected.len() => {
            short_after = short_after.min(tests);
        }
        _ => (),
    };
    let settings = Settings::default();
    let outcome = reduce(target, &passes, &Text, &mut oracle, &settings, &mut count);
    let result = String::from_utf8_lossy(outcome.target.elements()).into_owned();
    println!(
        "{} bytes after {short_after} tests of {tests}",
        result.len()
    );
    assert_eq!(result, expected);
    assert!(short_after <= tests_max, "{short_after} tests");
}

/// The clauses of a formula whose header is right, each of them sorted.
fn clauses(text: &str) -> Option<BTreeSet<Vec<i32>>> {
    let mut lines = text.lines();
    let header = lines.find(|line| !line.starts_with('c'))?;
    let stated = header.strip_prefix("p cnf ")?.split_once(' ')?;
    let (variables, count): (u32, usize) = (stated.0.parse().ok()?, stated.1.parse().ok()?);
    let mut found = Vec::new();
    for line in lines {
        let mut clause: Vec<i32> = Vec::new();
        for word in line.strip_suffix(" 0")?.split(' ') {
            clause.push(word.parse().ok()?);
        }
        clause.sort_unstable();
        found.push(clause);
    }
    let is_right = found
        .iter()
        .flatten()
        .all(|l| l.unsigned_abs() <= variables);
    (found.len() == count && is_right).then(|| found.into_iter().collect())
}

#[test]
fn the_core_of_a_formula_is_found_with_a_right_header() {
    let mut random = Xoshiro256PlusPlus::seed_from_u64(1);
    let mut all: Vec<Vec<i32>> = (0..1500)
        .map(|_| {
            let literal = |_| {
                let number = (random.next_u64() % 400) as i32;
                if random.next_u64() % 2 == 0 {
                    number + 1
                } else {
                    -number - 1
                }
            };
            (0..3).map(literal).collect()
        })
        .collect();
    // Three pigeons, two holes: variables spread over the others.
    let place = |pigeon: i32, hole: i32| 7 + 131 * pigeon + 47 * hole;
    let mut core: BTreeSet<Vec<i32>> = BTreeSet::new();
    for pigeon in 0..3 {
        core.insert(vec![place(pigeon, 0), place(pigeon, 1)]);
        for other in 0..pigeon {
            for hole in 0..2 {
                core.insert(vec![-place(pigeon, hole), -place(other, hole)]);
            }
        }
    }
    for (number, clause) in (0..).zip(&core) {
        all.insert(150 * number + 70, clause.clone());
    }
    let written = |clause: &Vec<i32>| -> String {
        let words: Vec<String> = clause.iter().map(i32::to_string).collect();
        format!("{} 0\n", words.join(" "))
    };
    let text: String = all.iter().map(written).collect();
    let text = format!("c hidden\np cnf 400 {}\n{text}", all.len());
    let expected = "p cnf 316 9\n138 185 0\n269 316 0\n7 54 0\n-138 -269 0\n-185 -316 0\n\
                    -54 -185 0\n-54 -316 0\n-7 -138 0\n-7 -269 0";
    let keeps = |text: &str| clauses(text).is_some_and(|found| core.is_subset(&found));
    check_reduced(&text, &keeps, expected, 250);
}

#[test]
fn the_one_command_of_a_script_that_matters_is_found() {
    let mut text = String::from("(set-logic QF_SLIA)\n");
    for number in 0..40 {
        text += &format!("(declare-fun x{number} () Int)\n(declare-fun |p {number}| () Bool)\n");
    }
    for number in 0..40 {
        let next = (number * 7 + 3) % 40;
        text += &format!(
            "(assert (or |p {number}| (let ((y (+ x{number} 1))) (not (< y (- x{next} 3)))) \
             (=> |p {next}| (= x{number} (ite |p {number}| 5 x{next})))))\n"
        );
    }
    text += "(check-sat)\n";
    // What is used has to be declared, and parentheses have to match.
    let keeps = |text: &str| {
        let depth = text.bytes().try_fold(0_i32, |depth, byte| match byte {
            b'(' => Some(depth + 1),
            b')' => (depth > 0).then_some(depth - 1),
            _ => Some(depth),
        });
        let uses = |name: &str| {
            let mut found = text.match_indices(name).peekable();
            found.peek().is_none()
                || text.contains(&format!("(declare-fun {name} "))
                || text.contains(&format!("(declare-const {name} "))
        };
        let are_declared = (0..40).all(|n| uses(&format!("|p {n}|")));
        depth == Some(0) && are_declared && text.contains("(ite") && text.contains("(check-sat)")
    };
    check_reduced(&text, &keeps, "(ite)(check-sat)", 250);
}

#[test]
fn tags_go_in_pairs() {
    let mut text = String::from("<?xml version=\"1.0\"?>\n<list kind=\"all\">\n");
    for number in 0..60 {
        text += &format!(
            "  <item id=\"{number}\" class=\"x\"><name>n{number}</name><tag/>text</item>\n"
        );
    }
    text += "</list>\n";
    // Tags match, and there is one element in another with an attribute.
    let keeps = |text: &str| {
        let mut open = Vec::new();
        let mut has_inner = false;
        for tag in text.split('<').skip(1) {
            let Some((tag, _)) = tag.split_once('>') else {
                return false;
            };
            if let Some(name) = tag.strip_prefix('/') {
                if open.pop() != Some(name) {
                    return false;
                }
            } else if !tag.ends_with('/') && !tag.starts_with('?') {
                open.push(tag.split(' ').next().unwrap_or_default());
                has_inner |= open.len() > 2 && text.contains("id=");
            }
        }
        open.is_empty() && has_inner
    };
    check_reduced(&text, &keeps, "<><0 id=><></></0></>", 250);
}

#[test]
fn one_line_of_four_thousand_is_found_by_halving() {
    let line = |number: usize| format!("line {number} of a long log\n");
    let text: String = (0..4000).map(line).collect();
    let wanted = "line 2741 of a long log";
    check_reduced(&text, &|text| text.contains(wanted), wanted, 40);
}

#[test]
fn two_lines_of_four_thousand_are_found_by_halving() {
    let line = |number: usize| format!("line {number} of a long log\n");
    let text: String = (0..4000).map(line).collect();
    let (first, second) = ("line 512 of a long log", "line 3391 of a long log");
    let test = |text: &str| {
        text.find(first)
            .is_some_and(|at| text[at..].contains(second))
    };
    check_reduced(&text, &test, &format!("{first}{second}"), 110);
}
