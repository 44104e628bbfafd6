"""What makes models is in a checkout; an installed package is tested without it."""

from __future__ import annotations

from pathlib import Path

import pytest

TOOL = Path(__file__).parents[2] / "models"

collect_ignore_glob = [] if (TOOL / "__main__.py").is_file() else ["test_*.py"]


def pytest_report_header() -> str | None:
    return None if not collect_ignore_glob else f"tests/models: left out, {TOOL} is not there"


@pytest.fixture
def treebanks(tmp_path: Path) -> Path:
    """Toy treebanks of a language, as they lie where models are made."""
    from headwise.treebank import write
    from toy_language import toy_treebank

    folder = tmp_path / "shared" / "ud" / "UD_Toy-GSD"
    folder.mkdir(parents=True)
    for seed, (split, count) in enumerate({"train": 60, "dev": 20, "test": 20}.items()):
        write(toy_treebank(count, seed), folder / f"{split}.conllu.xz")
    return tmp_path / "shared"
