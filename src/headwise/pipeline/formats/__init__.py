"""Formats that sentences and parses are written in: each is a file here and a line in the registry."""

from __future__ import annotations

from headwise.pipeline.formats.output_file import OutputFile
from headwise.pipeline.formats.registry import FORMATS, Format, format_by_name, format_of_file

__all__ = ["FORMATS", "Format", "OutputFile", "format_by_name", "format_of_file"]
