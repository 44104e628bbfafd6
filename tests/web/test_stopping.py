"""A server in a process of its own: it says when it is ready, and stops when it is asked to."""

import signal
import subprocess
import sys
import threading
import urllib.request

import pytest

pytest.importorskip("uvicorn", reason="the extra serve is not installed")

PROGRAM = """
import asyncio
from starlette.responses import PlainTextResponse
from starlette.routing import Route
from headwise.web.app import web_app
from headwise.web.listening import bind, run, url_of

async def slow(request):
    print("begun", flush=True)
    await asyncio.sleep(1)
    return PlainTextResponse("done")

listening = bind()
run(web_app([Route("/", slow)]), listening, ready=lambda: print(url_of(listening), flush=True))
print("stopped", flush=True)
"""


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_requests_in_progress_finish(number):
    server = subprocess.Popen([sys.executable, "-c", PROGRAM], stdout=subprocess.PIPE, text=True)
    answers = []
    try:
        url = server.stdout.readline().strip()
        asking = threading.Thread(
            target=lambda: answers.append(urllib.request.urlopen(url, timeout=60).read())
        )
        asking.start()
        assert server.stdout.readline() == "begun\n"
        server.send_signal(number)
        asking.join()
        assert answers == [b"done"]
        assert server.stdout.read() == "stopped\n"
        assert server.wait(60) == 0
    finally:
        server.kill()
