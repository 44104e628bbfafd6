"""Code blocks are found with what is said about them, and fail when they should."""

from __future__ import annotations

from pathlib import Path

import pytest
from markdown_blocks import blocks_of
from running import Session, matches

PAGE = """\
<!-- setup
x = 3
-->
Some words.

<!-- code: needs torch, pandas -->
```python
print(x)
```

<!-- output: numbers vary -->
```text
4
```

```text
a drawing
```

<!-- code: not run: it would take a week -->
```sh
sleep 604800
```
"""


def session(folder: Path) -> Session:
    return Session("page.md", folder, folder)


def test_blocks_and_remarks() -> None:
    setup, code, drawing, slow = blocks_of(PAGE)
    assert (setup.language, setup.code, setup.is_shown) == ("python", "x = 3\n", False)
    assert code.needs == ["torch", "pandas"]
    assert code.output is not None
    assert code.output.code == "4\n"
    assert code.output.remark("output: numbers vary") == ""
    assert (drawing.language, drawing.output) == ("text", None)
    assert slow.remark("code: not run") == "it would take a week"
    assert slow.line == PAGE[: PAGE.index("sleep")].count("\n") + 1


def test_blocks_share_names_and_outputs_are_compared(tmp_path: Path) -> None:
    setup, code, *_ = blocks_of(PAGE)
    shared = session(tmp_path)
    shared.run(setup)
    shared.run(code)  # 3 is not 4, but numbers vary
    assert code.output is not None
    code.output.remarks.clear()
    with pytest.raises(AssertionError, match="the page says"):
        shared.run(code)


@pytest.mark.parametrize(
    "block", ["```python\n1 / 0\n```\n", "```sh\nfalse\necho unseen\n```\n", "```sh\nfalse | cat\n```\n"]
)
def test_failures_are_noticed(tmp_path: Path, block: str) -> None:
    with pytest.raises(AssertionError, match=r"page\.md:2"):
        session(tmp_path).run(*blocks_of(block))


def test_shells_have_a_terminal_and_their_output_is_compared(tmp_path: Path) -> None:
    page = "```sh\ntest -t 1 && echo yes\n```\n\n```text\nyes\n```\n"
    session(tmp_path).run(*blocks_of(page))
    with pytest.raises(AssertionError, match="the page says"):
        session(tmp_path).run(*blocks_of(page.replace("\nyes", "\nno")))


@pytest.mark.parametrize(
    ("expected", "same"),
    [
        ("a\nb\nc", True),
        ("a\n…\nc", True),
        ("a\n…", True),
        ("…\nc", True),
        ("…", True),
        ("a\n…\nb\nc", True),
        ("b\n…", False),
        ("a\n…\nd", False),
        ("a…", False),
    ],
)
def test_lines_can_be_left_out(expected: str, same: bool) -> None:
    assert matches("a\nb\nc", expected) == same


def test_a_page_can_need_a_package() -> None:
    (block,) = blocks_of(
        "<!-- page: needs spacy -->\n\nText.\n\n<!-- code: needs torch -->\n```python\n1\n```\n"
    )
    assert sorted(block.needs) == ["spacy", "torch"]


def test_failing_commands_must_fail_with_what_is_shown(tmp_path: Path) -> None:
    page = "<!-- code: fails -->\n```sh\nls nowhere\n```\n\n```text\nls: cannot access 'nowhere'\n```\n"
    with pytest.raises(AssertionError, match="the page says"):
        session(tmp_path).run(*blocks_of(page))
    with pytest.raises(AssertionError, match="does not fail"):
        session(tmp_path).run(*blocks_of(page.replace("ls nowhere", "ls .")))
