"""Trees with less in them: without function tags, without empty elements, without single wrappers."""

from __future__ import annotations

import re
from collections.abc import Collection
from dataclasses import dataclass

from headwise.constituency.tree import Tree

ROOT = "ROOT"
"""The label of the outermost bracket where a treebank gives it none."""

_TRACE = re.compile(r"\*([A-Za-z0-9?]+\*)?(-\w+)*")
_EMPTY_TAG = "-NONE-"
_SILENT = re.compile(r"C|P|W[A-Z]*P|WADV|WPRO|TO")
_ASTERISK_TAGS = {"SYM", "NFP", "LS", "X", "HYPH", "ADD", "FW", "NN", "NNP", "CD", "AFX", "PUNCT"}


def is_empty(leaf: Tree) -> bool:
    """Whether a leaf stands for no word: a trace, an elided or a silent element.

    Penn: everything under -NONE-. Penn historical corpora: ``*T*-1``, ``*con*``, ``*`` under any label, and
    ``0`` under the tags and phrases of complementizers, prepositions and wh-words.
    """
    word, tag = leaf.word or "", leaf.label
    if tag == _EMPTY_TAG:
        return True
    if word == "0":
        return _SILENT.fullmatch(tag.partition("-")[0]) is not None
    if word == "*":
        return tag[:1].isalpha() and tag not in _ASTERISK_TAGS
    return _TRACE.fullmatch(word) is not None


def without_empty(tree: Tree) -> Tree | None:
    """The tree without empty elements and the phrases that hold nothing else; None where no word is left."""

    def change(node: Tree, below: tuple[Tree, ...]) -> Tree | None:
        if node.is_word:
            return None if is_empty(node) else node
        return Tree(node.label, below) if below else None

    return tree.map(change)


def base_label(label: str, keep: Collection[str] = ()) -> str:
    """A label without function tags and indices: NP for NP-SBJ-1; those in `keep` stay."""
    if label[:1] == "-":
        return label
    head, *rest = re.split(r"([-=|])", label)
    kept = [a + b for a, b in zip(rest[::2], rest[1::2], strict=True) if b in keep]
    return head + "".join(kept) or label


def without_functions(tree: Tree, keep: Collection[str] = ()) -> Tree:
    """The tree with bare labels of phrases. Tags stay: what they say of case and number is no function."""

    def change(node: Tree, below: tuple[Tree, ...]) -> Tree:
        return node if node.is_word else Tree(base_label(node.label, keep), below)

    return tree.map(change)  # type: ignore[return-value]


def rooted(tree: Tree, root: str = ROOT) -> Tree:
    """The tree under one root: an outermost bracket without a label is called `root`, others get one.

    ((S …)) and (S …) both become (ROOT (S …)); (ROOT (S …)) and (TOP (S …)) stay as they are.
    """
    if tree.label in (root, "TOP", "ROOT", "VROOT"):
        return tree
    if tree.label == "" and not tree.is_word:
        return Tree(root, tree.children)
    return Tree(root, (tree,))


def without_repeats(tree: Tree) -> Tree:
    """The tree without phrases of one child with the same label: (NP (NP x)) says no more than (NP x)."""

    def change(node: Tree, below: tuple[Tree, ...]) -> Tree:
        if node.is_word:
            return node
        if len(below) == 1 and below[0].label == node.label and not below[0].is_word:
            return below[0]
        return Tree(node.label, below)

    return tree.map(change)  # type: ignore[return-value]


def without_chains(tree: Tree) -> Tree:
    """The tree without phrases whose only child is a phrase: of (S (VP x y)), (S x y) is left.

    `headwise.constituency.binarize.collapse_unaries` keeps their labels, so that it can be undone.
    """

    def change(node: Tree, below: tuple[Tree, ...]) -> Tree:
        if node.is_word:
            return node
        only = below[0] if len(below) == 1 else None
        return Tree(node.label, below if only is None or only.is_word else only.children)

    return tree.map(change)  # type: ignore[return-value]


@dataclass(frozen=True)
class Simplification:
    """What of a treebank's annotation a grammar is read from."""

    functions: bool = False
    """Keep function tags, as NP-SBJ."""
    keep_functions: tuple[str, ...] = ()
    """Keep these function tags, as SUB in IP-SUB."""
    empty: bool = False
    """Keep empty elements; their traces are then words like others."""
    repeats: bool = False
    """Keep phrases that have one child of the same label."""
    chains: bool = True
    """Keep phrases whose only child is a phrase, under the root."""
    root: str = ROOT

    def __call__(self, tree: Tree) -> Tree | None:
        """The simpler tree, under one root; None where it has no words."""
        simple: Tree | None = tree
        if not self.empty:
            simple = without_empty(tree)
            if simple is None:
                return None
        assert simple is not None
        simple = _tagged(rooted(simple, self.root))
        if not self.functions:
            simple = without_functions(simple, self.keep_functions)
        if not self.chains:
            return Tree(simple.label, tuple(map(without_chains, simple.children)))
        return simple if self.repeats else without_repeats(simple)


def _tagged(tree: Tree) -> Tree:
    """Words that stand beside phrases, without a tag of their own, are their own tags."""

    def change(node: Tree, below: tuple[Tree, ...]) -> Tree:
        if node.is_word:
            return node if node.label else Tree(node.word or "", word=node.word)
        return Tree(node.label or "X", below)

    return tree.map(change)  # type: ignore[return-value]
