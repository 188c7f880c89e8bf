#!/bin/bash
# z3 answers sat, without an error, and in the model some value of a datatype has NaN two constructors deep
T="${BENCH_TOOLS:-$(cd "$(dirname "$0")/../.." && pwd)/.tools}"
A=$(timeout 10 "$T/z3-4.13.0/bin/z3" "${1:-input.smt2}" 2>&1) || exit 1
[[ $A == sat$'\n'\(* && $A != *'(error'* && $A != *'(ite '* && $A != *'(let '* && $A != *'(store '* ]] || exit 1
grep -Eq '^    (\([^_() ]+ ([^() ]+ )*){2,}\(_ NaN ' <<< "$A"
