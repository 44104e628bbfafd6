"""Packed tensors and small model files: what comes back, and that nothing damaged does."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from safetensors import safe_open

from command_runner import CliRunner
from headwise import HeadwiseError, Parser
from headwise.cli.app import app
from headwise.model import ModelError, ModelFile, read_model, write_model
from headwise.model.compression import USUAL, compress_model
from headwise.model.packing import MOST_STEPS, Packing, PackingError, pack, unpack
from headwise.model.schema import from_json, to_json
from headwise.training import TrainingSettings
from headwise.treebank import write
from toy_language import toy_treebank


def weights(size: int, seed: int = 1, density: float = 0.7) -> np.ndarray[Any, np.dtype[np.float32]]:
    random = np.random.default_rng(seed)
    values = random.standard_t(4, size) * (random.random(size) < density)
    return values.astype(np.float32)


@pytest.mark.parametrize("coarseness", [0.05, 0.25, 1.0, 5.0])
@pytest.mark.parametrize("density", [0.02, 0.9])
def test_weights_come_back_within_half_a_step(coarseness: float, density: float) -> None:
    table = weights(5000, density=density).reshape(50, 100)
    packed, packing = pack(table, coarseness)
    again = unpack(packed, packing)
    assert packing.step is not None
    assert again.dtype == np.float32
    assert again.shape == table.shape
    assert np.abs(again - table).max() <= packing.step * 0.5001
    assert np.array_equal(np.rint(again / packing.step) * np.float32(packing.step), again)
    typical = float(np.sqrt(np.mean(table[table != 0].astype(float) ** 2)))
    assert packing.step == pytest.approx(max(coarseness * typical, np.abs(table).max() / MOST_STEPS))


@pytest.mark.parametrize("dtype", [np.float32, np.float64, np.int32, np.int64, np.uint8])
@pytest.mark.parametrize("shape", [(0,), (1,), (7, 3)])
def test_what_is_not_rounded_comes_back_exactly(dtype: Any, shape: tuple[int, ...]) -> None:
    tensor = (weights(int(np.prod(shape))) * 100).astype(dtype).reshape(shape)
    again = unpack(*pack(tensor))
    assert again.dtype == dtype
    assert np.array_equal(again, tensor)


def test_only_weights_are_rounded() -> None:
    keys = np.arange(1000, dtype=np.int64) << 40
    packed, packing = pack(keys, 1.0)
    assert packing.step is None
    assert np.array_equal(unpack(packed, packing), keys)


def test_a_table_of_zeros() -> None:
    assert not unpack(*pack(np.zeros(100, np.float32), 0.25)).any()


def test_every_damaged_byte_is_noticed() -> None:
    packed, packing = pack(weights(300), 0.25)
    for position in range(len(packed)):
        damaged = packed.copy()
        damaged[position] ^= 0x10
        with pytest.raises(PackingError):
            unpack(damaged, packing)
    for end in range(len(packed)):
        with pytest.raises(PackingError):
            unpack(packed[:end], packing)


def test_other_sizes_are_refused_before_they_take_memory() -> None:
    packed, packing = pack(np.zeros(50_000_000, np.uint8))  # 50 kB that would inflate to 50 MB
    with pytest.raises(PackingError, match="has not the 10 bytes"):
        unpack(packed, Packing("uint8", (10,)))
    with pytest.raises(PackingError):
        unpack(packed, Packing("uint8", (50_000_001,)))
    for wrong in ({"dtype": "no such"}, {"shape": [-5]}, {"step": 0.0}, {"step": float("nan")}):
        with pytest.raises(ModelError):
            from_json(Packing, {**to_json(packing), **wrong})


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("model") / "model.hw"
    settings = TrainingSettings.preset("second", arc_bits=14, label_bits=14, pruning__bits=14, epochs=3)
    Parser.train(toy_treebank(100, seed=1), settings=settings).save(path)
    return path


def format_of(path: Path) -> int:
    with safe_open(path, framework="numpy") as file:
        return int(json.loads(file.metadata()["headwise"])["format"])


def test_a_compressed_model_parses_alike(model: Path, tmp_path: Path) -> None:
    small = tmp_path / "small.hw"
    done = compress_model(model, small, coarseness=0.1)
    assert done.size == small.stat().st_size < model.stat().st_size / 4
    assert 0 < done.zeros < done.weights
    assert (format_of(model), format_of(small)) == (1, 2)
    sentences = toy_treebank(40, seed=3)
    parsers = [Parser.load(path) for path in (model, small)]
    heads = [[parse.heads.tolist() for parse in parser.pipe(sentences)] for parser in parsers]
    assert heads[0] == heads[1]


def test_exactly(model: Path, tmp_path: Path) -> None:
    compress_model(model, tmp_path / "small.hw")
    before, after = (read_model(path, "parser") for path in (model, tmp_path / "small.hw"))
    assert before[0] == after[0]
    assert all(np.array_equal(before[1][name], after[1][name]) for name in before[1])


@pytest.mark.parametrize("compressed", [False, True])
def test_one_tensor_of_a_file_is_replaced(model: Path, tmp_path: Path, compressed: bool) -> None:
    if compressed:
        compress_model(model, tmp_path / "small.hw", coarseness=0.1)
        model = tmp_path / "small.hw"
    file, (config, before) = ModelFile.open(model), read_model(model, "parser")
    name = max(before, key=lambda name: before[name].size)
    file.write_with(tmp_path / "new.hw", file.config, {name: pack(np.zeros_like(before[name]))})
    new_config, after = read_model(tmp_path / "new.hw", "parser")
    assert new_config == config
    assert not after.pop(name).any()
    assert before.keys() - after.keys() == {name}
    assert all(np.array_equal(before[other], after[other]) for other in after)


def test_a_size_is_kept_and_used(model: Path, tmp_path: Path) -> None:
    exact = compress_model(model, tmp_path / "exact.hw", coarseness=0.05).size
    size = int(exact * 0.7)
    done = compress_model(model, tmp_path / "small.hw", size=size)
    assert 0.98 * size < done.size <= size
    with pytest.raises(HeadwiseError, match="Train it with smaller tables"):
        compress_model(model, tmp_path / "tiny.hw", size=2000)
    assert not (tmp_path / "tiny.hw").exists()


def test_a_damaged_model_is_refused(model: Path, tmp_path: Path) -> None:
    small = tmp_path / "small.hw"
    compress_model(model, small, coarseness=0.25)
    body = bytearray(small.read_bytes())
    body[-100] ^= 0xFF
    small.write_bytes(body)
    with pytest.raises(ModelError, match=r"small\.hw is not a usable parser: \w+ cannot be unpacked"):
        Parser.load(small)
    config, tensors = read_model(model, "parser")
    write_model(small, "parser", config, tensors, {"no such table": Packing("uint8", (1,))})
    with pytest.raises(ModelError, match="no such table"):
        Parser.load(small)


def test_the_command(model: Path, tmp_path: Path) -> None:
    def headwise(*options: str) -> Any:
        return CliRunner().invoke(app, ["compress", str(model), "-o", str(tmp_path / "small.hw"), *options])

    result = headwise("--size", "60K")
    assert result.exit_code == 0
    assert (tmp_path / "small.hw").stat().st_size <= 60_000
    assert "of the weights are zero" in result.output
    assert headwise("--exact").exit_code == headwise().exit_code == 0
    assert "nothing is gained" not in headwise().output
    again = ["compress", str(tmp_path / "small.hw"), "-o", str(tmp_path / "again.hw")]
    assert "nothing is gained: the model was small already" in CliRunner().invoke(app, again).output
    for wrong in (("--size", "small"), ("--size", "1MB", "--step", "0.5")):
        assert headwise(*wrong).exit_code == 2


def test_training_writes_what_compress_makes(tmp_path: Path) -> None:
    """And, in full precision, what Python saves."""
    treebank = tmp_path / "train.conllu"
    write(toy_treebank(20, seed=1), treebank)
    call = ["train", str(treebank), "--factorization", "arc", "--epochs", "1", "--arc-bits", "12"]
    for name, options in (("small.hw", []), ("whole.hw", ["--full-precision"])):
        assert CliRunner().invoke(app, [*call, "-o", str(tmp_path / name), *options]).exit_code == 0
    whole = Parser.load(tmp_path / "whole.hw")
    compress_model(tmp_path / "whole.hw", tmp_path / "compressed.hw", coarseness=USUAL)
    whole.save(tmp_path / "saved.hw", coarseness=USUAL)
    whole.save(tmp_path / "again.hw")
    small = (tmp_path / "small.hw").read_bytes()
    assert small == (tmp_path / "compressed.hw").read_bytes() == (tmp_path / "saved.hw").read_bytes()
    assert (tmp_path / "again.hw").read_bytes() == (tmp_path / "whole.hw").read_bytes()
    assert 3 * len(small) < len((tmp_path / "whole.hw").read_bytes())
