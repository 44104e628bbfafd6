"""Closed streams, full disks, calls that ask for too much, and text that would steer a terminal."""

from __future__ import annotations

import os
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from headwise.treebank import write
from toy_language import toy_treebank

MODEL = Path(__file__).parents[1] / "fixtures" / "models" / "format-1-first.hw"


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("streams")
    write(toy_treebank(5, seed=1), folder / "toy.conllu")
    (folder / "cut.conllu").write_text("1\ta\tb\n")
    return folder


def shell(command: str, folder: Path) -> subprocess.CompletedProcess[bytes]:
    """``headwise`` in a command of the shell is this one."""
    own = f"{shlex.quote(sys.executable)} -m headwise"
    done = subprocess.run(
        ["bash", "-c", command.replace("headwise", own, 1)], capture_output=True, cwd=folder, timeout=120
    )
    assert b"Traceback" not in done.stderr, done.stderr.decode()
    return done


@pytest.mark.parametrize(
    ("command", "said"),
    [
        (f"headwise parse -m {MODEL} <&-", b"standard input is closed"),
        ("headwise convert <&-", b"standard input is closed"),
        ("headwise info <&-", b"standard input is closed"),
        ("headwise show <&-", b"standard input is closed"),
        ("headwise convert toy.conllu >&-", b"standard output is closed"),
        ("headwise show toy.conllu >&-", b"standard output is closed"),
        (f"headwise parse toy.conllu -m {MODEL} >&-", b"standard output is closed"),
        ("headwise info toy.conllu >&-", b"standard output is closed"),
        (f"headwise info {MODEL} >&-", b"standard output is closed"),
    ],
)
def test_closed_streams(command: str, said: bytes, folder: Path) -> None:
    done = shell(command, folder)
    assert done.returncode == 1
    assert said in done.stderr


def test_files_are_not_opened_in_the_place_of_closed_streams(folder: Path) -> None:
    """With standard output and error closed, the next file would get their numbers, and what they say."""
    done = shell("headwise convert toy.conllu cut.conllu --on-error skip -o new.conllu >&- 2>&-", folder)
    assert done.returncode == 0
    assert (folder / "new.conllu").read_bytes() == (folder / "toy.conllu").read_bytes()


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="there is no device that is always full")
@pytest.mark.parametrize(
    "command",
    [
        "headwise convert toy.conllu",
        "headwise show toy.conllu",
        f"headwise parse toy.conllu -m {MODEL}",
        "headwise info toy.conllu",
        f"headwise info {MODEL} --json",
        "headwise templates",
    ],
)
def test_full_disks(command: str, folder: Path) -> None:
    done = shell(f"{command} >/dev/full", folder)
    assert done.returncode == 1
    assert b"No space left on device" in done.stderr


@pytest.mark.parametrize("output", ["", "no/such/folder/x.conllu"])
def test_outputs_that_cannot_be(output: str, folder: Path) -> None:
    for command in ("convert", "show"):
        assert shell(f"headwise {command} toy.conllu -o '{output or '.'}'", folder).returncode == 2


def test_more_threads_than_there_can_be(folder: Path) -> None:
    done = shell(f"headwise parse toy.conllu -m {MODEL} --threads 99999999999", folder)
    assert done.returncode == 2


ESCAPE = "\x1b]0;owned\x07\x9b31m"


@pytest.mark.parametrize(
    "command",
    [
        f"headwise parse '{ESCAPE}.conllu' -m {MODEL}",
        f"headwise parse toy.conllu -m '{ESCAPE}.hw'",
        f"headwise convert '{ESCAPE}.conllu'",
        f"headwise convert toy.conllu -o 'no/{ESCAPE}'",
        f"headwise show toy.conllu --sentence '{ESCAPE}'",
        f"headwise '{ESCAPE}'",
        f"headwise info '--{ESCAPE}'",
        "headwise convert escape.conllu",
        "headwise convert escape.conllu --on-error skip",
    ],
)
def test_what_would_steer_a_terminal_is_shown(command: str, folder: Path) -> None:
    (folder / "escape.conllu").write_text(f"1{ESCAPE}\ta\t_\t_\t_\t_\t0\troot\t_\t_\n\n")
    done = shell(command, folder)
    assert done.stderr
    assert not set("\x1b\x07\x9b") & set(done.stderr.decode())


@pytest.mark.parametrize(
    "command",
    [
        "headwise info escape.conllu",
        "headwise info $'red\\e[31m.conllu'",
        "headwise evaluate escape.conllu escape.conllu --by label --confusion --worst 2",
        "headwise evaluate escape.conllu other.conllu --by label --confusion --compare $'red\\e[31m.conllu'",
        "headwise phrases info escape.mrg",
        "headwise phrases evaluate $'red\\e[31m.mrg' escape.mrg",
        "headwise info escape.clusters --near word",
        "headwise info escape.clusters",
    ],
)
def test_reports_do_not_steer_a_terminal(command: str, folder: Path) -> None:
    line = f"1\ta{ESCAPE}\t_\tX{ESCAPE}\t_\t_\t0\troot{ESCAPE}\t_\t_\n\n"
    for name in ("escape.conllu", "red\x1b[31m.conllu"):
        (folder / name).write_text(f"# sent_id = 1{ESCAPE}\n{line}")
    (folder / "other.conllu").write_text(line.replace("root", "other"))
    for name in ("escape.mrg", "red\x1b[31m.mrg"):
        (folder / name).write_text(f"(ROOT (S{ESCAPE} (NN{ESCAPE} dog{ESCAPE})))\n")
    (folder / "escape.clusters").write_text(f"0\tword{ESCAPE}\t5\n0\tword\t3\n1\tb{ESCAPE}\t3\n")
    done = shell(command, folder)
    assert done.stdout
    assert not set("\x1b\x07\x9b") & set(done.stdout.decode() + done.stderr.decode())


@pytest.mark.parametrize(
    "command",
    [
        "headwise train toy.conllu --factorization arc --epochs 1 -o pipe",
        f"headwise compress {MODEL} -o pipe",
        f"headwise calibrate {MODEL} toy.conllu -o /dev/null",
        "headwise rerank toy.conllu --factorization arc --epochs 1 --folds 2 -k 2 --save pipe",
    ],
)
def test_models_do_not_take_the_place_of_devices(command: str, folder: Path) -> None:
    (folder / "pipe").unlink(missing_ok=True)
    os.mkfifo(folder / "pipe")
    done = shell(command, folder)
    assert done.returncode == 1, done.stderr
    assert b"a device or a pipe" in done.stderr
    assert (folder / "pipe").is_fifo()
    assert not Path("/dev/null").is_file()
