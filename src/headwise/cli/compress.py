"""``headwise compress``: a model in a smaller file."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Annotated

import click

from headwise.cli.command import Argument, Option

_UNITS = {"": 1, "K": 10**3, "KB": 10**3, "M": 10**6, "MB": 10**6, "KIB": 2**10, "MIB": 2**20}

WORTH_IT = 0.99
"""A file that is not smaller than this share of the other is as large."""


def compress(
    model: Annotated[str, Argument(help="A model of any kind, by file or by name (en).")],
    output: Annotated[Path, Option("--output", "-o", help="Where to write the small model.")],
    size: Annotated[
        str | None, Option(metavar="SIZE", help="Round weights as finely as this allows: 12MB, 800K.")
    ] = None,
    step: Annotated[
        float | None,
        Option(min=0.001, max=100, help="Round weights to multiples of this share of a typical one."),
    ] = None,
    exact: Annotated[bool, Option("--exact", help="Round nothing; every weight is kept.")] = False,
    network_bits: Annotated[
        int | None,
        Option(
            metavar="[8|32]",
            help="Of each weight of a network. (default: 8; with --exact, as many as it has)",
        ),
    ] = None,
) -> None:
    """Write a model in fewer bytes, by rounding its weights; it is used as any other model is.

    Examples:

      headwise compress model.hw -o small.hw                (weights to a quarter of a typical one)

      headwise compress model.hw -o small.hw --size 12MB

      headwise compress model.hw -o small.hw --exact --network-bits 8   (only a network is rounded)

    docs/models.md shows what rounding costs in accuracy: a quarter, the default, costs nothing to speak of.
    """
    from headwise.model.bundled import model_path
    from headwise.model.compression import USUAL, compress_model

    if (size is not None) + (step is not None) + exact > 1:
        raise click.UsageError("give one of --size, --step and --exact")
    share = None if exact or size is not None else USUAL if step is None else step
    if network_bits not in (None, 8, 32):
        raise click.UsageError("--network-bits is 8 or 32")
    bits = 8 if network_bits is None and not exact else network_bits
    path = model_path(model)
    done = compress_model(
        path, output, size=None if size is None else _bytes(size), coarseness=share, network_bits=bits
    )
    before = path.stat().st_size
    print(f"{before / 1e6:.1f} MB to {done.size / 1e6:.1f} MB", end="")
    if done.coarseness is not None:
        zeros = done.zeros / max(1, done.weights)
        print(
            f"; steps of {done.coarseness:.3f} of a typical weight, {zeros:.0%} of the weights are zero",
            end="",
        )
    print("; nothing is gained: the model was small already" if done.size > WORTH_IT * before else "")


def _bytes(size: str) -> int:
    match = re.fullmatch(r"(\d+(?:\.\d+)?)\s*([KM]?i?B?)", size.strip(), re.IGNORECASE)
    if match is None or match[2].upper() not in _UNITS:
        raise click.UsageError(f"--size takes a number of bytes such as 12MB, 800K or 5000000, not {size}")
    return int(float(match[1]) * _UNITS[match[2].upper()])
