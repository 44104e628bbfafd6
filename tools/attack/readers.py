"""Everything that reads text: treebanks, JSON, brackets, clusters, vectors, templates, rules, raw text."""

from __future__ import annotations

import gzip
import io
import json
import lzma
import random
import tempfile
from collections.abc import Callable
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from attack.mutators import dump_json, mutate_bytes, mutate_json
from attack.target import BrokenPromiseError, Outcome, Target
from headwise.base.errors import HeadwiseError
from headwise.components.scoring.template_file import load_template_file
from headwise.components.text.tokenizer import pretokenized
from headwise.constituency.brackets import read_brackets
from headwise.constituency.dependencies import to_dependencies
from headwise.constituency.head_rules import HeadRules
from headwise.treebank import Sentence, check_tree, read, read_json, sentence_to_json
from headwise.treebank.files import read_lines
from headwise.words.clusters import Clusters
from headwise.words.vectors import WordVectors

FIXTURES = Path(__file__).parents[2] / "tests" / "fixtures"
_BRACKETS = b"(ROOT (S (NP (PRP She)) (VP (VBZ reads) (NP (DT a) (NN book))) (. .)))\n( (S (X -LRB-)) )\n"
_CLUSTERS = b"".join(b"%s\tword%d\t%d\n" % (format(i, "b").encode(), i, 50 - i) for i in range(1, 40))
_VECTORS = b"3 2\nthe 0.1 -2\ncat 1e-3 4\ndog 0 0\n"
_TEMPLATES = b"[arc]\nh.form m.form\nh.pos m.pos\n[label]\nh.pos m.form\n"
_RULES = b"S: left VP S; right NP\nNP: right NN NNS\ncoordination: CC\n"


class Readers(Target):
    """The first byte of a case says who reads the rest."""

    name = "readers"

    def __init__(self) -> None:
        treebanks = [path.read_bytes() for path in sorted(FIXTURES.glob("*.conll*"))]
        treebanks += [path.read_bytes()[:3000] for path in sorted((FIXTURES / "models").glob("*.conllu"))]
        documents = [sentence_to_json(s) for s in read(treebanks[-1], validate="columns")][:3]
        self._seeds: list[tuple[Callable[[bytes], Outcome], list[Any]]] = [
            (read_treebank, treebanks),
            (read_documents, documents),
            (read_trees, [_BRACKETS]),
            (read_clusters, [_CLUSTERS]),
            (read_vectors, [_VECTORS]),
            (read_templates, [_TEMPLATES]),
            (read_rules, [_RULES]),
            (read_text, [b"She reads. He listens.\n\nA new one\n", *treebanks[:1]]),
            (read_rows, [_parquet(treebanks[-1])]),
        ]

    def mutant(self, rng: random.Random) -> bytes:
        kind = 0 if rng.random() < 0.6 else rng.randrange(len(self._seeds))
        seed = rng.choice(self._seeds[kind][1])
        if isinstance(seed, dict):
            data = dump_json(mutate_json(seed, rng)).encode() + b"\n"
            data = mutate_bytes(data, rng) if rng.random() < 0.2 else data
        else:
            data = mutate_bytes(seed, rng)
        if rng.random() < 0.02:
            data = mutate_bytes(rng.choice((gzip.compress, lzma.compress))(data), rng)
        return bytes([kind]) + data

    def attack(self, data: bytes) -> Outcome:
        if not data:
            return "refused"
        try:
            return self._seeds[data[0] % len(self._seeds)][0](data[1:])
        except HeadwiseError as error:
            if not str(error):
                raise BrokenPromiseError("an error that says nothing") from error
            return "refused"


def read_treebank(data: bytes) -> Outcome:
    """As lines alone, and as trees. What is read comes back byte for byte, and as JSON."""
    formats = ("auto", "conllu", "conllx")
    for format in formats:
        skipping = read(data, format=format, validate="columns", on_error="skip")  # type: ignore[arg-type]
        list(skipping)
    reader = read(data, validate="columns")
    sentences = list(reader)
    if not data.startswith((b"\x1f\x8b", b"\xfd7zXZ")):
        written = b"".join(s.to_bytes() for s in sentences) + reader.trailer
        if written != data:
            raise BrokenPromiseError("what was read is not what is written")
    for sentence in sentences:
        _use(sentence)
    for sentence in read(data, validate="single-root"):
        if -1 not in sentence.heads and check_tree(sentence.heads, single_root=True):
            raise BrokenPromiseError("a tree with one root is none")
    return "accepted"


def _use(sentence: Sentence) -> None:
    line = json.dumps(sentence_to_json(sentence), allow_nan=False)
    try:
        (again,) = read_json(line.encode())
    except HeadwiseError as error:
        raise BrokenPromiseError("what was read cannot be read from its JSON") from error
    if [t.form for t in again.tokens] != [t.form for t in sentence.tokens]:
        raise BrokenPromiseError("forms changed on the way through JSON")
    if again.heads.tolist() != sentence.heads.tolist() or again.misc != sentence.misc:
        raise BrokenPromiseError("columns changed on the way through JSON")


def read_documents(data: bytes) -> Outcome:
    for sentence in read_json(data):
        _use(sentence)
    return "accepted"


def read_trees(data: bytes) -> Outcome:
    list(read_brackets(io.BytesIO(data), on_error="skip"))
    rules = HeadRules.parse(_RULES.decode().splitlines(), "rules")
    for tree in read_brackets(io.BytesIO(data)):
        to_dependencies(tree, rules)
        if str(next(iter(read_brackets(io.BytesIO(str(tree).encode()))))) != str(tree):
            raise BrokenPromiseError("a tree is another when it is read again")
    return "accepted"


def read_clusters(data: bytes) -> Outcome:
    with _as_file(data, ".txt") as path:
        clusters = Clusters.load(path)
        list(clusters.items())
    return "accepted"


def read_vectors(data: bytes) -> Outcome:
    with _as_file(data, ".vec") as path:
        WordVectors.load(path)
    return "accepted"


def read_templates(data: bytes) -> Outcome:
    with _as_file(data, ".txt") as path:
        load_template_file(path)
    return "accepted"


def read_rules(data: bytes) -> Outcome:
    HeadRules.parse(data.decode(errors="replace").splitlines(), "rules")
    return "accepted"


def read_rows(data: bytes) -> Outcome:
    from headwise.treebank.parquet import read_parquet

    with _as_file(data, ".parquet") as path:
        try:
            list(read_parquet(path, validate="columns"))
        except HeadwiseError as error:
            if str(path) not in str(error):
                raise BrokenPromiseError(f"a refusal that does not name the file: {error}") from error
            raise
    return "accepted"


def _parquet(treebank: bytes) -> bytes:
    """Where pyarrow is installed; else nothing can be read, which is a refusal."""
    if find_spec("pyarrow") is None:
        return b"PAR1"
    from headwise.treebank.parquet import write_parquet

    file = io.BytesIO()
    write_parquet(read(treebank, validate="columns"), file)
    return file.getvalue()


def read_text(data: bytes) -> Outcome:
    list(pretokenized(read_lines(data)))
    return "accepted"


class _as_file:
    """Bytes under a name, for readers that take names alone."""

    def __init__(self, data: bytes, suffix: str) -> None:
        self._data, self._suffix = data, suffix

    def __enter__(self) -> Path:
        self._file = tempfile.NamedTemporaryFile(suffix=self._suffix)
        self._file.write(self._data)
        self._file.flush()
        return Path(self._file.name)

    def __exit__(self, *_: object) -> None:
        self._file.close()
