"""The annotator's page: a session behind a few addresses, on this machine only."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

from headwise.base.errors import HeadwiseError
from headwise.display import draw, to_svg
from headwise.web.annotate.annotated_file import FileChangedError, NotSavedError
from headwise.web.annotate.session import Entry, Session, StaleError
from headwise.web.app import web_app
from headwise.web.refusals import refusal
from headwise.web.static_files import file_routes

if TYPE_CHECKING:
    from starlette.applications import Starlette
    from starlette.requests import Request
    from starlette.responses import Response

QUEUE = 30
"""Sentences that the page lists."""
MOST_BYTES = 1 << 16
"""Of a request; a change is a few numbers."""
_TEXT = 160
"""Characters of a sentence in the list."""


def annotation_app(session: Session, token: str | None = None) -> Starlette:
    """The application; its files are in ``static``. ``token``: only who knows it is answered."""
    from starlette.concurrency import run_in_threadpool
    from starlette.responses import JSONResponse
    from starlette.routing import Route

    answers = _Answers(session)

    def get(path: str, answer: Callable[[dict[str, Any]], dict[str, Any]]) -> Route:
        async def handle(request: Request) -> Response:
            return JSONResponse(await run_in_threadpool(answer, _numbered(request.path_params)))

        return Route(path, handle, methods=["GET"])

    def post(path: str, answer: Callable[[dict[str, Any]], dict[str, Any]]) -> Route:
        async def handle(request: Request) -> Response:
            return JSONResponse(await run_in_threadpool(answer, _object(await _json(request))))

        return Route(path, handle, methods=["POST"])

    files = {"/": "page.html", "/annotate.css": "annotate.css"}
    files |= {f"/{name}.js": f"{name}.js" for name in ("annotate", "picking", "panels")}
    routes = [
        get("/api/overview", answers.overview),
        get("/api/sentences/{sentence}", answers.sentence),
        get("/api/sentences/{sentence}/words/{word}", answers.word),
        post("/api/decide", answers.decide),
        post("/api/accept", answers.accept),
        post("/api/reopen", answers.reopen),
        post("/api/undo", answers.undo),
        post("/api/redo", answers.redo),
        post("/api/reload", answers.reload),
        *file_routes("headwise.web.annotate", {path: f"static/{name}" for path, name in files.items()}),
    ]
    return web_app(
        routes,
        most_bytes=MOST_BYTES,
        token=token,
        errors={
            StaleError: _refused_with(409),
            FileChangedError: _refused_with(412),
            NotSavedError: _refused_with(507),  # as WebDAV says that there is no room
        },
    )


def _refused_with(status: int) -> Callable[[Request, Any], Response]:
    def handle(request: Request, error: Any) -> Response:
        return refusal(request.url.path, status, str(error))

    return handle


def _numbered(named: Mapping[str, str]) -> dict[str, Any]:
    """What an address names by numbers: one that is none, or too long to be one, is an unknown address."""
    from starlette.exceptions import HTTPException

    if not all(value.isascii() and value.isdecimal() and len(value) < 10 for value in named.values()):
        raise HTTPException(404)
    return {name: int(value) for name, value in named.items()}


async def _json(request: Request) -> Any:
    import json

    try:
        return json.loads(await request.body())
    except (ValueError, RecursionError) as error:
        raise HeadwiseError("the request is not JSON.") from error


def _object(value: Any) -> dict[str, Any]:
    if not isinstance(value, dict):
        raise HeadwiseError("the request is not a JSON object.")
    return value


class _Answers:
    """What each address answers, as plain data."""

    def __init__(self, session: Session) -> None:
        self._session = session

    def overview(self, _: dict[str, Any]) -> dict[str, Any]:
        session = self._session
        return {"file": str(session.file.path), "labels": session.labels, **self._standing()}

    def _standing(self) -> dict[str, Any]:
        """How far the work is, and what comes next."""
        session = self._session
        progress = session.progress()
        place = session.most_doubtful()
        return {
            "progress": {
                "sentences": progress.sentences,
                "finished": progress.finished,
                "words": progress.words,
                "decided": progress.decided,
                "expected_right": progress.expected_right,
            },
            "next": None if place is None else {"sentence": place.sentence, "word": place.word},
            "queue": [self._listed(i) for i in session.order()[:QUEUE]],
            "can_undo": session.can_undo,
            "can_redo": session.can_redo,
            "history": session.history,
        }

    def _listed(self, index: int) -> dict[str, Any]:
        entry = self._session.entry(index)
        return {
            "sentence": index,
            "text": _text(entry)[:_TEXT],
            "doubt": entry.most_doubt,
            "finished": entry.is_finished,
        }

    def sentence(self, asked: dict[str, Any]) -> dict[str, Any]:
        return self._state(_number(asked, "sentence"))

    def _state(self, index: int) -> dict[str, Any]:
        entry = self._session.entry(index)
        parse, doubts = entry.parse, entry.doubts.tolist()
        drawing = draw(
            entry.sentence, parse.heads, parse.labels, confidence=[1 - doubt for doubt in doubts], caption=""
        )
        tags = zip(entry.sentence.upos, entry.sentence.feats, entry.sentence.lemmas, strict=True)
        return {
            "sentence": index,
            "version": self._session.version(index),
            "name": entry.sentence.sent_id or str(index + 1),
            "text": _text(entry),
            "svg": to_svg(drawing, styled=False),
            "finished": entry.is_finished,
            "words": [
                {
                    "word": m,
                    "form": entry.sentence.forms[m - 1],
                    "upos": upos,
                    "feats": feats,
                    "lemma": lemma,
                    "head": int(parse.heads[m - 1]),
                    "label": parse.labels[m - 1],
                    "doubt": doubts[m - 1],
                    "decided": entry.decisions[m - 1].mark,
                }
                for m, (upos, feats, lemma) in enumerate(tags, 1)
            ],
        }

    def word(self, asked: dict[str, Any]) -> dict[str, Any]:
        index, word = _number(asked, "sentence"), _number(asked, "word")
        version = self._session.version(index)
        heads, labels = self._session.alternatives(index, word)
        return {
            "sentence": index,
            "word": word,
            "version": version,
            "heads": [
                {
                    "head": other.head,
                    "probability": other.probability,
                    "label": other.label,
                    "label_probability": other.label_probability,
                    "changes": list(other.changes),
                }
                for other in heads
            ],
            "labels": [{"label": label, "probability": probability} for label, probability in labels],
        }

    def decide(self, asked: dict[str, Any]) -> dict[str, Any]:
        index = _number(asked, "sentence")
        head = None if asked.get("head") is None else _number(asked, "head")
        label = None if asked.get("label") is None else _string(asked, "label")
        self._session.decide(
            index, _number(asked, "word"), head=head, label=label, version=_string(asked, "version")
        )
        return self._changed(index)

    def accept(self, asked: dict[str, Any]) -> dict[str, Any]:
        index = _number(asked, "sentence")
        words = None if asked.get("words") is None else _numbers(asked, "words")
        self._session.accept(index, words, _string(asked, "version"))
        return self._changed(index)

    def reopen(self, asked: dict[str, Any]) -> dict[str, Any]:
        index = _number(asked, "sentence")
        self._session.reopen(index, _numbers(asked, "words"), _string(asked, "version"))
        return self._changed(index)

    def undo(self, asked: dict[str, Any]) -> dict[str, Any]:
        return self._changed(self._session.undo(_string(asked, "history")))

    def redo(self, asked: dict[str, Any]) -> dict[str, Any]:
        return self._changed(self._session.redo(_string(asked, "history")))

    def reload(self, _: dict[str, Any]) -> dict[str, Any]:
        self._session.reload()
        return self.overview({})

    def _changed(self, index: int) -> dict[str, Any]:
        return {"state": self._state(index), **self._standing()}


def _text(entry: Entry) -> str:
    return entry.sentence.text or " ".join(entry.sentence.forms)


def _number(asked: dict[str, Any], name: str) -> int:
    value = asked.get(name)
    if not isinstance(value, int) or isinstance(value, bool) or abs(value) > 2**31:
        raise HeadwiseError(f"{name} must be a whole number.")
    return value


def _numbers(asked: dict[str, Any], name: str) -> list[int]:
    value = asked.get(name)
    if not isinstance(value, list):
        raise HeadwiseError(f"{name} must be a list of whole numbers.")
    return [_number({name: item}, name) for item in value]


def _string(asked: dict[str, Any], name: str) -> str:
    value = asked.get(name)
    if not isinstance(value, str):
        raise HeadwiseError(f"{name} must be a string.")
    return value
