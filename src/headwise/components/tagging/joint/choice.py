"""What is chosen for a sentence."""

from __future__ import annotations

from typing import NamedTuple

from headwise.components.parser.parse import Parse
from headwise.treebank import Sentence


class Choice(NamedTuple):
    """A sentence with the tags that were chosen."""

    sentence: Sentence
    exact: bool
    """Whether it is proved that no other tags of those considered score more, with their best tree."""
    parse: Parse | None = None
    """Its best tree, where it was looked for, by the parser's own decoder."""
