"""``headwise show``: trees to look at."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, cast

import click

from headwise.cli.brackets import refuse_brackets, refuse_phrase_model
from headwise.cli.choices import MOST_TREES, Drawn, From, ParseInput
from headwise.cli.command import Argument, Option
from headwise.cli.inputs import Given, given_inputs, looks_like_text
from headwise.cli.streams import writing
from headwise.pipeline.formats.registry import DRAWINGS, format_by_name, format_of_file

if TYPE_CHECKING:
    from headwise.display import Drawing
    from headwise.treebank import Sentence
    from headwise.treebank.reading import Format as TreebankFormat


PICTURES = ("text", *DRAWINGS)
Format = Annotated[
    str | None,
    Option(
        choices=PICTURES,
        help="How to draw: by default as the name of the output says, else as a tree of text.",
    ),
]
Selected = Annotated[str, Option("--sentence", "-s", metavar="N|N-M|N-", help="Which sentences, from 1.")]


def show(
    inputs: Annotated[
        list[str] | None,
        Argument(
            metavar="[TEXT|FILE]...",
            help="Treebank files, also .gz or .xz, whose trees are drawn; or text, or files of text, to"
            " parse. None or - reads standard input.",
            show_default=False,
        ),
    ] = None,
    model: Annotated[
        str | None,
        Option(
            "--model",
            "-m",
            metavar="NAME|FILE",
            help="Parse the sentences anew with this model. (default: en, for text)",
        ),
    ] = None,
    alternatives: Annotated[
        bool,
        Option(
            "--alternatives", help="Show how probable the parser finds its arcs, and what else it considered."
        ),
    ] = False,
    format: Format = None,
    output: Drawn = Path("-"),
    sentence: Selected = "1-",
    against: Annotated[
        Path | None,
        Option(metavar="GOLD", help="A file with the right trees: mark what differs from them."),
    ] = None,
    errors_only: Annotated[
        bool,
        Option("--errors-only", help="With --against: only sentences with something wrong."),
    ] = False,
    k_best: Annotated[
        int,
        Option(
            min=1,
            max=MOST_TREES,
            metavar="K",
            help="The K most probable trees side by side; in a treebank, each K sentences are such trees.",
        ),
    ] = 1,
    from_: From = ParseInput.auto,
) -> None:
    """Draw trees in the terminal, as SVG, or as a web page that needs no network.

    A word's confidence is taken from its MISC column, where that has HeadProb=0.93 or Confidence=0.93, and
    doubts and the model's heads where headwise doubt --to conllu has put them there. Trees of one sentence
    (headwise parse --k-best) stand side by side.

    Examples:

      headwise show "They saw the man with the telescope." --alternatives -o page.html

      headwise show dev.conllu --sentence 3

      headwise show parsed.conllu --against gold.conllu --errors-only -o differences.html

      headwise parse input.conllu -m model.hw | headwise show

      headwise doubt train.conllu --by sentences --top 20 --to conllu | headwise show -o doubts.html
    """
    first, last = selected(sentence)
    kind = kind_of(format, output)
    given = given_inputs(inputs)
    if errors_only and against is None:
        raise click.UsageError("--errors-only needs --against, a file with the right trees")
    if [one.is_stdin for one in given].count(True) + (str(against) == "-") > 1:
        raise click.UsageError("only one file can be read from standard input")
    _refuse_phrases(given, model)
    is_parsed = model is not None or from_.is_text or any(map(_is_text, given))
    if is_parsed and against is not None:
        raise click.UsageError("--against is for trees that a file holds already")
    if alternatives and not is_parsed:
        raise click.UsageError("--alternatives needs a model to ask; name one (-m en)")
    if is_parsed:
        drawings = _parsed(given, model, from_, k_best, alternatives)
    else:
        drawings = _rows([one.path for one in given if one.path], against, k_best, from_)
    if errors_only:
        drawings = (row for row in drawings if any(drawing.corrections for drawing in row))
    rows = islice(drawings, first - 1, last)
    title, legend = _title(given, against), against is not None
    with (
        writing(output),
        format_by_name(kind).opened(output, title=title, legend=legend, captions=True) as opened,
    ):
        for row in rows:
            opened.write_row(row)


def _title(given: list[Given], against: Path | None) -> str:
    return ", ".join(one.name for one in given) + (f" against {against.name}" if against else "")


def _refuse_phrases(given: list[Given], model: str | None) -> None:
    if model is None:
        refuse_brackets("show", (one.path for one in given))
        return
    from headwise.model import model_kind
    from headwise.model.bundled import model_path

    refuse_phrase_model("show", model, model_kind(model_path(model)))


def _parsed(
    given: list[Given], model: str | None, from_: ParseInput, k_best: int, alternatives: bool
) -> Iterator[tuple[Drawing, ...]]:
    from headwise.cli.parsed_drawings import parsed_drawings
    from headwise.model.bundled import DEFAULT
    from headwise.pipeline.pipeline import load

    return parsed_drawings(given, load(model or DEFAULT), from_, k_best, alternatives)


def on_terminal(output: Path) -> bool:
    """Whether somebody looks at what is written."""
    return str(output) == "-" and sys.stdout.isatty()


def write_pieces(pieces: Iterator[str], output: Path) -> None:
    """Drawings, bit by bit."""
    from headwise.treebank.files import opened_for_writing

    with writing(output), opened_for_writing(output) as opened:
        for piece in pieces:
            opened.write(piece.encode(errors="replace"))


def _is_text(given: Given) -> bool:
    return given.path is None or looks_like_text(given)


def selected(text: str) -> tuple[int, int | None]:
    """The first and the last sentence, from 1."""
    first, dash, last = text.partition("-")
    try:
        begin = int(first)
        end = (int(last) if last else None) if dash else begin
    except ValueError:
        raise click.UsageError(
            f"--sentence takes a number or a range such as 3, 2-5 or 7-, not {text}"
        ) from None
    if not 1 <= begin <= sys.maxsize or (end is not None and not begin <= end <= sys.maxsize):
        raise click.UsageError(f"--sentence {text}: sentences are counted from 1, the first one first")
    return begin, end


def kind_of(format: str | None, output: Path) -> str:
    """What was asked for, or what the name of the file promises."""
    if format is None:
        named = format_of_file(output)
        format = named.name if named is not None and named.is_drawing else "tree"
    return "tree" if format == "text" else format


def _rows(
    paths: list[Path], against: Path | None, k_best: int, format: ParseInput
) -> Iterator[tuple[Drawing, ...]]:
    """The drawings of each sentence: one, or the K best ones; marked where there is gold to go by."""
    from headwise.display import DisplayError, compare, draw
    from headwise.display.doubts import with_doubts

    sentences = _with_next_trees(_sentences(paths, format), k_best)
    gold = None if against is None else _sentences([against], ParseInput.auto)
    for trees in sentences:
        row = [draw(tree, confidence=_confidence(tree), caption=_caption(tree)) for tree in trees]
        if gold is not None:
            right = next(gold, None)
            if right is None:
                raise DisplayError(f"{against} has fewer sentences; compare files with the same sentences")
            row = [compare(drawing, draw(right, caption=_caption(right))) for drawing in row]
        else:
            row = [with_doubts(drawing, tree) for drawing, tree in zip(row, trees, strict=True)]
        yield tuple(row)
    if gold is not None and next(gold, None) is not None:
        raise DisplayError(f"{against} has more sentences; compare files with the same sentences")


def _with_next_trees(sentences: Iterator[Sentence], k_best: int) -> Iterator[list[Sentence]]:
    """Trees of the same sentence together: K at a time, or as their ranks say."""
    from headwise.treebank.probabilities import RANK

    if k_best > 1:
        while trees := list(islice(sentences, k_best)):
            yield trees
        return
    trees = []
    for sentence in sentences:
        if trees and (sentence.comment(RANK) or "1") == "1":
            yield trees
            trees = []
        trees.append(sentence)
    if trees:
        yield trees


def _sentences(paths: list[Path], format: ParseInput) -> Iterator[Sentence]:
    from headwise.treebank import read

    for path in paths:
        yield from read(path, format=cast("TreebankFormat", format.value), validate="tree")


def _caption(sentence: Sentence) -> str:
    return sentence.sent_id or sentence.source


def _confidence(sentence: Sentence) -> list[float] | None:
    """The probabilities of arcs in MISC, if every word has one."""
    from headwise.treebank.probabilities import HEAD, read_numbers

    numbers = read_numbers(sentence, HEAD, "Confidence")
    return None if numbers is None else numbers.tolist()
