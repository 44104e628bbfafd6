"""The tokenizer of a model, for those who want the words of text and nothing else."""

from __future__ import annotations

from headwise.base.errors import HeadwiseError
from headwise.components.text import Tokenizer
from headwise.model import model_kind
from headwise.model.bundled import model_path
from headwise.pipeline.pipeline import Pipeline


def word_tokenizer(model: str | None) -> Tokenizer | None:
    """That of a pipeline or tokenizer, by file or name; None for none: words are found by a plain rule."""
    if model is None:
        return None
    path = model_path(model)
    kind = model_kind(path)
    if kind == Pipeline.KIND:
        return Pipeline.load(path).tokenizer
    if kind == Tokenizer.KIND:
        return Tokenizer.load(path)
    raise HeadwiseError(f"{model} holds a {kind}; finding words takes a pipeline or a tokenizer.")
