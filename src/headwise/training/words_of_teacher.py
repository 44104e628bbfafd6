"""What a student that is given no clusters or vectors of words takes over from who teaches it."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import numpy.typing as npt

from headwise.components.scoring.word_view import WordViewConfig
from headwise.learning.loop import Listener
from headwise.training.settings import TrainingSettings
from headwise.training.teacher_files import load_teacher

Tables = dict[str, npt.NDArray[Any]]


def with_words_of_teacher(
    view: WordViewConfig | None, tables: Tables, settings: TrainingSettings, listener: Listener
) -> tuple[WordViewConfig | None, Tables]:
    """The view, and its tables, with the clusters and vectors that the first teacher's network reads.

    What the settings name stays; columns and words are the student's business in any case.
    """
    if not settings.teaching.teachers:
        return view, tables
    file = settings.teaching.teachers[0]
    teacher = load_teacher(file).parser
    network, theirs = teacher.config.network, teacher.config.words
    assert network is not None
    if theirs is None:
        return view, tables
    own = view or WordViewConfig()
    taken = WordViewConfig(
        contours=[] if own.contours else theirs.contours,
        vectors=theirs.vectors if network.given and not own.vectors else 0,
    )
    if not taken.tables():
        return view, tables
    found = {"clusters": taken.contours, "vectors": taken.vectors}
    what = " and ".join(name for name, there in found.items() if there)
    listener.message(f"words are looked up in the {what} of {file}")
    joined = replace(own, contours=own.contours or taken.contours, vectors=own.vectors or taken.vectors)
    return joined, {**tables, **{name: np.asarray(teacher.weights[name]) for name in taken.tables()}}
