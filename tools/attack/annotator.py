"""Requests to the annotator: its addresses and JSON, odd. What was acknowledged is in the file each time."""

from __future__ import annotations

import random
import tempfile
from pathlib import Path
from typing import Any

from attack.made_models import FIXTURES
from attack.mutators import dump_json, hostile, mutate_bytes, mutate_json
from attack.served import HEADERS, Served, request
from attack.target import BrokenPromiseError, Outcome
from headwise.components.parser.parser import Parser
from headwise.treebank import read, write
from headwise.web.annotate import AnnotatedFile, Session, Suggester, decisions_of

_SENTENCES = 6


class Annotator(Served):
    name = "annotator"

    def application(self) -> Any:
        from headwise.web.annotate.app import annotation_app

        self._folder = tempfile.TemporaryDirectory()
        self._path = Path(self._folder.name) / "text.conllu"
        sentences = list(read(FIXTURES / "format-1-first.conllu"))[:_SENTENCES]
        write([s.with_tree([-1] * len(s), ["_"] * len(s)) for s in sentences], self._path)
        file = AnnotatedFile(self._path)
        own = file.load()
        suggester = Suggester(Parser.load(FIXTURES / "format-1-first.hw"))
        self._session = Session(file, suggester, own, [decisions_of(s) for s in own])
        return annotation_app(self._session)

    def mutant(self, rng: random.Random) -> bytes:
        sentence, word = rng.randrange(_SENTENCES), rng.randint(1, 8)
        # A case has no state: @ stands for the version that the attacker has seen.
        content = {"sentence": sentence, "word": word, "words": [word], "version": "@", "history": "@"}
        content |= {"head": rng.randint(0, 8), "label": rng.choice(("nsubj", "new:label", "root"))}
        if rng.random() < 0.3:
            number = rng.choice((sentence, "9" * rng.choice((9, 10, 5000)), -1, "x", hostile(rng)))
            path = f"/api/sentences/{number}" + (f"/words/{word}" if rng.random() < 0.5 else "")
            return self._headed(request(f"GET {_line(path)}"), rng)
        if rng.random() < 0.5:
            for name in ("head", "label", "words"):
                if rng.random() < 0.4:
                    del content[name]
            changed: Any = content
        else:
            changed = mutate_json(content, rng)
        body = dump_json(changed).encode(errors="replace")
        body = mutate_bytes(body, rng) if rng.random() < 0.1 else body
        what = rng.choice(("decide", "decide", "accept", "accept", "reopen", "undo", "redo", "reload", "no"))
        return self._headed(request(f"POST /api/{what}", body, "application/json"), rng)

    def _headed(self, asked: bytes, rng: random.Random) -> bytes:
        if rng.random() < 0.15:
            asked = asked.replace(b"\r\n", b"\r\n" + rng.choice(HEADERS) + b"\r\n", 1)
        return mutate_bytes(asked, rng) if rng.random() < 0.1 else asked

    def attack(self, data: bytes) -> Outcome:
        head, end, body = data.partition(b"\r\n\r\n")
        for sentence in range(_SENTENCES):
            if b'"sentence": %d,' % sentence in body:
                seen = self._session.version(sentence).encode()
                body = body.replace(b'"version": "@"', b'"version": "%s"' % seen)
        body = body.replace(b'"history": "@"', b'"history": "%s"' % self._session.history.encode())
        if b"Content-Length: " in head and head.count(b"Content-Length: ") == 1:
            before, _, rest = head.partition(b"Content-Length: ")
            head = before + b"Content-Length: %d" % len(body) + rest.lstrip(b"0123456789")
        outcome = super().attack(head + end + body)
        entries = [self._session.entry(i) for i in range(_SENTENCES)]
        saved = [tuple(decisions_of(sentence)) for sentence in read(self._path)]
        if saved != [entry.decisions for entry in entries]:
            raise BrokenPromiseError("what was acknowledged is not what is in the file")
        return outcome


def _line(path: str) -> str:
    """As it can stand in the first line of a request."""
    return "".join(c if "!" <= c <= "~" else "%41" for c in path)[:6000]
