"""A web application: routes behind guards, with errors that say what is wrong."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractAsyncContextManager
from typing import TYPE_CHECKING, Any

from headwise.base.errors import HeadwiseError
from headwise.web.access import Access, AccessGuard
from headwise.web.body_limit import MOST_BYTES, SECONDS, BodyLimit
from headwise.web.headers import SecurityHeaders
from headwise.web.refusals import refusal
from headwise.web.static_files import shared_files
from headwise.web.token import TokenGuard

if TYPE_CHECKING:
    from starlette.applications import Starlette
    from starlette.middleware import Middleware
    from starlette.requests import Request
    from starlette.responses import Response
    from starlette.routing import BaseRoute

Handlers = Mapping[Any, Callable[["Request", Any], Any]]


def web_app(
    routes: Sequence[BaseRoute],
    *,
    access: Access | None = None,
    most_bytes: int = MOST_BYTES,
    seconds: float = SECONDS,
    token: str | None = None,
    lifespan: Callable[[Starlette], AbstractAsyncContextManager[None]] | None = None,
    errors: Handlers | None = None,
    inner: Sequence[Middleware] = (),
) -> Starlette:
    """The application with these routes and the shared static files.

    Args:
        access: who may ask; by default this machine only.
        most_bytes: requests that are larger are refused, …
        seconds: … and those that take longer to arrive.
        token: what whoever asks must know (`headwise.web.token`).
        errors: what is answered to errors, beside those of the user's data (400).
        inner: middleware behind the guards.
    """
    from starlette.applications import Starlette
    from starlette.exceptions import HTTPException
    from starlette.middleware import Middleware
    from starlette.middleware.cors import CORSMiddleware
    from starlette.requests import ClientDisconnect

    access = access or Access()
    middleware = [Middleware(SecurityHeaders, shared=bool(access.origins))]
    if access.origins:
        middleware.append(Middleware(CORSMiddleware, allow_origins=[*access.origins], allow_methods=["*"]))
    middleware += [
        Middleware(AccessGuard, access=access),
        *([Middleware(TokenGuard, token=token)] if token is not None else []),
        Middleware(BodyLimit, most_bytes=most_bytes, seconds=seconds),
        *inner,
    ]
    handlers: dict[Any, Any] = {
        HTTPException: _http_error,
        HeadwiseError: _bad_data,
        ClientDisconnect: _broken_off,
        **(errors or {}),
    }
    return Starlette(
        routes=[*routes, *shared_files()],
        middleware=middleware,
        exception_handlers=handlers,
        lifespan=lifespan,
    )


def _http_error(request: Request, error: Any) -> Response:
    """Unknown addresses and methods, and what a route refuses with an HTTPException."""
    return refusal(request.url.path, error.status_code, str(error.detail), error.headers)


def _broken_off(request: Request, error: Exception) -> Response:
    """Nobody reads this: the client went away in the middle of its request."""
    return refusal(request.url.path, 400, "The request was broken off.")


def _bad_data(request: Request, error: HeadwiseError) -> Response:
    return refusal(request.url.path, 400, str(error))
