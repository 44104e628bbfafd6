"""A server that runs until it is asked to stop."""

from __future__ import annotations

import gc
import socket
import warnings

from headwise.base.messages import tell
from headwise.web.access import Access, is_local
from headwise.web.listening import run, url_of
from headwise.web.serve.app import serving_app
from headwise.web.serve.limits import Limits
from headwise.web.serve.models import Models
from headwise.web.slow_clients import patient_for


def run_server(
    models: Models,
    listening: socket.socket,
    *,
    host: str,
    names: frozenset[str] = frozenset(),
    origins: frozenset[str] = frozenset(),
    limits: Limits | None = None,
    threads: int | None = None,
) -> None:
    """Answers requests at a socket that is bound to this host; ``names`` are those that it is asked under."""
    limits = limits or Limits()
    access = Access.of_address(host, origins, names)
    app = serving_app(models, access=access, limits=limits, threads=threads)

    def ready() -> None:
        served = ", ".join(model.name for model in models.all)
        tell(f"{url_of(listening)} serves {served}. Stop with Ctrl-C.")
        if not is_local(host):
            tell("other machines can connect. There are no passwords: leave that to a proxy.")
        if access.hosts is None:
            tell("requests are answered under whatever name the server is asked. Name it with --allow-host.")

    # A warning for every odd request would be a log without end, and Python keeps each in memory.
    warnings.simplefilter("ignore")
    gc.collect()
    gc.freeze()  # models and modules stay; there is no need to look through them again and again
    try:
        run(
            app,
            listening,
            ready=ready,
            limit_concurrency=limits.connections,
            http=patient_for(limits.seconds),
        )
    finally:
        gc.unfreeze()
