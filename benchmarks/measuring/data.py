"""Where the real treebanks are: $HEADWISE_DATA, or ../shared beside the project."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path


def data() -> Path:
    return Path(os.environ.get("HEADWISE_DATA", Path(__file__).parents[3] / "shared"))


@dataclass(frozen=True)
class Split:
    """The files of one treebank; ``dev`` is None where the treebank has none."""

    name: str
    train: Path
    dev: Path | None
    test: Path

    @property
    def protocol(self) -> str:
        """The protocol its literature reports."""
        return "conllx" if self.name.startswith("CoNLLX") else "ud"


def find_treebank(name: str) -> Split:
    """A treebank by (part of) its name, or by the path of its folder."""
    folder = Path(name)
    if not folder.is_dir():
        found = sorted(p for p in (data() / "treebanks").glob("*") if name.lower() in p.name.lower())
        if not found:
            raise SystemExit(f"no treebank called {name} under {data() / 'treebanks'}; set HEADWISE_DATA")
        folder = found[0]
    files = {part: sorted(folder.glob(f"{part}.conll*")) for part in ("train", "dev", "test")}
    if not files["train"] or not files["test"]:
        raise SystemExit(f"{folder} has no train and test files")
    dev = files["dev"][0] if files["dev"] else None
    return Split(folder.name, files["train"][0], dev, files["test"][0])
