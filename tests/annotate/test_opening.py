"""What becomes of what a person names: text, bare, half annotated, parsed and annotated files."""

from __future__ import annotations

from pathlib import Path

import pytest

from headwise import HeadwiseError, Parser
from headwise.treebank import Sentence, read, write
from headwise.web.annotate.opening import Source, open_session, own_file
from headwise.web.annotate.session import Session
from toy_language import SMALL, toy_treebank


def opened(path: Path, parser: Parser, output: Path | None = None, **options) -> tuple[Session, list[str]]:
    said: list[str] = []
    source = Source(path, list(read(path)))
    return open_session(source, output, parser, tell=said.append, **options), said


def decided(session: Session) -> int:
    return session.progress().decided


def test_names() -> None:
    assert own_file(Path("a/letters.txt")) == Path("a/letters.annotated.conllu")
    assert own_file(Path("dev.conllu.xz")) == Path("dev.annotated.conllu")
    assert own_file(Path("dev.annotated.conllu")) == Path("dev.annotated.conllu")


def test_a_bare_file_goes_into_a_file_of_its_own_and_on_from_there(
    bare_file: Path, toy_parser: Parser
) -> None:
    before = bare_file.read_bytes()
    session, _ = opened(bare_file, toy_parser)
    with session.file:
        assert session.file.path.name == "text.annotated.conllu"
        session.accept(0, [1])
    assert bare_file.read_bytes() == before
    session, said = opened(bare_file, toy_parser)
    with session.file:
        assert said == [f"going on with {session.file.path}"]
        assert decided(session) == 1
    session, _ = opened(session.file.path, toy_parser)  # annotated before: worked on itself
    with session.file:
        assert session.file.path.name == "text.annotated.conllu"
        assert decided(session) == 1


def test_a_half_annotated_file_stays_annotated(
    tmp_path: Path, gold: list[Sentence], toy_parser: Parser
) -> None:
    path = tmp_path / "half.conllu"
    write([gold[0], gold[1].with_tree([-1] * len(gold[1]), ["_"] * len(gold[1]))], path)
    session, said = opened(path, toy_parser)
    with session.file:
        assert decided(session) == len(gold[0])
        assert session.entry(0).parse.heads.tolist() == gold[0].heads.tolist()
    assert "which counts as annotated" in said[0]


def test_whole_trees_are_suggestions_unless_kept(
    tmp_path: Path, gold: list[Sentence], toy_parser: Parser
) -> None:
    path = tmp_path / "parsed.conllu"
    write(gold, path)
    session, said = opened(path, toy_parser)
    with session.file:
        assert decided(session) == 0
    assert "parsed anew" in said[0]
    session, _ = opened(path, toy_parser, tmp_path / "kept.conllu", keep=True)
    with session.file:
        assert decided(session) == sum(map(len, gold))
        assert session.most_doubtful() is None


def test_a_file_of_other_words_is_not_touched(
    bare_file: Path, gold: list[Sentence], toy_parser: Parser
) -> None:
    other = bare_file.with_name("other.conllu")
    write(gold[:3], other)
    before = other.read_bytes()
    with pytest.raises(HeadwiseError, match="does not have the words of"):
        opened(bare_file, toy_parser, other)
    assert other.read_bytes() == before
    assert not other.with_name(".other.conllu.lock").exists()


def test_trees_of_somebody_else_are_not_overwritten(
    bare_file: Path, gold: list[Sentence], toy_parser: Parser
) -> None:
    theirs = bare_file.with_name("theirs.conllu")
    write(gold, theirs)
    before = theirs.read_bytes()
    with pytest.raises(HeadwiseError, match="they would be overwritten"):
        opened(bare_file, toy_parser, theirs)
    assert theirs.read_bytes() == before


def test_trees_that_nothing_can_complete(bare_file: Path, toy_parser: Parser) -> None:
    text = bare_file.read_text().replace("\t_\t_\t_\t_\n", "\t0\troot\t_\tAnnotated=Yes\n")
    path = bare_file.with_name("roots.conllu")
    path.write_text(text)
    with pytest.raises(HeadwiseError, match=r"with one root there is none in which"):
        opened(path, toy_parser)


def test_a_model_without_labels(bare_file: Path) -> None:
    parser = Parser.train(toy_treebank(5, seed=1), **{**SMALL, "epochs": 1, "labels": "none"})
    with pytest.raises(HeadwiseError, match="knows no labels"):
        opened(bare_file, parser)
    assert not own_file(bare_file).exists()
