//! Stateful testing: programs of rules, run against a state, reduced to the shortest program that
//! fails and shown as Rust.

use rand_core::Rng;

use crate::arbitrary::{Arbitrary, any};
use crate::choice::Sizes;
use crate::generator::{Generator, label};
use crate::generators::draw_elements;
use crate::print::{Shown, show};
use crate::test_case::TestCase;

type Condition<'a, S> = Box<dyn Fn(&S) -> bool + 'a>;
type Invariant<'a, S> = Box<dyn Fn(&S) + 'a>;
type Body<'a, S> = Box<dyn Fn(&mut S, &mut Step<'_>) + 'a>;

/// The rules and invariants of a state.
///
/// ```
/// use ablate_check::prelude::*;
///
/// #[derive(Default)]
/// struct Stack {
///     real: std::collections::VecDeque<u8>,
///     model: Vec<u8>,
/// }
///
/// let machine = Machine::new("stack")
///     .rule("push", |stack: &mut Stack, step| {
///         let x = step.draw(any::<u8>());
///         stack.real.push_back(x);
///         stack.model.push(x);
///     })
///     .rule_if("pop", |stack| !stack.model.is_empty(), |stack, _| {
///         assert_eq!(stack.real.pop_back(), stack.model.pop());
///     })
///     .invariant("len", |stack| assert_eq!(stack.real.len(), stack.model.len()));
/// check(|tc| machine.run(tc, Stack::default()));
/// ```
pub struct Machine<'a, S> {
    name: &'static str,
    rules: Vec<Rule<'a, S>>,
    invariants: Vec<(&'static str, Invariant<'a, S>)>,
    sizes: Sizes,
}

struct Rule<'a, S> {
    name: &'static str,
    condition: Option<Condition<'a, S>>,
    body: Body<'a, S>,
}

impl<'a, S> Machine<'a, S> {
    /// A machine without rules, whose state is shown under this name.
    pub fn new(name: &'static str) -> Machine<'a, S> {
        Machine {
            name,
            rules: Vec::new(),
            invariants: Vec::new(),
            sizes: Sizes { min: 0, max: 100 },
        }
    }

    /// What can be done at any time. The rules named first are the simpler ones.
    pub fn rule(self, name: &'static str, body: impl Fn(&mut S, &mut Step<'_>) + 'a) -> Self {
        self.with(name, None, Box::new(body))
    }

    /// What can be done while `condition` holds.
    pub fn rule_if(
        self,
        name: &'static str,
        condition: impl Fn(&S) -> bool + 'a,
        body: impl Fn(&mut S, &mut Step<'_>) + 'a,
    ) -> Self {
        self.with(name, Some(Box::new(condition)), Box::new(body))
    }

    fn with(
        mut self,
        name: &'static str,
        condition: Option<Condition<'a, S>>,
        body: Body<'a, S>,
    ) -> Self {
        self.rules.push(Rule {
            name,
            condition,
            body,
        });
        self
    }

    /// What is asserted at the start and after every step.
    pub fn invariant(mut self, name: &'static str, holds: impl Fn(&S) + 'a) -> Self {
        self.invariants.push((name, Box::new(holds)));
        self
    }

    /// At most so many steps a program.
    pub fn max_steps(mut self, steps: usize) -> Self {
        self.sizes = Sizes::new(0, steps);
        self
    }

    /// Draws a program and runs it.
    pub fn run(&self, tc: &mut TestCase, mut state: S) {
        self.check_invariants(tc, &state);
        draw_elements(tc, label(self.name), self.sizes, |tc| {
            let enabled: Vec<bool> = self.rules.iter().map(|rule| rule.applies(&state)).collect();
            tc.count_step(enabled.contains(&true));
            // Only rules that apply are drawn at random; but which number a rule has must not
            // depend on that, so that steps before it can be removed.
            let chosen = tc.index_by(enabled.len(), |random| {
                let count = enabled.iter().filter(|is| **is).count().max(1) as u64;
                let skipped = (random.next_u64() % count) as usize;
                let mut places = enabled.iter().enumerate().filter(|(_, is)| **is);
                places.nth(skipped).map_or(0, |(place, _)| place)
            });
            let Some(rule) = self.rules.get(chosen).filter(|_| enabled[chosen]) else {
                return false;
            };
            let line = tc.start_line();
            let mut step = Step {
                tc,
                line,
                call: format!("{}.{}", self.name, rule.name),
                arguments: Vec::new(),
                results: Vec::new(),
            };
            step.show();
            (rule.body)(&mut state, &mut step);
            self.check_invariants(tc, &state);
            true
        });
    }

    fn check_invariants(&self, tc: &mut TestCase, state: &S) {
        for (name, holds) in &self.invariants {
            let line = tc.start_line();
            tc.set_line(line, || format!("// checks {name}"));
            holds(state);
            tc.remove_line(line);
        }
    }
}

impl<S> Rule<'_, S> {
    fn applies(&self, state: &S) -> bool {
        self.condition.as_ref().is_none_or(|holds| holds(state))
    }
}

/// One step of a program while it runs.
pub struct Step<'a> {
    tc: &'a mut TestCase,
    line: usize,
    call: String,
    arguments: Vec<String>,
    results: Vec<String>,
}

impl Step<'_> {
    /// Draws an argument of the step.
    pub fn draw<G: Generator<Value: Shown>>(&mut self, generator: G) -> G::Value {
        let value = self.tc.draw_silent(generator);
        if self.tc.is_shown() {
            self.arguments.push(show(&value));
            self.show();
        }
        value
    }

    /// Draws an argument of a type; for what `#[machine]` makes: a type that can't be drawn is
    /// complained of once.
    #[doc(hidden)]
    pub fn draw_any<T: Arbitrary + Shown>(&mut self) -> T {
        self.draw(any::<T>())
    }

    /// The test case, to draw what is not shown, to assume, to note.
    pub fn test_case(&mut self) -> &mut TestCase {
        self.tc
    }

    /// One step as a line of Rust. Written anew with each argument: any of them may be the last
    /// before a panic.
    fn show(&mut self) {
        self.tc.set_line(self.line, || {
            let results = match self.results.as_slice() {
                [] => String::new(),
                [one] => format!("let {one} = "),
                several => format!("let ({}) = ", several.join(", ")),
            };
            format!("{results}{}({});", self.call, self.arguments.join(", "))
        });
    }
}

/// Values that some steps make and later steps use, shown by name.
#[derive(Clone, Debug)]
pub struct Pool<T> {
    name: &'static str,
    made: usize,
    values: Vec<(usize, T)>,
}

impl<T> Pool<T> {
    /// An empty pool, whose values are shown as `name_1`, `name_2`, …
    pub fn new(name: &'static str) -> Pool<T> {
        Pool {
            name,
            made: 0,
            values: Vec::new(),
        }
    }

    /// Whether there is no value to pick; to be asked by the condition of rules that pick.
    pub fn is_empty(&self) -> bool {
        self.values.is_empty()
    }

    /// The number of values.
    pub fn len(&self) -> usize {
        self.values.len()
    }

    /// Adds what this step made.
    pub fn add(&mut self, step: &mut Step<'_>, value: T) {
        self.made += 1;
        self.values.push((self.made, value));
        step.results.push(format!("{}_{}", self.name, self.made));
        step.show();
    }

    /// One of the values, to go on with; the newest is the simplest. The test case is rejected
    /// when there is none.
    pub fn pick(&self, step: &mut Step<'_>) -> &T {
        let at = self.choose(step);
        &self.values[at].1
    }

    /// One of the values, which is used up.
    pub fn take(&mut self, step: &mut Step<'_>) -> T {
        let at = self.choose(step);
        self.values.remove(at).1
    }

    fn choose(&self, step: &mut Step<'_>) -> usize {
        let back = step.tc.index(self.values.len());
        let at = self.values.len() - 1 - back;
        step.arguments
            .push(format!("{}_{}", self.name, self.values[at].0));
        step.show();
        at
    }
}
