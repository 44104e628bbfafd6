"""What is parsed, and what is said where nothing can be."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from corpus_runs import IS_ROOT
from headwise.corpus.inputs import InputError, InputFile, find_inputs, units_of


def test_files_come_in_an_order_of_their_own(tmp_path: Path) -> None:
    for name in ("b.txt", "a/z.jsonl.gz", "a/_hidden.txt", ".git/x.txt", "c d.conllu.xz", "x.pdf"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text("x")
    files, ignored = find_inputs([tmp_path])
    assert [file.name for file in files] == ["b.txt", "c%20d.conllu.xz", "a/z.jsonl.gz"]
    assert [file.kind for file in files] == ["text", "treebank", "json"]
    assert [path.name for path in ignored] == ["x.pdf"]


def test_the_output_may_be_below_the_input(tmp_path: Path) -> None:
    for name in ("a.txt", "out/b.txt"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text("x")
    files, _ = find_inputs([tmp_path], but_not=(tmp_path / "out").resolve())
    assert [file.name for file in files] == ["a.txt"]


def test_names_that_are_not_unicode(tmp_path: Path) -> None:
    try:
        Path(os.fsdecode(os.fsencode(tmp_path) + b"/\xff\n.txt")).write_text("x")
    except OSError:
        pytest.skip("the file system has Unicode names only")
    files, _ = find_inputs([tmp_path])
    assert [file.name for file in files] == ["\\xff%0A.txt"]


def test_errors_say_what_to_do(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"there are no files to parse\. Files should end in \.txt"):
        find_inputs([tmp_path])
    (tmp_path / "x.pdf").write_text("x")
    with pytest.raises(InputError, match="1 others"):
        find_inputs([tmp_path])
    with pytest.raises(InputError, match="cannot be told from its name"):
        find_inputs([tmp_path / "x.pdf"])
    with pytest.raises(InputError, match="no such file or folder"):
        find_inputs([tmp_path / "none"])
    (tmp_path / "gone.txt").symlink_to("nowhere")
    with pytest.raises(InputError, match="cannot be read"):
        find_inputs([tmp_path])
    (tmp_path / "gone.txt").unlink()
    os.mkfifo(tmp_path / "pipe.txt")
    with pytest.raises(InputError, match="not a file that can be read twice"):
        find_inputs([tmp_path])


def test_two_of_the_same_name(tmp_path: Path) -> None:
    for folder in ("a", "b"):
        (tmp_path / folder / "c").mkdir(parents=True)
        (tmp_path / folder / "c" / "x.txt").write_text("x")
    files, _ = find_inputs([tmp_path / "a", tmp_path / "b"])
    assert [file.name for file in files] == ["a/c/x.txt", "b/c/x.txt"]
    with pytest.raises(InputError, match=r"would both be called c/x\.txt"):
        find_inputs([tmp_path / "a" / "c", tmp_path / "b" / "c"])


@pytest.mark.skipif(IS_ROOT, reason="root can read everything")
def test_a_file_that_must_not_be_read_is_noticed_at_once(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("x")
    (tmp_path / "a.txt").chmod(0)
    with pytest.raises(InputError, match=r"1 of 1 files cannot be read.*Change their permissions"):
        find_inputs([tmp_path])


def test_small_files_are_read_together() -> None:
    sizes = [10, 20, 30, 500, 5, 100, 1]
    files = [InputFile(Path(str(n)), str(n), "text", size) for n, size in enumerate(sizes)]
    assert [[file.size for file in unit.files] for unit in units_of(files, 60)] == [
        [10, 20, 30],
        [500],
        [5],
        [100],
        [1],
    ]
