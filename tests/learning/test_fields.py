"""Every setting with wrong values: from Python, from the command line, and in a stored header."""

from __future__ import annotations

import types
from collections.abc import Iterator
from dataclasses import make_dataclass
from pathlib import Path
from typing import Any, Literal, get_args, get_origin, get_type_hints

import click
import pytest
from settings_page import PAGE, page

from command_runner import CliRunner
from headwise.base.errors import ModelError
from headwise.base.fields import Setting, SettingError, fields_of
from headwise.base.limits import Within
from headwise.cli.app import app
from headwise.cli.command import CommandOption
from headwise.components.network.config import NetworkConfig
from headwise.components.parser.config import ParserConfig
from headwise.components.pruner.config import PrunerConfig
from headwise.components.reranker.reranker import RerankerConfig
from headwise.components.reranker.settings import RerankerSettings
from headwise.components.tagging.settings import TaggerSettings
from headwise.components.tagging.tagger import TaggerConfig
from headwise.components.tensor.config import TensorConfig
from headwise.components.text.settings import TokenizerSettings
from headwise.components.text.tokenizer import TokenizerConfig
from headwise.components.whole_tree.config import WholeTreeConfig
from headwise.model.schema import from_json
from headwise.training.pipeline_settings import PipelineSettings
from headwise.training.pretraining_settings import PretrainingSettings
from headwise.training.settings import TrainingSettings
from headwise.treebank import write
from toy_language import toy_treebank

SETTINGS = (
    TrainingSettings,
    PipelineSettings,
    TaggerSettings,
    TokenizerSettings,
    RerankerSettings,
    PretrainingSettings,
)
ALL = [(kind, one) for kind in SETTINGS for one in fields_of(kind).values() if one.name != "templates"]
OTHER_TYPES: dict[Any, list[Any]] = {
    bool: ["yes", 2],
    int: ["many", 1.5, True, 1 << 70],
    float: ["much", True, [1.0]],
    str: [3, ("a",)],
}


def wrong_values(one: Setting) -> Iterator[Any]:
    """Of another type, another choice, too small, too large, no number at all."""
    kind = one.kind
    if get_origin(kind) is Literal:
        yield from ("no-such-choice", 3)
    elif get_origin(kind) is tuple:
        yield from ("text", 5, (None,))
    else:
        yield from OTHER_TYPES[kind]
    if kind is float:
        yield from (float("nan"), float("inf"))
    for limit in one.declared.limits:
        yield from limit.beyond()  # type: ignore[attr-defined]
    if types.NoneType not in get_args(one.hint):
        yield None


def made(kind: type, one: Setting, value: Any) -> Any:
    group, dot, name = one.name.rpartition(".")
    if not dot:
        return kind(**{name: value})
    if kind is PipelineSettings:
        return PipelineSettings().changed(**{group: {name: value}})
    return kind(**{group: {name: value}})


@pytest.mark.parametrize(("kind", "one"), ALL, ids=[f"{kind.__name__}.{one.name}" for kind, one in ALL])
def test_python_refuses_wrong_values(kind: type, one: Setting) -> None:
    for value in wrong_values(one):
        with pytest.raises(SettingError, match=one.name.rpartition(".")[2]):
            made(kind, one, value)


@pytest.mark.parametrize(("kind", "one"), ALL, ids=[f"{kind.__name__}.{one.name}" for kind, one in ALL])
def test_every_setting_says_what_it_is_for(kind: type, one: Setting) -> None:
    assert not one.declared.help[0].islower()
    assert one.declared.help.endswith(".")
    assert one.problem(one.default) is None


COMMANDS = {
    "train": (TrainingSettings, PipelineSettings),
    "rerank": (RerankerSettings,),
    "pretrain": (PretrainingSettings,),
}
TYPED = [
    (command, kind, one)
    for command, kinds in COMMANDS.items()
    for kind in kinds
    for one in fields_of(kind).values()
    if one.declared.option and one.kind not in (bool, str)
]


@pytest.mark.parametrize(
    ("command", "one"), [(c, o) for c, _, o in TYPED], ids=[f"{c}-{o.keyword}" for c, _, o in TYPED]
)
def test_the_command_line_refuses_wrong_values_by_the_name_of_the_option(
    command: str, one: Setting, tmp_path: Path
) -> None:
    write(toy_treebank(3, seed=1), tmp_path / "toy.conllu")
    option = str(one.declared.option)
    for value in wrong_values(one):
        is_list = isinstance(value, list | tuple)
        if value is None or isinstance(value, bool) or is_list != (get_origin(one.kind) is tuple):
            continue
        texts = list(value) if is_list else [str(value)]
        if None in texts:
            continue
        words = [word for text in texts for word in (option, text)]
        call = [command, str(tmp_path / "toy.conllu"), *words]
        call += ["--save" if command == "rerank" else "-o", str(tmp_path / "out")]
        result = CliRunner().invoke(app, call)
        assert result.exit_code == 2, (words, result.output)
        assert option in result.stderr, words
        assert not (tmp_path / "out").exists()


def test_options_are_those_of_the_fields() -> None:
    for command, kinds in COMMANDS.items():
        found = app.get_command(None, command)
        assert found is not None
        options = {name for one in found.params if isinstance(one, click.Option) for name in one.opts}
        for kind in kinds:
            for one in fields_of(kind).values():
                for name in filter(None, [one.declared.option, *(flag.name for flag in one.declared.flags)]):
                    assert name.partition("/")[0] in options
        assert all(one.help for one in found.params if isinstance(one, CommandOption))


STORED = [
    ("pruning.threshold", PrunerConfig, "threshold"),
    ("pruning.heads", PrunerConfig, "most_heads"),
    ("pruning.bits", PrunerConfig, "bits"),
    ("arc_bits", ParserConfig, "arc_bits"),
    ("label_bits", ParserConfig, "label_bits"),
    ("torch.layers", NetworkConfig, "layers"),
    ("torch.vectors", NetworkConfig, "vectors"),
    ("torch.arcs", NetworkConfig, "arcs"),
    ("torch.labels", NetworkConfig, "labels"),
    ("network.width", NetworkConfig, "lstm"),
    ("network.pieces", NetworkConfig, "pieces"),
    ("network.members", NetworkConfig, "members"),
    ("network.tags", NetworkConfig, "tags"),
    ("tensor.rank", TensorConfig, "rank"),
    ("whole_tree.bits", WholeTreeConfig, "bits"),
    ("whole_tree.restarts", WholeTreeConfig, "restarts"),
    ("k", RerankerConfig, "k"),
    ("bits", RerankerConfig, "bits"),
    ("bits", TokenizerConfig, "bits"),
    ("bits", TaggerConfig, "bits"),
]
"""Settings that a header stores, and where."""
OWNERS = {RerankerConfig: RerankerSettings, TokenizerConfig: TokenizerSettings, TaggerConfig: TaggerSettings}


@pytest.mark.parametrize(("name", "config", "field"), STORED)
def test_what_training_accepts_loading_accepts(name: str, config: Any, field: str) -> None:
    one = fields_of(OWNERS.get(config, TrainingSettings))[name]
    hint = get_type_hints(config, include_extras=True)[field]
    alone = make_dataclass("Alone", [(field, hint)])
    (limit,) = get_args(hint)[1:]
    chosen = one.declared.limits[-1]
    ends = [chosen.least, chosen.most] if isinstance(chosen, Within) else [chosen.step, chosen.most]  # type: ignore[attr-defined]
    for value in ends:
        if one.problem(value) is None and value != 0:  # 0 stands for there being none
            assert limit.problem(value) is None
    for value in limit.beyond():
        assert value == 0 or one.problem(value) is not None
        with pytest.raises(ModelError, match=field):
            from_json(alone, {field: value})


def test_messages_are_in_the_names_of_whoever_reads_them() -> None:
    error = SettingError(
        "`network.pieces` needs `labels='separate'`, `network=False`, `tensor=True` or `k=3`"
    )
    assert str(error) == "network.pieces needs labels='separate', network=False, tensor=True or k=3"
    typed = error.typed(TrainingSettings)
    assert typed == "network.pieces needs --labels separate, --no-network, --tensor or k=3"
    assert SettingError("`whole_tree.families=()`").typed(TrainingSettings) == "--whole-tree none"
    assert SettingError("`torch=False`").typed(TrainingSettings) == "no --torch"
    assert SettingError("`labels='none'`").typed(TrainingSettings) == "--unlabeled"


def test_the_reference_is_of_these_settings() -> None:
    assert PAGE.read_text(encoding="utf-8") == page(), "python tools/settings_page.py --write"


@pytest.mark.parametrize(
    ("options", "told"),
    [
        (["--networks", "17"], "'--networks': 17 must be from 1 to 16"),
        (["--network-width", "30"], "'--network-width': 30 must be a multiple of 16"),
        (["--prune-heads", "2000000"], "'--prune-heads': 2000000 must be from 1 to 1,048,576"),
        (["--clusters", "words.txt"], "no whole number; files of word clusters are for --word-clusters"),
        (["--labels", "joint", "--network"], "found afterwards: --labels separate, or --no-network"),
        (["--labels", "joint", "--torch"], "found afterwards: --labels separate, or no --torch"),
        (["--network-alone", "--no-network"], "there is no network either: --network"),
        (["--network-width", "32", "--preset", "fast"], "as there is no network: add --network"),
        (["--network-weight", "2", "--preset", "fast"], "--network-weight changes nothing"),
        (["--network-bits", "8", "--no-network"], "--network-bits changes nothing, as there is no network"),
        (["--network-weight", "2", "--network-alone"], "no features to weigh the network against"),
        (["--network-width", "32", "--labels", "joint"], "as there is no network"),
        (["--network-width", "32", "--joint-tags", "senses"], "finds no network beside --joint-tags senses"),
        (["--pretrained", "x", "--network-width", "32"], "--pretrained decides how wide layers are"),
        (
            ["--torch", "--no-network"],
            "--torch and --pretrained train a network, and --no-network",
        ),
        (["--device", "cpu"], "--device changes nothing, as PyTorch trains no network: add --torch"),
        (["--teacher", "x.hw"], "--teacher are for a network that PyTorch trains (--torch)"),
        (["--torch-width", "32"], "--torch-width is --network-width, whoever trains the network"),
        (["--labels", "latent"], "--labels latent needs --learner log-linear"),
        (["--regularization", "-1"], "'--regularization': -1 must be positive"),
        (["--joint-learner", "mira"], "--joint-learner is for --joint-tags climb"),
        (["--joint-candidates", "confusions"], "--joint-candidates is for --joint-tags"),
        (["--gold-tags-too"], "--gold-tags-too is for a --pipeline"),
        (["--text", "raw.txt"], "--text is for a --pipeline"),
        (["--preset", "third"], "'--preset': third is said by options now: --no-network"),
        (["--preset", "quick"], "'quick' is not one of 'fast', 'accurate'"),
        (["--tagger", "--preset", "fast", "--cost", "3"], "--cost, --preset cannot be used with --tagger"),
    ],
)
def test_errors_name_options(options: list[str], told: str, tmp_path: Path) -> None:
    write(toy_treebank(3, seed=1), tmp_path / "toy.conllu")
    call = ["train", str(tmp_path / "toy.conllu"), "-o", str(tmp_path / "m.hw"), *options]
    result = CliRunner().invoke(app, call)
    assert result.exit_code == 2
    assert told in " ".join(result.stderr.replace("│", " ").split())
