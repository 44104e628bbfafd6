"""Sentences as people type them: in lower case, in capitals, without a full stop.

Treebanks are of edited text for the most part. A model that has seen some of it so is less
surprised.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable, Sequence

from headwise.treebank import Sentence

Rewriting = Callable[[Sentence], Sentence]


def lower_case(sentence: Sentence) -> Sentence:
    return _rewritten(sentence, [form.lower() for form in sentence.forms])


def capitals(sentence: Sentence) -> Sentence:
    return _rewritten(sentence, [form.upper() for form in sentence.forms])


def without_stop(sentence: Sentence) -> Sentence:
    """Without the punctuation at its end, if nothing hangs from that and a word is left."""
    end = len(sentence)
    heads = set(sentence.heads.tolist())
    while end > 1 and sentence.upos[end - 1] == "PUNCT" and end not in heads and sentence.heads[end - 1] != 0:
        end -= 1
    return _rewritten(sentence, sentence.forms[:end])


REWRITINGS: dict[str, Rewriting] = {
    "lower": lower_case,
    "upper": capitals,
    "bare": without_stop,
}


def rewritten(sentences: Iterable[Sentence], share: float, seed: int) -> list[Sentence]:
    """The sentences, of which such a share, drawn at random, is rewritten in one way or another.

    They stay as many as they were: a copy beside its original would make jackknifing see what it must not.
    """
    if not 0 <= share <= 1:
        raise ValueError(f"the share to be rewritten is {share:g}, must be from 0 to 1")
    rng = random.Random(seed)
    ways = list(REWRITINGS.values())
    return [rng.choice(ways)(sentence) if rng.random() < share else sentence for sentence in sentences]


def _rewritten(sentence: Sentence, forms: Sequence[str]) -> Sentence:
    """With these forms, the first of them; without its text, which would be another."""
    end = len(forms)
    return Sentence.from_words(
        list(forms),
        lemmas=sentence.lemmas[:end],
        upos=sentence.upos[:end],
        xpos=sentence.xpos[:end],
        feats=sentence.feats[:end],
        heads=sentence.heads[:end].tolist(),
        labels=sentence.labels[:end],
        misc=sentence.misc[:end],
    )
