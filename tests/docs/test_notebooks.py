"""Notebooks under examples/ run from top to bottom, and what they show can be shown, without Jupyter."""

from __future__ import annotations

import ast
import json
from pathlib import Path
from typing import Any

import pytest

EXAMPLES = Path(__file__).parents[2] / "examples"
NOTEBOOKS = sorted(EXAMPLES.glob("*.ipynb"))


def run_cell(source: str, names: dict[str, Any]) -> Any:
    """Runs a cell as Jupyter does; the value of its last line, if that is an expression."""
    program = ast.parse(source)
    last = program.body.pop() if program.body and isinstance(program.body[-1], ast.Expr) else None
    exec(compile(program, "cell", "exec"), names)
    return None if last is None else eval(compile(ast.Expression(last.value), "cell", "eval"), names)


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.name)
def test_notebook_runs(path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    notebook = json.loads(path.read_text(encoding="utf-8"))
    assert notebook["nbformat"] == 4
    names: dict[str, Any] = {"__name__": "__main__"}
    drawings = 0
    for cell in notebook["cells"]:
        if cell["cell_type"] != "code":
            continue
        assert cell["outputs"] == [], "clear the outputs before you commit"
        value = run_cell("".join(cell["source"]), names)
        if value is not None:
            drawings += value._repr_html_().count("<svg")
    assert drawings > 5
    assert "They ◂ can" in capsys.readouterr().out


def test_cells_show_their_last_expression() -> None:
    names: dict[str, Any] = {}
    assert run_cell("x = 2\nx + 1", names) == 3
    assert run_cell("y = x", names) is None
