//! Deletes the white space between tokens, but for what keeps words apart and lines where they count.
//!
//! It almost never matters, and often makes up a third of a text: `int f( ) {\n  return 1 ; }` becomes
//! `int f(){return 1;}` in one test.
//!
//! Costs one test where all of it can go; where not, one for each half, quarter and so on down to a
//! 32nd of the gaps.
//!
//! ```
//! use ablate_languages::explain::reductions;
//!
//! let seen = reductions("delete_layout", "c", "int f( ) {\n  return 1 ; }");
//! assert_eq!(seen[0], "int f(){return 1;}");
//! ```

use std::rc::Rc;

use ablate_engine::chooser::{Chooser, DeadBranch};
use ablate_engine::pass::Pass;
use ablate_engine::patch::Patch;
use ablate_engine::target::Target;

use crate::passes::add_runs;
use crate::tree::{Syntax, SyntaxTree};

/// Runs of fewer gaps than this share of all are left to other passes.
const SMALLEST_SHARE: usize = 32;
/// Languages in which the ends and beginnings of lines count.
const LINEWISE: &[&str] = &[
    "bash", "cmake", "go", "haskell", "julia", "kotlin", "llvm", "lua", "markdown", "ocaml",
    "python", "ruby", "scala", "sql", "swift", "toml", "verilog", "yaml", "html", "xml",
];

/// Deletes white space between tokens; see the module.
#[derive(Clone, Debug)]
pub struct DeleteLayout(pub Rc<Syntax>);

/// The white space that can go, and runs of it, the longest last.
struct Gaps {
    gaps: Vec<(u32, u32)>,
    runs: Vec<(u32, u32)>,
}

impl Gaps {
    fn of(target: &Target<u8>, syntax: &Syntax, tree: &SyntaxTree) -> Gaps {
        let text = target.elements();
        let is_linewise = LINEWISE.contains(&syntax.language().name);
        let mut gaps = Vec::new();
        let mut at = 0;
        // Without the end of the line a comment such as `// a` would go on.
        let mut is_ended_by_line = false;
        for (number, node) in tree.nodes().iter().enumerate() {
            let is_leaf = node.next as usize == number + 1;
            if is_leaf && !node.is_empty() {
                let is_ended = is_linewise || is_ended_by_line;
                add_gap(text, at, node.start as usize, is_ended, &mut gaps);
                at = at.max(node.end as usize);
                is_ended_by_line = node.is_extra && !text[node.range()].ends_with(b"*/");
            }
        }
        add_gap(text, at, text.len(), is_linewise, &mut gaps);
        let mut runs = Vec::new();
        if let Some(last) = gaps.len().checked_sub(1) {
            let smallest = gaps.len() / SMALLEST_SHARE;
            add_runs(0, last, &mut |first, last| {
                runs.push((first as u32, last as u32));
                last + 1 - first > smallest
            });
        }
        runs.sort_by_key(|&(first, last)| (last - first, first));
        Gaps { gaps, runs }
    }
}

/// Adds what can go of the white space in `start..end`, the gap between two tokens.
fn add_gap(text: &[u8], start: usize, end: usize, is_linewise: bool, gaps: &mut Vec<(u32, u32)>) {
    let Some(gap) = text.get(start..end) else {
        return;
    };
    if gap.is_empty() || !gap.iter().all(u8::is_ascii_whitespace) {
        return;
    }
    let has_line = gap.contains(&b'\n');
    let before = start.checked_sub(1).map(|at| text[at]);
    let after = text.get(end).copied();
    let (Some(before), Some(after)) = (before, after) else {
        // Nothing stands before, or nothing behind.
        let kept = usize::from(has_line && is_linewise && before.is_some());
        gaps.push(((start + kept).min(end) as u32, end as u32));
        return;
    };
    // A directive has its line for itself.
    let directive = after == b'#' || on_directive(text, start);
    if has_line && (is_linewise || directive) {
        if before == b'\n' && directive {
            gaps.push((start as u32, end as u32));
        }
        // Blank lines and blanks at the end of a line, but not how far the next one is indented.
        let last = gap.iter().rposition(|&byte| byte == b'\n').unwrap_or(0);
        gaps.push((start as u32, (start + last) as u32));
        return;
    }
    let keeps_apart = may_merge(before, after);
    gaps.push(((start + usize::from(keeps_apart)) as u32, end as u32));
}

/// Whether the line that ends at `at` is a directive.
fn on_directive(text: &[u8], at: usize) -> bool {
    let line = text[..at]
        .iter()
        .rposition(|&byte| byte == b'\n')
        .map_or(0, |at| at + 1);
    text[line..at].trim_ascii_start().first() == Some(&b'#')
}

/// Whether two characters could be read as one token.
fn may_merge(before: u8, after: u8) -> bool {
    let is_word = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'$' | 128..);
    let is_alone = |byte: u8| matches!(byte, b'(' | b')' | b'[' | b']' | b'{' | b'}' | b',' | b';');
    let is_quote = |byte: u8| matches!(byte, b'"' | b'\'' | b'`');
    if is_word(before) {
        return is_word(after) || is_quote(after);
    }
    if is_quote(before) {
        return is_word(after) || is_quote(after);
    }
    !is_alone(before) && !is_alone(after) && !is_word(after) && !is_quote(after)
        || matches!((before, after), (b'.', b'0'..=b'9'))
}

impl Pass<u8> for DeleteLayout {
    fn name(&self) -> &'static str {
        "delete_layout"
    }

    fn step(
        &self,
        target: &Target<u8>,
        chooser: &mut Chooser<'_>,
    ) -> Result<Patch<u8>, DeadBranch> {
        let tree = self.0.tree(target);
        let gaps = target.analysis(|target| Gaps::of(target, &self.0, &tree));
        let (first, last) = gaps.runs[chooser.any(0..gaps.runs.len())?];
        let gaps = &gaps.gaps[first as usize..=last as usize];
        let patch = Patch::cuts(
            gaps.iter()
                .map(|&(start, end)| (start as usize, end as usize)),
        );
        if patch.is_empty() {
            Err(DeadBranch)
        } else {
            Ok(patch)
        }
    }

    fn is_for_chaos(&self) -> bool {
        false
    }

    fn rank(&self) -> u8 {
        9
    }
}

#[cfg(test)]
mod tests {
    use crate::explain::reductions;

    #[test]
    fn the_end_of_a_comment_is_the_end_of_its_line() {
        let seen = reductions("delete_layout", "c", "int a; // b\n  int c;\n");
        assert_eq!(seen[0], "int a;// b\n  int c;");
    }
}
