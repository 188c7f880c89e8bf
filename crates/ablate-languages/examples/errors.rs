//! Prints what of a file could not be parsed, with what stands around it: `errors FILE`.

use ablate_engine::target::Target;
use ablate_languages::{Syntax, detect};

fn main() {
    let file = std::env::args().nth(1).unwrap_or_default();
    let content = std::fs::read(&file).unwrap_or_default();
    let Some(language) = detect(&file, &content) else {
        return;
    };
    let target = Target::new(content);
    let tree = Syntax::new(language).tree(&target);
    for node in tree.nodes().iter().filter(|node| node.is_error) {
        let text = target.elements();
        let (start, end) = (node.start as usize, node.end as usize);
        let before = String::from_utf8_lossy(&text[start.saturating_sub(50)..start]);
        let inner = String::from_utf8_lossy(&text[start..end.min(start + 80)]);
        let parent = tree.kind_name(&tree.nodes()[node.parent as usize]);
        println!("{} {parent} {before:?} >>> {inner:?}", end - start);
    }
}
