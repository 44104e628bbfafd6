"""Corpora parsed as a user does it: the same bytes whatever the number of workers, and nothing twice."""

from __future__ import annotations

import gzip
import json
import lzma
import re
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

import pytest

from corpus_runs import Run, contents, sentences
from headwise import HeadwiseError, Parse, Pipeline, Search
from headwise.corpus import parse_corpus
from headwise.corpus.model import CorpusModel
from headwise.corpus.options import CorpusOptions
from headwise.corpus.passages import Failure, Passage, TextPassage
from headwise.corpus.shard_work import one_by_one
from headwise.corpus.tasks import Parsing
from headwise.treebank import Sentence, read, read_json, write
from headwise.treebank.parquet.columns import Place
from toy_language import toy_treebank

Corpus = Callable[..., Run]


def without_ids(conllu: bytes) -> bytes:
    return re.sub(rb"# (sent_id = .*|newdoc id = .*)\n", b"", conllu)


def log_of(folder: Path) -> list[dict[str, object]]:
    return [json.loads(line) for line in (folder / "_headwise" / "log.jsonl").read_text().splitlines()]


def test_the_same_as_headwise_parse(
    pipeline: Pipeline, corpus: Corpus, folder: Path, tmp_path: Path, text: str
) -> None:
    assert corpus(folder / "a.txt", "-o", tmp_path / "out", "--workers", 2).returncode == 0
    parsed = "".join(parse.to_conllu() for parse in pipeline(text)).encode()
    assert without_ids(sentences(tmp_path / "out")) == without_ids(parsed)
    assert len(list((tmp_path / "out").glob("*.conllu"))) > 3


@pytest.mark.parametrize("to", ["conllu", "jsonl", "parquet"])
def test_any_number_of_workers_writes_the_same(corpus: Corpus, folder: Path, tmp_path: Path, to: str) -> None:
    if to == "parquet":
        pytest.importorskip("pyarrow", reason="Parquet needs pyarrow, which is not installed")
    for workers in (1, 3):
        result = corpus(
            folder, "-o", tmp_path / str(workers), "--to", to, "--workers", workers, "--confidence"
        )
        assert result.returncode == 0, result.stderr
    assert contents(tmp_path / "1") == contents(tmp_path / "3")


def test_ids_and_places(corpus: Corpus, folder: Path, tmp_path: Path, text: str) -> None:
    assert corpus(folder, "-o", tmp_path / "out", "--to", "jsonl", "--offsets").returncode == 0
    rows = [json.loads(line) for line in sentences(tmp_path / "out", ".jsonl").splitlines()]
    assert len({row["sent_id"] for row in rows}) == len(rows)
    whole = [row for row in rows if row["document"] == "a.txt"]
    assert len(whole) > 400
    for row in whole:
        assert text[row["begin"] : row["end"]].split() == row["text"].split()
        for word in row["words"]:
            if word["misc"] and (found := re.search(r"TokenRange=(\d+):(\d+)", word["misc"])):
                assert text[int(found[1]) : int(found[2])] == word["form"]
    assert {row["document"] for row in rows} == {"a.txt", *(f"more/{n}.txt" for n in range(5))}
    (tmp_path / "all.jsonl").write_bytes(sentences(tmp_path / "out", ".jsonl"))
    assert sum(1 for _ in read_json(tmp_path / "all.jsonl")) == len(rows)


def test_a_second_run_does_nothing_and_a_third_what_is_missing(
    corpus: Corpus, folder: Path, tmp_path: Path
) -> None:
    out = tmp_path / "out"
    assert corpus(folder, "-o", out).returncode == 0
    before = contents(out)
    times = {path.name: path.stat().st_mtime_ns for path in out.glob("*.conllu")}
    result = corpus(folder, "-o", out)
    assert "done before" in result.stderr
    assert {path.name: path.stat().st_mtime_ns for path in out.glob("*.conllu")} == times
    lost = sorted(out.glob("*.conllu"))[2]
    lost.unlink()
    assert corpus(folder, "-o", out).returncode == 0
    assert contents(out) == before
    assert [path.name for path in out.glob("*.conllu") if path.stat().st_mtime_ns != times[path.name]] == [
        lost.name
    ]


@pytest.mark.parametrize(
    ("change", "expected"),
    [
        (["--confidence"], "confidence was False, is now True"),
        (["--shard-size", "5000"], "shard-bytes was 4000, is now 5000"),
        (["-m", "en"], "the model was"),
    ],
)
def test_another_call_is_refused(
    corpus: Corpus, folder: Path, tmp_path: Path, change: list[str], expected: str
) -> None:
    out = tmp_path / "out"
    assert corpus(folder, "-o", out).returncode == 0
    before = contents(out)
    result = corpus(folder, "-o", out, *change)
    assert result.returncode == 2
    assert expected in result.stderr
    assert "name a new folder" in result.stderr
    assert contents(out) == before


def test_changed_input_is_noticed(corpus: Corpus, folder: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    assert corpus(folder, "-o", out).returncode == 0
    before = contents(out)
    text = (folder / "a.txt").read_bytes()
    (folder / "a.txt").write_bytes(text.replace(b"we", b"he"))  # as long as before
    result = corpus(folder, "-o", out)
    assert result.returncode == 1
    assert "a.txt has changed since it was parsed" in result.stderr
    (folder / "a.txt").write_bytes(text)
    (folder / "b.txt").write_bytes(b"More .\n")
    result = corpus(folder, "-o", out)
    assert result.returncode == 2
    assert "the input was 6 files" in result.stderr
    assert contents(out) == before


def test_documents_of_every_kind(pipeline: Pipeline, corpus: Corpus, tmp_path: Path) -> None:
    source = tmp_path / "in"
    source.mkdir()
    first, second = "We see trees. We don't see old trees.", "Trees see us?\n\nWell-known trees."
    documents = [{"id": "one", "text": first}, {"text": second, "id": 7}, {"text": second}]
    lines = "".join(json.dumps(document) + "\n" for document in documents)
    (source / "a.jsonl").write_text(lines)
    (source / "b.jsonl.gz").write_bytes(gzip.compress(lines.encode()))
    (source / "c.txt.xz").write_bytes(lzma.compress(first.encode()))
    conllu = "".join(parse.to_conllu() for parse in pipeline(first)).replace("\troot\t", "\tdep\t")
    (source / "d.conllu").write_text(f"# newdoc id = in-d\n{conllu}")
    kinds = 4
    try:
        import pyarrow
        import pyarrow.parquet
    except ImportError:
        pass
    else:
        table = pyarrow.table({"id": ["p1", "p2"], "text": [first, second], "other": [1, 2]})
        pyarrow.parquet.write_table(table, source / "e.parquet")
        kinds = 5
    result = corpus(source, "-o", tmp_path / "out", "--to", "jsonl")
    assert result.returncode == 0, result.stderr
    rows = [json.loads(line) for line in sentences(tmp_path / "out", ".jsonl").splitlines()]
    by_document: dict[str, list[dict[str, object]]] = {}
    for row in rows:
        by_document.setdefault(row["document"], []).append(row)
    expected = ["one", "7", "a.jsonl:3", "b.jsonl.gz:3", "c.txt.xz", "in-d", "p1", "p2"]
    assert set(by_document) == set(expected[: 6 if kinds == 4 else 8])
    trees = {
        text: [[word["head"] for word in parse.to_json()["words"]] for parse in pipeline(text)]
        for text in (first, second)
    }
    for document, found in by_document.items():
        text = second if document in ("7", "a.jsonl:3", "b.jsonl.gz:3", "p2") else first
        heads = [[word["head"] for word in row["words"]] for row in found]  # type: ignore[attr-defined]
        assert heads[: len(trees[text])] == trees[text]


def test_paragraphs_lines_and_tokens(pipeline: Pipeline, corpus: Corpus, tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("We see trees . We see\nold trees . We\n")
    forms = {}
    for layout in ("text", "paragraphs", "lines", "tokens"):
        assert corpus(tmp_path / "a.txt", "-o", tmp_path / layout, "--from", layout).returncode == 0
        data = sentences(tmp_path / layout)
        forms[layout] = [" ".join(sentence.forms) for sentence in read(data)]
        assert data.count(b"# newpar") == {"text": 1, "paragraphs": 2}.get(layout, 0)
    assert forms["lines"] == forms["tokens"] == ["We see trees . We see", "old trees . We"]
    assert " ".join(forms["text"]) == "We see trees . We see old trees . We"
    assert not any("see old" in sentence for sentence in forms["paragraphs"])


def test_what_fails_is_set_aside(corpus: Corpus, tmp_path: Path, text: str) -> None:
    source = tmp_path / "in"
    source.mkdir()
    good = text[:6000].encode()
    (source / "a.txt").write_bytes(good[:3000] + b"\n\nbad \xff byte\n\nNUL \0 here\n\n" + good[3000:])
    lines = [
        '{"text": "We see."}',
        "no json",
        '{"no text": 1}',
        '{"text": 3}',
        '{"text": "\\ud800"}',
        '["a"]',
    ]
    (source / "b.jsonl").write_text("\n".join(lines))
    (source / "c.conllu").write_text(
        "1\tWe\t_\t_\t_\t_\t_\t_\t_\t_\n\nno columns\n\n1\tYou\t_\t_\t_\t_\t_\t_\t_\t_\n\n"
    )
    (source / "d.txt.gz").write_bytes(gzip.compress(good)[:-400])
    result = corpus(source, "-o", tmp_path / "out", "--max-failures", 0.5)
    assert result.returncode == 0, result.stderr
    assert "9 passages set aside" in result.stderr
    failures = [
        json.loads(line)
        for path in sorted((tmp_path / "out" / "set-aside").iterdir())
        for line in path.read_text().splitlines()
    ]
    problems = {(Path(f["file"]).name, f["line"]): f["error"] for f in failures}
    line = good[:3000].count(b"\n") + 3
    assert "not UTF-8" in problems["a.txt", line]
    assert "NUL" in problems["a.txt", line + 2]
    assert "not a JSON object" in problems["b.jsonl", 2]
    assert "--text-field" in problems["b.jsonl", 3]
    assert "not a string" in problems["b.jsonl", 4]
    assert "not Unicode" in problems["b.jsonl", 5]
    assert ("b.jsonl", 6) in problems
    assert ("c.conllu", 3) in problems
    assert "cut off" in problems["d.txt.gz", 1]
    assert next(f["text"] for f in failures if "NUL" in f["error"]).startswith("NUL \0 here")
    forms = [form for sentence in read(sentences(tmp_path / "out")) for form in sentence.forms]
    assert "byte" not in forms
    assert "here" not in forms
    assert "You" in forms
    # All other words are there.
    clean = tmp_path / "clean"
    clean.mkdir()
    (clean / "a.txt").write_bytes(good[:3000] + b"\n\n" + good[3000:])
    assert corpus(clean, "-o", tmp_path / "clean-out").returncode == 0
    expected = [form for sentence in read(sentences(tmp_path / "clean-out")) for form in sentence.forms]
    assert forms[: len(expected)] == expected


def test_a_sentence_too_long_for_probabilities_is_parsed_without(corpus: Corpus, tmp_path: Path) -> None:
    long = "We " * 2500
    (tmp_path / "a.txt").write_text(f"We see .\n{long}\nYou see .\n" * 2)
    options = ("--from", "tokens", "--confidence", "--shard-size", "1MB")
    result = corpus(tmp_path / "a.txt", "-o", tmp_path / "out", *options)
    assert result.returncode == 0, result.stderr
    assert not (tmp_path / "out" / "set-aside" / "00000-00000.jsonl").exists()
    found = list(read(sentences(tmp_path / "out")))
    assert [len(sentence) for sentence in found] == [3, 2500, 3] * 2
    assert ["HeadProb" in sentence.misc[0] for sentence in found] == [True, False, True] * 2
    assert "no probabilities" in (found[1].comment("headwise_limit") or "")


def test_a_sentence_that_the_parser_refuses_is_set_aside_alone(pipeline: Pipeline, model: Path) -> None:
    class Refusing(Parsing):
        def results(self, passages: Iterable[Passage]) -> Iterator[tuple[Parse, Place, Passage]]:
            for result in super().results(passages):
                if "You" in result[0].sentence.forms:
                    raise HeadwiseError("nobody talks to You")
                yield result

    task = Refusing(CorpusModel(model), CorpusOptions(layout="tokens"))
    passage = TextPassage("a", "We see .\nYou see .\nThey see .\n", "a.txt", 1, 0, False, True, False, 30)
    failures: list[Failure] = []
    found = [parse.sentence.forms[0] for parse, _, _ in one_by_one([passage], task, failures)]
    assert found == ["We", "They"]
    assert [(failure.line, failure.error) for failure in failures] == [(2, "nobody talks to You")]


def test_tags_of_treebanks_are_kept_or_replaced(corpus: Corpus, tmp_path: Path) -> None:
    write([Sentence.from_words(["the", "dog"], upos=["VERB", "VERB"])], tmp_path / "a.conllu")
    for name, options in (("kept", ()), ("replaced", ("--retag",))):
        result = corpus(tmp_path / "a.conllu", "-o", tmp_path / name, *options)
        assert result.returncode == 0, result.stderr
    assert next(read(sentences(tmp_path / "kept"))).upos == ["VERB", "VERB"]
    assert next(read(sentences(tmp_path / "replaced"))).upos == ["DET", "NOUN"]


def test_too_many_failures_end_a_run(corpus: Corpus, tmp_path: Path, text: str) -> None:
    paragraphs = text.split("\n\n")
    bad = "\n\n".join(p + ("\0" if n % 10 == 0 else "") for n, p in enumerate(paragraphs))
    (tmp_path / "a.txt").write_text(bad)
    result = corpus(tmp_path / "a.txt", "-o", tmp_path / "out", "--workers", 1)
    assert result.returncode == 1
    assert "--max-failures" in result.stderr
    assert log_of(tmp_path / "out")[-1]["event"] == "stopped"
    result = corpus(tmp_path / "a.txt", "-o", tmp_path / "out", "--max-failures", 0.2)
    assert result.returncode == 0, result.stderr


def test_the_log_is_for_machines(corpus: Corpus, folder: Path, tmp_path: Path) -> None:
    result = corpus(folder, "-o", tmp_path / "out", "--log", "-")
    events = [json.loads(line) for line in result.stdout.splitlines()]
    assert [events[0]["event"], events[-1]["event"]] == ["start", "end"]
    shards = [event for event in events if event["event"] == "shard"]
    assert sum(event["words"] for event in shards) == events[-1]["words"]
    assert all(event["seconds"] > 0 for event in shards)
    assert events[0]["ignored"] == 1


def test_a_parser_alone_takes_treebanks(
    pipeline: Pipeline, corpus: Corpus, folder: Path, tmp_path: Path
) -> None:
    pipeline.parser.save(tmp_path / "parser.hw")
    result = corpus(folder, "-o", tmp_path / "no", "-m", tmp_path / "parser.hw")
    assert result.returncode == 1
    assert "holds a parser alone" in result.stderr
    assert not (tmp_path / "no").exists()
    write(toy_treebank(30, seed=5), tmp_path / "toy.conllu")
    assert (
        corpus(tmp_path / "toy.conllu", "-o", tmp_path / "out", "-m", tmp_path / "parser.hw").returncode == 0
    )
    expected = [parse.heads.tolist() for parse in pipeline.parser.pipe(toy_treebank(30, seed=5))]
    assert [s.heads.tolist() for s in read(sentences(tmp_path / "out"))] == expected


def test_a_decoder_that_the_model_does_not_have(corpus: Corpus, folder: Path, tmp_path: Path) -> None:
    result = corpus(folder, "-o", tmp_path / "out", "--decoder", "climb")
    assert result.returncode == 1
    assert "climb" in result.stderr
    assert not (tmp_path / "out").exists()


def test_compressed_output(corpus: Corpus, folder: Path, tmp_path: Path) -> None:
    for compression in ("none", "gz", "xz"):
        assert corpus(folder, "-o", tmp_path / compression, "--compress", compression).returncode == 0
    plain = sentences(tmp_path / "none")
    assert b"".join(gzip.decompress(p.read_bytes()) for p in sorted((tmp_path / "gz").glob("*.gz"))) == plain
    assert b"".join(lzma.decompress(p.read_bytes()) for p in sorted((tmp_path / "xz").glob("*.xz"))) == plain


def test_parquet_says_what_conllu_says(corpus: Corpus, folder: Path, tmp_path: Path) -> None:
    pytest.importorskip("pyarrow", reason="Parquet needs pyarrow, which is not installed")
    from headwise.treebank.parquet import read_parquet

    for to in ("conllu", "parquet"):
        assert corpus(folder, "-o", tmp_path / to, "--to", to, "--offsets").returncode == 0
    for path in sorted((tmp_path / "conllu").glob("*.conllu")):
        again = read_parquet(tmp_path / "parquet" / f"{path.stem}.parquet")
        assert b"".join(sentence.to_bytes() for sentence in again) == path.read_bytes()


def test_probabilities_in_parquet(corpus: Corpus, folder: Path, tmp_path: Path) -> None:
    pq = pytest.importorskip("pyarrow.parquet", reason="Parquet needs pyarrow, which is not installed")
    for to in ("jsonl", "parquet"):
        assert corpus(folder / "more", "-o", tmp_path / to, "--to", to, "--confidence").returncode == 0
    rows = pq.read_table(tmp_path / "parquet" / "00000-00000.parquet").to_pylist()
    documents = [json.loads(line) for line in sentences(tmp_path / "jsonl", ".jsonl").splitlines()]
    assert len(rows) == len(documents)
    for row, document in zip(rows, documents, strict=True):
        for name in ("confidence", "label_confidence", "head_entropy"):
            assert row[name] == pytest.approx([word[name] for word in document["words"]], abs=1e-6)
        assert row["log_prob"] == document["log_prob"]
        assert (row["document"], row["begin"]) == (document["document"], document["begin"])


def test_a_search_is_what_the_options_say(corpus: Corpus, folder: Path, model: Path, tmp_path: Path) -> None:
    file = folder / "more" / "0.txt"
    asked = ("--confidence", "--decoder", "minimum-risk", "--workers", 1)
    assert corpus(file, "-o", tmp_path / "command", *asked).returncode == 0
    options = CorpusOptions(shard_bytes=4000, search=Search(decoder="minimum-risk"))
    parse_corpus([file], tmp_path / "python", model=model, options=options, confidence=True, on_error="skip")
    assert sentences(tmp_path / "python") == sentences(tmp_path / "command")
    with pytest.raises(ValueError, match="one tree a sentence"):
        parse_corpus([file], tmp_path / "other", model=model, k=3)
