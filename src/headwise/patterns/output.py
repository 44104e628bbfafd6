"""Matches on their way out: marked sentences, drawings, a table."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass, replace
from itertools import groupby

from headwise.display import Drawing, draw
from headwise.patterns.matches import Match
from headwise.patterns.pattern import Pattern
from headwise.pipeline.formats.registry import format_by_name
from headwise.treebank import Sentence, convert
from headwise.treebank.files import Writable, opened_for_writing
from headwise.treebank.probabilities import with_items
from headwise.treebank.writing import writer

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


Write = Callable[[Found], None]


@contextmanager
def _trees(file: Writable, _: Pattern) -> Iterator[Write]:
    with format_by_name("tree").opened(file) as opened:
        yield lambda found: opened.write_row([found.drawing()])


@contextmanager
def _marked(file: Writable, _: Pattern) -> Iterator[Write]:
    with writer(file) as opened:
        yield lambda found: opened.write(found.marked())


@contextmanager
def _table(file: Writable, pattern: Pattern) -> Iterator[Write]:
    columns = [column for node in pattern.nodes for column in (f"{node}.id", node)]
    with opened_for_writing(file) as opened:

        def write_row(fields: Iterable[str]) -> None:
            opened.write("\t".join(field.replace("\t", " ") for field in fields).encode() + b"\n")

        def write(found: Found) -> None:
            for match in found.matches:
                write_row(_row(match))

        write_row(["sent_id", *columns, "probability", "text"])
        yield write


@contextmanager
def _count(file: Writable, _: Pattern) -> Iterator[Write]:
    counted = 0

    def write(found: Found) -> None:
        nonlocal counted
        counted += len(found.matches)

    yield write
    with opened_for_writing(file) as opened:
        opened.write(f"{counted}\n".encode())


WRITERS: Mapping[str, Callable[[Writable, Pattern], AbstractContextManager[Write]]] = {
    "tree": _trees,
    "conllu": _marked,
    "table": _table,
    "count": _count,
}
"""The shapes that matches are written in: each opens an output for the sentences that were found."""


def _row(match: Match) -> list[str]:
    sentence = match.sentence
    words = [field for node, number in match.words.items() for field in (str(number), match[node])]
    sure = "" if match.probability is None else f"{match.probability:.4f}"
    text = sentence.text or " ".join(sentence.forms)
    return [sentence.sent_id or str(sentence.source), *words, sure, text]
