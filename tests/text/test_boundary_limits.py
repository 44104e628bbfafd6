"""Where no sentence ends, even for a tokenizer that has learned that each full stop ends one."""

from __future__ import annotations

import random

import pytest

from headwise.components.text import Tokenizer
from headwise.treebank import Sentence


@pytest.fixture(scope="module")
def stops_everywhere() -> Tokenizer:
    """Sentences of one to three words and a full stop, with spaces and without them."""
    rng = random.Random(1)
    sentences = []
    for _ in range(300):
        forms = [rng.choice(["We", "see", "(", ")", "THE", "trees", "."]) for _ in range(rng.randint(1, 3))]
        forms = [form for form in forms if form != "."] + ["."]
        misc = [rng.choice(["SpaceAfter=No", "_"]) for _ in forms]
        sentences.append(Sentence.from_words(forms, misc=misc))
    return Tokenizer.train(sentences, bits=14, epochs=5)


@pytest.mark.parametrize(
    "text",
    [
        *("We see.", "We see. We see", "see .We see.", "We.See"),
        *("see .I see.", "see .A tree.", "see .Ο ", "see .i see", "see .the trees", "see .it is"),
    ],
)
def test_full_stops_end_sentences(stops_everywhere: Tokenizer, text: str) -> None:
    assert len(stops_everywhere(text)) == text.strip().rstrip(".").count(".") + 1


@pytest.mark.parametrize("mark", [*").,:;!?]}", "”", "»", "…", "」", "）", "：", "；", "؟", "،", "।"])
def test_no_sentence_ends_before_a_mark_that_is_glued_to_it(stops_everywhere: Tokenizer, mark: str) -> None:
    first, *_ = stops_everywhere(f"(see.{mark} trees")
    assert first.text is not None
    assert first.text.startswith(f"(see.{mark}")
    assert len(stops_everywhere(f"see. {mark} trees")) > 1


@pytest.mark.parametrize("text", [".@Ann trees", "see .NET trees", "see .doc trees", ".doc", "a .com"])
def test_a_full_stop_that_begins_a_name_ends_no_sentence(stops_everywhere: Tokenizer, text: str) -> None:
    assert len(stops_everywhere(text)) == 1
