"""Licences of what models are made of, and what a card says of it (``sources.toml``)."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from models.recipe import Recipe, RecipeError

SOURCES = Path(__file__).parent / "sources.toml"
LINKS = {
    "CC BY 4.0": "https://creativecommons.org/licenses/by/4.0/",
    "CC BY-SA 3.0": "https://creativecommons.org/licenses/by-sa/3.0/",
    "CC BY-SA 4.0": "https://creativecommons.org/licenses/by-sa/4.0/",
    "GNU GPL 3.0": "https://www.gnu.org/licenses/gpl-3.0.html",
    "LGPL-LR": "https://spdx.org/licenses/LGPLLR.html",
}
"""The licences a model can have, and where they are to be read."""


@dataclass(frozen=True)
class TreebankSource:
    """A treebank that a model learned from."""

    name: str
    licence: str
    repository: str
    state: str = ""
    """Commit and date."""
    remark: str = ""


@dataclass(frozen=True)
class TextSource:
    """A source of raw text."""

    what: str
    licence: str


def treebank_sources(recipe: Recipe, treebanks: list[str]) -> list[TreebankSource]:
    """RecipeError where the licence of one is not known, or forbids what packages are for."""
    table = _table()["treebanks"]
    found = []
    for name in treebanks:
        own = table.get(name)
        if own is None:
            raise RecipeError(f"{recipe.code}: {SOURCES} does not say under which licence UD_{name} is")
        if "NC" in own["licence"].replace("-", " ").split():
            raise RecipeError(f"{recipe.code}: UD_{name} is not for commercial use ({own['licence']})")
        repository = f"https://github.com/UniversalDependencies/UD_{name}"
        found.append(TreebankSource(name, **{"repository": repository, **own}))
    return found


def text_sources(recipe: Recipe) -> list[TextSource]:
    """RecipeError where there is raw text without a source, or a source that is not known."""
    if bool(recipe.text) != bool(recipe.sources):
        raise RecipeError(f"{recipe.code}: raw text and its sources are named together, or neither is")
    table = _table()["text"]
    if unknown := [name for name in recipe.sources if name not in table]:
        raise RecipeError(f"{recipe.code}: {SOURCES} knows no text source {', '.join(unknown)}")
    return [TextSource(**table[name]) for name in recipe.sources]


def licence_link(recipe: Recipe) -> str:
    if recipe.licence not in LINKS:
        raise RecipeError(f"{recipe.code}: its licence is {recipe.licence!r}, must be of: {', '.join(LINKS)}")
    return LINKS[recipe.licence]


@cache
def _table() -> Mapping[str, Mapping[str, Mapping[str, str]]]:
    return tomllib.loads(SOURCES.read_text(encoding="utf-8"))
