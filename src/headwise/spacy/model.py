"""The model of a component: named in its config, loaded when it is first needed, saved with the pipeline."""

from __future__ import annotations

import os
import shutil
from pathlib import Path
from typing import Any
from weakref import WeakValueDictionary

from headwise.base.errors import HeadwiseError
from headwise.model import ModelFile
from headwise.model.bundled import model_path
from headwise.model.file import model_bytes
from headwise.model.stored import Stored, kind_of

_Version = tuple[Path, int, int]
"""A file, its size and when it was written."""
_LOADED: WeakValueDictionary[_Version, Stored] = WeakValueDictionary()
"""A pipeline's tokenizer and its component are in one file, which is read once."""


class Model:
    """A trained thing, or the name of one.

    A name that leads nowhere is no error until the model is needed: a saved pipeline is first made from its
    config, on whatever machine it has come to, and then given the model that was saved with it.
    """

    def __init__(self, given: str | Path | Stored | None = None) -> None:
        self._given = given
        self._file: _Version | None = None
        self._loaded = given if isinstance(given, Stored) else None

    @property
    def loaded(self) -> Stored:
        if self._loaded is None:
            if self._given is None or isinstance(self._given, Stored):
                raise HeadwiseError(
                    'there is no model: name one in the config ({"model": "en"}), or set the attribute model.'
                )
            self._file = _version(model_path(self._given))
            self._loaded = _LOADED.get(self._file) or _read(self._file[0])
            _LOADED[self._file] = self._loaded
        return self._loaded

    def save(self, path: str | Path) -> None:
        """Write its file: a copy of the one it was read from where that is still there, packed as it was."""
        loaded = self.loaded
        if self._is_still_there():
            shutil.copyfile(self._file[0], path)  # type: ignore[index]
        else:
            loaded.save(path)

    def to_bytes(self) -> bytes:
        """What `save` writes."""
        loaded = self.loaded
        if self._is_still_there():
            return self._file[0].read_bytes()  # type: ignore[index]
        return model_bytes(loaded.KIND, *loaded.to_tensors())

    @classmethod
    def from_bytes(cls, body: bytes) -> Model:
        file = ModelFile.of_bytes(body, "the model of the component")
        return cls(kind_of(file).load(file))

    def __reduce__(self) -> tuple[Any, ...]:
        """By name where there is a file to read: processes then share its memory."""
        if self._loaded is None or self._is_still_there():
            return Model, (self._given,)
        return Model, (self._loaded,)

    def _is_still_there(self) -> bool:
        try:
            return self._file is not None and _version(self._file[0]) == self._file
        except HeadwiseError:
            return False


def _version(path: Path) -> _Version:
    try:
        state = os.stat(path)
    except OSError:
        ModelFile.open(path)  # says what is wrong
        raise
    return path.absolute(), state.st_size, state.st_mtime_ns


def _read(path: Path) -> Stored:
    return kind_of(ModelFile.open(path)).load(path)
