"""Arguments, checked: every message names the argument and says what it should be.

What is checked is what can be seen without waiting for a GPU: shapes, dtypes and devices, and values of
tensors on a CPU.
"""

from __future__ import annotations

import torch
from torch import Tensor

_HALF = (torch.float16, torch.bfloat16)
_LARGEST_TABLE = 2**31 - 1
_INTEGERS = (torch.int8, torch.int16, torch.int32, torch.int64, torch.uint8)


def arc_scores(arcs: Tensor) -> Tensor:
    """(B, n+1, n+1) or (B, n+1, n+1, L), in float32 or float64. Half precision becomes float32."""
    if not isinstance(arcs, Tensor):
        raise TypeError(
            f"arcs must be a tensor, not {type(arcs).__name__}; headwise.trees takes NumPy arrays"
        )
    if arcs.ndim not in (3, 4) or arcs.shape[1] != arcs.shape[2] or 0 in arcs.shape[1:]:
        raise ValueError(f"arcs must have shape (B, n+1, n+1) or (B, n+1, n+1, L), not {tuple(arcs.shape)}")
    if arcs.device.type not in ("cpu", "cuda"):
        raise ValueError(f"arcs must be on a CPU or a CUDA device, not on {arcs.device}")
    if arcs.dtype in _HALF:
        return arcs.float()
    if arcs.dtype not in (torch.float32, torch.float64):
        raise ValueError(f"arcs must be floating-point numbers, not {arcs.dtype}")
    return arcs


def part_scores(name: str, table: Tensor, arcs: Tensor, shapes: list[tuple[int, ...]]) -> Tensor:
    """A table of one of the shapes, of the dtype that arcs have. Half precision becomes float32."""
    if not isinstance(table, Tensor):
        raise TypeError(f"{name} must be a tensor, not {type(table).__name__}")
    if tuple(table.shape) not in shapes:
        allowed = " or ".join(str(shape) for shape in dict.fromkeys(shapes))
        raise ValueError(f"{name} must have shape {allowed}, not {tuple(table.shape)}")
    if table.numel() > table.shape[0] * _LARGEST_TABLE:
        raise ValueError(f"{name} must not have more than {_LARGEST_TABLE} scores a sentence: use candidates")
    on_device(name, table, arcs.device)
    given = table.float() if table.dtype in _HALF else table
    if given.dtype != arcs.dtype:
        raise ValueError(f"{name} must be of the dtype of arcs, {arcs.dtype}, not {table.dtype}")
    return given


def sentence_lengths(lengths: Tensor | None, arcs: Tensor) -> Tensor:
    """(B,) in int64. All sentences are whole where lengths are not given."""
    batch, words = arcs.shape[0], arcs.shape[1] - 1
    if lengths is None:
        return torch.full((batch,), words, dtype=torch.int64, device=arcs.device)
    integers("lengths", lengths, (batch,), arcs.device)
    within("lengths", lengths, 0, words)
    return (
        lengths if lengths.dtype == torch.int64 and lengths.is_contiguous() else lengths.long().contiguous()
    )


def integers(name: str, values: Tensor, shape: tuple[int, ...], device: torch.device) -> None:
    if not isinstance(values, Tensor):
        raise TypeError(f"{name} must be a tensor, not {type(values).__name__}")
    if values.dtype not in _INTEGERS:
        raise ValueError(f"{name} must be integers, not {values.dtype}")
    of_shape(name, values, shape)
    on_device(name, values, device)


def of_shape(name: str, values: Tensor, shape: tuple[int, ...]) -> None:
    if values.shape != shape:
        raise ValueError(f"{name} must have shape {shape}, not {tuple(values.shape)}")


def on_device(name: str, values: Tensor, device: torch.device) -> None:
    if values.device != device:
        raise ValueError(f"{name} must be on {device}, as arcs are, not on {values.device}")


def within(name: str, values: Tensor, low: int, high: int) -> None:
    """On a CPU; a GPU answers with NaN instead."""
    if values.device.type != "cpu" or values.numel() == 0 or torch.compiler.is_compiling():
        return
    least, greatest = int(values.min()), int(values.max())
    if least < low or greatest > high:
        raise ValueError(f"{name} must lie between {low} and {high}, not {least} to {greatest}")


def positive(name: str, value: int) -> int:
    if not isinstance(value, int) or isinstance(value, bool) or value < 1:
        raise ValueError(f"{name} must be a positive integer, not {value!r}")
    return value


def seed_of(seed: int) -> int:
    if not isinstance(seed, int) or isinstance(seed, bool) or seed < 0:
        raise ValueError(f"seed must be a non-negative integer, not {seed!r}")
    return seed
