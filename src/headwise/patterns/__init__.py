"""Search trees by pattern: who does what in them, in the language of Grew or the simple form of Semgrex.

Examples:
    >>> from headwise.patterns import Pattern
    >>> passives = Pattern.parse("pattern { V -[nsubj:pass]-> S } without { V -[obl:agent]-> A }")
    >>> for match in passives.find(sentences):                            # doctest: +SKIP
    ...     print(match["S"], match["V"])
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from headwise.base.lazy import offer

if TYPE_CHECKING:
    from headwise.patterns.errors import PatternError as PatternError
    from headwise.patterns.matches import Match as Match
    from headwise.patterns.pattern import Pattern as Pattern

_HOMES = {
    "Match": "headwise.patterns.matches",
    "Pattern": "headwise.patterns.pattern",
    "PatternError": "headwise.patterns.errors",
}
__all__ = list(_HOMES)
__getattr__, __dir__ = offer(__name__, _HOMES)
