"""Bracketed trees have commands of their own: the others say so."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

import click

PHRASE_PARSER = "phrase-structure parser"
"""The kind of a model that finds phrase structure, as its file says."""


def are_brackets(path: Path | None) -> bool:
    """Whether a file holds bracketed trees."""
    if path is None:
        return False
    from headwise.constituency.recognizing import is_bracket_file

    return is_bracket_file(path)


def refuse_brackets(command: str, paths: Iterable[Path | None]) -> None:
    """UsageError where one of these files holds bracketed trees."""
    for path in paths:
        if are_brackets(path):
            raise click.UsageError(f"{path} holds bracketed trees, which are for headwise phrases {command}")


def refuse_phrase_model(command: str, model: str, kind: str) -> None:
    """UsageError where a model finds phrase structure."""
    if kind == PHRASE_PARSER:
        raise click.UsageError(f"{model} finds phrase structure, which is for headwise phrases {command}")
