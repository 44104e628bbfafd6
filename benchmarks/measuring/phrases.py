"""Phrase structure joined with dependencies and with tags (Rush et al. 2010): models, systems, measures."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Protocol

from benchmarks.measuring.data import data
from headwise import Parser
from headwise.components.tagging import Tagger, realistic_tags
from headwise.constituency.brackets import read_brackets
from headwise.constituency.dependencies import heads_of, to_dependencies
from headwise.constituency.evaluation import COLLINS, BracketScores, score_trees
from headwise.constituency.head_rules import HeadRules
from headwise.constituency.joined import LIMITS, JoinedParse, PhraseAndDependencies, TaggerAndPhrases
from headwise.constituency.model1 import Model1
from headwise.constituency.parser import PhraseParser
from headwise.constituency.simplify import Simplification
from headwise.constituency.tree import Tree
from headwise.dual import RUSH_2010, Limits
from headwise.treebank import Sentence

LIMITS_OF_FIGURE_5 = (1, 2, 3, 4, 5, 7, 10, 15, 20, 30, 40, 50)


@dataclass(frozen=True)
class Models:
    grammar: Model1
    tagger: Tagger
    parser: Parser


def read(path: Path) -> list[Tree]:
    simplify = Simplification()
    return [tree for original in read_brackets(path) if (tree := simplify(original)) is not None]


def find(treebank: str, part: str) -> Path:
    for path in (Path(f"{treebank}-{part}.ptb"), data() / "phrase-structure" / f"{treebank}-{part}.ptb.xz"):
        if path.exists():
            return path
    raise SystemExit(
        f"no trees called {treebank}-{part} under {data() / 'phrase-structure'}; set HEADWISE_DATA"
    )


def train(trees: Sequence[Tree], jackknife: int) -> Models:
    rules = HeadRules.choose(trees)
    sentences = [to_dependencies(tree, rules, labels=False) for tree in trees]
    tagged, _ = realistic_tags(sentences, None, jackknife)
    return Models(
        Model1.learn(trees, rules),
        Tagger.train([Sentence.from_words(each.forms, xpos=each.xpos) for each in sentences]),
        Parser.train(
            tagged, preset="second", trees="projective", root="single", labels="none", calibrate=False
        ),
    )


@dataclass(frozen=True)
class Measured:
    """What a system made of the gold trees."""

    name: str
    brackets: BracketScores | None
    uas: float
    tags: float
    seconds: float
    slowest: float
    parses: Sequence[JoinedParse] = ()
    sentences: int = 0

    @property
    def per_second(self) -> float:
        return self.sentences / self.seconds


class Found(Protocol):
    """What a system makes of a sentence; a tree of None where it finds heads alone."""

    @property
    def tree(self) -> Tree | None: ...
    @property
    def heads(self) -> Sequence[int]: ...


@dataclass(frozen=True)
class OnlyHeads:
    heads: Sequence[int]
    tree: Tree | None = None


class Measurement:
    """Gold trees, their sentences as the tagger tags them, and what systems make of them."""

    def __init__(self, gold: Sequence[Tree], models: Models) -> None:
        self.gold, self.models = gold, models
        self.heads = [heads_of(tree, models.grammar.rules) for tree in gold]
        self.tagged = list(models.tagger.pipe([Sentence.from_words(tree.words) for tree in gold]))

    def measure(
        self, prepare: Callable[[int], Any], systems: Mapping[str, Callable[[int, Any], Found]]
    ) -> dict[str, Measured]:
        """What systems find that share their forests, which each of them is charged for."""
        found: dict[str, list[Found]] = {name: [] for name in systems}
        seconds: dict[str, list[float]] = {name: [] for name in systems}
        for k in range(len(self.gold)):
            shared, of_all = _timed(prepare, k)
            for name, system in systems.items():
                one, own = _timed(system, k, shared)
                found[name].append(one)
                seconds[name].append(of_all + own)
        return {name: self._measured(name, found[name], seconds[name]) for name in systems}

    def _measured(self, name: str, found: Sequence[Found], seconds: Sequence[float]) -> Measured:
        trees = [one.tree for one in found if one.tree is not None]
        brackets = score_trees(self.gold, trees) if trees else None
        return Measured(
            name,
            brackets,
            self.uas([one.heads for one in found]),
            brackets.tag_accuracy if brackets else 0.0,
            sum(seconds),
            max(seconds),
            [one for one in found if isinstance(one, JoinedParse)],
            len(found),
        )

    def uas(self, heads: Sequence[Sequence[int]]) -> float:
        """The share of words with the right head, punctuation left out."""
        pairs = [
            (found == right)
            for tree, rights, founds in zip(self.gold, self.heads, heads, strict=True)
            for tag, right, found in zip(tree.tags, rights, founds, strict=True)
            if tag not in COLLINS.deleted_tags
        ]
        return sum(pairs) / len(pairs)

    def tags_alone(self) -> float:
        """The share of words with the right tag, by the tagger, as brackets count it."""
        pairs = [
            own == right
            for tree, sentence in zip(self.gold, self.tagged, strict=True)
            for right, own in zip(tree.tags, sentence.xpos, strict=True)
            if right not in COLLINS.deleted_tags
        ]
        return sum(pairs) / len(pairs)

    def with_dependencies(self, weight: float) -> dict[str, Measured]:
        """The parser; Model 1 with given tags, the baseline and the joined system in the same forests."""
        both = PhraseAndDependencies(self.models.grammar, self.models.parser, weight)

        def joined(k: int, shared: tuple[Any, Any], limits: Limits) -> JoinedParse:
            parse = both.agree(*shared, limits)
            return parse if parse.result is not None else both.parse(self.tagged[k], limits)

        systems: dict[str, Callable[[int, Any], Found]] = {
            "Model 1, fixed tags": lambda k, shared: shared[0].best(),
            "baseline: its arcs": lambda k, shared: (
                both.restrict(shared[0], self.tagged[k]) or shared[0].best()
            ),
            "joined, as in the paper": lambda k, shared: joined(k, shared, RUSH_2010),
            "joined": lambda k, shared: joined(k, shared, LIMITS),
        }
        parser = self.measure(lambda k: None, {"dependency parser": lambda k, _: self.dependencies(k)})
        return parser | self.measure(lambda k: both.considered(self.tagged[k]), systems)

    def dependencies(self, k: int) -> Found:
        return OnlyHeads(self.models.parser(self.tagged[k]).heads.tolist())

    def with_tagger(self, weight: float) -> dict[str, Measured]:
        """Model 1 with its own tags, with the tagger's, and joined."""
        grammar = self.models.grammar
        both = TaggerAndPhrases(grammar, self.models.tagger, weight)
        return self.measure(
            lambda k: None,
            {
                "Model 1, its own tags": lambda k, _: grammar.forest(self.tagged[k].forms).best(),
                "Model 1, fixed tags": lambda k, _: grammar.forest(
                    self.tagged[k].forms, [[tag] for tag in self.tagged[k].xpos]
                ).best(),
                "joined, as in the paper": lambda k, _: both.parse(self.tagged[k].forms, RUSH_2010),
                "joined": lambda k, _: both.parse(self.tagged[k].forms, LIMITS),
            },
        )


def _timed(do: Callable[..., Any], *arguments: Any) -> tuple[Any, float]:
    begin = time.process_time()
    done = do(*arguments)
    return done, time.process_time() - begin


def tuned_weights(models: Models, dev: Sequence[Tree], most: int, grid: Sequence[float]) -> list[float]:
    """The weights that are best on development trees, with dependencies and with the tagger."""
    weights = []
    for join in ("dependencies", "tagger"):
        parser = PhraseParser(models.grammar, models.tagger, models.parser, join=join)
        tuned = parser.tuned(dev, grid, most=most)
        weights.append(tuned.weight)
    return weights


def by_iterations(test: Measurement, weight: float, sentences: int) -> list[dict[str, float]]:
    """Figure 5: each forest is built once, and searched with every limit."""
    system = PhraseAndDependencies(test.models.grammar, test.models.parser, weight)
    limits: list[Limits] = [replace(RUSH_2010, iterations=most) for most in LIMITS_OF_FIGURE_5]
    considered = (system.considered(sentence) for sentence in test.tagged[:sentences])
    rows = [[system.agree(forest, trees, at) for at in limits] for forest, trees in considered]
    points = []
    for place, most in enumerate(LIMITS_OF_FIGURE_5):
        parses = [row[place] for row in rows]
        same = sum(parse.tree == row[-1].tree for parse, row in zip(parses, rows, strict=True))
        points.append(
            {
                "most": most,
                "f1": 100 * score_trees(test.gold[: len(rows)], [parse.tree for parse in parses]).f1,
                "proved": 100 * sum(parse.exact for parse in parses) / len(rows),
                "same": 100 * same / len(rows),
            }
        )
    return points
