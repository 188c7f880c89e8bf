//! What is deleted from a circuit leaves one in which everything is connected.

use std::collections::BTreeMap;

use ablate_passes::explain::reductions;
use ablate_passes::passes::DeleteRtlilCells;

const TEXT: &str = include_str!("samples/small.il");

/// The wires of each module, each with its line and how often it is named elsewhere in the module.
fn wires(text: &str) -> Vec<BTreeMap<&str, (&str, usize)>> {
    let is_name = |word: &&str| word.starts_with(['\\', '$']);
    let mut modules: Vec<BTreeMap<&str, (&str, usize)>> = Vec::new();
    for module in text.split("\nmodule ").skip(1) {
        let lines = || module.lines().map(str::trim);
        let declared = lines().filter(|line| line.starts_with("wire "));
        let mut wires: BTreeMap<&str, (&str, usize)> = declared
            .map(|line| (line.split(' ').rfind(is_name).unwrap(), (line, 0)))
            .collect();
        for line in lines() {
            let (keyword, rest) = line.split_once(' ').unwrap_or_default();
            // What stands first is a port or a memory.
            let is_port = keyword == "connect" && module.contains(&format!("\n    {line}\n"));
            let skipped = match keyword {
                "memwr" => 1,
                "connect" if is_port => 1,
                "connect" | "assign" | "switch" | "update" => 0,
                _ => continue,
            };
            let names = rest.split(' ').skip(skipped);
            for name in names.filter(is_name) {
                wires
                    .get_mut(name)
                    .unwrap_or_else(|| panic!("{name} is no wire: {text}"))
                    .1 += 1;
            }
        }
        modules.push(wires);
    }
    modules
}

#[test]
fn what_is_named_is_declared_and_what_is_declared_is_named() {
    assert_eq!(wires(TEXT).len(), 2);
    let seen = reductions(&DeleteRtlilCells, TEXT);
    assert!(seen.len() > 20);
    for text in seen {
        for (name, (line, named)) in wires(&text).into_iter().flatten() {
            // The ports of a module stay, as its instances may name them.
            let is_port = ["\\a", "\\clk", "\\q"].contains(&name);
            assert!(named > 0 || is_port, "{line} is not named: {text}");
        }
    }
}

#[test]
fn what_was_driven_comes_from_outside_and_what_was_used_goes_there() {
    let seen = reductions(&DeleteRtlilCells, TEXT);
    let has = |lines: &[&str], without: &str| {
        seen.iter().any(|text| {
            lines
                .iter()
                .all(|line| text.lines().any(|other| other.trim() == *line))
                && !text.contains(without)
        })
    };
    // The first instance drives `w`, the second uses it; the memory is read.
    assert!(has(&["wire input 1 width 4 \\w"], "cell \\inner \\i\n"));
    let read = r"wire output 1 width 4 $memrd$\mem$a.v:10$13_DATA";
    assert!(has(&[read], "cell $and "));
    // What nobody drives or uses any more goes.
    assert!(has(
        &[r"wire output 1 $reduce_or$a.v:11$15_Y"],
        r"connect \z "
    ));
    assert!(has(
        &["wire width 4 input 3 \\d"],
        "wire width 4 \\unused\n"
    ));
}
