"""English as people type it, and English of other kinds than was learned: how do the bundled models do?

    python benchmarks/as_typed.py -o as-typed.md                      # en and en-fast
    python benchmarks/as_typed.py --earlier a8940f9^                  # and the `en` that a commit had
    python benchmarks/as_typed.py --tables calibration --models en my.hw

Tables, all from raw text, F1 of the UD scorer:

    typing         EWT's development set, one sentence a line: as it is, in lower case, in capitals, without
                   the punctuation at its end
    genres         the documents of GUM's dev and test sets, by genre; none of these genres was learned from
    tags           GENTLE, a corpus of still other genres (dictionary, legal, medical, poetry …): its words,
                   and which Penn tags are right
    calibration    how far probabilities of parts of speech, heads and labelled heads are from the share that
                   is right, over words that are words of gold's (expected error, 15 bins of equal width)
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterable
from pathlib import Path

import numpy as np

from headwise import Pipeline, load
from headwise.components.text.raw_text import raw_text, sentence_text
from headwise.constituency.brackets import read_brackets
from headwise.evaluation import UniversalScores, assess, evaluate, reliability_of
from headwise.treebank import Sentence, read
from headwise.treebank.probabilities import without_items
from report import Report, Row, Table, command_line, machine
from shared_data import DATA, find_treebank

LEARNED_GENRES = frozenset(("academic", "bio", "court", "interview", "news", "voyage"))
"""Of GUM, by the bundled models (tools/bundle_english.py)."""
BUNDLED = "src/headwise/model/bundled/en.hw"
FORM, MISC = 1, 9

Models = dict[str, Pipeline]


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


def percent(*shares: float) -> str:
    return " / ".join(f"{100 * share:.2f}" for share in shares)


def typing_rows(models: Models) -> list[Row]:
    """UPOS and LAS; each sentence has a line of its own."""
    dev = list(read(find_treebank("UD_English-EWT").dev or ""))
    rows = []
    for way, rewritten in WAYS.items():
        gold = [rewritten(sentence) for sentence in dev]
        lines = [sentence_text(sentence)[0] + "\n" for sentence in gold]
        row: Row = {"typed": way}
        for name, pipeline in models.items():
            scores = scored(gold, [p.to_sentence() for p in pipeline.pipe_lines(lines, input="lines")])
            row[name] = percent(scores.upos.f1, scores.las.f1)
        rows.append(row)
    return rows


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


def genre_rows(models: Models) -> list[Row]:
    texts = new_genres()
    texts["all"] = [sentence for part in texts.values() for sentence in part]
    rows = []
    for genre, gold in texts.items():
        row: Row = {"genre": genre, "words": f"{sum(map(len, gold)):,}"}
        for name, pipeline in models.items():
            scores = scored(gold, [parse.to_sentence() for parse in pipeline(raw_text(gold))])
            row[name] = percent(scores.upos.f1, scores.las.f1)
        rows.append(row)
    return rows


def tag_rows(models: Models) -> list[Row]:
    """Penn tags of words that are given."""
    trees = list(read_brackets(DATA / "phrase-structure" / "gum-test2.ptb.xz"))
    escapes = {"-LRB-": "(", "-RRB-": ")", "-LSB-": "[", "-RSB-": "]", "-LCB-": "{", "-RCB-": "}"}
    sentences = [Sentence.from_words([escapes.get(word, word) for word in tree.words]) for tree in trees]
    gold = [tag for tree in trees for tag in tree.tags]
    row: Row = {"corpus": "GENTLE", "words": f"{len(gold):,}"}
    for name, pipeline in models.items():
        found = [tag for sentence in pipeline.tag(sentences) for tag in sentence.xpos]
        row[name] = percent(float(np.mean([a == b for a, b in zip(gold, found, strict=True)])))
    return [row]


def calibration_rows(models: Models) -> list[Row]:
    texts = {
        "EWT, test set": list(read(find_treebank("UD_English-EWT").test)),
        "GUM, genres not learned from": [s for part in new_genres().values() for s in part],
    }
    rows = []
    for title, gold in texts.items():
        for name, pipeline in models.items():
            system = [parse.to_annotated_sentence() for parse in pipeline(raw_text(gold), confidence=True)]
            found = {one.name: one for one in reliability_of(assess(gold, system, "ud"), aligned=True)}
            row: Row = {"text": title, "model": name, "words": f"{found['head'].words:,}"}
            for what in ("tag", "head", "labelled head"):
                one = found.get(what)
                row[f"{what}s right"] = percent(one.accuracy) if one else ""
                row[f"{what}s: mean probability"] = percent(one.mean_confidence) if one else ""
                row[f"{what}s: error"] = percent(one.error_of(one.equal_width)) if one else ""
            rows.append(row)
    return rows


TABLES: dict[str, tuple[str, Callable[[Models], list[Row]]]] = {
    "typing": ("EWT's development set as people type, UPOS / LAS", typing_rows),
    "genres": ("GUM, genres that were not learned from, UPOS / LAS", genre_rows),
    "tags": ("GENTLE, Penn tags of given words", tag_rows),
    "calibration": ("Probabilities from raw text, on words of gold's", calibration_rows),
}


def earlier_model(commit: str, folder: Path) -> Path:
    """The bundled `en` as a commit had it."""
    repository = Path(__file__).parents[1]
    done = subprocess.run(["git", "-C", repository, "show", f"{commit}:{BUNDLED}"], stdout=subprocess.PIPE)
    if done.returncode:
        raise SystemExit(f"{commit} has no {BUNDLED}")
    path = folder / "en-earlier.hw"
    path.write_bytes(done.stdout)
    return path


def loaded(name: str | Path) -> Pipeline:
    model = load(name)
    if not isinstance(model, Pipeline):
        raise SystemExit(f"{name} is no pipeline")
    return model


def main(arguments: list[str]) -> None:
    options = parse_arguments(arguments)
    models = {Path(name).stem: loaded(name) for name in options.models}
    if options.earlier:
        with tempfile.TemporaryDirectory() as folder:
            models["earlier en"] = loaded(earlier_model(options.earlier, Path(folder)))
    report = Report(options.output)
    facts = {"measured with": machine(), "command": command_line(__file__, arguments)}
    for table in options.tables:
        title, rows_of = TABLES[table]
        report.add(Table(title, facts, rows_of(models)))


def parse_arguments(arguments: list[str]) -> argparse.Namespace:
    formatter = argparse.RawDescriptionHelpFormatter
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=formatter)
    parser.add_argument("-o", "--output", type=Path, help="Markdown file")
    parser.add_argument("--models", nargs="+", default=["en", "en-fast"], help="names or files of pipelines")
    parser.add_argument("--earlier", metavar="COMMIT", help="also the bundled en of a commit")
    parser.add_argument("--tables", nargs="+", choices=TABLES, default=list(TABLES), help="default: all")
    return parser.parse_args(arguments)


if __name__ == "__main__":
    main(sys.argv[1:])
