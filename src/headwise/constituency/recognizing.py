"""Telling files of bracketed trees from others."""

from __future__ import annotations

import sys
from pathlib import Path

from headwise.constituency.brackets import looks_like_brackets
from headwise.treebank.files import start_of

_NAMES = (".ptb", ".mrg", ".psd", ".brackets", ".parse", ".parsed")
_OTHERS = (".conllu", ".conllx", ".conll", ".txt", ".md", ".json", ".jsonl", ".hw")


def is_bracket_file(path: str | Path) -> bool:
    """Whether a file holds bracketed trees: by its name, or else by how it begins."""
    name = Path(path).name.lower().removesuffix(".gz").removesuffix(".xz")
    if name.endswith(_NAMES):
        return True
    if name.endswith(_OTHERS):
        return False
    if str(path) == "-":
        peek = getattr(sys.stdin.buffer, "peek", None)  # what is peeked at is still there to be read
        start = peek() if peek else b""
    else:
        return looks_like_brackets(start_of(path))
    return looks_like_brackets(start[:4096].decode(errors="replace"))
