#!/usr/bin/env python3
"""ablate-check and other libraries on the shrinking challenge, side by side in one run.

Usage: bench/pbt/run.py [SEEDS [NAME…]]      20 seeds, and all challenges, if nothing is said

Hypothesis is taken from $PEERS/python, or installed there from PyPI; hegeltest, chaos_theory,
proptest and quickcheck are built from crates.io, at the versions that bench/pbt/peers/Cargo.toml
names, in $PEERS/rust (default: bench/.peers). Prints a row for each challenge, start and library:
how often a failure was found, how often it was reduced to the smallest there is, how often the test
function ran after the first failure, and how long a seed took, generation included. What the
library's row says of ablate-check is whether that needs no more than the goal: from natural starts
the figure of Hypothesis and a tenth of hegeltest's, from planted ones a third of Hypothesis'.
"""

import json
import os
import pathlib
import subprocess
import sys
import venv

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent
PEERS = pathlib.Path(os.environ.get("PEERS", HERE.parent / ".peers"))
# By what the mean of a library is divided to be a goal.
GOALS = {("Hypothesis", "random"): 1, ("Hypothesis", "planted"): 3, ("hegeltest", "random"): 10}
CARGO = ["cargo", "run", "-q", "--release"]


def python():
    program = PEERS / "python" / "bin" / "python"
    if not program.exists():
        venv.create(PEERS / "python", with_pip=True)
    has = subprocess.run([program, "-c", "import hypothesis"], capture_output=True)
    if has.returncode != 0:
        subprocess.run([program, "-m", "pip", "install", "-q", "hypothesis"], check=True)
    return program


def rows_of(command, **options):
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, **options) as process:
        # Some libraries print to the standard output as well.
        yield from (json.loads(line) for line in process.stdout if line.startswith("{"))
    if process.returncode != 0:
        sys.exit(f"{command[0]}: exit status {process.returncode}")


def ours(arguments):
    command = [*CARGO, "-p", "ablate-check", "--example", "challenge", "--", "--json"]
    return rows_of([*command, *arguments], cwd=ROOT)


def theirs(arguments):
    yield from rows_of([python(), HERE / "hypothesis_challenge.py", *arguments])
    # What they print of each failure is not wanted.
    quiet = {"stderr": subprocess.DEVNULL, "cwd": HERE / "peers"}
    environment = {**os.environ, "CARGO_TARGET_DIR": str(PEERS / "rust")}
    yield from rows_of([*CARGO, "--", *arguments], env=environment, **quiet)


def line(row, goal):
    cells = [row["challenge"], row["start"], row["library"], f"{row['found']}/{row['seeds']}"]
    cells += [f"{row['minimal']}/{row['found']}", f"{row['mean']:.1f}", row["median"], row["max"]]
    return "| " + " | ".join(str(cell) for cell in [*cells, f"{row['ms']:.1f}", goal]) + " |"


def main():
    arguments = sys.argv[1:] or ["20"]
    mine = {(row["challenge"], row["start"]): row for row in ours(arguments)}
    peers = {}
    for row in theirs(arguments):
        peers.setdefault((row["challenge"], row["start"]), []).append(row)
    print("| challenge | start | library | found | minimal | mean | median | max | ms | goal |")
    print("| --- | --- | --- | ---: | ---: | ---: | ---: | ---: | ---: | --- |")
    for key, row in mine.items():
        print(line(row, ""))
        for peer in peers.get(key, []):
            divisor = GOALS.get((peer["library"], peer["start"]))
            if divisor is None or not peer["found"]:
                print(line(peer, ""))
                continue
            goal = peer["mean"] / divisor
            reached = "reached" if row["mean"] <= goal else "missed"
            print(line(peer, f"{goal:.1f} {reached}"))


if __name__ == "__main__":
    main()
