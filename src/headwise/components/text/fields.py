"""Text from elsewhere as a field of a treebank, which cannot hold every character."""

from __future__ import annotations

_UNWRITABLE = str.maketrans(dict.fromkeys("\t\n\r\0", "\N{REPLACEMENT CHARACTER}"))


def as_field(text: str) -> str:
    """The text, as long as it was, without tabs, line breaks and NULs; ``_`` where there is none."""
    return text.translate(_UNWRITABLE) or "_"
