"""Parquet holds all of a CoNLL-U file, and gives it back byte for byte."""

from __future__ import annotations

import io
import lzma
import random
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from headwise import HeadwiseError
from headwise.treebank import Sentence, read, write
from headwise.treebank.parquet import (
    Place,
    SentenceColumns,
    parquet_writer,
    read_parquet,
    sentence_bytes,
    write_parquet,
)

pyarrow = pytest.importorskip("pyarrow", reason="Parquet needs pyarrow, which is not installed")
pq = pytest.importorskip("pyarrow.parquet")

FIXTURES = Path(__file__).parent.parent / "fixtures"
PARSED = b"""# newdoc id = d1
# sent_id = s1
# text = Don't ask
# headwise_logprob = -3.2140
1-2\tDon't\t_\t_\t_\t_\t_\t_\t_\tTokenRange=0:5
1\tDo\tdo\tAUX\tVB\tMood=Imp\t3\taux\t_\tHeadProb=0.9871|LabelProb=0.9500|HeadEntropy=0.0810
2\tn't\tnot\tPART\tRB\t_\t3\tadvmod\t_\tHeadProb=1.0000|LabelProb=0.9000|HeadEntropy=0.0000
3\task\task\tVERB\tVB\t_\t0\troot\t_\tSpaceAfter=No|TokenRange=6:9|HeadProb=0.5000|LabelProb=0.4000|HeadEntropy=1.0810
3.1\tyou\t_\tPRON\t_\t_\t_\t_\t3:nsubj\tNote=empty

"""


def there_and_back(data: bytes, folder: Path) -> bytes:
    write_parquet(read(data, validate="columns"), folder / "x.parquet")
    back = io.BytesIO()
    write(read_parquet(folder / "x.parquet", validate="columns"), back)
    return back.getvalue()


@pytest.mark.parametrize("name", ["nasty.conllu", "nasty-crlf.conllu", "mixed-endings.conllu"])
def test_files_come_back_byte_for_byte(name: str, tmp_path: Path) -> None:
    data = (FIXTURES / name).read_bytes()
    assert there_and_back(data, tmp_path) == data


def test_what_headwise_writes_gets_columns_of_its_own(tmp_path: Path) -> None:
    assert there_and_back(PARSED, tmp_path) == PARSED
    (row,) = pq.read_table(tmp_path / "x.parquet").to_pylist()
    assert row["original"] is None  # the columns say it all
    assert (row["sent_id"], row["text"], row["log_prob"]) == ("s1", "Don't ask", -3.214)
    assert row["head"] == [3, 3, 0]
    assert row["lemma"] == ["do", "not", "ask"]
    assert row["feats"] == ["Mood=Imp", None, None]
    assert row["misc"] == [None, None, "SpaceAfter=No"]
    assert row["token_begin"] == [None, None, 6]
    assert row["confidence"] == pytest.approx([0.9871, 1.0, 0.5])
    assert row["multiword_tokens"][0]["form"] == "Don't"
    assert row["empty_nodes"][0]["id"] == "3.1"
    assert row["comments"] == ["# newdoc id = d1", "# sent_id", "# text"]


def test_types_that_people_can_query(tmp_path: Path) -> None:
    write_parquet(read(PARSED), tmp_path / "x.parquet")
    schema = pq.read_schema(tmp_path / "x.parquet")
    assert schema.field("head").type == pyarrow.list_(pyarrow.int32())
    assert schema.field("deprel").type.value_type == pyarrow.dictionary(pyarrow.int32(), pyarrow.string())
    assert schema.field("confidence").type.value_type == pyarrow.float32()


def test_places_are_kept(tmp_path: Path) -> None:
    with parquet_writer(tmp_path / "x.parquet", exact=False) as writer:
        writer.write(Sentence.from_words(["Yes"]), Place("book", 10, 13))
    (row,) = pq.read_table(tmp_path / "x.parquet").to_pylist()
    assert (row["document"], row["begin"], row["end"]) == ("book", 10, 13)


def test_the_same_sentences_give_the_same_bytes(tmp_path: Path) -> None:
    sentences = list(read(PARSED)) * 2000  # several batches
    for name in ("a.parquet", "b.parquet"):
        write_parquet(sentences, tmp_path / name)
    assert (tmp_path / "a.parquet").read_bytes() == (tmp_path / "b.parquet").read_bytes()
    assert sum(1 for _ in read_parquet(tmp_path / "a.parquet")) == 2000


def test_a_query_may_leave_columns_out() -> None:
    assert sentence_bytes({"form": ["A", "b"]}).startswith(b"1\tA\t_\t_\t_\t_\t_\t_\t_\t_\n2\tb\t")


def test_errors_say_what_to_do(tmp_path: Path) -> None:
    pq.write_table(pyarrow.table({"text": ["a"]}), tmp_path / "text.parquet")
    with pytest.raises(Exception, match=r"no column 'form'.*headwise corpus"):
        read_parquet(tmp_path / "text.parquet")
    (tmp_path / "no.parquet").write_bytes(b"nothing")
    with pytest.raises(Exception, match="cannot be read as Parquet"):
        read_parquet(tmp_path / "no.parquet")
    pq.write_table(pyarrow.table({"form": [["a"], ["b"]], "head": [[5], [0]]}), tmp_path / "bad.parquet")
    with pytest.raises(Exception, match="row 1"):
        list(read_parquet(tmp_path / "bad.parquet"))
    reader = read_parquet(tmp_path / "bad.parquet", on_error="skip")
    assert [s.forms for s in reader] == [["b"]]
    assert len(reader.skipped) == 1


ITEMS = st.sampled_from(
    [
        *("_", "", "SpaceAfter=No", "A|", "TokenRange=1:2", "TokenRange=01:2", "TokenRange=3:4|X=1"),
        *("HeadProb=0.5000|LabelProb=0.2500", "HeadProb=0.5000|HeadEntropy=0.2500", "HeadProb=.5"),
    ]
)
LINES = st.sampled_from(
    [
        *("# text = a", "# text", "# text = b", "#text = a", "# sent_id = 1", "# sent_id"),
        *("# headwise_logprob = -1.0000", "# headwise_logprob = -1", "#"),
    ]
)


@given(
    st.lists(LINES, max_size=5),
    st.lists(st.lists(ITEMS, min_size=1, max_size=3).map("|".join).filter(bool), min_size=1, max_size=4),
)
@settings(max_examples=300, deadline=None)
def test_any_comments_and_misc_come_back(comments: list[str], misc: list[str]) -> None:
    words = [f"{number}\ta\t_\t_\t_\t_\t0\troot\t_\t{field}" for number, field in enumerate(misc, 1)]
    sentence = next(read("\n".join([*comments, *words, "", ""]).encode()))
    columns = SentenceColumns(exact=True)
    columns.add(sentence)
    (row,) = columns.take().to_pylist()
    assert sentence_bytes(row) == sentence.to_bytes()


def test_damaged_files_are_refused_by_name(tmp_path: Path) -> None:
    """pyarrow has errors of its own for them, and raises those of Python as well."""
    path = tmp_path / "x.parquet"
    write_parquet(read(PARSED * 20, validate="columns"), path)
    body, rng, refused, accepted = path.read_bytes(), random.Random(1), 0, 0
    for _ in range(150):
        damaged = bytearray(body)
        for _ in range(rng.choice((1, 3, 30))):
            at = rng.randrange(len(body)) if rng.random() < 0.5 else -rng.randrange(1, 4000)
            damaged[max(at, -len(body))] = rng.randrange(256)
        path.write_bytes(damaged)
        try:
            list(read_parquet(path, validate="columns"))
        except HeadwiseError as error:
            refused += str(path) in str(error)
        else:
            accepted += 1
    assert refused + accepted == 150
    assert refused > 50


@pytest.mark.parametrize(
    "column", [{"form": [1]}, {"form": ["a"], "head": ["x"]}, {"form": ["a"], "misc": [7]}]
)
def test_columns_of_other_types(column: dict[str, list[object]], tmp_path: Path) -> None:
    path = tmp_path / "x.parquet"
    pq.write_table(pyarrow.table({name: [values] for name, values in column.items()}), path)
    with pytest.raises(HeadwiseError, match=rf"{path}, row 1"):
        list(read_parquet(path, validate="columns"))


def test_a_file_that_was_begun_is_thrown_away_in_silence(tmp_path: Path) -> None:
    """Once pyarrow tried to end it when it was collected, and Python said so."""
    source = tmp_path / "cut.conllu.xz"
    source.write_bytes(lzma.compress(PARSED * 5000)[:-200])
    done = subprocess.run(
        [sys.executable, "-m", "headwise", "convert", str(source), "-o", str(tmp_path / "out.parquet")],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 1
    assert len(done.stderr.splitlines()) == 1, done.stderr
    assert [entry.name for entry in tmp_path.iterdir()] == [source.name]
