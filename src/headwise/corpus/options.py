"""What a user can choose about a corpus run, as far as it changes what is written."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any, Literal

from headwise.components.parser.search import PLAIN, Search
from headwise.pipeline.formats.registry import OF_CORPORA, Format, format_by_name

TextLayout = Literal["text", "paragraphs", "lines", "tokens"]
"""Empty lines between paragraphs; a paragraph a line; a sentence a line; its tokens between spaces."""
BIGRAMS = "bigrams"
"""What is written where words and bigrams are counted (`headwise.words.clusters`), and not parsed."""

_NOT_WRITTEN = ("constraints", "k", "on_error", "threads", "batch_size")
"""What of a search changes nothing here."""
SHARD_BYTES = 4_000_000
"""Half a minute's work of a core: little is lost when a worker dies, and all end at about the same time."""


@dataclass(frozen=True)
class CorpusOptions:
    """Runs with the same options, model and input write the same bytes."""

    to: str = "conllu"
    """The format of trees (`headwise.pipeline.formats`), or ``bigrams`` for counts."""
    layout: TextLayout = "text"
    offsets: bool = False
    """Whether each token says where it stands in its document (TokenRange)."""
    search: Search = PLAIN
    """What is wanted of sentences, as far as a corpus can have it: one tree each, without constraints."""
    text_field: str = "text"
    id_field: str = "id"
    shard_bytes: int = SHARD_BYTES
    compression: Literal["", "gz", "xz"] = ""

    def __post_init__(self) -> None:
        if self.shard_bytes < 1:
            raise ValueError(f"shard_bytes is {self.shard_bytes}, must be positive")
        if self.search.k is not None or self.search.constraints is not None:
            raise ValueError("a corpus gets one tree a sentence; leave out k and constraints")
        if self.format is not None and self.format.name not in OF_CORPORA:
            raise ValueError(f"a corpus is not written as {self.to}; take one of: {', '.join(OF_CORPORA)}")
        if self.compression and self.format is not None and not self.format.is_text:
            raise ValueError(f"{self.to} is compressed already; leave out --compress")

    @property
    def format(self) -> Format | None:
        """None where words are counted."""
        return None if self.to == BIGRAMS else format_by_name(self.to)

    @property
    def ending(self) -> str:
        """How the names of written files end."""
        own = f".{self.to}" if self.format is None else self.format.endings[0]
        return own + (f".{self.compression}" if self.compression else "")

    def to_json(self) -> dict[str, Any]:
        """All that decides what is written, search and all in one dictionary."""
        own = asdict(self)
        search = {name: value for name, value in own.pop("search").items() if name not in _NOT_WRITTEN}
        return own | search
