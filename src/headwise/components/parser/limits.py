"""What is written about a sentence so long that a limit was met."""

from __future__ import annotations

from dataclasses import replace

from headwise.components.parser.parse import Parse

LIMITED = "# headwise_limit = long sentence: not all arcs were considered"


def noting_limits(parse: Parse) -> Parse:
    """The parse of a very long sentence says so in a comment, where its format has them."""
    sentence = parse.sentence
    if not parse.limited or sentence.format != "conllu" or LIMITED in sentence.comments:
        return parse
    return replace(parse, sentence=sentence.with_added_comments([LIMITED]))
