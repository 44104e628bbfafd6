"""A model of Georgian for Headwise, found by its name: ``headwise.load("ka")``."""
