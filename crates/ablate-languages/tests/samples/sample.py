#!/usr/bin/env python3
"""A sample."""
from __future__ import annotations
import os, sys as system


@staticmethod
def area(width: int, height: int = 2, *rest, **named) -> int:
    return width * height


class Shape(object, metaclass=type):
    kinds = {"round": 1, 'square': [2, 3]}

    async def draw(self, where=None):
        with open(where or os.devnull) as out:
            for kind, value in self.kinds.items():
                if value and kind not in ("a", "b"):
                    print(f"{kind!r}: {value:>3}", file=system.stderr)
                elif not value:
                    continue
                else:
                    pass
        try:
            await out.flush()
        except (OSError, ValueError) as error:
            raise RuntimeError("no") from error
        return [x ** 2 for x in range(10) if x % 2], lambda y: y + 1
