"""The components of a parser beside its features. Each has its lines here, and says all else of itself."""

from __future__ import annotations

from dataclasses import dataclass, field, fields

from headwise.components.network.config import NetworkConfig
from headwise.components.pruner.config import PrunerConfig
from headwise.components.roles.config import RolesConfig
from headwise.components.scoring.component import Component
from headwise.components.scoring.word_view import WordViewConfig
from headwise.components.tensor.config import TensorConfig
from headwise.components.whole_tree.config import WholeTreeConfig
from headwise.model.schema import NAME_IN_FILES


@dataclass(frozen=True, kw_only=True)
class Components:
    """In the order in which they score: of what is learned with features, whole trees are the last."""

    words: WordViewConfig | None = None
    """How words are looked at; None: as sentences have them."""
    pruner: PrunerConfig | None = None
    """What decides which arcs larger parts are made of; None for a first-order parser."""
    roles: RolesConfig | None = None
    """What words are guessed to be before their heads are searched, above first order."""
    tensor: TensorConfig | None = None
    """A low-rank tensor that scores arcs beside features."""
    whole_tree: WholeTreeConfig = field(
        default_factory=WholeTreeConfig, metadata={NAME_IN_FILES: "global_features"}
    )
    """Features of whole trees, above first order."""
    network: NetworkConfig | None = None
    """What adds its opinion to the scores of features, above first order."""

    @property
    def components(self) -> list[Component]:
        """Those that there are."""
        found = (getattr(self, one.name) for one in fields(Components))
        return [component for component in found if component is not None]


LEARNED_WITH_FEATURES = (
    "headwise.components.pruner.training:learn_pruner",
    "headwise.components.roles.training:learn_roles",
    "headwise.components.tensor.training:prepare_tensor",
    "headwise.components.whole_tree.training:whole_trees_beside",
)
"""Steps of training (`headwise.learning.steps`) that come before features are learned, in order."""
TABLES_IN_FILES = {"whole_tree": "global"}
"""Tables that files call by another name."""
