"""Models of other packages, by name: each package of a model says its names as entry points.

A package ``headwise-de`` has a folder ``headwise_de`` with ``model.hw``, its card and ``model.json``, and the
entry points ``de``, ``german`` … of the group ``headwise_models``, whose value is that folder's name. Nothing
of it is imported.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import cached_property
from importlib.metadata import Distribution, EntryPoint, PackageNotFoundError, distribution, entry_points
from importlib.util import find_spec
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit
from urllib.request import url2pathname

from headwise.base.errors import ModelError

GROUP = "headwise_models"
READY_MADE = Path(__file__).parent / "bundled" / "ready_made.txt"
"""A line for each model that there is a package of: its names, the first its own."""


@dataclass(frozen=True)
class InstalledModel:
    """A model that a package has brought along."""

    name: str
    """Its own: ``de``."""
    folder: Path

    @property
    def path(self) -> Path:
        path = self.folder / "model.hw"
        if not path.is_file():
            raise ModelError(f"{path} is missing: install the package of the model {self.name} again.")
        return path

    @cached_property
    def facts(self) -> dict[str, Any]:
        """What its package says of it: ``language``, ``licence``, ``sources``, ``scores`` …"""
        found: dict[str, Any] = json.loads((self.folder / "model.json").read_text(encoding="utf-8"))
        return found


def find_installed(name: str) -> InstalledModel | None:
    """The installed model that answers to a name, in upper or lower case, spaces written as ``_`` or not."""
    for entry in entry_points(group=GROUP, name=_plain(name)):
        if (model := _model_of(entry)) is not None:
            return model
    return None


def installed_models() -> list[InstalledModel]:
    """All of them, by name."""
    found = {model.folder: model for entry in entry_points(group=GROUP) if (model := _model_of(entry))}
    return sorted(found.values(), key=lambda model: model.name)


def how_to_install(name: str) -> str | None:
    """The command that installs the model of a name; None where there is no package of it."""
    for line in READY_MADE.read_text(encoding="utf-8").splitlines():
        own, *others = line.split()
        if _plain(name) in (own, *others):
            package = f"headwise-{own}"
            checkout = _checkout()
            here = checkout / "models" / package if checkout is not None else None
            return f"pip install {here if here is not None and here.is_dir() else package}"
    return None


def _plain(name: str) -> str:
    return name.strip().lower().replace(" ", "_")


def _model_of(entry: EntryPoint) -> InstalledModel | None:
    spec = find_spec(entry.value)
    if spec is None or spec.origin is None:
        return None
    return InstalledModel(entry.value.removeprefix("headwise_").replace("_", "-"), Path(spec.origin).parent)


def _checkout() -> Path | None:
    """The checkout that this program runs in, or was installed from."""
    around = Path(__file__).parents[3]
    if (around / "models").is_dir():
        return around
    try:
        return _installed_from(distribution("headwise"))
    except PackageNotFoundError:
        return None


def _installed_from(own: Distribution) -> Path | None:
    """The folder that a distribution was installed from, as PEP 610 has it noted."""
    url = json.loads(own.read_text("direct_url.json") or "{}").get("url", "")
    parts = urlsplit(url)
    return Path(url2pathname(parts.path)) if parts.scheme == "file" else None
