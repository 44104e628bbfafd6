"""What is wanted of sentences: one object, which goes through everything that parses.

A caller says what is wanted as a `Search`, or as keywords that stand for its fields, and everywhere alike::

    nlp.pipe_sentences(sentences, decoder="climb", seed=3)
    nlp.pipe_sentences(sentences, Search(decoder="climb", seed=3))
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields, replace
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Literal, TypedDict

from headwise.base.errors import HeadwiseError, SentenceTooLongError
from headwise.base.seed import DEFAULT_SEED
from headwise.components.parser.constraints import Constraints, Given
from headwise.components.parser.decoders import Decoder
from headwise.treebank import Sentence
from headwise.treebank.streaming import BATCH_SENTENCES

if TYPE_CHECKING:
    from headwise.components.parser.config import ParserConfig
    from headwise.dual import Limits

Tags = Literal["keep", "replace", "given"]
LONGEST_JUDGED = 2000
"""Words of a sentence that may have probabilities: these are sums over all trees, in tables of n² numbers."""
RANKED_SENTENCES = 64
"""Sentences whose trees are ranked together; the score tables of all of them are in memory."""


NO_OPTIONS: Mapping[str, object] = MappingProxyType({})


class RankingOptions(TypedDict, total=False):
    """The fields of a `Search` as keywords, where the k best trees are wanted, …"""

    decoder: Decoder | str | None
    seed: int
    limits: Limits | None
    constraints: Constraints | Given | None
    confidence: bool
    certificates: bool
    tags: Tags
    too_long: Literal["parse", "stop"]
    longest: int
    on_error: Literal["stop", "skip"]
    threads: int
    batch_size: int | None


class SearchOptions(RankingOptions, total=False):
    """… and where anything may be wanted."""

    k: int | None


@dataclass(frozen=True, repr=False)
class Search:
    """What is wanted of sentences, and how it is looked for.

    Examples:
        >>> Search(decoder="climb", seed=3).decoder
        'climb'
        >>> Search.of(Search(confidence=True), {"threads": 2})
        Search(confidence=True, threads=2)
    """

    decoder: Decoder | str | None = None
    """Which tree is wanted (`headwise.components.parser.Decoder`). None takes the model's own decoder."""
    seed: int = DEFAULT_SEED
    """Where decoders begin that start from random trees. Each sentence is searched with it anew."""
    limits: Limits | None = None
    """Limits of dual decomposition, for the decoder ``dual``. `headwise.dual.KOO_2010` is the algorithm as it
    was published."""
    constraints: Constraints | Given | None = None
    """What trees must have and must not have: the constraints of every sentence, a function that gives those
    of a sentence (``Constraints.of_annotation`` keeps what is annotated), or an entry for each sentence.
    Trees are the best ones that satisfy them, and probabilities are those among such trees."""
    k: int | None = None
    """How many trees each sentence gets, the most probable first. None asks for one, by the decoder."""
    confidence: bool = False
    """Whether parses carry probabilities. The k best trees always do."""
    certificates: bool = False
    """Whether a comment says of each tree if it is proved to be the best (``headwise_exact``)."""
    tags: Tags = "keep"
    """What becomes of tags where the model has a tagger. ``keep`` leaves those of sentences whose words all
    have one, and tags the other sentences. ``replace`` tags all sentences anew. ``given`` tags none."""
    too_long: Literal["parse", "stop"] = "parse"
    """What becomes of a sentence that is too long for what is wanted. ``parse`` leaves out probabilities
    above `longest` words, and constraints above 1,000 words; `Parse.left_out` and a comment say so. ``stop``
    raises `headwise.base.errors.SentenceTooLongError`."""
    longest: int = LONGEST_JUDGED
    """The most words of a sentence that gets probabilities, or k best trees."""
    on_error: Literal["stop", "skip"] = "stop"
    """What becomes of a sentence that cannot be read or parsed. ``stop`` raises an error after the sentences
    before it came out. ``skip`` passes over it, and notes the error."""
    threads: int = 1
    """How many threads work; 0 takes every core. What is found does not depend on it."""
    batch_size: int | None = None
    """How many sentences are worked on together, which trades memory for speed and changes nothing else. None
    takes 512, or 64 where the k best trees are ranked."""

    @classmethod
    def of(
        cls, search: Search | None = None, options: Mapping[str, object] = NO_OPTIONS, **fixed: Any
    ) -> Search:
        """A search with some fields as keywords say; TypeError, with what to do, for other keywords."""
        if search is not None and not isinstance(search, Search):
            raise TypeError(
                f"a search is a headwise.Search, not {search!r:.40}. Or name fields: confidence=True"
            )
        changes: dict[str, Any] = {**options, **fixed}
        known = [field.name for field in fields(cls)]
        for name in changes:
            if name not in known:
                from difflib import get_close_matches

                near = get_close_matches(name, known, 1)
                hint = f"Did you mean {near[0]}?" if near else f"There are: {', '.join(known)}."
                raise TypeError(f"a search has no option {name!r}. {hint}")
        return replace(search or cls(), **changes) if changes else search or cls()

    def __repr__(self) -> str:
        said = (
            f"{field.name}={value!r}"
            for field in fields(self)
            if (value := getattr(self, field.name)) != field.default
        )
        return f"Search({', '.join(said)})"

    @property
    def wants_probabilities(self) -> bool:
        return self.confidence or self.k is not None

    @property
    def is_plain(self) -> bool:
        """Whether one tree is wanted, found as the model finds it by itself, and nothing beside it."""
        unlike = (self.decoder, self.limits, self.constraints, self.k)
        return not self.confidence and all(wanted is None for wanted in unlike) and self.seed == DEFAULT_SEED

    @property
    def sentences_at_once(self) -> int:
        if self.batch_size is not None:
            return self.batch_size
        return BATCH_SENTENCES if self.k is None else RANKED_SENTENCES

    def decoder_for(self, config: ParserConfig) -> Decoder:
        return Decoder(config.decoder if self.decoder is None else self.decoder)

    def why_not(self, config: ParserConfig, *, has_tagger: bool) -> str | None:
        """Why this cannot be had of a model, and what to do; None where it can.

        The one place that says so: whoever parses asks it before the first sentence is read.
        """
        if why_not := self.decoder_for(config).why_not(config):
            return why_not
        if self.limits is not None and self.decoder_for(config) is not Decoder.dual:
            return "limits (--as-published) are for the decoder 'dual'."
        if self.k is not None and self.k < 1:
            return f"k is {self.k}, must be at least 1: how many trees are wanted of each sentence."
        if self.k is not None and self.decoder is not None and Decoder(self.decoder) is not Decoder.map:
            return (
                f"the k best trees (--k-best) are the most probable ones, and {str(self.decoder)!r} "
                "looks for one tree. Leave out one of them."
            )
        if self.tags == "replace" and not has_tagger:
            return "a parser alone has no tagger, which --retag (tags='replace') needs."
        return self._wrong_value()

    def _wrong_value(self) -> str | None:
        choices = {
            "tags": ("keep", "replace", "given"),
            "too_long": ("parse", "stop"),
            "on_error": ("stop", "skip"),
        }
        for name, known in choices.items():
            if getattr(self, name) not in known:
                return f"{name} is {getattr(self, name)!r}, must be one of: {', '.join(known)}."
        if self.threads < 0:
            return f"threads is {self.threads}, must be at least 0 (every core)."
        return None

    def check(self, config: ParserConfig, *, has_tagger: bool) -> None:
        """HeadwiseError where this cannot be had of a model."""
        if why_not := self.why_not(config, has_tagger=has_tagger):
            raise HeadwiseError(why_not)


def check_lengths(batch: Sequence[Sentence], what: str = "probabilities", most: int = LONGEST_JUDGED) -> None:
    """SentenceTooLongError where a sentence is too long for what is wanted of it."""
    for sentence in batch:
        if len(sentence) > most:
            raise SentenceTooLongError(
                f"{sentence.source}: a sentence of {len(sentence)} words is too long for {what} "
                f"({most} at most). Split it, or parse without them."
            )


PLAIN = Search()
"""The best tree as the model finds it by itself, and nothing else."""
