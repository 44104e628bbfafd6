"""The search equals an enumeration of all ways to bind nodes, written from Grew's definition of a match."""

from __future__ import annotations

from itertools import permutations

from hypothesis import given
from hypothesis import strategies as st

from headwise.patterns.blocks import Attribute, Block, Value
from headwise.patterns.pattern import Pattern
from headwise.treebank import Sentence

TAGS, LABELS = ("A", "B"), ("x", "y", "x:z")


@st.composite
def sentences(draw: st.DrawFn) -> Sentence:
    n = draw(st.integers(1, 5))
    heads = [draw(st.integers(0, n).filter(lambda h, m=m: h != m)) for m in range(1, n + 1)]  # cycles too
    return Sentence.from_words(
        [f"w{i}" for i in range(n)],
        upos=[draw(st.sampled_from(TAGS)) for _ in range(n)],
        heads=heads,
        labels=[draw(st.sampled_from(LABELS)) for _ in range(n)],
    )


@st.composite
def patterns(draw: st.DrawFn) -> list[Block]:
    blocks: list[Block] = []
    for number in range(draw(st.integers(1, 3))):
        block = Block(wanted=number == 0 or draw(st.booleans()))
        for own in range(draw(st.integers(1 if number == 0 else 0, 2))):
            block.nodes.append(f"{'n' if number == 0 else 'f'}{own}")  # filters call theirs the same
        known = [*(blocks[0].nodes if blocks else []), *block.nodes]
        for _ in range(draw(st.integers(0, 2))):
            column, values = draw(st.sampled_from((("upos", TAGS), ("deprel", LABELS))))
            how = draw(st.sampled_from(("is", "is not", "defined", "undefined")))
            value = Value(draw(st.sampled_from(values)))
            block.tests.append((draw(st.sampled_from(known)), Attribute(column), how, [value], None))
        for _ in range(draw(st.integers(0, 2)) if len(known) > 1 else 0):
            a, b = draw(st.permutations(known))[:2]
            kind = draw(st.sampled_from(("edge", "dominates", "next", "before", "numbered")))
            block.relations.append((kind, a, b))
        blocks.append(block)
    return blocks


def reference(sentence: Sentence, blocks: list[Block]) -> set[tuple[int, ...]]:
    heads = [None, *sentence.heads.tolist()]

    def may_be_root(name: str, block: Block) -> bool:
        """Something hangs from it, where it is known: everywhere, if it is of the first block."""
        scope = blocks if name in blocks[0].nodes else [block]
        return any(
            name == a and kind in ("edge", "dominates") for one in scope for kind, a, _ in one.relations
        )

    def above(word: int) -> set[int]:
        seen: set[int] = set()
        head = heads[word]
        while head is not None and head not in seen:
            seen.add(head)
            head = heads[head]
        return seen

    def holds(block: Block, bound: dict[str, int]) -> bool:
        for name, attribute, how, values, _ in block.tests:
            column = sentence.upos if attribute.column == "upos" else sentence.labels
            value = column[bound[name] - 1] if bound[name] else None
            wanted = values[0].text
            right = {
                "is": value is not None and value == wanted,
                "is not": value is not None and value != wanted,
                "defined": value is not None,
                "undefined": value is None,
            }[how]
            if not right:
                return False
        for kind, a, b in block.relations:
            x, y = bound[a], bound[b]
            right = {
                "edge": heads[y] == x,
                "dominates": x in above(y),
                "next": x > 0 and y == x + 1,
                "before": 0 < x < y,
                "numbered": x < y,
            }[kind]
            if not right:
                return False
        return True

    def bindings(block: Block, bound: dict[str, int]) -> list[dict[str, int]]:
        free = [w for w in range(len(sentence) + 1) if w not in bound.values()]
        ways = (dict(zip(block.nodes, words, strict=True)) for words in permutations(free, len(block.nodes)))
        return [
            {**bound, **way}
            for way in ways
            if all(word or may_be_root(name, block) for name, word in way.items())
            and holds(block, {**bound, **way})
        ]

    return {
        tuple(found[name] for name in blocks[0].nodes)
        for found in bindings(blocks[0], {})
        if all(bool(bindings(block, found)) == block.wanted for block in blocks[1:])
    }


@given(sentences(), patterns())
def test_all_matches_and_no_others(sentence: Sentence, blocks: list[Block]) -> None:
    found = [tuple(match.words.values()) for match in Pattern("random", blocks).find([sentence])]
    assert len(found) == len(set(found))
    assert set(found) == reference(sentence, blocks)
