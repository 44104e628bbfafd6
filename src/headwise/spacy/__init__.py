"""Headwise in spaCy (extra ``spacy``): a component that parses, and a tokenizer.

    import spacy

    nlp = spacy.blank("en")
    nlp.add_pipe("headwise", config={"model": "en"})   # spaCy's tokens, our tags and trees

    import headwise.spacy

    nlp = headwise.spacy.load("en")                    # our tokens as well

spaCy finds both by their names through entry points; nothing else in Headwise imports spaCy (docs/spacy.md).
"""

try:
    import spacy as _spacy  # noqa: F401
except ImportError as error:
    raise ImportError("headwise.spacy needs spaCy: pip install headwise[spacy]") from error

from headwise.spacy.component import HeadwiseParser
from headwise.spacy.factories import COMPONENT, TOKENIZER
from headwise.spacy.pipelines import load
from headwise.spacy.tokenizer import HeadwiseTokenizer

__all__ = ["COMPONENT", "TOKENIZER", "HeadwiseParser", "HeadwiseTokenizer", "load"]
