"""Roles of words, guessed before their heads are searched."""
