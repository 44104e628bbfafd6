"""What ends a command early: a call that was wrong, or an exit code."""

from __future__ import annotations


class UsageError(Exception):
    """A call that cannot be understood; the exit code is 2."""

    usage = ""
    """How the command is called, and how to get its help; known to whoever reads the call."""


class BadParameter(UsageError):
    """A value that an argument or an option cannot have."""


class Exit(Exception):
    """The command is done."""

    def __init__(self, code: int = 0) -> None:
        super().__init__(code)
        self.code = code
