"""The core tags and parses a batch without Python: a program in C++ does it (tests/native/core_test.cpp)."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

import pytest

PROJECT = Path(__file__).parents[1]
BUILD = PROJECT / os.environ.get("HEADWISE_BUILD", "build/dev")


@pytest.mark.skipif(not (BUILD / "CMakeCache.txt").exists(), reason=f"the core is not built in {BUILD}")
def test_a_program_without_python() -> None:
    cmake = shutil.which("cmake") or _cmake_of_the_build()
    if cmake is None:
        pytest.skip("there is no cmake")
    # Its objects are those of the extension module: only the program itself is compiled.
    built = subprocess.run(
        [cmake, "--build", BUILD, "--target", "core_test"], capture_output=True, text=True, check=False
    )
    assert built.returncode == 0, built.stdout + built.stderr
    done = subprocess.run([BUILD / "core_test"], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    assert done.stdout == "tagged, parsed and judged 9 words\n"


def _cmake_of_the_build() -> str | None:
    """The one that configured the build, which need not be on the path."""
    for line in (BUILD / "CMakeCache.txt").read_text("utf-8").splitlines():
        if line.startswith("CMAKE_COMMAND:"):
            path = line.partition("=")[2]
            return path if Path(path).exists() else None
    return None
