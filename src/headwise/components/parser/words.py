"""The words of a parse, one by one: what each is, what it hangs from and what hangs from it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, overload

if TYPE_CHECKING:
    from headwise.components.parser.parse import Parse


@dataclass(frozen=True)
class Word:
    """A word of a parsed sentence. Two are equal when they are the same word of the same parse."""

    parse: Parse
    id: int
    """Its number in the sentence, from 1, as in CoNLL-U."""

    @property
    def form(self) -> str:
        return self.parse.sentence.forms[self.id - 1]

    @property
    def text(self) -> str:
        """Its form, as spaCy calls it."""
        return self.form

    @property
    def lemma(self) -> str:
        return self.parse.sentence.lemmas[self.id - 1]

    @property
    def upos(self) -> str:
        return self.parse.sentence.upos[self.id - 1]

    @property
    def xpos(self) -> str:
        return self.parse.sentence.xpos[self.id - 1]

    @property
    def feats(self) -> dict[str, str]:
        """Its morphological features, by name."""
        feats = self.parse.sentence.feats[self.id - 1]
        pairs = (feat.partition("=") for feat in feats.split("|") if feat != "_")
        return {name: value for name, _, value in pairs}

    @property
    def label(self) -> str:
        """Of the arc from its head."""
        return self.parse.labels[self.id - 1]

    @property
    def head(self) -> Word | None:
        """The word that it hangs from; None for one that hangs from the root."""
        head = int(self.parse.heads[self.id - 1])
        return None if head == 0 else Word(self.parse, head)

    @property
    def is_root(self) -> bool:
        return int(self.parse.heads[self.id - 1]) == 0

    @property
    def probability(self) -> float | None:
        """Of its head; None where probabilities were not asked for (``confidence=True``)."""
        return None if self.parse.confidence is None else float(self.parse.confidence[self.id - 1])

    @property
    def label_probability(self) -> float | None:
        """Of its label if its head is right."""
        probabilities = self.parse.label_confidence
        return None if probabilities is None else float(probabilities[self.id - 1])

    @property
    def tag_probability(self) -> float | None:
        """Of its part of speech; None where the tags are not a pipeline's, or were not asked for."""
        probabilities = self.parse.tag_confidence
        return None if probabilities is None else float(probabilities[self.id - 1])

    @property
    def children(self) -> list[Word]:
        """The words that hang from it, in the order of the sentence."""
        return [Word(self.parse, m) for m, h in enumerate(self.parse.heads.tolist(), 1) if h == self.id]

    @property
    def lefts(self) -> list[Word]:
        return [child for child in self.children if child.id < self.id]

    @property
    def rights(self) -> list[Word]:
        return [child for child in self.children if child.id > self.id]

    @property
    def subtree(self) -> list[Word]:
        """The word and all that hangs below it, in the order of the sentence."""
        below = {self.id}
        waiting = [self]
        while waiting:
            children = waiting.pop().children
            below.update(child.id for child in children)
            waiting += children
        return [Word(self.parse, word) for word in sorted(below)]

    @property
    def ancestors(self) -> list[Word]:
        """Its head, that one's head and so on, up to the root."""
        found, word = [], self.head
        while word is not None:
            found.append(word)
            word = word.head
        return found

    @property
    def start(self) -> int | None:
        """Where it begins in the text of its document, in characters; None where there is none."""
        return None if self.parse.offsets is None else self.parse.offsets[self.id - 1][0]

    @property
    def end(self) -> int | None:
        return None if self.parse.offsets is None else self.parse.offsets[self.id - 1][1]

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Word) and self.parse is other.parse and self.id == other.id

    def __hash__(self) -> int:
        return hash((id(self.parse), self.id))

    def __str__(self) -> str:
        return self.form

    def __repr__(self) -> str:
        return f"<Word {self.id} {self.form!r}>"


class Span(Sequence[Word]):
    """Words of a sentence that stand together."""

    def __init__(self, words: Sequence[Word]) -> None:
        self._words = list(words)

    @overload
    def __getitem__(self, index: int) -> Word: ...
    @overload
    def __getitem__(self, index: slice) -> Span: ...
    def __getitem__(self, index: int | slice) -> Word | Span:
        return Span(self._words[index]) if isinstance(index, slice) else self._words[index]

    def __len__(self) -> int:
        return len(self._words)

    def __iter__(self) -> Iterator[Word]:
        return iter(self._words)

    @property
    def text(self) -> str:
        """As it is written; without a text, its words with spaces between them."""
        if not self._words:
            return ""
        parse, start, end = self._words[0].parse, self._words[0].start, self._words[-1].end
        if parse.document_text is None or start is None or end is None:
            return " ".join(word.form for word in self._words)
        return parse.document_text[start:end]

    @property
    def start(self) -> int | None:
        """Where it begins in the text of its document, in characters; None where there is none."""
        return self._words[0].start

    @property
    def end(self) -> int | None:
        return self._words[-1].end

    def __str__(self) -> str:
        return self.text

    @property
    def root(self) -> Word:
        """The first of its words whose head is not among them."""
        inside = {word.id for word in self._words}
        return next(w for w in self._words if w.head is None or w.head.id not in inside)

    def __repr__(self) -> str:
        return f"<Span {self.text!r}>"
