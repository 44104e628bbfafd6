"""Running the blocks of a page one after the other, in a folder of their own; comparing what they print."""

from __future__ import annotations

import contextlib
import importlib.util
import io
import json
import os
import pty
import re
import subprocess
import sys
import traceback
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from markdown_blocks import Block

LONGEST = 300
"""Seconds that a block of shell may take."""


@dataclass
class Session:
    """What the blocks of a page share: a folder, Python's names, a shell's path, a database."""

    page: str
    folder: Path
    commands: Path
    """The folder with the `headwise` to use."""
    names: dict[str, Any] = field(default_factory=lambda: {"__name__": "__page__"})

    def run(self, block: Block) -> str:
        """What a block prints; an AssertionError where it fails, or prints other than the page says."""
        place = f"{self.page}:{block.line}"
        try:
            run = {"python": self._python, "sh": self._shell, "sql": self._sql}[block.language]
            printed = (
                self._failing(block.code) if block.remark("code: fails") is not None else run(block.code)
            )
        except Exception as error:
            raise AssertionError(f"{place}: {error}\n{block.code}") from error
        if block.output is not None and block.output.remark("output: example") is None:
            vary = block.output.remark("output: numbers vary") is not None
            expected, found = (comparable(text, vary) for text in (block.output.code, printed))
            assert matches(found, expected), (
                f"{place}: prints\n{printed}\nand the page says\n{block.output.code}"
            )
        return printed

    def _python(self, code: str) -> str:
        printed = io.StringIO()
        program = compile(code, f"{self.page} (code)", "exec", dont_inherit=True)
        with contextlib.redirect_stdout(printed), contextlib.chdir(self.folder):
            try:
                exec(program, self.names)
            except Exception as error:
                raise RuntimeError("".join(traceback.format_exception(error, limit=-3))) from error
        return printed.getvalue()

    def _shell(self, code: str) -> str:
        """What a terminal would show; the commands stop at the first that fails."""
        printed, complaints, exit_code = self._in_a_terminal(code)
        if exit_code:
            raise RuntimeError(f"exit code {exit_code}\n{printed[-2000:]}\n{complaints[-2000:]}")
        return printed

    def _failing(self, code: str) -> str:
        """What a command prints that fails, as it should."""
        printed, complaints, exit_code = self._in_a_terminal(code)
        if not exit_code:
            raise RuntimeError("it does not fail")
        return printed + complaints

    def _in_a_terminal(self, code: str) -> tuple[str, str, int]:
        control, terminal = pty.openpty()
        environment = {
            **os.environ,
            "PATH": f"{self.commands}:{Path(sys.executable).parent}:{os.environ['PATH']}",
            "PYTHONPATH": os.pathsep.join(sys.path),
            "NO_COLOR": "1",
            "TERM": "dumb",
            "COLUMNS": "120",
        }
        process = subprocess.Popen(
            ["bash", "-euo", "pipefail", "-c", code],
            cwd=self.folder,
            env=environment,
            stdin=subprocess.DEVNULL,
            stdout=terminal,
            stderr=subprocess.PIPE,
        )
        os.close(terminal)
        import threading

        complaints: list[bytes] = []
        assert process.stderr is not None
        reader = threading.Thread(target=lambda: complaints.append(process.stderr.read()))  # type: ignore[union-attr]
        reader.start()
        shown = b""
        with contextlib.suppress(OSError):  # the end of a terminal
            while piece := os.read(control, 65536):
                shown += piece
        os.close(control)
        exit_code = process.wait(timeout=LONGEST)
        reader.join()
        return shown.replace(b"\r\n", b"\n").decode(), complaints[0].decode(), exit_code

    def _sql(self, code: str) -> str:
        import duckdb

        printed = []
        with contextlib.chdir(self.folder):
            for statement in duckdb.extract_statements(code):
                result = duckdb.sql(statement.query)
                printed.append("" if result is None else str(result))
        return "\n".join(printed)


def comparable(text: str, numbers_vary: bool) -> str:
    """Lines without what cannot be seen; where numbers vary, without them."""
    lines = [line.rstrip() for line in text.replace("\u200e", "").strip("\n").splitlines()]
    if numbers_vary:
        lines = [" ".join(re.sub(r"\d+(?:[.,:]\d+)*", "#", line).split()) for line in lines]
    return "\n".join(lines)


def matches(found: str, expected: str) -> bool:
    """Whether the two are the same; a line `…` of the page stands for any lines."""
    lines = ("(?:.*\\n)*" if line == "…" else re.escape(f"{line}\n") for line in expected.split("\n"))
    return re.fullmatch("".join(lines), f"{found}\n") is not None


def missing(packages: list[str]) -> list[str]:
    return [name for name in packages if importlib.util.find_spec(name) is None]


def check_data(block: Block) -> None:
    """JSON can be read."""
    if block.language == "json":
        json.loads(block.code)
