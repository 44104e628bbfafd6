"""Draw what the documentation shows, into docs/figures/drawings: ``python tools/drawings``."""

from __future__ import annotations

import sys
from pathlib import Path

REPOSITORY = Path(__file__).parents[2]
sys.path.insert(0, str(REPOSITORY / "tools"))

from drawings.all import drawings  # noqa: E402

if __name__ == "__main__":
    for name, svg in drawings().items():
        (REPOSITORY / "docs/figures/drawings" / f"{name}.svg").write_text(svg, encoding="utf-8")
        print(name)
