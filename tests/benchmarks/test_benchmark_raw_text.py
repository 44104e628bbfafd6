"""Benchmarks that begin with raw text: what they do to sentences, and that they run."""

from __future__ import annotations

import pytest

import as_typed
import raw_languages
from corpus import Corpus
from headwise.components.text.raw_text import raw_text
from headwise.treebank import read

CONTRACTED = (
    "# text = He didn't go!\n"
    "1\tHe\the\tPRON\tPRP\t_\t4\tnsubj\t_\t_\n"
    "2-3\tdidn't\t_\t_\t_\t_\t_\t_\t_\t_\n"
    "2\tdid\tdo\tAUX\tVBD\t_\t4\taux\t_\t_\n"
    "3\tn't\tnot\tPART\tRB\t_\t4\tadvmod\t_\t_\n"
    "4\tgo\tgo\tVERB\tVB\t_\t0\troot\t_\tSpaceAfter=No\n"
    "5\t!\t!\tPUNCT\t.\t_\t4\tpunct\t_\t_\n\n"
)


@pytest.mark.parametrize(
    ("way", "text"),
    [
        ("as it is", "He didn't go!"),
        ("lower case", "he didn't go!"),
        ("capitals", "HE DIDN'T GO!"),
        ("no full stop", "He didn't go"),
    ],
)
def test_sentences_are_typed_in_other_ways(way, text):
    (sentence,) = read(CONTRACTED.encode())
    rewritten = as_typed.WAYS[way](sentence)
    assert raw_text([rewritten]) == text + "\n"
    assert rewritten.labels == sentence.labels[: len(rewritten)]


def test_genres_that_were_learned_from_are_left_out():
    documents = [f"# newdoc id = GUM_{name}_one\n{CONTRACTED}" for name in ("news", "vlog", "bio")]
    sentences = read("".join(documents).replace("# text", "# sent_id").encode())
    assert [(genre, len(part)) for genre, part in as_typed.by_genre(sentences).items()] == [("vlog", 1)]


def test_both_tokenizers_are_told_the_same_spaces(treebank_folder):
    corpus = Corpus.load(str(treebank_folder))
    spaced = raw_languages.with_spacing(corpus)
    assert raw_text(spaced.test) == raw_text(corpus.test).replace(" .", ".")
    for sentence in spaced.train:
        glued = ["SpaceAfter=No" in field for field in sentence.misc]
        assert glued == [following == "." for following in [*sentence.forms[1:], ""]]


def test_headwise_and_udpipe_from_text(treebank_folder, tmp_path, capsys):
    pytest.importorskip("ufal.udpipe")
    arguments = [str(treebank_folder), "--quick", "--models", str(tmp_path / "models")]
    raw_languages.main(arguments)
    trained = capsys.readouterr()
    assert "Headwise" in trained.out
    assert "UDPipe 1" in trained.out
    raw_languages.main(arguments)
    assert "training" not in capsys.readouterr().err  # both were kept


def test_headwise_alone_from_text(treebank_folder, tmp_path, capsys):
    raw_languages.main([str(treebank_folder), "--quick", "--alone", "--models", str(tmp_path / "models")])
    shown = capsys.readouterr().out
    assert "Headwise alone" in shown
    assert "UDPipe 1" not in shown
    (row,) = [line for line in shown.splitlines() if line.startswith("|") and "Headwise" in line]
    assert 50 < float(row.split("|")[3]) <= 100  # tokens
