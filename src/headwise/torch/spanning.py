"""Batches of spanning trees: all dependency trees, projective or not."""

from __future__ import annotations

from headwise.torch.distribution import Distribution


class SpanningTrees(Distribution):
    """Distributions over all trees of B sentences, projective or not; see `Distribution` for arguments."""

    projective = False
