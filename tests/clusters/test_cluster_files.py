"""Files of clusters, and texts of every kind."""

from __future__ import annotations

import gzip
import lzma
from pathlib import Path

import pytest

from headwise._native.clusters import plain_words
from headwise.base.errors import HeadwiseError
from headwise.treebank import write
from headwise.words.clusters import ClusterError, Clusters, Word, count_heads, count_words
from toy_language import toy_treebank

WORDS = [Word("apple", 3, "00"), Word("pear", 2, "00"), Word("New York", 5, "010"), Word("of", 9, "1")]


@pytest.mark.parametrize("name", ["c.txt", "c.txt.gz", "c.txt.xz"])
def test_clusters_come_back(tmp_path: Path, name: str) -> None:
    path = tmp_path / name
    Clusters(WORDS).save(path)
    assert dict(Clusters.load(path)) == {word.form: word.path for word in WORDS}
    assert Clusters.load(path).count("pear") == 2


def test_files_of_other_programs_are_read(tmp_path: Path) -> None:
    path = tmp_path / "paths"
    path.write_text("0110 word 12\n\n0111 other\r\n")
    assert dict(Clusters.load(path)) == {"word": "0110", "other": "0111"}


@pytest.mark.parametrize(
    ("content", "problem"),
    [
        (b"0110\tword\t12\n0110\tword\tmany\n", ":2: a bit string, a word and a count were expected"),
        (b"0120\tword\t12\n", ":1: a bit string"),
        (b"0110\n", ":1: a bit string"),
        (b"", "there are no clusters"),
        (b"\xff\x00", "not UTF-8"),
    ],
)
def test_broken_files_are_refused_by_line(tmp_path: Path, content: bytes, problem: str) -> None:
    path = tmp_path / "broken"
    path.write_bytes(content)
    with pytest.raises(HeadwiseError, match=problem):
        Clusters.load(path)


def test_members_and_populations() -> None:
    clusters = Clusters(WORDS)
    assert clusters.members("0") == ["New York", "apple", "pear"]
    assert clusters.populations(1) == {"0": 10, "1": 9}
    assert clusters.near("apple", 2) == ["pear", "New York"]


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ('She said: "Don\'t go!"', 'She said : " Don\'t go ! "'),
        ("l’homme, 3,5 kg (10:30)", "l’homme , 3,5 kg ( 10:30 )"),
        ("well-known - dash.", "well-known - dash ."),
        ("två äpplen…\nnästa rad", "två äpplen …\nnästa rad"),
        ("e\u0301te\u0301 123", "e\u0301te\u0301 123"),
        ("  \n", "\n"),
    ],
)
def test_the_plain_rule(text: str, words: str) -> None:
    assert plain_words(text.encode()).decode() == words


def test_text_is_counted_whatever_its_form(tmp_path: Path) -> None:
    lines = "the dog sees a cat\na cat sees the dog\n" * 3
    (tmp_path / "a.txt").write_text(lines)
    (tmp_path / "a.txt.gz").write_bytes(gzip.compress(lines.encode()))
    (tmp_path / "a.txt.xz").write_bytes(lzma.compress(lines.encode()))
    expected = count_words([tmp_path / "a.txt"], input="tokens").bigrams(1)
    for name in ("a.txt", "a.txt.gz", "a.txt.xz"):
        for threads in (1, 3):
            found = count_words([tmp_path / name], threads=threads).bigrams(1)
            assert found.words == expected.words
            assert found.pairs().tolist() == expected.pairs().tolist()


def test_treebanks_are_counted_by_words_and_by_heads(tmp_path: Path) -> None:
    sentences = toy_treebank(20, seed=1)
    write(sentences, tmp_path / "toy.conllu")
    words = count_words([tmp_path / "toy.conllu"])
    assert words.words == sum(map(len, sentences))
    heads = count_heads([tmp_path / "toy.conllu"]).bigrams(1)
    arcs = [
        (s.forms[h - 1], f)
        for s in sentences
        for h, f in zip(s.heads.tolist(), s.forms, strict=True)
        if h > 0
    ]
    assert heads.total == len(arcs)
    pairs = {(heads.words[a], heads.words[b]): n for a, b, n in heads.pairs().reshape(-1, 3).tolist()}
    assert pairs == {pair: arcs.count(pair) for pair in arcs}


@pytest.mark.parametrize(("content", "problem"), [(b"", "no words"), (b"a \0 b\n", ":1: there is a NUL")])
def test_what_is_no_text_is_refused(tmp_path: Path, content: bytes, problem: str) -> None:
    (tmp_path / "t.txt").write_bytes(content)
    with pytest.raises(ClusterError, match=problem):
        count_words([tmp_path / "t.txt"])


def test_a_treebank_without_heads_has_no_syntactic_clusters(tmp_path: Path) -> None:
    (tmp_path / "t.conllu").write_text("1\tword" + "\t_" * 8 + "\n\n")
    with pytest.raises(ClusterError, match="no heads"):
        count_heads([tmp_path / "t.conllu"])
