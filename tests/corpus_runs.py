"""Runs of `headwise corpus`, and what they leave."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

COMMAND = [sys.executable, "-c", "from headwise.cli import main; main()"]
Run = subprocess.CompletedProcess[str]


def contents(folder: Path) -> dict[str, bytes]:
    """All that a run has written, but its log and lock."""
    passed_over = ("log.jsonl", "lock")
    return {
        path.relative_to(folder).as_posix(): path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.is_file() and path.name not in passed_over
    }


def sentences(folder: Path, ending: str = ".conllu") -> bytes:
    """The shards, one after the other."""
    return b"".join(path.read_bytes() for path in sorted(folder.glob(f"*{ending}")))


IS_ROOT = hasattr(os, "geteuid") and os.geteuid() == 0
