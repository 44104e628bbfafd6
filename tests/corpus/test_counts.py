"""Words counted shard by shard are words counted in one go."""

from __future__ import annotations

import pickle
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
import safetensors.numpy

from command_runner import CliRunner
from corpus_runs import Run, contents
from headwise._native.clusters import BigramCounter
from headwise.cli.app import app
from headwise.corpus import CorpusOptions
from headwise.corpus.tasks import task_of
from headwise.words.clusters import count_words
from headwise.words.clusters.bigram_files import add_bigrams, write_bigrams
from headwise.words.clusters.files import ClusterError

Corpus = Callable[..., Run]


def same(a: BigramCounter, b: BigramCounter) -> bool:
    one, other = a.bigrams(1), b.bigrams(1)
    return (
        one.words == other.words
        and one.counts == other.counts
        and one.pairs().tolist() == other.pairs().tolist()
    )


@pytest.fixture
def texts(tmp_path: Path, text: str) -> Path:
    (tmp_path / "text.txt").write_text(text, encoding="utf-8")
    return tmp_path / "text.txt"


def test_by_the_plain_rule(counts: Corpus, texts: Path, tmp_path: Path) -> None:
    result = counts(texts, "-o", tmp_path / "counts", "--workers", 2)
    assert result.returncode == 0, result.stderr
    assert len(list((tmp_path / "counts").glob("*.bigrams"))) > 2
    assert same(count_words([tmp_path / "counts"]), count_words([texts]))


def test_by_a_tokenizer(counts: Corpus, model: Path, texts: Path, tmp_path: Path) -> None:
    from headwise.pipeline.word_tokenizer import word_tokenizer

    assert counts(texts, "-o", tmp_path / "counts", "-m", model, "--compress", "gz").returncode == 0
    expected = count_words([texts], tokenizer=word_tokenizer(str(model)))
    assert same(count_words([tmp_path / "counts"]), expected)


@pytest.mark.parametrize("layout", ["lines", "tokens"])
def test_layouts(counts: Corpus, texts: Path, tmp_path: Path, layout: str) -> None:
    assert counts(texts, "-o", tmp_path / "counts", "--from", layout).returncode == 0
    expected = count_words([texts], input=layout)  # type: ignore[arg-type]
    assert same(count_words([tmp_path / "counts"]), expected)


def test_a_treebank(counts: Corpus, tmp_path: Path) -> None:
    from headwise.treebank import write
    from toy_language import toy_treebank

    write(toy_treebank(60, seed=4), tmp_path / "a.conllu")
    assert counts(tmp_path / "a.conllu", "-o", tmp_path / "counts").returncode == 0
    assert same(count_words([tmp_path / "counts"]), count_words([tmp_path / "a.conllu"]))


def test_the_same_clusters(counts: Corpus, texts: Path, tmp_path: Path) -> None:
    counts(texts, "-o", tmp_path / "counts")
    for given, out in ((texts, "one.txt"), (tmp_path / "counts", "other.txt")):
        result = CliRunner().invoke(
            app, ["cluster", str(given), "--clusters", "8", "-o", str(tmp_path / out)]
        )
        assert result.exit_code == 0, result.output
    assert (tmp_path / "one.txt").read_bytes() == (tmp_path / "other.txt").read_bytes()


def test_workers_make_no_difference(counts: Corpus, texts: Path, tmp_path: Path) -> None:
    for workers in (1, 2):
        counts(texts, "-o", tmp_path / str(workers), "--workers", workers)
    assert contents(tmp_path / "1") == contents(tmp_path / "2")


def test_half_a_folder_is_refused(counts: Corpus, texts: Path, tmp_path: Path) -> None:
    counts(texts, "-o", tmp_path / "counts")
    for lost in (
        tmp_path / "counts" / "_headwise" / "complete.json",
        tmp_path / "counts" / "00000-00001.bigrams",
    ):
        lost.unlink()
        with pytest.raises(ClusterError, match="not all is counted"):
            count_words([tmp_path / "counts"])
    assert counts(texts, "-o", tmp_path / "counts").returncode == 0
    count_words([tmp_path / "counts"])


def test_options_of_a_parser_are_refused(counts: Corpus, texts: Path, tmp_path: Path) -> None:
    result = counts(texts, "-o", tmp_path / "counts", "--confidence")
    assert result.returncode == 2
    assert "--confidence cannot be used with --to bigrams" in result.stderr


def test_files_that_are_something_else(tmp_path: Path) -> None:
    path = tmp_path / "a.bigrams"
    words = np.frombuffer(b"a\nb\n", np.uint8)
    good = {"words": words, "counts": np.array([2, 1]), "pairs": np.array([[0, 1, 1]], np.uint32)}
    path.write_bytes(safetensors.numpy.save(good))
    counter = BigramCounter()
    add_bigrams(path, counter)
    assert counter.bigrams(1).pairs().tolist() == [0, 1, 1]
    for name, table in {
        "words": np.frombuffer(b"a\n", np.uint8),
        "counts": np.array([2, -1]),
        "pairs": np.array([[0, 2, 1]], np.uint32),
    }.items():
        path.write_bytes(safetensors.numpy.save(good | {name: table}))
        with pytest.raises(ClusterError, match="holds no counts of bigrams"):
            add_bigrams(path, counter)
    for data in (b"", b"hello", path.read_bytes()[:-3], safetensors.numpy.save({"words": words})):
        path.write_bytes(data)
        with pytest.raises(ClusterError, match="holds no counts of bigrams"):
            add_bigrams(path, counter)
    assert counter.words == 3  # nothing of what was refused was counted


def test_counts_that_do_not_fit() -> None:
    counter = BigramCounter()
    table = (["a"], np.array([2**33]), np.array([0, 0, 2**32 - 1], np.uint32))
    counter.add_table(*table)
    with pytest.raises(OverflowError, match="four billion"):
        counter.add_table(*table)


def test_written_and_read(tmp_path: Path) -> None:
    counter, again = BigramCounter(), BigramCounter()
    counter.add("the old\u2028trees\tthe\ntrees\n".encode(), "\t")
    with (tmp_path / "a.bigrams").open("wb") as file:
        write_bigrams(counter.bigrams(1), file)
    add_bigrams(tmp_path / "a.bigrams", again)
    assert same(counter, again)


def test_tasks_go_to_other_machines_by_the_name_of_their_model(
    model: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    options = CorpusOptions(to="bigrams")
    for given in (None, model.name, "en"):
        monkeypatch.chdir(model.parent)
        task = task_of(given, options)
        digest, sent = task.digest(), pickle.dumps(task)
        monkeypatch.chdir("/")
        assert pickle.loads(sent).digest() == digest
