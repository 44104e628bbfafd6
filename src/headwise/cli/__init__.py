"""The ``headwise`` command. One file a command, imported when it is asked for, so --help is instant."""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Sequence
from contextlib import suppress
from typing import TextIO

from headwise.base.messages import tell
from headwise.cli.overwriting import keeping_inputs
from headwise.cli.shell import App, Exit, UsageError
from headwise.cli.streams import take_streams

# NumPy's linear algebra is not used here; its idle worker threads would only cost start-up time.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

COMMANDS = {
    "Parse": {
        "parse": "Parse text, or the sentences of a treebank file.",
        "tag": "Tag tokenized sentences: UPOS, XPOS, FEATS and LEMMA, as far as the tagger learned them.",
        "corpus": "Parse files and folders of any size into a folder of shards.",
        "show": "Draw trees (dependencies or brackets) in the terminal, as SVG, or as a web page.",
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
}
"""By what they are for, each with its line in the list. A command is a function in a file of its name."""

app = App(
    name="headwise",
    about="Headwise finds the head of every word: train a dependency parser on a treebank, parse, evaluate.",
    groups=COMMANDS,
    homes={name: f"headwise.cli.{name}" for group in COMMANDS.values() for name in group},
    wrap=keeping_inputs,
)


def main() -> None:
    """Entry point: exit code 0, 1 when the input was bad, 2 when the call was wrong."""
    # A polite end: what is half written is removed on the way out.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(128 + signal.SIGTERM))
    if signal.getsignal(signal.SIGHUP) is signal.SIG_DFL:  # the terminal was closed; nohup ignores it
        signal.signal(signal.SIGHUP, lambda *_: sys.exit(128 + signal.SIGHUP))
    take_streams()
    sys.exit(run(sys.argv[1:]))


def run(words: Sequence[str]) -> int:
    """Make a call, say what went wrong, and give the exit code."""
    import warnings

    from headwise.base.errors import HeadwiseError

    warnings.showwarning = lambda message, *_: tell(message)
    try:
        app(words)
        sys.stdout.flush()  # a full disk is noticed here, not when it is too late to say so
        return 0
    except Exit as end:
        sys.stdout.flush()
        return end.code
    except UsageError as error:
        _wrong_call(error)
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
    except OSError as error:  # a full disk, a folder that is not there
        tell(f"{error.filename or 'output'}: {error.strerror or error}")
        _forget(sys.stdout)
        return 1


def _wrong_call(error: UsageError) -> None:
    """A box around an error, whose text may hold what the caller typed."""
    from headwise.base.writing_systems import printable
    from headwise.cli.shell.help import show_error

    shown = UsageError(printable(str(error)))
    shown.usage = error.usage
    show_error(shown, sys.stderr)


def _forget(stream: TextIO) -> None:
    """What could not be written is not tried again when Python ends."""
    with suppress(OSError, ValueError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())
