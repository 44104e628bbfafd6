"""Confused labels and worst sentences: counted by hand."""

from __future__ import annotations

import json
from pathlib import Path

from evaluation_examples import conllu, trees

from command_runner import CliRunner
from headwise.cli.app import app
from headwise.evaluation import assess, confusion_of, worst_sentences

GOLD = (
    "The/2/det dog/3/nsubj slept/0/root well/3/advmod ./3/punct",
    "Yes/0/root !/1/punct",
    "He/2/nsubj:pass sees/0/root her/2/obj ./2/punct",
)
SYSTEM = (
    "The/3/det dog/3/obj slept/0/root well/3/obl ./2/punct",
    "Yes/0/root !/1/punct",
    "He/2/nsubj sees/0/root her/1/nsubj ./2/punct",
)


def test_confused_labels() -> None:
    found = confusion_of(assess(trees(*GOLD), trees(*SYSTEM), "all"))
    rows = [(m.gold, m.system, m.words, m.right_head) for m in found.mixups]
    assert rows == [
        ("advmod", "obl", 1, 1),
        ("nsubj", "obj", 1, 1),
        ("nsubj:pass", "nsubj", 1, 1),
        ("obj", "nsubj", 1, 0),
    ]
    assert (found.words, found.right) == (11, 7)
    without_punctuation = confusion_of(assess(trees(*GOLD), trees(*SYSTEM), "conllx"))
    assert (without_punctuation.words, without_punctuation.right) == (8, 4)
    universal = confusion_of(assess(trees(*GOLD), trees(*SYSTEM), "ud"))  # subtypes do not count
    assert [(m.gold, m.system) for m in universal.mixups] == [
        ("advmod", "obl"),
        ("nsubj", "obj"),
        ("obj", "nsubj"),
    ]


def test_worst_sentences() -> None:
    worst = worst_sentences(assess(trees(*GOLD), trees(*SYSTEM), "all"), 10)
    assert [(one.number, one.words, one.wrong_heads, one.wrong) for one in worst] == [
        (1, 5, 2, 4),
        (3, 4, 1, 2),
    ]
    assert len(worst_sentences(assess(trees(*GOLD), trees(*SYSTEM), "all"), 1)) == 1


def test_the_command_prints_them(tmp_path: Path) -> None:
    files = tmp_path / "gold.conllu", tmp_path / "system.conllu"
    for path, rows in zip(files, (GOLD, SYSTEM), strict=True):
        path.write_text(conllu(*rows), encoding="utf-8")
    call = ["evaluate", *map(str, files), "--protocol", "all", "--confusion", "--worst", "2"]
    printed = CliRunner().invoke(app, call).output
    assert "advmod" in printed
    assert "4 of 11 words have another label than in gold." in printed
    assert "1 (line 1)" in printed
    document = json.loads(CliRunner().invoke(app, [*call, "--json"]).output)
    assert document["confusion"]["mixups"][0] == {
        "gold": "advmod",
        "system": "obl",
        "words": 1,
        "right_head": 1,
    }
    assert [one["sentence"] for one in document["worst"]] == [1, 3]


def test_only_errors_are_drawn(tmp_path: Path) -> None:
    files = tmp_path / "system.conllu", tmp_path / "gold.conllu"
    for path, rows in zip(files, (SYSTEM, GOLD), strict=True):
        path.write_text(conllu(*rows), encoding="utf-8")
    call = ["show", str(files[0]), "--against", str(files[1])]
    assert "Yes" in CliRunner().invoke(app, call).output
    errors = CliRunner().invoke(app, [*call, "--errors-only"]).output
    assert "Yes" not in errors
    assert "dog" in errors
    assert "sees" in errors
    assert CliRunner().invoke(app, ["show", str(files[0]), "--errors-only"]).exit_code == 2
