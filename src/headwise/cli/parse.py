"""``headwise parse``: trees for text, or for sentences that are already split into words."""

from __future__ import annotations

import gc
import math
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from headwise.base.messages import tell
from headwise.base.seed import DEFAULT_SEED
from headwise.cli import shell
from headwise.cli.choices import (
    LARGEST_SEED,
    MOST_TREES,
    PHRASE_PARSER,
    RERANKER,
    OnError,
    ParseInput,
    ParseOutput,
    Threads,
)
from headwise.cli.given_options import refuse_other_options
from headwise.cli.inputs import Reading, given_inputs
from headwise.components.parser.decoders import Decoder

if TYPE_CHECKING:
    from headwise.components.parser.parse import Parse
    from headwise.components.parser.parser import Parser


OPTIONS_OF_RERANKING = frozenset(
    ("inputs", "model", "output", "from_", "to", "offsets", "threads", "on_error")
)
EXACT = "headwise_exact"
"""The comment of a certificate."""


def parse(
    context: shell.Context,
    inputs: Annotated[
        list[str] | None,
        shell.Argument(
            metavar="[TEXT|FILE]...",
            help="Text, or files of text or of a treebank, also .gz or .xz; none or - reads standard input.",
            show_default=False,
        ),
    ] = None,
    model: Annotated[
        str, shell.Option("--model", "-m", metavar="NAME|FILE", help="A model file, or a bundled model.")
    ] = "en",
    output: Annotated[
        Path,
        shell.Option("--output", "-o", help="Where to write (.gz and .xz compress); - is standard output."),
    ] = Path("-"),
    from_: Annotated[
        ParseInput,
        shell.Option(
            "--from",
            help="Format of the input: a treebank's, or running text, lines (one sentence each) or tokens (a"
            " sentence a line, spaces between tokens); auto looks at it.",
        ),
    ] = ParseInput.auto,
    to: Annotated[
        ParseOutput | None,
        shell.Option(
            "--to",
            help="Format of the output; 'same' changes HEAD and DEPREL only, 'tree' draws."
            " (default: tree on a terminal, else same; CoNLL-U from text)",
        ),
    ] = None,
    decoder: Annotated[
        Decoder | None,
        shell.Option(
            help="Which tree: the best one (map; dual finds it by dual decomposition, exact-ilp proves it on"
            " every sentence, climb and sample look for it without a proof), or the one with the most heads"
            " expected to be right (minimum-risk). (default: the model's)"
        ),
    ] = None,
    seed: Annotated[
        int,
        shell.Option(
            min=0, max=LARGEST_SEED, help="For --decoder climb and sample, which start from random trees."
        ),
    ] = DEFAULT_SEED,
    as_published: Annotated[
        bool,
        shell.Option(
            "--as-published",
            help="With --decoder dual: the algorithm of Koo et al. (2010) to the letter, 5,000 iterations"
            " with its steps, instead of our own (docs/dual.md).",
        ),
    ] = False,
    confidence: Annotated[
        bool,
        shell.Option(
            "--confidence",
            help="Write how probable each head and label is (MISC) and each tree (a comment).",
        ),
    ] = False,
    k_best: Annotated[
        int | None,
        shell.Option(
            min=1,
            max=MOST_TREES,
            metavar="K",
            help="Write the K most probable trees of each sentence, with probabilities.",
        ),
    ] = None,
    certificates: Annotated[
        bool,
        shell.Option(
            "--certificates",
            help="Write whether each tree is proved to be the best one, or by how much another may be better"
            " (a comment).",
        ),
    ] = False,
    constrained: Annotated[
        bool,
        shell.Option(
            "--constrained",
            help="Keep the heads and labels that the input has, and fill in the others (_): the best tree"
            " around what is annotated.",
        ),
    ] = False,
    retag: Annotated[
        bool,
        shell.Option(
            "--retag",
            help="Replace the tags and lemmas of treebank files by those of the model's tagger; without this,"
            " sentences that have tags keep them.",
        ),
    ] = False,
    offsets: Annotated[
        bool,
        shell.Option(
            "--offsets",
            help="Write where each token stands in its text, in characters from 0 (TokenRange in MISC).",
        ),
    ] = False,
    threads: Threads = 1,
    on_error: Annotated[
        OnError, shell.Option(help="Stop at the first broken sentence, or skip and count them.")
    ] = OnError.stop,
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
    A model trained on bracketed trees writes such trees (docs/phrase-structure.md). --to json writes a JSON
    document a line (docs/json.md). Probabilities are explained in docs/confidence.md.
    """
    from headwise.cli.kept_tags import KeptTags
    from headwise.cli.parse_progress import ParseProgress
    from headwise.model import ModelFile
    from headwise.model.bundled import model_path

    given = given_inputs(inputs)
    file = ModelFile.open(model_path(model))
    if file.kind == PHRASE_PARSER:
        from headwise.cli.phrases import OPTIONS_OF_PARSING_PHRASES, parse_phrases

        refuse_other_options(context, OPTIONS_OF_PARSING_PHRASES, "with a model of phrase structure")
        parse_phrases(given, model, output, from_, to, k_best, on_error)
        return
    gc.disable()  # parsing makes no cycles, and looking for them among a million objects takes time
    from headwise.pipeline.pipeline import Pipeline, load_opened, with_proof

    reranker = None
    if file.kind == RERANKER:
        from headwise.training.reranking import Reranker

        refuse_other_options(context, OPTIONS_OF_RERANKING, "with a reranker")
        reranker = Reranker.load(file)
    loaded = load_opened(file) if reranker is None else reranker.parser
    parser = loaded.parser if isinstance(loaded, Pipeline) else loaded
    if retag and not isinstance(loaded, Pipeline):
        raise shell.BadParameter(f"--retag needs a model with a tagger, and {model} is a parser alone")
    if to is None:
        to = ParseOutput.tree if str(output) == "-" and sys.stdout.isatty() else ParseOutput.same
    target = to.file_format.conll
    confidence = confidence or k_best is not None
    if confidence:
        if target == "conllx":
            raise shell.BadParameter("CoNLL-X has no column for probabilities; use --to conllu or --to json")
        _warn_of_estimates(model, parser)
    if why_not := decoder and decoder.why_not(parser.config):
        raise shell.BadParameter(why_not)
    if as_published and decoder is not Decoder.dual:
        raise shell.BadParameter("--as-published is for --decoder dual")
    if certificates and target == "conllx":
        raise shell.BadParameter("CoNLL-X has no comments; use --to conllu or --to json")
    constraints = None
    if constrained:
        from headwise.components.parser.constraints import Constraints

        constraints = Constraints.of_annotation
    if as_published:
        from headwise.dual import KOO_2010 as published
    tags = KeptTags(retag)
    reading = Reading(loaded, from_, on_error, tags, offsets=offsets, confidence=confidence, threads=threads)
    progress = ParseProgress(output)
    fewer = 0
    with to.writer(output) as opened, progress:
        for one in given:
            sentences, reader = reading.sentences_of(one)
            if reranker is not None:
                rows: Iterator[list[Parse]] = _alone(reranker.pipe(sentences, threads=threads))
            elif k_best is None:
                rows = _alone(
                    parser.pipe(
                        sentences,
                        threads=threads,
                        decoder=decoder,
                        seed=seed,
                        limits=published if as_published else None,
                        confidence=confidence,
                        constraints=constraints,
                    )
                )
            else:
                rows = parser.pipe_k_best(sentences, k_best, threads=threads, constraints=constraints)
            for row in rows:
                fewer += k_best is not None and len(row) < k_best
                proved = reading.next_tags_are_proved()
                for parse in row:
                    _write(_certified(with_proof(parse, proved), to) if certificates else parse, opened, to)
                progress.add(len(row[0]))
            if reader is not None and target in (None, reader.format):
                opened.write_trailer(reader.trailer)
    progress.report()
    reading.report()
    if fewer:
        what = "1 sentence has" if fewer == 1 else f"{fewer:,} sentences have"
        tell(f"{what} fewer than {k_best} trees that the parser considers; all of them were written")


def _alone(parses: Iterator[Parse]) -> Iterator[list[Parse]]:
    return ([parse] for parse in parses)


def _certified(parse: Parse, to: ParseOutput) -> Parse:
    """The parse with a comment that says whether its tree is proved to be the best."""
    from headwise.base.errors import HeadwiseError
    from headwise.treebank import convert
    from headwise.treebank.probabilities import with_values

    sentence = parse.sentence
    if sentence.format != "conllu":
        if to is ParseOutput.same:
            raise HeadwiseError(f"{sentence.source}: CoNLL-X has no comments; use --to conllu or --to json.")
        sentence = convert(sentence, "conllu")
    if parse.exact:
        proof = "yes"
    elif math.isfinite(parse.gap):
        proof = f"no, another tree may score {parse.gap:.4g} higher"
    else:
        proof = "no, and nothing is known of better trees"
    return replace(parse, sentence=with_values(sentence, {EXACT: proof}))


def _write(parse: Parse, opened: Any, to: ParseOutput) -> None:
    """``opened`` is what ``to`` opened."""
    from headwise.components.parser.limits import noting_limits

    parse = noting_limits(parse)
    if to is ParseOutput.json:
        opened.write_document(parse.to_json())
        return
    if to is ParseOutput.tree:
        opened.write_drawing(parse.drawing())
        return
    target = to.file_format.conll
    if target is not None:
        from headwise.treebank import convert

        parse = replace(parse, sentence=convert(parse.sentence, target))
    opened.write(parse.to_annotated_sentence())


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
