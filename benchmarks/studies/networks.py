"""Networks beside features and alone: how wide, how much they count, in floats or bytes, several of them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from functools import partial
from itertools import islice
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.engine import (
    BUNDLED,
    NETWORK,
    PARSING,
    PYTORCH,
    Found,
    Result,
    Row,
    Scale,
    Study,
    Task,
    both,
    shown,
)
from benchmarks.measuring.attachment import counts_of_parses, percent, read_counts, shown_chance, to_json
from benchmarks.measuring.corpus import Corpus
from benchmarks.measuring.data import find_treebank
from benchmarks.measuring.speed import in_turn, one_pass
from benchmarks.measuring.texts import made
from benchmarks.measuring.training import corpus_of, cpu_seconds, measure, score
from headwise import Parser, Pipeline, load
from headwise._native import scoring as native
from headwise.components.network.size import NetworkSize, native_size, torch_size
from headwise.components.network.weight import with_best_weight
from headwise.components.text.raw_text import raw_text
from headwise.evaluation import permutation_test
from headwise.learning import Listener
from headwise.training import TrainingSettings, train_parser
from headwise.training.calibrating import split
from headwise.training.members import joined
from headwise.training.train import dev_scores
from headwise.treebank import Sentence, read

BITS = ("UD_French-Sequoia", "UD_Greek-GDT", "UD_Gothic-PROIEL", "CoNLLX_Danish-DDT", "UD_English-EWT")
WIDTHS = ("400x3", "256x3", "256x2", "128x2")
WEIGHTS = ("UD_English-EWT", "UD_Greek-GDT", "UD_Gothic-PROIEL", "CoNLLX_Danish-DDT", "CoNLLX_Dutch-Alpino")
SIZES = ("64", "128", "192", "256")
TORCH_SIZES = ("128x2", "256x2", "256x3", "400x3")
SAMPLES = {
    "UD_Greek-GDT": (3000, 10000, None),
    "UD_Turkish-IMST": (None,),
    "UD_French-Sequoia": (None,),
    "UD_English-EWT": (None,),
}
"""So many words of these treebanks; None: all."""
TORCH_TREEBANKS = ("UD_Turkish-IMST", "UD_Greek-GDT", "UD_French-Sequoia", "UD_Basque-BDT", "UD_Chinese-GSD")
BESIDE = 0.3
"""How much a network counts beside features, to begin with."""
BLOCK = 50
QUICK_WORDS = 300
GPU = "a GPU"


def bits(treebank: str, sentences: int | None, rounds: int) -> Result:
    """One model of third order, its network in 32 bits and in 8: accuracy on dev (or test), first passes."""
    corpus = Corpus.load(treebank)
    part = "dev" if corpus.dev else "test"
    gold: list[Sentence] = getattr(corpus, part)
    settings = TrainingSettings.preset("third", network=True, network__bits=32, calibrate=False)
    parser = Parser.train(corpus.train[:sentences], settings=settings)
    files = {}
    for number in (32, 8):
        save = partial(_save, parser.with_network_bits(number))
        files[str(number)] = made(f"models/bits-{corpus.name}-{sentences}-{number}.hw", save, PARSING)
    result: Result = {name: {"passes": []} for name in files}
    for _ in range(rounds):
        for name, file in files.items():
            result[name]["passes"].append(one_pass(file, corpus.name, part))
    for name, file in files.items():
        parsed = [parse.to_sentence() for parse in Parser.load(file).pipe(gold)]
        own = counts_of_parses(gold, parsed, corpus.protocol)
        result[name] |= {measure: to_json(counts) for measure, counts in own.items()}
    return {**result, "part": part}


def _save(parser: Parser, path: Path) -> None:
    parser.save(path)


def bits_rows(found: Found) -> list[Row]:
    rows = []
    for name in found:
        if not name.startswith("bits "):
            continue
        result = found[name]
        row = {"": f"{name.removeprefix('bits ')}, {result['part']}"}
        for number in ("32", "8"):
            own = result[number]
            uas, las = (percent(read_counts(own[measure])) for measure in ("uas", "las"))
            row |= {f"{number} bits: UAS / LAS": both(uas, las)}
            row |= {f"tokens/s{'' if number == '32' else ' '}": shown(float(np.median(own["passes"])), 0)}
        pair = (read_counts(result[number]["las"]) for number in ("32", "8"))
        rows.append(row | {"p": shown_chance(permutation_test(*pair).p_value)})
    return rows


def widths(treebank: str, widths: list[str], sentences: int, rounds: int, model: str = "en") -> Result:
    """The bundled pipeline, its network replaced by random ones of so many numbers and layers.

    They take as long as any, and what they say is nonsense. The text is new in every round.
    """
    pipeline = load(model)
    assert isinstance(pipeline, Pipeline)
    ways = {}
    for text in widths:
        own = with_network(pipeline, *(int(number) for number in text.split("x")))
        ways[text] = lambda lines, own=own: [None for _ in own.pipe_lines(lines)]
    every = list(islice(read(find_treebank(treebank).train), sentences * rounds))
    parts = [every[i : i + sentences] for i in range(0, len(every), sentences)]
    texts = [raw_text(part).splitlines(keepends=True) for part in parts]
    seconds = in_turn(ways, texts)
    words = sum(map(len, every))
    return {name: {"words_a_second": words / sum(spent), "seconds": spent} for name, spent in seconds.items()}


def with_network(pipeline: Pipeline, width: int, layers: int) -> Pipeline:
    config, weights = pipeline.parser.config, pipeline.parser.weights
    assert config.network is not None
    narrow = {name: min(getattr(config.network, name), width) for name in ("arcs", "labels", "tags")}
    network = replace(config.network, lstm=width, layers=layers, bits=8, **narrow)
    shape = network.shape(weights["vocabulary"], len(config.labels))
    rng = np.random.default_rng(1)
    sizes = (shape.weight_count, shape.vector_count)
    tables = native.quantize_network(shape, *(0.1 * rng.standard_normal(n, np.float32) for n in sizes))
    parser = Parser(replace(config, network=network), {**weights, **tables})
    return Pipeline(pipeline.tokenizer, pipeline.tagger, parser)


def weights(
    treebank: str, sentences: int, epochs: int | None, network: Mapping[str, Any] | None = None
) -> Result:
    """What choosing a network's weight gains over the default, with and without a development set.

    Of the development set (or of the last training sentences) every other block of fifty chooses, and the
    others judge; without one, what a parser of nine tenths has not seen chooses.
    """
    corpus = Corpus.load(treebank)
    changes = {**({"epochs": epochs} if epochs else {}), **({"network": network} if network else {})}
    settings = TrainingSettings.preset("accurate", calibrate=False, **changes)
    others = corpus.dev or corpus.train[-sentences:]
    block = min(BLOCK, len(others) // 2)
    chooser, judge = ([s for i, s in enumerate(others) if i // block % 2 == odd] for odd in (0, 1))
    train = corpus.train[:sentences]
    held_out, rest = split(train)
    parser, smaller = (train_parser(part, None, settings) for part in (train, rest))
    parsers = {
        "default": parser,
        "by dev": weighed_by(parser, parser, chooser),
        "by held-out": weighed_by(parser, smaller, held_out),
    }
    result: Result = {}
    for name, one in parsers.items():
        assert one.config.network is not None
        result[name] = {"weight": one.config.network.weight, **measure(one, judge, "map", corpus.protocol)}
    return result


def weighed_by(parser: Parser, judge: Parser, sentences: list[Sentence]) -> Parser:
    """The parser with the weight that does best for a judge on sentences."""
    _, weight = with_best_weight(judge, lambda one: dev_scores(one, sentences, threads=1), Listener())
    return parser.with_network_weight(weight)


def weights_rows(found: Found) -> list[Row]:
    rows = []
    for treebank in WEIGHTS:
        if f"weights {treebank}" not in found:
            continue
        result, row = found[f"weights {treebank}"], {"Treebank": treebank}
        las = {name: read_counts(own["las"]) for name, own in result.items()}
        for name, own in result.items():
            if name != "default":
                row[f"Weight {name}"] = shown(own["weight"])
            row[f"UAS / LAS {name}"] = both(percent(read_counts(own["uas"])), percent(las[name]))
            if name != "default":
                row[f"p {name}"] = f"{permutation_test(las['default'], las[name]).p_value:.3f}"
        rows.append(row)
    return rows


def size(
    treebank: str, size: str, words: int | None, torch: bool, epochs: int | None, seed: int = 1
) -> Result:
    """A network of a size (WIDTH or WIDTHxLAYERS), alone and beside features of third order, on dev.

    The treebank decides how often it is read. PyTorch's networks are measured alone.
    """
    corpus = corpus_of(treebank, dev="held-out", protocol=None)
    if words is not None and words < corpus.words:
        corpus = corpus.sample(max(2, round(len(corpus.train) * words / corpus.words)), seed=1)
    usual = torch_size(corpus.words) if torch else native_size(len(corpus.train), corpus.words)
    width, _, layers = size.partition("x")
    chosen = replace(
        usual, width=int(width), layers=int(layers or usual.layers), epochs=epochs or usual.epochs
    )
    settings = network_settings(chosen, torch=torch, seed=seed)
    network, seconds = cpu_seconds(lambda: train_parser(corpus.train, corpus.dev, settings))
    result: Result = {
        "words": corpus.words,
        "train_cpu_seconds": seconds,
        "dev": {"map": measure(network, corpus.dev, "map", corpus.protocol)},
    }
    if not torch:
        third = TrainingSettings.preset("third", calibrate=False)
        features = train_parser(corpus.train, corpus.dev, third)
        weighed, _ = with_best_weight(
            joined([features, network], weight=BESIDE),
            partial(dev_scores, sentences=corpus.dev, threads=1),
            Listener(),
        )
        result["beside"] = {"map": measure(weighed, corpus.dev, "map", corpus.protocol)}
    return result


def network_settings(size: NetworkSize, *, torch: bool, seed: int) -> TrainingSettings:
    if not torch:
        own = {"width": size.width, "epochs": size.epochs}
        return TrainingSettings.preset("network", network=own, seed=seed, calibrate=False)
    # What follows the layers is as wide as they are, as in the core's networks, but no wider than usual.
    usual = TrainingSettings().torch
    widths = {name: min(size.width, getattr(usual, name)) for name in ("vectors", "arcs", "labels")}
    shape: dict[str, Any] = {"width": size.width, "layers": size.layers, "epochs": size.epochs, **widths}
    return TrainingSettings.preset("network", torch={"use": True, **shape}, seed=seed, calibrate=False)


def size_rows(part: str, sizes: tuple[str, ...], chosen: Any, torch: bool, found: Found) -> list[Row]:
    rows = []
    for treebank, samples in chosen.items():
        for words in (*samples, QUICK_WORDS):
            names = {text: size_name(treebank, words, text, torch) for text in sizes}
            results = {text: found[name] for text, name in names.items() if name in found}
            if not results:
                continue
            row = {"treebank": treebank.removeprefix("UD_"), "seed": "1"}
            row["words"] = f"{next(iter(results.values()))['words']:,}"
            for text, result in results.items():
                row[text] = both(*(score(result, part, measure=measure) for measure in ("uas", "las")))
            rows.append(row)
    return rows


def size_name(treebank: str, words: int | None, text: str, torch: bool) -> str:
    return f"size {treebank} {words or 'all'} {text}{', torch' if torch else ''}"


def tasks(scale: Scale) -> dict[str, Task]:
    found = {}
    for treebank in BITS[: scale.treebanks]:
        sentences = None if treebank == "UD_English-EWT" else 900 if scale.is_full else 100
        found[f"bits {treebank}"] = Task(
            "studies.networks:bits", depends=NETWORK, treebank=treebank, sentences=sentences, rounds=5
        )
    found["widths"] = Task(
        "studies.networks:widths",
        depends=(*NETWORK, "native/tagging", BUNDLED[0]),
        treebank="UD_English-EWT",
        widths=list(WIDTHS),
        sentences=2000 if scale.is_full else 100,
        rounds=5,
    )
    for treebank in WEIGHTS[: scale.treebanks]:
        own = (
            {"sentences": 1500, "epochs": scale.epochs} if scale.is_full else {"sentences": 100, "epochs": 2}
        )
        found[f"weights {treebank}"] = Task(
            "studies.networks:weights", depends=PARSING, treebank=treebank, **own
        )
    common = {"epochs": None if scale.is_full else 1}
    for treebank, samples in SAMPLES.items():
        for words in samples if scale.is_full else (QUICK_WORDS,):
            for text in SIZES if treebank != "UD_English-EWT" else SIZES[1:]:
                found[size_name(treebank, words, text, False)] = Task(
                    "studies.networks:size", treebank=treebank, size=text, words=words, torch=False, **common
                )
    for treebank in TORCH_TREEBANKS:
        for text in TORCH_SIZES:
            found[size_name(treebank, None, text, True)] = Task(
                "studies.networks:size",
                depends=PYTORCH,
                needs=GPU,
                treebank=treebank,
                size=text,
                words=None,
                torch=True,
                **common,
            )
    return found


SMALLER = {name: words for name, words in SAMPLES.items() if name != "UD_English-EWT"}
EWT = {"UD_English-EWT": (None,)}
OF_TORCH = dict.fromkeys(TORCH_TREEBANKS, (None,))
STUDY = Study(
    "networks",
    "How wide should a network be, how much should it count, what do bytes save?",
    tasks,
    {
        "network-bits": bits_rows,
        "network-widths": lambda found: [
            {"network": name, "words/s": shown(own["words_a_second"], 0)}
            for name, own in found["widths"].items()
        ],
        "network-weights": weights_rows,
        "network-sizes": partial(size_rows, "dev", SIZES, SMALLER, False),
        "network-sizes-ewt": partial(size_rows, "dev", SIZES, EWT, False),
        "network-sizes-beside": partial(size_rows, "beside", SIZES, SMALLER, False),
        "network-sizes-ewt-beside": partial(size_rows, "beside", SIZES, EWT, False),
        "torch-sizes": partial(size_rows, "dev", TORCH_SIZES, OF_TORCH, True),
    },
    padded=False,
)
