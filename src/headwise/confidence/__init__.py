"""How sure a parser is, and how far that can be believed: probabilities, their calibration, doubt."""

from __future__ import annotations

from typing import TYPE_CHECKING

from headwise.lazy import offer

if TYPE_CHECKING:
    from headwise.confidence.calibration import Calibration as Calibration
    from headwise.confidence.fitting import fit_calibration as fit_calibration

_HOMES = {
    "Calibration": "headwise.confidence.calibration",
    "fit_calibration": "headwise.confidence.fitting",
}
__all__ = list(_HOMES)
__getattr__, __dir__ = offer(__name__, _HOMES)
