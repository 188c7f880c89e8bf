#!/bin/bash
# Installs the tools that tasks run into $BENCH_TOOLS (default: .tools beside this file), and what
# they need from the system. Idempotent; asks for root only when something of the system is missing.
# usage: bench/setup.sh TASK_FOLDER…
set -u
here=$(cd "$(dirname "$0")" && pwd)
export BENCH_TOOLS=${BENCH_TOOLS:-$here/.tools}
mkdir -p "$BENCH_TOOLS"

# Compilers that a test calls by name come from the system.
missing=()
for folder in "$@"; do
  for pair in tcc:tcc iverilog:iverilog g++:g++ gcc:gcc clang-14:clang-14 csmith:libcsmith-dev; do
    command=${pair%%:*} package=${pair##*:}
    grep -qwF -e "$command" "$folder/interesting.sh" || continue
    command -v "$command" >/dev/null || dpkg -s "$package" >/dev/null 2>&1 || missing+=("$package")
  done
done
if [ ${#missing[@]} -gt 0 ]; then
  apt-get update -qq && apt-get install -y -qq "${missing[@]}" >/dev/null ||
    echo "could not install ${missing[*]}" >&2
fi

failed=0
for folder in "$@"; do
  [ -f "$folder/setup.sh" ] || continue
  bash "$folder/setup.sh" >&2 || { echo "could not set up ${folder##*/}" >&2; failed=$((failed + 1)); }
done
# A task whose tools are missing is noticed when its test refuses the original.
[ $# -eq 0 ] || [ "$failed" -lt $# ]
