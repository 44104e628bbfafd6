"""``headwise phrases``: the commands for bracketed trees. One file a command."""

from __future__ import annotations

from headwise.cli.command import Commands
from headwise.cli.overwriting import keeping_inputs

phrases = Commands(
    name="phrases",
    about="Phrase structure: train a parser on bracketed trees, parse, evaluate (docs/phrase-structure.md).",
    groups={
        "Phrase structure": {
            "train": "Train a phrase-structure parser on bracketed trees.",
            "parse": "Find the phrases of sentences.",
            "evaluate": "Score a file of bracketed trees against the gold file, as EVALB does.",
            "show": "Draw bracketed trees in the terminal, as SVG, or as a web page.",
            "convert": "Convert bracketed trees to dependencies, or to simpler trees.",
            "info": "Show what is in a file of bracketed trees, or in a model of them.",
        }
    },
    package="headwise.cli.phrases",
    wrap=keeping_inputs,
)
