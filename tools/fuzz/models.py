"""Model files of every kind, damaged in their headers, their layout, their tensors and their packed bytes."""

from __future__ import annotations

import json
import math
import random
import struct
import tempfile
import zlib
from pathlib import Path
from typing import Any

import numpy as np

from fuzz.mutators import dump_json, mutate_bytes, mutate_json
from fuzz.target import BrokenPromiseError, Outcome, Target
from headwise.base.errors import HeadwiseError
from headwise.components.parser.parser import Parser
from headwise.components.tagging import Tagger
from headwise.components.text import Tokenizer
from headwise.constituency.brackets import read_brackets
from headwise.constituency.parser import PhraseParser
from headwise.model import ModelFile, Stored
from headwise.model.compression import compress_model
from headwise.model.stored import kind_of
from headwise.pipeline.pipeline import Pipeline
from headwise.treebank import Sentence, read

FIXTURES = Path(__file__).parents[2] / "tests" / "fixtures" / "models"
_BRACKETS = b"(ROOT (S (NP (PRP She)) (VP (VBZ reads) (NP (DT a) (NN book)))))\n" * 3
_WORDS = ["the", "dog", "sees", "a", "cat"]


class Models(Target):
    name = "models"

    def __init__(self) -> None:
        self._folder = tempfile.TemporaryDirectory()
        folder = Path(self._folder.name)
        paths = sorted(FIXTURES.glob("*.hw"))
        sentences = list(read(FIXTURES / "format-1-first.conllu"))
        parser = Parser.load(FIXTURES / "format-1-first.hw")
        tagger = Tagger.train(sentences, epochs=1, bits=10)
        tokenizer = Tokenizer.train(sentences, epochs=1, bits=10)
        models: list[Stored] = [tagger, tokenizer, Pipeline(tokenizer, tagger, parser)]
        models.append(PhraseParser.train(read_brackets(_BRACKETS)))
        for model in models:
            paths.append(folder / f"{model.KIND}.hw")
            model.save(paths[-1])
        for path in list(paths):
            paths.append(folder / f"packed-{path.name}")
            compress_model(path, paths[-1], coarseness=0.25)
        self._seeds = [body for path in paths if len(body := path.read_bytes()) < 400_000]
        self._sentence = Sentence.from_words(_WORDS, upos=["DET", "NOUN", "VERB", "DET", "NOUN"])

    def mutant(self, rng: random.Random) -> bytes:
        body = rng.choice(self._seeds)
        (length,) = struct.unpack("<Q", body[:8])
        layout, tensors = json.loads(body[8 : 8 + length]), body[8 + length :]
        change = rng.random()
        if change < 0.5:  # of what Headwise says
            header = json.loads(layout["__metadata__"]["headwise"])
            if rng.random() < 0.3 and "packed" in header:
                header["packed"] = mutate_json(header["packed"], rng)
            else:
                header["config"] = mutate_json(header["config"], rng)
            if rng.random() < 0.05:
                header = mutate_json(header, rng)
            layout["__metadata__"]["headwise"] = dump_json(header)
        elif change < 0.6:
            text = layout["__metadata__"]["headwise"].encode()
            layout["__metadata__"]["headwise"] = mutate_bytes(text, rng).decode(errors="replace")
        elif change < 0.75:  # of what safetensors says
            layout = mutate_json(layout, rng)
        elif change < 0.9:
            tensors = self._other_tensors(layout, tensors, rng)
        else:
            return mutate_bytes(body, rng) if rng.random() < 0.5 else body[: rng.randrange(len(body))]
        new = dump_json(layout).encode()
        new += b" " * (rng.choice((0, 0, 1)) if rng.random() < 0.3 else -(8 + len(new)) % 64)
        return struct.pack("<Q", len(new)) + new + tensors

    def _other_tensors(self, layout: dict[str, Any], tensors: bytes, rng: random.Random) -> bytes:
        """Other bytes in a tensor: noise, numbers that are none, deflated zeros."""
        name = rng.choice([name for name in layout if name != "__metadata__"])
        begin, end = layout[name]["data_offsets"]
        size = end - begin
        new = bytearray(tensors[begin:end])
        how = rng.random()
        if how < 0.3 and size >= 4:
            at = rng.randrange(size // 4) * 4
            new[at : at + 4] = rng.choice(
                (
                    struct.pack("<f", math.nan),
                    struct.pack("<f", math.inf),
                    b"\xff" * 4,
                    struct.pack("<f", 3e38),
                )
            )
        elif how < 0.6 and size:
            new[:] = rng.randbytes(size)
        elif size:
            zeros = zlib.compress(bytes(rng.choice((0, 10, 10_000, 10_000_000))), 1)
            new[: min(size, len(zeros))] = zeros[:size]
        return tensors[:begin] + bytes(new) + tensors[end:]

    def attack(self, data: bytes) -> Outcome:
        with tempfile.NamedTemporaryFile(suffix=".hw", dir=self._folder.name) as file:
            file.write(data)
            file.flush()
            try:
                model = kind_of(ModelFile.open(file.name)).load(file.name)
                self._use(model)
            except HeadwiseError as error:
                if not str(error):
                    raise BrokenPromiseError("an error that says nothing") from error
                return "refused"
            return "accepted"

    def _use(self, model: Stored) -> None:
        """A model that was taken works: its answers are trees, and its numbers are numbers."""
        if isinstance(model, Pipeline):
            list(model.tokenizer("the dog sees a cat."))
            self._use(model.tagger)
            self._use(model.parser)
        elif isinstance(model, Tokenizer):
            list(model("the dog sees a cat. the cat"))
        elif isinstance(model, Tagger):
            model(_WORDS)
        elif isinstance(model, PhraseParser):
            model(_WORDS[:3])
        elif isinstance(model, Parser):
            model(self._sentence)
            (parse,) = model.pipe([self._sentence], confidence=True)
            json.dumps(parse.to_json(), allow_nan=False)
            assert parse.confidence is not None
            if not np.isfinite(parse.confidence).all():
                raise BrokenPromiseError("a probability is no number")
