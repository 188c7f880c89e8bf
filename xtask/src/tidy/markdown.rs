//! As much of Markdown as it takes to find what a document names: code, links and headings.

/// What a document names.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Names {
    /// Code inside a line, with the line's number.
    pub code: Vec<(usize, String)>,
    /// Words of code blocks, with the line's number.
    pub words: Vec<(usize, String)>,
    /// Targets of links, with the line's number.
    pub links: Vec<(usize, String)>,
    /// The anchors that headings make.
    pub anchors: Vec<String>,
}

/// Finds what `text` names.
pub fn names(text: &str) -> Names {
    let mut names = Names::default();
    let mut fence: Option<&str> = None;
    for (index, line) in text.lines().enumerate() {
        let (number, trimmed) = (index + 1, line.trim_start());
        if let Some(mark) = ["```", "~~~"]
            .into_iter()
            .find(|mark| trimmed.starts_with(mark))
        {
            fence = match fence {
                Some(open) if open == mark => None,
                Some(open) => Some(open),
                None => Some(mark),
            };
        } else if fence.is_some() {
            let words = line
                .split_whitespace()
                .map(|word| (number, word.to_owned()));
            names.words.extend(words);
        } else {
            if let Some(heading) = heading(trimmed) {
                let anchor = anchor(heading, &names.anchors);
                names.anchors.push(anchor);
            }
            let rest = take_code(line, number, &mut names.code);
            take_links(&rest, number, &mut names.links);
        }
    }
    names
}

fn heading(line: &str) -> Option<&str> {
    let text = line.trim_start_matches('#');
    let level = line.len() - text.len();
    (1..=6)
        .contains(&level)
        .then(|| text.strip_prefix(' '))
        .flatten()
}

/// The anchor that a heading gets where Markdown is shown: lower case, no punctuation, dashes for
/// blanks, numbered when it is there already.
fn anchor(heading: &str, taken: &[String]) -> String {
    let kept = heading.trim().chars().filter_map(|c| match c {
        ' ' => Some('-'),
        '-' | '_' => Some(c),
        c => c.is_alphanumeric().then_some(c),
    });
    let plain: String = kept.collect::<String>().to_lowercase();
    let mut anchor = plain.clone();
    let mut number = 0;
    while taken.contains(&anchor) {
        number += 1;
        anchor = format!("{plain}-{number}");
    }
    anchor
}

/// Moves code in backticks from a line into `code`; the rest of the line is returned.
fn take_code(line: &str, number: usize, code: &mut Vec<(usize, String)>) -> String {
    let mut rest = String::new();
    let mut left = line;
    while let Some(start) = left.find('`') {
        let ticks = left[start..].chars().take_while(|&c| c == '`').count();
        let mark = &left[start..start + ticks];
        let inside = &left[start + ticks..];
        rest.push_str(&left[..start]);
        let Some(end) = inside.find(mark) else {
            left = inside;
            continue;
        };
        code.push((number, inside[..end].trim().to_owned()));
        // Something has to stay, or the link that a piece of code names would have no text.
        rest.push('x');
        left = &inside[end + ticks..];
    }
    rest.push_str(left);
    rest
}

fn take_links(line: &str, number: usize, links: &mut Vec<(usize, String)>) {
    let mut left = line;
    while let Some(start) = left.find("](") {
        left = &left[start + 2..];
        let Some(end) = left.find(')') else {
            return;
        };
        let target = left[..end].split_whitespace().next().unwrap_or_default();
        links.push((number, target.trim_matches(['<', '>']).to_owned()));
        left = &left[end..];
    }
    // A definition: [name]: target
    if let Some((name, target)) = line.split_once("]: ")
        && name.starts_with('[')
    {
        let target = target.split_whitespace().next().unwrap_or_default();
        links.push((number, target.to_owned()));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn code_links_words_and_headings_are_found() {
        let found = names(
            "# The `map`, first\nSee `a/b.rs` and [`c`](docs/c.md#top).\n```sh\nrun x/y\n```\n\
             # The map first\n[d]: d.md\n",
        );
        let code = |texts: &[(usize, &str)]| -> Vec<(usize, String)> {
            let owned = texts.iter().map(|(line, text)| (*line, (*text).to_owned()));
            owned.collect()
        };
        assert_eq!(found.code, code(&[(1, "map"), (2, "a/b.rs"), (2, "c")]));
        assert_eq!(found.links, code(&[(2, "docs/c.md#top"), (7, "d.md")]));
        assert_eq!(found.words, code(&[(4, "run"), (4, "x/y")]));
        assert_eq!(found.anchors, ["the-map-first", "the-map-first-1"]);
    }
}
