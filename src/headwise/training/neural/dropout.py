"""What is left out at random in training (Dozat and Manning 2017): columns throughout a sentence, and atoms.

Masks come from a generator of their own, so that a run depends on its seed alone.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import torch
from torch import Tensor

from headwise.training.neural.treebank import KINDS, Atoms, Batch


@dataclass
class Dropout:
    layers: float
    """The share of columns that is left out between layers, the same ones throughout a sentence …"""
    atoms: float
    """… the share of words that lose what names them, their tags, or their spelling …"""
    recurrent: float
    """… and of the weights from one position to the next (Merity et al. 2018), the same ones in a batch."""
    generator: torch.Generator | None = None
    """None until training begins."""

    def of_layers(self, batch: Batch, training: bool) -> Callable[[Tensor], Tensor]:
        """For positions, (P, width)."""
        if not training or self.layers == 0:
            return lambda x: x
        return lambda x: x * self._mask(len(batch.lengths), x)[batch.sentence]

    def of_sentences(self, x: Tensor, training: bool) -> Tensor:
        """For sentences, (B, n, width)."""
        if not training or self.layers == 0:
            return x
        return x * self._mask(len(x), x)[:, None]

    def of_atoms(self, atoms: Atoms, training: bool) -> Tensor | None:
        """Weights of atoms: what is left of a word stands in for what is left out."""
        if not training or self.atoms == 0:
            return None
        place = atoms.position * KINDS + atoms.kinds
        there = torch.zeros(len(atoms.first) * KINDS, device=place.device).index_fill(0, place, 1.0)
        there = there.view(-1, KINDS)
        kept = there * (self.uniform(tuple(there.shape), there.device) >= self.atoms)
        weights = kept * (there.sum(dim=1, keepdim=True) / kept.sum(dim=1, keepdim=True).clamp(min=1))
        return weights.flatten()[place]

    def of_weights(self, weights: Tensor, training: bool) -> Tensor:
        if not training or self.recurrent == 0:
            return weights
        kept = self.uniform(tuple(weights.shape), weights.device) >= self.recurrent
        return weights * kept / (1 - self.recurrent)

    def _mask(self, sentences: int, x: Tensor) -> Tensor:
        kept = self.uniform((sentences, x.shape[-1]), x.device) >= self.layers
        return (kept / (1 - self.layers)).to(x.dtype)

    def uniform(self, shape: tuple[int, ...], device: torch.device) -> Tensor:
        return torch.rand(shape, generator=self.generator, device=device)
