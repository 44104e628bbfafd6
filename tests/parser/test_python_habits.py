"""What people try with our objects in Python, and what they are told where it cannot be."""

from __future__ import annotations

import threading
import warnings
from pathlib import Path

import pytest

import headwise
from headwise.learning import Listener
from headwise.treebank import Sentence
from toy_language import SMALL, toy_treebank


@pytest.fixture(scope="module")
def nlp() -> headwise.Pipeline:
    loaded = headwise.load("en")
    assert isinstance(loaded, headwise.Pipeline)
    return loaded


def test_dir_shows_what_there_is_and_nothing_else() -> None:
    names = {name for name in dir(headwise) if not name.startswith("_")}
    assert {"load", "Parser", "Pipeline", "Document", "Parse", "Word", "Span", "trees", "treebank"} <= names
    assert {"Any", "TYPE_CHECKING", "annotations", "offer", "resolve", "import_module"}.isdisjoint(names)
    for name in names:
        assert getattr(headwise, name) is not None


def test_packages_need_no_import_of_their_own() -> None:
    assert headwise.trees.ProjectiveTrees.__name__ == "ProjectiveTrees"
    with pytest.raises(AttributeError, match="no attribute 'nonsense'"):
        _ = headwise.nonsense  # type: ignore[attr-defined]


@pytest.mark.parametrize("wrong", [["a text"], [("one", "two", "three")], ["xy"]])
def test_pairs_that_are_none_are_refused(nlp: headwise.Pipeline, wrong: list[object]) -> None:
    with pytest.raises(TypeError, match="pair of a text and its context"):
        list(nlp.pipe(wrong, as_tuples=True))  # type: ignore[arg-type]


def test_a_string_is_not_taken_apart(nlp: headwise.Pipeline) -> None:
    for refused in (
        lambda: nlp.pipe_lines("She reads."),
        lambda: nlp.tokenizer.pipe("She reads."),
        lambda: nlp.parser.pipe("She reads."),
        lambda: nlp.tagger.pipe("She reads."),
        lambda: nlp.parser.pipe_k_best("She reads.", 2),
    ):
        with pytest.raises(TypeError, match="call the"):
            list(refused())
    with pytest.raises(TypeError, match="list of its words"):
        nlp.parser("She reads.")
    with pytest.raises(TypeError, match="list of its words"):
        list(nlp.parser.pipe(["She reads."]))


@pytest.mark.parametrize("missing", [None, float("nan")])
def test_missing_values_are_refused_everywhere(nlp: headwise.Pipeline, missing: object) -> None:
    with pytest.raises(TypeError, match="Leave missing values out"):
        nlp(missing)  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="a text is a str"):
        nlp.k_best(missing, 2)  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="a text is a str"):
        nlp.tokenizer(missing)  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="a sentence is a list of words"):
        nlp.parser(missing)  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="word 2 is"):
        nlp.parser(["She", missing])  # type: ignore[list-item]
    with pytest.raises(TypeError, match="pipe takes many texts, not"):
        nlp.pipe(missing)  # type: ignore[call-overload]


def test_lists_of_words(nlp: headwise.Pipeline) -> None:
    with pytest.raises(TypeError, match=r"nlp\.pipe_sentences"):
        nlp(["She", "reads", "."])  # type: ignore[arg-type]
    (parse,) = nlp.pipe_sentences([["She", "reads", "."]])
    assert [word.upos for word in parse] == ["PRON", "VERB", "PUNCT"]
    assert parse.heads.tolist() == [2, 0, 2]


def test_no_heads_that_nobody_knows_after_parsing(nlp: headwise.Pipeline) -> None:
    tagged = next(nlp.tag([["She", "reads", "."]]))
    assert tagged.heads.tolist() == [-1, -1, -1]
    for parse in (
        nlp("She reads.")[0],
        nlp.parser(tagged),
        nlp.parser(tagged, confidence=True),
        nlp.k_best("She reads.", 1)[0][0],
        next(nlp.pipe_lines(["She reads."])),
        next(nlp.pipe_sentences([["She", "reads", "."]])),
    ):
        assert parse.sentence.heads.tolist() == parse.heads.tolist() == [2, 0, 2]
        assert parse.sentence.labels == parse.labels
    gold = Sentence.from_words(["She", "reads"], upos=["PRON", "VERB"], heads=[0, 1], labels=["root", "x"])
    assert nlp.parser(gold).sentence == gold  # what was annotated is there to compare with


def test_probabilities_wherever_they_can_be_asked_for(nlp: headwise.Pipeline) -> None:
    tagged = next(nlp.tag([["She", "reads", "."]]))
    (piped,) = nlp.parser.pipe([tagged], confidence=True)
    assert nlp.parser(tagged, confidence=True)[0].probability == piped[0].probability
    assert nlp("She reads.", confidence=True)[0][0].probability == piped[0].probability
    assert nlp.parser(tagged)[0].probability is None


def test_options_of_a_call_are_those_of_pipe(nlp: headwise.Pipeline) -> None:
    assert nlp("She reads.", decoder="minimum-risk")[0].heads.tolist() == [2, 0, 2]
    assert [len(d) for d in nlp.pipe(["She reads."] * 3, batch_size=2, threads=2)] == [1, 1, 1]


def test_a_sentence_has_its_own_text(nlp: headwise.Pipeline) -> None:
    document = nlp("She  didn't read.\nHe listens!", confidence=True)
    assert [str(parse) for parse in document] == ["She  didn't read.", "He listens!"]
    assert [parse.text for parse in document.sentences] == ["She  didn't read.", "He listens!"]
    for parse in document:
        assert document.text[parse.start : parse.end] == parse.text
    span = document[0][1:4]
    assert (span.text, document.text[span.start : span.end]) == ("didn't read", "didn't read")
    assert repr(document[1]) == "<Parse 'He listens!' (3 words)>"
    assert repr(document) == '<Document "She  didn\'t read.\\nHe listens!" (2 sentences)>'
    assert str(nlp.parser(next(nlp.tag([["She", "reads"]])))) == "She reads"
    assert [word.text for word in document[1].words] == ["He", "listens", "!"]


def test_a_place_that_is_not_there(nlp: headwise.Pipeline) -> None:
    (parse,) = nlp("She reads.")
    assert parse[-1].form == "."
    with pytest.raises(IndexError, match="words 0 to 2"):
        parse[3]


def test_tables_for_pandas(nlp: headwise.Pipeline) -> None:
    pandas = pytest.importorskip("pandas")
    document = nlp("She reads. He listens.")
    table = document.to_dataframe()
    assert isinstance(table, pandas.DataFrame)
    assert list(table.form) == ["She", "reads", ".", "He", "listens", "."]
    assert list(table.sentence) == [1, 1, 1, 2, 2, 2]
    assert list(table["head"]) == [2, 0, 2, 2, 0, 2]
    assert list(document[1].to_dataframe().form) == ["He", "listens", "."]
    assert list(nlp("").to_dataframe().columns) == list(table.columns)


def test_notebooks_draw_what_comes_back(nlp: headwise.Pipeline) -> None:
    document = nlp("She reads. He listens.")
    assert document._repr_html_().count("<svg") == 2
    assert "<svg" in document[0]._repr_html_()


def test_several_threads_of_python(nlp: headwise.Pipeline) -> None:
    texts = [f"She reads {number} books. He listens." for number in range(20)]
    expected = [document.to_conllu() for document in nlp.pipe(texts)]
    found: dict[int, list[str]] = {}

    def work(number: int) -> None:
        found[number] = [document.to_conllu() for document in nlp.pipe(texts, threads=2)]

    workers = [threading.Thread(target=work, args=(number,)) for number in range(4)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    assert list(found.values()) == [expected] * 4


def test_words_without_tags_warn_at_the_line_of_the_caller(nlp: headwise.Pipeline) -> None:
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        nlp.parser(["She", "reads"])
    (warning,) = caught
    assert "trained with tags" in str(warning.message)
    assert Path(warning.filename) == Path(__file__)


def test_a_pipeline_is_trained_on_files_with_options(tmp_path: Path) -> None:
    from headwise.treebank import write

    write(toy_treebank(60, seed=1), tmp_path / "train.conllu")
    heard: list[str] = []
    pipeline = headwise.Pipeline.train(
        tmp_path / "train.conllu",
        toy_treebank(20, seed=2),
        jackknife=2,
        listener=Listener(message=heard.append),
        **SMALL,
    )
    assert pipeline.parser.config.arc_bits == SMALL["arc_bits"]
    assert any(line.startswith("tokenizer: dev tokens") for line in heard)
    assert any(line.startswith("tagger, epoch 1/") and "dev UPOS" in line for line in heard)
    with pytest.raises(TypeError, match="not both"):
        headwise.Pipeline.train([], settings=pipeline, preset="first")  # type: ignore[arg-type]
