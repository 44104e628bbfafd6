"""Batches of trees on a GPU: headwise.torch against SuPar's and torch-struct's functions, on the same
scores in one run.

    python benchmarks/torch_trees.py [--device cuda] [--peers FOLDER…] [--lengths FILE] [--growth] [-o FILE]

SuPar and torch-struct are taken from where they are installed or from the folders given: unpacked source
packages will do, since only their functions over tensors are loaded. `--lengths` is a file of sentence
lengths, one a line, for a batch of real ones. What is printed are sentences a second, by the median of
several timed calls that wait for the GPU, after some that warm up; "graph" leaves out the time that Python
and PyTorch take to launch, by a CUDA graph.
"""

from __future__ import annotations

import argparse
import json
import statistics
import sys
import time
import types
from collections.abc import Callable, Iterator
from pathlib import Path

import torch

from headwise.torch import ProjectiveTrees, SpanningTrees, cpu, cuda, operators, part_operators
from peer_functions import functions_of
from report import Report, command_line, machine
from torch_tables import batch_table, growth_tables, speed_tables

Run = Callable[[], object]
SHAPES = ((4096, 20), (512, 40), (64, 80))
SECONDS = 0.15  # for each figure
CHOICES = 10  # heads a word, of trees with grandparents


def main() -> None:
    arguments = parse_arguments()
    sys.path[:0] = map(str, arguments.peers)
    device = torch.device(arguments.device)
    figures: dict[str, dict[str, float]] = {}
    for name, arcs, lengths in batches(arguments, device):
        rows: dict[str, float] = {}
        for operation, run in operations(arcs, lengths):
            report(rows, operation, run, len(arcs), device, graph=operation.startswith("headwise"))
        print(f"\n{name}")
        for operation, rate in rows.items():
            print(f"  {operation:50s} {rate:14,.0f} sentences/s")
        figures[name] = rows
        write(figures, arguments.json)
    facts = {"measured with": f"{machine()}, PyTorch {torch.__version__}, {name_of(device)}"}
    facts["command"] = command_line(__file__, sys.argv[1:])
    tables = speed_tables(figures, facts)
    if arguments.growth:
        grown, by_sentences = growth(device), by_batch(device)
        tables += [*growth_tables(grown, facts), batch_table(by_sentences, facts)]
        write(figures | {"growth": grown, "by batch": by_sentences}, arguments.json)
    written = Report(arguments.output)
    for table in tables:
        written.add(table)


def write(figures: dict[str, dict[str, float]], file: Path | None) -> None:
    if file is not None:
        file.write_text(json.dumps(figures, indent=1))


def name_of(device: torch.device) -> str:
    return torch.cuda.get_device_name(device) if device.type == "cuda" else "no GPU"


def parse_arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--device", default="cuda" if torch.cuda.is_available() else "cpu")
    parser.add_argument("--peers", nargs="*", type=Path, default=[])
    parser.add_argument("--lengths", type=Path)
    parser.add_argument("--json", type=Path)
    parser.add_argument("-o", "--output", type=Path, help="Markdown file")
    parser.add_argument("--growth", action="store_true", help="by the number of words, and of sentences")
    parser.add_argument("--sentences", type=int, default=4096, help="of the batch of real lengths")
    return parser.parse_args()


def batches(
    arguments: argparse.Namespace, device: torch.device
) -> Iterator[tuple[str, torch.Tensor, torch.Tensor]]:
    generator = torch.Generator(device).manual_seed(1)
    for sentences, words in SHAPES:
        arcs = torch.randn((sentences, words + 1, words + 1), device=device, generator=generator)
        yield f"B = {sentences:,}, n = {words}", arcs, torch.full((sentences,), words, device=device)
    if arguments.lengths:
        real = [int(line) for line in arguments.lengths.read_text().split()][: arguments.sentences]
        lengths = torch.tensor(real, device=device)
        arcs = torch.randn((len(real), max(real) + 1, max(real) + 1), device=device, generator=generator)
        print(f"real lengths: {len(real)}, mean {sum(real) / len(real):.1f}, longest {max(real)}")
        yield "real lengths", arcs, lengths


def operations(arcs: torch.Tensor, lengths: torch.Tensor) -> Iterator[tuple[str, Run]]:
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
    rows: dict[str, float] = {}
    print("\n64 sentences, by the number of words: microseconds, and megabytes beside the scores")
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
                print(f"  {kind:10s} {name:9s} n = {words:3d} {microseconds:12,.0f} us {megabytes:10,.1f} MB")
        if words <= 160:
            rows |= growth_of_parts(arcs, lengths, device)
    return rows


def cuda_or_cpu(arcs: torch.Tensor) -> types.ModuleType:
    return cuda if arcs.device.type == "cuda" else cpu


def growth_of_parts(arcs: torch.Tensor, lengths: torch.Tensor, device: torch.device) -> dict[str, float]:
    rows: dict[str, float] = {}
    for name, run in larger_parts(arcs, lengths):
        if "loss" not in name and "best" not in name:
            rows[f"{name} n = {arcs.shape[1] - 1}"] = microseconds = 1e6 * seconds(run, device)
            print(f"  {name:35s} n = {arcs.shape[1] - 1:3d} {microseconds:12,.0f} us")
    return rows


def by_batch(device: torch.device) -> dict[str, float]:
    """Microseconds for marginals of sentences of 20 words, on the device and on all threads of the CPU."""
    rows: dict[str, float] = {}
    threads = torch.get_num_threads()
    print(f"\nmarginals, n = 20, by sentences: microseconds on {device.type}, on {threads} CPU threads")
    for sentences in (1, 4, 16, 64, 256, 1024, 4096):
        arcs, lengths = torch.randn((sentences, 21, 21)), torch.full((sentences,), 20)
        for place in (device, torch.device("cpu")):
            placed, long = arcs.to(place), lengths.to(place)
            rows[f"{place.type} B = {sentences}"] = 1e6 * seconds(
                lambda a=placed, b=long: operators.sums(a, b, True, True), place
            )
        here, there = rows[f"{device.type} B = {sentences}"], rows[f"cpu B = {sentences}"]
        print(f"  {sentences:5d} {here:10,.0f} {there:10,.0f}")
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


def report(
    rows: dict[str, float], name: str, run: Run, sentences: int, device: torch.device, *, graph: bool
) -> None:
    try:
        rows[name] = sentences / seconds(run, device)
        if graph and device.type == "cuda":
            rows[f"{name}, graph"] = sentences / seconds(captured(run), device)
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


if __name__ == "__main__":
    main()
