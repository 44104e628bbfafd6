"""headwise parse as people call it: tags, numbers of sentences, places in the text, mistyped names."""

from __future__ import annotations

import os
import pty
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from command_runner import CliRunner, Result
from headwise import Parser
from headwise.cli.app import app
from headwise.treebank import Sentence, read, write
from toy_language import toy_treebank

WRONG_TAGS = Sentence.from_words(
    ["She", "reads", "."], upos=["NOUN", "NOUN", "PUNCT"], heads=[2, 0, 2], labels=["x", "root", "punct"]
)


def headwise(*arguments: object, stdin: str = "") -> Result:
    result = CliRunner().invoke(app, [str(argument) for argument in arguments], input=stdin)
    if result.exception is not None and not str(result.exception):
        raise result.exception
    return result


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "a.txt").write_text("She reads. He listens.\n")
    (tmp_path / "b.txt").write_text("It rains.\n")
    write([WRONG_TAGS], tmp_path / "tagged.conllu")
    write([Sentence.from_words(["She", "reads", "."])], tmp_path / "bare.conllu")
    return tmp_path


def test_tags_of_a_treebank_are_kept_and_that_is_said(folder: Path) -> None:
    result = headwise("parse", "tagged.conllu")
    assert [s.upos for s in read(result.stdout_bytes)] == [["NOUN", "NOUN", "PUNCT"]]
    assert "kept the tags of 1 sentence" in result.stderr
    assert "--retag" in result.stderr


def test_tags_can_be_replaced(folder: Path) -> None:
    result = headwise("parse", "tagged.conllu", "--retag")
    assert [s.upos for s in read(result.stdout_bytes)] == [["PRON", "VERB", "PUNCT"]]
    assert "tagged 1 sentence" in result.stderr


def test_sentences_without_tags_are_tagged(folder: Path) -> None:
    write([WRONG_TAGS, Sentence.from_words(["He", "listens"]), WRONG_TAGS], folder / "mixed.conllu")
    result = headwise("parse", "mixed.conllu")
    assert [s.upos[1] for s in read(result.stdout_bytes)] == ["NOUN", "VERB", "NOUN"]
    assert "kept the tags of 2 sentences, and added tags to 1 sentence without" in result.stderr
    assert "tagged 1 sentence" in headwise("parse", "bare.conllu").stderr


def test_tags_of_another_tag_set_are_warned_of(folder: Path) -> None:
    write([Sentence.from_words(["Hun", "læser"], upos=["PP", "VA"])], folder / "danish.conllu")
    assert "none that the model knows" in headwise("parse", "danish.conllu").stderr


def test_a_parser_alone_cannot_tag_again(folder: Path, parser: object) -> None:
    parser.save(folder / "p.hw")  # type: ignore[attr-defined]
    assert "a parser alone" in headwise("parse", "tagged.conllu", "-m", "p.hw", "--retag").stderr


def test_a_parser_alone_cannot_read_text(folder: Path, parser: object) -> None:
    parser.save(folder / "p.hw")  # type: ignore[attr-defined]
    for arguments in (["a.txt"], ["She reads."]):
        result = headwise("parse", *arguments, "-m", "p.hw")
        assert result.exit_code == 2
        assert "the model is a parser alone" in result.stderr


def test_sentences_are_numbered_through_and_files_are_documents(folder: Path) -> None:
    result = headwise("parse", "a.txt", "b.txt", "And a text.")
    sentences = list(read(result.stdout_bytes))
    assert [s.sent_id for s in sentences] == ["1", "2", "3", "4"]
    documents = [c for s in sentences for c in s.comments if c.startswith("# newdoc")]
    assert documents == ["# newdoc id = a.txt", "# newdoc id = b.txt", "# newdoc"]
    lines = headwise("parse", "a.txt", "b.txt", "--from", "lines")
    assert [s.sent_id for s in read(lines.stdout_bytes)] == ["1", "2"]


def test_places_in_the_text_on_request(folder: Path) -> None:
    text = (folder / "a.txt").read_text()
    result = headwise("parse", "a.txt", "--offsets")
    for sentence in read(result.stdout_bytes):
        for form, misc in zip(sentence.forms, sentence.misc, strict=True):
            begin, end = misc.partition("TokenRange=")[2].split(":")
            assert text[int(begin) : int(end)] == form
    assert "TokenRange" not in headwise("parse", "a.txt").stdout
    assert "--offsets is for text" in headwise("parse", "tagged.conllu", "--offsets").stderr


def test_fewer_trees_than_were_asked_for(folder: Path) -> None:
    result = headwise("parse", "Go.", "--k-best", "50")
    assert "1 sentence has fewer than 50 trees" in result.stderr
    assert "fewer" not in headwise("parse", "Go.", "--k-best", "1").stderr


@pytest.mark.parametrize(
    ("argument", "message"),
    [
        ("mistyped", "no file is called 'mistyped': it was parsed as text"),
        ("tagged", "(there is tagged.conllu): it was parsed as text"),
    ],
)
def test_what_may_be_a_mistyped_name_is_mentioned(folder: Path, argument: str, message: str) -> None:
    result = headwise("parse", argument)
    assert result.exit_code == 0
    assert message in result.stderr


def test_a_mistyped_name_with_an_ending_is_an_error_that_suggests(folder: Path) -> None:
    assert "Did you mean tagged.conllu?" in str(headwise("parse", "taged.conllu").exception)
    assert "no such file" in str(headwise("parse", "nothing-like-it.conllu").exception)
    assert headwise("parse", "She reads.").stderr == ""


def test_a_model_is_not_text(folder: Path, parser: object) -> None:
    parser.save(folder / "p.hw")  # type: ignore[attr-defined]
    assert "p.hw is a model, not text" in str(headwise("parse", "p.hw").exception)


def test_a_missing_folder_is_named_as_it_was_given(folder: Path) -> None:
    calls = (
        ["parse", "a.txt"],
        ["tag", "bare.conllu"],
        ["convert", "bare.conllu"],
        ["doubt", "bare.conllu", "-m", "en"],
        ["compress", "en"],
        ["train", "bare.conllu"],
        ["show", "a.txt"],
        ["calibrate", "en", "bare.conllu"],
    )
    for call in calls:
        result = headwise(*call, "-o", "nowhere/out")
        assert result.exit_code == 2, call
        assert "cannot write nowhere/out: there is no folder" in result.stderr.replace("│\n│ ", ""), call
        assert "unfinished" not in result.stderr
    assert "is a folder" in headwise("parse", "a.txt", "-o", "..").stderr


@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGHUP, signal.SIGINT])
def test_no_half_file_is_left(folder: Path, number: signal.Signals) -> None:
    if number == signal.SIGKILL and not (hasattr(os, "O_TMPFILE") and Path("/proc/self/fd").is_dir()):
        pytest.skip("files without names are a feature of Linux")
    command = [sys.executable, "-m", "headwise", "parse", "-", "--from", "text", "-o", "out.conllu"]
    process = subprocess.Popen(
        command,
        stdin=subprocess.PIPE,
        stderr=subprocess.PIPE,
        preexec_fn=lambda: signal.signal(signal.SIGHUP, signal.SIG_DFL),  # tests may run under nohup
    )
    assert process.stdin is not None
    process.stdin.write(b"She reads a book.\n\n" * 3000)
    process.stdin.flush()
    time.sleep(1.5)  # long enough to be at work; whatever it is at, nothing must be left
    process.send_signal(number)
    process.communicate(timeout=60)
    assert process.returncode != 0
    assert sorted(path.name for path in folder.iterdir()) == [
        "a.txt",
        "b.txt",
        "bare.conllu",
        "tagged.conllu",
    ]


def test_a_summary_on_a_terminal_and_silence_elsewhere(folder: Path) -> None:
    outside, inside = pty.openpty()
    command = [sys.executable, "-m", "headwise", "parse", "a.txt", "-o", "out.conllu"]
    subprocess.run(command, stderr=inside, check=True, timeout=120)
    os.close(inside)
    said = os.read(outside, 10_000).decode()
    os.close(outside)
    assert "2 sentences, 6 words in" in said
    assert "written to out.conllu" in said
    assert headwise("parse", "a.txt", "-o", "out.conllu").stderr == ""


def test_gbk_is_recognized(folder: Path) -> None:
    (folder / "gbk.txt").write_bytes("他读书。他听音乐。这是一个例子。".encode("gbk"))
    (folder / "gbk.conllu").write_bytes("1\t读书\t_\tVERB\t_\t_\t0\troot\t_\t_\n\n".encode("gbk"))
    for name in ("gbk.txt", "gbk.conllu"):
        message = str(headwise("parse", name).exception)
        assert "gb18030" in message
        assert "latin1" not in message
    (folder / "latin.txt").write_bytes("Il était une fois à l'école.".encode("latin1"))
    assert "latin1" in str(headwise("parse", "latin.txt").exception)


def test_json_comes_back(folder: Path) -> None:
    headwise("parse", "a.txt", "b.txt", "--confidence", "--to", "json", "-o", "ab.json")
    direct = headwise("parse", "a.txt", "b.txt", "--confidence")
    back = headwise("convert", "ab.json", "--to", "conllu")
    assert back.exit_code == 0
    assert back.stdout == direct.stdout
    assert headwise("convert", stdin=(folder / "ab.json").read_text()).stdout == direct.stdout
    assert (
        headwise("convert", "ab.json", "--to", "json").stdout
        == headwise("convert", "--to", "json", stdin=direct.stdout).stdout
    )
    assert "headwise convert" in str(headwise("info", "ab.json").exception)


def test_broken_json_names_its_line(folder: Path) -> None:
    (folder / "bad.json").write_text('{"version": 1, "words": 3}\n{"words"\n')
    assert "bad.json:1" in str(headwise("convert", "bad.json").exception)
    skipped = headwise("convert", "bad.json", "--on-error", "skip")
    assert (skipped.exit_code, skipped.stdout) == (0, "")
    assert "2 broken sentences skipped" in skipped.stderr


def test_text_of_a_treebank(folder: Path) -> None:
    headwise("parse", "a.txt", "b.txt", "-o", "ab.conllu")
    assert headwise("convert", "ab.conllu", "--to", "text").stdout == "She reads. He listens.\n\nIt rains.\n"
    write(toy_treebank(3, seed=1), folder / "toy.conllu")
    guessed = headwise("convert", "toy.conllu", "--to", "text")
    assert guessed.stdout.splitlines() == [
        " ".join(s.forms).replace(" .", ".") for s in toy_treebank(3, seed=1)
    ]
    assert "3 sentences do not say where spaces are" in guessed.stderr


def test_half_annotated_data_names_the_learner_that_takes_it(folder: Path) -> None:
    half = Sentence.from_words(["a", "b"], upos=["X", "Y"], heads=[2, -1], labels=["x", "_"])
    write([half], folder / "half.conllu")
    message = str(headwise("train", "half.conllu", "-o", "m.hw").exception)
    assert "--learner log-linear" in message
    message = str(headwise("train", "half.conllu", "--pipeline", "-o", "m.hw").exception)
    assert "--on-error skip" in message
    assert "--learner log-linear" in message


def test_probabilities_from_few_words_are_warned_of(folder: Path) -> None:
    write(toy_treebank(60, seed=1), folder / "toy.conllu")
    few = ["--factorization", "arc", "--arc-bits", "12", "--epochs", "1"]
    result = headwise("train", "toy.conllu", "--dev", "toy.conllu", "-o", "m.hw", *few)
    assert "words only, and may be far off" in result.stderr
    assert "words only" in headwise("calibrate", "m.hw", "toy.conllu").stderr
    assert "words only" in headwise("parse", "toy.conllu", "-m", "m.hw", "--confidence").stderr


def test_resuming_nothing_says_so(folder: Path) -> None:
    write(toy_treebank(40, seed=1), folder / "toy.conllu")
    few = ["--factorization", "arc", "--arc-bits", "12", "--epochs", "1", "--no-calibration"]
    result = headwise("train", "toy.conllu", "-o", "m.hw", "--resume", *few)
    assert "no unfinished run to resume" in result.stderr


def test_help_of_training_fits_a_screen(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    short = headwise("train", "--help").stdout
    assert len(short.splitlines()) <= 55
    assert "--dev" in short
    assert "--factorization" not in short
    assert "--factorization" in headwise("train", "--help-all").stdout


def test_doubts_about_bare_words_with_a_pipeline(folder: Path, recwarn: pytest.WarningsRecorder) -> None:
    assert headwise("doubt", "bare.conllu", "-m", "en").exit_code == 0
    assert [w for w in recwarn if "trained with tags" in str(w.message)] == []


@pytest.mark.parametrize("option", ["--confidence", "--k-best=2", "--constrained"])
def test_a_long_sentence_is_parsed_without_and_says_so(folder: Path, parser: Parser, option: str) -> None:
    parser.save(folder / "p.hw")
    short = toy_treebank(1, seed=3)[0]
    write([short, Sentence.from_words(["a"] * 2001, upos=["DET"] * 2001), short], folder / "long.conllu")
    result = headwise("parse", "long.conllu", "-m", "p.hw", option)
    assert result.exit_code == 0, result.output
    what = "constraints" if option == "--constrained" else "probabilities"
    assert f"1 sentence is too long for {what}" in result.stderr
    limits = [sentence.comment("headwise_limit") for sentence in read(result.stdout_bytes)]
    assert [limit for limit in limits if limit] == [f"long sentence: not all arcs were considered; no {what}"]
    assert len(limits) == (5 if option == "--k-best=2" else 3)


def test_a_sentence_without_a_tree_is_skipped_on_request(folder: Path, parser: Parser) -> None:
    parser.save(folder / "p.hw")
    circle = Sentence.from_words(["a", "b"], upos=["DET", "NOUN"], heads=[2, 1], labels=["x", "y"])
    write([*toy_treebank(2, seed=3), circle], folder / "circle.conllu")
    call = ("parse", "circle.conllu", "-m", "p.hw", "--constrained")
    assert "there is none in which" in str(headwise(*call).exception)
    result = headwise(*call, "--on-error", "skip")
    assert result.exit_code == 0, result.output
    assert len(list(read(result.stdout_bytes))) == 2
    assert "1 broken sentence skipped" in result.stderr
    result = headwise("parse", "circle.conllu", "--constrained", "--on-error", "skip")
    assert "kept the tags of 2 sentences (" in result.stderr, "what was tried again is not counted twice"
