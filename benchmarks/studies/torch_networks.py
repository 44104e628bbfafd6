"""Networks that PyTorch trains, on a GPU: choices, several in one parser, committees that teach small ones.

Networks are kept in build/benchmarks and not trained again; figures are of test sets with gold tags, speeds
of first passes, tokens a second of processor time.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path
from typing import Any

from benchmarks.engine import PYTORCH, Found, NotMeasuredError, Result, Row, Scale, Study, Task, shown
from benchmarks.measuring.corpus import Corpus
from benchmarks.measuring.data import data
from benchmarks.measuring.raw_words import RawWords
from benchmarks.measuring.speed import first_passes
from benchmarks.measuring.texts import WORK, made, texts_of
from benchmarks.measuring.training import measure, pair, train_task
from headwise import Parser
from headwise.training import TrainingSettings, train_parser
from headwise.training.members import joined

TREEBANKS = (
    "UD_English-EWT",
    "CoNLLX_Dutch-Alpino",
    "CoNLLX_Swedish-Talbanken05",
    "CoNLLX_Portuguese-Bosque",
    "CoNLLX_Danish-DDT",
)
PLAIN: dict[str, object] = {"recurrent_dropout": 0.0}
PIECES = {**PLAIN, "pieces": 5}
CHOICES: dict[str, Mapping[str, object]] = {
    "three layers of 400": PLAIN,
    "… and pieces of up to five characters": PIECES,
    "… and pieces, and 256 wide": {**PIECES, "width": 256},
    "… and pieces, and two layers": {**PIECES, "layers": 2},
    "… and pieces, and a quarter left out, not a third": {**PIECES, "dropout": 0.25},
    "… and pieces, and the likelihood of trees": {**PIECES, "loss": "trees"},
    "recurrent dropout 0.33": {"recurrent_dropout": 0.33},
    "recurrent dropout 0.5": {"recurrent_dropout": 0.5},
    "recurrent dropout 0.33, 0.4 between layers": {"recurrent_dropout": 0.33, "dropout": 0.4},
    "recurrent dropout 0.33, pieces of up to four characters": {"recurrent_dropout": 0.33, "pieces": 4},
}
NETWORK = {"width": 288, "layers": 3, "vectors": 160, "arcs": 320, "labels": 160, "batch": 5000}
"""Two of these take about as long as one of three layers of 400."""
SEVERAL_WORDS = 24_000_000
"""That a network reads in training."""
TEACHER = {"width": 320, "layers": 3, "vectors": 192, "arcs": 320, "labels": 160, "batch": 5000}
TEACHERS: dict[str, dict[str, Any]] = {
    "the treebank alone": {},
    "vectors": {"knows": ["vectors"]},
    "vectors, clusters": {"knows": ["vectors", "clusters"]},
    "vectors, pieces of words": {"knows": ["vectors"], "pieces": 5},
    "vectors, recurrent dropout 0.5": {"knows": ["vectors"], "recurrent_dropout": 0.5},
}
"""What they know beyond the treebank, and what else differs."""
FIRST = "vectors, clusters"
"""Whose vectors of atoms the pupils start from."""
STUDENT = {
    "width": 256,
    "layers": 3,
    "vectors": 160,
    "arcs": 320,
    "labels": 160,
    "batch": 5000,
    "dropout": 0.25,
    "recurrent_dropout": 0.2,
    "knows": ["vectors", "clusters"],
}
TEACHER_WORDS, STUDENT_WORDS = 16_500_000, 20_000_000
VECTOR_WORDS, TAGGED_WORDS = 24_000, 1_000_000
SMALL = {"width": 16, "layers": 1, "vectors": 8, "arcs": 8, "labels": 8}
"""For a try."""


def corpus_for(treebank: str, quick: bool) -> Corpus:
    corpus = Corpus.load(treebank)
    return corpus.shortened(train=40, others=10) if quick else corpus


def kept(name: str, train: Callable[[], Parser]) -> Path:
    return made(f"models/{name}.hw", lambda path: train().save(path))


def measured(corpus: Corpus, parsers: Mapping[str, Parser]) -> Result:
    """What they get right on test, and their first passes in turn."""
    files = {name: kept(f"{corpus.name}, {name}", lambda one=one: one) for name, one in parsers.items()}
    passes = first_passes(corpus.name, {name: {"path": str(file)} for name, file in files.items()}, rounds=3)
    return {
        name: {"test": {"map": measure(one, corpus.test, "map", corpus.protocol)}, **passes[name]}
        for name, one in parsers.items()
    }


def several(treebank: str, weight: float = 0.4, networks: int = 2, quick: bool = False) -> Result:
    """Networks, each with a seed of its own, alone and beside features of third order."""
    corpus = corpus_for(treebank, quick)

    def network(seed: int) -> Parser:
        epochs = 1 if quick else max(1, round(SEVERAL_WORDS / corpus.words))
        torch = {"use": True, "epochs": epochs, **NETWORK, **(SMALL if quick else {})}
        settings = TrainingSettings.preset("network", torch=torch, seed=seed, calibrate=False)
        return train_parser(corpus.train, corpus.dev or None, settings)

    seeds = range(1, networks + 1)
    made_ones = [
        Parser.load(kept(f"{corpus.name}.{seed}{'.quick' * quick}", partial(network, seed))) for seed in seeds
    ]
    third = third_order(corpus, {})
    parsers = {
        "one network": made_ones[0],
        f"{networks} networks": joined(made_ones),
        "third": third,
        "third + one": joined([third, made_ones[0]], weight=weight),
        f"third + {networks}": joined([third, *made_ones], weight=weight),
    }
    return measured(corpus, parsers)


def third_order(corpus: Corpus, words: Mapping[str, Any]) -> Parser:
    settings = TrainingSettings.preset("third", words=dict(words), calibrate=False)
    return train_parser(corpus.train, corpus.dev or None, settings)


def committee(treebank: str, weight: float = 0.3, quick: bool = False) -> Result:
    """Five networks teach two smaller ones, on the treebank and on as many words of raw text."""
    corpus, folder = corpus_for(treebank, quick), WORK / "committees"
    texts = texts_of(corpus.name) if (data() / "text").exists() else []
    amounts = {"clusters": 4, "min_count": 1, "width": 4} if quick else {}
    words = RawWords.of(corpus, texts, folder, tagged_words=2_000 if quick else TAGGED_WORDS, **amounts)

    def known(kinds: list[str]) -> dict[str, Any]:
        files = {"vectors": str(words.vectors), "clusters": (str(words.clusters),)}
        return {**{kind: files[kind] for kind in kinds}, "vector_words": VECTOR_WORDS}

    def network(choice: dict[str, Any], to_read: int, teachers: list[Path], seed: int) -> Parser:
        shape = {name: value for name, value in choice.items() if name != "knows"}
        epochs = 1 if quick else max(1, round(to_read / (corpus.words * (2 if teachers else 1))))
        teaching = (
            {"teachers": tuple(map(str, teachers)), "unlabelled": str(words.tagged)} if teachers else {}
        )
        settings = TrainingSettings.preset(
            "network",
            torch={"use": True, "epochs": epochs, **shape, **(SMALL if quick else {})},
            words=known(choice.get("knows", [])),
            teaching=teaching,
            seed=seed,
            calibrate=False,
        )
        return train_parser(corpus.train, corpus.dev or None, settings)

    files = {
        name: kept(
            f"{corpus.name}.teacher-{number}", partial(network, {**TEACHER, **choice}, TEACHER_WORDS, [], 1)
        )
        for number, (name, choice) in enumerate(TEACHERS.items(), 1)
    }
    teachers = [files[FIRST], *(file for name, file in files.items() if name != FIRST)]
    taught = [
        Parser.load(
            kept(f"{corpus.name}.taught-{seed}", partial(network, STUDENT, STUDENT_WORDS, teachers, seed))
        )
        for seed in (1, 2)
    ]
    third = third_order(corpus, known(["clusters"]))
    parsers = {
        "one": taught[0],
        "two": joined(taught),
        "third + one": joined([third, taught[0]], weight=weight),
        "third + two": joined([third, *taught], weight=weight),
    }
    of_teachers = {
        name: {"test": {"map": measure(Parser.load(file), corpus.test, "map", corpus.protocol)}}
        for name, file in files.items()
    }
    return {"teachers": of_teachers, "taught": measured(corpus, parsers)}


def files(treebank: str, names: list[str]) -> Result:
    """Parsers in files of build/benchmarks/models side by side: dev, test, first passes in turn, size."""
    corpus = Corpus.load(treebank)
    paths = {name: WORK / "models" / f"{name}.hw" for name in names}
    passes = first_passes(treebank, {name: {"path": str(path)} for name, path in paths.items()})
    result: Result = {}
    for name, path in paths.items():
        parser = Parser.load(path)
        parts = {part: getattr(corpus, part) for part in ("dev", "test")}
        result[name] = {
            part: {"map": measure(parser, own, "map", corpus.protocol)} for part, own in parts.items()
        }
        result[name] |= {**passes[name], "megabytes": path.stat().st_size / 1e6}
    return result


def tasks(scale: Scale) -> dict[str, Task]:
    quick = {} if scale.is_full else {"quick": True}
    on_gpu: dict[str, Any] = {"depends": PYTORCH, "needs": "a GPU"}
    found = {}
    for treebank in TREEBANKS[: scale.treebanks]:
        found[f"several {treebank}"] = Task(
            "studies.torch_networks:several", treebank=treebank, **on_gpu, **quick
        )
        found[f"committee {treebank}"] = Task(
            "studies.torch_networks:committee", treebank=treebank, **on_gpu, **quick
        )
    for name, changes in CHOICES.items():
        torch = (
            {"use": True, "epochs": 60, **changes}
            if scale.is_full
            else {"use": True, **changes, **SMALL, "epochs": 1}
        )
        own = {"preset": "network", "dev": "own", "parts": ["dev"], "protocol": None}
        found[f"choice {name}"] = train_task(scale, "UD_English-EWT", {"torch": torch}, **on_gpu, **own)
    models = ["teacher", "large", "small", "third+large", "third+small"]
    found["distilled"] = Task(
        "studies.torch_networks:files", **on_gpu, treebank="UD_English-EWT", names=models
    )
    return found


def rows_of(prefix: str, part: str | None, timed: tuple[str, ...], found: Found) -> list[Row]:
    """UAS / LAS by treebank and parser, and the speeds of some."""
    rows = []
    for treebank, result in found.named(prefix).items():
        own = result[part] if part else result
        row = {"treebank": treebank} | {name: pair(one) for name, one in own.items()}
        row |= {f"tokens/s: {name}": shown(own[name]["tokens_a_second"], 0) for name in timed}
        rows.append(row)
    if not rows:
        raise NotMeasuredError
    return rows


def file_rows(found: Found) -> list[Row]:
    return [
        {
            "Model": name,
            "dev": pair(one, "dev"),
            "test": pair(one),
            "tokens/s": shown(one["tokens_a_second"], 0),
            "MB": shown(one["megabytes"], 1),
        }
        for name, one in found["distilled"].items()
    ]


def choice_rows(found: Found) -> list[Row]:
    rows = []
    for name, one in found.named("choice ").items():
        uas, _, las = pair(one, "dev").partition(" / ")
        rows.append({"network": name, "UAS": uas, "LAS": las})
    return rows


STUDY = Study(
    "torch-networks",
    "What do networks trained by PyTorch bring, several of them, and committees as teachers?",
    tasks,
    {
        "torch-training-choices": choice_rows,
        "several-networks": partial(rows_of, "several ", None, ("third + one", "third + 2")),
        "committees": partial(rows_of, "committee ", "taught", ("third + one", "third + two")),
        "committee-teachers": partial(rows_of, "committee ", "teachers", ()),
        "distillation": file_rows,
    },
    padded=False,
)
