"""The ``headwise`` command. One file a command; heavy imports happen inside them, so --help is instant."""

from __future__ import annotations

import os
import signal
import sys
import warnings
from contextlib import suppress
from typing import Any, TextIO

import typer

from headwise.cli.calibrate import calibrate
from headwise.cli.cluster import cluster
from headwise.cli.compress import compress
from headwise.cli.convert import convert
from headwise.cli.corpus import corpus
from headwise.cli.doubt import doubt
from headwise.cli.evaluate import evaluate
from headwise.cli.inception import inception
from headwise.cli.info import info
from headwise.cli.messages import tell
from headwise.cli.overwriting import keeping_inputs
from headwise.cli.parse import parse
from headwise.cli.show import show
from headwise.cli.streams import take_streams
from headwise.cli.tag import tag
from headwise.cli.templates import templates
from headwise.cli.train import train
from headwise.cli.vectors import vectors

# NumPy's linear algebra is not used here; its idle worker threads would only cost start-up time.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

app = typer.Typer(
    name="headwise",
    help="Headwise finds the head of every word: train a dependency parser on a treebank, parse, evaluate.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)

for command in (
    *(train, parse, corpus, tag, evaluate, calibrate, doubt, convert, info, show, compress, templates),
    *(cluster, vectors, inception),
):
    app.command()(keeping_inputs(command))


@app.callback(invoke_without_command=True)
def _options(
    version: bool = typer.Option(False, "--version", help="Print the version and stop.", is_eager=True),
) -> None:
    if version:
        from headwise import __version__

        print(f"headwise {__version__}")
        raise typer.Exit


def main() -> None:
    """Entry point: exit code 0, 1 when the input was bad, 2 when the call was wrong."""
    # A polite end: what is half written is removed on the way out.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(128 + signal.SIGTERM))
    warnings.showwarning = lambda message, *_: tell(message)
    take_streams()
    sys.exit(_exit_code())


def _exit_code() -> int:
    from headwise.errors import HeadwiseError

    try:
        code = app(standalone_mode=False)
        sys.stdout.flush()  # a full disk is noticed here, not when it is too late to say so
        return code if isinstance(code, int) else 0
    except HeadwiseError as error:
        tell(error)
        return 1
    except BrokenPipeError:  # the reader of our output went away, as in `headwise parse … | head`
        _forget(sys.stdout)
        return 1
    except OSError as error:  # a full disk, a folder that is not there
        tell(f"{error.filename or 'output'}: {error.strerror or error}")
        _forget(sys.stdout)
        return 1
    except typer.Abort:
        return 1
    except Exception as error:
        if not hasattr(error, "format_message"):
            raise
        return _wrong_call(error)


def _wrong_call(error: Any) -> int:
    """Typer's box around an error, whose text may hold what the caller typed."""
    from typer.rich_utils import rich_format_error

    from headwise.display.writing_systems import printable

    text = printable(error.format_message())
    error.format_message = lambda: text
    rich_format_error(error)
    return int(error.exit_code)


def _forget(stream: TextIO) -> None:
    """What could not be written is not tried again when Python ends."""
    with suppress(OSError, ValueError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())
