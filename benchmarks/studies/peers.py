"""Headwise beside other parsers for the CPU, trained and measured on the same data. Slow.

Every parser gets gold words and sentences; the table says what else it sees (spaCy no tags). Peers are
trained with their defaults. Speed is of first passes over the test set, processor time, in stretches that
take turns where parsers are compared in one process.
"""

from __future__ import annotations

from functools import partial
from typing import Any, Protocol

from benchmarks.engine import PARSING, Found, Result, Row, Scale, Study, Task, shown
from benchmarks.measuring.attachment import counts_of_parses, percent, read_counts, to_json
from benchmarks.measuring.corpus import Corpus
from benchmarks.measuring.peer_spacy import SpaCy
from benchmarks.measuring.peer_udpipe import UDPipe
from benchmarks.measuring.speed import processor_seconds
from benchmarks.measuring.training import corpus_of, cpu_seconds, score, train_task
from headwise.treebank import Sentence

TREEBANKS = ("UD_English-EWT", "UD_Greek-GDT")
PEERS = {"UDPipe": UDPipe.package, "spaCy": SpaCy.package}
PRESETS = ("first", "second", "third")
INPUTS = "words, gold lemmas, all tags and features"


class Peer(Protocol):
    """Another parser; what it wants as input and gives as output is its own business."""

    name: str
    inputs: str
    """What it sees of a sentence."""

    def train(self, corpus: Corpus) -> None: ...
    def prepare(self, sentences: list[Sentence]) -> list[Any]: ...
    def parse(self, prepared: list[Any]) -> list[Any]:
        """The part that is timed."""

    def tree(self, parsed: Any) -> tuple[Any, list[str]]:
        """The heads and labels it found for a sentence."""


def made(peer: str, options: str) -> Peer:
    if peer == "UDPipe":
        return UDPipe(options)
    return SpaCy(int(options) if options else None)


def trained(
    treebank: str, peer: str, options: str = "", sentences: int | None = None, measured: int | None = None
) -> Result:
    """UDPipe (options as for its --parser) or spaCy (at most so many steps)."""
    corpus = corpus_of(treebank, sentences, measured, dev="own", protocol="ud")
    one = made(peer, options)
    _, training = cpu_seconds(partial(one.train, corpus))
    one.parse(one.prepare(corpus.train[:50]))
    parses, spent = processor_seconds(partial(one.parse, one.prepare(corpus.test)))
    parsed = [s.with_tree(*one.tree(parse)) for s, parse in zip(corpus.test, parses, strict=True)]
    counts = counts_of_parses(corpus.test, parsed, "ud")
    return {
        "name": one.name,
        "inputs": one.inputs,
        **{measure: to_json(own) for measure, own in counts.items()},
        "tokens_a_second": sum(map(len, parsed)) / spent,
        "train_cpu_seconds": training,
    }


def tasks(scale: Scale) -> dict[str, Task]:
    cut = {"sentences": scale.sentences, "measured": scale.measured}
    options = {} if scale.is_full else {"UDPipe": "iterations=2", "spaCy": "200"}
    found = {}
    for treebank in TREEBANKS:
        for preset in PRESETS:
            own = {"preset": preset, "dev": "own", "parts": ["test"], "protocol": "ud"}
            found[f"{treebank} Headwise {preset}"] = train_task(scale, treebank, {"trees": "auto"}, **own)
        for peer, package in PEERS.items():
            given = {"options": options[peer]} if peer in options else {}
            found[f"{treebank} {peer}"] = Task(
                "studies.peers:trained", PARSING, package, treebank=treebank, peer=peer, **given, **cut
            )
    return found


def rows(found: Found) -> list[Row]:
    """What is kept: not everybody has the peers."""
    made_rows = []
    for name in found:
        if (one := found.get(name)) is None:
            continue
        treebank, _, parser = name.partition(" ")
        row = {"Treebank": treebank, "Parser": one.get("name", parser), "Sees": one.get("inputs", INPUTS)}
        if "test" in one:
            row |= {measure.upper(): shown(score(one, measure=measure)) for measure in ("uas", "las")}
            row["Tokens/CPU s"] = shown(one["test"]["map"]["tokens_a_second"], 0)
        else:
            row |= {m.upper(): shown(percent(read_counts(one[m]))) for m in ("uas", "las")}
            row["Tokens/CPU s"] = shown(one["tokens_a_second"], 0)
        made_rows.append(row | {"Train CPU s": shown(one["train_cpu_seconds"], 1)})
    return made_rows


STUDY = Study("peers", "How does Headwise compare with other parsers for the CPU?", tasks, {"peers": rows})
