"""Disks that fill up and folders that may not be written to: an error, and what was there stays there."""

from __future__ import annotations

import os
import random
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from fault_commands import COMMAND, WRITERS, finish, start
from tally import Tally

pytestmark = pytest.mark.slow


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    place = tmp_path / "disk"
    place.mkdir()
    mount = ["mount", "-t", "tmpfs", "-o", "size=64m", "tmpfs", str(place)]
    if subprocess.run(mount, capture_output=True, check=False).returncode:
        pytest.skip("a small disk cannot be mounted here")
    yield place
    subprocess.run(["umount", str(place)], check=True)


@pytest.mark.parametrize("writer", WRITERS)
def test_a_disk_that_fills_up(
    writer: str, folder: Path, tmp_path: Path, small_disk: Path, tally: Tally
) -> None:
    code, said = finish(start(folder, *WRITERS[writer], "-o", tmp_path / "whole"))
    assert code == 0, said
    size = (tmp_path / "whole").stat().st_size
    rng, out, page = random.Random(writer), small_disk / "out", os.sysconf("SC_PAGE_SIZE")
    for _ in range(8):
        out.write_bytes(b"what was there before")
        filling = small_disk / "filling"
        free = rng.randrange(max(1, (size - 1) // page)) * page  # less than the file needs
        with filling.open("wb") as file:
            file.write(bytes(shutil.disk_usage(small_disk).free - free))
        code, said = finish(start(folder, *WRITERS[writer], "-o", out))
        assert code == 1, said
        assert "No space left on device" in said
        assert "Traceback" not in said
        assert out.read_bytes() == b"what was there before"
        assert sorted(path.name for path in small_disk.iterdir()) == ["filling", "out"]
        filling.unlink()
        tally("full disks, told and nothing lost")
    code, said = finish(start(folder, *WRITERS[writer], "-o", out))
    assert code == 0, said
    assert out.read_bytes() == (tmp_path / "whole").read_bytes()


@pytest.mark.skipif(shutil.which("setpriv") is None, reason="setpriv takes root's privileges away")
@pytest.mark.parametrize("writer", WRITERS)
def test_a_folder_that_may_not_be_written_to(writer: str, folder: Path, tmp_path: Path, tally: Tally) -> None:
    place = tmp_path / "closed"
    place.mkdir()
    (place / "out").write_bytes(b"what was there before")
    place.chmod(0o555)
    powerless = ["setpriv", "--bounding-set=-dac_override,-dac_read_search"] if os.geteuid() == 0 else []
    for name in ("out", "new"):
        process = subprocess.run(
            [*powerless, *COMMAND, *WRITERS[writer], "-o", str(place / name)],
            cwd=folder,
            capture_output=True,
            text=True,
            check=False,
        )
        assert process.returncode in (1, 2), process.stderr
        assert "Permission denied" in process.stderr or "not writable" in process.stderr
        assert "Traceback" not in process.stderr
        assert sorted(path.name for path in place.iterdir()) == ["out"]
        assert (place / "out").read_bytes() == b"what was there before"
        tally("folders that may not be written to")
    place.chmod(0o755)
