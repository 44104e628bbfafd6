"""The operators of trees with larger parts on a GPU."""

from __future__ import annotations

import ctypes
from typing import NamedTuple

import torch
from torch import Tensor

from headwise.torch import chart_memory, launches, part_layout
from headwise.torch.launches import pointer
from headwise.torch.part_problem import NO_TABLES, Problem, Tables

# Threads that hide latencies, on a processor and in a block, as measured; by whether there are grandparents.
_LARGEST_BLOCK = {True: 1024, False: 512}
_REGISTERS = 64  # of a thread, in float32 and without derivatives


class Arguments(ctypes.Structure):
    """Of every kernel, laid out as in kernels/part_entry.cuh."""

    _fields_ = (
        ("batch", launches.Batch),
        ("parts", part_layout.Parts),
        ("launch", launches.Sentences),
        ("totals", ctypes.c_void_p),
        ("marginals", ctypes.c_void_p),
        ("heads", ctypes.c_void_p),
        ("samples", ctypes.c_longlong),
        ("seed", ctypes.c_ulonglong),
    )


class PartKernels(NamedTuple):
    """launches.Kernels of a verb: SUMS, ARGMAX, TOP_K or SAMPLE. `tables` is which of part_layout.NAMES there
    are, `choices` None over all heads, `best` the k of TOP_K."""

    verb: str
    components: int
    tables: tuple[bool, bool, bool]
    marginals: bool
    choices: int | None
    best: int = 0

    @property
    def grandparents(self) -> bool:
        return self.tables[1] or self.tables[2]

    @property
    def entry(self) -> str:
        return "part_entry.cuh"

    @property
    def classes(self) -> tuple[int, ...]:
        return launches.CLASSES

    def definitions(self) -> dict[str, str]:
        trees = "GrandSiblingTrees" if self.grandparents else "SiblingTrees"
        definitions = {"COMPONENTS": str(self.components), "TREES": trees, self.verb: "1"}
        for name, is_there in zip(part_layout.NAMES, self.tables, strict=True):
            definitions[name.upper()] = str(int(is_there))
        if self.grandparents and self.choices is not None:
            definitions["CHOICES"] = str(self.choices)  # many loops are over them
        return definitions

    def registers(self, dtype: torch.dtype) -> int | None:
        plain = self.components == 1 and dtype == torch.float32
        return _REGISTERS if self.grandparents and plain else None

    def numbers(self, words: int, threads: int) -> int:
        warps = (
            threads // 32 if self.verb == "SAMPLE" else int(self.verb != "SUMS")
        )  # that walk through trees
        of_walks = chart_memory.best_walks(2 * words + 1, self.best)
        if not self.grandparents:
            return of_walks + chart_memory.sibling_trees(
                words, self.components, warps, self.choices, marginals=self.marginals
            )
        choices = words + 1 if self.choices is None else self.choices
        return of_walks + chart_memory.grand_sibling_trees(
            words, self.components, warps, choices, marginals=self.marginals
        )

    def threads(self, words: int, sentences: int, processors: int, resident: int) -> int:
        of_processor = 768 if self.verb == "SUMS" and not self.grandparents else 1024
        wanted = max(of_processor // resident, processors * of_processor // sentences)
        choices = words + 1 if self.choices is None else self.choices
        useful = 4 * words * choices if self.grandparents else words * words // 2
        return launches.power_of_two(wanted, min(_LARGEST_BLOCK[self.grandparents], useful))


def argmax(problem: Problem) -> tuple[Tensor, Tensor]:
    batch, width, _ = problem.arcs.shape
    heads = problem.lengths.new_empty((batch, width - 1))
    best = problem.arcs.new_empty(batch)
    _launch(problem, "ARGMAX", totals=best, heads=heads)
    return heads, best


def log_partition(problem: Problem) -> Tensor:
    total = problem.arcs.new_empty(problem.arcs.shape[0])
    _launch(problem, "SUMS", totals=total)
    return total


def sums(problem: Problem) -> tuple[Tensor, Tensor, Tables]:
    total = problem.arcs.new_empty(problem.arcs.shape[0])
    marginals, of_tables = problem.zeros()
    _launch(problem, "SUMS", totals=total, marginals=marginals, results=of_tables)
    return total, marginals, of_tables


def derivatives(problem: Problem, *directions: tuple[Tensor | None, Tables]) -> tuple[Tensor, Tables]:
    """In one direction, or the second in two; of arcs, and of tables."""
    marginals, of_tables = problem.zeros()
    _launch(problem, "SUMS", directions, marginals=marginals, results=of_tables)
    return marginals, of_tables


def top_k(problem: Problem, k: int) -> tuple[Tensor, Tensor]:
    batch, width, _ = problem.arcs.shape
    heads = problem.lengths.new_empty((batch, k, width - 1))
    best = problem.arcs.new_empty((batch, k))
    _launch(problem, "TOP_K", totals=best, heads=heads, samples=k)
    return heads, best


def sample(problem: Problem, k: int, seed: int) -> Tensor:
    batch, width, _ = problem.arcs.shape
    heads = problem.lengths.new_empty((batch, k, width - 1))
    _launch(problem, "SAMPLE", heads=heads, samples=k, seed=seed)
    return heads


def _launch(
    problem: Problem,
    verb: str,
    directions: tuple[tuple[Tensor | None, Tables], ...] = (),
    *,
    totals: Tensor | None = None,
    marginals: Tensor | None = None,
    results: Tables = NO_TABLES,
    heads: Tensor | None = None,
    samples: int = 0,
    seed: int = 0,
) -> None:
    arcs, tables, candidates, lengths, single_root = problem
    width = arcs.shape[1]
    choices = None if candidates is None else candidates.shape[2]
    arguments = Arguments(
        batch=(arcs.data_ptr(), None, None, lengths.data_ptr(), lengths.shape[0], width, single_root),
        totals=pointer(totals),
        marginals=pointer(marginals),
        heads=pointer(heads),
        samples=samples,
        seed=seed % 2**64,
    )
    parts = arguments.parts
    parts.candidates, parts.choices = pointer(candidates), width if choices is None else choices
    for k, name in enumerate(part_layout.NAMES):
        scores = tables[k]
        if scores is None:
            continue
        table = getattr(parts, name)
        table.scores, table.results = scores.data_ptr(), pointer(results[k])
        part_layout.set_strides(parts, name, scores.shape, over_candidates=choices is not None)
        if name == "grandchildren" and choices is not None:
            parts.empty_sides = int(scores.shape[2] > choices)
    for field, (of_arcs, of_tables) in zip(("direction", "second_direction"), directions, strict=False):
        setattr(arguments.batch, field, pointer(of_arcs))
        for name, direction in zip(part_layout.NAMES, of_tables, strict=True):
            setattr(getattr(parts, name), field, pointer(direction))
    given = (tables[0] is not None, tables[1] is not None, tables[2] is not None)
    best = samples if verb == "TOP_K" else 0
    kernels = PartKernels(verb, 2 ** len(directions), given, marginals is not None, choices, best)
    launches.launch(kernels, arguments, lengths, width - 1, arcs.dtype)
