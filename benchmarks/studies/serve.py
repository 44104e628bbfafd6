"""The server under load: one-sentence requests, too many of them, and very many of them.

Server and client are processes of their own on this machine, and share its cores. The sentences are those of
EWT's test set, over and over. CPU is the server's own, so that the last column means something on a busy
machine too.
"""

from __future__ import annotations

import asyncio
import json
import os
import random
import signal
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from itertools import cycle
from typing import cast
from urllib.parse import urlencode

from benchmarks.engine import Found, Result, Row, Scale, Study, Task, shown
from benchmarks.measuring.data import find_treebank
from headwise.treebank import read

DEPENDS = (
    "src/headwise/web/serve",
    "src/headwise/components/parser",
    "native/parsing",
    "native/tagging",
    "native/text",
)
CONNECTIONS = 32
_TICKS = os.sysconf("SC_CLK_TCK")


@dataclass
class Load:
    """What came of some seconds of requests."""

    seconds: float = 0.0
    latencies: list[float] = field(default_factory=list)
    """Of the requests that were answered with 200."""
    statuses: Counter[int] = field(default_factory=Counter)
    server_cpu: float = 0.0

    def figures(self) -> Result:
        times = sorted(self.latencies) or [float("nan")]
        at = [1000 * times[min(len(times) - 1, int(share * len(times)))] for share in (0.5, 0.9, 0.99)]
        refused = sum(count for status, count in self.statuses.items() if status in (429, 503))
        return {
            "answered a second": self.statuses[200] / self.seconds,
            "refused a second": refused / self.seconds,
            "errors": self.statuses.total() - refused - self.statuses[200],
            **dict(zip(("median ms", "90 %", "99 %"), at, strict=True)),
            "per CPU second": self.statuses.total() / self.server_cpu,
        }


class Connection(asyncio.Protocol):
    """One client: it asks, waits for the answer, and asks again."""

    def __init__(self, requests: Iterator[bytes], load: Load, until: list[float]) -> None:
        self._requests, self._load, self._until = requests, load, until
        self._read = b""
        self.done: asyncio.Future[None] = asyncio.get_running_loop().create_future()

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = cast("asyncio.Transport", transport)
        self._ask()

    def _ask(self) -> None:
        request = next(self._requests, None)
        if request is None or time.perf_counter() > self._until[0]:
            self._transport.close()
            return
        self._began = time.perf_counter()
        self._transport.write(request)

    def data_received(self, data: bytes) -> None:
        self._read += data
        end = self._read.find(b"\r\n\r\n")
        if end < 0:
            return
        head = self._read[:end].lower()
        begin = head.index(b"content-length:") + 15
        length = int(head[begin : head.find(b"\r\n", begin) if b"\r\n" in head[begin:] else None])
        if len(self._read) < end + 4 + length:
            return
        status = int(head[9:12])
        self._load.statuses[status] += 1
        if status == 200:
            self._load.latencies.append(time.perf_counter() - self._began)
        self._read = b""
        self._ask()

    def connection_lost(self, error: Exception | None) -> None:
        if not self.done.done():
            self.done.set_result(None)


async def put_under_load(port: int, requests: Iterator[bytes], connections: int, seconds: float) -> Load:
    load = Load()
    loop = asyncio.get_running_loop()
    began = time.perf_counter()
    until = [began + seconds]
    made = [
        (await loop.create_connection(lambda: Connection(requests, load, until), "127.0.0.1", port))[1]
        for _ in range(connections)
    ]
    await asyncio.gather(*(one.done for one in made))
    load.seconds = time.perf_counter() - began
    return load


def run_load(port: int, requests: Iterator[bytes], connections: int, seconds: float, server: int) -> Load:
    try:
        import uvloop

        run = uvloop.run
    except ImportError:
        run = asyncio.run
    before = cpu_of(server)
    load: Load = run(put_under_load(port, requests, connections, seconds))
    load.server_cpu = max(cpu_of(server) - before, 1 / _TICKS)
    return load


def cpu_of(process: int) -> float:
    with open(f"/proc/{process}/stat") as file:
        fields = file.read().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / _TICKS


def memory_of(process: int) -> float:
    """Resident megabytes."""
    with open(f"/proc/{process}/statm") as file:
        return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE") / 1e6


def request(path: str, body: bytes, kind: str) -> bytes:
    head = f"POST {path} HTTP/1.1\r\nHost: localhost\r\nContent-Type: {kind}\r\n"
    return f"{head}Content-Length: {len(body)}\r\n\r\n".encode() + body


def process_request(text: str) -> bytes:
    form = urlencode({"tokenizer": "", "tagger": "", "parser": "", "data": text})
    return request("/process", form.encode(), "application/x-www-form-urlencoded")


def any_request(text: str, rng: random.Random) -> bytes:
    """Mostly the same as above; some with probabilities, k best trees or drawings, some that are wrong."""
    kind = rng.random()
    if kind < 0.7:
        return process_request(text)
    content: dict[str, object] = {"text": text, "probabilities": True}
    if kind > 0.97:
        content = {"text": text, "k": 0}
    elif kind > 0.94:
        content = {"text": text, "k": 3, "alternatives": True, "draw": True}
    return request("/api/parse", json.dumps(content).encode(), "application/json")


def start(threads: int) -> tuple[subprocess.Popen[str], int]:
    command = [sys.executable, "-m", "headwise", "serve", "--port", "0", "--threads", str(threads)]
    server = subprocess.Popen(command, stderr=subprocess.PIPE, text=True)
    assert server.stderr is not None
    said = server.stderr.readline()
    if "http://" not in said:
        raise SystemExit(said)
    return server, int(said.split("http://", 1)[1].split("/", 1)[0].rpartition(":")[2])


@contextmanager
def serving(threads: int = 0) -> Iterator[tuple[int, int, list[str]]]:
    """A server: its process and port, and what it is asked."""
    sentences = [s.text for s in read(find_treebank("UD_English-EWT").test) if s.text]
    server, port = start(threads)
    try:
        yield server.pid, port, sentences
    finally:
        server.send_signal(signal.SIGTERM)
        server.wait(60)


def loads(seconds: float) -> Result:
    """Steady load, ten times as much, steady load again."""
    with serving() as (server, port, sentences):
        requests = cycle([process_request(text) for text in sentences])
        run_load(port, requests, CONNECTIONS, min(2.0, seconds), server)  # until everything is warm
        numbers = {
            f"{CONNECTIONS} connections": CONNECTIONS,
            f"{10 * CONNECTIONS} connections": 10 * CONNECTIONS,
        }
        numbers[f"{CONNECTIONS} again"] = CONNECTIONS
        return {name: run_load(port, requests, n, seconds, server).figures() for name, n in numbers.items()}


def memory(requests: int, parts: int = 20) -> Result:
    """Resident megabytes by requests of all kinds."""
    rng, result = random.Random(1), {"requests": [], "megabytes": []}
    with serving() as (server, port, sentences):
        statuses = Counter[int]()
        for part in range(parts + 1):
            number = requests // parts if part else min(2000, requests // parts)  # the first ones warm it up
            asked = (any_request(rng.choice(sentences), rng) for _ in range(number))
            statuses += run_load(port, asked, CONNECTIONS, 1e9, server).statuses
            result["requests"].append(statuses.total())
            result["megabytes"].append(memory_of(server))
    return {**result, "statuses": dict(statuses)}


def tasks(scale: Scale) -> dict[str, Task]:
    return {
        "loads": Task("studies.serve:loads", DEPENDS, "starlette", seconds=10.0 if scale.is_full else 0.5),
        "memory": Task(
            "studies.serve:memory", DEPENDS, "starlette", requests=200_000 if scale.is_full else 200
        ),
    }


def load_rows(found: Found) -> list[Row]:
    return [
        {"load": name} | {c: shown(v, 1 if "%" in c or "ms" in c else 0) for c, v in one.items()}
        for name, one in found["loads"].items()
    ]


STUDY = Study(
    "serve",
    "How many requests does the server answer, and does it grow?",
    tasks,
    {"serve": load_rows},
    padded=False,
)
