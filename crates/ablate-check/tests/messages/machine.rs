use ablate_check::prelude::*;

struct State;

#[machine]
struct NoBlock;

#[machine(cases = 5)]
impl State {}

#[machine]
impl Drop for State {
    fn drop(&mut self) {}
}

#[machine]
impl State {
    fn is_no_rule(&mut self) {}
}

#[machine]
impl State {
    #[rule]
    fn has_no_state() {}
}

#[machine]
impl State {
    #[rule]
    fn takes_the_state(self) {}
}

#[machine]
impl State {
    #[rule(wenn = true)]
    fn has_an_unknown_option(&mut self) {}
}

#[machine]
impl State {
    #[rule]
    fn names_no_generator(&mut self, #[from()] x: u8) {}
}

#[machine]
impl State {
    #[rule]
    #[invariant]
    fn is_both(&self) {}
}

#[machine]
impl State {
    #[invariant]
    fn changes_something(&mut self) {}
}

#[machine]
impl State {
    #[invariant]
    fn draws_something(&self, x: u8) {}
}

#[machine]
impl State {
    #[invariant(when = true)]
    fn holds_sometimes(&self) {}
}

#[machine]
impl State {
    #[rule]
    fn says_whether_it_holds(&mut self) -> bool {
        true
    }
}

fn main() {}
