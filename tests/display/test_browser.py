"""Pages in a real browser, light and dark: text where it was planned, nothing on top of anything else."""

import re
import subprocess

import pytest
from display_examples import english, random_sentence

from browser import CHROMIUM, needs_browser
from headwise.display import draw, to_html
from sanitizers import WITHOUT_SANITIZERS

# The browser measures all labels and words itself, and reports those that overlap, in the title of the page.
MEASURE = """
<script>
const boxes = [...document.querySelectorAll("svg text")].map(t => [t.textContent, t.getBoundingClientRect()]);
const hits = [];
boxes.forEach(([a, p], i) => boxes.slice(i + 1).forEach(([b, q]) => {
  const across = Math.min(p.right, q.right) - Math.max(p.left, q.left);
  const down = Math.min(p.bottom, q.bottom) - Math.max(p.top, q.top);
  if (across > 0.5 && down > 4) hits.push(a + "/" + b);
}));
document.title = JSON.stringify({texts: boxes.length, hits: hits,
  background: getComputedStyle(document.documentElement).backgroundColor,
  ink: getComputedStyle(document.querySelector("svg text")).fill});
</script>
"""


def browse(page, directory, *arguments):
    assert CHROMIUM is not None
    quiet = ["--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run"]
    quiet += ["--disable-background-networking", "--disable-component-update", "--disable-sync"]
    command = [CHROMIUM, *quiet, f"--user-data-dir={directory / 'profile'}", *arguments, page.as_uri()]
    done = subprocess.run(
        command, capture_output=True, text=True, timeout=120, check=True, env=WITHOUT_SANITIZERS
    )
    return done.stdout


@needs_browser
@pytest.mark.parametrize("words", [5, 60])
@pytest.mark.parametrize(("scheme", "setting"), [("light", 1), ("dark", 0)])
def test_in_a_browser(tmp_path, words, scheme, setting):
    sentence = random_sentence(words, seed=3)
    page = tmp_path / "page.html"
    page.write_text(to_html([[draw(sentence)], [draw(english())]]).replace("</body>", MEASURE + "</body>"))
    settings = f"--blink-settings=preferredColorScheme={setting}"
    dom = browse(page, tmp_path, settings, "--window-size=1200,900", "--dump-dom")
    title = re.search(r"<title>(.*?)</title>", dom).group(1)
    # 2 texts and a label for each word
    assert f'"texts":{3 * (words + len(english()))}' in title
    assert '"hits":[]' in title
    channels = {
        name: int(re.search(rf'"{name}":"rgb\((\d+)', title).group(1)) for name in ("background", "ink")
    }
    assert (channels["background"] > 200) == (scheme == "light")
    assert (channels["ink"] > 200) == (scheme == "dark")


@needs_browser
def test_a_screenshot_has_something_on_it(tmp_path):
    page = tmp_path / "page.html"
    page.write_text(to_html([[draw(random_sentence(60, seed=3))]]))
    browse(page, tmp_path, f"--screenshot={tmp_path / 'shot.png'}", "--window-size=1200,600")
    assert (tmp_path / "shot.png").read_bytes().startswith(b"\x89PNG")
    assert (tmp_path / "shot.png").stat().st_size > 10_000  # a blank page takes about 4,000 bytes
