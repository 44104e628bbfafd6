"""Ready-made models: a recipe for each language, and what makes an installable package of it.

    python -m models build de        # everything that a package needs, each step kept
    python -m models build --all
    python -m models status

A recipe (``recipes/de.toml``) is data. A new language needs a recipe and no code.
"""
