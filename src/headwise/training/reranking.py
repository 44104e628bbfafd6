"""Learning a reranker (`headwise.components.reranker`) from trees of parsers that have not seen them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import numpy.typing as npt

from headwise.base.errors import HeadwiseError
from headwise.components.reranker.reranker import Candidates, Reranker, totals
from headwise.components.reranker.settings import RerankerSettings
from headwise.components.scoring.templates import informative_columns
from headwise.components.whole_tree.config import kin_templates, whole_tree_config
from headwise.learning.folds import Folds
from headwise.training.settings import TrainingSettings
from headwise.training.train import train_parser
from headwise.treebank import Sentence


def train_reranker(
    sentences: Sequence[Sentence], base: TrainingSettings, settings: RerankerSettings | None = None
) -> Reranker:
    """See `headwise.components.reranker.reranker.Reranker.train`."""
    settings = settings or RerankerSettings()
    base = replace(base, calibrate=False)
    unlabelled = replace(base, labels="none")
    if len(sentences) < settings.folds:
        raise HeadwiseError(f"a reranker of {settings.folds} folds needs as many sentences.")
    columns = informative_columns(sentences)
    features = whole_tree_config(
        settings.families, sentences, columns, kin_templates(settings.families, columns)
    )
    weights = np.zeros(1 << settings.bits, np.float32)
    lists: dict[int, Candidates] = {}
    folds = Folds.interleaved(len(sentences), settings.folds)
    for fold in folds:
        _, others = folds.split(sentences, fold)
        parser = train_parser(others, None, unlabelled, is_part=True)
        if parser.config.training["interrupted"]:
            raise KeyboardInterrupt
        jackknifed = Reranker(parser, features, weights, 1.0, k=settings.k)
        for i in folds.inside(fold).tolist():
            lists[i] = jackknifed.candidates(sentences[i])
    learned, score_weight = learn(
        [lists[i] for i in range(len(sentences))],
        [np.asarray(sentence.heads) for sentence in sentences],
        settings,
    )
    return Reranker(train_parser(sentences, None, base), features, learned, score_weight, k=settings.k)


def learn(
    lists: Sequence[Candidates], gold: Sequence[npt.NDArray[np.int32]], settings: RerankerSettings
) -> tuple[npt.NDArray[np.float32], float]:
    """MIRA with costs, averaged: the best tree of each list is to beat the others by their mistakes.

    The parser's score is one more feature, whose weight starts from one.
    """
    weights = np.zeros(1 << settings.bits, np.float32)
    delayed = np.zeros(len(weights))  # Σ (t − 1)·δ_t, as native/learning/averaged_weights.hpp has it
    score_weight, delayed_score, steps = 1.0, 0.0, 0
    for epoch in range(settings.epochs):
        for i in np.random.default_rng([settings.seed, epoch]).permutation(len(lists)):
            candidates = lists[i]
            errors = candidates.errors(gold[i])
            target = int(np.argmin(errors))
            scores = totals(candidates, weights, score_weight)
            rival = int(np.argmax(scores + errors))
            violation = scores[rival] + errors[rival] - scores[target] - errors[target]
            if violation > 0:
                touched, where = np.unique(
                    np.concatenate([candidates.of(target), candidates.of(rival)]), return_inverse=True
                )
                signs = np.repeat([1.0, -1.0], [len(candidates.of(target)), len(candidates.of(rival))])
                difference = np.bincount(where, signs, len(touched))
                of_scores = candidates.scores[target] - candidates.scores[rival]
                norm = difference @ difference + of_scores**2
                step = min(settings.aggressiveness, violation / norm) if norm > 0 else 0.0
                weights[touched] += (step * difference).astype(np.float32)
                delayed[touched] += steps * step * difference
                score_weight += step * of_scores
                delayed_score += steps * step * of_scores
            steps += 1
    return (weights - delayed / steps).astype(np.float32), score_weight - delayed_score / steps
