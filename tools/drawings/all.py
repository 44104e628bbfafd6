"""All drawings by name."""

from __future__ import annotations

from drawings import algorithms, trees


def drawings() -> dict[str, str]:
    made = {name: draw().svg() for name, draw in algorithms.DRAWINGS.items()}
    return made | {name: draw() for name, draw in trees.DRAWINGS.items()}
