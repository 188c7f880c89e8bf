#!/bin/sh
# Interesting: rustc refuses the candidate for one reason only, which is that something is borrowed
# as mutable while it is borrowed as immutable.

# Under cargo, straight to the compiler: to be found by way of rustup takes it half as long again.
rustc=$RUSTUP_HOME/toolchains/$RUSTUP_TOOLCHAIN/bin/rustc
[ -x "$rustc" ] || rustc=rustc

# The candidate's path is the argument. The current directory is fresh, and nobody else's.
messages=$("$rustc" --edition 2021 --crate-type lib --emit metadata --out-dir . \
    --error-format short -A warnings "$1" 2>&1) && exit 1

case $messages in
    *'error[E0502]: cannot borrow '*' as mutable because it is also borrowed as immutable'*) ;;
    *) exit 1 ;;
esac
case $messages in
    *'aborting due to 1 previous error'* | *'aborting due to previous error'*) ;;
    *) exit 1 ;;
esac
