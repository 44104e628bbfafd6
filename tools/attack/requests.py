"""Requests to the server: their lines, headers, parameters and JSON, damaged. A case is what is sent."""

from __future__ import annotations

import atexit
import random
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

from attack.mutators import dump_json, hostile, mutate_bytes, mutate_json
from attack.served import HEADERS, Served, request

TOY = Path(__file__).parents[2] / "tests" / "fixtures" / "models" / "format-1-first.hw"
_TEXTS = [
    *("She reads.", "They saw the man with the telescope. He doesn't.", "", " \n\n"),
    *("a\u0301 \u202e ? 東京", "x " * 300),
]
_CONLLU = "# text = She reads\n1\tShe\t_\tPRON\t_\t_\t2\tnsubj\t_\t_\n2\treads\t_\tVERB\t_\t_\t_\t_\t_\t_\n\n"
_JSON: list[tuple[str, dict[str, Any]]] = [
    ("/api/parse", {"text": "She reads.", "probabilities": True, "model": "en", "input": "text"}),
    (
        "/api/parse",
        {"text": "They saw the man with the telescope.", "k": 3, "alternatives": True, "draw": True},
    ),
    (
        "/api/parse",
        {
            "sentences": [["She", "reads", "books"], ["No"]],
            "constraints": [
                {
                    "heads": [2, None, None],
                    "labels": [None, "root", None],
                    "required": [[2, 3]],
                    "forbidden": [[3, 1]],
                },
                None,
            ],
            "model": "toy",
        },
    ),
    ("/api/parse", {"conllu": _CONLLU, "keep_annotation": True, "offsets": False}),
    ("/api/chart", {"text": "She reads old books.", "model": "en"}),
]
_PATHS = [
    "/",
    "/api",
    "/models",
    "/health",
    "/metrics",
    "/api/models",
    "/api/openapi.json",
    "/static/tree.js",
    "/x",
]


class Requests(Served):
    name = "requests"

    def application(self) -> Any:
        from headwise.web.serve.app import serving_app
        from headwise.web.serve.limits import Limits
        from headwise.web.serve.models import Models, load_models

        models: Models = load_models(["en", f"toy={TOY}"])
        app = serving_app(models, limits=Limits(seconds=8.0, queue=8), threads=1)
        atexit.register(app.state.engine.stop)
        return app

    def mutant(self, rng: random.Random) -> bytes:
        asked = rng.choice((_simple, _query, _form, _parts, _json, _json, _json))(rng)
        for _ in range(rng.choice((0, 0, 0, 1, 2))):
            asked = asked.replace(b"\r\n", b"\r\n" + rng.choice(HEADERS) + b"\r\n", 1)
        return mutate_bytes(asked, rng) if rng.random() < 0.25 else asked


def _parameters(rng: random.Random) -> dict[str, str]:
    """Of UDPipe's interface."""
    found = {"data": rng.choice((*_TEXTS, _CONLLU))}
    for name in ("tokenizer", "tagger", "parser"):
        if rng.random() < 0.6:
            found[name] = rng.choice(("", "", "presegmented", "ranges", "x=y;;"))
    if rng.random() < 0.4:
        found["model"] = rng.choice(("en", "toy", "english-ewt", "xx", ""))
    if rng.random() < 0.4:
        found["input"] = rng.choice(("conllu", "horizontal", "vertical", "generic_tokenizer", "x"))
    if rng.random() < 0.4:
        found["output"] = rng.choice(("conllu", "horizontal", "vertical", "plaintext", "x"))
    if rng.random() < 0.3:
        found[rng.choice([*found])] = str(hostile(rng))
    if rng.random() < 0.2:
        del found[rng.choice([*found])]
    return found


def _simple(rng: random.Random) -> bytes:
    method = rng.choice(("GET", "GET", "HEAD", "POST", "OPTIONS", "PUT", "BREW"))
    return request(f"{method} {rng.choice(_PATHS)}")


def _query(rng: random.Random) -> bytes:
    return request(f"GET /process?{_encoded(_parameters(rng))}")


def _encoded(parameters: dict[str, str]) -> str:
    return urlencode(parameters, errors="replace")


def _form(rng: random.Random) -> bytes:
    body = _encoded(_parameters(rng)).encode()
    if rng.random() < 0.3:
        body = mutate_bytes(body, rng)
    return request("POST /process", body, "application/x-www-form-urlencoded")


def _parts(rng: random.Random) -> bytes:
    body = b"".join(
        f'--bound\r\nContent-Disposition: form-data; name="{name}"\r\n\r\n{value}\r\n'.encode(
            errors="replace"
        )
        for name, value in _parameters(rng).items()
    )
    body += b"--bound--\r\n"
    if rng.random() < 0.4:
        body = mutate_bytes(body, rng)
    return request("POST /process", body, "multipart/form-data; boundary=bound")


def _json(rng: random.Random) -> bytes:
    path, content = rng.choice(_JSON)
    body = dump_json(mutate_json(content, rng) if rng.random() < 0.8 else content).encode(errors="replace")
    if rng.random() < 0.2:
        body = mutate_bytes(body, rng)
    return request(f"POST {path}", body, "application/json")
