"""``headwise phrases convert``: bracketed trees as dependencies, or simpler."""

from __future__ import annotations

from collections.abc import Sequence
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import click

from headwise.base.messages import tell
from headwise.cli.choices import IfBroken, OnError, Written
from headwise.cli.command import Argument, Option
from headwise.cli.phrases.options import HeadRules
from headwise.cli.skipped import report_skipped
from headwise.pipeline.formats.registry import Format, format_by_name

if TYPE_CHECKING:
    from headwise.constituency.brackets import BracketReader
    from headwise.constituency.tree import Tree


class TreeFormat(StrEnum):
    brackets = "brackets"
    conllu = "conllu"
    conllx = "conllx"
    json = "json"


class Strip(StrEnum):
    empty = "empty"
    functions = "functions"
    chains = "chains"


def convert(
    files: Annotated[
        list[Path] | None,
        Argument(help="Files of bracketed trees, also .gz or .xz; none or - reads standard input."),
    ] = None,
    output: Written = Path("-"),
    to: Annotated[
        TreeFormat, Option("--to", help="Brackets, or the dependencies that head rules give.")
    ] = TreeFormat.brackets,
    strip: Annotated[
        list[Strip] | None,
        Option(
            help="Leave out empty elements (traces), function tags, or phrases whose only child is a phrase"
            " (chains); may be repeated. Dependencies never have empty elements."
        ),
    ] = None,
    head_rules: HeadRules = None,
    on_error: IfBroken = OnError.stop,
) -> None:
    """Convert bracketed trees to the dependencies that head rules give, or to simpler trees.

    Examples:

      headwise phrases convert train.ptb --to conllu --head-rules collins -o train.conllu

      headwise phrases convert train.ptb --strip empty --strip functions -o simple.ptb
    """
    from headwise.constituency.brackets import read_brackets

    readers = [read_brackets(path, on_error=on_error.value) for path in files or [Path("-")]]
    if to is not TreeFormat.brackets:
        _write_dependencies(readers, output, format_by_name(to.value), strip or (), head_rules)
    elif head_rules is not None:
        raise click.UsageError("--head-rules are for dependencies (--to conllu, conllx or json)")
    else:
        _write_trees(readers, output, strip or ())
    report_skipped([error for reader in readers for error in reader.skipped])


def _write_trees(readers: Sequence[BracketReader], output: Path, strip: Sequence[Strip]) -> None:
    from headwise.constituency.brackets import written
    from headwise.treebank.files import opened_for_writing

    with opened_for_writing(output) as opened:
        for reader in readers:
            for tree in reader:
                stripped = _stripped(tree, strip)
                if stripped is not None:
                    opened.write(written(stripped).encode())
            if not strip:
                opened.write(reader.trailer.encode())


def _write_dependencies(
    readers: Sequence[BracketReader],
    output: Path,
    to: Format,
    strip: Sequence[Strip],
    head_rules: str | None,
) -> None:
    from headwise.constituency.dependencies import to_dependencies
    from headwise.constituency.head_rules import HeadRules
    from headwise.constituency.simplify import rooted

    found = (_stripped(tree, [*strip, Strip.empty]) for reader in readers for tree in reader)
    trees = [rooted(tree) for tree in found if tree is not None]
    rules = HeadRules.choose(trees) if head_rules is None else HeadRules.load(head_rules)
    tell(f"heads by the rules called {rules.name}")
    with to.opened(output) as opened:
        for tree in trees:
            opened.write(to_dependencies(tree, rules))


def _stripped(tree: Tree, strip: Sequence[Strip]) -> Tree | None:
    """The tree itself where nothing is to go, so that it is written as it was read."""
    from headwise.constituency.simplify import without_chains, without_empty, without_functions

    left: Tree | None = tree
    if Strip.empty in strip:
        left = without_empty(tree)
    if left is not None and Strip.functions in strip:
        left = without_functions(left)
    if left is not None and Strip.chains in strip:
        left = without_chains(left)
    return left
