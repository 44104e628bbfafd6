"""Trees on a page, in a real browser: pointed at, and walked through with keys."""

import pytest

pytest.importorskip("uvicorn", reason="the extra serve is not installed")

from starlette.responses import HTMLResponse, PlainTextResponse
from starlette.routing import Route

from browser import Browser, needs_browser
from headwise.display import draw, to_svg
from headwise.treebank import Sentence
from headwise.web.app import web_app
from web_server import serving

PAGE = """<!doctype html><title>Trees</title><link rel="stylesheet" href="/static/page.css">
<link rel="stylesheet" href="/static/figure.css"><div id="tree"></div>
<script type="module" src="/page.js"></script>"""
SCRIPT = """import { showTree } from "/static/tree.js";
const answer = await fetch("/tree.svg");
globalThis.seen = [];
globalThis.chosen = [];
showTree(document.getElementById("tree"), await answer.text(), {
  onWord: (word, how) => seen.push([word, how]), onChoose: (word) => chosen.push(word) });
"""
FOCUSED = "Number(document.activeElement.dataset.word)"


@pytest.fixture
def app():
    async def page(request):
        return HTMLResponse(PAGE)

    async def script(request):
        return PlainTextResponse(SCRIPT, media_type="text/javascript")

    async def tree(request):
        sentence = Sentence.from_words(["She", "reads", "old", "books"])
        return PlainTextResponse(
            to_svg(draw(sentence, [2, 0, 4, 2], ["nsubj", "root", "amod", "obj"]), styled=False)
        )

    return web_app([Route("/", page), Route("/page.js", script), Route("/tree.svg", tree)])


@needs_browser
def test_a_tree_is_pointed_at_and_walked_through(app, tmp_path):
    with serving(app) as url, Browser(tmp_path) as browser:
        page = browser.page(url + "/", width=400)
        page.wait_for("document.querySelectorAll('#tree [data-word]').length === 4")
        page.press("Tab")
        assert page.evaluate(FOCUSED) == 1
        page.press("ArrowUp")  # to the head
        assert page.evaluate(FOCUSED) == 2
        page.press("ArrowUp")  # the root has none
        assert page.evaluate(FOCUSED) == 2
        page.press("ArrowDown")  # the first modifier
        assert page.evaluate(FOCUSED) == 1
        page.press("End")
        page.press("ArrowRight")
        page.press("ArrowLeft")
        assert page.evaluate(FOCUSED) == 3
        page.press("Enter")
        page.press(" ")
        assert page.evaluate("chosen") == [3, 3]
        page.point("[data-word='4']")
        assert page.evaluate("seen.at(-1)") == [4, "hover"]
        assert page.evaluate("document.querySelectorAll('.arc.is-current').length") == 1
        names = [node["name"] for node in page.accessibility() if node["role"] == "button"]
        assert names == [
            "She: nsubj of reads",
            "reads: root of the root",
            "old: amod of books",
            "books: obj of reads",
        ]
        assert page.complaints() == []
        assert all(address.startswith(url) for address in page.addresses())
