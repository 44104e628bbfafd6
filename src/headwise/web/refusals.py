"""How a request is refused: in JSON under ``/api/``, elsewhere in plain text, as UDPipe's server does."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from starlette.responses import Response
    from starlette.types import Receive, Scope, Send

API = "/api/"


def refusal(path: str, status: int, message: str, headers: Mapping[str, str] | None = None) -> Response:
    """The answer to a request for this path that is not served."""
    from starlette.responses import Response

    if path.startswith(API):
        body, kind = json.dumps({"error": message}, ensure_ascii=False), "application/json"
    else:
        body, kind = message + "\n", "text/plain"
    content = body.encode(errors="replace")
    return Response(content, status, headers, media_type=f"{kind}; charset=utf-8")


async def refuse(
    scope: Scope,
    receive: Receive,
    send: Send,
    status: int,
    message: str,
    headers: Mapping[str, str] | None = None,
) -> None:
    await refusal(scope["path"], status, message, headers)(scope, receive, send)
