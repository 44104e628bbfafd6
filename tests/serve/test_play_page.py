"""The page to play on, in a real browser: with the pointer, with keys alone, narrow, wide, light, dark."""

import re
from pathlib import Path

import pytest

pytest.importorskip("uvicorn", reason="the extra serve is not installed")


from browser import Browser, needs_browser
from headwise.web.serve.app import serving_app
from web_server import serving

pytestmark = needs_browser

READY = "document.querySelector('#tree [data-word]')"
FOCUS = "document.activeElement.id || document.activeElement.dataset.word || document.activeElement.tagName"


@pytest.fixture(scope="module")
def url(models):
    with serving(serving_app(models)) as address:
        yield address


@pytest.fixture(scope="module")
def browser(tmp_path_factory: pytest.TempPathFactory):
    with Browser(tmp_path_factory.mktemp("browser")) as opened:
        yield opened


def text_of(page, selector: str) -> str:
    return page.evaluate(f"document.querySelector({selector!r}).innerText")


def test_trees_words_and_probabilities(url, browser):
    page = browser.page(url + "/")
    page.wait_for(READY)
    assert page.evaluate("document.querySelectorAll('#tree [data-word]').length") == 8
    assert "this tree" in text_of(page, "#summary")
    assert "bits" in text_of(page, "#summary")
    page.point("#tree [data-word='4'] text")
    assert text_of(page, "#word .about").startswith("man NOUN is obj of saw")
    assert "%" in text_of(page, "#word .about")
    trees = page.evaluate("document.querySelectorAll('#trees [role=radio]').length")
    assert trees >= 2
    first = page.evaluate("document.querySelector('#tree svg').outerHTML")
    page.click("#trees [role=radio]:nth-child(2)")
    assert page.evaluate("document.querySelector('#tree svg').outerHTML") != first
    assert page.evaluate("document.querySelectorAll('#tree .arc.differs').length") >= 1
    assert page.complaints() == []
    assert all(address.startswith(url) for address in page.addresses())  # works offline


def test_a_chosen_head_holds(url, browser):
    page = browser.page(url + "/")
    page.wait_for(READY)
    page.click("#tree [data-word='7'] text")
    other = page.evaluate(
        "(() => { const head = document.querySelector('#word .about b:last-of-type').innerText;"
        " const buttons = [...document.querySelectorAll('#word .heads button')];"
        " return buttons.findIndex((b) => !b.ariaLabel.startsWith(head)); })()"
    )
    label = page.evaluate(f"document.querySelectorAll('#word .heads button')[{other}].ariaLabel")
    chosen = label.split(",")[0]
    page.click(f"#word .heads li:nth-child({other + 1}) button")
    page.wait_for("!document.querySelector('#pins').hidden")
    page.wait_for("document.querySelector('#word .heads [aria-pressed=true]')")
    assert f"telescope under {chosen}" in text_of(page, "#pins")
    assert f"of {chosen}" in text_of(page, "#word .about")
    page.click("#pins button")
    page.wait_for("document.querySelector('#pins').hidden")


def test_keys_alone(url, browser):
    """From the text through the tree to the last step of the chart, without a pointer."""
    page = browser.page(url + "/")
    page.wait_for(READY)
    page.press("Tab")  # For programs
    page.press("Tab")
    assert page.evaluate(FOCUS) == "text"
    page.press("a", "Control")
    page.type("She reads. He sleeps.")
    page.press("Enter")
    page.wait_for("document.querySelectorAll('#tree [data-word]').length === 3")
    assert text_of(page, "#which") == "Sentence 1 of 2"
    order = []
    for _ in range(9):
        page.press("Tab")
        order.append(page.evaluate(FOCUS))
    assert order[:3] == ["k", "BUTTON", "next"]
    assert "1" in order  # the first word of the tree
    page.evaluate("document.querySelector('#tree [data-word]').focus()")
    page.press("ArrowUp")
    assert page.evaluate(FOCUS) == "2"
    assert text_of(page, "#word .about").startswith("reads VERB is root of the root")
    page.evaluate("document.querySelector('#next').focus()")
    page.press("Enter")
    page.wait_for("document.querySelector('#which').innerText === 'Sentence 2 of 2'")
    page.evaluate("document.querySelector('#show-chart').focus()")
    page.press("Enter")
    page.wait_for("document.querySelector('.chart .cell')")
    page.press("Tab", times=2)  # past buttons that have nothing to go back to
    page.press("Enter")
    page.wait_for("document.querySelector('.count').innerText === '1 of 13'")
    assert "open span from He to sleeps" in text_of(page, ".explained")
    page.evaluate("document.querySelector('.controls input').focus()")
    page.press("End")
    page.wait_for("document.querySelector('.count').innerText === '13 of 13'")
    assert "It is the parser’s best tree." in text_of(page, ".explained")
    assert page.complaints() == []


def test_the_chart_plays_and_goes_back(url, browser):
    page = browser.page(url + "/")
    page.wait_for(READY)
    page.click("#show-chart")
    page.wait_for("document.querySelector('.chart .cell')")
    page.click("[data-go=play]")
    page.wait_for("document.querySelectorAll('.scroller .filled').length >= 2")
    page.click("[data-go=play]")
    count = page.evaluate("document.querySelectorAll('.scroller .filled').length")
    page.click("[data-go=back]")
    assert page.evaluate("document.querySelectorAll('.scroller .filled').length") == count - 1
    page.click("[data-go=last]")
    assert page.evaluate("document.querySelectorAll('.scroller .filled').length") == 112
    assert page.evaluate("document.querySelectorAll('.scroller .link').length") == 8  # the whole tree


def test_what_a_screen_reader_is_told(url, browser):
    page = browser.page(url + "/")
    page.wait_for(READY)
    said = [(node["role"], node["name"]) for node in page.accessibility()]
    assert ("textbox", "Text") in said
    assert ("heading", "Headwise") in said
    words = [name for role, name in said if role in ("img", "image") and " of " in name]
    assert re.fullmatch(r"They: nsubj of saw, (> )?9\d(\.\d)? %.*", words[0])
    assert len(words) == 8
    page.evaluate("document.querySelector('details').open = true")
    cells = [node["name"] for node in page.accessibility() if node["role"] == "rowheader"]
    assert cells == ["They", "saw", "the", "man", "with", "the", "telescope", "."]
    unnamed = page.evaluate(
        "[...document.querySelectorAll('button, input, select, textarea')].filter(e => !e.hidden"
        " && !e.ariaLabel && !e.labels?.length && !e.innerText.trim()).length"
    )
    assert unnamed == 0


def test_what_is_wrong_is_said(url, browser):
    page = browser.page(url + "/")
    page.wait_for(READY)
    page.evaluate("document.getElementById('text').value = '  '")
    page.click("#ask button")
    page.wait_for("!document.querySelector('#problem').hidden")
    assert text_of(page, "#problem") == "Type a sentence first."
    long = "word " * 300
    page.evaluate(f"document.getElementById('text').value = {long!r}")
    page.click("#ask button")
    page.wait_for("document.querySelector('#problem').innerText.includes('are allowed')")


MEASURE = """(() => {
  const texts = [...document.querySelectorAll('#tree svg text')];
  const boxes = texts.map((t) => [t.textContent, t.getBoundingClientRect()]);
  const hits = [];
  boxes.forEach(([a, p], i) => boxes.slice(i + 1).forEach(([b, q]) => {
    const across = Math.min(p.right, q.right) - Math.max(p.left, q.left);
    const down = Math.min(p.bottom, q.bottom) - Math.max(p.top, q.top);
    if (across > 0.5 && down > 4) hits.push(a + "/" + b);
  }));
  const ink = getComputedStyle(document.body);
  return { hits, wide: document.documentElement.scrollWidth, ink: ink.color, paper: ink.backgroundColor };
})()"""


@pytest.mark.parametrize("width", [400, 1400])
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_widths_and_colours(url, browser, tmp_path: Path, width, scheme):
    page = browser.page(url + "/", width=width, scheme=scheme)
    page.wait_for(READY)
    page.click("#show-chart")
    page.wait_for("document.querySelector('.chart .cell')")
    found = page.evaluate(MEASURE)
    assert found["hits"] == []
    assert found["wide"] == width  # nothing sticks out
    ink, paper = (int(found[name].split("(")[1].split(",")[0]) for name in ("ink", "paper"))
    assert (paper > 200 > ink) if scheme == "light" else (ink > 200 > paper)
    page.screenshot(tmp_path / "page.png")
    assert (tmp_path / "page.png").stat().st_size > 20_000


def test_the_page_for_programs(url, browser):
    page = browser.page(url + "/api")
    page.wait_for("document.querySelector('.card table')")
    assert "POST /api/parse" in text_of(page, "main")
    page.click(".card button")
    page.wait_for("document.querySelector('.answer').innerText.includes('trees')")
    assert page.complaints() == []
    assert all(address.startswith(url) for address in page.addresses())
