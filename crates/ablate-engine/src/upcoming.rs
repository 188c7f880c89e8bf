//! What passes will ask whose turns come next, named before the present turn is over: the last
//! tests of a turn, and turns of a few tests, leave no worker idle.
//!
//! Which turns those are is a guess, made as if every test failed. Whatever is guessed, a walker's
//! steps are the same, so only the time of a reduction depends on it.

use alloc::vec::{IntoIter, Vec};
use core::iter::Peekable;

use crate::event::Mode;
use crate::identity::Element;
use crate::state::{Outlook, State};
use crate::target::{Candidate, Target};
use crate::walker::Knowledge;

/// The passes that wait for their turns while another has its own.
pub(crate) struct Upcoming<'s, 'a, E> {
    /// The passes before and behind the one that has its turn.
    before: &'s mut [State<'a, E>],
    after: &'s mut [State<'a, E>],
    outlook: Outlook,
    /// First the one whose steps are named now; `None` until anybody asks.
    turns: Option<Peekable<IntoIter<(usize, Mode)>>>,
}

impl<'s, 'a, E: Element> Upcoming<'s, 'a, E> {
    pub fn new(
        before: &'s mut [State<'a, E>],
        after: &'s mut [State<'a, E>],
        outlook: Outlook,
    ) -> Self {
        Upcoming {
            before,
            after,
            outlook,
            turns: None,
        }
    }

    /// The turns to come, the next one first; the passes are numbered as if the one between the two
    /// parts were not there. A second mode of a pass does no harm: it has begun with the first then.
    fn turns(&self) -> Vec<(usize, Mode)> {
        let passes = || self.before.iter().chain(self.after.iter()).enumerate();
        let open = || passes().filter(|(_, state)| !state.is_quiet);
        let mut turns: Vec<(usize, Mode)> = if self.outlook.is_in_order {
            let next = open().skip_while(|(index, _)| *index < self.before.len());
            let first = open().take_while(|(index, _)| *index < self.before.len());
            let (last, others): (Vec<_>, Vec<_>) = next
                .chain(first)
                .partition(|(_, state)| state.pass.is_last_resort());
            let turns = others.into_iter().chain(last);
            turns.map(|(index, _)| (index, Mode::Sweep)).collect()
        } else {
            let modes = open().flat_map(|(index, state)| {
                let turns = state.turns(self.outlook);
                turns.map(move |(expected, mode)| (expected, (index, mode)))
            });
            let mut modes: Vec<_> = modes.collect();
            modes.sort_by(|a, b| b.0.total_cmp(&a.0));
            modes.into_iter().map(|(_, turn)| turn).collect()
        };
        let left = passes().filter(|(_, state)| state.is_quiet && !state.is_exhausted);
        turns.extend(left.map(|(index, _)| (index, Mode::Proof)));
        turns
    }

    /// The next candidate that will be asked for if nothing succeeds, each one once.
    pub fn name_ahead(
        &mut self,
        target: &Target<E>,
        knowledge: &Knowledge<'_, E>,
        looks: &mut usize,
    ) -> Option<Candidate<E>> {
        let turns = self.turns.take();
        let mut turns = turns.unwrap_or_else(|| self.turns().into_iter().peekable());
        let mut named = None;
        while let Some(&(index, mode)) = turns.peek() {
            let state = match index.checked_sub(self.before.len()) {
                Some(index) => &mut self.after[index],
                None => &mut self.before[index],
            };
            named = state.name_ahead(mode, self.outlook.seed, target, knowledge, looks);
            if named.is_some() || *looks == 0 {
                break;
            }
            turns.next();
        }
        self.turns = Some(turns);
        named
    }
}
