"""spaCy finds the component and the tokenizer by their names, without an import of ours."""

from __future__ import annotations

import os
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
CODE = """
import spacy, sys
assert not any(name.startswith("headwise") for name in sys.modules)
tokenizer = {"@tokenizers": "headwise.Tokenizer.v1", "model": "en"}
nlp = spacy.blank("en", config={"nlp": {"tokenizer": tokenizer}})
nlp.add_pipe("headwise", config={"model": "en", "confidence": True})
doc = nlp("I don't know.")
print([token.text for token in doc], [token.head.i for token in doc], doc[0]._.head_prob > 0.5)
"""


@pytest.mark.skipif(not (ROOT / "pyproject.toml").exists(), reason="the source tree is not here")
def test_by_their_names(tmp_path: Path) -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    entry_points = "".join(
        f"[{group}]\n" + "".join(f"{name} = {target}\n" for name, target in names.items())
        for group, names in project["entry-points"].items()
    )
    metadata = tmp_path / f"headwise-{project['version']}.dist-info"
    metadata.mkdir()
    (metadata / "METADATA").write_text(
        f"Metadata-Version: 2.1\nName: headwise\nVersion: {project['version']}\n"
    )
    (metadata / "entry_points.txt").write_text(entry_points)
    path = os.pathsep.join([str(tmp_path), *filter(None, sys.path)])
    done = subprocess.run(
        [sys.executable, "-c", CODE],
        env=os.environ | {"PYTHONPATH": path},
        capture_output=True,
        text=True,
        check=False,
        cwd=tmp_path,
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.strip() == """['I', "don't", 'know', '.'] [2, 2, 2, 2] True"""
