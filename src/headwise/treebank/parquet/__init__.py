"""Sentences in Parquet, one a row, for queries over corpora; and back without loss (docs/corpora.md)."""

from headwise.treebank.parquet.columns import Place, SentenceColumns
from headwise.treebank.parquet.files import (
    ParquetReader,
    ParquetWriter,
    parquet_writer,
    read_parquet,
    write_parquet,
)
from headwise.treebank.parquet.rows import sentence_bytes
from headwise.treebank.parquet.schema import ParquetError, sentence_schema

__all__ = [
    "ParquetError",
    "ParquetReader",
    "ParquetWriter",
    "Place",
    "SentenceColumns",
    "parquet_writer",
    "read_parquet",
    "sentence_bytes",
    "sentence_schema",
    "write_parquet",
]
