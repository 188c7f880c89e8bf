//! Values that hold values of their own type.

use std::sync::{Arc, OnceLock, Weak};

use crate::generator::{Boxed, Generator, label};
use crate::test_case::TestCase;

/// See [`recursive`].
pub struct Recursive<T> {
    node: Arc<Node<T>>,
}

struct Node<T> {
    leaf: Boxed<'static, T>,
    branch: OnceLock<Boxed<'static, T>>,
}

/// Either what `leaf` makes, which is simpler, or what `branch` makes of the whole generator.
/// Branches are the rarer the deeper they stand.
///
/// ```
/// use ablate_check::prelude::*;
///
/// #[derive(Debug)]
/// enum Tree {
///     Leaf(u8),
///     Node(Vec<Tree>),
/// }
/// let trees = recursive(integers(0..9u8).map(Tree::Leaf), |tree| vec(tree).map(Tree::Node));
/// check(|tc| {
///     tc.draw(&trees);
/// });
/// ```
pub fn recursive<T: 'static, G, H, F>(leaf: G, branch: F) -> Recursive<T>
where
    G: Generator<Value = T> + Send + Sync + 'static,
    H: Generator<Value = T> + Send + Sync + 'static,
    F: FnOnce(Inner<T>) -> H,
{
    let node = Arc::new(Node {
        leaf: leaf.boxed(),
        branch: OnceLock::new(),
    });
    // What is inside must not keep alive what it is inside of.
    let inner = Inner(Arc::downgrade(&node));
    let _ = node.branch.set(branch(inner).boxed());
    Recursive { node }
}

impl<T> Clone for Recursive<T> {
    fn clone(&self) -> Self {
        Recursive {
            node: Arc::clone(&self.node),
        }
    }
}

impl<T> Generator for Recursive<T> {
    type Value = T;

    fn draw(&self, tc: &mut TestCase) -> T {
        self.node.draw(tc)
    }

    fn label(&self) -> u64 {
        self.node.label()
    }
}

impl<T> Node<T> {
    fn draw(&self, tc: &mut TestCase) -> T {
        tc.span(self.label(), |tc| {
            let probability = tc.growth(tc.depth());
            let branch = self.branch.get();
            match branch {
                Some(branch) if tc.toss(probability) => tc.draw_silent(branch),
                _ => tc.draw_silent(&self.leaf),
            }
        })
    }

    fn label(&self) -> u64 {
        label("recursive")
    }
}

/// The whole of a recursive generator, inside itself.
pub struct Inner<T>(Weak<Node<T>>);

impl<T> Clone for Inner<T> {
    fn clone(&self) -> Self {
        Inner(Weak::clone(&self.0))
    }
}

impl<T> Generator for Inner<T> {
    type Value = T;

    fn draw(&self, tc: &mut TestCase) -> T {
        match self.0.upgrade() {
            Some(node) => node.draw(tc),
            // Taken out of its closure and used after the whole is gone.
            None => panic!("ablate-check: an inner generator outlived its recursive generator"),
        }
    }

    fn label(&self) -> u64 {
        label("recursive")
    }
}
