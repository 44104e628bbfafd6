"""What there is to choose from, listed once: for settings, the command line, checks and docs.

Nothing is imported here: ``headwise --help`` reads these lists too.
"""

from __future__ import annotations

from typing import Literal, get_args

Trees = Literal["auto", "projective", "nonprojective"]
Root = Literal["auto", "single", "multi"]
Learner = Literal["mira", "perceptron", "samplerank", "log-linear", "max-margin"]
Optimizer = Literal["online", "eg", "eg-batch", "l-bfgs", "cg"]
Labels = Literal["separate", "joint", "latent", "none"]
LABELS_IN_SEARCH = ("joint", "latent")
Rival = Literal["tree", "climbed", "independent", "relaxed"]
Constraints = Literal["both", "pairs", "gold"]
Device = Literal["auto", "cuda", "cpu"]
NetworkLoss = Literal["heads", "trees", "margin", "risk"]
Precision = Literal["mixed", "full"]
TORCH_WIDTH, TORCH_LAYERS = 400, 3
"""Of a network that PyTorch trains, where neither its user says nor its treebank is small."""
UsualPreset = Literal["fast", "accurate"]
"""What the command line offers."""
Preset = Literal["fast", "accurate", "first", "second", "third", "full", "network"]
"""Those, and what tables of papers and experiments start from, which Python knows by name."""
ACCURATE_WORDS = 600_000
"""Of a treebank that ``accurate`` is the default preset for: a pipeline of so many, with crossing arcs and
without a development set, takes about an hour of one core."""

MARGIN_LEARNERS = ("mira", "perceptron", "samplerank")
"""Learners that compare single trees, and so can do with features of whole trees."""
EG_OPTIMIZERS = ("eg", "eg-batch")
"""Optimizers by exponentiated gradient."""
JointTags = Literal["climb", "senses", "agree"]
"""How a pipeline chooses tags together with trees."""
EXACT_JOINT_TAGS = ("senses", "agree")
"""Ways that prove their choice, over projective trees that features alone score."""
JointCandidates = Literal["margin", "confusions"]
"""Which tags are considered: by how much they lower the tagger's score, or by what it takes for what."""
JointLearner = Literal["log-linear", "mira", "samplerank"]
"""What learns which tags go with which trees."""
Column = Literal["lemma", "upos", "xpos", "feats"]
COLUMNS: tuple[Column, ...] = get_args(Column)
"""Columns that a model can do without."""
