//! Which units use which names, and which units are reached by following them; for `needs.rs`, which
//! knows what else items wait for.

use crate::items::{Lists, NONE};
use crate::needs::Needs;

/// The names that units use, those in other things apart.
pub(crate) struct Uses {
    free: Lists,
    members: Lists,
}

impl Uses {
    /// The names that each unit uses, in itself or in items in it.
    pub fn of(needs: &Needs) -> Uses {
        let items = &needs.items;
        let mut unit = NONE;
        let (mut free, mut members) = (Vec::new(), Vec::new());
        for (number, item) in (0..).zip(&items.items) {
            if item.is_unit {
                unit = number;
            }
            if unit != NONE {
                free.extend(items.uses.at(number).iter().map(|&name| (unit, name)));
                let of_members = items.member_uses.at(number).iter();
                members.extend(of_members.map(|&name| (unit, name)));
            }
        }
        Uses {
            free: Lists::of(items.items.len(), free),
            members: Lists::of(items.items.len(), members),
        }
    }

    /// For each item whether a unit wants it that it isn't itself.
    pub fn wanted_by_others(&self, needs: &Needs) -> Vec<bool> {
        let count = needs.items.items.len();
        let mut is_wanted = vec![false; count];
        for unit in 0..count as u32 {
            let free = self.free.at(unit).iter();
            let any = free.clone().chain(self.members.at(unit));
            let free = free.flat_map(|&name| needs.wanted.at(name));
            for &other in free.chain(any.flat_map(|&name| needs.wanted_anyhow.at(name))) {
                is_wanted[other as usize] |= other != unit;
            }
        }
        is_wanted
    }
}

/// Units that were reached from others by the names that they use.
#[derive(Clone)]
pub(crate) struct Reached {
    /// For each item whether it is one of them.
    pub units: Vec<bool>,
    /// They, each behind all that were first reached from it.
    pub order: Vec<u32>,
    /// For each name whether it was followed, as such, and at all.
    names: Vec<(bool, bool)>,
}

impl Reached {
    /// Nothing yet.
    pub fn new(needs: &Needs) -> Reached {
        Reached {
            units: vec![false; needs.items.items.len()],
            order: Vec::new(),
            names: vec![(false, false); needs.items.names],
        }
    }

    /// Adds a unit and what is reached from it.
    pub fn follow(&mut self, needs: &Needs, uses: &Uses, unit: u32) {
        let mut open = vec![(unit, false)];
        while let Some((unit, is_through)) = open.pop() {
            if is_through {
                self.order.push(unit);
                continue;
            }
            let is_unit = needs.items.items[unit as usize].is_unit;
            if !is_unit || std::mem::replace(&mut self.units[unit as usize], true) {
                continue;
            }
            open.push((unit, true));
            for &name in uses.free.at(unit) {
                if !std::mem::replace(&mut self.names[name as usize].0, true) {
                    open.extend(needs.wanted.at(name).iter().map(|&other| (other, false)));
                }
            }
            for &name in uses.free.at(unit).iter().chain(uses.members.at(unit)) {
                if !std::mem::replace(&mut self.names[name as usize].1, true) {
                    let wanted = needs.wanted_anyhow.at(name).iter();
                    open.extend(wanted.map(|&other| (other, false)));
                }
            }
        }
    }
}
