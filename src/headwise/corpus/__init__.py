"""Corpora larger than memory, or than a machine: cut into shards, parsed by many workers, never twice.

    inputs → units (files read together) → shards (of a fixed size) → workers → a file a shard, and a marker

What a shard holds depends on the input alone, and what is written for it on the shard, the model and the
options alone. So a run can be killed anywhere and continued: what has a marker is done (docs/corpora.md).
"""

from headwise.corpus.options import CorpusOptions
from headwise.corpus.progress import Totals
from headwise.corpus.run import parse_corpus

__all__ = ["CorpusOptions", "Totals", "parse_corpus"]
