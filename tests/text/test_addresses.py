"""Addresses, names and what stands around them."""

from __future__ import annotations

import pytest

from headwise.components.text import Tokenizer


def split(tokenizer: Tokenizer, text: str) -> list[list[str]]:
    """The words of each sentence."""
    return [sentence.forms for sentence in tokenizer(text)]


@pytest.mark.parametrize("address", ["https://x.org/mustn't", "www.x.org/don't", "https://x.org/a/don't"])
def test_an_address_is_one_word_whatever_it_ends_in(tokenizer: Tokenizer, address: str) -> None:
    (forms, *_) = split(tokenizer, f"See {address} it.")
    assert forms[:2] == ["See", address]


@pytest.mark.parametrize(
    "address", ["x.org/a?b=don't", "docs.x-y.co.uk/", "EN.X.ORG/wiki/Don't_(it)", "youtu.be/a"]
)
def test_a_host_with_a_path_is_an_address(tokenizer: Tokenizer, address: str) -> None:
    assert split(tokenizer, f"We see {address}, the trees.")[0][:4] == ["We", "see", address, ","]


@pytest.mark.parametrize(
    "text",
    [
        *("St.We/don't", "U.S./don't", "and/don't", "3.5m/don't", "e.g/don't"),
        *("him.and/don't", "we.she/don't", "Node.js/don't", "ASP.NET/don't", "x.md/don't", "B.Com/don't"),
        *("sq.ft/don't", "St.louis/don't", "AT&T.com/don't", "a_b.org/don't", "/etc/cron.de/don't"),
        *("Toys'R'Us.com/don't", "x.ünet/don't", "é.org/don't", f"{'a-' * 130}b.org/don't"),
    ],
)
def test_other_slashes_make_no_address(tokenizer: Tokenizer, text: str) -> None:
    """The tokenizer splits "don't" wherever it is no part of an address."""
    assert not any(form.endswith("/don't") for form in split(tokenizer, f"We see {text}, the trees.")[0])


@pytest.mark.parametrize("mark", [*"—“”…«»。，、；：？！", "看", "ご", "는"])
def test_an_address_ends_where_the_text_goes_on(tokenizer: Tokenizer, mark: str) -> None:
    for address in ("https://x.org/don't", "x.org/don't"):
        assert address in split(tokenizer, f"We see {address}{mark}the trees.")[0]


@pytest.mark.parametrize(
    ("text", "tokens"),
    [
        ("We see <https://x.org/a>.", ["<", "https://x.org/a", ">", "."]),
        ("We see `https://x.org/a`.", ["`", "https://x.org/a", "`", "."]),
        ("We see <al@b.co>.", ["<", "al@b.co", ">", "."]),
        ('We see "https://x.org/a".', ['"', "https://x.org/a", '"', "."]),
    ],
)
def test_marks_around_an_address_are_tokens(tokenizer: Tokenizer, text: str, tokens: list[str]) -> None:
    assert split(tokenizer, text) == [["We", "see", *tokens]]


@pytest.mark.parametrize("text", ["We see @Ann's trees.", "We see al@b.co's trees."])
def test_what_is_glued_to_a_name_stays_in_its_sentence(tokenizer: Tokenizer, text: str) -> None:
    assert len(split(tokenizer, text)) == 1
