"""Model files: how they are read and written, made small, and those that come with the package."""

from headwise.model.file import (
    FORMAT_VERSION,
    ModelError,
    Tensors,
    looks_like_model,
    model_bytes,
    model_kind,
    read_model,
    weights_digest,
    write_model,
)

__all__ = [
    "FORMAT_VERSION",
    "ModelError",
    "Tensors",
    "looks_like_model",
    "model_bytes",
    "model_kind",
    "read_model",
    "weights_digest",
    "write_model",
]
