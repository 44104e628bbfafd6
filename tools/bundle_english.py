"""Makes the English models that come with the package.

    headwise cluster TEXT -m en --input lines --clusters 1000 --min-count 5 -o clusters.txt
    headwise pretrain TEXT -m en -o en.hwe
    python tools/bundle_english.py UD_English-EWT --gum UD_English-GUM --clusters clusters.txt \\
        --pretrained en.hwe -o large.hw
    python tools/bundle_english.py UD_English-EWT --gum UD_English-GUM --clusters clusters.txt \\
        --teacher large.hw --unlabelled TEXT -o src/headwise/model/bundled/en.hw
    python tools/bundle_english.py UD_English-EWT --gum UD_English-GUM --clusters clusters.txt \\
        --teacher en --width 128 --epochs 20 --batch 8000 --unlabelled TEXT --network-only -o network.hw
    python tools/bundle_english.py UD_English-EWT --gum UD_English-GUM \\
        --teacher en --network network.hw -o src/headwise/model/bundled/en-fast.hw
    python tools/bundle_english.py UD_English-EWT --gum UD_English-GUM --tokenizer-of en \\
        -o src/headwise/model/bundled/en.hw
    python tools/bundle_english.py UD_English-EWT --vectors-of en -o src/headwise/model/bundled/en.hw
    python tools/bundle_english.py UD_English-EWT --vectors-of en-fast --coarseness 0.7 \\
        -o src/headwise/model/bundled/en-fast.hw

The argument is a folder with the train, dev and test files of the treebank, as Universal Dependencies has
them (compressed or not). --gum adds the texts of UD_English-GUM whose licence allows it, --clusters words
clustered in raw text. With --pretrained, trees are those of a network that starts from what raw text taught
(PyTorch, and a GPU), and not of features; with --teacher, of a small network that learns from the one of that
model what it holds of the treebanks and of raw text. --network-only stops there, for a machine with a GPU;
--network goes on from there without one, with the tokenizer and the tagger of the teacher. --tokenizer-of
trains the tokenizer of a model anew, in seconds, and leaves everything else in it as it is; --vectors-of
rounds the vectors of its network, and nothing else. The same files give the same model, networks on the same
kind of GPU: the digest that is printed at the end is that of its weights.

`python -m benchmarks run raw-text` measures the scores on the models' cards,
`src/headwise/model/bundled/*.md`; --full keeps the model as it was before it was made small.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterable, Iterator
from dataclasses import replace
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np

from headwise import Parser, Pipeline, load
from headwise.cli.listening import epoch_of_heads
from headwise.components.tagging.accuracy import tag_scores
from headwise.components.tagging.network_opinion import WEIGHTS
from headwise.components.text import Tokenizer
from headwise.learning import Listener
from headwise.model import ModelFile, read_model, weights_digest
from headwise.model.bundled import model_path
from headwise.model.compression import compress_model
from headwise.model.packing import pack
from headwise.model.schema import to_json
from headwise.model.stored import checked
from headwise.pipeline.pipeline import REWRITTEN
from headwise.training import TrainingSettings
from headwise.training.pipeline_steps.network import PIECES, train_reader
from headwise.training.unlabelled import read_unlabelled
from headwise.treebank import Sentence, Treebank
from headwise.treebank.rewriting import rewritten

GUM_GENRES = ("academic", "bio", "court", "interview", "news", "voyage")
"""The texts of GUM whose licence (CC BY 2.5, CC BY 4.0, CC BY-SA 3.0) allows a model under CC BY-SA 4.0; see
LICENSE.md in GUM's repository. Left out: essay, fiction, letter, podcast and whow (not for commercial use),
reddit, and the genres that the file does not speak of (conversation, speech, textbook, vlog)."""

SETTINGS = TrainingSettings.preset("second")
PRUNE_THRESHOLD = 1e-2
"""Trained on what looser pruning leaves, parses are searched among fewer arcs: faster for little accuracy."""
TAGGERS = 5
COARSENESS = 0.25
LESS_LEFT_OUT = {"dropout": 0.2, "atom_dropout": 0.2, "recurrent_dropout": 0.1}
"""Of a network that has a teacher, which cannot learn anything by heart."""
UNLABELLED_WORDS = 3.0
LAYER_COARSENESS, VECTOR_COARSENESS = 0.15, 0.4
"""Of a network: fewer different weights take less space. Vectors are most of it, and mind less. (Development
sets of EWT and GUM from raw text: `en` has LAS 87.45 and 87.94 with vectors of 7.2 MB, 87.48 and 87.84 so,
with 2.9 MB, 87.43 and 87.94 with a coarseness of 0.7, and 87.16 and 87.73 with 1. `en-fast` has 85.76 and
86.35, and with 0.7, its vectors taking 2.2 MB, 85.71 and 86.41.)"""


def small(width: int) -> dict[str, Any]:
    """A network that has a teacher: two layers of this width."""
    sizes = {"layers": 2, "width": width, "vectors": width, "arcs": width}
    return {**sizes, "labels": width // 2, "tags": width // 2, **LESS_LEFT_OUT}


def split(folder: Path, name: str) -> list[Sentence]:
    (path,) = sorted(folder.glob(f"*{name}.conllu*"))
    return list(Treebank.load(path))


def of_genres(sentences: Iterable[Sentence]) -> Iterator[Sentence]:
    """The sentences of the documents whose genre (GUM_GENRE_title) may be used."""
    genre = ""
    for sentence in sentences:
        document = sentence.comment("newdoc id")
        if document is not None:
            genre = document.split("_")[1]
        if genre in GUM_GENRES:
            yield sentence


def pruned_harder(parser: Parser, dev: list[Sentence]) -> Parser:
    """The same parser with the threshold for parsing, its probabilities fitted anew."""
    assert parser.config.pruner is not None
    pruner = replace(parser.config.pruner, threshold=PRUNE_THRESHOLD)
    return Parser(replace(parser.config, pruner=pruner), parser.weights).calibrated(dev)


def in_bytes(parser: Parser, dev: list[Sentence], coarseness: float) -> Parser:
    """The same parser, its network rounded and in bytes, its probabilities fitted anew."""
    network = parser.config.network
    assert network is not None
    tables = {name: np.asarray(parser.weights[name]) for name in network.table_names}
    weights = {name: table for name, table in parser.weights.items() if name not in tables}
    step = np.float32(LAYER_COARSENESS * np.sqrt(np.mean(np.square(tables["network"]))))
    tables["network"] = np.round(tables["network"] / step) * step
    network, tables = network.with_bits(8, tables, len(parser.config.labels))
    tables |= network.in_steps(tables, coarseness)
    return Parser(replace(parser.config, network=network), {**weights, **tables}).calibrated(dev)


def network_alone(
    train: list[Sentence],
    dev: list[Sentence],
    teacher: Pipeline,
    settings: TrainingSettings,
    listener: Listener,
) -> Parser:
    """What `Pipeline.train` begins with: a network that finds tags, heads and labels of bare words."""
    settings = settings.changed(network={"reads_tags": False, "pieces": PIECES})
    unlabelled = None
    if settings.teaching.unlabelled:
        unlabelled = rewritten(
            read_unlabelled(settings.teaching.unlabelled, teacher.tokenizer), REWRITTEN, settings.seed
        )
    train = rewritten(train, REWRITTEN, settings.seed)
    reader = train_reader(train, dev, teacher.tagger, unlabelled, settings, listener)
    if reader is None:
        raise SystemExit("there is nothing to bundle")
    return reader


def of_teacher(network: Parser, teacher: Pipeline, dev: list[Sentence]) -> Pipeline:
    """A pipeline with this network, and the tokenizer and the tagger of its teacher."""
    hearing = {weight: teacher.tagger.with_network(network, weight) for weight in WEIGHTS}
    weight = max(WEIGHTS, key=lambda weight: tag_scores(dev, hearing[weight].pipe(dev)).selection)
    print(f"the tagger's network counts {weight:g}", file=sys.stderr)
    tagger = hearing[weight].calibrated(dev)
    return Pipeline(teacher.tokenizer, tagger, network)


def write_retokenized(name: str, train: list[Sentence], output: Path, listener: Listener) -> None:
    """The model with a new tokenizer, every other byte of its weights as it was."""
    tokenizer = Tokenizer.train(train, rewrite=REWRITTEN, listener=listener)
    _, tensors = tokenizer.parts()
    file = ModelFile.open(model_path(name))
    config = {**file.config, "tokenizer": to_json(tokenizer.config)}
    packed = {f"tokenizer.{key}": pack(tensor, COARSENESS) for key, tensor in tensors.items()}
    file.write_with(output, config, packed)


def write_with_rounded_vectors(name: str, coarseness: float, output: Path) -> None:
    file = ModelFile.open(model_path(name))
    rounded = Pipeline.in_steps(*checked(file), coarseness)
    file.write_with(output, file.config, {key: pack(tensor) for key, tensor in rounded.items()})


def print_digest(path: Path) -> None:
    _, tensors = read_model(path, Pipeline.KIND)
    print(f"sha256 of the weights: {weights_digest(tensors)}")


def pipeline_of(name: str) -> Pipeline:
    found = load(name)
    assert isinstance(found, Pipeline)
    return found


def main() -> None:
    formatter = argparse.RawDescriptionHelpFormatter
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=formatter)
    arguments.add_argument("ewt", type=Path, help="the folder of UD_English-EWT")
    arguments.add_argument(
        "--gum", type=Path, help="the folder of UD_English-GUM, to learn from parts of it too"
    )
    arguments.add_argument("--clusters", type=Path, help="clusters of words (headwise cluster)")
    arguments.add_argument("--pretrained", type=Path, help="a network to start from (headwise pretrain)")
    arguments.add_argument("--teacher", help="a model whose network a small one learns from")
    arguments.add_argument("--width", type=int, default=256, help="of its layers")
    arguments.add_argument("--epochs", type=int, help="passes over the treebanks (default: by their size)")
    arguments.add_argument("--batch", type=int, default=3000, help="words of a step")
    arguments.add_argument("--network-only", action="store_true", help="stop when the network is trained")
    arguments.add_argument("--network", type=Path, help="a network of --network-only, as it is")
    arguments.add_argument("--tokenizer-of", help="a model that gets a new tokenizer, and nothing else new")
    arguments.add_argument(
        "--vectors-of", help="a model whose network's vectors are rounded, and nothing else"
    )
    arguments.add_argument("--coarseness", type=float, default=VECTOR_COARSENESS, help="of these vectors")
    arguments.add_argument("--unlabelled", type=Path, help="raw text that the teacher is asked about")
    arguments.add_argument("-o", "--output", type=Path, required=True, help="where to write the model")
    arguments.add_argument("--full", type=Path, help="where to write it before it is made small")
    options = arguments.parse_args()
    if (options.network_only or options.network is not None) and options.teacher is None:
        arguments.error("--network-only and --network need a --teacher")

    def message(text: str) -> None:
        print(text, file=sys.stderr, flush=True)

    if options.vectors_of is not None:
        write_with_rounded_vectors(options.vectors_of, options.coarseness, options.output)
        print_digest(options.output)
        return
    train, dev = (split(options.ewt, name) for name in ("train", "dev"))
    if options.gum is not None:
        train += of_genres(split(options.gum, "train"))
        dev += of_genres(split(options.gum, "dev"))
    message(f"training on {len(train):,} sentences, {sum(map(len, train)):,} words")
    listener = Listener(message=message, epoch=lambda report: message(epoch_of_heads(report)))
    if options.tokenizer_of is not None:
        write_retokenized(options.tokenizer_of, train, options.output, listener)
        print_digest(options.output)
        return
    words = replace(SETTINGS.words, clusters=() if options.clusters is None else (str(options.clusters),))
    settings = replace(SETTINGS, words=words)
    has_network = options.pretrained is not None or options.teacher is not None
    if has_network:
        network: dict[str, Any] = {
            "use": True,
            "pieces_at_least": 20,
            "epochs": options.epochs,
            "batch": options.batch,
        }
        teaching: dict[str, Any] = {}
        if options.teacher is not None:
            network |= small(options.width)
            unlabelled = options.unlabelled and str(options.unlabelled)
            teaching = {
                "teachers": (str(options.teacher),),
                "unlabelled": unlabelled,
                "words": UNLABELLED_WORDS,
            }
        else:
            network["pretrained"] = str(options.pretrained)
        settings = TrainingSettings.preset(
            "network", words=words, torch=network, teaching=teaching, network={"bits": 32}
        )
    if options.network_only:
        network_alone(train, dev, pipeline_of(options.teacher), settings, listener).save(options.output)
        return
    if options.network is not None:
        pipeline = of_teacher(
            Parser.load(options.network).with_network_bits(32), pipeline_of(options.teacher), dev
        )
    else:
        pipeline = Pipeline.train(train, dev, settings=settings, jackknife=TAGGERS, listener=listener)
    smaller = partial(in_bytes, coarseness=options.coarseness) if has_network else pruned_harder
    parser = smaller(pipeline.parser, list(pipeline.tagger.pipe(dev)))
    pipeline = Pipeline(pipeline.tokenizer, pipeline.tagger, parser)
    with TemporaryDirectory() as folder:
        full = options.full or Path(folder) / "full.hw"
        pipeline.save(full)
        done = compress_model(full, options.output, coarseness=COARSENESS)
        message(f"{full.stat().st_size / 1e6:.1f} MB to {done.size / 1e6:.1f} MB")
    print_digest(options.output)


if __name__ == "__main__":
    main()
