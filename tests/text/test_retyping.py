"""Paragraphs in lower case and in capitals, for tokenizers to learn from."""

from __future__ import annotations

import random
from collections.abc import Callable

import pytest

from headwise.components.text import Tokenizer, TokenizerSettings
from headwise.components.text.accuracy import split_scores
from headwise.components.text.raw_text import Paragraph
from headwise.components.text.retyping import retyped
from headwise.treebank import Sentence


def paragraphs(text: str, count: int) -> list[Paragraph]:
    return [Paragraph(text, [k % 5 for k in range(len(text))])] * count


def test_the_share_that_is_retyped() -> None:
    given = paragraphs("We see Émile.", 1000)
    assert list(retyped(given, 0, 1)) == given
    new = list(retyped(given, 0.3, 1))
    assert new == list(retyped(given, 0.3, 1))
    assert {p.text for p in new} == {"We see Émile.", "we see émile.", "WE SEE ÉMILE."}
    assert 240 < sum(p.text != given[0].text for p in new) < 360
    assert all(p.boundaries == given[0].boundaries for p in new)


def test_a_character_stays_one() -> None:
    texts = {p.text for p in retyped(paragraphs("Straße, İzmir. ΝΟΜΟΣ", 100), 1, 1)}
    assert texts == {"straße, İzmir. νομοσ", "STRAßE, İZMIR. ΝΟΜΟΣ"}
    assert {p.text for p in retyped(paragraphs("ΝΟΜΟΣ.", 100), 1, 1)} == {"νομος.", "ΝΟΜΟΣ."}


def abbreviated(seed: int, retype: Callable[[str], str]) -> list[Sentence]:
    """Sentences of unknown words and abbreviations: a capital tells that the full stop before it ends one."""
    rng = random.Random(seed)

    def sentence(comments: list[str]) -> Sentence:
        first, *others = (
            "".join(rng.choice(letters) for letters in ("bcdfg", "aeiou") * 2)
            for _ in range(rng.randint(3, 6))
        )
        others.insert(rng.randrange(len(others)), rng.choice("bcdfg") + rng.choice("bcdfg") + ".")
        forms = [retype(form) for form in (first.title(), *others)] + ["."]
        return Sentence.from_words(
            forms, misc=[*["_"] * (len(forms) - 2), "SpaceAfter=No", "_"], comments=comments
        )

    return [sentence(["# newpar"] if number % 4 == 0 else []) for number in range(240)]


@pytest.mark.parametrize("retype", [str, str.lower, str.upper])
def test_sentences_end_also_as_people_type(retype: Callable[[str], str]) -> None:
    tokenizer = Tokenizer.train(abbreviated(1, str), bits=16, epochs=8, rewrite=0.15)
    assert split_scores(abbreviated(2, retype), tokenizer).sentences > 0.99


def test_only_what_was_shown_so_is_known_so() -> None:
    tokenizer = Tokenizer.train(abbreviated(1, str), bits=16, epochs=8)
    assert split_scores(abbreviated(2, str.lower), tokenizer).sentences < 0.5


def test_a_share_is_a_share() -> None:
    with pytest.raises(ValueError, match=r"rewrite is 1\.5, must be from 0 to 1"):
        TokenizerSettings(rewrite=1.5)
