"""A sheet to draw on: words, arcs, spans and boxes, as SVG in the style of the package's own trees."""

from __future__ import annotations

from importlib.resources import files
from pathlib import Path
from xml.sax.saxutils import escape

ARROW = 7.0


def style() -> str:
    """What a drawing needs when it stands alone."""
    own = (Path(__file__).parent / "diagram.css").read_text(encoding="utf-8")
    return (files("headwise.display") / "figure.css").read_text(encoding="utf-8") + own


class Canvas:
    """Collects shapes; `svg` gives the finished picture. Places are in pixels from the upper left."""

    def __init__(self, width: float, height: float, title: str) -> None:
        self.width, self.height, self.title = width, height, title
        self._parts: list[str] = []

    def svg(self) -> str:
        size = f'width="{self.width:g}" height="{self.height:g}" viewBox="0 0 {self.width:g} {self.height:g}"'
        head = (
            f'<svg xmlns="http://www.w3.org/2000/svg" class="headwise diagram" role="img" {size}>\n'
            f"<title>{escape(self.title)}</title>\n<style>\n{style()}</style>\n"
        )
        return head + "\n".join(self._parts) + "\n</svg>\n"

    def text(self, x: float, y: float, text: str, kind: str = "form", colour: str = "") -> None:
        self._parts.append(
            f'<g class="{colour}"><text class="{kind}" x="{x:g}" y="{y:g}">{escape(text)}</text></g>'
        )

    def path(self, commands: str, kind: str = "stroke", colour: str = "") -> None:
        self._parts.append(f'<g class="{colour}"><path class="{kind}" d="{commands}"/></g>')

    def tip(self, x: float, y: float, dx: float, dy: float, colour: str = "") -> None:
        """The head of an arrow that points along (dx, dy) and ends at (x, y)."""
        length = (dx * dx + dy * dy) ** 0.5
        dx, dy = ARROW * dx / length, ARROW * dy / length
        left, right = (x - dx - dy * 0.45, y - dy + dx * 0.45), (x - dx + dy * 0.45, y - dy - dx * 0.45)
        corners = f"M{x:.1f} {y:.1f}L{left[0]:.1f} {left[1]:.1f}L{right[0]:.1f} {right[1]:.1f}z"
        self._parts.append(f'<g class="{colour}"><path class="tip" d="{corners}"/></g>')

    def arrow(
        self, x1: float, y1: float, x2: float, y2: float, kind: str = "stroke", colour: str = ""
    ) -> None:
        """A straight one."""
        self.path(f"M{x1:g} {y1:g}L{x2:g} {y2:g}", kind, colour)
        self.tip(x2, y2, x2 - x1, y2 - y1, colour)

    def arc(
        self,
        x1: float,
        x2: float,
        y: float,
        height: float,
        label: str = "",
        colour: str = "",
        kind: str = "stroke",
    ) -> None:
        """From a head to its modifier, over the words between them."""
        top, side = y - height, 9 if x2 > x1 else -9
        side = max(-abs(x2 - x1) / 2, min(abs(x2 - x1) / 2, side))
        rise = min(9.0, height)
        self.path(
            f"M{x1:g} {y:g}V{top + rise:g}Q{x1:g} {top:g} {x1 + side:g} {top:g}H{x2 - side:g}"
            f"Q{x2:g} {top:g} {x2:g} {top + rise:g}V{y - 4:g}",
            kind,
            colour,
        )
        self.tip(x2, y, 0, 1, colour)
        if label:
            self.text((x1 + x2) / 2, top - 5, label, "note", colour)

    def triangle(self, head: float, end: float, y: float, height: float, colour: str = "") -> None:
        """A complete span: the head with everything on one side of it, the right angle at the head."""
        self.path(f"M{head:g} {y:g}V{y - height:g}L{end:g} {y:g}z", "shape", colour)

    def trapezoid(self, head: float, modifier: float, y: float, height: float, colour: str = "") -> None:
        """An incomplete span: an arc whose modifier is still open on the far side."""
        self.path(
            f"M{head:g} {y:g}V{y - height:g}L{modifier:g} {y - height * 0.55:g}V{y:g}z", "shape", colour
        )

    def box(
        self, x: float, y: float, width: float, height: float, lines: list[str], colour: str = ""
    ) -> None:
        """A box with lines of text in its middle."""
        self.path(
            f"M{x + 8:g} {y:g}h{width - 16:g}q8 0 8 8v{height - 16:g}q0 8 -8 8h{16 - width:g}q-8 0 -8 -8"
            f"v{16 - height:g}q0 -8 8 -8z",
            "shape",
            colour,
        )
        first = y + height / 2 + 5 - 9 * (len(lines) - 1)
        for number, line in enumerate(lines):
            self.text(x + width / 2, first + 18 * number, line, "form" if number == 0 else "note", "")

    def node(self, x: float, y: float, name: str, colour: str = "") -> None:
        """A circle with a name in it."""
        self.path(f"M{x - 16:g} {y:g}a16 16 0 1 0 32 0a16 16 0 1 0 -32 0z", "shape", colour)
        self.text(x, y + 5, name, "form", colour)
