"""What a user can choose about a corpus run, as far as it changes what is written."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any, Literal

from headwise.base.seed import DEFAULT_SEED

TextLayout = Literal["text", "paragraphs", "lines", "tokens"]
"""Empty lines between paragraphs; a paragraph a line; a sentence a line; its tokens between spaces."""
Output = Literal["conllu", "jsonl", "parquet", "bigrams"]
"""Trees in one of three formats, or counts of words and bigrams (`headwise.words.clusters`)."""

SHARD_BYTES = 4_000_000
"""Half a minute's work of a core: little is lost when a worker dies, and all end at about the same time."""


@dataclass(frozen=True)
class CorpusOptions:
    """Runs with the same options, model and input write the same bytes."""

    to: Output = "conllu"
    layout: TextLayout = "text"
    confidence: bool = False
    offsets: bool = False
    """Whether each token says where it stands in its document (TokenRange)."""
    decoder: str | None = None
    seed: int = DEFAULT_SEED
    text_field: str = "text"
    id_field: str = "id"
    shard_bytes: int = SHARD_BYTES
    compression: Literal["", "gz", "xz"] = ""

    def __post_init__(self) -> None:
        if self.shard_bytes < 1:
            raise ValueError(f"shard_bytes is {self.shard_bytes}, must be positive")
        if self.compression and self.to == "parquet":
            raise ValueError("Parquet is compressed already")

    @property
    def ending(self) -> str:
        """How the names of written files end."""
        return f".{self.to}" + (f".{self.compression}" if self.compression else "")

    def to_json(self) -> dict[str, Any]:
        return asdict(self)
