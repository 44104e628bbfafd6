"""The benchmarks from end to end, on a toy language that is learned in no time."""

from __future__ import annotations

import xml.etree.ElementTree as ElementTree

import numpy as np
import pytest

import dual
import latent
import learners
import orders
import peers
import presets
from corpus import Corpus, root_label
from experiment import measure_pruning
from headwise import Parser
from toy_language import SMALL, toy_treebank


def rows_below(text, title):
    """The first column of the table under a title."""
    section = text.split(title, 1)[1].split("\n## ", 1)[0]
    table = [line for line in section.splitlines() if line.startswith("|")]
    return [line.split("|")[1].strip() for line in table[2:]]


def test_orders_fills_every_table(treebank_folder, tmp_path, capsys):
    output = tmp_path / "orders.md"
    orders.main([str(treebank_folder), "--quick", "--sizes", "20", "40", "1000", "-o", str(output)])
    text = output.read_text()
    assert rows_below(text, "Table 5.1") == list(orders.PRUNING)
    assert rows_below(text, "Table 5.3") == list(orders.ORDERS)
    assert rows_below(text, "Table 2") == list(orders.CARRERAS)
    assert rows_below(text, "learning curve") == ["20", "40", "60"]
    plot = ElementTree.parse(tmp_path / "orders-Toy-curve.svg")
    assert "Toy" in plot.getroot()[0].text
    assert text.count("command: `python benchmarks/orders.py") == 4
    captured = capsys.readouterr()
    assert captured.out.strip() == text.strip()
    # What several tables need is trained once: 8 for pruning, 7 more orders, 1 of Carreras', 7 of the curve.
    assert captured.err.count("epochs, seed") == 8 + 7 + 1 + 7


def test_learners_fills_every_table(treebank_folder, tmp_path):
    output = tmp_path / "learners.md"
    learners.main([str(treebank_folder), "--quick", "-o", str(output)])
    text = output.read_text()
    assert rows_below(text, "Table 4.2") == rows_below(text, "LAS by learner") == ["Toy"]
    assert rows_below(text, "Table 4.3") == list(learners.LEARNERS)
    assert len(rows_below(text, "Smith and Smith")) == len(learners.LEARNERS) * len(learners.DECODERS)


def test_learners_goes_on_where_it_was_killed(treebank_folder, tmp_path, capsys):
    output = tmp_path / "learners.md"
    arguments = [str(treebank_folder), "--quick", "-o", str(output)]
    learners.main(arguments)
    whole, kept = output.read_text(), tmp_path / "learners.jsonl"
    lines = kept.read_text().splitlines(keepends=True)
    assert len(lines) == len(learners.LEARNERS) * len(learners.TREES)
    kept.write_text("".join(lines[:-1]) + lines[-1][:50])
    capsys.readouterr()
    learners.main(arguments)
    assert capsys.readouterr().err.count("Toy: ") == 1
    assert rows_below(output.read_text(), "Table 4.2") == rows_below(whole, "Table 4.2")


def test_latent_compares_clusters(treebank_folder, tmp_path):
    output = tmp_path / "latent.md"
    latent.main([str(treebank_folder), "--quick", "--clusters", "1", "3", "-o", str(output)])
    table = output.read_text().split("| Treebank", 1)[1]
    assert [line.split("|")[2].strip() for line in table.splitlines()[2:4]] == ["1", "3"]


def test_dual_fills_every_table(treebank_folder, tmp_path):
    pytest.importorskip("highspy")
    output = tmp_path / "dual.md"
    arguments = [str(treebank_folder), "--quick", "--epochs", "1", "--sentences", "3", "--random", "1"]
    dual.main([*arguments, "--models", str(tmp_path / "models"), "-o", str(output)])
    text = output.read_text()
    assert rows_below(text, "Table 1") == ["Toy"]
    assert rows_below(text, "Toy: solvers") == list(dual.SOLVERS)
    assert all(f"Exact {model}, random scores" in text for model in dual.MODELS)
    assert rows_below(text, "section 6") == list(dual.RIVALS)
    assert len(list(tmp_path.glob("*.svg"))) == 5
    assert len(list((tmp_path / "models").iterdir())) == 2


def test_two_optima_of_one_sentence_are_an_error():
    tree = dual.random_problems("sibling", 1)
    solution = next(tree).argmax()
    best = {0: solution.score + 1.0}
    with pytest.raises(SystemExit, match="different optima"):
        dual.check_against(best, [solution])


def test_presets_compares_neighbours(treebank_folder, tmp_path):
    output = tmp_path / "presets.md"
    arguments = [str(treebank_folder), "--quick", "--presets", "first", "second", "--seeds", "1", "2"]
    presets.main([*arguments, "-o", str(output)])
    text = output.read_text()
    assert rows_below(text, "by treebank") == ["Toy", "Toy"]
    assert rows_below(text, "average over") == ["first", "second"]
    assert "first → second" in text
    assert " ± " in text


def test_peers_says_which_are_missing(treebank_folder, capsys, monkeypatch):
    for maker in (peers.UDPipe, peers.SpaCy):
        monkeypatch.setattr(maker, "package", "no_such_parser")
    peers.main([str(treebank_folder), "--quick", "--presets", "first"])
    text = capsys.readouterr().out
    assert rows_below(text, "its peers") == ["Headwise first"]
    assert "not installed: no_such_parser" in text


def test_udpipe_learns_the_toy_language(treebank_folder):
    pytest.importorskip("ufal.udpipe", reason="the peer UDPipe is not installed")
    row = peers.peer_row(peers.UDPipe("iterations=4"), Corpus.load(str(treebank_folder)))
    assert float(row["UAS"]) > 80


def test_the_oracle_of_pruning_is_the_best_tree_left():
    train, test = toy_treebank(40, seed=1), toy_treebank(10, seed=2)
    small = {**SMALL, "preset": "second", "pruning__bits": 14}
    loose = measure_pruning(Parser.train(train, **small, pruning__threshold=0.0, pruning__heads=1000), test)
    tight = measure_pruning(Parser.train(train, **small, pruning__heads=1), test)
    assert loose.oracle_uas == 100
    assert loose.heads_per_word > tight.heads_per_word >= 1
    assert measure_pruning(Parser.train(train, **SMALL), test) is None


def test_without_a_dev_set_the_first_words_of_train_become_one():
    corpus = Corpus("Toy", "ud", toy_treebank(50, seed=1), [], [])
    split = corpus.with_dev()
    assert split.dev + split.train == corpus.train
    assert 0 < len(split.dev) <= 7
    assert "held out" in split.describe_split("dev")
    assert split.with_dev() is split


def test_smaller_samples_are_part_of_larger_ones():
    corpus = Corpus("Toy", "ud", toy_treebank(50, seed=1), [], [])
    order = {id(sentence): i for i, sentence in enumerate(corpus.train)}
    small, large = ([order[id(s)] for s in corpus.sample(n, seed=3).train] for n in (10, 30))
    assert len(small) == 10
    assert len(large) == 30
    assert set(small) < set(large)
    assert np.all(np.diff(large) > 0)
    assert corpus.sample(50, seed=3) is corpus


def test_the_label_of_roots_is_the_treebank_s():
    assert root_label(toy_treebank(5, seed=1)) == "root"
