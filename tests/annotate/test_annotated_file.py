"""Nothing that was answered is lost: not to kill -9, not to a second process, not to another program."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from headwise import HeadwiseError, Parser
from headwise.treebank import read, write
from headwise.web.annotate import AnnotatedFile, FileChangedError, decisions_of
from toy_language import toy_treebank

WORK = """
import sys
from headwise import Parser
from headwise.web.annotate import AnnotatedFile, Session, Suggester, decisions_of

file = AnnotatedFile(__import__("pathlib").Path(sys.argv[1]))
sentences = file.load()
session = Session(file, Suggester(Parser.load(sys.argv[2])), sentences, [decisions_of(s) for s in sentences])
print("ready", flush=True)
while (place := session.most_doubtful()) is not None:
    session.accept(place.sentence, [place.word])
    print(place.sentence, place.word, flush=True)
"""


def test_killed_while_annotating(tmp_path: Path, toy_parser: Parser) -> None:
    """Several times over: what was answered before the kill is in the file, which is whole and goes on."""
    path, model = tmp_path / "text.conllu", tmp_path / "model.hw"
    write(toy_treebank(40, seed=3), path)
    toy_parser.save(model)
    answered: set[tuple[int, int]] = set()
    for round_number in range(4):
        process = subprocess.Popen(
            [sys.executable, "-c", WORK, str(path), str(model)], stdout=subprocess.PIPE, text=True
        )
        assert process.stdout is not None
        assert process.stdout.readline() == "ready\n"
        for _ in range(10):
            answered.add(tuple(map(int, process.stdout.readline().split())))  # type: ignore[arg-type]
        time.sleep(0.002 * round_number)
        process.send_signal(signal.SIGKILL)
        answered |= {tuple(map(int, line.split())) for line in process.stdout if line.endswith("\n")}  # type: ignore[misc]
        process.wait()
        saved = list(read(path, validate="single-root"))
        assert len(saved) == 40
        decided = {
            (i, m)
            for i, sentence in enumerate(saved)
            for m, decision in enumerate(decisions_of(sentence), 1)
            if decision.is_whole
        }
        assert answered <= decided
        assert len(decided - answered) <= 1  # one was saved and not yet answered
        answered |= decided
    assert len(answered) >= 40


def test_one_process_at_a_time(tmp_path: Path) -> None:
    path = tmp_path / "text.conllu"
    write(toy_treebank(2, seed=3), path)
    with AnnotatedFile(path) as first:
        first.say_where("http://127.0.0.1:1234/")
        with pytest.raises(
            HeadwiseError, match=rf"already \(process {os.getpid()}, http://127.0.0.1:1234/\)"
        ):
            AnnotatedFile(path)
        first.load()
    with AnnotatedFile(path) as second:
        first.close()  # once more: the lock is not its own any longer
        with pytest.raises(HeadwiseError, match="is being annotated already"):
            AnnotatedFile(path)
        second.load()
    assert [entry.name for entry in tmp_path.iterdir()] == ["text.conllu"]


def test_a_lock_of_a_dead_process_is_no_obstacle(tmp_path: Path) -> None:
    path = tmp_path / "text.conllu"
    write(toy_treebank(2, seed=3), path)
    script = "import sys, os; from pathlib import Path; from headwise.web.annotate import AnnotatedFile\n"
    script += "AnnotatedFile(Path(sys.argv[1])); os.kill(os.getpid(), 9)"
    subprocess.run([sys.executable, "-c", script, str(path)], check=False)
    assert (tmp_path / ".text.conllu.lock").exists()
    with AnnotatedFile(path) as file:
        assert len(file.load()) == 2


def test_a_link_in_the_way_is_not_followed(tmp_path: Path) -> None:
    """Such as one that a folder from elsewhere brings along: once the file behind it was cut to nothing."""
    path, victim = tmp_path / "text.conllu", tmp_path / "victim"
    write(toy_treebank(2, seed=3), path)
    victim.write_bytes(b"precious")
    lock = tmp_path / ".text.conllu.lock"
    lock.symlink_to(victim)
    with pytest.raises(HeadwiseError, match=r"\.text\.conllu\.lock is in the way"):
        AnnotatedFile(path)
    lock.unlink()
    lock.symlink_to(tmp_path / "nothing")
    with pytest.raises(HeadwiseError, match=r"\.text\.conllu\.lock is in the way"):
        AnnotatedFile(path)
    lock.unlink()
    os.link(victim, lock)
    with AnnotatedFile(path) as file:
        file.say_where("http://127.0.0.1:1234/")
    lock.mkdir()
    with pytest.raises(HeadwiseError, match="is in the way"):
        AnnotatedFile(path)
    assert victim.read_bytes() == b"precious"
    assert not (tmp_path / "nothing").exists()


@pytest.mark.parametrize("link", [os.symlink, os.link])
def test_one_process_at_a_time_by_whichever_name(tmp_path: Path, link: Callable[[Path, Path], None]) -> None:
    path, other = tmp_path / "text.conllu", tmp_path / "folder" / "other.conllu"
    write(toy_treebank(2, seed=3), path)
    other.parent.mkdir()
    link(path, other)
    for first, second in ((path, other), (other, path)):
        with AnnotatedFile(first) as file:
            sentences = file.load()
            for _ in range(3):
                with pytest.raises(HeadwiseError, match="is being annotated already"):
                    AnnotatedFile(second)
                file.save(sentences)
        AnnotatedFile(second).close()
        if link is os.link:  # each name has a file of its own now
            other.unlink()
            link(path, other)
    assert sorted(entry.name for entry in tmp_path.rglob("*")) == ["folder", "other.conllu", "text.conllu"]


def test_a_file_that_another_program_has_made_meanwhile(tmp_path: Path) -> None:
    path = tmp_path / "new.conllu"
    with AnnotatedFile(path) as file:
        path.write_bytes(b"somebody's")
        with pytest.raises(FileChangedError):
            file.save(toy_treebank(2, seed=3))
    assert path.read_bytes() == b"somebody's"
    path.unlink()
    path.symlink_to(tmp_path / "nothing")
    with pytest.raises(HeadwiseError, match="a link to a file that is not there"):
        AnnotatedFile(path)


def test_an_edit_that_neither_size_nor_time_tells(tmp_path: Path) -> None:
    path = tmp_path / "text.conllu"
    write(toy_treebank(2, seed=3), path)
    with AnnotatedFile(path) as file:
        sentences = file.load()
        file.save(sentences)
        before = path.stat()
        edited = path.read_bytes().replace(b"nsubj", b"NSUBJ", 1)
        with path.open("r+b") as other:
            other.write(edited)
        os.utime(path, ns=(before.st_atime_ns, before.st_mtime_ns))
        assert (path.stat().st_ino, path.stat().st_size) == (before.st_ino, before.st_size)
        with pytest.raises(FileChangedError):
            file.save(sentences)
        assert path.read_bytes() == edited
        file.save(file.load())  # once it was looked at


def test_what_is_no_file(tmp_path: Path) -> None:
    path = tmp_path / "pipe.conllu"
    os.mkfifo(path)
    with pytest.raises(HeadwiseError, match="a device or a pipe"):
        AnnotatedFile(path)


def test_compressed_as_its_name_says(tmp_path: Path) -> None:
    path = tmp_path / "text.conllu.gz"
    with AnnotatedFile(path) as file:
        file.save(toy_treebank(2, seed=3))
        file.save(file.load())
    assert path.read_bytes()[:2] == b"\x1f\x8b"
    assert list(read(path)) == toy_treebank(2, seed=3)


def test_bytes_and_trailer_come_back(tmp_path: Path) -> None:
    path = tmp_path / "text.conllu"
    write(toy_treebank(2, seed=3), path)
    content = path.read_bytes() + b"# the end\n"
    path.write_bytes(content)
    with AnnotatedFile(path) as file:
        file.save(file.load())
    assert path.read_bytes() == content
