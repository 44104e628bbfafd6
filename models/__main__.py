"""``python -m models``: makes ready-made models."""

from __future__ import annotations

import argparse
import json
import sys
from concurrent.futures import ProcessPoolExecutor
from dataclasses import asdict
from functools import partial
from pathlib import Path

from headwise.base.errors import HeadwiseError
from models.build import Build, with_choices
from models.data import SHARED, Places
from models.packages import RESULTS, write_ready_made
from models.page import PAGE, page
from models.recipe import Choices, Recipe, RecipeError, codes
from models.scoring import MAIN_SCORES
from models.steps import Steps

FOLDER = Path("build/models")
TRIALS = {name: type(value) for name, value in asdict(Choices()).items() if type(value) in (int, float)}
"""Choices that can be tried on the command line, and what they are."""


def main() -> None:
    options = _parser().parse_args()
    try:
        options.do(options)
    except HeadwiseError as error:
        raise SystemExit(f"error: {error}") from None


def build(options: argparse.Namespace) -> None:
    """Makes models; of several, one that cannot be made does not hold up the others."""
    recipes = [with_choices(recipe, **_trial(options.set)) for recipe in _recipes(options)]
    places = Places(options.shared, options.ud)
    make = partial(_made, places=places, folder=options.build, threads=options.threads)
    if options.workers == 1:
        problems = list(map(make, recipes))
    else:
        with ProcessPoolExecutor(options.workers) as pool:
            problems = list(pool.map(make, recipes))
    if found := [problem for problem in problems if problem]:
        raise HeadwiseError("\n".join(found))
    if not options.set:
        package(options)


def _made(recipe: Recipe, *, places: Places, folder: Path, threads: int) -> str:
    """What keeps a model from being made, or nothing."""
    try:
        Build(recipe, places, folder, _say, threads).run()
    except HeadwiseError as error:
        return f"{recipe.code}: {error}"
    return ""


def package(options: argparse.Namespace) -> None:
    """Writes packages of the models that are made."""
    places = Places(options.shared, options.ud)
    for recipe in _recipes(options):
        print(Build(recipe, places, options.build, _say).package())
    write_ready_made()


def status(options: argparse.Namespace) -> None:
    for code in codes():
        steps = Steps(options.build / code, _say).done()
        result = RESULTS / f"{code}.json"
        scores = json.loads(result.read_text(encoding="utf-8"))["scores"] if result.is_file() else {}
        figures = ", ".join(
            f"{treebank} {' / '.join(f'{found[name]:.2f}' for name in MAIN_SCORES)}"
            for treebank, found in scores.items()
        )
        print(f"{code:8}{' '.join(steps) or '-'}{f'; packaged: {figures}' if figures else ''}")


def write_page(options: argparse.Namespace) -> None:
    PAGE.write_text(page(), encoding="utf-8")
    print(PAGE)


def _recipes(options: argparse.Namespace) -> list[Recipe]:
    chosen = codes() if options.all else options.codes
    if not chosen:
        raise RecipeError("name a recipe, or give --all")
    return [Recipe.load(code) for code in chosen]


def _trial(given: list[str]) -> dict[str, float]:
    changes = dict(change.partition("=")[::2] for change in given)
    if unknown := sorted(set(changes) - set(TRIALS)):
        raise RecipeError(f"--set: no choice is called {', '.join(unknown)} (there are: {', '.join(TRIALS)})")
    return {name: TRIALS[name](value) for name, value in changes.items()}


def _say(text: str) -> None:
    print(text, file=sys.stderr, flush=True)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m models", description=__doc__)
    commands = parser.add_subparsers(required=True)
    for do, explained in (
        (build, "make models and their packages, step by step; what is there already stays"),
        (package, "write the packages of models that are made"),
    ):
        one = commands.add_parser(do.__name__, help=explained)
        one.add_argument("codes", nargs="*", help="recipes: de fr …")
        one.add_argument("--all", action="store_true", help="all recipes")
        one.add_argument("--ud", type=Path, help="a folder with a release of Universal Dependencies")
        one.add_argument(
            "--shared", type=Path, default=SHARED, help="where ud/ and text/ are (HEADWISE_DATA)"
        )
        one.add_argument("--build", type=Path, default=FOLDER, help="where steps are kept")
        one.set_defaults(do=do)
        if do is build:
            one.add_argument("--workers", type=int, default=1, help="so many models at once")
            one.add_argument("--threads", type=int, default=1, help="of the training of a network")
            one.add_argument("--set", nargs="*", default=[], metavar="NAME=NUMBER", help="try another choice")
    shown = commands.add_parser("status", help="what is made, and how good it is")
    shown.add_argument("--build", type=Path, default=FOLDER, help="where steps are kept")
    shown.set_defaults(do=status)
    commands.add_parser("page", help=f"write {PAGE.name}").set_defaults(do=write_page)
    return parser


if __name__ == "__main__":
    main()
