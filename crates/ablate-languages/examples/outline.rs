//! Prints the syntax tree of a file: `outline FILE`.

fn main() {
    let file = std::env::args().nth(1).unwrap_or_default();
    let content = std::fs::read(&file).unwrap_or_default();
    if let Some(language) = ablate_languages::detect(&file, &content) {
        for (depth, kind) in
            ablate_languages::explain::outline(language.name, &String::from_utf8_lossy(&content))
        {
            println!("{}{kind}", "  ".repeat(depth));
        }
    }
}
