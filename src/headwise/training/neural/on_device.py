"""Tensors that go to a device together."""

from __future__ import annotations

from dataclasses import dataclass, fields, replace
from typing import Any, ClassVar, Self

import torch
from torch import Tensor


@dataclass(frozen=True)
class OnDevice:
    """Every tensor of it moves, and every group of tensors in it."""

    stays: ClassVar[frozenset[str]] = frozenset()
    """Tensors that are read on the CPU."""

    def to(self, device: torch.device) -> Self:
        # Nobody waits for what is on its way to the CPU, so it may not be read there too early.
        ahead = device.type != "cpu"
        moved: dict[str, Any] = {
            f.name: value.to(device) if isinstance(value, OnDevice) else value.to(device, non_blocking=ahead)
            for f in fields(self)
            if isinstance(value := getattr(self, f.name), Tensor | OnDevice) and f.name not in self.stays
        }
        return replace(self, **moved)
