"""From the options of ``headwise train`` to settings, and back in what is said of them."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import click

from headwise.base.fields import SettingError, fields_of
from headwise.components.tensor.settings import USUAL_RANK
from headwise.learning.choices import Preset
from headwise.training.pipeline_settings import PipelineSettings
from headwise.training.settings import TrainingSettings

OF_NETWORK = ("network", "torch", "teaching")


@contextmanager
def named_as_typed(*settings: type) -> Iterator[None]:
    """What is wrong with settings is said in the names of their options; by default, of those of train."""
    try:
        yield
    except SettingError as error:
        raise click.UsageError(error.typed(*(settings or (TrainingSettings, PipelineSettings)))) from error


def implied(chosen: dict[str, Any]) -> dict[str, Any]:
    """What was chosen, with what that asks for without saying so."""
    found = dict(chosen)
    if found.get("threads") == 0:
        found["threads"] = os.cpu_count() or 1
    if "words__ignore" in found:
        found["words__ignore"] = tuple(name.lower() for name in found["words__ignore"])
    if found.get("tensor__labels"):
        found.setdefault("tensor__rank", USUAL_RANK)
    if "torch__encoder" in found:
        found |= {"torch__use": True, "network__alone": True}
    if "torch__pretrained" in found:
        found["torch__use"] = True
    if found.get("network__alone"):
        found.setdefault("factorization", "arc")
        if not found.get("torch__use"):
            found.setdefault("network__use", True)
    asks_for_network = found.get("network__members", 1) > 1 or (
        "words__vectors" in found and not found.get("tensor__rank")
    )
    if asks_for_network and not found.get("torch__use"):
        found.setdefault("network__use", True)
    if found.get("network__use") is False and found.get("torch__use"):
        raise click.UsageError("--torch and --pretrained train a network, and --no-network wants none")
    return found


def with_templates(chosen: dict[str, Any], templates: Path | None) -> dict[str, Any]:
    if templates is None:
        return chosen
    from headwise.components.scoring.template_file import load_template_file

    return {**chosen, "templates": load_template_file(templates)}


def asked_for(
    preset: Preset | None, chosen: dict[str, Any], how: PipelineSettings, pipeline: bool
) -> TrainingSettings:
    """The settings where the treebank does not decide otherwise; UsageError where something changes nothing.

    What is wrong is said before any work is done.
    """
    from headwise.training.default_preset import named_preset

    asked = named_preset(preset, **chosen) if preset else TrainingSettings.preset("accurate", **chosen)
    settings = {one.keyword: one for one in fields_of(TrainingSettings).values()}
    for name in chosen:
        if name.partition("__")[0] in OF_NETWORK and (reason := asked.without_effect(name)):
            remedy = _remedy(asked, name, preset, chosen)
            raise click.UsageError(f"{settings[name].typed()} changes nothing, as {reason}{remedy}")
        if name in ("network__width", "network__bits", "network__weight") and how.features_alone:
            option = settings[name].typed()
            raise click.UsageError(f"{option} finds no network beside --joint-tags {how.joint_tags}")
    if not pipeline:
        _refuse_options_of_pipelines(how)
    return asked


def _remedy(asked: TrainingSettings, name: str, preset: str | None, chosen: dict[str, Any]) -> str:
    if not name.startswith("network__"):
        return ": add --torch"
    could_have_one = preset and "network__use" not in chosen and asked.has_larger_parts
    return ": add --network" if could_have_one and not asked.has_network else ""


def _refuse_options_of_pipelines(how: PipelineSettings) -> None:
    for name in ("text", "rewrite", "gold_tags_too"):
        if getattr(how, name) != getattr(PipelineSettings, name):
            option = fields_of(PipelineSettings)[name].typed()
            raise click.UsageError(f"{option} is for a --pipeline")


def grid_of(texts: list[str], settings: TrainingSettings, dev: Path | None) -> dict[str, list[Any]]:
    """The values that --tune is to choose among; what is wrong with them is said before any work is done."""
    from headwise.training.tuning import check_grid, parsed_grid

    if dev is None:
        raise click.UsageError("--tune needs --dev, which chooses")
    try:
        grid = parsed_grid(texts)
        check_grid(grid, settings)
    except ValueError as error:
        raise click.UsageError(f"--tune: {error}") from error
    return grid
