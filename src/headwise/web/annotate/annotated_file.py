"""The file that annotation is kept in: read once, written whole with every change, never lost to a crash."""

from __future__ import annotations

import hashlib
import io
import os
from collections.abc import Iterable, Sequence
from pathlib import Path
from types import TracebackType

from headwise.base.atomic import refuse_special, replaced
from headwise.base.errors import HeadwiseError
from headwise.treebank import Sentence, Treebank, convert, read
from headwise.treebank.files import compressing
from headwise.web.annotate.file_lock import FileLock


class FileChangedError(HeadwiseError):
    """Another program has changed the file since it was read or written here."""


class NotSavedError(HeadwiseError):
    """The file cannot be written: the disk is full, the folder is gone."""


class AnnotatedFile:
    """A CoNLL-U file under a lock.

    Every `save` puts a whole file in the place of the last one, and on the disk, before it returns. A
    file that another program has changed meanwhile is not replaced.
    """

    def __init__(self, path: Path) -> None:
        refuse_special(path)
        if path.is_symlink() and not path.exists():
            raise HeadwiseError(f"{path} is a link to a file that is not there. Remove it, or name another.")
        self.path = path
        self._target = Path(os.path.realpath(path))
        self._trailer = b""
        self._known: str | None = None
        """A digest of what is there, as far as is known here; None where there is no file."""
        self._lock = FileLock(self._target)

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
        try:
            file = _opened(self._target)
        except OSError as error:
            raise HeadwiseError(f"{self.path} cannot be read: {error.strerror or error}.") from error
        with file:
            known = hashlib.file_digest(file, "sha256").hexdigest()
            self._lock.hold(file.fileno())
            file.seek(0)
            reader = read(file, validate="tree")
            sentences = [convert(sentence, "conllu") for sentence in reader]
        self._known = known
        self._trailer = reader.trailer if reader.format == "conllu" else b""
        return sentences

    def save(self, sentences: Sequence[Sentence]) -> None:
        """Write them. FileChangedError or NotSavedError: what was there is there still."""
        body = self._bytes_of(sentences)
        own: int | None = None
        try:
            with replaced(self._target, new=self._known is None) as file:
                file.write(body)
                file.flush()
                os.fsync(file.fileno())
                if self._digest() != self._known:  # as late as can be
                    raise FileExistsError
                own = os.dup(file.fileno())
            self._lock.hold(own)
        except FileExistsError as error:
            raise FileChangedError(
                f"{self.path} was changed by another program, and what is there is not overwritten. "
                "Load it again; everything up to this change was saved before."
            ) from error
        except OSError as error:
            raise NotSavedError(
                f"{self.path} cannot be written ({error.strerror or error}): this was not kept, everything "
                "before it was. Make room, or see to the folder, and try again."
            ) from error
        finally:
            if own is not None:
                os.close(own)
        self._known = hashlib.sha256(body).hexdigest()

    def _bytes_of(self, sentences: Sequence[Sentence]) -> bytes:
        body = io.BytesIO()
        with compressing(body, self._target.suffix) as output:
            Treebank(sentences, trailer=self._trailer).save(output)
        return body.getvalue()

    def _digest(self) -> str | None:
        """Of what is there now, by its bytes: neither its size nor its time need tell that it is another."""
        try:
            with _opened(self._target) as file:
                return hashlib.file_digest(file, "sha256").hexdigest()
        except FileNotFoundError:
            return None


def _opened(path: Path) -> io.BufferedReader:
    """For reading; not waited for, where it has become a pipe."""
    return open(os.fspath(path), "rb", opener=lambda name, flags: os.open(name, flags | os.O_NONBLOCK))


def same_words(first: Iterable[Sentence], second: Iterable[Sentence]) -> bool:
    """Whether two files have the same words, in the same sentences."""
    return [sentence.forms for sentence in first] == [sentence.forms for sentence in second]
