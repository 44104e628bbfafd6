"""The figures of README and docs: how old they are, and made again.

    python benchmarks/figures.py                     # every table: its command, its commit, its age
    python benchmarks/figures.py --check             # those that are older than the code they describe
    python benchmarks/figures.py --check --strict    # … and exit with 1 if there are any
    python benchmarks/figures.py orders-french       # run its command, write tables and commit in place
    python benchmarks/figures.py torch --report report.md              # … from what it wrote elsewhere (-o)
    python benchmarks/figures.py presets --treebanks CoNLLX_Danish-DDT --columns third
    python benchmarks/figures.py presets --write     # from what is stored, without measuring

A command takes minutes, and most need the treebanks (docs/benchmarks.md). It is run once for all of its
tables, on whatever page they are. Figures are of code that is committed; the commit that is named is the last
that changed it. A command that needs another machine, "(on a GPU)", is run there with -o; bring its report.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import tempfile
from pathlib import Path

import preset_figures
import preset_plot
from figure_markers import (
    REPOSITORY,
    Figures,
    ages,
    all_figures,
    last_change,
    replaced,
    summarized,
    uncommitted,
)
from figure_tables import TableError, with_tables

WHOLE_PAGES = {"benchmarks/papers.py": ("-o", "docs", "--results", "build/papers")}
"""Commands that write a page of their own, commits and all, and how they are told where."""


def main(arguments: list[str]) -> int:
    options = parse_arguments(arguments)
    known = all_figures()
    if unknown := set(options.names) - set(known):
        raise SystemExit(f"no figures called {', '.join(sorted(unknown))}; there are: {', '.join(known)}")
    if not options.names:
        return show(list(known.values()), older_alone=options.check, strict=options.strict)
    chosen = [known[name] for name in options.names]
    stored = [one for one in chosen if one.commit.endswith(".json")]
    if stored:
        make_presets(stored, options)
        write_presets(known)
    for command in dict.fromkeys(one.command for one in chosen if one not in stored):
        make([one for one in known.values() if one.command == command], options.report)
    return 0


def show(figures: list[Figures], *, older_alone: bool, strict: bool) -> int:
    """A line for each table, or for what of one is older than the code."""
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
        for age in summarized(parts):
            print(f"    {age}")
    print(
        f"{older} of {len(figures)} tables of figures are older than the code they describe", file=sys.stderr
    )
    return int(strict and older > 0)


def make_presets(figures: list[Figures], options: argparse.Namespace) -> None:
    """Measures the cells that are asked for, of all that the tables have, and stores each."""
    if options.write:
        return
    elsewhere = [one for one in figures if one.where]
    if elsewhere and not has_gpu():
        raise SystemExit(f"{elsewhere[0].name} is measured {elsewhere[0].where}: run this command there")
    commit = committed(figures)
    places = dict.fromkeys(place for one in figures for place in preset_figures.TABLES[one.name].places)
    for treebank, column in places:
        if treebank in (options.treebanks or [treebank]) and column in (options.columns or [column]):
            cell = preset_figures.measure(treebank, column, commit)
            preset_figures.store(preset_figures.updated(preset_figures.load(), cell))
            write_presets(all_figures())


def write_presets(known: dict[str, Figures]) -> None:
    """Every table of presets, and their picture: they have cells in common."""
    cells = preset_figures.load()
    for name, table in preset_figures.TABLES.items():
        replaced(known[name], table.to_markdown(cells), known[name].commit)
    preset_plot.write()


def make(figures: list[Figures], report: Path | None) -> None:
    """Runs a command, or takes what it wrote elsewhere, and puts its tables into the pages."""
    commit = committed(figures)
    if where := WHOLE_PAGES.get(figures[0].words[1]):
        run([*figures[0].words, *where])
        return
    text = report.read_text(encoding="utf-8") if report else printed(figures[0])
    try:
        made = [with_tables(one.table, text, one.title) for one in figures]
    except TableError as error:
        raise SystemExit(f"{', '.join(one.name for one in figures)}: {error}") from error
    for one, table in zip(figures, made, strict=True):
        replaced(one, table, commit)


def printed(figures: Figures) -> str:
    """The report of the command."""
    if figures.where and not has_gpu():
        command = " ".join(figures.words)
        raise SystemExit(
            f"{figures.name} is measured {figures.where}: run there\n    {command} -o report.md\n"
            f"and here\n    python benchmarks/figures.py {figures.name} --report report.md"
        )
    with tempfile.TemporaryDirectory() as folder:
        report = Path(folder) / "report.md"
        run([*figures.words, "-o", str(report)])
        return report.read_text(encoding="utf-8")


def run(words: list[str]) -> None:
    subprocess.run(
        [sys.executable if word == "python" else word for word in words], cwd=REPOSITORY, check=True
    )


def has_gpu() -> bool:
    try:
        import torch
    except ImportError:
        return False
    return bool(torch.cuda.is_available())


def committed(figures: list[Figures]) -> str:
    """The last commit that changed what is measured; nothing of it may have changed since."""
    depends = tuple(dict.fromkeys(path for one in figures for path in one.depends))
    if changed := uncommitted(depends):
        raise SystemExit(f"commit first what {figures[0].name} is to be measured with:\n{changed}")
    return last_change(depends)


def parse_arguments(arguments: list[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("names", nargs="*", metavar="NAME", help="figures to make again")
    parser.add_argument("--check", action="store_true", help="show those that are older than the code")
    parser.add_argument("--strict", action="store_true", help="with --check: exit with 1 if there are any")
    parser.add_argument("--report", type=Path, metavar="FILE", help="what the command wrote, run elsewhere")
    parser.add_argument("--write", action="store_true", help="tables of presets: from what is stored")
    parser.add_argument("--treebanks", nargs="+", choices=preset_figures.TREEBANKS, help="presets: of these")
    parser.add_argument("--columns", nargs="+", choices=preset_figures.COLUMNS, help="presets: of these")
    return parser.parse_args(arguments)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
