"""The phrase-structure parser most users touch: train it, load it, parse with it."""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated, Any, ClassVar, Literal

import numpy as np
from numpy.typing import NDArray

from headwise.base.errors import HeadwiseError
from headwise.base.limits import Within
from headwise.components.parser import Parser
from headwise.components.parser.config import ParserConfig
from headwise.components.tagging import Tagger, realistic_tags
from headwise.components.tagging.tagger import TaggerConfig
from headwise.constituency.brackets import read_brackets
from headwise.constituency.dependencies import to_dependencies
from headwise.constituency.evaluation import score_trees
from headwise.constituency.head_rules import HeadRules
from headwise.constituency.joined import LIMITS, JoinedParse, PhraseAndDependencies, TaggerAndPhrases
from headwise.constituency.labels import Labels
from headwise.constituency.lexicon import Lexicon, LexiconCounts
from headwise.constituency.model1 import Events, Model1, Previous
from headwise.constituency.pcfg import NoParseError, Pcfg, PcfgCounts
from headwise.constituency.simplify import Simplification
from headwise.constituency.tree import Tree
from headwise.dual import Limits
from headwise.model import ModelFile, Stored, Table, Tensors
from headwise.model.packing import pack_text, unpack_text
from headwise.model.schema import ONLY_IF_CHANGED, from_json, parse_json
from headwise.model.stored import Shapes
from headwise.treebank import Sentence

Times = Annotated[int, Within(1, 1 << 48)]
Join = Literal["none", "tagger", "dependencies"]
"""Which model Model 1 has to agree with."""
JACKKNIFE = 4
"""The dependency parser learns from tags of so many taggers that have not seen the sentence."""
GRID = (0.3, 1.0, 3.0, 10.0)
"""Weights to choose from on development trees."""
TUNED_ON = 300
"""Development trees that a weight is chosen on."""
WEIGHTS = {"none": 0.0, "tagger": 3.0, "dependencies": 3.0}
"""Of the other model, tuned on development trees (docs/phrase-structure.md)."""


@dataclass(frozen=True)
class PhraseParse:
    """What a parser makes of a sentence."""

    tree: Tree
    heads: list[int]
    """The head of every word, 0 for the root's."""
    score: float
    """The log-probability under Model 1, together with the other model's score where there is one."""
    exact: bool
    """Whether no tree that was considered is better."""
    gap: float
    """By how much another may be better; 0 where none is."""
    threshold: float
    """Phrases less probable than this under the coarse grammar were not considered."""

    def to_json(self) -> dict[str, Any]:
        """Plain data for `json.dumps`."""
        return {
            "words": self.tree.words,
            "tags": self.tree.tags,
            "heads": self.heads,
            "tree": str(self.tree),
            "score": self.score,
            "exact": self.exact,
            "gap": self.gap if np.isfinite(self.gap) else None,
            "threshold": self.threshold,
        }


@dataclass(frozen=True)
class PhraseConfig:
    """Everything about a phrase-structure parser but its counts; stored in the header of the model file."""

    join: Join
    weight: float
    phrases: list[str]
    tags: list[str]
    root: str
    rules: list[str]
    rules_name: str
    previous: Previous
    smoothing: Annotated[float, Within(0, 1e9)]
    threshold: Annotated[float, Within(0, 1)]
    beam: Annotated[float, Within(0, 1e9)]
    tagger: TaggerConfig | None = field(default=None, metadata={ONLY_IF_CHANGED: True})
    """What it agrees with; None in files that hold whole model files of them."""
    parser: ParserConfig | None = field(default=None, metadata={ONLY_IF_CHANGED: True})


@dataclass(frozen=True)
class _CoarseCounts:
    """How often rules and chains of single labels were seen."""

    rules: list[tuple[tuple[str, str, str], Times]]
    chains: list[tuple[tuple[str, ...], Times]]


@dataclass(frozen=True)
class _WordCounts:
    """How often words were seen with their tags."""

    seen: dict[str, dict[str, Times]]


class PhraseParser(Stored):
    """Model 1, alone or made to agree with a tagger or a dependency parser.

    Examples:
        >>> parser = PhraseParser.train("train.ptb")             # doctest: +SKIP
        >>> print(parser(["She", "reads", "books"]).tree)        # doctest: +SKIP
        (ROOT (S (NP (PRP She)) (VP (VBZ reads) (NP (NNS books)))))
    """

    KIND = "phrase-structure parser"
    CONFIG = PhraseConfig
    PARTS: ClassVar[Mapping[str, type[Stored]]] = {"tagger": Tagger, "parser": Parser}

    def __init__(
        self,
        grammar: Model1,
        tagger: Tagger | None = None,
        parser: Parser | None = None,
        weight: float = 1.0,
        join: Join = "none",
    ) -> None:
        if join != "none" and (tagger is None or (join == "dependencies" and parser is None)):
            raise ValueError(f"join={join!r} needs the model to agree with")
        self.grammar, self.tagger, self.parser = grammar, tagger, parser
        self.weight, self.join = weight, join

    @classmethod
    def train(
        cls,
        trees: str | Path | Iterable[Tree],
        *,
        dev: str | Path | Iterable[Tree] | None = None,
        join: Join = "none",
        rules: HeadRules | None = None,
        simplification: Simplification | None = None,
        weight: float | None = None,
        seed: int = 1,
        threads: int = 1,
        message: Callable[[str], None] = lambda text: None,
    ) -> PhraseParser:
        """Train on bracketed trees: by counting, in seconds; a minute or two with a model to agree with.

        The other model's weight is the one given, or else tuned on `dev`, or else a usual one.
        """
        simplify = simplification or Simplification()
        simple = _simple(trees, simplify)
        if not simple:
            raise HeadwiseError("there are no trees with words to learn from.")
        rules = rules or HeadRules.choose(simple)
        grammar = Model1.learn(simple, rules)
        message(f"{len(simple):,} trees, {len(grammar.labels.phrases)} labels, head rules: {rules.name}")
        if join == "none":
            return cls(grammar)
        sentences = [to_dependencies(tree, rules, labels=False) for tree in simple]
        tagger = Tagger.train(
            [Sentence.from_words(each.forms, xpos=each.xpos) for each in sentences], seed=seed
        )
        message("tagger trained")
        parser = None
        if join == "dependencies":
            tagged, _ = realistic_tags(sentences, None, min(JACKKNIFE, len(sentences)))
            parser = Parser.train(
                tagged,
                preset="second",
                trees="projective",
                root="single",
                labels="none",
                calibrate=False,
                seed=seed,
                threads=threads,
            )
            message("dependency parser trained")
        joined = cls(grammar, tagger, parser, WEIGHTS[join] if weight is None else weight, join)
        return (
            joined
            if dev is None or weight is not None
            else joined.tuned(_simple(dev, simplify), message=message)
        )

    def tuned(
        self,
        dev: Sequence[Tree],
        weights: Sequence[float] = GRID,
        *,
        most: int = TUNED_ON,
        message: Callable[[str], None] = lambda text: None,
    ) -> PhraseParser:
        """The same parser with the other model's weight that is best on development trees.

        The best has the highest sum of bracket F1 and tag accuracy, over at most `most` trees from all over
        `dev`.
        """
        gold = dev[:: max(1, math.ceil(len(dev) / most))]
        if self.join == "none" or not gold:
            raise ValueError("a weight is tuned for a joined parser, on trees")
        best, parser = -math.inf, self
        for weight in weights:
            tried = PhraseParser(self.grammar, self.tagger, self.parser, weight, self.join)
            scores = score_trees(gold, [parse.tree for parse in tried.pipe(tree.words for tree in gold)])
            message(f"weight {weight:g}: F1 {100 * scores.f1:.2f}, tags {100 * scores.tag_accuracy:.2f}")
            if (merit := scores.f1 + scores.tag_accuracy) > best:
                best, parser = merit, tried
        return parser

    def __call__(self, words: Sequence[str], *, limits: Limits = LIMITS) -> PhraseParse:
        """The best tree of a sentence."""
        if self.join == "none":
            best = self.k_best(words, 1)
            if not best:
                raise NoParseError("the grammar has no tree for these words.")
            return best[0]
        assert self.tagger is not None
        joined: JoinedParse
        if self.join == "tagger":
            joined = TaggerAndPhrases(self.grammar, self.tagger, self.weight).parse(words, limits)
        else:
            assert self.parser is not None
            sentence = self.tagger(list(words))
            joined = PhraseAndDependencies(self.grammar, self.parser, self.weight).parse(sentence, limits)
        return PhraseParse(
            joined.tree, joined.heads, joined.score, joined.exact, joined.gap, joined.threshold
        )

    def k_best(self, words: Sequence[str], k: int) -> list[PhraseParse]:
        """The k best trees of a sentence, best first, as Model 1 alone ranks them.

        There are fewer where pruning leaves fewer; `grammar.forest(words, threshold=0).top_k(k)` has all.
        """
        if self.join != "none":
            raise HeadwiseError(
                "two models that have to agree find one tree, the best; for several, train without --joined."
            )
        forest = self.grammar.forest(words)
        return [
            PhraseParse(found.tree, found.heads, found.score, True, 0.0, forest.threshold)
            for found in forest.top_k(k)
        ]

    def pipe(self, sentences: Iterable[Sequence[str]]) -> Iterator[PhraseParse]:
        """Parse a stream of sentences, in order."""
        return map(self, sentences)

    def parts(self) -> tuple[PhraseConfig, Tensors]:
        grammar = self.grammar
        config = PhraseConfig(
            join=self.join,
            weight=self.weight,
            phrases=list(grammar.labels.phrases),
            tags=list(grammar.labels.tags),
            root=grammar.labels.root,
            rules=grammar.rules.to_lines(),
            rules_name=grammar.rules.name,
            previous=grammar.previous,
            smoothing=grammar.smoothing,
            threshold=grammar.threshold,
            beam=grammar.beam,
            tagger=self.tagger.config if self.tagger else None,
            parser=self.parser.config if self.parser else None,
        )
        counts = grammar.coarse.counts
        tensors: Tensors = {
            "lexicon": _packed(grammar.lexicon.counts.seen),
            "coarse": _packed({"rules": list(counts.rules.items()), "chains": list(counts.chains.items())}),
            "modifiers": grammar.events.modifiers,
            "modifier_times": grammar.events.modifier_times,
            "heads": grammar.events.heads,
            "head_times": grammar.events.head_times,
        }
        return config, tensors | self.tensors_of_parts()

    @classmethod
    def own_tables(cls, config: PhraseConfig, shapes: Shapes) -> dict[str, Table]:
        whole = [part for part in cls.PARTS if part in shapes]
        return {
            **{name: Table(np.uint8) for name in ("lexicon", "coarse", *whole)},
            **{name: Table.of(np.int32, None, None) for name in ("modifiers", "heads")},
            **{name: Table(np.float32) for name in ("modifier_times", "head_times")},
        }

    @classmethod
    def made_of(cls, config: PhraseConfig, tensors: Tensors) -> PhraseParser:
        labels = Labels(tuple(config.phrases), tuple(config.tags), config.root)
        coarse = from_json(_CoarseCounts, parse_json(unpack_text(tensors["coarse"])))
        words = from_json(_WordCounts, {"seen": parse_json(unpack_text(tensors["lexicon"]))})
        grammar = Model1(
            Events(
                *(np.array(tensors[name]) for name in ("modifiers", "modifier_times", "heads", "head_times"))
            ),
            Pcfg(
                PcfgCounts(dict(coarse.rules), dict(coarse.chains)),
                labels,
                Lexicon(LexiconCounts(words.seen)),
            ),
            HeadRules.parse(config.rules, config.rules_name),
            previous=config.previous,
            smoothing=config.smoothing,
            threshold=config.threshold,
            beam=config.beam,
        )
        whole = {
            part: kind.load(ModelFile.of_bytes(np.ascontiguousarray(tensors[part]).data))
            for part, kind in cls.PARTS.items()
            if part in tensors
        }
        others: dict[str, Any] = {**whole, **cls.made_parts(config, tensors)}
        return cls(grammar, **others, weight=config.weight, join=config.join)


def _simple(trees: str | Path | Iterable[Tree], simplify: Simplification) -> list[Tree]:
    """Trees, or those of a file, simplified; without those that have no words."""
    originals = read_brackets(trees) if isinstance(trees, str | Path) else trees
    return [tree for original in originals if (tree := simplify(original)) is not None]


def _packed(data: Any) -> NDArray[np.uint8]:
    return pack_text(json.dumps(data, ensure_ascii=False))
