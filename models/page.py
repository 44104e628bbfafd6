"""The page of languages (``docs/languages.md``), made of the kept results of all models."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from statistics import mean
from string import Template
from typing import Any

from models.packages import HERE, RESULTS
from models.recipe import Recipe

TEMPLATE = HERE / "page.md"
PAGE = HERE.parent / "docs" / "languages.md"
FIGURES = {"tokens": "tokens", "sentences": "sentences", "upos": "UPOS", "uas": "UAS", "las": "LAS"}
OTHERS = {
    "Stanza": "Stanza 1.5.1 (UD 2.12)",
    "UDPipe 2": "UDPipe 2 (UD 2.17)",
    "Trankit": "Trankit base (UD 2.5)",
}
"""Systems that are compared with, as the table of published scores calls them."""
OURS = "Headwise"


def page() -> str:
    """The whole page, in Markdown."""
    results = {
        path.stem: json.loads(path.read_text(encoding="utf-8")) for path in sorted(RESULTS.glob("*.json"))
    }
    recipes = sorted(
        (Recipe.load(code) for code in results), key=lambda recipe: (recipe.language, recipe.code)
    )
    models = ["| language | code | treebanks | words | raw text | MB | words/s | valid | licence |"]
    models += ["|---|---|---|---:|---|---:|---:|---:|---|"]
    models += [_model_row(recipe, results[recipe.code]) for recipe in recipes]
    scores = [f"| treebank | system | {' | '.join(FIGURES.values())} |"]
    scores += [f"|---|---|{'---:|' * len(FIGURES)}"]
    scores += [row for recipe in recipes for row in _score_rows(recipe, results[recipe.code])]
    return Template(TEMPLATE.read_text(encoding="utf-8")).substitute(
        count=len(recipes),
        models="\n".join(models),
        means=_means(recipes, results),
        scores="\n".join(scores),
    )


def _model_row(recipe: Recipe, result: Mapping[str, Any]) -> str:
    data = recipe.release if result["release"] and recipe.release else recipe.data
    cells = (
        recipe.language,
        f"`{recipe.code}`",
        ", ".join(map(str, data.train)),
        f"{result['words']['train']:,}",
        "yes" if recipe.text else "",
        f"{result['bytes'] / 1e6:.1f}",
        f"{result['words_per_second']:,}",
        str(max((int(level) for level, valid in result["valid"].items() if valid), default="")),
        recipe.licence,
    )
    return f"| {' | '.join(cells)} |"


def _score_rows(recipe: Recipe, result: Mapping[str, Any]) -> Iterator[str]:
    complete = recipe.complete or result["release"]
    for treebank, scores in result["scores"].items():
        system = OURS if complete or "held out" in treebank else f"{OURS}, **less data**"
        yield _row(treebank, system, scores)
        others = result["published"].get(treebank, {})
        for name, published in OTHERS.items():
            if published in others:
                yield _row("", name, others[published])


def _row(treebank: str, system: str, scores: Mapping[str, float]) -> str:
    figures = (f"{scores[name]:.2f}" if name in scores else "" for name in FIGURES)
    return f"| {treebank} | {system} | {' | '.join(figures)} |"


def _means(recipes: list[Recipe], results: Mapping[str, Mapping[str, Any]]) -> str:
    """Sentences about the rows that can be compared: the same training data, and scores of both."""
    told = []
    for system in ("Stanza", "UDPipe 2"):
        pairs = [
            (scores["las"], result["published"][treebank][OTHERS[system]]["las"])
            for recipe in recipes
            for result in (results[recipe.code],)
            if recipe.complete or result["release"]
            for treebank, scores in result["scores"].items()
            if OTHERS[system] in result["published"].get(treebank, {})
        ]
        if pairs:
            ours, theirs = mean(own for own, _ in pairs), mean(other for _, other in pairs)
            told.append(f"{theirs:.1f} of {system} and {ours:.1f} of ours (test sets: {len(pairs)})")
    return (
        f"Where the training data are the treebank's own, the mean LAS is {', '.join(told)}." if told else ""
    )
