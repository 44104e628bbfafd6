"""A parser with several networks: their mean against the reference and against each alone, files, errors."""

from __future__ import annotations

import pickle
from dataclasses import replace
from pathlib import Path

import numpy as np
import numpy.typing as npt
import pytest

from headwise import Parser
from headwise.components.network.config import NetworkConfig
from headwise.components.parser.config import ParserConfig
from headwise.model import ModelError, read_model, write_model
from headwise.model.compression import compress_model
from headwise.model.file import ModelFile
from headwise.model.schema import from_json, to_json
from headwise.reference.network import head_log_probabilities, label_log_probabilities
from headwise.training import TrainingSettings, train_parser
from toy_language import SMALL, toy_treebank

FIXTURES = Path(__file__).parents[2] / "fixtures" / "models"
TREEBANK, OTHERS = toy_treebank(40, seed=1), toy_treebank(30, seed=2)
WIDTHS = NetworkConfig(vectors=12, lstm=16, layers=2, arcs=10, labels=9, weight=1.0)
Three = tuple[Parser, Parser, Parser]
Doubles = npt.NDArray[np.float64]
OF_A_MEMBER = ("network", "vectors")


def with_networks(parser: Parser, vocabulary: npt.NDArray[np.int64], *seeds: int) -> Parser:
    """A parser with networks of random numbers, each by a seed of its own."""
    config = replace(WIDTHS, members=len(seeds))
    shape = config.shape(vocabulary, len(parser.config.labels))
    tables: dict[str, npt.NDArray[np.float32]] = {}
    for number, seed in enumerate(seeds, 1):
        rng, suffix = np.random.default_rng(seed), f".{number}" if number > 1 else ""
        sizes = (shape.weight_count, shape.vector_count)
        for name, size in zip(OF_A_MEMBER, sizes, strict=True):
            tables[name + suffix] = rng.normal(scale=0.5, size=size).astype(np.float32)
    others = {name: parser.weights[name] for name in ("arcs", "labels")}
    return Parser(replace(parser.config, network=config), {**others, **tables, "vocabulary": vocabulary})


@pytest.fixture(scope="module")
def parsers() -> Three:
    """Networks alone: one, another, and both."""
    settings = TrainingSettings.preset("network", network={"width": 16, "epochs": 1, "bits": 32})
    trained = train_parser(TREEBANK, None, replace(settings, calibrate=False, rules=()))
    vocabulary = np.asarray(trained.weights["vocabulary"])
    one, other, both = (with_networks(trained, vocabulary, *seeds) for seeds in ((1,), (2,), (1, 2)))
    return one, other, both


def mean_of(one: Doubles, other: Doubles) -> Doubles:
    mean: Doubles = (one + other) / 2
    return mean


def test_what_is_said_is_the_mean_of_the_reference(parsers: Three) -> None:
    both = parsers[2]
    network, labels = both.config.network, len(both.config.labels)
    assert network is not None
    shape = network.shape(both.weights["vocabulary"], labels)
    for sentence in OTHERS[:5]:
        rows, heads = shape.vector_rows(sentence), sentence.heads
        arcs, of_labels = [], []
        for number in (1, 2):
            own = network.member(number, both.weights)
            weights, vectors = (own[name].astype(np.float64) for name in OF_A_MEMBER)
            arcs.append(head_log_probabilities(network, weights, vectors, rows))
            of_labels.append(label_log_probabilities(network, weights, vectors, rows, heads, labels))
        found = both.arc_scores(sentence)
        kept = np.isfinite(found)
        assert np.count_nonzero(kept) > len(sentence)
        np.testing.assert_allclose(found[kept], mean_of(*arcs)[kept], atol=1e-4)
        assert np.abs(arcs[0][kept] - arcs[1][kept]).max() > 0.1
        scores = both.native.label_scores(sentence, heads).reshape(len(sentence), labels)
        kept = np.isfinite(scores)
        np.testing.assert_allclose(scores[kept], mean_of(*of_labels)[kept], atol=1e-4)


@pytest.mark.parametrize("bits", [8, 32])
def test_it_is_the_mean_of_each_alone(parsers: Three, bits: int) -> None:
    one, other, both = (parser.with_network_bits(bits) for parser in parsers)
    for sentence in OTHERS:
        found = both.arc_scores(sentence)
        expected = mean_of(one.arc_scores(sentence), other.arc_scores(sentence))
        np.testing.assert_allclose(found, expected, rtol=1e-12)
        heads = both(sentence).heads
        labels = mean_of(*(p.native.label_scores(sentence, heads) for p in (one, other)))
        np.testing.assert_allclose(both.native.label_scores(sentence, heads), labels, atol=1e-5)


def test_a_weight_is_that_of_all_together(parsers: Three) -> None:
    both, sentence = parsers[2], OTHERS[0]
    heavier = both.with_network_weight(2.0)
    assert heavier.config.network is not None
    assert heavier.config.network.members == 2
    np.testing.assert_allclose(heavier.arc_scores(sentence), 2 * both.arc_scores(sentence), rtol=1e-12)


@pytest.mark.parametrize("bits", [8, 32])
@pytest.mark.parametrize(("threads", "batch"), [(3, 512), (1, 3), (1, 1)])
def test_it_does_not_matter_what_is_read_together(
    parsers: Three, bits: int, threads: int, batch: int
) -> None:
    both, sentences = parsers[2].with_network_bits(bits), [*OTHERS, *OTHERS[:5]]
    alone = [both(sentence) for sentence in sentences]
    together = list(both.pipe(sentences, threads=threads, batch_size=batch))
    assert [parse.score for parse in together] == [parse.score for parse in alone]
    assert [parse.heads.tolist() for parse in together] == [parse.heads.tolist() for parse in alone]
    assert [parse.labels for parse in together] == [parse.labels for parse in alone]


@pytest.mark.parametrize("bits", [8, 32])
def test_files_and_pickles(parsers: Three, bits: int, tmp_path: Path) -> None:
    both = parsers[2].with_network_bits(bits)
    both.save(tmp_path / "m.hw")
    config, tensors = read_model(tmp_path / "m.hw", Parser.KIND)
    assert config["network"]["members"] == 2
    assert {"network", "network.2", "vectors", "vectors.2", "vocabulary"} <= tensors.keys()
    assert ("network_scales.2" in tensors) == ("vector_scales.2" in tensors) == (bits == 8)
    for other in (Parser.load(tmp_path / "m.hw"), pickle.loads(pickle.dumps(both))):
        assert other.config == both.config
        for ours, theirs in zip(both.pipe(OTHERS), other.pipe(OTHERS), strict=True):
            assert ours.score == theirs.score


def test_compressing(parsers: Three, tmp_path: Path) -> None:
    in_floats = parsers[2]
    in_floats.save(tmp_path / "m.hw")
    in_bytes = in_floats.with_network_bits(8)
    compress_model(tmp_path / "m.hw", tmp_path / "small.hw", coarseness=0.25, network_bits=8)
    small = Parser.load(tmp_path / "small.hw")
    assert small.config.network == in_bytes.config.network
    assert in_bytes.config.network is not None
    for name in in_bytes.config.network.table_names:
        is_rounded = name.startswith("vector")  # vectors and their scales, of both
        assert np.array_equal(small.weights[name], in_bytes.weights[name]) != is_rounded
    again = in_bytes.with_network_bits(32)
    for name in ("network.2", "vectors.2"):
        assert np.median(np.abs(again.weights[name] - in_floats.weights[name])) < 0.01
    both = [parser.with_network_bits(32).weights["vectors.2"] for parser in (small, in_bytes)]
    assert 0 < np.abs(both[0] - both[1]).max() <= 0.501 * small.weights["vector_scales.2"][0]


def test_a_single_network_is_written_as_ever(parsers: Three, tmp_path: Path) -> None:
    """Nothing in the file says that there could be others, and what was written before is written again."""
    parsers[0].save(tmp_path / "m.hw")
    config, tensors = read_model(tmp_path / "m.hw", Parser.KIND)
    assert "members" not in config["network"]
    assert tensors.keys() == {"arcs", "labels", "network", "vectors", "vocabulary"}
    settings = TrainingSettings.preset(**{**SMALL, "preset": "second"}, network=True, network__width=16)
    trained = train_parser(TREEBANK[:5], None, replace(settings, calibrate=False))
    assert "members" not in trained.config.training["settings"]["network"]
    old = ModelFile.open(FIXTURES / "format-2-network.hw").config
    assert old["network"] is not None
    assert to_json(from_json(ParserConfig, old))["network"].keys() - old["network"].keys() <= {
        "given",
        "pieces",
        "tags",
        "tag_count",
        "bits",
    }


@pytest.mark.parametrize("bits", [8, 32])
@pytest.mark.parametrize("name", ["network.2", "vectors.2", "network_scales.2", "vector_scales.2"])
def test_damaged_tables_are_refused(parsers: Three, bits: int, name: str, tmp_path: Path) -> None:
    path = tmp_path / "m.hw"
    config, tensors = parsers[2].with_network_bits(bits).to_tensors()
    if name not in tensors:
        pytest.skip("floats have no scales")
    write_model(path, Parser.KIND, config, {**tensors, name: tensors[name][:-16]})
    with pytest.raises(ModelError, match=name):
        Parser.load(path)
    if tensors[name].dtype == np.float32:
        write_model(path, Parser.KIND, config, {**tensors, name: np.full_like(tensors[name], np.nan)})
        with pytest.raises(ModelError, match=name):
            Parser.load(path)
    write_model(path, Parser.KIND, config, {n: table for n, table in tensors.items() if n != name})
    with pytest.raises(ModelError, match=name):
        Parser.load(path)


@pytest.mark.parametrize("members", [0, 1, 3, 17, 2.0, None])
def test_wrong_numbers_of_members_are_refused(parsers: Three, members: object, tmp_path: Path) -> None:
    config, tensors = parsers[2].to_tensors()
    config["network"]["members"] = members
    write_model(tmp_path / "m.hw", Parser.KIND, config, tensors)
    with pytest.raises(ModelError, match=r"m\.hw"):
        Parser.load(tmp_path / "m.hw")
