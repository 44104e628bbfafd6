"""Model files: how they are read and written, made small, and those that come with the package."""

from headwise.base.errors import ModelError
from headwise.model.file import (
    FORMAT_VERSION,
    ModelFile,
    Table,
    Tensors,
    looks_like_model,
    model_bytes,
    model_kind,
    model_size,
    weights_digest,
    write_model,
)
from headwise.model.stored import Stored, read_model

__all__ = [
    "FORMAT_VERSION",
    "ModelError",
    "ModelFile",
    "Stored",
    "Table",
    "Tensors",
    "looks_like_model",
    "model_bytes",
    "model_kind",
    "model_size",
    "read_model",
    "weights_digest",
    "write_model",
]
