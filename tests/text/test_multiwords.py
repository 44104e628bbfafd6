"""Rules for multiword tokens: what was seen comes back, what is new follows its ending, case is kept."""

from __future__ import annotations

import pytest

from headwise.components.text.multiwords import MultiwordRules

RULES = MultiwordRules.learn(
    [
        ("don't", ["do", "n't"]),
        ("didn't", ["did", "n't"]),
        ("can't", ["ca", "n't"]),
        ("cannot", ["can", "not"]),
        ("du", ["de", "le"]),
        ("aux", ["à", "les"]),
        ("fazê-lo", ["fazer", "lo"]),
        ("dizê-lo", ["dizer", "lo"]),
        ("dámelo", ["dá", "me", "lo"]),
    ]
)


@pytest.mark.parametrize(
    ("form", "words"),
    [
        ("can't", ["ca", "n't"]),
        ("Don't", ["Do", "n't"]),
        ("DON'T", ["DO", "N'T"]),
        ("mustn't", ["must", "n't"]),
        ("Du", ["De", "le"]),
        ("DU", ["DE", "LE"]),
        ("aux", ["à", "les"]),
        ("lê-lo", ["ler", "lo"]),
        ("dámelo", ["dá", "me", "lo"]),
        ("tree", []),
        ("İ", []),
    ],
)
def test_words_of_a_token(form: str, words: list[str]) -> None:
    assert RULES.words(form) == words


def test_the_most_frequent_rule_wins() -> None:
    rules = MultiwordRules.learn([("des", ["de", "les"])] * 3 + [("des", ["de", "s"])])
    assert rules.words("des") == ["de", "les"]
