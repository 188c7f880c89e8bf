//! Prints what a file declares, one name a line, with the kind of the node that declares it: `declared FILE`.

fn main() {
    let file = std::env::args().nth(1).unwrap_or_default();
    let content = std::fs::read(&file).unwrap_or_default();
    if let Some(language) = ablate_languages::detect(&file, &content) {
        let text = String::from_utf8_lossy(&content);
        for (kind, name) in ablate_languages::explain::declared(language.name, &text) {
            println!("{kind} {name}");
        }
    }
}
