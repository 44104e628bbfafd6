"""Networks trained by PyTorch. Without it, test_neural_without_torch.py alone is left."""

from __future__ import annotations

import importlib.util

if importlib.util.find_spec("torch") is None:
    collect_ignore_glob = ["test_torch_*.py"]
