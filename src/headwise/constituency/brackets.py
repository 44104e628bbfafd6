"""Penn-style brackets, read and written without loss."""

from __future__ import annotations

import io
import re
from collections.abc import Iterable, Iterator
from typing import Literal

from headwise.base.errors import TreebankError
from headwise.constituency.tree import DEEPEST, Source, Tree, TreeError
from headwise.treebank.files import LONGEST_LINE, Readable, Writable, name_of, opened_for_writing, read_lines

_TOKEN = re.compile(r"[()]|[^\s()]+")
_FIRST_TREE = re.compile(r"\(\s*[^\s()]*\s*\(|\(\s*[^\s()]+\s+[^\s()]+\s*\)\s*(\(|$)")
"""A bracket in a bracket, or a tree of one word before another or before the end; no (remark) in a text."""
_ESCAPES = str.maketrans({"(": "-LRB-", ")": "-RRB-"})
_NO_SPACE = re.compile(r"\s+")


class _Open:
    """A bracket that waits for its end."""

    __slots__ = ("children", "label", "words")

    def __init__(self) -> None:
        self.label: str | None = None
        self.children: list[Tree] = []
        self.words = 0


class BracketReader(Iterator[Tree]):
    """The trees of a file, one at a time; made by `read_brackets`.

    Attributes:
        skipped: the broken trees passed over so far, each as the error it would have been.
        trailer: once the end is reached, the text after the last tree.
    """

    def __init__(self, readable: Readable, on_error: Literal["stop", "skip"] = "stop") -> None:
        if on_error not in ("stop", "skip"):
            raise ValueError(f"on_error must be stop or skip, not {on_error!r}")
        self.name = name_of(readable)
        self.skips = on_error == "skip"
        self.skipped: list[TreebankError] = []
        self.trailer = ""
        self._trees = self._read(readable)

    def __iter__(self) -> BracketReader:
        return self

    def __next__(self) -> Tree:
        return next(self._trees)

    def _read(self, readable: Readable) -> Iterator[Tree]:
        text: list[str] = []  # since the last tree
        stack: list[_Open] = []
        first = 0
        broken = False  # the tree that is open is passed over
        for number, line in enumerate(read_lines(readable, longest=LONGEST_LINE), 1):
            done = 0
            for token in _TOKEN.finditer(line):
                try:
                    if not stack and not broken:
                        first = number
                    finished = self._take(token.group(), stack)
                except TreeError as error:
                    self._refuse(number, token.start() + 1, str(error))
                    stack.clear()
                    broken = True
                    break
                if finished is not None:
                    text.append(line[done : token.end()])
                    done = token.end()
                    yield Tree(
                        finished.label,
                        finished.children,
                        finished.word,
                        Source(self.name, first, "".join(text)),
                    )
                    text.clear()
            if broken:  # start afresh at the next line
                broken = False
                text.clear()
                continue
            text.append(line[done:])
        if stack:
            self._refuse(first, None, f"{len(stack)} brackets of the tree that begins here are not closed")
        self.trailer = "".join(text)

    def _take(self, token: str, stack: list[_Open]) -> Tree | None:
        """One bracket or word; returns the tree that it ends."""
        if token == "(":
            if len(stack) >= DEEPEST:
                raise TreeError(f"brackets are nested more than {DEEPEST} deep")
            stack.append(_Open())
            return None
        if not stack:
            raise TreeError(
                "a bracket is closed that was never opened"
                if token == ")"
                else f"{token[:40]!r} is outside of brackets"
            )
        top = stack[-1]
        if "\0" in token:
            raise TreeError("a NUL stands in a label or a word")
        if token != ")":
            if top.label is None and not top.children:
                top.label = token
            else:
                top.children.append(Tree("", word=token))
                top.words += 1
            return None
        stack.pop()
        tree = _closed(top)
        if not stack:
            return tree
        stack[-1].label = stack[-1].label or ""
        stack[-1].children.append(tree)
        return None

    def _refuse(self, line: int, column: int | None, problem: str) -> None:
        error = TreebankError(self.name, line, column, problem, _remedy(problem))
        if not self.skips:
            raise error
        self.skipped.append(error)


def _closed(bracket: _Open) -> Tree:
    if not bracket.children:
        inside = f"({bracket.label or ''})"
        raise TreeError(f"{inside[:40]} has no words in it")
    label = bracket.label or ""
    if bracket.words == 1 and len(bracket.children) == 1:
        return Tree(label, word=bracket.children[0].word)
    return Tree(label, tuple(bracket.children))


def _remedy(problem: str) -> str:
    if "outside" in problem:
        return "bracket files hold trees such as (S (NP (PRP She)) (VP (VBZ reads))); is it CoNLL-U or text?"
    if "NUL" in problem:
        return "no text has one: get the file again, or skip such trees (--on-error skip)"
    if "no words" in problem:
        return "every bracket needs a label and words below it"
    return "count the brackets, or skip such trees (--on-error skip)"


def read_brackets(file: Readable, *, on_error: Literal["stop", "skip"] = "stop") -> BracketReader:
    """Read a file of bracketed trees, plain, .gz or .xz, tree by tree.

    Several trees may stand on a line and a tree on several lines. What a tree was read from is kept
    (`Tree.source`), so that `write_brackets` gives the same text back. With ``on_error="skip"`` reading goes
    on at the line after a broken tree.
    """
    return BracketReader(file, on_error)


def parse_brackets(text: str) -> list[Tree]:
    """The trees written in a text."""
    return list(BracketReader(io.StringIO(text)))


def write_brackets(trees: Iterable[Tree], file: Writable) -> None:
    """Write trees: those that were read and not changed as they were read, others a line each."""
    with opened_for_writing(file) as output:
        for tree in trees:
            output.write(written(tree).encode())
        output.write(getattr(trees, "trailer", "").encode())


def written(tree: Tree) -> str:
    """A tree as it stands in a file."""
    return tree.source.text if tree.source is not None else format_tree(tree) + "\n"


def format_tree(tree: Tree) -> str:
    """The tree on one line. Round brackets in words become -LRB- and -RRB-, spaces an underscore."""
    if tree.is_word:
        return f"({_safe(tree.label)} {_safe(tree.word or '')})" if tree.label else _safe(tree.word or "")
    inside = " ".join(map(format_tree, tree.children))
    return f"({_safe(tree.label)} {inside})" if tree.label else f"({inside})"


def format_indented(tree: Tree, width: int = 100, indent: int = 0) -> str:
    """The tree over several lines, each no wider than `width` where that can be."""
    line = format_tree(tree)
    if tree.is_word or indent + len(line) <= width:
        return line
    children = [format_indented(child, width, indent + 2) for child in tree.children]
    return "\n".join([f"({_safe(tree.label)}", *(" " * (indent + 2) + child for child in children)]) + ")"


def _safe(text: str) -> str:
    return _NO_SPACE.sub("_", text.translate(_ESCAPES)) if not text.isalnum() else text


def looks_like_brackets(start: str) -> bool:
    """Whether a text begins as a bracket file does."""
    return _FIRST_TREE.match(start.lstrip("\ufeff").lstrip()) is not None
