"""The k best trees of a parser, chosen from by features of whole trees."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from headwise._native.scoring import WholeTree, features_of_trees
from headwise.base.errors import HeadwiseError, ModelError
from headwise.components.reranker.reranker import Candidates, Reranker, totals
from headwise.model import read_model, write_model
from headwise.training import TrainingSettings
from headwise.training.reranking import RerankerSettings, learn
from toy_language import toy_treebank
from whole_trees import full_shape

BASE = TrainingSettings.preset("second", epochs=1, labels="none", arc_bits=14, label_bits=14)


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


def test_its_file_is_checked_by_shapes(reranker: Reranker, tmp_path: Path) -> None:
    path = tmp_path / "r.hw"
    reranker.save(path)
    sentence = toy_treebank(1, seed=5)[0]
    assert Reranker.load(path)(sentence).score == reranker(sentence).score
    config, tensors = read_model(path, Reranker.KIND)
    for shape in ((2, 1 << 13), (1 << 13,)):
        damaged = {**tensors, "weights": np.zeros(shape, np.float32)}
        write_model(path, Reranker.KIND, config, damaged)
        with pytest.raises(ModelError, match="weights is of the shape"):
            Reranker.load(path)


def test_what_parses_imports_nothing_of_training(reranker: Reranker, tmp_path: Path) -> None:
    reranker.save(tmp_path / "r.hw")
    program = (
        "import sys; from headwise.model.stored import ModelFile, kind_of\n"
        "file = ModelFile.open(sys.argv[1]); kind_of(file).load(file)\n"
        "print([name for name in sys.modules if name.startswith('headwise.training')])"
    )
    done = subprocess.run(
        [sys.executable, "-c", program, tmp_path / "r.hw"], capture_output=True, text=True, check=True
    )
    assert done.stdout.strip() == "[]"
    assert not done.stderr
