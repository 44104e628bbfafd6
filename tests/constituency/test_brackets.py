"""Brackets: read without loss, written, and refused by line."""

from __future__ import annotations

import io
import lzma
import random
from pathlib import Path

import pytest

from headwise.base.errors import TreebankError
from headwise.constituency import Tree, TreeError, parse_brackets, read_brackets, write_brackets
from headwise.constituency.brackets import looks_like_brackets
from headwise.constituency.dependencies import to_dependencies
from headwise.constituency.head_rules import HeadRules

ODD = (
    " ((S\n   (NP-SBJ-1 (PRP She))\n\t(VP (VBZ reads) (NP (-NONE- *T*-1)))))  (X y)(Z w)\r\n"
    "\n( (IP-MAT=1 (NP-SBJ *con*) (N-A höfuð$)))\n   \n"
)


def test_what_was_read_is_written_byte_for_byte(tmp_path: Path) -> None:
    path = tmp_path / "odd.ptb"
    path.write_bytes(ODD.encode())
    reader = read_brackets(path)
    again = tmp_path / "again.ptb"
    write_brackets(reader, again)
    assert again.read_bytes() == path.read_bytes()


def test_function_tags_traces_and_several_trees_a_line() -> None:
    first, second, third, fourth = parse_brackets(ODD)
    assert first.label == ""
    assert first[0][0].label == "NP-SBJ-1"
    assert first.words == ["She", "reads", "*T*-1"]
    assert (second.label, second.word) == ("X", "y")
    assert (third.label, third.word) == ("Z", "w")
    assert fourth[0][0].word == "*con*"
    assert fourth.source is not None
    assert fourth.source.line == 5
    assert str(fourth) == "((IP-MAT=1 (NP-SBJ *con*) (N-A höfuð$)))"


def test_compressed_files(tmp_path: Path) -> None:
    path = tmp_path / "trees.ptb.xz"
    path.write_bytes(lzma.compress(b"(S (A b))"))
    assert [str(tree) for tree in read_brackets(path)] == ["(S (A b))"]


@pytest.mark.parametrize(
    ("text", "line", "problem"),
    [
        ("(S (A b)\n(C d)", 1, "not closed"),
        ("(S (A b))\n(S (A b)))\n", 2, "never opened"),
        ("(S (A b))\n\n(S ())\n", 3, "no words"),
        ("(S)", 1, "no words"),
        ("1\tShe\tshe\tPRON\t_\t_\t2\tnsubj\t_\t_\n", 1, "outside of brackets"),
        ("(" * 300 + "a b" + ")" * 300, 1, "deep"),
    ],
)
def test_errors_name_the_line_and_what_to_do(text: str, line: int, problem: str) -> None:
    with pytest.raises(TreebankError) as caught:
        parse_brackets(text)
    assert caught.value.line == line
    assert problem in caught.value.problem
    assert caught.value.remedy


def test_conllu_as_brackets_is_named() -> None:
    with pytest.raises(TreebankError, match="CoNLL-U"):
        parse_brackets("# sent_id = 1\n1\tShe\t_\t_\t_\t_\t0\troot\t_\t_\n")


@pytest.mark.parametrize(
    ("start", "expected"),
    [
        ("(S (A b))", True),
        ("\ufeff ( (S (A b) …", True),
        ("(ROOT\n  (S", True),
        ("(FRAG Yes)\n(S (A", True),
        ("(FRAG Yes)\n", True),
        ("(See above.) He left.", False),
        ("(a remark of several words) and more", False),
        ("1\tShe\tshe\t", False),
        ("# sent_id = 1", False),
        ("", False),
    ],
)
def test_how_bracket_files_begin(start: str, expected: bool) -> None:
    assert looks_like_brackets(start) == expected


def test_broken_trees_can_be_skipped() -> None:
    reader = read_brackets(io.StringIO("(A b)\n(S ())\n(C d)\n)\n(E f)"), on_error="skip")
    assert [tree.label for tree in reader] == ["A", "C", "E"]
    assert [error.line for error in reader.skipped] == [2, 4]


def test_words_beside_phrases_and_long_words() -> None:
    tree = Tree.parse("(NP (DT the) dog)")
    assert tree.words == ["the", "dog"]
    assert str(tree) == "(NP (DT the) dog)"
    long = "x" * 10_000
    assert Tree.parse(f"(S (A {long}))").words == [long]


def test_what_cannot_stand_in_brackets_is_escaped() -> None:
    assert str(Tree("-LRB-", word="(")) == "(-LRB- -LRB-)"
    assert str(Tree("X", word="a b")) == "(X a_b)"


def test_a_tree_shows_itself_as_what_makes_it() -> None:
    tree = Tree.parse("(S (NP (PRP She)) (VP (VBZ 'reads')))")
    assert repr(tree) == "Tree.parse(\"(S (NP (PRP She)) (VP (VBZ 'reads')))\")"
    assert eval(repr(tree)) == tree
    assert "<svg" in tree._repr_html_()


def test_nodes_are_words_or_have_children() -> None:
    with pytest.raises(TreeError, match="neither"):
        Tree("S")
    with pytest.raises(TreeError, match="both"):
        Tree("S", (Tree("A", word="b"),), word="c")
    with pytest.raises(TreeError, match="2"):
        Tree.parse("(A b) (C d)")


def random_trees(count: int = 150, seed: int = 1) -> list[Tree]:
    """Trees of all shapes: words alone, chains, wide and deep phrases."""
    chance = random.Random(seed)

    def grow(depth: int) -> Tree:
        label = chance.choice(["S", "NP", "NP-SBJ", "VP", "X=1", "."])
        if depth == 0 or chance.random() < 0.2:
            return Tree(label, word=chance.choice(["a", "b", "ö$", "*T*-1"]))
        return Tree(label, tuple(grow(depth - 1) for _ in range(chance.choice([1, 1, 2, 3, 4]))))

    return [grow(chance.randint(0, 5)) for _ in range(count)]


def test_written_trees_are_read_again() -> None:
    for tree in random_trees():
        assert Tree.parse(str(tree)) == tree
        assert Tree.parse(tree.pretty(20)) == tree


def test_spans_words_and_height() -> None:
    tree = Tree.parse("(S (NP (DT a) (NN b)) (VP (V c)))")
    assert [tuple(span) for span in tree.spans()] == [("S", 0, 3), ("NP", 0, 2), ("VP", 2, 3)]
    assert tree.height == 3
    assert tree.with_words(["x", "y", "z"]).words == ["x", "y", "z"]
    with pytest.raises(TreeError):
        tree.with_words(["x"])


def test_words_without_a_tag_are_converted() -> None:
    (tree,) = parse_brackets("(S (NP dog cat) (VP (V sees)))")
    sentence = to_dependencies(tree, HeadRules.parse(["S: left VP", "NP: left", "VP: left"], "rules"))
    assert sentence.forms == ["dog", "cat", "sees"]
    assert sentence.xpos == ["_", "_", "V"]
