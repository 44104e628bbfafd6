"""The ``headwise`` command."""

from __future__ import annotations

import sys


def main() -> None:
    """Entry point: exit code 0, 1 when the input was bad, 2 when the call was wrong."""
    if sys.argv[1:] == ["--version"]:  # needs nothing of what follows
        from headwise.base.version import VERSION

        print(f"headwise {VERSION}")
        return
    import signal

    from headwise.cli.app import run
    from headwise.cli.streams import take_streams

    # A polite end: what is half written is removed on the way out.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(128 + signal.SIGTERM))
    if signal.getsignal(signal.SIGHUP) is signal.SIG_DFL:  # the terminal was closed; nohup ignores it
        signal.signal(signal.SIGHUP, lambda *_: sys.exit(128 + signal.SIGHUP))
    take_streams()
    sys.exit(run(sys.argv[1:]))
