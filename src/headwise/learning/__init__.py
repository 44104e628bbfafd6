"""Learners: from gold trees to weights."""

from headwise.learning.loop import DevScores, EpochReport, Listener
from headwise.learning.settings import TrainingSettings
from headwise.learning.train import train_parser

__all__ = ["DevScores", "EpochReport", "Listener", "TrainingSettings", "train_parser"]
