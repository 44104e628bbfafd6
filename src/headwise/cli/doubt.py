"""``headwise doubt``: what in a treebank to look at again, or to annotate next."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, cast

from headwise.cli.choices import LARGEST_SEED, Drawn, From, IfBroken, OnError, ParseInput, Threads
from headwise.cli.command import Argument, Option
from headwise.cli.inputs import Given, Reading, looks_like_text
from headwise.cli.orders import OfFeatures
from headwise.cli.skipped import report_skipped
from headwise.cli.streams import writing

if TYPE_CHECKING:
    from headwise.components.parser.parser import Parser
    from headwise.evaluation.doubt import Doubt, DoubtfulSentence, DoubtfulWord, LabelledArc
    from headwise.pipeline.pipeline import Pipeline
    from headwise.treebank import Sentence
    from headwise.treebank.reading import Format


class Ranked(StrEnum):
    words = "words"
    sentences = "sentences"


class DoubtOutput(StrEnum):
    table = "table"
    conllu = "conllu"
    json = "json"
    html = "html"


def doubt(
    file: Annotated[
        Path,
        Argument(help="A treebank or text, also .gz or .xz; - reads standard input."),
    ] = Path("-"),
    model: Annotated[
        str | None,
        Option(
            "--model",
            "-m",
            metavar="NAME|FILE",
            help="Judge with this model; it must not have learned from FILE.",
        ),
    ] = None,
    by: Annotated[Ranked, Option(help="Rank words, or sentences by mean doubt.")] = Ranked.words,
    top: Annotated[
        int | None,
        Option(min=1, metavar="N", help="How many to write. (default: 50 in a table, 200 on a page)"),
    ] = None,
    to: Annotated[
        DoubtOutput | None,
        Option(
            help="A table; JSON Lines, most doubtful first; CoNLL-U with doubts in MISC; or a web page with"
            " both trees. (default: as the name of the output says, else a table)"
        ),
    ] = None,
    output: Drawn = Path("-"),
    folds: Annotated[
        int, Option(min=2, help="Train so many parsers, each to judge the part it has not seen.")
    ] = 5,
    factorization: OfFeatures = "model1",
    epochs: Annotated[int, Option(min=1, help="Passes over the training data of each.")] = 5,
    seed: Annotated[int, Option(min=0, max=LARGEST_SEED, help="Same seed and data: the same output.")] = 1,
    threads: Threads = 1,
    from_: From = ParseInput.auto,
    on_error: IfBroken = OnError.stop,
    quiet: Annotated[bool, Option("--quiet", "-q", help="Print nothing but the result.")] = False,
) -> None:
    """Rank the words or sentences of a treebank by how much a parser disbelieves their annotation.

    Annotation errors gather at the top. Each sentence is judged by a parser that has not learned from it:
    five are trained, on four fifths of the file each. Words without a head, and text, are ranked by how
    uncertain the --model is about them, around the heads that are there: what to annotate next. In files of
    headwise annotate only what is marked there counts as annotated.

    Examples:

      headwise doubt train.conllu --top 200

      headwise doubt raw.conllu -m model.hw --by sentences --to conllu --top 100 > annotate-next.conllu

      headwise doubt train.conllu -o report.html
    """
    from headwise.base.cores import cores
    from headwise.base.errors import HeadwiseError
    from headwise.evaluation.doubt import cross_fitted_doubts, doubts_of, has_tree
    from headwise.learning import Listener
    from headwise.pipeline.pipeline import load
    from headwise.training.settings import of_features

    if to is None:
        to = DoubtOutput.html if output.suffix in (".html", ".htm") else DoubtOutput.table
    loaded = None if model is None else load(model)
    sentences = _sentences_of(file, loaded, from_, on_error)
    unannotated = next((s for s in sentences if not has_tree(s)), None)
    threads = cores(threads)
    if loaded is not None:
        sentences = list(loaded.flow(threads=threads).tagged(sentences))
        doubts = list(doubts_of(loaded.parser, sentences, threads=threads))
    elif unannotated is not None:
        raise HeadwiseError(
            f"{unannotated.source}: a word has no head. Give a --model to rank sentences without annotation "
            "by how uncertain it is, or leave such sentences out (--on-error skip)."
        )
    else:
        settings = of_features(factorization, epochs=epochs, seed=seed, threads=threads)
        listener = Listener(message=lambda text: None if quiet else print(text, file=sys.stderr, flush=True))
        doubts = cross_fitted_doubts(sentences, settings, folds=folds, listener=listener)
    _write(doubts, by, to, top, output)


def _sentences_of(
    file: Path, model: Pipeline | Parser | None, format: ParseInput, on_error: OnError
) -> list[Sentence]:
    """The sentences to judge. Text goes through the tokenizer and the tagger of the model."""
    from headwise.base.errors import HeadwiseError
    from headwise.treebank import annotated, read
    from headwise.web.annotate.marks import MARK, only_annotated

    given = Given(file)
    if format.is_text or (format is ParseInput.auto and looks_like_text(given)):
        if model is None:
            raise HeadwiseError(
                f"{given.name} is text, which has no trees to doubt. Give a --model to parse it."
            )
        as_text = ParseInput.text if format is ParseInput.auto else format
        found = list(Reading(model.tokenizer, as_text).sentences_of(given)[0])
        skipped = []
    else:
        reader = read(file, format=cast("Format", format.value), on_error=on_error.value)
        found = list(annotated(reader) if model is None and on_error is OnError.skip else reader)
        skipped = reader.skipped
    report_skipped(skipped)
    if not found:
        raise HeadwiseError(f"{file} has no sentences{' that are not broken' * bool(skipped)}.")
    marked = any(f"{MARK}=" in field for sentence in found for field in sentence.misc)
    return [only_annotated(sentence) for sentence in found] if marked else found


def _write(doubts: list[Doubt], by: Ranked, to: DoubtOutput, top: int | None, output: Path) -> None:
    from headwise.evaluation.doubt import rank_sentences, rank_words
    from headwise.treebank import json_writer, writer

    ranked: Sequence[DoubtfulWord] | Sequence[DoubtfulSentence]
    ranked = rank_words(doubts) if by is Ranked.words else rank_sentences(doubts)
    if to is DoubtOutput.json:
        with json_writer(output) as opened:
            for item in ranked[:top]:
                opened.write_document(item.to_json())
    elif to is DoubtOutput.conllu:
        with writer(output) as treebank:
            for sentence in _sentences(doubts, ranked, by, top):
                treebank.write(sentence)
    else:
        from headwise.evaluation.doubt_page import doubt_page
        from headwise.treebank.files import opened_for_writing

        if to is DoubtOutput.html:
            pieces = doubt_page(ranked[: top or 200], of=len(ranked), title=doubts[0].sentence.file)
        else:
            pieces = iter([_table(ranked[: top or 50], by)])
        with writing(output), opened_for_writing(output) as opened_file:
            for piece in pieces:
                opened_file.write(piece.encode(errors="replace"))


def _sentences(
    doubts: list[Doubt],
    ranked: Sequence[DoubtfulWord] | Sequence[DoubtfulSentence],
    by: Ranked,
    top: int | None,
) -> list[Sentence]:
    """Ranked sentences in their order; those of ranked words in the order of the file."""
    from headwise.evaluation.doubt import DoubtfulWord, annotated_with_doubt

    if by is Ranked.sentences:
        return [annotated_with_doubt(item.doubt) for item in ranked[:top]]
    suspects: dict[int, set[int]] = {}
    for item in ranked[:top]:
        assert isinstance(item, DoubtfulWord)
        suspects.setdefault(item.doubt.number, set()).add(item.word)
    return [
        annotated_with_doubt(doubt, suspects[doubt.number] if top is not None else ())
        for doubt in doubts
        if doubt.number in suspects
    ]


def _table(ranked: Sequence[DoubtfulWord] | Sequence[DoubtfulSentence], by: Ranked) -> str:
    """Plain columns, one line an item, that cut and sort can work with."""
    from headwise.evaluation.doubt import DoubtfulWord

    rows = [["doubt", "where", "word", "annotated", "p", "parser", "p"]]
    if by is Ranked.sentences:
        rows = [["doubt", "where", "text"]]
    for item in ranked:
        place = item.doubt.sentence.source
        if isinstance(item, DoubtfulWord):
            sentence, m = item.doubt.sentence, item.word - 1
            place = f"{sentence.file}:{sentence.line_of(item.word)}"
            arcs = item.doubt.annotated_arc(item.word), item.doubt.model_arc(item.word)
            columns = [text for arc in arcs for text in _arc_in_words(arc, sentence)]
            rows.append([f"{item.nats:.2f}", place, f"{item.word} {sentence.forms[m]}", *columns])
        else:
            text = item.doubt.sentence.text or " ".join(item.doubt.sentence.forms)
            rows.append([f"{item.nats:.2f}", place, text])
    return _aligned(rows)


def _arc_in_words(arc: LabelledArc | None, sentence: Sentence) -> tuple[str, str]:
    """``obl ◂ 4 saw`` and its probability; nothing for nothing."""
    if arc is None:
        return "", ""
    form = "root" if arc.head == 0 else f"{arc.head} {sentence.forms[arc.head - 1]}"
    return f"{arc.label} ◂ {form}", f"{arc.probability:.3f}"


def _aligned(rows: list[list[str]]) -> str:
    from headwise.base.writing_systems import printable, terminal_width

    rows = [[printable(cell) for cell in row] for row in rows]
    widths = [max(map(terminal_width, column)) for column in zip(*rows, strict=True)]
    lines = [
        "  ".join(
            cell + " " * (width - terminal_width(cell)) for cell, width in zip(row, widths, strict=True)
        )
        for row in rows
    ]
    return "".join(f"{line.rstrip()}\n" for line in lines)
