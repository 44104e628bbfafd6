"""How large a network is, and how often it reads the treebank, where nobody says: the treebank decides.

Few sentences are read more often. How wide a network of the core may be is a matter of time, not of how much
there is to learn: wider ones are better on treebanks of any size, a few thousand words included
(``python -m benchmarks run networks``, docs/network.md). So where a pass is short, it is wider. Those that
PyTorch trains are large anyway; on small treebanks, the largest are slow and no better. A network that starts
from what raw text taught is as wide as the pretrained file says.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from headwise.learning.choices import TORCH_LAYERS, TORCH_WIDTH
from headwise.treebank import Sentence

if TYPE_CHECKING:
    from headwise.training.settings import TrainingSettings


@dataclass(frozen=True)
class NetworkSize:
    """What may be left open about a network."""

    width: int
    """Of a layer, in each direction."""
    layers: int
    epochs: int


NATIVE_BATCH = 16
"""Sentences of a step of the native trainer, …"""
NATIVE_STEPS = 12_000
"""… of which it takes about so many, in …"""
NATIVE_EPOCHS = 8, 60
"""… no fewer passes than this, and no more than that."""
NATIVE_LAYERS = 2
NATIVE_SIZES: dict[int | None, tuple[int, int]] = {45_000: (256, NATIVE_LAYERS), None: (192, NATIVE_LAYERS)}
"""Width and layers by the words of the treebank, at most; None: of any other."""

TORCH_WORDS = 60 * 205_000
"""PyTorch shows a network about so many words, as sixty passes over EWT do, in …"""
TORCH_EPOCHS = 40, 200
"""… no fewer passes than this, and no more than that."""
TORCH_SIZES: dict[int | None, tuple[int, int]] = {45_000: (256, 2), None: (TORCH_WIDTH, TORCH_LAYERS)}
"""The like of a network that PyTorch trains."""


def native_size(sentences: int, words: int) -> NetworkSize:
    epochs = _within(NATIVE_EPOCHS, NATIVE_STEPS * NATIVE_BATCH / max(1, sentences))
    return NetworkSize(*_row(NATIVE_SIZES, words), epochs)


def torch_size(words: int) -> NetworkSize:
    return NetworkSize(*_row(TORCH_SIZES, words), _within(TORCH_EPOCHS, TORCH_WORDS / max(1, words)))


def with_network_size(settings: TrainingSettings, sentences: Sequence[Sentence]) -> TrainingSettings:
    """The settings with what they leave open about their network decided."""
    words = sum(map(len, sentences))
    if settings.torch.use:
        by_size = torch_size(words)
    elif settings.network.use:
        by_size = native_size(len(sentences), words)
    else:
        return settings
    chosen, torch = settings.network, settings.torch
    settings = settings.changed(network__epochs=chosen.epochs or by_size.epochs)
    if torch.pretrained or torch.encoder:
        return settings
    settings = settings.changed(network__width=chosen.width or by_size.width)
    return settings.changed(torch__layers=torch.layers or by_size.layers) if torch.use else settings


def decided(number: int | None) -> int:
    """A number that `with_network_size` has decided."""
    if number is None:
        raise ValueError("the size of the network is left open: with_network_size decides it")
    return number


def _within(limits: tuple[int, int], number: float) -> int:
    least, most = limits
    return min(most, max(least, round(number)))


def _row(table: dict[int | None, tuple[int, int]], words: int) -> tuple[int, int]:
    """The first that the treebank is not too large for."""
    return table[min((most for most in table if most is not None and words <= most), default=None)]
