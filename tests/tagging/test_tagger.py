"""The tagger: it learns, it is the same for a seed and any number of threads, it guesses new words."""

from __future__ import annotations

import itertools
import math
from pathlib import Path

import numpy as np
import pytest

from headwise import HeadwiseError
from headwise.components.tagging import Tagger, TaggerSettings, jackknife, tag_scores
from headwise.learning import Listener
from headwise.model import ModelError
from headwise.treebank import Sentence
from toy_tags import SMALL, toy_tagged


@pytest.mark.parametrize("learner", ["mira", "perceptron", "log-linear"])
def test_every_learner_learns_the_toy_language(
    learner: str, train_sentences: list[Sentence], test_sentences: list[Sentence]
) -> None:
    tagger = Tagger.train(train_sentences, learner=learner, **SMALL)
    scores = tag_scores(test_sentences, tagger.pipe(test_sentences))
    assert min(scores.measures().values()) > 0.97


def test_history_tells_an_ambiguous_word(tagger: Tagger) -> None:
    assert tagger(["The", "cloud", "cloud", "the", "cloud", "."]).upos[1:5] == ["NOUN", "VERB", "DET", "NOUN"]


def test_new_words_are_guessed_from_their_endings(tagger: Tagger) -> None:
    tagged = tagger(["The", "glumar", "blickova", "the", "дверьar", "."])
    assert tagged.upos == ["DET", "NOUN", "VERB", "DET", "NOUN", "PUNCT"]
    assert tagged.feats[1:3] == ["Number=Plur", "Tense=Past"]
    assert tagged.lemmas == ["the", "glum", "blick", "the", "дверь", "."]


def test_result_does_not_depend_on_threads_or_batches(tagger: Tagger, test_sentences: list[Sentence]) -> None:
    alone = [tagger(sentence) for sentence in test_sentences]
    assert list(tagger.pipe(test_sentences, threads=3, batch_size=7)) == alone
    assert list(tagger.pipe(test_sentences)) == alone


def model_bytes(tagger: Tagger, path: Path) -> bytes:
    tagger.save(path)
    return path.read_bytes()


def test_same_seed_same_bytes_whatever_the_threads(train_sentences: list[Sentence], tmp_path: Path) -> None:
    def train(**changes: int) -> bytes:
        return model_bytes(Tagger.train(train_sentences, **SMALL, **changes), tmp_path / "tagger.hw")

    assert train(seed=7) == train(seed=7, threads=2)
    assert train(seed=7) != train(seed=8)


def test_saved_tagger_comes_back(tagger: Tagger, test_sentences: list[Sentence], tmp_path: Path) -> None:
    tagger.save(tmp_path / "tagger.hw")
    loaded = Tagger.load(tmp_path / "tagger.hw")
    assert list(loaded.pipe(test_sentences)) == list(tagger.pipe(test_sentences))


def test_tagger_travels_as_tensors(tagger: Tagger, test_sentences: list[Sentence]) -> None:
    copy = Tagger.from_tensors(*tagger.to_tensors())
    assert list(copy.pipe(test_sentences)) == list(tagger.pipe(test_sentences))
    config, tensors = tagger.to_tensors()
    with pytest.raises(ModelError, match="not a usable tagger"):
        Tagger.from_tensors(config, {**tensors, "tags.weights": tensors["tags.weights"][:-1]})
    broken = tensors["tags.lexicon.labels"].copy()
    broken[0] = len(config["tags"])
    with pytest.raises(ModelError, match="lexicon is damaged"):
        Tagger.from_tensors(config, {**tensors, "tags.lexicon.labels": broken})


def test_everything_but_the_tagged_columns_stays(tagger: Tagger) -> None:
    text = (
        "# sent_id = 1\n"
        "1-2\tthedogar\t_\t_\t_\t_\t_\t_\t_\tSpaceAfter=No\n"
        "1\tthe\t_\t_\t_\t_\t2\tdet\t_\t_\n"
        "2\tdogar\t_\t_\t_\t_\t0\troot\t_\tx=y\n"
        "2.1\tgone\t_\t_\t_\t_\t_\t_\t_\t_\n\n"
    )
    from headwise.treebank import read

    sentence = next(read(text.encode()))
    expected = text.replace("the\t_\t_\t_\t_", "the\tthe\tDET\tDT\t_")
    expected = expected.replace("dogar\t_\t_\t_\t_\t0", "dogar\tdog\tNOUN\tNNS\tNumber=Plur\t0")
    assert str(tagger(sentence)) == expected


def test_columns_that_the_treebank_lacks_are_left_alone(train_sentences: list[Sentence]) -> None:
    plain = [Sentence.from_words(s.forms, upos=s.upos) for s in train_sentences]
    tagger = Tagger.train(plain, **SMALL)
    given = Sentence.from_words(["The", "dogar", "see"], lemmas=["a", "b", "c"], xpos=["x", "y", "z"])
    tagged = tagger(given)
    assert tagged.upos == ["DET", "NOUN", "VERB"]
    assert (tagged.lemmas, tagged.xpos, tagged.feats) == (["a", "b", "c"], ["x", "y", "z"], ["_"] * 3)


def test_a_treebank_with_only_fine_tags_can_be_learned(train_sentences: list[Sentence]) -> None:
    fine = [Sentence.from_words(s.forms, xpos=s.xpos) for s in train_sentences]
    tagged = Tagger.train(fine, **SMALL)(["The", "glumar", "blickova", "the", "dog", "."])
    assert tagged.xpos == ["DT", "NNS", "VBD", "DT", "NN", "."]
    assert tagged.upos == ["_"] * 6


def test_top_k_and_marginals_agree(tagger: Tagger) -> None:
    """Few enough sequences to list them all: their softmax gives the marginals."""
    words = ["The", "cloud", "cloudova", "."]
    every = tagger.top_k(words, 10_000)
    marginals = tagger.marginals(words)
    assert len(every) == math.prod(map(len, marginals))
    assert all(a.score >= b.score for a, b in itertools.pairwise(every))
    assert every[0].tags == list(zip(*columns(tagger(words)), strict=True))
    total = sum(math.exp(sequence.score - every[0].score) for sequence in every)
    for i, word in enumerate(marginals):
        assert sum(word.values()) == pytest.approx(1.0)
        for tag, probability in word.items():
            mass = sum(math.exp(s.score - every[0].score) for s in every if s.tags[i] == tag)
            assert probability == pytest.approx(mass / total, abs=1e-9)


def columns(sentence: Sentence) -> tuple[list[str], list[str], list[str]]:
    return sentence.upos, sentence.xpos, sentence.feats


def test_best_epoch_on_dev_is_kept(train_sentences: list[Sentence], test_sentences: list[Sentence]) -> None:
    tagger = Tagger.train(train_sentences[:8], test_sentences, bits=14, epochs=6)
    history = tagger.config.training["history"]
    best = max(history, key=lambda epoch: (epoch["dev"]["upos"] + epoch["dev"]["tags"]) / 2)
    assert tagger.config.training["best_epoch"] == best["epoch"]
    scores = tag_scores(test_sentences, tagger.pipe(test_sentences))
    assert scores.measures() == pytest.approx(best["dev"])


def test_jackknife_tags_each_part_with_the_others() -> None:
    sentences = toy_tagged(60, seed=3)
    # One word has a tag of its own: whoever saw it knows, and nobody else can.
    odd = Sentence.from_words(["zzz"], lemmas=["zzz"], upos=["X"], xpos=["FW"], feats=["Foreign=Yes"])
    messages: list[str] = []
    tagged = jackknife(
        [*sentences, odd], 3, TaggerSettings(**SMALL), listener=Listener(message=messages.append)
    )
    assert [s.forms for s in tagged] == [s.forms for s in [*sentences, odd]]
    assert tag_scores(sentences, tagged[:-1]).upos > 0.97
    assert tagged[-1].upos != ["X"]
    assert len(messages) == 3


def test_jackknife_needs_enough_sentences() -> None:
    with pytest.raises(HeadwiseError, match="choose from 2 to 3"):
        jackknife(toy_tagged(3, seed=1), 4)


@pytest.mark.parametrize(
    ("option", "value", "message"),
    [
        ("learner", "magic", "learner is 'magic', must be one of"),
        ("epochs", 0, "epochs is 0"),
        ("rate", -1.0, "rate is -1.0"),
        ("bits", 40, "bits is 40"),
        ("forgetting", -0.5, "forgetting is -0.5"),
    ],
)
def test_wrong_settings_are_named(option: str, value: object, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        TaggerSettings(**{option: value})


def test_training_on_nothing_is_an_error() -> None:
    with pytest.raises(HeadwiseError, match="no sentences"):
        Tagger.train([])
    with pytest.raises(HeadwiseError, match="has no tags"):
        Tagger.train([Sentence.from_words(["a", "b"])])


def test_wrong_templates_are_named(train_sentences: list[Sentence]) -> None:
    with pytest.raises(ValueError, match="it must speak of the label t"):
        Tagger.train(train_sentences, templates=("u.tag w.form",), **SMALL)


def test_a_lexicon_without_entries_is_an_error_and_no_crash(tagger: Tagger) -> None:
    """Two classes of one name, of which the linker kept one destructor, once aborted the process here."""
    config, tensors = tagger.to_tensors()
    nothing = {
        "keys": np.zeros(0, np.int64),
        "begins": np.zeros(1, np.int32),
        "labels": np.zeros(0, np.int32),
    }
    empty = {**tensors, **{f"tags.lexicon.{name}": array for name, array in nothing.items()}}
    with pytest.raises(ModelError, match="lexicon is damaged"):
        Tagger.from_tensors(config, empty)
