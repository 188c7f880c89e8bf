//! What needs what: which items are there when some of them are, found by following the names.

use std::collections::BTreeSet;
use std::rc::Rc;

use ablate_engine::patch::{Edit, Patch};
use ablate_engine::target::Target;

use crate::bodies::instead_of_word;
use crate::items::{Body, Item, Items, Lists, NONE, Trigger};
use crate::members::Members;
use crate::tree::Syntax;
use crate::uses::{Reached, Uses};

/// The items of a text with who waits for whom.
#[derive(Debug)]
pub(crate) struct Needs {
    pub items: Rc<Items>,
    /// For each item those right in it.
    pub inside: Lists,
    /// For each name the items that wait for its use as such.
    pub wanted: Lists,
    /// For each name the items that wait for any use of it.
    pub wanted_anyhow: Lists,
    /// For each name the items that wait for its declaration.
    pub waiting: Lists,
    /// For each item those that make it visible.
    pub showing: Lists,
    /// The items that are there for their own sake, in the order of the text.
    pub roots: Vec<u32>,
    /// Where names are checked before anything runs, the items that are there although no root seems to
    /// need them, or may be, in the order of the text: something that names don't tell may, and they need
    /// what they name.
    pub strays: Vec<u32>,
    /// Those of them that must be there where what they are in is, since that is derived from what may have
    /// them.
    implementing: Vec<u32>,
}

/// What is kept.
#[derive(Debug)]
pub(crate) struct Kept {
    pub is_kept: Vec<bool>,
    /// For each kept item, and then each name, what led to it last: an item, or a name behind all
    /// items, or `NONE`.
    pub because: Vec<u32>,
    /// Kept items and used names in the order in which they were found; a name as in `because`.
    pub order: Vec<u32>,
}

/// How what is kept is found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Care {
    /// Overloads, specialisations and members of classes are only kept where it seems that they
    /// matter, and functions lose their bodies.
    NoBodies,
    /// The same with bodies.
    Little,
    /// Whatever has a name that is used is kept, but for what only lets it be named elsewhere.
    Much,
}

/// What is gone before it is asked what is kept.
#[derive(Clone, Debug, Default)]
pub(crate) struct Without {
    /// For each item whether it can't be kept; empty if all can.
    pub is_blocked: Vec<bool>,
    /// Items with names that they no longer use.
    pub lost_uses: BTreeSet<(u32, u32)>,
    /// Names that are used although what uses them is gone, and whether as such.
    pub still_used: Vec<(u32, bool)>,
}

impl Needs {
    /// What needs what in `target`.
    pub fn of(target: &Target<u8>, syntax: &Syntax) -> Rc<Needs> {
        let items = Items::of(target, syntax);
        target.analysis(|_| Needs::new(items))
    }

    fn new(items: Rc<Items>) -> Needs {
        let numbered = || (0..).zip(&items.items);
        let inside = numbered().filter(|(_, item)| item.parent != NONE);
        let inside = inside.map(|(number, item)| (item.parent, number)).collect();
        let wanted = |trigger: Trigger| {
            let wanting = numbered().filter(|(_, item)| item.trigger == trigger);
            let pairs = wanting.flat_map(|(number, _)| {
                let names = items.declares.at(number).iter();
                names.map(move |&name| (name, number))
            });
            Lists::of(items.names, pairs.collect())
        };
        let mut needs = Needs {
            inside: Lists::of(items.items.len(), inside),
            wanted: wanted(Trigger::Name),
            wanted_anyhow: wanted(Trigger::AnyName),
            waiting: items.conditions.inverted(items.names),
            showing: items.shown.inverted(items.items.len()),
            roots: Vec::new(),
            strays: Vec::new(),
            implementing: Vec::new(),
            items: Rc::clone(&items),
        };
        needs.find_roots();
        let implementing = numbered().filter(|(_, item)| item.is_implementing);
        needs.implementing = implementing.map(|(at, _)| at).collect();
        if items.is_checked {
            let kept = needs.left(&Without::default());
            let is_stray = |&(at, item): &(u32, &Item)| {
                item.is_implementing || !kept.is_kept[at as usize] && !item.is_import
            };
            let strays = (0..).zip(&items.items).filter(is_stray);
            needs.strays = strays.map(|(at, _)| at).collect();
        }
        needs
    }

    /// Roots are units that no other unit wants, and one of those that only want each other.
    fn find_roots(&mut self) {
        let items = &self.items.items;
        let uses = Uses::of(self);
        let is_wanted = uses.wanted_by_others(self);
        let can_be_root = |number: u32, item: &Item| {
            let waits = item.trigger != Trigger::Always || !item.is_attached;
            waits
                && !item.is_import
                && (!item.is_attached || self.items.conditions.at(number).is_empty())
                && !(item.is_attached && self.items.declares.at(number).is_empty())
        };
        let units = (0..).zip(items).filter(|(_, item)| item.is_unit);
        let candidates = units.filter(|&(number, item): &(u32, _)| can_be_root(number, item));
        let candidates: Vec<u32> = candidates.map(|(number, _)| number).collect();
        let is_alone = |unit: &u32| !is_wanted[*unit as usize];
        let mut roots: Vec<u32> = candidates.iter().copied().filter(is_alone).collect();
        if !self.items.has_cyclic_roots {
            self.roots = roots;
            return;
        }
        let mut reached = Reached::new(self);
        for &root in &roots {
            reached.follow(self, &uses, root);
        }
        // In the reverse order in which a search leaves them, what wants others comes before them
        // (S. R. Kosaraju, 1978).
        let mut left = reached.clone();
        left.order.clear();
        for &unit in candidates.iter().rev() {
            left.follow(self, &uses, unit);
        }
        let is_candidate = |unit: &u32| candidates.binary_search(unit).is_ok();
        for unit in left.order.into_iter().rev().filter(is_candidate) {
            if !reached.units[unit as usize] {
                roots.push(unit);
                reached.follow(self, &uses, unit);
            }
        }
        roots.sort_unstable();
        self.roots = roots;
    }

    /// What is left of the text without what is gone already: strays stay where what they wait for does,
    /// with what they need.
    pub fn left(&self, without: &Without) -> Kept {
        let roots = self.roots.iter().copied();
        self.found(roots, &self.strays, without, Care::Little)
    }

    /// The same, where the functions stay whose bodies don't become simple, whoever needs them.
    pub fn left_with_others(&self, without: &Without, is_hollow: &[bool]) -> Kept {
        let others = self.items.bodies.iter().zip(is_hollow);
        // Those in bodies that go are gone with them.
        let is_gone = |body: &Body| without.is_blocked.get(body.owner as usize) == Some(&true);
        let others = others.filter(|(body, is_hollow)| !**is_hollow && !is_gone(body));
        let mut staying = self.strays.clone();
        for (body, _) in others {
            let mut at = body.owner;
            while let Some(item) = self.items.items.get(at as usize) {
                staying.push(at);
                at = item.parent;
            }
        }
        staying.sort_unstable();
        staying.dedup();
        let roots = self.roots.iter().copied();
        self.found(roots, &staying, without, Care::Little)
    }

    /// What there is when these roots are, without what is gone already.
    pub fn kept(
        &self,
        roots: impl IntoIterator<Item = u32>,
        without: &Without,
        care: Care,
    ) -> Kept {
        self.found(roots, &self.implementing, without, care)
    }

    fn found(
        &self,
        roots: impl IntoIterator<Item = u32>,
        strays: &[u32],
        without: &Without,
        care: Care,
    ) -> Kept {
        let count = self.items.items.len();
        let mut search = Search {
            needs: self,
            care,
            left: Vec::with_capacity(count),
            without,
            is_used: vec![(false, false); self.items.names],
            is_declared: vec![false; self.items.names],
            shows: vec![false; count],
            kept: Kept {
                is_kept: vec![false; count],
                because: vec![NONE; count + self.items.names],
                order: Vec::new(),
            },
        };
        search.run(roots, strays);
        search.kept
    }

    /// The bodies that can go together when these roots stay as they are.
    pub fn hollow(&self, roots: &[u32]) -> Vec<bool> {
        let bodies = self.items.bodies.iter();
        let is_hollow =
            |body: &Body| !body.is_evaluated && roots.binary_search(&body.unit).is_err();
        bodies.map(is_hollow).collect()
    }

    /// The items in these bodies, and those that can't be there without them.
    pub fn in_bodies(&self, is_hollow: &[bool]) -> Vec<bool> {
        let mut blocked = vec![false; self.items.items.len()];
        let bodies = self.items.bodies.iter().zip(is_hollow);
        for (body, _) in bodies.filter(|(_, is_hollow)| **is_hollow) {
            for item in body.items.0..body.items.1 {
                blocked[item as usize] = true;
            }
            if let Some(blocked) = blocked.get_mut(body.whole as usize) {
                *blocked = true;
            }
        }
        blocked
    }

    /// Removes the items for which `is_kept` does not hold although it did before; of the bodies
    /// those for which `is_hollow` holds become as simple as they can be.
    pub fn removal(
        &self,
        members: &Members,
        was_kept: impl Fn(u32) -> bool,
        is_kept: &[bool],
        is_hollow: &[bool],
    ) -> Patch<u8> {
        let items = &self.items.items;
        let mut hollow = vec![false; if is_hollow.is_empty() { 0 } else { items.len() }];
        let (mut edits, mut words) = (Vec::new(), Vec::new());
        let bodies = (0..).zip(&self.items.bodies).zip(is_hollow);
        for ((number, body), _) in bodies.filter(|(_, is_hollow)| **is_hollow) {
            let mut all = body.items.0..body.items.1;
            let has_lost_all = all.clone().all(|item| !is_kept[item as usize]);
            let around = items
                .get(body.items.0 as usize)
                .map_or(NONE, |item| item.parent);
            let around_is_kept = is_kept
                .get(around as usize)
                .is_none_or(|&is_kept| is_kept || !was_kept(around));
            if has_lost_all && around_is_kept && !all.is_empty() {
                all.by_ref().for_each(|item| {
                    let is_in_body = items[item as usize].node >= body.node;
                    hollow[item as usize] = is_in_body;
                });
                edits.push(Edit {
                    start: body.range.0 as usize,
                    end: body.range.1 as usize,
                    insert: (!body.hollow.is_empty()).then(|| body.hollow.as_bytes().into()),
                });
                words.extend(self.items.wanting.at(number));
            }
        }
        words.sort_unstable();
        words.dedup();
        words.retain(|&word| {
            let item = items.partition_point(|item| item.node <= word);
            item.checked_sub(1).is_none_or(|item| is_kept[item])
        });
        edits.extend(words.into_iter().map(|word| {
            let node = &members.tree().nodes()[word as usize];
            let other = instead_of_word(members.tree().kind_name(node));
            Edit {
                start: node.start as usize,
                end: node.end as usize,
                insert: other.map(|other| other.as_bytes().into()),
            }
        }));
        let mut open: Option<(u32, u32)> = None;
        let mut runs = Vec::new();
        for (number, item) in (0..).zip(items) {
            let parent_is_gone =
                item.parent != NONE && (!is_kept[item.parent as usize] && was_kept(item.parent));
            let is_hollow = hollow
                .get(number as usize)
                .is_some_and(|&is_hollow| is_hollow);
            let goes = !is_kept[number as usize] && was_kept(number);
            if !goes || parent_is_gone || is_hollow || item.member == NONE {
                continue;
            }
            match &mut open {
                Some((first, last))
                    if *last + 1 == item.member
                        && members.list_of(*first as usize)
                            == members.list_of(item.member as usize) =>
                {
                    *last = item.member;
                }
                _ => {
                    runs.extend(open.replace((item.member, item.member)));
                }
            }
        }
        runs.extend(open);
        let cuts = runs.into_iter();
        let cuts = cuts.map(|(first, last)| members.cut(first as usize, last as usize));
        let cuts = Patch::cuts(cuts);
        let bodies = Patch::edits_of(edits).unwrap_or_default();
        cuts.combined(&bodies).unwrap_or(cuts)
    }
}

/// A search for what is kept.
struct Search<'a> {
    needs: &'a Needs,
    care: Care,
    /// For each item how much it still waits for.
    left: Vec<u32>,
    without: &'a Without,
    /// For each name whether it is used as such, and at all.
    is_used: Vec<(bool, bool)>,
    is_declared: Vec<bool>,
    /// For each item whether something is there that it makes visible.
    shows: Vec<bool>,
    kept: Kept,
}

impl Search<'_> {
    fn run(&mut self, roots: impl IntoIterator<Item = u32>, strays: &[u32]) {
        let items = &self.needs.items;
        for (number, item) in (0..).zip(&items.items) {
            let conditions = items.conditions.at(number).len() as u32;
            let is_for_itself = item.trigger == Trigger::Always && !item.is_attached;
            let mut left = u32::from(item.parent != NONE);
            left += u32::from(item.is_unit && is_for_itself);
            if self.care == Care::Much && !item.is_import {
                left += u32::from(item.trigger != Trigger::Always && item.is_unit);
            } else {
                left += conditions + u32::from(item.trigger != Trigger::Always);
                left += u32::from(!items.shown.at(number).is_empty());
            }
            self.left.push(left);
        }
        let mut open = Vec::new();
        for root in roots {
            // The item around a root, such as a linkage specification, is none.
            self.left[root as usize] = 0;
        }
        for number in 0..self.left.len() as u32 {
            if self.left[number as usize] == 0 {
                open.push((number, NONE));
            }
        }
        for &(name, is_free) in &self.without.still_used {
            self.use_name(name, NONE, is_free, &mut open);
        }
        let mut next = 0;
        loop {
            self.keep_open(&mut next, &mut open);
            self.release_undeclared(&mut open);
            if next < open.len() {
                continue;
            }
            let before = open.len();
            for &stray in strays {
                if self.stays(stray) {
                    self.left[stray as usize] = 0;
                    open.push((stray, NONE));
                    self.keep_open(&mut next, &mut open);
                }
            }
            if open.len() == before {
                break;
            }
        }
    }

    fn keep_open(&mut self, next: &mut usize, open: &mut Vec<(u32, u32)>) {
        while let Some(&(number, reason)) = open.get(*next) {
            *next += 1;
            self.keep(number, reason, open);
        }
    }

    /// Whether a stray that isn't there yet can be: with the item around it, where what it waits for is.
    fn stays(&self, stray: u32) -> bool {
        let items = &self.needs.items;
        let around = items.items[stray as usize].parent;
        let is_around = self.kept.is_kept.get(around as usize);
        let waits = |name: &u32| !self.is_declared[*name as usize];
        let shows = self.shows[stray as usize] || items.shown.at(stray).is_empty();
        is_around.is_none_or(|&is_kept| is_kept)
            && self.left[stray as usize] > 0
            && shows
            && !items.conditions.at(stray).iter().any(waits)
    }

    /// Where all that declares a name in use waits for types, one of them must be meant.
    fn release_undeclared(&mut self, open: &mut Vec<(u32, u32)>) {
        let needs = self.needs;
        let count = needs.items.items.len() as u32;
        for name in 0..needs.items.names as u32 {
            let (is_free, is_used) = self.is_used[name as usize];
            if !is_used || self.is_declared[name as usize] {
                continue;
            }
            let free = needs.wanted.at(name).iter().filter(|_| is_free);
            for &item in free.chain(needs.wanted_anyhow.at(name)) {
                let of_item = &needs.items.items[item as usize];
                let around = self.kept.is_kept.get(of_item.parent as usize);
                let shown = needs.items.shown.at(item);
                if !shown.is_empty() && !self.shows[item as usize] {
                    continue;
                }
                let class = self.is_declared.get(of_item.class as usize);
                if class.is_some_and(|&is_declared| !is_declared) {
                    continue;
                }
                if around.is_none_or(|&is_kept| is_kept) && self.left[item as usize] > 0 {
                    self.left[item as usize] = 0;
                    open.push((item, count + name));
                }
            }
        }
    }

    fn keep(&mut self, number: u32, reason: u32, open: &mut Vec<(u32, u32)>) {
        let at = number as usize;
        let blocked = self.without.is_blocked.get(at);
        if self.kept.is_kept[at] || blocked.is_some_and(|&is_blocked| is_blocked) {
            return;
        }
        self.kept.is_kept[at] = true;
        self.kept.because[at] = reason;
        self.kept.order.push(number);
        let needs = self.needs;
        for &inside in needs.inside.at(number) {
            self.release(inside, number, open);
        }
        for &showing in needs.showing.at(number) {
            let is_first = !std::mem::replace(&mut self.shows[showing as usize], true);
            if is_first && self.care != Care::Much {
                self.release(showing, number, open);
            }
        }
        for &name in needs.items.declares.at(number) {
            if std::mem::replace(&mut self.is_declared[name as usize], true) {
                continue;
            }
            for &waiting in needs.waiting.at(name) {
                if self.care != Care::Much || needs.items.items[waiting as usize].is_import {
                    self.release(waiting, number, open);
                }
            }
        }
        for &name in needs.items.uses.at(number) {
            self.use_name(name, number, true, open);
        }
        for &name in needs.items.member_uses.at(number) {
            self.use_name(name, number, false, open);
        }
    }

    fn use_name(&mut self, name: u32, by: u32, is_free: bool, open: &mut Vec<(u32, u32)>) {
        if self.without.lost_uses.contains(&(by, name)) {
            return;
        }
        let needs = self.needs;
        let node = needs.items.items.len() as u32 + name;
        let (free, any) = self.is_used[name as usize];
        if !free && !any {
            self.kept.because[node as usize] = by;
            self.kept.order.push(node);
        }
        self.is_used[name as usize] = (free || is_free, true);
        if is_free && !free {
            for &wanted in needs.wanted.at(name) {
                self.release_wanted(wanted, node, open);
            }
        }
        if !any {
            for &wanted in needs.wanted_anyhow.at(name) {
                self.release_wanted(wanted, node, open);
            }
        }
    }

    /// One of an item's names is used: several of them count as one.
    fn release_wanted(&mut self, item: u32, name: u32, open: &mut Vec<(u32, u32)>) {
        let needs = self.needs;
        let of_item = &needs.items.items[item as usize];
        if self.care == Care::Much && !of_item.is_unit && !of_item.is_import {
            return;
        }
        let names = needs.items.declares.at(item).iter();
        let used = names.filter(|&&name| match of_item.trigger {
            Trigger::Name => self.is_used[name as usize].0,
            _ => self.is_used[name as usize].1,
        });
        if used.count() == 1 {
            self.release(item, name, open);
        }
    }

    fn release(&mut self, item: u32, reason: u32, open: &mut Vec<(u32, u32)>) {
        let left = &mut self.left[item as usize];
        if *left > 0 {
            *left -= 1;
            if *left == 0 {
                open.push((item, reason));
            }
        }
    }
}
