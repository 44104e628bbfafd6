"""What a parser is, without its weights: what the header of its model file says."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt

from headwise._native import parsing as native
from headwise.confidence.calibration import UNFITTED, Calibration
from headwise.parser.decoders import Decoder
from headwise.scoring.factorizations import Factorization
from headwise.scoring.network import NetworkConfig
from headwise.scoring.roles import RolesConfig
from headwise.scoring.whole_tree import GlobalConfig


@dataclass(frozen=True)
class PrunerConfig:
    """The first-order model whose probabilities say which arcs are scored in full."""

    templates: list[str]
    bits: int
    threshold: float
    most_heads: int


@dataclass(frozen=True)
class ParserConfig:
    """Everything about a parser but its weights; stored in the header of the model file."""

    labels: list[str]
    label_arcs: list[int]
    """The labels seen on arcs: (head tag, modifier tag, direction, label), one after the other."""
    label_mode: str
    projective: bool
    single_root: bool
    tags: list[str]
    """The coarse tags of the training data, and for each pair of them …"""
    arc_limits: list[int]
    """… the longest distances worth considering, flattened from (head tag, modifier tag, direction)."""
    arc_bits: int
    label_bits: int
    arc_templates: list[str]
    label_templates: list[str]
    factorization: Factorization = "arc"
    part_templates: dict[str, list[str]] = field(default_factory=dict)
    """Templates of the parts larger than an arc, by kind."""
    pruner: PrunerConfig | None = None
    """What decides which arcs larger parts are made of; None for a first-order parser."""
    global_features: GlobalConfig = field(default_factory=GlobalConfig)
    """Features of whole trees, above first order."""
    roles: RolesConfig | None = None
    """What words are guessed to be before their heads are searched, above first order."""
    network: NetworkConfig | None = None
    """What adds its opinion to the scores of features, above first order."""
    decoder: str = Decoder.map.value
    """Which tree is given where the caller does not say."""
    calibration: Calibration = UNFITTED
    """What makes probabilities of its scores."""
    training: dict[str, Any] = field(default_factory=dict)
    """How the model was made: settings, data sizes, scores on the development set."""

    def shape(self) -> native.ParserShape:
        return native.ParserShape(
            tags=self.tags,
            arc_limits=self.arc_limits,
            arc_templates=self.arc_templates,
            label_templates=self.label_templates,
            label_count=len(self.labels),
            label_arcs=self.label_arcs,
            label_mode=self.label_mode,
            projective=self.projective,
            single_root=self.single_root,
            arc_bits=self.arc_bits,
            label_bits=self.label_bits,
        )

    def pruner_shape(self) -> native.PrunerShape:
        assert self.pruner is not None
        return native.PrunerShape(
            tags=self.tags,
            arc_limits=self.arc_limits,
            templates=self.pruner.templates,
            bits=self.pruner.bits,
            projective=self.projective,
            single_root=self.single_root,
            threshold=self.pruner.threshold,
            most_heads=self.pruner.most_heads,
        )

    def role_shape(self) -> native.RoleShape:
        assert self.roles is not None
        return self.roles.shape(self.tags, self.arc_limits)

    def higher_order_shape(self, vocabulary: npt.NDArray[np.int64] | None = None) -> native.HigherOrderShape:
        """``vocabulary`` is the network's; without it, features decide alone."""
        network = None
        if self.network is not None and vocabulary is not None:
            network = self.network.shape(vocabulary, len(self.labels))
        return native.HigherOrderShape(
            self.shape(),
            factorization=self.factorization,
            part_templates=self.part_templates,
            pruner=self.pruner_shape(),
            global_features=self.global_features.shape(),
            global_bits=self.global_features.bits,
            global_restarts=self.global_features.restarts,
            roles=self.role_shape() if self.roles else None,
            network=network,
            network_weight=self.network.weight if self.network else 0.0,
        )

    @classmethod
    def from_dict(cls, values: dict[str, Any]) -> ParserConfig:
        pruner, roles, network = (values.get(name) for name in ("pruner", "roles", "network"))
        return cls(
            **{
                **values,
                "pruner": PrunerConfig(**pruner) if pruner else None,
                "roles": RolesConfig(**roles) if roles else None,
                "network": NetworkConfig(**network) if network else None,
                "calibration": Calibration(**values.get("calibration", {})),
                "global_features": GlobalConfig(**values.get("global_features", {})),
            }
        )
