"""The loop: ask what is doubtful, decide, parse around it, save, take back."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from headwise import HeadwiseError, Parser
from headwise.components.parser.constraints import ConstraintError
from headwise.reference.enumeration import all_trees
from headwise.training import TrainingSettings
from headwise.treebank import Sentence, read
from headwise.web.annotate import Decision, Session, StaleError, Suggester, decisions_of, only_annotated
from headwise.web.annotate.annotated_file import FileChangedError
from headwise.web.annotate.marks import constraints_of
from toy_language import SMALL, toy_treebank


def test_the_most_doubtful_word_first_until_all_is_right(session: Session, gold: list[Sentence]) -> None:
    asked: set[tuple[int, int]] = set()
    while (place := session.most_doubtful()) is not None:
        best = max(float(session.entry(i).doubts.max()) for i in range(len(session)))
        assert place.doubt == best
        assert (place.sentence, place.word) not in asked  # never twice
        asked.add((place.sentence, place.word))
        right = gold[place.sentence]
        head, label = int(right.heads[place.word - 1]), right.labels[place.word - 1]
        session.decide(place.sentence, place.word, head=head, label=label)
    assert len(asked) == sum(map(len, gold))
    saved = list(read(session.file.path))
    assert [s.heads.tolist() for s in saved] == [s.heads.tolist() for s in gold]
    assert [s.labels for s in saved] == [s.labels for s in gold]
    assert session.progress().finished == len(gold)
    assert session.progress().expected_right == 1.0


def test_everything_else_in_the_file_stays(session: Session, bare_file: Path) -> None:
    session.decide(0, 1, head=2)
    saved = list(read(bare_file))
    assert saved[0].comments == ["# sent_id = s1", "# note = kept"]
    assert decisions_of(saved[0])[0] == Decision(2, None)
    assert [s.upos for s in saved] == [session.entry(i).sentence.upos for i in range(len(session))]


def test_the_rest_is_the_best_tree_around_what_is_decided(toy_parser: Parser) -> None:
    """By enumeration of all trees that have what is decided."""
    sentence = next(s for s in toy_treebank(500, seed=5) if len(s) == 5)
    suggester, n = Suggester(toy_parser), len(sentence)
    trees = list(all_trees(n, single_root=True, projective=True))
    for head in (0, 2, 3, 4, 5):
        decisions = [Decision(head), *[Decision()] * (n - 1)]
        found = suggester.suggest([(sentence, decisions)])[0]
        scores = toy_parser.arc_scores(sentence, constraints_of(decisions))
        best = max(_score(scores, tree) for tree in trees if tree[0] == head)
        assert found.heads[0] == head
        assert _score(scores, found.heads.tolist()) == pytest.approx(best)


def _score(scores: np.ndarray, tree: Sequence[int]) -> float:
    return sum(float(scores[head, m]) for m, head in enumerate(tree, 1))


def test_arcs_may_cross_though_the_parser_has_none(toy_parser: Parser, session: Session) -> None:
    assert toy_parser.config.projective
    index = max(range(len(session)), key=lambda i: len(session.entry(i).decisions))
    session.decide(index, 1, head=3)
    entry = session.decide(index, 3, head=2)  # the arc over word 2 does not lead from above it
    assert entry.parse.heads[[0, 2]].tolist() == [3, 2]
    session.undo()
    entry = session.decide(index, 2, head=4)
    assert entry.parse.heads[:2].tolist() == [3, 4]
    assert decisions_of(list(read(session.file.path))[index])[:2] == [Decision(3), Decision(4)]


def test_a_cycle_is_refused_and_nothing_changes(session: Session, bare_file: Path) -> None:
    session.decide(0, 1, head=2)
    before = bare_file.read_bytes(), session.version(0)
    with pytest.raises(ConstraintError, match=r"word 1 .* hangs from word 2 .* word 2 .* hangs from word 1"):
        session.decide(0, 2, head=1)
    with pytest.raises(HeadwiseError, match="cannot hang from itself"):
        session.decide(0, 2, head=2)
    assert (bare_file.read_bytes(), session.version(0)) == before


@pytest.mark.parametrize(
    ("word", "how", "message"),
    [
        (0, {"head": 1}, "there is no word 0"),
        (99, {"head": 1}, "there is no word 99"),
        (1, {"head": 99}, "there is no word 99 to hang from"),
        (1, {"head": -1}, "there is no word -1 to hang from"),
        (1, {"label": "two words"}, "A label is a word without spaces"),
        (1, {"label": ""}, "A label is a word without spaces"),
        (1, {"label": "_"}, "A label is a word without spaces"),
        (1, {"label": "a\tb"}, "A label is a word without spaces"),
    ],
)
def test_what_cannot_be_decided(session: Session, word: int, how: dict, message: str) -> None:
    with pytest.raises(HeadwiseError, match=message):
        session.decide(0, word, **how)


def test_a_label_that_the_model_does_not_know(session: Session, bare_file: Path) -> None:
    session.decide(0, 1, label="new:label")
    assert next(iter(read(bare_file))).labels[0] == "new:label"
    assert "new:label" in session.labels


def test_undo_and_redo(session: Session, bare_file: Path) -> None:
    states = [bare_file.read_bytes()]
    session.accept(0, [1])
    states.append(bare_file.read_bytes())
    session.decide(1, 2, head=0)
    states.append(bare_file.read_bytes())
    session.accept(0)
    states.append(bare_file.read_bytes())
    assert [session.undo() for _ in range(3)] == [0, 1, 0]
    assert bare_file.read_bytes() == states[0]
    with pytest.raises(HeadwiseError, match="nothing to undo"):
        session.undo()
    for sentence, state in zip([0, 1, 0], states[1:], strict=True):
        assert session.redo() == sentence
        assert bare_file.read_bytes() == state
    session.undo()
    session.reopen(0, [1])
    assert not session.can_redo  # another way was taken


def test_two_windows_on_one_sentence(session: Session) -> None:
    version = session.version(0)
    session.accept(0, [1], version)
    with pytest.raises(StaleError):
        session.accept(0, [2], version)
    session.accept(0, [2], session.version(0))
    session.accept(1, [1], session.version(1))


def test_the_file_says_what_was_decided(
    session: Session, bare_file: Path, open_file: Callable[[Path], Session]
) -> None:
    session.decide(0, 1, head=2)
    session.accept(2)
    session.decide(1, 1, label="odd")
    decisions = [session.entry(i).decisions for i in range(len(session))]
    trees = [session.entry(i).parse.heads.tolist() for i in range(len(session))]
    session.file.close()
    again = open_file(bare_file)
    assert [again.entry(i).decisions for i in range(len(again))] == decisions
    assert [again.entry(i).parse.heads.tolist() for i in range(len(again))] == trees


def test_another_program_changes_the_file(session: Session, bare_file: Path) -> None:
    session.accept(0, [1])
    theirs = bare_file.read_bytes().replace(b"# note = kept", b"# note = theirs")
    bare_file.write_bytes(theirs)
    with pytest.raises(FileChangedError, match="was changed by another program"):
        session.accept(0, [2])
    assert bare_file.read_bytes() == theirs
    assert not session.entry(0).decisions[1].is_whole  # nothing is here that is not in the file
    session.reload()
    session.accept(0, [2])
    saved = next(iter(read(bare_file)))
    assert "# note = theirs" in saved.comments
    assert [d.is_whole for d in decisions_of(saved)[:2]] == [True, True]


def test_alternatives_are_probabilities_around_what_is_decided(session: Session, toy_parser: Parser) -> None:
    heads, labels = session.alternatives(0, 1)
    entry = session.entry(0)
    table = toy_parser.arc_probabilities(entry.sentence)
    assert [other.probability for other in heads] == sorted((o.probability for o in heads), reverse=True)
    for other in heads:
        assert other.probability == pytest.approx(float(table[other.head, 1]))
        changed = Suggester(toy_parser).suggest(
            [(entry.sentence, [Decision(other.head), *entry.decisions[1:]])]
        )[0]
        assert other.label == changed.labels[0]
        assert all(
            changed.heads[m - 1] != entry.parse.heads[m - 1]
            or changed.labels[m - 1] != entry.parse.labels[m - 1]
            for m in other.changes
        )
    assert len({other.label for other in heads}) > 1
    assert sum(probability for _, probability in labels) <= 1.0 + 1e-9
    assert labels[0][0] == entry.parse.labels[0]


def test_alternatives_are_possible(toy_parser: Parser, gold: list[Sentence]) -> None:
    """The background gives every arc some probability, also those that would close a cycle."""
    parser = toy_parser.with_calibration(replace(toy_parser.config.calibration, background=0.3))
    sentence, suggester = gold[0], Suggester(parser)
    decisions = [Decision(2), Decision(3), *[Decision()] * (len(sentence) - 2)]
    now = suggester.suggest([(sentence, decisions)])[0]
    heads = [other.head for other in suggester.alternatives(sentence, decisions, 3, now)]
    assert len(heads) >= 3
    assert not {1, 2} & set(heads)


def test_training_on_what_is_done(session: Session, gold: list[Sentence], bare_file: Path) -> None:
    for index, right in enumerate(gold):
        for m in range(1, len(right) + 1, 2):
            session.decide(index, m, head=int(right.heads[m - 1]), label=right.labels[m - 1])
    partial = [only_annotated(sentence) for sentence in read(bare_file)]
    assert 0.4 < np.mean(np.concatenate([s.heads for s in partial]) >= 0) < 0.7
    settings = TrainingSettings.preset("first", learner="log-linear", arc_bits=14, label_bits=14)
    parser = Parser.train(partial, settings=replace(settings, epochs=SMALL["epochs"], calibrate=False))
    learned = [parse.heads.tolist() for parse in parser.pipe(gold)]
    right = np.mean(np.concatenate(learned) == np.concatenate([s.heads for s in gold]))
    assert right > 0.8
