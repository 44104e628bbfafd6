"""The core refuses what lies beyond its limits, by itself and with a message that names the field."""

from __future__ import annotations

import numpy as np
import pytest

from headwise._native import base, scoring

NETWORK = {"vectors": 8, "lstm": 16, "layers": 1, "arcs": 8, "labels": 8, "label_count": 0}
TENSOR = {"templates": ["w.form"], "vocabulary": np.arange(3, dtype=np.int32), "rank": 4, "weight": 0.5}


@pytest.mark.parametrize("field", ["vectors", "lstm", "layers", "arcs", "labels", "given", "pieces", "tags"])
@pytest.mark.parametrize("beyond", [-1, 1])
def test_networks(field: str, beyond: int) -> None:
    least, most = base.limits[f"network.{field}"]
    value = least - 1 if beyond < 0 else most + 1
    with pytest.raises(ValueError, match=f"network.{field} is {value}, must be from {least} to {most}"):
        scoring.NetworkShape(np.arange(3), **{**NETWORK, field: value})


@pytest.mark.parametrize("field", ["rank", "weight", "vectors", "labels"])
@pytest.mark.parametrize("beyond", [-1, 1])
def test_tensors(field: str, beyond: int) -> None:
    least, most = base.limits[f"tensor.{field}"]
    value = least - 1 if beyond < 0 else most + 1
    with pytest.raises(ValueError, match=f"tensor.{field} is {value}, must be from {least} to {most}"):
        scoring.TensorShape(**{**TENSOR, field: value})


@pytest.mark.parametrize("value", [float("nan"), float("inf")])
def test_what_is_no_number_lies_within_no_limit(value: float) -> None:
    with pytest.raises(ValueError, match=r"tensor\.weight"):
        scoring.TensorShape(**{**TENSOR, "weight": value})
