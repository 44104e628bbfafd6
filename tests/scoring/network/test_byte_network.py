"""A network in bytes: every kernel against the plain one, the whole against the reference and the floats."""

from __future__ import annotations

import os
from dataclasses import replace
from pathlib import Path

import numpy as np
import numpy.typing as npt
import pytest

from command_runner import CliRunner
from headwise import Parser
from headwise._native import scoring as native
from headwise.cli.app import app
from headwise.model import ModelError, read_model, write_model
from headwise.model.compression import compress_model
from headwise.model.packing import bytes_in_steps
from headwise.reference.network import head_log_probabilities, label_log_probabilities
from headwise.training import TrainingSettings, train_parser
from headwise.treebank import Sentence
from toy_language import SMALL, toy_treebank
from vector_widths import outputs_at_every_width

SETTINGS = TrainingSettings.preset(
    **{**SMALL, "preset": "second"}, network=True, network__width=16, network__bits=32, rules=()
)
TREEBANK = toy_treebank(60, seed=1)
TOLERANCE = 0.05
"""Of log-probabilities, in bytes and in floats."""
Floats = npt.NDArray[np.float32]


@pytest.fixture(scope="module")
def in_floats() -> Parser:
    return train_parser(TREEBANK, None, SETTINGS)


@pytest.fixture(scope="module")
def in_bytes(in_floats: Parser) -> Parser:
    return in_floats.with_network_bits(8)


def widest(values: Floats, axis: int) -> Floats:
    most: Floats = np.abs(values).max(axis=axis, keepdims=True)
    return most


def product_in_whole_numbers(rows: Floats, matrix: Floats) -> Floats:
    """What a kernel is to compute, in the same roundings."""
    limit = np.float32(127)
    scales, column_scales = widest(rows, 1) / limit, widest(matrix, 0) / limit
    with np.errstate(divide="ignore", invalid="ignore"):
        steps = np.where(scales > 0, limit / widest(rows, 1), np.float32(0))
        stored = np.where(column_scales > 0, np.rint(matrix / column_scales), 0)
    sums = np.rint(rows * steps).astype(np.int64) @ stored.astype(np.int64)
    made: Floats = sums.astype(np.float32) * (scales * column_scales)
    return made


def test_the_plain_kernel_is_always_there() -> None:
    assert native.byte_kernels()[-1] == "plain"
    with pytest.raises(ValueError, match="no kernel"):
        native.multiply_bytes("abacus", np.ones(1, np.float32), np.ones(1, np.float32), 1)


@pytest.mark.parametrize("kernel", native.byte_kernels())
@pytest.mark.parametrize(
    ("rows", "inner", "columns"),
    [(1, 1, 1), (1, 400, 64), (3, 5, 17), (7, 64, 48), (8, 16, 96), (17, 33, 130), (30, 129, 15)],
)
def test_every_kernel_gives_the_bytes_of_whole_numbers(
    kernel: str, rows: int, inner: int, columns: int
) -> None:
    rng = np.random.default_rng(rows)
    a = rng.normal(size=(rows, inner)).astype(np.float32)
    b = rng.normal(size=(inner, columns)).astype(np.float32)
    a[-1], b[:, -1] = 0, 0
    if rows > 2:  # as large as sums can be, of either sign
        a[0], a[1], b[:, 0] = 1, -1, 1
    found = native.multiply_bytes(kernel, a.ravel(), b.ravel(), inner).reshape(rows, columns)
    assert found.tobytes() == product_in_whole_numbers(a, b).tobytes()


@pytest.mark.parametrize("kernel", native.byte_kernels())
def test_products_of_bytes_are_near_those_of_floats(kernel: str) -> None:
    rng = np.random.default_rng(1)
    a, b = rng.normal(size=(20, 400)).astype(np.float32), rng.normal(size=(400, 100)).astype(np.float32)
    found = native.multiply_bytes(kernel, a.ravel(), b.ravel(), 400).reshape(20, 100)
    typical = np.sqrt(400)
    assert np.sqrt(np.mean((found - a @ b) ** 2)) < 0.015 * typical


def test_rounded_weights_come_back(in_floats: Parser, in_bytes: Parser) -> None:
    again = in_bytes.with_network_bits(32)
    for name in ("network", "vectors"):
        before, after = in_floats.weights[name], again.weights[name]
        assert np.abs(before - after).max() <= np.abs(before).max() / 127 / 2 * 1.001
        assert np.count_nonzero(before != after) > len(before) / 2
    # What is rounded already is rounded no further, but for the scales' last bits.
    twice = again.with_network_bits(8)
    for name in ("network", "vectors"):
        assert np.array_equal(twice.weights[name], in_bytes.weights[name])


def test_what_is_said_is_near_the_reference(in_floats: Parser, in_bytes: Parser) -> None:
    """To bytes of weights the reference is told; those of what they are multiplied by are the difference."""
    network = in_bytes.config.network
    assert network is not None
    restored = in_bytes.with_network_bits(32)
    weights, vectors = (restored.weights[name].astype(np.float64) for name in ("network", "vectors"))
    shape = network.shape(in_bytes.weights["vocabulary"], len(in_bytes.config.labels))
    silent = Parser(replace(in_bytes.config, network=replace(network, weight=0.0)), in_bytes.weights)
    differences = []
    for sentence in toy_treebank(10, seed=2):
        expected = head_log_probabilities(network, weights, vectors, shape.vector_rows(sentence))
        scores, without = in_bytes.arc_scores(sentence), silent.arc_scores(sentence)
        kept = np.isfinite(without)
        said = (scores[kept] - without[kept]) / network.weight
        likely = expected[kept] > np.log(1e-3)
        differences.append(np.abs(said - expected[kept])[likely])
    assert np.concatenate(differences).max() < TOLERANCE
    assert np.concatenate(differences).max() > 1e-6  # it is rounded


def test_trees_are_those_of_floats(in_floats: Parser, in_bytes: Parser) -> None:
    sentences = toy_treebank(50, seed=4)
    same = words = 0
    for ours, theirs in zip(in_bytes.pipe(sentences), in_floats.pipe(sentences), strict=True):
        same += sum(a == b for a, b in zip(ours.heads.tolist(), theirs.heads.tolist(), strict=True))
        same += sum(a == b for a, b in zip(ours.labels, theirs.labels, strict=True))
        words += 2 * len(ours.heads)
    assert same / words > 0.99


def test_labels_of_long_sentences_are_read_in_pieces(in_bytes: Parser) -> None:
    """Of 1,000 positions each, as if there were no others."""
    network = in_bytes.config.network
    assert network is not None
    silent = {**in_bytes.weights, "labels": np.zeros_like(in_bytes.weights["labels"])}
    parser = Parser(in_bytes.config, silent)
    restored = in_bytes.with_network_bits(32)
    words = np.random.default_rng(1).choice(["the", "dog", "sees", "a", "tree", "in", "."], 1500).tolist()
    sentence = Sentence.from_words(words, upos=["?"] * len(words))
    chain = np.arange(len(words), dtype=np.int32)
    found = parser.native.label_tree(sentence, chain)
    label_count = len(parser.config.labels)
    rows = network.shape(in_bytes.weights["vocabulary"], label_count).vector_rows(sentence)
    root = parser.label_ids(["root"])[0]
    for begin, end in ((0, 1000), (1000, 1501)):
        scores = label_log_probabilities(
            network,
            restored.weights["network"].astype(np.float64),
            restored.weights["vectors"].astype(np.float64),
            rows[begin:end],
            range(end - begin - 1),
            label_count,
        )
        scores[:, root] = -np.inf
        first = 1 if begin == 0 else 0
        own = found[begin : begin + len(scores)]
        lost = scores.max(axis=1) - scores[np.arange(len(scores)), own]
        assert lost[first:].max() < TOLERANCE


FINGERPRINT = """
import sys
sys.path.insert(0, sys.argv[1])
from headwise import Parser
from toy_language import toy_treebank
parser = Parser.load(sys.argv[2])
for sentence in toy_treebank(20, seed=5):
    print(parser(sentence).score.hex(), parser.arc_scores(sentence).tobytes().hex())
"""


def test_same_bytes_on_any_width_of_vectors(in_bytes: Parser, tmp_path: Path) -> None:
    in_bytes.save(tmp_path / "model.hw")
    (text,) = outputs_at_every_width(FINGERPRINT, os.path.dirname(__file__), str(tmp_path / "model.hw"))
    assert len(set(text.splitlines())) > 10


@pytest.mark.parametrize(("threads", "batch"), [(3, 512), (1, 3), (1, 1)])
def test_it_does_not_matter_what_is_read_together(in_bytes: Parser, threads: int, batch: int) -> None:
    sentences = toy_treebank(70, seed=6)
    together = list(in_bytes.pipe(sentences))
    for ours, theirs in zip(
        together, in_bytes.pipe(sentences, threads=threads, batch_size=batch), strict=True
    ):
        assert ours.score == theirs.score
        assert ours.heads.tolist() == theirs.heads.tolist()
        assert ours.labels == theirs.labels


def test_training_writes_bytes_unless_told_otherwise(in_floats: Parser, in_bytes: Parser) -> None:
    by_default = train_parser(TREEBANK, None, SETTINGS.changed(network__bits=8))
    assert TrainingSettings.preset("third", network=True).network.bits == 8
    assert by_default.config.network == in_bytes.config.network
    for name, table in in_bytes.weights.items():
        assert table.tobytes() == by_default.weights[name].tobytes()
    assert in_floats.config.network is not None
    assert in_floats.config.network.bits == 32
    with pytest.raises(ValueError, match=r"network.bits is 16"):
        SETTINGS.changed(network__bits=16)


def test_a_file_of_bytes(in_floats: Parser, in_bytes: Parser, tmp_path: Path) -> None:
    sizes = {}
    for name, parser in (("floats", in_floats), ("bytes", in_bytes)):
        parser.save(tmp_path / f"{name}.hw")
        tables = read_model(tmp_path / f"{name}.hw", "parser")[1]
        sizes[name] = sum(tables[table].nbytes for table in tables if table in ("network", "vectors"))
    assert sizes["bytes"] < sizes["floats"] / 3.9
    loaded = Parser.load(tmp_path / "bytes.hw")
    for ours, theirs in zip(in_bytes.pipe(TREEBANK), loaded.pipe(TREEBANK), strict=True):
        assert ours.score == theirs.score


def test_a_file_that_says_nothing_of_bits_holds_floats(in_floats: Parser, tmp_path: Path) -> None:
    config, tensors = in_floats.to_tensors()
    network = {name: value for name, value in config["network"].items() if name != "bits"}
    write_model(tmp_path / "old.hw", "parser", {**config, "network": network}, tensors)
    loaded = Parser.load(tmp_path / "old.hw")
    assert loaded.config == in_floats.config
    sentence = TREEBANK[0]
    assert loaded.arc_scores(sentence).tobytes() == in_floats.arc_scores(sentence).tobytes()


@pytest.mark.parametrize("bits", [8, 32])
def test_compressing(in_floats: Parser, in_bytes: Parser, tmp_path: Path, bits: int) -> None:
    """Layers stay as they are, whatever else is rounded; vectors get few different numbers, and one scale."""
    in_floats.save(tmp_path / "model.hw")
    compress_model(tmp_path / "model.hw", tmp_path / "small.hw", coarseness=0.25, network_bits=bits)
    small = Parser.load(tmp_path / "small.hw")
    assert small.config.network is not None
    assert small.config.network.bits == bits
    if bits == 8:
        for name in ("network", "network_scales"):
            assert np.array_equal(small.weights[name], in_bytes.weights[name])
        step = set(small.weights["vector_scales"].tolist())
        assert len(step) == 1
        different = [len(np.unique(parser.weights["vectors"])) for parser in (small, in_bytes)]
        assert different[0] < different[1] / 2
        before, after = (parser.with_network_bits(32).weights["vectors"] for parser in (in_bytes, small))
        assert 0 < np.abs(before - after).max() <= 0.501 * step.pop()
        assert not np.array_equal(small.weights["arcs"], in_bytes.weights["arcs"])


def test_compress_on_the_command_line(in_floats: Parser, in_bytes: Parser, tmp_path: Path) -> None:
    model, small = str(tmp_path / "model.hw"), str(tmp_path / "small.hw")
    in_floats.save(model)

    def compressed(*options: str) -> Parser:
        result = CliRunner().invoke(app, ["compress", model, "-o", small, *options])
        assert result.exit_code == 0, result.output
        return Parser.load(small)

    for options, expected in (
        ((), 8),
        (("--exact",), 32),
        (("--network-bits", "32"), 32),
        (("--exact", "--network-bits", "8"), 8),
    ):
        network = compressed(*options).config.network
        assert network is not None
        assert network.bits == expected
    exact = compressed("--exact", "--network-bits", "8")
    for name, table in in_bytes.weights.items():
        assert np.array_equal(table, exact.weights[name])
    refused = CliRunner().invoke(app, ["compress", model, "-o", small, "--network-bits", "16"])
    assert refused.exit_code == 2


def test_damaged_bytes_are_refused(in_bytes: Parser, tmp_path: Path) -> None:
    config, tensors = in_bytes.to_tensors()
    for name, damaged in (
        ("network", np.zeros_like(tensors["network"])),
        ("vectors", tensors["vectors"][:-1]),
        ("network_scales", np.full_like(tensors["network_scales"], np.nan)),
    ):
        write_model(tmp_path / "bad.hw", "parser", config, {**tensors, name: damaged})
        with pytest.raises(ModelError, match=name):
            Parser.load(tmp_path / "bad.hw")
    network = {**config["network"], "bits": 12}
    write_model(tmp_path / "bad.hw", "parser", {**config, "network": network}, tensors)
    with pytest.raises(ModelError, match="bits are 12"):
        Parser.load(tmp_path / "bad.hw")


def test_vectors_in_steps_are_rounded_once() -> None:
    rng = np.random.default_rng(1)
    stored = np.clip(np.rint(rng.normal(128, 40, (500, 16))), 1, 255).astype(np.uint8).ravel()
    scales = rng.uniform(0.01, 0.02, 500).astype(np.float32)
    for coarseness in (0.25, 0.7, 2.0):
        once = bytes_in_steps(stored, scales, coarseness)
        assert len(set(once[1].tolist())) == 1
        again = bytes_in_steps(*once, coarseness)
        for ours, theirs in zip(once, again, strict=True):
            assert np.array_equal(ours, theirs)
        coarser = bytes_in_steps(*once, 2 * coarseness)
        assert coarser[1][0] > 1.5 * once[1][0]
