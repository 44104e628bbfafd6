"""Parsing on Ray (extra ``ray``): a step for pipelines of Ray Data, and the engine of ``headwise corpus``."""

from headwise.corpus.ray.parse import Parse

__all__ = ["Parse"]
