"""What is wrong with a pattern, and where."""

from __future__ import annotations

from headwise.base.errors import HeadwiseError


class PatternError(HeadwiseError):
    """A pattern that cannot be read."""

    @classmethod
    def at(cls, text: str, place: int, problem: str) -> PatternError:
        """The problem, with the line of the pattern and a mark below the place."""
        begin = text.rfind("\n", 0, place) + 1
        line = text[begin:].split("\n", 1)[0]
        return cls(f"the pattern {problem}:\n  {line}\n  {' ' * (place - begin)}^")
