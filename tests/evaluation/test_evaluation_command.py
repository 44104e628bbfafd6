"""The evaluate command: what it prints, what it writes as JSON, and how it exits."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from evaluation_examples import conllu

from command_runner import CliRunner, Result
from headwise.base.errors import HeadwiseError
from headwise.cli.command import Command
from headwise.cli.evaluate import Grouping, ProtocolChoice, evaluate
from headwise.evaluation import KEYS, PROTOCOLS

app = Command("evaluate", evaluate)

FILES = {
    "gold": conllu("The/2/det dog/3/nsubj slept/0/root ./3/punct", "Yes/0/root !/1/punct"),
    "good": conllu("The/2/det dog/3/nsubj slept/0/root ./2/punct", "Yes/0/root !/1/punct"),
    "bad": conllu("The/3/det dog/3/obj slept/0/root ./2/punct", "Yes/0/root !/1/punct"),
    "other": conllu("The/2/det cat/3/nsubj slept/0/root ./3/punct", "Yes/0/root !/1/punct"),
    "cycle": conllu("The/2/det dog/1/nsubj slept/0/root ./3/punct", "Yes/0/root !/1/punct"),
    "forest": conllu("The/2/det dog/0/root slept/0/root ./3/punct", "Yes/0/root !/1/punct"),
}


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.chdir(tmp_path)
    for name, text in FILES.items():
        (tmp_path / f"{name}.conllu").write_text(text, encoding="utf-8")

    def invoke(*arguments: str, stdin: str | None = None) -> Result:
        return CliRunner().invoke(app, list(arguments), input=stdin)

    return invoke


def row_of(output: str, measure: str) -> list[str]:
    (line,) = [line for line in output.splitlines() if line.startswith(measure + " ")]
    return line.removeprefix(measure).split()


@pytest.mark.parametrize(
    ("protocol", "uas"),
    [("ud", ["ud", "83.33", "83.33", "83.33", "83.33"]), ("conllx", ["conllx", "100.00", "4", "4", "4"])],
)
def test_the_protocol_is_beside_the_number(run, protocol: str, uas: list[str]) -> None:
    result = run("gold.conllu", "good.conllu", "--protocol", protocol)
    assert result.exit_code == 0
    assert row_of(result.output, "UAS") == uas
    assert f"Protocol {protocol}: {PROTOCOLS[protocol].summary}" in result.output
    scores = [line for line in result.output.splitlines() if line.startswith(("UAS", "LAS", "CLAS", "Label"))]
    assert all(protocol in line.split() for line in scores)
    assert "2 sentences, 6 words" in result.output


def test_tables(run) -> None:
    result = run("gold.conllu", "bad.conllu", "--protocol", "all", "--by", "label", "--by", "length")
    assert result.exit_code == 0
    assert row_of(result.output, "nsubj") == ["all", "1", "0", "–", "100.00", "0.00", "–", "0.00", "0.00"]
    assert row_of(result.output, "1–10") == ["all", "6", "66.67", "50.00"]


def test_lines_of_a_pipe_are_not_cut(run) -> None:
    result = run("gold.conllu", "good.conllu", "--compare", "bad.conllu")
    (line,) = [line for line in result.output.splitlines() if line.startswith("Two-sided tests")]
    assert line.endswith("more words right.")
    assert "…" not in result.output


def test_compare(run) -> None:
    result = run("gold.conllu", "good.conllu", "--protocol", "all", "--compare", "bad.conllu", "--seed", "5")
    assert result.exit_code == 0
    table = result.output[result.output.index("First: good.conllu; second: bad.conllu") :]
    measure, *numbers = row_of(table, "UAS")
    assert measure == "all"
    assert numbers[:3] == ["83.33", "66.67", "+16.67"]
    assert numbers[4:] == ["1", "0", "1", "1.0000"]
    assert "10000 permutations with seed 5" in table


def test_json(run) -> None:
    arguments = ["--protocol", "conllx", "--by", "arc-length", "--compare", "bad.conllu", "--json"]
    result = run("gold.conllu", "good.conllu", *arguments)
    assert result.exit_code == 0
    document = json.loads(result.output)
    assert document["protocol"]["name"] == "conllx"
    assert (document["sentences"], document["words"]) == (2, 6)
    uas = document["scores"]["uas"]
    assert (uas["protocol"], uas["correct"], uas["gold"], uas["f1"]) == ("conllx", 4, 4, 1.0)
    assert document["scores"]["clas"]["gold"] == 3
    assert [group["group"] for group in document["tables"]["arc-length"]["groups"]] == [
        "root",
        "1",
    ]  # the rest is punctuation
    las = {row["measure"]: row for row in document["comparison"]}["LAS"]
    assert las["sign_test"] == {"p_value": 1.0, "first_better": 1, "second_better": 0, "ties": 1}
    assert las["permutation_test"]["permutations"] == 10_000
    assert las["protocol"] == "conllx"


def test_json_of_ud_has_the_official_table(run) -> None:
    document = json.loads(run("gold.conllu", "good.conllu", "--json").output)
    assert {"tokens", "words", "upos", "mlas", "blex", "las"} <= document["scores"].keys()
    assert document["scores"]["words"]["aligned_accuracy"] is None


@pytest.mark.parametrize(
    ("system", "protocol", "message"),
    [
        ("other.conllu", "all", r"gold.conllu, sentence 1 \(line 1\) has 'dog' as word 2, but other.conllu"),
        ("other.conllu", "ud", "do not have the same text"),
        ("cycle.conllu", "ud", "cycle"),
        ("forest.conllu", "ud", "--multiple-roots"),
        ("absent.conllu", "ud", "absent.conllu: cannot be read"),
    ],
)
def test_bad_input_is_an_error_that_says_where(run, system: str, protocol: str, message: str) -> None:
    result = run("gold.conllu", system, "--protocol", protocol)
    assert result.exit_code == 1
    assert isinstance(result.exception, HeadwiseError)  # headwise.cli.main prints these and exits with 1
    with pytest.raises(HeadwiseError, match=message):
        raise result.exception


def test_one_file_from_standard_input(run) -> None:
    result = run("gold.conllu", "-", "--protocol", "all", stdin=FILES["good"])
    assert result.exit_code == 0
    assert "<stdin> against gold.conllu" in result.output
    assert row_of(result.output, "UAS") == ["all", "83.33", "5", "6", "6"]


def test_multiple_roots_are_allowed_on_demand(run) -> None:
    assert run("gold.conllu", "forest.conllu", "--multiple-roots").exit_code == 0


@pytest.mark.parametrize(
    "arguments",
    [
        ["gold.conllu"],
        ["gold.conllu", "good.conllu", "--protocol", "conll"],
        ["gold.conllu", "good.conllu", "--by", "colour"],
        ["-", "-"],
        ["gold.conllu", "good.conllu", "--compare", "bad.conllu", "--permutations", "0"],
    ],
)
def test_a_wrong_call_exits_with_two(run, arguments: list[str]) -> None:
    assert run(*arguments).exit_code == 2


def test_help_teaches(run) -> None:
    help_text = run("--help").output
    for word in ("ud", "conllx", "all", "length", "label", "arc-length", "projectivity", "--json"):
        assert word in help_text


def test_the_choices_are_those_of_the_library() -> None:
    assert {choice.value for choice in Grouping} == KEYS.keys()
    assert {choice.value for choice in ProtocolChoice} == PROTOCOLS.keys()
