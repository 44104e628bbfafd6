"""The body of a request, which has its time to arrive."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from starlette.requests import Request


async def body_of(request: Request, seconds: float) -> bytes:
    from starlette.exceptions import HTTPException

    try:
        async with asyncio.timeout(seconds):
            return await request.body()
    except TimeoutError:
        message = f"The request did not arrive within {seconds:g} seconds."
        raise HTTPException(408, message, {"Connection": "close"}) from None
