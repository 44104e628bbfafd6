"""The figures of README and docs: how old they are, and made again.

    python benchmarks/figures.py                     # every table: its command, its commit, its age
    python benchmarks/figures.py --check             # those that are older than the code they describe
    python benchmarks/figures.py --check --strict    # … and exit with 1 if there are any
    python benchmarks/figures.py orders-french       # run its command, write table and commit in place
    python benchmarks/figures.py presets --treebanks CoNLLX_Danish-DDT --columns third
    python benchmarks/figures.py presets --write     # from what is stored, without measuring

A command takes minutes to hours, and most need the treebanks (docs/benchmarks.md). Figures are of code that
is committed. Where a table was put together by hand from what a command prints, its marker says "by hand",
and you are shown what the command gives.
"""

from __future__ import annotations

import argparse
import re
import shlex
import subprocess
import sys
import tempfile
from pathlib import Path

import preset_figures
from figure_markers import REPOSITORY, Figures, ages, all_figures, head, replaced

BY_HAND = "(by hand)"


def main(arguments: list[str]) -> int:
    options = parse_arguments(arguments)
    known = all_figures()
    if unknown := set(options.names) - set(known):
        raise SystemExit(f"no figures called {', '.join(sorted(unknown))}; there are: {', '.join(known)}")
    if not options.names:
        return show(list(known.values()), older_alone=options.check, strict=options.strict)
    for name in options.names:
        if known[name].commit.endswith(".json"):
            make_presets(known[name], options)
        else:
            make(known[name])
    return 0


def show(figures: list[Figures], *, older_alone: bool, strict: bool) -> int:
    """A line for each table, or for each part of one that is older than the code."""
    older = 0
    for one in figures:
        parts = [age for age in ages(one) if age.changes or not older_alone]
        stale = sum(bool(age.changes) for age in parts)
        older += bool(stale)
        if not parts:
            continue
        print(f"{one.page.relative_to(REPOSITORY)}:{one.line}: {one.name}")
        if not older_alone:
            print(f"    {one.command}")
        for age in parts:
            print(f"    {age}")
    print(
        f"{older} of {len(figures)} tables of figures are older than the code they describe", file=sys.stderr
    )
    return int(strict and older > 0)


def make_presets(figures: Figures, options: argparse.Namespace) -> None:
    """Measures the cells that are asked for, and writes the table after each."""
    commit = committed(figures) if not options.write else ""
    cells = preset_figures.load()
    for treebank in () if options.write else options.treebanks or preset_figures.TREEBANKS:
        for column in options.columns or preset_figures.COLUMNS:
            cells = preset_figures.updated(cells, preset_figures.measure(treebank, column, commit))
            preset_figures.store(cells)
            replaced(figures, preset_figures.table(cells), figures.commit)
    replaced(figures, preset_figures.table(cells), figures.commit)


def make(figures: Figures) -> None:
    """Runs the command and puts the tables with the same columns in place of those in the page."""
    commit = committed(figures)
    command = figures.command.removesuffix(BY_HAND).strip()
    with tempfile.TemporaryDirectory() as folder:
        report = Path(folder) / "report.md"
        words = [sys.executable if word == "python" else word for word in shlex.split(command)]
        subprocess.run([*words, "-o", str(report)], cwd=REPOSITORY, check=True)
        text = report.read_text(encoding="utf-8")
    if figures.command.endswith(BY_HAND):
        print(text)
        raise SystemExit(f"{figures.name} was put together by hand: write it so, with commit: {commit}")
    replaced(figures, with_tables(figures.table, text), commit)


def with_tables(old: str, report: str) -> str:
    """The old text with each of its tables replaced by the one of the report that has the same columns."""
    made = {columns(table): table for table in tables(report)}
    for table in tables(old):
        if columns(table) not in made:
            raise SystemExit(f"the command makes no table with the columns {' | '.join(columns(table))}")
        old = old.replace(table, made[columns(table)])
    return old


def tables(text: str) -> list[str]:
    return re.findall(r"^(?:\|.*\n)+", text, re.MULTILINE)


def columns(table: str) -> tuple[str, ...]:
    return tuple(cell.strip() for cell in table.splitlines()[0].strip("|").split("|"))


def committed(figures: Figures) -> str:
    """The commit that is measured."""
    status = subprocess.run(
        ["git", "-C", str(REPOSITORY), "status", "--porcelain", "--", *figures.depends],
        capture_output=True,
        text=True,
        check=True,
    )
    if status.stdout:
        raise SystemExit(f"commit first what {figures.name} is to be measured with:\n{status.stdout}")
    return head()


def parse_arguments(arguments: list[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("names", nargs="*", metavar="NAME", help="figures to make again")
    parser.add_argument("--check", action="store_true", help="show those that are older than the code")
    parser.add_argument("--strict", action="store_true", help="with --check: exit with 1 if there are any")
    parser.add_argument("--write", action="store_true", help="presets: from what is stored")
    parser.add_argument("--treebanks", nargs="+", choices=preset_figures.TREEBANKS, help="presets: of these")
    parser.add_argument("--columns", nargs="+", choices=preset_figures.COLUMNS, help="presets: of these")
    return parser.parse_args(arguments)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
