"""A pipeline whose network finds tags, heads and labels of bare words, trained by the core."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from headwise import Pipeline
from headwise.base.errors import HeadwiseError
from headwise.training import TrainingSettings
from headwise.treebank import Sentence
from toy_language import toy_treebank

TRAIN, DEV, OTHERS = (toy_treebank(n, seed=seed) for n, seed in ((150, 1), (20, 2), (30, 3)))
SETTINGS = TrainingSettings.preset(
    "second",
    network={"use": True, "width": 32, "epochs": 30, "tags": 32},
    arc_bits=12,
    label_bits=12,
    epochs=2,
)


@pytest.fixture(scope="module")
def pipeline() -> Pipeline:
    return Pipeline.train(TRAIN, settings=SETTINGS, jackknife=2)


def test_its_network_reads_bare_words_and_finds_tags(pipeline: Pipeline) -> None:
    network = pipeline.parser.config.network
    assert network is not None
    assert network.tag_count == len(pipeline.tagger.config.tags)
    assert (network.tags, network.pieces) == (32, 5)
    shape = network.shape(pipeline.parser.weights["vocabulary"], len(pipeline.parser.config.labels))
    for sentence in OTHERS:
        bare = Sentence.from_words(sentence.forms)
        assert shape.vector_rows(sentence) == shape.vector_rows(bare)


def test_tagger_and_parser_hear_it(pipeline: Pipeline) -> None:
    assert pipeline.tagger.config.network_weight is not None
    deaf = pipeline.tagger.with_network(None, None)
    unknown = ["The", "quorp", "zlibs", "a", "tree", "."]
    assert pipeline.tagger.top_k(unknown, 1)[0].score != deaf.top_k(unknown, 1)[0].score
    sentence = next(pipeline.tag(OTHERS[:1]))
    silent = pipeline.parser.with_network_weight(0.0)
    assert not np.array_equal(pipeline.parser.arc_scores(sentence), silent.arc_scores(sentence))


def test_it_alone_finds_tags_and_trees() -> None:
    settings = SETTINGS.changed(factorization="arc", network__alone=True, calibrate=False)
    alone = Pipeline.train(TRAIN, DEV, settings=settings, jackknife=2)
    parses = list(alone.pipe_sentences([s.forms for s in OTHERS]))
    right = words = 0
    for parse, gold in zip(parses, OTHERS, strict=True):
        found = parse.to_sentence()
        right += sum(a == b for a, b in zip(found.heads, gold.heads, strict=True))
        right += sum(a == b for a, b in zip(found.upos, gold.upos, strict=True))
        words += 2 * len(gold)
    assert right / words > 0.8


def test_it_is_in_one_file(pipeline: Pipeline, tmp_path: Path) -> None:
    pipeline.save(tmp_path / "m.hw")
    again = Pipeline.load(tmp_path / "m.hw")
    for ours, theirs in zip(pipeline.tag(OTHERS), again.tag(OTHERS), strict=True):
        assert ours.upos == theirs.upos
    with pytest.raises(HeadwiseError, match="save the pipeline"):
        again.tagger.save(tmp_path / "tagger.hw")
