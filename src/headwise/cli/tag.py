"""``headwise tag``: tags and lemmas for sentences that are already split into words."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from headwise.cli.choices import IfBroken, InputFormat, OnError, Threads, Written
from headwise.cli.command import Argument, Option
from headwise.cli.skipped import report_skipped

if TYPE_CHECKING:
    from headwise.base.errors import TreebankError


def tag(
    files: Annotated[
        list[Path] | None,
        Argument(help="Treebank files, also .gz or .xz; none or - reads standard input."),
    ] = None,
    model: Annotated[
        str,
        Option(
            "--model", "-m", metavar="NAME|FILE", help="A tagger or a pipeline: a file, or a bundled model."
        ),
    ] = "en",
    output: Written = Path("-"),
    from_: Annotated[InputFormat, Option("--from", help="Format of the input.")] = InputFormat.auto,
    threads: Threads = 1,
    on_error: IfBroken = OnError.stop,
) -> None:
    """Tag tokenized sentences: UPOS, XPOS, FEATS and LEMMA, as far as the tagger learned them.

    Example: headwise tag input.conllu -m tagger.hw -o tagged.conllu

    Every other byte (comments, multiword tokens, heads, MISC) stays as it was.
    """
    from headwise.components.tagging import Tagger
    from headwise.model import model_kind
    from headwise.model.bundled import model_path
    from headwise.pipeline.pipeline import Pipeline
    from headwise.treebank import read, writer

    path = model_path(model)
    tagger = Pipeline.load(path).tagger if model_kind(path) == Pipeline.KIND else Tagger.load(path)
    skipped: list[TreebankError] = []
    with writer(output) as opened:
        for file in files or [Path("-")]:
            reader = read(file, format=from_.value, validate="columns", on_error=on_error.value)
            for sentence in tagger.pipe(reader, threads=threads):
                opened.write(sentence)
            opened.write_trailer(reader.trailer)
            skipped += reader.skipped
    report_skipped(skipped)
