use ablate_check::prelude::*;

#[property]
struct NoFunction;

#[property]
fn is_generic<T>(x: T) {}

struct Stack;

impl Stack {
    #[property]
    fn is_a_method(&self) {}
}

#[property]
fn takes_a_reference(text: &str) {}

#[property]
fn has_the_test_case_last(x: u32, tc: &mut TestCase) {}

#[property]
fn names_no_generator(#[from] x: u32, #[from()] y: u32) {}

#[property(cases)]
fn has_a_setting_without_a_value(x: u32) {}

#[property(example = 3)]
fn has_an_example_without_parentheses(x: u32) {}

#[property(example = (3,))]
fn has_an_example_that_is_too_short(x: u32, y: u32) {}

#[property(example = (3,))]
fn has_an_example_and_draws_by_itself(tc: &mut TestCase) {}

#[property(500)]
fn has_a_setting_without_a_name(x: u32) {}

#[property]
fn draws_nothing() {}

#[property]
fn owns_the_test_case(tc: TestCase) {}

#[property]
fn only_looks_at_the_test_case(tc: &TestCase) {}

#[property]
fn changes_a_list_of_another(xs: &mut Vec<u8>) {}

#[property]
fn takes_a_function(f: impl Fn(u8) -> u8) {}

#[property]
#[tokio::test]
async fn is_a_test_of_something_else(x: u8) {}

fn main() {}
