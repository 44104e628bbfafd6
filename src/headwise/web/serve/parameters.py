"""Parameters of a request as UDPipe takes them: in the address, url-encoded, or in parts (multipart)."""

from __future__ import annotations

import logging
from collections.abc import AsyncGenerator
from typing import TYPE_CHECKING
from urllib.parse import parse_qsl

from headwise.base.errors import HeadwiseError

if TYPE_CHECKING:
    from starlette.requests import Request

MOST_FIELDS = 100
logging.getLogger("python_multipart").setLevel(logging.CRITICAL)  # it would log every malformed request
_FORM = "application/x-www-form-urlencoded"
_PARTS = "multipart/form-data"


class ParameterError(HeadwiseError):
    """A request that cannot be read, in UDPipe's words."""


async def parameters_of(request: Request, body: bytes) -> dict[str, str]:
    """All parameters; those of the body count where both have one."""
    try:
        found = _parsed(request.scope["query_string"].decode())
    except ValueError as error:
        raise ParameterError("Cannot parse request URL.") from error
    if request.method != "POST":
        return found
    kind = request.headers.get("content-type", "")
    if kind.startswith(_FORM):
        try:
            return found | _parsed(body.decode())
        except ValueError as error:
            raise ParameterError(f"Cannot parse the {_FORM} payload.") from error
    if kind.startswith(_PARTS):
        try:
            return found | await _parts(request, body)
        except Exception as error:  # the parser of parts has errors of many kinds for what is malformed
            raise ParameterError(f"Cannot parse the {_PARTS} payload.") from error
    raise ParameterError(f"Unsupported payload Content-Type '{kind or '<none>'}'.")


def _parsed(text: str) -> dict[str, str]:
    return dict(parse_qsl(text, keep_blank_values=True, errors="strict", max_num_fields=MOST_FIELDS))


async def _parts(request: Request, body: bytes) -> dict[str, str]:
    from starlette.datastructures import UploadFile
    from starlette.formparsers import MultiPartParser

    async def stream() -> AsyncGenerator[bytes, None]:
        yield body

    parser = MultiPartParser(
        request.headers,
        stream(),
        max_files=MOST_FIELDS,
        max_fields=MOST_FIELDS,
        max_part_size=len(body) + 1,
    )
    parser.spool_max_size = len(body) + 1  # a file stays in memory: nothing is written to disk
    form = await parser.parse()
    try:
        return {
            name: (await value.read()).decode() if isinstance(value, UploadFile) else value
            for name, value in form.multi_items()
        }
    finally:
        await form.close()
