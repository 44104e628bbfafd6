"""Which Headwise this is."""

VERSION = "0.1.0"
