"""All commands under one name. One file a command, imported when it is asked for."""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Sequence
from contextlib import suppress
from typing import TextIO

import click

from headwise.base.messages import tell
from headwise.cli.command import Commands
from headwise.cli.overwriting import keeping_inputs

# NumPy's linear algebra is not used here; its idle worker threads would only cost start-up time.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

COMPLETE = "_HEADWISE_COMPLETE"
"""The variable by which a shell asks what could come next."""

COMMANDS = {
    "Parse": {
        "parse": "Parse text, or the sentences of a treebank file.",
        "tag": "Tag tokenized sentences: UPOS, XPOS, FEATS and LEMMA, as far as the tagger learned them.",
        "corpus": "Parse files and folders of any size into a folder of shards.",
        "find": "Search trees by pattern.",
        "show": "Draw trees in the terminal, as SVG, or as a web page.",
        "serve": "Answer requests over HTTP: as UDPipe does, with probabilities, and on a page to play on.",
    },
    "Train": {
        "train": "Train a parser on a treebank, or a whole pipeline from text to trees, or a tagger.",
        "evaluate": "Score a parsed file against the gold file.",
        "rerank": "Train a parser and a reranker of its best trees, and parse a file with them.",
        "calibrate": "Fit the probabilities of a model to annotated sentences (for --confidence).",
        "compress": "Write a model in fewer bytes, by rounding its weights.",
        "cluster": "Cluster the words of raw text by the company they keep, for features of parsers.",
        "vectors": "Make vectors of words from raw text, for the network of a parser.",
        "pretrain": "Let raw text teach the first layers of a network (PyTorch).",
        "templates": "Print the built-in feature templates.",
    },
    "Treebanks": {
        "info": "Show what is in a treebank, a model or a file of word clusters.",
        "convert": "Convert treebanks from one format to another, and projectivize their trees.",
        "doubt": "Rank what in a treebank to look at again, or to annotate next.",
        "inception": "Run an external recommender for INCEpTION.",
        "annotate": "Annotate text with the help of a parser, on a web page that only this machine can see.",
    },
    "Phrase structure": {
        "phrases": "The commands for bracketed trees: train, parse, evaluate, show, convert, info.",
    },
}
"""By what they are for, each with its line in the list. A command is a function in a file of its name."""


def _version(context: click.Context, _: click.Parameter, wanted: bool) -> None:
    if wanted:
        from headwise.base.version import VERSION

        click.echo(f"headwise {VERSION}")
        context.exit()


app = Commands(
    name="headwise",
    about="Headwise finds the head of every word: train a dependency parser on a treebank, parse, evaluate.",
    groups=COMMANDS,
    package="headwise.cli",
    wrap=keeping_inputs,
    options=[click.Option(["--version"], is_flag=True, is_eager=True, expose_value=False, callback=_version)],
)


def run(words: Sequence[str]) -> int:
    """Make a call, say what went wrong, and give the exit code."""
    import warnings

    from headwise.base.errors import HeadwiseError

    warnings.showwarning = lambda message, *_: tell(message)
    try:
        if (asked := os.environ.get(COMPLETE)) is not None:
            from click.shell_completion import shell_complete

            return shell_complete(app, {}, "headwise", COMPLETE, asked)
        with app.make_context("headwise", list(words)) as context:
            app.invoke(context)
        sys.stdout.flush()  # a full disk is noticed here, not when it is too late to say so
        return 0
    except click.exceptions.Exit as end:
        sys.stdout.flush()
        return end.exit_code
    except click.exceptions.NoArgsIsHelpError as error:
        click.echo(error.ctx.get_help() if error.ctx else error, nl=False)
        return 2
    except click.UsageError as error:
        from headwise.cli.help import show_error

        show_error(error)
        return 2
    except KeyboardInterrupt:
        tell("interrupted")
        return 128 + signal.SIGINT
    except HeadwiseError as error:
        tell(error)
        return 1
    except BrokenPipeError:  # the reader of our output went away, as in `headwise parse … | head`
        _forget(sys.stdout)
        return 1
    except MemoryError:
        tell("there is not enough memory for this; a smaller model, fewer threads or less input needs less")
        _forget(sys.stdout)
        return 1
    except OSError as error:  # a full disk, a folder that is not there
        tell(f"{error.filename or 'output'}: {error.strerror or error}")
        _forget(sys.stdout)
        return 1


def _forget(stream: TextIO) -> None:
    """What could not be written is not tried again when Python ends."""
    with suppress(OSError, ValueError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())
