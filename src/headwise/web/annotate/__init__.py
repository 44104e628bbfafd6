"""Annotating with a parser: doubtful words first, the rest parsed again around what was decided.

``marks`` says in a file what a person has decided, ``suggestions`` asks the parser for everything else,
``annotated_file`` keeps both on disk, ``session`` is one person's work. The page is ``app`` and ``static``
(extra ``serve``).
"""

from headwise.web.annotate.annotated_file import AnnotatedFile, FileChangedError, NotSavedError
from headwise.web.annotate.marks import Decision, decisions_of, only_annotated, with_decisions
from headwise.web.annotate.session import Place, Progress, Session, StaleError
from headwise.web.annotate.suggestions import Alternative, Suggester

__all__ = [
    "Alternative",
    "AnnotatedFile",
    "Decision",
    "FileChangedError",
    "NotSavedError",
    "Place",
    "Progress",
    "Session",
    "StaleError",
    "Suggester",
    "decisions_of",
    "only_annotated",
    "with_decisions",
]
