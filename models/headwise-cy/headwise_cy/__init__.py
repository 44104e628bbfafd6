"""A model of Welsh for Headwise, found by its name: ``headwise.load("cy")``."""
