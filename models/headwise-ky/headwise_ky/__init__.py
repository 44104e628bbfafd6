"""A model of Kyrgyz for Headwise, found by its name: ``headwise.load("ky")``."""
