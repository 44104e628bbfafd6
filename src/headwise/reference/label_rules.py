"""Rules of labels, one tree at a time, as plainly as the official validator says them; and the best labels
under them by trying all."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import product
from typing import NamedTuple

from headwise.components.scoring import universal_rules as rules
from headwise.treebank import Sentence

Options = Sequence[Sequence[tuple[int, float]]]


def broken(sentence: Sentence, labels: Sequence[str], kept: Sequence[str] = rules.RULES) -> dict[str, int]:
    """How often labels of the sentence's tree break each rule that is kept."""
    counts = dict.fromkeys(kept, 0)
    for rule in _broken(sentence, ["", *labels], kept):
        if rule in counts:
            counts[rule] += 1
    return counts


def best_labels(
    sentence: Sentence, names: Sequence[str], options: Options, kept: Sequence[str]
) -> tuple[float, int]:
    """The score of the best labels of those that break the fewest of the rules, and how many they break."""
    found = []
    for choice in product(*options):
        labels = [names[label] for label, _ in choice]
        counts = broken(sentence, labels, kept)
        found.append((-sum(counts.values()), sum(score for _, score in choice)))
    fewest, score = max(found)
    return score, -fewest


def _broken(sentence: Sentence, labels: Sequence[str], kept: Sequence[str]) -> Iterator[str]:
    tree = _Tree.of(sentence, labels)
    for m in range(1, len(labels)):
        own, h = tree.relations[m], tree.heads[m]
        by_word = list(_by_word(own, tree.tags[m], h, m))
        if own == "goeswith" and not _is_apart(sentence, tree.feats, h, m):
            by_word.append(rules.GOESWITH)
        yield from [rule for rule in by_word if rule in kept][:1]  # one of its own at a time
        if own == "goeswith" and h > 0 and not _follows(m, h, tree.heads, tree.relations):
            yield rules.GOESWITH
        yield from _by_children(tree, m)


class _Tree(NamedTuple):
    """Columns of a sentence with these labels; entry 0 is the root's."""

    heads: list[int]
    labels: Sequence[str]
    relations: list[str]
    """Labels without what follows the colon."""
    upos: list[str]
    feats: list[set[str]]
    tags: list[str]
    """Parts of speech as they are to be seen from outside (ExtPos)."""

    @classmethod
    def of(cls, sentence: Sentence, labels: Sequence[str]) -> _Tree:
        feats = [set[str](), *(set(f.split("|")) - {"_"} for f in sentence.feats)]
        upos = ["", *sentence.upos]
        tags = [_outward(tag, own) for tag, own in zip(upos, feats, strict=True)]
        relations = [rules.relation(label) for label in labels]
        return cls([0, *sentence.heads.tolist()], labels, relations, upos, feats, tags)


def _by_children(tree: _Tree, m: int) -> Iterator[str]:
    """What the children of a word break."""
    own, relations = tree.relations[m], tree.relations
    children = [c for c in range(1, len(tree.heads)) if tree.heads[c] == m]
    for c in children:
        is_adverb = relations[c] == "advmod" and tree.upos[c] in ("PART", "ADV")
        negates = is_adverb and "Polarity=Neg" in tree.feats[c]
        possessive = own == "det" and "Poss=Yes" in tree.feats[m] and relations[c] in rules.OF_POSSESSIVES
        if not possessive and not (negates and own != "punct"):
            yield from _by_child(own, relations[c])
    subjects = [c for c in children if "subj" in relations[c] and not tree.labels[c].endswith(":outer")]
    yield from [rules.ONE_SUBJECT] * (len(subjects) - 1)
    yield from [rules.ONE_OBJECT] * ([relations[c] for c in children].count("obj") - 1)
    below = {relations[c] for c in children}
    is_nominal = own in rules.NOMINAL and tree.upos[m] in ("NOUN", "PROPN", "PRON")
    if is_nominal and "obl" in below and not below & {"cop", "nsubj", "csubj"}:
        yield rules.NO_OBLIQUE


def _follows(m: int, h: int, heads: Sequence[int], relations: Sequence[str]) -> bool:
    """Whether a word goes with the one before it, which is its head or goes with that, too."""
    return m == h + 1 or (m - 1 > h and heads[m - 1] == h and relations[m - 1] == "goeswith")


def _by_child(own: str, child: str) -> Iterator[str]:
    for rule, (parents, allowed) in rules.CHILDREN.items():
        if own in parents.split() and child not in allowed.split():
            yield rule


def _outward(tag: str, feats: set[str]) -> str:
    return next((f.removeprefix("ExtPos=") for f in sorted(feats) if f.startswith("ExtPos=")), tag)


def _by_word(own: str, tag: str, h: int, m: int) -> Iterator[str]:
    for rule, (of, tags) in rules.ONLY_TAGS.items():
        if own == of and tag not in tags.split():
            yield rule
    for rule, (of, tags) in rules.NO_TAGS.items():
        if own == of and tag in tags.split():
            yield rule
    if tag == "PUNCT" and own not in ("punct", "root"):
        yield rules.PUNCTUATION
    if f"right-to-left-{own}" in rules.HEAD_ON_LEFT and h > m:
        yield f"right-to-left-{own}"


def _is_apart(sentence: Sentence, feats: list[set[str]], h: int, m: int) -> bool:
    bare = sentence.upos[m - 1] == "X" and not feats[m] and sentence.lemmas[m - 1] == "_"
    glued = m > 1 and "SpaceAfter=No" in sentence.misc[m - 2]
    return bare and "Typo=Yes" in feats[h] and not glued
