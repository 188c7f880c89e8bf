//! What the macros say when they are used wrongly: the cause, and the cure.

#[test]
fn what_is_wrong_is_said_with_its_cure() {
    trybuild::TestCases::new().compile_fail("tests/messages/*.rs");
}
