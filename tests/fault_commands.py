"""The commands that write, as processes that can be killed, and what each of them writes."""

from __future__ import annotations

import subprocess
from pathlib import Path

from corpus_runs import COMMAND

WRITERS: dict[str, list[str]] = {
    "train": ["train", "train.conllu", "--factorization", "arc", "--arc-bits", "14", "--epochs", "2", "-q"],
    "compress": ["compress", "model.hw"],
    "calibrate": ["calibrate", "model.hw", "test.conllu"],
    "parse": ["parse", "test.conllu", "-m", "model.hw"],
    "parse to JSON": ["parse", "test.conllu", "-m", "model.hw", "--to", "json"],
    "convert": ["convert", "train.conllu", "--to", "json"],
    "show": ["show", "test.conllu", "--format", "html"],
    "doubt": ["doubt", "test.conllu", "-m", "model.hw", "-q"],
    "cluster": ["cluster", "text.txt", "--clusters", "8", "-q"],
}
"""Run in a folder with train.conllu, test.conllu, text.txt and model.hw; ``-o FILE`` is added."""


def start(folder: Path, *arguments: object) -> subprocess.Popen[bytes]:
    return subprocess.Popen(
        [*COMMAND, *map(str, arguments)], cwd=folder, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE
    )


def finish(process: subprocess.Popen[bytes]) -> tuple[int, str]:
    """Its exit code, and what it said."""
    _, errors = process.communicate(timeout=600)
    return process.returncode, errors.decode()
