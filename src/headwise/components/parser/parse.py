"""What a parser finds for a sentence."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, overload

import numpy as np
import numpy.typing as npt

from headwise.components.parser.words import Span, Word
from headwise.treebank import Sentence

if TYPE_CHECKING:
    import pandas  # type: ignore[import-untyped]

    from headwise.display.drawing import Alternatives, Drawing


@dataclass(frozen=True, eq=False, repr=False)
class Parse:
    """The tree found for one sentence."""

    sentence: Sentence
    heads: npt.NDArray[np.int32]
    """``heads[m - 1]`` is the head of word m; 0 is the root."""
    labels: list[str]
    """One label a word; ``_`` from an unlabelled parser."""
    score: float
    """The score of the tree under the model (without its labels, where they are found afterwards)."""
    exact: bool = True
    """Whether it is proved that no tree of the kind that is searched, made of the arcs considered, scores
    higher."""
    limited: bool = False
    """Whether a limit decided which arcs were considered: above first order, in sentences of over 300 words
    arcs are pruned word by word and not by their probability in a tree; sentences of over 1,000 words are
    parsed a stretch at a time."""
    gap: float = 0.0
    """How much higher another tree may score, where it is not proved that none does."""
    confidence: npt.NDArray[np.float64] | None = None
    """The probability of each arc, where it was asked for; an estimate where the parse is not ``exact``."""
    label_confidence: npt.NDArray[np.float64] | None = None
    """The probability of each label if the arc is right; the product of both is that of the labelled arc."""
    entropy: npt.NDArray[np.float64] | None = None
    """How uncertain the head of each word is, in nats."""
    log_prob: float | None = None
    """The log-probability of the tree (without labels) among all trees of the arcs considered."""
    rank: int | None = None
    """Which of the k best trees this is, from 1."""
    left_out: tuple[str, ...] = ()
    """What was wanted and could not be had of so long a sentence: ``probabilities`` or ``constraints``."""
    document_text: str | None = None
    """The text of the document that it is part of, where there is one, …"""
    offsets: Sequence[tuple[int, int]] | None = None
    """… and where each word begins and ends in it."""

    def __len__(self) -> int:
        return len(self.heads)

    def __iter__(self) -> Iterator[Word]:
        return (Word(self, word) for word in range(1, len(self) + 1))

    @overload
    def __getitem__(self, index: int) -> Word: ...
    @overload
    def __getitem__(self, index: slice) -> Span: ...
    def __getitem__(self, index: int | slice) -> Word | Span:
        """A word by its place from 0, or some that stand together."""
        if isinstance(index, int) and not -len(self) <= index < len(self):
            raise IndexError(f"there is no word {index}: the sentence has words 0 to {len(self) - 1}")
        words = range(1, len(self) + 1)[index]
        return Word(self, words) if isinstance(words, int) else Span([Word(self, word) for word in words])

    @property
    def tag_confidence(self) -> npt.NDArray[np.float64] | None:
        """The probability of each part of speech, where a pipeline has found it and noted it in MISC."""
        from headwise.treebank.probabilities import TAG, read_numbers

        return read_numbers(self.sentence, TAG)

    @property
    def text(self) -> str:
        """The sentence as it is written; without a text, its words with spaces between them."""
        return self[:].text

    @property
    def start(self) -> int | None:
        """Where it begins in the text of its document, in characters; None where there is none."""
        return self[0].start

    @property
    def end(self) -> int | None:
        return self[-1].end

    @property
    def words(self) -> list[Word]:
        return list(self)

    def __str__(self) -> str:
        return self.text

    def __repr__(self) -> str:
        text = self.text
        shown = text if len(text) <= 40 else text[:39] + "…"
        return f"<Parse {shown!r} ({len(self)} words)>"

    @property
    def root(self) -> Word:
        """The first word that hangs from the root."""
        return next(word for word in self if word.is_root)

    def to_sentence(self) -> Sentence:
        """The sentence with this tree in its HEAD and DEPREL columns, everything else as it was read."""
        return self.sentence.with_tree(self.heads, self.labels)

    def noted(self, *, certificate: bool = False) -> Parse:
        """The same; comments of its sentence say what it was too long for, and whether its tree is proved."""
        from headwise.components.parser.notes import noted

        return noted(self, certificate=certificate) if self.limited or self.left_out or certificate else self

    def to_annotated_sentence(self) -> Sentence:
        """… and with what is known of its probabilities in MISC and comments (docs/confidence.md)."""
        from headwise.treebank.probabilities import annotated_sentence

        return annotated_sentence(self)

    def to_dataframe(self) -> pandas.DataFrame:
        """A row for each word (`Document.to_dataframe`)."""
        from headwise.components.parser.dataframe import dataframe

        return dataframe([self])

    def to_conllu(self) -> str:
        return str(self.to_sentence().to_conllu())

    def to_json(self) -> dict[str, Any]:
        """The sentence with this tree as a JSON document, as docs/json.md describes it."""
        from headwise.treebank import sentence_to_json

        document = sentence_to_json(
            self.to_sentence(),
            confidence=self.confidence,
            label_confidence=self.label_confidence,
            head_entropy=self.entropy,
        )
        known = {"rank": self.rank, "log_prob": self.log_prob}
        return document | {key: value for key, value in known.items() if value is not None}

    def drawing(
        self,
        *,
        confidence: Sequence[float] | None = None,
        alternatives: Alternatives | None = None,
        caption: str | None = None,
    ) -> Drawing:
        """The tree as something to draw; the arguments are those of `headwise.display.draw`.

        Without an argument the arcs have the probabilities of the parse, where it has any.
        """
        from headwise.display import draw

        if confidence is None and self.confidence is not None:
            confidence = self.confidence.tolist()
        return draw(
            self.sentence,
            self.heads,
            self.labels,
            confidence=confidence,
            alternatives=alternatives,
            caption=caption,
        )

    def to_svg(self) -> str:
        """The tree as an SVG file."""
        from headwise.display import to_svg

        return to_svg(self.drawing())

    def to_displacy(self) -> dict[str, Any]:
        """The tree as a dictionary for spaCy's ``displacy.render(…, style="dep", manual=True)``."""
        from headwise.display import to_displacy

        return to_displacy(self.drawing())

    def _repr_html_(self) -> str:
        """The tree as a notebook shows it."""
        from headwise.display import to_notebook

        return to_notebook(self.drawing())
