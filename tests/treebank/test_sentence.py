import pickle

import numpy as np
import pytest

from headwise.treebank import Sentence, read


@pytest.fixture
def nasty(fixtures):
    return list(read(fixtures / "nasty.conllu"))


def test_columns(nasty):
    sentence = nasty[0]
    assert len(sentence) == 7
    assert sentence.forms == ["Do", "n't", "ask", "—", "кто", "там", "?"]
    assert sentence.lemmas[1] == "not"
    assert sentence.upos[:2] == ["AUX", "PART"]
    assert sentence.xpos[2] == "VB"
    assert sentence.feats[4] == "Case=Nom"
    assert sentence.labels[2] == "root"
    assert sentence.deps[6] == "3:parataxis"
    assert sentence.misc[1] == "a=b=c|=|x="
    assert sentence.heads.tolist() == [3, 3, 0, 7, 7, 7, 3]
    assert sentence.heads.dtype == np.int32


def test_spaces_inside_words(nasty):
    assert nasty[1].forms == ["10 000", "kr.", " lead", "trail "]


def test_heads_that_are_not_known(nasty):
    assert nasty[2].heads.tolist() == [-1, -1, 1]


def test_heads_are_read_only_and_outlive_the_sentence(fixtures):
    heads = next(read(fixtures / "nasty.conllu")).heads
    with pytest.raises(ValueError, match="read-only"):
        heads[0] = 5
    assert heads.tolist() == [3, 3, 0, 7, 7, 7, 3]


def test_comments(nasty):
    sentence = nasty[0]
    assert sentence.comments[0] == "# newdoc id = nasty"
    assert len(sentence.comments) == 8
    assert sentence.text == "Don't ask —  кто там?"  # the first of two
    assert sentence.sent_id == "first"
    assert sentence.comment("no space") == "at all"
    assert sentence.comment("note") is None
    assert nasty[4].text is None
    assert nasty[3].comments == ["# crossing arcs and two roots", "# a comment between words"]


def test_tokens_show_multiword_tokens_and_empty_nodes(nasty):
    tokens = nasty[0].tokens
    assert [t.id for t in tokens[:5]] == ["0.1", "1-2", "1", "1.1", "2"]
    assert [(t.is_empty, t.is_multiword, t.is_word) for t in tokens[:3]] == [
        (True, False, False),
        (False, True, False),
        (False, False, True),
    ]
    assert tokens[1].words == (1, 2)
    assert tokens[3].words == (1, 1)
    assert tokens[1].misc == "SpaceAfter=Yes|a=b=c"
    assert repr(tokens[1]) == '<Token 1-2 "Don\'t">'


def test_source_points_at_the_first_line_of_its_own(nasty, fixtures):
    lines = (fixtures / "nasty.conllu").read_text().split("\n")
    assert [lines[s.line - 1] for s in nasty[:3]] == [
        "# newdoc id = nasty",
        "# sent_id = spaces inside words",
        "# three empty lines before this one; no heads yet",
    ]
    assert nasty[0].source == f"{fixtures / 'nasty.conllu'}:5"


def test_repr_and_str(nasty):
    assert repr(nasty[4]) == f'<Sentence "One" (1 word, {nasty[4].source})>'
    assert str(nasty[4]).startswith("1\tOne\t")


def test_equality_and_pickling(nasty):
    for sentence in nasty:
        copy = pickle.loads(pickle.dumps(sentence))
        assert copy == sentence
        assert hash(copy) == hash(sentence)
        assert copy.source == sentence.source
        assert copy.to_bytes() == sentence.to_bytes()
    assert nasty[0] != nasty[1]
    assert nasty[0] != "a string"


def test_from_words():
    sentence = Sentence.from_words(
        ["Sie", "liest"],
        upos=["PRON", "VERB"],
        heads=[2, 0],
        labels=["nsubj", "root"],
        comments=["text = Sie liest"],
    )
    assert str(sentence).split("\n") == [
        "# text = Sie liest",
        "1\tSie\t_\tPRON\t_\t_\t2\tnsubj\t_\t_",
        "2\tliest\t_\tVERB\t_\t_\t0\troot\t_\t_",
        "",
        "",
    ]
    assert Sentence.from_words(["a"]).heads.tolist() == [-1]
    assert Sentence.from_words(["a", "b"], heads=np.array([2, 0])).heads.tolist() == [2, 0]


@pytest.mark.parametrize(
    ("arguments", "error", "message"),
    [
        ({"forms": []}, ValueError, "at least one word"),
        ({"forms": "abc"}, TypeError, "not one string"),
        ({"forms": ["a", 1]}, TypeError, "sequence of strings"),
        ({"forms": ["a\tb"]}, ValueError, "tab"),
        ({"forms": ["a", ""]}, ValueError, "of word 2 is empty"),
        ({"forms": ["a"], "labels": []}, ValueError, "labels has length 0"),
        ({"forms": ["a"], "labels": ["x", "y"]}, ValueError, "labels has length 2"),
        ({"forms": ["a"], "heads": [True]}, TypeError, "bool"),
        ({"forms": ["a"], "heads": [0.0]}, TypeError, "float"),
        ({"forms": ["a"], "heads": np.array([False])}, TypeError, "bool"),
        ({"forms": ["a"], "heads": [2]}, ValueError, "word 1 has head 2"),
        ({"forms": ["a"], "heads": [-2]}, ValueError, "word 1 has head -2"),
        ({"forms": ["a"], "heads": [1 << 70]}, ValueError, "too large"),
        ({"forms": ["a"], "comments": ["two\nlines"]}, ValueError, "one line"),
        ({"forms": ["\udcff"]}, UnicodeEncodeError, "surrogates"),
    ],
)
def test_from_words_refuses_what_no_file_can_hold(arguments, error, message):
    with pytest.raises(error, match=message):
        Sentence.from_words(**arguments)


def test_with_tree_names_the_sentence_it_refuses(nasty):
    with pytest.raises(ValueError, match=r"nasty.conllu:5: heads has length 1, but the sentence has 7 words"):
        nasty[0].with_tree([0])
    with pytest.raises(ValueError, match="the label of word 1 is empty"):
        nasty[4].with_tree([0], [""])


def test_with_tree_can_take_heads_away(nasty):
    bare = nasty[4].with_tree([-1], ["_"])
    assert bare.to_bytes() == b"1\tOne\t_\t_\t_\t_\t_\t_\t_\t_\n\n"


def test_with_comments(nasty):
    assert nasty[0].with_comments(nasty[0].comments) == nasty[0]
    added = nasty[0].with_added_comments(["exact = true", "#score=1"])
    assert added.comments == [*nasty[0].comments, "# exact = true", "#score=1"]
    assert added.comment("exact") == "true"
    assert added.with_comments(nasty[0].comments) == nasty[0]
    assert nasty[3].with_comments([]).comments == []


def test_with_comments_keeps_line_endings(fixtures):
    sentence = next(read(fixtures / "nasty-crlf.conllu")).with_added_comments(["x = y"])
    assert b"\n" not in sentence.to_bytes().replace(b"\r\n", b"")
