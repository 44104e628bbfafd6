"""Tags and trees together: a pipeline, and the same models with tags that are chosen with trees.

    python benchmarks/joint_tags.py EWT Danish Swedish Basque -o joint.md
    python benchmarks/joint_tags.py Gothic --quick                # a try

For each treebank a tagger and a parser (on jackknifed tags) are trained once; what the parser counts beside
the tagger is fitted on the development set (held-out training data where there is none). Measured on the test
set: words whose tags (UPOS, XPOS and FEATS, all of them) are right, words whose heads are, and those with the
right head and label. The last rows are of all treebanks together; p is that of a paired permutation test over
sentences.
"""

from __future__ import annotations

import argparse
import sys
from dataclasses import dataclass
from typing import get_args

import numpy as np
import numpy.typing as npt

from corpus import Corpus
from experiment import cpu_seconds, note
from headwise import Parser, Pipeline
from headwise.components.parser.parse import Parse
from headwise.components.tagging import Tagger, TaggerSettings, realistic_tags
from headwise.components.tagging.joint import JointTagsConfig
from headwise.components.text import Tokenizer
from headwise.evaluation.significance import SentenceCounts, permutation_test
from headwise.learning import Listener
from headwise.learning.choices import JointLearner, JointTags
from headwise.learning.folds import in_two_versions
from headwise.training import TrainingSettings
from headwise.training.joint_tags.training import JointModel, fitted, learned
from headwise.treebank import Sentence
from options import benchmark_options
from report import Report, Row, Table, command_line, machine

ALONE = "pipeline"
WAYS: tuple[JointTags, ...] = get_args(JointTags)
MEASURES = ("tags", "UAS", "LAS")
QUICK = {"train": 60, "others": 15}
Counts = npt.NDArray[np.int64]


@dataclass(frozen=True)
class Outcome:
    """What one way did on one test set."""

    right: dict[str, Counts]
    """Of each measure, the words of each sentence that are right."""
    words: Counts
    seconds: float
    exact: int
    weight: float | None

    @classmethod
    def of(cls, gold: list[Sentence], parses: list[Parse], seconds: float, weight: float | None) -> Outcome:
        right = [_right(sentence, parse) for sentence, parse in zip(gold, parses, strict=True)]
        columns = np.array(right, np.int64).reshape(-1, len(MEASURES)).T
        words = np.array([len(sentence) for sentence in gold])
        exact = sum(parse.exact for parse in parses)
        return cls(dict(zip(MEASURES, columns, strict=True)), words, seconds, exact, weight)

    @classmethod
    def together(cls, outcomes: list[Outcome]) -> Outcome:
        return cls(
            {name: np.concatenate([one.right[name] for one in outcomes]) for name in MEASURES},
            np.concatenate([one.words for one in outcomes]),
            sum(one.seconds for one in outcomes),
            sum(one.exact for one in outcomes),
            None,
        )

    def accuracy(self, measure: str) -> str:
        return f"{100 * self.right[measure].sum() / self.words.sum():.2f}"

    def p_value(self, measure: str, other: Outcome) -> str:
        first, second = (SentenceCounts(one.right[measure], one.words, one.words) for one in (self, other))
        return f"{permutation_test(first, second).p_value:.4f}"


def _right(gold: Sentence, parse: Parse) -> tuple[int, int, int]:
    found = parse.sentence
    columns = ((gold.upos, found.upos), (gold.xpos, found.xpos), (gold.feats, found.feats))
    tags = np.all([[a == b for a, b in zip(*column, strict=True)] for column in columns], axis=0)
    heads = np.asarray(gold.heads) == parse.heads
    labels = np.array([a == b for a, b in zip(gold.labels, parse.labels, strict=True)])
    return int(tags.sum()), int(heads.sum()), int((heads & labels).sum())


@dataclass(frozen=True)
class Trained:
    """The models of a treebank, and what they were trained with."""

    pipeline: Pipeline
    tagged: list[Sentence]
    tagger_settings: TaggerSettings
    parser_settings: TrainingSettings
    gold_tags_too: bool

    @classmethod
    def on(cls, corpus: Corpus, options: argparse.Namespace) -> Trained:
        of_tagger = {"epochs": options.tagger_epochs} if options.tagger_epochs else {}
        tagger_settings = TaggerSettings(seed=options.seed, **of_tagger)
        of_parser = {"epochs": options.epochs} if options.epochs else {}
        parser_settings = TrainingSettings.preset(
            options.preset, calibrate=False, seed=options.seed, trees=options.trees, **of_parser
        )
        tagger = Tagger.train(corpus.train, settings=tagger_settings)
        tagged, _ = realistic_tags(corpus.train, None, options.jackknife, tagger_settings)
        for_parser = in_two_versions(tagged, corpus.train) if options.gold_tags_too else tagged
        parser = Parser.train(for_parser, settings=parser_settings)
        tokenizer = Tokenizer.train(corpus.train[:20])  # nobody asks it anything here
        pipeline = Pipeline(tokenizer, tagger, parser)
        return cls(pipeline, tagged, tagger_settings, parser_settings, options.gold_tags_too)

    def with_joint_tags(self, corpus: Corpus, way: JointTags, learner: JointLearner | None) -> Pipeline:
        """The same models; what is learned of tags and trees is fitted on the development set."""
        model = JointModel(JointTagsConfig(way))
        parts = self.pipeline
        if learner is not None:
            settings = self.tagger_settings, self.parser_settings
            gold = corpus.train, self.tagged
            too = self.gold_tags_too
            model = learned(model.config, *gold, *settings, learner, gold_tags_too=too, listener=Listener())
        found = fitted(model, parts.tagger, parts.parser, corpus.dev, threads=1)
        return parts if found is None else parts.with_joint_tags(found.config, found.weights)


def outcomes(corpus: Corpus, options: argparse.Namespace) -> dict[str, Outcome]:
    """Of the pipeline alone, and of each way."""
    models, seconds = cpu_seconds(lambda: Trained.on(corpus, options))
    note(f"  trained in {seconds:,.0f} s")
    pipelines = {ALONE: models.pipeline}
    for way in options.ways:
        pipelines[way] = models.with_joint_tags(corpus, way, None)
    for learner in options.learners:
        pipelines[f"climb, {learner}"] = models.with_joint_tags(corpus, "climb", learner)
    found: dict[str, Outcome] = {}
    for name, pipeline in pipelines.items():
        parses, seconds = cpu_seconds(
            lambda: list(pipeline.pipe_sentences(corpus.test, tags="replace"))  # noqa: B023
        )
        weight = pipeline.joint_tags.parser_weight if pipeline.joint_tags else None
        found[name] = Outcome.of(corpus.test, parses, seconds, weight)
    return found


def rows(name: str, found: dict[str, Outcome], with_p: bool = False) -> list[Row]:
    return [
        {
            "Treebank": name,
            "Tags": way,
            "weight": "" if one.weight is None else f"{one.weight:.3g}",
            **{measure: one.accuracy(measure) for measure in MEASURES},
            **{
                f"p({measure})": one.p_value(measure, found[ALONE]) if with_p and way != ALONE else ""
                for measure in MEASURES
            },
            "proved": f"{100 * one.exact / len(one.words):.1f} %",
            "tokens/CPU s": f"{one.words.sum() / one.seconds:,.0f}",
        }
        for way, one in found.items()
    ]


def main(arguments: list[str]) -> None:
    parser = benchmark_options(__doc__)
    parser.add_argument("--preset", default="second", choices=("first", "second", "third"))
    parser.add_argument("--trees", default="auto", choices=("auto", "projective", "nonprojective"))
    parser.add_argument("--train", type=int, help="training sentences (default: all)")
    parser.add_argument("--test", type=int, help="test sentences (default: all)")
    parser.add_argument("--jackknife", type=int, default=5, help="taggers of the training data (default: 5)")
    parser.add_argument("--tagger-epochs", type=int, help="default: the tagger's own")
    parser.add_argument("--ways", nargs="+", choices=WAYS, default=["climb"], help="default: climb")
    parser.add_argument(
        "--learners", nargs="+", choices=get_args(JointLearner), default=[], help="default: none"
    )
    parser.add_argument("--gold-tags-too", action="store_true", help="train parsers on gold tags as well")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args(arguments)
    report = Report(options.output)
    all_rows: list[Row] = []
    everything: list[dict[str, Outcome]] = []
    facts = {"Command": command_line(__file__, arguments), "Machine": machine()}
    for name in options.treebanks:
        corpus = Corpus.load(name).with_dev()
        if options.quick:
            corpus = corpus.shortened(**QUICK)
        if options.train:
            corpus = corpus.sample(options.train, seed=options.seed)
        if options.test:
            corpus = corpus.shortened(len(corpus.train), options.test)
        note(corpus.name)
        everything.append(outcomes(corpus, options))
        all_rows += rows(corpus.name, everything[-1])
        for row in all_rows[-len(everything[-1]) :]:
            note(f"  {row}")
        report.draft(Table("Tags and trees together", facts, all_rows))
    together = {way: Outcome.together([found[way] for found in everything]) for way in everything[0]}
    all_rows += rows("all", together, with_p=True)
    report.add(Table("Tags and trees together", facts, all_rows))


if __name__ == "__main__":
    main(sys.argv[1:])
