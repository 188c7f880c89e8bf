//! A pass in the course of a reduction: its steps on the current target, how far its sweep has come,
//! and what it has yielded. It does not choose whose turn it is.

use crate::event::Mode;
use crate::identity::{Digest, Element};
use crate::pass::Pass;
use crate::reducer::Settings;
use crate::schedule::Yield;
use crate::target::{Candidate, Target};
use crate::walker::{Cursor, Knowledge, Walker};

/// How many ranks passes that are outdone stand lower.
const OUTDONE_BY: u8 = 3;

/// One pass and what is known of it.
pub(crate) struct State<'a, E> {
    pub pass: &'a dyn Pass<E>,
    /// The digest of its name: its randomness is its own, so that a new pass does not change what the
    /// others do.
    name: u64,
    /// Its steps on the current target, if it has begun with them.
    pub walker: Option<Walker<E>>,
    pub cursor: Cursor,
    /// The share of the target that was removed since it last began at the beginning, by other passes
    /// unless its steps go from the largest to the smallest.
    pub lost: f64,
    /// How many steps its present sweep has judged.
    pub swept: u64,
    /// Its last whole sweep judged a few steps and no more.
    pub is_brief: bool,
    /// It is brief, and begins anew: it has the next turn.
    pub is_due: bool,
    /// What it has yielded in chaos, and in sweeps.
    pub yields: [Yield; 2],
    /// Nothing is left to try on the current target, but for what was refuted before.
    pub is_quiet: bool,
    /// Nothing at all is left to try on the current target.
    pub is_exhausted: bool,
    /// Chaos is over until the target is shorter than this.
    pub chaos_below: usize,
}

impl<E> State<'_, E> {
    /// What it has yielded in this mode.
    pub fn yields(&self, mode: Mode) -> &Yield {
        &self.yields[usize::from(mode != Mode::Chaos)]
    }

    /// The same, to count more.
    pub fn yields_mut(&mut self, mode: Mode) -> &mut Yield {
        &mut self.yields[usize::from(mode != Mode::Chaos)]
    }
}

impl<'a, E: Element> State<'a, E> {
    /// A pass of which nothing is known yet.
    pub fn new(pass: &'a dyn Pass<E>, settings: &Settings) -> State<'a, E> {
        let is_outdone = settings.outdone.contains(&pass.name());
        let rank = pass
            .rank()
            .saturating_sub(if is_outdone { OUTDONE_BY } else { 0 });
        State {
            pass,
            name: Digest::of(pass.name().as_bytes()).identity().0 as u64,
            walker: None,
            cursor: Cursor::default(),
            lost: 0.0,
            swept: 0,
            is_brief: false,
            is_due: false,
            yields: [Yield::new(rank), Yield::new(rank)],
            is_quiet: false,
            is_exhausted: false,
            chaos_below: usize::MAX,
        }
    }

    /// Its turns, with what a test in each of them is expected to remove.
    pub fn turns(&self, outlook: Outlook) -> impl Iterator<Item = (f64, Mode)> {
        let is_for_chaos = self.pass.is_for_chaos()
            && outlook.len >= outlook.chaos_from
            && outlook.len < self.chaos_below;
        let modes = [Mode::Chaos, Mode::Sweep].into_iter();
        let modes = modes.filter(move |&mode| mode != Mode::Chaos || is_for_chaos);
        modes.map(move |mode| (self.yields(mode).expected(outlook.drought), mode))
    }

    /// Its steps on this target, from the beginning or where its sweep was.
    pub fn new_walker(&self, mode: Mode, seed: u64, target: &Target<E>) -> Walker<E> {
        let seed = match mode {
            Mode::Chaos => {
                let parts = [seed, self.name, target.identity().0 as u64];
                Digest::of(&parts).identity().0 as u64
            }
            // Nothing is random in these, and the identity of a new target takes long.
            Mode::Sweep | Mode::Proof => 0,
        };
        Walker::new(mode, &self.cursor, seed)
    }

    /// The next step that it will take in a turn to come if nothing succeeds before, each one once.
    /// What it has begun with in another mode stays as it is.
    pub fn name_ahead(
        &mut self,
        mode: Mode,
        seed: u64,
        target: &Target<E>,
        knowledge: &Knowledge<'_, E>,
        looks: &mut usize,
    ) -> Option<Candidate<E>> {
        if self.walker.is_none() {
            self.walker = Some(self.new_walker(mode, seed, target));
        }
        let walker = self.walker.as_mut().filter(|walker| walker.mode() == mode);
        walker.and_then(|walker| walker.name_ahead(self.pass, target, knowledge, looks))
    }
}

/// What turns are expected to be worth depends on this, besides what their passes have yielded.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Outlook {
    pub len: usize,
    pub chaos_from: usize,
    pub is_in_order: bool,
    pub drought: f64,
    pub seed: u64,
}
