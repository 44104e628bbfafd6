"""What commands report on standard output. What comes from names and files must not steer a terminal."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from rich.console import Console


def shown(text: object) -> str:
    """The text as it may be printed: its lines, and pictures of all other control characters."""
    from headwise.base.writing_systems import printable

    return "\n".join(map(printable, str(text).split("\n")))


def report(text: object) -> None:
    """Print a report as it may be printed."""
    print(shown(text))


def console(**options: Any) -> Console:
    """A console for tables: whatever they are made of, only its own control characters reach the terminal."""
    from collections.abc import Iterable

    from rich.console import Console, ConsoleOptions, RenderableType
    from rich.segment import Segment

    class Showing(Console):
        def render(
            self, renderable: RenderableType, options: ConsoleOptions | None = None
        ) -> Iterable[Segment]:
            for segment in super().render(renderable, options):
                yield segment if segment.control else Segment(shown(segment.text), segment.style)

    return Showing(**options)
