"""What happened during a run, for machines: a JSON object a line."""

from __future__ import annotations

import json
import sys
import time
from contextlib import suppress
from pathlib import Path
from typing import IO, Any


class RunLog:
    """A file that is added to; "-" is standard output. That it cannot be written ends no run."""

    def __init__(self, path: Path) -> None:
        self._file: IO[str] | None
        if str(path) == "-":
            self._file = sys.stdout
        else:
            self._file = path.open("a", encoding="utf-8")

    def write(self, event: str, **fields: Any) -> None:
        line = {"time": round(time.time(), 3), "event": event, **fields}
        if self._file is not None:
            with suppress(OSError):
                self._file.write(json.dumps(line, ensure_ascii=False) + "\n")
                self._file.flush()

    def close(self) -> None:
        if self._file is not None and self._file is not sys.stdout:
            with suppress(OSError):
                self._file.close()
        self._file = None
