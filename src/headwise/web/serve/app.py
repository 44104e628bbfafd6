"""The server: its addresses, put together."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Any

from headwise.base.cores import cores
from headwise.web.access import Access
from headwise.web.app import web_app
from headwise.web.refusals import refusal
from headwise.web.serve.admission import Admission
from headwise.web.serve.api import Api, as_json
from headwise.web.serve.engine import Engine, OutOfTimeError, StoppingError
from headwise.web.serve.limits import Limits
from headwise.web.serve.metrics import Metrics
from headwise.web.serve.models import Models
from headwise.web.serve.openapi import description
from headwise.web.serve.udpipe import UDPipe
from headwise.web.static_files import file_routes

if TYPE_CHECKING:
    from starlette.applications import Starlette
    from starlette.requests import Request
    from starlette.responses import Response

_PAGES = {
    "/": "page/index.html",
    "/api": "page/api.html",
    "/page/play.css": "page/play.css",
    "/page/play.js": "page/play.js",
    "/page/chart.js": "page/chart.js",
    "/page/api.js": "page/api.js",
}


def serving_app(
    models: Models,
    *,
    access: Access | None = None,
    limits: Limits | None = None,
    threads: int | None = None,
) -> Starlette:
    """The server as an ASGI application.

    Args:
        access: who may ask; by default this machine only.
        threads: how many work on requests; by default one for each core.
    """
    from starlette.middleware import Middleware
    from starlette.responses import PlainTextResponse
    from starlette.routing import Route

    limits = limits or Limits()
    metrics = Metrics(lambda: len(engine))
    engine = Engine(cores(threads or 0), observe=metrics.worked)
    described = description(limits)

    async def health(request: Request) -> Response:
        return as_json({"status": "ok"})

    async def measured(request: Request) -> Response:
        return PlainTextResponse(str(metrics), media_type="text/plain; version=0.0.4; charset=utf-8")

    async def openapi(request: Request) -> Response:
        return as_json(described)

    @asynccontextmanager
    async def lifespan(app: Any) -> AsyncIterator[None]:
        yield
        engine.stop()

    app = web_app(
        [
            *UDPipe(models, engine, limits).routes(),
            *Api(models, engine, limits).routes(),
            Route("/health", health),
            Route("/metrics", measured),
            Route("/api/openapi.json", openapi),
            *file_routes("headwise.web.serve", _PAGES),
        ],
        access=access,
        most_bytes=limits.request_bytes,
        seconds=limits.seconds,
        lifespan=lifespan,
        errors={OutOfTimeError: _out_of_time, StoppingError: _stopping, 404: _unknown, 500: _broken},
        inner=[Middleware(Admission, limits=limits, metrics=metrics)],
    )
    app.state.engine = engine  # for whoever uses the application without its lifespan, and stops it himself
    return app


def _out_of_time(request: Request, error: Exception) -> Response:
    return refusal(
        request.url.path, 503, "The request took too long. Send less at a time.", {"Retry-After": "1"}
    )


def _stopping(request: Request, error: Exception) -> Response:
    return refusal(request.url.path, 503, "The server is about to stop.", {"Retry-After": "5"})


def _unknown(request: Request, error: Exception) -> Response:
    return refusal(request.url.path, 404, f"No handler for the given URL '{request.url.path}'")


def _broken(request: Request, error: Exception) -> Response:
    return refusal(request.url.path, 500, "An internal error occurred during processing.")
