"""A parser, and what chooses among its best trees."""
