"""The laboratory: runs what has no result yet, keeps results, and writes the pages that show them.

    python -m benchmarks status                        # what is kept, missing, older than its code
    python -m benchmarks run presets                   # what the study has no result of; stop it at any time
    python -m benchmarks run 'papers/koo-2010/*' --workers 2 --nice 19
    python -m benchmarks run papers --quick            # little data: half an hour; never mixed with full runs
    python -m benchmarks show latent                   # its tables, and the figures of its tasks
    python -m benchmarks write                         # README, docs, cards and plots, from what is kept
    python -m benchmarks compare 'presets/UD_English-EWT third' 'presets/UD_English-EWT accurate'

A pattern is part of a name, or a pattern of the shell. Results are small files in benchmarks/results, to be
committed; each task runs in a process of its own. Treebanks are looked for under $HEADWISE_DATA.
"""

from __future__ import annotations

import argparse
import os
import signal
import sys
from collections.abc import Mapping
from fnmatch import fnmatchcase
from pathlib import Path

from benchmarks.engine.comparing import compared, shown_results
from benchmarks.engine.pages import all_figures
from benchmarks.engine.runner import Runner, can_run, note, shown_time
from benchmarks.engine.studies import SCALES, Scale
from benchmarks.engine.tasks import RESULTS, Kept, Task
from benchmarks.engine.writing import write
from benchmarks.registry import STUDIES


def main(arguments: list[str]) -> int:
    options = parse_arguments(arguments)
    kept, scale = Kept(options.results), SCALES["quick" if options.quick else "full"]
    if options.command == "write":
        for path in write(STUDIES, kept):
            print(path)
        return 0
    if options.command == "compare":
        print(compared(every_task(scale), kept, options.first, options.second))
        return 0
    chosen = chosen_tasks(every_task(scale), options.pattern)
    if options.command == "show":
        print("\n".join(shown_results(STUDIES, chosen, kept, scale)))
        return 0
    if options.command == "status":
        return status(chosen, kept, scale, check=options.check, strict=options.strict)
    return run(chosen, kept, options)


def every_task(scale: Scale) -> dict[str, Task]:
    """By ``STUDY/NAME``."""
    return {f"{study.name}/{name}": task for study in STUDIES for name, task in study.tasks(scale).items()}


def chosen_tasks(tasks: Mapping[str, Task], pattern: str) -> dict[str, Task]:
    chosen = {n: t for n, t in tasks.items() if n.startswith(f"{pattern}/") or fnmatchcase(n, pattern)}
    chosen = chosen or {n: t for n, t in tasks.items() if pattern in n}
    if not chosen:
        names = ", ".join(study.name for study in STUDIES)
        raise SystemExit(f"no task is called like {pattern!r}; studies: {names}")
    return chosen


def run(tasks: Mapping[str, Task], kept: Kept, options: argparse.Namespace) -> int:
    def is_wanted(task: Task) -> bool:
        return options.again or kept.get(task) is None or (options.older and kept.is_older(task))

    wanted = {name: task for name, task in tasks.items() if is_wanted(task)}
    runnable = {name: task for name, task in wanted.items() if can_run(task)}
    for need in sorted({task.needs for name, task in wanted.items() if name not in runnable}):
        note(f"{sum(task.needs == need for task in wanted.values())} tasks need {need}, which is not here")
    note(f"{len(tasks) - len(wanted)} of {len(tasks)} are kept, {len(runnable)} to run")
    runner = Runner(kept, options.workers, options.threads, options.nice)
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    try:
        runner.run(runnable)
    except KeyboardInterrupt:
        note("stopped; what is done is kept, and the same command goes on")
        return 130
    for text in runner.failed:
        note(f"failed: {text}")
    return int(bool(runner.failed))


def status(tasks: Mapping[str, Task], kept: Kept, scale: Scale, *, check: bool, strict: bool) -> int:
    """A line for each study, and for each table that is older than the code it describes."""
    usual = Runner(kept).usual_seconds()
    for study in STUDIES if not check else ():
        own = [task for name, task in tasks.items() if name.startswith(f"{study.name}/")]
        if own:
            print(f"{study.name:28} {said(own, kept, usual)}")
    if not check:
        print(f"({scale.name} runs{'' if scale.is_full else ', which are labelled so in the pages'})")
    figures = all_figures()
    older = [one for one in figures.values() if one.is_older is not False]
    for one in older if check else ():
        print(f"{one.page.name}:{one.line}: {one.name}, measured at {one.commit}: {one.command}")
    note(f"{len(older)} of {len(figures)} tables of figures are older than the code they describe")
    return int(strict and bool(older))


def said(tasks: list[Task], kept: Kept, usual: Mapping[str, float]) -> str:
    missing = [task for task in tasks if kept.get(task) is None]
    text = f"{len(tasks) - len(missing):4} of {len(tasks):4} kept"
    if older := sum(map(kept.is_older, tasks)):
        text += f", {older} older than the code"
    if missing:
        known = [usual[task.work] for task in missing if task.work in usual]
        text += f", {len(missing)} missing"
        text += f" (about {shown_time(sum(known) / len(known) * len(missing))})" if known else ""
    needs = sorted({task.needs for task in missing if task.needs})
    return text + (f"; needs {', '.join(needs)}" if needs else "")


def parse_arguments(arguments: list[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    commands = parser.add_subparsers(dest="command", required=True)
    run = commands.add_parser("run", help="run what has no result yet")
    run.add_argument("pattern", nargs="?", default="*", help="of STUDY/TASK; default: everything")
    run.add_argument("--older", action="store_true", help="also what is older than its code")
    run.add_argument("--again", action="store_true", help="also what has a result")
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    run.add_argument("--workers", type=int, default=cores, help=f"tasks at a time; default: {cores}")
    run.add_argument("--threads", type=int, default=1, help="of training in each task")
    run.add_argument("--nice", type=int, default=0, help="19: beside other work")
    status = commands.add_parser("status", help="what is kept, what is missing, what is older")
    status.add_argument("pattern", nargs="?", default="*")
    status.add_argument("--check", action="store_true", help="show the tables that are older than their code")
    status.add_argument("--strict", action="store_true", help="exit with 1 if there are any")
    write = commands.add_parser("write", help="README, docs, cards and plots, from what is kept")
    show = commands.add_parser("show", help="tables and figures, from what is kept")
    show.add_argument("pattern", nargs="?", default="*")
    compare = commands.add_parser("compare", help="two results side by side")
    compare.add_argument("first", help="STUDY/TASK")
    compare.add_argument("second")
    for command in (run, status, show, compare, write):
        command.add_argument("--results", type=Path, default=RESULTS, help="where results are kept")
        command.add_argument("--quick", action="store_true", help="little data, few epochs")
    return parser.parse_args(arguments)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
