"""Bad input: where it is, what is wrong, what to do; or skipped and counted."""

import pytest

from headwise.base.errors import HeadwiseError, TreebankError
from headwise.treebank import read

GOOD = "1\tfine\t_\t_\t_\t_\t0\troot\t_\t_\n\n"


def word(id="1", form="w", head="0", misc="_"):
    return f"{id}\t{form}\t_\tX\t_\t_\t{head}\tdep\t_\t{misc}\n"


def error_of(text, **options):
    data = text if isinstance(text, bytes) else text.encode()
    with pytest.raises(TreebankError) as caught:
        list(read(data, **options))
    # The same problem, and nothing else, is what skipping notes; and what follows is read.
    reader = read(data + b"\n\n" + GOOD.encode(), on_error="skip", **options)
    assert [sentence.forms for sentence in reader][-1] == ["fine"]
    assert [str(error) for error in reader.skipped] == [str(caught.value)]
    return caught.value


CASES = {
    # what: (text, line, column, problem, remedy)
    "too few columns": ("1\ta\tb\n2\n", 1, 6, "3 columns", "write _"),
    "too many columns": (word().replace("\n", "\tx\n"), 1, 24, "11 columns", "extra tabs"),
    "spaces for tabs": ("1 a b c d e 0 root _ _\n", 1, 23, "1 column", "tabs, not with spaces"),
    "eight columns": ("# x\n1\ta\t_\t_\t_\t_\t0\troot\n", 2, 19, "8 columns", "conllx"),
    "an empty field": (word(form=""), 1, 3, "FORM is empty", "write _"),
    "an empty last field": (word(misc=""), 1, 21, "MISC is empty", "write _"),
    "white space for an empty line": (word() + " \t\n", 2, 1, "only white space", "make it empty"),
    "a gap in the numbers": (
        word() + word("3"),
        2,
        1,
        'ID is "3", but the next word is 2',
        "number the words",
    ),
    "no first word": (word("2"), 1, 1, "the next word is 1", "number the words"),
    "a sentence that runs on": (word() + word(), 2, 1, "the next word is 2", "empty line"),
    "an ID that is no number": (word("x"), 1, 1, "an ID is a number", "number the words"),
    "a huge ID": (word("99999999999999999999"), 1, 1, "an ID is a number", "number the words"),
    "a range in the wrong place": (word() + word("1-2"), 2, 1, "right before its first word", "number"),
    "a range backwards": (word() + word("2-1"), 2, 1, "right before its first word", "number"),
    "a range too long": (word("1-3", head="_") + word(), 1, 1, "ends with word 1", "missing words"),
    "overlapping ranges": (word("1-2") + word("1-3") + word() + word("2"), 2, 1, "overlaps", "number"),
    "an empty node out of order": (word() + word("1.2"), 2, 1, "the next empty node here is 1.1", "number"),
    "only empty nodes": (word("0.1"), 1, 1, "no words", "remove it"),
    "a head that is no number": (word(form="漢字", head="x"), 1, 14, 'HEAD is "x"', "0 for the root"),
    "a head that begins as a number": (word(head="1a"), 1, 13, 'HEAD is "1a"', "0 for the root"),
    "a head out of range": (word(head="2"), 1, 13, "word 1 has head 2", "correct HEAD"),
    "a huge head": (word(head="99999999999999999999"), 1, 13, "word 1 has head 2147483647", "correct HEAD"),
    "a negative head": (word(head="-4"), 1, 13, "word 1 has head -4", "correct HEAD"),
    "a self-loop": (word() + word("2", head="2"), 2, 13, "word 2 is its own head", "--on-error skip"),
    "a cycle": (
        word() + word("2", head="3") + word("3", head="2"),
        2,
        13,
        "the heads go round in a cycle: 2 → 3 → 2",
        "correct HEAD",
    ),
    "a NUL": (word(form="a\0b"), 1, 4, "NUL", "remove it"),
    "Latin-1": (b"# caf\xe9\n" + word().encode(), 1, 6, "0xE9 is not UTF-8", "ENCODING may be latin1"),
    "an overlong form": (word().encode().replace(b"w", b"\xc0\xaf"), 1, 3, "0xC0", "UTF-8"),
    "a surrogate": (word().encode().replace(b"w", b"\xed\xa0\x80"), 1, 3, "0xED", "UTF-8"),
    "beyond Unicode": (word().encode().replace(b"w", b"\xf4\x90\x80\x80"), 1, 3, "0xF4", "UTF-8"),
    "UTF-16": (("\ufeff" + word()).encode("utf-16-le"), 1, 1, "UTF-16", "iconv -f utf-16"),
}


@pytest.mark.parametrize("case", CASES)
def test_a_broken_sentence(case):
    text, line, column, problem, remedy = CASES[case]
    error = error_of(text, format="conllu")
    assert problem in error.problem
    assert remedy in error.remedy
    assert (error.file, error.line, error.column) == ("<bytes>", line, column)
    assert str(error).startswith(f"<bytes>:{line}:{column}: ")
    assert isinstance(error, HeadwiseError)


def test_line_numbers_count_from_the_start_of_the_file():
    error = error_of("\n\n# lone\n\n" + GOOD * 2 + "# x\n" + word() + word("5"), format="conllu")
    assert (error.line, error.column) == (11, 1)


def test_columns_count_characters_after_a_byte_order_mark():
    error = error_of(b"\xef\xbb\xbf" + word(head="?").encode(), format="conllu")
    assert (error.line, error.column) == (1, 13)


def test_conllx_has_no_ranges():
    assert "format conllu" in error_of(word("1-2") + word() + word("2"), format="conllx").remedy


def test_several_roots_are_an_error_only_where_one_is_asked_for():
    text = (word() + word("2")).encode()
    assert len(list(read(text))) == 1
    with pytest.raises(TreebankError, match="2 words have head 0"):
        list(read(text, validate="single-root"))


@pytest.mark.parametrize("head", ["_", "-1", "7", "1", "99999999999"])
def test_any_number_is_a_head_where_only_columns_are_checked(head):
    sentence = next(read(word(head=head).encode(), validate="columns"))
    assert sentence.to_bytes() == word(head=head).encode()


def test_sentences_before_the_broken_one_are_read():
    reader = read((GOOD + "broken\n\n" + GOOD).encode())
    assert len(next(reader)) == 1
    with pytest.raises(TreebankError):
        next(reader)


def test_a_cut_off_file_says_so():
    with pytest.raises(TreebankError, match="cut off here"):
        list(read((GOOD + word()[:12]).encode()))


@pytest.mark.parametrize(
    "data", [b"", b"\n", b"\r\n\r\n", b"# only a comment", b"\xef\xbb\xbf", b"\n# x\n\n"]
)
def test_files_without_sentences_are_empty(data):
    reader = read(data)
    assert list(reader) == []
    assert reader.trailer == data


def test_broken_text_after_the_last_sentence_is_found():
    with pytest.raises(TreebankError, match="<bytes>:3:3: the byte 0xFF"):
        list(read(GOOD.encode() + b"# \xff"))


def test_a_file_without_empty_lines_is_not_kept_in_memory():
    class Endless:
        name = "endless"

        def __init__(self):
            self.left = 200

        def read(self, size):
            self.left -= 1
            return b"x" * (1 << 20) if self.left > 0 else b""

    reader = read(Endless(), on_error="skip")
    assert list(reader) == []
    assert len(reader.skipped) == 1
    assert "no sentence ends within 64 MiB" in reader.skipped[0].problem


def test_wrong_calls():
    with pytest.raises(ValueError, match="on_error must be"):
        read(b"", on_error="ignore")
    with pytest.raises(ValueError, match="validate must be"):
        read(b"", validate="all")
    with pytest.raises(ValueError, match="format must be"):
        read(b"", format="tsv")


@pytest.mark.parametrize(
    "data",
    [
        b"1\ta\rb\t_\t_\t_\t_\t0\troot\t_\t_\n\n",
        b"1\ta\t_\t_\t_\t_\t0\troot\t_\tx\r\r\n\n",
        b"# text = a\rb\n1\ta\t_\t_\t_\t_\t0\troot\t_\t_\n\n",
    ],
)
def test_a_carriage_return_inside_a_line(data: bytes) -> None:
    """Nothing that is written could hold it, so it is not read either."""
    with pytest.raises(TreebankError, match="carriage return stands inside the line"):
        list(read(data, validate="columns"))


@pytest.mark.parametrize("head", ["-1", "-2", "-9999999999999999999"])
def test_negative_heads_are_no_unknown_ones(head: str) -> None:
    data = f"1\ta\t_\t_\t_\t_\t0\troot\t_\t_\n2\tb\t_\t_\t_\t_\t{head}\tx\t_\t_\n\n".encode()
    with pytest.raises(TreebankError):
        list(read(data))
    assert len(list(read(data, validate="columns"))) == 1
    assert len(list(read(data.replace(head.encode(), b"_")))) == 1
