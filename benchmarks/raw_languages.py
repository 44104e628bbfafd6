"""From raw text to trees in several languages, beside UDPipe 1, trained on the same files. Slow.

    pip install ufal.udpipe
    python benchmarks/raw_languages.py --models models -o raw-languages.md
    python benchmarks/raw_languages.py Greek-GDT --models models      # what is there is not trained again
    python benchmarks/raw_languages.py --alone                        # without UDPipe

Headwise is trained by one command (`headwise train TRAIN --dev DEV --pipeline …`, two threads), UDPipe 1 with
its defaults: tokenizer, tagger, and a parser of the tagger's tags, the development set given. Both then get
the raw text of the test set, put together from the treebank (an empty line between paragraphs), and write
CoNLL-U; where a treebank does not say where spaces are, both are told the same usual rules. Scores are F1 of
the UD scorer, speed is words per second of processor time on one core, from text to CoNLL-U in memory, the
best of three rounds in turn. "p" is that of a paired permutation test over sentences, of the difference in
LAS.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path

import numpy as np

from corpus import Corpus
from experiment import cpu_seconds, note
from headwise import Pipeline, load
from headwise.components.text.raw_text import raw_text, surface_tokens, writes_spaces
from headwise.components.text.spacing import Spacing, says_spacing
from headwise.evaluation import UniversalScores, compare, evaluate
from headwise.treebank import Sentence, read
from headwise.treebank.probabilities import with_items
from measure import headwise, run
from options import add_models_option, benchmark_options
from peer_udpipe import UDPipeFromText
from report import Report, Row, Table, command_line, machine
from shared_data import find_treebank

TREEBANKS = (
    "UD_English-EWT",
    "UD_French-Sequoia",
    "UD_Dutch-LassySmall",
    "UD_Greek-GDT",
    "UD_Turkish-IMST",
    "UD_Basque-BDT",
    "UD_Gothic-PROIEL",
    "UD_Chinese-GSD",
)
OURS = ("--pipeline", "--preset", "accurate", "--threads", "2", "--on-error", "skip")
MEASURES = {
    "tokens": "Tokens",
    "sentences": "Sentences",
    "upos": "UPOS",
    "ufeats": "UFeats",
    "uas": "UAS",
    "las": "LAS",
}
ROUNDS = 3
QUICK = {"train": 150, "others": 50}

FromText = Callable[[str], bytes]


@dataclass(frozen=True)
class Parsed:
    """What a pipeline made of a text."""

    sentences: list[Sentence]
    words_per_cpu_second: float
    train_cpu_seconds: float


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


def trained(path: Path, train: Callable[[Path], float]) -> float:
    """The processor seconds that a model took, which is trained where it is not there yet."""
    facts = path.with_name(f"{path.name}.json")
    if not path.exists():
        note(f"training {path.name}")
        path.parent.mkdir(parents=True, exist_ok=True)
        facts.write_text(json.dumps({"processor_seconds": train(path)}), encoding="utf-8")
    return float(json.loads(facts.read_text(encoding="utf-8"))["processor_seconds"])


def train_ours(corpus: Corpus, quick: bool, path: Path) -> float:
    if quick:
        pipeline, seconds = cpu_seconds(
            lambda: Pipeline.train(corpus.train, corpus.dev, preset="first", epochs=2, calibrate=False)
        )
        pipeline.save(path)
        return seconds
    split = find_treebank(corpus.name)
    assert split.dev is not None
    return run([*headwise(), "train", split.train, "--dev", split.dev, *OURS, "-o", path]).cpu_seconds


def train_udpipe(corpus: Corpus, quick: bool, path: Path) -> float:
    data, seconds = cpu_seconds(lambda: UDPipeFromText.train(corpus, quick=quick))
    path.write_bytes(data)
    return seconds


def our_text_to_trees(path: Path) -> FromText:
    pipeline = load(path)
    assert isinstance(pipeline, Pipeline)
    return lambda text: b"".join(parse.to_sentence().to_bytes() for parse in pipeline(text))


def parsed_by(corpus: Corpus, models: Path, *, quick: bool, alone: bool) -> dict[str, Parsed]:
    """Both pipelines, each of which has its turn in every round; or ours alone."""
    ours, theirs = models / f"{corpus.name}.hw", models / f"{corpus.name}.udpipe"
    training = {"Headwise": trained(ours, partial(train_ours, corpus, quick))}
    pipelines: dict[str, FromText] = {"Headwise": our_text_to_trees(ours)}
    if not alone:
        training["UDPipe 1"] = trained(theirs, partial(train_udpipe, corpus, quick))
        pipelines["UDPipe 1"] = UDPipeFromText(theirs)
    text = raw_text(corpus.test)
    seconds: dict[str, list[float]] = {name: [] for name in pipelines}
    found = {}
    for _ in range(ROUNDS):
        for name, to_trees in pipelines.items():
            found[name], spent = cpu_seconds(lambda to_trees=to_trees: to_trees(text))
            seconds[name].append(spent)
    result = {}
    for name, conllu in found.items():
        sentences = list(read(conllu, format="conllu"))
        speed = sum(map(len, sentences)) / min(seconds[name])
        result[name] = Parsed(sentences, speed, training[name])
    return result


def rows_of(corpus: Corpus, parsed: dict[str, Parsed]) -> tuple[list[Row], dict[str, dict[str, float]]]:
    """A row for each pipeline, and its figures as numbers."""
    chances: dict[str, str] = {}
    if len(parsed) > 1:
        # UDPipe writes trees with several roots where it was trained on a treebank that has some.
        both = (one.sentences for one in parsed.values())
        compared = compare(corpus.test, *both, "ud", multiple_roots=True)
        las = next(row for row in compared if row.name == "LAS")
        chances["Headwise"] = f"{las.permutation.p_value:.4f}"
    rows, figures = [], {}
    for name, one in parsed.items():
        scores = evaluate(corpus.test, one.sentences, "ud", multiple_roots=True)
        assert isinstance(scores, UniversalScores)
        numbers = {title: 100 * getattr(scores, measure).f1 for measure, title in MEASURES.items()}
        figures[name] = {
            **numbers,
            "Words/CPU s": one.words_per_cpu_second,
            "Train CPU s": one.train_cpu_seconds,
        }
        row = {"Treebank": corpus.name.removeprefix("UD_"), **formatted(name, figures[name])}
        rows.append(row | ({"p": chances.get(name, "")} if chances else {}))
    return rows, figures


def formatted(name: str, figures: dict[str, float]) -> Row:
    whole = ("Words/CPU s", "Train CPU s")
    return {
        "Pipeline": name,
        **{title: f"{x:,.0f}" if title in whole else f"{x:.2f}" for title, x in figures.items()},
    }


def mean_rows(figures: list[dict[str, dict[str, float]]]) -> list[Row]:
    return [
        {
            "Treebank": "mean",
            **formatted(
                name, {title: float(np.mean([one[name][title] for one in figures])) for title in first}
            ),
        }
        | ({"p": ""} if len(figures[0]) > 1 else {})
        for name, first in figures[0].items()
    ]


def main(arguments: list[str]) -> None:
    options = parse_arguments(arguments)
    report = Report(options.output)
    title = (
        "Raw text to trees, Headwise alone" if options.alone else "Raw text to trees, Headwise and UDPipe 1"
    )
    facts = {
        "training": f"Headwise: `headwise train TRAIN --dev DEV {' '.join(OURS)}`; "
        + ("UDPipe: none" if options.alone else "UDPipe: its defaults"),
        "measured with": machine(),
        "command": command_line(__file__, arguments),
    }
    rows: list[Row] = []
    figures = []
    for name in options.treebanks:
        corpus = with_spacing(Corpus.load(name))
        if options.quick:
            corpus = corpus.shortened(**QUICK)
        parsed = parsed_by(corpus, options.models, quick=options.quick, alone=options.alone)
        new, numbers = rows_of(corpus, parsed)
        rows += new
        figures.append(numbers)
        report.draft(Table(title, facts, rows))
    report.add(Table(title, facts, rows + (mean_rows(figures) if len(figures) > 1 else [])))


def parse_arguments(arguments: list[str]) -> argparse.Namespace:
    parser = benchmark_options(__doc__, treebanks=TREEBANKS)
    add_models_option(parser)
    parser.add_argument("--alone", action="store_true", help="Headwise alone, without UDPipe")
    parser.set_defaults(models=Path("build/raw-languages"))
    return parser.parse_args(arguments)


if __name__ == "__main__":
    main(sys.argv[1:])
