"""Every table and figure of the papers that open data can test, beside the papers' own figures.

    python benchmarks/papers.py --quick -o report           # all papers, on little data: half an hour
    python benchmarks/papers.py koo-2010 -o report          # one paper, on all data
    python benchmarks/papers.py -o report                   # everything: a night
    python benchmarks/papers.py --write -o docs --results report/results   # the page of what was measured

The folder gets the page papers.md, its plots, and the result of every training and measurement, which is not
repeated: a command that was killed goes on where it was. Results are of a program; after a change of it they
are measured again, unless --older takes them as they are. Plots need matplotlib.
"""

from __future__ import annotations

import argparse
import os
import sys
from pathlib import Path

from papers.papers import PAPERS
from papers.tasks import FULL, QUICK, Kept, program, run_all
from papers.writing import write_page


def main(arguments: list[str]) -> int:
    options = parse_arguments(arguments)
    scale = QUICK if options.quick else FULL
    papers = [paper for paper in PAPERS if paper.name in (options.papers or [p.name for p in PAPERS])]
    tasks = {paper.name: paper.tasks(scale) for paper in papers}
    kept = Kept(options.results or options.output / "results", program(), options.older)
    failed = []
    if not options.write:
        failed = run_all([t for own in tasks.values() for t in own.values()], kept, options.processes)
    names = "".join(f" {name}" for name in options.papers)
    page = write_page(papers, tasks, kept, scale, options.output, names)
    print(page)
    for text in failed:
        print(f"failed: {text}", file=sys.stderr)
    return int(bool(failed))


def parse_arguments(arguments: list[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    names = [paper.name for paper in PAPERS]
    parser.add_argument("papers", nargs="*", metavar="PAPER", help=f"default: all of {', '.join(names)}")
    parser.add_argument("-o", "--output", type=Path, required=True, help="a folder")
    parser.add_argument("--quick", action="store_true", help="little data, few epochs")
    parser.add_argument("--processes", type=int, default=min(2, os.cpu_count() or 1), help="default: 2")
    parser.add_argument("--results", type=Path, help="where results are kept; default: results in the folder")
    parser.add_argument("--older", action="store_true", help="take results of other programs as they are")
    parser.add_argument("--write", action="store_true", help="run nothing, write the page of what there is")
    options = parser.parse_args(arguments)
    if unknown := set(options.papers) - set(names):
        parser.error(f"no paper called {', '.join(sorted(unknown))}; there are: {', '.join(names)}")
    return options


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
