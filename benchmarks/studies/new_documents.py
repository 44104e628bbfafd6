"""Do probabilities hold on documents unlike the training data, and on what should they be fitted?

Treebanks are documents one after the other, so text that is new to a parser can be simulated: a fifth of the
training data as it stands, or whole genres, is left out and serves as test set. A parser is trained on the
rest without a development set, and its probabilities are fitted in several ways:

    runs          on a tenth in runs of twenty sentences, unseen by a parser of half of the epochs
    quarters      on each quarter in turn, unseen by a parser of three tenths of the epochs
    quarters ½    the same, half of the difference in scale of the scores in the temperature: the default
    quarters 1    … all of it
    itself        on the text left out itself: what cannot be reached

The table holds the expected calibration error of heads (15 bins of equal width), in per cent, and by how much
the mean probability is above the share of right heads. Test sets of the treebanks are not looked at.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import numpy as np

from benchmarks.engine import CONFIDENCE, Found, Result, Row, Scale, Study, Task, shown
from benchmarks.measuring.data import find_treebank
from headwise import Parser
from headwise.components.confidence import fit_calibration
from headwise.components.confidence.fitting import fit_jointly
from headwise.components.scoring.calibration import Calibration
from headwise.evaluation import Reliability, assess, reliability_of
from headwise.training import TrainingSettings, train_parser
from headwise.training.calibrating import folds, judge_settings, relative_scale
from headwise.training.examples import decide_tree_kind
from headwise.treebank import Sentence, read

Parts = tuple[list[Sentence], list[Sentence]]
"""What is learned from, and what is left out."""


@dataclass(frozen=True)
class LeftOut:
    """A treebank and what of its training data is left out."""

    treebank: str
    is_left_out: Callable[[list[Sentence]], list[bool]]
    thinned: bool = False
    """Learn from every other hundred sentences only, to save time."""

    def parts(self) -> Parts:
        sentences = list(read(find_treebank(self.treebank).train))
        left_out = self.is_left_out(sentences)
        rest = [s for s, out in zip(sentences, left_out, strict=True) if not out]
        if self.thinned:
            rest = [s for i, s in enumerate(rest) if i // 100 % 2 == 0]
        return rest, [s for s, out in zip(sentences, left_out, strict=True) if out]


def fifth(number: int) -> Callable[[list[Sentence]], list[bool]]:
    def is_left_out(sentences: list[Sentence]) -> list[bool]:
        size = len(sentences) // 5
        start = number * len(sentences) // 5 if number < 4 else len(sentences) - size
        return [start <= i < start + size for i in range(len(sentences))]

    return is_left_out


def gum_genres(*names: str) -> Callable[[list[Sentence]], list[bool]]:
    """Comments ``# meta::genre = …`` stand at the beginning of documents."""

    def is_left_out(sentences: list[Sentence]) -> list[bool]:
        result, genre = [], ""
        for sentence in sentences:
            for line in sentence.comments:
                if line.startswith("# meta::genre ="):
                    genre = line.partition("=")[2].strip()
            result.append(genre in names)
        return result

    return is_left_out


def ewt_genre(name: str) -> Callable[[list[Sentence]], list[bool]]:
    return lambda sentences: [(s.sent_id or "").startswith(f"{name}-") for s in sentences]


TEXTS = {
    "gothic-last": LeftOut("Gothic", fifth(4)),
    "danish-last": LeftOut("CoNLLX_Danish", fifth(4)),
    "danish-middle": LeftOut("CoNLLX_Danish", fifth(2)),
    "swedish-last": LeftOut("CoNLLX_Swedish", fifth(4), thinned=True),
    "portuguese-last": LeftOut("CoNLLX_Portuguese", fifth(4), thinned=True),
    "dutch-last": LeftOut("CoNLLX_Dutch", fifth(4)),
    "dutch-middle": LeftOut("CoNLLX_Dutch", fifth(2)),
    "gum-a": LeftOut("GUM", gum_genres("fiction", "court", "voyage"), thinned=True),
    "gum-b": LeftOut("GUM", gum_genres("vlog", "news", "textbook"), thinned=True),
    "ewt-weblog": LeftOut("EWT", ewt_genre("weblog"), thinned=True),
}


def short_runs(sentences: Sequence[Sentence]) -> Parts:
    """A tenth in runs of twenty sentences from everywhere, and all others."""
    held_out = [s for i, s in enumerate(sentences) if i // 20 % 10 == 9]
    return held_out, [s for i, s in enumerate(sentences) if i // 20 % 10 != 9]


def fits(
    parser: Parser, train: list[Sentence], test: list[Sentence], settings: TrainingSettings
) -> dict[str, Calibration | None]:
    judging = judge_settings(settings, decide_tree_kind(train, settings))
    held_out, rest = short_runs(train)
    half = train_parser(rest, None, replace(judging, epochs=(settings.epochs + 1) // 2))
    judged, scales = [], []
    for quarter, others in folds(train):
        judged.append((train_parser(others, None, judging), quarter))
        scales.append(relative_scale(parser, judged[-1][0], others))
    quarters = fit_jointly(judged, fitted_on="held-out")
    assert quarters is not None
    scale = float(np.mean(scales))

    def hotter(share: float) -> Calibration:
        return replace(quarters, temperature=quarters.temperature * scale**share)

    return {
        "runs": fit_calibration(half, held_out, fitted_on="held-out"),
        "quarters": quarters,
        "quarters ½": hotter(0.5),
        "quarters 1": hotter(1.0),
        "itself": fit_calibration(parser, test, fitted_on="held-out"),
    }


def head_reliability(parser: Parser, test: list[Sentence]) -> Reliability:
    parses = parser.pipe(test, confidence=True)
    system = [replace(p, sentence=p.sentence.to_conllu()).to_annotated_sentence() for p in parses]
    return next(item for item in reliability_of(assess(test, system, "all")) if item.name == "head")


def left_out(
    text: str, preset: str = "first", sentences: int | None = None, epochs: int | None = None
) -> Result:
    train, test = (part[:sentences] for part in TEXTS[text].parts())
    chosen = {"epochs": epochs} if epochs else {}
    settings = TrainingSettings.preset(preset, calibrate=False, **chosen)  # type: ignore[arg-type]
    parser = train_parser(train, None, settings)
    result: Result = {"sentences": len(train), "words": sum(map(len, test)), "ways": {}}
    for way, calibration in fits(parser, train, test, settings).items():
        assert calibration is not None
        found = head_reliability(parser.with_calibration(calibration), test)
        result["uas"] = 100 * found.accuracy
        error, above = found.error_of(found.equal_width), found.mean_confidence - found.accuracy
        result["ways"][way] = {"error": 100 * error, "above": 100 * above}
    return result


def tasks(scale: Scale) -> dict[str, Task]:
    cut = {"sentences": scale.sentences, "epochs": scale.epochs}
    return {
        text: Task("studies.new_documents:left_out", CONFIDENCE, text=text, **cut)
        for text in list(TEXTS)[: scale.treebanks]
    }


def rows(found: Found) -> list[Row]:
    made: list[Row] = []
    for text in found:
        one = found[text]
        row = {"left out": text, "sentences": f"{one['sentences']:,}", "words left out": f"{one['words']:,}"}
        row["UAS"] = shown(one["uas"], 1)
        made.append(
            row | {way: f"{own['error']:.2f} ({own['above']:+.1f})" for way, own in one["ways"].items()}
        )
    ways = next(iter(found.named("").values()))["ways"]
    means = {
        way: shown(float(np.mean([found[text]["ways"][way]["error"] for text in found]))) for way in ways
    }
    return [*made, {"left out": "mean", **means}]


STUDY = Study(
    "new-documents",
    "Do probabilities hold on documents unlike the training data?",
    tasks,
    {"new-documents": rows},
)
