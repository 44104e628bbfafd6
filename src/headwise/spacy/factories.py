"""What spaCy finds by name. Annotations are not postponed here: spaCy checks configs against them."""

from collections.abc import Callable
from typing import Literal, Optional

from spacy.language import Language
from spacy.util import registry

from headwise.spacy import extensions as _extensions  # noqa: F401  (registers them)
from headwise.spacy.component import HeadwiseParser, Options
from headwise.spacy.tokenizer import HeadwiseTokenizer

COMPONENT, TOKENIZER = "headwise", "headwise.Tokenizer.v1"
"""The names of the component and of the tokenizer."""


@Language.factory(
    COMPONENT,
    assigns=[f"token.{name}" for name in ("head", "dep", "tag", "pos", "morph", "lemma", "is_sent_start")],
    default_config={"model": "en", **Options().__dict__},
    default_score_weights={"dep_uas": 0.5, "dep_las": 0.5, "tag_acc": 0.0, "pos_acc": 0.0, "sents_f": 0.0},
)
def make_parser(
    nlp: Language,
    name: str,
    model: Optional[str],  # noqa: UP045
    sentences: Literal["auto", "doc", "model"],
    tags: Literal["auto", "doc", "model"],
    confidence: bool,
    k_best: int,
    decoder: Optional[str],  # noqa: UP045
    threads: int,
    seed: int,
) -> HeadwiseParser:
    """The component ``headwise``. Its config is described in docs/spacy.md."""
    return HeadwiseParser(model, name, Options(sentences, tags, confidence, k_best, decoder, threads, seed))


@registry.tokenizers(TOKENIZER)
def make_tokenizer(model: Optional[str] = "en") -> Callable[[Language], HeadwiseTokenizer]:  # noqa: UP045
    """The tokenizer, for ``[nlp.tokenizer]`` of a config."""

    def of_language(nlp: Language) -> HeadwiseTokenizer:
        return HeadwiseTokenizer(nlp.vocab, model)

    return of_language
