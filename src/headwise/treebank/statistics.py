"""What a treebank holds, counted in one pass."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field

from headwise._native.treebank import Sentence
from headwise.treebank.checks import check_tree
from headwise.treebank.projectivity import nonprojective_arcs

_COLUMNS = ("lemmas", "upos", "xpos", "feats", "labels", "deps", "misc")


@dataclass
class Statistics:
    """Counts over sentences; percentages are derived from them.

    Shares of arcs and trees are over the sentences whose heads make a tree (`trees`), since a sentence with
    a cycle or without heads has neither.
    """

    sentences: int = 0
    words: int = 0
    tokens: int = 0
    """Surface tokens: a multiword token counts once, its words do not, empty nodes never."""
    multiword_tokens: int = 0
    empty_nodes: int = 0
    longest: int = 0
    longest_source: str = ""
    trees: int = 0
    arcs: int = 0
    nonprojective_arcs: int = 0
    nonprojective_trees: int = 0
    multi_root_trees: int = 0
    unannotated: int = 0
    """Sentences in which no word has a head."""
    labels: Counter[str] = field(default_factory=Counter)
    filled: Counter[str] = field(default_factory=Counter)
    """For each column, the words that have something else than "_" in it."""
    problems: Counter[str] = field(default_factory=Counter)
    """Sentences whose heads are no tree, by what is wrong with them."""
    first_problems: dict[str, str] = field(default_factory=dict)
    """For each kind of problem, where it was met first, and what it is."""

    def add(self, sentence: Sentence) -> None:
        n = len(sentence)
        self.sentences += 1
        self.words += n
        if n > self.longest:
            self.longest, self.longest_source = n, sentence.source
        self._add_tokens(sentence)
        self._add_columns(sentence)
        self._add_tree(sentence)

    def _add_tokens(self, sentence: Sentence) -> None:
        multiword = [token.words for token in sentence.tokens if token.is_multiword]
        self.multiword_tokens += len(multiword)
        self.empty_nodes += sum(token.is_empty for token in sentence.tokens)
        self.tokens += len(sentence) - sum(last - first for first, last in multiword)

    def _add_columns(self, sentence: Sentence) -> None:
        for name in _COLUMNS:
            column: list[str] = getattr(sentence, name)
            self.filled[name] += len(column) - column.count("_")
            if name == "labels":
                self.labels.update(label for label in column if label != "_")

    def _add_tree(self, sentence: Sentence) -> None:
        heads = sentence.heads
        self.filled["heads"] += int((heads >= 0).sum())
        if (heads == -1).all():
            self.unannotated += 1
            return
        problems = check_tree(heads, single_root=False)
        self.problems.update({problem.kind for problem in problems})
        for problem in problems:
            line = sentence.line_of(problem.word) if problem.word else sentence.line
            self.first_problems.setdefault(problem.kind, f"{sentence.file}:{line}: {problem}")
        if problems:
            return
        crossing = len(nonprojective_arcs(heads))
        self.trees += 1
        self.arcs += len(sentence)
        self.nonprojective_arcs += crossing
        self.nonprojective_trees += crossing > 0
        self.multi_root_trees += int((heads == 0).sum()) > 1


def statistics(sentences: Iterable[Sentence]) -> Statistics:
    """Count what is in these sentences, which may be a reader of a file of any size."""
    counts = Statistics()
    for sentence in sentences:
        counts.add(sentence)
    return counts
