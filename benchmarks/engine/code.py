"""The code that figures are about: at which commit it was measured, and whether it has changed since."""

from __future__ import annotations

import subprocess
from functools import cache
from pathlib import Path

REPOSITORY = Path(__file__).parents[2]
Paths = tuple[str, ...]

TREES: Paths = ("native/trees", "src/headwise/trees", "src/headwise/dual")
_SCORING = ("scoring", "network", "pruner", "roles", "tensor", "whole_tree", "parser")
PARSING: Paths = (
    "native/trees",
    "native/scoring",
    "native/parsing",
    "native/learning",
    *(f"src/headwise/components/{name}" for name in _SCORING),
    "src/headwise/training",
)
CONFIDENCE: Paths = (*PARSING, "native/confidence", "src/headwise/components/confidence")
NETWORK: Paths = ("native/base/simd", "native/scoring/network")
PYTORCH: Paths = ("src/headwise/training/neural", "native/scoring/network")
TEXT: Paths = (
    "native/text",
    "native/tagging",
    "src/headwise/components/text",
    "src/headwise/components/tagging",
)
WORDS: Paths = ("native/clusters", "src/headwise/words/clusters", "src/headwise/words/vectors")
PHRASES: Paths = ("native/constituency", "src/headwise/constituency", "src/headwise/dual")
BUNDLED: Paths = ("src/headwise/model/bundled/en.hw", "src/headwise/model/bundled/en-fast.hw")


def measured_commit(paths: Paths) -> str:
    """The last commit that changed these paths: who measures now measures what it left.

    A plus says that something of them is not committed.
    """
    last = (_git("log", "-1", "--format=%h", "--", *paths) or "").strip()
    if not last:
        return "unknown"
    return f"{last}+" if _git("status", "--porcelain", "--", *paths) else last


@cache
def is_older(commit: str, paths: Paths) -> bool | None:
    """Whether these paths differ now from what they were at a commit; None where that cannot be known."""
    if commit.endswith("+"):
        return True
    differing = _git("diff", "--name-only", commit, "--", *paths)
    return None if differing is None else bool(differing)


def said_age(commit: str, paths: Paths) -> str:
    return {
        True: f"older than the code (measured at {commit})",
        False: f"up to date ({commit})",
        None: f"measured at {commit}, which this repository does not have",
    }[is_older(commit, paths)]


def _git(*arguments: str) -> str | None:
    """What git says; None where there is no git, no repository or no such commit."""
    try:
        done = subprocess.run(
            ["git", "-C", str(REPOSITORY), *arguments], capture_output=True, text=True, check=True
        )
    except (OSError, subprocess.CalledProcessError):
        return None
    return done.stdout
