"""The fields of a JSON request, each checked: whoever sends something else is told what, and where."""

from __future__ import annotations

import json
from collections.abc import Collection
from typing import Any

from headwise.base.errors import HeadwiseError
from headwise.components.parser.constraints import Constraints


class FieldError(HeadwiseError):
    """A request that is not as the description says."""


def _refuse_constant(name: str) -> Any:
    raise ValueError(f"{name} is no JSON number")


def read_object(body: bytes) -> dict[str, Any]:
    """The JSON object of a body."""
    try:
        content = json.loads(body.decode(), parse_constant=_refuse_constant)
    except (ValueError, RecursionError) as error:
        raise FieldError(f"The request is not JSON: {error}.") from error
    if not isinstance(content, dict):
        raise FieldError('The request must be a JSON object, such as {"text": "She reads."}.')
    return content


class Fields:
    """Reads fields by name and type. Names that nobody may give are refused: they are typing errors."""

    def __init__(self, content: dict[str, Any], known: Collection[str]) -> None:
        if unknown := sorted(content.keys() - set(known)):
            raise FieldError(f"There is no field '{_short(unknown[0])}'. There are: {', '.join(known)}.")
        self._content = content

    def __contains__(self, name: str) -> bool:
        return self._content.get(name) is not None

    def text(self, name: str) -> str | None:
        value = self._content.get(name)
        if value is not None and not isinstance(value, str):
            raise FieldError(f"The field '{name}' must be a string.")
        return value

    def choice(self, name: str, choices: Collection[str], default: str) -> str:
        value = self._content.get(name, default)
        if value not in choices or not isinstance(value, str):
            raise FieldError(f"The field '{name}' must be one of: {', '.join(choices)}.")
        return value

    def flag(self, name: str) -> bool:
        value = self._content.get(name, False)
        if not isinstance(value, bool):
            raise FieldError(f"The field '{name}' must be true or false.")
        return value

    def number(self, name: str, least: int, most: int, default: int) -> int:
        value = self._content.get(name, default)
        if not _is_number(value) or not least <= value <= most:
            raise FieldError(f"The field '{name}' must be a whole number from {least} to {most}.")
        return int(value)

    def sentences(self, name: str) -> list[list[str]] | None:
        value = self._content.get(name)
        if value is None:
            return None
        if not _is_list(value, lambda words: _is_list(words, lambda word: isinstance(word, str)) and words):
            raise FieldError(f"The field '{name}' must be a list of sentences, each a list of words.")
        for words in value:
            for word in words:
                if not word or word.strip() != word or any(c in word for c in "\t\n\r\0"):
                    raise FieldError(
                        f"'{_short(word)}' is no word: words have no tabs, breaks or outer spaces."
                    )
                try:
                    word.encode()
                except UnicodeEncodeError:
                    raise FieldError("A word has half of a surrogate pair, which is no character.") from None
        return list(value)

    def constraints(self, name: str) -> list[Constraints | None] | None:
        value = self._content.get(name)
        if value is None:
            return None
        if not isinstance(value, list):
            raise FieldError(f"The field '{name}' must be a list with an entry for each sentence.")
        return [None if one is None else _constraints(one, name) for one in value]


def _constraints(content: Any, name: str) -> Constraints:
    if not isinstance(content, dict):
        raise FieldError(
            f"An entry of '{name}' must be null or an object with heads, labels, required, forbidden."
        )
    Fields(content, ("heads", "labels", "required", "forbidden"))
    heads, labels = content.get("heads"), content.get("labels")
    if heads is not None and not _is_list(heads, lambda head: head is None or _is_node(head)):
        raise FieldError("'heads' must be a list with a number for each word, or null where it is not known.")
    if labels is not None and not _is_list(labels, lambda label: label is None or _is_label(label)):
        raise FieldError("'labels' must be a list with a label for each word, or null where it is not known.")
    arcs = {}
    for kind in ("required", "forbidden"):
        arcs[kind] = content.get(kind) or []
        if not _is_list(arcs[kind], lambda arc: _is_list(arc, _is_node) and len(arc) == 2):
            raise FieldError(f"'{kind}' must be a list of arcs, each a list of head and modifier.")
    return Constraints(
        heads=None if heads is None else [-1 if head is None else head for head in heads],
        labels=labels,
        required=[(h, m) for h, m in arcs["required"]],
        forbidden=[(h, m) for h, m in arcs["forbidden"]],
    )


def _is_list(value: Any, is_entry: Any) -> bool:
    return isinstance(value, list) and all(map(is_entry, value))


def _is_number(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


def _is_node(value: Any) -> bool:
    return _is_number(value) and 0 <= value < 2**31


def _is_label(value: Any) -> bool:
    if not isinstance(value, str) or not value or any(c.isspace() or c == "\0" for c in value):
        return False
    try:
        return bool(value.encode())
    except UnicodeEncodeError:
        return False


def _short(text: str) -> str:
    return text if len(text) <= 40 else text[:39] + "…"
