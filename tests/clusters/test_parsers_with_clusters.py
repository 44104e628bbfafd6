"""Parsers and taggers that look at words through clusters, frequent words and fewer columns."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from headwise import Parser, Pipeline
from headwise.components.tagging import Tagger
from headwise.model.compression import compress_model
from headwise.training import TrainingSettings
from headwise.treebank import Sentence
from headwise.words.clusters import Clusters, Word
from toy_language import SMALL

NO_COLUMNS = ("lemma", "upos", "xpos", "feats")


def by_tag(sentences: list[Sentence], *others: tuple[str, str]) -> Clusters:
    """Clusters that know the tag of every word, and of some that no treebank has."""
    tags = sorted({tag for s in sentences for tag in s.upos})
    path = {tag: format(16 + i, "b") for i, tag in enumerate(tags)}
    words = {form: tag for s in sentences for form, tag in zip(s.forms, s.upos, strict=True)} | dict(others)
    return Clusters(Word(form, 1, path[tag]) for form, tag in words.items())


@pytest.fixture
def file(tmp_path: Path, train_sentences: list[Sentence], test_sentences: list[Sentence]) -> str:
    path = tmp_path / "clusters.txt"
    by_tag([*train_sentences, *test_sentences], ("brillig", "NOUN")).save(path)
    return str(path)


def accuracy(parser: Parser, sentences: list[Sentence]) -> float:
    right = sum(
        int(np.count_nonzero(p.heads == s.heads))
        for p, s in zip(parser.pipe(sentences), sentences, strict=True)
    )
    return right / sum(map(len, sentences))


@pytest.mark.parametrize("preset", ["first", "third"])
def test_clusters_stand_in_for_tags(
    preset: str, file: str, train_sentences: list[Sentence], test_sentences: list[Sentence]
) -> None:
    options = {**SMALL, "preset": preset, "words__ignore": NO_COLUMNS}
    options.pop("factorization", None)
    without = Parser.train(train_sentences[:40], **options)
    with_clusters = Parser.train(train_sentences[:40], **options, words__clusters=(file,))
    assert accuracy(with_clusters, test_sentences) > accuracy(without, test_sentences) + 0.02


def test_ignored_columns_are_not_read(
    train_sentences: list[Sentence], test_sentences: list[Sentence]
) -> None:
    parser = Parser.train(train_sentences, **SMALL, words__ignore=NO_COLUMNS)
    assert parser.config.tags == ["_"]
    for sentence in test_sentences:
        bare = Sentence.from_words(sentence.forms)
        nonsense = Sentence.from_words(
            sentence.forms, upos=["X"] * len(sentence), lemmas=["x"] * len(sentence)
        )
        assert parser(bare).heads.tolist() == parser(nonsense).heads.tolist()
        first, second = parser.pipe([bare, nonsense], confidence=True)
        assert first.log_prob == second.log_prob


def test_words_are_told_apart_by_their_cluster(file: str, train_sentences: list[Sentence]) -> None:
    parser = Parser.train(train_sentences, **SMALL, words__ignore=NO_COLUMNS, words__clusters=(file,))

    def scores(word: str) -> np.ndarray:
        return parser.arc_scores(Sentence.from_words(["the", word, "sees", "the", "dog"]))

    assert not np.array_equal(scores("brillig"), scores("brillag"))  # of the same letters, in no cluster
    assert not np.array_equal(scores("Brillig"), scores("Brillag"))  # found in lower case


def test_rare_words_are_not_told_apart(train_sentences: list[Sentence]) -> None:
    parser = Parser.train(train_sentences, **SMALL, words__frequent=3)
    assert parser.config.words is not None
    assert len(parser.config.words.known or []) == 3

    def scores(word: str) -> np.ndarray:
        # Suffix, shape and tag are the same; the words are not.
        return parser.arc_scores(Sentence.from_words(["the", word], upos=["DET", "NOUN"]))

    assert np.array_equal(scores("castle"), scores("bastle"))


def test_models_keep_their_clusters(
    tmp_path: Path, file: str, train_sentences: list[Sentence], test_sentences: list[Sentence]
) -> None:
    parser = Parser.train(
        train_sentences,
        **SMALL,
        words__clusters=(file, file),
        words__contours="population",
        words__frequent=50,
    )
    parser.save(tmp_path / "m.hw")
    Path(file).unlink()
    loaded = Parser.load(tmp_path / "m.hw")
    assert loaded.config == parser.config
    assert any("cluster_2" in line for line in loaded.config.arc_templates)
    for a, b in zip(parser.pipe(test_sentences), loaded.pipe(test_sentences, threads=2), strict=True):
        assert a.heads.tolist() == b.heads.tolist()
        assert a.labels == b.labels
    compress_model(tmp_path / "m.hw", tmp_path / "small.hw")
    assert accuracy(Parser.load(tmp_path / "small.hw"), test_sentences) > 0.5


def test_a_pipeline_and_its_tagger_have_them_too(
    tmp_path: Path, file: str, train_sentences: list[Sentence]
) -> None:
    settings = TrainingSettings.preset("first", epochs=2, calibrate=False, words__clusters=(file,))
    pipeline = Pipeline.train(train_sentences, settings=settings, jackknife=2)
    pipeline.save(tmp_path / "p.hw")
    loaded = Pipeline.load(tmp_path / "p.hw")
    assert loaded.tagger.config.words is not None
    assert [p.heads.tolist() for p in loaded("the dog sees.")] == [
        p.heads.tolist() for p in pipeline("the dog sees.")
    ]


def test_a_tagger_knows_unseen_words_by_their_cluster(
    tmp_path: Path, train_sentences: list[Sentence]
) -> None:
    path = tmp_path / "c.txt"

    def probability_of_a_verb(cluster: str) -> float:
        by_tag(train_sentences, ("zzz", cluster)).save(path)
        tagger = Tagger.train(train_sentences, clusters=(str(path),), learner="log-linear")
        tags = tagger.marginals(["zzz"])[0]
        return sum(probability for (upos, _, _), probability in tags.items() if upos == "VERB")

    assert probability_of_a_verb("VERB") > 1.3 * probability_of_a_verb("NOUN")


def test_a_damaged_table_is_an_error(tmp_path: Path, file: str, train_sentences: list[Sentence]) -> None:
    parser = Parser.train(train_sentences[:20], **SMALL, words__clusters=(file,))
    with pytest.raises(ValueError, match="damaged"):
        Parser(parser.config, {**parser.weights, "clusters.1": np.zeros(5, np.uint8)})


@pytest.mark.parametrize(
    ("options", "problem"),
    [
        ({"words__clusters": ("a", "b", "c", "d")}, "at most 3"),
        ({"words__ignore": ("form",)}, "names no column"),
        ({"words__frequent": 0}, "must be at least 1"),
        ({"words__bits": (0, 6)}, "from 1 to 16"),
        ({"words__vectors": "v.txt"}, "network=True"),
    ],
)
def test_settings_are_checked(options: dict[str, object], problem: str) -> None:
    with pytest.raises(ValueError, match=problem):
        TrainingSettings.preset("third", **options)


def test_models_without_a_view_are_as_before(parser: Parser) -> None:
    assert parser.config.words is None
    assert parser.to_tensors()[0]["words"] is None
