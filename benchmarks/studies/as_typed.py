"""English as people type it, and English of other kinds than was learned: how do the bundled models do?

All from raw text, F1 of the UD scorer. Typing: EWT's development set, one sentence a line: as it is, in lower
case, in capitals, without the punctuation at its end. Genres: documents of GUM's dev and test sets of genres
that were not learned from. Tags: GENTLE, a corpus of still other genres. Calibration: how far probabilities
are from the share that is right, over words that are words of gold's (15 bins of equal width).
"""

from __future__ import annotations

import subprocess
from collections.abc import Callable, Iterable
from pathlib import Path

import numpy as np

from benchmarks.engine import BUNDLED, CONFIDENCE, TEXT, Found, Result, Row, Scale, Study, Task, both, shown
from benchmarks.engine.code import REPOSITORY
from benchmarks.measuring.data import data, find_treebank
from benchmarks.measuring.texts import made
from benchmarks.studies.raw_text import loaded
from headwise import Pipeline
from headwise.components.text.raw_text import raw_text, sentence_text
from headwise.constituency.brackets import read_brackets
from headwise.evaluation import UniversalScores, assess, evaluate, reliability_of
from headwise.treebank import Sentence, read
from headwise.treebank.probabilities import without_items

LEARNED_GENRES = frozenset(("academic", "bio", "court", "interview", "news", "voyage"))
"""Of GUM, by the bundled models (models/recipes/en.toml)."""
MODEL = "src/headwise/model/bundled/en.hw"
FORM, MISC = 1, 9


def with_forms(sentence: Sentence, change: Callable[[str], str], words: int | None = None) -> Sentence:
    """Every token's form changed, also that of multiword tokens, and only the first words."""
    words = len(sentence) if words is None else words
    lines = [line for line in sentence.comments if not line.startswith("# text ")]
    rows = [
        line.split("\t")
        for line, token in zip(_token_lines(sentence), sentence.tokens, strict=True)
        if token.words[1] <= words
    ]
    for row in rows:
        row[FORM] = change(row[FORM])
    if words < len(sentence):
        rows[-1][MISC] = without_items(rows[-1][MISC], {"SpaceAfter"})
    text = "\n".join([*lines, *("\t".join(row) for row in rows), "", ""])
    return next(read(text.encode(), format="conllu"))


def _token_lines(sentence: Sentence) -> list[str]:
    return [line for line in str(sentence).splitlines() if line and not line.startswith("#")]


def without_end(sentence: Sentence) -> Sentence:
    """Without the punctuation at its end, if nothing hangs from that and a word is left."""
    heads, end = sentence.heads, len(sentence)
    while end > 1 and sentence.upos[end - 1] == "PUNCT" and heads[end - 1] != 0 and not (heads == end).any():
        end -= 1
    return with_forms(sentence, str, end)


WAYS: dict[str, Callable[[Sentence], Sentence]] = {
    "as it is": lambda sentence: sentence,
    "lower case": lambda sentence: with_forms(sentence, str.lower),
    "capitals": lambda sentence: with_forms(sentence, str.upper),
    "no full stop": without_end,
}


def scored(gold: list[Sentence], parsed: list[Sentence]) -> UniversalScores:
    scores = evaluate(gold, parsed, "ud")
    assert isinstance(scores, UniversalScores)
    return scores


def by_genre(sentences: Iterable[Sentence]) -> dict[str, list[Sentence]]:
    """Documents are called GUM_GENRE_title."""
    genre, found = "", dict[str, list[Sentence]]()
    for sentence in sentences:
        if document := sentence.comment("newdoc id"):
            genre = document.split("_")[1]
        if genre not in LEARNED_GENRES:
            found.setdefault(genre, []).append(sentence)
    return found


def new_genres() -> dict[str, list[Sentence]]:
    split = find_treebank("UD_English-GUM")
    parts = [by_genre(read(path)) for path in (split.dev, split.test) if path is not None]
    return {genre: [s for part in parts for s in part[genre]] for genre in sorted(parts[0])}


def pipeline_of(model: str) -> Pipeline:
    """By its name; ``COMMIT:en`` is the bundled one that a commit had."""
    commit, _, name = model.rpartition(":")
    if not commit:
        return loaded(name)

    def write(path: Path) -> None:
        command = ["git", "-C", str(REPOSITORY), "show", f"{commit}:{MODEL}"]
        path.write_bytes(subprocess.run(command, stdout=subprocess.PIPE, check=True).stdout)

    return loaded(made(f"models/en-{commit.replace('^', '-before')}.hw", write))


def upos_las(scores: UniversalScores) -> list[float]:
    return [100 * scores.upos.f1, 100 * scores.las.f1]


def typed(model: str, measured: int | None = None) -> Result:
    """UPOS and LAS by way of typing, and by genre; the share of right Penn tags of words that are given."""
    pipeline, result = pipeline_of(model), {"typing": {}, "genres": {}, "words": {}}
    dev = list(read(find_treebank("UD_English-EWT").dev or ""))[:measured]
    for way, rewritten in WAYS.items():
        gold = [rewritten(sentence) for sentence in dev]
        lines = [sentence_text(sentence)[0] + "\n" for sentence in gold]
        parsed = [p.to_sentence() for p in pipeline.pipe_lines(lines, input="lines")]
        result["typing"][way] = upos_las(scored(gold, parsed))
    texts = {genre: gold[:measured] for genre, gold in new_genres().items()}
    texts["all"] = [sentence for part in texts.values() for sentence in part]
    for genre, gold in texts.items():
        parsed = [parse.to_sentence() for parse in pipeline(raw_text(gold))]
        result["genres"][genre] = upos_las(scored(gold, parsed))
        result["words"][genre] = sum(map(len, gold))
    trees = list(read_brackets(data() / "phrase-structure" / "gum-test2.ptb.xz"))[:measured]
    escapes = {"-LRB-": "(", "-RRB-": ")", "-LSB-": "[", "-RSB-": "]", "-LCB-": "{", "-RCB-": "}"}
    sentences = [Sentence.from_words([escapes.get(word, word) for word in tree.words]) for tree in trees]
    gold_tags = [tag for tree in trees for tag in tree.tags]
    tags = [tag for sentence in pipeline.tag(sentences) for tag in sentence.xpos]
    result["tags"] = {"right": 100 * float(np.mean([a == b for a, b in zip(gold_tags, tags, strict=True)]))}
    result["tags"]["words"] = len(tags)
    return result


def calibrated(model: str, measured: int | None = None) -> Result:
    texts = {
        "EWT, test set": list(read(find_treebank("UD_English-EWT").test))[:measured],
        "GUM, genres not learned from": [s for part in new_genres().values() for s in part][:measured],
    }
    pipeline, result = pipeline_of(model), {}
    for title, gold in texts.items():
        system = [parse.to_annotated_sentence() for parse in pipeline(raw_text(gold), confidence=True)]
        found = {one.name: one for one in reliability_of(assess(gold, system, "ud"), aligned=True)}
        result[title] = {"words": found["head"].words}
        for what in ("tag", "head", "labelled head"):
            if (one := found.get(what)) is not None:
                error = 100 * one.error_of(one.equal_width)
                result[title][what] = {"right": 100 * one.accuracy, "error": error}
    return result


MODELS = {"en": "en", "en-fast": "en-fast", "earlier en": "a8940f9^:en"}


def tasks(scale: Scale) -> dict[str, Task]:
    depends, cut = (*CONFIDENCE, *TEXT, *BUNDLED), {"measured": scale.measured}
    found = {
        f"typed {name}": Task("studies.as_typed:typed", depends, model=model, **cut)
        for name, model in MODELS.items()
    }
    for name in list(MODELS)[:2]:
        found[f"calibrated {name}"] = Task("studies.as_typed:calibrated", depends, model=name, **cut)
    return found


def rows_of(what: str, column: str, found: Found) -> list[Row]:
    models = found.named("typed ")
    first = models["en"]
    return [
        {column: name}
        | ({"words": f"{first['words'][name]:,}"} if what == "genres" else {})
        | {model: both(*one[what][name]) for model, one in models.items()}
        for name in first[what]
    ]


def tag_rows(found: Found) -> list[Row]:
    models = found.named("typed ")
    row = {"corpus": "GENTLE", "words": f"{models['en']['tags']['words']:,}"}
    return [row | {model: shown(one["tags"]["right"]) for model, one in models.items()}]


def calibration_rows(found: Found) -> list[Row]:
    models = found.named("calibrated ")
    rows = []
    for title in models["en"]:
        for model, one in models.items():
            own = one[title]
            row = {"text": title, "model": model, "words": f"{own['words']:,}"}
            for what in ("tag", "head", "labelled head"):
                row[f"{what}s right"] = shown(own.get(what, {}).get("right"))
                row[f"{what}s: error"] = shown(own.get(what, {}).get("error"))
            rows.append(row)
    return rows


STUDY = Study(
    "as-typed",
    "English as people type it, and of kinds that were not learned from: how do the bundled models do?",
    tasks,
    {
        "as-typed": lambda found: rows_of("typing", "typed", found),
        "new-genres": lambda found: rows_of("genres", "genre", found),
        "gentle-tags": tag_rows,
        "as-typed-calibration": calibration_rows,
    },
)
