"""Commands run in this process: a new one takes a moment to start."""

from __future__ import annotations

import gc
import io
import sys
from collections.abc import Sequence
from dataclasses import dataclass

import click

from headwise.cli.help import show_error


@dataclass(frozen=True)
class Result:
    """What a command wrote, and how it ended."""

    exit_code: int
    stdout_bytes: bytes
    stderr_bytes: bytes
    exception: Exception | None

    @property
    def stdout(self) -> str:
        return self.stdout_bytes.decode()

    @property
    def stderr(self) -> str:
        return self.stderr_bytes.decode()

    @property
    def output(self) -> str:
        return self.stdout + self.stderr


class CliRunner:
    """Calls a command, or one of an application, with streams of its own."""

    def invoke(self, app: click.Command, words: Sequence[str], input: str | bytes | None = None) -> Result:
        given = (input or b"") if not isinstance(input, str) else input.encode()
        streams = sys.stdin, sys.stdout, sys.stderr
        out, err = io.BytesIO(), io.BytesIO()
        sys.stdin = io.TextIOWrapper(io.BufferedReader(io.BytesIO(given)), encoding="utf-8")  # type: ignore[type-var]
        sys.stdout, sys.stderr = (
            io.TextIOWrapper(stream, encoding="utf-8", write_through=True) for stream in (out, err)
        )
        code = 0
        exception: Exception | None = None
        try:
            with app.make_context("command" if app.name is None else app.name, list(words)) as context:
                app.invoke(context)
        except click.exceptions.Exit as end:
            code = end.exit_code
        except click.UsageError as error:
            show_error(error)
            code = 2
        except Exception as error:
            code, exception = 1, error
        finally:
            sys.stdout.flush()
            result = Result(code, out.getvalue(), err.getvalue(), exception)
            sys.stdin, sys.stdout, sys.stderr = streams
            gc.enable()  # commands switch it off, as their processes end soon
        return result
