"""Pages for one person on a machine that others share."""

from __future__ import annotations

import socket
from urllib.parse import urlsplit

import pytest

pytest.importorskip("httpx2", reason="Starlette's test client is not installed")

from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Route
from starlette.testclient import TestClient

from headwise.web.access import Access
from headwise.web.app import web_app
from headwise.web.token import new_token, with_token
from web_server import serving


async def hello(request: Request) -> Response:
    return PlainTextResponse(f"hello {len(await request.body())}")


ROUTES = [Route("/", hello, methods=["GET", "POST"]), Route("/api/x", hello)]


def test_only_who_knows_the_token_is_answered() -> None:
    token = new_token()
    app = web_app(ROUTES, token=token)
    client = TestClient(app, base_url="http://localhost", follow_redirects=False)
    for wrong in (
        "/",
        "/api/x",
        "/static/tree.js",
        "/?token=",
        f"/?token={token}x",
        "/?token=%ff",
        "/nothing",
    ):
        refused = client.get(wrong)
        assert refused.status_code == 403
        assert "token" in refused.text
        assert refused.headers["x-frame-options"] == "DENY"
    assert client.get("/", headers={"Cookie": "x=;;=\x01"}).status_code == 403
    assert client.get("/", headers={"Authorization": f"Bearer {token}"}).status_code == 200

    let_in = client.get(with_token("http://localhost/", token))
    assert (let_in.status_code, let_in.headers["location"]) == (303, "/")
    cookie = let_in.headers["set-cookie"].lower()
    assert "httponly" in cookie
    assert "samesite=strict" in cookie
    assert client.get("/").status_code == 200  # it has the cookie now
    assert client.get("/api/x").status_code == 200
    assert (
        client.get(f"http://localhost//evil.example/?token={token}").headers["location"] == "/evil.example/"
    )

    other = TestClient(
        web_app(ROUTES, token=new_token()), base_url="http://localhost", cookies=client.cookies
    )
    assert other.get("/").status_code == 403  # of another annotator


def test_names_of_a_server_that_others_use() -> None:
    access = Access.of_address("0.0.0.0", names=frozenset({"nlp.example.org"}))
    assert access.allows_host("nlp.example.org:8001")
    assert access.allows_host("localhost")
    assert not access.allows_host("evil.example")
    assert Access.of_address("0.0.0.0").hosts is None
    assert not Access.of_address("127.0.0.1").allows_host("nlp.example.org")


def connected(url: str) -> socket.socket:
    return socket.create_connection(("127.0.0.1", urlsplit(url).port), timeout=60)


@pytest.mark.parametrize("kind", ["Content-Length: 100", "Transfer-Encoding: chunked"])
def test_bodies_that_never_end(kind: str) -> None:
    with serving(web_app(ROUTES, seconds=0.5)) as url, connected(url) as slow:
        slow.sendall(f"POST / HTTP/1.1\r\nHost: localhost\r\n{kind}\r\n\r\n1\r\nx\r\n".encode())
        answer = b""
        while more := slow.recv(1000):
            answer += more
    assert answer.startswith(b"HTTP/1.1 408")


def test_headers_that_never_end(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of any application: nobody needs to ask for it."""
    monkeypatch.setattr("headwise.web.listening.SECONDS", 0.5)
    with serving(web_app(ROUTES)) as url, connected(url) as slow:
        slow.sendall(b"GET / HTTP/1.1\r\nHost: localh")
        assert slow.recv(1000) == b""
