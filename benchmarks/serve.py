"""The server under load: one-sentence requests, too many of them, and very many of them.

    python benchmarks/serve.py                     # steady load, ten times as much, steady load again
    python benchmarks/serve.py --memory 200000     # memory over so many requests of all kinds

Server and client are processes of their own on this machine, and share its cores. The sentences are those of
EWT's test set. CPU is the server's own, so that the last column means something on a busy machine too.
"""

from __future__ import annotations

import argparse
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
from dataclasses import dataclass, field
from itertools import cycle
from pathlib import Path
from typing import cast
from urllib.parse import urlencode

from experiment import note
from headwise.treebank import read
from report import Report, Row, Table, command_line, machine
from shared_data import find_treebank

_TICKS = os.sysconf("SC_CLK_TCK")


@dataclass
class Load:
    """What came of some seconds of requests."""

    seconds: float = 0.0
    latencies: list[float] = field(default_factory=list)
    """Of the requests that were answered with 200."""
    statuses: Counter[int] = field(default_factory=Counter)
    server_cpu: float = 0.0

    def row(self, name: str) -> Row:
        times = sorted(self.latencies) or [float("nan")]
        at = [1000 * times[min(len(times) - 1, int(share * len(times)))] for share in (0.5, 0.9, 0.99)]
        refused = sum(count for status, count in self.statuses.items() if status in (429, 503))
        others = self.statuses.total() - refused - self.statuses[200]
        return {
            "load": name,
            "answered a second": f"{self.statuses[200] / self.seconds:,.0f}",
            "refused a second": f"{refused / self.seconds:,.0f}",
            "errors": str(others),
            "median ms": f"{at[0]:.1f}",
            "90 %": f"{at[1]:.1f}",
            "99 %": f"{at[2]:.1f}",
            "per CPU second": f"{self.statuses.total() / self.server_cpu:,.0f}",
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


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--seconds", type=float, default=10.0, help="of each load")
    parser.add_argument("--connections", type=int, default=32)
    parser.add_argument("--threads", type=int, default=0, help="of the server; 0: one for each core")
    parser.add_argument("--memory", type=int, metavar="REQUESTS", help="measure memory over so many requests")
    parser.add_argument("-o", "--output", type=Path, help="Markdown file")
    options = parser.parse_args()
    sentences = [s.text for s in read(find_treebank("EWT").test) if s.text]
    words = sum(len(text.split()) for text in sentences) / len(sentences)
    server, port = start(options.threads)
    try:
        if options.memory:
            title = "Memory of the server"
            rows = measure_memory(server.pid, port, sentences, options.memory, options.connections)
        else:
            title = "Requests of one sentence"
            rows = measure_loads(server.pid, port, sentences, options.seconds, options.connections)
    finally:
        server.send_signal(signal.SIGTERM)
        server.wait(60)
    facts = {
        "sentences": f"{len(sentences)} of EWT's test set, {words:.1f} words on average",
        "measured with": machine(),
        "command": command_line(__file__, sys.argv[1:]),
    }
    Report(options.output).add(Table(title, facts, rows))


def measure_loads(
    server: int, port: int, sentences: list[str], seconds: float, connections: int
) -> list[Row]:
    requests = cycle([process_request(text) for text in sentences])
    run_load(port, requests, connections, 2.0, server)  # until everything is warm
    loads = {
        f"{connections} connections": connections,
        f"{10 * connections} connections": 10 * connections,
        f"{connections} again": connections,
    }
    return [run_load(port, requests, number, seconds, server).row(name) for name, number in loads.items()]


def measure_memory(server: int, port: int, sentences: list[str], count: int, connections: int) -> list[Row]:
    rng = random.Random(1)
    rows: list[Row] = []
    parts, statuses = 20, Counter[int]()
    for part in range(parts + 1):
        number = count // parts if part else 2000  # the first ones only warm it up
        requests = (any_request(rng.choice(sentences), rng) for _ in range(number))
        load = run_load(port, requests, connections, 1e9, server)
        statuses += load.statuses
        told = ", ".join(f"{status}: {n:,}" for status, n in sorted(statuses.items()))
        requested, resident = f"{statuses.total():,}", f"{memory_of(server):.1f}"
        rows.append({"requests": requested, "resident MB": resident, "statuses": told})
        note(" | ".join(rows[-1].values()))
    return rows


if __name__ == "__main__":
    main()
