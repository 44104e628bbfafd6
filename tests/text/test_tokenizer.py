"""The tokenizer: it learns, it loses no character, it respects what is known already."""

from __future__ import annotations

import random
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from headwise import HeadwiseError
from headwise.components.text import Tokenizer, TokenizerSettings, pretokenized
from headwise.components.text.accuracy import split_scores
from headwise.components.text.raw_text import raw_text, surface_tokens
from headwise.evaluation import evaluate
from headwise.model import ModelError
from headwise.treebank import Sentence
from toy_text import toy_text


def with_some_tree(sentences: list[Sentence]) -> list[Sentence]:
    return [
        s.with_tree([0] + [1] * (len(s) - 1), ["root"] + ["dep"] * (len(s) - 1)) for s in sentences
    ]  # the scorer wants trees


def test_it_learns_the_toy_language(tokenizer: Tokenizer) -> None:
    gold = toy_text(100, seed=2)
    scores = evaluate(with_some_tree(gold), with_some_tree(tokenizer(raw_text(gold))), "ud")
    assert scores.tokens.f1 > 0.99
    assert scores.words.f1 > 0.99
    assert scores.sentences.f1 > 0.97


def test_a_sentence_looks_like_ud(tokenizer: Tokenizer) -> None:
    first, second = tokenizer("We see  the U.S.\ntrees. Don't see du дом?\n")
    assert str(first) == (
        "# newpar\n# sent_id = 1\n# text = We see the U.S. trees.\n"
        "1\tWe\t_\t_\t_\t_\t_\t_\t_\t_\n"
        "2\tsee\t_\t_\t_\t_\t_\t_\t_\t_\n"
        "3\tthe\t_\t_\t_\t_\t_\t_\t_\t_\n"
        "4\tU.S.\t_\t_\t_\t_\t_\t_\t_\t_\n"
        "5\ttrees\t_\t_\t_\t_\t_\t_\t_\tSpaceAfter=No\n"
        "6\t.\t_\t_\t_\t_\t_\t_\t_\t_\n\n"
    )
    assert second.forms == ["Do", "n't", "see", "de", "le", "дом", "?"]
    assert [t.id for t in second.tokens][:3] == ["1-2", "1", "2"]
    assert second.text == "Don't see du дом?"


def covered(text: str, sentences: list[Sentence]) -> Iterator[str]:
    for sentence in sentences:
        for token in sentence.tokens:
            ranges = [m for m in token.misc.split("|") if m.startswith("TokenRange=")]
            if ranges:
                begin, end = map(int, ranges[0].removeprefix("TokenRange=").split(":"))
                assert " ".join(text[begin:end].split()) == token.form
                yield text[begin:end]


TEXTS = st.text(st.sampled_from("ab.?'’ \n\tЖ猫é0-\u00a0\u2028𝒳\u0301"), max_size=60)


@settings(max_examples=200, deadline=None)
@given(TEXTS, st.sampled_from(["text", "lines", "tokens"]))
def test_no_character_is_lost_and_offsets_are_right(tokenizer: Tokenizer, text: str, input: str) -> None:
    found = tokenizer(text, input=input, offsets=True)
    assert "".join("".join(covered(text, found)).split()) == "".join(text.split())


@settings(max_examples=100, deadline=None)
@given(TEXTS)
def test_text_and_space_after_agree_with_the_tokens(tokenizer: Tokenizer, text: str) -> None:
    for sentence in tokenizer(text):
        tokens = list(surface_tokens(sentence))
        joined = "".join(t.form + (" " if t.space_after else "") for t in tokens[:-1]) + tokens[-1].form
        assert sentence.text == joined


def test_one_sentence_a_line_stays_one(tokenizer: Tokenizer) -> None:
    lines = ["We see. Don't we?\n", "\n", "it's\n"]
    found = list(tokenizer.pipe(lines, input="lines"))
    assert [s.text for s in found] == ["We see. Don't we?", "it's"]
    assert found[0].forms == ["We", "see", ".", "Do", "n't", "we", "?"]


def test_given_tokens_are_kept_exactly(tokenizer: Tokenizer) -> None:
    lines = ["don't  see.We \n", "\n", "(a) .\n"]
    found = list(tokenizer.pipe(lines, input="tokens"))
    assert [s.forms for s in found] == [["don't", "see.We"], ["(a)", "."]]
    assert found == list(pretokenized(lines))
    assert found[1].sent_id == "2"


def test_streaming_is_the_same_as_all_at_once(tokenizer: Tokenizer, monkeypatch: pytest.MonkeyPatch) -> None:
    """Long paragraphs are looked at in stretches: the sentences must be those of the whole."""
    text = raw_text(toy_text(120, seed=3)).replace("\n\n", " ")
    whole = tokenizer(text, offsets=True)
    monkeypatch.setattr("headwise.components.text.tokenizer.LONGEST", 600)
    pieces = list(tokenizer.pipe([text[i : i + 7] for i in range(0, len(text), 7)], offsets=True))
    assert [str(s) for s in pieces] == [str(s) for s in whole]


def test_a_paragraph_without_end_is_still_split(
    tokenizer: Tokenizer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("headwise.components.text.tokenizer.LONGEST", 300)
    text = "a" * 1000
    assert "".join(covered(text, tokenizer(text, offsets=True))) == text


def test_saved_tokenizer_comes_back(tokenizer: Tokenizer, tmp_path: Path) -> None:
    text = raw_text(toy_text(20, seed=4))
    tokenizer.save(tmp_path / "tokenizer.hw")
    assert Tokenizer.load(tmp_path / "tokenizer.hw")(text) == tokenizer(text)
    config, tensors = tokenizer.to_tensors()
    assert Tokenizer.from_tensors(config, tensors)(text) == tokenizer(text)
    with pytest.raises(ModelError, match="not a usable tokenizer"):
        Tokenizer.from_tensors(config, {"weights": tensors["weights"][:-1]})


def test_same_seed_same_bytes(tmp_path: Path) -> None:
    def train(seed: int) -> bytes:
        Tokenizer.train(toy_text(60, seed=1), bits=12, epochs=2, seed=seed).save(tmp_path / "t.hw")
        return (tmp_path / "t.hw").read_bytes()

    assert train(1) == train(1)
    assert train(1) != train(2)


def test_a_script_without_spaces_is_learned() -> None:
    words = ["猫", "は", "魚", "を食べる", "犬", "見る"]
    rng = random.Random(1)
    sentences = []
    for _ in range(150):
        forms = [rng.choice(words) for _ in range(rng.randint(2, 5))] + ["。"]
        sentences.append(Sentence.from_words(forms, misc=["SpaceAfter=No"] * len(forms)))
    text = raw_text(sentences[:10])
    assert " " not in text
    found = Tokenizer.train(sentences, bits=14, epochs=5)(text)
    assert [s.forms for s in found] == [s.forms for s in sentences[:10]]


def test_spaces_inside_tokens_are_learned_where_the_treebank_has_them() -> None:
    spaced = [Sentence.from_words(["il", "a", f"{k} 000", "amis"]) for k in range(1, 40)]
    plain = [Sentence.from_words(["il", "a", str(k), "amis"]) for k in range(1, 40)]
    tokenizer = Tokenizer.train(spaced + plain, bits=14, epochs=8)
    assert [s.forms for s in tokenizer("il a 55 000 amis", input="lines")] == [["il", "a", "55 000", "amis"]]


def test_text_comment_says_where_spaces_are() -> None:
    sentence = Sentence.from_words(["a", "b", "c"], comments=["# text = ab c"])
    assert [t.space_after for t in surface_tokens(sentence)] == [False, True, True]
    other = Sentence.from_words(["a", "b"], misc=["SpaceAfter=No", "_"], comments=["# text = something else"])
    assert [t.space_after for t in surface_tokens(other)] == [False, True]


@pytest.mark.parametrize(
    ("option", "value", "message"),
    [("epochs", 0, "epochs is 0"), ("aggressiveness", 0.0, "must be positive"), ("bits", 99, "bits is 99")],
)
def test_wrong_settings_are_named(option: str, value: float, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        TokenizerSettings(**{option: value})


def test_wrong_calls_are_explained(tokenizer: Tokenizer) -> None:
    with pytest.raises(HeadwiseError, match="no sentences"):
        Tokenizer.train([])
    with pytest.raises(ValueError, match="must be one of: text, lines, tokens"):
        tokenizer("a", input="words")  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("text", "address"),
    [
        ("We see https://x.org/a-b?c=d&e#f, the trees.", "https://x.org/a-b?c=d&e#f"),
        ("The trees (www.trees.com/oak_(tree)).", "www.trees.com/oak_(tree)"),
        ("FTP://x.org/", "FTP://x.org/"),
        ("We see http://дом.рф!", "http://дом.рф"),
    ],
)
def test_an_address_is_one_token(tokenizer: Tokenizer, text: str, address: str) -> None:
    assert address in [form for sentence in tokenizer(text) for form in sentence.forms]


@pytest.mark.parametrize(
    ("text", "tokens"),
    [
        ("We see jane.doe+x@mail.example.co.uk, the trees.", ["jane.doe+x@mail.example.co.uk"]),
        ("The trees (a-b@дом.рф).", ["a-b@дом.рф"]),
        ("We see @Ann_99, #trees and #100Trees!", ["@Ann_99", "#trees", "#100Trees"]),
        ("We see 👨\u200d👩\u200d👧 and 👍🏽 and ❤️ and 🇫🇮🇸🇪.", ["👨\u200d👩\u200d👧", "👍🏽", "❤️"]),
    ],
)
def test_what_people_write_on_the_web_is_one_token(
    tokenizer: Tokenizer, text: str, tokens: list[str]
) -> None:
    found = [form for sentence in tokenizer(text) for form in sentence.forms]
    assert set(tokens) <= set(found)
    for form in found:
        assert form.count("🇫") == form.count("🇮")
        assert form.count("🇸") == form.count("🇪")


def test_numbers_and_other_marks_are_no_names(tokenizer: Tokenizer) -> None:
    from headwise.components.text.train import keeps_handles

    (sentence,) = tokenizer("We see 5 @ 7", input="lines")
    assert sentence.forms == ["We", "see", "5", "@", "7"]
    split = [Sentence.from_words(["#", "tag", "."], misc=["SpaceAfter=No", "_", "_"])]
    assert not keeps_handles([token for s in split for token in surface_tokens(s)])
    assert keeps_handles([token for s in toy_text(5, seed=1) for token in surface_tokens(s)])


def test_lists_have_a_paragraph_for_each_item(tokenizer: Tokenizer) -> None:
    text = "We see:\n- the trees\n- a tree\n  of ours\n* it\n\n1. We see.\n2) The trees\n"
    sentences = tokenizer(text, offsets=True)
    starts = [sentence.forms[0] for sentence in sentences if "# newpar" in sentence.comments]
    assert starts[:4] == ["We", "-", "-", "*"]
    assert len(starts) == 6
    for sentence in sentences:
        for form, misc in zip(sentence.forms, sentence.misc, strict=True):
            begin, end = misc.split("TokenRange=")[1].split("|")[0].split(":")
            assert text[int(begin) : int(end)] == form


@pytest.mark.parametrize(
    "items",
    [
        ["a) the trees", "b) it"],
        ["(i) the trees", "(ii) it"],
        ["(I) the trees", "(II) it", "(III) we", "(XVIII) they"],
        ["A) the trees", "B) it"],
        ["α) the trees", "β) it"],
    ],
)
def test_items_may_have_letters(tokenizer: Tokenizer, items: list[str]) -> None:
    found = tokenizer("\n".join(["We see:", *items]))
    starts = [s.text or "" for s in found if "# newpar" in s.comments]
    assert [start.split()[0] for start in starts] == ["We", *(item.split()[0] for item in items)]
    assert len(tokenizer("We see.\nA. Lee\n(or it) we see")) == len(
        tokenizer("We see. A. Lee (or it) we see")
    )


@pytest.mark.parametrize("line", ["(s) the trees", "x) the trees"])
def test_a_list_does_not_begin_in_the_middle(tokenizer: Tokenizer, line: str) -> None:
    assert sum("# newpar" in s.comments for s in tokenizer(f"We see.\n{line}")) == 1


def test_a_dash_within_a_sentence_begins_no_item(tokenizer: Tokenizer) -> None:
    assert len(tokenizer("We see\n- the trees\n- of ours.\n")) == len(
        tokenizer("We see - the trees - of ours.")
    )


def test_addresses_are_split_where_the_treebank_does() -> None:
    gold = toy_text(20, seed=1)
    assert Tokenizer.train(gold, epochs=1).config.addresses
    split = Sentence.from_words(["http", ":", "//", "x", ".org"], misc=["SpaceAfter=No"] * 5)
    assert not Tokenizer.train([*gold, split], epochs=1).config.addresses


def test_what_is_looked_at_depends_on_the_script(tokenizer: Tokenizer) -> None:
    assert tokenizer.config.context == "words"
    glued = [
        Sentence.from_words(["木", "木木", "。"], misc=["SpaceAfter=No"] * 3),
        Sentence.from_words(["木木", "木", "。"], misc=["SpaceAfter=No"] * 3),
    ]
    assert Tokenizer.train(glued * 10, epochs=2).config.context == "characters"


def test_particles_of_the_second_place_tell_where_sentences_begin() -> None:
    """Without punctuation and capitals: a sentence's second word is "pa", which stands nowhere else."""
    rng = random.Random(1)
    words = ["ba", "bo", "bi", "ga", "go", "gi"]

    def sentence() -> Sentence:
        first, *others = (rng.choice(words) for _ in range(rng.randint(3, 6)))
        return Sentence.from_words([first, "pa", *others])

    gold = [sentence() for _ in range(200)]
    trained = Tokenizer.train(gold[:150])
    assert split_scores(gold[150:], trained).sentences > 0.95
