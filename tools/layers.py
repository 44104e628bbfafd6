"""Which room of the package imports which: read from the sources, for a test and for the drawing in the docs.

    python tools/layers.py            # prints the drawing
    python tools/layers.py --write    # puts it into docs/architecture.md

A room is a folder of `src/headwise`; of `components` it is a folder in there. Imports inside functions count,
and so do doors (`headwise.base.lazy.door`). Imports for types alone do not: nothing depends on them when the
program runs.
"""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).parent.parent
PACKAGE = ROOT / "src" / "headwise"
PAGE = ROOT / "docs" / "architecture.md"
BEGIN, END = "<!-- layers: made by tools/layers.py --write -->\n```text\n", "```\n<!-- /layers -->\n"

LAYERS = (
    ("base",),
    ("treebank", "dual"),
    ("trees", "model", "display"),
    ("words", "torch", "learning"),
    (
        "components/scoring",
        "components/pruner",
        "components/roles",
        "components/tensor",
        "components/whole_tree",
        "components/network",
        "components/confidence",
        "components/parser",
        "components/text",
        "components/tagging",
        "components/reranker",
    ),
    ("pipeline", "reference"),
    ("training",),
    ("evaluation", "patterns"),
    ("constituency", "corpus", "web", "spacy"),
    ("cli",),
)
"""Rooms from the ground up. A room imports those of lower layers, and those before it in its own."""


class Import(NamedTuple):
    """One room uses another, here."""

    room: str
    used: str
    place: str
    is_door: bool


def room_of(module: str) -> str | None:
    """The room of ``headwise.a.b.c``; None for the native core and for what lies at the top."""
    parts = module.split(".")[1:]
    if len(parts) < 1 or parts[0] in ("_native", "__main__") or not (PACKAGE / parts[0]).is_dir():
        return None
    if parts[0] != "components":
        return parts[0]
    return "/".join(parts[:2]) if len(parts) > 1 else "base"


def imports() -> Iterator[Import]:
    """Every import of one room by another that happens when the program runs."""
    for path in sorted(PACKAGE.rglob("*.py")):
        module = ".".join(path.relative_to(PACKAGE.parent).with_suffix("").parts)
        room = room_of(module)
        for name, line, is_door in _imported(ast.parse(path.read_text(encoding="utf-8"))):
            used = room_of(name)
            if room and used and room != used:
                yield Import(room, used, f"{path.relative_to(ROOT)}:{line}", is_door)


def _imported(node: ast.AST) -> Iterator[tuple[str, int, bool]]:
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.If) and "TYPE_CHECKING" in ast.unparse(child.test):
            continue
        if isinstance(child, ast.Import):
            yield from ((alias.name, child.lineno, False) for alias in child.names)
        elif isinstance(child, ast.ImportFrom) and child.module:
            yield from ((f"{child.module}.{alias.name}", child.lineno, False) for alias in child.names)
        elif isinstance(child, ast.Call) and ast.unparse(child.func) == "door":
            yield str(ast.literal_eval(child.args[0])).split(":")[0], child.lineno, True
        yield from _imported(child)


def drawing() -> str:
    """The rooms of every layer, the highest first, with the rooms that each of them uses."""
    order = [room for layer in LAYERS for room in layer]
    used: dict[str, set[str]] = {room: set() for room in order}
    for one in imports():
        if not one.is_door:
            used[one.room].add(one.used)
    width = max(map(len, order))
    lines = []
    for layer in reversed(LAYERS):
        for room in reversed(layer):
            names = [name for name in order if name in used[room] and name != "base"]
            lines.append(f"{room:{width}}  {' '.join(names)}".rstrip())
        lines.append("─" * (width + 1))
    return "\n".join(lines[:-1]) + "\n"


def main() -> None:
    """Print the drawing, or write it into the page."""
    if sys.argv[1:] != ["--write"]:
        print(drawing(), end="")
        return
    text = PAGE.read_text(encoding="utf-8")
    before, rest = text.split(BEGIN)
    PAGE.write_text(before + BEGIN + drawing() + END + rest.split(END)[1], encoding="utf-8")


if __name__ == "__main__":
    main()
