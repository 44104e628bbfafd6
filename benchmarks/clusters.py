"""What word clusters and vectors from raw text bring: the tables of Koo's thesis, chapter 3.

    python benchmarks/clusters.py -o clusters.md
    python benchmarks/clusters.py EWT --tables curve --sizes 1000 4000 --tagger reduced
    python benchmarks/clusters.py EWT --quick            # a try

Clusters are made from $HEADWISE_DATA/text, or the first words of it, by `headwise cluster` (English with the
bundled tokenizer, others by the plain rule), and kept in the folder of --work for the next run. As in the
thesis, tags are predicted: those of the training data by taggers that have not seen the sentence. dep1 and
dep2 are first- and second-order parsers without labels; with "c" they and their tagger have clusters. UAS
without punctuation; p by a two-sided paired permutation test over sentences. The thesis' own figures (Penn
Treebank, section 22) stand beside ours: other data, the same shape.
"""

from __future__ import annotations

import argparse
import math
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from statistics import mean

from corpus import Corpus
from experiment import Measured, note, train_and_measure
from headwise.components.tagging import TaggerSettings, realistic_tags
from headwise.evaluation import compare
from headwise.training import TrainingSettings
from headwise.treebank import Sentence
from headwise.words.clusters import Clusters
from line_plot import Series, line_plot
from options import benchmark_options
from report import Report, Row, Table, command_line, machine
from shared_data import DATA
from text_vectors import first_words

TREEBANKS = ("UD_English-EWT", "CoNLLX_Swedish-Talbanken05", "UD_Portuguese-Bosque")
TEXTS = {"English": ("en-modern",), "Swedish": ("sv-modern", "sv"), "Portuguese": ("pt-modern", "pt")} | {
    "Danish": ("da-modern",),
    "Dutch": ("nl-modern",),
    "French": ("fr-modern",),
}
"""The raw text of a language, by what its treebanks are called."""
TABLES = ("curve", "words", "tagless", "clusterings", "amounts", "vectors", "figures")
AMOUNTS = ((0, 0), (1, 100), (1, 1000), (4, 320), (8, 320))
"""Million words of text, and how many clusters are made of them."""
ORDERS = {"dep1": "first", "dep2": "second"}
ALL = 10**9
SIZES = (1000, 2000, 4000, 8000, ALL)
THRESHOLDS = (100, 200, 400, 800, 1600)
THESIS_CURVE = {  # Table 3.3: (size, tagger) → dep1, dep1c, dep2, dep2c
    (1000, "full"): (84.54, 85.90, 86.29, 87.47),
    (2000, "full"): (86.20, 87.65, 87.67, 88.88),
    (4000, "full"): (87.79, 89.15, 89.22, 90.46),
    (8000, "full"): (88.92, 90.22, 90.62, 91.55),
    (ALL, "full"): (90.89, 92.33, 92.42, 93.30),
    (1000, "reduced"): (80.49, 84.06, 81.95, 85.33),
    (2000, "reduced"): (83.47, 86.04, 85.02, 87.54),
    (4000, "reduced"): (86.53, 88.39, 87.88, 89.67),
    (8000, "reduced"): (88.25, 89.94, 89.71, 91.37),
    (ALL, "reduced"): (90.89, 92.33, 92.42, 93.30),
}
THESIS_WORDS = {  # Table 3.7
    100: (89.19, 92.25, 90.61, 93.14),
    200: (90.03, 92.26, 91.35, 93.18),
    400: (90.31, 92.32, 91.72, 93.20),
    800: (90.62, 92.33, 91.89, 93.30),
    1600: (90.87, None, 92.20, None),
}
THESIS_TAGLESS = {"dep1": (77.19, 90.69), "dep2": (86.73, 91.84)}  # Table 3.8
COLUMNS = ("lemma", "upos", "xpos", "feats")


@dataclass(frozen=True)
class Bench:
    """What every table needs."""

    corpora: list[Corpus]
    work: Path
    clusters: int
    millions: float | None
    """Words of the text that clusters are made of; None: all."""
    facts: dict[str, str]

    def clusters_of(self, corpus: Corpus) -> str:
        """The file of clusters of its language, made where it is not there."""
        language = next(name for name in TEXTS if name in corpus.name)
        path = self.work / f"{language}-{self.millions or 'all'}-{self.clusters}.txt"
        if not path.exists():
            texts = [str(text) for text in self.texts_of(language)]
            model = ["--model", "en"] if language == "English" else []
            command = ["cluster", *texts, "-o", str(path), "--clusters", str(self.clusters), *model]
            subprocess.run([sys.executable, "-m", "headwise", *command], check=True)
        return str(path)

    def texts_of(self, language: str) -> list[Path]:
        """The raw text of a language, or its first words in a file of their own."""
        whole = [DATA / "text" / f"{name}.txt.xz" for name in TEXTS[language]]
        return (
            whole if self.millions is None else [first_words(whole[0], int(self.millions * 1e6), self.work)]
        )


def settings(order: str, clusters: tuple[str, ...], **changes: object) -> TrainingSettings:
    return TrainingSettings.preset(ORDERS[order], labels="none", **{"words__clusters": clusters, **changes})


def measured(corpus: Corpus, chosen: TrainingSettings) -> Measured:
    """Of the last epoch, on the test set."""
    return train_and_measure(replace(corpus, dev=[]), chosen, corpus.test, ["conllx"])


def tagged(corpus: Corpus, tagger: str, clusters: tuple[str, ...], whole: Corpus) -> Corpus:
    """With predicted tags: of taggers trained on the sentences of the corpus, or on the whole treebank."""
    chosen = TaggerSettings(clusters=clusters)
    if tagger == "reduced" or len(corpus.train) == len(whole.train):
        train, test = realistic_tags(corpus.train, corpus.test, 5, chosen)
        return replace(corpus, train=train, test=test or [])
    of_all, test = realistic_tags(whole.train, corpus.test, 5, chosen)
    place = {id(sentence): i for i, sentence in enumerate(whole.train)}
    return replace(corpus, train=[of_all[place[id(s)]] for s in corpus.train], test=test or [])


def four(
    bench: Bench, corpus: Corpus, tagger: str, whole: Corpus, orders: list[str], **changes: object
) -> dict[str, Measured]:
    """dep1, dep1c, dep2, dep2c: each on the tags of its own tagger."""
    found = {}
    for suffix, clusters in (("", ()), ("c", (bench.clusters_of(corpus),))):
        data = tagged(corpus, tagger, clusters, whole)
        for order in orders:
            found[order + suffix] = measured(data, settings(order, clusters, **changes))
    return found


def difference(corpus: Corpus, found: dict[str, Measured], order: str) -> tuple[str, str]:
    """What clusters gain, and the probability of that by chance."""
    before, after = found[order], found[order + "c"]
    uas = compare(corpus.test, before.parsed, after.parsed, "conllx", multiple_roots=True)[0]
    return f"{after.uas('conllx') - before.uas('conllx'):+.2f}", f"{uas.permutation.p_value:.4f}"


def curve(bench: Bench, sizes: list[int], taggers: list[str], orders: list[str]) -> Iterator[Table]:
    """Tables 3.2 and 3.3: accuracy by the size of the treebank."""
    for tagger in taggers:
        rows: list[Row] = []
        gains: dict[tuple[int, str], list[float]] = {}
        for whole in bench.corpora:
            for size in sizes:
                corpus = whole.sample(size, seed=1)
                found = four(bench, corpus, tagger, whole, orders)
                row = {"treebank": whole.name, "sentences": f"{len(corpus.train):,}"}
                for order in orders:
                    gain, p = difference(corpus, found, order)
                    gains.setdefault((size, order), []).append(float(gain))
                    row |= {
                        order: f"{found[order].uas('conllx'):.2f}",
                        f"{order}c": f"{found[order + 'c'].uas('conllx'):.2f}",
                        f"{order} gain": gain,
                        f"{order} p": p,
                    }
                rows.append(row)
                note(" ".join(row.values()))
        for size in sizes:
            row = {"treebank": "mean", "sentences": "all" if size == ALL else f"{size:,}"}
            for order in orders:
                row |= {order: "", f"{order}c": "", f"{order} p": ""}
                row[f"{order} gain"] = f"{mean(gains[size, order]):+.2f}"
            rows.append({name: row[name] for name in rows[0]})
            if figures := THESIS_CURVE.get((size, tagger)):
                paper = dict(zip(("dep1", "dep1c", "dep2", "dep2c"), figures, strict=True))
                row = {"treebank": "thesis", "sentences": "all" if size == ALL else f"{size:,}"}
                for order in orders:
                    row |= {
                        order: f"{paper[order]:.2f}",
                        f"{order}c": f"{paper[order + 'c']:.2f}",
                        f"{order} p": "",
                    }
                    row[f"{order} gain"] = f"{paper[order + 'c'] - paper[order]:+.2f}"
                rows.append({name: row[name] for name in rows[0]})
        of = "the same sentences" if tagger == "reduced" else "all sentences"
        yield Table(f"Accuracy by size (thesis 3.2, 3.3), tagger trained on {of}", bench.facts, rows)


def words(bench: Bench, orders: list[str], size: int) -> Iterator[Table]:
    """Table 3.7: only the N most frequent words are told apart."""
    rows = []
    for whole in bench.corpora:
        corpus = whole.sample(size, seed=1)
        for threshold in (*THRESHOLDS, None):
            found = four(bench, corpus, "reduced", whole, orders, words__frequent=threshold)
            row = {"treebank": whole.name, "N": str(threshold or "all")}
            paper = THESIS_WORDS.get(threshold or 0, (90.89, None, 92.42, None))
            for i, name in enumerate(("dep1", "dep1c", "dep2", "dep2c")):
                if name in found:
                    row[name] = f"{found[name].uas('conllx'):.2f}"
                    row[f"{name} (thesis)"] = "" if paper[i] is None else f"{paper[i]:.2f}"
            rows.append(row)
    yield Table("Frequent words only (thesis 3.7)", bench.facts, rows)


def tagless(bench: Bench, orders: list[str], sizes: list[int]) -> Iterator[Table]:
    """Table 3.8: without tags, lemmas and morphology."""
    rows = []
    for whole in bench.corpora:
        for size in sizes:
            corpus = whole.sample(size, seed=1)
            row = {"treebank": whole.name, "sentences": f"{len(corpus.train):,}"}
            for order in orders:
                found = {
                    order + suffix: measured(corpus, settings(order, clusters, words__ignore=COLUMNS))
                    for suffix, clusters in (("", ()), ("c", (bench.clusters_of(corpus),)))
                }
                gain, p = difference(corpus, found, order)
                paper = THESIS_TAGLESS[order]
                row |= {
                    f"{order}-P": f"{found[order].uas('conllx'):.2f}",
                    f"{order}c-P": f"{found[order + 'c'].uas('conllx'):.2f}",
                    f"{order} gain": gain,
                    f"{order} p": p,
                    f"{order} gain (thesis)": f"{paper[1] - paper[0]:+.2f}",
                }
            rows.append(row)
            note(" ".join(row.values()))
    yield Table("Without tags (thesis 3.8)", bench.facts, rows)


def clusterings(bench: Bench, size: int) -> Iterator[Table]:
    """Section 3.5.2: how the tree of clusters is cut, and how many clusters there are."""
    rows = []
    for whole in bench.corpora:
        corpus = tagged(whole.sample(size, seed=1), "reduced", (), whole)
        for name, changes in {
            "no clusters": None,
            "prefixes of 4 and 6 bits": {},
            "16 and 64 parts, by population": {"words__contours": "population"},
            "16 and 64 parts, by information": {"words__contours": "information"},
        }.items():
            clusters = () if changes is None else (bench.clusters_of(corpus),)
            one = measured(corpus, settings("dep2", clusters, **(changes or {})))
            rows.append({"treebank": whole.name, "clusters": name, "dep2": f"{one.uas('conllx'):.2f}"})
    yield Table("Where the tree is cut (thesis 3.5.2); tags without clusters", bench.facts, rows)


def vectors(bench: Bench) -> Iterator[Table]:
    """`third --network` with and without vectors, with gold tags."""
    rows = []
    for corpus in bench.corpora:
        language = next(name for name in TEXTS if name in corpus.name)
        path = bench.work / f"{language}-vectors.txt"
        if not path.exists():
            texts = [str(DATA / "text" / f"{name}.txt.xz") for name in TEXTS[language]]
            model = ["--model", "en"] if language == "English" else []
            subprocess.run(
                [sys.executable, "-m", "headwise", "vectors", *texts, "-o", str(path), *model], check=True
            )
        found = {}
        for name, changes in {
            "without": {},
            "vectors": {"words__vectors": str(path)},
            "vectors and clusters": {
                "words__vectors": str(path),
                "words__clusters": (bench.clusters_of(corpus),),
            },
        }.items():
            chosen = TrainingSettings.preset("third", network=True, **changes)
            one = found[name] = train_and_measure(corpus, chosen, corpus.test, [corpus.protocol])
            p = ""
            if name != "without":
                before = found["without"].parsed
                las = compare(corpus.test, before, one.parsed, corpus.protocol, multiple_roots=True)[1]
                p = f"{las.permutation.p_value:.4f}"
            rows.append(
                {
                    "treebank": corpus.name,
                    "network": name,
                    "UAS": f"{one.uas(corpus.protocol):.2f}",
                    "LAS": f"{one.las(corpus.protocol):.2f}",
                    "p (LAS)": p,
                    "tokens/CPU s": f"{one.tokens_per_cpu_second:,.0f}",
                }
            )
            note(" ".join(rows[-1].values()))
    yield Table("Vectors in the network, gold tags", bench.facts, rows)


def figures(bench: Bench, report: Report) -> None:
    """Figures 3-2 to 3-4: how often head and modifier were seen before, how deep clusters are, how large."""
    for corpus in bench.corpora:
        clusters = Clusters.load(bench.clusters_of(corpus))

        def arcs(
            sentences: list[Sentence], bits: int | None, of: Clusters = clusters
        ) -> Counter[tuple[str, str]]:
            def name(form: str) -> str:
                path = of.get(form, of.get(form.lower(), "none"))
                return form if bits is None else path[:bits]

            return Counter(
                (name(s.forms[head - 1]) if head else "root", name(form))
                for s in sentences
                for head, form in zip(s.heads.tolist(), s.forms, strict=True)
            )

        seen = []
        for title, bits in (("words", None), ("8 bits", 8), ("6 bits", 6)):
            train, held = arcs(corpus.train, bits), arcs(corpus.dev or corpus.test, bits)
            counts = sorted((train[pair] for pair in held.elements()), reverse=True)
            unseen = sum(count == 0 for count in counts) / len(counts)
            places = sorted({min(len(counts) - 1, int(1.25**k)) for k in range(60)})
            points = [(float(place + 1), math.log10(counts[place] + 1)) for place in places]
            seen.append(Series(f"{title} ({unseen:.1%} unseen)", points))
        draw = partial(line_plot, title=corpus.name)
        report.add_plot(
            draw(
                seen,
                x_label="arcs of held-out trees, by frequency",
                y_label="log10(1 + times seen in training)",
            ),
            f"{corpus.name}-arcs",
            "how often head and modifier were seen before (thesis, Figure 3-2)",
        )
        depths = sorted(map(len, clusters.paths), reverse=True)
        points = [(float(i + 1), float(depth)) for i, depth in enumerate(depths) if i % 10 == 0]
        report.add_plot(
            draw(
                [Series("clusters", points)], x_label="clusters, deepest first", y_label="depth in the tree"
            ),
            f"{corpus.name}-depths",
            "the depths of clusters (thesis, Figure 3-3)",
        )
        sizes = []
        for title, bits in (("4 bits", 4), ("6 bits", 6), ("8 bits", 8), ("whole clusters", None)):
            populations = [count for _, count in clusters.populations(bits).most_common()]
            points = [(float(i + 1), math.log10(count)) for i, count in enumerate(populations)]
            sizes.append(Series(title, points))
        report.add_plot(
            draw(sizes, x_label="clusters, most frequent first", y_label="log10(running words)"),
            f"{corpus.name}-populations",
            "running words in each cluster (thesis, Figure 3-4)",
        )


def amounts(bench: Bench, size: int) -> Iterator[Table]:
    """More text and more clusters, tagger and parser with them, on the first treebank."""
    rows = []
    whole = bench.corpora[0]
    corpus = whole.sample(size, seed=1)
    for millions, count in AMOUNTS:
        files = () if not count else (replace(bench, millions=millions, clusters=count).clusters_of(corpus),)
        one = measured(tagged(corpus, "reduced", files, whole), settings("dep2", files))
        row = {"million words of text": f"{millions:g}", "clusters": f"{count:,}"}
        rows.append({**row, "UAS": f"{one.uas('conllx'):.2f}"})
        note(" ".join(rows[-1].values()))
    yield Table(f"How much text, how many clusters: {whole.name}", bench.facts, rows)


def main() -> None:
    parser = benchmark_options(__doc__, treebanks=TREEBANKS, tables=TABLES)
    parser.add_argument("--clusters", type=int, default=1000)
    parser.add_argument("--sizes", type=int, nargs="+", default=list(SIZES), help="training sentences")
    parser.add_argument("--tagger", nargs="+", choices=("full", "reduced"), default=["reduced", "full"])
    parser.add_argument("--orders", nargs="+", choices=tuple(ORDERS), default=list(ORDERS))
    parser.add_argument("--text", type=float, metavar="MILLIONS", help="words of the text; default: all")
    parser.add_argument(
        "--work", type=Path, default=Path("build/clusters"), help="a folder for clusters and vectors"
    )
    options: argparse.Namespace = parser.parse_args()
    if options.quick:
        options.sizes, options.tagger, options.clusters = [200], ["reduced"], 100
    options.work.mkdir(parents=True, exist_ok=True)
    corpora = [Corpus.load(name) for name in options.treebanks]
    if options.quick:
        corpora = [corpus.shortened(400, 100) for corpus in corpora]
    facts = {"command": command_line(__file__, sys.argv[1:]), "machine": machine()}
    bench = Bench(corpora, options.work, options.clusters, options.text, facts)
    report = Report(options.output)
    chosen: dict[str, Iterator[Table]] = {
        "curve": curve(bench, options.sizes, options.tagger, options.orders),
        "words": words(bench, options.orders, options.sizes[0]),
        "tagless": tagless(bench, options.orders, options.sizes),
        "clusterings": clusterings(bench, options.sizes[0]),
        "amounts": amounts(bench, options.sizes[0]),
        "vectors": vectors(bench),
    }
    for name in options.tables:
        for table in chosen.get(name, ()):
            report.add(table)
    if "figures" in options.tables:
        figures(bench, report)


if __name__ == "__main__":
    main()
