"""What a command says beside its result. What comes from files and names must not steer a terminal."""

from __future__ import annotations

import sys


def tell(text: object) -> None:
    """A line on standard error; control characters in it are shown, not sent."""
    from headwise.base.writing_systems import printable

    print(f"headwise: {printable(str(text))}", file=sys.stderr, flush=True)
