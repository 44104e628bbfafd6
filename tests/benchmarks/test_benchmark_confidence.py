"""The benchmarks of probabilities from end to end, on a toy language."""

from __future__ import annotations

import shutil

import calibration
import new_documents
from figure_tables import printed_tables


def rows_of(path):
    (table,) = printed_tables(path.read_text())
    lines = [[cell.strip() for cell in line.split("|")[1:-1]] for line in table.text.splitlines()]
    return [dict(zip(lines[0], line, strict=True)) for line in lines[2:]]


def test_without_a_development_set_probabilities_are_fitted_in_two_ways(treebank_folder, tmp_path):
    without = shutil.copytree(treebank_folder, tmp_path / "NoDev")
    (without / "dev.conllu").unlink()
    arguments = [str(treebank_folder), str(without), "--quick", "--preset", "first", "--epochs", "2"]
    calibration.main([*arguments, "-o", str(tmp_path / "report.md")])
    rows = rows_of(tmp_path / "report.md")
    ways = ["development set", "training data, held out in turn", "a tenth of the training data"]
    assert [row["fitted on"] for row in rows] == ways
    assert all(float(row["UAS"]) > 50 and float(row["area"]) <= 1 for row in rows)


def test_spoiled_heads_are_found(treebank_folder, tmp_path):
    arguments = [str(treebank_folder), "--doubt", "--preset", "first", "--epochs", "2"]
    calibration.main([*arguments, "-o", str(tmp_path / "report.md")])
    (row,) = rows_of(tmp_path / "report.md")
    assert int(row["spoiled"]) > 0
    assert float(row["in the top 10 %"]) >= float(row["in the top 5 %"]) >= float(row["in the top 2 %"])


def test_text_that_is_new_has_a_mean(monkeypatch, tmp_path):
    monkeypatch.setattr(new_documents, "TEXTS", {"toy": None})
    row = {"left out": "toy", "sentences": "1", "words left out": "2", "UAS": "90.0", "runs": "1.00 (+0.1)"}
    monkeypatch.setattr(new_documents, "row_of", lambda *_: (row, {"runs": 1.0}))
    new_documents.main(["-o", str(tmp_path / "report.md")])
    assert [(row["left out"], row["runs"]) for row in rows_of(tmp_path / "report.md")] == [
        ("toy", "1.00 (+0.1)"),
        ("mean", "1.00"),
    ]
