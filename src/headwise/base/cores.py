"""How many threads work."""

from __future__ import annotations

import os


def cores(threads: int) -> int:
    """So many; 0 stands for every core."""
    return threads or os.cpu_count() or 1
