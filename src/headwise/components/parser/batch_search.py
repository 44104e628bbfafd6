"""What a parser finds for a batch of sentences, by the native core."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from itertools import islice
from typing import TYPE_CHECKING

import numpy as np

from headwise._native.trees import NoTreeError
from headwise.base.cores import cores
from headwise.components.parser.conditions import Conditions
from headwise.components.parser.constraints import Task
from headwise.components.parser.decoders import Decoder
from headwise.components.parser.native_parses import parses_of
from headwise.components.parser.parse import Parse
from headwise.components.parser.scored_sentence import ScoredSentence
from headwise.components.parser.search import Search
from headwise.treebank import Sentence

if TYPE_CHECKING:
    from headwise.components.parser.parser import Parser


class BatchSearch:
    """A parser, and what is searched for."""

    def __init__(self, parser: Parser, search: Search) -> None:
        self._parser, self._search = parser, search
        self._decoder = search.decoder_for(parser.config)
        self._threads = cores(search.threads)

    def rows(self, tasks: Sequence[Task]) -> list[list[Parse]]:
        """What is wanted of each sentence: its parse, or the k best."""
        sentences, constraints = [sentence for sentence, _ in tasks], [wanted for _, wanted in tasks]
        conditions = self._parser.conditions_for(sentences, constraints)
        try:
            if self._search.k is not None:
                return self._ranked(tasks, self._search.k)
            find = self._judged if self._search.confidence else self._parsed
            return [[parse] for parse in find(sentences, conditions)]
        except NoTreeError as error:
            raise conditions.explain(error) from error

    def plain_rows(self, tasks: Sequence[Task]) -> list[list[Parse]]:
        """A parse of each sentence, without probabilities."""
        return BatchSearch(self._parser, replace(self._search, k=None, confidence=False)).rows(tasks)

    def _parsed(self, batch: list[Sentence], conditions: Conditions) -> list[Parse]:
        by_program = self._decoder is Decoder.exact_ilp
        if by_program:
            from headwise.trees.solver import check_installed

            check_installed()  # before any work is done
        limits = self._search.limits
        columns = self._parser.native.parse(
            batch,
            self._threads,
            "map" if by_program else self._decoder.value,
            seed=self._search.seed,
            conditions=conditions.native,
            agreement=None if limits is None else limits.to_native(),
        )
        parses = parses_of(batch, columns, self._parser.label_names, conditions)
        # A sentence that was parsed in stretches (its gap is not known) is too long for a program as well.
        return [
            self._proved(parse, conditions.only(i))
            if by_program and not parse.exact and math.isfinite(parse.gap)
            else parse
            for i, parse in enumerate(parses)
        ]

    def _proved(self, parse: Parse, conditions: Conditions) -> Parse:
        """The best tree of the sentence, by an integer program, where a search has left that open."""
        parser = self._parser
        scored = ScoredSentence(parse.sentence, parser.native, parser.config, conditions)
        solution = scored.crossing_trees().argmax_by_program(start=parse.heads)
        heads = solution.tree.heads
        labels = parser.label_names.names(parser.native.label_tree(parse.sentence, heads))
        return replace(
            parse,
            heads=heads,
            labels=conditions.keep_labels(0, labels),
            score=solution.score,
            exact=solution.exact,
            gap=solution.bound - solution.score,
        )

    def _judged(self, batch: list[Sentence], conditions: Conditions) -> list[Parse]:
        """With probabilities."""
        parser, threads = self._parser, self._threads
        if self._decoder is Decoder.map and parser.is_exact:
            return parser.judged(batch, conditions, threads=threads)
        parses = self._parsed(batch, conditions)
        heads = np.concatenate([parse.heads for parse in parses])
        labels = np.concatenate([parser.label_ids(parse.labels) for parse in parses])
        return [
            replace(judgement, exact=parse.exact, gap=parse.gap)
            for judgement, parse in zip(
                parser.judged(batch, conditions, heads, labels, threads=threads), parses, strict=True
            )
        ]

    def _ranked(self, tasks: Sequence[Task], k: int) -> list[list[Parse]]:
        """The k most probable trees of each sentence."""
        from headwise.components.confidence.ranking import ranked_trees

        found = ranked_trees(self._parser, tasks, k, threads=self._threads)
        repeated = [task for task, trees in zip(tasks, found, strict=True) for _ in trees]
        sentences = [sentence for sentence, _ in repeated]
        conditions = self._parser.conditions_for(sentences, [constraints for _, constraints in repeated])
        heads = np.concatenate([heads for trees in found for heads in trees])
        parses = iter(self._parser.judged(sentences, conditions, heads, threads=self._threads))
        return [
            [replace(parse, rank=rank) for rank, parse in enumerate(islice(parses, len(trees)), 1)]
            for trees in found
        ]
