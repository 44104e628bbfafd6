"""What could be wrong with a finished site: broken links, what is fetched from elsewhere, lost examples."""

from __future__ import annotations

import re
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

_FETCHED = {"script": "src", "img": "src", "source": "src", "iframe": "src", "video": "src"}
"""What a browser loads by itself, besides style sheets."""


class _Page(HTMLParser):
    """The anchors of a page, its links, and what a browser fetches to show it."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.anchors: set[str] = set()
        self.links: list[str] = []
        self.fetched: list[str] = []
        self.quotes = 0
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = {name: value for name, value in attrs if value is not None}
        self.anchors.update(given[name] for name in ("id", "name") if name in given)
        if tag == "a" and "href" in given:
            self.links.append(given["href"])
        self.quotes += tag == "blockquote"
        if tag in _FETCHED and _FETCHED[tag] in given:
            self.fetched.append(given[_FETCHED[tag]])
        if tag == "link" and given.get("rel") not in {"canonical", "next", "prev", "alternate", "edit"}:
            self.fetched.append(given.get("href", ""))


def problems_of(site: Path) -> list[str]:
    """A line for each broken link and each thing that a reader without a network would miss."""
    pages = {path: _Page(path.read_text(encoding="utf-8")) for path in sorted(site.rglob("*.html"))}
    found = [problem for path in pages for problem in _of_page(site, path, pages)]
    for style in sorted(site.rglob("*.css")):
        for address in re.findall(r"url\([\"']?(https?:[^)\"']*)", style.read_text(encoding="utf-8")):
            found.append(f"{style.relative_to(site)}: fetches {address}")
    return found


def _of_page(site: Path, path: Path, pages: dict[Path, _Page]) -> Iterator[str]:
    name = path.relative_to(site)
    if pages[path].quotes and name.parts[0] == "reference":  # >>> is no code to Markdown
        yield f"{name}: an example outside of a section of its own (Examples:)"
    for address in pages[path].fetched:
        if urlsplit(address).scheme in {"http", "https"} or address.startswith("//"):
            yield f"{name}: fetches {address}"
        elif not urlsplit(address).scheme and not _file(site, path, address).exists():
            yield f"{name}: {address} is not there"
    for address in pages[path].links:
        parts = urlsplit(address)
        if parts.scheme or parts.netloc or path.name == "404.html":
            continue
        target = _file(site, path, address)
        if not target.exists():
            yield f"{name}: link to {address}, which is not there"
        elif parts.fragment and target in pages and unquote(parts.fragment) not in pages[target].anchors:
            yield f"{name}: link to {address}, which has no such anchor"


def _file(site: Path, page: Path, address: str) -> Path:
    path = unquote(urlsplit(address).path)
    if not path:
        return page
    target = site / path.lstrip("/") if path.startswith("/") else page.parent / path
    target = Path(*target.resolve().parts)
    return target / "index.html" if target.is_dir() else target
