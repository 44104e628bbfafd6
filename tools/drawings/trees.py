"""Trees for the documentation, drawn by the package itself."""

from __future__ import annotations

from headwise.display import compare, draw, to_svg
from headwise.treebank import Sentence


def announcement() -> str:
    return to_svg(
        draw(
            _sentence(
                "She announced a program to promote safety in trucks and vans .",
                [2, 0, 4, 2, 6, 4, 6, 9, 6, 11, 9, 2],
                "nsubj root det obj mark acl obj case obl cc conj punct",
                "PRON VERB DET NOUN PART VERB NOUN ADP NOUN CCONJ NOUN PUNCT",
            )
        )
    )


def crossing() -> str:
    return to_svg(
        draw(
            _sentence(
                "A hearing is scheduled on the issue today .",
                [2, 4, 4, 0, 7, 7, 2, 4, 4],
                "det nsubj:pass aux:pass root case det nmod obl punct",
                "DET NOUN AUX VERB ADP DET NOUN NOUN PUNCT",
            )
        )
    )


def difference() -> str:
    words, labels = "They saw the man with a telescope .", "nsubj root det obj case det obl punct"
    gold = _sentence(words, [2, 0, 4, 2, 7, 7, 2, 2], labels)
    system = _sentence(words, [2, 0, 4, 2, 7, 7, 4, 2], labels.replace("obl", "nmod"))
    return to_svg(compare(draw(system), draw(gold)))


def doubtful() -> str:
    sentence = _sentence(
        "They saw the man with a telescope .",
        [2, 0, 4, 2, 7, 7, 2, 2],
        "nsubj root det obj case det obl punct",
    )
    return to_svg(draw(sentence, confidence=[0.99, 0.99, 0.99, 0.98, 0.97, 0.99, 0.46, 0.97]))


def _sentence(words: str, heads: list[int], labels: str, tags: str | None = None) -> Sentence:
    return Sentence.from_words(
        words.split(), upos=tags.split() if tags else None, heads=heads, labels=labels.split()
    )


DRAWINGS = {
    "announcement": announcement,
    "crossing": crossing,
    "difference": difference,
    "doubtful": doubtful,
}
