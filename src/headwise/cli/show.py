"""``headwise show``: trees to look at."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from enum import StrEnum
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, cast

from headwise.cli import shell
from headwise.cli.choices import MOST_TREES, ParseInput
from headwise.cli.inputs import Given, given_inputs, looks_like_text
from headwise.cli.phrases import are_brackets, is_phrase_model, parsed_trees, tree_pieces, trees_of
from headwise.cli.streams import writing

if TYPE_CHECKING:
    from headwise.display import Drawing
    from headwise.treebank import Sentence
    from headwise.treebank.reading import Format


_WIDTH_OF_A_PIPE = 160


class Picture(StrEnum):
    text = "text"
    svg = "svg"
    html = "html"


def show(
    inputs: Annotated[
        list[str] | None,
        shell.Argument(
            metavar="[TEXT|FILE]...",
            help="Treebank files, also .gz or .xz, whose trees are drawn; or text, or files of text, to"
            " parse. None or - reads standard input.",
            show_default=False,
        ),
    ] = None,
    model: Annotated[
        str | None,
        shell.Option(
            "--model",
            "-m",
            metavar="NAME|FILE",
            help="Parse the sentences anew with this model. (default: en, for text)",
        ),
    ] = None,
    alternatives: Annotated[
        bool,
        shell.Option(
            "--alternatives", help="Show how probable the parser finds its arcs, and what else it considered."
        ),
    ] = False,
    format: Annotated[
        Picture | None,
        shell.Option(help="How to draw: by default as the name of the output says, else as text."),
    ] = None,
    output: Annotated[
        Path, shell.Option("--output", "-o", help="Where to write; - is standard output.")
    ] = Path("-"),
    sentence: Annotated[
        str, shell.Option("--sentence", "-s", metavar="N|N-M|N-", help="Which sentences, from 1.")
    ] = "1-",
    against: Annotated[
        Path | None,
        shell.Option(metavar="GOLD", help="A file with the right trees: mark what differs from them."),
    ] = None,
    errors_only: Annotated[
        bool,
        shell.Option("--errors-only", help="With --against: only sentences with something wrong."),
    ] = False,
    k_best: Annotated[
        int,
        shell.Option(
            min=1,
            max=MOST_TREES,
            metavar="K",
            help="The K most probable trees side by side; in a treebank, each K sentences are such trees.",
        ),
    ] = 1,
    from_: Annotated[
        ParseInput, shell.Option("--from", help="Format of the input; auto tells by name and content.")
    ] = ParseInput.auto,
) -> None:
    """Draw trees (dependencies or brackets) in the terminal, as SVG, or as a web page that needs no network.

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
    first, last = _range(sentence)
    kind = format or _kind_by_name(output)
    given = given_inputs(inputs)
    if errors_only and against is None:
        raise shell.BadParameter("--errors-only needs --against, a file with the right trees")
    if [one.is_stdin for one in given].count(True) + (str(against) == "-") > 1:
        raise shell.BadParameter("only one file can be read from standard input")
    trees = [one.path for one in given if one.path is not None and are_brackets(one.path)]
    parses_phrases = model is not None and is_phrase_model(model)
    if parses_phrases or (trees and model is None):
        if against is not None or alternatives or k_best > 1:
            raise shell.BadParameter(
                "--against, --alternatives and --k-best are for dependencies; brackets are compared by "
                "headwise evaluate, and headwise parse --k-best writes several"
            )
        if not parses_phrases and len(trees) < len(given):
            raise shell.BadParameter("bracketed trees and others cannot be drawn together")
        titles = ", ".join(one.name for one in given)
        drawn = parsed_trees(given, model, from_) if model is not None else trees_of(trees)
        _write(
            tree_pieces(islice(drawn, first - 1, last), kind.value, titles, on_terminal=_on_terminal(output)),
            output,
        )
        return
    if model is not None or from_.is_text or any(map(_is_text, given)):
        if against is not None:
            raise shell.BadParameter("--against is for trees that a file holds already")
        from headwise.cli.parsed_drawings import parsed_drawings
        from headwise.model.bundled import DEFAULT
        from headwise.pipeline.pipeline import load

        drawings = parsed_drawings(given, load(model or DEFAULT), from_, k_best, alternatives)
    elif alternatives:
        raise shell.BadParameter("--alternatives needs a model to ask; name one (-m en)")
    else:
        drawings = _rows([one.path for one in given if one.path], against, k_best, from_)
    if errors_only:
        drawings = (row for row in drawings if any(drawing.corrections for drawing in row))
    rows = islice(drawings, first - 1, last)
    if kind is Picture.html:
        pieces = _html(rows, given, against)
    elif kind is Picture.svg:
        pieces = _svg(rows)
    else:
        pieces = _text(rows, on_terminal=_on_terminal(output))
    _write(pieces, output)


def _on_terminal(output: Path) -> bool:
    return str(output) == "-" and sys.stdout.isatty()


def _write(pieces: Iterator[str], output: Path) -> None:
    from headwise.treebank.files import opened_for_writing

    with writing(output), opened_for_writing(output) as opened:
        for piece in pieces:
            opened.write(piece.encode(errors="replace"))


def _is_text(given: Given) -> bool:
    return given.path is None or looks_like_text(given)


def _range(text: str) -> tuple[int, int | None]:
    first, dash, last = text.partition("-")
    try:
        begin = int(first)
        end = (int(last) if last else None) if dash else begin
    except ValueError:
        raise shell.BadParameter(
            f"--sentence takes a number or a range such as 3, 2-5 or 7-, not {text}"
        ) from None
    if not 1 <= begin <= sys.maxsize or (end is not None and not begin <= end <= sys.maxsize):
        raise shell.BadParameter(f"--sentence {text}: sentences are counted from 1, the first one first")
    return begin, end


def _kind_by_name(output: Path) -> Picture:
    return {".svg": Picture.svg, ".html": Picture.html, ".htm": Picture.html}.get(output.suffix, Picture.text)


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
        yield from read(path, format=cast("Format", format.value), validate="tree")


def _caption(sentence: Sentence) -> str:
    return sentence.sent_id or sentence.source


def _confidence(sentence: Sentence) -> list[float] | None:
    """The probabilities of arcs in MISC, if every word has one."""
    from headwise.treebank.probabilities import HEAD, read_numbers

    numbers = read_numbers(sentence, HEAD, "Confidence")
    return None if numbers is None else numbers.tolist()


def _text(rows: Iterator[tuple[Drawing, ...]], *, on_terminal: bool) -> Iterator[str]:
    import os
    import shutil

    from headwise.base.writing_systems import printable
    from headwise.display import beside, to_text

    colour = on_terminal and "NO_COLOR" not in os.environ
    width = shutil.get_terminal_size().columns if on_terminal else _WIDTH_OF_A_PIPE
    for row in rows:
        captions = " | ".join(drawing.caption for drawing in row if drawing.caption)
        yield printable(f"# {captions}: {row[0].text}" if captions else f"# {row[0].text}") + "\n"
        yield beside([to_text(drawing, colour=colour) for drawing in row], width) + "\n"


def _svg(rows: Iterator[tuple[Drawing, ...]]) -> Iterator[str]:
    from headwise.display import to_svg

    drawings = [drawing for row in islice(rows, 2) for drawing in row]
    if len(drawings) != 1:
        found = "several" if drawings else "none"
        remedy = "choose one (--sentence N) or draw them all on a page (--format html)"
        raise shell.BadParameter(f"an SVG file holds one tree, and there are {found}; {remedy}")
    return iter([to_svg(drawings[0])])


def _html(rows: Iterator[tuple[Drawing, ...]], given: list[Given], against: Path | None) -> Iterator[str]:
    from headwise.display import html_pieces

    title = ", ".join(one.name for one in given)
    if against is not None:
        title += f" against {against.name}"
    return html_pieces(rows, title=title, legend=against is not None)
