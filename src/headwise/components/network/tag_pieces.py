"""What tags share, as a network scores them: their vectors are sums of those of their pieces."""

from __future__ import annotations

from collections.abc import Sequence

UNUSED = "_"


def numbered_pieces(tags: Sequence[Sequence[str]]) -> list[list[int]]:
    """What tags (UPOS, XPOS, FEATS) share: of each, the numbers of its columns, its features and itself."""
    pieces = [_pieces(*tag) for tag in tags]
    number = {piece: k for k, piece in enumerate(sorted({piece for own in pieces for piece in own}))}
    return [[number[piece] for piece in own] for own in pieces]


def _pieces(upos: str, xpos: str, feats: str) -> list[str]:
    columns = [f"{name}={value}" for name, value in (("upos", upos), ("xpos", xpos)) if value != UNUSED]
    features = dict.fromkeys(feats.split("|") if feats != UNUSED else ())  # each once
    return [*columns, *features, f"{upos}\t{xpos}\t{feats}"]
