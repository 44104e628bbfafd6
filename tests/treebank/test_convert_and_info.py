"""The commands convert and info, as a user calls them."""

import json

import pytest

from command_runner import CliRunner
from headwise.base.errors import TreebankError
from headwise.cli.app import app
from headwise.treebank import is_projective, read

CYCLE = b"1\ta\t_\t_\t_\t_\t2\tx\t_\t_\n2\tb\t_\t_\t_\t_\t1\tx\t_\t_\n\n"
GOOD = b"1\tfine\t_\t_\t_\t_\t0\troot\t_\t_\n\n"
HEADLESS = GOOD.replace(b"\t0\t", b"\t_\t")


def run(*arguments, input=None):
    result = CliRunner().invoke(app, [str(argument) for argument in arguments], input=input)
    # The entry point of the package prints a HeadwiseError and exits with 1.
    if result.exception is not None and not isinstance(result.exception, SystemExit | TreebankError):
        raise result.exception
    return result


@pytest.mark.parametrize("name", ["nasty.conllu", "nasty-crlf.conllu", "mixed-endings.conllu", "old.conll"])
def test_convert_to_the_same_format_copies(fixtures, tmp_path, name):
    assert run("convert", fixtures / name, "-o", tmp_path / name).exit_code == 0
    assert (tmp_path / name).read_bytes() == (fixtures / name).read_bytes()


def test_convert_reads_standard_input_and_writes_standard_output():
    result = run("convert", input=GOOD)
    assert (result.exit_code, result.stdout_bytes, result.stderr) == (0, GOOD, "")


def test_convert_to_conllx_says_what_is_left_out(fixtures, tmp_path):
    result = run("convert", fixtures / "nasty.conllu", "--to", "conllx", "-o", tmp_path / "x.conll")
    assert result.exit_code == 0
    assert "left out" in result.stderr
    assert "2 multiword tokens, 4 empty nodes" in result.stderr
    assert {s.format for s in read(tmp_path / "x.conll")} == {"conllx"}
    assert b"#" not in (tmp_path / "x.conll").read_bytes().replace(b"\t#", b"")


def test_convert_several_files(fixtures):
    result = run("convert", fixtures / "old.conll", fixtures / "eight.conll", "--to", "conllu")
    assert len(list(read(result.stdout_bytes, format="conllu"))) == 3


def test_projectivize(fixtures):
    result = run("convert", fixtures / "old.conll", fixtures / "mixed-endings.conllu", "--projectivize")
    assert result.exit_code == 0
    assert "projectivized" not in result.stderr  # they are projective already
    words = enumerate([(3, "x"), (0, "y"), (2, "z"), (1, "w")], start=1)
    crossing = "".join(f"{m}\tw\t_\t_\t_\t_\t{h}\t{label}\t_\t_\n" for m, (h, label) in words).encode()
    result = run("convert", "--projectivize", input=crossing)
    assert "1 trees projectivized" in result.stderr
    before, after = next(read(crossing)), next(read(result.stdout_bytes))
    assert not is_projective(before.heads)
    assert is_projective(after.heads)
    assert after.labels == before.labels
    assert (after.heads == 0).sum() == 1


def test_projectivize_needs_trees():
    assert run("convert", "--projectivize", "--validate", "columns", input=GOOD).exit_code == 2
    result = run("convert", "--projectivize", input=HEADLESS)
    assert isinstance(result.exception, TreebankError)
    assert "<stdin>:1: word 1 has no head" in str(result.exception)
    result = run("convert", "--projectivize", "--on-error", "skip", input=HEADLESS + GOOD)
    assert (result.exit_code, result.stdout_bytes) == (0, GOOD)
    assert "1 broken sentence skipped" in result.stderr


def test_broken_input_stops_or_is_skipped(tmp_path):
    result = run("convert", "-o", tmp_path / "out", input=GOOD + CYCLE)
    assert isinstance(result.exception, TreebankError)
    assert str(result.exception).startswith("<stdin>:3:13: the heads go round in a cycle")
    assert list(tmp_path.iterdir()) == []
    result = run("convert", "--on-error", "skip", input=GOOD + CYCLE + GOOD)
    assert (result.exit_code, result.stdout_bytes) == (0, GOOD + GOOD)
    assert "skipped <stdin>:3:13" in result.stderr
    result = run("convert", "--validate", "columns", input=GOOD + CYCLE)
    assert (result.exit_code, result.stdout_bytes) == (0, GOOD + CYCLE)
    result = run("convert", "--on-error", "skip", input=CYCLE * 30)
    assert "and 20 more" in result.stderr


def test_wrong_calls(tmp_path):
    assert run("convert", "--to", "brackets", input=GOOD).exit_code == 2
    assert run("convert", "-o", tmp_path / "no" / "where", input=GOOD).exit_code == 2
    assert run("info", "--what").exit_code == 2


@pytest.mark.parametrize("command", ["convert", "info"])
def test_help_teaches_by_example(command):
    result = run(command, "--help")
    assert result.exit_code == 0
    assert f"headwise {command} train.conllu" in result.stdout


def test_info(fixtures):
    result = run("info", fixtures / "nasty.conllu", "--json")
    numbers = json.loads(result.stdout)
    assert (numbers["sentences"], numbers["words"], numbers["tokens"]) == (6, 23, 20)
    assert numbers["nonprojective_arcs_percent"] == 10.0
    assert numbers["multi_root_trees_percent"] == 20.0
    assert numbers["columns_filled_percent"]["heads"] == 91.3
    assert numbers["labels"]["root"] == 6
    table = run("info", fixtures / "nasty.conllu").stdout
    assert "longest sentence" in table
    assert "10.00 % of arcs" in table


def test_info_is_a_check():
    assert run("info", input=GOOD + HEADLESS).exit_code == 0
    result = run("info", input=GOOD + CYCLE)
    assert result.exit_code == 1
    assert "cycle" in result.stdout
    result = run("info", input=GOOD + b"broken\n\n")
    assert result.exit_code == 1
    assert "<stdin>:3:7: the line has 1 column" in result.stderr
    assert run("info", input=b"").exit_code == 0
