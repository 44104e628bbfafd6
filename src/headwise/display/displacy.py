"""Trees as the data that displaCy, spaCy's visualizer, draws with `manual=True`."""

from __future__ import annotations

from typing import Any

from headwise.display.drawing import Drawing


def to_displacy(drawing: Drawing) -> dict[str, Any]:
    """A dictionary for `displacy.render(…, style="dep", manual=True)`; it draws no arc from the root."""
    return {
        "words": [{"text": word.form, "tag": word.tag} for word in drawing.words],
        "arcs": [
            {
                "start": arc.span[0] - 1,
                "end": arc.span[1] - 1,
                "label": arc.label,
                "dir": "left" if arc.modifier < arc.head else "right",
            }
            for arc in drawing.arcs
            if not arc.from_root
        ],
    }
