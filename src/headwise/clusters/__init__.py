"""Words clustered by the company they keep in raw text (docs/clusters.md)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from headwise.lazy import offer

if TYPE_CHECKING:
    from headwise.clusters.brown import BrownRun as BrownRun
    from headwise.clusters.brown import brown_clusters as brown_clusters
    from headwise.clusters.brown import mutual_information as mutual_information
    from headwise.clusters.clusters import Clusters as Clusters
    from headwise.clusters.clusters import Word as Word
    from headwise.clusters.exchange import exchange_clusters as exchange_clusters
    from headwise.clusters.files import ClusterError as ClusterError
    from headwise.clusters.hmm import HiddenMarkovClusters as HiddenMarkovClusters
    from headwise.clusters.hmm import TokenStates as TokenStates
    from headwise.clusters.split_merge import HiddenMarkovRun as HiddenMarkovRun
    from headwise.clusters.split_merge import SplitMergeSettings as SplitMergeSettings
    from headwise.clusters.split_merge import hmm_clusters as hmm_clusters
    from headwise.clusters.syntax import count_heads as count_heads
    from headwise.clusters.text import count_words as count_words

_HOMES = {
    "BrownRun": "headwise.clusters.brown",
    "ClusterError": "headwise.clusters.files",
    "Clusters": "headwise.clusters.clusters",
    "HiddenMarkovClusters": "headwise.clusters.hmm",
    "HiddenMarkovRun": "headwise.clusters.split_merge",
    "SplitMergeSettings": "headwise.clusters.split_merge",
    "TokenStates": "headwise.clusters.hmm",
    "Word": "headwise.clusters.clusters",
    "brown_clusters": "headwise.clusters.brown",
    "count_heads": "headwise.clusters.syntax",
    "count_words": "headwise.clusters.text",
    "exchange_clusters": "headwise.clusters.exchange",
    "hmm_clusters": "headwise.clusters.split_merge",
    "mutual_information": "headwise.clusters.brown",
}
__all__ = list(_HOMES)
__getattr__, __dir__ = offer(__name__, _HOMES)
