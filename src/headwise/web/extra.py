"""Starlette and uvicorn, optional dependencies."""

from __future__ import annotations

from importlib.util import find_spec

from headwise.base.errors import HeadwiseError

_PACKAGES = "starlette", "uvicorn", "httptools", "python_multipart"


def check_installed() -> None:
    """Raises an error that says what to install where something is missing."""
    if missing := [name for name in _PACKAGES if find_spec(name) is None]:
        names = ", ".join(missing).replace("_", "-")
        raise HeadwiseError(
            f"packages for web pages are not installed ({names}). "
            "Install them with: pip install 'headwise[serve]'."
        )
