"""``headwise serve``: a server, and a page to play on."""

from __future__ import annotations

from typing import Annotated

from headwise.cli.command import Option


def serve(
    model: Annotated[
        list[str] | None,
        Option(
            "--model",
            "-m",
            metavar="[NAME=]NAME|FILE",
            help="A model, and a name for it if it is to have another; repeat it for more. The first one is"
            " used where a request names none. (default: en)",
            show_default=False,
        ),
    ] = None,
    port: Annotated[
        int, Option("--port", "-p", min=0, max=65535, help="Where to listen; 0 is any free port.")
    ] = 8001,
    host: Annotated[
        str,
        Option(
            help="The address to listen at: by default only this machine can connect; 0.0.0.0 lets others in."
        ),
    ] = "127.0.0.1",
    threads: Annotated[int, Option(min=0, help="Threads that work on requests; 0: one for each core.")] = 0,
    allow_origin: Annotated[
        list[str] | None,
        Option(
            "--allow-origin",
            metavar="ORIGIN",
            help="A site whose pages may use the server, such as https://example.org; * is any.",
            show_default=False,
        ),
    ] = None,
    allow_host: Annotated[
        list[str] | None,
        Option(
            "--allow-host",
            metavar="NAME",
            help="A name under which the server is asked, such as nlp.example.org; with --host 0.0.0.0 it is"
            " any where none is given.",
            show_default=False,
        ),
    ] = None,
    max_request: Annotated[int, Option(min=1, help="The largest request, in kB.")] = 4096,
    queue: Annotated[int, Option(min=1, help="Requests in progress; more are answered with 429.")] = 128,
    timeout: Annotated[float, Option(min=0.1, max=86400.0, help="Seconds that a request may take.")] = 60.0,
) -> None:
    """Answer requests over HTTP: UDPipe's interface, JSON with probabilities, and a page to play on.

    Examples:

      headwise serve

      headwise serve --model en --model sv=swedish.hw --port 8001

      curl --data-urlencode "data=She reads." "localhost:8001/process?tokenizer&tagger&parser"

    The page is at /, the description of the JSON interface at /api, and docs/serve.md says more. Ctrl-C or
    SIGTERM stops the server when the requests in progress are answered.
    """
    from headwise.web.extra import check_installed

    check_installed()

    from headwise.web.listening import bind
    from headwise.web.serve.limits import Limits
    from headwise.web.serve.models import load_models
    from headwise.web.serve.running import run_server

    with bind(host, port) as listening:  # before models are loaded, which takes longer
        limits = Limits(
            request_bytes=1024 * max_request,
            queue=queue,
            queue_bytes=2 * 1024 * max_request,
            seconds=timeout,
        )
        run_server(
            load_models(model or ["en"]),
            listening,
            host=host,
            names=frozenset(allow_host or ()),
            origins=frozenset(allow_origin or ()),
            limits=limits,
            threads=threads or None,
        )
