"""Tests of headwise.torch run on every device there is. Without PyTorch, test_without_torch.py alone is
left."""

from __future__ import annotations

import importlib.util

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
