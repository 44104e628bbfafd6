"""Do probabilities mean what they say, and do they find errors?

Parsers choose their epoch, and fit their probabilities, on the development set, never on the test set. Where
a treebank has none, there are two rows: all of the training data are learned from, and probabilities fitted
on parts of it in turn; or a tenth is held out for both, in four long blocks from everywhere: treebanks are
often several texts one after the other. For doubt, 2 % of the words of the training data get another head (at
random, still a tree), and the table says how many of them `headwise doubt` ranks first.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from benchmarks.engine import CONFIDENCE, Found, Result, Row, Scale, Study, Task, shown
from benchmarks.measuring.training import corpus_of, cpu_seconds
from headwise import Parser
from headwise.evaluation import assess, reliability_of
from headwise.evaluation.doubt import cross_fitted_doubts, rank_words
from headwise.training import TrainingSettings
from headwise.training.calibrating import split as split_training_data
from headwise.training.examples import decide_tree_kind
from headwise.treebank import Sentence

TREEBANKS = ("UD_English-EWT", "CoNLLX_Dutch-Alpino")
DOUBTED = ("UD_English-EWT", "UD_French-Sequoia")
PRESETS = ("first", "third")
DEV, IN_TURN, TENTH = "development set", "training data, held out in turn", "a tenth of the training data"
SPOILED = 0.02
SHARES = (0.02, 0.05, 0.10)
DOUBT_EPOCHS = 5


def tasks(scale: Scale) -> dict[str, Task]:
    cut = {"sentences": scale.sentences, "measured": scale.measured, "epochs": scale.epochs}
    found = {}
    for treebank in TREEBANKS[: scale.treebanks]:
        for preset in PRESETS:
            for way in (IN_TURN, TENTH) if treebank.startswith("CoNLLX") else (DEV,):
                found[f"{treebank} {preset} {way}"] = Task(
                    "studies.confidence:judged", CONFIDENCE, treebank=treebank, preset=preset, way=way, **cut
                )
    cut |= {"sentences": scale.sentences or 1500, "epochs": scale.epochs or DOUBT_EPOCHS}
    del cut["measured"]
    for treebank in DOUBTED:
        for preset in PRESETS:
            found[f"doubt {treebank} {preset}"] = Task(
                "studies.confidence:doubted", CONFIDENCE, treebank=treebank, preset=preset, **cut
            )
    return found


def judged(
    treebank: str,
    preset: str,
    way: str,
    sentences: int | None = None,
    measured: int | None = None,
    epochs: int | None = None,
) -> Result:
    """What the probabilities of a parser are worth on the test set."""
    corpus = corpus_of(treebank, sentences, measured, dev="own", protocol=None)
    settings = TrainingSettings.preset(preset, seed=1, **({"epochs": epochs} if epochs else {}))  # type: ignore[arg-type]
    train, held_out = corpus.train, corpus.dev
    if way == TENTH:
        held_out, train = split_training_data(corpus.train)
    parser = Parser.train(train, held_out or None, settings=settings)
    half = len(corpus.test) // 2  # each way parses what it has not seen
    _, plain = cpu_seconds(lambda: list(parser.pipe(corpus.test[:half])))
    parses, spent = cpu_seconds(lambda: list(parser.pipe(corpus.test[half:], confidence=True)))
    words = [sum(map(len, part)) for part in (corpus.test[:half], corpus.test[half:])]
    parses = [*parser.pipe(corpus.test[:half], confidence=True), *parses]
    system = [replace(parse, sentence=parse.sentence.to_conllu()).to_annotated_sentence() for parse in parses]
    found = {item.name: item for item in reliability_of(assess(corpus.test, system, "all"))}
    head = found["head"]
    result = {
        "temperature": parser.config.calibration.temperature,
        "UAS": 100 * head.accuracy,
        "mean probability": 100 * head.mean_confidence,
        "calibration error, equal width": 100 * head.error_of(head.equal_width),
        "equal mass": 100 * head.error_of(head.equal_mass),
        "by chance": 100 * head.error_by_chance(head.equal_mass),
        "half of the errors in": 100 * head.looked_at_to_find(0.5),
        "area": head.detection_area,
        "time": (spent / words[1]) / (plain / words[0]),
    }
    for what, name in (("labels", "label"), ("labelled heads", "labelled head")):
        if (item := found.get(name)) is not None:
            result[what] = 100 * item.error_of(item.equal_mass)
    return result


def calibration_rows(found: Found) -> list[Row]:
    rows = []
    for name in found:
        if name.startswith("doubt "):
            continue
        treebank, preset, way = name.split(" ", 2)
        result = found[name]
        row = {"treebank": treebank, "preset": preset, "fitted on": way}
        for column in (
            "UAS",
            "mean probability",
            "calibration error, equal width",
            "equal mass",
            "by chance",
        ):
            row[column] = shown(result[column])
        row |= {
            "half of the errors in": shown(result["half of the errors in"]),
            "area": shown(result["area"], 3),
        }
        row |= {column: shown(result.get(column)) or "–" for column in ("labels", "labelled heads")}
        rows.append(row | {"time": f"× {result['time']:.1f}"})
    return rows


def spoil(sentences: list[Sentence], seed: int) -> tuple[list[Sentence], set[tuple[int, int]]]:
    """Other heads for a few words, chosen among all that leave a tree; and which words (sentence, word)."""
    rng = np.random.default_rng(seed)
    result, where = [], set()
    for number, sentence in enumerate(sentences, 1):
        heads = sentence.heads.copy()
        for m in range(1, len(heads) + 1):
            if heads[m - 1] == 0 or rng.random() >= SPOILED:
                continue
            others = [h for h in range(1, len(heads) + 1) if h != heads[m - 1] and not is_below(heads, h, m)]
            if others:
                heads[m - 1] = rng.choice(others)
                where.add((number, m))
        result.append(sentence.with_tree(heads) if (heads != sentence.heads).any() else sentence)
    return result, where


def is_below(heads: np.ndarray, word: int, ancestor: int) -> bool:
    while word > 0:
        if word == ancestor:
            return True
        word = int(heads[word - 1])
    return False


def doubted(treebank: str, preset: str, sentences: int, epochs: int, seed: int = 1) -> Result:
    """How many of the heads that were spoiled are among the words ranked first."""
    corpus = corpus_of(treebank, sentences, dev="own")
    train = corpus.train if corpus.dev else split_training_data(corpus.train)[1]
    settings = TrainingSettings.preset(preset, seed=seed, epochs=epochs)  # type: ignore[arg-type]
    # Heads at random cross more arcs than people's errors do; they shall not decide what trees are searched.
    is_projective = decide_tree_kind(train, settings).projective
    settings = replace(settings, trees="projective" if is_projective else "nonprojective")
    spoiled, where = spoil(train, seed)
    ranked, seconds = cpu_seconds(lambda: rank_words(cross_fitted_doubts(spoiled, settings)))
    shares = {}
    for share in SHARES:
        top = ranked[: int(share * len(ranked))]
        shares[f"{share:g}"] = sum((item.doubt.number, item.word) in where for item in top) / len(where)
    return {"words": len(ranked), "spoiled": len(where), "found": shares, "cpu_seconds": seconds}


def doubt_rows(found: Found) -> list[Row]:
    rows = []
    for name, result in found.named("doubt ").items():
        treebank, preset = name.split()
        row = {"treebank": treebank, "preset": preset}
        row |= {column: f"{result[column]:,}" for column in ("words", "spoiled")}
        for share in SHARES:
            row[f"in the top {100 * share:.0f} %"] = shown(100 * result["found"][f"{share:g}"])
        rows.append(row | {"processor time": f"{result['cpu_seconds']:.0f} s"})
    return rows


STUDY = Study(
    "confidence",
    "Do probabilities mean what they say, and do they find errors?",
    tasks,
    {"calibration": calibration_rows, "doubt": doubt_rows},
    padded=False,
)
