"""Files are written whole or not at all, and no command writes over what it reads."""

from __future__ import annotations

import os
import signal
import stat
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from command_runner import CliRunner
from headwise.base.atomic import replaced, same_file
from headwise.base.errors import HeadwiseError
from headwise.cli.app import app
from headwise.treebank import write
from toy_language import toy_treebank


def _fail_while_writing(path: Path) -> None:
    with replaced(path) as file:
        file.write(b"new")
        raise RuntimeError


def test_a_failure_leaves_what_was_there(tmp_path: Path) -> None:
    path = tmp_path / "out"
    path.write_bytes(b"old")
    with pytest.raises(RuntimeError):
        _fail_while_writing(path)
    assert path.read_bytes() == b"old"
    assert [p.name for p in tmp_path.iterdir()] == ["out"]


def test_permissions_and_links_are_kept(tmp_path: Path) -> None:
    real, link = tmp_path / "real", tmp_path / "link"
    real.write_bytes(b"old")
    real.chmod(0o640)
    link.symlink_to("real")
    with replaced(link) as file:
        file.write(b"new")
    assert link.is_symlink()
    assert real.read_bytes() == b"new"
    assert stat.S_IMODE(real.stat().st_mode) == 0o640
    with replaced(tmp_path / "fresh") as file:
        file.write(b"x")
    mask = os.umask(0)
    os.umask(mask)
    assert stat.S_IMODE((tmp_path / "fresh").stat().st_mode) == 0o666 & ~mask


def test_a_link_in_the_way_is_not_followed(tmp_path: Path) -> None:
    """Once the unfinished file had a known name, and a link of that name was written through."""
    victim = tmp_path / "victim"
    victim.write_bytes(b"precious")
    for name in (".out.unfinished", "out.partial"):
        (tmp_path / name).symlink_to(victim)
    with replaced(tmp_path / "out") as file:
        file.write(b"new")
    assert victim.read_bytes() == b"precious"


def test_a_link_beside_an_output_is_replaced_where_nobody_named_it(tmp_path: Path) -> None:
    victim, link = tmp_path / "victim", tmp_path / "link"
    victim.write_bytes(b"precious")
    link.symlink_to(victim)
    with replaced(link, follow_links=False) as file:
        file.write(b"new")
    assert victim.read_bytes() == b"precious"
    assert not link.is_symlink()
    assert link.read_bytes() == b"new"


@pytest.fixture(params=["without a name", "with a name"])
def system(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Files without a name are there on Linux only."""
    if request.param == "with a name":
        monkeypatch.setattr("headwise.base.atomic._without_name", lambda _: None)


def _write_though_somebody_is_quicker(path: Path) -> None:
    with replaced(path, new=True) as file:
        path.write_bytes(b"quicker")
        file.write(b"new")


@pytest.mark.usefixtures("system")
def test_a_new_file_takes_nobodys_place(tmp_path: Path) -> None:
    path = tmp_path / "out"
    with pytest.raises(FileExistsError):
        _write_though_somebody_is_quicker(path)
    assert path.read_bytes() == b"quicker"
    path.unlink()
    with replaced(path, new=True) as file:
        file.write(b"new")
    assert path.read_bytes() == b"new"
    assert [p.name for p in tmp_path.iterdir()] == ["out"]


KILLED = """
import os, sys
from headwise.base import atomic

if sys.argv[2] == "with a name":
    atomic._without_name = lambda _: None
atomic.os.replace = lambda *_: os.kill(os.getpid(), 9)
with atomic.replaced(sys.argv[1]) as file:
    file.write(b"never there")
"""


@pytest.mark.parametrize("how", ["without a name", "with a name"])
def test_what_a_kill_has_left_is_removed(how: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Between the moment when a whole file gets a name and that when it gets its own."""
    if how == "with a name":
        monkeypatch.setattr("headwise.base.atomic._without_name", lambda _: None)
    path = tmp_path / ("o" * 250)
    for old in (True, False):
        path.write_bytes(b"old")
        for _ in range(2):
            subprocess.run([sys.executable, "-c", KILLED, str(path), how], check=False)
            assert path.read_bytes() == b"old"
            assert len(list(tmp_path.iterdir())) == 2  # not one more each time
        if not old:
            path.unlink()
        with replaced(path) as file:
            file.write(b"new")
        assert path.read_bytes() == b"new"
        assert [p.name for p in tmp_path.iterdir()] == [path.name]


@pytest.mark.usefixtures("system")
def test_what_is_in_the_way_of_an_unfinished_file(tmp_path: Path) -> None:
    path = tmp_path / "out"
    path.write_bytes(b"old")
    victim = tmp_path / "victim"
    victim.write_bytes(b"precious")
    from headwise.base import atomic

    (tmp_path / f"{atomic._own_name(path)}.unfinished").symlink_to(victim)
    with replaced(path) as file:
        file.write(b"new")
    assert path.read_bytes() == b"new"
    assert victim.read_bytes() == b"precious"
    assert len(list(tmp_path.iterdir())) == 3


def test_no_file_takes_the_place_of_a_device_or_a_pipe(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    (tmp_path / "link").symlink_to(pipe)
    for path in (pipe, tmp_path / "link", Path("/dev/null")):
        with pytest.raises(HeadwiseError, match="a device or a pipe"), replaced(path):
            pass
    assert stat.S_ISFIFO(pipe.stat().st_mode)


@pytest.mark.usefixtures("system")
def test_writers_at_once_leave_one_whole_file(tmp_path: Path) -> None:
    path = tmp_path / "out"
    contents = [bytes([65 + i]) * 100_000 for i in range(8)]

    def write_it(content: bytes) -> None:
        with replaced(path) as file:
            for start in range(0, len(content), 1000):
                file.write(content[start : start + 1000])

    with ThreadPoolExecutor(8) as pool:
        for _ in range(5):
            list(pool.map(write_it, contents))
            assert path.read_bytes() in contents
    assert [p.name for p in tmp_path.iterdir()] == ["out"]


def test_same_file_sees_through_links(tmp_path: Path) -> None:
    (tmp_path / "a").write_bytes(b"")
    (tmp_path / "b").symlink_to("a")
    os.link(tmp_path / "a", tmp_path / "c")
    assert same_file(tmp_path / "a", tmp_path / "b")
    assert same_file(tmp_path / "b", tmp_path / "c")
    assert not same_file(tmp_path / "a", tmp_path / "nothing")


@pytest.fixture
def treebank(tmp_path: Path) -> Path:
    path = tmp_path / "toy.conllu"
    write(toy_treebank(5, seed=1), path)
    return path


@pytest.mark.parametrize(
    "arguments",
    [
        ["train", "toy.conllu", "-o", "toy.conllu"],
        ["train", "toy.conllu", "-o", "link.conllu"],
        ["train", "other.conllu", "--dev", "toy.conllu", "-o", "toy.conllu"],
        ["parse", "toy.conllu", "-o", "toy.conllu"],
        ["parse", "other.conllu", "toy.conllu", "-o", "hard.conllu"],
        ["tag", "toy.conllu", "-o", "toy.conllu", "-m", "en"],
        ["convert", "toy.conllu", "-o", "toy.conllu"],
        ["show", "toy.conllu", "-o", "toy.conllu"],
        ["doubt", "toy.conllu", "-m", "en", "-o", "toy.conllu"],
        ["cluster", "toy.conllu", "-o", "toy.conllu"],
        ["vectors", "toy.conllu", "-o", "toy.conllu"],
        ["compress", "toy.conllu", "-o", "toy.conllu"],
        ["calibrate", "en", "toy.conllu", "-o", "toy.conllu"],
    ],
    ids=lambda arguments: " ".join(arguments),
)
def test_no_command_writes_over_what_it_reads(
    arguments: list[str], treebank: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(treebank.parent)
    Path("other.conllu").write_bytes(treebank.read_bytes())
    Path("link.conllu").symlink_to("toy.conllu")
    os.link("toy.conllu", "hard.conllu")
    before = treebank.read_bytes()
    result = CliRunner().invoke(app, arguments)
    assert result.exit_code == 2, result.output
    assert "write to another file" in " ".join(result.output.replace("│", " ").split())
    assert treebank.read_bytes() == before


@pytest.mark.skipif(sys.platform == "win32", reason="signals")
def test_termination_leaves_no_half_file(tmp_path: Path) -> None:
    script = (
        "import sys, time\nimport headwise.cli as cli\nimport headwise.cli.app as commands\n"
        "from headwise.base.atomic import replaced\n"
        "def command(*_):\n"
        f"    with replaced({str(tmp_path / 'out')!r}) as file:\n"
        "        file.write(b'half'); file.flush(); print('writing', flush=True); time.sleep(60)\n"
        "commands.run = command\ncli.main()\n"
    )
    process = subprocess.Popen([sys.executable, "-c", script], stdout=subprocess.PIPE)
    assert process.stdout is not None
    process.stdout.readline()
    assert not (tmp_path / "out").exists()
    process.send_signal(signal.SIGTERM)
    assert process.wait(timeout=30) == 128 + signal.SIGTERM
    for _ in range(50):
        if not list(tmp_path.iterdir()):
            break
        time.sleep(0.02)
    assert list(tmp_path.iterdir()) == []


def test_ctrl_c_right_behind_a_replacement_is_one(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The file is in its place then, and what was to be removed is not there: no other error takes over."""
    path, put = tmp_path / "file", os.replace
    path.write_bytes(b"before")

    def interrupted(source: str, target: str) -> None:
        put(source, target)
        raise KeyboardInterrupt

    monkeypatch.setattr(os, "replace", interrupted)
    with pytest.raises(KeyboardInterrupt), replaced(path) as file:
        file.write(b"after")
    assert path.read_bytes() == b"after"
    assert [one.name for one in tmp_path.iterdir()] == ["file"]
