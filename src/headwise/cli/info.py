"""``headwise info``: what is in a file."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import click

from headwise.cli.brackets import refuse_brackets, refuse_phrase_model
from headwise.cli.choices import AsJson, InputFormat
from headwise.cli.command import Argument, Option
from headwise.cli.reports import report
from headwise.cli.shown_settings import in_short
from headwise.cli.skipped import report_skipped

if TYPE_CHECKING:
    from headwise.treebank import Reader, Statistics

MODEL_SUFFIXES = (".hw", ".hwe")


def info(
    file: Annotated[
        Path,
        Argument(
            help="A treebank file, also .gz or .xz, a model (a file or a name), or a file of word clusters;"
            " - reads standard input."
        ),
    ] = Path("-"),
    near: Annotated[
        list[str] | None,
        Option(metavar="WORD", help="Of word clusters: show the words beside this one."),
    ] = None,
    from_: Annotated[
        InputFormat, Option("--from", help="Format of the file; auto tells by name and content.")
    ] = InputFormat.auto,
    json: AsJson = False,
    neighbours: Annotated[
        list[str] | None,
        Option(
            help="Of a model with a tensor: words that are most like this one, or like the word in the"
            " middle of this phrase there."
        ),
    ] = None,
    among: Annotated[
        Path | None,
        Option(help="The treebank whose words are compared, with the tags that the model reads."),
    ] = None,
) -> None:
    """Show what is in a treebank: sizes, columns, labels, crossing arcs, roots, and what is wrong with it.

    Of a model it shows how it was trained (the nearest preset, and the settings that differ from it) and what
    it computes, of word clusters their sizes, depths and most frequent words. For a treebank it serves as a
    check: the exit code is 1 when sentences are broken or their heads do not make trees.

    Examples:

      headwise info train.conllu

      headwise info train.conllu.xz --json | jq .nonprojective_arcs_percent

      headwise info clusters.txt --near Monday

      headwise info model.hw --neighbours increase --neighbours "will increase again" --among train.conllu
    """
    from headwise.cli.cluster_info import cluster_info
    from headwise.model import looks_like_model
    from headwise.model.bundled import model_path, names
    from headwise.words.clusters.files import looks_like_clusters

    if str(file) in names():
        file = model_path(str(file))
    if (neighbours is None) != (among is None):
        raise click.UsageError("--neighbours and --among TREEBANK go together")
    if neighbours is not None and among is not None:
        _neighbours(file, neighbours, among, json)
    elif looks_like_model(file) or (from_ is InputFormat.auto and _is_named_as_a_model(file)):
        _model_info(file, json)
    elif looks_like_clusters(file):
        cluster_info(file, near or [], json)
    elif near:
        raise click.UsageError(f"--near is for files of word clusters, and {file} is none")
    else:
        if from_ is InputFormat.auto:
            refuse_brackets("info", [file])
        _treebank_info(file, from_, json)


def _is_named_as_a_model(file: Path) -> bool:
    """A file that is named so and holds something else is a model that was damaged, and no treebank."""
    return file.suffix in MODEL_SUFFIXES and file.is_file()


def _model_info(file: Path, as_json: bool) -> None:
    from headwise.components.parser.config import rows_of
    from headwise.components.parser.parser import Parser
    from headwise.model import ModelFile, weights_digest
    from headwise.model.stored import KINDS, checked, of_part, unusable
    from headwise.pipeline.pipeline import Pipeline

    opened = ModelFile.open(file)
    kind = opened.kind
    refuse_phrase_model("info", str(file), kind)
    if is_model := kind in KINDS:
        with unusable(kind, file):
            config, tensors = checked(opened)
    if as_json:
        import json

        sizes = {name: list(shape) for name, shape in opened.shapes.items()}
        whole = {"file": str(file), **opened.config, "tensors": sizes}
        print(json.dumps(whole, ensure_ascii=False, indent=2))
        return
    from rich.table import Table
    from rich.text import Text

    from headwise.base.writing_systems import printable
    from headwise.cli.reports import console
    from headwise.cli.training_facts import training_facts

    if kind == Pipeline.KIND:
        print("A pipeline: tokenizer, tagger and this parser.")
        if joint := config.joint_tags:
            weight = f"{joint.parser_weight:g}"
            print(f"Tags are chosen together with trees ({joint.way}; the parser counts {weight}).")
        if (weight_of_network := config.tagger.network_weight) is not None:
            print(f"The tagger reads the parser's network, whose opinion counts {weight_of_network:g}.")
        config = config.parser
    elif not is_model or kind != Parser.KIND:
        report(f"{file} holds a {kind}; --json shows its configuration.")
        return
    with unusable(kind, file):
        facts = training_facts(config.training)
    table = Table("Model", box=None, show_header=True, header_style="bold")
    table.add_column(Text(printable(str(file))), overflow="fold")  # names and digests stay whole

    def row(name: str, text: str) -> None:
        table.add_row(name, Text(printable(text)))

    trees = "projective" if config.projective else "non-projective"
    row("Trees", f"{trees}, {'one root' if config.single_root else 'several roots'}")
    row("Labels", f"{len(config.labels)} ({config.label_mode})")
    if config.rules:
        row("Rules of labels", f"{len(config.rules)} of Universal Dependencies")
    row("Features", f"{len(config.arc_templates)} arc, {len(config.label_templates)} label templates")
    sizes_of = of_part("parser", opened.shapes) if kind == Pipeline.KIND else opened.shapes
    for component in config.components:
        if (told := component.describe(rows_of(sizes_of))) is not None:
            row(*told)
    row("Trained on", f"{facts.sentences:,} sentences, {facts.words:,} words")
    if facts.settings:
        row("Settings", f"{in_short(facts.settings)} (all of them: --json)")
    if facts.history:
        row("Kept epoch", f"{facts.best_epoch} of {len(facts.history)}")
    if dev := facts.best_scores:
        scores = ", ".join(f"{name.upper()} {100 * score:.2f}" for name, score in dev.items())
        row("Dev scores", f"{scores} (protocol all)")
    row("Probabilities", str(config.calibration))
    row("Size", f"{file.stat().st_size / 1e6:.1f} MB")
    row("Digest", weights_digest(tensors))
    console().print(table)


def _neighbours(file: Path, phrases: list[str], among: Path, as_json: bool) -> None:
    from headwise.base.errors import HeadwiseError
    from headwise.components.parser.parser import Parser
    from headwise.components.tensor.neighbours import Occurrences
    from headwise.model import model_kind
    from headwise.pipeline.pipeline import Pipeline
    from headwise.treebank import read

    is_pipeline = model_kind(file) == Pipeline.KIND
    parser = Pipeline.load(file).parser if is_pipeline else Parser.load(file)
    if parser.config.tensor is None:
        raise HeadwiseError(f"{file} has no tensor: train it with --tensor.")
    view = parser.config.word_view(parser.weights)
    occurrences = Occurrences.read(parser.config.tensor, parser.weights, read(among), view)
    found = {phrase: occurrences.neighbours(phrase.split()) for phrase in phrases if phrase.split()}
    if as_json:
        import json

        print(json.dumps(found, ensure_ascii=False, indent=2))
        return
    for phrase, words in found.items():
        near = ", ".join(f"{word} {cosine:.2f}" for word, cosine in words or ())
        report(f"{phrase}: {near if words is not None else f'is not in {among}'}")


def _treebank_info(file: Path, format: InputFormat, as_json: bool) -> None:
    from headwise.treebank import read, statistics

    reader = read(file, format=format.value, validate="columns", on_error="skip")
    counts = statistics(reader)
    if as_json:
        import json

        print(json.dumps(_as_dict(counts, reader), ensure_ascii=False, indent=2))
    else:
        _print_table(counts, reader)
    report_skipped(reader.skipped)
    if reader.skipped or counts.problems:
        raise click.exceptions.Exit(1)


def _as_dict(counts: Statistics, reader: Reader) -> dict[str, Any]:
    return {
        "file": reader.name,
        "format": reader.format,
        "sentences": counts.sentences,
        "tokens": counts.tokens,
        "words": counts.words,
        "multiword_tokens": counts.multiword_tokens,
        "empty_nodes": counts.empty_nodes,
        "longest_sentence": counts.longest,
        "longest_sentence_at": counts.longest_source,
        "trees": counts.trees,
        "unannotated_sentences": counts.unannotated,
        "nonprojective_arcs": counts.nonprojective_arcs,
        "nonprojective_arcs_percent": _percent(counts.nonprojective_arcs, counts.arcs),
        "nonprojective_trees": counts.nonprojective_trees,
        "nonprojective_trees_percent": _percent(counts.nonprojective_trees, counts.trees),
        "multi_root_trees": counts.multi_root_trees,
        "multi_root_trees_percent": _percent(counts.multi_root_trees, counts.trees),
        "labels": dict(counts.labels.most_common()),
        "columns_filled_percent": {name: _percent(n, counts.words) for name, n in counts.filled.items()},
        "problems": dict(counts.problems),
        "first_problems": counts.first_problems,
        "broken_sentences": [str(error) for error in reader.skipped],
    }


def _percent(part: int, whole: int) -> float:
    return round(100 * part / whole, 2) if whole else 0.0


def _print_table(counts: Statistics, reader: Reader) -> None:
    from rich.table import Table
    from rich.text import Text

    from headwise.cli.reports import console

    title = Text(f"{reader.name} ({reader.format or 'empty'})")
    table = Table(title=title, show_header=False, title_justify="left")
    table.add_column()
    table.add_column(justify="right")
    table.add_column(overflow="fold")  # file names are long, and should stay whole

    def row(name: str, number: int, note: str = "") -> None:
        table.add_row(name, f"{number:,}", Text(note))

    def share(name: str, number: int, whole: int, of: str) -> None:
        row(name, number, f"{_percent(number, whole):.2f} % of {of}")

    row("sentences", counts.sentences)
    row("tokens", counts.tokens, f"with {counts.multiword_tokens:,} multiword tokens")
    row("words", counts.words)
    row("empty nodes", counts.empty_nodes)
    row("longest sentence", counts.longest, f"words, at {counts.longest_source}" if counts.longest else "")
    table.add_section()
    share("trees", counts.trees, counts.sentences, "sentences")
    share("sentences without heads", counts.unannotated, counts.sentences, "sentences")
    share("crossing (non-projective) arcs", counts.nonprojective_arcs, counts.arcs, "arcs")
    share("trees with a crossing arc", counts.nonprojective_trees, counts.trees, "trees")
    share("trees with several roots", counts.multi_root_trees, counts.trees, "trees")
    table.add_section()
    common = counts.labels.most_common(5)
    shares = (f"{label} {_percent(number, counts.words):.1f} %" for label, number in common)
    row("labels", len(counts.labels), ", ".join(shares))
    for name, filled in counts.filled.items():
        share(f"words with {name}", filled, counts.words, "words")
    table.add_section()
    row("broken sentences", len(reader.skipped), "left out above" if reader.skipped else "")
    row("sentences whose heads are no tree", counts.sentences - counts.trees - counts.unannotated)
    for kind, number in counts.problems.items():
        row(f"  {kind}", number, f"first at {counts.first_problems[kind]}")
    console().print(table)
