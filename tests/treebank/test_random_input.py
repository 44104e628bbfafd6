"""Whatever the bytes are, reading them gives sentences that come back as they were, or a clean error."""

import contextlib

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from headwise._native import treebank as native
from headwise.base.errors import TreebankError
from headwise.treebank import Sentence, check_tree, read

VALID = (
    "# text = vámonos al mar\n# x\n"
    "1-2\tvámonos\t_\t_\t_\t_\t_\t_\t_\t_\n"
    "1\tvamos\tir\tVERB\t_\tMood=Imp\t0\troot\t0:root\t_\n"
    "1.1\t[ella]\t_\t_\t_\t_\t_\t_\t1:nsubj\t_\n"
    "2\tnos\tyo\tPRON\t_\t_\t1\tobj\t1:obj\tA=b\n"
    "3-4\tal\t_\t_\t_\t_\t_\t_\t_\t_\n"
    "3\ta\ta\tADP\t_\t_\t5\tcase\t5:case\t_\n"
    "4\tel\tel\tDET\t_\t_\t5\tdet\t5:det\t_\n"
    "5\tmar\tmar\tNOUN\t_\t_\t1\tobl\t1:obl\tSpaceAfter=No\n\n"
).encode()

fields = st.text(
    st.characters(blacklist_categories=("Cs",), blacklist_characters="\t\n\r\0"), min_size=1, max_size=12
)


@st.composite
def files(draw):
    """A file of valid sentences, with all that may stand around their words."""
    newline = draw(st.sampled_from(["\n", "\r\n"]))
    lines = []
    for _ in range(draw(st.integers(1, 4))):
        lines += [""] * draw(st.integers(0, 2))
        lines += ["#" + draw(fields) for _ in range(draw(st.integers(0, 3)))]
        n = draw(st.integers(1, 6))
        heads = [draw(st.sampled_from(["_", *map(str, range(word))])) for word in range(1, n + 1)]
        open_until = 0
        for word, head in enumerate(heads, start=1):
            rest = [draw(fields) for _ in range(7)]
            if word > open_until and draw(st.booleans()):
                open_until = draw(st.integers(word, n))
                lines.append("\t".join([f"{word}-{open_until}", *["_"] * 9]))
            lines.append("\t".join([str(word), *rest[:5], head, rest[5], "_", rest[6]]))
            lines += ["\t".join([f"{word}.{i}", *["_"] * 9]) for i in range(1, draw(st.integers(1, 3)))]
        lines.append("")
    return (newline.join(lines) + draw(st.sampled_from(["", newline, newline + "# end"]))).encode()


def read_all(data, **options):
    reader = read(data, format="conllu", **options)
    sentences = list(reader)
    return sentences, reader


@given(files())
def test_valid_files_come_back(data):
    sentences, reader = read_all(data)
    assert native.to_bytes(sentences, reader.trailer) == data


@given(files(), st.data())
def test_new_trees_change_nothing_else(data, draw):
    for sentence in read_all(data)[0]:
        heads = [draw.draw(st.integers(-1, len(sentence))) for _ in range(len(sentence))]
        labels = [draw.draw(fields) for _ in heads]
        misc = [draw.draw(fields) for _ in heads]
        changed = sentence.with_tree(heads, labels, misc)
        assert (changed.heads.tolist(), changed.labels, changed.misc) == (heads, labels, misc)
        # Put back what was there, and everything is as before: no other byte was touched.
        assert changed.with_tree(sentence.heads, sentence.labels, sentence.misc) == sentence


@given(st.lists(st.tuples(fields, fields, fields), min_size=1, max_size=6))
def test_from_words_keeps_the_words(words):
    forms, lemmas, labels = map(list, zip(*words, strict=True))
    sentence = Sentence.from_words(forms, lemmas, labels=labels)
    assert (sentence.forms, sentence.lemmas, sentence.labels) == (forms, lemmas, labels)
    assert next(read(sentence.to_bytes(), format="conllu")) == sentence


@settings(max_examples=300)
@given(st.binary(max_size=200))
@example(b"\x1f\x8b")
@example(b"\xfd7zXZ\x00")
@example(b"1\t\xff\n")
def test_random_bytes_never_crash(data):
    for validate in ("columns", "tree"):
        with contextlib.suppress(TreebankError):
            list(read(data, validate=validate))
        with contextlib.suppress(TreebankError):  # damaged compression cannot be skipped
            list(read(data, validate=validate, on_error="skip"))


mutations = st.lists(
    st.tuples(
        st.integers(0, len(VALID)),
        st.integers(0, 4),
        st.sampled_from(
            [b"", b"\t", b"\n", b"\n\n", b"#", b"0", b"1", b"9", b"_", b"-", b".", b"\r", b"\0", b"\xc3"]
        ),
    ),
    min_size=1,
    max_size=4,
)


@settings(max_examples=500)
@given(mutations)
def test_mutated_files_give_a_clean_error_or_valid_sentences(mutations):
    data = VALID * 2
    for at, delete, insert in mutations:
        data = data[:at] + insert + data[at + delete :]
    sentences, reader = read_all(data, on_error="skip")
    for error in reader.skipped:
        assert 1 <= error.line <= data.count(b"\n") + 1
        assert error.problem
        assert error.remedy
    for sentence in sentences:
        assert check_tree(sentence.heads, single_root=False, partial=True) == []
        assert sentence.to_bytes() in data
    if not reader.skipped:
        assert native.to_bytes(sentences, reader.trailer) == data
    else:
        with pytest.raises(TreebankError) as stopped:
            read_all(data)
        assert str(stopped.value) == str(reader.skipped[0])
