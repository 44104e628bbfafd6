"""Compare the working tree with an earlier commit, both built and measured in the same run.

    python -m benchmarks.compare_commits HEAD~5 EWT [-- options of `headwise train`]

The earlier commit is built in a virtual environment of its own, in a temporary folder. Machines are noisy:
read the ratio, not the seconds.
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
import venv
from pathlib import Path

from benchmarks.measuring.data import find_treebank
from benchmarks.treebank import _split_at_dashes, measure, print_table

PROJECT = Path(__file__).parents[1]


def install(source: Path, folder: Path) -> Path:
    """A virtual environment with the package built from a source tree; returns its Python."""
    venv.create(folder, with_pip=True)
    python = folder / "bin" / "python"
    subprocess.run([python, "-m", "pip", "install", "--quiet", source], check=True)
    return python


def main() -> None:
    ours, _, theirs = _split_at_dashes(sys.argv[1:])
    if len(ours) != 2:
        raise SystemExit(__doc__)
    revision, name = ours
    split = find_treebank(name)
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(temporary)
        old_tree = folder / "old"
        subprocess.run(["git", "-C", PROJECT, "worktree", "add", "--detach", old_tree, revision], check=True)
        try:
            pythons = {
                revision: install(old_tree, folder / "old-env"),
                "working tree": install(PROJECT, folder / "new-env"),
            }
        finally:
            subprocess.run(["git", "-C", PROJECT, "worktree", "remove", "--force", old_tree], check=True)
        rows = []
        for label, python in pythons.items():
            work = folder / python.parents[1].name / "work"
            work.mkdir()
            rows.append({"build": label, **measure(split, theirs, work, python)})
    rows.append({"build": "new / old", **{k: ratio(rows[0][k], rows[1][k]) for k in rows[0] if k != "build"}})
    print_table(rows)


def ratio(old: str, new: str) -> str:
    try:
        return f"{float(new.replace(',', '')) / float(old.replace(',', '')):.3f}"
    except (ValueError, ZeroDivisionError):
        return ""


if __name__ == "__main__":
    main()
