"""The simple form of Semgrex (Chambers et al. 2007; CoreNLP): nodes in braces, and relations of the first.

    {upos:VERB}=v >nsubj {}=s !>obj {} >>{lemma:/not|never/}

All relations are of the node that stands first, unless parentheses say otherwise: ``{} >obj ({} >det {})``.
Read are ``<`` and ``>`` (head and modifier, with a label or a regular expression), ``<<``, ``>>``, the
order ``.`` ``..`` ``-`` ``--``, sisters ``$+`` ``$-`` ``$++`` ``$--``, and ``!``, ``&``, ``{$}``. Unlike in
CoreNLP, no two nodes are the same word.
"""

from __future__ import annotations

import re

from headwise.patterns.blocks import Attribute, Block, Value
from headwise.patterns.errors import PatternError
from headwise.patterns.tokens import tokens_of

_TOKEN = re.compile(
    r"""\s+
    | (?P<node> \{ (?: [^{}/] | /(?:[^/\\]|\\.)*/ )* \} )
    | (?P<relation> << | >> | < | > | \$\+\+ | \$-- | \$\+ | \$- | \.\. | \. | -- | - )
    | (?P<label> /(?:[^/\\]|\\.)*/ | [^\W\d](?:[\w]|[:](?=\w)|-(?=\w))* )
    | (?P<symbol> [()&!=] )""",
    re.VERBOSE,
)
_ITEM = re.compile(r"\s*([\w.]+)\s*:\s*(/(?:[^/\\]|\\.)*/|[^;/]+?)\s*(?:;|$)")


class SemgrexReader:
    """Reads one pattern."""

    def __init__(self, text: str) -> None:
        self._text, self._at = text, 0
        self._tokens = tokens_of(text, _TOKEN, "is not of Semgrex's simple form")
        self._numbers = 0
        self.blocks = [Block()]
        self._with_relations(self.blocks[0])
        if self._at < len(self._tokens):
            raise self._wrong("has something behind its end")

    def _peek(self) -> tuple[str, str]:
        return self._tokens[self._at][:2] if self._at < len(self._tokens) else ("", "")

    def _take(self, symbol: str) -> bool:
        if self._peek()[1] == symbol and self._peek()[0] in ("symbol", "relation"):
            self._at += 1
            return True
        return False

    def _with_relations(self, block: Block) -> str:
        """A node and its relations to others; its name."""
        name = self._node(block)
        while self._relation(block, name):
            pass
        return name

    def _node(self, block: Block) -> str:
        """A node alone, or with relations of its own between parentheses; its name."""
        if self._take("("):
            name = self._with_relations(block)
            if not self._take(")"):
                raise self._wrong("has no ) here")
            return name
        negated = self._take("!")
        kind, braces = self._peek()
        if kind != "node":
            raise self._wrong("has no node here, such as {upos:VERB}")
        self._at += 1
        items = self._items(braces)
        name = self._name_of_node(block)
        if items is None:
            self._add_root(block, name)
        elif negated and items:
            self.blocks.append(Block(wanted=False))
            self._ask(self.blocks[-1], name, items)
        else:
            self._ask(block, name, items)
        return name

    def _name_of_node(self, block: Block) -> str:
        name = ""
        if self._take("="):
            kind, name = self._peek()
            if kind != "label":
                raise self._wrong("has no name behind =")
            self._at += 1
            if name in block.nodes or name in self.blocks[0].nodes:
                return name
        block.nodes.append(name or self._hidden("node" if not self._numbers else ""))
        return block.nodes[-1]

    def _hidden(self, name: str = "") -> str:
        self._numbers += 1
        return name or f"*{self._numbers}"

    def _items(self, braces: str) -> list[tuple[Attribute, Value]] | None:
        """The conditions between braces; None for ``{$}``."""
        inner, items, at = braces[1:-1].strip(), list[tuple[Attribute, Value]](), 0
        if inner == "$":
            return None
        while at < len(inner):
            found = _ITEM.match(inner, at)
            if found is None:
                raise self._wrong("is not a list of attribute:value between braces", back=1)
            items.append((Attribute.named(found[1]), self._value(found[2])))
            at = found.end()
        return items

    def _value(self, text: str) -> Value:
        if not text.startswith("/"):
            return Value(text)
        try:
            return Value(text[1:-1], re.compile(text[1:-1]))
        except re.error as error:
            raise self._wrong(f"has a regular expression with a fault ({error})", back=1) from None

    @staticmethod
    def _ask(block: Block, name: str, items: list[tuple[Attribute, Value]]) -> None:
        for attribute, value in items:
            if value.expression and value.expression.pattern in (".*", ".+"):
                block.tests.append((name, attribute, "defined", [], None))
            else:
                block.tests.append((name, attribute, "is", [value], None))

    def _add_root(self, block: Block, name: str) -> None:
        """``{$}``: the word that hangs from node 0."""
        root = self._hidden()
        block.nodes.append(root)
        block.tests.append((root, Attribute("form"), "is", [Value("__0__")], None))
        block.relations.append(("edge", root, name))

    def _relation(self, block: Block, a: str) -> bool:
        begin = self._at
        self._take("&")
        negated = self._take("!")
        kind, relation = self._peek()
        if kind != "relation":
            self._at = begin
            return False
        self._at += 1
        label = None
        if self._peek()[0] == "label":
            label = self._value(self._peek()[1])
            self._at += 1
            if relation not in ("<", ">"):
                raise self._wrong(f"has a label behind {relation}; only < and > have labels", back=1)
        if negated:
            block = Block(wanted=False)
            self.blocks.append(block)
        b = self._node(block)
        self._relate(block, relation, a, b, label)
        return True

    def _relate(self, block: Block, relation: str, a: str, b: str, label: Value | None) -> None:
        if relation in ("<", "-", "--", "<<", "$-", "$--"):  # the same, seen from the other side
            a, b = b, a
            relation = {"<": ">", "-": ".", "--": "..", "<<": ">>", "$-": "$+", "$--": "$++"}[relation]
        if relation.startswith("$"):
            mother = self._hidden()
            block.nodes.append(mother)
            block.relations += [("edge", mother, a), ("edge", mother, b), ("before", a, b)]
            if relation == "$+":
                between = self._hidden()
                self.blocks.append(Block(wanted=False, nodes=[between]))
                self.blocks[-1].relations += [
                    ("edge", mother, between),
                    ("before", a, between),
                    ("before", between, b),
                ]
            return
        block.relations.append(
            ({">": "edge", ">>": "dominates", ".": "next", "..": "before"}[relation], a, b)
        )
        if label is not None:
            block.tests.append((b, Attribute("deprel"), "is", [label], None))

    def _wrong(self, problem: str, back: int = 0) -> PatternError:
        at = self._at - back
        place = self._tokens[at][2] if 0 <= at < len(self._tokens) else len(self._text)
        return PatternError.at(self._text, place, problem)
