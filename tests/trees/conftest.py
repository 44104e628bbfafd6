from collections.abc import Iterator

import pytest

from .suite import make_case


@pytest.fixture(autouse=True, scope="session")
def _free_cases() -> Iterator[None]:
    """Native objects should not outlive the tests: the extension module reports those as leaks."""
    yield
    make_case.cache_clear()
