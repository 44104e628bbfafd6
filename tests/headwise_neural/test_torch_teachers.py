"""Learning from other networks: the loss against its definition, what is read, and what is learned by it."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from small_networks import NO_DROPOUT, SENTENCES, SMALL_TORCH, TINY, Twin

from headwise import Parser, Pipeline
from headwise.base.errors import HeadwiseError
from headwise.learning.loop import Listener
from headwise.training import TrainingSettings, train_parser
from headwise.training.members import joined, member_seed
from headwise.training.neural import lessons
from headwise.training.neural.lessons import KEPT, Likely
from headwise.training.neural.losses import Objective, TaughtObjective, taught_losses
from headwise.training.neural.teachers import TaughtTreebank, Teacher, lessons_of, teachers_of
from headwise.training.neural.treebank import Batch
from headwise.training.unlabelled import read_unlabelled
from headwise.treebank import Sentence
from headwise.words.clusters import Clusters, Word
from toy_language import SMALL, toy_treebank

DEV = toy_treebank(15, seed=2)
UNLABELLED = toy_treebank(80, seed=3)


@pytest.fixture(autouse=True)
def one_thread() -> None:
    torch.set_num_threads(1)


def settings(**changes: Any) -> TrainingSettings:
    chosen = {**SMALL_TORCH, **NO_DROPOUT, **changes.pop("torch", {})}
    return TrainingSettings.preset("network", torch=chosen, network={"bits": 32}, calibrate=False, **changes)


@pytest.fixture(scope="module")
def teacher(tmp_path_factory: pytest.TempPathFactory) -> Path:
    torch.set_num_threads(1)
    path = tmp_path_factory.mktemp("models") / "teacher.hw"
    train_parser(SENTENCES, None, settings(torch={"epochs": 30, "width": 32})).save(path)
    return path


def twin_teacher(twin: Twin) -> Teacher:
    return Teacher(
        twin.network,
        np.asarray(twin.parser.weights["vocabulary"]),
        torch.arange(twin.network.biaffine.label_count),
        None,
    )


def taught_batch(twin: Twin, teachers: list[Teacher], chosen: list[int], unlabelled: int = 0) -> Batch:
    examples = twin.examples
    treebank = TaughtTreebank(
        examples[: len(examples) - unlabelled],
        examples[len(examples) - unlabelled :],
        twin.network.config,
        np.asarray(twin.parser.weights["vocabulary"]),
        twin.network.biaffine.label_count,
        teachers,
        tags=None,
        words=1.0,
        device=torch.device("cpu"),
    )
    return treebank.batch(np.array(chosen))


def entropy(p: np.ndarray, q: np.ndarray) -> float:
    there = p > 0
    return float(-(p[there] * np.log(q[there])).sum())


@pytest.fixture
def all_is_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lessons, "KEPT", 64)


@pytest.mark.usefixtures("all_is_kept")
def test_the_loss_is_the_cross_entropy_of_the_teachers_mean() -> None:
    """Word by word, in plain NumPy."""
    student, *others = (Twin.random(seed=seed) for seed in (1, 2, 3))
    teachers = [twin_teacher(twin) for twin in others]
    chosen = [0, 3, 5]
    batch = taught_batch(student, teachers, chosen)
    objective = TaughtObjective("heads", True, True, 1.0)
    loss, _ = objective.of(student.network, batch)
    scores = [twin.network(batch) for twin in (student, *others)]
    expected = 0.0
    for row, sentence in enumerate(student.order(chosen)):
        n = len(SENTENCES[sentence])
        heads = [s.arcs[row, : n + 1, 1 : n + 1].double().softmax(0).detach().numpy() for s in scores]
        labels = [
            twin.network.biaffine.labels(batch, s, batch.heads)[row, :n].double().softmax(-1).detach().numpy()
            for twin, s in zip((student, *others), scores, strict=True)
        ]
        for found in (heads, labels):
            expected += entropy(np.mean(found[1:], axis=0), found[0])
    assert float(loss.detach()) == pytest.approx(expected, rel=1e-4)


@pytest.mark.usefixtures("all_is_kept")
def test_a_teacher_has_nothing_to_teach_itself() -> None:
    twin = Twin.random()
    own = twin_teacher(twin)
    batch = taught_batch(twin, [own], [0, 1, 2])
    loss, _ = TaughtObjective("heads", True, True, 1.0).of(twin.network, batch)
    loss.backward()  # type: ignore[no-untyped-call]
    assert float(loss.detach()) > 1.0  # its entropy
    for table in twin.network.parameters():
        if table.grad is not None:
            assert float(table.grad.abs().max()) < 1e-4


def test_shares_are_mixed_and_sentences_without_trees_are_the_teachers_alone() -> None:
    twin, other = Twin.random(seed=1), Twin.random(seed=2)
    teachers = (twin_teacher(other),)

    def loss(share: float, batch: Batch) -> float:
        return float(TaughtObjective("heads", True, True, share).of(twin.network, batch)[0].detach())

    batch = taught_batch(twin, list(teachers), [0, 1, 2])
    plain = float(Objective("heads", True, True).of(twin.network, batch)[0].detach())
    assert loss(0.0, batch) == pytest.approx(plain, rel=1e-5)
    assert loss(0.25, batch) == pytest.approx(0.75 * plain + 0.25 * loss(1.0, batch), rel=1e-5)
    partly = batch.heads.clone()
    partly[:, 1:] = -1  # a word of each sentence is annotated
    halves = replace(batch, heads=partly)
    known = float(Objective("heads", True, True).of(twin.network, halves)[0].detach())
    by_word = taught_losses(twin.network.biaffine, twin.network(halves), halves).detach()
    first, others = float(by_word[:, 0].sum()), float(by_word[:, 1:].sum())
    assert loss(0.25, halves) == pytest.approx(0.75 * known + 0.25 * first + others, rel=1e-5)
    nothing = torch.full_like(batch.heads, -1)
    unknown = replace(batch, heads=nothing, labels=nothing)
    assert loss(0.25, unknown) == pytest.approx(loss(1.0, unknown), rel=1e-5)


def test_unlabelled_sentences_come_one_after_the_other() -> None:
    twin = Twin.random()
    treebank = TaughtTreebank(
        twin.examples[:10],
        twin.examples[10:],
        TINY,
        np.asarray(twin.parser.weights["vocabulary"]),
        twin.network.biaffine.label_count,
        [twin_teacher(twin)],
        tags=None,
        words=0.5,
        device=torch.device("cpu"),
    )
    drawn = len(treebank) - 10
    words = treebank.lengths[:10].sum() / 2
    assert abs(drawn * treebank.lengths[10:].mean() - words) < treebank.lengths.max()
    seen = [
        i - 10
        for passes in range(20)
        for i in treebank.drawn(np.arange(len(treebank)), passes).tolist()
        if i >= 10
    ]
    assert seen == [i % 20 for i in range(20 * drawn)]
    assert treebank.drawn(np.arange(10), 7).tolist() == list(range(10))


def test_teachers_with_other_vectors_read_for_themselves() -> None:
    """What a teacher holds does not depend on who learns from it."""
    other = Twin.random(replace(TINY, pieces=0), seed=3)
    first, second = (
        taught_batch(twin, [twin_teacher(other)], [0, 1]).lesson for twin in (Twin.random(), other)
    )
    assert first is not None
    assert second is not None
    assert torch.equal(first.heads.choices, second.heads.choices)
    torch.testing.assert_close(first.labels.probabilities, second.labels.probabilities)


def test_what_is_kept_of_a_distribution() -> None:
    torch.manual_seed(1)
    wide, narrow = torch.rand(3, 2, 2 * KEPT).softmax(-1), torch.rand(3, 2, 3).softmax(-1)
    for whole in (wide, narrow):
        likely = Likely.of(whole)
        assert likely.choices.shape == (3, 2, KEPT)
        torch.testing.assert_close(likely.probabilities.sum(-1), torch.ones(3, 2))
        rest = whole.sort(dim=-1, descending=True).values[..., :KEPT]
        kept = min(KEPT, whole.shape[-1])
        torch.testing.assert_close(likely.probabilities[..., :kept], rest / rest.sum(-1, keepdim=True))
    logs = torch.rand(3, 2, 3).log_softmax(-1)
    torch.testing.assert_close(Likely.of(narrow).cross_entropies(logs), -(narrow * logs).sum(-1))
    nothing = Likely.of(torch.zeros(1, 4))
    assert nothing.probabilities.tolist() == [[0.0] * KEPT]


def test_lessons_are_those_of_the_sentences_of_a_batch(monkeypatch: pytest.MonkeyPatch) -> None:
    """Asked about all at once or about a few after the other, teachers say the same."""
    twin = Twin.random()
    teachers = [twin_teacher(Twin.random(seed=2)), twin_teacher(Twin.random(replace(TINY, pieces=0), seed=3))]
    every = taught_batch(twin, teachers, list(range(len(twin.examples))), unlabelled=5).lesson
    monkeypatch.setattr("headwise.training.neural.teachers.WORDS_AT_ONCE", 20)
    few = taught_batch(twin, teachers, [3, 29], unlabelled=5).lesson
    assert every is not None
    assert few is not None
    order = twin.order(list(range(len(twin.examples))))
    for row, sentence in enumerate(twin.order([3, 29])):
        n, place = len(SENTENCES[sentence]), order.index(sentence)
        assert torch.equal(every.heads.choices[place, :n], few.heads.choices[row, :n])
        assert torch.equal(every.asked[place, :n], few.asked[row, :n])
        assert not few.labels.probabilities[row, n:].any()


def test_shorter_vectors_are_as_like_each_other_as_may_be() -> None:
    """Products of vectors are kept as well as any of this length can: the singular values that are lost."""
    own = twin_teacher(Twin.random())
    long = own.vectors(12).reshape(-1, 12).astype(np.float64)
    short = own.vectors(5).reshape(-1, 5).astype(np.float64)
    lost = np.linalg.svd(long, compute_uv=False)[5:]
    assert np.linalg.norm(long @ long.T - short @ short.T) == pytest.approx(
        np.sqrt((lost**4).sum()), rel=1e-3
    )


def bare(sentence: Sentence) -> Sentence:
    return Sentence.from_words(sentence.forms, upos=sentence.upos, xpos=sentence.xpos)


def agreement(parser: Parser, other: Parser) -> float:
    heads = [parser.pipe(DEV), other.pipe(DEV)]
    return float(np.mean(np.concatenate([a.heads == b.heads for a, b in zip(*heads, strict=True)])))


def test_a_student_learns_from_what_only_the_teacher_knows(teacher: Path, tmp_path: Path) -> None:
    """Of three annotated sentences alone, less is learned."""
    unlabelled = tmp_path / "more.conllu"
    unlabelled.write_bytes(b"".join(bare(s).to_bytes() for s in UNLABELLED))
    torch_settings = {"epochs": 25}
    knows = Parser.load(teacher)
    alone = train_parser(SENTENCES[:3], None, settings(torch=torch_settings))
    teaching = {"teachers": (str(teacher),), "unlabelled": str(unlabelled), "words": 10.0}
    messages: list[str] = []
    student = train_parser(
        SENTENCES[:3],
        None,
        settings(torch={**torch_settings, "vectors": 8}, teaching=teaching),
        listener=Listener(message=messages.append),
    )
    assert student.config.network is not None
    assert student.config.network.vectors == 8
    assert "learning from 1 network, 80 sentences without trees" in messages
    assert agreement(student, knows) > agreement(alone, knows) + 0.05
    stored = student.config.training["settings"]["teaching"]
    assert stored["teachers"] == ["teacher.hw"]
    assert stored["unlabelled"] == "more.conllu"


def test_seeds_decide_everything(teacher: Path) -> None:
    chosen = settings(teaching={"teachers": (str(teacher),)}, torch={"epochs": 2})
    first, again = (train_parser(SENTENCES, None, chosen, unlabelled=UNLABELLED) for _ in range(2))
    for name in ("network", "vectors", "vocabulary"):
        assert np.asarray(first.weights[name]).tobytes() == np.asarray(again.weights[name]).tobytes()


def test_a_pipeline_teaches_tags_too_and_reads_raw_text(tmp_path: Path) -> None:
    text = tmp_path / "more.txt"
    text.write_text(" ".join(" ".join(s.forms) for s in UNLABELLED) + "\n", encoding="utf-8")
    chosen = settings(torch={"epochs": 3})
    first = Pipeline.train(SENTENCES, DEV, settings=chosen, jackknife=2)
    first.save(tmp_path / "first.hw")
    teaching = {"teachers": (str(tmp_path / "first.hw"),), "unlabelled": str(text)}
    taught = settings(torch={"epochs": 3}, teaching=teaching)
    second = Pipeline.train(SENTENCES, DEV, settings=taught, jackknife=2)
    assert second.parser.config.network is not None
    assert second.parser.config.network.tag_count == len(second.tagger.config.tags)
    # Without a development set, the parser that fits probabilities is taught from the same text.
    fitted = Pipeline.train(SENTENCES * 4, settings=taught.changed(calibrate=True), jackknife=2)
    assert fitted.parser.config.calibration is not None
    (loaded,) = teachers_of(tmp_path / "first.hw", second.parser.config, second.tagger.config.tags)
    assert loaded.tags is not None
    assert loaded.tags.tolist() == list(range(len(second.tagger.config.tags)))


def test_all_networks_of_a_model_teach(teacher: Path, tmp_path: Path) -> None:
    """A model with two networks says what two models with one say."""
    other = train_parser(SENTENCES, None, settings(torch={"epochs": 3, "width": 32}, seed=2))
    other.save(tmp_path / "other.hw")
    joined([Parser.load(teacher), other]).save(tmp_path / "both.hw")
    twin = Twin.random()
    apart, together = (
        taught_batch(twin, [t for file in files for t in teachers_of(file, twin.parser.config)], [0, 1, 2])
        for files in ([teacher, tmp_path / "other.hw"], [tmp_path / "both.hw"])
    )
    assert apart.lesson is not None
    assert together.lesson is not None
    assert torch.equal(apart.lesson.heads.probabilities, together.lesson.heads.probabilities)


@pytest.fixture(scope="module")
def well_read(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, TrainingSettings]:
    """A pipeline whose network reads clusters and vectors of words, and its settings."""
    torch.set_num_threads(1)
    folder = tmp_path_factory.mktemp("files")
    forms = sorted({form for sentence in SENTENCES for form in sentence.forms})
    paths = [format(64 + number, "b") for number in range(len(forms))]
    Clusters(Word(form, 1, path) for form, path in zip(forms, paths, strict=True)).save(folder / "c.txt")
    rows = [f"{form} {number} 1 -1\n" for number, form in enumerate(forms)]
    (folder / "v.txt").write_text(f"{len(forms)} 3\n" + "".join(rows), encoding="utf-8")
    words = {"clusters": (str(folder / "c.txt"),), "vectors": str(folder / "v.txt")}
    chosen = settings(torch={"epochs": 2}, words=words)
    Pipeline.train(SENTENCES, settings=chosen, jackknife=2).save(folder / "teacher.hw")
    return folder / "teacher.hw", chosen


def word_tables(parser: Parser) -> dict[str, bytes]:
    view = parser.config.words
    return {name: np.asarray(parser.weights[name]).tobytes() for name in view.tables()} if view else {}


@pytest.mark.parametrize("named", ["nothing", "vectors", "both"])
def test_a_student_takes_the_clusters_and_vectors_of_its_teacher(
    well_read: tuple[Path, TrainingSettings], named: str
) -> None:
    file, teaching = well_read
    words = {"nothing": {}, "vectors": {"vectors": teaching.words.vectors}, "both": teaching.words}[named]
    heard: list[str] = []
    chosen = settings(torch={"epochs": 2}, teaching={"teachers": (str(file),)}, words=words)
    student = train_parser(SENTENCES, None, chosen, listener=Listener(message=heard.append))
    taken = {"nothing": "clusters and vectors", "vectors": "clusters", "both": None}[named]
    told = [line for line in heard if line.startswith("words are looked up")]
    assert told == ([f"words are looked up in the {taken} of {file}"] if taken else [])
    assert set(word_tables(student)) == {"clusters.1", "word_vectors", "word_vectors.words"}
    assert word_tables(student) == word_tables(Pipeline.load(file).parser)


def test_a_pipeline_takes_them_too(well_read: tuple[Path, TrainingSettings], tmp_path: Path) -> None:
    """Its parser has them for its features, too."""
    file, _ = well_read
    small = {**SMALL, "preset": "second", "torch": {**SMALL_TORCH, **NO_DROPOUT, "epochs": 2}}
    student = Pipeline.train(SENTENCES, **small, jackknife=2, teaching={"teachers": (str(file),)})
    student.save(tmp_path / "student.hw")
    assert word_tables(student.parser) == word_tables(Pipeline.load(file).parser)
    assert any("cluster" in line for line in student.parser.config.arc_templates)
    found, again = (
        [(p.sentence.upos, p.heads.tolist()) for p in model(" ".join(UNLABELLED[0].forms))]
        for model in (student, Pipeline.load(tmp_path / "student.hw"))
    )
    assert found == again


def test_other_clusters_than_the_teachers_are_refused(
    well_read: tuple[Path, TrainingSettings],
) -> None:
    file, _ = well_read
    with pytest.raises(HeadwiseError, match="Give the same files"):
        teachers_of(file, replace(Pipeline.load(file).parser.config, words=None))


def test_labels_that_the_teacher_does_not_know(teacher: Path) -> None:
    config = Parser.load(teacher).config
    labels = ["strange", *reversed(config.labels)]
    (found,) = teachers_of(teacher, replace(config, labels=labels))
    assert found.labels.tolist() == [-1, *range(len(config.labels) - 1, -1, -1)]
    with pytest.raises(HeadwiseError, match="none of the treebank's labels"):
        teachers_of(teacher, replace(config, labels=["strange"]))


def test_what_cannot_teach(tmp_path: Path) -> None:
    plain = train_parser(
        SENTENCES,
        None,
        TrainingSettings.preset("first", epochs=1, arc_bits=10, label_bits=10, calibrate=False),
    )
    plain.save(tmp_path / "plain.hw")
    with pytest.raises(HeadwiseError, match="it has no network"):
        teachers_of(tmp_path / "plain.hw", plain.config)
    messages: list[str] = []
    absent = settings(teaching={"teachers": (str(tmp_path / "absent.hw"),)})
    with pytest.raises(HeadwiseError, match=r"absent\.hw"):
        train_parser(SENTENCES, None, absent, listener=Listener(message=messages.append))
    assert not messages  # it is said before any work is done
    with pytest.raises(ValueError, match="PyTorch"):
        TrainingSettings(teaching={"teachers": ("a.hw",)})
    with pytest.raises(ValueError, match=r"needs teaching\.teachers"):
        settings(teaching={"unlabelled": "a.conllu"})
    (tmp_path / "a.txt").write_text("one two\n", encoding="utf-8")
    with pytest.raises(HeadwiseError, match="no treebank file"):
        read_unlabelled(tmp_path / "a.txt")


def test_teachers_are_asked_once_for_several_networks(teacher: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    asked = []

    def counted(*arguments: Any) -> Any:
        asked.append(arguments)
        return lessons_of(*arguments)

    monkeypatch.setattr("headwise.training.neural.teachers.lessons_of", counted)
    taught = settings(torch={"epochs": 2}, teaching={"teachers": (str(teacher),)})
    both = train_parser(SENTENCES, None, taught.changed(network__members=2))
    assert len(asked) == 1
    second = train_parser(SENTENCES, None, replace(taught, seed=member_seed(taught.seed, 2)))
    for name in ("network", "vectors"):
        assert np.array_equal(both.weights[f"{name}.2"], second.weights[name])


def test_an_interruption_while_teachers_are_asked(
    teacher: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A network alone is no parser before it has learned something: there is a small one in its place."""

    def interrupt(*_: Any) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("headwise.training.neural.teachers.lessons_of", interrupt)
    taught = settings(torch={"epochs": 1}, teaching={"teachers": (str(teacher),)})
    pipeline = Pipeline.train(SENTENCES, DEV, settings=taught, jackknife=2)
    for parser in (train_parser(SENTENCES, None, taught), pipeline.parser):
        assert parser.config.network is None
        assert parser.config.arc_templates
