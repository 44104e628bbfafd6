"""Options that mean nothing to what was asked for are refused, not ignored."""

from __future__ import annotations

from collections.abc import Collection

import typer


def refuse_other_options(context: typer.Context, meaningful: Collection[str], why: str) -> None:
    """Refuse the call where an option was given that has no meaning here; `why` ends the sentence."""
    sources = {name: context.get_parameter_source(name) for name in context.params}
    given = {name for name, source in sources.items() if source and source.name == "COMMANDLINE"}
    if useless := given.difference(meaningful):
        names = ", ".join("--" + name.strip("_").replace("_", "-") for name in sorted(useless))
        raise typer.BadParameter(f"{names} cannot be used {why}")
