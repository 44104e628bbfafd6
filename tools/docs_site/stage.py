"""The pages as the site generator wants them, from the pages as a repository shows them.

Pages under docs/ are copied as they are. Beside them come files from elsewhere in the repository
(`ELSEWHERE`), with links between all of these kept, and pages that are generated. Drawings are put into the
page, so that they take its colours.
"""

from __future__ import annotations

import os
import re
import shutil
from collections.abc import Iterator, Mapping
from pathlib import Path, PurePosixPath
from typing import Any

from docs_site.commands import commands_page

ELSEWHERE = {
    "CONTRIBUTING.md": "contributing.md",
    "CHANGELOG.md": "changes.md",
    "src/headwise/model/bundled/en.md": "english-model.md",
    "src/headwise/model/bundled/en-fast.md": "fast-english-model.md",
}
"""Files outside docs/ that are pages too."""

DRAWING_CLASS = 'class="headwise'
"""Of SVG files that are drawn in the colours of what surrounds them; others bring their own."""

_LINK = re.compile(r"(!?\[[^\]]*\])\(([^)\s]+)\)")
_IMAGE_ALONE = re.compile(r"^!\[([^\]]*)\]\(([^)\s]+\.svg)\)$", re.MULTILINE)
_CODE = re.compile(r"^( *)(`{3,}|~{3,}).*?^\1\2[ \t]*$", re.MULTILINE | re.DOTALL)


def stage(repository: Path, target: Path) -> list[str]:
    """Writes the pages below `target`; the names of all files that were written."""
    shutil.rmtree(target, ignore_errors=True)
    pages = {f"docs/{page}": page for page in _files(repository / "docs")} | ELSEWHERE
    for source, page in pages.items():
        (target / page).parent.mkdir(parents=True, exist_ok=True)
        if page.endswith(".md"):
            text = (repository / source).read_text(encoding="utf-8")
            text = outside_code(text, lambda prose, at=source: with_links(prose, at, pages))  # type: ignore[misc]
            text = with_drawings(text, (repository / source).parent)
            (target / page).write_text(text, encoding="utf-8")
        else:
            shutil.copyfile(repository / source, target / page)
    generated = {
        "reference/commands.md": commands_page(),
        "assets/drawings.css": "".join(
            drawing_style(repository / style)
            for style in ("src/headwise/display/figure.css", "tools/drawings/diagram.css")
        ),
        "assets/site.css": (Path(__file__).parent / "site.css").read_text(encoding="utf-8"),
    }
    for page, text in generated.items():
        (target / page).parent.mkdir(parents=True, exist_ok=True)
        (target / page).write_text(text, encoding="utf-8")
    return [*pages.values(), *generated]


def _files(folder: Path) -> Iterator[str]:
    yield from sorted(path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file())


def outside_code(text: str, change: Any) -> str:
    """The text with everything but its code changed."""
    pieces, end = [], 0
    for code in _CODE.finditer(text):
        pieces += [change(text[end : code.start()]), code.group()]
        end = code.end()
    return "".join([*pieces, change(text[end:])])


def with_links(text: str, source: str, pages: Mapping[str, str]) -> str:
    """Links of a file in the repository as links between pages; to what is no page, none."""

    def link(found: re.Match[str]) -> str:
        words, address = found.groups()
        path, mark, anchor = address.partition("#")
        if not path or re.match(r"[a-z]+:", address):
            return found.group()
        at = os.path.normpath((PurePosixPath(source).parent / path).as_posix())
        page = pages.get(at)
        if page is None:
            if at.startswith("docs/"):  # a page that is missing: the site generator says so
                return found.group()
            return f"{words[1:-1]} (`{at}`)" if at not in words else words[1:-1]
        here = PurePosixPath(pages[source]).parent
        return f"{words}({os.path.relpath(page, here).replace(os.sep, '/')}{mark}{anchor})"

    return _LINK.sub(link, text)


def with_drawings(text: str, folder: Path) -> str:
    """A page of this folder with its drawings in it."""

    def drawing(found: re.Match[str]) -> str:
        description, address = found.groups()
        file = folder / address
        svg = file.read_text(encoding="utf-8") if file.exists() else ""
        if DRAWING_CLASS not in svg:
            return found.group()
        svg = re.sub(r"<style>.*?</style>\n?", "", svg, flags=re.DOTALL)
        one_line = " ".join(svg[svg.index("<svg") :].split("\n"))
        return f'<figure class="drawing" aria-label="{description}">{one_line}</figure>'

    return _IMAGE_ALONE.sub(drawing, text)


def drawing_style(stylesheet: Path) -> str:
    """The style of drawings, dark where the page is: the reader may have chosen other than the system has."""
    style = stylesheet.read_text(encoding="utf-8")
    return style.replace("@media screen and (prefers-color-scheme: dark)", '[data-md-color-scheme="slate"]')


def navigation(entries: list[Any], pages: list[str]) -> list[Any]:
    """The navigation without pages that are not there."""
    kept: list[Any] = []
    for entry in entries:
        ((title, target),) = entry.items()
        if isinstance(target, list):
            if inner := navigation(target, pages):
                kept.append({title: inner})
        elif target in pages:
            kept.append(entry)
    return kept
