"""A model of Afrikaans for Headwise, found by its name: ``headwise.load("af")``."""
