"""Headers of model files that say what no model says: one kind of error, and little memory."""

from __future__ import annotations

import json
import resource
import struct
import subprocess
import sys
import zlib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from safetensors.numpy import save_file

from headwise import Parser, Pipeline, load
from headwise.base.errors import ModelError
from headwise.components.tagging import Tagger
from headwise.model import ModelFile, looks_like_model, model_kind, read_model, write_model
from headwise.model.packing import MOST_INFLATED, PackingError, pack_text, unpack_text
from headwise.model.schema import DEEPEST, parse_json
from headwise.training import TrainingSettings
from headwise.treebank import Sentence
from sanitizers import not_under_sanitizers

FIXTURES = Path(__file__).parents[1] / "fixtures" / "models"
FIRST = FIXTURES / "format-1-first.hw"
Config = dict[str, Any]


def changed(source: Path, target: Path, change: Callable[[Config], None]) -> Path:
    """A model whose configuration is another."""
    kind = model_kind(source)
    config, tensors = read_model(source, kind)
    change(config)
    write_model(target, kind, config, {name: np.array(tensor) for name, tensor in tensors.items()})
    return target


def put(*path: str | int, value: Any) -> Callable[[Config], None]:
    def change(config: Config) -> None:
        inside: Any = config
        for name in path[:-1]:
            inside = inside[name]
        inside[path[-1]] = value

    return change


def deep(levels: int) -> list[Any]:
    inside: list[Any] = []
    for _ in range(levels):
        inside = [inside]
    return inside


WRONG = {
    "a table of nothing": put("arc_bits", value=0),
    "a table of 2**62": put("arc_bits", value=62),
    "a number where a list is": put("tags", value=3),
    "an object where a list is": put("labels", value={"a": 1}),
    "a list where an object is": put("pruner", value=[1, 2]),
    "a text where a number is": put("label_bits", value="12"),
    "true where a number is": put("label_bits", value=True),
    "a fraction where a whole number is": put("label_bits", value=12.5),
    "a number where true or false is": put("projective", value=1),
    "numbers where texts are": put("arc_templates", value=[1, 2]),
    "an unknown entry": put("surprise", value=1),
    "an unknown decoder": put("decoder", value="surprise"),
    "an unknown factorization": put("factorization", value="surprise"),
    "an unknown mode": put("label_mode", value="surprise"),
    "temperature 0": put("calibration", "temperature", value=0.0),
    "a negative temperature of labels": put("calibration", "label_temperature", value=-1.0),
    "a share above one": put("calibration", "background", value=1.5),
    "absurd restarts": put("global_features", "restarts", value=2**31 - 1),
    "a negative effort": put("global_features", "restarts", value=-1),
    "no heads": put("pruner", "most_heads", value=0),
    "a threshold above one": put("pruner", "threshold", value=7),
    "deep notes": put("training", "settings", value=deep(DEEPEST + 5)),
}


@pytest.mark.parametrize("change", WRONG.values(), ids=WRONG)
def test_wrong_configurations_are_refused(change: Callable[[Config], None], tmp_path: Path) -> None:
    path = changed(FIXTURES / "format-2-full.hw", tmp_path / "wrong.hw", change)
    for use in (Parser.load, load, lambda path: read_model(path, "parser")):
        with pytest.raises(ModelError, match=r"wrong\.hw"):
            use(path)


def test_the_unchanged_configuration_is_taken(tmp_path: Path) -> None:
    """So that the test above fails for what it says."""
    Parser.load(changed(FIXTURES / "format-2-full.hw", tmp_path / "right.hw", lambda config: None))


@pytest.mark.parametrize(
    "number",
    [r'"\ud800"', "1e999", "-1e999", "NaN", "Infinity", "9223372036854775808", "1" * 5000],
    ids=lambda n: n[:20],
)
def test_values_that_nothing_can_have(number: str, tmp_path: Path) -> None:
    path = tmp_path / "wrong.hw"
    header = json.dumps({"format": 1, "kind": "parser", "config": {"labels": ["VALUE"]}})
    save_file({"arcs": np.zeros(4, np.float32)}, path, {"headwise": header.replace('"VALUE"', number)})
    with pytest.raises(ModelError, match=r"wrong\.hw"):
        Parser.load(path)


@pytest.mark.parametrize("nested", ["[" * 100_000, '{"a":' * 100_000, "[" * 5000 + "]" * 5000])
def test_deep_nesting(nested: str, tmp_path: Path) -> None:
    path = tmp_path / "deep.hw"
    save_file({"arcs": np.zeros(4, np.float32)}, path, {"headwise": nested})
    with pytest.raises(ModelError):
        Parser.load(path)
    path.write_bytes(struct.pack("<Q", len(nested)) + nested.encode())
    with pytest.raises(ModelError):
        Parser.load(path)


@pytest.mark.parametrize("header", ["null", "[]", "3", '"parser"', "{}", '{"format": "1"}', '{"format": 1}'])
def test_headers_of_another_kind(header: str, tmp_path: Path) -> None:
    path = tmp_path / "other.hw"
    save_file({"arcs": np.zeros(4, np.float32)}, path, {"headwise": header})
    with pytest.raises(ModelError, match=r"other\.hw"):
        Parser.load(path)


def with_layout(path: Path, layout: dict[str, Any], body: bytes = b"\0" * 64) -> Path:
    header = json.dumps({"__metadata__": {"headwise": "{}"}, **layout}).encode()
    path.write_bytes(struct.pack("<Q", len(header)) + header + body)
    return path


@pytest.mark.parametrize(
    "entry",
    [
        {"dtype": "BF16", "shape": [32], "data_offsets": [0, 64]},
        {"dtype": "F8_E4M3", "shape": [64], "data_offsets": [0, 64]},
        {"dtype": 3, "shape": [16], "data_offsets": [0, 64]},
        {"dtype": "F32", "shape": [-16], "data_offsets": [0, 64]},
        {"dtype": "F32", "shape": [17], "data_offsets": [0, 64]},
        {"dtype": "F32", "shape": [16], "data_offsets": [64, 0]},
        {"dtype": "F32", "shape": [16], "data_offsets": [4, 68]},
        {"dtype": "F32", "shape": [2**40, 2**40], "data_offsets": [0, 64]},
        {"dtype": "F32", "shape": [1] * 50 + [16], "data_offsets": [0, 64]},
        {"dtype": "F32", "shape": [16]},
        [],
    ],
)
def test_tensors_that_cannot_be(entry: Any, tmp_path: Path) -> None:
    path = with_layout(tmp_path / "layout.hw", {"arcs": entry})
    with pytest.raises(ModelError, match="damaged or cut off"):
        Parser.load(path)


def test_tags_of_fewer_than_three_parts(train_sentences: list[Sentence], tmp_path: Path) -> None:
    Tagger.train(train_sentences, epochs=1, bits=10).save(tmp_path / "tagger.hw")
    path = changed(tmp_path / "tagger.hw", tmp_path / "wrong.hw", put("tags", 1, value=["NOUN", "_"]))
    with pytest.raises(ModelError, match=r"tags\[1\] has 2 entries, must have 3"):
        Tagger.load(path)


def test_a_pipeline_checks_its_parts(train_sentences: list[Sentence], tmp_path: Path) -> None:
    settings = TrainingSettings.preset("first", epochs=1, calibrate=False, arc_bits=12, label_bits=12)
    Pipeline.train(train_sentences, settings=settings, jackknife=2).save(tmp_path / "pipeline.hw")
    path = changed(
        tmp_path / "pipeline.hw",
        tmp_path / "wrong.hw",
        put("parser", "calibration", value={"temperature": 0.0}),
    )
    with pytest.raises(ModelError, match=r"parser.calibration.temperature is 0.0, must be positive"):
        Pipeline.load(path)
    path = changed(
        tmp_path / "pipeline.hw",
        tmp_path / "wrong.hw",
        put("tokenizer", "multiwords", value={"n't": [-1, "", []]}),
    )
    with pytest.raises(ModelError, match="multiwords"):
        Pipeline.load(path)


def test_missing_training_facts(tmp_path: Path) -> None:
    source = FIXTURES / "format-1-first.hw"
    for facts in ({}, {"best_epoch": 7, "history": []}):
        path = changed(source, tmp_path / "wrong.hw", put("training", value=facts))
        assert run("info", str(path)).returncode == 0
    for facts in ({"history": 3}, {"best_epoch": 1, "history": [{"epoch": 1, "loss": 1, "dev": 5}]}):
        path = changed(source, tmp_path / "wrong.hw", put("training", value=facts))
        done = run("info", str(path))
        assert done.returncode == 1
        assert "Traceback" not in done.stderr


def packed_zeros(path: Path, size: int, config: dict[str, Any]) -> Path:
    deflate = zlib.compressobj(9)
    chunk = bytes(1 << 20)
    body = b"".join(deflate.compress(chunk) for _ in range(size >> 20)) + deflate.flush()
    header = {
        "format": 2,
        "kind": "parser",
        "config": config,
        "packed": {"arcs": {"dtype": "float32", "shape": [size], "step": 1.0}},
    }
    save_file({"arcs": np.frombuffer(body, np.uint8)}, path, {"headwise": json.dumps(header)})
    return path


@not_under_sanitizers
@pytest.mark.parametrize("bits", [12, 30])
def test_small_files_of_large_tables_take_no_memory(bits: int, tmp_path: Path) -> None:
    """A table of 2²⁸ zeros has 300 kB in a file: more than the configuration says, or than files may hold."""
    config, _ = read_model(FIXTURES / "format-1-first.hw", "parser")
    path = packed_zeros(tmp_path / "zeros.hw", 1 << 28, {**config, "arc_bits": bits})
    assert path.stat().st_size < 500_000
    done = run("info", str(path), memory=1 << 30)
    assert done.returncode == 1
    assert ("must have at most 4,096" if bits == 12 else f"must be at most {MOST_INFLATED:,}") in done.stderr


def test_unknown_tensors_are_not_expanded(tmp_path: Path) -> None:
    config, tensors = read_model(FIXTURES / "format-1-first.hw", "parser")
    write_model(tmp_path / "more.hw", "parser", config, {**tensors, "more": np.zeros(9, np.float32)})
    with pytest.raises(ModelError, match="has no tensor 'more'"):
        Parser.load(tmp_path / "more.hw")


def test_text_is_not_inflated_without_limit() -> None:
    assert unpack_text(pack_text("a word\n" * 3)) == b"a word\n" * 3
    with pytest.raises(PackingError, match="hold more than"):
        unpack_text(pack_text("\n" * 50_000_000))
    whole = pack_text("".join(map(str, range(1000))))
    with pytest.raises(PackingError, match="cut off"):
        unpack_text(whole[:-9])
    with pytest.raises(PackingError, match="followed by others"):
        unpack_text(np.concatenate([whole, whole]))


def test_what_is_no_file_is_no_model(tmp_path: Path) -> None:
    assert not looks_like_model("/dev/zero")
    with pytest.raises(ModelError, match="not a file on a disk"):
        Parser.load("/dev/zero")
    assert not looks_like_model("a\0b")


def test_json_has_numbers_that_fit() -> None:
    assert parse_json('{"a": [9223372036854775807, -9223372036854775808, 1e300, true, null]}') == {
        "a": [2**63 - 1, -(2**63), 1e300, True, None]
    }


def run(*arguments: str, memory: int | None = None) -> subprocess.CompletedProcess[str]:
    def limit() -> None:
        if memory is not None:
            resource.setrlimit(resource.RLIMIT_AS, (memory, memory))

    return subprocess.run(
        [sys.executable, "-m", "headwise", *arguments], capture_output=True, text=True, preexec_fn=limit
    )


def test_weights_that_are_finite_and_too_large(tmp_path: Path) -> None:
    """Their sums are no scores: --k-best and JSON once ended in errors of the program."""
    file = ModelFile.open(FIRST)
    tensors = {name: np.array(table) for name, table in file.all_tensors().items()}
    for huge in (3e38, -3e38, 2e6, np.inf, np.nan):
        other = dict(tensors, arcs=tensors["arcs"].copy())
        other["arcs"][7] = huge
        write_model(tmp_path / "huge.hw", file.kind, file.config, other)
        with pytest.raises(
            ModelError, match=r"huge\.hw .*arcs has weights that are not finite numbers up to"
        ):
            Parser.load(tmp_path / "huge.hw")


def test_tables_of_another_shape_and_the_same_size(tmp_path: Path) -> None:
    file = ModelFile.open(FIRST)
    tensors = dict(file.all_tensors())
    tensors["arcs"] = tensors["arcs"].reshape(2, -1)
    write_model(tmp_path / "square.hw", file.kind, file.config, tensors)
    with pytest.raises(ModelError, match=r"square\.hw .*arcs is of the shape"):
        Parser.load(tmp_path / "square.hw")


def test_scores_that_are_none_are_the_fault_of_the_model(
    parser: Parser, test_sentences: list[Sentence]
) -> None:
    weights = {name: np.array(table) for name, table in parser.weights.items()}
    weights["arcs"][:] = 9e8  # as no file may have them
    odd = Parser(parser.config, weights)
    with pytest.raises(ModelError, match="cannot be used"):
        odd.k_best(test_sentences[0], 3)
