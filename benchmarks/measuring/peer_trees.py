"""The same searches and sums by other libraries, where they are installed, for the study of trees.

A peer takes a batch of random sentences of one length and gives a function for each operation that it has.
What turns NumPy arrays into its own form is done before the clock starts. PyTorch runs on one thread, in
float32, as those libraries are used.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

import numpy as np

from benchmarks.measuring.peer_functions import functions_of

Run = Callable[[], object]


@dataclass(frozen=True)
class Peer:
    """`prepare(arcs, siblings)`, arrays of scores with the batch first, gives operations by name."""

    library: str
    module: str
    structure: str
    prepare: Callable[[np.ndarray, np.ndarray | None], dict[str, Run]]
    siblings: bool = False
    keeps_derivations: bool = False  # for gradients: n³ numbers and more for every sentence of a batch
    longest: int = 1000  # beyond this many words, or sentences a batch, it is a matter of minutes
    largest_batch: int = 1000


def ufal(arcs: np.ndarray, _: np.ndarray | None) -> dict[str, Run]:
    from ufal.chu_liu_edmonds import chu_liu_edmonds

    sentences = [np.ascontiguousarray(scores.T) for scores in arcs]
    return {"argmax": lambda: [chu_liu_edmonds(scores) for scores in sentences]}


def networkx(arcs: np.ndarray, _: np.ndarray | None) -> dict[str, Run]:
    import networkx as nx

    graphs = []
    for scores in arcs:
        nodes = range(len(scores))
        graphs.append(nx.DiGraph())
        graphs[-1].add_weighted_edges_from((h, m, scores[h, m]) for h in nodes for m in nodes[1:] if h != m)
    return {"argmax": lambda: [nx.maximum_spanning_arborescence(graph) for graph in graphs]}


def torch_struct_projective(arcs: np.ndarray, _: np.ndarray | None) -> dict[str, Run]:
    from torch_struct import DependencyCRF

    return torch_struct(
        partial(DependencyCRF, multiroot=False), arcs, ("argmax", "log_partition", "marginals")
    )


def torch_struct_spanning(arcs: np.ndarray, _: np.ndarray | None) -> dict[str, Run]:
    from torch_struct import NonProjectiveDependencyCRF

    return torch_struct(NonProjectiveDependencyCRF, arcs, ("log_partition", "marginals"))


def torch_struct(
    make: Callable[[object], object], arcs: np.ndarray, operations: tuple[str, ...]
) -> dict[str, Run]:
    import torch

    torch.set_num_threads(1)
    scores = torch.tensor(arcs[:, 1:, 1:], dtype=torch.float32)
    scores.diagonal(0, 1, 2).copy_(torch.tensor(arcs[:, 0, 1:]))  # its root is on the diagonal
    scores.requires_grad_()  # it writes into what it makes of scores, which PyTorch allows only then
    names = {"log_partition": "partition"}
    return {name: lambda name=name: getattr(make(scores), names.get(name, name)) for name in operations}


def supar(name: str, arcs: np.ndarray, siblings: np.ndarray | None) -> dict[str, Run]:
    import torch

    structs = functions_of("supar", ("supar", "supar.utils"), "supar.structs")
    assert structs is not None
    torch.set_num_threads(1)
    scores = torch.tensor(arcs.transpose(0, 2, 1).copy(), dtype=torch.float32)  # [modifier, head]
    every = scores if siblings is None else (scores, torch.tensor(siblings, dtype=torch.float32))
    make = partial(getattr(structs, name), multiroot=False)
    return {
        operation: lambda operation=operation: getattr(make(every), operation)
        for operation in ("argmax", "log_partition", "marginals")
    }


PEERS = (
    Peer("ufal.chu_liu_edmonds", "ufal.chu_liu_edmonds", "spanning trees, several roots", ufal),
    Peer("networkx", "networkx", "spanning trees, several roots", networkx, longest=80, largest_batch=2),
    Peer("torch-struct", "torch_struct", "first order", torch_struct_projective, keeps_derivations=True),
    Peer("torch-struct", "torch_struct", "spanning trees", torch_struct_spanning),
    Peer("SuPar", "supar", "first order", partial(supar, "DependencyCRF"), keeps_derivations=True),
    Peer(
        "SuPar", "supar", "siblings", partial(supar, "Dependency2oCRF"), siblings=True, keeps_derivations=True
    ),
    Peer("SuPar", "supar", "spanning trees", partial(supar, "MatrixTree")),
)
