"""Trees in which no phrase has more than two children, and the way back.

A phrase is built around its head: modifiers to the right one after the other, then those to the left::

    (NP (DT the) (JJ old) (NN man) (PP there))   head NN
    (NP (DT the) (NP⟨L⟩ (JJ old) (NP⟨R⟩ (NN man) (PP there))))

Each intermediate label remembers the last few modifiers (horizontal Markovization; Klein and Manning 2003,
section 2.1); labels of phrases may say what stands above them (vertical Markovization). ⟨ and ⟩ are no part
of a treebank's labels, so that what was added can be taken away again exactly.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from headwise.constituency.head_rules import HeadRules
from headwise.constituency.tree import Tree, TreeError

OPEN, CLOSE = "⟨", "⟩"
_JOIN = "⟨+⟩"


@dataclass(frozen=True)
class Markovization:
    """How much a label of a binarized tree remembers."""

    horizontal: int = 1
    """Modifiers that an intermediate label remembers, the last ones first."""
    vertical: int = 1
    """Labels up the tree that a phrase remembers, its own included."""


def binarize(tree: Tree, heads: HeadRules, markovization: Markovization | None = None) -> Tree:
    """The tree with at most two children a phrase; `unbinarize` undoes it. O(nodes)."""
    return _binarize(tree, heads, markovization or Markovization(), ())


def unbinarize(tree: Tree) -> Tree:
    """The tree that was binarized."""
    if tree.is_word:
        return tree
    return Tree(plain_label(tree.label), tuple(_spliced(tree)))


def is_intermediate(label: str) -> bool:
    """Whether a label was made by binarization, for part of a phrase."""
    return label.endswith(CLOSE) and label[label.rfind(OPEN) + 1] in "LR"


def plain_label(label: str) -> str:
    """A label without what Markovization added."""
    return label.partition(OPEN)[0]


def _spliced(tree: Tree) -> Iterator[Tree]:
    stack = list(reversed(tree.children))
    while stack:  # no recursion: a phrase of a thousand children is a thousand deep when binarized
        child = stack.pop()
        if is_intermediate(child.label) and not child.is_word:
            stack.extend(reversed(child.children))
        else:
            yield unbinarize(child)


def _binarize(tree: Tree, heads: HeadRules, memory: Markovization, above: tuple[str, ...]) -> Tree:
    if tree.is_word:
        return tree
    if OPEN in tree.label or CLOSE in tree.label:
        raise TreeError(f"the label {tree.label} has ⟨ or ⟩ in it, which mark binarized trees")
    label = tree.label + "".join(f"{OPEN}^{name}{CLOSE}" for name in above)
    above = (tree.label, *above)[: memory.vertical - 1]
    children = [_binarize(child, heads, memory, above) for child in tree.children]
    if len(children) == 1:
        return Tree(label, tuple(children))
    head = heads.head_of(tree)
    names = [child.label for child in tree.children]
    # Inside out: right modifiers, then left ones; each step but the last one makes an intermediate node.
    steps = [("R", k) for k in range(head + 1, len(children))] + [("L", k) for k in range(head - 1, -1, -1)]
    built = children[head]
    for number, (side, k) in enumerate(steps, 1):
        last = number == len(steps)
        remembered = [names[j] for s, j in reversed(steps[:number]) if s == side][: memory.horizontal]
        name = label if last else f"{label}{OPEN}{side}{''.join(' ' + each for each in remembered)}{CLOSE}"
        built = Tree(name, (built, children[k]) if side == "R" else (children[k], built))
    return built


def collapse_unaries(tree: Tree) -> Tree:
    """The tree with every chain of phrases with one child each as one node: (S (VP x y)) is (S⟨+⟩VP x y)."""
    if tree.is_word:
        return tree
    names = [tree.label]
    while len(tree.children) == 1 and not tree.children[0].is_word:
        tree = tree.children[0]
        names.append(tree.label)
    return Tree(_JOIN.join(names), tuple(map(collapse_unaries, tree.children)))


def expand_unaries(tree: Tree) -> Tree:
    """The tree whose chains were collapsed."""
    if tree.is_word:
        return tree
    *above, label = tree.label.split(_JOIN)
    built = Tree(label, tuple(map(expand_unaries, tree.children)))
    for name in reversed(above):
        built = Tree(name, (built,))
    return built
