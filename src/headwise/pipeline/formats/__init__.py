"""Formats that sentences and parses are written in: each is a file here and a line in `registry`."""
