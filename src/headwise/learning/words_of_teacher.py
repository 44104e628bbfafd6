"""What a student that is given no clusters or vectors of words takes over from who teaches it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import numpy as np
import numpy.typing as npt

from headwise.learning.loop import Listener
from headwise.learning.settings import TrainingSettings
from headwise.scoring.word_view import WordViewConfig

Tables = dict[str, npt.NDArray[Any]]


def with_words_of_teacher(
    view: WordViewConfig | None, tables: Tables, settings: TrainingSettings, listener: Listener
) -> tuple[WordViewConfig | None, Tables]:
    """The view, and its tables, with the clusters and vectors that the first teacher's network reads.

    What the settings name stays; columns and words are the student's business in any case.
    """
    from headwise.parser.pipeline import Pipeline, load

    if not settings.teaching.teachers:
        return view, tables
    file = settings.teaching.teachers[0]
    model = load(file)
    parser = model.parser if isinstance(model, Pipeline) else model
    network, theirs = parser.config.network, parser.config.words
    if network is None or theirs is None:  # it is said elsewhere where it cannot teach
        return view, tables
    own = view or WordViewConfig()
    taken = WordViewConfig(
        contours=[] if own.contours else theirs.contours,
        vectors=theirs.vectors if network.given and not own.vectors else 0,
    )
    if not taken.tables():
        return view, tables
    what = " and ".join(name for name in ("clusters", "vectors") if _has(taken, name))
    listener.message(f"words are looked up in the {what} of {file}")
    joined = replace(own, contours=own.contours or taken.contours, vectors=own.vectors or taken.vectors)
    return joined, {**tables, **_tables(taken, parser.weights)}


def _has(view: WordViewConfig, what: str) -> bool:
    return bool(view.contours if what == "clusters" else view.vectors)


def _tables(view: WordViewConfig, weights: Mapping[str, npt.NDArray[Any]]) -> Tables:
    return {name: np.asarray(weights[name]) for name in view.tables()}
