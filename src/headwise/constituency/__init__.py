"""Phrase structure: bracketed trees, grammars, and parsers that agree with taggers and dependency parsers."""
