"""The drawings of the documentation (``python tools/drawings``): algorithms in small pictures."""
