"""Headless Chromium, driven through a pipe with its DevTools protocol: no driver, no other package.

with Browser(tmp_path) as browser:
    page = browser.page("http://127.0.0.1:8001/", width=400, scheme="dark")
    page.wait_for("document.querySelector('svg')")
    page.press("Tab")
    page.screenshot(tmp_path / "page.png")
"""

from __future__ import annotations

import base64
import json
import os
import select
import shutil
import subprocess
import time
from pathlib import Path
from types import TracebackType
from typing import Any

import pytest

from sanitizers import WITHOUT_SANITIZERS

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
needs_browser = pytest.mark.skipif(
    CHROMIUM is None, reason="Chromium is not installed (Debian package chromium)"
)

PATIENCE = 60.0
"""Seconds until the browser or a page is given up; a busy machine is slow, a broken page never gets there."""

_QUIET = [
    *("--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run"),
    *("--disable-background-networking", "--disable-component-update", "--disable-sync"),
    *("--disable-dev-shm-usage", "--hide-scrollbars", "--force-color-profile=srgb"),
]
_CODES = {
    "Tab": 9,
    "Enter": 13,
    "Escape": 27,
    " ": 32,
    "End": 35,
    "Home": 36,
    "ArrowLeft": 37,
    "ArrowUp": 38,
    "ArrowRight": 39,
    "ArrowDown": 40,
    "Delete": 46,
    "Backspace": 8,
}
_TEXTS = {"Enter": "\r", " ": " "}
_MODIFIERS = {"Alt": 1, "Control": 2, "Meta": 4, "Shift": 8}


class BrowserError(Exception):
    """The browser, or a script in a page, failed."""


class Browser:
    """A browser with a profile of its own in a folder."""

    def __init__(self, folder: Path) -> None:
        assert CHROMIUM is not None
        theirs_in, self._out = os.pipe()
        self._in, theirs_out = os.pipe()
        # The browser listens on descriptor 3 and answers on 4, which a shell gives it.
        shell = f'exec "$@" 3<&{theirs_in} 4>&{theirs_out}'
        command = [CHROMIUM, *_QUIET, f"--user-data-dir={folder / 'profile'}", "--remote-debugging-pipe"]
        self._process = subprocess.Popen(
            ["bash", "-c", shell, "chromium", *command, "about:blank"],
            pass_fds=(theirs_in, theirs_out),
            env=WITHOUT_SANITIZERS,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        os.close(theirs_in)
        os.close(theirs_out)
        self._number = 0
        self._read = b""
        self.events: list[dict[str, Any]] = []

    def __enter__(self) -> Browser:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        try:
            self.call("Browser.close")
            self._process.wait(10)
        except (BrowserError, OSError, subprocess.TimeoutExpired):
            self._process.kill()
            self._process.wait()
        os.close(self._in)
        os.close(self._out)

    def page(
        self, url: str, *, width: int = 1400, height: int = 900, scheme: str = "light", scale: float = 1.0
    ) -> Page:
        """A new page, of a width in pixels and a colour scheme ("light" or "dark")."""
        target = self.call("Target.createTarget", url="about:blank")["targetId"]
        session = self.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        page = Page(self, session)
        for domain in ("Page", "Runtime", "Log", "Network"):
            page.call(f"{domain}.enable")
        page.call("Emulation.setFocusEmulationEnabled", enabled=True)  # keys arrive though no window is seen
        page.resize(width, height, scale)
        page.call(
            "Emulation.setEmulatedMedia",
            features=[
                {"name": "prefers-color-scheme", "value": scheme},
                {"name": "prefers-reduced-motion", "value": "reduce"},
            ],
        )
        page.go(url)
        return page

    def call(self, method: str, session: str | None = None, **parameters: Any) -> dict[str, Any]:
        """What a command of the protocol returns."""
        self._number += 1
        number = self._number
        message: dict[str, Any] = {"id": number, "method": method, "params": parameters}
        if session is not None:
            message["sessionId"] = session
        os.write(self._out, json.dumps(message).encode() + b"\0")
        end = time.monotonic() + PATIENCE
        while True:
            answer = self._next(end, method)
            if answer.get("id") == number:
                if "error" in answer:
                    raise BrowserError(f"{method}: {answer['error']['message']}")
                return answer["result"]
            if "method" in answer:
                self.events.append(answer)

    def _next(self, end: float, waiting_for: str) -> dict[str, Any]:
        while b"\0" not in self._read:
            ready, _, _ = select.select([self._in], [], [], max(0.0, end - time.monotonic()))
            got = os.read(self._in, 1 << 16) if ready else b""
            if not got:
                raise BrowserError(f"the browser gave no answer to {waiting_for}")
            self._read += got
        message, self._read = self._read.split(b"\0", 1)
        return json.loads(message)


class Page:
    """A page, with a keyboard and a pointer."""

    def __init__(self, browser: Browser, session: str) -> None:
        self._browser, self._session = browser, session

    def call(self, method: str, **parameters: Any) -> dict[str, Any]:
        return self._browser.call(method, self._session, **parameters)

    def go(self, url: str) -> None:
        self.call("Page.navigate", url=url)
        self.wait_for("location.href !== 'about:blank' && document.readyState === 'complete'")

    def resize(self, width: int, height: int, scale: float = 1.0) -> None:
        self.call(
            "Emulation.setDeviceMetricsOverride",
            width=width,
            height=height,
            deviceScaleFactor=scale,
            mobile=width < 600,
        )

    def evaluate(self, script: str) -> Any:
        """The value of a JavaScript expression; promises are awaited."""
        answer = self.call("Runtime.evaluate", expression=script, returnByValue=True, awaitPromise=True)
        if "exceptionDetails" in answer:
            details = answer["exceptionDetails"]
            what = details.get("exception", {}).get("description", details["text"])
            raise BrowserError(f"{script}: {what}")
        return answer["result"].get("value")

    def wait_for(self, condition: str) -> Any:
        """The value of an expression as soon as it is true."""
        end = time.monotonic() + PATIENCE
        while True:
            try:
                value = self.evaluate(condition)
            except BrowserError as error:  # the page is being replaced by the next one
                if "context" not in str(error):
                    raise
                value = None
            if value or value == {}:  # an element comes back as an empty object
                return value
            if time.monotonic() > end:
                raise BrowserError(f"this never became true: {condition}")
            time.sleep(0.03)

    def press(self, key: str, *modifiers: str, times: int = 1) -> None:
        """Presses a key, such as "Tab", "a" or ("z", "Control")."""
        code = _CODES.get(key, ord(key.upper()) if len(key) == 1 else 0)
        text = _TEXTS.get(key, key if len(key) == 1 else "")
        held = sum(_MODIFIERS[name] for name in modifiers)
        named = key if key in _CODES and key != " " else ""
        event: dict[str, Any] = {"key": key, "code": named, "windowsVirtualKeyCode": code, "modifiers": held}
        for _ in range(times):
            if text and not held & ~_MODIFIERS["Shift"]:
                self.call("Input.dispatchKeyEvent", type="keyDown", text=text, **event)
            else:
                self.call("Input.dispatchKeyEvent", type="rawKeyDown", **event)
            self.call("Input.dispatchKeyEvent", type="keyUp", **event)

    def type(self, text: str) -> None:
        self.call("Input.insertText", text=text)

    def middle(self, selector: str) -> tuple[float, float]:
        """Where an element is, after it was brought into sight."""
        box = self.evaluate(
            f"(() => {{ const e = document.querySelector({json.dumps(selector)}); if (!e) return null;"
            " e.scrollIntoView({block: 'center', inline: 'center'});"
            " const b = e.getBoundingClientRect();"
            " return [b.left + b.width / 2, b.top + b.height / 2]; })()"
        )
        if box is None:
            raise BrowserError(f"there is no {selector}")
        return box[0], box[1]

    def point(self, selector: str) -> None:
        """Moves the pointer onto an element."""
        x, y = self.middle(selector)
        self.call("Input.dispatchMouseEvent", type="mouseMoved", x=x, y=y)

    def click(self, selector: str) -> None:
        x, y = self.middle(selector)
        self._mouse("mouseMoved", x, y)
        self._mouse("mousePressed", x, y)
        self._mouse("mouseReleased", x, y)

    def drag(self, source: str, target: str) -> None:
        """Presses on one element and lets go on another; both must fit into the window together."""
        self.middle(source)
        x, y = self.middle(target)
        start = self.evaluate(
            f"(() => {{ const b = document.querySelector({json.dumps(source)}).getBoundingClientRect();"
            " return [b.left + b.width / 2, b.top + b.height / 2]; })()"
        )
        self._mouse("mouseMoved", *start)
        self._mouse("mousePressed", *start)
        for part in (0.1, 0.5, 0.9, 1.0):
            self._mouse(
                "mouseMoved", start[0] + part * (x - start[0]), start[1] + part * (y - start[1]), held=1
            )
        self._mouse("mouseReleased", x, y)

    def _mouse(self, kind: str, x: float, y: float, held: int = 0) -> None:
        pressing = kind != "mouseMoved"
        self.call(
            "Input.dispatchMouseEvent",
            type=kind,
            x=x,
            y=y,
            button="left" if pressing or held else "none",
            buttons=1 if held or kind == "mousePressed" else 0,
            clickCount=1 if pressing else 0,
        )

    def screenshot(self, path: Path, *, whole: bool = True) -> None:
        """A picture of the page, by default of all of it."""
        options: dict[str, Any] = {"format": "png", "captureBeyondViewport": whole}
        if whole:
            size = self.call("Page.getLayoutMetrics")["cssContentSize"]
            options["clip"] = {"x": 0, "y": 0, "width": size["width"], "height": size["height"], "scale": 1}
        path.write_bytes(base64.b64decode(self.call("Page.captureScreenshot", **options)["data"]))

    def complaints(self) -> list[str]:
        """Errors so far: of scripts, of the content policy, and addresses that could not be loaded."""
        self.evaluate("1")  # what happened before it has been told by then
        found = []
        for event in self._browser.events:
            if event.get("sessionId") != self._session:
                continue
            parameters = event["params"]
            if event["method"] == "Runtime.exceptionThrown":
                found.append(str(parameters["exceptionDetails"].get("exception", {}).get("description")))
            elif event["method"] == "Log.entryAdded" and parameters["entry"]["level"] == "error":
                found.append(parameters["entry"]["text"])
        return found

    def addresses(self) -> list[str]:
        """Everything that the page has asked for."""
        return [
            event["params"]["request"]["url"]
            for event in self._browser.events
            if event.get("sessionId") == self._session and event["method"] == "Network.requestWillBeSent"
        ]

    def accessibility(self) -> list[dict[str, Any]]:
        """The nodes that a screen reader is told of: role and name."""
        nodes = self.call("Accessibility.getFullAXTree")["nodes"]
        return [
            {"role": node["role"]["value"], "name": node.get("name", {}).get("value", "")}
            for node in nodes
            if not node.get("ignored")
        ]
