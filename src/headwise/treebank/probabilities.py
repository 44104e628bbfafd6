"""Probabilities in treebank files: keys of MISC and comments, written and read.

TagProb=0.9962|HeadProb=0.9871|LabelProb=0.9500|HeadEntropy=0.0810        in MISC
Doubt=4.2130|ModelHead=4|ModelLabel=obj                                   likewise, of what is annotated
# headwise_rank = 2                                                       of the k best trees
# headwise_logprob = -3.2140                                              of the tree
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from headwise.base.errors import HeadwiseError
from headwise.treebank import Sentence

if TYPE_CHECKING:
    from headwise.components.parser.parse import Parse

HEAD, LABEL, ENTROPY = "HeadProb", "LabelProb", "HeadEntropy"
TAG = "TagProb"
"""Written by a tagger, before there is a parse."""
DOUBT, MODEL_HEAD, MODEL_LABEL = "Doubt", "ModelHead", "ModelLabel"
RANK, LOG_PROB = "headwise_rank", "headwise_logprob"


class ConfidenceError(HeadwiseError):
    """Probabilities that are missing or cannot be read or written."""


def annotated_sentence(parse: Parse) -> Sentence:
    """The sentence with the parse's tree, and what is known of its probabilities in MISC and comments."""
    columns = {HEAD: parse.confidence, LABEL: parse.label_confidence, ENTROPY: parse.entropy}
    sentence = with_numbers(
        parse.to_sentence(), {key: column for key, column in columns.items() if column is not None}
    )
    comments = {RANK: parse.rank, LOG_PROB: None if parse.log_prob is None else f"{parse.log_prob:.4f}"}
    return with_values(sentence, {key: value for key, value in comments.items() if value is not None})


def with_numbers(sentence: Sentence, columns: Mapping[str, npt.NDArray[np.float64]]) -> Sentence:
    """The sentence with these numbers in MISC: in place of those under the same keys, after all others."""
    if not columns:
        return sentence
    if sentence.format != "conllu":
        raise ConfidenceError(
            f"{sentence.source}: CoNLL-X has no column for probabilities; use --to conllu or json."
        )
    keys, rows = list(columns), zip(*(column.tolist() for column in columns.values()), strict=True)
    misc = [
        with_items(field, [f"{key}={number:.4f}" for key, number in zip(keys, row, strict=True)])
        for field, row in zip(sentence.misc, rows, strict=True)
    ]
    return sentence.with_tree(sentence.heads, misc=misc)


def with_items(misc: str, items: Iterable[str]) -> str:
    """A MISC field with these items, every other byte as it was."""
    new = {_key(item): item for item in items}
    kept = [] if misc == "_" else misc.split("|")
    result = [new.pop(_key(item), item) for item in kept]
    return "|".join([*result, *new.values()])


def without_items(misc: str, keys: set[str]) -> str:
    """A MISC field without the items of these keys."""
    return "|".join(item for item in misc.split("|") if _key(item) not in keys) or "_"


def _key(item: str) -> str:
    return item.partition("=")[0]


def with_values(sentence: Sentence, values: Mapping[str, Any]) -> Sentence:
    """The sentence with the comments ``# key = value``, in place of those under the same keys."""
    if not values:
        return sentence
    kept = [line for line in sentence.comments if _comment_key(line) not in values]
    added = [f"# {key} = {value}" for key, value in values.items()]
    if len(kept) == len(sentence.comments):
        return sentence.with_added_comments(added)
    return sentence.with_comments([*kept, *added])


def _comment_key(line: str) -> str:
    return line.removeprefix("#").partition("=")[0].strip()


def read_numbers(sentence: Sentence, *keys: str) -> npt.NDArray[np.float64] | None:
    """The probabilities under the first of these MISC keys that every word has; None where none is."""
    if sentence.format != "conllu":
        return None
    fields = [dict(item.partition("=")[::2] for item in misc.split("|")) for misc in sentence.misc]
    for key in keys:
        if all(key in field for field in fields):
            return _probabilities([field[key] for field in fields], key, sentence)
    return None


def _probabilities(texts: list[str], key: str, sentence: Sentence) -> npt.NDArray[np.float64]:
    try:
        numbers = np.array([float(text) for text in texts])
    except ValueError as error:
        raise ConfidenceError(f"{sentence.source}: {key} in MISC is no number ({error})") from error
    if not ((numbers >= 0) & (numbers <= 1)).all():
        raise ConfidenceError(f"{sentence.source}: {key} in MISC is not between 0 and 1")
    return numbers
