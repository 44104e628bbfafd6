"""The ud protocol against the official CoNLL 2018 scorer, which the package udtools carries.

Every count and every ratio must be the same, to the last bit, on files whose trees, tags, tokens, multiword
tokens and sentences differ at random, and on real treebanks.
"""

from __future__ import annotations

import io
import lzma
import os
from pathlib import Path
from random import Random

import pytest
from evaluation_examples import sentences
from hypothesis import example, given, settings
from hypothesis import strategies as st
from udtools import udeval

from headwise.evaluation import EvaluationError, Score, UniversalScores, evaluate

OFFICIAL_NAMES = {
    "Tokens": "tokens",
    "Sentences": "sentences",
    "Words": "words",
    "UPOS": "upos",
    "XPOS": "xpos",
    "UFeats": "ufeats",
    "AllTags": "all_tags",
    "Lemmas": "lemmas",
    "UAS": "uas",
    "LAS": "las",
    "CLAS": "clas",
    "MLAS": "mlas",
    "BLEX": "blex",
}
FEATURES = ["_", "Case=Nom", "Case=Nom|Number=Sing", "Number=Sing|Case=Nom", "Case=Nom|Foo=Bar", "Foo=Bar"]
LABELS = ["nsubj", "nsubj:pass", "obj", "case", "case:x", "det", "cc", "punct", "unheard-of"]
SPACES = ["\u00a0", " ", "\u3000"]


def official(gold: str, system: str) -> dict[str, udeval.Score]:
    options = {"multiple_roots_okay": True}
    loaded = [
        udeval.load_conllu(io.StringIO(text), name, options) for text, name in ((gold, "g"), (system, "s"))
    ]
    return udeval.evaluate(*loaded)


def assert_same(ours: UniversalScores, theirs: dict[str, udeval.Score]) -> None:
    for their_name, our_name in OFFICIAL_NAMES.items():
        our, their = getattr(ours, our_name), theirs[their_name]
        assert isinstance(our, Score)
        counts = (their.correct, their.gold_total, their.system_total, their.aligned_total)
        assert (our.correct, our.gold, our.system, our.aligned) == counts, their_name
        ratios = (their.precision, their.recall, their.f1, their.aligned_accuracy)
        assert (our.precision, our.recall, our.f1, our.aligned_accuracy) == ratios, their_name


def random_heads(random: Random, size: int) -> list[int]:
    """A random tree with one root: every word hangs on one that came before it in a random order."""
    order = random.sample(range(1, size + 1), size)
    heads = [0] * size
    for place, word in enumerate(order[1:], start=1):
        heads[word - 1] = order[random.randrange(place)]
    return heads


def _piece(random: Random, text: str) -> str:
    """A form that the text near by has too, so that what is aligned is not plain to see."""
    start = random.randrange(min(len(text), 4))
    form = text[start : start + random.randint(1, 2)]
    return random.choice([form, form.upper(), form[0] + " " + form[1:]])


def random_file(random: Random, characters: str, multiword: float) -> str:
    """A CoNLL-U file over `characters`: random tokens, words, sentences, trees and tags."""
    lines: list[str] = []
    rest = characters
    while rest:
        tokens: list[tuple[str, list[str]]] = []
        for _ in range(random.randint(1, 6)):
            if not rest:
                break
            size = random.choice([1, 1, 2, 3])
            token, rest = rest[:size], rest[size:]
            if len(token) > 1 and random.random() < 0.1:
                token = token[0] + random.choice(SPACES) + token[1:]
            words = []
            if random.random() < multiword:
                words = [_piece(random, token + rest) for _ in range(random.randint(2, 3))]
            tokens.append((token, words))
        heads = iter(random_heads(random, sum(len(words) or 1 for _, words in tokens)))
        number = 1
        for token, words in tokens:
            if words:
                lines.append(f"{number}-{number + len(words) - 1}\t{token}" + 8 * "\t_")
            for form in words or [token]:
                tags = [random.choice(["_", "x", "y"]), random.choice(["N", "V"]), random.choice(["n", "v"])]
                columns = [*tags, random.choice(FEATURES), str(next(heads)), random.choice(LABELS)]
                lines.append("\t".join([str(number), form, *columns, "_", "_"]))
                number += 1
        lines.append("")
    return "\n".join(lines) + "\n"


@settings(max_examples=300, deadline=None)
@given(
    st.text("abc", min_size=1, max_size=24), st.randoms(use_true_random=False), st.sampled_from([0, 0.2, 0.6])
)
@example("ab", Random(1), 0.6)
def test_any_two_files_of_one_text(characters: str, random: Random, multiword: float) -> None:
    gold, system = (random_file(random, characters, multiword) for _ in range(2))
    assert_same(evaluate(sentences(gold), sentences(system)), official(gold, system))


@pytest.mark.parametrize(
    ("gold", "system"),
    [
        ("ab=a+b c", "a b c"),  # a multiword token or its words
        ("ab=x+bc c", "a bc"),  # "bc" sticks out of the multiword token, so it is not the word "bc" in it
        ("abcd=a+b+c+d", "ab=a+b cd=c+d"),
        ("abc=a+b+c de=d+e", "a bcd=b+c+d e"),  # multiword tokens that overlap make one region
        ("a bc=b+c d", "ab=x+y cd=z+a"),
        ("aaaa bc=a+c", "a aaa bc=x+c"),  # the word "a" before the multiword token is left behind
        ("aaaa bc=a+c", "aa a a bc=x+c"),  # but only one such word, and another "a" is aligned
        ("ab=A+B", "ab=a+b"),  # case does not matter
        ("ab=x+y+x", "ab=y+x+y"),  # two common subsequences of the same length
    ],
)
def test_words_of_multiword_tokens(gold: str, system: str) -> None:
    gold_text, system_text = surface(gold), surface(system)
    assert_same(evaluate(sentences(gold_text), sentences(system_text)), official(gold_text, system_text))
    assert_same(evaluate(sentences(system_text), sentences(gold_text)), official(system_text, gold_text))


def surface(tokens: str) -> str:
    """One sentence, a chain, of tokens such as `dog` or `du=de+le`."""
    lines, number = [], 1
    for token in tokens.split():
        form, _, parts = token.partition("=")
        words = parts.split("+") if parts else [form]
        if parts:
            lines.append(f"{number}-{number + len(words) - 1}\t{form}" + 8 * "\t_")
        for word in words:
            lines.append(f"{number}\t{word}\t_\t_\t_\t_\t{number - 1}\tdep\t_\t_")
            number += 1
    return "\n".join([*lines, "", ""])


def perturbed(random: Random, text: str, rate: float) -> str:
    """`text` with some columns changed and some tokens joined into, or freed from, multiword tokens."""
    blocks = []
    for block in text.strip("\n").split("\n\n"):
        rows = [line.split("\t") for line in block.split("\n") if not line.startswith("#")]
        words = [row for row in rows if row[0].isdigit()]
        inside = {
            number
            for row in rows
            if "-" in row[0]
            for number in range(int(row[0].split("-")[0]), int(row[0].split("-")[1]) + 1)
        }
        if random.random() < rate:
            for row, head in zip(words, random_heads(random, len(words)), strict=True):
                row[6] = str(head)
        changed = []
        for row in rows:
            if row[0].isdigit():
                for column, values in (
                    (2, ["_", "x"]),
                    (3, ["NOUN"]),
                    (4, ["NN"]),
                    (5, FEATURES),
                    (7, LABELS),
                ):
                    if random.random() < rate:
                        row[column] = random.choice(values)
                number = int(row[0])
                if not {number, number + 1} & inside and number < len(words) and random.random() < rate / 4:
                    # The surface of two words becomes one multiword token of both.
                    changed.append([f"{number}-{number + 1}", row[1] + words[number][1], *8 * ["_"]])
                    inside |= {number, number + 1}
            changed.append(row)
        blocks.append("\n".join("\t".join(row) for row in changed))
    return "\n\n".join(blocks) + "\n\n"


@settings(max_examples=60, deadline=None)
@given(
    st.text("abc", min_size=1, max_size=60),
    st.randoms(use_true_random=False),
    st.sampled_from([0.05, 0.3, 1]),
)
def test_a_perturbed_file(characters: str, random: Random, rate: float) -> None:
    gold = random_file(random, characters, 0.15)
    system = perturbed(random, gold, rate)
    assert_same(evaluate(sentences(gold), sentences(system)), official(gold, system))


def test_different_text_is_an_error_that_names_the_place() -> None:
    row = "{}\t{}\t_\t_\t_\t_\t{}\tdep\t_\t_\n"
    gold = row.format(1, "the", 2) + row.format(2, "end", 0) + "\n"
    system = row.format(1, "th", 2) + row.format(2, "eEnd", 0) + "\n"
    message = (
        r"gold, sentence 1, word 2 \('end'\) goes on with 'end', but system, .*'eEnd'\) goes on with 'End'"
    )
    with pytest.raises(EvaluationError, match=message):
        evaluate(sentences(gold), sentences(system))
    with pytest.raises(udeval.UDError):
        official(gold, system)


def test_missing_text_is_an_error() -> None:
    row = "1\t{}\t_\t_\t_\t_\t0\troot\t_\t_\n\n"
    with pytest.raises(EvaluationError, match="but system ends after 1 sentences"):
        evaluate(sentences(row.format("a") + row.format("b")), sentences(row.format("a")))


def test_a_token_of_spaces_only_is_an_error() -> None:
    text = "1\ta\t_\t_\t_\t_\t0\troot\t_\t_\n2\t\u00a0\t_\t_\t_\t_\t1\tdep\t_\t_\n\n"
    with pytest.raises(EvaluationError, match=r"word 2 .* no characters but spaces"):
        evaluate(sentences(text), sentences(text))


def shared_treebanks() -> Path:
    return Path(os.environ.get("HEADWISE_DATA", Path(__file__).parents[2].parent / "shared")) / "treebanks"


@pytest.mark.data
@pytest.mark.parametrize("name", ["UD_French-Sequoia", "UD_Turkish-IMST", "UD_Greek-GDT"])
def test_a_real_treebank(name: str) -> None:
    path = shared_treebanks() / name / "dev.conllu.xz"
    if not path.exists():
        pytest.skip(f"the shared treebanks are not here ({path})")
    with lzma.open(path, "rt", encoding="utf-8") as file:
        gold = file.read()
    system = perturbed(Random(1), gold, 0.2)
    assert_same(evaluate(sentences(gold), sentences(system), multiple_roots=True), official(gold, system))
