"""One person's work on a file: what is asked, what is decided, what follows from it, and the way back."""

from __future__ import annotations

import secrets
import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property, wraps
from typing import Any, Concatenate, ParamSpec, TypeVar

import numpy as np
import numpy.typing as npt

from headwise.base.errors import HeadwiseError
from headwise.components.parser.constraints import ConstraintError
from headwise.components.parser.parse import Parse
from headwise.treebank import Sentence
from headwise.web.annotate.annotated_file import AnnotatedFile, same_words
from headwise.web.annotate.marks import OPEN, Decision, decisions_of, with_decisions
from headwise.web.annotate.suggestions import Alternative, Suggester, doubts_of

Parameters = ParamSpec("Parameters")
Result = TypeVar("Result")


class StaleError(HeadwiseError):
    """A change to a sentence that has changed since it was looked at."""


@dataclass(frozen=True)
class Place:
    """A word of the file."""

    sentence: int
    """From 0."""
    word: int
    """From 1."""
    doubt: float
    """The probability that it is wrong as it stands."""


@dataclass(frozen=True)
class Progress:
    sentences: int
    finished: int
    """Sentences in which every word is decided."""
    words: int
    decided: int
    expected_right: float
    """The share of the words that are right, as far as the parser can tell."""


@dataclass(frozen=True)
class Entry:
    """A sentence with what is decided of it and what follows."""

    sentence: Sentence
    decisions: tuple[Decision, ...]
    parse: Parse
    revision: int = 0

    @cached_property
    def doubts(self) -> npt.NDArray[np.float64]:
        return doubts_of(self.parse, self.decisions)

    @cached_property
    def most_doubt(self) -> float:
        return float(self.doubts.max(initial=0.0))

    @cached_property
    def expected_wrong(self) -> float:
        """How many words are wrong, as far as the parser can tell."""
        return float(self.doubts.sum())

    @cached_property
    def decided(self) -> int:
        """Words whose head and label are decided."""
        return sum(decision.is_whole for decision in self.decisions)

    @property
    def is_finished(self) -> bool:
        return self.decided == len(self.decisions)

    @cached_property
    def saved(self) -> Sentence:
        """As it is in the file."""
        return with_decisions(self.sentence, self.decisions, self.parse.heads.tolist(), self.parse.labels)


@dataclass(frozen=True)
class _Step:
    """A change that can be taken back."""

    sentence: int
    before: tuple[Decision, ...]
    after: tuple[Decision, ...]


def _one_at_a_time(
    method: Callable[Concatenate[Session, Parameters], Result],
) -> Callable[Concatenate[Session, Parameters], Result]:
    @wraps(method)
    def guarded(session: Session, /, *args: Parameters.args, **kwargs: Parameters.kwargs) -> Result:
        with session._lock:
            return method(session, *args, **kwargs)

    return guarded


class Session:
    """Words are asked in the order of doubt; every change is saved before it is answered.

    All methods may be called from several threads.
    """

    def __init__(
        self,
        file: AnnotatedFile,
        suggester: Suggester,
        sentences: Sequence[Sentence],
        decisions: Sequence[Sequence[Decision]],
        *,
        threads: int = 1,
    ) -> None:
        self.file, self._suggester, self._threads = file, suggester, threads
        self._lock = threading.RLock()
        self._past: list[_Step] = []
        self._future: list[_Step] = []
        self._take(sentences, decisions)
        self._save()

    def _take(self, sentences: Sequence[Sentence], decisions: Sequence[Sequence[Decision]]) -> None:
        tasks = [(sentence, tuple(own)) for sentence, own in zip(sentences, decisions, strict=True)]
        parses = self._suggester.suggest(tasks, threads=self._threads)
        self._entries = [Entry(*task, parse) for task, parse in zip(tasks, parses, strict=True)]
        self._token = secrets.token_hex(4)
        self._changes = 0

    def _save(self) -> None:
        self.file.save([entry.saved for entry in self._entries])

    def __len__(self) -> int:
        return len(self._entries)

    @property
    def labels(self) -> list[str]:
        """The labels of the model, and those that were given by hand."""
        own = {d.label for entry in self._entries for d in entry.decisions if d.label is not None}
        known = self._suggester.labels
        return [*known, *sorted(own.difference(known))]

    @_one_at_a_time
    def entry(self, sentence: int) -> Entry:
        if not 0 <= sentence < len(self._entries):
            raise HeadwiseError(f"there is no sentence {sentence + 1}; the file has {len(self._entries)}.")
        return self._entries[sentence]

    def version(self, sentence: int) -> str:
        """What tells this state of a sentence from all others; a change must name the one it is for."""
        return f"{self._token}.{sentence}.{self.entry(sentence).revision}"

    @_one_at_a_time
    def progress(self) -> Progress:
        words = sum(len(entry.decisions) for entry in self._entries)
        wrong = sum(entry.expected_wrong for entry in self._entries)
        return Progress(
            sentences=len(self._entries),
            finished=sum(entry.is_finished for entry in self._entries),
            words=words,
            decided=sum(entry.decided for entry in self._entries),
            expected_right=1.0 - wrong / words if words else 1.0,
        )

    @_one_at_a_time
    def order(self) -> list[int]:
        """The sentences, those with the most doubtful word first and finished ones last."""

        def place(i: int) -> tuple[bool, float, int]:
            return self._entries[i].is_finished, -self._entries[i].most_doubt, i

        return sorted(range(len(self._entries)), key=place)

    @_one_at_a_time
    def most_doubtful(self) -> Place | None:
        """The word of all sentences to ask about next; None where everything is decided."""
        first = self.order()[0]
        doubts = self._entries[first].doubts
        if self._entries[first].is_finished:
            return None
        open_words = [m for m, d in enumerate(self._entries[first].decisions, 1) if not d.is_whole]
        word = max(open_words, key=lambda m: (doubts[m - 1], -m))
        return Place(first, word, float(doubts[word - 1]))

    def alternatives(self, sentence: int, word: int) -> tuple[list[Alternative], list[tuple[str, float]]]:
        """Heads that a word may have, and labels that it may have where it hangs now."""
        entry = self.entry(sentence)
        _check_word(entry, word)
        heads = self._suggester.alternatives(entry.sentence, entry.decisions, word, entry.parse)
        return heads, self._suggester.labels_of(entry.parse, word)

    def decide(
        self,
        sentence: int,
        word: int,
        *,
        head: int | None = None,
        label: str | None = None,
        version: str | None = None,
    ) -> Entry:
        """Decide a word's head, its label or both; what is not named stays as decided or open as it was.

        A label that was decided for another head stays. Raises ``ConstraintError`` where no tree has all that
        would be decided.
        """
        entry = self.entry(sentence)
        _check_word(entry, word)
        _check_head(entry, word, head)
        _check_label(label)
        old = entry.decisions[word - 1]
        new = Decision(old.head if head is None else head, old.label if label is None else label)
        return self._change(sentence, {word: new}, version)

    def accept(self, sentence: int, words: Sequence[int] | None = None, version: str | None = None) -> Entry:
        """Decide words as they stand; by default all of the sentence."""
        entry = self.entry(sentence)
        chosen = range(1, len(entry.decisions) + 1) if words is None else words
        for word in chosen:
            _check_word(entry, word)
        return self._change(sentence, {word: _as_it_stands(entry.parse, word) for word in chosen}, version)

    def reopen(self, sentence: int, words: Sequence[int], version: str | None = None) -> Entry:
        """Leave words to the parser again."""
        entry = self.entry(sentence)
        for word in words:
            _check_word(entry, word)
        return self._change(sentence, dict.fromkeys(words, OPEN), version)

    @_one_at_a_time
    def _change(self, sentence: int, changed: dict[int, Decision], version: str | None) -> Entry:
        entry = self._entries[sentence]
        if version is not None and version != self.version(sentence):
            raise StaleError("The sentence was changed in another window. Here it is as it is now.")
        before = entry.decisions
        after = tuple(changed.get(word, decision) for word, decision in enumerate(before, 1))
        if after == before:
            return entry
        result = self._put(sentence, after)
        self._past.append(_Step(sentence, before, after))
        self._future.clear()
        return result

    def _put(self, sentence: int, decisions: tuple[Decision, ...]) -> Entry:
        """Parse around the decisions, save, and only then make them this session's."""
        old = self._entries[sentence]
        try:
            parse = self._suggester.suggest([(old.sentence, decisions)])[0]
        except ConstraintError as error:  # who decides sees the sentence, and need not be told which it is
            reason = str(error).removeprefix(f"{old.sentence.source}: ")
            raise ConstraintError(reason[:1].upper() + reason[1:]) from error
        entry = Entry(old.sentence, decisions, parse, old.revision + 1)
        self._entries[sentence] = entry
        try:
            self._save()
        except BaseException:
            self._entries[sentence] = old
            raise
        self._changes += 1
        return entry

    @property
    def can_undo(self) -> bool:
        return bool(self._past)

    @property
    def can_redo(self) -> bool:
        return bool(self._future)

    @property
    def history(self) -> str:
        """What tells the changes made so far from all others; undo and redo must name those they are for."""
        return f"{self._token}.{self._changes}"

    @_one_at_a_time
    def undo(self, history: str | None = None) -> int:
        """Take the last change back; returns the sentence that it was in."""
        self._check_history(history)
        if not self._past:
            raise HeadwiseError("There is nothing to undo.")
        step = self._past[-1]
        self._put(step.sentence, step.before)
        self._future.append(self._past.pop())
        return step.sentence

    @_one_at_a_time
    def redo(self, history: str | None = None) -> int:
        self._check_history(history)
        if not self._future:
            raise HeadwiseError("There is nothing to redo.")
        step = self._future[-1]
        self._put(step.sentence, step.after)
        self._past.append(self._future.pop())
        return step.sentence

    def _check_history(self, history: str | None) -> None:
        if history is not None and history != self.history:
            raise StaleError(
                "Something was changed in another window. Here is how it stands now; ask again to take back, "
                "or do again, what was changed last."
            )

    @_one_at_a_time
    def reload(self) -> None:
        """Read the file again, after another program has changed it."""
        sentences = self.file.load()
        if not same_words(sentences, (entry.sentence for entry in self._entries)):
            raise HeadwiseError(
                f"{self.file.path} has other words now. Stop the session, and start it again on that file."
            )
        self._take(sentences, [decisions_of(sentence) for sentence in sentences])
        self._past.clear()
        self._future.clear()
        self._save()


def _as_it_stands(parse: Parse, word: int) -> Decision:
    return Decision(int(parse.heads[word - 1]), parse.labels[word - 1])


def _is_whole_number(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


def _check_word(entry: Entry, word: int) -> None:
    if not _is_whole_number(word) or not 1 <= word <= len(entry.decisions):
        raise HeadwiseError(f"there is no word {word}; the sentence has {len(entry.decisions)}.")


def _check_head(entry: Entry, word: int, head: int | None) -> None:
    if head is None:
        return
    if not _is_whole_number(head) or not 0 <= head <= len(entry.decisions):
        raise HeadwiseError(f"there is no word {head} to hang from; the sentence has {len(entry.decisions)}.")
    if head == word:
        raise HeadwiseError(f"{entry.sentence.forms[word - 1]} cannot hang from itself.")


def _check_label(label: str | None) -> None:
    if label is None:
        return
    if not label or label == "_" or any(c.isspace() or not c.isprintable() for c in label):
        raise HeadwiseError("A label is a word without spaces, such as nsubj or obl:agent.")
