"""``headwise annotate``: a page to annotate text on, the doubtful words first."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, cast

import click

from headwise.base.messages import tell
from headwise.cli.choices import ModelName, ParseInput, Threads
from headwise.cli.command import Argument, Option
from headwise.cli.inputs import Given, Reading, looks_like_text

if TYPE_CHECKING:
    from headwise.components.parser.parser import Parser
    from headwise.pipeline.pipeline import Pipeline
    from headwise.treebank.reading import Format
    from headwise.web.annotate.opening import Source


def annotate(
    file: Annotated[
        Path, Argument(help="Text, or a treebank file: parsed, half annotated or bare; also .gz, .xz.")
    ],
    model: ModelName = "en",
    output: Annotated[
        Path | None,
        Option(
            "--output",
            "-o",
            help="The CoNLL-U file that is worked on; where it is there already, the work goes on. (default:"
            " FILE itself where it was annotated before, else FILE's name with .annotated.conllu)",
            show_default=False,
        ),
    ] = None,
    keep: Annotated[
        bool, Option("--keep", help="Heads and labels that FILE has are annotation, not suggestions.")
    ] = False,
    port: Annotated[int, Option(min=0, max=65535, help="Where the page is; 0 is any free port.")] = 0,
    open_page: Annotated[bool, Option("--open/--no-open", help="Open the page in the web browser.")] = True,
    token: Annotated[
        bool,
        Option(
            "--token/--no-token",
            help="Answer only whoever knows the token in the address that is printed: others on this machine"
            " can connect too.",
        ),
    ] = True,
    threads: Threads = 1,
    from_: Annotated[
        ParseInput, Option("--from", help="Format of FILE; auto tells by name and content.")
    ] = ParseInput.auto,
) -> None:
    """Annotate text with the help of a parser, on a web page that only this machine can see.

    The model parses everything; sentences come in the order of its doubt. Whatever you decide stays, and the
    rest of the sentence is parsed again around it. Every change is in the output file at once; words that
    you have decided are marked Annotated=Yes in MISC and are not asked again. Stop with Ctrl-C, and go on by
    calling the same command again.

    Examples:

      headwise annotate letters.txt -m en

      headwise annotate letters.annotated.conllu -m better.hw

      headwise train letters.annotated.conllu --only-annotated --learner log-linear -o better.hw
    """
    from headwise.web.extra import check_installed

    check_installed()
    from headwise.pipeline.pipeline import load
    from headwise.web.annotate.app import annotation_app
    from headwise.web.annotate.opening import open_session
    from headwise.web.listening import bind, run, url_of
    from headwise.web.token import new_token, with_token

    if str(file) == "-":
        raise click.UsageError("annotation is kept beside the file; name one")
    loaded = load(model)
    listening = bind(port=port)
    with listening:
        session = open_session(
            _source(file, loaded, from_), output, loaded, keep=keep, threads=threads, tell=tell
        )
        with session.file:
            url = url_of(listening)
            session.file.say_where(url)
            progress = session.progress()
            tell(
                f"{session.file.path}: {progress.decided} of {progress.words} words in "
                f"{progress.sentences} sentences are annotated"
            )
            secret = new_token() if token else None
            url = url if secret is None else with_token(url, secret)
            tell(f"annotate at {url} (Ctrl-C stops; everything is saved)")
            app = annotation_app(session, secret)
            run(app, listening, ready=_opener(url) if open_page else lambda: None)


def _source(file: Path, model: Pipeline | Parser, format: ParseInput) -> Source:
    from headwise.treebank import read
    from headwise.web.annotate.opening import Source

    given = Given(file)
    if format.is_text or (format is ParseInput.auto and looks_like_text(given)):
        sentences, _ = Reading(model.tokenizer, format).sentences_of(given)
        return Source(file, list(sentences), is_text=True)
    return Source(file, list(read(file, format=cast("Format", format.value), validate="tree")))


def _opener(url: str) -> Callable[[], None]:
    """Opens the page once it can be answered; where there is no browser, the address was printed."""
    import threading
    import webbrowser

    return lambda: threading.Thread(target=webbrowser.open, args=(url,), daemon=True).start()
