"""The documentation site builds without warnings, needs nothing from elsewhere, and has no broken links."""

from __future__ import annotations

import importlib.util
from pathlib import Path

import pytest
from docs_site.checks import problems_of
from docs_site.commands import command_names, helps, unframed
from docs_site.stage import ELSEWHERE, navigation, outside_code, with_drawings, with_links
from drawings.all import drawings

REPOSITORY = Path(__file__).parents[2]


@pytest.mark.skipif(
    importlib.util.find_spec("zensical") is None or importlib.util.find_spec("mkdocstrings_handlers") is None,
    reason="needs the extra docs: pip install '.[docs]'",
)
def test_the_site_builds_without_warnings(tmp_path: Path) -> None:
    from docs_site.build import build

    assert build(REPOSITORY, tmp_path) == []
    assert (tmp_path / "site/reference/commands.html").exists()
    assert "<svg" in (tmp_path / "site/index.html").read_text(encoding="utf-8")


def test_every_page_is_in_the_navigation() -> None:
    """A page that nobody finds is no page."""
    listed = (REPOSITORY / "tools/docs_site/mkdocs.yml").read_text(encoding="utf-8")
    pages = {path.relative_to(REPOSITORY / "docs").as_posix() for path in (REPOSITORY / "docs").rglob("*.md")}
    assert sorted(page for page in pages if f": {page}\n" not in listed) == []


def test_pages_that_are_missing_are_left_out_of_the_navigation() -> None:
    entries = [{"Home": "index.md"}, {"More": [{"A": "a.md"}]}, {"Both": [{"A": "a.md"}, {"B": "b.md"}]}]
    assert navigation(entries, ["index.md", "b.md"]) == [{"Home": "index.md"}, {"Both": [{"B": "b.md"}]}]


def test_links_lead_from_page_to_page() -> None:
    pages = {"docs/a/b.md": "a/b.md", "docs/c.md": "c.md", **ELSEWHERE}
    text = "[x](../c.md#here) [y](../../CONTRIBUTING.md) [z](https://a.b) [s](../../src/x.txt) [m](no.md)"
    assert with_links(text, "docs/a/b.md", pages) == (
        "[x](../c.md#here) [y](../contributing.md) [z](https://a.b) s (`src/x.txt`) [m](no.md)"
    )
    assert outside_code("a\n```sh\na\n```\na", lambda text: text.replace("a", "b")) == "b\n```sh\na\n```\nb"


def test_drawings_are_put_into_the_page_and_plots_are_not(tmp_path: Path) -> None:
    (tmp_path / "d.svg").write_text('<svg class="headwise"><style>x</style><path/></svg>')
    (tmp_path / "p.svg").write_text("<svg><path/></svg>")
    page = with_drawings("![a drawing](d.svg)\n\n![a plot](p.svg)\n", tmp_path)
    assert page == (
        '<figure class="drawing" aria-label="a drawing"><svg class="headwise"><path/></svg></figure>\n\n'
        "![a plot](p.svg)\n"
    )


def test_what_is_wrong_with_a_site_is_found(tmp_path: Path) -> None:
    (tmp_path / "a.html").write_text(
        '<a href="b.html#there">1</a><a href="b.html#nowhere">2</a><a href="c.html">3</a>'
        '<a href="https://elsewhere.org">4</a><script src="https://cdn.org/x.js"></script><img src="no.png">'
    )
    (tmp_path / "b.html").write_text('<h1 id="there">b</h1><link rel="stylesheet" href="s.css">')
    (tmp_path / "s.css").write_text("a { background: url(https://fonts.org/f) }")
    assert problems_of(tmp_path) == [
        "a.html: fetches https://cdn.org/x.js",
        "a.html: no.png is not there",
        "a.html: link to b.html#nowhere, which has no such anchor",
        "a.html: link to c.html, which is not there",
        "s.css: fetches https://fonts.org/f",
    ]


def test_all_commands_are_described() -> None:
    about, show = helps(["", "show"])
    assert {"parse", "train", "evaluate", "show"} <= set(command_names(about))
    assert "--k-best" in unframed(show)
    assert "│" not in unframed(show)


def test_drawings_are_as_they_are_drawn() -> None:
    """After a change, ``python tools/drawings`` draws them again."""
    folder = REPOSITORY / "docs/figures/drawings"
    drawn = {f"{name}.svg": svg for name, svg in drawings().items()}
    assert {path.name: path.read_text(encoding="utf-8") for path in sorted(folder.iterdir())} == drawn
