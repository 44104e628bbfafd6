"""What spaCy has no field for: attributes under ``._.``, kept in ``Doc.user_data`` and so in every file."""

from __future__ import annotations

from typing import Any

from spacy.tokens import Doc, Span, Token

KEY = "._."
"""With this begin the keys under which spaCy keeps such attributes."""


def best_trees(doc: Doc) -> list[list[dict[str, Any]]]:
    """The k best trees of each sentence, in order; also of one that spaCy has cut at its roots."""
    kept = [(key[2], trees) for key, trees in doc.user_data.items() if _is(key, "k_best")]
    return [trees for _, trees in sorted(kept, key=lambda item: item[0])]


Token.set_extension("head_prob", default=None)
"""The probability of its head, …"""
Token.set_extension("dep_prob", default=None)
"""… that of its label if the head is right, …"""
Token.set_extension("inner_words", default=None)
"""… and the words of a multiword token, each with its columns; None for a token that is one word."""
Span.set_extension("tree_prob", default=None)
"""The probability of the tree of a sentence (without labels)."""
Span.set_extension("k_best", default=None)
"""The k best trees of a sentence, most probable first: heads, deps and prob of each."""
Doc.set_extension("k_best", getter=best_trees)
"""Those of all sentences."""

PROBABILITIES = ("head_prob", "dep_prob", "tree_prob", "k_best")


def forget_probabilities(doc: Doc) -> None:
    """Those of a parse that is about to be replaced."""
    for key in [key for key in doc.user_data if any(_is(key, name) for name in PROBABILITIES)]:
        del doc.user_data[key]


def _is(key: Any, name: str) -> bool:
    return isinstance(key, tuple) and key[:2] == (KEY, name)
