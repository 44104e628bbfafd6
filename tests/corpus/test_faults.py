"""Whatever happens on the way: nothing lost, nothing doubled, the same bytes in the end, and clear errors."""

from __future__ import annotations

import json
import os
import random
import resource
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from corpus_runs import IS_ROOT, Run, contents, sentences
from headwise.treebank import read

Corpus = Callable[..., Run]


# The command, with workers that rest after each shard: a quick machine would be done before anything happens.
SLOWLY = """
import time
from headwise.cli import main
from headwise.corpus import local

do_shard = local.do_shard

def do_shard_and_rest(*arguments):
    marker = do_shard(*arguments)
    time.sleep(0.15)
    return marker

local.do_shard = do_shard_and_rest  # workers are forks of this process
main()
"""


def start(model: Path, *arguments: object) -> subprocess.Popen[bytes]:
    """A run of twenty shards and two workers: it takes 1.5 seconds at least."""
    options = ["corpus", "-m", model, "--shard-size", "4000", "--workers", 2, *arguments]
    command = [sys.executable, "-c", SLOWLY, *options]
    return subprocess.Popen(
        list(map(str, command)), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True
    )


def children(process: int) -> list[int]:
    found = Path(f"/proc/{process}/task/{process}/children")
    try:
        return [int(child) for child in found.read_text().split()]
    except OSError:
        return []


needs_proc = pytest.mark.skipif(not Path("/proc/self/task").exists(), reason="the system has no /proc")


@pytest.fixture
def big(tmp_path: Path, text: str) -> Path:
    (tmp_path / "big.txt").write_text(text * 5, encoding="utf-8")
    return tmp_path / "big.txt"


def killed_until_done(model: Path, rng: random.Random, big: Path, out: Path, kills: int) -> int:
    """Kill the driver at random moments, then let it end; how often it was killed before it was done."""
    killed = 0
    for _ in range(kills):
        process = start(model, big, "-o", out)
        time.sleep(rng.uniform(0.2, 4))
        before = process.poll() is None
        family = children(process.pid)
        process.kill()
        process.wait()
        killed += before
        assert_gone(family)
    process = start(model, big, "-o", out)
    assert process.wait() == 0
    return killed


def assert_gone(family: list[int]) -> None:
    """Workers end with their driver; one that is in the middle of a shard notices at its end."""
    deadline = time.monotonic() + 120
    while any(Path(f"/proc/{child}").exists() for child in family):
        assert time.monotonic() < deadline, "a worker outlived its driver"
        time.sleep(0.05)


@needs_proc
def test_killed_drivers(corpus: Corpus, model: Path, big: Path, tmp_path: Path) -> None:
    assert corpus(big, "-o", tmp_path / "whole").returncode == 0
    killed_until_done(model, random.Random(1), big, tmp_path / "out", kills=2)
    assert contents(tmp_path / "out") == contents(tmp_path / "whole")


@needs_proc
@pytest.mark.slow
def test_drivers_killed_many_times(corpus: Corpus, model: Path, big: Path, tmp_path: Path) -> None:
    assert corpus(big, "-o", tmp_path / "whole").returncode == 0
    expected, killed = contents(tmp_path / "whole"), 0
    rng = random.Random(2)
    for run in range(5):
        killed += killed_until_done(model, rng, big, tmp_path / str(run), kills=8)
        assert contents(tmp_path / str(run)) == expected
    assert killed >= 10


def kill_children(process: subprocess.Popen[bytes], rng: random.Random, kills: int, pause: float) -> int:
    killed = 0
    while process.poll() is None and killed < kills:
        time.sleep(rng.uniform(0.2, 1) * pause)
        if family := children(process.pid):
            os.kill(rng.choice(family), signal.SIGKILL)  # a worker, or the reader
            killed += 1
    return killed


@needs_proc
@pytest.mark.parametrize("kills", [3, pytest.param(20, marks=pytest.mark.slow)])
def test_killed_workers(
    corpus: Corpus, model: Path, big: Path, text: str, tmp_path: Path, kills: int
) -> None:
    size = "4000"
    if kills > 3:
        big.write_text(text * 80, encoding="utf-8")
        size = "20000"
    assert corpus(big, "-o", tmp_path / "whole", "--shard-size", size).returncode == 0
    for attempt in range(10):  # on a busy machine, all may be done before anything is killed
        out = tmp_path / f"out-{attempt}"
        process = start(model, big, "-o", out, "--shard-size", size)
        while len(children(process.pid)) < 3 and process.poll() is None:
            time.sleep(0.01)
        kill_children(process, random.Random(kills), kills, 0.3)
        if process.wait():  # one shard had bad luck three times, and was left for the next run
            assert start(model, big, "-o", out, "--shard-size", size).wait() == 0
        assert contents(out) == contents(tmp_path / "whole")
        log = (out / "_headwise" / "log.jsonl").read_text()
        if "worker-died" in log:
            break
    assert "worker-died" in log


def test_a_shard_that_kills_its_workers_is_left_out(
    corpus: Corpus, big: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from headwise.corpus import local
    from headwise.corpus.shard_work import do_shard

    def deadly(shard, *arguments):  # type: ignore[no-untyped-def]
        if shard.name == "00000-00003":
            os.kill(os.getpid(), signal.SIGKILL)
        return do_shard(shard, *arguments)

    monkeypatch.setattr(local, "do_shard", deadly)  # workers are forks of this process
    result = corpus(big, "-o", tmp_path / "out", "--workers", 2)
    assert result.returncode == 1
    assert "00000-00003 (of" in result.stderr
    assert "run the same command again" in result.stderr
    monkeypatch.undo()
    assert corpus(big, "-o", tmp_path / "out").returncode == 0
    assert corpus(big, "-o", tmp_path / "whole").returncode == 0
    assert contents(tmp_path / "out") == contents(tmp_path / "whole")


def test_interrupted(model: Path, big: Path, tmp_path: Path) -> None:
    for number, code in ((signal.SIGINT, 130), (signal.SIGTERM, 143)):
        process = start(model, big, "-o", tmp_path / "out")
        while not list((tmp_path / "out").glob("*.conllu")):
            time.sleep(0.02)
            assert process.poll() is None
        process.send_signal(number)
        assert process.wait() == code
        for path in (tmp_path / "out").glob("*.conllu"):
            path.unlink()


def test_two_runs_at_once_are_kept_apart(corpus: Corpus, model: Path, big: Path, tmp_path: Path) -> None:
    process = start(model, big, "-o", tmp_path / "out")
    while not list((tmp_path / "out").glob("*.conllu")):
        time.sleep(0.02)
    process.send_signal(signal.SIGSTOP)  # it cannot be done before the other one looks
    result = corpus(big, "-o", tmp_path / "out")
    assert result.returncode == 1
    assert "another run is writing" in result.stderr
    process.kill()
    process.wait()


@pytest.mark.parametrize(
    "name",
    [
        "_headwise",
        "set-aside",
        *(f"_headwise/{name}" for name in ("unfinished", "done", "log.jsonl", "lock")),
    ],
)
def test_links_that_a_folder_brings_along_are_not_followed(
    name: str, corpus: Corpus, folder: Path, tmp_path: Path
) -> None:
    """What was behind `unfinished` was once removed, and what was behind the log was added to."""
    victims = tmp_path / "victims"
    victims.mkdir()
    (victims / "precious").write_bytes(b"precious")
    link = tmp_path / "out" / name
    link.parent.mkdir(parents=True)
    link.symlink_to(victims / "precious" if name.endswith(("log.jsonl", "lock")) else victims)
    result = corpus(folder, "-o", tmp_path / "out")
    assert result.returncode == 1
    assert "is a link" in result.stderr
    assert (victims / "precious").read_bytes() == b"precious"
    assert [path.name for path in victims.iterdir()] == ["precious"]


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    place = tmp_path / "disk"
    place.mkdir()
    mounted = subprocess.run(
        ["mount", "-t", "tmpfs", "-o", "size=150k", "tmpfs", str(place)], capture_output=True, check=False
    )
    if mounted.returncode:
        pytest.skip("a small disk cannot be mounted here")
    yield place
    subprocess.run(["umount", str(place)], check=True)


def test_a_full_disk(corpus: Corpus, big: Path, tmp_path: Path, small_disk: Path) -> None:
    out = small_disk / "out"
    result = corpus(big, "-o", out)
    assert result.returncode == 1
    assert "No space left on device" in result.stderr
    assert "run the same command again" in result.stderr
    done = len(list(out.glob("*.conllu")))
    assert done > 0
    assert not list((out / "_headwise" / "unfinished").iterdir())
    subprocess.run(["mount", "-o", "remount,size=40m", str(small_disk)], check=True)
    result = corpus(big, "-o", out)
    assert result.returncode == 0, result.stderr
    assert corpus(big, "-o", tmp_path / "whole").returncode == 0
    assert contents(out) == contents(tmp_path / "whole")


def test_a_file_that_may_not_grow(corpus: Corpus, corpus_command: Corpus, big: Path, tmp_path: Path) -> None:
    """The same where no disk can be mounted: a limit on the size of files."""

    def limit() -> None:
        resource.setrlimit(resource.RLIMIT_FSIZE, (20_000, resource.RLIM_INFINITY))

    result = corpus_command(big, "-o", tmp_path / "out", preexec_fn=limit)
    assert result.returncode == 1
    assert "File too large" in result.stderr
    assert not list((tmp_path / "out").glob("*.conllu"))
    assert corpus(big, "-o", tmp_path / "out").returncode == 0


@pytest.mark.parametrize("place", ["/proc/headwise", "/dev/null/out"])
def test_a_folder_that_cannot_be_made(corpus: Corpus, big: Path, place: str) -> None:
    if not Path(place).parent.exists():
        pytest.skip(f"the system has no {Path(place).parent}")
    result = corpus(big, "-o", place)
    assert result.returncode == 1
    assert "Name a folder that can be written to" in result.stderr


@pytest.mark.skipif(IS_ROOT, reason="root can write everywhere")
def test_a_read_only_folder(corpus: Corpus, big: Path, tmp_path: Path) -> None:
    (tmp_path / "out").mkdir(mode=0o555)
    result = corpus(big, "-o", tmp_path / "out")
    assert result.returncode == 1
    assert "Name a folder that can be written to" in result.stderr


def test_a_folder_of_something_else(corpus: Corpus, big: Path, tmp_path: Path) -> None:
    (tmp_path / "out").mkdir()
    (tmp_path / "out" / "thesis.tex").write_text("x")
    result = corpus(big, "-o", tmp_path / "out")
    assert result.returncode == 2
    assert "thesis.tex" in result.stderr


def test_an_empty_folder(corpus: Corpus, tmp_path: Path) -> None:
    (tmp_path / "in").mkdir()
    result = corpus(tmp_path / "in", "-o", tmp_path / "out")
    assert result.returncode == 1
    assert "there are no files to parse" in result.stderr
    assert not (tmp_path / "out").exists()


def test_empty_files(corpus: Corpus, tmp_path: Path) -> None:
    for name in ("a.txt", "b.jsonl", "c.conllu"):
        (tmp_path / name).write_bytes(b"")
    result = corpus(tmp_path, "-o", tmp_path / "out")
    assert result.returncode == 0
    assert "0 words" in result.stderr


@pytest.mark.parametrize(
    "megabytes", [0.2, pytest.param(1000, marks=pytest.mark.slow, id="1 GB, cut but not parsed")]
)
def test_one_endless_line(
    corpus: Corpus, tmp_path: Path, megabytes: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    line = b"We see old trees. " * 5000
    with (tmp_path / "a.txt").open("wb") as file:
        for _ in range(int(megabytes * 1e6) // len(line)):
            file.write(line)
    if megabytes > 1:  # what is parsed of it does not matter here: a shard takes no time
        from headwise.corpus.tasks import Parsing

        monkeypatch.setattr(Parsing, "results", lambda self, passages: iter(()))
    size = "30K" if megabytes < 1 else "4MB"
    before = 1024 * resource.getrusage(resource.RUSAGE_SELF).ru_maxrss  # other tests ran in this process
    result = corpus(tmp_path / "a.txt", "-o", tmp_path / "out", "--shard-size", size, "--log", "-")
    assert result.returncode == 0, result.stderr
    events = [json.loads(entry) for entry in result.stdout.splitlines()]
    memory = [event["memory"] for event in events if event.get("memory")]
    assert memory
    assert all(used < max(before, 250e6) + 150e6 for used in memory)
    assert events[-1]["bytes"] == (tmp_path / "a.txt").stat().st_size
    if megabytes < 1:
        forms = [form for sentence in read(sentences(tmp_path / "out")) for form in sentence.forms]
        assert "".join(forms) == (tmp_path / "a.txt").read_text().replace(" ", "")


def test_a_file_that_breaks_off_while_it_is_read(
    corpus: Corpus, folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A disk that fails in the middle: the rest goes on, and the next run does what is missing."""
    from headwise.corpus import spans

    read_chunks = spans.read_chunks

    def failing(file):  # type: ignore[no-untyped-def]
        for chunk in read_chunks(file):
            yield chunk
            if file.name.endswith("a.txt"):
                from headwise.base.errors import TreebankError

                raise TreebankError(
                    file.name, None, None, "cannot be read: Input/output error", ""
                ) from OSError()

    monkeypatch.setattr(spans, "read_chunks", failing)
    result = corpus(folder, "-o", tmp_path / "out")
    assert result.returncode == 1
    assert "Input/output error" in result.stderr
    assert b"more/4.txt" in sentences(tmp_path / "out")
    monkeypatch.undo()
    assert corpus(folder, "-o", tmp_path / "out").returncode == 0
    assert corpus(folder, "-o", tmp_path / "whole").returncode == 0
    assert contents(tmp_path / "out") == contents(tmp_path / "whole")
