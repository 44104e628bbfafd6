"""All formats. To add one: its file in this folder, and a line here; commands, corpora and the server ask."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO

from headwise.base.errors import HeadwiseError

if TYPE_CHECKING:
    from headwise.pipeline.formats.output_file import OutputFile
    from headwise.treebank.files import Writable
    from headwise.treebank.reading import Format as Columns


@dataclass(frozen=True)
class Format:
    """A format of output."""

    name: str
    home: str
    """Where its `OutputFile` is: the module in this folder, and the class."""
    endings: tuple[str, ...] = ()
    """How names of its files end, the ending of shards of a corpus first."""
    columns: Columns | None = None
    """Whose columns sentences are converted to; None: they are written as they are."""
    holds_trees: bool = True
    holds_comments: bool = True
    """Whether it has a place for comments and MISC, and so for probabilities."""
    is_drawing: bool = False
    is_text: bool = True
    """Whether it is text, which can be compressed and be part of an answer; Parquet is neither."""
    is_single: bool = False
    """Whether a file holds one sentence only."""

    def start(self, output: BinaryIO, **about: Any) -> OutputFile:
        """Write into a file that is open; `OutputFile.close` ends it."""
        module, name = self.home.split(":")
        kind: type[OutputFile] = getattr(import_module(f"headwise.pipeline.formats.{module}"), name)
        return kind(output, self.columns, **about)

    @contextmanager
    def opened(self, file: Writable, **about: Any) -> Iterator[OutputFile]:
        """Write to a path (text with .gz and .xz compressed), "-" for standard output, or an open file."""
        from headwise.treebank.files import opened_for_writing

        if not self.is_text and isinstance(file, str | Path) and Path(file).suffix in (".gz", ".xz"):
            raise HeadwiseError(f"{file}: {self.name} is compressed already; leave out {Path(file).suffix}.")
        with opened_for_writing(file) as output:
            started = self.start(output, **about)
            try:
                yield started
                started.close()
            except BaseException:
                started.abandon()
                raise


FORMATS = (
    Format("same", "conll:ConllFile"),
    Format("conllu", "conll:ConllFile", (".conllu",), columns="conllu"),
    Format("conllx", "conll:ConllFile", (".conllx", ".conll"), columns="conllx", holds_comments=False),
    Format("json", "json:JsonFile", (".jsonl", ".json")),
    Format("parquet", "parquet:ParquetFile", (".parquet",), columns="conllu", is_text=False),
    Format("tree", "drawings:TreeFile", is_drawing=True),
    Format("svg", "drawings:SvgFile", (".svg",), is_drawing=True, is_single=True),
    Format("html", "drawings:HtmlFile", (".html", ".htm"), is_drawing=True),
    Format("text", "text:TextFile", (".txt",), holds_trees=False, holds_comments=False),
    Format("horizontal", "words:HorizontalFile", holds_trees=False, holds_comments=False),
    Format("vertical", "words:VerticalFile", holds_trees=False, holds_comments=False),
    Format("plaintext", "words:PlainTextFile", holds_trees=False, holds_comments=False),
)
_BY_NAME = {format.name: format for format in FORMATS} | {"jsonl": FORMATS[3]}


TREES = tuple(format.name for format in FORMATS if format.holds_trees)
DRAWINGS = tuple(format.name for format in FORMATS if format.is_drawing)
OF_CORPORA = tuple(
    format.name for format in FORMATS if format.endings and format.holds_trees and not format.is_single
)


def format_by_name(name: str) -> Format:
    """HeadwiseError where there is none."""
    if name not in _BY_NAME:
        raise HeadwiseError(f"there is no format {name!r}. There are: {', '.join(_BY_NAME)}.")
    return _BY_NAME[name]


def format_of_file(path: Path) -> Format | None:
    """The format that the name of a file promises, also of one that is compressed."""
    name = path.name.lower().removesuffix(".gz").removesuffix(".xz")
    return next((format for format in FORMATS if name.endswith(format.endings or "\0")), None)
