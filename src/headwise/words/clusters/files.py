"""The file that programs exchange clusters in: a bit string, a word and a count on every line."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from pathlib import Path

from headwise.base.errors import HeadwiseError
from headwise.treebank.files import LONGEST_LINE, name_of, opened_for_writing, read_lines, start_of

_LINE = re.compile(r"\ufeff?[01]+\t[^\t\n]+\t\d+[^\S\n]*$", re.MULTILINE)

_COUNT = re.compile(r"[0-9]{1,18}")


class ClusterError(HeadwiseError):
    """Clusters, or a text, that cannot be used."""


def looks_like_clusters(path: str | Path) -> bool:
    """Whether a file begins with bits, a word and a count. Standard input is not looked at."""
    if str(path) == "-" or not Path(path).is_file():
        return False
    return _LINE.match(start_of(path)) is not None


def read_paths(path: str | Path) -> Iterator[tuple[str, str, int]]:
    """(bits, word, count) of every line; spaces may stand for the tabs, and the count may be missing."""
    seen = 0
    for number, line in enumerate(read_lines(path, longest=LONGEST_LINE), 1):
        text = line.rstrip("\r\n")
        if not text.strip():
            continue
        fields = text.split("\t") if "\t" in text else text.split()
        bits, form, count = (*fields, "1")[:3] if len(fields) in (2, 3) else ("", "", "")
        if not form or not bits or set(bits) - {"0", "1"} or not _COUNT.fullmatch(count):
            raise ClusterError(
                f"{name_of(path)}:{number}: a bit string, a word and a count were expected, "
                "as in 00101<tab>word<tab>12."
            )
        seen += 1
        yield bits, form, int(count)
    if not seen:
        raise ClusterError(f"{name_of(path)}: there are no clusters in this file.")


def write_paths(path: str | Path, lines: Iterable[tuple[str, str, int]]) -> None:
    with opened_for_writing(path) as file:
        for bits, form, count in lines:
            file.write(f"{bits}\t{form}\t{count}\n".encode())
