"""Batches of trees on a GPU: headwise.torch against SuPar's and torch-struct's functions, on the same scores.

SuPar and torch-struct are taken from where they are installed, or from unpacked packages on PYTHONPATH,
since only their functions over tensors are loaded. Figures are sentences a second, by the median of several
timed calls that wait for the GPU, after some that warm up; "graph" leaves out the time that Python and
PyTorch take to launch, by a CUDA graph. Real lengths are those of EWT's training set.
"""

from __future__ import annotations

import statistics
import sys
import time
import types
from collections.abc import Callable, Iterator, Mapping
from functools import partial
from typing import TYPE_CHECKING, Any

from benchmarks.engine import Found, Result, Row, Scale, Study, Task, shown
from benchmarks.measuring.corpus import Corpus
from benchmarks.measuring.peer_functions import functions_of

if TYPE_CHECKING:
    import torch
else:  # PyTorch is an extra: whoever lists tasks does without
    try:
        import torch
    except ImportError:
        torch = None

Run = Callable[[], object]
SHAPES = ((4096, 20), (512, 40), (64, 80))
REAL = 4096
"""Sentences of a batch of real lengths."""
SECONDS = 0.15  # for each figure
CHOICES = 10  # heads a word, of trees with grandparents
DEPENDS = ("src/headwise/torch", "native/trees")
GRAPH = ", graph"
LARGER = ("siblings", "grandchildren", "model 1")
FIRST_ORDER = "projective"
VERBS = ("argmax", "5 best", "marginals", "loss and gradient")


def speeds(device: str = "cuda", shapes: list[list[int]] | None = None, real: int = REAL) -> Result:
    """Sentences a second, by batch and operation: the library, the kind of trees, the verb."""
    place, generator = torch.device(device), torch.Generator(device).manual_seed(1)
    batches = {}
    for sentences, words in shapes or SHAPES:
        lengths = torch.full((sentences,), words, device=place)
        batches[f"B = {sentences:,}, n = {words}"] = words, lengths
    if real:
        own = [len(sentence) for sentence in Corpus.load("UD_English-EWT").train][:real]
        batches["real lengths"] = max(own), torch.tensor(own, device=place)
    result: Result = {}
    for name, (longest, lengths) in batches.items():
        nodes = longest + 1
        arcs = torch.randn((len(lengths), nodes, nodes), device=place, generator=generator)
        result[name] = {}
        for operation, run in operations(arcs, lengths):
            timed(result[name], operation, run, len(arcs), place, graph=operation.startswith("headwise"))
    return result


def operations(arcs: torch.Tensor, lengths: torch.Tensor) -> Iterator[tuple[str, Run]]:
    from headwise.torch import ProjectiveTrees, SpanningTrees, operators

    scores = arcs.clone().requires_grad_()

    def loss(make: type[ProjectiveTrees] | type[SpanningTrees]) -> object:
        return torch.autograd.grad(make(scores, lengths, single_root=True).log_partition().sum(), scores)

    for kind, make in (("projective", ProjectiveTrees), ("spanning", SpanningTrees)):
        projective = make.projective
        yield f"headwise {kind} argmax", lambda p=projective: operators.argmax(arcs, lengths, p, True)
        yield (
            f"headwise {kind} log_partition",
            lambda p=projective: operators.log_partition(arcs, lengths, p, True),
        )
        yield f"headwise {kind} marginals", lambda p=projective: operators.sums(arcs, lengths, p, True)
        yield f"headwise {kind} loss and gradient", lambda m=make: loss(m)
    direction = torch.randn_like(arcs)
    yield (
        "headwise projective derivative of marginals",
        lambda: operators.derivative(arcs, lengths, direction, True, True),
    )
    for kind, make in (("projective", ProjectiveTrees), ("spanning", SpanningTrees)):
        trees = make(arcs, lengths, single_root=True)
        yield f"headwise {kind} 5 best", lambda t=trees: t.top_k(5)
        yield f"headwise {kind} 64 best", lambda t=trees: t.top_k(64)
        yield f"headwise {kind} a sample", lambda t=trees: t.sample(1, seed=1)
        yield f"headwise {kind} 10 samples", lambda t=trees: t.sample(10, seed=1)
    yield from larger_parts(scores, lengths)
    yield from supar(scores, lengths)
    yield from torch_struct(scores, lengths)


def larger_parts(arcs: torch.Tensor, lengths: torch.Tensor) -> Iterator[tuple[str, Run]]:
    """Siblings over all heads; grandchildren and Model 1 over the ten best heads of every word."""
    from headwise.torch import ProjectiveTrees, part_operators

    batch, nodes, _ = arcs.shape
    if batch * nodes**3 > 2e9:
        return  # the tables would take more than they are worth: such a batch is cut by length
    with torch.no_grad():
        candidates = ProjectiveTrees(arcs, lengths, single_root=True).candidates(CHOICES)
    k = candidates.shape[2]

    def table(*shape: int) -> torch.Tensor:
        return torch.randn((batch, *shape), device=arcs.device, dtype=arcs.dtype, requires_grad=True)

    pairs = table(nodes, k, nodes)
    grandchildren = table(nodes, k, k)
    for kind, tables in (
        ("siblings", {"siblings": table(nodes, nodes, nodes)}),
        ("grandchildren", {"grandchildren": grandchildren, "candidates": candidates}),
        (
            "model 1",
            {
                "siblings": pairs,
                "grandchildren": grandchildren,
                "grand_siblings": table(nodes, k, k, nodes),
                "candidates": candidates,
            },
        ),
    ):
        scored = [tables.get(name) for name in ("siblings", "grandchildren", "grand_siblings")]
        plain = [None if scores is None else scores.detach() for scores in scored]
        given = (arcs.detach(), *plain, tables.get("candidates"), lengths, True)
        trained = [arcs, *(scores for scores in scored if scores is not None)]

        def loss(tables: dict[str, torch.Tensor] = tables, trained: list[torch.Tensor] = trained) -> object:
            trees = ProjectiveTrees(arcs, lengths, single_root=True, **tables)
            return torch.autograd.grad(trees.log_partition().sum(), trained)

        best = ProjectiveTrees(arcs.detach(), lengths, single_root=True, **detached(tables))
        yield f"headwise {kind} argmax", lambda given=given: part_operators.argmax(*given)
        yield f"headwise {kind} 5 best", lambda best=best: best.top_k(5)
        yield f"headwise {kind} marginals", lambda given=given: part_operators.sums(*given)
        yield f"headwise {kind} loss and gradient", loss


def detached(tables: dict[str, torch.Tensor]) -> dict[str, torch.Tensor]:
    return {name: table.detach() for name, table in tables.items()}


def growth(device: torch.device) -> dict[str, float]:
    """Microseconds a batch of 64 sentences, and megabytes that it takes at most, by the number of words."""
    from headwise.torch import operators

    rows: dict[str, float] = {}
    for words in (10, 20, 40, 80, 160, 320, 500):
        arcs = torch.randn((64, words + 1, words + 1), device=device)
        lengths = torch.full((64,), words, device=device)
        for name, run in (
            ("argmax", lambda p, a=arcs, s=lengths: operators.argmax(a, s, p, True)),
            ("marginals", lambda p, a=arcs, s=lengths: operators.sums(a, s, p, True)),
            ("5 best", lambda p, a=arcs, s=lengths: cuda_or_cpu(a).top_k(a, s, 5, p, True)),
            ("a sample", lambda p, a=arcs, s=lengths: cuda_or_cpu(a).sample(a, s, 1, 1, p, True)),
        ):
            for kind, projective in (("projective", True), ("spanning", False)):
                if device.type == "cuda":
                    torch.cuda.reset_peak_memory_stats()
                    before = torch.cuda.memory_allocated()
                microseconds = 1e6 * seconds(lambda run=run, p=projective: run(p), device)
                megabytes = 0.0
                if device.type == "cuda":
                    megabytes = (torch.cuda.max_memory_allocated() - before) / 1e6
                rows[f"{kind} {name} n = {words}"] = microseconds
                if megabytes:
                    rows[f"megabytes, {kind} {name} n = {words}"] = megabytes
        if words <= 160:
            rows |= growth_of_parts(arcs, lengths, device)
    return rows


def cuda_or_cpu(arcs: torch.Tensor) -> types.ModuleType:
    from headwise.torch import cpu, cuda

    return cuda if arcs.device.type == "cuda" else cpu


def growth_of_parts(arcs: torch.Tensor, lengths: torch.Tensor, device: torch.device) -> dict[str, float]:
    rows: dict[str, float] = {}
    for name, run in larger_parts(arcs, lengths):
        if "loss" not in name and "best" not in name:
            rows[f"{name} n = {arcs.shape[1] - 1}"] = 1e6 * seconds(run, device)
    return rows


def by_batch(device: torch.device) -> dict[str, float]:
    """Microseconds for marginals of sentences of 20 words, on the device and on all threads of the CPU."""
    from headwise.torch import operators

    rows: dict[str, float] = {}
    for sentences in (1, 4, 16, 64, 256, 1024, 4096):
        arcs, lengths = torch.randn((sentences, 21, 21)), torch.full((sentences,), 20)
        for place in (device, torch.device("cpu")):
            placed, long = arcs.to(place), lengths.to(place)
            rows[f"{place.type} B = {sentences}"] = 1e6 * seconds(
                lambda a=placed, b=long: operators.sums(a, b, True, True), place
            )
    return rows


def supar(scores: torch.Tensor, lengths: torch.Tensor) -> Iterator[tuple[str, Run]]:
    structs = functions_of("supar", ("supar", "supar.utils"), "supar.structs")
    if structs is None:
        return
    by_modifier = scores.detach().transpose(1, 2).contiguous().requires_grad_()  # [modifier, head]
    for name, structure in (("projective", structs.DependencyCRF), ("spanning", structs.MatrixTree)):
        make = lambda structure=structure: structure(by_modifier, lengths, multiroot=False)  # noqa: E731
        if name == "projective" or len(scores) <= 512:
            yield f"SuPar {name} argmax", lambda make=make: make().argmax
        yield f"SuPar {name} marginals", lambda make=make: make().marginals
        yield (
            f"SuPar {name} loss and gradient",
            lambda make=make: torch.autograd.grad(make().log_partition.sum(), by_modifier),
        )


def torch_struct(scores: torch.Tensor, lengths: torch.Tensor) -> Iterator[tuple[str, Run]]:
    module = functions_of("torch_struct", (), "torch_struct")
    if module is None or len(scores) * scores.shape[1] ** 2 > 2e6:
        return  # it needs more than a minute
    words = scores.detach()[:, 1:, 1:].clone()
    words.diagonal(0, 1, 2).copy_(scores.detach()[:, 0, 1:])  # its root is on the diagonal
    words.requires_grad_()
    for name, make in (
        ("projective", lambda: module.DependencyCRF(words, lengths=lengths, multiroot=False)),
        ("spanning", lambda: module.NonProjectiveDependencyCRF(words, lengths=lengths, multiroot=False)),
    ):
        if name == "projective":
            yield f"torch-struct {name} argmax", lambda make=make: make().argmax
        yield f"torch-struct {name} marginals", lambda make=make: make().marginals
        yield (
            f"torch-struct {name} loss and gradient",
            lambda make=make: torch.autograd.grad(make().partition.sum(), words),
        )


def timed(
    rows: dict[str, float], name: str, run: Run, sentences: int, device: torch.device, *, graph: bool
) -> None:
    try:
        rows[name] = sentences / seconds(run, device)
        if graph and device.type == "cuda":
            rows[f"{name}{GRAPH}"] = sentences / seconds(captured(run), device)
    except Exception as error:  # a peer that fails is a figure too
        print(f"{name}: {type(error).__name__}: {str(error)[:200]}", file=sys.stderr)


def captured(run: Run) -> Run:
    """The launches of several calls, replayed without Python."""
    recorded = torch.cuda.CUDAGraph()
    with torch.cuda.graph(recorded):
        run()
    return recorded.replay


def seconds(run: Run, device: torch.device) -> float:
    """The median of timed calls, in groups that make the clock's grain small."""
    wait = torch.cuda.synchronize if device.type == "cuda" else lambda: None
    run()
    wait()
    begin = time.perf_counter()
    run()
    wait()
    once = max(time.perf_counter() - begin, 1e-6)
    if once > 0.5:
        return once  # of a peer
    for _ in range(int(min(20, 0.1 / once))):
        run()
    wait()
    begin = time.perf_counter()
    run()
    wait()
    once = max(time.perf_counter() - begin, 1e-6)
    group = max(1, min(50, int(0.01 / once)))
    times = []
    begin = time.perf_counter()
    while len(times) < 3 or (time.perf_counter() - begin < SECONDS and len(times) < 30):
        start = time.perf_counter()
        for _ in range(group):
            run()
        wait()
        times.append((time.perf_counter() - start) / group)
    return statistics.median(times)


def grown(device: str = "cuda") -> Result:
    place = torch.device(device)
    return {"growth": growth(place), "by batch": by_batch(place)}


def tasks(scale: Scale) -> dict[str, Task]:
    if not scale.is_full:
        small: dict[str, Any] = {"device": "cpu", "shapes": [[4, 5]], "real": 0}
        return {"speeds": Task("studies.torch_trees:speeds", DEPENDS, "torch", **small)}
    return {
        "speeds": Task("studies.torch_trees:speeds", DEPENDS, "a GPU"),
        "growth": Task("studies.torch_trees:grown", DEPENDS, "a GPU"),
    }


def speed_rows(larger: bool, found: Found) -> list[Row]:
    """Trees over arcs by all libraries, or larger parts beside them."""
    by_batch = found["speeds"]
    groups: dict[str, list[Row]] = {}
    for name in dict.fromkeys(name for figures in by_batch.values() for name in figures):
        library, _, operation = name.partition(" ")
        cells = {batch: shown(figures.get(name), 0) for batch, figures in by_batch.items()}
        kind = next((kind for kind in LARGER if operation.startswith(f"{kind} ")), operation.split()[0])
        verb, said = operation.removeprefix(f"{kind} "), operation.replace(GRAPH, ", in a CUDA graph")
        if not larger and kind not in LARGER:
            groups.setdefault(said, []).append({"operation": said, "by": library, **cells})
        is_ours = library == "headwise" and kind in (FIRST_ORDER, *LARGER)
        if larger and is_ours and verb.removesuffix(GRAPH) in VERBS:
            order = "first order" if kind == FIRST_ORDER else kind
            said = said.removeprefix(f"{kind} ")
            groups.setdefault(order, []).append({"order": order, "operation": said, **cells})
    return [row for group in groups.values() for row in group]


def growth_rows(larger: bool, found: Found) -> list[Row]:
    """Microseconds of 64 sentences by their words."""
    return _by_last(found["growth"]["growth"], "operation", " n = ", "n = ", larger)


def _by_last(
    figures: Mapping[str, float], column: str, cut: str, prefix: str, larger: bool | None = None
) -> list[Row]:
    rows: dict[str, Row] = {}
    for name, number in figures.items():
        what, _, size = name.rpartition(cut)
        what = what.removeprefix("headwise ")
        if larger is None or what.startswith(LARGER) == larger:
            rows.setdefault(what, {column: what})[f"{prefix}{size}"] = shown(number, 0)
    return list(rows.values())


STUDY = Study(
    "torch-trees",
    "How fast are batches of trees on a GPU, and those of others?",
    tasks,
    {
        "torch": partial(speed_rows, False),
        "torch-parts": partial(speed_rows, True),
        "torch-memory": partial(growth_rows, False),
        "torch-parts-growth": partial(growth_rows, True),
        "torch-batches": lambda found: _by_last(found["growth"]["by batch"], "on", " B = ", "B = "),
    },
    padded=False,
)
