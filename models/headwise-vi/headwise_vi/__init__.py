"""A model of Vietnamese for Headwise, found by its name: ``headwise.load("vi")``."""
