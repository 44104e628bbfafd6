"""Tables of what torch_trees.py measures, from figures as it keeps them; and choices of networks."""

from __future__ import annotations

import pytest
from test_benchmark_experiments import rows_below

from headwise.model import ModelFile
from torch_tables import batch_table, growth_tables, speed_tables
from toy_language import toy_treebank


def test_libraries_stand_below_each_other():
    figures = {
        "headwise projective argmax": 2e6,
        "headwise projective argmax, graph": 3e6,
        "headwise siblings argmax": 5e5,
        "SuPar projective argmax": 1000.4,
    }
    arcs, parts = speed_tables({"B = 4": figures, "B = 1": {"headwise projective argmax": 7}}, {})
    assert arcs.rows == [
        {"operation": "projective argmax", "by": "headwise", "B = 4": "2,000,000", "B = 1": "7"},
        {"operation": "projective argmax", "by": "SuPar", "B = 4": "1,000", "B = 1": ""},
        {
            "operation": "projective argmax, in a CUDA graph",
            "by": "headwise",
            "B = 4": "3,000,000",
            "B = 1": "",
        },
    ]
    assert [(row["order"], row["operation"]) for row in parts.rows] == [
        ("first order", "argmax"),
        ("first order", "argmax, in a CUDA graph"),
        ("siblings", "argmax"),
    ]


def test_growth_has_a_column_for_every_length():
    figures = {"projective marginals n = 10": 20.0, "headwise siblings argmax n = 10": 49.0}
    figures |= {"projective marginals n = 500": 177374.0, "megabytes, projective marginals n = 500": 323.0}
    arcs, parts = growth_tables(figures, {})
    assert arcs.rows == [
        {"operation": "projective marginals", "n = 10": "20", "n = 500": "177,374"},
        {"operation": "megabytes, projective marginals", "n = 10": "", "n = 500": "323"},
    ]
    assert parts.rows == [{"operation": "siblings argmax", "n = 10": "49"}]
    assert batch_table({"cuda B = 1": 55.0, "cpu B = 1": 39.0}, {}).rows == [
        {"on": "cuda", "B = 1": "55"},
        {"on": "cpu", "B = 1": "39"},
    ]


def test_every_choice_is_trained(treebank_folder, tmp_path):
    pytest.importorskip("torch")
    import torch_choices

    output = tmp_path / "choices.md"
    torch_choices.main([str(treebank_folder), "--quick", "--epochs", "1", "-o", str(output)])
    assert rows_below(output.read_text(), "choices") == list(torch_choices.CHOICES)


def test_networks_are_joined_and_kept(treebank_folder, tmp_path):
    pytest.importorskip("torch")
    import several_networks

    output, models = tmp_path / "several.md", tmp_path / "models"
    several_networks.main(
        [str(treebank_folder), "--quick", "--features", "first", "--models", str(models), "-o", str(output)]
    )
    parsers = ["one network", "2 networks", "first", "first + one", "first + 2"]
    (heading,) = (line for line in output.read_text().splitlines() if line.startswith("| treebank"))
    columns = [column.strip() for column in heading.split("|")[2:-1]]
    assert columns == [*parsers, *(f"tokens/s: {parser}" for parser in parsers)]
    assert len(list(models.iterdir())) == 3


def test_committees_teach(treebank_folder, tmp_path):
    pytest.importorskip("torch")
    import committees

    text = tmp_path / "text.txt"
    text.write_text("".join(f"{' '.join(sentence.forms)}\n\n" for sentence in toy_treebank(400, seed=5)))
    output, models = tmp_path / "committees.md", tmp_path / "models"
    options = ["--quick", "--texts", str(text), "--models", str(models), "-o", str(output)]
    committees.main([str(treebank_folder), *options])
    headings = [line for line in output.read_text().splitlines() if line.startswith("| treebank")]
    teachers, taught = ([column.strip() for column in line.split("|")[2:-1]] for line in headings)
    assert teachers == list(committees.TEACHERS)
    assert taught[:4] == ["one", "two", "third + one", "third + two"]
    assert len(list(models.glob("*.hw"))) == len(committees.TEACHERS) + 3
    for pupil in models.glob("*.taught-*.hw"):
        asked = ModelFile.open(pupil).config["training"]["settings"]["teaching"]["teachers"]
        assert sorted(asked) == sorted(teacher.name for teacher in models.glob("*.teacher-*.hw"))
