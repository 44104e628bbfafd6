"""``headwise phrases parse``: the phrases of sentences of any file, or of lines of words."""

from __future__ import annotations

import json
import sys
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from headwise.cli.choices import MOST_TREES, From, IfBroken, OnError, ParseInput, Written
from headwise.cli.command import Argument, Option
from headwise.cli.inputs import given_inputs
from headwise.cli.phrases.options import loaded, sentences_of
from headwise.cli.skipped import report_skipped

if TYPE_CHECKING:
    from headwise.base.errors import TreebankError
    from headwise.constituency.parser import PhraseParse


class PhraseOutput(StrEnum):
    brackets = "brackets"
    json = "json"
    tree = "tree"
    conllu = "conllu"


def parse(
    inputs: Annotated[
        list[str] | None,
        Argument(
            metavar="[TEXT|FILE]...",
            help="Sentences, words between spaces: text, or files of one a line, of brackets or of CoNLL-U;"
            " none or - reads standard input.",
            show_default=False,
        ),
    ] = None,
    *,
    model: Annotated[
        str, Option("--model", "-m", metavar="FILE", help="A model that headwise phrases train has made.")
    ],
    output: Written = Path("-"),
    from_: From = ParseInput.auto,
    to: Annotated[
        PhraseOutput | None,
        Option(
            "--to",
            help="Format of the output; conllu has the dependencies. (default: tree on a terminal, else"
            " brackets)",
        ),
    ] = None,
    k_best: Annotated[
        int | None,
        Option(min=1, max=MOST_TREES, metavar="K", help="Write the K best trees of each sentence."),
    ] = None,
    on_error: IfBroken = OnError.stop,
) -> None:
    """Find the phrases of sentences whose words stand between spaces.

    Examples:

      headwise phrases parse sentences.txt -m phrases.hw > parsed.ptb

      headwise phrases parse "The man saw a dog ." -m phrases.hw --to tree
    """
    from headwise.treebank.files import opened_for_writing

    if to is None:
        on_screen = str(output) == "-" and sys.stdout.isatty()
        to = PhraseOutput.tree if on_screen else PhraseOutput.brackets
    given = given_inputs(inputs)
    parser = loaded(model)
    skipped: list[TreebankError] = []
    with opened_for_writing(output) as opened:
        for one in given:
            for words in sentences_of(one, from_, on_error, skipped):
                parses = [parser(words)] if k_best is None else parser.k_best(words, k_best)
                for parse in parses:
                    opened.write(_written(parse, to).encode())
                opened.flush()
    report_skipped(skipped)


def _written(parse: PhraseParse, to: PhraseOutput) -> str:
    if to is PhraseOutput.json:
        return json.dumps(parse.to_json(), ensure_ascii=False) + "\n"
    if to is PhraseOutput.tree:
        return parse.tree.draw() + "\n"
    if to is PhraseOutput.conllu:
        from headwise.treebank import Sentence

        sentence = Sentence.from_words(parse.tree.words, xpos=parse.tree.tags, heads=parse.heads)
        return str(sentence).rstrip("\n") + "\n\n"
    return f"{parse.tree}\n"
