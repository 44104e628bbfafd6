"""Do probabilities mean what they say, and do they find errors?

    python benchmarks/calibration.py EWT CoNLLX_Dutch --train 3000 -o calibration.md
    python benchmarks/calibration.py Sequoia --doubt                   # finding spoiled heads

Parsers are trained with their default settings and choose their epoch, and fit their probabilities, on the
development set, never on the test set. Where a treebank has no development set, there are two rows: all of
the training data are learned from, and probabilities fitted on parts of it in turn; or a tenth is held out
for both, in four long blocks from everywhere: treebanks are often several texts one after the other, the last
is not like the rest, and the test set is of other documents than the training data. The table holds the
test set's expected calibration error (15 bins of equal width and of equal mass), the share of words that
holds half of the attachment errors, least probable first, and how much longer parsing takes with
probabilities than without. With --doubt, 2 % of the words of the training data get another head (at random,
still a tree), and the table says how many of them are among the words that `headwise doubt` ranks first.
"""

from __future__ import annotations

import argparse
import sys
from dataclasses import replace
from pathlib import Path

import numpy as np

from corpus import Corpus
from experiment import cpu_seconds, note
from headwise import Parser
from headwise.evaluation import Reliability, assess, reliability_of
from headwise.evaluation.doubt import cross_fitted_doubts, rank_words
from headwise.training import TrainingSettings
from headwise.training.calibrating import split as split_training_data
from headwise.training.examples import decide_tree_kind
from headwise.treebank import Sentence
from options import add_models_option, benchmark_options
from report import Report, Row, Table, command_line, machine

SPOILED = 0.02
LOOKED_AT = 0.05
DOUBT_EPOCHS = 5
QUICK = {"train": 200, "others": 50}


def sentences_of(corpus: Corpus) -> tuple[list[Sentence], list[Sentence], bool]:
    """What is learned from, and what is held out: the development set, or a tenth of the training data."""
    if corpus.dev:
        return corpus.train, corpus.dev, True
    held_out, rest = split_training_data(corpus.train)
    return rest, held_out, False


def calibration_rows(
    corpus: Corpus, preset: str, settings: TrainingSettings, models: Path | None
) -> list[Row]:
    """With probabilities fitted on the development set; without one, in both of the ways that are left."""
    train, held_out, is_dev = sentences_of(corpus)
    ways = {"development set" if is_dev else "a tenth of the training data": (train, held_out)}
    if not is_dev:
        ways = {"training data, held out in turn": (corpus.train, []), **ways}
    rows = []
    for way, parts in ways.items():
        note(f"{corpus.name}, {preset}: {way}")
        name = f"{corpus.name}-{len(parts[0])}-{preset}-{settings.learner}{'' if parts[1] else '-nodev'}.hw"
        parser = trained(*parts, settings, models / name if models is not None else None)
        rows.append({"treebank": corpus.name, "preset": preset, "fitted on": way, **judged(parser, corpus)})
    return rows


def trained(
    train: list[Sentence], held_out: list[Sentence], settings: TrainingSettings, saved: Path | None
) -> Parser:
    """Or loaded, where it was saved before."""
    if saved is not None and saved.exists():
        return Parser.load(saved)
    parser = Parser.train(train, held_out or None, settings=settings)
    if saved is not None:
        parser.save(saved)
    return parser


def judged(parser: Parser, corpus: Corpus) -> Row:
    """What the probabilities of the parser are worth on the test set."""
    _, plain = cpu_seconds(lambda: list(parser.pipe(corpus.test)))
    parses, with_confidence = cpu_seconds(lambda: list(parser.pipe(corpus.test, confidence=True)))
    system = [replace(parse, sentence=parse.sentence.to_conllu()).to_annotated_sentence() for parse in parses]
    found = {item.name: item for item in reliability_of(assess(corpus.test, system, "all"))}
    head = found["head"]
    return {
        "temperature": f"{parser.config.calibration.temperature:.2f}",
        "UAS": percent(head.accuracy),
        "mean probability": percent(head.mean_confidence),
        "calibration error, equal width": percent(head.error_of(head.equal_width)),
        "equal mass": percent(head.error_of(head.equal_mass)),
        "by chance": percent(head.error_by_chance(head.equal_mass)),
        "half of the errors in": percent(head.looked_at_to_find(0.5)),
        "area": f"{head.detection_area:.3f}",
        "labels": _error(found.get("label")),
        "labelled heads": _error(found.get("labelled head")),
        "time": f"× {with_confidence / plain:.1f}",
    }


def _error(item: Reliability | None) -> str:
    return "–" if item is None else percent(item.error_of(item.equal_mass))


def percent(share: float) -> str:
    return f"{100 * share:.2f}"


def spoil(sentences: list[Sentence], seed: int) -> tuple[list[Sentence], set[tuple[int, int]]]:
    """Other heads for a few words, chosen among all that leave a tree; and which words (sentence, word)."""
    rng = np.random.default_rng(seed)
    result, where = [], set()
    for number, sentence in enumerate(sentences, 1):
        heads = sentence.heads.copy()
        for m in range(1, len(heads) + 1):
            if heads[m - 1] == 0 or rng.random() >= SPOILED:
                continue
            others = [h for h in range(1, len(heads) + 1) if h != heads[m - 1] and not is_below(heads, h, m)]
            if others:
                heads[m - 1] = rng.choice(others)
                where.add((number, m))
        result.append(sentence.with_tree(heads) if (heads != sentence.heads).any() else sentence)
    return result, where


def is_below(heads: np.ndarray, word: int, ancestor: int) -> bool:
    while word > 0:
        if word == ancestor:
            return True
        word = int(heads[word - 1])
    return False


def doubt_row(corpus: Corpus, preset: str, settings: TrainingSettings, seed: int) -> Row:
    train, _, _ = sentences_of(corpus)
    # Heads at random cross more arcs than people's errors do; they shall not decide what trees are searched.
    is_projective = decide_tree_kind(train, settings).projective
    settings = replace(settings, trees="projective" if is_projective else "nonprojective")
    spoiled, where = spoil(train, seed)
    note(f"{corpus.name}, {preset}: doubt")
    ranked, seconds = cpu_seconds(lambda: rank_words(cross_fitted_doubts(spoiled, settings)))
    shares = {}
    for share in (0.02, LOOKED_AT, 0.10):
        top = ranked[: int(share * len(ranked))]
        found = sum((item.doubt.number, item.word) in where for item in top)
        shares[f"in the top {100 * share:.0f} %"] = percent(found / len(where))
    return {
        "treebank": corpus.name,
        "preset": preset,
        "words": f"{len(ranked):,}",
        "spoiled": f"{len(where):,}",
        **shares,
        "processor time": f"{seconds:.0f} s",
    }


def main(arguments: list[str]) -> None:
    options = parse_arguments(arguments)
    report = Report(options.output)
    facts = {
        "training": f"{options.learner}, on {options.train or 'all'} sentences",
        "measured with": machine(),
        "command": command_line(__file__, arguments),
    }
    title = "Doubt: heads that were spoiled" if options.doubt else "Calibration, on the test set"
    rows: list[Row] = []
    for name in options.treebanks:
        corpus = Corpus.load(name)
        if options.quick:
            corpus = corpus.shortened(**QUICK)
        if options.train:
            corpus = corpus.sample(options.train, seed=1)
        epochs = options.epochs or (DOUBT_EPOCHS if options.doubt else None)
        for preset in options.preset:
            settings = TrainingSettings.preset(
                preset, learner=options.learner, seed=options.seed, **({"epochs": epochs} if epochs else {})
            )
            if options.doubt:
                rows.append(doubt_row(corpus, preset, settings, options.seed))
            else:
                rows += calibration_rows(corpus, preset, settings, options.models)
            report.draft(Table(title, facts, rows))
    report.add(Table(title, facts, rows))


def parse_arguments(arguments: list[str]) -> argparse.Namespace:
    parser = benchmark_options(__doc__)
    presets = ["first", "second", "third", "full"]
    parser.add_argument("--preset", nargs="+", choices=presets, default=["first", "third"])
    parser.add_argument("--learner", default="mira")
    parser.add_argument("--train", type=int, help="train on a sample of so many sentences; default: all")
    parser.add_argument("--doubt", action="store_true", help="spoil heads and look for them")
    parser.add_argument("--seed", type=int, default=1, help="of training, and of the heads that are spoiled")
    add_models_option(parser)
    return parser.parse_args(arguments)


if __name__ == "__main__":
    main(sys.argv[1:])
