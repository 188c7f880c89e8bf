#!/bin/bash
# z3 answers unsat, without an error, and only after 100 conflicts
T="${BENCH_TOOLS:-$(cd "$(dirname "$0")/../.." && pwd)/.tools}"
A=$(timeout 10 "$T/z3-4.13.0/bin/z3" -st "${1:-input.smt2}" 2>&1) || exit 1
[[ $A == unsat$'\n'\(:* ]] || exit 1
[[ $A =~ :sat-conflicts\ +([0-9]+) ]] && [ "${BASH_REMATCH[1]}" -ge 100 ]
