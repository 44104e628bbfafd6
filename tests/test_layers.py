"""Rooms import from lower layers only; the drawing of the house is what the imports say."""

from __future__ import annotations

from layers import BEGIN, END, LAYERS, PACKAGE, PAGE, drawing, imports

DOORS = {
    ("components/parser", "training"),  # Parser.train
    ("components/reranker", "training"),  # Reranker.train
    ("pipeline", "training"),  # Pipeline.train
}
"""Verbs of a class that are done in a room above its own."""


def test_every_room_has_its_layer() -> None:
    folders = {path.parent for path in PACKAGE.rglob("*.py")}
    rooms = {path.relative_to(PACKAGE).parts for path in folders if path != PACKAGE}
    found = {"/".join(parts[:2]) if parts[0] == "components" else parts[0] for parts in rooms}
    assert found - {"components"} == {room for layer in LAYERS for room in layer}


def test_no_room_imports_upwards() -> None:
    height = {room: number for number, room in enumerate(room for layer in LAYERS for room in layer)}
    upwards = [one for one in imports() if not one.is_door and height[one.used] > height[one.room]]
    assert not upwards


def test_doors_are_few() -> None:
    assert {(one.room, one.used) for one in imports() if one.is_door} == DOORS


def test_the_drawing_is_of_these_imports() -> None:
    page = PAGE.read_text(encoding="utf-8")
    assert page.split(BEGIN)[1].split(END)[0] == drawing(), "python tools/layers.py --write"
