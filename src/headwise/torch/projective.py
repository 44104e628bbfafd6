"""Batches of projective trees."""

from __future__ import annotations

from torch import Tensor

from headwise.torch import cuda
from headwise.torch.distribution import Distribution


class ProjectiveTrees(Distribution):
    __doc__ = (Distribution.__doc__ or "").replace("the trees", "the projective trees", 1)

    projective = True

    def _sampled_heads(self, scores: Tensor, k: int, seed: int) -> Tensor:
        if scores.device.type == "cuda":
            return cuda.sample(scores, self.lengths, k, seed, self.single_root)
        return super()._sampled_heads(scores, k, seed)
