"""The file that annotation is kept in: read once, written whole with every change, never lost to a crash."""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from pathlib import Path
from types import TracebackType

from headwise.base.errors import HeadwiseError
from headwise.treebank import Sentence, Treebank, convert, read
from headwise.web.annotate.file_lock import FileLock

Signature = tuple[int, int, int]


class FileChangedError(HeadwiseError):
    """Another program has changed the file since it was read or written here."""


class AnnotatedFile:
    """A CoNLL-U file under a lock.

    Every `save` puts a whole file in the place of the last one, and on the disk, before it returns. A
    file that another program has changed meanwhile is not replaced.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self._trailer = b""
        self._known: Signature | None = None
        self._lock = FileLock(path)

    def __enter__(self) -> AnnotatedFile:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        self._lock.release()

    def say_where(self, address: str) -> None:
        """What others are told who want to annotate the same file."""
        self._lock.say(f"process {os.getpid()}, {address}")

    def load(self) -> list[Sentence]:
        """Its sentences, in CoNLL-U."""
        self._known = self._signature()
        reader = read(self.path, validate="tree")
        sentences = [convert(sentence, "conllu") for sentence in reader]
        self._trailer = reader.trailer if reader.format == "conllu" else b""
        return sentences

    def save(self, sentences: Sequence[Sentence]) -> None:
        if self._signature() != self._known:
            raise FileChangedError(
                f"{self.path} was changed by another program, and what is there is not overwritten. "
                "Load it again; everything up to this change was saved before."
            )
        Treebank(sentences, trailer=self._trailer).save(self.path)
        self._known = self._signature()

    def _signature(self) -> Signature | None:
        """What tells one state of the file from the next; None where there is no file."""
        try:
            found = self.path.stat()
        except FileNotFoundError:
            return None
        return found.st_ino, found.st_mtime_ns, found.st_size


def same_words(first: Iterable[Sentence], second: Iterable[Sentence]) -> bool:
    """Whether two files have the same words, in the same sentences."""
    return [sentence.forms for sentence in first] == [sentence.forms for sentence in second]
