"""Connections on which nothing comes are closed; others are not."""

import socket
from urllib.parse import urlsplit

import pytest

pytest.importorskip("httptools", reason="the extra serve is not installed")

from starlette.responses import PlainTextResponse
from starlette.routing import Route

from headwise.web.app import web_app
from headwise.web.slow_clients import patient_for
from web_server import serving


async def hello(request):
    return PlainTextResponse("hello")


@pytest.mark.parametrize("said", [b"", b"GET / HT", b"GET / HTTP/1.1\r\nHost: localhost\r\nX: y"])
def test_who_says_nothing_is_hung_up_on(said):
    with serving(web_app([Route("/", hello)]), http=patient_for(0.2), timeout_keep_alive=1) as url:
        port = urlsplit(url).port
        with socket.create_connection(("127.0.0.1", port), timeout=60) as slow:
            slow.sendall(said)
            assert slow.recv(1000) == b""  # closed, and not by us
        with socket.create_connection(("127.0.0.1", port), timeout=60) as good:
            for _ in range(2):  # a connection that is used again
                good.sendall(b"GET / HTTP/1.1\r\nHost: localhost\r\n\r\n")
                assert good.recv(2000).startswith(b"HTTP/1.1 200")
            good.sendall(said)
            while good.recv(1000):  # what is left of the answer, until it is closed too
                pass
