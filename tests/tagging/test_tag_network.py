"""A tagger that hears the network of its pipeline's parser: against NumPy, the same bytes, files, errors."""

from __future__ import annotations

import pickle
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from headwise import Parser, Pipeline
from headwise._native import learning as native
from headwise.base.errors import HeadwiseError
from headwise.components.network.config import NetworkConfig
from headwise.components.tagging import Tagger
from headwise.components.tagging.network_opinion import WEIGHTS, with_network_opinion
from headwise.components.text import Tokenizer
from headwise.learning.loop import Listener
from headwise.model import ModelError, read_model, write_model
from headwise.reference.network import tag_log_probabilities
from headwise.training import TrainingSettings, train_parser
from headwise.training.members import joined
from headwise.treebank import Sentence
from toy_language import SMALL, toy_treebank

SENTENCES, OTHERS = toy_treebank(40, seed=1), toy_treebank(12, seed=2)
NETWORK = NetworkConfig(vectors=12, lstm=16, layers=2, arcs=10, labels=9, weight=1.0, tags=7)


@pytest.fixture(scope="module")
def tagger() -> Tagger:
    """One that may give any tag to most words: none is frequent."""
    return Tagger.train(SENTENCES, bits=14, epochs=2, frequent=1000, lemmas=False)


def with_random_network(parser: Parser, tags: int, seed: int = 1, pieces: int = 0) -> Parser:
    """A parser with a network of random numbers that reads bare words."""
    shape = parser.config.shape(parser.weights)
    examples = [native.TrainingExample(s, s.heads, parser.label_ids(s.labels), shape) for s in SENTENCES]
    vocabulary = native.collect_vocabulary(examples, 2, pieces=pieces, annotations=False)
    config = replace(NETWORK, tag_count=tags, pieces=pieces)
    network = config.shape(vocabulary, len(parser.config.labels))
    rng = np.random.default_rng(seed)
    tables = {
        "network": rng.normal(scale=0.5, size=network.weight_count).astype(np.float32),
        "vectors": rng.normal(scale=0.5, size=network.vector_count).astype(np.float32),
        "vocabulary": vocabulary,
    }
    return Parser(replace(parser.config, network=config), {**parser.weights, **tables})


@pytest.fixture(scope="module")
def reader(tagger: Tagger) -> Parser:
    settings = TrainingSettings.preset(**{**SMALL, "preset": "second"})
    return with_random_network(train_parser(SENTENCES, None, settings), len(tagger.config.tags))


@pytest.fixture(scope="module")
def pipeline(tagger: Tagger, reader: Parser) -> Pipeline:
    return Pipeline(Tokenizer.train(SENTENCES), tagger.with_network(reader, 0.7), reader)


def test_what_is_added_equals_the_reference(tagger: Tagger, reader: Parser) -> None:
    config, weight = reader.config.network, 0.7
    assert config is not None
    labels = len(reader.config.labels)
    shape = config.shape(np.asarray(reader.weights["vocabulary"]), labels)
    weights, vectors = (np.asarray(reader.weights[name], np.float64) for name in ("network", "vectors"))
    numbers = {tuple(tag): t for t, tag in enumerate(tagger.config.tags)}
    choices = 0
    for sentence in OTHERS:
        rows = shape.vector_rows(sentence)
        expected = tag_log_probabilities(config, weights, vectors, rows, labels)
        alone, heard = tagger.lattice(sentence), tagger.with_network(reader, weight).lattice(sentence)
        assert alone.tags == heard.tags
        added = heard._scores - alone._scores
        prices = np.array(
            [
                weight * expected[m, numbers[tag]] * (len(word) > 1)
                for m, word in enumerate(alone.tags)
                for tag in word
            ]
        )
        np.testing.assert_allclose(added, prices[alone._places], atol=1e-4)
        choices += sum(len(word) > 1 for word in alone.tags)
    assert choices > 20


@pytest.mark.parametrize("bits", [8, 32])
def test_several_networks_are_heard_as_their_mean(tagger: Tagger, reader: Parser, bits: int) -> None:
    without = Parser(replace(reader.config, network=None), reader.weights)
    one, other = (
        with_random_network(without, len(tagger.config.tags), seed).with_network_bits(bits) for seed in (1, 2)
    )
    both = joined([one, other])
    for sentence in OTHERS:
        alone = tagger.lattice(sentence)._scores
        heard = [tagger.with_network(p, 0.7).lattice(sentence)._scores - alone for p in (one, other, both)]
        np.testing.assert_allclose(heard[2], (heard[0] + heard[1]) / 2, atol=1e-5)
        assert np.abs(heard[0] - heard[1]).max() > 0.01
    pipeline = Pipeline(Tokenizer.train(SENTENCES), tagger.with_network(both, 0.7), both)
    words = [sentence.forms for sentence in OTHERS * 2]
    one_by_one = [next(pipeline.pipe_sentences([own])).to_sentence().to_bytes() for own in words]
    for options in ({"threads": 2, "batch_size": 7}, {"threads": 1}):
        together = [parse.to_sentence().to_bytes() for parse in pipeline.pipe_sentences(words, **options)]
        assert together == one_by_one


def test_everything_that_is_asked_of_tags_hears_it(tagger: Tagger, reader: Parser) -> None:
    heard, different = tagger.with_network(reader, 3.0), 0
    for sentence in OTHERS:
        best = heard(sentence).upos
        assert [tag[0] for tag in heard.top_k(sentence, 2)[0].tags] == best
        lattice = heard.lattice(sentence)
        assert [lattice.tags[m][t][0] for m, t in enumerate(lattice.best()[0])] == best
        (ways,) = heard.detours([sentence], margin=1e9, most=3)
        assert [heard.config.tags[t][0] for t in ways[0].numbers] == best
        assert heard.score_labels([sentence], [ways[0].numbers])[0] == pytest.approx(ways[0].score)
        sums, alone = heard.marginals(sentence), tagger.marginals(sentence)
        assert all(sum(word.values()) == pytest.approx(1) for word in sums)
        different += sums != alone
    assert different > 0


def test_a_network_that_counts_nothing_changes_nothing(tagger: Tagger, reader: Parser) -> None:
    heard = tagger.with_network(reader, 0.0)
    for sentence in OTHERS:
        assert heard.top_k(sentence, 3) == tagger.top_k(sentence, 3)


def test_same_bytes_whatever_the_batches_and_threads(pipeline: Pipeline) -> None:
    words = [sentence.forms for sentence in OTHERS * 3]
    one_by_one = [next(pipeline.pipe_sentences([own])).to_sentence().to_bytes() for own in words]
    for options in ({"threads": 2, "batch_size": 7}, {"threads": 1}, {"threads": 3, "batch_size": 40}):
        together = [parse.to_sentence().to_bytes() for parse in pipeline.pipe_sentences(words, **options)]
        assert together == one_by_one


def test_what_was_read_for_tags_is_not_read_again(pipeline: Pipeline, reader: Parser) -> None:
    """Parses after tagging are those of a parser that reads for itself."""
    tagged = list(pipeline.tagger.pipe(OTHERS))
    fresh = Parser(reader.config, reader.weights)
    for ours, theirs in zip(pipeline.parser.pipe(tagged), fresh.pipe(tagged), strict=True):
        assert ours.heads.tolist() == theirs.heads.tolist()
        assert ours.score == theirs.score


@pytest.mark.parametrize("bits", [8, 32])
def test_pieces_of_thousands_of_words(reader: Parser, tagger: Tagger, bits: int) -> None:
    """Those of words that came up before are remembered, of the last ones: that changes nothing."""
    parser = with_random_network(reader, len(tagger.config.tags), pieces=3).with_network_bits(bits)
    rng, letters = np.random.default_rng(1), sorted({c for s in SENTENCES for form in s.forms for c in form})
    made_up = ["".join(rng.choice(letters, rng.integers(3, 8))) for _ in range(5000)]
    sentences = [
        Sentence.from_words(words, upos=["NOUN"] * len(words))
        for words in (made_up[begin : begin + 10] for begin in range(0, len(made_up), 10))
    ]
    together = [parse.score for parse in parser.pipe(sentences * 2)]
    assert len(set(together)) == len(sentences)
    assert together[: len(sentences)] == together[len(sentences) :]
    for number in range(0, len(sentences), 25):
        fresh = Parser(parser.config, parser.weights)
        assert fresh(sentences[number]).score == together[number]


def test_a_sentence_of_thousands_of_words_is_tagged(tagger: Tagger, reader: Parser) -> None:
    words = [form for sentence in SENTENCES * 8 for form in sentence.forms]
    assert len(words) > 2002
    assert len(tagger.with_network(reader, 0.7)(words).upos) == len(words)


def test_files_and_pickles(pipeline: Pipeline, tmp_path: Path) -> None:
    pipeline.save(tmp_path / "p.hw")
    loaded, copied = Pipeline.load(tmp_path / "p.hw"), pickle.loads(pickle.dumps(pipeline))
    words = [sentence.forms for sentence in OTHERS]
    expected = [parse.to_sentence().to_bytes() for parse in pipeline.pipe_sentences(words)]
    for other in (loaded, copied):
        assert other.tagger.config.network_weight == 0.7
        assert other.tagger.reader is other.parser
        assert [parse.to_sentence().to_bytes() for parse in other.pipe_sentences(words)] == expected
    alone = pickle.loads(pickle.dumps(pipeline.tagger))
    assert alone(words[0]).upos == pipeline.tagger(words[0]).upos


def test_another_parser_brings_its_network(pipeline: Pipeline, reader: Parser, tagger: Tagger) -> None:
    other = with_random_network(
        Parser(replace(reader.config, network=None), reader.weights), len(tagger.config.tags), seed=2
    )
    changed = Pipeline(pipeline.tokenizer, pipeline.tagger, other)
    assert changed.tagger.reader is other
    sentence = OTHERS[0]
    assert changed.tagger.marginals(sentence) != pipeline.tagger.marginals(sentence)


def test_a_tagger_that_hears_is_no_file_of_its_own(pipeline: Pipeline, tmp_path: Path) -> None:
    with pytest.raises(HeadwiseError, match="save the pipeline"):
        pipeline.tagger.save(tmp_path / "t.hw")
    config, tensors = pipeline.tagger.to_tensors()
    write_model(tmp_path / "t.hw", "tagger", config, tensors)
    with pytest.raises(ModelError, match="network of a pipeline"):
        Tagger.load(tmp_path / "t.hw")


def test_networks_that_do_not_fit_are_refused(
    pipeline: Pipeline, tagger: Tagger, reader: Parser, tmp_path: Path
) -> None:
    without = Parser(replace(reader.config, network=None), reader.weights)
    with pytest.raises(ValueError, match="no network"):
        tagger.with_network(without, 1.0)
    with pytest.raises(ValueError, match="other tags"):
        tagger.with_network(with_random_network(without, len(tagger.config.tags) + 1), 1.0)
    with pytest.raises(ValueError, match="not negative"):
        tagger.with_network(reader, -1.0)
    pipeline.save(tmp_path / "p.hw")
    config, tensors = read_model(tmp_path / "p.hw", "pipeline")
    config["parser"]["network"]["tag_count"] += 1
    write_model(tmp_path / "p.hw", "pipeline", config, tensors)
    with pytest.raises(ModelError):
        Pipeline.load(tmp_path / "p.hw")


def test_the_development_set_chooses_the_weight(tagger: Tagger, reader: Parser) -> None:
    messages: list[str] = []
    listener = Listener(message=messages.append)
    chosen = with_network_opinion(tagger, reader, OTHERS, listener=listener)
    assert chosen.config.network_weight in (None, *WEIGHTS)
    assert len(messages) >= len(WEIGHTS)
    assert with_network_opinion(tagger, reader, [], listener=listener).config.network_weight is not None


def test_words_are_read_without_tags(reader: Parser) -> None:
    config = reader.config.network
    assert config is not None
    shape = config.shape(np.asarray(reader.weights["vocabulary"]), len(reader.config.labels))
    for sentence in OTHERS:
        bare = type(sentence).from_words(sentence.forms)
        assert shape.vector_rows(bare) == shape.vector_rows(sentence)


def test_a_network_in_bytes_says_nearly_the_same(tagger: Tagger, reader: Parser) -> None:
    network = reader.config.network
    assert network is not None
    own = {name: np.asarray(reader.weights[name]) for name in network.table_names}
    config, tables = network.with_bits(8, own, len(reader.config.labels))
    weights = {name: table for name, table in reader.weights.items() if name not in own}
    rounded = Parser(replace(reader.config, network=config), {**weights, **tables})
    for sentence in OTHERS:
        exact, near = (
            tagger.with_network(parser, 1.0).lattice(sentence)._scores for parser in (reader, rounded)
        )
        assert np.abs(exact - near).max() < 0.25
        assert np.corrcoef(exact, near)[0, 1] > 0.999
    pipeline = Pipeline(Tokenizer.train(SENTENCES), tagger.with_network(rounded, 0.7), rounded)
    words = [sentence.forms for sentence in OTHERS]
    one_by_one = [next(pipeline.pipe_sentences([own])).to_sentence().to_bytes() for own in words]
    together = [parse.to_sentence().to_bytes() for parse in pipeline.pipe_sentences(words, threads=2)]
    assert together == one_by_one
