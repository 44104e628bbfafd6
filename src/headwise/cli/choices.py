"""Choices that several commands offer."""

from __future__ import annotations

from enum import StrEnum


class InputFormat(StrEnum):
    auto = "auto"
    conllu = "conllu"
    conllx = "conllx"


class OutputFormat(StrEnum):
    same = "same"
    conllu = "conllu"
    conllx = "conllx"


class OnError(StrEnum):
    stop = "stop"
    skip = "skip"
