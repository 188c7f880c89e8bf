//! The reducer on small targets and pure tests: what it ends with, and that it ends with the same
//! whatever the number of workers and the order in which their verdicts arrive.

use std::cell::Cell;
use std::rc::Rc;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use ablate_engine::chooser::{Chooser, DeadBranch};
use ablate_engine::drive::Drive;
use ablate_engine::event::Event;
use ablate_engine::identity::Element;
use ablate_engine::oracle::{Ahead, Alarm, Observation, Oracle, Stop, Verdict};
use ablate_engine::order::Natural;
use ablate_engine::pass::Pass;
use ablate_engine::patch::Patch;
use ablate_engine::reducer::{Outcome, Settings, reduce};
use ablate_engine::simulate::{Latency, SimulatedWorkers};
use ablate_engine::target::{Candidate, Target};

/// Deletes one element; grows to its neighbours.
struct DeleteElement;

impl<E: Element> Pass<E> for DeleteElement {
    fn name(&self) -> &'static str {
        "delete_element"
    }

    fn step(&self, target: &Target<E>, chooser: &mut Chooser<'_>) -> Result<Patch<E>, DeadBranch> {
        let index = chooser.any(0..target.len())?;
        Ok(Patch::cut(index, index + 1))
    }

    fn directions(&self) -> usize {
        2
    }

    fn grow(
        &self,
        target: &Target<E>,
        patch: &Patch<E>,
        direction: usize,
        amount: usize,
    ) -> Option<Patch<E>> {
        let (start, end) = patch.extent()?;
        if direction == 0 {
            Some(Patch::cut(start.checked_sub(amount)?, end))
        } else {
            (end + amount <= target.len()).then(|| Patch::cut(start, end + amount))
        }
    }
}

/// Lowers one element; grows to still lower ones.
struct LowerElement;

impl Pass<u64> for LowerElement {
    fn name(&self) -> &'static str {
        "lower_element"
    }

    fn step(
        &self,
        target: &Target<u64>,
        chooser: &mut Chooser<'_>,
    ) -> Result<Patch<u64>, DeadBranch> {
        let index = chooser.choose(0..target.len(), |i| target.elements()[i] > 0)?;
        Ok(Patch::replace(
            index,
            index + 1,
            &[target.elements()[index] - 1],
        ))
    }

    fn directions(&self) -> usize {
        1
    }

    fn grow(
        &self,
        _: &Target<u64>,
        patch: &Patch<u64>,
        _: usize,
        amount: usize,
    ) -> Option<Patch<u64>> {
        let edit = patch.edits().first()?;
        let value = edit.insert.as_ref()?[0].checked_sub(amount as u64)?;
        Some(Patch::replace(edit.start, edit.end, &[value]))
    }
}

fn passes() -> Vec<Box<dyn Pass<u64>>> {
    vec![Box::new(DeleteElement), Box::new(LowerElement)]
}

fn reduced(start: Vec<u64>, oracle: &mut dyn Oracle<u64>, settings: &Settings) -> Outcome<u64> {
    reduce(
        Target::new(start),
        &passes(),
        &Natural,
        oracle,
        settings,
        &mut |_| (),
    )
}

#[test]
fn everything_goes_if_nothing_is_needed() {
    let outcome = reduced(
        (0..1000).collect(),
        &mut |_: &[u64]| true,
        &Settings::default(),
    );
    assert_eq!(outcome.target.elements(), &[]);
    assert_eq!(outcome.stop, None);
    assert!(outcome.counts.tests < 60, "{:?}", outcome.counts);
}

#[test]
fn nothing_goes_if_everything_is_needed() {
    let start: Vec<u64> = vec![0; 40];
    let outcome = reduced(start.clone(), &mut |_: &[u64]| false, &Settings::default());
    assert_eq!(outcome.target.elements(), start);
    // All of these cuts give the same content.
    assert_eq!((outcome.counts.tests, outcome.proof), (1, 1));
}

#[test]
fn what_is_needed_is_kept_and_lowered() {
    let mut test = |list: &[u64]| list.iter().filter(|&&n| n >= 100).count() >= 3;
    let outcome = reduced((0..500).collect(), &mut test, &Settings::default());
    assert_eq!(outcome.target.elements(), &[100, 100, 100]);
    assert!(outcome.counts.tests < 120, "{:?}", outcome.counts);
}

#[test]
fn cuts_that_exclude_each_other_are_not_merged() {
    // Any one byte can go, but no two: the document's example.
    let outcome = reduced(
        vec![1, 2, 3],
        &mut |list: &[u64]| list.len() >= 2,
        &Settings::default(),
    );
    assert_eq!(outcome.target.elements(), &[0, 0]);
}

/// Replaces the first element by a smaller one, the smallest first.
struct ReplaceFirst;

impl Pass<u64> for ReplaceFirst {
    fn name(&self) -> &'static str {
        "replace_first"
    }

    fn step(
        &self,
        target: &Target<u64>,
        chooser: &mut Chooser<'_>,
    ) -> Result<Patch<u64>, DeadBranch> {
        let smaller = chooser.prefer(target.elements()[0] as usize)?;
        Ok(Patch::replace(0, 1, &[smaller as u64]))
    }
}

#[test]
fn what_a_success_excludes_is_not_tested_beside_it() {
    let mut asked = Vec::new();
    let mut test = |list: &[u64]| {
        asked.push(list[0]);
        true
    };
    let passes: [Box<dyn Pass<u64>>; 1] = [Box::new(ReplaceFirst)];
    let (target, settings) = (Target::new(vec![9]), Settings::default());
    reduce(target, &passes, &Natural, &mut test, &settings, &mut |_| ());
    assert_eq!(asked, [0]);
}

/// Deletes the end, the longest first; counts the edits that were put right.
struct DeleteEnd(Rc<Cell<usize>>);

impl Pass<u64> for DeleteEnd {
    fn name(&self) -> &'static str {
        "delete_end"
    }

    fn step(
        &self,
        target: &Target<u64>,
        chooser: &mut Chooser<'_>,
    ) -> Result<Patch<u64>, DeadBranch> {
        let start = chooser.prefer(target.len())?;
        Ok(Patch::cut(start, target.len()))
    }

    fn amended(&self, _: &Target<u64>, patch: Patch<u64>) -> Option<Patch<u64>> {
        self.0.set(self.0.get() + 1);
        Some(patch)
    }
}

#[test]
fn what_a_success_has_done_already_is_not_put_right() {
    const LEN: usize = 1000;
    const NEEDED: usize = 10;
    let amended = Rc::new(Cell::new(0));
    let passes: [Box<dyn Pass<u64>>; 1] = [Box::new(DeleteEnd(Rc::clone(&amended)))];
    let (target, settings) = (Target::new(vec![0; LEN]), Settings::default());
    let mut test = |list: &[u64]| list.len() >= NEEDED;
    let outcome = reduce(target, &passes, &Natural, &mut test, &settings, &mut |_| ());
    assert_eq!(outcome.target.len(), NEEDED);
    // Those that are too long, one that works, and in vain what can be deleted of its result.
    assert!(amended.get() < 4 * NEEDED, "{amended:?}");
}

/// Deletes one element; only the first of its edits can be put right.
struct DeleteFirst(Rc<Cell<usize>>);

impl Pass<u64> for DeleteFirst {
    fn name(&self) -> &'static str {
        "delete_first"
    }

    fn step(
        &self,
        target: &Target<u64>,
        chooser: &mut Chooser<'_>,
    ) -> Result<Patch<u64>, DeadBranch> {
        let index = chooser.prefer(target.len())?;
        Ok(Patch::cut(index, index + 1))
    }

    fn amended(&self, _: &Target<u64>, patch: Patch<u64>) -> Option<Patch<u64>> {
        self.0.set(self.0.get() + 1);
        Some(patch).filter(|patch| patch.extent() == Some((0, 1)))
    }
}

#[test]
fn few_steps_are_looked_at_while_a_test_waits_to_be_heard() {
    const LEN: u64 = 5000;
    let amended = Rc::new(Cell::new(0));
    let passes: [Box<dyn Pass<u64>>; 1] = [Box::new(DeleteFirst(Rc::clone(&amended)))];
    let (target, settings) = (Target::new((0..LEN).collect()), Settings::default());
    let mut oracle = AsksAhead(Rc::clone(&amended));
    reduce(
        target,
        &passes,
        &Natural,
        &mut oracle,
        &settings,
        &mut |_| (),
    );
    assert!(amended.get() < 200, "{amended:?}");
}

/// Asks what to do ahead until there is nothing, and then stops.
struct AsksAhead(Rc<Cell<usize>>);

impl Oracle<u64> for AsksAhead {
    fn test(
        &mut self,
        _: &Candidate<u64>,
        ahead: Ahead<'_, u64>,
    ) -> Result<Observation<u64>, Stop> {
        assert_eq!(self.0.get(), 1);
        while ahead().is_some() {}
        Err(Stop::Budget)
    }
}

/// Deletes the last element; does not grow.
struct DeleteLast;

impl Pass<u64> for DeleteLast {
    fn name(&self) -> &'static str {
        "delete_last"
    }

    fn step(
        &self,
        target: &Target<u64>,
        chooser: &mut Chooser<'_>,
    ) -> Result<Patch<u64>, DeadBranch> {
        let last = chooser.choose(0..target.len(), |index| index + 1 == target.len())?;
        Ok(Patch::cut(last, last + 1))
    }
}

/// Replaces the first element by zero: a single step.
struct ClearFirst;

impl Pass<u64> for ClearFirst {
    fn name(&self) -> &'static str {
        "clear_first"
    }

    fn step(
        &self,
        target: &Target<u64>,
        chooser: &mut Chooser<'_>,
    ) -> Result<Patch<u64>, DeadBranch> {
        chooser.choose(0..1, |_| target.elements()[0] > 0)?;
        Ok(Patch::replace(0, 1, &[0]))
    }

    fn rank(&self) -> u8 {
        9
    }
}

#[test]
fn what_takes_a_test_or_two_is_tried_again_while_another_pass_has_a_long_turn() {
    let mut cleared = Vec::new();
    let mut test = |list: &[u64]| {
        if list.first() == Some(&0) {
            cleared.push(list.len());
        }
        list.first() == Some(&9)
    };
    let passes: [Box<dyn Pass<u64>>; 2] = [Box::new(DeleteLast), Box::new(ClearFirst)];
    let settings = Settings {
        chaos_from: usize::MAX,
        ..Settings::default()
    };
    let target = Target::new(vec![9; 2000]);
    let outcome = reduce(target, &passes, &Natural, &mut test, &settings, &mut |_| ());
    assert_eq!(outcome.target.elements(), &[9]);
    // What failed is remembered until an eighth is gone, and longer where little is left.
    let kept_at_least = |len| if len < 256 { 0.6 } else { 0.73 };
    for lens in cleared.windows(2).filter(|lens| lens[0] > 16) {
        let kept = lens[1] as f64 / lens[0] as f64;
        assert!(kept > kept_at_least(lens[1]), "{cleared:?}");
    }
}

#[test]
fn a_budget_of_tests_leaves_the_best_so_far() {
    let settings = Settings {
        tests_max: Some(7),
        ..Settings::default()
    };
    let outcome = reduced(
        (0..500).collect(),
        &mut |list: &[u64]| list.contains(&250),
        &settings,
    );
    assert_eq!(
        (outcome.stop, outcome.counts.tests),
        (Some(Stop::Budget), 7)
    );
    assert!(outcome.target.elements().contains(&250) && outcome.target.len() < 500);
}

/// Deletes the first element, then computes steps for nothing, as if for ever.
struct DeleteFirstThenNothing;

impl Pass<u64> for DeleteFirstThenNothing {
    fn name(&self) -> &'static str {
        "delete_first_then_nothing"
    }

    fn step(&self, _: &Target<u64>, chooser: &mut Chooser<'_>) -> Result<Patch<u64>, DeadBranch> {
        Ok(match chooser.prefer(1 << 30)? {
            0 => Patch::cut(0, 1),
            _ => Patch::default(),
        })
    }
}

/// Finds everything interesting; its alarm goes off when it has been asked some times.
struct Alarmed(Arc<AtomicUsize>);

impl Oracle<u64> for Alarmed {
    fn test(&mut self, _: &Candidate<u64>, _: Ahead<'_, u64>) -> Result<Observation<u64>, Stop> {
        Ok(Verdict::Interesting.into())
    }

    fn alarm(&self) -> Option<Alarm> {
        let asked = Arc::clone(&self.0);
        let has_to_stop = move || asked.fetch_add(1, Ordering::SeqCst) > 100;
        Some(Alarm(Arc::new(move || {
            has_to_stop().then_some(Stop::Interrupted)
        })))
    }
}

#[test]
fn an_alarm_ends_it_while_a_pass_computes_steps_that_are_worth_no_test() {
    let passes: [Box<dyn Pass<u64>>; 1] = [Box::new(DeleteFirstThenNothing)];
    let target = Target::new(vec![3, 2, 1]);
    let asked = Arc::new(AtomicUsize::new(0));
    let mut oracle = Alarmed(Arc::clone(&asked));
    let settings = Settings::default();
    let outcome = reduce(
        target,
        &passes,
        &Natural,
        &mut oracle,
        &settings,
        &mut |_| (),
    );
    assert_eq!(outcome.stop, Some(Stop::Interrupted));
    // What had succeeded before, in the same window, is kept.
    assert_eq!(outcome.target.elements(), &[2, 1]);
}

#[test]
fn every_new_target_is_interesting_and_simpler() {
    let mut test = |list: &[u64]| list.iter().sum::<u64>() % 7 == 3 && list.len() > 2;
    let mut last = (0..60).collect::<Vec<u64>>();
    last.push((3 + 7 - last.iter().sum::<u64>() % 7) % 7);
    assert!(test(&last));
    let start = last.clone();
    let check = test;
    reduce(
        Target::new(start),
        &passes(),
        &Natural,
        &mut test,
        &Settings::default(),
        &mut |event| {
            if let Event::Reduced { target, .. } = event {
                assert!(check(target.elements()));
                assert!((target.len(), target.elements()) < (last.len(), &last[..]));
                last = target.elements().to_vec();
            }
        },
    );
}

/// Interesting as long as each kept element still has all that it depends on, and the wanted ones
/// are there.
fn dependent(list: &[u64]) -> bool {
    let has = |n: &u64| list.contains(n);
    [17, 170, 303].iter().all(has)
        && list
            .iter()
            .all(|n| n % 5 == 0 || n % 3 != 0 || has(&(n / 3)))
}

#[test]
fn the_result_and_the_trace_do_not_depend_on_the_workers() {
    let start: Vec<u64> = (0..400).collect();
    let run = |slots, latency| {
        let mut drive = Drive::new(SimulatedWorkers::new(slots, latency, dependent));
        let outcome = reduced(start.clone(), &mut drive, &Settings::default());
        (
            outcome.target.elements().to_vec(),
            outcome.counts,
            outcome.proof,
        )
    };
    let alone = run(1, Latency::Constant(1));
    for slots in [1, 2, 8, 100] {
        assert_eq!(run(slots, Latency::Constant(1)), alone, "{slots} workers");
        for seed in 0..3 {
            assert_eq!(
                run(slots, Latency::HeavyTailed { median: 50, seed }),
                alone,
                "{slots} workers, seed {seed}"
            );
        }
    }
}

/// Deletes runs of up to eight elements; some of its edits can't be put right, others do less then.
struct DeleteSome;

impl Pass<u64> for DeleteSome {
    fn name(&self) -> &'static str {
        "delete_some"
    }

    fn step(
        &self,
        target: &Target<u64>,
        chooser: &mut Chooser<'_>,
    ) -> Result<Patch<u64>, DeadBranch> {
        let start = chooser.any(0..target.len())?;
        let len = 8 - chooser.any(0..8)?;
        Ok(Patch::cut(start, (start + len).min(target.len())))
    }

    fn amended(&self, target: &Target<u64>, patch: Patch<u64>) -> Option<Patch<u64>> {
        let (start, end) = patch.single_cut()?;
        match target.elements()[start] % 4 {
            0 => None,
            1 => Some(Patch::cut(start, end - 1)),
            _ => Some(patch),
        }
    }
}

#[test]
fn what_is_put_right_late_does_not_depend_on_the_workers_either() {
    let start: Vec<u64> = (0..200).collect();
    let passes: [Box<dyn Pass<u64>>; 2] = [Box::new(DeleteSome), Box::new(LowerElement)];
    let run = |slots, latency| {
        let mut drive = Drive::new(SimulatedWorkers::new(slots, latency, dependent_few));
        let (target, settings) = (Target::new(start.clone()), Settings::default());
        let outcome = reduce(
            target,
            &passes,
            &Natural,
            &mut drive,
            &settings,
            &mut |_| (),
        );
        (outcome.target.elements().to_vec(), outcome.counts)
    };
    let alone = run(1, Latency::Constant(1));
    assert!(alone.0.len() < 100, "{alone:?}");
    for slots in [2, 8, 100] {
        for seed in 0..3 {
            let latency = Latency::HeavyTailed { median: 50, seed };
            assert_eq!(run(slots, latency), alone, "{slots} workers, seed {seed}");
        }
    }
}

/// The same as [`dependent`], with fewer that are wanted.
fn dependent_few(list: &[u64]) -> bool {
    let has = |n: &u64| list.contains(n);
    has(&17)
        && has(&170)
        && list
            .iter()
            .all(|n| n % 5 == 0 || n % 3 != 0 || has(&(n / 3)))
}

/// The steps of [`DeleteElement`], without growing; says whether a success is taken at once.
struct DeleteOne {
    is_taken_at_once: bool,
}

impl Pass<u64> for DeleteOne {
    fn name(&self) -> &'static str {
        "delete_one"
    }

    fn step(
        &self,
        target: &Target<u64>,
        chooser: &mut Chooser<'_>,
    ) -> Result<Patch<u64>, DeadBranch> {
        DeleteElement.step(target, chooser)
    }

    fn is_taken_at_once(&self) -> bool {
        self.is_taken_at_once
    }
}

#[test]
fn what_is_taken_at_once_is_not_tested_with_others() {
    let before_first_success = |is_taken_at_once| {
        let passes: [Box<dyn Pass<u64>>; 1] = [Box::new(DeleteOne { is_taken_at_once })];
        let mut oracle = |_: &[u64]| true;
        let (mut tested, mut before) = (0, None);
        reduce(
            Target::new(vec![1; 8]),
            &passes,
            &Natural,
            &mut oracle,
            &Settings::default(),
            &mut |event| match event {
                Event::Tested { .. } => tested += 1,
                Event::Reduced { .. } => before = before.or(Some(tested)),
                _ => {}
            },
        );
        before
    };
    assert_eq!(before_first_success(true), Some(1));
    assert!(before_first_success(false) > Some(1));
}

/// Has a single step, and another one than other passes.
struct DeleteAt(usize);

impl Pass<u64> for DeleteAt {
    fn name(&self) -> &'static str {
        "delete_at"
    }

    fn step(
        &self,
        target: &Target<u64>,
        chooser: &mut Chooser<'_>,
    ) -> Result<Patch<u64>, DeadBranch> {
        let index = chooser.choose(self.0..self.0 + 1, |index| index < target.len())?;
        Ok(Patch::cut(index, index + 1))
    }
}

#[test]
fn workers_go_on_with_the_passes_whose_turns_come_next() {
    let passes: Vec<Box<dyn Pass<u64>>> = (0..32)
        .map(|index| Box::new(DeleteAt(index)) as _)
        .collect();
    let needs_all = |list: &[u64]| list.len() == 32;
    let mut drive = Drive::new(SimulatedWorkers::new(8, Latency::Constant(1), needs_all));
    let settings = Settings::default();
    let start = Target::new((0..32).collect());
    let outcome = reduce(start, &passes, &Natural, &mut drive, &settings, &mut |_| ());
    assert_eq!(outcome.counts.tests, 32);
    assert_eq!(drive.executor().now(), 4);
}

/// Deletes any one number.
struct DeleteAny;

impl Pass<u64> for DeleteAny {
    fn name(&self) -> &'static str {
        "delete_any"
    }

    fn step(
        &self,
        target: &Target<u64>,
        chooser: &mut Chooser<'_>,
    ) -> Result<Patch<u64>, DeadBranch> {
        let index = chooser.any(0..target.len())?;
        Ok(Patch::cut(index, index + 1))
    }

    fn is_for_chaos(&self) -> bool {
        false
    }
}

#[test]
fn workers_run_ahead_of_chains_and_behind_them() {
    let passes: Vec<Box<dyn Pass<u64>>> = vec![Box::new(DeleteAny)];
    // One long chain; many short ones.
    for keeps in [
        |number: &u64| *number == 0,
        |number: &u64| number.is_multiple_of(4),
    ] {
        let count = move |list: &[u64]| list.iter().filter(|&number| keeps(number)).count();
        let wanted = count(&Vec::from_iter(0..64));
        let holds = move |list: &[u64]| count(list) == wanted;
        let mut drive = Drive::new(SimulatedWorkers::new(8, Latency::Constant(1), holds));
        let start = Target::new((0..64).collect());
        let settings = Settings::default();
        let outcome = reduce(start, &passes, &Natural, &mut drive, &settings, &mut |_| ());
        assert_eq!(outcome.target.len(), wanted);
        let (tests, ticks) = (outcome.counts.tests, drive.executor().now());
        assert!(2 * ticks < tests, "{ticks} ticks for {tests} tests");
    }
}

#[test]
fn a_slow_test_keeps_no_worker_idle() {
    let passes: Vec<Box<dyn Pass<u64>>> = vec![Box::new(DeleteAny)];
    let latency = Latency::HeavyTailed {
        median: 100,
        seed: 1,
    };
    let needs_all = |list: &[u64]| list.len() == 2000;
    let mut drive = Drive::new(SimulatedWorkers::new(8, latency, needs_all));
    let start = Target::new((0..2000).collect());
    let settings = Settings::default();
    reduce(start, &passes, &Natural, &mut drive, &settings, &mut |_| ());
    let (busy, now) = (drive.executor().busy(), drive.executor().now());
    assert!(busy > 7 * now, "{busy} of {now} ticks by 8 workers");
}

/// Deletes the numbers of one of these ranges, the first one first.
struct DeleteRanges(&'static [(u64, u64)]);

impl Pass<u64> for DeleteRanges {
    fn name(&self) -> &'static str {
        "delete_ranges"
    }

    fn step(
        &self,
        target: &Target<u64>,
        chooser: &mut Chooser<'_>,
    ) -> Result<Patch<u64>, DeadBranch> {
        let (first, after) = self.0[chooser.prefer(self.0.len())?];
        let place = |number| target.elements().partition_point(|n| *n < number);
        Ok(Patch::cut(place(first), place(after)))
    }

    fn is_largest_first(&self) -> bool {
        true
    }

    fn keeps_form(&self) -> bool {
        true
    }
}

#[test]
fn what_hardly_differs_from_a_large_step_that_failed_comes_last_on_later_targets_too() {
    const RANGES: &[(u64, u64)] = &[
        (0, 2000),
        (0, 2010),
        (1, 2005),
        (3000, 3800),
        (2400, 2800),
        (2100, 2300),
    ];
    let mut lens = Vec::new();
    let outcome = reduce(
        Target::new((0..4000).collect()),
        &[Box::new(DeleteRanges(RANGES)) as _],
        &Natural,
        &mut |list: &[u64]| list.contains(&5),
        &Settings::default(),
        &mut |event| {
            if let Event::Tested { len, .. } = event {
                lens.push(*len);
            }
        },
    );
    assert_eq!(outcome.target.len(), 4000 - 800 - 400 - 200);
    // Of the first three only the first is asked at once; the others, and it once more, at the end.
    assert_eq!(lens, [2000, 3200, 3600, 3800, 2600, 590, 600, 596]);
}

#[test]
fn the_end_is_a_fixed_point() {
    let outcome = reduced(
        (0..400).collect(),
        &mut |list: &[u64]| dependent(list),
        &Settings::default(),
    );
    let end = outcome.target.elements().to_vec();
    for index in 0..end.len() {
        let mut shorter = end.clone();
        shorter.remove(index);
        assert!(!dependent(&shorter));
        if end[index] > 0 {
            let mut lower = end.clone();
            lower[index] -= 1;
            assert!(!dependent(&lower));
        }
    }
}

/// Lowers one element by half of it, as a last resort.
struct HalveAtLast;

impl Pass<u64> for HalveAtLast {
    fn name(&self) -> &'static str {
        "halve_at_last"
    }

    fn step(
        &self,
        target: &Target<u64>,
        chooser: &mut Chooser<'_>,
    ) -> Result<Patch<u64>, DeadBranch> {
        let index = chooser.choose(0..target.len(), |i| target.elements()[i] > 0)?;
        let half = target.elements()[index] / 2;
        Ok(Patch::replace(index, index + 1, &[half]))
    }

    fn is_last_resort(&self) -> bool {
        true
    }
}

#[test]
fn a_last_resort_has_its_turn_when_no_other_pass_finds_anything() {
    let passes: Vec<Box<dyn Pass<u64>>> = vec![Box::new(HalveAtLast), Box::new(DeleteElement)];
    let settings = Settings {
        is_in_order: true,
        ..Settings::default()
    };
    let mut turns = Vec::new();
    let outcome = reduce(
        Target::new(vec![9, 8, 7]),
        &passes,
        &Natural,
        &mut |list: &[u64]| list.iter().any(|x| [8, 4, 2].contains(x)),
        &settings,
        &mut |event| {
            if let Event::PassStarted { pass, .. } = event {
                turns.push(*pass);
            }
        },
    );
    assert_eq!(outcome.target.elements(), [2]);
    let first = turns.iter().position(|pass| *pass == "halve_at_last");
    assert!(first.is_some_and(|first| first > 0), "{turns:?}");
}
