"""``headwise templates``: the built-in feature templates."""

from __future__ import annotations

from typing import Annotated

import click

from headwise.cli.command import Argument


def templates(
    tables: Annotated[list[str] | None, Argument(help="Names of tables; all by default.")] = None,
) -> None:
    """Print the built-in feature templates, as a file that `headwise train --templates` understands.

    In your own file, lines with + add to a table, lines with - switch lines of it off, and a section without
    either replaces the table.

    Example: headwise templates sibling
    """
    from importlib import resources

    from headwise.trees.factorizations import TABLES

    for name in tables or TABLES:
        if name not in TABLES:
            raise click.UsageError(f"no table is called {name}; use one of {', '.join(TABLES)}")
        print(f"[{name}]")
        print((resources.files("headwise.components.scoring") / "tables" / f"{name}.txt").read_text("utf-8"))
