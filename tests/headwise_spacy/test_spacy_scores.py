"""spaCy's scorer gives the scores of ``headwise evaluate``; displacy draws our Docs."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest
import spacy
from spacy import displacy
from spacy.language import Language
from spacy.scorer import Scorer
from spacy.tokens import Doc, Token
from spacy.training import Example

import headwise.spacy
from headwise import Parser, Pipeline
from headwise.treebank import Sentence, write
from shared_treebanks import shared_treebank
from toy_language import SMALL


def gold_doc(nlp: Language, sentence: Sentence) -> Doc:
    heads = [head - 1 if head else word for word, head in enumerate(sentence.heads.tolist())]
    deps = ["ROOT" if label == "root" else label for label in sentence.labels]
    return Doc(nlp.vocab, words=sentence.forms, pos=sentence.upos, heads=heads, deps=deps)


def full_label(token: Token, _: str) -> str:
    return token.dep_


def without_subtype(token: Token, _: str) -> str:
    return token.dep_.partition(":")[0]


def our_scores(gold: Path, system: Path, protocol: str) -> tuple[float, float]:
    command = ["-m", "headwise", "evaluate", str(gold), str(system), "--json", "--protocol", protocol]
    done = subprocess.run([sys.executable, *command], capture_output=True, text=True, check=True)
    scores = json.loads(done.stdout)["scores"]
    return scores["uas"]["f1"], scores["las"]["f1"]


def compare_scores(nlp: Language, gold: list[Sentence], parsed: list[Sentence], folder: Path) -> None:
    """spaCy's scores of what the component does with the gold words and tags, and ours of ``parsed``."""
    docs = [
        Doc(nlp.vocab, words=s.forms, pos=s.upos, tags=s.xpos, sent_starts=[1] + [-1] * (len(s) - 1))
        for s in gold
    ]
    examples = [
        Example(doc, gold_doc(nlp, sentence)) for doc, sentence in zip(nlp.pipe(docs), gold, strict=True)
    ]
    write(gold, folder / "gold.conllu")
    write(parsed, folder / "system.conllu")
    labelled = []
    for protocol, getter in (("all", full_label), ("ud", without_subtype)):
        theirs = Scorer.score_deps(examples, "dep", getter=getter, ignore_labels=())
        ours = our_scores(folder / "gold.conllu", folder / "system.conllu", protocol)
        assert 0.1 < theirs["dep_las"] <= theirs["dep_uas"] < 0.99
        assert (theirs["dep_uas"], theirs["dep_las"]) == pytest.approx(ours)
        labelled.append(theirs["dep_las"])
    assert labelled[0] < labelled[1], "subtypes count in the one and not in the other"


def test_the_scorer_agrees_with_evaluate(
    train_sentences: list[Sentence], test_sentences: list[Sentence], tmp_path: Path
) -> None:
    subtyped = {"det": "det:sub", "nmod": "nmod:sub"}
    gold = [s.with_tree(s.heads, [subtyped.get(x, x) for x in s.labels]) for s in test_sentences]
    parser = Parser.train(train_sentences[:2], **(SMALL | {"epochs": 1}))
    nlp = spacy.blank("xx")
    component = nlp.add_pipe("headwise", config={"model": None})
    assert isinstance(component, headwise.spacy.HeadwiseParser)
    component.model = parser
    compare_scores(nlp, gold, [parse.to_sentence() for parse in parser.pipe(gold)], tmp_path)


@pytest.mark.data
def test_the_scorer_agrees_with_evaluate_on_ewt(nlp: Language, english: Pipeline, tmp_path: Path) -> None:
    gold = shared_treebank("UD_English-EWT", "dev")[:500]
    parses = english.pipe_sentences(gold, tags="replace")
    compare_scores(nlp, gold, [parse.to_sentence() for parse in parses], tmp_path)


def test_nlp_evaluate(nlp: Language, english: Pipeline) -> None:
    sentence = next(english.pipe_sentences([Sentence.from_words(["She", "reads", "books", "."])]))
    example = Example(nlp.make_doc("She reads books."), gold_doc(nlp, sentence.to_sentence()))
    scores = nlp.evaluate([example])
    assert [scores[name] for name in ("dep_uas", "dep_las", "pos_acc", "sents_f")] == [1.0] * 4
    assert scores["lemma_acc"] is None, "there are no lemmas in the gold Doc"


def test_displacy_draws_docs(whole: Language) -> None:
    svg = displacy.render(whole("I don't know 🙂."), style="dep", jupyter=False)
    assert svg.count("displacy-arrow") >= 3
    assert all(word in svg for word in ("know", "aux", "🙂"))
