"""Requests to the recommender for INCEpTION: their JSON, and the XML in it, damaged."""

from __future__ import annotations

import json
import random
import sys
from pathlib import Path
from typing import Any

from attack.made_models import FIXTURES
from attack.mutators import dump_json, mutate_bytes, mutate_json
from attack.served import HEADERS, Served, request
from headwise.components.parser.parser import Parser

_ENCODINGS = ("UTF-8", "utf-16", "UTF-7", "hz-gb-2312", "ISO-2022-JP", "latin-1", "x", "")
_DOCTYPE = '<!DOCTYPE a [<!ENTITY b SYSTEM "file:///etc/passwd">]>'


class Recommenders(Served):
    name = "recommender"

    def application(self) -> Any:
        sys.path.insert(0, str(Path(__file__).parents[2] / "tests"))
        from headwise.web.inception.app import recommender_app
        from headwise.web.inception.recommender import Recommender
        from headwise.web.inception.training import Learning
        from headwise.web.inception.training import Recommenders as ForProjects
        from inception_exchanges import annotate, document, predict_body

        cas = document([["She", "reads", "books"], ["He", "does", "n't", "\U0001f600"]])
        annotate(cas, 1, 0, "nsubj")
        self._body = json.loads(json.dumps(predict_body(cas)))
        learning = Learning(factorization="arc")
        first = Recommender(Parser.load(FIXTURES / "format-1-first.hw"))
        return recommender_app(ForProjects(first, learning))

    def mutant(self, rng: random.Random) -> bytes:
        body: Any = json.loads(json.dumps(self._body))
        change = rng.random()
        if change < 0.5:
            where, name = rng.choice(
                ((body["document"], "xmi"), (body["document"], "xmi"), (body, "typeSystem"))
            )
            where[name] = _odd_xml(where[name], rng)
        elif change < 0.8:
            body = mutate_json(body, rng)
        address = "/predict"
        if rng.random() < 0.2 and isinstance(body, dict) and "document" in body:
            address, body["documents"] = "/train", [body.pop("document")]
        data = dump_json(body).encode(errors="replace")
        data = mutate_bytes(data, rng) if rng.random() < 0.1 else data
        asked = request(f"POST {address}", data, "application/json")
        if rng.random() < 0.1:
            asked = asked.replace(b"\r\n", b"\r\n" + rng.choice(HEADERS) + b"\r\n", 1)
        return asked


def _odd_xml(xml: str, rng: random.Random) -> str:
    change = rng.random()
    if change < 0.6:
        return mutate_bytes(xml.encode(), rng).decode(errors=rng.choice(("replace", "surrogateescape")))
    plain = xml.partition("?>")[2]
    if change < 0.8:
        hidden = _DOCTYPE.encode("utf-7").decode("ascii") if rng.random() < 0.5 else _DOCTYPE
        return f'<?xml version="1.0" encoding="{rng.choice(_ENCODINGS)}"?>{hidden}{plain}'
    begin = rng.choice(("sofaString=", "begin=", "end=", "Governor=", "Dependent=", "members=", "xmi:id="))
    at = plain.find(begin)
    if at < 0:
        return plain
    first = plain.find('"', at)
    last = plain.find('"', first + 1)
    value = rng.choice(("", "-1", "0", "9" * 30, "99", "x", "1 2", "\ud800", "&#0;", "&lt;", "é" * 50))
    return plain[: first + 1] + value + plain[last:]
