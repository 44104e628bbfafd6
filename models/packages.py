"""Makes a Python package of a model: ``models/headwise-de``, which pip installs and `headwise.load` finds."""

from __future__ import annotations

import json
import shutil
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from headwise.base.version import VERSION
from headwise.model.installed import READY_MADE
from models.cards import card_of
from models.recipe import Data, Recipe
from models.sources import licence_link, treebank_sources

HERE = Path(__file__).parent
RESULTS = HERE / "results"
MOST_BYTES = 5_000_000

PYPROJECT = """\
[build-system]
requires = ["flit_core>=3.8"]
build-backend = "flit_core.buildapi"

[project]
name = "{package}"
version = "{version}"
description = "A model of {language} for Headwise: from text to dependency trees"
readme = "README.md"
license = {{ text = "{licence}" }}
requires-python = ">=3.11"
dependencies = ["headwise>={program}"]

[project.entry-points.headwise_models]
{names}

[tool.flit.module]
name = "{module}"
"""
INIT = '''\
"""A model of {language} for Headwise, found by its name: ``headwise.load("{code}")``."""
'''
LICENCE = """\
The model {module}/model.hw is licensed under {licence}: {link}

It was derived from
{sources}

{module}/card.md says more, and names the sources of raw text.
"""


def version_of(recipe: Recipe) -> str:
    """The program, the release of Universal Dependencies, the recipe: ``0.1.0.217.1``."""
    major, minor = recipe.ud.split(".")
    return f"{VERSION}.{major}{int(minor):02}.{recipe.version}"


def names_of(recipe: Recipe) -> list[str]:
    """What the model answers to: its code, its language, and the treebanks that judge it."""
    language = recipe.language.lower().replace(" ", "_")
    treebanks = [split.treebank.rpartition("-")[2].lower() for split in recipe.data.test]
    plain = recipe.code.partition("-")[0] == recipe.code
    names = [recipe.code, *([_ascii(language)] if plain else []), *(f"{recipe.code}-{t}" for t in treebanks)]
    return list(dict.fromkeys(names))


def write_package(
    recipe: Recipe, data: Data, model: Path, result: Mapping[str, Any], to: Path = HERE
) -> Path:
    """The folder of the package, written anew."""
    size = model.stat().st_size
    if size > MOST_BYTES:
        raise ValueError(f"{model} has {size:,} bytes, more than the {MOST_BYTES:,} that a package may have")
    module = recipe.package.replace("-", "_")
    folder = to / recipe.package
    shutil.rmtree(folder, ignore_errors=True)
    inside = folder / module
    inside.mkdir(parents=True)
    names, card = names_of(recipe), card_of(recipe, data, result)
    sources = treebank_sources(recipe, data.treebanks)
    facts = {
        "name": recipe.code,
        "language": recipe.language,
        "names": names,
        "version": version_of(recipe),
        "licence": recipe.licence,
        "sources": [source.repository for source in sources],
        "example": recipe.example,
        **{name: result[name] for name in ("digest", "bytes", "words_per_second", "scores")},
    }
    texts = {
        folder / "pyproject.toml": PYPROJECT.format(
            package=recipe.package,
            version=version_of(recipe),
            language=recipe.language,
            licence=recipe.licence,
            program=VERSION,
            names="\n".join(f'{name} = "{module}"' for name in names),
            module=module,
        ),
        folder / "README.md": _readme(recipe, module),
        folder / "LICENSE": LICENCE.format(
            module=module,
            licence=recipe.licence,
            link=licence_link(recipe),
            sources="\n".join(f"- UD_{s.name} ({s.licence}): {s.repository}" for s in sources),
        ),
        inside / "__init__.py": INIT.format(language=recipe.language, code=recipe.code),
        inside / "card.md": card,
        inside / "model.json": json.dumps(facts, indent=1, ensure_ascii=False) + "\n",
    }
    for path, text in texts.items():
        path.write_text(text, encoding="utf-8")
    shutil.copyfile(model, inside / "model.hw")
    return folder


def write_ready_made() -> None:
    """The list of models that there are packages of, by which Headwise says how to install one."""
    found = [folder.name.removeprefix("headwise-") for folder in sorted(HERE.glob("headwise-*"))]
    lines = [" ".join(names_of(Recipe.load(code))) for code in found]
    READY_MADE.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")


def _readme(recipe: Recipe, module: str) -> str:
    return (
        f"# {recipe.package}\n\nA model of {recipe.language} for Headwise, under {recipe.licence}."
        f" [Its card]({module}/card.md) says what it was made of and how good it is.\n\n"
        f'```sh\nheadwise parse -m {recipe.code} "{recipe.example}"\n```\n\n'
        f'```python\nimport headwise\n\nnlp = headwise.load("{recipe.code}")\n```\n'
    )


def _ascii(language: str) -> str:
    """Entry points have names of plain letters: ``norwegian_bokmal``, ``sanskrit``."""
    return language.replace("å", "a").partition("_(")[0]
