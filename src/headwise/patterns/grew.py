"""Patterns as Grew has them (Guillaume 2021; https://grew.fr/doc/request), of trees in CoNLL-U.

    pattern { V [upos=VERB, Tense=Past]; V -[nsubj|csubj]-> S; S [lemma=re"some.*", !Poss]; S << V }
    without { V -[obj]-> O }

Of Grew's language this is what asks about trees: names of edges are for comparisons only, and there is no
rewriting and no lexicon. Headwise adds that `deprel` is an attribute of nodes, too, and so are its halves,
`deprel.1` and `deprel.2`.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import cast

from headwise.patterns.blocks import Attribute, Block, Comparison, Value, WholeSentence
from headwise.patterns.errors import PatternError
from headwise.patterns.tokens import tokens_of

_TOKEN = re.compile(
    r"""\s+ | %[^\n]*
    | (?P<regex> (?:re|pcre)"(?:[^"\\]|\\.)*" | /(?:[^/\\\n]|\\.)*/i? )
    | (?P<text> "(?:[^"\\]|\\.)*" )
    | (?P<arrow> ->> | -> | -\[ | \]-> | <<= | << | >> | <> | <= | >= | [{}\[\];,|=<>!^:*.] )
    | (?P<word> -?\d+(?:\.\d+)?(?![\w]) | [^\W\d](?:[\w$]|[:.](?=\w)|-(?![>\[]))* | \d[\w:]* )""",
    re.VERBOSE,
)
_COMPARISONS = ("=", "<>", "<", "<=", ">", ">=")


@dataclass
class _Edge:
    """A named edge: it stands for the word that hangs from it."""

    modifier: str


class GrewReader:
    """Reads one pattern; of ``clauses`` alone, as if they stood in a block."""

    def __init__(self, text: str, *, clauses: bool = False) -> None:
        self._text, self._tokens, self._at = text, tokens_of(text, _TOKEN, "means nothing here"), 0
        if clauses:
            begin, end = [("word", "pattern", 0), ("arrow", "{", 0)], [("arrow", "}", len(text))]
            self._tokens = [*begin, *self._tokens, *end]
        self._known: set[str] = set()
        self._edges: dict[str, _Edge] = {}
        self._anonymous = 0
        self.blocks: list[Block] = []
        self.whole = WholeSentence()
        self._read()

    def _read(self) -> None:
        keywords: dict[str, Callable[[], None]] = {
            "pattern": lambda: self._block(wanted=True, first=True),
            "match": lambda: self._block(wanted=True, first=True),
            "without": lambda: self._block(wanted=False),
            "with": lambda: self._block(wanted=True),
            "global": self._global,
        }
        while self._at < len(self._tokens):
            kind, keyword, place = self._next()
            if kind != "word" or keyword not in keywords:
                raise PatternError.at(
                    self._text, place, f"has {keyword!r} where one of {', '.join(keywords)} begins a block"
                )
            keywords[keyword]()
        if not self.blocks:
            raise PatternError("the pattern has no block: write pattern { … }.")

    # Blocks

    def _block(self, *, wanted: bool, first: bool = False) -> None:
        if first != (not self.blocks):
            raise self._wrong("has one block `pattern { … }`, which is the first", back=1)
        self._expect("{")
        block = Block(wanted)
        self.blocks.append(block)
        known, edges = set(self._known), dict(self._edges)
        while not self._take("}"):
            if not self._take(";"):
                self._clause(block)
                if not self._take(";") and self._peek() != "}":
                    raise self._wrong("has no ; or } here")
        if not first:  # what a filter calls its words, others do not know
            self._known, self._edges = known, edges

    def _clause(self, block: Block) -> None:
        name = self._name()
        if self._peek() == ":" and self._peek(1) != "":
            self._expect(":")
            edge, name = name, self._name()
            self._edge(block, name, edge)
        elif self._peek() == "[":
            self._declare(block, name)
            self._features(block, name)
        elif self._peek() in ("->", "-[", "->>"):
            self._edge(block, name, None)
        elif self._peek() in ("<", "<<", ">", ">>") and "." not in name:
            self._order(block, name)
        else:
            self._constraint(block, name)

    def _declare(self, block: Block, name: str) -> str:
        if name == "*":
            self._anonymous += 1
            name = f"*{self._anonymous}"
        if name in self._edges:
            raise self._wrong(f"calls both an edge and a word {name}", back=1)
        if name not in self._known:
            self._known.add(name)
            block.nodes.append(name)
        return name

    def _features(self, block: Block, name: str) -> None:
        self._expect("[")
        while not self._take("]"):
            if self._take(","):
                continue
            if self._take("!"):
                block.tests.append((name, self._attribute(), "undefined", [], None))
                continue
            attribute = self._attribute()
            if self._peek() in (",", "]"):
                block.tests.append((name, attribute, "defined", [], None))
            else:
                self._value_test(block, name, attribute)

    def _value_test(self, block: Block, name: str, attribute: Attribute) -> None:
        comparison = self._comparison()
        if comparison in ("=", "<>"):
            if comparison == "=" and self._take("*"):
                block.tests.append((name, attribute, "defined", [], None))
                return
            values = self._values()
            block.tests.append((name, attribute, "is" if comparison == "=" else "is not", values, None))
        else:
            block.tests.append((name, attribute, comparison, [], self._number()))

    def _edge(self, block: Block, head: str, edge: str | None) -> None:
        arrow = self._next()[1]
        if arrow not in ("->", "-[", "->>"):
            raise self._wrong("has no edge here: A -> B, A -[label]-> B or A ->> B", back=1)
        tests = self._label() if arrow == "-[" else []
        head = self._declare(block, head)
        modifier = self._declare(block, self._name())
        block.relations.append(("dominates" if arrow == "->>" else "edge", head, modifier))
        block.tests += [(modifier, attribute, how, values, None) for attribute, how, values in tests]
        if edge is not None:
            if arrow == "->>":
                raise self._wrong("gives a name to a path; only edges have names")
            self._edges[edge] = _Edge(modifier)

    def _label(self) -> list[tuple[Attribute, str, list[Value]]]:
        """Between ``-[`` and ``]->``: labels, all but some labels, or conditions on their halves."""
        tests = []
        has_halves = self._peek() in ("1", "2") and self._peek(1) in ("=", "<>", ",", "]->")
        if has_halves or self._peek() == "!":
            while not self._take("]->"):
                if self._take(","):
                    continue
                if self._take("!"):
                    tests.append((Attribute("deprel", self._half()), "undefined", list[Value]()))
                    continue
                half = Attribute("deprel", self._half())
                if self._peek() in (",", "]->"):
                    tests.append((half, "defined", []))
                else:
                    how = "is" if self._comparison() == "=" else "is not"
                    tests.append((half, how, self._values()))
            return tests
        how = "is not" if self._take("^") else "is"
        values = self._values()
        self._expect("]->")
        return [(Attribute("deprel"), how, values)]

    def _half(self) -> str:
        half = self._next()[1]
        if half not in ("1", "2"):
            raise self._wrong("has another part of a label than 1 and 2", back=1)
        return half

    def _order(self, block: Block, a: str) -> None:
        order = self._next()[1]
        a, b = self._declare(block, a), self._declare(block, self._name())
        if order.startswith(">"):
            a, b = b, a
        block.relations.append(("next" if len(order) == 1 else "before", a, b))

    def _constraint(self, block: Block, name: str) -> None:
        """``N.lemma = M.lemma``, ``N.HeadProb < 0.5``, ``e.label <> f.label``, ``A.__id__ < B.__id__``."""
        if "." not in name:
            raise self._wrong(f"says nothing of {name}, such as {name} [upos=…], {name} -> B or {name} << B")
        node, attribute = self._dotted(name)
        comparison = self._comparison()
        kind, text, _ = self._tokens[self._at] if self._at < len(self._tokens) else ("", "", 0)
        if kind == "word" and "." in text and text.split(".")[0] in self._known | self._edges.keys():
            self._at += 1
            other, of_other = self._dotted(text)
            if attribute is None or of_other is None:
                if comparison not in ("<", ">") or attribute is not of_other:
                    raise self._wrong("compares __id__ with something else than < and >", back=1)
                a, b = (node, other) if comparison == "<" else (other, node)
                block.relations.append(("numbered", a, b))
            else:
                block.comparisons.append((node, attribute, comparison, other, of_other))
            return
        if attribute is None:
            raise self._wrong("compares __id__ with something that is no other word's")
        self._at -= 1
        self._value_test(block, node, attribute)

    def _dotted(self, name: str) -> tuple[str, Attribute | None]:
        """A word and an attribute of it; None for its number."""
        owner, _, attribute = name.partition(".")
        if owner in self._edges:
            edge = {"label": "deprel", "1": "deprel.1", "2": "deprel.2", "prob": "HeadProb"}
            return self._edges[owner].modifier, Attribute.named(edge.get(attribute, attribute))
        if owner not in self._known:
            raise self._wrong(f"does not say what {owner} is", back=1)
        return owner, None if attribute == "__id__" else Attribute.named(attribute)

    # Whole sentences

    def _global(self) -> None:
        self._expect("{")
        while not self._take("}"):
            if self._take(";"):
                continue
            name = self._name()
            if name in ("is_projective", "is_not_projective"):
                self.whole = replace(self.whole, projective=name == "is_projective")
            elif self._peek() in ("=", "<>"):
                wanted = self._comparison() == "="
                for value in self._values():
                    self.whole = replace(self.whole, comments=(*self.whole.comments, (name, wanted, value)))
            else:
                raise self._wrong("asks of a sentence neither is_projective nor KEY = VALUE", back=1)

    # Tokens

    def _peek(self, further: int = 0) -> str:
        at = self._at + further
        return self._tokens[at][1] if at < len(self._tokens) else ""

    def _next(self) -> tuple[str, str, int]:
        if self._at >= len(self._tokens):
            raise PatternError.at(self._text, len(self._text), "is not finished")
        self._at += 1
        return self._tokens[self._at - 1]

    def _take(self, symbol: str) -> bool:
        if self._peek() == symbol and self._tokens[self._at][0] != "text":
            self._at += 1
            return True
        if self._at >= len(self._tokens):
            raise PatternError.at(self._text, len(self._text), "is not finished")
        return False

    def _expect(self, symbol: str) -> None:
        if not self._take(symbol):
            raise self._wrong(f"has no {symbol} here")

    def _name(self) -> str:
        kind, text, _ = self._next()
        if kind != "word" and text != "*":
            raise self._wrong("has no name here", back=1)
        return text

    def _attribute(self) -> Attribute:
        kind, text, _ = self._next()
        if kind != "word":
            raise self._wrong("has no attribute here, such as upos or Number", back=1)
        return Attribute.named(text)

    def _comparison(self) -> Comparison:
        text = self._next()[1]
        if text not in _COMPARISONS:
            raise self._wrong(f"has none of {' '.join(_COMPARISONS)} here", back=1)
        return cast(Comparison, text)

    def _values(self) -> list[Value]:
        values = [self._value()]
        while self._take("|"):
            values.append(self._value())
        return values

    def _value(self) -> Value:
        kind, text, place = self._next()
        if kind == "regex":
            return _expression(self._text, text, place)
        if kind == "text":
            return Value(re.sub(r"\\(.)", r"\1", text[1:-1]))
        if kind == "word":
            return Value(text)
        raise self._wrong("has no value here; what is no plain word stands between quotation marks", back=1)

    def _number(self) -> float:
        try:
            return float(self._next()[1])
        except ValueError:
            raise self._wrong("has no number here", back=1) from None

    def _wrong(self, problem: str, back: int = 0) -> PatternError:
        at = max(0, self._at - back)
        place = self._tokens[at][2] if at < len(self._tokens) else len(self._text)
        return PatternError.at(self._text, place, problem)


def _expression(pattern: str, text: str, place: int) -> Value:
    """``re"…"`` or ``/…/``, with an ``i`` behind it for whatever case."""
    flags = re.IGNORECASE if text.endswith("/i") else 0
    inner = text[text.index('"') + 1 : -1] if text[0] != "/" else text[1 : text.rindex("/")]
    try:
        return Value(inner, re.compile(inner, flags))
    except re.error as error:
        raise PatternError.at(pattern, place, f"has a regular expression with a fault ({error})") from None
