"""Committees of networks teach small ones, which are heard beside features: gold tags, test sets.

    python benchmarks/committees.py --models models -o report.md   # on a GPU: hours, one after the other
    python benchmarks/committees.py EWT --models models            # what is there is not trained again
    python benchmarks/committees.py EWT --quick                    # a try

Five networks that differ in what they know of words, or in what is left out of them, are trained by PyTorch
on a treebank, with vectors and clusters of raw text (`raw_words.py`). Two smaller ones with seeds of their
own learn from all five, on the treebank and on as many words of raw text in every pass. Features of third
order, with the same clusters, are trained apart, and joined with one of them and with both. How much networks
count beside features is the same everywhere: `--weight`, which did best on EWT's development set. Speeds are
tokens for each second of processor time, on one thread, without reading and writing files.
"""

from __future__ import annotations

import argparse
import sys
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from corpus import Corpus
from headwise import Parser
from headwise.training import TrainingSettings, train_parser
from headwise.training.members import joined
from options import add_models_option, benchmark_options
from raw_words import RawWords
from report import Report, Row, Table, command_line, machine
from several_networks import QUICK, SMALL, kept, measured
from shared_data import DATA

TEXTS = {
    "UD_English-EWT": ("en-modern",),
    "CoNLLX_Dutch-Alpino": ("nl-modern",),
    "CoNLLX_Swedish-Talbanken05": ("sv-modern", "sv"),
    "CoNLLX_Portuguese-Bosque": ("pt-modern", "pt"),
    "CoNLLX_Danish-DDT": ("da-modern",),
}
TEACHER = {"width": 320, "layers": 3, "vectors": 192, "arcs": 320, "labels": 160, "batch": 5000}
TEACHERS: dict[str, dict[str, Any]] = {
    "the treebank alone": {},
    "vectors": {"knows": ["vectors"]},
    "vectors, clusters": {"knows": ["vectors", "clusters"]},
    "vectors, pieces of words": {"knows": ["vectors"], "pieces": 5},
    "vectors, recurrent dropout 0.5": {"knows": ["vectors"], "recurrent_dropout": 0.5},
}
"""What they know beyond the treebank, and what else differs."""
FIRST = "vectors, clusters"
"""Whose vectors of atoms the pupils start from."""
STUDENT = {
    "width": 256,
    "layers": 3,
    "vectors": 160,
    "arcs": 320,
    "labels": 160,
    "batch": 5000,
    "dropout": 0.25,
    "recurrent_dropout": 0.2,
}
TEACHER_WORDS, STUDENT_WORDS = 16_500_000, 20_000_000
"""That a network reads in training."""
VECTOR_WORDS, TAGGED_WORDS = 24_000, 1_000_000
QUICK_TEXT = 2_000


def known(words: RawWords, kinds: list[str]) -> dict[str, object]:
    files = {"vectors": str(words.vectors), "clusters": (str(words.clusters),)}
    return {**{kind: files[kind] for kind in kinds}, "vector_words": VECTOR_WORDS}


def network(
    corpus: Corpus,
    words: RawWords,
    choice: dict[str, Any],
    read: int,
    *,
    teachers: list[Path],
    seed: int,
    quick: bool,
) -> Parser:
    """``read``: the words that it reads in training, of the treebank and of raw text."""
    shape = dict(choice)
    knows = shape.pop("knows", [])
    a_pass = corpus.words * (2 if teachers else 1)
    epochs = 1 if quick else max(1, round(read / a_pass))
    teaching = {"teachers": tuple(map(str, teachers)), "unlabelled": str(words.tagged)} if teachers else {}
    settings = TrainingSettings.preset(
        "network",
        torch={"use": True, "epochs": epochs, **shape, **(SMALL if quick else {})},
        words=known(words, knows),
        teaching=teaching,
        seed=seed,
        calibrate=False,
    )
    return train_parser(corpus.train, corpus.dev or None, settings)


def features(corpus: Corpus, words: RawWords) -> Parser:
    settings = TrainingSettings.preset("third", words=known(words, ["clusters"]), calibrate=False)
    return train_parser(corpus.train, corpus.dev or None, settings)


def rows_of(corpus: Corpus, options: argparse.Namespace, folder: Path) -> tuple[Row, Row]:
    """Of the teachers, and of what they taught."""
    texts = [DATA / "text" / f"{name}.txt.xz" for name in TEXTS.get(corpus.name, ())]
    amounts = {"clusters": 4, "min_count": 1, "width": 4} if options.quick else {}
    words = RawWords.of(
        corpus,
        options.texts or texts,
        folder,
        tagged_words=QUICK_TEXT if options.quick else TAGGED_WORDS,
        **amounts,
    )
    train = partial(network, corpus, words, quick=options.quick)
    committee, files = {}, {}
    for number, (name, choice) in enumerate(TEACHERS.items(), 1):
        files[name] = folder / f"{corpus.name}.teacher-{number}.hw"
        make = partial(train, {**TEACHER, **choice}, TEACHER_WORDS, teachers=[], seed=1)
        committee[name], _ = measured(kept(files[name], make), corpus)
    teachers = [files[FIRST], *(file for name, file in files.items() if name != FIRST)]
    pupil = {**STUDENT, "knows": ["vectors", "clusters"]}
    taught = [
        kept(
            folder / f"{corpus.name}.taught-{seed}.hw",
            partial(train, pupil, STUDENT_WORDS, teachers=teachers, seed=seed),
        )
        for seed in (1, 2)
    ]
    third = kept(folder / f"{corpus.name}.third.hw", partial(features, corpus, words))
    parsers = {
        "one": taught[0],
        "two": joined(taught),
        "third + one": joined([third, taught[0]], weight=options.weight),
        "third + two": joined([third, *taught], weight=options.weight),
    }
    found = {name: measured(parser, corpus) for name, parser in parsers.items()}
    speeds = {f"tokens/s: {name}": found[name][1] for name in ("third + one", "third + two")}
    accuracies = {name: accuracy for name, (accuracy, _) in found.items()}
    return {"treebank": corpus.name, **committee}, {"treebank": corpus.name, **accuracies, **speeds}


def main(arguments: list[str]) -> None:
    options = parse_arguments(arguments)
    report = Report(options.output)
    facts = {"measured with": machine(), "command": command_line(__file__, arguments)}
    committees, taught = list[Row](), list[Row]()
    with TemporaryDirectory() as folder:
        for name in options.treebanks:
            corpus = Corpus.load(name)
            if options.quick:
                corpus = corpus.shortened(**QUICK)
            own = rows_of(corpus, options, options.models or Path(folder))
            committees.append(own[0])
            taught.append(own[1])
            report.draft(Table("Taught networks", facts, taught))
    report.add(Table("Teachers", facts, committees))
    report.add(Table("Taught networks", facts, taught))


def parse_arguments(arguments: list[str]) -> argparse.Namespace:
    parser = benchmark_options(__doc__, treebanks=tuple(TEXTS))
    add_models_option(parser)
    parser.add_argument("--texts", nargs="+", type=Path, help="raw text, in place of that in ../shared/text")
    parser.add_argument("--weight", type=float, default=0.3, help="of networks beside features")
    return parser.parse_args(arguments)


if __name__ == "__main__":
    main(sys.argv[1:])
