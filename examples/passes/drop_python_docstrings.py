#!/usr/bin/env python3
"""A pass for `ablate --with`: deletes the docstrings of a Python program.

It is given the test case as a test is: its path is the last argument. It prints one JSON object a
line, each of them something to try: all docstrings at once first, then one after the other.
"""

import ast
import json
import sys


def docstring_edits(source):
    """One edit for each docstring: the bytes it takes up, and what comes instead."""
    starts = [0]
    for line in source.splitlines(keepends=True):
        starts.append(starts[-1] + len(line))
    for node in ast.walk(ast.parse(source)):
        if not isinstance(
            node, (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)
        ):
            continue
        if not node.body or ast.get_docstring(node, clean=False) is None:
            continue
        first = node.body[0]
        start = starts[first.lineno - 1] + first.col_offset
        end = starts[first.end_lineno - 1] + first.end_col_offset
        if len(node.body) > 1 or isinstance(node, ast.Module):
            # What follows starts on its own line, or behind a semicolon.
            following = node.body[1:2]
            if following:
                end = starts[following[0].lineno - 1] + following[0].col_offset
            yield [start, end]
        else:
            # A body can't be empty.
            yield [start, end, "0"]


def main():
    with open(sys.argv[-1], "rb") as file:
        source = file.read()
    try:
        edits = list(docstring_edits(source))
    except (SyntaxError, ValueError):
        return  # no Python program (any more): nothing to propose
    if len(edits) > 1:
        print(json.dumps({"edits": edits}))
    for edit in edits:
        print(json.dumps({"edits": [edit]}))


if __name__ == "__main__":
    main()
