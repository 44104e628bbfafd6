"""Features of whole trees: what they bring, and ways to learn them; on development sets, heads only."""

from __future__ import annotations

from typing import Any

from benchmarks.engine import Found, Result, Row, Scale, Study, Task, shown
from benchmarks.measuring.attachment import uas_of
from benchmarks.measuring.training import corpus_of, cpu_seconds, score, settings_of, train_task
from headwise.components.reranker.reranker import Reranker
from headwise.components.whole_tree.config import ALL, FAMILIES
from headwise.training.reranking import RerankerSettings

TREEBANKS = ("CoNLLX_Danish-DDT", "CoNLLX_Portuguese-Bosque", "CoNLLX_Swedish-Talbanken05")
SETS: dict[str, tuple[str, ...]] = {
    "none": (),
    "the preset full's": FAMILIES,
    "… and those of small parts": ALL,
    "those of small parts": tuple(name for name in ALL if name not in FAMILIES),
}
LEARNING = "UD_Gothic-PROIEL"
WAYS: dict[str, dict[str, Any]] = {
    "none": {},
    "stacked": {"whole_tree__families": list(FAMILIES)},
    "joint": {"whole_tree__families": list(FAMILIES), "whole_tree__learning": "joint"},
    "MIRA": {"roles": False},
    "SampleRank": {"roles": False, "learner": "samplerank"},
    "SampleRank, successive samples only": {
        "roles": False,
        "learner": "samplerank",
        "sampling__constraints": "pairs",
    },
    "SampleRank, gold trees only": {"roles": False, "learner": "samplerank", "sampling__constraints": "gold"},
}


def tasks(scale: Scale) -> dict[str, Task]:
    def task(treebank: str, settings: dict[str, Any], sentences: int, epochs: int) -> Task:
        epochs = scale.epochs or epochs
        folds = {"whole_tree__fold_epochs": min(epochs, 5)}
        common = {"labels": "none", "trees": "nonprojective", "whole_tree__families": [], **folds}
        own = {"sentences": scale.sentences or sentences, "epochs": epochs, "dev": "held-out"}
        chosen = {**common, **settings}
        return train_task(scale, treebank, chosen, preset="third", judge=False, parts=["dev"], **own)

    found = {
        f"{treebank} {name}": task(treebank, {"whole_tree__families": list(families)}, 2500, 6)
        for treebank in TREEBANKS[: scale.treebanks]
        for name, families in SETS.items()
    }
    for name in ALL:
        found[f"family {name}"] = task(TREEBANKS[0], {"whole_tree__families": [name]}, 2500, 6)
    for name, settings in WAYS.items():
        found[f"way {name}"] = task(LEARNING, settings, 1000, 4)
    cut = {"sentences": scale.sentences or 1000, "measured": scale.measured, "epochs": scale.epochs or 4}
    found["way reranker, 20 best"] = Task("studies.whole_tree:reranked", treebank=LEARNING, **cut)
    return found


def reranked(treebank: str, sentences: int, measured: int | None, epochs: int, k: int = 20) -> Result:
    """The k best trees, reranked: the baseline of Zhang et al. (2014, sampling), Table 2."""
    corpus = corpus_of(treebank, sentences, measured, dev="held-out")
    base = settings_of("third", {"labels": "none", "trees": "nonprojective", "epochs": epochs})
    ranking = RerankerSettings(k=k, folds=4, families=FAMILIES)
    trained, seconds = cpu_seconds(lambda: Reranker.train(corpus.train, base, ranking))
    return {"uas": uas_of(list(trained.pipe(corpus.dev))), "train_cpu_seconds": seconds}


def sets(found: Found) -> list[Row]:
    return [
        {"Treebank": t} | {name: shown(score(found[f"{t} {name}"], "dev")) for name in SETS}
        for t in TREEBANKS
        if f"{t} none" in found
    ]


STUDY = Study(
    "whole-tree",
    "What do features of whole trees bring, and how are they learned?",
    tasks,
    {"whole-tree-sets": sets},
    padded=False,
)
