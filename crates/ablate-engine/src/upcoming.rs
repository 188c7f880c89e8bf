//! What passes will ask whose turns come next, named before the present turn is over: the last
//! tests of a turn, and turns of a few tests, leave no worker idle.
//!
//! Which turns those are is a guess, made as if every test failed. Whatever is guessed, a walker's
//! steps are the same, so only the time of a reduction depends on it.

use alloc::vec::{IntoIter, Vec};

use crate::event::Mode;
use crate::identity::Element;
use crate::reducer::State;
use crate::target::{Candidate, Target};
use crate::walker::Knowledge;

/// The turns that are expected, and the passes that have them.
pub(crate) struct Upcoming<'s, 'a, E> {
    turns: IntoIter<(usize, Mode)>,
    /// The turn whose steps are named now.
    turn: Option<(usize, Mode)>,
    /// The passes before and behind the one that has its turn.
    before: &'s mut [State<'a, E>],
    after: &'s mut [State<'a, E>],
    seed: u64,
}

impl<'s, 'a, E: Element> Upcoming<'s, 'a, E> {
    /// `turns` have numbers of passes, without that of the pass between the two parts.
    pub fn new(
        turns: Vec<(usize, Mode)>,
        before: &'s mut [State<'a, E>],
        after: &'s mut [State<'a, E>],
        seed: u64,
    ) -> Self {
        let mut turns = turns.into_iter();
        Upcoming {
            turn: turns.next(),
            turns,
            before,
            after,
            seed,
        }
    }

    /// The next candidate that will be asked for if nothing succeeds, each one once.
    pub fn name_ahead(
        &mut self,
        target: &Target<E>,
        knowledge: &Knowledge<'_, E>,
    ) -> Option<Candidate<E>> {
        while let Some((index, mode)) = self.turn {
            let state = match index.checked_sub(self.before.len() + 1) {
                Some(behind) => &mut self.after[behind],
                None => &mut self.before[index],
            };
            let named = state.name_ahead(mode, self.seed, target, knowledge);
            if named.is_some() {
                return named;
            }
            self.turn = self.turns.next();
        }
        None
    }
}
