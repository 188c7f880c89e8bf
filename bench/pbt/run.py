#!/usr/bin/env python3
"""ablate-check and Hypothesis on the shrinking challenge, side by side in one run.

Usage: bench/pbt/run.py [SEEDS [NAME…]]      20 seeds, and all that both have, if nothing is said

Hypothesis is taken from $PEERS/python, or installed there from PyPI (default: bench/.peers). Prints
a table: how often the smallest failing test case is reached, and the executions of the test function
after the first failure, in the mean; the last column says whether ablate-check needs at most as many
from natural starts, and at most a third from planted ones.
"""

import json
import os
import pathlib
import subprocess
import sys
import venv

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent


def python():
    peers = pathlib.Path(os.environ.get("PEERS", HERE.parent / ".peers")) / "python"
    program = peers / "bin" / "python"
    if not program.exists():
        venv.create(peers, with_pip=True)
    has = subprocess.run([program, "-c", "import hypothesis"], capture_output=True)
    if has.returncode != 0:
        subprocess.run([program, "-m", "pip", "install", "-q", "hypothesis"], check=True)
    return program


def ours(seeds, names):
    command = ["cargo", "run", "-q", "--release", "-p", "ablate-check", "--example", "challenge"]
    command += ["--", str(seeds), *names]
    output = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True).stdout
    rows = {}
    for line in output.splitlines()[2:]:
        cells = [cell.strip() for cell in line.split("|")]
        rows[cells[1], cells[2]] = (cells[4], float(cells[5]), int(cells[6]))
    return rows


def theirs(seeds, names):
    command = [python(), HERE / "hypothesis_challenge.py", str(seeds), *names]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        for line in process.stdout:
            yield json.loads(line)


def main():
    seeds, names = int((sys.argv[1:] or ["20"])[0]), sys.argv[2:]
    mine = ours(seeds, names)
    print("| challenge | start | ablate-check minimal | mean | max ", end="")
    print("| Hypothesis minimal | mean | max | goal | |")
    print("| --- | --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | --- |")
    for row in theirs(seeds, names):
        minimal, mean, most = mine[row["challenge"], row["start"]]
        goal = row["mean"] / (1 if row["start"] == "random" else 3)
        peer = f"{row['minimal']}/{row['found']} | {row['mean']:.1f} | {row['max']}"
        reached = "reached" if mean <= goal else "missed"
        cells = f"{row['challenge']} | {row['start']} | {minimal} | {mean:.1f} | {most} | {peer}"
        print(f"| {cells} | {goal:.1f} | {reached} |", flush=True)


if __name__ == "__main__":
    main()
