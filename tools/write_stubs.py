"""Writes what type checkers and editors know of the native core: src/headwise/_native/*.pyi.

    python tools/write_stubs.py            # write them
    python tools/write_stubs.py --check    # only say which ones differ; the tests do the same

They are made from the built module: after a change to the bindings install the package again, or build in
place and set PYTHONPATH=src (CONTRIBUTING.md says how). The extra `test` brings nanobind and ruff.
"""

from __future__ import annotations

import argparse
import ast
import difflib
import importlib
import subprocess
import sys
from pathlib import Path
from types import ModuleType

from nanobind.stubgen import StubGen

PROJECT = Path(__file__).parents[1]
STUBS = PROJECT / "src" / "headwise" / "_native"

BARE = {
    "dict": "dict[str, Any]",
    "list": "list[Any]",
    "tuple": "tuple[Any, ...]",
    "Callable": "Callable[..., Any]",
}
"""C++ does not say what these hold, and a strict type checker asks."""


def stubs() -> dict[str, str]:
    """The stub of the native core and of each of its rooms, by file name."""
    core = importlib.import_module("headwise._native")
    rooms = {name: room for name, room in vars(core).items() if isinstance(room, ModuleType)}
    return {f"{name}.pyi": stub(module) for name, module in sorted({"__init__": core, **rooms}.items())}


def stub(module: ModuleType) -> str:
    generator = StubGen(module)
    generator.put(module)
    return _tidied(_with_contents(generator.get()))


def _with_contents(text: str) -> str:
    """The same stub with `dict[str, Any]` where an annotation says `dict`, and so on."""
    tree = ast.parse(text)
    annotations = [
        annotation
        for node in ast.walk(tree)
        for annotation in (getattr(node, "annotation", None), getattr(node, "returns", None))
        if annotation is not None
    ]
    bare = []
    for annotation in annotations:
        filled = [
            getattr(node, "value", None) or getattr(node, "func", None) for node in ast.walk(annotation)
        ]
        for node in ast.walk(annotation):
            if isinstance(node, ast.Name) and node.id in BARE and node not in filled:
                bare.append(node)
    lines = [line.encode() for line in text.splitlines(keepends=True)]  # ast counts bytes
    for node in sorted(bare, key=lambda node: (node.lineno, node.col_offset), reverse=True):
        line = lines[node.lineno - 1]
        lines[node.lineno - 1] = (
            line[: node.col_offset] + BARE[node.id].encode() + line[node.end_col_offset :]
        )
    if bare:
        lines.insert(tree.body[0].end_lineno or 0, b"\nfrom typing import Any\n")  # after the docstring
    return b"".join(lines).decode().replace("**kwargs)", "**kwargs: Any)")


def _tidied(text: str) -> str:
    """With imports sorted and lines broken as everywhere in the project."""
    name = ["--stdin-filename", str(STUBS / "stub.pyi")]
    for command in (["check", "--fix-only", "--select", "I"], ["format"]):
        text = subprocess.run(
            [sys.executable, "-m", "ruff", *command, "--quiet", *name, "-"],
            input=text,
            stdout=subprocess.PIPE,
            encoding="utf-8",
            cwd=PROJECT,
            check=True,
        ).stdout
    return text


def differences(folder: Path, written: dict[str, str]) -> str:
    """A diff from the stubs in a folder to those that the module has now; empty where they are the same."""
    lines: list[str] = []
    for name in sorted({*written, *(path.name for path in folder.glob("*.pyi"))}):
        path = folder / name
        before = path.read_text("utf-8").splitlines() if path.exists() else []
        after = written.get(name, "").splitlines()
        lines += difflib.unified_diff(before, after, f"checked in/{name}", f"built/{name}", n=1, lineterm="")
    return "\n".join(lines)


def main() -> None:
    arguments = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    arguments.add_argument("--check", action="store_true", help="write nothing; fail where a stub differs")
    check = arguments.parse_args().check
    written = stubs()
    different = differences(STUBS, written)
    if check:
        print(different or "The stubs are those of the built module.")
        raise SystemExit(bool(different))
    for stale in STUBS.glob("*.pyi"):
        stale.unlink()
    for name, text in written.items():
        (STUBS / name).write_text(text, "utf-8", newline="\n")
    print(different or "Nothing to do.")


if __name__ == "__main__":
    main()
