"""Build the documentation site.

    python tools/docs_site            # into build/docs/site, stopping at any warning or broken link
    python tools/docs_site --serve    # and show it while its pages are written

Needs the extra `docs` (pip install '.[docs]').
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

REPOSITORY = Path(__file__).parents[2]
sys.path.insert(0, str(REPOSITORY / "tools"))

from docs_site.build import build, serve  # noqa: E402

if __name__ == "__main__":
    parser = argparse.ArgumentParser(
        prog="tools/docs_site", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--serve", action="store_true", help="serve it on http://localhost:8000")
    parser.add_argument("-o", "--output", type=Path, default=REPOSITORY / "build/docs", metavar="FOLDER")
    options = parser.parse_args()
    if options.serve:
        serve(REPOSITORY, options.output)
    else:
        problems = build(REPOSITORY, options.output)
        print("\n".join(problems) or f"built without warnings: {options.output / 'site/index.html'}")
        sys.exit(bool(problems))
