"""Headwise finds the head of every word: graph-based dependency parsing, exact and fast on a CPU."""

__version__ = "0.1.0"
