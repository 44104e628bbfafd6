"""What comments say of a parse: what its sentence was too long for, and whether its tree is proved."""

from __future__ import annotations

import math
from dataclasses import replace

from headwise.components.parser.parse import Parse
from headwise.treebank import convert
from headwise.treebank.probabilities import with_values

LIMIT, EXACT = "headwise_limit", "headwise_exact"
"""The keys of the comments."""


def noted(parse: Parse, *, certificate: bool) -> Parse:
    """The parse with its comments. CoNLL-X has none; for a certificate, a sentence becomes CoNLL-U."""
    sentence = parse.sentence
    if certificate and sentence.format != "conllu":
        sentence = convert(sentence, "conllu")
    if sentence.format != "conllu":
        return parse
    values = {EXACT: _proof(parse)} if certificate else {}
    if parse.limited or parse.left_out:
        values[LIMIT] = _limits(parse)
    return replace(parse, sentence=with_values(sentence, values))


def _limits(parse: Parse) -> str:
    notes = ["not all arcs were considered"] if parse.limited else []
    return "long sentence: " + "; ".join([*notes, *(f"no {what}" for what in parse.left_out)])


def _proof(parse: Parse) -> str:
    if parse.exact:
        return "yes"
    if math.isfinite(parse.gap):
        return f"no, another tree may score {parse.gap:.4g} higher"
    return "no, and nothing is known of better trees"
