"""Matches on their way out: marked sentences, drawings, a table."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import groupby

from headwise.display import Drawing, draw
from headwise.patterns.matches import Match
from headwise.treebank import Sentence, convert
from headwise.treebank.probabilities import with_items

MARK = "Match"
"""The key of MISC under which words say which nodes they are: ``V``, or ``2:V`` in the second match."""


@dataclass(frozen=True)
class Found:
    """A sentence and all its matches."""

    sentence: Sentence
    matches: tuple[Match, ...]

    def marks(self) -> dict[int, str]:
        """What each word is called: ``V``; with the number of the match where there are several: ``2:V``."""
        several = len(self.matches) > 1
        names: dict[int, list[str]] = {}
        for number, match in enumerate(self.matches, 1):
            for node, word in match.words.items():
                if word:
                    names.setdefault(word, []).append(f"{number}:{node}" if several else node)
        return {word: ",".join(own) for word, own in names.items()}

    def marked(self) -> Sentence:
        """The sentence in CoNLL-U, with the marks in MISC, and a comment for each match."""
        sentence = convert(self.sentence, "conllu")
        marks = self.marks()
        misc = [
            with_items(field, [f"{MARK}={marks[word]}"]) if word in marks else field
            for word, field in enumerate(sentence.misc, 1)
        ]
        comments = [f"# match = {match}" for match in self.matches]
        return sentence.with_tree(sentence.heads, misc=misc).with_added_comments(comments)

    def drawing(self) -> Drawing:
        """The tree with its marked words."""
        drawn, marks = draw(self.sentence), self.marks()
        words = tuple(replace(word, mark=marks.get(m, "")) for m, word in enumerate(drawn.words, 1))
        return replace(drawn, words=words)


def by_sentence(matches: Iterable[Match]) -> Iterator[Found]:
    """Matches that follow one another in one sentence, together."""
    for _, own in groupby(matches, key=lambda match: id(match.sentence)):
        together = tuple(own)
        yield Found(together[0].sentence, together)


def table_heading(nodes: Sequence[str]) -> str:
    """The first line of a table: where a match is, the words that its nodes are, the sentence."""
    columns = [column for node in nodes for column in (f"{node}.id", node)]
    return "\t".join(["sent_id", *columns, "probability", "text"])


def table_row(match: Match) -> str:
    """A match as a line of a table."""
    sentence = match.sentence
    words = [field for node, number in match.words.items() for field in (str(number), match[node])]
    sure = "" if match.probability is None else f"{match.probability:.4f}"
    text = sentence.text or " ".join(sentence.forms)
    place = sentence.sent_id or str(sentence.source)
    return "\t".join(_in_a_cell(field) for field in [place, *words, sure, text])


def _in_a_cell(field: str) -> str:
    return field.replace("\t", " ")
