"""Commands as processes that something happens to: kills, no room, no memory, other writers, odd names …

A case says what happens, to which command, and when. Whatever it is, the output is what was there before, or
what the command writes when nobody disturbs it; what goes wrong is told, and nothing is left behind.
"""

from __future__ import annotations

import json
import os
import random
import resource
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from attack.commands import FIXTURES, commands
from attack.target import BrokenPromiseError, Outcome, Target

COMMAND = [sys.executable, "-c", "from headwise.cli import main; main()"]
WRITERS: dict[str, list[str]] = {
    "train": ["train", "train.conllu", "--factorization", "arc", "--arc-bits", "14", "--epochs", "3", "-q"],
    "compress": ["compress", "model.hw"],
    "calibrate": ["calibrate", "model.hw", "test.conllu"],
    "parse": ["parse", "test.conllu", "-m", "model.hw"],
    "parse to JSON": ["parse", "test.conllu", "-m", "model.hw", "--to", "json"],
    "tag": ["tag", "test.conllu", "-m", "en"],
    "convert": ["convert", "train.conllu", "--to", "json"],
    "show": ["show", "test.conllu", "--format", "html"],
    "doubt": ["doubt", "test.conllu", "-m", "model.hw", "-q"],
    "cluster": ["cluster", "text.txt", "--clusters", "8", "-q"],
    "vectors": ["vectors", "text.txt", "--width", "4", "--min-count", "1", "-q"],
    "find": ["find", "A -> B", "test.conllu", "--to", "conllu"],
    "phrases train": ["phrases", "train", "trees.mrg", "-q"],
    "phrases convert": ["phrases", "convert", "trees.mrg"],
    "phrases show": ["phrases", "show", "trees.mrg", "--format", "html"],
}
"""Run in a folder with what they read; ``-o FILE`` is added."""
_OTHERS = {"corpus", "annotate", "rerank", "pretrain", "phrases parse"}
"""Commands with an output to which nothing happens here: tests/corpus and tests/annotate see to two, the next
two take minutes (folds, PyTorch), and the last writes as `phrases convert` does."""
_OLD = b"what was there before"
_NAMES = ["-o", "a b", "x\n\x1b[31m", "\udcff\udcfe", "é" * 100, "%s", "*", "..x", "-"]
_LOCALES = [
    {"LC_ALL": "C"},
    {"LC_ALL": "tr_TR.UTF-8"},
    {"LC_ALL": "C", "PYTHONUTF8": "0"},
    {"TZ": "x", "LANG": "x"},
]
_LEAST_MEMORY = 250 << 20
"""Below, Python cannot import what it needs to say that there is none."""


class Processes(Target):
    name = "processes"
    cases_a_process = 1000
    patience = 300.0

    def __init__(self) -> None:
        with_output = {
            name for name, command in commands() if any("--output" in one.opts for one in command.params)
        }
        if unknown := with_output - {*WRITERS} - _OTHERS:
            raise LookupError(f"nothing happens to {', '.join(sorted(unknown))}: add it to {__file__}")
        self._folder = tempfile.TemporaryDirectory()
        self._home = Path(self._folder.name) / "home"
        prepare(self._home)
        self._whole: dict[str, tuple[bytes, float]] = {}
        self._faults: dict[str, Callable[[str, random.Random], None]] = {
            "kill": self._kill,
            "no room": self._no_room,
            "no memory": self._no_memory,
            "another writer": self._another_writer,
            "odd name": self._odd_name,
            "locale": self._locale,
            "links": self._links,
        }

    def mutant(self, rng: random.Random) -> bytes:
        fault = rng.choice([*self._faults, "kill", "kill"])
        case = {"fault": fault, "command": rng.choice([*WRITERS]), "seed": rng.randrange(1 << 30)}
        return json.dumps(case).encode()

    def attack(self, data: bytes) -> Outcome:
        case = json.loads(data)
        command = case["command"]
        if command not in self._whole:
            began = time.monotonic()
            out = self._home / "whole"
            code, said = self._run(command, out)
            if code:
                raise BrokenPromiseError(f"{command} failed: {said}")
            self._whole[command] = out.read_bytes(), time.monotonic() - began
            out.unlink()
        self._out = self._home / "out"
        self._out.write_bytes(_OLD)
        before = {path.name for path in self._home.iterdir()}
        self._faults[case["fault"]](command, random.Random(case["seed"]))
        for path in self._home.iterdir():
            if path.name not in before:
                raise BrokenPromiseError(f"{path.name!r} was left behind")
        self._out.unlink()
        return "accepted"

    # ---- what happens

    def _kill(self, command: str, rng: random.Random) -> None:
        """And then the command is run again: what the kill has left is gone."""
        process = self._start(command, self._out)
        time.sleep(rng.uniform(0.1, 1.1) * self._whole[command][1])
        process.kill()
        process.communicate()
        self._expect(command, self._out, old=True)
        self._finish(command, self._out, must=True)

    def _no_room(self, command: str, rng: random.Random) -> None:
        size = rng.randrange(len(self._whole[command][0]))

        def limit() -> None:
            resource.setrlimit(resource.RLIMIT_FSIZE, (size, size))

        code, said = self._finish(command, self._out, before=limit)
        if code != 1 or "File too large" not in said:
            raise BrokenPromiseError(f"without room: exit code {code}, {said}")
        self._expect(command, self._out, old=True, new=False)

    def _no_memory(self, command: str, rng: random.Random) -> None:
        size = rng.randrange(_LEAST_MEMORY, 4 * _LEAST_MEMORY)

        def limit() -> None:
            resource.setrlimit(resource.RLIMIT_AS, (size, size))

        code, said = self._finish(command, self._out, before=limit)
        if code not in (0, 1):
            raise BrokenPromiseError(f"with {size:,} bytes: exit code {code}, {said}")
        self._expect(command, self._out, old=code == 1, new=code == 0)

    def _another_writer(self, command: str, rng: random.Random) -> None:
        both = [self._start(command, self._out) for _ in range(2)]
        while any(process.poll() is None for process in both):
            self._expect(command, self._out, old=True)
            time.sleep(0.005)
        for process in both:
            _check(process.returncode, process.communicate()[1].decode(errors="replace"))
        self._expect(command, self._out)

    def _odd_name(self, command: str, rng: random.Random) -> None:
        """Of the output and of what is read."""
        name = rng.choice(_NAMES)
        folder = self._home / "odd"
        folder.mkdir()
        try:
            source = WRITERS[command][self._source(command)]
            read = folder / f"{name}{Path(source).suffix}"
            shutil.copy(self._home / source, read)
            out = folder / f"{name}.out"
            code, said = self._finish(command, out, reading=read)
            if code not in (0, 1, 2) or (code == 0) != out.exists():
                raise BrokenPromiseError(f"{name!r}: exit code {code}, {said}")
            if set("\x1b\x07\x9b") & set(said):
                raise BrokenPromiseError(f"{name!r} reached the terminal")
        finally:
            shutil.rmtree(folder)

    def _locale(self, command: str, rng: random.Random) -> None:
        self._finish(command, self._out, must=True, environment=rng.choice(_LOCALES))
        self._expect(command, self._out)

    def _links(self, command: str, rng: random.Random) -> None:
        """Names that Headwise makes up beside an output lead elsewhere."""
        victim = self._home / "victim"
        victim.write_bytes(b"precious")
        from headwise.base.atomic import _own_name

        links = [Path(f"{self._out}.state"), self._home / f"{_own_name(self._out)}.unfinished"]
        try:
            for link in links:
                link.symlink_to(victim)
            self._finish(command, self._out, must=True)
            if victim.read_bytes() != b"precious":
                raise BrokenPromiseError("a link was followed")
            self._expect(command, self._out)
        finally:
            for path in (victim, *links):
                path.unlink(missing_ok=True)

    def _source(self, command: str) -> int:
        """Where in its call the file that it reads is named."""
        return next(i for i, word in enumerate(WRITERS[command]) if (self._home / word).is_file())

    # ---- running

    def _start(
        self,
        command: str,
        out: Path,
        *,
        before: Callable[[], None] | None = None,
        environment: dict[str, str] | None = None,
        reading: Path | None = None,
    ) -> subprocess.Popen[bytes]:
        words = list(WRITERS[command])
        if reading is not None:
            words[self._source(command)] = str(reading)
        return subprocess.Popen(
            [*COMMAND, *words, "-o", str(out)],
            cwd=self._home,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            preexec_fn=before,
            env={**os.environ, **(environment or {})},
        )

    def _run(self, command: str, out: Path) -> tuple[int, str]:
        process = self._start(command, out)
        _, errors = process.communicate(timeout=self.patience)
        return process.returncode, errors.decode(errors="replace")

    def _finish(
        self,
        command: str,
        out: Path,
        *,
        must: bool = False,
        before: Callable[[], None] | None = None,
        environment: dict[str, str] | None = None,
        reading: Path | None = None,
    ) -> tuple[int, str]:
        """Its exit code and what it said, in time, and without a traceback."""
        process = self._start(command, out, before=before, environment=environment, reading=reading)
        try:
            _, errors = process.communicate(timeout=self.patience / 2)
        except subprocess.TimeoutExpired:
            process.send_signal(signal.SIGKILL)
            process.communicate()
            raise BrokenPromiseError(f"{command} hangs") from None
        said = errors.decode(errors="replace")
        _check(process.returncode, said)
        if must and process.returncode:
            raise BrokenPromiseError(f"{command} failed: {said}")
        return process.returncode, said

    def _expect(self, command: str, out: Path, *, old: bool = False, new: bool = True) -> None:
        found, whole = out.read_bytes(), self._whole[command][0]
        if not ((old and found == _OLD) or (new and found == whole)):
            raise BrokenPromiseError(f"{command}: {len(found):,} bytes that nobody has written as a whole")


def _check(code: int, said: str) -> None:
    for odd in ("Traceback", "Exception ignored", "nanobind:", "terminate called"):
        if odd in said:
            raise BrokenPromiseError(f"exit code {code}, and said: {said[-2000:]}")
    if code < 0:
        raise BrokenPromiseError(f"ended by signal {-code}: {said[-2000:]}")


def prepare(folder: Path) -> None:
    """What the commands read."""
    folder.mkdir()
    treebank = (FIXTURES / "models" / "format-1-first.conllu").read_bytes()
    whole = treebank[: treebank.rindex(b"\n\n") + 2]
    (folder / "train.conllu").write_bytes(whole * 3)
    (folder / "test.conllu").write_bytes(whole * 2)
    shutil.copy(FIXTURES / "models" / "format-1-first.hw", folder / "model.hw")
    words = [line.split(b"\t")[1].decode() for line in whole.splitlines() if line[:1].isdigit()]
    text = "\n".join(" ".join(words[i : i + 9]) for i in range(0, len(words), 9))
    (folder / "text.txt").write_text(f"{text}\n" * 20, encoding="utf-8")
    (folder / "trees.mrg").write_text(
        "(ROOT (S (NP (PRP She)) (VP (VBZ reads) (NP (DT a) (NN book)))))\n" * 30, encoding="utf-8"
    )
