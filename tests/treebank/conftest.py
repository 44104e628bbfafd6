import os
from pathlib import Path

import pytest

PROJECT = Path(__file__).parents[2]


@pytest.fixture
def fixtures() -> Path:
    return PROJECT / "tests" / "fixtures"


@pytest.fixture(scope="session")
def treebanks() -> list[Path]:
    """The files of the shared treebanks."""
    data = Path(os.environ.get("HEADWISE_DATA", PROJECT.parent / "shared"))
    files = sorted(data.glob("treebanks/*/*.xz"))
    if not files:
        pytest.skip(f"no treebanks in {data} (set HEADWISE_DATA)")
    return files
