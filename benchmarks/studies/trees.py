"""Microseconds a sentence for every structure and operation of headwise.trees, on one core.

The median processor time of several passes over a batch of random problems; "construct" is what making the
distributions from NumPy arrays takes, and comes on top of the rest. One root unless it says several; above
siblings, five heads a word are left by a mask, and sentences have at most 80 words. "exponent" is the slope
of log time over log n between the last two lengths. Other libraries are measured beside it where they are
installed (benchmarks/measuring/peer_trees.py).
"""

from __future__ import annotations

import math
import statistics
import time
from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np

from benchmarks.engine import TREES, Found, Result, Row, Scale, Study, Task
from benchmarks.measuring.peer_trees import PEERS, Peer
from headwise.trees import Batch, Distribution, Parts, ProjectiveTrees, SpanningTrees

Problem = Callable[[], Distribution]  # scores are drawn; the distribution is not made yet
Make = Callable[[int, np.random.Generator], Problem]
HEADS = 5  # a word, under the mask of the higher orders
LONGEST_MASKED = 80  # words: the parts of such sentences are listed in Python
CONSTRUCT = "construct"


def arcs(n: int, rng: np.random.Generator) -> np.ndarray:
    return rng.normal(size=(n + 1, n + 1))


def sibling(n: int, rng: np.random.Generator) -> Problem:
    return partial(ProjectiveTrees, arcs(n, rng), siblings=rng.normal(size=(n + 1,) * 3), single_root=True)


def masked(factorization: str) -> Make:
    """Higher orders as a pruned parser meets them: a projective tree and some more heads a word survive."""

    def make(n: int, rng: np.random.Generator) -> Problem:
        scores = arcs(n, rng)
        mask = np.zeros((n + 1, n + 1), bool)
        mask[ProjectiveTrees(scores, single_root=True).argmax().tree.heads, np.arange(1, n + 1)] = True
        for m in range(1, n + 1):
            mask[rng.choice(n + 1, size=min(HEADS - 1, n), replace=False), m] = True
        mask[np.diag_indices(n + 1)] = False
        pairs = [(h, m) for m in range(1, n + 1) for h in np.flatnonzero(mask[:, m])]
        below: dict[int, list[int]] = {}
        for h, m in pairs:
            below.setdefault(int(h), []).append(m)
        grandchildren = [(g, h, m) for g, h in pairs for m in below.get(h, []) if m != g]
        tables = {"grandchildren": Parts(grandchildren, rng.normal(size=len(grandchildren)))}
        if factorization in ("model1", "model2"):
            four = [
                (g, h, m, s)
                for g, h, m in grandchildren
                for s in [h, *below[h]]
                if s == h or min(h, m) < s < max(h, m)
            ]
            tables["grand_siblings"] = Parts(four, rng.normal(size=len(four)))
        options = {"mask": mask, "single_root": True, "factorization": factorization}
        return partial(ProjectiveTrees, scores, **options, **tables)

    return make


STRUCTURES: dict[str, Make] = {
    "first order": lambda n, rng: partial(ProjectiveTrees, arcs(n, rng), single_root=True),
    "first order, 40 labels": lambda n, rng: partial(
        ProjectiveTrees, rng.normal(size=(n + 1, n + 1, 40)), single_root=True
    ),
    "siblings": sibling,
    f"Carreras, {HEADS} heads": masked("carreras"),
    f"model 0, {HEADS} heads": masked("model0"),
    f"model 1, {HEADS} heads": masked("model1"),
    f"model 2, {HEADS} heads": masked("model2"),
    "spanning trees": lambda n, rng: partial(SpanningTrees, arcs(n, rng), single_root=True),
    "spanning trees, several roots": lambda n, rng: partial(SpanningTrees, arcs(n, rng), single_root=False),
}
FIRST_ORDER = ("first order", "first order, 40 labels", "spanning trees", "spanning trees, several roots")
MASKED = tuple(name for name in STRUCTURES if name.endswith("heads"))
OPERATIONS: dict[str, Callable[[Batch], object]] = {
    "argmax": lambda batch: batch.argmax(),
    "log_partition": lambda batch: batch.log_partition(),
    "marginals": lambda batch: batch.marginals(),
    "entropy": lambda batch: batch.entropy(),
    "sample": lambda batch: batch.sample(1, seed=1),
    "top_k(10)": lambda batch: batch.top_k(10),
    "minimum_risk": lambda batch: batch.minimum_risk(),
}


def microseconds(run: Callable[[], object], sentences: int, spent: float) -> float:
    """Median over passes, until about so many seconds are spent."""
    run()
    times: list[float] = []
    while len(times) < 2 or (sum(times) < spent and len(times) < 1000):
        started = time.process_time()
        run()
        times.append(time.process_time() - started)
    return 1e6 * statistics.median(times) / sentences


Times = dict[str, list[float]]
"""By operation, for each length."""
LENGTHS = (20, 40, 80, 160)
SHOWN = ("argmax", "log_partition", "marginals")
LEFT_OUT = "first order, 40 labels"


def batch_size(n: int, most: int, *, is_cubic: bool) -> int:
    """Fewer problems where each comes with tables of n³ numbers."""
    return max(1, min(most, 2**25 // (n + 1) ** 3)) if is_cubic else most


def ours(structure: str, lengths: list[int], operations: list[str], spent: float, most: int = 64) -> Result:
    rng, times = np.random.default_rng(1), Times()
    for n in lengths:
        if n > LONGEST_MASKED and structure in MASKED:
            continue
        size = batch_size(n, most, is_cubic=structure not in FIRST_ORDER)
        problems = [STRUCTURES[structure](n, rng) for _ in range(size)]
        if CONSTRUCT in operations:
            seconds = microseconds(lambda problems=problems: [make() for make in problems], size, spent)
            times.setdefault(CONSTRUCT, []).append(seconds)
        batch = Batch([make() for make in problems])
        for name in (name for name in operations if name != CONSTRUCT):
            times.setdefault(name, []).append(microseconds(partial(OPERATIONS[name], batch), size, spent))
    return {"times": times}


def of_peer(
    name: str, structure: str, lengths: list[int], operations: list[str], spent: float, most: int = 64
) -> Result:
    """Of another library, with what it has of these operations."""
    peer: Peer = next(one for one in PEERS if one.library == name and one.structure == structure)
    rng, times = np.random.default_rng(1), Times()
    for n in (n for n in lengths if n <= peer.longest):
        size = batch_size(n, min(most, peer.largest_batch), is_cubic=peer.keeps_derivations)
        siblings = rng.normal(size=(size,) + (n + 1,) * 3) if peer.siblings else None
        for operation, run in peer.prepare(rng.normal(size=(size, n + 1, n + 1)), siblings).items():
            if operation in operations:
                times.setdefault(operation, []).append(microseconds(run, size, spent))
    return {"times": times}


def tasks(scale: Scale) -> dict[str, Task]:
    lengths = list(LENGTHS) if scale.is_full else [5, 10]
    common: dict[str, Any] = {"lengths": lengths, "operations": [*OPERATIONS, CONSTRUCT]}
    common["spent"] = 0.2 if scale.is_full else 0.0
    found = {}
    for structure in STRUCTURES:
        found[f"{structure} by headwise"] = Task("studies.trees:ours", TREES, structure=structure, **common)
        for peer in PEERS:
            if peer.structure == structure:
                found[f"{structure} by {peer.library}"] = Task(
                    "studies.trees:of_peer",
                    TREES,
                    peer.module,
                    name=peer.library,
                    structure=structure,
                    **common,
                )
    return found


def rows(operations: tuple[str, ...], found: Found) -> list[Row]:
    """What is kept: not everybody has the other libraries."""
    made = []
    for name in found:
        structure, _, library = name.partition(" by ")
        result = found[name] if library == "headwise" else found.get(name)
        if result is None or (structure == LEFT_OUT and operations == SHOWN):
            continue
        for operation in operations:
            if operation in result["times"]:
                made.append({"structure": structure, "operation": operation, "by": library})
                made[-1] |= growth(result["times"][operation])
    return made


def growth(times: list[float]) -> Row:
    lengths = LENGTHS[: len(times)]
    row = {f"n = {n}": f"{t:,.0f}" if t >= 10 else f"{t:.1f}" for n, t in zip(lengths, times, strict=True)}
    row |= {f"n = {n}": "" for n in LENGTHS[len(times) :]}
    if len(times) > 1:
        row["exponent"] = f"{math.log(times[-1] / times[-2]) / math.log(lengths[-1] / lengths[-2]):.2f}"
    return row


STUDY = Study(
    "trees",
    "How fast are the operations of headwise.trees, and those of others?",
    tasks,
    {"trees-speed": partial(rows, SHOWN)},
)
