"""The low-rank tensor: Tables 2 to 6 and Figure 1 of Lei et al. (2014), their figures beside ours.

    python benchmarks/tensor.py -o tensor.md                            # everything: hours
    python benchmarks/tensor.py CoNLLX_Danish --tables orders -o danish.md
    python benchmarks/tensor.py CoNLLX_Danish --quick                   # a try

    orders      Table 2: first and third order with and without the tensor, with our features and with those
                of McDonald et al. (2005), which the paper's baseline has
    vectors     Table 3: with vectors of words from raw text (shared/text)
    tagless     Table 4: without tags of parts of speech, features and lemmas
    neighbours  Table 5: words that the tensor takes for alike
    time        Table 6: seconds of training, tokens a second
    labels      labels as features of arcs: right heads with right labels, first order
    network     a tensor beside a network, third order
    shares      Figure 1: UAS on held-out sentences after each epoch, by γ

Parsers are trained on all training sentences, or --train of them, for 10 epochs, heads only, and measured on
test without punctuation.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from attachment import chance, counts_of, joined, percent
from corpus import Corpus
from experiment import cpu_seconds, note
from headwise import Parser
from headwise.components.scoring.template_file import load_template_file
from headwise.components.tensor.neighbours import Occurrences
from headwise.evaluation import SentenceCounts
from headwise.learning.loop import EpochReport, Listener
from headwise.training import TrainingSettings
from headwise.treebank import Sentence
from line_plot import Series, line_plot
from options import benchmark_options
from report import Report, Row, Table, command_line, machine
from shared_data import DATA
from text_vectors import write_text_vectors

TREEBANKS = ("CoNLLX_Danish", "CoNLLX_Dutch", "CoNLLX_Portuguese", "CoNLLX_Swedish")
PAPER = {
    "CoNLLX_Danish": (89.80, 90.64, 90.82, 91.39),
    "CoNLLX_Dutch": (83.77, 84.81, 86.08, 86.41),
    "CoNLLX_Portuguese": (90.67, 90.94, 91.63, 91.92),
    "CoNLLX_Swedish": (89.66, 89.86, 90.83, 91.00),
}
"""Table 2: NT-1st, ours, NT-3rd, ours-3rd."""
PAPER_VECTORS = {"Swedish": (89.86, 90.38), "English": (91.84, 92.07)}
PAPER_TAGLESS = {"Swedish": (79.65, 81.84, 85.90, 88.75), "English": (86.70, 88.89, 90.49, 90.58)}
"""Table 4: NT-1st, the tensor, with vectors; NT-1st with tags."""
TEXTS = {"Swedish": "sv-modern", "English": "en-modern", "Danish": "da-modern", "Dutch": "nl-modern"}
TEXTS |= {"Portuguese": "pt-modern"}
WITH_VECTORS = ("CoNLLX_Swedish", "UD_English-EWT")
QUICK = {"train": 200, "others": 50}
QUICK_EPOCHS = 2
EPOCHS = 10
SHARES = (0.0, 0.3, 0.6)
QUERIES = ("greatly", "says", "on", "when", "money")


@dataclass
class Runs:
    """Parsers of one treebank, each trained once."""

    corpus: Corpus
    epochs: int
    models: dict[str, Measured] = field(default_factory=dict)

    def measure(self, sentences: str = "tagged", **changes: object) -> Measured:
        settings = self.settings(**changes)
        key = f"{sentences} {settings}"
        if key not in self.models:
            train, test = self.corpus.train, self.corpus.test
            if sentences == "tagless":
                train, test = tagless(train), tagless(test)
            note(f"{self.corpus.name}, {sentences}: {describe(settings)}")
            parser, seconds = cpu_seconds(lambda: Parser.train(train, settings=settings))
            parses, spent = cpu_seconds(lambda: list(parser.pipe(test)))
            right = [parse.heads == s.heads for parse, s in zip(parses, test, strict=True)]
            labelled = [
                heads & np.array([a == b for a, b in zip(parse.labels, s.labels, strict=True)])
                for heads, parse, s in zip(right, parses, test, strict=True)
                if parse.labels
            ]
            self.models[key] = Measured(
                counts_of(test, right),
                seconds,
                sum(map(len, test)) / spent,
                parser,
                counts_of(test, labelled) if labelled else None,
            )
        return self.models[key]

    def settings(self, **changes: object) -> TrainingSettings:
        common = {"preset": "first", "labels": "none", "calibrate": False, "epochs": self.epochs}
        return TrainingSettings.preset(**{**common, **changes})  # type: ignore[arg-type]


@dataclass(frozen=True)
class Measured:
    counts: SentenceCounts
    train_seconds: float
    tokens_a_second: float
    parser: Parser
    labelled: SentenceCounts | None

    @property
    def uas(self) -> float:
        return percent(self.counts)


def describe(settings: TrainingSettings) -> str:
    tensor = f", tensor of rank {settings.tensor.rank}" if settings.tensor.rank else ""
    vectors = " with vectors" if settings.words.vectors else ""
    return f"{settings.factorization}{', other templates' if settings.templates else ''}{tensor}{vectors}"


def tagless(sentences: list[Sentence]) -> list[Sentence]:
    """Forms and trees alone."""
    return [Sentence.from_words(s.forms, heads=s.heads, labels=s.labels) for s in sentences]


def without_tags(templates: dict[str, tuple[str, ...]]) -> dict[str, tuple[str, ...]]:
    """Where there are no tags, the ends of words would stand in for them; the paper's baseline has none."""
    return {name: tuple(line for line in lines if ".pos" not in line) for name, lines in templates.items()}


MCDONALD = load_template_file("mcdonald")
FEATURES: dict[str, dict[str, object]] = {"ours": {}, "McDonald's": {"templates": MCDONALD}}
ORDERS = ("first", "third")


def chosen_features(options: argparse.Namespace) -> list[tuple[str, dict[str, object]]]:
    return [(name, changes) for name, changes in FEATURES.items() if name in options.features]


def orders_rows(runs: list[Runs], options: argparse.Namespace) -> list[Row]:
    rows: list[Row] = []
    for order in options.orders:
        for features, changes in chosen_features(options):
            both: list[tuple[SentenceCounts, SentenceCounts]] = []
            pairs: list[tuple[float, float]] = []
            for one in runs:
                without = one.measure(preset=order, **changes)
                with_tensor = one.measure(preset=order, tensor=True, **changes)
                both.append((without.counts, with_tensor.counts))
                pairs.append((without.uas, with_tensor.uas))
                paper = PAPER.get(short(one), (0.0,) * 4)[2 * ORDERS.index(order) :][:2]
                rows.append(
                    {
                        "Treebank": one.corpus.name,
                        "Order": order,
                        "Features": features,
                        "Without": f"{without.uas:.2f}",
                        "Tensor": f"{with_tensor.uas:.2f}",
                        "Gain": f"{with_tensor.uas - without.uas:+.2f}",
                        "p": chance(without.counts, with_tensor.counts),
                        "Paper": f"{paper[0]:.2f} {paper[1]:.2f} ({paper[1] - paper[0]:+.2f})"
                        if paper[0]
                        else "–",
                    }
                )
            if len(runs) > 1:
                first, second = (joined(list(counts)) for counts in zip(*both, strict=True))
                means = np.mean(pairs, axis=0)
                rows.append(
                    {
                        **dict.fromkeys(rows[-1], ""),
                        "Treebank": "all, on average",
                        "Order": order,
                        "Features": features,
                        "Without": f"{means[0]:.2f}",
                        "Tensor": f"{means[1]:.2f}",
                        "Gain": f"{means[1] - means[0]:+.2f}",
                        "p": chance(first, second),
                    }
                )
    return rows


def short(runs: Runs) -> str:
    return runs.corpus.name.partition("-")[0]


def language(runs: Runs) -> str:
    return short(runs).partition("_")[2]


def vectors_of(runs: Runs, options: argparse.Namespace) -> str:
    """The file of the vectors of a language; made where it is not there."""
    options.vectors.mkdir(parents=True, exist_ok=True)
    most_words = 200_000 if options.quick else options.text
    file = options.vectors / f"{TEXTS[language(runs)]}-{most_words or 'all'}.vec"
    if not file.exists():
        note(f"making {file}")
        text = DATA / "text" / f"{TEXTS[language(runs)]}.txt.xz"
        write_text_vectors(text, file, width=5 if options.quick else 50, most_words=most_words)
    return str(file)


def vectors_rows(runs: list[Runs], options: argparse.Namespace) -> list[Row]:
    rows: list[Row] = []
    for one in runs:
        if language(one) not in TEXTS:
            continue
        file = vectors_of(one, options)
        for features, changes in chosen_features(options):
            tensor = one.measure(tensor=True, **changes)
            seeing = one.measure(tensor={"rank": 50}, words={"vectors": file}, **changes)
            paper = PAPER_VECTORS.get(language(one))
            rows.append(
                {
                    "Treebank": one.corpus.name,
                    "Features": features,
                    "Tensor": f"{tensor.uas:.2f}",
                    "With vectors": f"{seeing.uas:.2f}",
                    "Gain": f"{seeing.uas - tensor.uas:+.2f}",
                    "p": chance(tensor.counts, seeing.counts),
                    "Paper": f"{paper[0]:.2f} {paper[1]:.2f} ({paper[1] - paper[0]:+.2f})" if paper else "–",
                }
            )
    return rows


def tagless_rows(runs: list[Runs], options: argparse.Namespace) -> list[Row]:
    rows: list[Row] = []
    for one in runs:
        if language(one) not in TEXTS:
            continue
        file = vectors_of(one, options)
        for features, changes in chosen_features(options):
            blind = {"templates": without_tags(MCDONALD)} if changes else {}
            without = one.measure("tagless", **blind)
            tensor = one.measure("tagless", tensor=True, **blind)
            seeing = one.measure("tagless", tensor={"rank": 50}, words={"vectors": file}, **blind)
            tagged = one.measure(**changes)
            paper = PAPER_TAGLESS.get(language(one))
            rows.append(
                {
                    "Treebank": one.corpus.name,
                    "Features": features,
                    "No tags": f"{without.uas:.2f}",
                    "Tensor": f"{tensor.uas:.2f}",
                    "With vectors": f"{seeing.uas:.2f}",
                    "Tags, no tensor": f"{tagged.uas:.2f}",
                    "Gain": f"{tensor.uas - without.uas:+.2f}",
                    "p": chance(without.counts, tensor.counts),
                    "Paper": " ".join(f"{uas:.2f}" for uas in paper) if paper else "–",
                }
            )
    return rows


def neighbours_rows(runs: list[Runs], options: argparse.Namespace) -> list[Row]:
    rows: list[Row] = []
    for one in runs:
        parser = one.measure(tensor={"rank": 50, "share": 0.0}).parser
        assert parser.config.tensor is not None
        occurrences = Occurrences.read(parser.config.tensor, parser.weights, one.corpus.train)
        for query in options.queries:
            found = occurrences.neighbours(query.split())
            near = ", ".join(word for word, _ in found) if found else "(not there)"
            rows.append({"Treebank": one.corpus.name, "Word": query, "Neighbours": near})
    return rows


def labels_rows(runs: list[Runs], options: argparse.Namespace) -> list[Row]:
    rows: list[Row] = []
    for one in runs:
        for features, changes in chosen_features(options):
            found = [
                one.measure(labels="separate", tensor={"rank": rank, "labels": labels}, **changes)
                for rank, labels in ((0, False), (50, False), (50, True))
            ]
            counts = [measured.labelled for measured in found]
            without, tensor, labelled = (own for own in counts if own is not None)
            rows.append(
                {
                    "Treebank": one.corpus.name,
                    "Features": features,
                    "LAS": f"{percent(without):.2f}",
                    "Tensor": f"{percent(tensor):.2f}",
                    "With labels": f"{percent(labelled):.2f}",
                    "Gain": f"{percent(labelled) - percent(tensor):+.2f}",
                    "p": chance(tensor, labelled),
                }
            )
    return rows


def network_rows(runs: list[Runs], options: argparse.Namespace) -> list[Row]:
    rows: list[Row] = []
    for one in runs:
        network = one.measure(preset="third", network=True)
        both = one.measure(preset="third", network=True, tensor=True)
        rows.append(
            {
                "Treebank": one.corpus.name,
                "Network": f"{network.uas:.2f}",
                "With a tensor": f"{both.uas:.2f}",
                "Gain": f"{both.uas - network.uas:+.2f}",
                "p": chance(network.counts, both.counts),
            }
        )
    return rows


def time_rows(runs: list[Runs], options: argparse.Namespace) -> list[Row]:
    rows: list[Row] = []
    for one in runs:
        without, tensor = one.measure(), one.measure(tensor=True)
        words = sum(map(len, one.corpus.train))
        rows.append(
            {
                "Treebank": one.corpus.name,
                "Words": f"{words:,}",
                "Length": f"{words / len(one.corpus.train):.0f}",
                "Train CPU s": f"{without.train_seconds:.1f}",
                "With tensor": f"{tensor.train_seconds:.1f}",
                "Times": f"{tensor.train_seconds / without.train_seconds:.1f}",
                "Tokens/s": f"{without.tokens_a_second:,.0f}",
                "Tensor tokens/s": f"{tensor.tokens_a_second:,.0f}",
            }
        )
    return rows


def shares_plot(runs: list[Runs], options: argparse.Namespace, report: Report) -> list[Row]:
    """UAS (all words) on held-out sentences after each epoch, averaged over treebanks."""
    ways: dict[str, dict[str, object]] = {"no tensor": {}}
    ways |= {f"γ = {share:g}": {"tensor": {"rank": 50, "share": share}} for share in SHARES}
    curves: dict[str, list[list[float]]] = {name: [] for name in ways}
    for one in runs:
        corpus = one.corpus.with_dev()
        for name, changes in ways.items():
            note(f"{corpus.name}: {name}")
            scores: list[float] = []

            def keep(epoch: EpochReport, scores: list[float] = scores) -> None:
                assert epoch.dev is not None
                scores.append(100 * epoch.dev.measures()["uas"])

            settings = one.settings(templates=MCDONALD, **changes)
            Parser.train(corpus.train, corpus.dev, settings=settings, listener=Listener(epoch=keep))
            curves[name].append(scores)
    means = {name: np.mean(scores, axis=0) for name, scores in curves.items()}
    series = [Series(name, list(enumerate(mean.tolist(), 1))) for name, mean in means.items()]
    plot = line_plot(
        series, title="UAS after each epoch", x_label="epochs", y_label="UAS on held-out sentences"
    )
    report.add_plot(plot, "shares", "UAS after each epoch, by γ")
    return [
        {"Epoch": str(epoch + 1), **{name: f"{mean[epoch]:.2f}" for name, mean in means.items()}}
        for epoch in range(runs[0].epochs)
    ]


Make = Callable[[list[Runs], argparse.Namespace], list[Row]]
TABLES: dict[str, tuple[str, Make | None, tuple[str, ...]]] = {
    "orders": ("first and third order (Table 2)", orders_rows, TREEBANKS),
    "vectors": ("vectors of words (Table 3)", vectors_rows, WITH_VECTORS),
    "tagless": ("without tags (Table 4)", tagless_rows, WITH_VECTORS),
    "neighbours": ("neighbours (Table 5)", neighbours_rows, ("UD_English-EWT",)),
    "time": ("time (Table 6)", time_rows, TREEBANKS),
    "labels": ("labels as features of arcs", labels_rows, TREEBANKS),
    "network": ("beside a network", network_rows, TREEBANKS),
    "shares": ("UAS by epoch and γ, McDonald's features (Figure 1)", None, TREEBANKS),
}


def main(arguments: list[str]) -> None:
    options = parse_arguments(arguments)
    report = Report(options.output)
    epochs = options.epochs or (QUICK_EPOCHS if options.quick else EPOCHS)
    known: dict[str, Runs] = {}

    def runs_of(name: str) -> Runs:
        if name not in known:
            corpus = Corpus.load(name)
            if options.quick:
                corpus = corpus.shortened(**QUICK)
            if options.train:
                corpus = corpus.sample(options.train, seed=1)
            known[name] = Runs(corpus, epochs)
        return known[name]

    facts = {
        "training": f"{epochs} epochs on {options.train or 'all'} sentences, heads only",
        "measured with": machine(),
        "command": command_line(__file__, arguments),
    }
    for name in options.tables:
        title, make, treebanks = TABLES[name]
        runs = [runs_of(treebank) for treebank in options.treebanks or treebanks]
        rows = make(runs, options) if make else shares_plot(runs, options, report)
        if rows:
            report.add(Table(title, facts, rows))


def parse_arguments(arguments: list[str]) -> argparse.Namespace:
    parser = benchmark_options(__doc__, treebanks=("those of each table",), tables=tuple(TABLES), epochs=None)
    parser.set_defaults(treebanks=[])
    parser.add_argument("--orders", nargs="+", choices=ORDERS, default=ORDERS, help="default: both")
    parser.add_argument(
        "--features", nargs="+", choices=list(FEATURES), default=list(FEATURES), help="default: both"
    )
    parser.add_argument(
        "--vectors",
        type=Path,
        default=Path("build/vectors"),
        help="where vectors are kept; default: build/vectors",
    )
    parser.add_argument("--text", type=int, metavar="WORDS", help="of the text for vectors; default: all")
    parser.add_argument("--train", type=int, help="train on a sample of so many sentences; default: all")
    parser.add_argument("--queries", nargs="+", default=QUERIES, help="words to find neighbours of")
    return parser.parse_args(arguments)


if __name__ == "__main__":
    main(sys.argv[1:])
