"""Nothing that was answered is lost: not to kill -9, not to a second process, not to another program."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from headwise import HeadwiseError, Parser
from headwise.treebank import read, write
from headwise.web.annotate import AnnotatedFile, decisions_of
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


def test_bytes_and_trailer_come_back(tmp_path: Path) -> None:
    path = tmp_path / "text.conllu"
    write(toy_treebank(2, seed=3), path)
    content = path.read_bytes() + b"# the end\n"
    path.write_bytes(content)
    with AnnotatedFile(path) as file:
        file.save(file.load())
    assert path.read_bytes() == content
