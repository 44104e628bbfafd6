"""The linear and integer program solver HiGHS, an optional dependency."""

from __future__ import annotations

from importlib.util import find_spec
from typing import Any

from headwise.base.errors import HeadwiseError


def check_installed() -> None:
    """Raises an error that says what to install where the solver is missing."""
    if find_spec("highspy") is None:
        raise HeadwiseError(
            "integer programs need the solver HiGHS, which is not installed. Install it with "
            "pip install 'headwise[ilp]', or decode with 'dual'."
        )


def highs() -> Any:
    """The module of the solver."""
    check_installed()
    import highspy

    return highspy
