"""Microseconds a sentence for every structure and operation of headwise.trees, on one core.

    python benchmarks/trees.py [--lengths 10 20 40 80 160] [--batch 16] [--operations argmax marginals …]

The median of several passes over a batch of random problems; "exponent" is the slope of log time over log n
between the last two lengths. Peers (ufal.chu_liu_edmonds, networkx, torch-struct) are measured in the same
run where they are installed.
"""

from __future__ import annotations

import argparse
import importlib.util
import math
import statistics
import time
from collections.abc import Callable
from functools import partial

import numpy as np

from headwise.trees import Batch, Distribution, Parts, ProjectiveTrees, SpanningTrees

Make = Callable[[int, np.random.Generator], Distribution]
HEADS = 5  # a word, under the mask of the higher orders


def arcs(n: int, rng: np.random.Generator) -> np.ndarray:
    return rng.normal(size=(n + 1, n + 1))


def sibling(n: int, rng: np.random.Generator) -> Distribution:
    return ProjectiveTrees(arcs(n, rng), siblings=rng.normal(size=(n + 1,) * 3), single_root=True)


def masked(factorization: str) -> Make:
    """Higher orders as a pruned parser meets them: a projective tree and some more heads a word survive."""

    def make(n: int, rng: np.random.Generator) -> Distribution:
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
        return ProjectiveTrees(scores, mask=mask, single_root=True, factorization=factorization, **tables)

    return make


STRUCTURES: dict[str, Make] = {
    "first order": lambda n, rng: ProjectiveTrees(arcs(n, rng), single_root=True),
    "first order, 40 labels": lambda n, rng: ProjectiveTrees(
        rng.normal(size=(n + 1, n + 1, 40)), single_root=True
    ),
    "siblings": sibling,
    f"Carreras, {HEADS} heads": masked("carreras"),
    f"model 0, {HEADS} heads": masked("model0"),
    f"model 1, {HEADS} heads": masked("model1"),
    f"model 2, {HEADS} heads": masked("model2"),
    "spanning trees": lambda n, rng: SpanningTrees(arcs(n, rng), single_root=True),
    "spanning trees, several roots": lambda n, rng: SpanningTrees(arcs(n, rng), single_root=False),
}
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
    while len(times) < 3 or (sum(times) < 0.2 and len(times) < 50):
        started = time.perf_counter()
        run()
        times.append(time.perf_counter() - started)
    return 1e6 * statistics.median(times) / sentences


def row(name: str, operation: str, lengths: list[int], times: list[float]) -> str:
    exponent = (
        math.log(times[-1] / times[-2]) / math.log(lengths[-1] / lengths[-2]) if len(times) > 1 else math.nan
    )
    return f"| {name} | {operation} | " + " | ".join(f"{t:,.1f}" for t in times) + f" | {exponent:.2f} |"


def peers() -> dict[str, Callable[[np.ndarray], object]]:
    """The best tree by other libraries, from one score matrix [h, m]."""
    found: dict[str, Callable[[np.ndarray], object]] = {}
    if importlib.util.find_spec("ufal") and importlib.util.find_spec("ufal.chu_liu_edmonds"):
        from ufal.chu_liu_edmonds import chu_liu_edmonds

        found["ufal.chu_liu_edmonds (several roots)"] = lambda s: chu_liu_edmonds(np.ascontiguousarray(s.T))
    if importlib.util.find_spec("networkx"):
        import networkx as nx

        def arborescence(s: np.ndarray) -> object:
            graph = nx.DiGraph()
            graph.add_weighted_edges_from(
                (h, m, s[h, m]) for h in range(len(s)) for m in range(1, len(s)) if h != m
            )
            return nx.maximum_spanning_arborescence(graph)

        found["networkx (several roots)"] = arborescence
    if importlib.util.find_spec("torch_struct"):
        import torch
        from torch_struct import DependencyCRF

        torch.set_num_threads(1)

        def torch_struct(s: np.ndarray) -> object:
            scores = torch.tensor(s[1:, 1:].copy())
            scores.diagonal().copy_(torch.tensor(s[0, 1:].copy()))  # its root is on the diagonal
            return DependencyCRF(scores[None]).argmax

        found["torch-struct (projective, several roots)"] = torch_struct
    return found


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--lengths", type=int, nargs="+", default=[10, 20, 40, 80, 160])
    parser.add_argument("--batch", type=int, default=16, help="sentences a batch")
    parser.add_argument("--operations", nargs="+", choices=list(OPERATIONS), default=list(OPERATIONS))
    options = parser.parse_args()
    lengths: list[int] = options.lengths
    print("Microseconds a sentence, one thread\n")
    print("| structure | operation | " + " | ".join(f"n = {n}" for n in lengths) + " | exponent |")
    print("|---|---|" + "---:|" * (len(lengths) + 1))
    for name, make in STRUCTURES.items():
        rng = np.random.default_rng(1)
        batches = [Batch([make(n, rng) for _ in range(options.batch)]) for n in lengths]
        for operation in options.operations:
            times = [microseconds(partial(OPERATIONS[operation], batch), options.batch) for batch in batches]
            print(row(name, operation, lengths, times), flush=True)
    for name, decode in peers().items():
        rng = np.random.default_rng(1)
        times = [microseconds(partial(decode, arcs(n, rng)), 1) for n in lengths]
        print(row(name, "argmax", lengths, times), flush=True)


if __name__ == "__main__":
    main()
