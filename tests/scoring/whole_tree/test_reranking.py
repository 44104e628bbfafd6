"""The k best trees of a parser, chosen from by features of whole trees."""

from __future__ import annotations

import numpy as np
import pytest

from headwise._native.scoring import WholeTree, features_of_trees
from headwise.base.errors import HeadwiseError
from headwise.training import TrainingSettings
from headwise.training.reranking import Candidates, Reranker, RerankerSettings, learn, totals
from toy_language import toy_treebank
from whole_trees import full_shape

BASE = TrainingSettings.preset("second", epochs=1, labels="none", arc_bits=14)


@pytest.fixture(scope="module")
def reranker() -> Reranker:
    return Reranker.train(toy_treebank(40, seed=1), BASE, RerankerSettings(k=4, folds=2, epochs=2, bits=14))


def test_it_chooses_among_the_k_best(reranker: Reranker) -> None:
    for sentence in toy_treebank(10, seed=2):
        offered = [tree.heads.tolist() for tree in reranker.parser.k_best(sentence, 4)]
        parse = reranker(sentence)
        assert parse.heads.tolist() in offered
        assert not parse.exact


def test_it_does_not_break_the_parser(reranker: Reranker) -> None:
    unseen = toy_treebank(40, seed=3)
    right = np.mean([np.mean(p.heads == p.sentence.heads) for p in reranker.pipe(unseen)])
    before = np.mean([np.mean(p.heads == p.sentence.heads) for p in reranker.parser.pipe(unseen)])
    assert right > before - 0.05


def test_features_of_several_trees_are_those_of_each() -> None:
    sentence = toy_treebank(1, seed=5)[0]
    heads = np.array([sentence.heads, [0] + [1] * (len(sentence) - 1)], np.int32)
    features, begins = features_of_trees(full_shape(), sentence, heads.ravel(), 14)
    tree = WholeTree(full_shape(), sentence, np.zeros(1 << 14, np.float32))
    for i in range(2):
        assert features[begins[i] : begins[i + 1]].tolist() == tree.features(heads[i]).tolist()


def test_learning_puts_the_best_tree_of_a_list_first(reranker: Reranker) -> None:
    sentences = toy_treebank(12, seed=7)
    lists = [reranker.candidates(sentence) for sentence in sentences]
    gold = [np.asarray(sentence.heads) for sentence in sentences]
    weights, score_weight = learn(lists, gold, RerankerSettings(bits=14, epochs=20, aggressiveness=1.0))

    def errors(candidates: Candidates, heads: np.ndarray) -> tuple[float, float]:
        wrong = candidates.errors(heads)
        return wrong[np.argmax(totals(candidates, weights, score_weight))], wrong.min()

    chosen, best = np.sum([errors(*pair) for pair in zip(lists, gold, strict=True)], axis=0)
    assert chosen <= best + 1


def test_too_few_sentences_are_refused() -> None:
    with pytest.raises(HeadwiseError, match="as many sentences"):
        Reranker.train(toy_treebank(3, seed=1), BASE, RerankerSettings(folds=5))
