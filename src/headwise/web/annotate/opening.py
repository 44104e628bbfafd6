"""From what a person names to a session: text or a treebank goes in, and one file is worked on from there."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from headwise.base.errors import HeadwiseError
from headwise.components.parser.parser import Parser
from headwise.components.text.raw_text import surface_tokens
from headwise.pipeline.pipeline import Pipeline
from headwise.treebank import Sentence, convert
from headwise.web.annotate.annotated_file import AnnotatedFile, same_words
from headwise.web.annotate.marks import MARK, Decision, annotation_of, decisions_of
from headwise.web.annotate.session import Session
from headwise.web.annotate.suggestions import Suggester

ENDING = ".annotated.conllu"


@dataclass(frozen=True)
class Source:
    """What is to be annotated."""

    name: Path
    sentences: Sequence[Sentence]
    is_text: bool = False
    """Whether the words are a tokenizer's, and not the file's own."""


def own_file(source: Path) -> Path:
    """Where annotation of a file is kept unless somebody says otherwise: beside it."""
    stem = source.name
    if stem.endswith(ENDING):
        return source
    for ending in (".gz", ".xz", ".conllu", ".conllx", ".conll", ".txt", ".md", ".text"):
        stem = stem.removesuffix(ending)
    return source.with_name(stem + ENDING)


def open_session(
    source: Source,
    output: Path | None,
    model: Pipeline | Parser,
    *,
    keep: bool = False,
    threads: int = 1,
    tell: Callable[[str], None] = lambda _: None,
) -> Session:
    """A session on ``output``; where there is such a file already, the work in it goes on.

    Args:
        output: by default the source itself, where it has marks, else a new file beside it.
        keep: whether heads and labels that the source has are annotation. Where some of its words have a head
            and others have none they always are.
        tell: is told what was decided about the source.
    """
    if not source.sentences:
        raise HeadwiseError(f"{source.name} has no sentences to annotate.")
    if output is None:
        output = source.name if not source.is_text and _has_marks(source.sentences) else own_file(source.name)
    file = AnnotatedFile(output)
    try:
        if output.exists():
            sentences = file.load()
            _check_same(source, sentences, output)
            _check_ours(sentences, output)
            tell(f"going on with {output}")
            decisions = [decisions_of(sentence) for sentence in sentences]
        else:
            sentences = [convert(sentence, "conllu") for sentence in source.sentences]
            decisions = _decisions(source.name, sentences, keep, tell)
        sentences = _tagged(sentences, model)
        return Session(file, Suggester(model.parser), sentences, decisions, threads=threads)
    except BaseException:
        file.close()
        raise


def _has_marks(sentences: Sequence[Sentence]) -> bool:
    return any(not decision.is_open for sentence in sentences for decision in decisions_of(sentence))


def _check_same(source: Source, sentences: Sequence[Sentence], output: Path) -> None:
    if source.is_text:  # another model may cut it into other words
        same = _letters(source.sentences) == _letters(sentences)
    else:
        same = same_words(source.sentences, sentences)
    if not same:
        raise HeadwiseError(
            f"{output} is there already and does not have the words of {source.name}. "
            "Name another file with -o, or annotate that one."
        )


def _check_ours(sentences: Sequence[Sentence], output: Path) -> None:
    """Suggestions must not take the place of trees that somebody has made elsewhere."""
    has_heads = any((sentence.heads >= 0).any() for sentence in sentences)
    if has_heads and not output.name.endswith(ENDING) and not _has_marks(sentences):
        raise HeadwiseError(
            f"{output} is there already, and none of its trees is marked as annotated ({MARK}=Yes in MISC): "
            "they would be overwritten. Name another file with -o, or annotate a copy of that one (--keep)."
        )


def _letters(sentences: Sequence[Sentence]) -> str:
    """The text without its spaces, however it is cut into words."""
    return "".join(
        "".join(token.form.split()) for sentence in sentences for token in surface_tokens(sentence)
    )


def _decisions(
    name: Path, sentences: Sequence[Sentence], keep: bool, tell: Callable[[str], None]
) -> list[list[Decision]]:
    """What is decided of sentences that begin to be annotated here."""
    if _has_marks(sentences):
        return [decisions_of(sentence) for sentence in sentences]
    heads = [head for sentence in sentences for head in sentence.heads.tolist()]
    some, all_of_them = any(head >= 0 for head in heads), all(head >= 0 for head in heads)
    if keep or (some and not all_of_them):
        known = sum(head >= 0 for head in heads)
        tell(f"{name}: {known} of {len(heads)} words have a head, which counts as annotated")
        return [annotation_of(sentence) for sentence in sentences]
    if some:
        tell(
            f"{name} has trees that nobody is said to have annotated (no {MARK}=Yes in MISC): they are "
            "parsed anew; --keep counts them as annotated"
        )
    return [decisions_of(sentence) for sentence in sentences]


def _tagged(sentences: Sequence[Sentence], model: Pipeline | Parser) -> list[Sentence]:
    """Sentences without any tags get those of the pipeline; tags that are there stay, be they few."""
    bare = [i for i, sentence in enumerate(sentences) if all(tag == "_" for tag in sentence.upos)]
    result = list(sentences)
    for i, tagged in zip(bare, model.flow().tagged([sentences[i] for i in bare]), strict=True):
        result[i] = tagged
    return result
