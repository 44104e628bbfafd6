"""``headwise serve`` as its users start and stop it."""

import json
import signal
import socket
import subprocess
import sys
import urllib.parse
import urllib.request

import pytest

from headwise.cli.app import run

pytest.importorskip("uvicorn", reason="the extra serve is not installed")


def start(*arguments):
    command = [sys.executable, "-m", "headwise", "serve", *arguments]
    return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


def test_start_ask_and_stop(parser, tmp_path):
    model = tmp_path / "toy.hw"
    parser.save(model)
    server = start("--model", "en", "--model", f"sv={model}", "--port", "0")
    try:
        said = server.stderr.readline()
        assert "serves en, sv" in said
        url = said.split()[1]
        assert url.startswith("http://127.0.0.1:")
        query = urllib.parse.urlencode({"data": "She reads.", "tokenizer": "", "parser": "", "tagger": ""})
        with urllib.request.urlopen(f"{url}process?{query}", timeout=60) as answer:
            assert "nsubj" in json.load(answer)["result"]
        with urllib.request.urlopen(url, timeout=60) as page:
            assert "<title>Headwise</title>" in page.read().decode()
        server.send_signal(signal.SIGTERM)
        out, err = server.communicate(timeout=60)
        assert (server.returncode, out, err) == (0, "", "")
    finally:
        server.kill()


@pytest.fixture
def refusal(capsys):
    """What the command says where it does not start."""

    def said(*arguments):
        assert run(["serve", *arguments]) == 1
        out, err = capsys.readouterr()
        assert out == ""
        assert err.startswith("headwise: ")
        return err

    return said


def test_bad_calls(refusal):
    assert "klingon: no such file" in refusal("--port", "0", "--model", "klingon")
    assert "192.0.2.1 is no address of this machine." in refusal("--port", "0", "--host", "192.0.2.1")
    assert "two models are called en." in refusal("--port", "0", "--model", "en", "--model", "en")


def test_a_port_that_is_taken(refusal):
    with socket.create_server(("127.0.0.1", 0)) as other:
        port = str(other.getsockname()[1])
        assert f"port {port} is in use already. Choose another with --port" in refusal("--port", port)


def test_without_the_extra(tmp_path):
    """One line that says what to install."""
    program = (
        "import sys\nfrom importlib import machinery\n"
        "found = machinery.PathFinder.find_spec\n"
        "hidden = {'starlette', 'uvicorn'}\n"
        "machinery.PathFinder.find_spec = classmethod(\n"
        "    lambda cls, name, *rest: None if name.split('.')[0] in hidden else found(name, *rest))\n"
        "from headwise.cli import main\nsys.argv = ['headwise', 'serve']\nmain()\n"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=60)
    assert done.returncode == 1
    assert done.stderr == (
        "headwise: packages for web pages are not installed (starlette, uvicorn). "
        "Install them with: pip install 'headwise[serve]'.\n"
    )
