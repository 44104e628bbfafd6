"""Go through the input, shard by shard: which of them are done, and what is in the others."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

from headwise.corpus.events import FileUnreadable, ToDo
from headwise.corpus.inputs import InputError, Unit
from headwise.corpus.options import CorpusOptions
from headwise.corpus.output import OutputFolder
from headwise.corpus.shards import shards_of
from headwise.corpus.spans import UnreadableError


class ChangedInputError(InputError):
    """Input that is not what it was when a part of it was parsed."""


def shards_to_do(
    units: Iterable[Unit], options: CorpusOptions, folder: OutputFolder
) -> Iterator[ToDo | FileUnreadable]:
    """All shards in order; those that are done without their data.

    Their input is read again all the same, which takes a thousandth of the time of parsing it, to see that it
    is what it was.
    """
    marked = folder.shards_marked()
    for unit in units:
        try:
            for shard in shards_of(unit, options):
                marker = folder.marker(shard.name) if shard.name in marked else None
                if marker is None:
                    yield ToDo(shard, None)
                elif marker.input != shard.digest:
                    raise ChangedInputError(
                        f"{shard.spans[0].file} has changed since it was parsed (shard {shard.name}). Parse "
                        "it into a new folder, or put the file back as it was."
                    )
                else:
                    yield ToDo(replace(shard, spans=()), marker)
        except UnreadableError as error:
            yield FileUnreadable(str(error))
