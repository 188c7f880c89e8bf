//! The passes on text, on a formula in DIMACS CNF.

#![no_main]

mod checks;

libfuzzer_sys::fuzz_target!(|data: &[u8]| checks::check_passes(b"p cnf 9 9\n", data));
