"""What Headwise itself writes into MISC and comments gets columns of its own in Parquet, and comes back.

``SpaceAfter=No|TokenRange=8:13|HeadProb=0.9871|LabelProb=0.9500|HeadEntropy=0.0810`` becomes
``SpaceAfter=No`` and five numbers. Only what can be put back exactly is taken out: items at the end, in this
order, written as Headwise writes them.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from headwise.treebank.probabilities import ENTROPY, HEAD, LABEL, LOG_PROB

_RANGE = re.compile(r"(?:(.*)\|)?TokenRange=(0|[1-9]\d{0,17}):(0|[1-9]\d{0,17})", re.DOTALL)
_NUMBER = r"(\d\.\d{4})"
_PROBABILITIES = re.compile(
    rf"(?:(.*)\|)?{HEAD}={_NUMBER}(?:\|{LABEL}={_NUMBER})?(?:\|{ENTROPY}={_NUMBER})?", re.DOTALL
)
_LOG_PROB = re.compile(rf"# {LOG_PROB} = (-?\d{{1,9}}\.\d{{4}})")
SENT_ID, TEXT = "# sent_id", "# text"


@dataclass(frozen=True)
class Lifted:
    """MISC of the words of a sentence, and the numbers that stood in it: None where a word has none."""

    misc: Sequence[str]
    begins: Sequence[int | None] | None = None
    ends: Sequence[int | None] | None = None
    probabilities: tuple[Sequence[float] | None, ...] = (None, None, None)


def lift_misc(misc: Sequence[str]) -> Lifted:
    """Take positions and probabilities out of MISC."""
    misc, probabilities = _lift_probabilities(misc)
    found = [_RANGE.fullmatch(field) if "TokenRange=" in field else None for field in misc]
    if not any(found):
        return Lifted(misc, probabilities=probabilities)
    return Lifted(
        [field if match is None else match[1] or "_" for field, match in zip(misc, found, strict=True)],
        [None if match is None else int(match[2]) for match in found],
        [None if match is None else int(match[3]) for match in found],
        probabilities,
    )


def _lift_probabilities(misc: Sequence[str]) -> tuple[Sequence[str], tuple[Sequence[float] | None, ...]]:
    """Probabilities are lifted where every word has the same kinds of them."""
    nothing = (None, None, None)
    if not misc or HEAD not in misc[0]:
        return misc, nothing
    found = [_PROBABILITIES.fullmatch(field) for field in misc]
    kinds = {
        None if match is None else tuple(text is not None for text in match.groups()[1:]) for match in found
    }
    if len(kinds) > 1 or None in kinds:
        return misc, nothing
    matches = [match for match in found if match is not None]
    columns = zip(*(match.groups()[1:] for match in matches), strict=True)
    numbers = tuple(None if column[0] is None else [float(text) for text in column] for column in columns)
    return [match[1] or "_" for match in matches], numbers


def restore_misc(lifted: Lifted) -> list[str]:
    """MISC as it was before `lift_misc`."""
    fields = [[] if field == "_" else [field] for field in lifted.misc]
    if lifted.begins is not None and lifted.ends is not None:
        for items, begin, end in zip(fields, lifted.begins, lifted.ends, strict=True):
            if begin is not None:
                items.append(f"TokenRange={begin}:{end}")
    for key, column in zip((HEAD, LABEL, ENTROPY), lifted.probabilities, strict=True):
        if column is not None:
            for items, number in zip(fields, column, strict=True):
                items.append(f"{key}={number:.4f}")
    return ["|".join(items) or "_" for items in fields]


def lift_comments(
    comments: Sequence[str], sent_id: str | None, text: str | None
) -> tuple[list[str], float | None]:
    """Comments without what has a column: of "# sent_id = …" and "# text = …" only the place is kept.

    The log-probability of the tree is the last comment where Headwise wrote it.
    """
    lines, log_prob = list(comments), None
    if lines and (match := _LOG_PROB.fullmatch(lines[-1])):
        log_prob = float(match[1])
        lines.pop()
    for key, value in ((SENT_ID, sent_id), (TEXT, text)):
        whole = f"{key} = {value}"
        if (
            value is not None
            and lines.count(whole) == 1
            and key not in lines
            and not _others(lines, key, whole)
        ):
            lines[lines.index(whole)] = key
    return lines, log_prob


def restore_comments(
    lines: Sequence[str], sent_id: str | None, text: str | None, log_prob: float | None
) -> list[str]:
    """Comments as they were before `lift_comments`."""
    comments = list(lines)
    for key, value in ((SENT_ID, sent_id), (TEXT, text)):
        if value is not None and comments.count(key) == 1 and not _others(comments, key, ""):
            comments[comments.index(key)] = f"{key} = {value}"
    return comments if log_prob is None else [*comments, f"# {LOG_PROB} = {log_prob:.4f}"]


def _others(lines: Sequence[str], key: str, whole: str) -> bool:
    """Whether another line gives a value to the key, so that its place alone would be ambiguous."""
    return any(line.startswith(f"{key} = ") and line != whole for line in lines)
