"""The kernels of headwise.torch compiled for the processor, and the tasks that are given to them."""

from __future__ import annotations

import ctypes
import os
import shutil
import subprocess
from pathlib import Path

import numpy as np
import pytest

from headwise.torch import nvrtc

COMPILER = shutil.which(os.environ.get("CXX", "c++"))
WARP = 4  # emulated_lanes.hpp


class Task(ctypes.Structure):
    """As in kernels_in_emulation.cpp."""

    _fields_ = (
        ("scores", ctypes.c_void_p),
        ("direction", ctypes.c_void_p),
        ("second_direction", ctypes.c_void_p),
        ("lengths", ctypes.c_void_p),
        ("sentences", ctypes.c_int),
        ("width", ctypes.c_int),
        ("single_root", ctypes.c_int),
        ("lanes", ctypes.c_int),
        ("backwards", ctypes.c_int),
        ("memory_size", ctypes.c_longlong),
        ("totals", ctypes.c_void_p),
        ("marginals", ctypes.c_void_p),
        ("heads", ctypes.c_void_p),
        ("samples", ctypes.c_int),
        ("best", ctypes.c_int),
        ("seed", ctypes.c_ulonglong),
        ("parts", ctypes.c_void_p),
    )


class Emulation:
    """A library of kernels. With `backwards`, the last lane is the one ahead of the others."""

    def __init__(self, library: Path, backwards: bool) -> None:
        self._library = ctypes.CDLL(str(library))
        self._backwards = backwards

    @staticmethod
    def task(scores: np.ndarray, lengths: np.ndarray, single_root: bool, lanes: int) -> Task:
        task = Task(scores=scores.ctypes.data, lengths=lengths.ctypes.data)
        task.sentences, task.width, task.single_root, task.lanes = *scores.shape[:2], single_root, lanes
        return task

    def run(self, task: Task, itemsize: int, components: int, projective: bool) -> None:
        """`components` is 0 for searches and samples, of one tree or several."""
        task.backwards = self._backwards
        self._check(self._library.run(ctypes.byref(task), itemsize, components, int(projective)))

    def run_parts(self, task: Task, itemsize: int, components: int, grandparents: bool) -> None:
        task.backwards = self._backwards
        self._check(self._library.run_parts(ctypes.byref(task), itemsize, components, int(grandparents)))

    def run_labels(self, task: Task, itemsize: int, labels: int, chosen: np.ndarray) -> None:
        task.backwards = self._backwards
        self._check(
            self._library.run_labels(
                ctypes.byref(task), itemsize, labels, ctypes.c_void_p(chosen.ctypes.data)
            )
        )

    @staticmethod
    def _check(wrong: int) -> None:
        assert not wrong, "a kernel wrote behind the memory that chart_memory.py gives it"


def compile_kernels(folder: Path) -> Path:
    if COMPILER is None:
        pytest.skip("there is no C++ compiler")
    library = folder / "kernels.so"
    here = Path(__file__).parent
    command = [COMPILER, "-std=c++20", "-O1", "-shared", "-fPIC", "-pthread"]
    command += ['-DHEADWISE_LANES="emulated_lanes.hpp"', f"-I{here}", f"-I{nvrtc.SOURCES.parent}"]
    subprocess.run([*command, str(here / "kernels_in_emulation.cpp"), "-o", str(library)], check=True)
    return library
