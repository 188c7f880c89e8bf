//! Stateful testing.

use ablate_check::prelude::*;
use ablate_check::{Report, Storage};

#[derive(Default)]
struct Counter {
    real: u8,
    model: u32,
}

fn run<S>(machine: &Machine<'_, S>, start: impl Fn() -> S, replay: Option<&str>) -> Report {
    let mut settings = Settings::new()
        .seed(1)
        .storage(Storage::Off)
        .name("machine");
    if let Some(replay) = replay {
        settings = settings.replay(replay);
    }
    settings.run(|tc| machine.run(tc, start()))
}

fn counter() -> Machine<'static, Counter> {
    Machine::new("counter")
        .rule("add", |counter: &mut Counter, step| {
            let amount = step.draw(0..200u8);
            counter.real = counter.real.wrapping_add(amount);
            counter.model += u32::from(amount);
        })
        .rule_if(
            "reset",
            |counter| counter.model > 0,
            |counter, _| *counter = Counter::default(),
        )
        .invariant("equal", |counter| {
            assert_eq!(u32::from(counter.real), counter.model);
        })
}

#[test]
fn a_failing_program_is_found_and_shown_as_rust() {
    let report = run(&counter(), Counter::default, None);
    assert_eq!(report.failures.len(), 1);
    // more, rule `add`, 199; twice; no more.
    let report = run(&counter(), Counter::default, Some("1.t.0.199.t.0.57.f"));
    let lines = &report.failures[0].lines;
    assert_eq!(
        lines,
        &["counter.add(57);", "counter.add(199);", "// checks equal"]
    );
}

#[test]
fn a_rule_whose_condition_fails_is_a_discarded_step() {
    // `reset` can't come first; the rest of the program stays what it is.
    let report = run(&counter(), Counter::default, Some("1.t.1.t.0.199.t.0.57.f"));
    assert_eq!(report.failures[0].lines.len(), 3);
}

#[derive(Default)]
struct Files {
    made: u32,
    closed: Vec<u32>,
    open: Option<Pool<u32>>,
}

#[test]
fn values_of_earlier_steps_are_used_by_name() {
    let machine = Machine::new("files")
        .rule("open", |files: &mut Files, step| {
            let pool = files.open.get_or_insert_with(|| Pool::new("file"));
            files.made += 1;
            pool.add(step, files.made);
        })
        .rule_if(
            "close",
            |files| files.open.as_ref().is_some_and(|pool| !pool.is_empty()),
            |files, step| {
                let Some(pool) = &mut files.open else { return };
                let file = *pool.pick(step);
                assert!(!files.closed.contains(&file), "closed twice");
                files.closed.push(file);
            },
        );
    let report = run(&machine, Files::default, None);
    assert_eq!(report.failures[0].failure.message, "closed twice");
    let replay = "1.t.0.t.0.t.1.1.t.1.1.f";
    let report = run(&machine, Files::default, Some(replay));
    assert_eq!(
        report.failures[0].lines,
        [
            "let file_1 = files.open();",
            "files.close(file_1);",
            "files.close(file_1);",
        ]
    );
}

/// A ring that forgets what does not fit, or should.
#[derive(Default)]
struct RingBuffer {
    real: Vec<u8>,
    model: Vec<u8>,
}

#[machine]
impl RingBuffer {
    #[rule]
    fn push(&mut self, x: u8) {
        self.real.push(x);
        if self.real.len() > 4 {
            self.real.remove(0);
        }
        self.model.push(x);
        if self.model.len() > 3 {
            self.model.remove(0);
        }
    }

    #[rule(when = !self.model.is_empty())]
    fn pop(&mut self) {
        assert_eq!(self.real.pop(), self.model.pop());
    }

    #[rule]
    fn fill(&mut self, #[from(vec(5..9u8).len(..2))] xs: Vec<u8>) {
        xs.into_iter().for_each(|x| self.push(x));
    }

    #[invariant]
    fn is_small(&self) {
        assert!(self.real.len() < 4 && self.model.len() < 4, "too long");
    }
}

#[test]
fn an_attribute_makes_a_machine_of_methods() {
    let report = run(&RingBuffer::machine(), RingBuffer::default, None);
    assert_eq!(
        report.failures[0].lines,
        [
            "ring_buffer.push(0);",
            "ring_buffer.push(0);",
            "ring_buffer.push(0);",
            "ring_buffer.push(0);",
            "// checks is_small",
        ]
    );
}

struct Handles {
    open: Pool<u32>,
    closed: Vec<u32>,
    made: u32,
}

#[machine]
impl Handles {
    #[rule]
    fn open(&mut self, step: &mut Step<'_>) {
        self.made += 1;
        self.open.add(step, self.made);
    }

    #[rule(when = !self.open.is_empty())]
    fn close(&mut self, code: u8, step: &mut Step<'_>) {
        let file = *self.open.pick(step);
        assert!(!self.closed.contains(&file), "closed twice");
        if code < 100 {
            self.closed.push(file);
        }
    }

    #[rule]
    fn wait(&mut self, tc: &mut TestCase) {
        let rounds = tc.draw(0..3u8);
        tc.assume(rounds < 3);
    }
}

#[test]
fn rules_of_an_attribute_use_values_of_earlier_steps() {
    let start = || Handles {
        open: Pool::new("file"),
        closed: Vec::new(),
        made: 0,
    };
    let report = run(&Handles::machine(), start, None);
    assert_eq!(
        report.failures[0].lines,
        [
            "let file_1 = handles.open();",
            "handles.close(0, file_1);",
            "handles.close(0, file_1);",
        ]
    );
}

#[test]
fn a_machine_of_which_no_rule_ever_applies_is_unhealthy() {
    let machine = Machine::new("stuck").rule_if("never", |_: &()| false, |(), _| {});
    let report = run(&machine, || (), None);
    assert!(!report.is_success());
    assert!(
        report.to_string().contains("no rule of the machine"),
        "{report}"
    );
    // Some rule applies in some cases: that is enough.
    let machine = Machine::new("rare").rule_if("rarely", |n: &u8| *n == 0, |_, _| {});
    let settings = Settings::new().seed(1).storage(Storage::Off);
    let report = settings.run(|tc| {
        let start = tc.draw(0..10u8);
        machine.run(tc, start);
    });
    assert!(report.is_success(), "{report}");
}
