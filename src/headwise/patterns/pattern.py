"""A pattern that can be searched for."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from typing import Literal

from headwise._native.patterns import Matcher
from headwise.patterns.blocks import Block, Value, WholeSentence, built
from headwise.patterns.errors import PatternError
from headwise.patterns.grew import GrewReader
from headwise.patterns.matches import Match
from headwise.patterns.semgrex import SemgrexReader
from headwise.treebank import Sentence, is_projective

BATCH = 1024
"""Sentences that are searched by one call of the core."""
Language = Literal["auto", "grew", "semgrex"]
_BLOCK = re.compile(r"(?:\s|%[^\n]*\n)*(?:pattern|match|without|with|global)\s*\{")


class Pattern:
    """A pattern over trees: nodes with conditions, and how they stand to one another.

    Examples:
        >>> Pattern.parse("V -[nsubj]-> S; V [upos=VERB]; S << V").nodes
        ('V', 'S')
        >>> Pattern.parse("{upos:VERB}=V >nsubj {}=S").nodes
        ('V', 'S')
    """

    def __init__(self, text: str, blocks: Sequence[Block], whole: WholeSentence | None = None) -> None:
        self.text = text
        self._whole = whole or WholeSentence()
        builder, self._names = built(blocks)
        self._matcher = Matcher(builder)
        self.nodes = tuple(name for name in self._names if not name.startswith("*"))
        """The names of what a match is made of."""

    @classmethod
    def parse(cls, text: str, language: Language = "auto") -> Pattern:
        """Read a pattern: Grew's blocks, Grew's clauses alone, or Semgrex, which begins with a brace."""
        stripped = text.strip()
        if not stripped:
            raise PatternError("the pattern is empty.")
        if language == "semgrex" or (language == "auto" and stripped[0] in "{(!"):
            return cls(text, SemgrexReader(text).blocks)
        read = GrewReader(text, clauses=not _BLOCK.match(text))
        return cls(text, read.blocks, read.whole)

    def __repr__(self) -> str:
        return f"<Pattern {' '.join(self.text.split())}>"

    def find(self, sentences: Iterable[Sentence], *, most: int = 0) -> Iterator[Match]:
        """Every match, in the order of the sentences; ``most``: so many of a sentence at the most, 0: all."""
        stream = iter(sentences)
        while batch := list(islice(stream, BATCH)):
            yield from self._in_batch([one for one in batch if self._is_asked_for(one)], most)

    def count(self, sentences: Iterable[Sentence]) -> int:
        """How many matches there are."""
        return sum(1 for _ in self.find(sentences))

    def matches(self, sentence: Sentence) -> list[Match]:
        """Those of one sentence."""
        return list(self.find([sentence]))

    def _in_batch(self, batch: list[Sentence], most: int) -> Iterator[Match]:
        rows = self._matcher.find(batch, most).reshape(-1, 1 + len(self._names)).tolist()
        for number, *words in rows:
            found = zip(self._names, words, strict=True)
            yield Match(batch[number], {name: word for name, word in found if not name.startswith("*")})

    def _is_asked_for(self, sentence: Sentence) -> bool:
        whole = self._whole
        if whole.projective is not None and is_projective(sentence.heads) != whole.projective:
            return False
        return all(_says(sentence, key, value) == wanted for key, wanted, value in whole.comments)


def _says(sentence: Sentence, key: str, value: Value) -> bool:
    """Whether a comment ``# key = …`` has this value."""
    for comment in sentence.comments:
        name, equals, found = comment.lstrip("# ").partition("=")
        if equals and name.strip() == key:
            found = found.strip()
            return bool(value.expression.fullmatch(found)) if value.expression else found == value.text
    return False
