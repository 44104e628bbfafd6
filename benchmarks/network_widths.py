"""What networks of several widths cost in a pipeline.

    python benchmarks/network_widths.py EWT
    python benchmarks/network_widths.py EWT --widths 400x3 256x2 --rounds 3

The pipeline is the bundled one; its network is replaced by networks of so many numbers and layers, whose
weights are drawn at random: they take as long as any, and what they say is nonsense. Speeds are words for
each second of processor time, from running text to parses, on one thread, the best of rounds that alternate.
"""

from __future__ import annotations

import argparse
import time
from dataclasses import replace
from itertools import islice

import numpy as np

from headwise import Parser, Pipeline, load
from headwise._native import scoring as native
from headwise.components.text.raw_text import raw_text
from headwise.treebank import read
from shared_data import find_treebank

SENTENCES = 5000
"""More than is kept of what a network has read: in every round it reads all of them."""


def with_network(pipeline: Pipeline, width: int, layers: int) -> Pipeline:
    """The pipeline with a random network."""
    config, weights = pipeline.parser.config, pipeline.parser.weights
    if config.network is None:
        raise SystemExit("the pipeline has no network")
    narrow = {name: min(getattr(config.network, name), width) for name in ("arcs", "labels", "tags")}
    network = replace(config.network, lstm=width, layers=layers, bits=8, **narrow)
    shape = network.shape(weights["vocabulary"], len(config.labels))
    rng = np.random.default_rng(1)
    sizes = (shape.weight_count, shape.vector_count)
    tables = native.quantize_network(shape, *(0.1 * rng.standard_normal(n, np.float32) for n in sizes))
    parser = Parser(replace(config, network=network), {**weights, **tables})
    return Pipeline(pipeline.tokenizer, pipeline.tagger, parser)


def main() -> None:
    formatter = argparse.RawDescriptionHelpFormatter
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=formatter)
    parser.add_argument("treebank", help="(part of) the name of a treebank, or its folder")
    parser.add_argument("--widths", nargs="+", default=["400x3", "256x3", "256x2", "128x2"])
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--model", default="en", help="the pipeline")
    chosen = parser.parse_args()
    sentences = list(islice(read(find_treebank(chosen.treebank).train), SENTENCES))
    lines, words = raw_text(sentences).splitlines(keepends=True), sum(map(len, sentences))
    pipeline = load(chosen.model)
    if not isinstance(pipeline, Pipeline):
        raise SystemExit(f"{chosen.model} is no pipeline")
    pipelines = {
        widths: with_network(pipeline, *(int(number) for number in widths.split("x")))
        for widths in chosen.widths
    }
    seconds: dict[str, list[float]] = {widths: [] for widths in pipelines}
    for _ in range(chosen.rounds):
        for widths, own in pipelines.items():
            started = time.process_time()
            for _parse in own.pipe_lines(lines):
                pass
            seconds[widths].append(time.process_time() - started)
    print("| network | words/s |\n|---|--:|")
    for widths, measured in seconds.items():
        print(f"| {widths} | {words / min(measured):,.0f} |")


if __name__ == "__main__":
    main()
