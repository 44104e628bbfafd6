"""Attacks on Headwise that can be repeated: CONTRIBUTING.md says how to run them."""
