"""Kept results: what they say; two of them side by side, with tests where outcomes of sentences are kept."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from benchmarks.engine.markdown import Row, markdown_table, shown
from benchmarks.engine.studies import NotMeasuredError, Scale, Study
from benchmarks.engine.tasks import Kept, Task
from benchmarks.measuring.attachment import percent, read_counts, shown_chance
from headwise.evaluation import permutation_test


def shown_results(
    studies: Iterable[Study], tasks: Mapping[str, Task], kept: Kept, scale: Scale
) -> Iterator[str]:
    """The tables of studies of which a task is asked for, and the figures of these tasks."""
    for study in studies:
        if any(name.startswith(f"{study.name}/") for name in tasks):
            for name, rows in study.tables.items():
                try:
                    yield f"## {name}\n\n{markdown_table(rows(study.found(kept, scale)))}"
                except (NotMeasuredError, ValueError):
                    continue
    for name, task in tasks.items():
        if (document := kept.get(task)) is not None:
            yield f"{name} ({document.commit}, {document.date}, {document.cpu_seconds:.0f} s)"
            for what, value in figures(document.result):
                shown_value = percent(read_counts(value)) if is_counts(value) else value
                yield f"    {what}: {shown(shown_value)}"


def compared(tasks: Mapping[str, Task], kept: Kept, first: str, second: str) -> str:
    results = []
    for name in (first, second):
        if name not in tasks:
            raise SystemExit(f"no task is called {name}; `python -m benchmarks status` lists studies")
        document = kept.get(tasks[name])
        if document is None:
            raise SystemExit(f"{name} has no result: python -m benchmarks run '{name}'")
        results.append(dict(figures(document.result)))
    rows = [_row(name, own, results[1][name]) for name, own in results[0].items() if name in results[1]]
    return markdown_table(rows or [{"": "nothing in common"}])


def figures(result: Any, name: str = "") -> Iterator[tuple[str, Any]]:
    """Numbers, and counts of right words a sentence, by the path to each."""
    if isinstance(result, Mapping):
        for key, own in result.items():
            yield from figures(own, f"{name}, {key}" if name else key)
    elif is_counts(result) or (isinstance(result, int | float | str) and not isinstance(result, bool)):
        yield name, result


def is_counts(result: Any) -> bool:
    """Right words, words of gold and words of the system, sentence by sentence."""
    return (
        isinstance(result, list)
        and len(result) == 3
        and all(isinstance(own, list) and len(own) == len(result[0]) for own in result)
    )


def _row(name: str, first: Any, second: Any) -> Row:
    if not is_counts(first) or not is_counts(second):
        return {"": name, "first": shown(first), "second": shown(second)}
    one, two = read_counts(first), read_counts(second)
    row = {"": name, "first": shown(percent(one)), "second": shown(percent(two))}
    row["difference"] = f"{percent(two) - percent(one):+.2f}"
    if len(one.gold) == len(two.gold) and (one.gold == two.gold).all():
        row["p"] = shown_chance(permutation_test(one, two).p_value)
    return row
