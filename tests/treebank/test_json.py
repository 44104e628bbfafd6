"""JSON: what a sentence holds, there and back."""

import gzip
import json

import pytest

from command_runner import CliRunner
from headwise.cli.app import app
from headwise.treebank import (
    JsonError,
    Sentence,
    read,
    read_json,
    sentence_from_json,
    sentence_to_json,
    write_json,
)

FILES = ["nasty.conllu", "nasty-crlf.conllu", "mixed-endings.conllu", "old.conll", "eight.conll"]


@pytest.fixture
def first(fixtures):
    return sentence_to_json(next(read(fixtures / "nasty.conllu")))


def test_the_schema(first):
    """What docs/json.md promises; a change here needs a new version."""
    assert list(first) == [
        "version",
        "format",
        "sent_id",
        "text",
        "comments",
        "words",
        "multiword_tokens",
        "empty_nodes",
    ]
    assert (first["version"], first["format"], first["sent_id"]) == (1, "conllu", "first")
    assert first["text"] == "Don't ask —  кто там?"
    assert "# note" in first["comments"]
    assert first["words"][1] == {
        "id": 2,
        "form": "n't",
        "lemma": "not",
        "upos": "PART",
        "xpos": "RB",
        "feats": "Polarity=Neg",
        "head": 3,
        "deprel": "advmod",
        "deps": "3:advmod",
        "misc": "a=b=c|=|x=",
    }
    (token,) = first["multiword_tokens"]
    assert (token["first"], token["last"], token["form"]) == (1, 2, "Don't")
    assert [node["id"] for node in first["empty_nodes"]] == ["0.1", "1.1", "7.1", "7.2"]


def test_what_is_not_there_is_null():
    word = sentence_to_json(Sentence.from_words(["_"]))["words"][0]
    assert word.pop("id") == 1
    assert word.pop("form") == "_"
    assert set(word.values()) == {None}


def test_conllx_has_its_own_columns(fixtures):
    word = sentence_to_json(next(read(fixtures / "old.conll")))["words"][0]
    assert {"phead", "pdeprel"} <= set(word)
    assert not {"deps", "misc"} & set(word)


def test_confidence_is_a_number_of_each_word():
    sentence = Sentence.from_words(["a", "b"], heads=[0, 1])
    document = sentence_to_json(sentence, confidence=[0.5, 1])
    assert [word["confidence"] for word in document["words"]] == [0.5, 1.0]
    assert sentence_from_json(document) == sentence
    with pytest.raises(ValueError, match="each of the 2 words"):
        sentence_to_json(sentence, confidence=[0.5])


@pytest.mark.parametrize("name", FILES)
def test_sentences_come_back(fixtures, tmp_path, name):
    sentences = list(read(fixtures / name))
    write_json(sentences, tmp_path / "sentences.jsonl.gz")
    lines = gzip.decompress((tmp_path / "sentences.jsonl.gz").read_bytes()).splitlines()
    assert len(lines) == len(sentences)
    again = list(read_json(tmp_path / "sentences.jsonl.gz"))
    assert [sentence_to_json(s) for s in again] == [sentence_to_json(s) for s in sentences]
    # Only the layout is gone: every line of columns is there, in its place.
    for old, new in zip(sentences, again, strict=True):
        assert [_columns(token) for token in new.tokens] == [_columns(token) for token in old.tokens]


def _columns(token):
    head = token.head if token.head == "_" else str(int(token.head))  # 007 is 7
    return (
        token.id,
        token.form,
        token.lemma,
        token.upos,
        token.xpos,
        token.feats,
        head,
        token.deprel,
        token.misc,
    )


@pytest.mark.parametrize(
    ("change", "problem"),
    [
        ({"version": 2}, "should have version 1, not 2"),
        ({"version": None}, "should have version 1, not None"),
        ({"words": []}, "the sentence has no words"),
        ({"words": [{"id": 1, "form": "a\tb"}]}, "a tab or line break in 'a\\tb'"),
        ({"words": [{"id": 1, "form": "\ud800"}]}, "half of a character that takes two in JSON: \\ud800"),
        ({"words": [{"form": "a"}]}, "KeyError: 'id'"),
        ({"words": 3}, "TypeError"),
        ({"format": "brackets"}, "KeyError: 'brackets'"),
        ({"comments": ["# a\n1\tx"]}, "line break"),
        ({"comments": [""]}, "does not start with #"),
        ({"words": [{"id": 1, "form": "a", "head": "x"}]}, "HEAD"),
        ({"words": [{"id": 2, "form": "a"}]}, "ID"),
        ({"words": [], "comments": [], "empty_nodes": []}, "no words"),
    ],
)
def test_wrong_documents(first, change, problem):
    with pytest.raises(JsonError) as error:
        sentence_from_json(first | change)
    assert problem in str(error.value)


def test_wrong_files_say_where():
    good = json.dumps(sentence_to_json(Sentence.from_words(["a"]))).encode()
    for bad in (b"{", b"[]", b'{"version": 9}', b"\xff"):
        with pytest.raises(JsonError, match=r"^<bytes>:2: "):
            list(read_json(good + b"\n" + bad))
    assert len(list(read_json(good + b"\n\n" + good))) == 2


def test_convert_to_json(fixtures):
    result = CliRunner().invoke(app, ["convert", str(fixtures / "nasty.conllu"), "--to", "json"])
    assert (result.exit_code, result.stderr) == (0, "")
    assert [json.loads(line) for line in result.stdout.splitlines()] == [
        sentence_to_json(sentence) for sentence in read(fixtures / "nasty.conllu")
    ]


def test_numbers_of_thousands_of_digits():
    line = "1\ta\t_\t_\t_\t_\t{}\tx\t_\t_\n\n"
    (zeros,) = read(line.format("0" * 5000).encode(), validate="columns")
    assert sentence_to_json(zeros)["words"][0]["head"] == 0
    (nines,) = read(line.format("9" * 5000).encode(), validate="columns")
    with pytest.raises(JsonError, match="HEAD has 5,000 digits"):
        sentence_to_json(nines)
