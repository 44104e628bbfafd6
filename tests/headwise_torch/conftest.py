"""Tests of headwise.torch run on every device there is. Without PyTorch, test_without_torch.py alone is
left."""

from __future__ import annotations

import importlib.util
from pathlib import Path

import pytest

if importlib.util.find_spec("torch") is None:
    collect_ignore_glob = ["test_torch_*.py"]


@pytest.fixture(params=["cpu", "cuda"])
def device(request: pytest.FixtureRequest) -> object:
    import torch

    if request.param == "cuda" and not torch.cuda.is_available():
        pytest.skip(
            "there is no CUDA device: the kernels are tested in emulation alone (test_torch_kernels.py)"
        )
    return torch.device(request.param)


@pytest.fixture(scope="session")
def kernel_library(tmp_path_factory: pytest.TempPathFactory) -> Path:
    from emulation import compile_kernels

    return compile_kernels(tmp_path_factory.mktemp("kernels"))


@pytest.fixture(params=[False, True], ids=["first-ahead", "last-ahead"])
def emulation(request: pytest.FixtureRequest, kernel_library: Path) -> object:
    from emulation import Emulation

    return Emulation(kernel_library, request.param)


@pytest.fixture(params=["projective", "spanning"])
def structure(request: pytest.FixtureRequest) -> str:
    """A name of batches.STRUCTURES."""
    return str(request.param)


@pytest.fixture(params=["siblings", "grandchildren", "both", "grand-siblings"])
def parts(request: pytest.FixtureRequest) -> str:
    """A name of part_batches.PARTS."""
    return str(request.param)


@pytest.fixture(params=[True, False], ids=["one-root", "many-roots"])
def single_root(request: pytest.FixtureRequest) -> bool:
    return bool(request.param)


@pytest.fixture(params=[False, True], ids=["all-heads", "candidates"])
def pruned(request: pytest.FixtureRequest) -> bool:
    return bool(request.param)
