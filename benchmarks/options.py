"""The options that the benchmarks have in common."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path


def benchmark_options(
    doc: str | None,
    *,
    treebanks: Sequence[str] = (),
    tables: Sequence[str] = (),
    epochs: int | None = None,
    default_epochs: str = "the preset's",
) -> argparse.ArgumentParser:
    """Treebanks (at least one, where there are no default ones), -o, --tables, --epochs, --quick."""
    parser = argparse.ArgumentParser(description=doc, formatter_class=argparse.RawDescriptionHelpFormatter)
    if treebanks:
        named = ", ".join(treebanks) if len(treebanks) < 5 else f"{len(treebanks)} of many kinds"
        parser.add_argument("treebanks", nargs="*", default=treebanks, help=f"default: {named}")
    else:
        parser.add_argument("treebanks", nargs="+", help="names (or folders) of treebanks")
    parser.add_argument("-o", "--output", type=Path, help="Markdown file; plots are written beside it")
    if tables:
        parser.add_argument("--tables", nargs="+", choices=tables, default=list(tables), help="default: all")
    parser.add_argument(
        "--epochs", type=int, default=epochs, help=f"default: {epochs if epochs else default_epochs}"
    )
    parser.add_argument("--quick", action="store_true", help="little data, few epochs: to see it work")
    return parser


def add_models_option(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--models", type=Path, help="a folder to keep trained models in, and to take them from"
    )
