"""Settings that cannot be had together: each with what to do instead."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from headwise.base.fields import SettingError
from headwise.learning.choices import EG_OPTIMIZERS, LABELS_IN_SEARCH, MARGIN_LEARNERS
from headwise.trees.factorizations import PARTS, PROJECTIVE_ONLY, TABLES

if TYPE_CHECKING:
    from headwise.training.settings import TrainingSettings

Rule = tuple[object, str]
"""What must not be so, and what to say then."""


def check_conflicts(settings: TrainingSettings) -> None:
    """SettingError where settings exclude each other."""
    for rules in (_labels, _optimizer, _network, _features, _larger_parts, _projective_only, _rivals):
        _refuse(rules(settings))


def _refuse(rules: Iterable[Rule]) -> None:
    for broken, text in rules:
        if broken:
            raise SettingError(text)


def _labels(settings: TrainingSettings) -> Iterator[Rule]:
    if settings.labels in LABELS_IN_SEARCH and settings.has_larger_parts:
        networks = [f"`{name}=False`" for name in ("network", "torch") if getattr(settings, name).use]
        instead = "trees whose labels are found afterwards: `labels='separate'`, or"
        yield settings.has_network, f"a network adds to {instead} {' and '.join(networks)}"
        families = "`whole_tree.families=()`"
        yield (
            settings.whole_tree.families,
            f"features of whole trees are learned beside {instead} {families}",
        )
        yield settings.rival == "relaxed", f"`rival='relaxed'` compares with {instead} `rival='tree'`"
    yield (
        settings.labels == "latent" and settings.learner != "log-linear",
        "`labels='latent'` needs `learner='log-linear'`",
    )
    yield (
        settings.tensor.labels and not (settings.tensor.rank and settings.labels == "separate"),
        "`tensor.labels` needs a tensor, and labels over the finished tree (`labels='separate'`)",
    )


def _optimizer(settings: TrainingSettings) -> Iterator[Rule]:
    optimizer = f"`optimizer={settings.optimizer!r}`"
    online = settings.optimizer == "online"
    yield settings.cutoff and not online, "`cutoff` needs `optimizer='online'`"
    yield (
        not settings.averaged and (not online or settings.runs > 1),
        "`averaged=False` needs `optimizer='online'` and a single run",
    )
    yield (
        settings.tensor.rank and not online,
        "a tensor is learned with `optimizer='online'` only: its objective is not convex",
    )
    yield (
        settings.tensor.rank and settings.learner == "perceptron",
        "a tensor needs a learner that measures its steps, and `learner='perceptron'` does not: its products"
        " of three would grow without limit",
    )
    if online:
        return
    by_eg = settings.optimizer in EG_OPTIMIZERS
    suited = ("log-linear", "max-margin") if by_eg else ("log-linear",)
    learners = " or ".join(f"`learner={name!r}`" for name in suited)
    yield settings.learner not in suited, f"{optimizer} needs {learners}"
    if by_eg:
        in_search = settings.labels in LABELS_IN_SEARCH
        yield in_search, f"{optimizer} needs `labels='separate'` or `labels='none'`"
        limit = 1.0 if settings.learner == "log-linear" else math.inf
        rate = settings.eg.rate
        too_large = rate is not None and rate >= limit
        yield too_large, f"`eg.rate` is {rate}, must be positive, and below {limit:g}"


def _network(settings: TrainingSettings) -> Iterator[Rule]:
    network, torch = settings.network, settings.torch
    by_torch = torch.use and not torch.encoder
    yield (
        torch.pretrained and not by_torch,
        "`torch.pretrained` is for a network that PyTorch trains (`torch=True`), and no encoder",
    )
    yield (
        torch.pretrained and network.width,
        "`torch.pretrained` decides how wide layers are: leave out `network.width`",
    )
    yield (
        torch.pretrained and torch.layers,
        "`torch.pretrained` decides how many layers there are: leave out `torch.layers`",
    )
    yield (
        settings.teaching.teachers and not by_torch,
        "`teaching.teachers` are for a network that PyTorch trains (`torch=True`), and no encoder",
    )
    yield (
        settings.teaching.unlabelled and not settings.teaching.teachers,
        "`teaching.unlabelled` needs `teaching.teachers`, who know trees of these sentences",
    )
    yield (
        torch.encoder and not (torch.use and network.alone),
        "`torch.encoder` needs `torch=True` and `network.alone=True`: there are no features",
    )
    yield (
        network.alone and not settings.has_network,
        "`network.alone` has no features, and there is no network either: `network=True`",
    )
    yield (
        network.members > 1 and torch.encoder,
        "`network.members` must be 1: there is one encoder, and no network",
    )
    yield (
        network.members > 1 and not settings.has_network,
        f"`network.members` is {network.members}, and there is no network: `network=True`",
    )
    yield (
        settings.words.vectors is not None and not settings.has_network and not settings.tensor.rank,
        "vectors of words are read by a network or a tensor: `network=True`, `tensor=True`",
    )


def _features(settings: TrainingSettings) -> Iterator[Rule]:
    yield (
        settings.runs > 1 and (not settings.has_larger_parts or settings.optimizer != "online"),
        "`runs` above 1 need a factorization above 'arc' and `optimizer='online'`",
    )
    choices = ", ".join(map(repr, MARGIN_LEARNERS))
    yield (
        settings.whole_tree.families
        and (settings.learner not in MARGIN_LEARNERS or settings.rival != "tree"),
        f"features of whole trees need `rival='tree'` and a learner of: {choices}",
    )
    yield (
        settings.positions and "sibling" not in PARTS[settings.factorization],
        "`positions` are told by siblings, which this factorization has not",
    )
    unknown = ", ".join(sorted(set(settings.templates) - set(TABLES)))
    yield unknown, f"`templates` names no table: {unknown} (use {', '.join(TABLES)})"


def _larger_parts(settings: TrainingSettings) -> Iterator[Rule]:
    alone = settings.network.alone
    if settings.has_larger_parts:
        yield alone, "`network.alone` needs `factorization='arc'`"
        return
    above = "a factorization above 'arc'"
    yield settings.roles, f"`roles` need {above}"
    yield settings.has_network and not alone, f"a network beside features needs {above}"
    yield settings.whole_tree.families, f"features of whole trees need {above}"
    yield settings.rival in ("climbed", "relaxed"), f"`rival={settings.rival!r}` needs {above}"


def _projective_only(settings: TrainingSettings) -> Iterator[Rule]:
    if settings.factorization not in PROJECTIVE_ONLY:
        return
    needs = f"`factorization={settings.factorization!r}` is for projective trees only"
    yield settings.trees == "nonprojective", f"{needs}: `trees='projective'`"
    found = f"{needs}, found by a dynamic program: without"
    yield settings.whole_tree.families, f"{found} features of whole trees (`whole_tree.families`)"
    yield settings.rival in ("climbed", "relaxed"), f"{found} `rival={settings.rival!r}`"
    yield settings.learner == "samplerank", f"{found} `learner='samplerank'`"


def _rivals(settings: TrainingSettings) -> Iterator[Rule]:
    rival = settings.rival
    if settings.learner == "samplerank":
        samples = "`learner='samplerank'` samples trees"
        yield settings.trees == "projective", f"{samples} whose arcs may cross: `trees='nonprojective'`"
        yield rival != "tree", "`learner='samplerank'` chooses its own rivals: `rival='tree'`"
        in_search = settings.labels in LABELS_IN_SEARCH
        yield in_search, f"{samples} without labels: `labels='separate'` or `labels='none'`"
    yield (
        rival == "independent" and settings.has_larger_parts,
        "`rival='independent'` is for arcs alone: `factorization='arc'`",
    )
    yield (
        rival == "climbed" and settings.trees == "projective",
        "`rival='climbed'` finds trees whose arcs may cross: `trees='nonprojective'`",
    )
    yield (
        rival != "tree" and settings.learner not in MARGIN_LEARNERS,
        f"`rival={rival!r}` needs `learner='mira'` or `learner='perceptron'`",
    )
