"""Probabilities at the end of training: fitted on sentences that the parser has not learned from.

With a development set that is easy. Without one, other parsers are trained on parts of the training data and
judge the rest of it; what is fitted for them serves for the parser of all of it. Its own training sentences
would not do: there it is right too often, and too sure of it. Nor would sentences from everywhere: users
parse new documents, so what is held out are long blocks, whole documents for the most part.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial

import numpy as np
import numpy.typing as npt

from headwise.components.confidence import fit_calibration
from headwise.components.confidence.fitting import LEAST_WORDS, fit_jointly
from headwise.components.network.weight import with_best_weight
from headwise.components.parser.parser import Parser
from headwise.components.scoring.calibration import Calibration
from headwise.learning.folds import Folds
from headwise.learning.loop import Listener
from headwise.training.examples import TreeKind
from headwise.training.run import Run, dev_scores
from headwise.training.settings import TrainingSettings
from headwise.treebank import Sentence

Train = Callable[[list[Sentence], TrainingSettings], Parser]


FOLDS = 4
"""Each of so many parsers is trained without one of so many blocks of sentences,"""
EPOCHS = 0.3
"""for this share of the epochs: together they take about as long as the parser that they are trained for."""
HELD_OUT, BLOCKS = 10, 4
"""Where only one can be trained, it leaves one sentence in ten out, in four blocks from everywhere."""
UNEARNED = 0.5
"""More epochs on more sentences give scores on a larger scale. Part of that is certainty that the parser has
earned; this share of it (in logarithms) is not, and goes into the temperature. Chosen among 0, ½ and 1 on
documents left out of six treebanks (docs/confidence.md)."""
COMPARED_SENTENCES = 300
"""What the scales of two parsers are measured on."""


def calibrate(run: Run, train_again: Train) -> Run:
    """The run with fitted probabilities; as it is, with a message, where they cannot be fitted.

    Without a development set, the judges choose how much a network counts, too.
    """
    settings, parser = run.settings, run.made
    if not settings.calibrate or settings.torch.encoder:  # whose scores are log-probabilities already
        return run
    if run.is_judged:
        calibration = fit_calibration(parser, run.dev, fitted_on="dev", threads=settings.threads)
    else:
        judges = trained_judges(
            run.learned.sentences, judge_settings(settings, run.kind), train_again, run.listener
        )
        if settings.weighs_network and parser.config.network is not None:
            parser, judges = weighed(parser, judges, settings.threads, run.listener)
        calibration = cross_fitted(parser, judges, threads=settings.threads)
    if calibration is None:
        run.listener.message("probabilities are not fitted: too few sentences, or interrupted")
        return replace(run, parser=parser)
    run.listener.message(f"probabilities: {calibration}")
    if calibration.caution:
        run.listener.message(calibration.caution)
    return replace(run, parser=parser.with_calibration(calibration))


def is_quick(settings: TrainingSettings) -> bool:
    """Whether fewer epochs take less time and make a parser: not of batch optimizers, stacks, networks."""
    return settings.optimizer == "online" and not settings.whole_tree.families and not settings.has_network


def judge_settings(settings: TrainingSettings, kind: TreeKind) -> TrainingSettings:
    """How the parsers are trained that judge what they have not seen.

    They search the trees that the parser of all sentences does: probabilities of projective and of all trees
    have little in common, and what is held out may be what decided between them.
    """
    epochs = max(1, round(EPOCHS * settings.epochs)) if is_quick(settings) else settings.epochs
    return replace(
        settings,
        calibrate=False,
        epochs=epochs,
        trees="projective" if kind.projective else "nonprojective",
        root="single" if kind.single_root else "multi",
    )


@dataclass(frozen=True)
class Judge:
    """A parser, what it has learned from, and sentences that it has not seen."""

    parser: Parser
    learned_from: list[Sentence]
    held_out: list[Sentence]


def trained_judges(
    sentences: Sequence[Sentence], settings: TrainingSettings, train_again: Train, listener: Listener
) -> list[Judge]:
    """None of them where there are too few sentences, or where the training of one was interrupted."""
    splits = folds(sentences) if is_quick(settings) else [split(sentences)]
    if sum(len(sentence) for held_out, _ in splits for sentence in held_out) < LEAST_WORDS:
        return []
    judges = []
    for number, (held_out, rest) in enumerate(splits, 1):
        share = f"{len(rest):,} of {len(sentences):,} sentences"
        listener.message(
            f"training on {share}, to fit probabilities on the others ({number} of {len(splits)})"
        )
        judge = train_again(rest, settings)
        if judge.config.training["interrupted"]:
            return []
        judges.append(Judge(judge, rest, held_out))
    return judges


def weighed(
    parser: Parser, judges: list[Judge], threads: int, listener: Listener
) -> tuple[Parser, list[Judge]]:
    """All of them with networks that count as much as does best where a judge has not seen the sentences.

    A parser with a network has one judge, or none.
    """
    made = []
    for judge in judges:
        if judge.parser.config.network is not None:
            weighed, weight = with_best_weight(
                judge.parser, partial(dev_scores, sentences=judge.held_out, threads=threads), listener
            )
            judge, parser = replace(judge, parser=weighed), parser.with_network_weight(weight)
        made.append(judge)
    return parser, made


def cross_fitted(parser: Parser, judges: Sequence[Judge], *, threads: int) -> Calibration | None:
    """A calibration fitted on sentences judged by parsers that have not seen them; None without judges."""
    if not judges:
        return None
    calibration = fit_jointly(
        [(judge.parser, judge.held_out) for judge in judges], fitted_on="held-out", threads=threads
    )
    if calibration is None:
        return None
    scales = [relative_scale(parser, judge.parser, judge.learned_from) for judge in judges]
    return replace(calibration, temperature=float(np.mean(scales)) ** UNEARNED * calibration.temperature)


def folds(sentences: Sequence[Sentence]) -> list[tuple[list[Sentence], list[Sentence]]]:
    """Each quarter of the sentences, as they stand, and all others."""
    quarters = Folds.blocks(len(sentences), FOLDS)
    return [quarters.split(sentences, fold) for fold in quarters]


def split(sentences: Sequence[Sentence]) -> tuple[list[Sentence], list[Sentence]]:
    """A tenth of the sentences, in a few long blocks from everywhere, and all others."""
    length = len(sentences) // (HELD_OUT * BLOCKS)
    middles = [(2 * block + 1) * len(sentences) // (2 * BLOCKS) for block in range(BLOCKS)]
    held_out = {i for middle in middles for i in range(middle - length // 2, middle - length // 2 + length)}
    parts: tuple[list[Sentence], list[Sentence]] = [], []
    for i, sentence in enumerate(sentences):
        parts[0 if i in held_out else 1].append(sentence)
    return parts


def relative_scale(parser: Parser, other: Parser, sentences: Sequence[Sentence]) -> float:
    """How much farther apart the scores of one parser are than those of another.

    Measured on sentences that both have learned from, by the deviations of arcs' scores from their mean over
    the heads of the word, where both parsers consider the arc.
    """
    step = max(1, len(sentences) // COMPARED_SENTENCES)
    own, others = np.sum([_spreads(parser, other, sentence) for sentence in sentences[::step]], axis=0)
    return float(own / others) if own > 0 and others > 0 else 1.0


def _spreads(parser: Parser, other: Parser, sentence: Sentence) -> tuple[float, float]:
    """The standard deviations of both parsers' scores over the heads of each word, summed over words."""
    size = len(sentence) + 1
    own, others = (p.native.arc_scores(sentence).reshape(size, size)[:, 1:] for p in (parser, other))
    considered = np.isfinite(own) & np.isfinite(others)
    return _spread(own, considered), _spread(others, considered)


def _spread(scores: npt.NDArray[np.float64], considered: npt.NDArray[np.bool_]) -> float:
    heads = np.maximum(1, considered.sum(axis=0))
    scores = np.where(considered, scores, 0.0)
    deviations = np.where(considered, scores - scores.sum(axis=0) / heads, 0.0)
    return float(np.sqrt((deviations**2).sum(axis=0) / heads).sum())
