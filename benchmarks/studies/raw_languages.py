"""From raw text to trees in eight languages, beside UDPipe 1, trained on the same files. Slow.

Headwise is trained by one command (`headwise train TRAIN --dev DEV --pipeline --preset accurate`), UDPipe 1
with its defaults: tokenizer, tagger, and a parser of the tagger's tags, the development set given. Both then
get the raw text of the test set, put together from the treebank (an empty line between paragraphs), and write
CoNLL-U; where a treebank does not say where spaces are, both are told the same usual rules. Speed is words a
second of processor time on one core, from text to CoNLL-U in memory: each text once, both in turn.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from statistics import fmean
from typing import Any

from benchmarks.engine import PARSING, TEXT, Found, Result, Row, Scale, Study, Task, shown
from benchmarks.measuring import texts
from benchmarks.measuring.attachment import counts_of_parses, read_counts, to_json
from benchmarks.measuring.commands import headwise, run
from benchmarks.measuring.corpus import Corpus
from benchmarks.measuring.data import find_treebank
from benchmarks.measuring.peer_udpipe import PACKAGE, UDPipeFromText
from benchmarks.measuring.speed import in_turn
from benchmarks.measuring.texts import made
from benchmarks.measuring.training import cpu_seconds
from headwise import Pipeline, load
from headwise.components.text.raw_text import raw_text, surface_tokens, writes_spaces
from headwise.components.text.spacing import Spacing, says_spacing
from headwise.evaluation import UniversalScores, evaluate, permutation_test
from headwise.treebank import Sentence, read
from headwise.treebank.probabilities import with_items

TREEBANKS = (
    "UD_French-Sequoia",
    "UD_Greek-GDT",
    "UD_Turkish-IMST",
    "UD_Gothic-PROIEL",
    "UD_Basque-BDT",
    "UD_English-EWT",
    "UD_Chinese-GSD",
    "UD_Dutch-LassySmall",
)
OURS = ("--pipeline", "--preset", "accurate", "--on-error", "skip")
MEASURES = {"tokens": "Tokens", "sentences": "Sentences", "upos": "UPOS", "ufeats": "UFeats"} | {
    "uas": "UAS",
    "las": "LAS",
}
DEPENDS = (*TEXT, *PARSING)
STRETCH = 100
"""Sentences of a text that is timed: no text is given twice."""
QUICK = {"train": 150, "others": 50}


def with_spacing(corpus: Corpus) -> Corpus:
    """With SpaceAfter=No, by the usual rules, where the treebank does not say how its tokens stand."""
    if says_spacing(corpus.train):
        return corpus
    spacing = Spacing.usual(corpus.train)

    def spaced(sentences: list[Sentence]) -> list[Sentence]:
        respaced = spacing.respaced(sentences)
        between = writes_spaces(respaced)
        return [noting_spaces(sentence, space_at_end=between) for sentence in respaced]

    return replace(corpus, train=spaced(corpus.train), dev=spaced(corpus.dev), test=spaced(corpus.test))


def noting_spaces(sentence: Sentence, *, space_at_end: bool) -> Sentence:
    spaces = [token.space_after for token in surface_tokens(sentence)]
    spaces[-1] = space_at_end
    if len(spaces) != len(sentence):
        raise SystemExit(f"{sentence.source}: a treebank with multiword tokens must say where spaces are")
    misc = [
        field if space else with_items(field, ["SpaceAfter=No"])
        for field, space in zip(sentence.misc, spaces, strict=True)
    ]
    return sentence.with_tree(sentence.heads, misc=misc)


def ours(corpus: Corpus, quick: bool) -> tuple[Callable[[str], bytes], float]:
    """From text to CoNLL-U, and the processor seconds that training took."""

    def train(path: Path) -> None:
        if quick:
            settings: dict[str, Any] = {"preset": "first", "epochs": 2, "calibrate": False}
            pipeline, seconds = cpu_seconds(lambda: Pipeline.train(corpus.train, corpus.dev, **settings))
            pipeline.save(path)
        else:
            split = find_treebank(corpus.name)
            assert split.dev is not None
            command = [*headwise(), "train", split.train, "--dev", split.dev, *OURS, "-o", path]
            seconds = run(command).cpu_seconds
        note_seconds(name, seconds)

    name = f"raw-languages/{corpus.name}{'-quick' if quick else ''}.hw"
    pipeline = load(made(name, train, DEPENDS))
    assert isinstance(pipeline, Pipeline)
    return lambda text: b"".join(p.to_sentence().to_bytes() for p in pipeline(text)), noted_seconds(name)


def theirs(corpus: Corpus, quick: bool) -> tuple[Callable[[str], bytes], float]:
    def train(path: Path) -> None:
        data, seconds = cpu_seconds(lambda: UDPipeFromText.train(corpus, quick=quick))
        path.write_bytes(data)
        note_seconds(name, seconds)

    name = f"raw-languages/{corpus.name}{'-quick' if quick else ''}.udpipe"
    return UDPipeFromText(made(name, train)), noted_seconds(name)


def note_seconds(name: str, seconds: float) -> None:
    (texts.WORK / f"{name}.json").write_text(json.dumps(seconds), encoding="utf-8")


def noted_seconds(name: str) -> float:
    return float(json.loads((texts.WORK / f"{name}.json").read_text(encoding="utf-8")))


def from_text(treebank: str, peer: bool, quick: bool = False) -> Result:
    """Our pipeline; with a peer UDPipe too, in turn."""
    corpus = with_spacing(Corpus.load(treebank))
    if quick:
        corpus = corpus.shortened(**QUICK)
    pipelines = {"Headwise": ours(corpus, quick)} | ({"UDPipe 1": theirs(corpus, quick)} if peer else {})
    warming = raw_text(corpus.train[:50])
    for to_trees, _ in pipelines.values():
        to_trees(warming)
    parts = [raw_text(corpus.test[i : i + STRETCH]) for i in range(0, len(corpus.test), STRETCH)]
    seconds = in_turn({name: to_trees for name, (to_trees, _) in pipelines.items()}, parts)
    result: Result = {}
    for name, (to_trees, training) in pipelines.items():
        sentences = list(read(to_trees(raw_text(corpus.test)), format="conllu"))
        # UDPipe writes trees with several roots where it was trained on a treebank that has some.
        scores = evaluate(corpus.test, sentences, "ud", multiple_roots=True)
        assert isinstance(scores, UniversalScores)
        result[name] = {measure: 100 * getattr(scores, measure).f1 for measure in MEASURES}
        result[name] |= {
            "counts": to_json(counts_of_parses(corpus.test, sentences, "ud")["las"]),
            "words_a_second": sum(map(len, sentences)) / sum(seconds[name]),
            "train_cpu_seconds": training,
        }
    return result


def tasks(scale: Scale) -> dict[str, Task]:
    quick = {} if scale.is_full else {"quick": True}
    return {
        f"{which} {treebank}": Task(
            "studies.raw_languages:from_text",
            DEPENDS,
            PACKAGE if which == "both" else "",
            treebank=treebank,
            peer=which == "both",
            **quick,
        )
        for which in ("alone", "both")
        for treebank in TREEBANKS[: scale.treebanks]
    }


def rows(which: str, found: Found) -> list[Row]:
    made_rows: list[Row] = []
    results = found.named(f"{which} ")
    for treebank, result in results.items():
        chances = {}
        if len(result) > 1:
            p = permutation_test(*(read_counts(one["counts"]) for one in result.values())).p_value
            chances = {"Headwise": f"{p:.4f}"}
        for name, one in result.items():
            row = {"Treebank": treebank.removeprefix("UD_")} | ({"Pipeline": name} if len(result) > 1 else {})
            made_rows.append(row | figures(one) | ({"p": chances.get(name, "")} if chances else {}))
    for name in next(iter(results.values())):
        numbers = [result[name] for result in results.values()]
        means = {key: fmean(one[key] for one in numbers) for key in numbers[0] if key != "counts"}
        made_rows.append(
            {"Treebank": "mean", **({"Pipeline": name} if which == "both" else {}), **figures(means)}
        )
    return made_rows


def figures(one: Result) -> Row:
    row = {title: shown(one[measure]) for measure, title in MEASURES.items()}
    row["Words/CPU s"] = shown(one["words_a_second"], 0)
    return row | {"Train CPU s": shown(one["train_cpu_seconds"], 0)}


STUDY = Study(
    "raw-languages",
    "From raw text in eight languages: how good and fast, beside UDPipe 1?",
    tasks,
    {
        "raw-languages-alone": lambda found: rows("alone", found),
        "raw-languages": lambda found: rows("both", found),
    },
)
