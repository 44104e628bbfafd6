"""Options that mean nothing to what was asked for are refused, not ignored."""

from __future__ import annotations

from collections.abc import Collection

from headwise.cli import shell


def refuse_other_options(context: shell.Context, meaningful: Collection[str], why: str) -> None:
    """Refuse the call where an option was given that has no meaning here; `why` ends the sentence."""
    if useless := context.given.difference(meaningful):
        names = ", ".join("--" + name.strip("_").replace("_", "-") for name in sorted(useless))
        raise shell.BadParameter(f"{names} cannot be used {why}")
