"""A user's own feature templates, in a file of sections::

    [arc]                      # without + and -, the lines of a section replace the built-in table
    h.tag m.tag

    [sibling]
    + h.pos m.pos s.suffix     # added to the built-in table
    - m.pos s.pos              # switched off

    [grandchild]
    + g.pos h.pos m.form @outer   # only where m lies beyond h, as seen from g

Lines before the first section belong to ``[arc]``. ``headwise templates`` prints the built-in tables. Sets of
tables that come with the package have names: ``mcdonald`` (McDonald et al. 2005, first order).
"""

from __future__ import annotations

from importlib import resources
from pathlib import Path

from headwise.base.errors import HeadwiseError
from headwise.components.scoring.templates import TemplateTable
from headwise.trees.factorizations import TABLES

SETS = ("mcdonald",)
"""Template files that come with the package, by name."""


def load_template_file(path: str | Path) -> dict[str, tuple[str, ...]]:
    """The tables that a file changes, each whole. A name of `SETS` stands for a file of the package."""
    if str(path) in SETS:
        path = Path(str(resources.files(__package__) / "tables" / f"{path}.txt"))
    try:
        text = Path(path).read_text("utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise HeadwiseError(f"{path}: cannot be read as text ({error}).") from error
    sections: dict[str, list[tuple[int, str]]] = {}
    current = "arc"
    for number, raw in enumerate(text.splitlines(), start=1):
        line = raw.split("#", 1)[0].strip()
        if line.startswith("[") and line.endswith("]"):
            current = line[1:-1].strip()
            if current not in TABLES:
                raise HeadwiseError(
                    f"{path}:{number}: no table is called [{current}]; use one of {', '.join(TABLES)}."
                )
            sections.setdefault(current, [])
        elif line:
            sections.setdefault(current, []).append((number, line))
    return {name: _table(path, name, lines) for name, lines in sections.items()}


def _table(path: str | Path, name: str, lines: list[tuple[int, str]]) -> tuple[str, ...]:
    changes = [line[0] in "+-" for _, line in lines]
    if not any(changes):
        return tuple(line for _, line in lines)
    if not all(changes):
        number = lines[changes.index(False)][0]
        raise HeadwiseError(
            f"{path}:{number}: [{name}] has lines with and without + or -; "
            "either change the built-in table or replace it."
        )
    table = list(TemplateTable.built_in(name).lines)
    for number, line in lines:
        template = " ".join(line[1:].split())
        if line[0] == "+":
            table.append(template)
        elif template in table:
            table.remove(template)
        else:
            raise HeadwiseError(f"{path}:{number}: [{name}] has no line '{template}' to switch off.")
    return tuple(table)
