"""``python tools/attack TARGET``: see CONTRIBUTING.md."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))


def main() -> None:
    from attack.runs import HEAD, TARGETS, run

    parser = argparse.ArgumentParser(prog="python tools/attack", description=__doc__)
    parser.add_argument("target", choices=[*TARGETS, "all"])
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--first", type=int, default=0, help="the number of the first case")
    parser.add_argument("--count", type=int, default=10_000)
    parser.add_argument("--seconds", type=float, default=float("inf"), help="for each target")
    parser.add_argument(
        "--keep", type=Path, default=Path("build/attack"), help="where failing cases are written"
    )
    parser.add_argument("--report", type=Path, help="a table of what was tried, in Markdown")
    options = parser.parse_args()
    failed = False
    reports = []
    for name in TARGETS if options.target == "all" else [options.target]:
        report = run(
            name,
            options.seed,
            options.first,
            options.count,
            seconds=options.seconds,
            keep=options.keep / name,
        )
        print(report, flush=True)
        reports.append(report)
        if options.report is not None:  # after each target: the long part may be stopped
            options.report.write_text("\n".join([HEAD, *(one.row() for one in reports), ""]), "utf-8")
        failed |= bool(report.failures)
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
