"""Words clustered by the company they keep in raw text."""

from headwise.clusters.brown import BrownRun, brown_clusters, mutual_information
from headwise.clusters.clusters import Clusters, Word
from headwise.clusters.files import ClusterError

__all__ = ["BrownRun", "ClusterError", "Clusters", "Word", "brown_clusters", "mutual_information"]
