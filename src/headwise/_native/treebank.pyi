"""Treebank files: reading, writing, sentences."""

from collections.abc import Iterable, Sequence
from typing import Any, Literal

import numpy
import numpy.typing

class Token:
    """
    A line of a sentence: a word, a multiword token (3-4) or an empty node (8.1).
    """

    @property
    def id(self) -> str: ...
    @property
    def form(self) -> str: ...
    @property
    def lemma(self) -> str: ...
    @property
    def upos(self) -> str: ...
    @property
    def xpos(self) -> str: ...
    @property
    def feats(self) -> str: ...
    @property
    def head(self) -> str: ...
    @property
    def deprel(self) -> str: ...
    @property
    def deps(self) -> str: ...
    @property
    def misc(self) -> str: ...
    @property
    def is_word(self) -> bool: ...
    @property
    def is_multiword(self) -> bool: ...
    @property
    def is_empty(self) -> bool: ...
    @property
    def words(self) -> tuple[int, int]:
        """
        The first and the last word of the token; for an empty node, the word before it, twice.
        """

    def __repr__(self) -> str: ...

class Sentence:
    """
    A sentence of a treebank: the bytes of the file, and its words by column.

    Words are numbered 1…n; multiword tokens and empty nodes are kept, but are not words. A
    sentence is never changed: with_tree and with_comments return changed copies, in which
    every other byte is as it was.
    """

    @staticmethod
    def from_words(
        forms: Sequence[str],
        lemmas: Sequence[str] | None = None,
        upos: Sequence[str] | None = None,
        xpos: Sequence[str] | None = None,
        feats: Sequence[str] | None = None,
        heads: Sequence[int] | numpy.typing.NDArray[numpy.integer[Any]] | None = None,
        labels: Sequence[str] | None = None,
        misc: Sequence[str] | None = None,
        comments: Sequence[str] = (),
    ) -> Sentence:
        """A CoNLL-U sentence from plain columns; a column left out is "_"."""

    def __len__(self) -> int: ...
    @property
    def forms(self) -> list[str]: ...
    @property
    def lemmas(self) -> list[str]: ...
    @property
    def upos(self) -> list[str]:
        """UPOS; CPOSTAG in CoNLL-X."""

    @property
    def xpos(self) -> list[str]:
        """XPOS; POSTAG in CoNLL-X."""

    @property
    def feats(self) -> list[str]: ...
    @property
    def labels(self) -> list[str]:
        """DEPREL."""

    @property
    def deps(self) -> list[str]:
        """DEPS; PHEAD in CoNLL-X."""

    @property
    def misc(self) -> list[str]:
        """MISC; PDEPREL in CoNLL-X."""

    @property
    def heads(self) -> numpy.typing.NDArray[numpy.int32]:
        """
        heads[m-1] is the head of word m, 0 the root, -1 where the file has "_". Read-only; copy to change.
        """

    @property
    def tokens(self) -> list[Token]:
        """All lines with columns, multiword tokens and empty nodes too."""

    @property
    def comments(self) -> list[str]:
        """The comment lines, with their "#"."""

    def comment(self, key: str) -> str | None:
        """The value of the first comment "# key = value", or None."""

    @property
    def text(self) -> str | None:
        """The comment "# text = …"."""

    @property
    def sent_id(self) -> str | None:
        """The comment "# sent_id = …"."""

    @property
    def file(self) -> str:
        """The file it was read from."""

    @property
    def line(self) -> int:
        """Its first line in that file."""

    def line_of(self, word: int) -> int:
        """The line of a word in that file."""

    @property
    def source(self) -> str:
        """ "file:line", for messages."""

    @property
    def format(self) -> Literal["conllu", "conllx"]: ...
    def with_tree(
        self,
        heads: Sequence[int] | numpy.typing.NDArray[numpy.integer[Any]],
        labels: Sequence[str] | None = None,
        misc: Sequence[str] | None = None,
    ) -> Sentence:
        """
        A copy with other heads (0…n, or -1 for "_"), and other labels and MISC fields where given.

        Heads are checked to be in range; whether they form a tree is for check_tree to say.
        DEPS stays as it is.
        """

    def with_comments(self, comments: Sequence[str]) -> Sentence:
        """
        A copy with these comment lines (with or without "#") in place of its own.
        """

    def with_added_comments(self, comments: Sequence[str]) -> Sentence:
        """A copy with these comment lines (with or without "#") after its own."""

    def to_conllu(self) -> Sentence:
        """The sentence in CoNLL-U; PHEAD and PDEPREL of CoNLL-X are left out."""

    def to_conllx(self) -> Sentence:
        """
        The sentence in CoNLL-X, without what that format lacks: comments, multiword tokens, empty nodes,
        DEPS and MISC. headwise.treebank.conversion_losses counts these.
        """

    def to_bytes(self) -> bytes:
        """The bytes of the file."""

    def __str__(self) -> str: ...
    def __repr__(self) -> str: ...
    def __eq__(self, other: object, /) -> bool: ...
    def __hash__(self) -> int: ...
    def __getstate__(self) -> tuple[bytes, int, str, str, int]: ...
    def __setstate__(self, state: tuple[bytes, int, str, str, int], /) -> None: ...

def check_tree(
    heads: Sequence[int] | numpy.typing.NDArray[numpy.integer[Any]], single_root: bool, missing_heads: bool
) -> list[tuple[str, int, str]]:
    """
    Why heads are not a tree: for each problem its kind, word (0: all) and explanation.
    """

def crossing_arcs(heads: Sequence[int] | numpy.typing.NDArray[numpy.integer[Any]]) -> list[int]:
    """The words whose arcs cross another."""

def nonprojective_arcs(heads: Sequence[int] | numpy.typing.NDArray[numpy.integer[Any]]) -> list[int]:
    """The words whose arcs span a word that their head does not dominate."""

def projectivize(
    heads: Sequence[int] | numpy.typing.NDArray[numpy.integer[Any]], single_root: bool
) -> list[int]:
    """The projective tree that shares the most arcs with a tree."""

class Problem:
    """What is wrong at a place of a file, and what to do about it."""

    @property
    def line(self) -> int: ...
    @property
    def column(self) -> int: ...
    @property
    def problem(self) -> str: ...
    @property
    def remedy(self) -> str: ...

class Reader:
    """Turns the bytes of a file, piece by piece, into sentences."""

    def __init__(self, file: str, format: str, fallback: str, validate: str) -> None: ...
    def read(self, chunk: bytes) -> list[Sentence | Problem]:
        """
        The sentences that end in these bytes, and problems in place of broken ones. Empty bytes end the file.
        """

    @property
    def trailer(self) -> bytes:
        """After the end of the file: what followed the last sentence."""

    @property
    def format(self) -> Literal["conllu", "conllx"] | None: ...

class Writer:
    """Puts sentences one after the other, as bytes."""

    def __init__(self) -> None: ...
    def write(self, sentence: Sentence) -> None: ...
    def write_trailer(self, trailer: bytes) -> None: ...
    def take(self) -> bytes:
        """The bytes since the last call."""

def to_bytes(sentences: Iterable[Sentence], trailer: bytes = b"") -> bytes:
    """The bytes of a file with these sentences."""
