"""Models by name: those in the package, and those of other packages (`headwise.model.installed`).

Each has a card beside it: data, licence, scores, how to make it.
"""

from __future__ import annotations

from pathlib import Path

from headwise.base.errors import ModelError

DEFAULT = "en"
"""The model that is used where none is named."""

FOLDER = Path(__file__).parent


def names() -> list[str]:
    """The names of the models that need no file: bundled ones first, then those of other packages."""
    from headwise.model.installed import installed_models

    return [*_bundled(), *(model.name for model in installed_models())]


def _bundled() -> list[str]:
    return sorted(path.stem for path in FOLDER.glob("*.hw"))


def model_path(model: str | Path) -> Path:
    """The file of a model: of a bundled or installed one where it is a name, else the path that was given.

    A name has no folder and no ending; a file that is called like a bundled model is ``./en``. A file comes
    before an installed model: what is installed later does not change what a command means.
    """
    if not isinstance(model, str | Path):
        raise TypeError(f'a model is named by a str ("en", "model.hw") or a Path, not {type(model).__name__}')
    given = Path(model)
    if isinstance(model, str) and model in _bundled():
        return FOLDER / f"{model}.hw"
    if given.exists() or given.suffix or len(given.parts) > 1:
        return given
    from headwise.model.installed import find_installed, how_to_install  # takes a moment, and few need it

    if isinstance(model, str) and (found := find_installed(model)) is not None:
        return found.path
    known = ", ".join(names()) or "none"
    command = how_to_install(str(model))
    remedy = f" For a model of this name: {command}" if command else ""
    raise ModelError(
        f"{model}: no such file, and no model of this name is installed (there is: {known}).{remedy}"
    )
