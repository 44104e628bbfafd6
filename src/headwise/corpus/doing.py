"""Parse one shard and put the result in place."""

from __future__ import annotations

import json
from collections import deque
from collections.abc import Callable, Iterable, Iterator

from headwise.corpus.model import CorpusModel
from headwise.corpus.options import CorpusOptions
from headwise.corpus.output import Marker, OutputFolder
from headwise.corpus.passages import Failure, Passage, TextPassage, passages_of
from headwise.corpus.shards import Shard
from headwise.corpus.writers import shard_writer
from headwise.parser.limits import noting_limits
from headwise.parser.parse import Parse
from headwise.treebank import Sentence
from headwise.treebank.parquet.columns import Place

Tick = Callable[[int], None]
"""Hears of words as they are parsed."""


def do_shard(
    shard: Shard, model: CorpusModel, options: CorpusOptions, folder: OutputFolder, tick: Tick
) -> Marker:
    """Parse a shard, write its file, what was set aside, and last the marker that says that it is done."""
    passages: list[Passage] = []
    failures: list[Failure] = []
    for span in shard.spans:
        for item in passages_of(span, options):
            failures.append(item) if isinstance(item, Failure) else passages.append(item)
    documents = sum(not isinstance(p, TextPassage) or p.is_first for p in passages)
    try:
        sentences, words, size = _write(shard, parsed(passages, model, options), options, folder, tick)
    except OSError:
        raise  # of the disk, not of the text
    except Exception:
        # Which passage it was is not known, as sentences are parsed in batches: one by one, then.
        found = parsed_one_by_one(passages, model, options, failures)
        sentences, words, size = _write(shard, found, options, folder, tick)
    failures.sort(key=lambda failure: (failure.file, failure.line))
    lines = (json.dumps(failure.to_json(), ensure_ascii=False) + "\n" for failure in failures)
    folder.write_failures(shard.name, "".join(lines).encode(errors="backslashreplace"))
    marker = Marker(
        shard=shard.name,
        input=shard.digest,
        run=folder.run,
        bytes=shard.size + sum(span.lost for span in shard.spans),
        documents=documents,
        sentences=sentences,
        words=words,
        failures=len(failures),
        failed_bytes=sum(failure.size for failure in failures),
        output_bytes=size,
    )
    folder.mark(marker)
    return marker


Parsed = Iterator[tuple[Parse, Place, Passage]]


def _write(
    shard: Shard, found: Parsed, options: CorpusOptions, folder: OutputFolder, tick: Tick
) -> tuple[int, int, int]:
    """Write the sentences of a shard; how many there were, how many words, and how many bytes."""
    sentences = words = 0
    with folder.new_file(shard.name + options.ending) as new, shard_writer(new.file, options) as writer:
        for parse, place, _ in found:
            writer.write(noting_limits(parse), place)
            sentences, words = sentences + 1, words + len(parse)
            tick(len(parse))
    return sentences, words, new.size


def parsed(passages: Iterable[Passage], model: CorpusModel, options: CorpusOptions) -> Parsed:
    """Everything in one stream, so that batches are full even where documents are short."""
    places: deque[tuple[Place, Passage]] = deque()

    def sentences() -> Iterator[Sentence]:
        for passage in passages:
            for sentence, place in passage.sentences(model.tokenizer, options):
                places.append((place, passage))
                yield sentence

    for parse in model.parses(sentences(), options):
        yield (parse, *places.popleft())


def parsed_one_by_one(
    passages: Iterable[Passage], model: CorpusModel, options: CorpusOptions, failures: list[Failure]
) -> Parsed:
    """The same, a paragraph, document or sentence at a time; those that fail are set aside."""
    for passage in passages:
        for small in passage.smaller(options.layout):
            try:
                found = list(parsed([small], model, options))
            except OSError:
                raise
            except Exception as error:
                failures.append(small.failure(error))
            else:
                yield from found
