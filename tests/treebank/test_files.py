import gzip
import io
import lzma
import os
import re
import sys
from pathlib import Path

import pytest

from headwise.base.errors import TreebankError
from headwise.treebank import Sentence, Treebank, read, write, writer
from headwise.treebank.files import read_lines, start_of
from sanitizers import not_under_sanitizers

STATUS = Path("/proc/self/status")
TEXT = b"# text = a b\n1\ta\t_\t_\t_\t_\t2\tdep\t_\t_\n2\tb\t_\t_\t_\t_\t0\troot\t_\t_\n\n"


@pytest.mark.parametrize(
    ("suffix", "decompress"), [(".gz", gzip.decompress), (".xz", lzma.decompress), ("", bytes)]
)
def test_compression_by_name_and_content(tmp_path, suffix, decompress):
    path = tmp_path / f"a.conllu{suffix}"
    write(read(TEXT), path)
    assert decompress(path.read_bytes()) == TEXT
    write(read(TEXT), tmp_path / "again")
    assert Treebank.load(path) == Treebank.load(tmp_path / "again")
    misnamed = tmp_path / "plain.conllu"
    misnamed.write_bytes(path.read_bytes())
    assert Treebank.load(misnamed)[0].to_bytes() == TEXT


def test_compressed_files_are_the_same_each_time(tmp_path):
    for name in ("a.conllu.gz", "b.conllu.gz"):
        write(read(TEXT), tmp_path / name)
    assert (tmp_path / "a.conllu.gz").read_bytes() == (tmp_path / "b.conllu.gz").read_bytes()


@pytest.mark.parametrize("compress", [gzip.compress, lzma.compress])
def test_damaged_compressed_files(tmp_path, compress):
    data = compress(TEXT * 1000)
    path = tmp_path / "x.conllu"
    path.write_bytes(data[: len(data) // 2])
    with pytest.raises(
        TreebankError, match=r"x.conllu: the compressed file is cut off .*; get the file again"
    ):
        list(read(path))
    path.write_bytes(data[: len(data) // 2] + bytes(20) + data[len(data) // 2 + 20 :])
    with pytest.raises(TreebankError, match=r"x.conllu: the file is damaged"):
        list(read(path, on_error="skip"))


def test_other_compression_is_named(tmp_path):
    with pytest.raises(TreebankError, match=r"compressed with bzip2; unpack it first \(bunzip2\)"):
        list(read(b"BZh91AY&SY"))


def test_missing_files_and_directories(tmp_path):
    with pytest.raises(
        TreebankError, match=r"nowhere: cannot be read: No such file or directory; check the name"
    ):
        list(read(tmp_path / "nowhere"))
    with pytest.raises(TreebankError, match="Is a directory"):
        list(read(tmp_path))


@pytest.mark.skipif(sys.platform != "linux", reason="other systems refuse such names")
def test_a_file_name_that_is_not_unicode(tmp_path):
    path = os.path.join(tmp_path, os.fsdecode(b"caf\xe9.conllu"))
    write(read(TEXT), path)
    assert next(read(path)).file.endswith("caf?.conllu")


def test_open_files(tmp_path):
    path = tmp_path / "a.conllu"
    path.write_bytes(TEXT)
    expected = [Sentence.to_bytes(s) for s in read(TEXT)]
    with path.open("rb") as binary, path.open("rb", buffering=0) as raw, path.open() as text:
        for file in (binary, raw, text, io.BytesIO(TEXT), io.StringIO(TEXT.decode())):
            assert [s.to_bytes() for s in read(file)] == expected
    with gzip.open(io.BytesIO(gzip.compress(TEXT))) as zipped:
        assert [s.to_bytes() for s in read(zipped)] == expected


def test_standard_input_and_output(monkeypatch):
    output = io.TextIOWrapper(io.BytesIO())
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(TEXT)))
    monkeypatch.setattr(sys, "stdout", output)
    reader = read("-")
    write(reader, "-")
    assert reader.name == "<stdin>"
    assert output.buffer.getvalue() == TEXT


def test_sentences_of_a_pipe_are_there_before_it_ends():
    receiving, sending = os.pipe()
    with os.fdopen(receiving, "rb") as receiver, os.fdopen(sending, "wb", buffering=0) as sender:
        sender.write(TEXT)
        assert next(read(receiver)).forms == ["a", "b"]


def test_a_failure_leaves_the_old_file(tmp_path):
    path = tmp_path / "a.conllu"
    path.write_bytes(TEXT)

    def failing():
        yield from read(TEXT)
        raise RuntimeError("no more")

    with pytest.raises(RuntimeError, match="no more"):
        write(failing(), path)
    assert path.read_bytes() == TEXT
    assert list(tmp_path.iterdir()) == [path]


def test_a_file_can_be_written_over_itself(tmp_path):
    path = tmp_path / "a.conllu"
    path.write_bytes(TEXT * 50_000)
    write(read(path), path)
    assert path.read_bytes() == TEXT * 50_000


def test_writer_takes_sentences_and_trailers_of_several_files():
    output = io.BytesIO()
    with writer(output) as opened:
        for _ in range(2):
            reader = read(TEXT + b"# end\n")
            for sentence in reader:
                opened.write(sentence)
            opened.write_trailer(reader.trailer)
    assert output.getvalue() == (TEXT + b"# end\n\n") + (TEXT + b"# end\n")


def test_formats_are_told_by_name_and_content(tmp_path, fixtures):
    def format_of(name, data):
        (tmp_path / name).write_bytes(data)
        reader = read(tmp_path / name)
        list(reader)
        return reader.format

    plain = b"1\ta\t_\t_\t_\t_\t0\troot\t_\t_\n\n"
    assert format_of("a.conllu", plain) == "conllu"
    assert format_of("a.conllx", plain) == "conllx"
    assert format_of("a.conll", plain) == "conllx"
    assert format_of("a.conll", b"# text = a\n" + plain) == "conllu"
    assert format_of("a.conll", plain.replace(b"root\t_", b"root\t0:root")) == "conllu"
    assert format_of("a.txt", plain) == "conllu"
    assert format_of("a.txt", plain.replace(b"root\t_\t_", b"root\t0\troot")) == "conllx"
    assert format_of("a.txt", (fixtures / "eight.conll").read_bytes()) == "conllx"


@pytest.mark.skipif(not STATUS.exists(), reason="needs /proc to see the memory of the process")
@not_under_sanitizers
def test_streaming_memory_does_not_grow_with_the_file(tmp_path):
    def resident_bytes():
        return int(re.search(r"VmRSS:\s+(\d+) kB", STATUS.read_text())[1]) * 1024

    path = tmp_path / "big.conllu"
    path.write_bytes(TEXT * 1_000_000)
    before = resident_bytes()
    most = 0
    for count, _ in enumerate(read(path)):
        if count % 20_000 == 0:
            most = max(most, resident_bytes() - before)
    assert count == 999_999
    assert most < path.stat().st_size / 4


def test_lines_that_do_not_end(tmp_path: Path) -> None:
    """Of a small compressed file, in time that grows with what it holds: a copy for each piece took hours."""
    path = tmp_path / "endless.gz"
    with gzip.open(path, "wb") as file:
        for _ in range(64):
            file.write(b"a" * (1 << 20))
    (line,) = read_lines(path)
    assert len(line) == 64 << 20
    with pytest.raises(TreebankError, match=r"endless\.gz:1: the line does not end within 1,000 characters"):
        list(read_lines(path, longest=1000))
    assert start_of(path, 100) == "a" * 100
    assert start_of(tmp_path / "nothing") == ""


@pytest.mark.parametrize("size", [1, 2, 3, 7, 100])
def test_lines_are_the_same_however_they_come(size: int, monkeypatch: pytest.MonkeyPatch) -> None:
    text = "\ufeffone\n\ntwo é東\r\nthree\n\n\nfour"
    monkeypatch.setattr("headwise.treebank.files._CHUNK", size)
    assert list(read_lines(text.encode())) == text[1:].splitlines(keepends=True)
