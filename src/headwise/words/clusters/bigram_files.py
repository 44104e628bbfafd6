"""Counts of words and bigrams in files, as ``headwise corpus --to bigrams`` leaves one for each shard.

A safetensors file: ``words`` in UTF-8, one a line, by falling frequency and then by spelling; ``counts``, how
often each came; ``pairs``, the numbers of two words and how often the second came behind the first.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import BinaryIO

import numpy as np
import safetensors
import safetensors.numpy

from headwise._native.clusters import BigramCounter, Bigrams
from headwise.treebank.files import read_chunks
from headwise.words.clusters.files import ClusterError

ENDINGS = (".bigrams", ".bigrams.gz", ".bigrams.xz")
OWN, COMPLETE = "_headwise", "_headwise/complete.json"
"""What ``headwise corpus`` keeps about a folder, and writes when all is done."""


def write_bigrams(bigrams: Bigrams, file: BinaryIO) -> None:
    words = "".join(f"{word}\n" for word in bigrams.words).encode()
    file.write(
        safetensors.numpy.save(
            {
                "words": np.frombuffer(words, np.uint8),
                "counts": np.array(bigrams.counts, np.int64),
                "pairs": bigrams.pairs().astype(np.uint32).reshape(-1, 3),
            }
        )
    )


def add_bigrams(path: str | Path, counter: BigramCounter) -> None:
    """Add the counts of a file to those of a counter."""
    try:
        tables = safetensors.numpy.load(b"".join(read_chunks(path)))
        words = tables["words"].tobytes().decode().split("\n")[:-1]
        counter.add_table(words, tables["counts"], tables["pairs"].reshape(-1))
    except (safetensors.SafetensorError, KeyError, TypeError, UnicodeDecodeError, ValueError) as error:
        raise ClusterError(f"{path}: holds no counts of bigrams ({error}).") from error


def bigram_files(path: Path) -> list[Path]:
    """A file of counts, or those of a folder in their order; none where it holds something else."""
    if not path.is_dir():
        return [path] if path.name.endswith(ENDINGS) else []
    files = sorted(file for file in path.iterdir() if file.name.endswith(ENDINGS))
    if files and (path / OWN).is_dir() and _shards(path / COMPLETE) != len(files):
        raise ClusterError(f"{path}: not all is counted. Run the same headwise corpus command again.")
    return files


def _shards(complete: Path) -> int | None:
    """How many shards there are in all; None where it is not known yet."""
    try:
        return int(json.loads(complete.read_bytes())["shards"])
    except (OSError, ValueError, TypeError, KeyError):
        return None
