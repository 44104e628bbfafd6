"""Microseconds a sentence for every structure and operation of headwise.trees, on one core.

    python benchmarks/trees.py -o trees.md
    python benchmarks/trees.py --lengths 20 40 --structures siblings --operations argmax marginals

The median processor time of several passes over a batch of random problems; "construct" is what making the
distributions from NumPy arrays takes, and comes on top of the rest. One root unless it says several; above
siblings, five heads a word are left by a mask, and sentences have at most 80 words. "exponent" is the slope
of log time over log n between the last two lengths. Other libraries (benchmarks/tree_peers.py) are measured
in the same run where they are installed.
"""

from __future__ import annotations

import argparse
import math
import statistics
import sys
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path

import numpy as np

from experiment import note
from headwise.trees import Batch, Distribution, Parts, ProjectiveTrees, SpanningTrees
from report import Report, Row, Table, command_line, machine
from tree_peers import Peer, peers

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


def microseconds(run: Callable[[], object], sentences: int) -> float:
    """Median over passes, until about a fifth of a second is spent."""
    run()
    times: list[float] = []
    while len(times) < 2 or (sum(times) < 0.2 and len(times) < 1000):
        started = time.process_time()
        run()
        times.append(time.process_time() - started)
    return 1e6 * statistics.median(times) / sentences


class Times:
    """Rows of a table, one for each structure and operation."""

    def __init__(self, lengths: list[int]) -> None:
        self.lengths = lengths
        self.rows: list[Row] = []

    def add(self, structure: str, operation: str, by: str, times: list[float]) -> None:
        cells = [_shown(t) for t in times] + [""] * (len(self.lengths) - len(times))
        exponent = ""
        if len(times) > 1:
            ratio = math.log(self.lengths[len(times) - 1] / self.lengths[len(times) - 2])
            exponent = f"{math.log(times[-1] / times[-2]) / ratio:.2f}"
        by_length = dict(zip((f"n = {n}" for n in self.lengths), cells, strict=True))
        row = {"structure": structure, "operation": operation, "by": by}
        self.rows.append({**row, **by_length, "exponent": exponent})
        note(" | ".join(self.rows[-1].values()))


def _shown(microseconds: float) -> str:
    return f"{microseconds:,.0f}" if microseconds >= 10 else f"{microseconds:.1f}"


def batch_size(n: int, most: int, *, is_cubic: bool) -> int:
    """Fewer problems where each comes with tables of n³ numbers."""
    return max(1, min(most, 2**25 // (n + 1) ** 3)) if is_cubic else most


def measure_headwise(table: Times, structure: str, operations: list[str], most: int) -> None:
    rng = np.random.default_rng(1)
    lengths = [n for n in table.lengths if n <= LONGEST_MASKED or structure not in MASKED]
    sizes = [batch_size(n, most, is_cubic=structure not in FIRST_ORDER) for n in lengths]
    problems = [
        [STRUCTURES[structure](n, rng) for _ in range(size)] for n, size in zip(lengths, sizes, strict=True)
    ]
    if CONSTRUCT in operations:
        constructing = [
            microseconds(lambda batch=batch: [make() for make in batch], len(batch)) for batch in problems
        ]
        table.add(structure, CONSTRUCT, "headwise", constructing)
    batches = [Batch([make() for make in batch]) for batch in problems]
    for operation in (name for name in operations if name != CONSTRUCT):
        runs = [partial(OPERATIONS[operation], batch) for batch in batches]
        table.add(structure, operation, "headwise", list(map(microseconds, runs, sizes)))


def measure_peer(table: Times, peer: Peer, operations: list[str], most: int) -> None:
    rng = np.random.default_rng(1)
    times: dict[str, list[float]] = {}
    for n in (n for n in table.lengths if n <= peer.longest):
        size = batch_size(n, min(most, peer.largest_batch), is_cubic=peer.keeps_derivations)
        siblings = rng.normal(size=(size,) + (n + 1,) * 3) if peer.siblings else None
        for name, run in peer.prepare(rng.normal(size=(size, n + 1, n + 1)), siblings).items():
            if name in operations:
                times.setdefault(name, []).append(microseconds(run, size))
    for name, row in times.items():
        table.add(peer.structure, name, peer.library, row)


def main(arguments: list[str]) -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    every = [CONSTRUCT, *OPERATIONS]
    parser.add_argument("-o", "--output", type=Path, help="Markdown file")
    parser.add_argument("--lengths", type=int, nargs="+", default=[10, 20, 40, 80, 160])
    parser.add_argument("--batch", type=int, default=64, help="sentences a batch, at most")
    parser.add_argument("--structures", nargs="+", choices=list(STRUCTURES), default=list(STRUCTURES))
    parser.add_argument("--operations", nargs="+", choices=every, default=every)
    parser.add_argument("--no-peers", action="store_true", help="measure headwise only")
    options = parser.parse_args(arguments)
    times = Times(options.lengths)
    others = [] if options.no_peers else list(peers())
    for structure in options.structures:
        measure_headwise(times, structure, options.operations, options.batch)
        for peer in others:
            if peer.structure == structure:
                measure_peer(times, peer, options.operations, options.batch)
    facts = {"measured with": machine(), "command": command_line(__file__, arguments)}
    Report(options.output).add(Table("Microseconds a sentence, one thread", facts, times.rows))


if __name__ == "__main__":
    main(sys.argv[1:])
