"""``headwise parse``: trees for text, or for sentences that are already split into words."""

from __future__ import annotations

import gc
import sys
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import click

from headwise.base.errors import HeadwiseError
from headwise.base.messages import tell
from headwise.base.seed import DEFAULT_SEED
from headwise.cli.brackets import refuse_phrase_model
from headwise.cli.choices import (
    LARGEST_SEED,
    MOST_TREES,
    RERANKER,
    IfBroken,
    ModelName,
    OnError,
    ParseInput,
    Threads,
    Written,
)
from headwise.cli.command import Argument, Option, refuse_other_options
from headwise.cli.inputs import Given, Reading, given_inputs
from headwise.cli.kept_tags import report_tags
from headwise.cli.skipped import report_skipped
from headwise.components.parser.decoders import Decoder
from headwise.pipeline.formats.registry import TREES, Format, format_by_name

if TYPE_CHECKING:
    from headwise.cli.parse_progress import ParseProgress
    from headwise.components.parser.constraints import Constraints
    from headwise.components.parser.flow import Flow
    from headwise.components.parser.parser import Parser
    from headwise.components.parser.search import Search
    from headwise.components.reranker.reranker import Reranker
    from headwise.dual import Limits
    from headwise.model import ModelFile
    from headwise.pipeline.formats.output_file import OutputFile
    from headwise.pipeline.pipeline import Pipeline
    from headwise.treebank import Sentence


OPTIONS_OF_RERANKING = frozenset(
    ("inputs", "model", "output", "from_", "to", "confidence", "offsets", "threads", "on_error")
)


def parse(
    inputs: Annotated[
        list[str] | None,
        Argument(
            metavar="[TEXT|FILE]...",
            help="Text, or files of text or of a treebank, also .gz or .xz; none or - reads standard input.",
            show_default=False,
        ),
    ] = None,
    model: ModelName = "en",
    output: Written = Path("-"),
    from_: Annotated[
        ParseInput,
        Option(
            "--from",
            help="Format of the input: a treebank's, or running text, lines (one sentence each) or tokens (a"
            " sentence a line, spaces between tokens); auto looks at it.",
        ),
    ] = ParseInput.auto,
    to: Annotated[
        str | None,
        Option(
            "--to",
            choices=TREES,
            help="Format of the output; 'same' changes HEAD and DEPREL only, 'tree' draws."
            " (default: tree on a terminal, else same; CoNLL-U from text)",
        ),
    ] = None,
    decoder: Annotated[
        Decoder | None,
        Option(
            help="Which tree: the best one (map; dual finds it by dual decomposition, exact-ilp proves it on"
            " every sentence, climb and sample look for it without a proof), or the one with the most heads"
            " expected to be right (minimum-risk). (default: the model's)"
        ),
    ] = None,
    seed: Annotated[
        int,
        Option(
            min=0, max=LARGEST_SEED, help="For --decoder climb and sample, which start from random trees."
        ),
    ] = DEFAULT_SEED,
    as_published: Annotated[
        bool,
        Option(
            "--as-published",
            help="With --decoder dual: the algorithm of Koo et al. (2010) to the letter, 5,000 iterations"
            " with its steps, instead of our own (docs/dual.md).",
        ),
    ] = False,
    confidence: Annotated[
        bool,
        Option(
            "--confidence",
            help="Write how probable each head and label is (MISC) and each tree (a comment).",
        ),
    ] = False,
    k_best: Annotated[
        int | None,
        Option(
            min=1,
            max=MOST_TREES,
            metavar="K",
            help="Write the K most probable trees of each sentence, with probabilities.",
        ),
    ] = None,
    certificates: Annotated[
        bool,
        Option(
            "--certificates",
            help="Write whether each tree is proved to be the best one, or by how much another may be better"
            " (a comment).",
        ),
    ] = False,
    constrained: Annotated[
        bool,
        Option(
            "--constrained",
            help="Keep the heads and labels that the input has, and fill in the others (_): the best tree"
            " around what is annotated.",
        ),
    ] = False,
    retag: Annotated[
        bool,
        Option(
            "--retag",
            help="Replace the tags and lemmas of treebank files by those of the model's tagger; without this,"
            " sentences that have tags keep them.",
        ),
    ] = False,
    offsets: Annotated[
        bool,
        Option(
            "--offsets",
            help="Write where each token stands in its text, in characters from 0 (TokenRange in MISC).",
        ),
    ] = False,
    threads: Threads = 1,
    on_error: IfBroken = OnError.stop,
) -> None:
    """Parse text, or the sentences of a treebank file.

    Examples:

      headwise parse "She announced a program to promote safety in trucks and vans."

      headwise parse book.txt -o book.conllu

      headwise parse input.conllu -m model.hw -o parsed.conllu

      headwise parse input.conllu -m model.hw --confidence > parsed.conllu

      headwise parse half-annotated.conllu -m model.hw --constrained -o whole.conllu

    An argument that names no file is text. Trees are drawn on a terminal; elsewhere text becomes CoNLL-U,
    with "# newdoc" before each file and sentences numbered through. CoNLL-U or CoNLL-X comes back as the same
    lines with HEAD and DEPREL filled in; every other byte (tags, comments, multiword tokens, MISC) stays.
    Sentences without tags are tagged by a model that can (bundled ones can).
    --to json writes a JSON document a line (docs/json.md). Probabilities are explained in docs/confidence.md.
    """
    from headwise.cli.parse_progress import ParseProgress
    from headwise.model import ModelFile
    from headwise.model.bundled import model_path

    given = given_inputs(inputs)
    file = ModelFile.open(model_path(model))
    refuse_phrase_model("parse", model, file.kind)
    gc.disable()  # parsing makes no cycles, and looking for them among a million objects takes time
    from headwise.components.parser.search import Search

    loaded = _loaded(file)
    if to is None:
        to = "tree" if str(output) == "-" and sys.stdout.isatty() else "same"
    search = Search(
        decoder=decoder,
        seed=seed,
        limits=_published_limits() if as_published else None,
        constraints=_annotation() if constrained else None,
        k=k_best,
        confidence=confidence,
        certificates=certificates,
        tags="replace" if retag else "keep",
        on_error=on_error.value,
        threads=threads,
    )
    format = format_by_name(to)
    if why_not := search.why_not(loaded.parser.config, has_tagger=loaded.tagger is not None):
        raise click.UsageError(why_not)
    _check_places(search, format)
    if search.wants_probabilities:
        _warn_of_estimates(model, loaded.parser)
    flow = loaded.flow(search)
    reading = Reading(loaded.tokenizer, from_, on_error, offsets=offsets)
    progress = ParseProgress(output)
    with format.opened(output) as opened, progress:
        fewer = sum(_write(one, reading, flow, search, format, opened, progress) for one in given)
    progress.report()
    _report(flow, reading)
    if fewer:
        what = "1 sentence has" if fewer == 1 else f"{fewer:,} sentences have"
        tell(f"{what} fewer than {k_best} trees that the parser considers; all of them were written")


def _loaded(file: ModelFile) -> Parser | Pipeline | Reranker:
    if file.kind == RERANKER:
        from headwise.components.reranker.reranker import Reranker

        refuse_other_options(OPTIONS_OF_RERANKING, "with a reranker")
        return Reranker.load(file)
    from headwise.pipeline.pipeline import load_opened

    return load_opened(file)


def _check_places(search: Search, format: Format) -> None:
    """What is asked for must have a place in the output."""
    for what, is_wanted in (("probabilities", search.wants_probabilities), ("comments", search.certificates)):
        if is_wanted and not format.holds_comments:
            raise click.UsageError(
                f"--to {format.name} has no place for {what}; use --to conllu or --to json"
            )


def _write(
    one: Given,
    reading: Reading,
    flow: Flow,
    search: Search,
    format: Format,
    opened: OutputFile,
    progress: ParseProgress,
) -> int:
    """Parse one input; how many sentences have fewer trees than were asked for."""
    fewer = 0
    sentences, reader = reading.sentences_of(one)
    for row in filter(None, flow.rows(sentences)):
        if search.certificates and format.name == "same" and reader and reader.format == "conllx":
            source = row[0].sentence.source
            raise HeadwiseError(f"{source}: CoNLL-X has no comments; use --to conllu or --to json.")
        fewer += search.k is not None and len(row) < search.k and not row[0].left_out
        for parse in row:
            opened.write_parse(parse)
        progress.add(len(row[0]))
    if reader is not None and format.columns in (None, reader.format):
        opened.write_trailer(reader.trailer)
    return fewer


def _published_limits() -> Limits:
    from headwise.dual import KOO_2010

    return KOO_2010


def _annotation() -> Callable[[Sentence], Constraints]:
    from headwise.components.parser.constraints import Constraints

    return Constraints.of_annotation


def _report(flow: Flow, reading: Reading) -> None:
    """What became of tags, what was left out, and what was skipped."""
    report_tags(flow, reading.of_text)
    for what, count in flow.left_out.items():
        tell(f"{_sentences(count)} too long for {what}; parsed without (a comment says so)")
    report_skipped([*reading.skipped, *flow.skipped])


def _sentences(count: int) -> str:
    return "1 sentence is" if count == 1 else f"{count:,} sentences are"


def _warn_of_estimates(model: str, parser: Parser) -> None:
    """Probabilities that should be taken with caution are announced as such, once."""
    if not parser.config.calibration.is_fitted:
        tell(
            f"the probabilities of {model} were never fitted, and are only what its scores make of "
            f"them; fit them with: headwise calibrate {model} DEV"
        )
    if caution := parser.config.calibration.caution:
        tell(caution)
    if parser.config.has_whole_tree_features:
        tell("the model has features of whole trees, which its probabilities do not count")
    if not parser.has_exact_probabilities:
        tell(
            "non-projective trees above first order have no computable distribution; "
            "probabilities are estimates from changes of single arcs"
        )
