"""Trees under constraints are the best ones that satisfy them, for every decoder, by enumeration."""

from __future__ import annotations

from dataclasses import replace
from itertools import islice
from pathlib import Path

import numpy as np
import pytest
from test_decoders import random_parser

from command_runner import CliRunner
from headwise import HeadwiseError, Parser
from headwise.base.errors import SentenceTooLongError
from headwise.cli.app import app
from headwise.components.parser.constraints import ConstraintError, Constraints
from headwise.reference.enumeration import all_trees
from headwise.treebank import Sentence, read
from toy_language import SMALL, toy_treebank

KINDS = [
    ("arc", "projective"),
    ("arc", "nonprojective"),
    ("carreras", "projective"),
    ("model1", "projective"),
    ("model1", "nonprojective"),
]
DECODERS = {
    "nonprojective": ["map", "dual", "climb", "sample"],
    "projective": ["map", "dual", "minimum-risk"],
}


@pytest.fixture(scope="module", params=KINDS, ids="-".join)
def loose_parser(request: pytest.FixtureRequest) -> Parser:
    """Nothing is pruned and no arc is too long, so that all trees can be enumerated."""
    factorization, trees = request.param
    parser = random_parser(factorization, trees=trees, pruning={"threshold": 0.0, "heads": 99, "bits": 14})
    limits = [99] * len(parser.config.arc_limits)
    return Parser(replace(parser.config, arc_limits=limits), parser.weights)


def short_sentences(count: int) -> list[Sentence]:
    return list(islice((s for s in toy_treebank(500, seed=5) if len(s) == 5), count))


def random_constraints(sentence: Sentence, seed: int) -> Constraints:
    """Some heads of a random tree, and some forbidden arcs that it does not have."""
    rng = np.random.default_rng(seed)
    n = len(sentence)
    trees = all_trees(n, projective=True, single_root=True)
    tree = trees[rng.integers(len(trees))]
    heads = [h if rng.random() < 0.4 else -1 for h in tree]
    arcs = [(h, m) for m in range(1, n + 1) for h in range(n + 1) if h not in (m, tree[m - 1])]
    return Constraints(heads=heads, forbidden=[arc for arc in arcs if rng.random() < 0.2])


def satisfies(heads: tuple[int, ...], sentence: Sentence, constraints: Constraints) -> bool:
    allowed = constraints.allowed(sentence)
    return allowed is None or all(allowed[h, m] for m, h in enumerate(heads, 1))


def scored_trees(parser: Parser, sentence: Sentence) -> dict[tuple[int, ...], float]:
    kind = {"projective": parser.config.projective, "single_root": parser.config.single_root}
    if not parser.config.has_larger_parts:
        scores = parser.arc_scores(sentence)
        return {t: sum(scores[h, m] for m, h in enumerate(t, 1)) for t in all_trees(len(sentence), **kind)}
    problem = parser.crossing_trees(sentence)
    return {t: problem.score(t) for t in all_trees(len(sentence), **kind)}


def test_the_best_tree_that_satisfies_them(loose_parser: Parser) -> None:
    changed = 0
    for seed, sentence in enumerate(short_sentences(12)):
        constraints = random_constraints(sentence, seed)
        trees = scored_trees(loose_parser, sentence)
        left = {tree: score for tree, score in trees.items() if satisfies(tree, sentence, constraints)}
        best = max(left.values())
        for decoder in DECODERS["projective" if loose_parser.config.projective else "nonprojective"]:
            if decoder == "sample" and not loose_parser.config.has_larger_parts:
                continue
            if decoder == "climb" and not loose_parser.config.has_larger_parts:
                continue
            (parse,) = loose_parser.pipe([sentence], decoder=decoder, constraints=[constraints])
            heads = tuple(parse.heads.tolist())
            assert satisfies(heads, sentence, constraints)
            assert parse.score == pytest.approx(trees[heads], abs=1e-5)
            if decoder in ("map", "dual"):
                assert parse.score == pytest.approx(best, abs=1e-5)
        changed += best < max(trees.values()) - 1e-6
    assert changed > 0  # or the test could not fail


def test_probabilities_are_those_among_such_trees(loose_parser: Parser) -> None:
    if not loose_parser.has_exact_probabilities:
        pytest.skip("they are estimates")
    for seed, sentence in enumerate(short_sentences(4)):
        constraints = random_constraints(sentence, seed)
        trees = scored_trees(loose_parser, sentence)
        left = {tree: score for tree, score in trees.items() if satisfies(tree, sentence, constraints)}
        weights = np.exp(np.array(list(left.values())) - max(left.values()))
        marginals = np.zeros((len(sentence) + 1,) * 2)
        for tree, weight in zip(left, weights / weights.sum(), strict=True):
            for m, h in enumerate(tree, 1):
                marginals[h, m] += weight
        found = loose_parser.arc_probabilities(sentence, constraints)
        np.testing.assert_allclose(found[:, 1:], marginals[:, 1:], atol=1e-6)
        ranked = loose_parser.k_best(sentence, 3, constraints)
        assert [tuple(p.heads.tolist()) for p in ranked] == sorted(left, key=left.__getitem__, reverse=True)[
            :3
        ]
        (parse,) = loose_parser.pipe([sentence], constraints=[constraints], confidence=True)
        assert parse.confidence is not None
        expected = [marginals[h, m] for m, h in enumerate(parse.heads.tolist(), 1)]
        np.testing.assert_allclose(parse.confidence, expected, atol=1e-6)


def test_a_head_that_pruning_and_the_filter_would_drop(train_sentences: list[Sentence]) -> None:
    for preset in ("first", "second", "third"):
        parser = Parser.train(
            train_sentences,
            **{**SMALL, "preset": preset, "pruning": {"threshold": 0.5, "heads": 1, "bits": 12}},
        )
        sentence = toy_treebank(1, seed=9)[0]
        n = len(sentence)
        for head in range(1, n):  # the last word, a full stop, was never far from its head, nor a head itself
            (parse,) = parser.pipe([sentence], constraints=[Constraints(required=[(head, n)])])
            assert parse.heads[n - 1] == head


def test_what_is_annotated_stays(parser: Parser, test_sentences: list[Sentence]) -> None:
    for sentence in test_sentences[:10]:
        heads, labels = sentence.heads.tolist(), list(sentence.labels)
        heads[0], labels[0] = len(heads), "odd"  # a head that is wrong, and a label that nobody knows
        heads[2:], labels[2:] = [-1] * len(heads[2:]), ["_"] * len(labels[2:])
        half = Sentence.from_words(sentence.forms, upos=sentence.upos, heads=heads, labels=labels)
        (parse,) = parser.pipe([half], constraints=Constraints.of_annotation)
        assert parse.heads[:2].tolist() == heads[:2]
        assert parse.labels[:2] == labels[:2]
        assert "_" not in parse.labels


@pytest.mark.parametrize(
    ("constraints", "words"),
    [
        (Constraints(required=[(2, 1), (1, 2)]), ["word 1 ", "word 2 "]),
        (Constraints(required=[(0, 1), (0, 3)]), ["word 1 ", "word 3 "]),
        (Constraints(required=[(3, 1), (4, 2)]), ["word 1 ", "word 2 "]),
        (Constraints(forbidden=[(h, 2) for h in (0, 1, 3, 4, 5)]), ["word 2 "]),
    ],
)
def test_conflicts_name_sentence_and_words(constraints: Constraints, words: list[str]) -> None:
    parser = random_parser("arc", trees="projective", root="single")
    fine, sentence = short_sentences(2)
    with pytest.raises(ConstraintError) as raised:
        list(parser.pipe([fine, sentence], constraints=[None, constraints]))
    for word in words:
        assert word in str(raised.value)
    assert "word 5" not in str(raised.value)  # it has nothing to do with it
    assert str(sentence.source) in str(raised.value)


@pytest.mark.parametrize(
    "constraints",
    [
        Constraints(heads=[1, 2]),
        Constraints(heads=[1, -1, -1, -1, -1]),
        Constraints(required=[(9, 1)]),
        Constraints(forbidden=[(1, 0)]),
        Constraints(required=[(2, 1), (3, 1)]),
        Constraints(labels=["x"]),
    ],
)
def test_constraints_that_make_no_sense(parser: Parser, constraints: Constraints) -> None:
    with pytest.raises(ConstraintError):
        list(parser.pipe(short_sentences(1), constraints=[constraints]))


def test_long_sentences_take_none(parser: Parser) -> None:
    words = Sentence.from_words(["w"] * 1001, upos=["NOUN"] * 1001)
    wanted = [Constraints(required=[(0, 1)])]
    with pytest.raises(SentenceTooLongError, match="1000 at most"):
        list(parser.pipe([words], constraints=wanted, too_long="stop"))
    (parse,) = parser.pipe([words], constraints=wanted)
    assert parse.left_out == ("constraints",)
    assert parse.heads.tolist() == parser(words).heads.tolist()
    assert next(parser.pipe([words], constraints=[None])).left_out == ()


def test_the_command_fills_in_what_is_missing(parser: Parser, tmp_path: Path) -> None:
    parser.save(tmp_path / "model.hw")
    (tmp_path / "half.conllu").write_text(
        "1\tthe\t_\tDET\t_\t_\t3\todd\t_\t_\n2\tdog\t_\tNOUN\t_\t_\t_\t_\t_\t_\n"
        "3\tsees\t_\tVERB\t_\t_\t_\t_\t_\t_\n4\t.\t_\tPUNCT\t_\t_\t_\tpunct\t_\t_\n\n"
    )
    arguments = ["parse", str(tmp_path / "half.conllu"), "-m", str(tmp_path / "model.hw"), "--constrained"]
    result = CliRunner().invoke(app, [*arguments, "-o", str(tmp_path / "whole.conllu")])
    assert result.exit_code == 0, result.output
    (sentence,) = read(tmp_path / "whole.conllu")
    assert sentence.heads.tolist() == [3, 3, 0, 3]
    assert sentence.labels[0] == "odd"
    half = (tmp_path / "half.conllu").read_text().replace("_\t_\t_\t_\n3", "1\tx\t_\t_\n3")
    (tmp_path / "half.conllu").write_text(half.replace("\t3\todd", "\t2\todd"))
    result = CliRunner().invoke(app, arguments)
    assert isinstance(result.exception, HeadwiseError)
    assert "word 1 (the)" in str(result.exception)


def test_one_sentence_under_several_constraints(parser: Parser, test_sentences: list[Sentence]) -> None:
    """With probabilities a sentence is read once for all of its trees; constraints tell it apart."""
    sentence = next(s for s in test_sentences if len(s) >= 5)
    wanted = [None, *(Constraints(required=[(h, 2)]) for h in (0, 1, 3, 4)), None]
    for threads in (1, 3):
        together = list(
            parser.pipe([sentence] * len(wanted), constraints=wanted, confidence=True, threads=threads)
        )
        for own, parse in zip(wanted, together, strict=True):
            alone = next(parser.pipe([sentence], constraints=[own], confidence=True))
            assert parse.heads.tolist() == alone.heads.tolist()
            assert np.array_equal(parse.confidence, alone.confidence)
    assert len({int(parse.heads[1]) for parse in together}) >= 4
