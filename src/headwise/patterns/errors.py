"""What is wrong with a pattern, and where."""

from __future__ import annotations

from headwise.base.errors import HeadwiseError


class PatternError(HeadwiseError):
    """A pattern that cannot be read."""

    @classmethod
    def at(cls, text: str, place: int, problem: str) -> PatternError:
        """The problem, and where it is: what stands there, and in a pattern of several lines the line."""
        line = f" in line {text.count(chr(10), 0, place) + 1}" if "\n" in text.strip() else ""
        rest = " ".join(text[place:].split())
        where = f"at {rest[:20]!r}" if rest else "at its end"
        return cls(f"the pattern {problem}, {where}{line}.")
