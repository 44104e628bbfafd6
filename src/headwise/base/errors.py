"""The errors Headwise raises: each says what is wrong, where, and what to do."""


class HeadwiseError(Exception):
    """Any error that is about the user's data, files or models, and not about the program."""


class TreebankError(HeadwiseError):
    """A treebank file cannot be read.

    Attributes:
        file: the name of the file.
        line: the line in it, from 1; None where the whole file is meant.
        column: the character in that line, from 1.
        problem: what is wrong.
        remedy: what to do about it.
    """

    def __init__(self, file: str, line: int | None, column: int | None, problem: str, remedy: str) -> None:
        super().__init__(file, line, column, problem, remedy)
        self.file = file
        self.line = line
        self.column = column
        self.problem = problem
        self.remedy = remedy

    def __str__(self) -> str:
        place = ":".join(str(part) for part in (self.file, self.line, self.column) if part is not None)
        return f"{place}: {self.problem}; {self.remedy}" if self.remedy else f"{place}: {self.problem}"


class ModelError(HeadwiseError):
    """A model file that cannot be used."""


class SentenceTooLongError(HeadwiseError, ValueError):
    """A sentence with too many words for what is asked of it."""
