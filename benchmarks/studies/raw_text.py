"""From raw text: bundled pipelines, tokenizers and taggers, what compression costs, what commands take.

The raw text is put together from the treebank (an empty line between paragraphs). Scores are F1 of the UD
scorer, from raw text and on gold tokens.
"""

from __future__ import annotations

import tempfile
from collections.abc import Mapping
from pathlib import Path

from benchmarks.engine import BUNDLED, PARSING, PYTORCH, TEXT, Found, Result, Row, Scale, Study, Task, shown
from benchmarks.measuring.commands import headwise, run
from benchmarks.measuring.data import find_treebank
from benchmarks.measuring.speed import processor_seconds
from benchmarks.measuring.texts import WORK
from benchmarks.measuring.training import corpus_of, cpu_seconds
from headwise import Pipeline, load
from headwise.components.tagging import Tagger, tag_scores
from headwise.components.text import Tokenizer
from headwise.components.text.raw_text import raw_text
from headwise.evaluation import evaluate
from headwise.model.bundled import model_path
from headwise.model.compression import compress_model
from headwise.treebank import Sentence, Treebank

BUNDLED_MODELS = ("en", "en-fast")
TREEBANKS = ("UD_English-EWT", "UD_English-GUM")
PRETRAINED = ("features", "network", "pretrained")
FROM_TEXT = ("tokens", "sentences", "words", "upos", "xpos", "ufeats", "lemmas", "uas", "las")
ON_GOLD_TOKENS = ("upos", "xpos", "ufeats", "lemmas", "uas", "las")
STEPS = (0.25, 0.5, 1.0, 2.0, 4.0)
SENTENCE = "She announced a program to promote safety in trucks and vans."
STREAMS = (1, 5)
"""Megabytes of text."""


def tasks(scale: Scale) -> dict[str, Task]:
    measured = {"measured": scale.measured}
    found = {
        f"{model} {treebank}": Task(
            "studies.raw_text:scored", BUNDLED, model=model, treebank=treebank, part="test", **measured
        )
        for model in BUNDLED_MODELS
        for treebank in TREEBANKS
    }
    for model in PRETRAINED:
        path = str(WORK / "models" / f"{model}.hw") if scale.is_full else BUNDLED_MODELS[0]
        needs = "a GPU"
        found[f"pretraining {model}"] = Task(
            "studies.raw_text:scored",
            PYTORCH,
            needs,
            model=path,
            treebank=TREEBANKS[0],
            part="dev",
            **measured,
        )
    depends = ("src/headwise/model", *TEXT)
    found["compression"] = Task(
        "studies.raw_text:compressed",
        depends,
        treebank=TREEBANKS[0],
        sentences=scale.sentences,
        epochs=scale.epochs,
        **measured,
    )
    for treebank in ("UD_English-EWT", "UD_French-Sequoia"):
        cut = {"sentences": scale.sentences, **measured}
        found[f"tags {treebank}"] = Task("studies.raw_text:tagged", TEXT, treebank=treebank, **cut)
    for model in BUNDLED_MODELS:
        for megabytes in STREAMS:
            found[f"stream {model} {megabytes}"] = Task(
                "studies.raw_text:streamed",
                (*PARSING, *TEXT),
                model=model,
                megabytes=megabytes / (1 if scale.is_full else 20),
            )
    return found


def scores_of(pipeline: Pipeline, gold: list[Sentence]) -> dict[str, dict[str, float]]:
    """F1 of each measure, in per cent, from raw text and on gold tokens."""
    from_text = [parse.to_sentence() for parse in pipeline(raw_text(gold))]
    tagged = [parse.to_sentence() for parse in pipeline.pipe_sentences(gold, tags="replace")]
    ways = (("raw text", FROM_TEXT, from_text), ("gold tokens", ON_GOLD_TOKENS, tagged))
    return {
        title: {name: 100 * getattr(scores, name).f1 for name in measures}
        for title, measures, system in ways
        if (scores := evaluate(gold, system, "ud"))
    }


def loaded(name: str | Path) -> Pipeline:
    model = load(name)
    if not isinstance(model, Pipeline):
        raise SystemExit(f"{name} is no pipeline")
    return model


def scored(model: str, treebank: str, part: str, measured: int | None = None) -> Result:
    return scores_of(loaded(model), list(Treebank.load(getattr(find_treebank(treebank), part)))[:measured])


def compressed(
    treebank: str, sentences: int | None = None, measured: int | None = None, epochs: int | None = None
) -> Result:
    """A pipeline of second order, compressed by several steps, as `headwise compress --step` does."""
    corpus = corpus_of(treebank, sentences, measured, dev="held-out")
    chosen = {"epochs": epochs} if epochs else {}
    pipeline = Pipeline.train(corpus.train, preset="second", jackknife=4, calibrate=False, **chosen)
    result: Result = {}
    with tempfile.TemporaryDirectory() as folder:
        model = Path(folder) / "pipeline.hw"
        pipeline.save(model)
        result["none"] = {"bytes": model.stat().st_size, **scores_of(pipeline, corpus.dev)}
        for step in STEPS:
            small = Path(folder) / f"{step}.hw"
            done = compress_model(model, small, coarseness=step)
            share = done.zeros / done.weights
            own = scores_of(Pipeline.load(small), corpus.dev)
            result[f"{step:g}"] = {"bytes": small.stat().st_size, "zeros": share, **own}
    return result


def compression_rows(found: Found) -> list[Row]:
    rows = []
    for step, one in found["compression"].items():
        row = {
            "step": f"{step} (default)" if step == "0.25" else step,
            "file": f"{one['bytes'] / 1e6:.1f} MB",
        }
        row["weights that are zero"] = f"{100 * one['zeros']:.0f} %" if "zeros" in one else ""
        for title, measures in (("raw text", ("upos", "uas", "las")), ("gold tokens", ("upos", "las"))):
            row |= {f"{title}: {measure.upper()}": shown(one[title][measure]) for measure in measures}
        rows.append(row)
    return rows


def pipeline_rows(names: Mapping[str, Row], measures: tuple[str, ...], found: Found) -> list[Row]:
    """Scores of pipelines from raw text and on gold tokens, by columns of their own."""
    return [
        row
        | {
            f"{title}: {measure}": shown(found[name][title][measure])
            for title in ("raw text", "gold tokens")
            for measure in measures
        }
        for name, row in names.items()
    ]


OF_BUNDLE = {f"{m} {t}": {"Model": m, "Treebank": t} for m in BUNDLED_MODELS for t in TREEBANKS}
OF_PRETRAINING = {f"pretraining {model}": {"Model": model} for model in PRETRAINED}


def card_rows(model: str, found: Found) -> list[Row]:
    rows = []
    for treebank in TREEBANKS:
        for title, one in found[f"{model} {treebank}"].items():
            row = {"test set, input": f"{treebank.rpartition('-')[2]}, {title}"}
            for name in FROM_TEXT:
                heading = name.upper() if len(name) < 5 else {"ufeats": "features"}.get(name, name)
                row[heading] = shown(one.get(name))
            rows.append(row)
    return rows


def tagged(treebank: str, sentences: int | None = None, measured: int | None = None) -> Result:
    """A tokenizer and a tagger of a treebank: tags and lemmas on gold tokens, and all of it from raw text."""
    corpus = corpus_of(treebank, sentences, measured, dev="own")
    gold, text = corpus.test, raw_text(corpus.test)
    tokenizer, tokenizer_seconds = cpu_seconds(lambda: Tokenizer.train(corpus.train))
    tagger, tagger_seconds = cpu_seconds(lambda: Tagger.train(corpus.train, corpus.dev or None))
    split, splitting = processor_seconds(lambda: tokenizer(text))
    bare = [Sentence.from_words(sentence.forms) for sentence in gold]
    _, tagging = processor_seconds(lambda: list(tagger.pipe(bare)))
    raw = evaluate(with_some_tree(gold), with_some_tree(list(tagger.pipe(split))), "ud")
    names = ("tokens", "words", "sentences", "upos", "xpos", "ufeats", "all_tags", "lemmas")
    return {
        "raw text": {name: 100 * getattr(raw, name).f1 for name in names},
        "gold tokens": {n: 100 * x for n, x in tag_scores(gold, tagger.pipe(gold)).measures().items()},
        "tokenizer": {
            "train_seconds": tokenizer_seconds,
            "megabytes_a_second": len(text.encode()) / 1e6 / splitting,
        },
        "tagger": {"train_seconds": tagger_seconds, "tokens_a_second": sum(map(len, gold)) / tagging},
    }


def with_some_tree(sentences: list[Sentence]) -> list[Sentence]:
    """The scorer wants trees; which ones does not matter here."""
    return [s.with_tree([0] + [1] * (len(s) - 1), ["root"] + ["dep"] * (len(s) - 1)) for s in sentences]


def streamed(model: str, megabytes: float) -> Result:
    """The command, from a file of text to a file of CoNLL-U, start-up included: the text of EWT's training
    set, over and over, which is longer than what a network remembers."""
    train = Treebank.load(find_treebank(TREEBANKS[0]).train, validate="columns")
    text, words = raw_text(list(train)), sum(map(len, train))
    copies = megabytes * 1e6 / len(text.encode())
    if copies < 1:
        text, words, copies = text[: int(megabytes * 1e6)], int(words * copies), 1
    with tempfile.TemporaryDirectory() as folder:
        source = Path(folder) / "text.txt"
        source.write_text((text + "\n\n") * round(copies), encoding="utf-8")
        done = run([*headwise(), "parse", source, "-m", model, "-o", Path(folder) / "parsed.conllu"])
        start = run([*headwise(), "parse", SENTENCE, "-m", model])
    return {
        "words_a_second": words * round(copies) / done.cpu_seconds,
        "peak_megabytes": done.peak_bytes / 1e6,
        "one_sentence_seconds": start.cpu_seconds,
        "model_megabytes": model_path(model).stat().st_size / 1e6,
    }


STUDY = Study(
    "raw-text",
    "How good and fast is what begins with raw text?",
    tasks,
    {
        "pretraining-bundle": lambda f: pipeline_rows(OF_BUNDLE, ("upos", "xpos", "uas", "las"), f),
        "pretraining": lambda f: pipeline_rows(OF_PRETRAINING, ("upos", "xpos", "las"), f),
        "card-en": lambda f: card_rows("en", f),
        "card-en-fast": lambda f: card_rows("en-fast", f),
        "compression": compression_rows,
    },
    padded=False,
)
