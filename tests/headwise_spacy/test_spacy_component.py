"""The component on Docs whose tokens are spaCy's own."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
import pytest
import spacy
from spacy.language import Language
from spacy.tokens import Doc, Span

import headwise.spacy
from headwise import Parser, Pipeline
from headwise.base.errors import HeadwiseError
from headwise.treebank import Sentence

TEXT = "She announced a program. It doesn't promote safety 🙂 in trucks and vans."


def heads(doc: Doc) -> list[int]:
    return [token.head.i for token in doc]


def sentence_lengths(doc: Doc) -> list[int]:
    return [len(sentence) for sentence in doc.sents]


def component_for(parser: Parser | Pipeline, **config: Any) -> Language:
    nlp = spacy.blank("xx")
    nlp.add_pipe("headwise", config={"model": None, **config}).model = parser  # type: ignore[attr-defined]
    return nlp


def test_the_tokens_are_tagged_and_parsed_as_the_model_does_it(nlp: Language, english: Pipeline) -> None:
    doc = nlp(TEXT)
    assert [token.text for token in doc][6:10] == ["does", "n't", "promote", "safety"]
    begin = 0
    for sentence in doc.sents:
        words = [token.text for token in sentence]
        parse = next(english.pipe_sentences([Sentence.from_words(words)]))
        tagged = parse.sentence
        above = [head - 1 if head else i for i, head in enumerate(parse.heads.tolist())]
        assert [token.head.i - begin for token in sentence] == above
        assert [token.dep_ for token in sentence] == [
            "ROOT" if label == "root" else label for label in parse.labels
        ]
        assert [token.pos_ for token in sentence] == tagged.upos
        assert [token.tag_ for token in sentence] == tagged.xpos
        assert [str(token.morph) or "_" for token in sentence] == tagged.feats
        assert [token.lemma_ for token in sentence] == tagged.lemmas
        begin += len(words)
    assert begin == len(doc)


def test_sentences_begin_where_the_model_says(nlp: Language) -> None:
    assert [sentence[0].text for sentence in nlp(TEXT).sents] == ["She", "It"]


def test_a_text_with_emoji_has_the_same_borders(nlp: Language) -> None:
    """Offsets are characters, not bytes and not UTF-16 units."""
    plain = nlp("This is xx good. She reads books. He sleeps.")
    emoji = nlp("This is 🙂🙂 good. She reads books. He sleeps.")
    assert [s[0].text for s in plain.sents] == ["This", "She", "He"] == [s[0].text for s in emoji.sents]


@pytest.mark.parametrize("sentences", ["auto", "doc"])
def test_borders_of_the_doc_are_kept(english: Pipeline, sentences: str) -> None:
    nlp = component_for(english, sentences=sentences)
    words = ["She", "reads", ".", "He", "sleeps", "."]
    doc = nlp(Doc(nlp.vocab, words=words, sent_starts=[True, False, False, False, True, False]))
    assert sentence_lengths(doc) == [4, 2]


def test_borders_of_the_doc_can_be_put_aside(english: Pipeline) -> None:
    nlp = component_for(english, sentences="model")
    words = ["She", "reads", "books", ".", "He", "sleeps", "."]
    doc = nlp(Doc(nlp.vocab, words=words, sent_starts=[i in (0, 2) for i in range(len(words))]))
    assert sentence_lengths(doc) == [4, 3]


def test_a_doc_without_borders_is_one_sentence_where_the_doc_is_asked(english: Pipeline) -> None:
    nlp = component_for(english, sentences="doc")
    assert sentence_lengths(nlp("She reads. He sleeps.")) == [6]


def test_a_parser_alone_reads_the_tags_of_the_doc(parser: Parser, test_sentences: list[Sentence]) -> None:
    nlp = component_for(parser, sentences="doc")
    for sentence in test_sentences[:10]:
        doc = nlp(Doc(nlp.vocab, words=sentence.forms, pos=sentence.upos))
        expected = parser(sentence)
        assert [0 if t.head == t else t.head.i + 1 for t in doc] == expected.heads.tolist()
        assert [token.pos_ for token in doc] == sentence.upos


def test_a_parser_alone_says_that_it_needs_borders(parser: Parser) -> None:
    nlp = component_for(parser)
    with pytest.raises(HeadwiseError, match="sentencizer"):
        nlp("the dog sees a tree . the parser finds it .")
    nlp.add_pipe("sentencizer", before="headwise")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # there are no tags either
        doc = nlp("the dog sees a tree . the parser finds it .")
    assert sentence_lengths(doc) == [6, 5]


def test_a_parser_alone_has_no_tagger(parser: Parser) -> None:
    with pytest.raises(HeadwiseError, match="no tagger"):
        component_for(parser, tags="model", sentences="doc")("the dog")


def test_tags_of_the_doc_are_used_when_asked(english: Pipeline) -> None:
    nlp = component_for(english, tags="doc", sentences="doc")
    words, upos = ["Visit", "the", "bank"], ["VERB", "DET", "NOUN"]
    doc = nlp(Doc(nlp.vocab, words=words, pos=upos, tags=["VB", "DT", "NN"]))
    assert [token.pos_ for token in doc] == upos
    expected = english.parser(Sentence.from_words(words, upos=upos, xpos=["VB", "DT", "NN"]))
    assert [0 if t.head == t else t.head.i + 1 for t in doc] == expected.heads.tolist()


def test_other_annotation_stays(nlp: Language) -> None:
    doc = nlp.make_doc("Berlin is big.")
    doc.set_ents([Span(doc, 0, 1, "GPE")])
    doc.spans["mine"] = [doc[1:3]]
    doc.user_data["mine"] = 1
    doc = nlp(doc)
    assert [entity.label_ for entity in doc.ents] == ["GPE"]
    assert doc.spans["mine"][0].text == "is big"
    assert doc.user_data["mine"] == 1


@pytest.mark.parametrize("text", ["", " ", "\n", " \n\t  \u00a0", "\u2028"])
def test_docs_without_words(nlp: Language, text: str) -> None:
    doc = nlp(text)
    assert doc.text == text
    assert heads(doc) == [0] * len(doc)
    assert len(list(doc.sents)) == min(1, len(doc))


def test_space_hangs_from_the_word_before_it(nlp: Language) -> None:
    doc = nlp("\n She  reads.\n\n\nHe sleeps. ")
    assert [(token.text, token.head.text, token.dep_, token.pos_) for token in doc if token.is_space] == [
        ("\n ", "She", "dep", "SPACE"),
        (" ", "She", "dep", "SPACE"),
        ("\n\n\n", ".", "dep", "SPACE"),
    ]
    assert [sentence.text for sentence in doc.sents] == ["\n She  reads.\n\n\n", "He sleeps."]


def test_words_that_no_treebank_could_hold(nlp: Language) -> None:
    words = ["She", "read\ts", "a\nb", "c\0d", "_", "."]
    doc = nlp(Doc(nlp.vocab, words=words))
    assert [token.text for token in doc] == words
    assert doc[4].lemma_ != ""


def test_labels_of_an_unlabelled_parser(train_sentences: list[Sentence]) -> None:
    unlabelled = Parser.train(
        train_sentences, preset="first", arc_bits=14, label_bits=14, epochs=1, labels="none"
    )
    nlp = component_for(unlabelled, sentences="doc")
    doc = nlp(Doc(nlp.vocab, words=["the", "dog", "sees"], pos=["DET", "NOUN", "VERB"]))
    assert {token.dep_ for token in doc} == {"ROOT", "dep"}
    assert doc.has_annotation("DEP")


def test_a_stream_is_as_single_calls(nlp: Language) -> None:
    texts = [TEXT, "", "Yes.", " ", *["She reads."] * 7]
    for batch_size in (1, 3, 100):
        docs = list(nlp.pipe(texts, batch_size=batch_size))
        assert [doc.to_json() for doc in docs] == [nlp(text).to_json() for text in texts]
    pairs = list(nlp.pipe([(TEXT, 1), ("Yes.", 2)], as_tuples=True))
    assert [context for _, context in pairs] == [1, 2]


def test_threads_change_nothing(english: Pipeline) -> None:
    one, two = (component_for(english, threads=n) for n in (1, 2))
    assert one(TEXT).to_json() == two(TEXT).to_json()


def test_one_bad_doc_does_not_stop_a_stream(parser: Parser) -> None:
    """Which documents failed is told to the error handler, one by one."""
    nlp = component_for(parser, sentences="auto")
    failed: list[str] = []
    nlp.set_error_handler(lambda name, proc, docs, error: failed.extend(doc.text for doc in docs))

    def doc(*words: str, borders: bool = True) -> Doc:
        starts = [i == 0 for i in range(len(words))] if borders else None
        return Doc(nlp.vocab, words=list(words), pos=["NOUN"] * len(words), sent_starts=starts)

    docs = [doc("good", "dog"), doc("bad", "dog", borders=False), doc("old", "dog")]
    assert [doc[0].text for doc in nlp.pipe(docs)] == ["good", "old"]
    assert failed == ["bad dog "]


def test_long_docs(nlp: Language) -> None:
    doc = nlp("She announced a program. " * 3000)
    assert len(list(doc.sents)) == 3000
    assert len({tuple(token.head.i - s.start for token in s) for s in doc.sents}) == 1


def test_a_sentence_too_long_for_probabilities_is_parsed_without(english: Pipeline) -> None:
    nlp = component_for(english, confidence=True, k_best=2, sentences="doc")
    words = ["word"] * 2001 + ["She", "reads"]
    doc = Doc(nlp.vocab, words=words, sent_starts=[i in (0, 2001) for i in range(len(words))])
    with pytest.warns(UserWarning, match="1 sentences of more than 2000 words have no probabilities"):
        doc = nlp(doc)
    assert sentence_lengths(doc) == [2001, 2]
    assert doc[0]._.head_prob is None
    assert doc[2001]._.head_prob > 0.5
    assert [len(trees) > 0 for trees in doc._.k_best] == [False, True]


def test_a_decoder_can_be_chosen(english: Pipeline) -> None:
    by_risk = component_for(english, decoder="minimum-risk")(TEXT)
    assert np.all(np.array(heads(by_risk)) >= 0)
    with pytest.raises(ValueError, match="nonsense"):
        component_for(english, decoder="nonsense")(TEXT)


def test_the_config_is_checked() -> None:
    nlp = spacy.blank("en")
    with pytest.raises(ValueError, match="sentences"):
        nlp.add_pipe("headwise", config={"sentences": "sometimes"})


def test_names_are_exported() -> None:
    assert headwise.spacy.COMPONENT == "headwise"
    assert headwise.spacy.TOKENIZER == "headwise.Tokenizer.v1"


def test_whole_tags_of_a_doc_are_kept(english: Pipeline) -> None:
    """As everywhere; a Doc with a word without a tag is tagged anew."""

    def tagged(given: list[str], **config: Any) -> Doc:
        nlp = component_for(english, **config)
        return nlp(Doc(nlp.vocab, words=["She", "reads", "."], pos=given, sent_starts=[True, False, False]))

    whole = ["NOUN", "NOUN", "PUNCT"]
    assert [token.pos_ for token in tagged(whole)] == whole
    assert [token.tag_ for token in tagged(whole)] == ["", "", ""]
    found = ["PRON", "VERB", "PUNCT"]
    assert [token.pos_ for token in tagged(["NOUN", "", "PUNCT"])] == found
    assert [token.pos_ for token in tagged(whole, tags="model")] == found
    assert [token.pos_ for token in tagged(["NOUN", "", "PUNCT"], tags="doc")] == ["NOUN", "", "PUNCT"]


def test_a_long_sentence_has_no_probabilities(parser: Parser) -> None:
    nlp = component_for(parser, confidence=True, k_best=2, sentences="doc")
    words = ["the"] * 2001
    doc = Doc(nlp.vocab, words=words, pos=["DET"] * len(words), sent_starts=[True, *[False] * 2000])
    with pytest.warns(UserWarning, match="1 sentences of more than 2000 words have no probabilities"):
        nlp(doc)
    assert doc[5].head.i >= 0
    assert doc[5]._.head_prob is None
    assert doc._.k_best == [[]]
