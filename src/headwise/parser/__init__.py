"""The parser: train it, load it, parse with it; and the pipeline from text to trees around it."""

from headwise.parser.config import ParserConfig
from headwise.parser.decoders import Decoder
from headwise.parser.parse import Parse
from headwise.parser.parser import Parser

__all__ = ["Decoder", "Parse", "Parser", "ParserConfig"]
