"""How sure a parser is, and how far that can be believed: probabilities, their calibration, doubt."""

from headwise.confidence.calibration import Calibration
from headwise.confidence.fitting import fit_calibration

__all__ = ["Calibration", "fit_calibration"]
