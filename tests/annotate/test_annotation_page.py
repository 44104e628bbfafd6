"""The annotator's page in a real browser: by keys alone, by dragging, in two windows, wide and narrow."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

pytest.importorskip("uvicorn", reason="the extra serve is not installed")

from browser import Browser, Page, needs_browser
from headwise.treebank import read
from headwise.web.annotate import Decision, Session, decisions_of
from headwise.web.annotate.app import annotation_app
from web_server import serving

pytestmark = needs_browser


@pytest.fixture
def url(session: Session) -> Iterator[str]:
    with serving(annotation_app(session)) as url:
        yield url


@pytest.fixture
def browser(tmp_path: Path) -> Iterator[Browser]:
    with Browser(tmp_path) as browser:
        yield browser


def opened(browser: Browser, url: str, **options) -> Page:
    page = browser.page(url, **options)
    page.wait_for("document.querySelectorAll('#heads button').length > 0")
    page.wait_for(IDLE)
    return page


IDLE = "document.querySelector('#tree').ariaBusy === 'false'"


def at_word(page: Page, word: int) -> None:
    page.wait_for(f"Number(document.activeElement.dataset.word) === {word}")
    page.wait_for(f"document.querySelector('#word-name').textContent.startsWith('{word} ')")
    page.wait_for(IDLE)


def decided(session: Session, sentence: int) -> list[Decision]:
    """As the file has it."""
    return decisions_of(list(read(session.file.path))[sentence])


def wait_for_count(page: Page, count: int) -> None:
    page.wait_for(f"document.querySelector('#counts').textContent.startsWith('{count} of ')")
    page.wait_for(IDLE)


def test_keys_alone(session: Session, url: str, browser: Browser) -> None:
    place = session.most_doubtful()
    assert place is not None
    page = opened(browser, url)
    at_word(page, place.word)  # the most doubtful word of all
    page.press("Enter")
    wait_for_count(page, 1)
    assert decided(session, place.sentence)[place.word - 1].is_whole

    page = opened(browser, f"{url}/#1")
    page.press("Home")
    at_word(page, 1)
    page.press("h")
    page.press("ArrowUp")  # the root
    page.press("Enter")
    page.wait_for("document.querySelector('#undo').disabled === false")
    page.wait_for("document.querySelector('[data-modifier=\"1\"]').dataset.head === '0'")
    assert decided(session, 0)[0] == Decision(0, None)

    page.press("Home")
    at_word(page, 1)
    page.press("3")  # a head by its number
    page.press("Enter")
    page.wait_for("document.querySelector('[data-modifier=\"1\"]').dataset.head === '3'")
    at_word(page, 1)
    page.press("l")
    page.wait_for("document.activeElement.id === 'label'")
    page.type("am")
    page.wait_for("document.querySelector('#completions [aria-selected=true]').textContent === 'amod'")
    page.press("Enter")
    wait_for_count(page, 2)
    assert decided(session, 0)[0] == Decision(3, "amod")

    page.wait_for("document.activeElement.dataset.word")
    page.wait_for(IDLE)
    page.press("u")
    wait_for_count(page, 1)
    assert decided(session, 0)[0] == Decision(3, None)
    page.press("z", "Control")
    page.wait_for("document.querySelector('[data-modifier=\"1\"]').dataset.head === '0'")
    page.wait_for(IDLE)
    page.press("r")
    page.wait_for("document.querySelector('[data-modifier=\"1\"]').dataset.head === '3'")
    page.wait_for(IDLE)
    page.press("y", "Control")
    wait_for_count(page, 2)
    page.press("Home")
    at_word(page, 1)
    page.press("Delete")
    wait_for_count(page, 1)
    assert decided(session, 0)[0] == Decision()

    page.press("a")  # all of it
    page.wait_for("location.hash !== '#1'")
    assert all(decision.is_whole for decision in decided(session, 0))
    assert page.complaints() == []


def test_a_whole_file_with_one_key(session: Session, url: str, browser: Browser) -> None:
    page = opened(browser, url)
    for count in range(1, len(session) + 1):
        page.wait_for(IDLE)
        page.press("a")
        finished = f" {count} of {len(session)} s"
        page.wait_for(f"document.querySelector('#counts').textContent.includes('{finished}')")
    page.wait_for("document.querySelector('#status').textContent === 'Everything is annotated.'")
    assert session.progress().decided == session.progress().words


def test_enter_alone_goes_through_all_doubts(session: Session, url: str, browser: Browser) -> None:
    page = opened(browser, url)
    asked = 0
    while any(doubt >= 0.05 for i in range(len(session)) for doubt in session.entry(i).doubts):
        page.wait_for(IDLE)
        page.press("Enter")
        asked += 1
        assert asked < 300
    decided = session.progress().decided
    assert 0 < decided < session.progress().words
    assert asked <= decided + len(session) + 1


def test_dragging(session: Session, url: str, browser: Browser) -> None:
    target = 2 if session.entry(0).parse.heads[0] != 2 else 3
    page = opened(browser, f"{url}/#1")
    page.drag("[data-word='1'] .form", f"[data-word='{target}'] .form")
    page.wait_for(f"document.querySelector('[data-modifier=\"1\"]').dataset.head === '{target}'")
    page.wait_for(IDLE)
    assert decided(session, 0)[0] == Decision(target, None)
    page.drag("[data-word='2'] .form", "[data-word='2'] .form")  # nowhere
    assert decided(session, 0)[1] == Decision()
    page.click("[data-word='4'] .form")
    at_word(page, 4)
    page.wait_for("document.querySelectorAll('#heads button').length > 0")
    page.click("#heads button:last-child")
    wait_for_count(page, 1)
    assert page.complaints() == []


def test_what_cannot_be_is_refused_with_the_reason(session: Session, url: str, browser: Browser) -> None:
    session.decide(0, 1, head=3)
    page = opened(browser, f"{url}/#1")
    before = session.file.path.read_bytes()
    page.press("Home")
    at_word(page, 1)
    page.press("ArrowRight", times=2)
    at_word(page, 3)
    page.press("1")
    page.press("Enter")
    said = page.wait_for(
        "!document.querySelector('#trouble').hidden && document.querySelector('#trouble').innerText"
    )
    assert said.startswith(("Among projective trees", "Among trees"))
    assert "hangs from word 1" in said
    at_word(page, 3)
    assert session.file.path.read_bytes() == before


def test_two_windows(session: Session, url: str, browser: Browser) -> None:
    first, second = opened(browser, f"{url}/#1"), opened(browser, f"{url}/#1")
    first.press("Home")
    at_word(first, 1)
    first.press("Enter")
    wait_for_count(first, 1)
    second.press("End")
    second.press("Enter")
    said = second.wait_for(
        "!document.querySelector('#trouble').hidden && document.querySelector('#trouble').innerText"
    )
    assert "another window" in said
    assert decided(session, 0)[0].is_whole  # nothing of the first is lost
    second.wait_for("document.querySelector('[data-word=\"1\"]').classList.contains('is-decided')")
    second.wait_for(IDLE)
    second.press("End")
    second.press("Enter")
    wait_for_count(second, 2)


def test_another_program_changes_the_file(session: Session, url: str, browser: Browser) -> None:
    page = opened(browser, f"{url}/#1")
    session.file.path.write_bytes(session.file.path.read_bytes().replace(b"note = kept", b"note = new"))
    page.press("a")
    page.wait_for("!document.querySelector('#reload').hidden")
    page.click("#reload")
    page.wait_for("document.querySelector('#trouble').hidden")
    page.wait_for(IDLE)
    page.press("a")
    page.wait_for("document.querySelector('#counts').textContent.includes(' 1 of 8 s')")
    assert next(iter(read(session.file.path))).comment("note") == "new"


@pytest.mark.parametrize("width", [400, 1400])
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_every_size_and_scheme(
    session: Session, url: str, browser: Browser, tmp_path: Path, width: int, scheme: str
) -> None:
    session.accept(0, [1, 2])
    page = opened(browser, url, width=width, scheme=scheme)
    assert page.evaluate("document.documentElement.scrollWidth") == width
    colour = json.loads(
        page.evaluate(
            "JSON.stringify(getComputedStyle(document.body).backgroundColor.match(/\\d+/g).map(Number))"
        )
    )
    assert (colour[0] > 128) == (scheme == "light")
    page.screenshot(tmp_path / "page.png")
    assert (tmp_path / "page.png").stat().st_size > 20_000
    spoken = page.accessibility()
    names = {(node["role"], node["name"]) for node in spoken}
    assert ("combobox", "Label") in names
    assert ("progressbar", "Words annotated") in names or ("progress", "Words annotated") in names
    words = [node["name"] for node in spoken if node["role"] in ("img", "image", "graphics-symbol")]
    assert any("sure" in name for name in words)
    assert all(node["name"] for node in spoken if node["role"] == "button")
    assert page.complaints() == []
    assert all(address.startswith(url) for address in page.addresses())
