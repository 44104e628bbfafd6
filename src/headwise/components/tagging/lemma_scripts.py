"""The edit script that turns a form into its lemma (``native/tagging/lemma_script.hpp`` applies it)."""

from __future__ import annotations

KEEP_FORM = "k0+/0+"
"""The script that leaves the form as it is."""


def lemma_script(form: str, lemma: str) -> str:
    """The script for a pair: keep the longest stretch that both have in common, replace what is around it.

    Case is lowered first unless that loses something: the lemma of "Cairo" is "Cairo", of "The" is "the".
    """
    lowered = _lower(form)
    lowers = form == lowered or (lemma == _lower(lemma) and lemma != form)
    start = lowered if lowers else form
    begin, lemma_begin, length = _common_stretch(start, lemma)
    prefix, suffix = lemma[:lemma_begin], lemma[lemma_begin + length :]
    if length == 0 or "/" in prefix:
        return f"={lemma}"
    cut = len(start) - begin - length
    return f"{'l' if lowers else 'k'}{begin}+{prefix}/{cut}+{suffix}"


def _lower(text: str) -> str:
    # One character for one character, as the native core does it.
    return "".join(low if len(low := character.lower()) == 1 else character for character in text)


def _common_stretch(form: str, lemma: str) -> tuple[int, int, int]:
    """The longest common substring: where it begins in both, and its length; the first of several."""
    best = (0, 0, 0)
    lengths = [0] * (len(lemma) + 1)
    for i, character in enumerate(form):
        row = [0] * (len(lemma) + 1)
        for j, other in enumerate(lemma):
            if character == other:
                row[j + 1] = lengths[j] + 1
                if row[j + 1] > best[2]:
                    best = (i + 1 - row[j + 1], j + 1 - row[j + 1], row[j + 1])
        lengths = row
    return best
