"""One file from text to trees."""

from __future__ import annotations

from pathlib import Path

import pytest

import headwise
from headwise import Pipeline
from headwise.model import ModelError
from headwise.training import PipelineSettings, TrainingSettings
from headwise.treebank import Sentence, check_tree
from toy_language import toy_treebank

SETTINGS = TrainingSettings.preset("second", arc_bits=14, label_bits=14, pruning__bits=14, epochs=3)


@pytest.fixture(scope="module")
def pipeline() -> Pipeline:
    return Pipeline.train(toy_treebank(150, seed=1), toy_treebank(20, seed=2), settings=SETTINGS)


def test_text_becomes_trees(pipeline: Pipeline) -> None:
    (parse,) = pipeline.pipe_lines(["the old dog sees a tree .\n"], input="tokens")
    assert parse.sentence.forms == ["the", "old", "dog", "sees", "a", "tree", "."]
    assert parse.heads.tolist() == [3, 3, 4, 0, 6, 4, 4]
    assert parse.labels == ["det", "amod", "nsubj", "root", "det", "obj", "punct"]
    assert parse.sentence.upos == ["DET", "ADJ", "NOUN", "VERB", "DET", "NOUN", "PUNCT"]


def test_running_text_keeps_its_characters(pipeline: Pipeline) -> None:
    text = "the dog sees a tree .\n\na дом finds the 猫 ."
    parses = pipeline(text)
    assert " ".join(word for parse in parses for word in parse.sentence.forms) == " ".join(text.split())
    assert all(check_tree(parse.heads, single_root=True) == [] for parse in parses)
    assert len(pipeline("")) == 0


def test_tokenized_sentences_are_tagged(pipeline: Pipeline) -> None:
    (parse,) = pipeline.pipe_sentences([Sentence.from_words(["a", "parser", "finds", "the", "tree", "."])])
    assert parse.heads.tolist() == [2, 3, 0, 5, 3, 3]


def test_the_best_trees_of_text(pipeline: Pipeline) -> None:
    text = "the dog sees a tree .\n\nthe tree of a dog in the park near a house sees"
    ranked = pipeline.k_best(text, 3)
    assert [tree.rank for tree in ranked[1]] == [1, 2, 3]
    assert [trees[0].heads.tolist() for trees in ranked] == [parse.heads.tolist() for parse in pipeline(text)]
    threaded = pipeline.pipe_k_best(text.splitlines(keepends=True), 3, threads=2)
    assert [[t.log_prob for t in trees] for trees in threaded] == [
        [t.log_prob for t in trees] for trees in ranked
    ]


def test_all_parts_learn_as_people_type(pipeline: Pipeline) -> None:
    assert pipeline.tokenizer.config.training["settings"]["rewrite"] == PipelineSettings().rewrite


def test_one_file(pipeline: Pipeline, tmp_path: Path) -> None:
    path = tmp_path / "pipeline.hw"
    pipeline.save(path)
    loaded = headwise.load(path)
    assert isinstance(loaded, Pipeline)
    text = "the dog sees a tree in the дом ."
    assert [p.to_conllu() for p in loaded(text)] == [p.to_conllu() for p in pipeline(text)]
    with pytest.raises(ModelError, match="holds a pipeline, where a parser is needed"):
        headwise.Parser.load(path)


def test_probabilities_of_tags_come_with_those_of_heads(pipeline: Pipeline, tmp_path: Path) -> None:
    text = "the old dog sees a tree ."
    assert all(word.tag_probability is None for word in pipeline(text)[0])
    (parse,) = pipeline(text, confidence=True)
    assert all(0.5 < (word.tag_probability or 0) <= 1 for word in parse)
    assert parse.sentence.misc[0].startswith("TagProb=")
    assert [item.partition("=")[0] for item in parse.to_annotated_sentence().misc[0].split("|")] == [
        "TagProb",
        "HeadProb",
        "LabelProb",
        "HeadEntropy",
    ]
    fitted = pipeline.calibrated(toy_treebank(40, seed=4))
    fitted.save(tmp_path / "fitted.hw")
    assert Pipeline.load(tmp_path / "fitted.hw").tagger.config.calibration.words > 100
