"""What every local web application keeps to: who may ask, how much, and what answers say of themselves."""

import socket

import pytest

pytest.importorskip("starlette", reason="the extra serve is not installed")
pytest.importorskip("httpx2", reason="Starlette's test client needs httpx2")

from starlette.exceptions import HTTPException
from starlette.responses import PlainTextResponse
from starlette.routing import Route
from starlette.testclient import TestClient

from headwise.base.errors import HeadwiseError
from headwise.web.access import Access, is_local
from headwise.web.app import web_app
from headwise.web.listening import bind, url_of


async def echo(request):
    return PlainTextResponse(str(len(await request.body())))


async def wrong(request):
    raise HeadwiseError("text.conllu:3: no such word.")


async def unknown(request):
    raise HTTPException(404, "no such document")


ROUTES = [
    Route("/", echo, methods=["GET", "POST"]),
    Route("/api/echo", echo, methods=["POST"]),
    Route("/api/wrong", wrong),
    Route("/wrong", wrong),
    Route("/api/unknown", unknown),
]


def client(access=None, **options):
    return TestClient(
        web_app(ROUTES, access=access, most_bytes=1000, **options), base_url="http://127.0.0.1:8001"
    )


def test_local_names_only():
    for host in ("127.0.0.1:8001", "localhost", "LOCALHOST:80", "[::1]:8001"):
        assert client().get("/", headers={"Host": host}).status_code == 200
    for host in ("evil.example", "evil.example:8001", "127.0.0.1.evil.example", "", "[::", "localhost@evil"):
        answer = client().get("/", headers={"Host": host})
        assert answer.status_code == 400, host
        assert "not known as" in answer.text


def test_a_server_for_others_has_any_name():
    assert Access.of_address("0.0.0.0").hosts is None
    assert Access.of_address("127.0.0.1").hosts is not None
    assert client(Access.of_address("0.0.0.0")).get("/", headers={"Host": "example.org"}).status_code == 200
    assert [is_local(x) for x in ("127.1.2.3", "::1", "localhost", "0.0.0.0", "::", "10.0.0.1", "a.b")] == [
        *(True, True, True),
        *(False, False, False, False),
    ]


@pytest.mark.parametrize(
    ("method", "headers", "status"),
    [
        ("POST", {}, 200),  # a program
        ("POST", {"Origin": "http://127.0.0.1:8001"}, 200),
        ("POST", {"Origin": "http://127.0.0.1:8001", "Sec-Fetch-Site": "same-origin"}, 200),
        ("POST", {"Origin": "https://evil.example"}, 403),
        ("POST", {"Origin": "null"}, 403),
        ("POST", {"Origin": "http://[::"}, 403),
        ("POST", {"Origin": "http://localhost:3000", "Sec-Fetch-Site": "same-site"}, 403),
        ("GET", {"Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "no-cors"}, 403),
        ("GET", {"Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "navigate"}, 200),  # a link
        ("POST", {"Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "navigate"}, 403),  # a form
        ("GET", {"Sec-Fetch-Site": "none", "Sec-Fetch-Mode": "navigate"}, 200),
    ],
)
def test_pages_of_other_sites(method, headers, status):
    assert client().request(method, "/", headers=headers).status_code == status


def test_other_sites_where_they_are_allowed():
    asked = {"Origin": "https://example.org", "Sec-Fetch-Site": "cross-site"}
    assert "access-control-allow-origin" not in client().get("/").headers
    one = client(Access(origins=frozenset({"https://example.org"})))
    answer = one.post("/", content="four", headers=asked)
    assert (answer.status_code, answer.text) == (200, "4")
    assert answer.headers["access-control-allow-origin"] == "https://example.org"
    assert one.post("/", headers=asked | {"Origin": "https://other.example"}).status_code == 403
    preflight = {**asked, "Access-Control-Request-Method": "POST"}
    assert one.options("/api/echo", headers=preflight).status_code == 200
    anybody = client(Access(origins=frozenset({"*"})))
    assert anybody.post("/", headers=asked).headers["access-control-allow-origin"] == "*"


def test_size():
    assert client().post("/", content=b"x" * 1000).text == "1000"
    answer = client().post("/", content=b"x" * 1001)
    assert answer.status_code == 413
    assert "larger than 1000 bytes" in answer.text
    assert client().post("/", content=b"x", headers={"Content-Length": "1" * 5000}).status_code == 413
    assert client().post("/", content=b"x", headers={"Content-Length": "-1"}).status_code == 413


def test_size_of_a_body_without_a_length():
    assert client().post("/", content=iter([b"x" * 600, b"y" * 400])).text == "1000"
    answer = client().post("/api/echo", content=iter([b"x" * 600, b"y" * 401]))
    assert answer.status_code == 413
    assert "larger than" in answer.json()["error"]


def test_errors_are_text_or_json_by_address():
    assert client().get("/wrong").text == "text.conllu:3: no such word."
    assert client().get("/wrong").status_code == 400
    answer = client().get("/api/wrong")
    assert (answer.status_code, answer.json()) == (400, {"error": "text.conllu:3: no such word."})
    assert client().get("/api/unknown").json() == {"error": "no such document"}
    assert client().get("/nothing").status_code == 404
    assert client().get("/api/echo").status_code == 405


def test_headers_keep_a_page_to_itself():
    for path in ("/", "/nothing", "/static/page.css"):
        headers = client().get(path).headers
        assert "default-src 'none'" in headers["content-security-policy"]
        assert headers["x-content-type-options"] == "nosniff"
        assert headers["cross-origin-resource-policy"] == "same-origin"


def test_shared_files():
    for name, kind in [
        ("page.css", "text/css"),
        ("figure.css", "text/css"),
        ("tree.js", "text/javascript"),
        ("asking.js", "text/javascript"),
        ("icon.svg", "image/svg+xml"),
    ]:
        answer = client().get(f"/static/{name}")
        assert answer.status_code == 200
        assert answer.headers["content-type"].startswith(kind)
        assert "http://" not in answer.text.replace(
            "http://www.w3.org/2000/svg", ""
        )  # nothing from elsewhere
        assert "https://" not in answer.text
        again = client().get(f"/static/{name}", headers={"If-None-Match": answer.headers["etag"]})
        assert (again.status_code, again.text) == (304, "")
    for path in ("/static/../app.py", "/static/%2e%2e/app.py", "/static/"):
        assert client().get(path).status_code == 404


def test_ports():
    with bind() as first:
        port = first.getsockname()[1]
        assert url_of(first) == f"http://127.0.0.1:{port}/"
        with pytest.raises(HeadwiseError, match=rf"port {port} is in use already.*--port"):
            bind(port=port)
    with pytest.raises(HeadwiseError, match="is no address of this machine"):
        bind("192.0.2.1")
    with pytest.raises(HeadwiseError, match="is no address of this machine"):
        bind("no.such.name.invalid")
    with bind("0.0.0.0") as everywhere:
        assert url_of(everywhere).startswith("http://localhost:")


@pytest.mark.skipif(not socket.has_ipv6, reason="no IPv6 here")
def test_an_address_of_version_6():
    try:
        listening = bind("::1")
    except HeadwiseError as error:
        pytest.skip(str(error))
    with listening:
        assert url_of(listening).startswith("http://[::1]:")
