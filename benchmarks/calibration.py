"""Do probabilities mean what they say, and do they find errors?

    python benchmarks/calibration.py EWT CoNLLX_Dutch                       # both presets, calibration
    python benchmarks/calibration.py EWT --preset first --no-development    # probabilities fitted without dev
    python benchmarks/calibration.py Sequoia --doubt                        # finding spoiled heads

Parsers are trained with their default settings and choose their epoch, and fit their probabilities, on the
development set, never on the test set. Where a treebank has no development set, a tenth of the training data
is held out, in four long blocks from everywhere: treebanks are often several texts one after the other, the
last is not like the rest, and the test set is of other documents than the training data. The table holds the
test set's expected calibration error (15 bins of equal width and of equal mass), the share of words that
holds half of the attachment errors, least probable first, and how much longer parsing takes with
probabilities than without. With --doubt, 2 % of the words of the training data get another head (at random,
still a tree), and the table says how many of them are among the words that `headwise doubt` ranks first.
"""

from __future__ import annotations

import argparse
import time
from dataclasses import replace
from pathlib import Path

import numpy as np

from headwise import Parser
from headwise.confidence.doubt import cross_fitted_doubts, rank_words
from headwise.evaluation import Reliability, assess, reliability_of
from headwise.learning import TrainingSettings
from headwise.learning.calibrating import split as split_training_data
from headwise.learning.examples import decide_tree_kind
from headwise.treebank import Sentence, read
from report import Row, markdown_table
from shared_data import Split, find_treebank

SPOILED = 0.02
LOOKED_AT = 0.05
DOUBT_EPOCHS = 5


def sentences_of(split: Split) -> tuple[list[Sentence], list[Sentence], list[Sentence]]:
    train, test = list(read(split.train)), list(read(split.test))
    if split.dev is not None:
        return train, list(read(split.dev)), test
    held_out, rest = split_training_data(train)
    return rest, held_out, test


def calibration_row(split: Split, preset: str, learner: str, development: bool, models: Path | None) -> Row:
    """Train (or load, where it was saved before), parse the test set, judge its probabilities."""
    train, dev, test = sentences_of(split)
    if not development and split.dev is None:
        train, dev = train + dev, []
    name = f"{split.name}-{preset}-{learner}{'' if development else '-nodev'}.hw"
    saved = models / name if models is not None else None
    if saved is not None and saved.exists():
        parser = Parser.load(saved)
    else:
        parser = Parser.train(train, dev if development else None, preset=preset, learner=learner)
        if saved is not None:
            parser.save(saved)
    began = time.process_time()
    list(parser.pipe(test))
    plain = time.process_time() - began
    began = time.process_time()
    parses = list(parser.pipe(test, confidence=True))
    judged = time.process_time() - began
    system = [replace(parse, sentence=parse.sentence.to_conllu()).to_annotated_sentence() for parse in parses]
    found = {item.name: item for item in reliability_of(assess(test, system, "all"))}
    head = found["head"]
    calibration = parser.config.calibration
    return {
        "treebank": split.name,
        "preset": preset,
        "learner": learner,
        "fitted on": calibration.fitted_on,
        "T": f"{calibration.temperature:.2f}",
        "UAS": percent(head.accuracy),
        "mean p": percent(head.mean_confidence),
        "ECE width": percent(head.error_of(head.equal_width)),
        "ECE mass": percent(head.error_of(head.equal_mass)),
        "by chance": percent(head.error_by_chance(head.equal_mass)),
        "½ errors in": percent(head.looked_at_to_find(0.5)),
        "area": f"{head.detection_area:.3f}",
        "label ECE": _error(found.get("label")),
        "labelled ECE": _error(found.get("labelled head")),
        "time": f"× {judged / plain:.1f}",
    }


def _error(item: Reliability | None) -> str:
    return "–" if item is None else percent(item.error_of(item.equal_mass))


def percent(share: float) -> str:
    return f"{100 * share:.2f}"


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


def doubt_row(split: Split, preset: str, learner: str, seed: int, limit: int | None) -> Row:
    train = sentences_of(split)[0][:limit]
    settings = TrainingSettings.preset(preset, learner=learner, epochs=DOUBT_EPOCHS, seed=seed)
    # Heads at random cross more arcs than people's errors do; they shall not decide what trees are searched.
    is_projective = decide_tree_kind(train, settings).projective
    settings = replace(settings, trees="projective" if is_projective else "nonprojective")
    spoiled, where = spoil(train, seed)
    began = time.process_time()
    ranked = rank_words(cross_fitted_doubts(spoiled, settings))
    seconds = time.process_time() - began
    shares = {}
    for share in (0.02, LOOKED_AT, 0.10):
        top = ranked[: int(share * len(ranked))]
        shares[f"in the top {share:.0%}"] = percent(
            sum((item.doubt.number, item.word) in where for item in top) / len(where)
        )
    return {
        "treebank": split.name,
        "preset": preset,
        "learner": learner,
        "words": f"{len(ranked):,}",
        "spoiled": f"{len(where):,}",
        **shares,
        "CPU s": f"{seconds:.0f}",
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("treebanks", nargs="+", help="names under $HEADWISE_DATA/treebanks, or folders")
    parser.add_argument("--preset", action="append", choices=["first", "second", "third", "full"])
    parser.add_argument("--learner", default="mira")
    parser.add_argument("--development", action=argparse.BooleanOptionalAction, default=True)
    parser.add_argument("--models", type=Path, help="keep trained models in this folder, and use them again")
    parser.add_argument("--doubt", action="store_true", help="spoil heads and look for them")
    parser.add_argument("--limit", type=int, help="with --doubt: only so many sentences")
    parser.add_argument("--seed", type=int, default=1, help="with --doubt: which heads are spoiled")
    options = parser.parse_args()
    rows: list[Row] = []
    for name in options.treebanks:
        for preset in options.preset or ["first", "third"]:
            split = find_treebank(name)
            if options.doubt:
                rows.append(doubt_row(split, preset, options.learner, options.seed, options.limit))
            else:
                rows.append(
                    calibration_row(split, preset, options.learner, options.development, options.models)
                )
            print(markdown_table(rows[-1:]), flush=True)
    print(markdown_table(rows))


if __name__ == "__main__":
    main()
