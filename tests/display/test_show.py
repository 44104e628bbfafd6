"""The command show, as a user calls it, and the methods of Parse that draw."""

from xml.etree import ElementTree

import numpy as np
import pytest
from display_examples import chinese, english, hearing, one_word

from command_runner import CliRunner
from headwise import HeadwiseError, Parse
from headwise.cli.app import app
from headwise.display import draw, to_text
from headwise.treebank import write


def run(*arguments, input=None):
    result = CliRunner().invoke(app, ["show", *map(str, arguments)], input=input)
    if result.exception is not None and not isinstance(result.exception, SystemExit | HeadwiseError):
        raise result.exception
    return result


@pytest.fixture
def gold(tmp_path):
    write([english(), chinese(), hearing()], tmp_path / "gold.conllu")
    return tmp_path / "gold.conllu"


@pytest.fixture
def system(tmp_path):
    write([english(), chinese().with_tree([2, 0, 4, 2, 2]), hearing()], tmp_path / "system.conllu")
    return tmp_path / "system.conllu"


def test_text_from_a_file_and_from_standard_input(gold):
    result = run(gold, "--sentence", "2")
    assert result.exit_code == 0
    assert result.stdout == f"# {gold}:9: 我 喜欢 研究 句法 。\n{to_text(draw(chinese()))}\n"
    assert run("-s", "2-", input=gold.read_bytes()).stdout.count("# <stdin>") == 2
    assert run(gold).stdout.count("# ") == 3
    assert run(gold, "-s", "1-2").stdout.count("# ") == 2


def test_the_name_of_the_output_says_how_to_draw(gold, tmp_path):
    assert run(gold, "-s", "1", "-o", tmp_path / "tree.svg").exit_code == 0
    assert ElementTree.parse(tmp_path / "tree.svg").getroot().tag.endswith("svg")
    assert run(gold, "-o", tmp_path / "trees.html").exit_code == 0
    assert len(list(ElementTree.parse(tmp_path / "trees.html").iter("{http://www.w3.org/2000/svg}svg"))) == 3


def test_against_gold(gold, system):
    result = run(system, "--against", gold)
    assert result.stdout.count("≠") == 2
    page = run(system, "--against", gold, "--format", "html").stdout
    assert "system.conllu against gold.conllu" in page
    assert page.count('class="arc gold"') == 2


def test_against_other_sentences(gold, tmp_path):
    write([english()], tmp_path / "short.conllu")
    assert "fewer sentences" in str(run(gold, "--against", tmp_path / "short.conllu").exception)
    assert "more sentences" in str(run(tmp_path / "short.conllu", "--against", gold).exception)
    write([chinese(), english(), hearing()], tmp_path / "other.conllu")
    assert "word 1 is 'She'" in str(run(gold, "--against", tmp_path / "other.conllu").exception)


def test_k_best_side_by_side(tmp_path):
    write([chinese(), chinese().with_tree([2, 0, 4, 2, 2]), one_word(), one_word()], tmp_path / "k.conllu")
    text = run(tmp_path / "k.conllu", "--k-best", "2").stdout
    assert text.count("# ") == 2
    assert any(line.count("喜欢") == 2 and not line.startswith("#") for line in text.splitlines())


def test_confidence_from_misc(tmp_path):
    sure = chinese().with_tree(chinese().heads, misc=[f"A=b|Confidence=0.{n}" for n in range(5, 10)])
    write([sure], tmp_path / "sure.conllu")
    assert "nsubj  50%" in run(tmp_path / "sure.conllu").stdout
    for wrong, problem in (("high", "no number"), ("7", "not between 0 and 1")):
        write([chinese().with_tree(chinese().heads, misc=[f"Confidence={wrong}"] * 5)], tmp_path / "x.conllu")
        assert problem in str(run(tmp_path / "x.conllu").exception)


@pytest.mark.parametrize("range", ["0", "x", "3-2", "-2", "1-x", ""])
def test_wrong_ranges(gold, range):
    assert run(gold, f"--sentence={range}").exit_code == 2


def test_an_svg_holds_one_tree(gold, tmp_path):
    for options in ((), ("-s", "9")):
        refused = run(gold, "--format", "svg", *options)
        assert refused.exit_code == 1
        assert refused.stdout == ""
    assert run("-", "--against", "-").exit_code == 2
    assert run(gold, "-o", tmp_path / "no" / "where.html").exit_code == 2


def test_parses_draw_themselves():
    parse = Parse(chinese(), np.array([2, 0, 2, 3, 2], np.int32), chinese().labels, 1.0)
    assert "研究: ccomp of 喜欢" in parse.to_svg()
    assert parse._repr_html_().startswith("<div")
    assert len(parse.to_displacy()["arcs"]) == 4
    assert "90%" in to_text(parse.drawing(confidence=[0.9] * 5))


def test_only_sentences_with_errors(gold, system, tmp_path):
    both = tmp_path / "both.conllu"
    both.write_bytes(gold.read_bytes() + system.read_bytes())
    right = tmp_path / "right.conllu"
    right.write_bytes(gold.read_bytes() * 2)
    every = run(both, "--against", right).stdout
    wrong = run(both, "--against", right, "--errors-only").stdout
    assert wrong
    assert len(wrong) < len(every)
    assert wrong.count("# ") == sum("≠" in block for block in every.split("\n\n")) == 1


def test_errors_need_something_to_compare_with(gold):
    assert run(gold, "--errors-only").exit_code == 2


def test_doubts_are_shown(tmp_path):
    path = tmp_path / "doubted.conllu"
    path.write_text(
        "1\ta\t_\t_\t_\t_\t0\troot\t_\tDoubt=2|ModelHead=2|ModelLabel=x\n"
        "2\tb\t_\t_\t_\t_\t1\ty\t_\tDoubt=0\n\n"
    )
    assert "14%  model: x ◂ 2" in run(path).stdout
