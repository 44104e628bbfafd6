"""Which words a multiword token stands for: "don't" is "do" and "n't", French "du" is "de" and "le".

A rule says what becomes of a token with a certain ending: how many characters are cut from its end, what is
put in their place to make the first word, and which words follow. Whole forms have rules of their own; a
token that was never seen takes that of its longest known ending ("mustn't" that of "n't").
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

LONGEST_ENDING = 8
ENDING_FORMS = 2
"""An ending is trusted when so many different forms have it."""
WHOLE = "^"
"""Before an ending that is a whole form."""

Rule = tuple[int, str, tuple[str, ...]]
"""Characters cut from the end, what is added to the first word, the words that follow."""


@dataclass(frozen=True)
class MultiwordRules:
    """Rules by ending, all in lower case."""

    rules: dict[str, Rule]

    @classmethod
    def learn(cls, tokens: Iterable[tuple[str, Sequence[str]]]) -> MultiwordRules:
        """From pairs of (form, its words); the most frequent rule of an ending wins."""
        counts = Counter((form.lower(), tuple(w.lower() for w in words)) for form, words in tokens)
        votes: dict[str, Counter[Rule]] = defaultdict(Counter)
        supporters: dict[tuple[str, Rule], int] = Counter()
        for (form, words), count in counts.items():
            rule = _rule(form, words)
            votes[WHOLE + form][rule] += count
            for length in range(max(1, rule[0]), min(LONGEST_ENDING, len(form)) + 1):
                votes[form[-length:]][rule] += count
                supporters[form[-length:], rule] += 1
        rules = {}
        for ending, counted in votes.items():
            best = min(counted, key=lambda rule: (-counted[rule], rule))
            if ending.startswith(WHOLE) or supporters[ending, best] >= ENDING_FORMS:
                rules[ending] = best
        return cls(dict(sorted(rules.items())))

    def words(self, form: str) -> list[str]:
        """The words of a token; none where no rule fits."""
        lower = form.lower()
        if len(lower) != len(form):  # a character whose lower case is two: no rule speaks of such forms
            return []
        endings = (lower[-length:] for length in range(min(LONGEST_ENDING, len(form)), 0, -1))
        for ending in (WHOLE + lower, *endings):
            if rule := self.rules.get(ending):
                return _apply(rule, form)
        return []


def _rule(form: str, words: Sequence[str]) -> Rule:
    pairs = enumerate(zip(form, words[0], strict=False))
    kept = next((i for i, (a, b) in pairs if a != b), min(len(form), len(words[0])))
    return len(form) - kept, words[0][kept:], tuple(words[1:])


def _apply(rule: Rule, form: str) -> list[str]:
    cut, added, following = rule
    stem, tail = form[: len(form) - cut], form[len(form) - cut :]
    if not stem + added:
        return []
    if tail.lower() == added + "".join(following):  # the words are pieces of the form: keep its case
        ends = [len(stem) + len(added)]
        for word in following:
            ends.append(ends[-1] + len(word))
        return [form[a:b] for a, b in zip([0, *ends], ends, strict=False)]
    words = [stem + added, *following]
    if len(form) > 1 and form.isupper():
        return [word.upper() for word in words]
    return [words[0][:1].upper() + words[0][1:], *words[1:]] if form[:1].isupper() else words
