"""How sure a parser is, and how far that can be believed: probabilities, their calibration, doubt."""

from __future__ import annotations

from typing import TYPE_CHECKING

from headwise.base.lazy import offer

if TYPE_CHECKING:
    from headwise.components.confidence.fitting import fit_calibration as fit_calibration

_HOMES = {
    "fit_calibration": "headwise.components.confidence.fitting",
}
__all__ = list(_HOMES)
__getattr__, __dir__ = offer(__name__, _HOMES)
