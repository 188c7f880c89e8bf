//! How much of a text goes when one thing in it goes: what is there for nothing else goes with it.
//! That is what hangs on it in the tree of dominators of what needs what, found as in K. D. Cooper,
//! T. J. Harvey and K. Kennedy, "A Simple, Fast Dominance Algorithm" (2001).

use crate::items::NONE;
use crate::needs::{Kept, Needs};

/// So many rounds suffice nearly always; it is only an estimate to sort by.
const ROUNDS_MAX: usize = 12;

/// What is kept, with what each of it is there for.
#[derive(Debug)]
pub(crate) struct Retained {
    /// For each item, and then each name, the bytes that go with it; 0 for what is not kept.
    pub sizes: Vec<u64>,
    /// For each item, and then each name, what it goes with; `NONE` for what goes with nothing else.
    pub dominators: Vec<u32>,
    /// For each item, and then each name, what it is there for.
    pub causes: Vec<Vec<u32>>,
}

/// What goes with what, where this is kept.
pub(crate) fn retained(needs: &Needs, kept: &Kept) -> Retained {
    let items = &needs.items;
    let count = items.items.len();
    let nodes = count + items.names;
    // Positions in the order, from 1; 0 is what the roots hang on.
    let mut at = vec![NONE; nodes];
    for (position, &node) in (1..).zip(&kept.order) {
        at[node as usize] = position;
    }
    let before = causes(needs, kept, &at);
    let mut dominator = vec![NONE; kept.order.len() + 1];
    dominator[0] = 0;
    for _ in 0..ROUNDS_MAX {
        let mut has_changed = false;
        for position in 1..dominator.len() {
            let mut known = before[position - 1].iter().copied();
            let mut known = known.by_ref().filter(|&b| dominator[b as usize] != NONE);
            let first = known.next().unwrap_or(0);
            let found = known.fold(first, |a, b| common(&dominator, a, b));
            has_changed |= dominator[position] != found;
            dominator[position] = found;
        }
        if !has_changed {
            break;
        }
    }
    let mut sizes = vec![0_u64; dominator.len()];
    for position in (1..dominator.len()).rev() {
        let item = items.items.get(kept.order[position - 1] as usize);
        sizes[position] += item.map_or(0, |item| u64::from(item.own));
        sizes[dominator[position] as usize] += sizes[position];
    }
    let node = |position: u32| match position.checked_sub(1) {
        Some(index) => kept.order[index as usize],
        None => NONE,
    };
    let mut result = Retained {
        sizes: vec![0; nodes],
        dominators: vec![NONE; nodes],
        causes: vec![Vec::new(); nodes],
    };
    for (position, &number) in (1..).zip(&kept.order) {
        let number = number as usize;
        result.sizes[number] = sizes[position];
        result.dominators[number] = node(dominator[position]);
        let causes = before[position - 1].iter().map(|&cause| node(cause));
        result.causes[number] = causes.filter(|&cause| cause != NONE).collect();
    }
    result
}

/// For each node in the order the positions of what it is there for.
fn causes(needs: &Needs, kept: &Kept, at: &[u32]) -> Vec<Vec<u32>> {
    let items = &needs.items;
    let count = items.items.len() as u32;
    let mut before: Vec<Vec<u32>> = vec![Vec::new(); kept.order.len()];
    for (position, &node) in (1..).zip(&kept.order) {
        let because = kept.because[node as usize];
        if node < count {
            let uses = items.uses.at(node).iter().chain(items.member_uses.at(node));
            for &name in uses {
                before[at[(count + name) as usize] as usize - 1].push(position);
            }
            let causes = &mut before[position as usize - 1];
            if because == NONE {
                causes.push(0);
            } else if because < count {
                causes.push(at[because as usize]);
            } else {
                let names = items.declares.at(node).iter();
                let names = names.map(|&name| at[(count + name) as usize]);
                causes.extend(names.filter(|&position| position != NONE));
            }
        }
    }
    before
}

/// The last that dominates both.
fn common(dominator: &[u32], mut a: u32, mut b: u32) -> u32 {
    while a != b {
        if a > b {
            a = dominator[a as usize];
        } else {
            b = dominator[b as usize];
        }
    }
    a
}
