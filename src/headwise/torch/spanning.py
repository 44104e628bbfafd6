"""Batches of spanning trees: all dependency trees, projective or not."""

from __future__ import annotations

import torch
from torch import Tensor

from headwise.torch import operators
from headwise.torch.distribution import Distribution


class SpanningTrees(Distribution):
    """Distributions over all trees of B sentences, projective or not; see `Distribution` for arguments."""

    projective = False

    def _sampled_heads(self, scores: Tensor, k: int, seed: int) -> Tensor:
        if scores.device.type == "cuda":
            return self._drawn_word_by_word(scores, k, seed)
        return super()._sampled_heads(scores, k, seed)

    def _drawn_word_by_word(self, scores: Tensor, k: int, seed: int) -> Tensor:
        """Each word takes a head by its probability given those before: n sums over B · k sentences."""
        batch, width, _ = scores.shape
        generator = torch.Generator(scores.device).manual_seed(seed)
        left = scores.repeat_interleave(k, dim=0)
        lengths = self.lengths.repeat_interleave(k)
        heads = torch.full((batch * k, width - 1), -1, dtype=torch.int64, device=scores.device)
        nodes = torch.arange(width, device=scores.device)
        for word in range(1, width):
            probabilities = operators.sums(left, lengths, False, self.single_root)[1][:, :, word]
            waiting = torch.empty_like(probabilities).exponential_(generator=generator)
            head = (probabilities / waiting).argmax(dim=1)
            is_drawn = (word <= lengths) & (probabilities > 0).any(dim=1)
            heads[:, word - 1] = torch.where(is_drawn, head, -1)
            taken = (nodes == head[:, None]) | ~is_drawn[:, None]
            left[:, :, word] = left[:, :, word].masked_fill(~taken, -torch.inf)
        return heads.view(batch, k, width - 1)
