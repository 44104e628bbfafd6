"""From brackets to dependencies, by head rules (as Penn2Malt does; Collins 1999, section 2.2)."""

from __future__ import annotations

from collections.abc import Sequence

from headwise.constituency.head_rules import HeadRules
from headwise.constituency.simplify import base_label
from headwise.constituency.tree import Tree
from headwise.treebank import Sentence

_BY_PARENT = {
    "NP": "NMOD", "NX": "NMOD", "NAC": "NMOD", "WHNP": "NMOD", "QP": "AMOD", "ADJP": "AMOD", "ADVP": "AMOD",
    "WHADJP": "AMOD", "WHADVP": "AMOD", "PP": "PMOD", "WHPP": "PMOD", "VP": "VMOD", "S": "VMOD", "SQ": "VMOD",
    "SINV": "VMOD", "SBARQ": "VMOD", "SBAR": "SUB", "CONJP": "COORD", "PRN": "PRN", "IP": "VMOD", "CP": "SUB",
}  # fmt: skip


def heads_of(tree: Tree, rules: HeadRules) -> list[int]:
    """The head of every word, numbered from 1; 0 for the head of the whole tree. O(nodes)."""
    return [head for head, _ in _arcs(tree, rules)]


def to_dependencies(tree: Tree, rules: HeadRules, *, labels: bool = True) -> Sentence:
    """The dependencies of a tree as a sentence with words, tags (XPOS), heads and labels.

    A label is the function tag of the modifier's phrase (SBJ, TMP …), or else says what it modifies, as in
    Penn2Malt: NMOD, VMOD, PMOD …, OBJ for a noun phrase in a verb phrase, VC for a verb phrase in one, P for
    punctuation, and DEP for the rest. A word without a tag has none here either. Empty elements
    are words here: strip them where they should not be.
    """
    arcs = _arcs(tree, rules)
    return Sentence.from_words(
        tree.words,
        xpos=[tag or "_" for tag in tree.tags],
        heads=[head for head, _ in arcs],
        labels=[label if labels else "_" for _, label in arcs],
    )


def _arcs(tree: Tree, rules: HeadRules) -> list[tuple[int, str]]:
    arcs: list[tuple[int, str]] = [(0, "")] * sum(1 for _ in tree.leaves())

    def visit(node: Tree, begin: int) -> tuple[int, int]:
        """Fills the arcs inside of the node; returns its head and its end."""
        if node.is_word:
            return begin, begin + 1
        lexical: list[int] = []
        end = begin
        for child in node.children:
            head, end = visit(child, end)
            lexical.append(head)
        chosen = rules.head_of(node)
        for child, word in zip(node.children, lexical, strict=True):
            if word != lexical[chosen]:
                arcs[word] = (lexical[chosen] + 1, _label(node, child, rules))
        return lexical[chosen], end

    root, _ = visit(tree, 0)
    arcs[root] = (0, "ROOT")
    return arcs


def _label(parent: Tree, child: Tree, rules: HeadRules) -> str:
    label = child.label if child.is_word else base_label(child.label)
    if rules.is_punctuation(label):
        return "P"
    if not child.is_word and (functions := _functions(child.label)):
        return functions[0]
    if rules.is_coordinator(label):
        return "CC"
    above = base_label(parent.label)
    if above in ("VP", "IP") and label == "NP":
        return "OBJ"
    if above == "VP" and label == "VP":
        return "VC"
    return _BY_PARENT.get(above, "DEP")


def _functions(label: str) -> Sequence[str]:
    return [part for part in label.replace("=", "-").split("-")[1:] if part and not part.isdigit()]
