"""How often a claim was tried: counted by long tests, summed over processes, shown when the tests end."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable

import pytest

Tally = Callable[..., None]
"""``tally("kills")`` counts one, ``tally("kills", 5)`` five."""

_KEY = pytest.StashKey[Counter[str]]()


@pytest.fixture(scope="session")
def tally(pytestconfig: pytest.Config) -> Tally:
    counts = pytestconfig.stash.setdefault(_KEY, Counter())

    def count(what: str, times: int = 1) -> None:
        counts[what] += times

    return count


def pytest_sessionfinish(session: pytest.Session) -> None:
    if hasattr(session.config, "workeroutput"):  # a process of pytest-xdist
        session.config.workeroutput["tally"] = dict(session.config.stash.get(_KEY, Counter()))


@pytest.hookimpl(optionalhook=True)
def pytest_testnodedown(node: pytest.Session) -> None:
    counts = node.config.stash.setdefault(_KEY, Counter())
    counts.update(getattr(node, "workeroutput", {}).get("tally", {}))


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter, config: pytest.Config) -> None:
    for what, times in sorted(config.stash.get(_KEY, Counter()).items()):
        terminalreporter.write_line(f"{times:,} {what}")
