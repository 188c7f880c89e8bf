"""Starts picireny, with two things changed that fail on deep trees.

Since Python 3.12 `--sys-recursion-limit` does not move the limit of functions that are written in C,
and the tree of a C file with deep expressions is deeper: neither the scanner of `json` follows it
(the parser in Java hands the tree over as JSON) nor `max`, which measures the height that is logged.
"""

import json
import json.scanner
import sys

json.scanner.make_scanner = json.scanner.py_make_scanner
json._default_decoder = json.JSONDecoder()

import picireny.hdd  # noqa: E402
import picireny.info  # noqa: E402
from picireny.cli import execute  # noqa: E402


def height(node, **_):
    """The height of the whole tree, for the log, level by level."""
    levels, nodes = 0, [node]
    while nodes:
        levels += 1
        nodes = [child for node in nodes for child in getattr(node, "children", [])]
    return levels


picireny.info.height = picireny.hdd.height = height
sys.exit(execute())
