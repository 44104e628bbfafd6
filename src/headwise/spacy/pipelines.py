"""A spaCy pipeline that is Headwise from text to trees."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import spacy
from spacy.language import Language

from headwise.model.bundled import names
from headwise.model.stored import Stored
from headwise.pipeline.pipeline import Pipeline
from headwise.spacy.component import HeadwiseParser
from headwise.spacy.factories import COMPONENT, TOKENIZER
from headwise.spacy.tokenizer import HeadwiseTokenizer


def load(model: str | Path | Pipeline = "en", *, lang: str | None = None, **config: Any) -> Language:
    """A spaCy pipeline of our tokenizer and component.

    Args:
        model: a bundled model, the file of a pipeline, or a pipeline.
        lang: the language that spaCy takes it for (its stop words, what looks like a number …): that of a
            bundled model, else "xx", any language.
        config: of the component (docs/spacy.md).
    """
    lang = lang or (model if isinstance(model, str) and model in names() else "xx")
    name = None if isinstance(model, Stored) else str(model)
    tokenizer_config = {"nlp": {"tokenizer": {"@tokenizers": TOKENIZER, "model": name}}}
    nlp = spacy.blank(lang, config=tokenizer_config)
    component = nlp.add_pipe(COMPONENT, config={"model": name, **config})
    assert isinstance(component, HeadwiseParser)
    assert isinstance(nlp.tokenizer, HeadwiseTokenizer)
    if name is None:
        component.model = nlp.tokenizer.model = model  # type: ignore[assignment]
    return nlp
