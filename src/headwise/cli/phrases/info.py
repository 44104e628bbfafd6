"""``headwise phrases info``: what is in a file of bracketed trees, or in a model of them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import click

from headwise.cli.choices import AsJson
from headwise.cli.command import Argument
from headwise.cli.reports import report
from headwise.cli.skipped import report_skipped

if TYPE_CHECKING:
    from headwise.constituency.parser import PhraseConfig


def info(
    file: Annotated[
        Path, Argument(help="A file of bracketed trees, also .gz or .xz, or a model; - reads standard input.")
    ] = Path("-"),
    as_json: AsJson = False,
) -> None:
    """Show what is in a file of bracketed trees, or in a model of them.

    Broken trees are counted, and make the exit code 1.

    Example: headwise phrases info train.ptb
    """
    from headwise.constituency.parser import PhraseParser
    from headwise.model import ModelFile, looks_like_model
    from headwise.model.stored import checked, unusable

    if not looks_like_model(file):
        _trees_info(file, as_json)
        return
    opened = ModelFile.open(file)
    if opened.kind != PhraseParser.KIND:
        raise click.UsageError(f"{file} holds a {opened.kind}: headwise info {file}")
    with unusable(opened.kind, file):
        config, _ = checked(opened)
    if as_json:
        sizes = {name: list(shape) for name, shape in opened.shapes.items()}
        whole = {"file": str(file), **opened.config, "tensors": sizes}
        print(json.dumps(whole, ensure_ascii=False, indent=2))
    else:
        _print_model(file, config)


def _trees_info(file: Path, as_json: bool) -> None:
    from headwise.constituency.brackets import read_brackets
    from headwise.constituency.statistics import tree_statistics

    reader = read_brackets(file, on_error="skip")
    counts = tree_statistics(reader)
    if as_json:
        print(json.dumps({"file": reader.name, **counts.to_json()}, ensure_ascii=False, indent=2))
    else:
        report(f"{reader.name}: {counts.trees:,} bracketed trees, {counts.words:,} words")
        print(f"longest sentence   {counts.longest:,} words, deepest tree {counts.deepest}")
        print(f"empty elements     {counts.empty_elements:,}")
        print(f"phrases            {counts.phrases.total():,}, {counts.functions:,} with function tags")
        for name, found in (("labels", counts.phrases), ("tags", counts.tags)):
            most = ", ".join(f"{label} {times:,}" for label, times in found.most_common(8))
            report(f"{name:18} {len(found):,}: {most}{' …' if len(found) > 8 else ''}")
    report_skipped(reader.skipped)
    if reader.skipped:
        raise click.exceptions.Exit(1)


def _print_model(file: Path, config: PhraseConfig) -> None:
    from rich.table import Table
    from rich.text import Text

    from headwise.base.writing_systems import printable
    from headwise.cli.reports import console

    table = Table("Model", box=None, show_header=True, header_style="bold")
    table.add_column(Text(printable(str(file))), overflow="fold")  # names and digests stay whole

    def row(name: str, text: str) -> None:
        table.add_row(name, Text(printable(text)))

    other = {"none": "", "tagger": " with a tagger", "dependencies": " with a dependency parser"}[config.join]
    row("Grammar", f"Collins' Model 1{', joined' + other if other else ''}")
    if other:
        row("Weight", f"{config.weight:g} of the other model")
    row("Labels", f"{len(config.phrases)} of phrases, {len(config.tags)} tags")
    row("Head rules", config.rules_name)
    row("Pruning", f"phrases below {config.threshold:g}")
    row("Size", f"{file.stat().st_size / 1e6:.1f} MB")
    console().print(table)
