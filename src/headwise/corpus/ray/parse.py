"""A step that turns documents into parsed sentences."""

from __future__ import annotations

import logging
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Unpack

from headwise.base.errors import HeadwiseError
from headwise.components.parser.search import Search, SearchOptions
from headwise.components.text.tokenizer import check_characters
from headwise.corpus.model import CorpusModel
from headwise.corpus.options import CorpusOptions, TextLayout
from headwise.corpus.passages import Failure, TextPassage
from headwise.corpus.shard_work import one_by_one
from headwise.corpus.tasks import Parsing
from headwise.treebank.parquet import SentenceColumns
from headwise.treebank.parquet.schema import pyarrow


class Parse:
    """Parses the documents of a batch: one row a document in, one row a sentence out.

    For ``map_batches`` of Ray Data, which makes one object, and loads the model once, in each worker:

    Examples:
        >>> import ray                                                            # doctest: +SKIP
        >>> from headwise.corpus.ray import Parse                                        # doctest: +SKIP
        >>> ray.data.read_text("books/").map_batches(                             # doctest: +SKIP
        ...     Parse,
        ...     fn_constructor_kwargs={"model": "en"},
        ...     batch_format="pyarrow",
        ...     batch_size=64,
        ...     num_cpus=1,
        ...     compute=ray.data.ActorPoolStrategy(size=8),
        ... ).write_parquet("parsed/")

    The columns are those of Parquet files (docs/corpora.md). It needs no Ray to be called on a table or on a
    dictionary of columns.

    Args:
        model: a bundled model or the path of a pipeline, on every machine.
        text: the column that holds the text.
        id: the column that holds the id of the document; None for none.
        keep: other columns to be repeated for each sentence.
        layout: "text" (empty lines between paragraphs), "paragraphs" or "lines" (one a line), or "tokens".
        search: what is wanted of sentences; keywords stand for its fields. ``on_error`` is for documents:
            "skip" passes over one that cannot be parsed, with a warning.
    """

    def __init__(
        self,
        model: str | Path = "en",
        *,
        text: str = "text",
        id: str | None = None,
        keep: Sequence[str] = (),
        layout: TextLayout = "text",
        offsets: bool = False,
        search: Search | None = None,
        **wanted: Unpack[SearchOptions],
    ) -> None:
        loaded = CorpusModel(model)
        if loaded.tokenizer is None:
            raise HeadwiseError(
                f"{model} holds a parser alone; text needs a pipeline (headwise train --pipeline)."
            )
        options = CorpusOptions(layout=layout, offsets=offsets, search=Search.of(search, wanted))
        self._skips = options.search.on_error == "skip"
        self._task = Parsing(loaded, options)
        self._text, self._id, self._keep = text, id, list(keep)

    def __call__(self, batch: Any) -> Any:
        """The sentences of a batch (an Arrow table, or a mapping of columns) as an Arrow table."""
        pa = pyarrow()
        table = (
            pa.table({name: pa.array(c) for name, c in batch.items()})
            if isinstance(batch, Mapping)
            else batch
        )
        wanted = [self._text, *([self._id] if self._id else []), *self._keep]
        if missing := [name for name in wanted if name not in table.column_names]:
            raise HeadwiseError(f"no column {missing[0]!r}; there are: {', '.join(table.column_names)}.")
        failures: list[Failure] = []
        passages = list(self._passages(table, failures))
        columns, rows = SentenceColumns(exact=False), []
        for parse, place, row in self._parsed(passages, failures):
            probabilities = (parse.confidence, parse.label_confidence, parse.entropy)
            columns.add(
                parse.to_sentence(),
                place,
                probabilities=probabilities,
                log_prob=parse.log_prob,
            )
            rows.append(row)
        self._report(failures)
        sentences = pa.Table.from_batches([columns.take()])
        for name in self._keep:
            sentences = sentences.append_column(name, table[name].take(pa.array(rows, pa.int64())))
        return sentences

    def _passages(self, table: Any, failures: list[Failure]) -> Iterator[TextPassage]:
        texts = table[self._text].to_pylist()
        ids = table[self._id].to_pylist() if self._id else range(len(texts))
        for number, (document, text) in enumerate(zip(ids, texts, strict=True)):
            try:
                if not isinstance(text, str):
                    raise HeadwiseError(f"its text is {type(text).__name__}, not a string")
                check_characters(text, 0)
            except HeadwiseError as error:
                failures.append(Failure(str(document), "", number, 0, str(error)))
            else:
                size = len(text)
                yield TextPassage(str(document), text, "", number, 0, False, self._id is not None, True, size)

    def _parsed(
        self, passages: Sequence[TextPassage], failures: list[Failure]
    ) -> Iterator[tuple[Any, Any, int]]:
        """Parses with their places and the rows they come from."""
        try:
            found = list(self._task.results(passages))
        except Exception:  # of which document is not known
            found = list(one_by_one(passages, self._task, failures))
        for parse, place, passage in found:
            yield parse, place, passage.line

    def _report(self, failures: Sequence[Failure]) -> None:
        for failure in failures:
            message = f"document {failure.id}: {failure.error}"
            if not self._skips:
                raise HeadwiseError(f"{message}. Leave it out, or pass on_error='skip'.")
            logging.getLogger("headwise").warning("skipped %s", message)
