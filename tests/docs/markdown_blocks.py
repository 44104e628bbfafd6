"""The code blocks of a Markdown page, and what comments around them say about running them.

Invisible comments stand right before a block, or where something is to be prepared:

    <!-- code: not run: why -->          it is read, but not run; options of commands are still looked up
    <!-- code: slow: why -->             it is run with the slow tests, and so is the rest of its page
    <!-- code: fails -->                 it must fail; its complaints are compared too
    <!-- code: needs torch, pandas -->   skipped where these packages are not installed
    <!-- output: numbers vary -->        of a block of output: compared with every number left open
    <!-- output: example: why -->        not compared
    <!-- setup                           Python that the page needs and does not show; `setup sh` is shell
    …
    -->

    <!-- page: needs spacy -->           what every block of the page needs

A `text` block right after a block of code, with nothing but comments between, is what that code prints; in it
a line `…` stands for any lines.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from pathlib import Path

CODE = ("python", "sh", "sql")
"""Languages that are run."""
DATA = ("json", "text", "conllu", "toml", "cpp", "html", "css", "yaml", "ini", "dockerfile")
"""Languages that are shown; JSON is parsed."""

_PIECE = re.compile(
    r"^(?P<fence>`{3,})(?P<language>[^\n`]*)\n(?P<code>.*?)^(?P=fence)[ \t]*$|<!--(?P<comment>.*?)-->",
    re.MULTILINE | re.DOTALL,
)


@dataclass
class Block:
    """A fenced block, or something that a comment prepares."""

    language: str
    code: str
    line: int
    """Of its first line of code in the page."""
    remarks: list[str] = field(default_factory=list)
    """What comments right before it say: "code: …", "output: …"."""
    output: Block | None = None
    """What it prints, where the page shows that."""
    is_shown: bool = True

    def remark(self, kind: str) -> str | None:
        """What is said about the block after "code: not run" and the like."""
        found = [remark[len(kind) :] for remark in self.remarks if remark.startswith(kind)]
        return found[0].lstrip(": ") if found else None

    @property
    def needs(self) -> list[str]:
        said = [remark.partition("needs")[2] for remark in self.remarks if remark.startswith("code: needs")]
        return re.findall(r"[\w.]+", " ".join(said))


def blocks_of(text: str) -> list[Block]:
    """The blocks of a page in their order, outputs with the code that prints them."""
    blocks: list[Block] = []
    needed = [f"code: {needs}" for needs in re.findall(r"<!-- page: (needs .*?) -->", text)]
    remarks: list[str] = []
    last: Block | None = None
    end = 0
    for piece in _PIECE.finditer(text):
        if text[end : piece.start()].strip():
            last, remarks = None, []
        end = piece.end()
        line = text.count("\n", 0, piece.start()) + 2
        comment = piece["comment"]
        if comment is not None:
            words = comment.strip()
            if words.startswith("setup"):
                kind, _, code = words.partition("\n")
                language = "sh" if kind.split()[-1] == "sh" else "python"
                blocks.append(Block(language, code + "\n", line, is_shown=False))
            else:
                remarks.append(words)
            continue
        block = Block(piece["language"].strip(), piece["code"], line, remarks + needed)
        remarks = []
        if block.language == "text" and last is not None:
            last.output, last = block, None
            continue
        last = block if block.language in CODE else None
        blocks.append(block)
    return blocks


def pages(repository: Path) -> list[Path]:
    """Whatever is documentation."""
    named = [repository / "README.md", repository / "CONTRIBUTING.md"]
    return [*filter(Path.exists, named), *sorted((repository / "docs").rglob("*.md"))]


def without_code(text: str) -> str:
    """The prose alone, with as many lines."""
    return _PIECE.sub(lambda piece: re.sub(r"[^\n]+", "", piece.group()), text)
