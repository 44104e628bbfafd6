"""Files of the package as pages need them: read once, checked by the browser each time they are used."""

from __future__ import annotations

from collections.abc import Mapping
from hashlib import sha256
from importlib.resources import files
from pathlib import PurePosixPath
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from starlette.requests import Request
    from starlette.responses import Response
    from starlette.routing import Route

_KINDS = {
    ".css": "text/css",
    ".html": "text/html",
    ".js": "text/javascript",
    ".svg": "image/svg+xml",
}
_SHARED = {"page.css": "page.css", "tree.js": "tree.js", "asking.js": "asking.js", "icon.svg": "icon.svg"}


def file_routes(package: str, paths: Mapping[str, str]) -> list[Route]:
    """Routes to files of a package: ``{address: name of the file}``."""
    return [_route(address, package, name) for address, name in paths.items()]


def shared_files() -> list[Route]:
    """``/static/…``: the look of all pages, the style of drawings, and the scripts that pages import."""
    shared = {f"/static/{address}": f"static/{name}" for address, name in _SHARED.items()}
    return [
        *file_routes("headwise.web", shared),
        *file_routes("headwise.display", {"/static/figure.css": "figure.css"}),
        *file_routes("headwise.web", {"/favicon.ico": "static/icon.svg"}),
    ]


def _route(address: str, package: str, name: str) -> Route:
    from starlette.responses import Response
    from starlette.routing import Route

    content = files(package).joinpath(name).read_bytes()
    tag = f'"{sha256(content).hexdigest()[:20]}"'
    kind = f"{_KINDS[PurePosixPath(name).suffix]}; charset=utf-8"
    headers = {"ETag": tag, "Cache-Control": "no-cache"}

    async def answer(request: Request) -> Response:
        if request.headers.get("if-none-match") == tag:
            return Response(status_code=304, headers=headers)
        return Response(content, headers={**headers, "Content-Type": kind})

    return Route(address, answer)
