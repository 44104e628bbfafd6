"""Several networks for one parser: trained one after the other or joined later, interrupted, commands."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from command_runner import CliRunner
from headwise import Parser
from headwise.base.errors import HeadwiseError
from headwise.cli.app import app
from headwise.components.network import training as network
from headwise.learning.loop import DivergedError, EpochReport, Listener
from headwise.training import TrainingSettings, settings_for, train_parser
from headwise.training.members import joined, member_seed
from headwise.training.run import Run
from headwise.treebank import Sentence, write
from toy_language import SMALL, toy_treebank

TREEBANK, OTHERS = toy_treebank(40, seed=1), toy_treebank(12, seed=2)
SMALL_NETWORK = {"width": 16, "epochs": 2}
ALONE = replace(
    TrainingSettings.preset("network", network={**SMALL_NETWORK, "bits": 32}), calibrate=False, rules=()
)
BESIDE = TrainingSettings.preset(
    **{**SMALL, "preset": "second"}, network={**SMALL_NETWORK, "use": True}, calibrate=False
)


def trained(settings: TrainingSettings, members: int = 1, **options: Any) -> Parser:
    return train_parser(TREEBANK, None, settings.changed(network__members=members), **options)


@pytest.fixture(scope="module")
def single() -> Parser:
    return trained(ALONE)


@pytest.fixture(scope="module")
def pair() -> Parser:
    return trained(ALONE, members=2)


def table_bytes(parser: Parser) -> dict[str, bytes]:
    return {name: np.asarray(table).tobytes() for name, table in parser.weights.items()}


def members_of(parser: Parser) -> int:
    assert parser.config.network is not None
    return parser.config.network.members


def test_the_first_is_that_of_a_run_without_others(single: Parser, pair: Parser) -> None:
    assert members_of(single) == 1
    assert members_of(pair) == 2
    alone, both = table_bytes(single), table_bytes(pair)
    assert both.keys() - alone.keys() == {"network.2", "vectors.2"}
    assert all(both[name] == table for name, table in alone.items())
    assert both["network"] != both["network.2"]
    assert both["vectors"] != both["vectors.2"]


def test_the_second_is_that_of_another_seed(pair: Parser) -> None:
    other = trained(replace(ALONE, seed=member_seed(ALONE.seed, 2)))
    for name in ("network", "vectors"):
        assert table_bytes(pair)[f"{name}.2"] == table_bytes(other)[name]


def test_same_bytes_every_time(pair: Parser, tmp_path: Path) -> None:
    again = trained(replace(ALONE, threads=2), members=2)
    for name, parser in (("one.hw", pair), ("other.hw", again)):
        parser.save(tmp_path / name)
    assert (tmp_path / "one.hw").read_bytes() == (tmp_path / "other.hw").read_bytes()


def test_beside_features_with_a_development_set(monkeypatch: pytest.MonkeyPatch) -> None:
    # The toy language is so easy that a network cannot help, and would not be kept.
    monkeypatch.setattr(Run, "better", lambda self, parser, what: replace(self, parser=parser))
    messages: list[str] = []
    parser = train_parser(
        TREEBANK,
        OTHERS,
        BESIDE.changed(network={"members": 2, "weight": None}, epochs=1),
        listener=Listener(message=messages.append),
    )
    assert "network 2 of 2, with another seed" in messages
    assert any(message.startswith("the network counts") for message in messages)
    assert members_of(parser) == 2
    assert "network_scales.2" in parser.weights


@pytest.mark.parametrize("settings", [ALONE, BESIDE], ids=["alone", "beside features"])
def test_an_interruption_keeps_the_networks_that_are_finished(settings: TrainingSettings) -> None:
    messages: list[str] = []

    def stop(epoch: int, fraction: float) -> None:
        if "network 3 of 3, with another seed" in messages:
            raise KeyboardInterrupt

    listener = Listener(message=messages.append, progress=stop)
    parser = trained(settings, members=3, listener=listener)
    assert members_of(parser) == 2
    assert "vectors.3" not in parser.weights
    assert parser.config.training["interrupted"]
    assert messages[-1] == "network 3 is left out; 2 of 3 are kept"
    assert len(parser(OTHERS[0]).heads) == len(OTHERS[0])


def test_an_interruption_of_the_first_one_is_as_ever() -> None:
    def stop(report: EpochReport) -> None:
        if report.epochs == SMALL_NETWORK["epochs"]:
            raise KeyboardInterrupt

    assert trained(BESIDE, members=2, listener=Listener(epoch=stop)).config.network is None
    assert members_of(trained(ALONE, members=2, listener=Listener(epoch=stop))) == 1


def raised_by_the_second(monkeypatch: pytest.MonkeyPatch, error: type[BaseException]) -> None:
    train = network.train_network

    def sometimes(examples: Any, labels: int, settings: TrainingSettings, *others: Any, **more: Any) -> Any:
        if settings.seed == member_seed(ALONE.seed, 2):
            raise error
        return train(examples, labels, settings, *others, **more)

    monkeypatch.setattr(network, "train_network", sometimes)


def test_an_interruption_before_a_network_begins(monkeypatch: pytest.MonkeyPatch) -> None:
    raised_by_the_second(monkeypatch, KeyboardInterrupt)
    parser = trained(BESIDE, members=3)
    assert members_of(parser) == 1
    assert parser.config.training["interrupted"]


def test_one_that_diverges_is_left_out(monkeypatch: pytest.MonkeyPatch) -> None:
    raised_by_the_second(monkeypatch, DivergedError)
    parser = trained(ALONE, members=3)
    assert members_of(parser) == 2
    third = trained(replace(ALONE, seed=member_seed(ALONE.seed, 3)))
    assert table_bytes(parser)["network.2"] == table_bytes(third)["network"]


def test_joined_after_training(single: Parser, pair: Parser) -> None:
    other = trained(replace(ALONE, seed=member_seed(ALONE.seed, 2)))
    both = joined([single, other])
    assert both.config.network == pair.config.network
    assert table_bytes(both) == table_bytes(pair)
    three = joined([pair, single])
    assert members_of(three) == 3
    assert table_bytes(three)["vectors.3"] == table_bytes(single)["vectors"]
    sentence = OTHERS[0]
    expected = (2 * pair.arc_scores(sentence) + single.arc_scores(sentence)) / 3
    np.testing.assert_allclose(three.arc_scores(sentence), expected, rtol=1e-9)
    assert table_bytes(joined([single])) == table_bytes(single)


def test_joined_in_the_bits_of_the_first(single: Parser) -> None:
    in_bytes = single.with_network_bits(8)
    both = joined([in_bytes, single])
    assert both.config.network is not None
    assert both.config.network.bits == 8
    for name in ("network", "network_scales", "vectors", "vector_scales"):
        assert np.array_equal(both.weights[f"{name}.2"], in_bytes.weights[name])


def test_networks_beside_the_features_of_another_parser(pair: Parser) -> None:
    """Of a parser as it is, and of one that is trained."""
    features = train_parser(TREEBANK, None, BESIDE.changed(network=False))
    both = joined([features, pair], weight=0.5)
    network = both.config.network
    assert network is not None
    assert (network.members, network.weight) == (2, 0.5)
    by_training = train_parser(
        TREEBANK, None, BESIDE.changed(network__weight=0.5, network__bits=32), network=pair
    )
    assert by_training.config.network == network
    assert table_bytes(by_training) == table_bytes(both)
    for ours, theirs in zip(both.pipe(OTHERS), by_training.pipe(OTHERS), strict=True):
        assert ours.score == theirs.score


@pytest.fixture
def word_files(tmp_path: Path) -> dict[str, Any]:
    """Settings that name clusters and vectors of the treebank's words."""
    forms = sorted({form.lower() for sentence in TREEBANK for form in sentence.forms})
    clusters, vectors = tmp_path / "clusters.txt", tmp_path / "vectors.txt"
    clusters.write_text("".join(f"{number % 4:02b}\t{form}\t1\n" for number, form in enumerate(forms)))
    numbers = np.random.default_rng(1).normal(size=(len(forms), 3))
    rows = (f"{form} {' '.join(map(str, row))}\n" for form, row in zip(forms, numbers, strict=True))
    vectors.write_text(f"{len(forms)} 3\n{''.join(rows)}")
    return {"words__clusters": (str(clusters),), "words__vectors": str(vectors)}


@pytest.mark.parametrize("knows_clusters", [False, True])
def test_a_network_may_know_more_of_words_than_the_features(
    word_files: dict[str, Any], knows_clusters: bool
) -> None:
    network = trained(ALONE.changed(**word_files))
    known = {"words__clusters": word_files["words__clusters"]} if knows_clusters else {}
    features = train_parser(TREEBANK, None, BESIDE.changed(network=False, **known))
    both = joined([features, network], weight=0.5)
    assert both.config.words == network.config.words
    for sentence in OTHERS:
        expected = features.arc_scores(sentence) + 0.5 * network.arc_scores(sentence)
        np.testing.assert_allclose(both.arc_scores(sentence), expected, rtol=1e-5, atol=1e-5)


def test_features_of_other_clusters_are_refused(word_files: dict[str, Any], tmp_path: Path) -> None:
    others = tmp_path / "others.txt"
    others.write_text("0\tthe\t1\n1\ta\t1\n")
    features = train_parser(TREEBANK, None, BESIDE.changed(network=False, words__clusters=(str(others),)))
    with pytest.raises(HeadwiseError, match="other clusters or vectors"):
        joined([features, trained(ALONE.changed(**word_files))])


def relabelled(sentences: list[Sentence], old: str, new: str) -> list[Sentence]:
    return [s.with_tree(s.heads, [new if label == old else label for label in s.labels]) for s in sentences]


def test_what_does_not_fit_is_refused(single: Parser) -> None:
    features = train_parser(TREEBANK, None, BESIDE.changed(network=False))
    with pytest.raises(HeadwiseError, match="none of the parsers"):
        joined([features])
    with pytest.raises(HeadwiseError, match="none of the parsers"):
        joined([])
    other_labels = train_parser(relabelled(TREEBANK, "det", "dep"), None, ALONE)
    with pytest.raises(HeadwiseError, match=r"parser 2 .* other labels"):
        joined([single, other_labels])
    with pytest.raises(HeadwiseError, match="other labels"):
        train_parser(TREEBANK, None, BESIDE, network=other_labels)
    with pytest.raises(HeadwiseError, match="has none"):
        train_parser(TREEBANK, None, BESIDE, network=features)
    vocabulary = np.asarray(single.weights["vocabulary"])
    order = replace(single.config, labels=single.config.labels[::-1])
    with pytest.raises(HeadwiseError, match="another order"):
        joined([single, Parser(order, single.weights)])
    with pytest.raises(HeadwiseError, match="another shape"):
        joined([single, trained(ALONE.changed(network__width=32))])
    with pytest.raises(HeadwiseError, match="another vocabulary"):
        joined([single, Parser(single.config, {**single.weights, "vocabulary": vocabulary[::-1].copy()})])
    with pytest.raises(HeadwiseError, match="at most 16 networks"):
        joined([single] * 17)


@pytest.mark.parametrize("members", [0, 17])
def test_wrong_numbers_are_refused(members: int) -> None:
    with pytest.raises(ValueError, match=rf"network.members is {members}"):
        BESIDE.changed(network__members=members)


def test_several_networks_need_one() -> None:
    with pytest.raises(ValueError, match=r"network.members is 2.*network=True"):
        TrainingSettings.preset("second", network__members=2)
    with pytest.raises(ValueError, match="encoder"):
        TrainingSettings.preset("network", torch={"use": True, "encoder": "folder"}, network__members=2)


def test_who_asks_for_several_gets_them_from_large_treebanks_too(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("headwise.training.default_preset.ACCURATE_WORDS", 10)
    assert not settings_for(TREEBANK, Listener()).has_network
    assert settings_for(TREEBANK, Listener(), network__members=2).has_network


def test_on_the_command_line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("headwise.components.network.size.NATIVE_EPOCHS", (1, 1))
    model = str(tmp_path / "m.hw")
    write(TREEBANK[:20], tmp_path / "train.conllu")
    train = ["train", str(tmp_path / "train.conllu"), "-o", model, "--no-calibration", "--epochs", "1"]

    def run(*arguments: str) -> str:
        result = CliRunner().invoke(app, arguments)
        assert result.exit_code == 0, result.output
        return result.output

    run(*train, "--preset", "fast", "--networks", "2")
    parser = Parser.load(model)
    assert members_of(parser) == 2
    assert parser.config.training["settings"]["network"]["members"] == 2
    assert "2, each 2 layers of 256 in each direction, of 8 bits; their mean opinion" in " ".join(
        run("info", model).split()
    )
    run("compress", model, "-o", str(tmp_path / "small.hw"))
    assert members_of(Parser.load(tmp_path / "small.hw")) == 2
    run("parse", str(tmp_path / "train.conllu"), "-m", model, "-o", str(tmp_path / "out.conllu"))
    run(*train, "--preset", "fast", "--network", "--networks", "1")
    one = (tmp_path / "m.hw").read_bytes()
    run(*train, "--preset", "fast", "--network")
    assert (tmp_path / "m.hw").read_bytes() == one
    for wrong in (["--networks", "0"], ["--networks", "17"], ["--networks", "two"]):
        assert CliRunner().invoke(app, [*train, *wrong]).exit_code == 2
    refused = CliRunner().invoke(app, [*train, "--no-network", "--networks", "2"])
    assert refused.exit_code == 2
    assert "no network" in " ".join(refused.output.split())
