#!/bin/bash
# installs what this task's interesting.sh needs into $BENCH_TOOLS (default: ../../.tools beside the task); idempotent
set -e
BENCH_TOOLS="${BENCH_TOOLS:-$(cd "$(dirname "$0")/../.." && pwd)/.tools}"
mkdir -p "$BENCH_TOOLS"
cd "$BENCH_TOOLS"
[ -x z3-4.13.0/bin/z3 ] && exit
python3 -m venv z3-4.13.0
z3-4.13.0/bin/pip install -q --disable-pip-version-check 'z3-solver==4.13.0.0'
