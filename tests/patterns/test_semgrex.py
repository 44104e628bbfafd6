"""Semgrex's simple form says what the same pattern in Grew's language says."""

from __future__ import annotations

import pytest

from headwise.patterns import Pattern, PatternError
from headwise.treebank import Sentence

SAME = [
    ("{upos:VERB}=V >nsubj {}=S", "V [upos=VERB]; V -[nsubj]-> S"),
    ("{}=S <nsubj {tag:_;lemma:/r.*/}=V", 'V [lemma=re"r.*", xpos=_]; V -[nsubj]-> S'),
    ("{pos:/NOUN|VERB/}=V >/acl.*/ {}=S", 'V [upos=re"NOUN|VERB"]; V -[re"acl.*"]-> S'),
    ("{upos:NOUN}=V >> {upos:PRON}=S", "V [upos=NOUN]; V ->> S; S [upos=PRON]"),
    ("{upos:PRON}=S << {upos:NOUN}=V", "V [upos=NOUN]; V ->> S; S [upos=PRON]"),
    ("{upos:DET}=V . {}=S", "V [upos=DET]; V < S"),
    ("{upos:DET}=V - {}=S", "V [upos=DET]; V > S"),
    ("{upos:DET}=V .. {upos:VERB}=S", "V [upos=DET]; V << S; S [upos=VERB]"),
    (
        "{upos:VERB}=V >nsubj {}=S !>aux {}",
        "pattern { V [upos=VERB]; V -[nsubj]-> S } without { V -[aux]-> * }",
    ),
    ("{upos:VERB}=V >obj ({}=S >det {})", "V [upos=VERB]; V -[obj]-> S; S -[det]-> *"),
    ("{upos:DET}=V $+ {}=S", "V [upos=DET]; * -> V; S [upos=ADJ]"),
    ("{upos:PRON}=V $++ {upos:AUX}=S", "V [lemma=she]; S [upos=AUX]"),
    ("{upos:AUX}=S $-- {upos:PRON}=V", "V [lemma=she]; S [upos=AUX]"),
    ("{$}=V >punct {}=S", "* -[root]-> V; V -[punct]-> S"),
    ("!{upos:VERB}=V >nsubj {}=S", "V [upos<>VERB]; V -[nsubj]-> S"),
    (
        "{upos:VERB}=V >nsubj {}=S & >obj {Number:/.*/}",
        "V [upos=VERB]; V -[nsubj]-> S; V -[obj]-> O; O [Number]",
    ),
]


@pytest.mark.parametrize(("semgrex", "grew"), SAME)
def test_the_same_in_both_languages(semgrex: str, grew: str, book: Sentence) -> None:
    def found(text: str) -> set[tuple[int, ...]]:
        return {(m.words["V"], m.words["S"]) for m in Pattern.parse(text).matches(book)}

    assert found(semgrex) == found(grew)
    if not semgrex.startswith("!") and "tag:_" not in semgrex:
        assert found(semgrex)


@pytest.mark.parametrize(
    "text", ["{upos:VERB} >", "{upos VERB}", "{} >> nsubj {}", "{} | {}", "({} >obj {}", "{lemma:/(/}"]
)
def test_what_is_not_read_is_refused(text: str) -> None:
    with pytest.raises(PatternError):
        Pattern.parse(text)
