"""The model file: one file, checked before use, safe to open."""

from __future__ import annotations

import errno
import json
import os
import struct
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from safetensors.numpy import save, save_file

from headwise import HeadwiseError, Parser, load
from headwise.model import FORMAT_VERSION, ModelError, model_bytes, model_size, read_model, write_model
from headwise.treebank import Sentence, read


@pytest.fixture
def model(parser: Parser, tmp_path: Path) -> Path:
    path = tmp_path / "model.hw"
    parser.save(path)
    return path


def test_loaded_parser_parses_alike(model: Path, parser: Parser, test_sentences: list[Sentence]) -> None:
    loaded = Parser.load(model)
    assert loaded.config == parser.config
    for a, b in zip(loaded.pipe(test_sentences), parser.pipe(test_sentences), strict=True):
        assert a.to_conllu() == b.to_conllu()
        assert a.score == b.score


def test_tensors_begin_on_cache_lines(model: Path) -> None:
    body = model.read_bytes()
    (length,) = struct.unpack("<Q", body[:8])
    header = json.loads(body[8 : 8 + length])
    assert {
        (8 + length + t["data_offsets"][0]) % 64 for name, t in header.items() if name != "__metadata__"
    } == {0}


def test_saving_again_gives_the_same_bytes(model: Path, tmp_path: Path) -> None:
    again = tmp_path / "again.hw"
    Parser.load(model).save(again)
    assert again.read_bytes() == model.read_bytes()


@pytest.mark.parametrize("keep", [0, 4, 100, 5000, -1])
def test_truncated_file_is_refused(model: Path, keep: int) -> None:
    body = model.read_bytes()
    model.write_bytes(body[:keep])
    with pytest.raises(ModelError, match="damaged or cut off"):
        Parser.load(model)


def test_foreign_files_are_refused(tmp_path: Path) -> None:
    text = tmp_path / "text.hw"
    text.write_text("1\tDogs\t_\n" * 100)
    with pytest.raises(ModelError, match="not a Headwise model"):
        Parser.load(text)
    foreign = tmp_path / "foreign.safetensors"
    save_file({"w": np.zeros(3, np.float32)}, foreign)
    with pytest.raises(ModelError, match="no Headwise model"):
        Parser.load(foreign)
    with pytest.raises(ModelError, match="no such file"):
        Parser.load(tmp_path / "missing.hw")
    with pytest.raises(ModelError, match="directory"):
        Parser.load(tmp_path)


def test_newer_format_is_refused(model: Path) -> None:
    body = model.read_bytes()
    old, new = (f'\\"format\\": {v}'.encode() for v in (1, FORMAT_VERSION + 1))
    assert body.count(old) == 1
    model.write_bytes(body.replace(old, new))
    with pytest.raises(ModelError, match="Install a newer Headwise"):
        Parser.load(model)


def test_a_flipped_byte_of_the_header_is_damage(model: Path) -> None:
    body = model.read_bytes()
    old = b'\\"format\\": 1,'
    assert body.count(old) == 1
    model.write_bytes(body.replace(old, old[:-1] + b"<"))
    with pytest.raises(ModelError, match=r"it is damaged: its header cannot be used .*Copy the file again"):
        Parser.load(model)


def test_other_kind_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "other.hw"
    write_model(path, "training state", {}, {"w": np.zeros(2, np.float32)})
    with pytest.raises(ModelError, match="holds a training state, where a parser is needed"):
        Parser.load(path)


@pytest.mark.parametrize("change", ["tables", "config", "labels", "not a number"])
def test_inconsistent_model_is_refused(model: Path, change: str) -> None:
    config, tensors = read_model(model, "parser")
    tensors = {name: np.array(values) for name, values in tensors.items()}
    if change == "tables":
        tensors["arcs"] = tensors["arcs"][:-1]
    elif change == "config":
        del config["labels"]
    elif change == "not a number":
        tensors["arcs"][17] = np.nan
    else:
        config["label_arcs"][3] = len(config["labels"])
    write_model(model, "parser", config, tensors)
    with pytest.raises(ModelError, match=str(model)):
        Parser.load(model)


def test_failed_write_leaves_the_old_model(
    model: Path, parser: Parser, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = model.read_bytes()

    def full(descriptor: int) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr("os.fsync", full)
    with pytest.raises(ModelError, match="could not be written"):
        parser.save(model)
    assert model.read_bytes() == before
    assert [path.name for path in model.parent.iterdir()] == [model.name]


OLD_MODELS = sorted((Path(__file__).parents[2] / "tests" / "fixtures" / "models").glob("*.hw"))


@pytest.mark.parametrize("path", OLD_MODELS, ids=lambda path: path.stem)
def test_models_of_every_format_keep_parsing_alike(path: Path) -> None:
    """Models written by earlier versions, and what they made of some sentences then."""
    expected = list(read(path.with_suffix(".conllu")))
    parsed = [parse.to_sentence() for parse in Parser.load(path).pipe(expected)]
    assert parsed == expected


def test_there_are_old_models() -> None:
    assert {path.stem for path in OLD_MODELS} >= {"format-1-first", "format-1-third"}


def test_a_treebank_named_as_a_model_is_told_from_a_damaged_one(tmp_path: Path) -> None:
    path = tmp_path / "dev.conllu"
    path.write_text("1\tword\t_\t_\t_\t_\t0\troot\t_\t_\n\n", encoding="utf-8")
    with pytest.raises(ModelError, match="Models are what headwise train writes"):
        Parser.load(path)
    with pytest.raises(TypeError, match="a model is named by a str"):
        load(None)  # type: ignore[arg-type]


NUMBERS = [np.float32, np.float64, np.int32, np.int64, np.uint8]


def test_the_bytes_are_those_of_the_library(tmp_path: Path) -> None:
    """All but the padding of the header, which is longer here."""
    rng = np.random.default_rng(1)
    for case in range(50):
        tensors = {
            f'{rng.integers(100)}.{case}.ä\x1b"\\': rng.integers(
                0, 99, rng.integers(0, 5, rng.integers(1, 3))
            )
            .astype(NUMBERS[rng.integers(len(NUMBERS))])
            .T
            for _ in range(rng.integers(0, 6))
        }
        path = tmp_path / "model.hw"
        write_model(path, "k\x00\x1f\n\u2028é", {"a": 1}, tensors)
        body = path.read_bytes()
        assert body == model_bytes("k\x00\x1f\n\u2028é", {"a": 1}, tensors)
        assert len(body) == model_size("k\x00\x1f\n\u2028é", {"a": 1}, tensors)
        length = struct.unpack("<Q", body[:8])[0]
        header = body[8 : 8 + length]
        metadata = json.loads(header)["__metadata__"]
        expected = save({name: np.ascontiguousarray(tensor) for name, tensor in tensors.items()}, metadata)
        begin = 8 + struct.unpack("<Q", expected[:8])[0]
        assert header.rstrip() == expected[8:begin].rstrip()
        assert body[8 + length :] == expected[begin:]


def test_writing_takes_no_memory_of_its_own(tmp_path: Path) -> None:
    """Once there were two more copies of all tensors, and without memory for them the process hung."""
    script = (
        "import resource, sys, numpy as np\n"
        "from headwise.model import write_model\n"
        "table = np.ones(10_000_000, np.float32)\n"
        "used = int(open('/proc/self/statm').read().split()[0]) * resource.getpagesize()\n"
        "resource.setrlimit(resource.RLIMIT_AS, (used + 16_000_000, -1))\n"
        "write_model(sys.argv[1], 'parser', {}, {'table': table})\n"
    )
    path = tmp_path / "model.hw"
    subprocess.run([sys.executable, "-c", script, str(path)], check=True, timeout=100)
    assert path.stat().st_size == 40_000_192


def test_a_pipe_is_not_waited_for(tmp_path: Path) -> None:
    pipe = tmp_path / "model.hw"
    os.mkfifo(pipe)
    with pytest.raises(ModelError, match="is not a file on a disk"):
        Parser.load(pipe)
    with pytest.raises(HeadwiseError, match="a device or a pipe"):
        write_model(pipe, "parser", {}, {})
    assert pipe.is_fifo()
