"""``headwise phrases show``: bracketed trees to look at."""

from __future__ import annotations

import os
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import click

from headwise.cli.choices import Drawn, OnError, ParseInput
from headwise.cli.command import Argument, Option
from headwise.cli.inputs import Given, given_inputs
from headwise.cli.phrases.options import loaded, sentences_of
from headwise.cli.show import Format, Selected, kind_of, on_terminal, selected, write_pieces

if TYPE_CHECKING:
    from headwise.constituency.tree import Tree


def show(
    inputs: Annotated[
        list[str] | None,
        Argument(
            metavar="[TEXT|FILE]...",
            help="Files of bracketed trees; with a model, sentences to parse. None or - reads standard"
            " input.",
            show_default=False,
        ),
    ] = None,
    model: Annotated[
        str | None, Option("--model", "-m", metavar="FILE", help="Parse the sentences with this model.")
    ] = None,
    format: Format = None,
    output: Drawn = Path("-"),
    sentence: Selected = "1-",
) -> None:
    """Draw bracketed trees in the terminal, as SVG, or as a web page that needs no network.

    Examples:

      headwise phrases show parsed.ptb --sentence 3

      headwise phrases show parsed.ptb -o trees.html
    """
    first, last = selected(sentence)
    given = given_inputs(inputs)
    trees = _parsed(given, model) if model is not None else _read(given)
    titles = ", ".join(one.name for one in given)
    kind = kind_of(format, output)
    write_pieces(_pieces(islice(trees, first - 1, last), kind, titles, on_terminal(output)), output)


def _parsed(given: list[Given], model: str) -> Iterator[Tree]:
    parser = loaded(model)
    for one in given:
        for words in sentences_of(one, ParseInput.auto, OnError.stop, []):
            yield parser(words).tree


def _read(given: list[Given]) -> Iterator[Tree]:
    from headwise.constituency.brackets import read_brackets

    for one in given:
        if one.path is None:
            raise click.UsageError(f"{one.name}: to draw the phrases of text, name a model (-m)")
        yield from read_brackets(one.path)


def _pieces(trees: Iterator[Tree], kind: str, title: str, on_terminal: bool) -> Iterator[str]:
    """The drawings bit by bit."""
    from headwise.constituency.display import html_pieces, to_svg, to_text

    if kind == "html":
        yield from html_pieces(trees, title=title)
    elif kind == "svg":
        first = list(islice(trees, 2))
        if len(first) != 1:
            found = "several" if first else "none"
            remedy = "choose one (--sentence N) or draw them all on a page (--format html)"
            raise click.UsageError(f"an SVG file holds one tree, and there are {found}; {remedy}")
        yield to_svg(first[0])
    else:
        colour = on_terminal and "NO_COLOR" not in os.environ
        for tree in trees:
            yield f"# {' '.join(tree.words)}\n{to_text(tree, colour=colour)}\n"
