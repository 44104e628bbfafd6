"""The sentences that ``headwise train`` learns from."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from headwise.cli.choices import OnError
from headwise.cli.skipped import refuse_empty, report_skipped

if TYPE_CHECKING:
    from headwise.treebank import Sentence

PARTIAL = (
    "to learn from half-annotated trees, train with --learner log-linear; to leave them out, "
    "with --on-error skip"
)
PARTIAL_PIPELINE = (
    "a --pipeline learns from whole trees only: leave the others out (--on-error skip), or train "
    "a parser alone with --learner log-linear"
)


@dataclass(frozen=True)
class TrainingData:
    """Files, and what of them is learned from."""

    treebank: Path
    dev: Path | None
    only_annotated: bool
    also_annotated: Path | None
    on_error: OnError

    def read(self, *, pipeline: bool, partial: bool) -> tuple[list[Sentence], list[Sentence] | None]:
        """Training and development sentences.

        What a partial tree is to a learner is the learner's business; `annotated` refuses them.
        """
        from headwise.treebank import annotated, read

        files = [path for path in (self.treebank, self.dev) if path is not None]
        readers = [read(path, on_error=self.on_error.value) for path in files]
        remedy = PARTIAL_PIPELINE if pipeline else PARTIAL
        found = [list(reader if partial else annotated(reader, remedy)) for reader in readers]
        if self.only_annotated:
            found[0] = _marked(self.treebank, found[0])
        if self.also_annotated is not None:
            added = read(self.also_annotated, on_error=self.on_error.value)
            readers.append(added)
            found[0] += _marked(self.also_annotated, list(added))
        report_skipped([error for reader in readers for error in reader.skipped])
        refuse_empty(files, found)
        return found[0], found[1] if self.dev else None


def _marked(file: Path, sentences: list[Sentence]) -> list[Sentence]:
    """What is decided in sentences that were annotated with the help of a parser, and nothing else."""
    from headwise.base.errors import HeadwiseError
    from headwise.web.annotate.marks import only_annotated

    found = [only_annotated(sentence) for sentence in sentences]
    found = [sentence for sentence in found if (sentence.heads >= 0).any()]
    if not found:
        raise HeadwiseError(f"{file}: no word is marked as annotated (Annotated=Yes in MISC).")
    return found
