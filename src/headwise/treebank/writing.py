"""Writing sentences to treebank files."""

from __future__ import annotations

from collections.abc import Iterable

from headwise._native import conll
from headwise._native.conll import Sentence
from headwise.treebank.files import Writable, opened_for_writing

_SENTENCES_AT_ONCE = 256


def write(sentences: Iterable[Sentence], file: Writable) -> None:
    """Write sentences to a path (.gz and .xz compressed), "-" for standard output, or an open binary file.

    Sentences that were read and not changed come out as the bytes they were. Given a reader or a Treebank,
    what followed the last sentence in its file is written as well, so that the whole file comes back.
    """
    writer = conll.Writer()
    with opened_for_writing(file) as output:
        for count, sentence in enumerate(sentences, start=1):
            writer.write(sentence)
            if count % _SENTENCES_AT_ONCE == 0:
                output.write(writer.take())
        trailer = getattr(sentences, "trailer", b"")
        writer.write_trailer(trailer)
        output.write(writer.take())
