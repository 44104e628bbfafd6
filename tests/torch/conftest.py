"""Tests of headwise.torch run on every device there is; the whole folder is skipped where PyTorch is not installed."""

from __future__ import annotations

import pytest

torch = pytest.importorskip("torch", reason="PyTorch is not installed: pip install headwise[torch]")


@pytest.fixture(params=["cpu", "cuda"])
def device(request: pytest.FixtureRequest) -> torch.device:
    if request.param == "cuda" and not torch.cuda.is_available():
        pytest.skip("there is no CUDA device: the kernels are tested in emulation alone (test_kernels.py)")
    return torch.device(request.param)
