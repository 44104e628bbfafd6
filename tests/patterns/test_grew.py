"""What Grew's documentation says of its patterns, on a sentence where one can see what is right."""

from __future__ import annotations

import pytest

from headwise.patterns import Pattern, PatternError
from headwise.treebank import Sentence

FOUND = [
    ("V [upos=VERB]", ["V=3", "V=9"]),
    ('V [upos="VERB"|AUX]', ["V=2", "V=3", "V=9"]),
    ("V [upos=VERB, VerbForm]", ["V=3"]),
    ("V [upos=VERB, !VerbForm]", ["V=9"]),
    ("N [Number<>Sing]", ["N=8"]),
    ('N [lemma=re"(b|r).*"]', ["N=6", "N=9"]),
    ("N [form=/SHE/i]", ["N=1"]),
    ('N [form<>re".*e.*", upos=PRON]', ["N=7"]),
    ("V -[nsubj]-> S", ["V=3 S=1", "V=9 S=8"]),
    ("V -[nsubj|obj]-> X; V [VerbForm]", ["V=3 X=1", "V=3 X=6"]),
    ("V -[^nsubj|obj|punct|det|amod|aux|root]-> X", ["V=6 X=9"]),
    ('V -[re"acl.*"]-> X', ["V=6 X=9"]),
    ("V -[1=acl]-> X", ["V=6 X=9"]),
    ("V -[1=acl, !2]-> X", []),
    ("V -[acl]-> X", []),
    ("V -[root]-> X", ["V=0 X=3"]),
    ("N -> D; D [upos=DET]", ["N=6 D=4"]),
    ("N ->> V; N [upos=NOUN]", ["N=6 V=4", "N=6 V=5", "N=6 V=7", "N=6 V=8", "N=6 V=9"]),
    ("A [upos=DET]; A < B", ["A=4 B=5"]),
    ("A [upos=ADJ]; A > B", ["A=5 B=4"]),
    ("A [upos=DET]; A << B; B [upos=PUNCT]", ["A=4 B=10"]),
    ("A [upos=PUNCT]; A >> B; B [upos=AUX]", ["A=10 B=2"]),
    ("A -[nsubj]-> X; B -[nsubj]-> Y; A.Tense = B.Tense; A << B", ["A=3 X=1 B=9 Y=8"]),
    ("A [upos=PRON]; B [upos=PRON]; A.Number <> B.Number; A << B", ["A=1 B=8"]),
    ("e: A -> X; f: B -> Y; e.label = f.label; A << B", ["A=3 X=1 B=9 Y=8", "A=3 X=6 B=9 Y=7"]),
    ("e: A -> B; e.prob < 0.75; B [upos=PRON]", ["A=9 B=8"]),
    ("N [HeadProb<=0.4]", ["N=9"]),
    ("N [misc.SpaceAfter=No]", ["N=10"]),
    ("H -> A; H -> B; A [upos=DET|ADJ]; B [upos=DET|ADJ]; A.__id__ < B.__id__", ["H=6 A=4 B=5"]),
    ("N [upos=NOUN]; * -[obj]-> N", ["N=6"]),
    ("N [deprel.2=relcl]", ["N=9"]),
]


def shown(pattern: Pattern, sentence: Sentence) -> list[str]:
    return [" ".join(f"{n}={w}" for n, w in m.words.items()) for m in pattern.matches(sentence)]


@pytest.mark.parametrize(("clauses", "found"), FOUND)
def test_clauses(clauses: str, found: list[str], book: Sentence) -> None:
    assert sorted(shown(Pattern.parse(clauses), book)) == sorted(found)
    assert sorted(shown(Pattern.parse(f"pattern {{ {clauses} }}"), book)) == sorted(found)


def test_without_and_with(book: Sentence) -> None:
    verbs = "pattern { V [upos=VERB] } "
    assert shown(Pattern.parse(verbs + "without { V -[aux]-> A }"), book) == ["V=9"]
    assert shown(Pattern.parse(verbs + "with { V -[aux]-> A }"), book) == ["V=3"]
    assert shown(Pattern.parse(verbs + "without { V [Tense=Past] }"), book) == []
    both = verbs + "without { V -[aux]-> A } without { V -[nsubj]-> S; S [Number=Sing] }"
    assert shown(Pattern.parse(both), book) == ["V=9"]


def test_whole_sentences(book: Sentence) -> None:
    asks = {
        'sent_id = "s1"': 1,
        'sent_id = re"s.*"': 1,
        'sent_id <> "s1"': 0,
        "is_projective": 1,
        "is_not_projective": 0,
    }
    for ask, count in asks.items():
        pattern = Pattern.parse(f"global {{ {ask} }} pattern {{ N [upos=NOUN] }}")
        assert len(pattern.matches(book)) == count, ask


def test_matches_say_what_they_are(book: Sentence) -> None:
    (match,) = Pattern.parse("V -[nsubj]-> S; S [Number=Plur]").matches(book)
    assert (match["V"], match["S"], dict(match)) == ("read", "they", {"V": "read", "S": "they"})
    assert match.column("S", "lemmas") == "they"
    assert match.probability == pytest.approx(0.4)
    assert str(match) == "V=9:read S=8:they"


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("", "empty"),
        ("pattern { V [upos=VERB }", "value|]|has"),
        ("pattern { V -[nsubj-> S }", "has"),
        ('pattern { V [lemma=re"("] }', "regular expression"),
        ("pattern { W.lemma = V.lemma }", "does not say what W is"),
        ("without { A -> B }", "pattern"),
        ("pattern { A -> B", "not finished"),
        ("pattern { A § B }", "means nothing"),
        ("pattern { e: A -> B; e [upos=X] }", "both an edge and a word"),
        ("pattern { A [upos] } pattern { B }", "one block"),
    ],
)
def test_what_is_wrong_is_said(text: str, says: str) -> None:
    with pytest.raises(PatternError, match=says):
        Pattern.parse(text)


def test_clauses_alone_end_where_they_end() -> None:
    """No brace is spoken of that nobody has written."""
    with pytest.raises(PatternError, match="at its end"):
        Pattern.parse("V -[nsubj")


def test_the_place_is_marked() -> None:
    with pytest.raises(PatternError) as caught:
        Pattern.parse("pattern {\n  A [upos=NOUN];\n  A ! B\n}")
    assert str(caught.value).endswith("at '! B }' in line 3.")
