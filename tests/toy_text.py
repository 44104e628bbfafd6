"""A toy treebank of running text with contractions, so that a tokenizer can learn it from a few sentences."""

from __future__ import annotations

import random

from headwise.treebank import Sentence, read

CONTRACTIONS = {"don't": ["do", "n't"], "can't": ["ca", "n't"], "du": ["de", "le"], "it's": ["it", "'s"]}
WORDS = ["we", "see", "old", "дом", "trees", "3.14", "U.S.", "well-known", *CONTRACTIONS]


def toy_sentence(rng: random.Random, *, new_paragraph: bool) -> Sentence:
    """Some words and a full stop or question mark without a space before it."""
    forms = [rng.choice(WORDS) for _ in range(rng.randint(2, 7))]
    forms[0] = forms[0][0].upper() + forms[0][1:]
    lines = ["# newpar"] if new_paragraph else []
    word = 1

    def line(id: str, form: str, misc: str) -> None:
        lines.append(f"{id}\t{form}\t_\t_\t_\t_\t_\t_\t_\t{misc}")

    for number, form in enumerate(forms, start=1):
        misc = "SpaceAfter=No" if number == len(forms) else "_"
        if parts := CONTRACTIONS.get(form.lower()):
            if form[0].isupper():
                parts = [parts[0][0].upper() + parts[0][1:], *parts[1:]]
            line(f"{word}-{word + len(parts) - 1}", form, misc)
            for part in parts:
                line(str(word), part, "_")
                word += 1
        else:
            line(str(word), form, misc)
            word += 1
    line(str(word), rng.choice(".?"), "_")
    return next(read(("\n".join(lines) + "\n\n").encode()))


def toy_text(count: int, seed: int) -> list[Sentence]:
    rng = random.Random(seed)
    return [toy_sentence(rng, new_paragraph=i % 4 == 0) for i in range(count)]
