"""Train a tokenizer: from a treebank to boundary weights and the rules of multiword tokens."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import asdict
from itertools import pairwise
from pathlib import Path

from headwise._native import text as native
from headwise.base.errors import HeadwiseError
from headwise.components.text.multiwords import MultiwordRules
from headwise.components.text.raw_text import SurfaceToken, paragraphs, surface_tokens, writes_spaces
from headwise.components.text.retyping import retyped
from headwise.components.text.settings import TokenizerSettings
from headwise.components.text.tokenizer import Context, Tokenizer, TokenizerConfig
from headwise.learning.loop import Listener, run_epochs
from headwise.treebank import Sentence, read

SPACED_TOKENS = 10
"""Spaces inside tokens are learned when the treebank has at least so many tokens with one."""
_HANDLE = re.compile(r"[@#]\w*[^\W\d]\w*")


def train_tokenizer(
    train: str | Path | Iterable[Sentence],
    settings: TokenizerSettings | None = None,
    *,
    listener: Listener | None = None,
) -> Tokenizer:
    """Train a tokenizer (see `headwise.components.text.Tokenizer.train`)."""
    settings, listener = settings or TokenizerSettings(), listener or Listener()
    sentences = list(read(train, validate="columns") if isinstance(train, str | Path) else train)
    if not sentences:
        raise HeadwiseError("There are no sentences to train a tokenizer on.")
    tokens = [token for sentence in sentences for token in surface_tokens(sentence)]
    spaced = sum(any(c.isspace() for c in token.form) for token in tokens) >= SPACED_TOKENS
    rules = MultiwordRules.learn((token.form, token.words) for token in tokens if token.words)
    context: Context = "words" if writes_spaces(sentences) else "characters"
    trainer = native.BoundaryTrainer(settings.bits, spaced, context, settings.aggressiveness)
    count = 0
    as_written = paragraphs(sentences, spaces_in_tokens=spaced)
    for paragraph in retyped(as_written, settings.rewrite, settings.seed):
        trainer.add(paragraph.text, paragraph.array())
        count += 1
    listener.message(f"learning from {count:,} paragraphs with {len(tokens):,} tokens")
    outcome = run_epochs(
        trainer,
        count,
        epochs=settings.epochs,
        seed=settings.seed,
        threads=1,
        evaluate=None,
        listener=listener,
    )
    config = TokenizerConfig(
        bits=settings.bits,
        spaces_in_tokens=spaced,
        multiwords=rules.rules,
        addresses=keeps_addresses(token.form for token in tokens),
        handles=keeps_handles(tokens),
        context=context,
        training={
            "settings": asdict(settings),
            "sentences": len(sentences),
            "history": outcome.history,
            **({"interrupted": True} if outcome.interrupted else {}),
        },
    )
    return Tokenizer(config, {"weights": outcome.weights[0]})


def keeps_handles(tokens: Sequence[SurfaceToken]) -> bool:
    """Whether @names and #tags are tokens; a split one is a mark to which a word is glued."""
    whole = sum(_HANDLE.fullmatch(token.form) is not None for token in tokens)
    split = sum(
        token.form in ("@", "#") and not token.space_after and following.form[:1].isalpha()
        for token, following in pairwise(tokens)
    )
    return split <= whole


def keeps_addresses(tokens: Iterable[str]) -> bool:
    """Whether addresses of the web are tokens, as nearly everywhere; a split one begins with its scheme."""
    whole = split = 0
    for token in tokens:
        whole += token.startswith(("http://", "https://", "www."))
        split += token in ("http", "https", "www")
    return split <= whole
