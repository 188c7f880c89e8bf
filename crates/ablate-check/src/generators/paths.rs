//! Paths. They are values: nothing is read or written there.

use std::path::PathBuf;

use crate::combinators::Combinators;
use crate::generator::{Boxed, Generator};
use crate::one_of;

use super::{bools, sample, string, vec};

/// Relative and absolute paths, with `.`, `..`, spaces and letters of all scripts among their
/// components.
pub fn paths() -> Boxed<'static, PathBuf> {
    let component = one_of![
        6 => string().alphabet("abcdefghijklmnopqrstuvwxyz0123456789_-.").len(1..=8),
        1 => sample([".", "..", "~", " ", "a b", "CON", "a.tar.gz"]).map(str::to_owned),
        1 => string().range(' '..='\u{2fff}').len(1..=8).map(|name| name.replace('/', "_")),
    ];
    (bools().probability(0.3), vec(component).len(0..=8))
        .map(|(is_absolute, components)| {
            let root = if is_absolute { "/" } else { "" };
            components
                .iter()
                .fold(PathBuf::from(root), |mut path, part| {
                    path.push(part);
                    path
                })
        })
        .boxed()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::TestCase;

    #[test]
    fn paths_have_few_components() {
        for seed in 0..200 {
            let path = TestCase::from_seed(seed).draw(paths());
            assert!(path.components().count() <= 9, "{path:?}");
        }
    }
}
