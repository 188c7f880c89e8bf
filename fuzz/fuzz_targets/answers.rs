//! What a program prints that is a pass: the first byte says how much of the rest is the test case.

#![no_main]

#[path = "../../crates/ablate/src/answers.rs"]
mod answers;

libfuzzer_sys::fuzz_target!(|data: &[u8]| {
    let Some((&len, rest)) = data.split_first() else {
        return;
    };
    let (content, printed) = rest.split_at(usize::from(len).min(rest.len()));
    for patch in answers::read_answers(printed, content).unwrap_or_default() {
        let _ = patch.applied(content);
    }
});
