"""``headwise find``: pieces of trees, by pattern."""

from __future__ import annotations

import io
import sys
from collections.abc import Callable, Iterable, Iterator
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

from headwise.base.messages import tell
from headwise.cli.choices import OnError
from headwise.cli.command import Argument, Option
from headwise.cli.inputs import Given, given_inputs, looks_like_text
from headwise.cli.skipped import report_skipped
from headwise.cli.streams import writing

if TYPE_CHECKING:
    from headwise.base.errors import TreebankError
    from headwise.treebank import Sentence


Shape = Literal["tree", "conllu", "table", "count"]


def find(
    pattern: Annotated[
        str, Argument(help="A pattern in Grew's language or in Semgrex's, or the name of a file with one.")
    ],
    inputs: Annotated[
        list[str] | None,
        Argument(
            metavar="[TEXT|FILE]...",
            help="Treebank files, also .gz, .xz or .parquet; or text, or files of text, to parse. None or -"
            " reads standard input.",
            show_default=False,
        ),
    ] = None,
    model: Annotated[str, Option("--model", "-m", metavar="NAME|FILE", help="What parses text.")] = "en",
    to: Annotated[
        Shape | None,
        Option(
            "--to",
            help="Drawings with marked words; CoNLL-U with marks in MISC; a table with a line for each match;"
            " or how many there are. (default: tree on a terminal, else table)",
        ),
    ] = None,
    output: Annotated[
        Path, Option("--output", "-o", help="Where to write (.gz and .xz compress); - is standard output.")
    ] = Path("-"),
    most: Annotated[
        int | None, Option(min=1, metavar="N", help="Stop after N sentences with matches. (default: all)")
    ] = None,
    on_error: Annotated[
        OnError, Option(help="Stop at the first broken sentence, or skip and count them.")
    ] = OnError.stop,
) -> None:
    """Search trees by pattern: nodes with conditions, and how they stand to one another (docs/patterns.md).

    Examples:

      headwise find 'V [upos=VERB]; V -[nsubj]-> S; S << V' train.conllu

      headwise find 'pattern { V -[nsubj:pass]-> S } without { V -[obl:agent]-> A }' train.conllu --to table

      headwise find '{upos:VERB}=v >nsubj {}=s !>obj {}' "She sleeps. He reads a book."

      headwise find 'e: A -> B; e.prob < 0.5' parsed.conllu --to conllu -o doubtful.conllu
    """
    from headwise.patterns import Pattern
    from headwise.patterns.output import WRITERS, by_sentence

    asked = Pattern.parse(_text_of(pattern))
    shape = to or ("tree" if str(output) == "-" and sys.stdout.isatty() else "table")
    skipped: list[TreebankError] = []
    sentences = _sentences(given_inputs(inputs), model, on_error, skipped)
    found = islice(by_sentence(asked.find(sentences)), most)
    matches = matched = 0
    with writing(output), WRITERS[shape](output, asked) as write:
        for one in found:
            matched += 1
            matches += len(one.matches)
            write(one)
    report_skipped(skipped)
    if not matches:
        tell("no matches")
    else:
        tell(f"{_counted(matches, 'match', 'matches')} in {_counted(matched, 'sentence', 'sentences')}")


def _text_of(pattern: str) -> str:
    """The pattern itself, or what is in the file of this name."""
    try:
        path = Path(pattern)
        return path.read_text(encoding="utf-8") if path.is_file() else pattern
    except (OSError, ValueError):  # too long for a name of a file, or not one at all
        return pattern


def _sentences(
    given: list[Given], model: str, on_error: OnError, skipped: list[TreebankError]
) -> Iterator[Sentence]:
    texts = None
    for one in given:
        if one.path is not None and not looks_like_text(one):
            yield from _of_treebank(one.path, on_error, skipped)
            continue
        if texts is None:
            texts = _parser_of_texts(model)
        yield from texts(one)


def _of_treebank(path: Path, on_error: OnError, skipped: list[TreebankError]) -> Iterator[Sentence]:
    from headwise.treebank import Reader, read

    reader: Reader
    if path.suffix == ".parquet":
        from headwise.treebank.parquet import read_parquet

        reader = read_parquet(path, on_error=on_error.value)
    else:
        reader = read(path, validate="columns", on_error=on_error.value)
    yield from reader
    skipped += reader.skipped


def _parser_of_texts(model: str) -> Callable[[Given], Iterator[Sentence]]:
    """What gives the sentences of a text with their trees, and how probable they are."""
    from headwise.base.errors import HeadwiseError
    from headwise.pipeline.pipeline import load
    from headwise.treebank.files import read_lines

    loaded = load(model)
    if (tokenizer := loaded.tokenizer) is None:
        raise HeadwiseError(
            f"{model} is a parser alone, and text needs a tokenizer and a tagger, too: name a pipeline (-m)."
        )
    flow = loaded.flow(confidence=True)

    def parsed(given: Given) -> Iterator[Sentence]:
        lines: Iterable[str] = io.StringIO(given.text) if given.path is None else read_lines(given.path)
        for parse in flow.parses(tokenizer.pipe(lines)):
            yield parse.to_annotated_sentence()

    return parsed


def _counted(number: int, one: str, several: str) -> str:
    return f"1 {one}" if number == 1 else f"{number:,} {several}"
