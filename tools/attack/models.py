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

from attack.made_models import FIXTURES, made_models, use
from attack.mutators import dump_json, mutate_bytes, mutate_json
from attack.target import BrokenPromiseError, Outcome, Target
from headwise.base.errors import HeadwiseError
from headwise.model import ModelFile
from headwise.model.compression import compress_model
from headwise.model.stored import kind_of


class Models(Target):
    name = "models"

    def __init__(self) -> None:
        self._folder = tempfile.TemporaryDirectory()
        folder = Path(self._folder.name)
        paths = sorted(FIXTURES.glob("*.hw"))
        for number, model in enumerate(made_models()):
            paths.append(folder / f"{number}.hw")
            model.save(paths[-1])
        for path in list(paths):
            paths.append(folder / f"packed-{path.name}")
            compress_model(path, paths[-1], coarseness=0.25)
        bodies = [body for path in paths if len(body := path.read_bytes()) < 400_000]
        # As many of each kind, however many files there are of it.
        self._seeds: dict[str, list[bytes]] = {}
        for body in bodies:
            self._seeds.setdefault(_kind(body), []).append(body)

    def mutant(self, rng: random.Random) -> bytes:
        body = rng.choice(self._seeds[rng.choice(sorted(self._seeds))])
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
            except HeadwiseError as error:
                if file.name not in str(error):
                    raise BrokenPromiseError(f"a refusal that does not name the file: {error}") from error
                return "refused"
            try:
                use(model)
            except HeadwiseError as error:
                if not str(error):
                    raise BrokenPromiseError("an error that says nothing") from error
                return "refused"
            return "accepted"


def _kind(body: bytes) -> str:
    (length,) = struct.unpack("<Q", body[:8])
    return str(json.loads(json.loads(body[8 : 8 + length])["__metadata__"]["headwise"])["kind"])
