"""Telling files of bracketed trees from others."""

from __future__ import annotations

import sys
from pathlib import Path

from headwise.base.errors import TreebankError
from headwise.constituency.brackets import looks_like_brackets
from headwise.treebank.files import read_chunks

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
        try:
            start = next(read_chunks(path), b"")
        except TreebankError:
            return False  # whoever reads the file will say what is wrong with it
    return looks_like_brackets(start[:4096].decode(errors="replace"))
