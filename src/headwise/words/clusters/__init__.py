"""Words clustered by the company they keep in raw text (docs/clusters.md)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from headwise.base.lazy import offer

if TYPE_CHECKING:
    from headwise.words.clusters.brown import BrownRun as BrownRun
    from headwise.words.clusters.brown import brown_clusters as brown_clusters
    from headwise.words.clusters.brown import mutual_information as mutual_information
    from headwise.words.clusters.clusters import Clusters as Clusters
    from headwise.words.clusters.clusters import Word as Word
    from headwise.words.clusters.exchange import exchange_clusters as exchange_clusters
    from headwise.words.clusters.exchange import reassigned_clusters as reassigned_clusters
    from headwise.words.clusters.files import ClusterError as ClusterError
    from headwise.words.clusters.hmm import HiddenMarkovClusters as HiddenMarkovClusters
    from headwise.words.clusters.hmm import TokenStates as TokenStates
    from headwise.words.clusters.split_merge import HiddenMarkovRun as HiddenMarkovRun
    from headwise.words.clusters.split_merge import SplitMergeSettings as SplitMergeSettings
    from headwise.words.clusters.split_merge import hmm_clusters as hmm_clusters
    from headwise.words.clusters.syntax import count_heads as count_heads
    from headwise.words.clusters.text import count_words as count_words

_HOMES = {
    "BrownRun": "headwise.words.clusters.brown",
    "ClusterError": "headwise.words.clusters.files",
    "Clusters": "headwise.words.clusters.clusters",
    "HiddenMarkovClusters": "headwise.words.clusters.hmm",
    "HiddenMarkovRun": "headwise.words.clusters.split_merge",
    "SplitMergeSettings": "headwise.words.clusters.split_merge",
    "TokenStates": "headwise.words.clusters.hmm",
    "Word": "headwise.words.clusters.clusters",
    "brown_clusters": "headwise.words.clusters.brown",
    "count_heads": "headwise.words.clusters.syntax",
    "count_words": "headwise.words.clusters.text",
    "exchange_clusters": "headwise.words.clusters.exchange",
    "hmm_clusters": "headwise.words.clusters.split_merge",
    "mutual_information": "headwise.words.clusters.brown",
    "reassigned_clusters": "headwise.words.clusters.exchange",
}
__all__ = list(_HOMES)
__getattr__, __dir__ = offer(__name__, _HOMES)
