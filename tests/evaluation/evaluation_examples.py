"""Small treebanks for the tests of this room, written as rows of what matters and filled up with `_`."""

from __future__ import annotations

from headwise.treebank import Sentence, read


def sentences(text: str) -> list[Sentence]:
    """Sentences of a CoNLL-U text, unchecked."""
    return list(read(text.encode(), validate="columns"))


def conllu(*trees: str) -> str:
    """CoNLL-U text of trees written as `form/head/label` words, e.g. `She/2/nsubj sleeps/0/root`.

    More columns may follow: `form/head/label/upos/lemma/feats`.
    """
    lines = []
    for tree in trees:
        for number, word in enumerate(tree.split(), start=1):
            form, head, label, *rest = word.split("/")
            upos, lemma, feats = (*rest, *["_"] * (3 - len(rest)))
            lines.append("\t".join([str(number), form, lemma, upos, "_", feats, head, label, "_", "_"]))
        lines.append("")
    return "\n".join(lines) + "\n"


def trees(*rows: str) -> list[Sentence]:
    return sentences(conllu(*rows))
