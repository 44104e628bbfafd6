"""Damage to files: what a cut line, a bad disk, another program or an enemy would do."""

from __future__ import annotations

import copy
import json
import random
import re
from collections.abc import Callable
from typing import Any

_PIECES = [
    *(b"", b"\t", b"\n", b"\n\n", b"\r", b"\r\n", b"#", b"_", b"-", b".", b" ", b"|", b"=", b":", b"(", b")"),
    *(
        b"\0",
        b"\xff",
        b"\xc3",
        b"\xed\xa0\x80",
        b"\xef\xbb\xbf",
        b"\xe2\x80\xae",
        b"\x1b[31m",
        b"\xf4\x90\x80\x80",
    ),
    *(
        b"0",
        b"1",
        b"-1",
        b"-2",
        b"1-2",
        b"2-1",
        b"1.1",
        b"0.1",
        b"2147483648",
        b"99999999999999999999",
        b"1e9",
    ),
    *(
        b"# sent_id = x",
        b"# text = ",
        b"\t_\t_",
        b"{",
        b"}",
        b"[",
        b'"',
        b"\\u0000",
        b"\\ud800",
        b"null",
        b"NaN",
    ),
]
_LONG = 3000
_DEEP = re.compile(r'"DEEP(\d+)"')


def mutate_bytes(data: bytes, rng: random.Random) -> bytes:
    """A few changes to bytes: pieces put in, cut out, doubled, swapped, overwritten."""
    body = bytearray(data)
    for _ in range(rng.choice((1, 1, 1, 2, 3, 8))):
        rng.choice(_BYTE_CHANGES)(body, rng)
    return bytes(body)


def _put_in(body: bytearray, rng: random.Random) -> None:
    at = rng.randint(0, len(body))
    body[at:at] = rng.choice(_PIECES)


def _overwrite(body: bytearray, rng: random.Random) -> None:
    if body:
        body[rng.randrange(len(body))] = rng.randrange(256)


def _cut_out(body: bytearray, rng: random.Random) -> None:
    begin = rng.randint(0, len(body))
    del body[begin : begin + rng.choice((1, 2, 10, 100))]


def _cut_off(body: bytearray, rng: random.Random) -> None:
    del body[rng.randint(0, len(body)) :]


def _double(body: bytearray, rng: random.Random) -> None:
    begin = rng.randint(0, len(body))
    piece = body[begin : begin + rng.choice((1, 5, 50, 500))]
    body[begin:begin] = piece * rng.choice((1, 1, 2, 20))


def _lengthen(body: bytearray, rng: random.Random) -> None:
    at = rng.randint(0, len(body))
    body[at:at] = rng.choice((b"a", b"9", b"(", b"\t", b"\n", b"[")) * rng.randint(1, _LONG)


def _swap_fields(body: bytearray, rng: random.Random) -> None:
    lines = bytes(body).split(b"\n")
    line = rng.randrange(len(lines))
    fields = lines[line].split(b"\t")
    fields[rng.randrange(len(fields))] = rng.choice(_PIECES)
    rng.shuffle(fields) if rng.random() < 0.1 else None
    lines[line] = b"\t".join(fields)
    body[:] = b"\n".join(lines)


_BYTE_CHANGES: list[Callable[[bytearray, random.Random], None]] = [
    *(_put_in, _put_in, _overwrite, _cut_out, _cut_off, _double, _lengthen, _swap_fields, _swap_fields)
]

_VALUES: list[Any] = [
    *(
        None,
        True,
        False,
        0,
        1,
        -1,
        2,
        7,
        16,
        31,
        62,
        63,
        64,
        255,
        2**31 - 1,
        2**31,
        -(2**31),
        2**63 - 1,
        2**63,
    ),
    *(
        10**400,
        0.5,
        -0.5,
        1e-300,
        1e300,
        1e308,
        float("inf"),
        float("-inf"),
        float("nan"),
        "",
        "a",
        "\0",
        "\ud800",
    ),
    *(
        "x" * 5000,
        "\x1b[2J",
        "../../etc/passwd",
        [],
        [[]],
        [0],
        ["a"],
        [None],
        {},
        {"a": 1},
        "float32",
        "BF16",
    ),
]


def hostile(rng: random.Random) -> Any:
    """A value of any kind."""
    if rng.random() < 0.02:
        return f"DEEP{rng.choice((50, 500, 5000, 100000))}"
    return copy.deepcopy(rng.choice(_VALUES))


def mutate_json(value: Any, rng: random.Random) -> Any:
    """A few changes to plain data: an entry replaced, removed, added, doubled, or put in another's place."""
    root = [copy.deepcopy(value)]
    for _ in range(rng.choice((1, 1, 1, 2, 4))):
        holder, key = _place(root, rng)
        change = rng.random()
        if change < 0.6:
            holder[key] = hostile(rng)
        elif change < 0.75 and holder is not root:
            del holder[key]
        elif change < 0.85:
            other, other_key = _place(root, rng)
            holder[key] = copy.deepcopy(other[other_key])
        elif isinstance(holder[key], dict):
            holder[key][rng.choice(("a", "", "arcs", "surprise"))] = hostile(rng)
        elif isinstance(holder[key], list):
            holder[key].extend(holder[key][:20] if rng.random() < 0.5 else [hostile(rng)])
        elif isinstance(holder[key], int | float) and not isinstance(holder[key], bool):
            holder[key] = rng.choice((holder[key] + 1, holder[key] - 1, -holder[key], holder[key] * 1000))
    return root[0]


def _place(root: list[Any], rng: random.Random) -> tuple[Any, Any]:
    """Somewhere in the data: who holds a value, and under which name."""
    holder: Any = root
    key: Any = 0
    while isinstance(holder[key], dict | list) and holder[key] and (holder is root or rng.random() < 0.75):
        holder = holder[key]
        key = rng.choice(list(holder)) if isinstance(holder, dict) else rng.randrange(len(holder))
    return holder, key


def dump_json(value: Any) -> str:
    """As JSON, also of what is none (NaN, half characters), and of what nests too deeply to be made."""
    return _DEEP.sub(lambda match: "[" * int(match[1]) + "]" * int(match[1]), json.dumps(value))
