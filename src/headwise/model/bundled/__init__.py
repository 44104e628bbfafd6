"""Models in the package, by name. Each has a card beside it: data, licence, scores, how to make it."""

from __future__ import annotations

from pathlib import Path

from headwise.base.errors import ModelError

DEFAULT = "en"
"""The model that is used where none is named."""

_FOLDER = Path(__file__).parent


def names() -> list[str]:
    """The names of the bundled models."""
    return sorted(path.stem for path in _FOLDER.glob("*.hw"))


def model_path(model: str | Path) -> Path:
    """The file of a model: that of a bundled one where it is a name, else the path that was given.

    A name has no folder and no ending; a file that is called like a bundled model is ``./en``.
    """
    if not isinstance(model, str | Path):
        raise TypeError(f'a model is named by a str ("en", "model.hw") or a Path, not {type(model).__name__}')
    given = Path(model)
    if isinstance(model, str) and model in names():
        return _FOLDER / f"{model}.hw"
    if given.exists() or given.suffix or len(given.parts) > 1:
        return given
    known = ", ".join(names()) or "none"
    raise ModelError(
        f"{model}: no such file, and no model of this name comes with Headwise (there is: {known})."
    )
