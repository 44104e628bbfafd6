"""Where spaces are, for treebanks that do not say: by the usual rules, or as raw text has it."""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import pairwise

from headwise.components.text.raw_text import surface_tokens
from headwise.treebank import Sentence

ATTACHED_TO_WHAT_PRECEDES = frozenset(".,;:!?…%)]}»”’،؛؟।。，、；：！？）】」』》")
ATTACHED_TO_WHAT_FOLLOWS = frozenset("([{«“„‘¿¡（【「『《")
LEAST_SEEN = 5
"""A character that raw text has less often is treated as usual."""
SPACED_FROM = 0.05
"""A text with fewer spaces than this among its characters is of a script that writes none between words."""


def says_spacing(sentences: Iterable[Sentence]) -> bool:
    """Whether a treebank says anywhere how its tokens stand together, by ``# text`` or ``SpaceAfter=No``."""
    return any(
        s.text is not None or any("SpaceAfter=No" in misc for misc in s.misc)
        for s in sentences
        if s.format == "conllu"
    )


class Spacing:
    """Between which tokens a space is written."""

    def __init__(self, spaced: bool = True) -> None:
        self.spaced = spaced
        self._space_before = dict.fromkeys(ATTACHED_TO_WHAT_PRECEDES, False)
        self._space_after = dict.fromkeys(ATTACHED_TO_WHAT_FOLLOWS, False)

    @classmethod
    def usual(cls, sentences: Iterable[Sentence]) -> Spacing:
        """Marks stand as they mostly do; ideographs, kana and Thai letters stand without spaces."""
        letters = Counter(map(_writes_spaces, (c for s in sentences for form in s.forms for c in form)))
        return cls(spaced=letters[False] <= letters[True])

    @classmethod
    def of_text(cls, lines: Iterable[str]) -> Spacing:
        """As a text of the language has it."""
        before, after, characters, spaces = Counter[tuple[str, bool]](), Counter[tuple[str, bool]](), 0, 0
        for line in lines:
            text = line.strip()
            characters += len(text)
            spaces += text.count(" ")
            for previous, mark, following in zip(" " + text, text, text[1:] + " ", strict=False):
                if not mark.isalnum() and not mark.isspace():
                    before[mark, previous.isspace()] += 1
                    after[mark, following.isspace()] += 1
        found = cls(spaced=spaces >= SPACED_FROM * max(1, characters))
        for counts, wanted in ((before, found._space_before), (after, found._space_after)):
            for mark in {mark for mark, _ in counts}:
                if counts[mark, True] + counts[mark, False] >= LEAST_SEEN:
                    wanted[mark] = counts[mark, True] > counts[mark, False]
        return found

    def between(self, token: str, following: str) -> bool:
        """Whether a space stands between two tokens."""
        ends, begins = self._space_after.get(token[-1]), self._space_before.get(following[0])
        if ends is False or begins is False:
            return False
        return self.spaced

    def respaced(self, sentences: Sequence[Sentence]) -> list[Sentence]:
        """The sentences with their text as it may have been."""
        return [self._with_text(sentence) for sentence in sentences]

    def _with_text(self, sentence: Sentence) -> Sentence:
        forms = [token.form for token in surface_tokens(sentence)]
        text, is_open = forms[0], False
        for token, following in pairwise(forms):
            space = self.between(token, following)
            if token in _QUOTES:  # the first of a pair stands before, the second behind
                is_open = not is_open
                space = space and not is_open
            if following in _QUOTES and is_open:
                space = False
            text += " " * space + following
        others = [comment for comment in sentence.comments if not _TEXT.match(comment)]
        return sentence.to_conllu().with_comments([*others, f"# text = {text}"])


_TEXT = re.compile(r"#\s*text\s*=")
"""What a treebank said of the text before."""
_QUOTES = ('"', "'", "``", "''")


def _writes_spaces(character: str) -> bool:
    name = unicodedata.name(character, "")
    return not name.startswith(("CJK", "HIRAGANA", "KATAKANA", "THAI", "LAO", "KHMER", "MYANMAR", "TIBETAN"))
