"""Requests to the server: their lines, headers, parameters and JSON, damaged. A case is what is sent."""

from __future__ import annotations

import asyncio
import atexit
import json
import logging
import random
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

from fuzz.mutators import dump_json, hostile, mutate_bytes, mutate_json
from fuzz.target import BrokenPromiseError, Outcome, Target

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
_HEADERS = [
    b"Origin: https://evil.example",
    b"Sec-Fetch-Site: cross-site",
    b"Transfer-Encoding: chunked",
    b"Content-Length: 5",
    b"Content-Length: 99999999999",
    b"Expect: 100-continue",
    b"Host: evil.example",
    b"Content-Encoding: gzip",
    b"Upgrade: websocket\r\nConnection: Upgrade",
    b"Range: bytes=0-1",
    b"If-None-Match: *",
    b"Connection: close",
    b"X: " + b"y" * 3000,
]


class Requests(Target):
    """Served in this process: what a client sends goes to uvicorn's protocol, without a socket."""

    name = "requests"
    cases_a_process = 5_000

    def __init__(self) -> None:
        from uvicorn import Config

        from headwise.web.serve.app import serving_app
        from headwise.web.serve.limits import Limits
        from headwise.web.serve.models import Models, load_models

        models: Models = load_models(["en", f"toy={TOY}"])
        app = serving_app(models, limits=Limits(seconds=8.0, queue=8), threads=1)
        self._config = Config(app, ws="none", log_config=None)
        self._config.load()
        self._loop = asyncio.new_event_loop()
        atexit.register(app.state.engine.stop)
        self._errors: list[str] = []
        handler = logging.Handler(logging.ERROR)
        handler.emit = lambda record: self._errors.append(handler.format(record))  # type: ignore[method-assign]
        log = logging.getLogger("uvicorn.error")
        log.handlers, log.propagate = [handler], False

    def mutant(self, rng: random.Random) -> bytes:
        request = rng.choice((_simple, _query, _form, _parts, _json, _json, _json))(rng)
        for _ in range(rng.choice((0, 0, 0, 1, 2))):
            request = request.replace(b"\r\n", b"\r\n" + rng.choice(_HEADERS) + b"\r\n", 1)
        return mutate_bytes(request, rng) if rng.random() < 0.25 else request

    def attack(self, data: bytes) -> Outcome:
        self._errors.clear()
        statuses = self._loop.run_until_complete(self._serve(data))
        if self._errors:
            raise BrokenPromiseError(f"an error was logged: {self._errors[0]}")
        if any(status >= 500 for status in statuses):
            raise BrokenPromiseError(f"answered {statuses}")
        return "accepted" if statuses and statuses[0] < 400 else "refused"

    async def _serve(self, data: bytes) -> list[int]:
        """The statuses of the answers."""
        from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol
        from uvicorn.server import ServerState

        state = ServerState()
        protocol = HttpToolsProtocol(self._config, state, {}, _loop=asyncio.get_running_loop())
        transport = _Transport()
        protocol.connection_made(transport)
        protocol.data_received(data)
        while state.tasks:
            await asyncio.wait(state.tasks, timeout=0.05)
            cycle = protocol.cycle
            if cycle is not None and cycle.more_body and not cycle.response_complete:
                protocol.connection_lost(None)  # the rest never comes
        if not transport.closed:
            protocol.connection_lost(None)
        await asyncio.sleep(0)
        return _checked(transport.pieces)


class _Transport(asyncio.Transport):
    """What the protocol writes to."""

    def __init__(self) -> None:
        super().__init__()
        self.pieces: list[bytes] = []
        self.closed = False

    def get_extra_info(self, name: str, default: Any = None) -> Any:
        return {"sockname": ("127.0.0.1", 8001), "peername": ("127.0.0.1", 50000)}.get(name, default)

    def write(self, data: Any) -> None:
        self.pieces.append(bytes(data))

    def close(self) -> None:
        self.closed = True

    abort = close

    def is_closing(self) -> bool:
        return self.closed

    def pause_reading(self) -> None:
        pass

    def resume_reading(self) -> None:
        pass


def _checked(pieces: list[bytes]) -> list[int]:
    """The statuses; answers in JSON must be JSON."""
    statuses = []
    for answer in b"".join(pieces).split(b"HTTP/1.1 ")[1:]:
        head, _, body = answer.partition(b"\r\n\r\n")
        statuses.append(int(head[:3]))
        if b"application/json" in head and body:
            json.loads(body)
    return [status for status in statuses if status != 100]


def _request(line: str, body: bytes = b"", kind: str = "") -> bytes:
    head = f"{line} HTTP/1.1\r\nHost: localhost:8001\r\n"
    if kind:
        head += f"Content-Type: {kind}\r\nContent-Length: {len(body)}\r\n"
    return head.encode(errors="replace") + b"\r\n" + body


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
    return _request(f"{method} {rng.choice(_PATHS)}")


def _query(rng: random.Random) -> bytes:
    return _request(f"GET /process?{_encoded(_parameters(rng))}")


def _encoded(parameters: dict[str, str]) -> str:
    return urlencode(parameters, errors="replace")


def _form(rng: random.Random) -> bytes:
    body = _encoded(_parameters(rng)).encode()
    if rng.random() < 0.3:
        body = mutate_bytes(body, rng)
    return _request("POST /process", body, "application/x-www-form-urlencoded")


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
    return _request("POST /process", body, "multipart/form-data; boundary=bound")


def _json(rng: random.Random) -> bytes:
    path, content = rng.choice(_JSON)
    body = dump_json(mutate_json(content, rng) if rng.random() < 0.8 else content).encode(errors="replace")
    if rng.random() < 0.2:
        body = mutate_bytes(body, rng)
    return _request(f"POST {path}", body, "application/json")
