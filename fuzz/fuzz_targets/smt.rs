//! The passes on text, on a script in SMT-LIB.

#![no_main]

mod checks;

libfuzzer_sys::fuzz_target!(|data: &[u8]| checks::check_passes(b"(set-logic ALL)\n", data));
