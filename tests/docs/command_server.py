"""Runs `headwise` commands in forks of a process that has imported everything: a hundred start at once.

`headwise` on the path of a shell is then a small client, which hands its arguments, its folder, its
environment and its standard streams over. The commands are the real ones; only start-up is shared.
"""

from __future__ import annotations

import contextlib
import functools
import json
import os
import socket
import stat
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

_CLIENT = """#!{python} -IS
import json, os, socket, sys
server = socket.socket(socket.AF_UNIX)
server.connect({address!r})
call = json.dumps([sys.argv[1:], os.getcwd(), dict(os.environ)]).encode()
socket.send_fds(server, [len(call).to_bytes(8, "big")], [0, 1, 2])
server.sendall(call)
answer = server.recv(1)
sys.exit(answer[0] if answer else 139)
"""


@contextlib.contextmanager
def serving(folder: Path) -> Iterator[Path]:
    """A folder for the path, with a `headwise` in it that works while the block runs."""
    address = str(folder / "server")
    process = subprocess.Popen([sys.executable, __file__, address])
    try:
        while not os.path.exists(address):
            if process.poll() is not None:
                raise RuntimeError("the server of commands did not start")
            time.sleep(0.02)
        client = folder / "headwise"
        client.write_text(_CLIENT.format(python=sys.executable, address=address), encoding="utf-8")
        client.chmod(client.stat().st_mode | stat.S_IXUSR)
        yield folder
    finally:
        process.terminate()
        process.wait()


def _serve(address: str) -> None:
    from short_training import train_briefly

    from headwise.pipeline import pipeline

    pipeline.load = functools.cache(pipeline.load)
    pipeline.load("en")
    train_briefly()
    server = socket.socket(socket.AF_UNIX)
    server.bind(f"{address}.new")
    server.listen(64)
    os.rename(f"{address}.new", address)
    while True:
        client, _ = server.accept()
        with contextlib.suppress(ChildProcessError):
            while os.waitpid(-1, os.WNOHANG)[0]:
                pass
        if os.fork() == 0:
            server.close()
            _run(client)
        client.close()


def _run(client: socket.socket) -> None:
    """One command, from its arguments to its exit code."""
    length, streams, _, _ = socket.recv_fds(client, 8, 3)
    call = b""
    while len(call) < int.from_bytes(length, "big"):
        call += client.recv(65536)
    arguments, folder, environment = json.loads(call)
    for number, stream in enumerate(streams):
        os.dup2(stream, number)
        os.close(stream)
    os.chdir(folder)
    os.environ.clear()
    os.environ.update(environment)
    sys.argv = ["headwise", *arguments]
    code = 1
    try:
        from headwise.cli import main

        main()
        code = 0
    except SystemExit as end:
        code = end.code if isinstance(end.code, int) else int(end.code is not None)
    except BaseException:
        import traceback

        traceback.print_exc()
    with contextlib.suppress(OSError):
        sys.stdout.flush()
        sys.stderr.flush()
    with contextlib.suppress(OSError):
        client.sendall(bytes([code & 255]))
    os._exit(0)


if __name__ == "__main__":
    _serve(sys.argv[1])
