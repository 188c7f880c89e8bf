#!/bin/sh
# Interesting: rustc refuses the candidate for one reason only, and it is this one.
#
# The candidate's path is the argument. The current directory is fresh, and nobody else's.
wanted='error\[E0502\]: cannot borrow .* as mutable because it is also borrowed as immutable'

messages=$(rustc --edition 2021 --crate-type lib --emit metadata --out-dir . \
    --error-format short -A warnings "$1" 2>&1) && exit 1
errors=$(printf '%s\n' "$messages" | grep 'error' | grep -v '^error: aborting due to')

# Exactly one error, and the right one.
[ "$(printf '%s\n' "$errors" | wc -l)" -eq 1 ] && printf '%s\n' "$errors" | grep -q "$wanted"
