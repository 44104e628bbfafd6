"""A lexicon as word clusters: what a table of lemmas says about words that the treebank never shows.

Words that inflect alike are in one class: those that lose the same ending, whose lemmas have the same ending
instead, and whose lemmas end in the same letters. The tables are those of ``simplemma`` (MIT), which is
installed where models are made (``pip install simplemma``). Raw text decides which forms a model takes.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from pathlib import Path

from headwise.base.errors import HeadwiseError
from headwise.words.clusters.files import write_paths

LEMMA_LETTERS = 2
"""So many last letters of the lemma are part of a class."""
LEAST = 3
"""A class of fewer forms tells nothing."""

Class = tuple[str, str, str]


def lemmas_of(language: str) -> dict[str, str]:
    """The forms of a language, and their lemmas."""
    try:
        from simplemma.strategies import DefaultDictionaryFactory
    except ImportError:
        raise HeadwiseError("lexicons need simplemma: pip install simplemma") from None
    table = DefaultDictionaryFactory().get_dictionary(language)
    return {_text(form): _text(lemma) for form, lemma in table.items()}


def inflection_class(form: str, lemma: str) -> Class:
    """The ending that a form loses, the one its lemma has instead, and the last letters of the lemma.

    >>> inflection_class("namuose", "namas")
    ('uose', 'as', 'as')
    """
    form, lemma = form.lower(), lemma.lower()
    common = 0
    while common < min(len(form), len(lemma)) and form[common] == lemma[common]:
        common += 1
    return form[common:], lemma[common:], lemma[-LEMMA_LETTERS:]


def best_forms(lemmas: Mapping[str, str], counts: Mapping[str, int], most: int) -> list[str]:
    """The forms that are worth the most: those of the lemmas that raw text has most often in any form.

    A form that the text does not show is worth as much as its lemma; that is what a lexicon is for.
    """
    worth = Counter[str]()
    for word, count in counts.items():
        if (lemma := lemmas.get(word)) is not None:
            worth[lemma] += count
    known = (form for form, lemma in lemmas.items() if worth[lemma])
    return sorted(known, key=lambda form: (-worth[lemmas[form]], form))[:most]


def write_lexicon(lemmas: Mapping[str, str], forms: Iterable[str], path: Path) -> int:
    """Writes the inflection classes of forms, as word clusters; how many forms there are.

    Classes whose lemmas end alike share the first bits of their paths. Nothing is written where all forms
    are of one class, or of classes that are too small.
    """
    classes = {form.lower(): inflection_class(form, lemmas[form]) for form in forms}
    sizes = Counter(classes.values())
    kept = sorted((c for c, size in sizes.items() if size >= LEAST), key=lambda c: (c[2][::-1], c[1], c[0]))
    if len(kept) < 2:
        return 0
    bits = (len(kept) - 1).bit_length()
    paths = {one: format(number, f"0{bits}b") for number, one in enumerate(kept)}
    lines = sorted((paths[one], form, 1) for form, one in classes.items() if one in paths)
    write_paths(path, lines)
    return len(lines)


def _text(given: str | bytes) -> str:
    return given.decode() if isinstance(given, bytes) else given
